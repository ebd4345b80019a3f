"""Pictures of stores: what is drawn, in which units, from which numbers."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import cluster
import cluster.reports.pictures as pictures
from cluster.reports.columns import Column, read_columns
from cluster.reports.pictures import draw
from cluster.reports.units import Units
from cluster.sweeps.reductions import Outside
from groupkin.cli.main import main
from groupkin.errors import GroupkinWarning, OutputError, UnknownNameError
from tests.support.paths import EXAMPLES

Axes: Any = pytest.importorskip("matplotlib.axes").Axes

FOUR_BAR = EXAMPLES / "four_bar.toml"
MM = Units("mm", "deg")
BOX = cluster.Occupancy("P", (-0.2, 0.0), (0.2, 0.21), (8, 6))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cranks of all lengths, some of which are too long to turn."""
    path = tmp_path_factory.mktemp("store") / "results.zarr"
    described = cluster.read_sweep(FOUR_BAR.with_name("four_bar_tolerance.sweep.toml"))
    height = cluster.At(cluster.Quantity("position", "P", "y"), "height", time=0.0)
    sweep = replace(
        described,
        parameters=(
            cluster.Parameter(cluster.Length("crank", ("A", "B")), cluster.Uniform(0.06, 0.12)),
            cluster.Parameter(cluster.Length("coupler", ("B", "C")), cluster.Uniform(0.12, 0.13)),
        ),
        times=np.linspace(0.0, 1.0, 51),
        keep=(
            cluster.TimeHistory(cluster.Quantity("position", "P")),
            cluster.Minimum(cluster.Quantity("angle", "rocker")),
            BOX,
            height,
            Outside(BOX),
        ),
        draws=60,
    )
    with pytest.warns(GroupkinWarning, match="whole turns"):
        cluster.batch(sweep, path, chunk=25)
    return path


