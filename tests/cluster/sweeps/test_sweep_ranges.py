"""Samples that leave ranges: which, when and how far, and sweeps in which they fail, against closed formulas."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import cluster
import groupkin as gk
from cluster.sweeps.description import as_text
from groupkin.cli.main import main
from groupkin.errors import SweepError
from tests.support.paths import EXAMPLES
from tests.support.ranged import ROD, TIMES, leaving, slide, slider_crank

R, MOST = (0.02, 0.03, 0.04, 0.05, 0.06), (0.155, 0.172)
KEEP = [cluster.Excess("joint bore"), cluster.Maximum("joint bore"), cluster.TimeHistory("position C.x")]


def engines(keep: Any = KEEP, **options: Any) -> cluster.Sweep:
    """Slider-cranks of several strokes, in several ranges."""
    varied = [cluster.Parameter("number r", cluster.Grid(R)), cluster.Parameter("number most", cluster.Grid(MOST))]
    return cluster.sweep(slider_crank(), varied, TIMES, keep, **options)


def test_samples_outside_are_told_and_kept() -> None:
    data = cluster.solve(engines())
    times = np.array([leaving(most, r) for r in R for most in MOST])
    assert np.isfinite(times).sum() == 6
    np.testing.assert_array_equal(data.outside_time, times)
    np.testing.assert_array_equal(data.outside, np.isfinite(times))
    far = [max(r + ROD - most, 0.0) for r in R for most in MOST]
    np.testing.assert_allclose(data["excess.bore.joint"], far, atol=1e-12)
    assert (data.status == 0).all()
    expected = [slide(TIMES, r) for r in R for _ in MOST]
    (history,) = [name for name in data if "time" in data[name].dims]
    np.testing.assert_allclose(data[history], expected, atol=1e-12)
    assert data.outside.attrs["flag_meanings"] == "none bore"


def test_samples_outside_fail_where_that_is_wanted() -> None:
    data, kept = cluster.solve(engines(on_outside="fail")), cluster.solve(engines())
    left = np.isfinite(kept.outside_time.values)
    meanings = dict(zip(data.status.attrs["flag_values"], data.status.attrs["flag_meanings"].split(), strict=True))
    assert [meanings[code] for code in data.status.values] == ["outside_of_a_range" if x else "solved" for x in left]
    np.testing.assert_array_equal(data.failed_time, kept.outside_time)
    assert (data.failed_group == 0).all()
    (history,) = [name for name in data if "time" in data[name].dims]
    beyond = np.where(left, kept.outside_time, np.inf)[:, None] <= TIMES
    np.testing.assert_array_equal(data[history], np.where(beyond, np.nan, kept[history]))
    np.testing.assert_array_equal(data["maximum.bore.joint"], np.where(left, np.nan, kept["maximum.bore.joint"]))


def test_a_sweep_of_a_mechanism_without_ranges_says_nothing_of_them() -> None:
    plain = replace(slider_crank(), joints=[replace(joint, range=None) for joint in slider_crank().joints])
    varied = [cluster.Parameter("number r", cluster.Grid(R))]
    data = cluster.solve(cluster.sweep(plain, varied, TIMES, [cluster.Maximum("joint bore")]))
    assert not {"outside", "outside_time"} & set(data)
    ranged = cluster.solve(cluster.sweep(slider_crank(), varied, TIMES, [cluster.Maximum("joint bore")]))
    np.testing.assert_array_equal(data["maximum.bore.joint"], ranged["maximum.bore.joint"])
    with pytest.raises(SweepError, match="`joint bore` has no range; there are none"):
        cluster.sweep(plain, varied, TIMES, [cluster.Excess("joint bore")])


def test_samples_that_cannot_be_assembled_are_told_apart_from_those_outside() -> None:
    """A crank longer than its rod: the slide goes in until the rod is upright, where it ends; before it is outside."""
    parameter, times = cluster.Parameter("B@crank.y", cluster.Grid((0.05, 0.2, 0.055))), TIMES[180:361]
    for on_outside in ("keep", "fail"):
        keep = [cluster.Excess("joint bore")]
        data = cluster.solve(cluster.sweep(slider_crank((-0.1, 0.19)), [parameter], times, keep, on_outside=on_outside))
        assert data.outside.values.tolist() == [0, 1, 0]
        assert data.outside_time[1] == times[(slide(times, 0.2) < -0.1).argmax()]
        upright = times[(abs(0.2 * np.cos(2 * np.pi * times)) > ROD).argmax()]
        assert data.failed_time[1] == (upright if on_outside == "keep" else data.outside_time[1])
        assert np.isnan(data["excess.bore.joint"][1])
        assert data.status.values.tolist() == [0, 1 if on_outside == "keep" else 8, 0]


def test_a_store_and_its_report_tell_them(tmp_path: Path) -> None:
    sweep = engines()
    done = cluster.batch(sweep, tmp_path / "engines.zarr", chunk=3)
    assert (done.samples, done.failed, done.outside) == (10, 0, 6)
    report = cluster.report(tmp_path / "engines.zarr")
    times = np.array([leaving(most, r) for r in R for most in MOST])
    (left,) = report.outside
    assert (left.range, left.samples, left.first) == ("bore", 6, int(np.flatnonzero(np.isfinite(times))[0]))
    assert left.earliest == np.nanmin(times)
    assert {column.name for column in report.ranges} == {"r", "most", "excess.bore.joint", "maximum.bore.joint"} | {
        column.name for column in report.ranges if column.name.endswith("position.x")
    }
    told = CliRunner().invoke(main, ["batch-report", str(tmp_path / "engines.zarr"), "--by", "outside_time"]).output
    assert "10 samples, 0 failed, 6 outside of ranges" in told
    assert "of the range of" in told
    page = tmp_path / "report.html"
    assert (
        CliRunner().invoke(main, ["batch-report", str(tmp_path / "engines.zarr"), "--html", str(page)]).exit_code == 0
    )
    assert "of the range of" in page.read_text()


def test_files_say_what_becomes_of_them(tmp_path: Path) -> None:
    gk.save(slider_crank(), tmp_path / "engine.toml")
    described = {
        "mechanism": "engine.toml",
        "times": {"duration": 1.0, "steps": 721},
        "parameters": [{"parameter": "number r", "grid": list(R)}, {"parameter": "number most", "grid": list(MOST)}],
        "keep": [{"excess": "joint bore"}, {"maximum": {"joint": "bore"}}],
    }
    for on_outside in ("keep", "fail"):
        file = tmp_path / f"{on_outside}.sweep.json"
        file.write_text(json.dumps({**described, "on_outside": on_outside}))
        data = cluster.solve(cluster.read_sweep(file))
        assert int((data.status > 0).sum()) == (6 if on_outside == "fail" else 0)
    result = CliRunner().invoke(main, ["batch", str(file), "--out", str(tmp_path / "out.zarr")]).output
    assert "10 samples, 6 failed, 6 outside of ranges" in result


@pytest.mark.parametrize("chunk", [1, 3, 10])
def test_chunks_do_not_change_them(chunk: int) -> None:
    whole = cluster.solve(engines(on_outside="fail"))
    assert cluster.solve(engines(on_outside="fail"), chunk=chunk).identical(whole)
    assert as_text(engines()) != as_text(engines(on_outside="fail"))


@pytest.mark.parametrize(
    ("keep", "options", "said"),
    [
        ([cluster.Excess("joint pin")], {}, "`joint pin` has no range; there are ranges of `joint bore`"),
        ([cluster.Maximum("joint bore", "outside")], {}, "'outside' has a meaning of its own in results"),
        (KEEP, {"on_outside": "stop"}, "on_outside is one of keep, fail, not 'stop'"),
        (KEEP[:1], {"derivatives": True}, "derivatives of 'excess.bore.joint' are not computed"),
    ],
)
def test_what_is_refused(keep: Any, options: Any, said: str) -> None:
    with pytest.raises(SweepError) as error:
        engines(keep, **options)
    assert said in str(error.value)


def test_derivatives_of_samples_that_fail_are_not_a_number_from_there_on() -> None:
    kept, failing = (
        cluster.solve(engines(KEEP[2:], derivatives=True, on_outside=x)).to_dataframe() for x in ("keep", "fail")
    )
    (slope,) = [name for name in kept if name.endswith(".by.r")]
    late = failing.index.get_level_values("time") >= np.nan_to_num(failing["failed_time"].to_numpy(), nan=np.inf)
    assert late.any()
    np.testing.assert_array_equal(failing[slope], np.where(late, np.nan, kept[slope]))


def test_forces_of_samples_that_fail_end_there() -> None:
    mechanism = slider_crank()
    bodies = [replace(body, mass=1.0, center="middle") if body.name == "piston" else body for body in mechanism.bodies]
    sweep = cluster.sweep(
        replace(mechanism, bodies=bodies),
        [cluster.Parameter("number most", cluster.Grid((0.16, 0.19)))],
        TIMES,
        [cluster.TimeHistory("driver bearing")],
        on_outside="fail",
    )
    data = cluster.solve(sweep)
    (history,) = [name for name in data if "time" in data[name].dims]
    np.testing.assert_array_equal(np.isnan(data[history][0]), leaving(0.16, 0.05) <= TIMES)
    assert np.isfinite(data[history][1]).all()


def test_cams_at_several_speeds_leave_a_range_at_the_same_angle() -> None:
    mechanism = gk.load(EXAMPLES / "cam_roller.toml")
    joints = [replace(joint, range=(-0.001, 0.008)) if joint.name == "guide" else joint for joint in mechanism.joints]
    mechanism, rates = replace(mechanism, joints=joints), np.array([2.0, 4.0, 8.0]) * -np.pi
    times = np.linspace(0.0, 1.0, 4001)
    parameter = cluster.Parameter("rate camshaft", cluster.Grid(tuple(rates.tolist())))
    data = cluster.solve(cluster.sweep(mechanism, [parameter], times, [cluster.Excess("joint guide")]))
    assert (data.outside == 1).all()
    assert np.ptp(rates * data.outside_time.values) < 1.01 * abs(rates[-1]) * times[1]
    np.testing.assert_allclose(data["excess.guide.joint"], 0.01 - 0.008, atol=1e-6)  # the lift of 10 mm


def test_couplings_and_modes_of_samples() -> None:
    """Two arms that are coupled: the second has three times the angle of the first."""
    joints = [
        gk.Joint("a", "R", ("frame", "one"), point=(0, 0)),
        gk.Joint("b", "R", ("frame", "two"), point=(1, 0), range=(-0.1, 2.0)),
    ]
    mechanism = gk.Mechanism(
        2,
        ["frame", "one", "two"],
        joints,
        [gk.Driver("a", gk.Ramp(rate=1.0))],
        couplings=[gk.Coupling("gear", "{joint b} - 3 * {joint a}")],
    )
    times, rates = np.linspace(0.0, 1.0, 1001), (0.5, 1.0, 2.0)
    parameter = cluster.Parameter("rate a", cluster.Grid(rates))
    data = cluster.solve(cluster.sweep(mechanism, [parameter], times, [cluster.Excess("joint b")]))
    expected = [np.nan if 3 * x <= 2.0 else times[(3 * x * times > 2.0).argmax()] for x in rates]
    np.testing.assert_array_equal(data.outside_time, expected)
    np.testing.assert_allclose(data["excess.b.joint"], [max(3 * x - 2.0, 0.0) for x in rates], atol=1e-12)


def test_samples_in_other_modes_leave_ranges() -> None:
    four_bar = gk.load(EXAMPLES / "four_bar.toml")
    joints = [replace(joint, range=(-0.9, 0.9)) if joint.name == "D" else joint for joint in four_bar.joints]
    mechanism, times = replace(four_bar, joints=joints), np.linspace(0.0, 0.2, 41)
    parameter = cluster.Parameter(cluster.AssemblyMode("rocker"), cluster.Grid((1, 2)))
    data = cluster.solve(cluster.sweep(mechanism, [parameter], times, [cluster.Excess("joint D")]))
    for k, number in enumerate((1, 2)):
        angle = gk.solve(gk.program(four_bar, modes={"rocker": number}), times).joint("D")[0]
        past = np.maximum(np.abs(angle) - 0.9, 0.0)
        assert data.outside[k] == (past.max() > 0)
        assert abs(data["excess.D.joint"][k]) == pytest.approx(past.max(), abs=1e-12)
    assert data.outside.values.tolist() == [0, 1]
