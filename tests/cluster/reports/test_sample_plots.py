"""Scatter matrices and parallel coordinates: which samples are drawn where, in which colors, and how many."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import cluster
from cluster.reports.sample_plots import HIGH, LOW, MISSING, OUTSIDE, SOLVED
from cluster.reports.samples import samples_of
from cluster.reports.units import Units
from groupkin.cli.main import main
from groupkin.errors import ArgumentError, GroupkinWarning, OutputError, StoreError, UnknownNameError
from groupkin.look.palette import LOST
from tests.support.joint_ranges import ranged
from tests.support.paths import EXAMPLES

pytest.importorskip("matplotlib")
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import StepPatch
from matplotlib.text import Text

MM = Units("mm", "deg")
KEPT = (
    cluster.Range(cluster.Quantity("position", "P", "y"), "lift"),
    cluster.Minimum(cluster.Quantity("angle", "rocker"), "least"),
    cluster.TimeHistory(cluster.Quantity("position", "P")),
)


@pytest.fixture(scope="module")
def sweep() -> Any:
    """Cranks of all lengths, some of which are too long to turn."""
    described = cluster.read_sweep(EXAMPLES / "four_bar_tolerance.sweep.toml")
    crank, coupler = (cluster.Length(body, pins) for body, pins in (("crank", ("A", "B")), ("coupler", ("B", "C"))))
    parameters = (
        cluster.Parameter(crank, cluster.Uniform(0.06, 0.12)),
        cluster.Parameter(coupler, cluster.Uniform(0.12, 0.13)),
    )
    times = np.linspace(0.0, 1.0, 41)
    return replace(described, parameters=parameters, times=times, keep=KEPT, draws=300)


@pytest.fixture(scope="module")
def results(sweep: Any) -> Any:
    with pytest.warns(GroupkinWarning, match="whole turns"):
        return cluster.solve(sweep)


@pytest.fixture(scope="module")
def store(sweep: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "results.zarr"
    with pytest.warns(GroupkinWarning, match="whole turns"):
        cluster.batch(sweep, path, chunk=100)
    return path


def found(figure: Figure, gid: str) -> list[Any]:
    return [artist for artist in figure.findobj() if artist.get_gid() == gid]


def points(figure: Figure, gid: str) -> Any:
    (line,) = found(figure, gid)
    return np.asarray(line.get_xydata())


def words(figure: Figure) -> list[str]:
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def test_stores_and_datasets_have_the_same_samples(store: Path, results: Any) -> None:
    ours, theirs = (samples_of(one, (), 9, MM) for one in (store, results))
    assert [column.name for column in ours.columns] == ["crank.A-B", "coupler.B-C", "lift", "least"]
    assert ours.labels == theirs.labels == ("crank.A-B [mm]", "coupler.B-C [mm]", "lift [mm]", "least [deg]")
    np.testing.assert_array_equal(ours.values, theirs.values)
    np.testing.assert_array_equal(ours.failed, results.status.values != 0)
    np.testing.assert_array_equal(theirs.failed, ours.failed)
    np.testing.assert_array_equal(ours.values[0], 1e3 * results["crank.A-B"].values)
    assert ours.failed.any()
    assert not ours.outside.any()


def test_every_two_variables_are_plotted_over_each_other(results: Any) -> None:
    figure, failed = cluster.plot_scatter(results), results.status.values != 0
    names = ["crank.A-B", "coupler.B-C", "lift", "least"]
    for i, below in enumerate(names):
        for above in names[i + 1 :]:
            xy = points(figure, f"solved {below} {above}")
            np.testing.assert_array_equal(xy, np.stack([results[below], results[above]], axis=1)[~failed])
    assert words(figure) == [f"{(~failed).sum()} solved", f"{failed.sum()} failed"]
    labels = {text.get_text() for text in figure.findobj(Text)}
    assert {"crank.A-B [m]", "lift [m]", "least [rad]"} <= labels


def test_failed_samples_are_red_and_lie_at_the_edge_where_they_have_no_result(results: Any) -> None:
    figure, failed = cluster.plot_scatter(results), results.status.values != 0
    (marks,) = found(figure, "failed crank.A-B coupler.B-C")
    assert to_hex(marks.get_color()).upper() == LOST
    assert len(marks.get_xydata()) == failed.sum()
    (edge,) = found(figure, "edge failed crank.A-B lift")
    np.testing.assert_array_equal(edge.get_xdata(), results["crank.A-B"].values[failed])
    assert to_hex(edge.get_color()).upper() == LOST
    assert len(points(figure, "failed crank.A-B lift")) == 0
    (axes,) = {line.axes for line in found(figure, "failed crank.A-B coupler.B-C")}
    shown = axes.transData.transform(edge.get_xydata())
    assert np.isfinite(shown).all()


def test_distributions_count_all_samples(results: Any) -> None:
    figure = cluster.plot_scatter(results)
    parts = [part for part in found(figure, "distribution crank.A-B") if isinstance(part, StepPatch)]
    solved, failed = (part.get_data() for part in parts)
    assert solved.values.sum() == (results.status.values == 0).sum()
    assert (failed.values - failed.baseline).sum() == (results.status.values != 0).sum()


def test_lines_pass_the_values_of_samples(results: Any) -> None:
    figure, failed = cluster.plot_parallel(results), results.status.values != 0
    table = np.stack([results[name] for name in ("crank.A-B", "coupler.B-C", "lift", "least")])
    low, high = np.nanmin(table, axis=1), np.nanmax(table, axis=1)
    shares = (table - low[:, None]) / (high - low)[:, None]
    lines = [each for each in figure.findobj(LineCollection) if str(each.get_gid()).startswith("lines ")]
    by_word = {str(each.get_gid()): each for each in lines}
    assert list(by_word) == ["lines solved", "lines failed"]
    solved = np.array([path.vertices for path in by_word["lines solved"].get_paths()])
    expected = shares[:, ~failed].T
    np.testing.assert_allclose(solved[:, :, 1], expected[np.argsort(expected[:, 3], kind="stable")], atol=1e-15)
    lost = np.array([path.vertices for path in by_word["lines failed"].get_paths()])
    assert (lost[:, 2:, 1] == MISSING).all()
    assert (lost[:, :2, 1] >= 0.0).all()
    assert [to_hex(c).upper() for c in by_word["lines failed"].get_colors()] == [LOST]
    colors = [to_hex(c).upper() for c in by_word["lines solved"].get_colors()]
    assert (colors[0], colors[-1]) == (LOW, HIGH)
    shades = [each for each in figure.findobj(LineCollection) if each.get_gid() == "axis least [rad]"]
    assert len(shades[0].get_colors()) > 20
    assert "no value" in [text.get_text() for text in figure.findobj(Text)]


def test_lines_are_colored_by_a_variable(results: Any) -> None:
    figure = cluster.plot_parallel(results, by="crank.A-B")
    (solved,) = [each for each in figure.findobj(LineCollection) if each.get_gid() == "lines solved"]
    heights = [path.vertices[0, 1] for path in solved.get_paths()]
    assert heights == sorted(heights)
    named = cluster.plot_parallel(results, ["lift", "least"], by="coupler.B-C")
    assert {"name lift [m]", "name coupler.B-C [m]"} <= {str(text.get_gid()) for text in named.findobj(Text)}


def test_samples_outside_of_ranges_are_orange() -> None:
    mechanism = ranged("slider_crank", cylinder=(0.085, 0.175))
    sweep = cluster.sweep(
        mechanism,
        [cluster.Parameter(cluster.Length("crank", ("A", "B")), cluster.Uniform(0.03, 0.05))],
        np.linspace(0.0, 0.1, 21),
        keep=[cluster.Range(cluster.Quantity("joint", "cylinder"), "stroke")],
        draws=50,
        seed=1,
    )
    results = cluster.solve(sweep)
    outside = results.outside.values != 0
    assert 0 < outside.sum() < 50
    figure = cluster.plot_scatter(results)
    (marks,) = found(figure, "outside of a range crank.A-B stroke")
    assert to_hex(marks.get_color()).upper() == OUTSIDE != SOLVED
    np.testing.assert_array_equal(marks.get_ydata(), results.stroke.values[outside])
    assert words(figure) == [f"{(~outside).sum()} solved", f"{outside.sum()} outside of a range"]


def test_of_many_samples_the_same_ones_are_drawn(results: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import cluster.reports.sample_plots as plots

    monkeypatch.setattr(plots, "MAX_POINTS", (40, 5))
    first, again = (points(cluster.plot_scatter(results), "solved crank.A-B lift") for _ in range(2))
    assert len(first) == 40
    np.testing.assert_array_equal(first, again)
    assert set(map(tuple, first)) <= set(zip(results["crank.A-B"].values, results.lift.values, strict=True))
    figure, failed = cluster.plot_scatter(results), int((results.status.values != 0).sum())
    assert words(figure) == [f"{300 - failed} solved, 40 of them drawn", f"{failed} failed, 5 of them drawn"]
    parts = [part for part in found(figure, "distribution crank.A-B") if isinstance(part, StepPatch)]
    assert parts[0].get_data().values.sum() == 300 - failed


def test_of_many_variables_the_strongest_parameters_are_kept() -> None:
    import xarray

    random, n = np.random.default_rng(1), 4000
    inputs = {f"p{k}": random.random(n) for k in range(6)}
    data = {"a": inputs["p1"] + 0.3 * inputs["p4"], "b": inputs["p4"] ** 2, "c": random.random(n)}
    data |= {"status": np.zeros(n, np.uint8)}
    results = xarray.Dataset(
        {name: ("sample", values) for name, values in data.items()},
        {name: ("sample", values) for name, values in inputs.items()},
    )
    samples = samples_of(results, (), 5)
    assert len(samples.columns) == 5
    assert {"p1", "p4", "a", "b"} <= {column.name for column in samples.columns}
    assert "c" in samples.left_out
    assert "c" in [column.name for column in samples_of(results, (), 5, by="c").columns]


def test_what_is_refused(results: Any, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="'lif' has one number per sample; did you mean lift"):
        cluster.plot_scatter(results, ["lif", "least"])
    with pytest.raises(UnknownNameError, match=r"'position.P' has one number"):
        cluster.plot_parallel(results, ["lift", "position.P"])
    with pytest.raises(UnknownNameError, match="'nothing' has one number"):
        cluster.plot_parallel(results, by="nothing")
    with pytest.raises(OutputError, match="it takes two variables"):
        cluster.plot_scatter(results, ["lift"])
    with pytest.raises(ArgumentError, match=r"a store, or what cluster\.solve returns"):
        cluster.plot_scatter(results.drop_vars("status"))
    with pytest.raises(OutputError, match="no sample is computed"):
        cluster.plot_scatter(results.isel(sample=slice(0, 0)))
    with pytest.raises(StoreError):
        cluster.plot_scatter(tmp_path / "none.zarr")
    with pytest.raises(OutputError, match="svg"):
        cluster.plot_parallel(results, out=tmp_path / "picture.txt")


def test_the_command_writes_both(store: Path, tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    call = ["batch-report", str(store), "--picture", str(picture)]
    done = CliRunner().invoke(main, [*call, "--scatter"])
    assert done.exit_code == 0, done.output
    assert "crank.A-B [mm]" in picture.read_text()
    done = CliRunner().invoke(main, [*call, "--parallel", "--by", "lift"])
    assert done.exit_code == 0, done.output
    assert 'id="lines failed"' in picture.read_text()
    done = CliRunner().invoke(main, [*call, "--parallel", "--by", "failed_time"])
    assert done.exit_code == 0, done.output
    done = CliRunner().invoke(main, [*call, "--scatter", "--plot", "lift"])
    assert "it takes two variables" in done.output
    assert done.exit_code == 2
    done = CliRunner().invoke(main, ["batch-report", str(store), "--scatter"])
    assert "--scatter says what to draw: add --picture picture.svg" in done.output
    assert done.exit_code == 2