@pytest.fixture
def axes(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """All that is drawn into, in order."""
    found: list[Any] = []
    make = pictures._figure

    def watched(title: str, panels: Any) -> Any:
        def draw_into(panel: pictures._Panel) -> Any:
            return lambda place: (found.append(place), panel.draw(place))

        return make(title, [pictures._Panel(panel.name, draw_into(panel)) for panel in panels])

    monkeypatch.setattr(pictures, "_figure", watched)
    return found


def test_all_that_fits_is_drawn_with_units(path: Path, tmp_path: Path, axes: list[Any]) -> None:
    found = draw(path, tmp_path / "a.svg", "height", units=MM)
    labels = [(one.get_xlabel(), one.get_ylabel()) for one in axes]
    assert labels == [
        ("height [mm]", "samples"),
        ("occupancy.P.x [mm]", "occupancy.P.y [mm]"),
        ("minimum.rocker.angle [deg]", "samples"),
        ("time [s]", "P.position.x [mm]"),
        ("time [s]", "P.position.y [mm]"),
    ]
    names = (
        "height",
        "occupancy.P",
        "minimum.rocker.angle",
        "P.position.x",
        "P.position.y",
    )
    assert (found.drawn, found.left_out) == (names, ("crank.A-B", "coupler.B-C"))
    heights = cluster.report(path).ranges[-1]
    ends = [edge for bar in axes[0].patches for edge in (bar.get_x(), bar.get_x() + bar.get_width())]
    assert (min(ends), max(ends)) == pytest.approx((1e3 * heights.least, 1e3 * heights.largest), rel=1e-9)
    assert sum(bar.get_height() for bar in axes[0].patches) == heights.known
    cells = axes[1].collections[0]
    assert np.nansum(cells.get_array()) == cluster.report(path).totals[0].sum
    seen, missed = cluster.report(path).totals
    assert missed.sum > 0
    said = CliRunner().invoke(main, ["batch-report", str(path)]).output
    assert f"{seen.sum} in all, {missed.sum} outside of the box\n" in said
    assert "occupancy.P.outside" not in said
    assert axes[1].dataLim.extents.tolist() == pytest.approx([-200, 0, 200, 210])


@pytest.mark.smoke
def test_motions_are_drawn_over_time(path: Path, tmp_path: Path, axes: list[Any]) -> None:
    xarray = pytest.importorskip("xarray")
    assert draw(path, tmp_path / "a.svg", names=["P.position.y"]).drawn == ("P.position.y",)
    known = xarray.open_zarr(path)["P.position"].sel(axis="y")
    np.testing.assert_allclose(axes[0].lines[0].get_ydata(), known.mean("sample"), rtol=1e-12)
    low, high = axes[0].collections[0].get_paths()[0].get_extents().intervaly
    assert (low, high) == pytest.approx((float(known.min()), float(known.max())))


def test_what_does_not_fit_is_told(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MAX_PANELS", 4)
    file = tmp_path / "a.svg"
    said = CliRunner().invoke(main, ["batch-report", str(path), "--picture", str(file)])
    assert said.exit_code == 0, said.output
    assert "occupancy.P, minimum.rocker.angle, height, P.position.x\n" in said.stderr
    assert "left out, add them with --plot: P.position.y, crank.A-B, coupler.B-C\n" in said.stderr
    monkeypatch.setattr(pictures, "MAX_PANELS", 12)  # parameters are left out though there is room
    assert draw(path, file).left_out == ("crank.A-B", "coupler.B-C")
    assert draw(path, file, by="crank.A-B").drawn[0] == "crank.A-B"
    assert file.stat().st_size > 0
    options = ["--plot", "P.position", "--plot", "coupler.B-C", "--plot", "crank.A-B"]
    said = CliRunner().invoke(main, ["batch-report", str(path), "--picture", str(file), *options, "--plot", "height"])
    assert "P.position.x, P.position.y, coupler.B-C, crank.A-B, height\n" in said.stderr
    assert "left out" not in said.stderr


def test_two_numbers_are_drawn_over_each_other(path: Path, tmp_path: Path, axes: list[Any]) -> None:
    xarray = pytest.importorskip("xarray")
    found = draw(path, tmp_path / "a.svg", names=["crank.A-B", "coupler.B-C"], units=MM)
    assert found.drawn == ("crank.A-B", "coupler.B-C", "coupler.B-C over crank.A-B")
    data = xarray.open_zarr(path).load()
    points = {one.get_label(): one.get_offsets() for one in axes[2].collections}
    assert list(points) == ["solved", "cannot assemble"]
    for label, those in (("solved", data.status == 0), ("cannot assemble", data.status > 0)):
        assert 0 < those.sum() < 60
        expected = np.stack([1e3 * data[name].values[those] for name in found.drawn[:2]], axis=1)
        np.testing.assert_allclose(points[label], expected, rtol=1e-12)
    assert (axes[2].get_xlabel(), axes[2].get_ylabel()) == ("crank.A-B [mm]", "coupler.B-C [mm]")


def test_what_cannot_be_drawn_is_refused(path: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"no variable 'heigth'.*did you mean height"):
        draw(path, tmp_path / "a.svg", names=["heigth"])
    with pytest.raises(OutputError, match=r"\.svg"):
        draw(path, tmp_path / "picture.txt")
    said = CliRunner().invoke(main, ["batch-report", str(path), "--plot", "height"])
    assert said.exit_code == 2
    assert re.search("add --picture", said.output)


def test_numbers_that_differ_by_rounding_can_be_drawn(path: Path, tmp_path: Path, monkeypatch: Any) -> None:
    noise = 0.2 + np.spacing(0.2) * np.arange(60.0)
    for values in (noise, np.full(60, 0.2), np.full(60, np.nan)):
        column = Column("height", "height", "m", False, True, values, ())
        monkeypatch.setattr(pictures.columns, "list_columns", lambda store, column=column: [column])
        assert draw(path, tmp_path / "a.svg", names=["height"]).drawn == ("height",)


def test_very_many_samples_are_drawn_by_chance_but_together() -> None:
    numbers = np.arange(10_000.0)
    pair = [Column(name, name, "m", False, True, values, ()) for name, values in (("x", numbers), ("y", -numbers))]
    x, y = read_columns(pair, [(0, 6_000), (6_000, 10_000)], most=1_000)
    assert 850 < x.size < 1_150
    assert (np.diff(x) > 0).all()
    assert x.max() > 9_900
    np.testing.assert_array_equal(x, -y)
    np.testing.assert_array_equal(read_columns(pair, [(0, 6_000), (6_000, 10_000)])[0], numbers)
