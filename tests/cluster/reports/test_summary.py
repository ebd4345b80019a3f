"""Reports on stores, against results that are known."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace

import numpy as np
import pytest
from click.testing import CliRunner

import cluster
import cluster.stores.store as stores
from cluster.reports.columns import OUTCOME
from cluster.reports.summary import converted, report
from cluster.stores.creation import create
from groupkin.cli.main import main
from groupkin.errors import UnknownNameError, WorkError
from tests.support import fake_sweep as fake
from tests.support.fake_sweep import batch
from tests.support.mechanisms import FOUR_BAR

SWEEP = fake.Sweep(samples=60)


@pytest.fixture
def path(tmp_path):
    batch(SWEEP, tmp_path / "results.zarr", chunk=7)
    return tmp_path / "results.zarr"


def test_failures_are_counted_by_group_and_reason(path):
    found = report(path)
    assert (found.samples, found.done, found.failed) == (60, 60, 6)
    reasons = [(one.group, one.bodies, one.status, one.samples, one.first, one.earliest) for one in found.failures]
    assert reasons == [
        (2, "coupler, rocker", "cannot assemble", 3, 3, 0.5),
        (2, "coupler, rocker", "singular", 3, 13, 0.5),
    ]


def test_ranges_are_those_of_all_samples(path):
    values = fake.solve_chunk(SWEEP, 0, 60)
    found = {one.name: one for one in report(path).ranges}
    assert list(found) == ["length", "mode", "reach.x", "reach.y", "path.x", "path.y"]
    for name, of in (
        ("length", values["length"]),
        ("mode", values["mode"]),
        ("reach.x", values["reach"][:, 0]),
        ("reach.y", values["reach"][:, 1]),
        ("path.x", values["path"][..., 0]),
        ("path.y", values["path"][..., 1]),
    ):
        one = found[name]
        assert one.known == np.isfinite(of).sum()
        assert (one.least, one.largest) == (np.nanmin(of), np.nanmax(of))
        assert one.mean == pytest.approx(np.nanmean(of), rel=1e-12)  # added up in another order
        assert one.deviation == pytest.approx(np.nanstd(of, ddof=1), rel=1e-12)
        assert list(one.quantiles.values()) == np.nanquantile(of, [0.01, 0.5, 0.99]).tolist()
        assert one.sampled == one.known
    assert found["reach.y"].units == "m"
    total = report(path).totals[0]
    assert (total.name, total.cells, total.seen, total.sum) == (
        "workspace",
        20,
        np.count_nonzero(values["workspace"]),
        60,
    )


def test_what_numbers_are_is_told_and_names_them_too(tmp_path):
    varied = [cluster.Parameter("length coupler B-C", cluster.Listed([3.35, 3.4, 3.3]))]
    sweep = cluster.sweep(FOUR_BAR, varied, [0.0, 0.1], [cluster.Range("position P")])
    cluster.batch(sweep, tmp_path / "a.zarr")
    found = report(tmp_path / "a.zarr", by="length coupler B-C")
    texts = {column.name: column.text for column in found.ranges}
    assert texts == {
        "coupler.B-C": "length coupler B-C",
        "range.P.position.x": "range of position P.x",
        "range.P.position.y": "range of position P.y",
    }
    assert found.by == "coupler.B-C"
    assert [one.sample for one in found.lowest] == [2, 0, 1]
    printed = (
        CliRunner().invoke(main, ["batch-report", str(tmp_path / "a.zarr"), "--by", "range of position P.y"]).output
    )
    assert "range of position P.x" in printed
    assert "least range.P.position.y [m]" in printed


def test_samples_are_ranked_with_their_parameters(path):
    values = fake.solve_chunk(SWEEP, 0, 60)
    reach = values["reach"][:, 1]
    order = [k for k in np.argsort(reach) if np.isfinite(reach[k])]
    found = report(path, "reach.y", top=3)
    assert [one.sample for one in found.lowest] == order[:3]
    assert [one.sample for one in found.highest] == order[:-4:-1]
    worst = found.lowest[0]
    assert worst.value == reach[worst.sample]
    assert worst.parameters == {"length": values["length"][worst.sample], "mode": values["mode"][worst.sample]}
    with pytest.raises(UnknownNameError, match=r"reach\.z.*did you mean reach\.[xy]"):
        report(path, "reach.z")
    with pytest.raises(UnknownNameError):
        report(path, "path.x")


def test_samples_are_ranked_by_a_parameter_or_the_time_at_which_they_failed(path):
    values = fake.solve_chunk(SWEEP, 0, 60)
    highest = report(path, "length", top=60).highest
    assert [one.sample for one in highest] == np.argsort(-values["length"]).tolist()
    assert all(one.value == one.parameters["length"] for one in highest)
    lowest = report(path, "mode", top=4).lowest
    assert [(one.sample, one.value) for one in lowest] == [(0, 1), (2, 1), (4, 1), (6, 1)]  # of equals the first ones
    failed = report(path, "failed_time", top=60)
    assert [(one.sample, one.value) for one in failed.lowest] == [(k, 0.5) for k in range(3, 60, 10)]
    said = CliRunner().invoke(main, ["batch-report", str(path), "--by", "length"]).stdout
    heading = next(line for line in said.splitlines() if "largest length" in line)
    assert heading.split() == ["sample", "largest", "length", "[m]", "mode"]


def test_an_incomplete_store_is_reported(tmp_path, monkeypatch):
    path = tmp_path / "results.zarr"
    with pytest.raises(WorkError):
        batch(fake.Sweep(samples=60, fail=30), path, chunk=7)
    found = report(path)
    assert (found.samples, found.done) == (60, 28)
    values = fake.solve_chunk(SWEEP, 0, 28)
    assert found.totals[0].sum == 28
    assert found.failed == 3
    assert found.ranges[0].largest == values["length"].max()
    assert len(stores.completed(stores.open_store(path))) == 4


def test_the_command_prints_a_report_or_data(path):
    said = CliRunner().invoke(main, ["batch-report", str(path), "--by", "length", "--top", "2"])
    assert said.exit_code == 0, said.output
    for text in ("60 samples, 6 failed", "2 (coupler, rocker)", "cannot assemble", "reach.y", "largest length"):
        assert text in said.output
    said = CliRunner().invoke(main, ["batch-report", str(path), "--json", "--by", "length"])
    data = json.loads(said.stdout)
    assert data["failures"][0]["samples"] == 3
    assert data["highest"][0]["value"] == data["ranges"][0]["largest"]
    said = CliRunner().invoke(main, ["batch-report", str(path.parent)])
    assert said.exit_code == 2
    assert "not a store" in said.output


@pytest.mark.parametrize(
    "text", ['name = "fake"\nunits = { length = "mm", angle = "deg" }', '{"units": {"length": "mm", "angle": "deg"}}']
)
def test_numbers_are_printed_in_the_units_of_the_mechanism(tmp_path, text):
    path = tmp_path / "results.zarr"
    batch(replace(SWEEP, source=text), path, chunk=7)
    found = report(path, "length")
    shown = converted(found, found.mechanism_units)
    length, wide = found.ranges[0], shown.ranges[0]
    assert (wide.units, wide.known) == ("mm", length.known)
    for key in ("least", "mean", "largest", "deviation"):
        assert getattr(wide, key) == pytest.approx(1e3 * getattr(length, key), rel=1e-14)
    assert wide.quantiles["99%"] == pytest.approx(1e3 * length.quantiles["99%"], rel=1e-14)
    assert shown.highest[0].value == shown.highest[0].parameters["length"] == wide.largest
    assert shown.highest[0].parameters["mode"] == found.highest[0].parameters["mode"]
    printed = {
        option: CliRunner().invoke(main, ["batch-report", str(path), "--by", "length", *option]).stdout
        for option in ((), ("--units", "SI"), ("--json",))
    }
    assert re.search(rf"^length \[mm\] +{wide.least:.6g} ", printed[()], re.MULTILINE)
    assert "largest length [mm]" in printed[()]
    assert re.search(rf"^length \[m\] +{length.least:.6g} ", printed["--units", "SI"], re.MULTILINE)
    data = json.loads(printed["--json",])
    assert data["ranges"][0] == {**asdict(length), "units": "m"}
    assert data["mechanism_units"] == {"length": "mm", "angle": "deg", "mass": "kg", "force": "N"}


def test_every_freedom_of_a_joint_has_its_unit(tmp_path):
    labels = {"freedom_J": ["displacement", "angle"]}
    kept = (
        fake.Variable("J", ("freedom_J",), (2,), attrs={"units": "m, rad"}, coords=labels),
        *(one for one in fake.variables(SWEEP) if one.name in OUTCOME),
    )
    path = tmp_path / "results.zarr"
    create(path, replace(SWEEP, source='units = { length = "cm", angle = "deg" }'), kept, 7)
    found = report(path)
    assert [(one.name, one.units) for one in found.ranges] == [("J.displacement", "m"), ("J.angle", "rad")]
    assert [one.units for one in converted(found, found.mechanism_units).ranges] == ["cm", "deg"]
