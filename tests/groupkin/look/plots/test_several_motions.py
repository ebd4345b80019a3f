"""Plots of several motions: a line for each, in its color, by its name, in the units of the first."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.text import Text

import groupkin as gk
from groupkin.cli.main import main
from groupkin.errors import ArgumentError, QuantityError, UnknownNameError
from groupkin.look.palette import GROUPS
from groupkin.look.plots.plot_lines import SMALL
from groupkin.mechanism.units import Units, ratio
from tests.groupkin.look.plots.test_plots import data, found, interrupted, motion, texts, titles
from tests.groupkin.look.plots.test_plotted_ranges import ends
from tests.support.joint_ranges import ranged
from tests.support.paths import EXAMPLES

FOUR_BAR, CRANK = str(EXAMPLES / "four_bar.toml"), str(EXAMPLES / "slider_crank.toml")


@cache
def longer() -> gk.Motion:
    """A four-bar linkage with a longer crank, for less time."""
    design = gk.design(gk.load(FOUR_BAR), ["length crank A-B"])
    return design.solve([0.06], np.linspace(0.0, 0.8, 41))


@pytest.mark.smoke
def test_every_motion_has_a_line_of_its_color_at_its_own_times() -> None:
    figure = gk.plot([motion("four_bar"), longer()], ["angle rocker", "velocity P.norm"], labels=["old", "new"])
    assert titles(figure) == ["angle rocker (°)", "velocity P.norm (mm/s)"]
    for name, one, color in zip(("old", "new"), (motion("four_bar"), longer()), GROUPS, strict=False):
        for quantity, factor in (("angle rocker", 180 / np.pi), ("velocity P.norm", 1e3)):
            points = data(figure, f"{quantity} of {name}")
            np.testing.assert_array_equal(points[:, 0], one.times)
            np.testing.assert_array_equal(points[:, 1], one.read(quantity) * factor)
            (line,) = found(figure, Line2D, f"line {quantity} of {name}")
            assert to_hex(line.get_color()) == color.lower()
            (text,) = found(figure, Text, f"name {quantity} of {name}")
            assert text.get_text() == name
    assert [axes.get_xlim() for axes in figure.axes] == [(0.0, 1.0)] * 2


def test_a_shorter_motion_before_a_longer_one_cuts_nothing_off() -> None:
    figure = gk.plot([longer(), motion("four_bar")], "angle rocker")
    assert figure.axes[0].get_xlim() == (0.0, 1.0)


def test_more_quantities_in_a_panel_differ_by_dashes_and_stand_behind_the_names() -> None:
    figure = gk.plot([motion("four_bar"), longer()], ["angle rocker", "angle coupler"])
    dashes: dict[str, set[str]] = {}
    for body in ("rocker", "coupler"):
        for k in (1, 2):
            gid = f"angle {body} of Four-bar linkage {k}"
            (line,) = found(figure, Line2D, f"line {gid}")
            dashes.setdefault(body, set()).add(str(line._dash_pattern))  # type: ignore[attr-defined]
            assert to_hex(line.get_color()) == GROUPS[k - 1].lower()
            (text,) = found(figure, Text, f"name {gid}")
            assert text.get_text().replace("\n", " ") == f"Four-bar linkage {k}, {body}"
    assert [len(each) for each in dashes.values()] == [1, 1]
    assert dashes["rocker"] != dashes["coupler"]


def test_components_stand_behind_the_names() -> None:
    figure = gk.plot([motion("four_bar"), longer()], "position P", against="time", labels=["old", "new"])
    assert titles(figure) == ["position P (mm)"]
    assert {"old, x", "old, y", "new, x", "new, y"} <= set(texts(figure))


def test_paths_are_named_beside_the_panel() -> None:
    figure = gk.plot([motion("four_bar"), longer()], "position P", labels=["old", "new"])
    figure.canvas.draw()
    (axes,) = figure.axes
    for name, one in (("old", motion("four_bar")), ("new", longer())):
        np.testing.assert_allclose(data(figure, f"position P of {name}"), 1e3 * one.position("P"), rtol=1e-15)
        (text,) = found(figure, Text, f"name position P of {name}")
        assert Text.get_window_extent(text).x0 >= axes.get_window_extent().x1
    heights = [Text.get_window_extent(found(figure, Text, f"name position P of {n}")[0]).y0 for n in ("old", "new")]
    assert abs(heights[0] - heights[1]) >= SMALL / 72 * figure.dpi


def test_paths_in_space_are_named_as_well() -> None:
    stewart = motion("stewart_inverse")
    figure = gk.plot([stewart, stewart.at(np.arange(50))], "position platform", labels=["all", "half"])
    assert {"all", "half"} <= set(texts(figure))
    assert len(found(figure, Line2D, "shadow position platform of half")) == 1


@pytest.mark.parametrize("first", ["motion", "dataset"])
def test_units_are_those_of_the_first(first: str) -> None:
    one = motion("four_bar")
    pair = [one, one.to_xarray()] if first == "motion" else [one.to_xarray(), one]
    figure = gk.plot(pair, ["velocity P", "joint D", "conditioning"], against="joint A", labels=["a", "b"])
    units = ("mm/s", "°", "°") if first == "motion" else ("m/s", "rad", "rad")
    assert titles(figure) == [f"velocity P ({units[0]})", f"joint D ({units[1]})", "conditioning"]
    assert figure.axes[-1].get_xlabel() == f"joint A ({units[2]})"
    for quantity in ("velocity P.x", "joint D", "conditioning"):
        np.testing.assert_allclose(
            data(figure, f"{quantity} of a"), data(figure, f"{quantity} of b"), rtol=1e-13, atol=1e-12
        )


def test_ends_of_ranges_are_in_the_units_of_the_first() -> None:
    ranged_crank, times = ranged("slider_crank", cylinder=(0.07, 0.13)), np.linspace(0.0, 0.02, 41)
    meters = replace(ranged_crank, units=Units())
    figure = gk.plot([gk.solve(one, times) for one in (meters, ranged_crank)], "joint cylinder", labels=["m", "mm"])
    assert ends(figure) == pytest.approx({"lower end 0.07": 0.07, "upper end 0.13": 0.13})


def test_steps_that_are_not_solved_lie_between_marks_and_are_counted_by_name() -> None:
    figure = gk.plot([interrupted(), interrupted()], "angle rocker", labels=["a", "b"])
    lost = int((~interrupted().solved).sum())
    (note,) = found(figure, Text, "note")
    assert note.get_text().split("\n") == [f"{lost} of 101 steps of {n} not solved (between ×)" for n in "ab"]
    assert len(found(figure, Line2D, "gap angle rocker of a")) == 1
    assert not figure.findobj(lambda artist: artist.get_gid() == "not solved")


def test_one_motion_in_a_list_is_plotted_as_it_is_alone() -> None:
    ours, alone = gk.plot([longer()], "angle rocker"), gk.plot(longer(), "angle rocker")
    assert texts(ours) == texts(alone)
    np.testing.assert_array_equal(data(ours, "angle rocker"), data(alone, "angle rocker"))


def test_what_is_refused() -> None:
    one, other = motion("four_bar"), motion("slider_crank")
    with pytest.raises(ArgumentError, match="motion is empty"):
        gk.plot([], "angle rocker")
    with pytest.raises(ArgumentError, match="2 different texts, one for each"):
        gk.plot([one, one], "angle rocker", labels=["a"])
    with pytest.raises(UnknownNameError, match=r"^Slider-crank: there is no joint 'D'"):
        gk.plot([one, other], "joint D")
    strange = one.to_xarray()
    strange["velocity"].attrs["units"] = "kg"
    strange["point_velocity"].attrs["units"] = "kg"
    with pytest.raises(
        QuantityError, match="b: `velocity P` is in kg, kg, in the first motion in mm/s, mm/s; plot them apart"
    ):
        gk.plot([one, strange], "velocity P", labels=["a", "b"])


def test_ratios_of_units() -> None:
    assert ratio("mm", "in") == pytest.approx(1 / 25.4, rel=1e-15)
    assert ratio("deg/s^2", "rad/s^2") == pytest.approx(np.pi / 180, rel=1e-15)
    assert ratio("1/mm", "1/m") == pytest.approx(1e3, rel=1e-15)
    assert ratio("rad/mm^(1/2)", "rad/m^(1/2)") == pytest.approx(1e3**0.5, rel=1e-15)
    assert ratio("N*mm", "N*m") == pytest.approx(1e-3, rel=1e-15)
    assert ratio("1", "1") == ratio("Hz", "Hz") == 1.0
    assert ratio("mm", "deg") is ratio("m", "m^2") is ratio("1", "m") is None


def test_the_command_plots_several_files(tmp_path: Path) -> None:
    runner, out, stored = CliRunner(), tmp_path / "plot.svg", tmp_path / "run.nc"
    longer().to_xarray().to_netcdf(stored, engine="h5netcdf")
    done = runner.invoke(main, ["plot", FOUR_BAR, "joint D", "--with", str(stored), "--out", str(out)])
    assert done.exit_code == 0, done.output
    for name in ("four_bar", "run"):
        assert f'id="line joint D of {name}"' in out.read_text()
    done = runner.invoke(main, ["plot", FOUR_BAR, "joint D", "--with", CRANK, "--out", str(out)])
    assert done.exit_code != 0
    assert "slider_crank.toml: there is no joint 'D'" in done.output
    done = runner.invoke(
        main, ["plot", str(stored), "joint D", "--with", str(stored), "--steps", "3", "--out", str(out)]
    )
    assert done.exit_code == 2
    assert "belong to mechanism files" in done.output
