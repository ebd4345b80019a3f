"""Plots: lines are the motion's, in the units of the file, in the right panels, with labels; gaps are marked."""

from __future__ import annotations

import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Text

import groupkin as gk
from groupkin.errors import ArgumentError, OutputError, QuantityError, UnknownNameError
from groupkin.look.palette import GROUPS
from groupkin.look.plots.plot_lines import SIZE, SMALL
from groupkin.look.scenes.sight import SCREEN
from groupkin.mechanism.files.reading import parse
from tests.support.command_line import LINKAGE
from tests.support.paths import EXAMPLES


@cache
def motion(name: str) -> gk.Motion:
    described = gk.read(EXAMPLES / f"{name}.toml")
    return gk.solve(described.mechanism, np.linspace(0.0, described.motion.duration, 101))


@cache
def interrupted() -> gk.Motion:
    """A crank that turns through the rocker's reach and out of it, and back."""
    return gk.solve(parse(tomllib.loads(LINKAGE)), np.linspace(0.0, 2.0, 101), on_failure="nan")


def found(figure: Figure, kind: type, gid: str) -> list[Any]:
    return [artist for artist in figure.findobj(kind) if artist.get_gid() == gid]


def data(figure: Figure, quantity: str) -> Any:
    (line,) = found(figure, Line2D, f"line {quantity}")
    return np.asarray(line.get_xydata())


def titles(figure: Figure) -> list[str]:
    return [axes.get_title(loc="left") for axes in figure.axes]


def texts(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


# --- over time -------------------------------------------------------------------------------


@pytest.mark.smoke
def test_quantities_of_one_unit_share_a_panel_and_all_panels_the_times() -> None:
    wanted = ["angle rocker", "angle coupler", "velocity P.norm", "conditioning"]
    figure = gk.plot(motion("four_bar"), wanted)
    assert titles(figure) == ["angle (°)", "velocity P.norm (mm/s)", "conditioning"]
    angles, _, below = figure.axes
    assert angles.get_shared_x_axes().joined(angles, below)
    assert [axes.get_xlabel() for axes in figure.axes] == ["", "", "time (s)"]
    assert angles.get_xlim() == (0.0, 1.0)
    assert [axes.get_yscale() for axes in figure.axes] == ["linear", "linear", "log"]
    assert below.get_ylim() == (0.1, 1.0)


def test_panels_stand_in_the_order_of_what_is_wanted() -> None:
    wanted = ["velocity P", "angle rocker", "position P", "conditioning"]
    figure = gk.plot(motion("four_bar"), wanted)
    assert titles(figure) == ["velocity P", "angle rocker (°)", "position P", "conditioning"]


def test_lines_are_the_motion_in_the_units_of_the_file() -> None:
    four_bar = motion("four_bar")
    figure = gk.plot(four_bar, ["angle rocker", "velocity P.x", "angular_acceleration coupler"])
    assert titles(figure) == ["angle rocker (°)", "velocity P.x (mm/s)", "angular acceleration coupler (°/s²)"]
    np.testing.assert_array_equal(data(figure, "angle rocker")[:, 0], four_bar.times)
    for quantity, factor in (("angle rocker", 180 / np.pi), ("velocity P.x", 1e3)):
        np.testing.assert_array_equal(data(figure, quantity)[:, 1], four_bar.read(quantity) * factor)


def test_names_stand_at_the_ends_of_lines_in_their_colors_and_apart() -> None:
    figure = gk.plot(motion("stewart_inverse"), [f"joint leg_{k}" for k in range(1, 7)])
    figure.canvas.draw()
    assert titles(figure) == ["joint coordinate (mm)"]
    (axes,) = figure.axes
    names = [found(figure, Text, f"name joint leg_{k}")[0] for k in range(1, 7)]
    assert [text.get_text() for text in names] == [f"leg_{k}" for k in range(1, 7)]
    for k, text in enumerate(names, 1):
        np.testing.assert_array_equal(text.xy, data(figure, f"joint leg_{k}")[-1])
        assert Text.get_window_extent(text).x0 >= axes.get_window_extent().x1
        assert Text.get_window_extent(text).x1 <= figure.bbox.x1
    heights = sorted(Text.get_window_extent(text).y0 for text in names)
    assert min(np.diff(heights)) >= SMALL / 72 * figure.dpi
    colors = [to_hex(found(figure, Line2D, f"line joint leg_{k}")[0].get_color()).upper() for k in range(1, 7)]
    assert colors == list(GROUPS[:6])


def test_components_of_different_units_have_panels_of_their_own() -> None:
    figure = gk.plot(motion("stewart_inverse"), "joint pose")
    assert titles(figure) == ["joint pose (mm)", "joint pose (°)"]
    assert {"x", "y", "z", "angle_x", "angle_y", "angle_z"} <= set(texts(figure))
    assert len(found(figure, Line2D, "line joint pose.angle_y")) == 1


def test_the_same_thing_has_the_same_color_in_all_panels() -> None:
    figure = gk.plot(motion("four_bar"), ["position P.x", "position P.y", "velocity P.y", "velocity P.x"])
    colors = {k: found(figure, Line2D, f"line {k}")[0].get_color() for k in ("position P.y", "velocity P.y")}
    assert len(set(colors.values())) == 1
    assert found(figure, Line2D, "line velocity P.x")[0].get_color() != colors["velocity P.y"]


def test_against_another_quantity() -> None:
    four_bar = motion("four_bar")
    figure = gk.plot(four_bar, ["joint D", "position P"], against="joint A")
    assert titles(figure) == ["joint D (°)", "position P (mm)"]
    assert figure.axes[-1].get_xlabel() == "joint A (°)"
    assert figure.axes[0].get_xlim() == pytest.approx((180.0, 540.0))  # one turn, from roundings of the joint's angle
    assert all(tick % 60 == 0 for tick in figure.axes[0].get_xticks())
    np.testing.assert_array_equal(data(figure, "position P.y")[:, 0], np.degrees(four_bar.read("joint A")))
    with pytest.raises(QuantityError, match=r"has the components x, y; plot against one of them"):
        gk.plot(four_bar, "joint D", against="velocity P")


# --- paths -----------------------------------------------------------------------------------


def test_paths_and_hodographs_in_the_plane() -> None:
    leg = motion("jansen_leg")
    figure = gk.plot(leg, ["position S", "velocity S"])
    figure.canvas.draw()
    assert titles(figure) == ["position S", "velocity S"]
    assert [(axes.get_xlabel(), axes.get_ylabel()) for axes in figure.axes] == [
        ("x (mm)", "y (mm)"),
        ("x (mm/s)", "y (mm/s)"),
    ]
    np.testing.assert_array_equal(data(figure, "position S"), 1e3 * leg.position("S"))
    for axes in figure.axes:
        (a, b), (c, d) = axes.transData.transform([[0.0, 0.0], [1.0, 1.0]])
        assert c - a == pytest.approx(d - b, rel=5e-3)  # matplotlib leaves differences below that
    assert len(found(figure, Line2D, "pole")) == 1
    (start,) = found(figure, Line2D, "start position S")
    np.testing.assert_array_equal(start.get_xydata()[0], 1e3 * leg.position("S")[0])


def test_paths_in_space_are_projected_to_scale() -> None:
    platform = motion("stewart_inverse")
    figure = gk.plot(platform, ["position T", "position P1"])
    assert titles(figure) == ["position"]
    assert {"x (mm)", "y (mm)", "z (mm)", "T", "P1"} <= set(texts(figure))
    np.testing.assert_allclose(data(figure, "position T"), 1e3 * platform.position("T") @ SCREEN, rtol=1e-14)
    assert figure.axes[0].get_aspect() == 1.0
    assert len(found(figure, Line2D, "shadow position P1")) == 1


def test_points_over_time_where_that_is_asked_for() -> None:
    figure = gk.plot(motion("stewart_inverse"), "position T", against="time")
    assert titles(figure) == ["position T (mm)"]
    assert figure.axes[0].get_xlabel() == "time (s)"


# --- gaps ------------------------------------------------------------------------------------


def test_steps_that_are_not_solved_are_shaded_gaps() -> None:
    lost = interrupted()
    figure = gk.plot(lost, ["joint D", "conditioning"])
    for quantity in ("joint D", "conditioning"):
        np.testing.assert_array_equal(np.isfinite(data(figure, quantity)[:, 1]), lost.solved)
    first, last = np.flatnonzero(~lost.solved)[[0, -1]]
    spans = [(x.get_x(), x.get_x() + x.get_width()) for x in found(figure, Rectangle, "not solved")]
    assert spans == 2 * [pytest.approx((lost.times[first - 1], lost.times[last + 1]))]
    count = int((~lost.solved).sum())
    assert found(figure, Text, "note")[0].get_text() == f"{count} of 101 steps not solved (shaded)"


@pytest.mark.parametrize(("quantity", "against"), [("position C", None), ("joint D", "joint A")])
def test_ends_of_gaps_are_marked_where_there_is_no_time(quantity: str, against: str | None) -> None:
    lost = interrupted()
    figure = gk.plot(lost, quantity, against)
    (marks,) = found(figure, Line2D, f"gap {quantity}")
    inside = np.flatnonzero(~lost.solved)[[0, -1]] + (-1, 1)
    np.testing.assert_array_equal(marks.get_xydata(), data(figure, quantity)[inside])
    assert "between ×" in found(figure, Text, "note")[0].get_text()


def test_single_steps_between_gaps_are_dots() -> None:
    lost = interrupted()
    alone = lost.at(np.concatenate([np.flatnonzero(lost.solved)[:1], np.flatnonzero(~lost.solved)[:2]]))
    (line,) = found(gk.plot(alone, "joint D"), Line2D, "line joint D")
    assert line.get_markevery() == [0]


def test_a_motion_without_solved_steps_is_refused() -> None:
    lost = interrupted()
    with pytest.raises(OutputError, match="no step of the motion is solved"):
        gk.plot(lost.at(np.flatnonzero(~lost.solved)), "joint D")


# --- files of motions ------------------------------------------------------------------------


@pytest.mark.smoke
def test_a_dataset_is_plotted_as_its_motion_in_its_own_units() -> None:
    for name, wanted in (
        ("four_bar", ["joint D", "velocity P.norm", "angular_velocity rocker", "conditioning", "position P"]),
        ("stewart_inverse", ["joint pose", "acceleration platform.z", "rotation rod_1", "position T"]),
    ):
        solved = motion(name)
        figure, other = (gk.plot(what, wanted) for what in (solved.to_xarray(), solved))
        lines = [line.get_gid() for line in other.findobj(Line2D) if str(line.get_gid()).startswith("line")]
        assert [line.get_gid() for line in figure.findobj(Line2D) if str(line.get_gid()).startswith("line")] == lines
        for gid in lines:
            ours, theirs = (np.asarray(found(each, Line2D, gid)[0].get_ydata()) for each in (figure, other))
            scale = np.abs(theirs).max() / np.abs(ours).max()
            assert min(abs(scale / factor - 1) for factor in (1.0, 1e3, 180 / np.pi)) < 1e-12
            np.testing.assert_allclose(ours * scale, theirs, rtol=1e-9, atol=1e-9 * np.abs(theirs).max())
        assert any("(m)" in text for text in texts(figure))


KEPT = [
    *("position P", "velocity 'tip of arm'.norm", "arm", "lean", "transmission_angle B-C-'D 1'", "conditioning"),
    *("rotation coupler", "joint 'hinge one'", "angle rocker", "joint_rate A", "output_rate lean", "P.y"),
]
"""Quantities of all shapes, some of names with blanks, some without their kind."""


@cache
def keeping() -> gk.Motion:
    text = (EXAMPLES / "four_bar.toml").read_text()
    for old, new in (
        ('name = "D"', 'name = "hinge one"'),
        ('point = "D"', 'point = "D 1"'),
        ("D = [100, 0]", "'D 1' = [100, 0]\n'tip of arm' = [60, 120]"),
        ('points = ["P"]', 'points = ["P", "tip of arm"]'),
    ):
        text = text.replace(old, new)
    outputs = "[outputs]\narm = '{position P} - {position C}'\nlean = 'atan2({arm.x}, {arm.y})'\n"
    return gk.solve(parse(tomllib.loads(text + outputs)), np.linspace(0.0, 1.0, 101), keep=KEPT)


@pytest.mark.smoke
def test_what_a_motion_keeps_is_plotted_by_the_same_texts() -> None:
    data_set = keeping().to_xarray(units="file")
    for text in [*KEPT, "position P.norm", "position P.x", "arm.x", "arm.norm", "output lean"]:
        ours, theirs = (gk.plot(each, text, against="time") for each in (data_set, keeping()))
        lines, expected = (
            {line.get_gid(): line.get_ydata() for line in figure.findobj(Line2D) if "line " in str(line.get_gid())}
            for figure in (ours, theirs)
        )
        assert lines, text
        assert lines.keys() == expected.keys()
        for gid, values in lines.items():
            np.testing.assert_allclose(values, expected[gid], rtol=1e-12, atol=1e-12, err_msg=gid)
        assert titles(ours) == titles(theirs)
    assert found(gk.plot(data_set, "position P"), Line2D, "line position P")  # a path


def test_all_freedoms_of_a_joint_that_a_motion_keeps_are_plotted() -> None:
    described = gk.read(EXAMPLES / "stewart_inverse.toml")
    wanted = ["joint pose", "joint pose.x", "angular_velocity platform"]
    kept = gk.solve(described.mechanism, np.linspace(0.0, 2.0, 11), keep=wanted)
    for text in (*wanted, "joint pose.angle_z", "angular_velocity platform.norm"):
        ours, theirs = (gk.plot(each, text) for each in (kept.to_xarray(units="file"), kept))
        assert titles(ours) == titles(theirs), text


def test_what_a_motion_keeps_is_listed_as_it_is_written() -> None:
    with pytest.raises(UnknownNameError) as error:
        gk.plot(keeping().to_xarray(), "joint C")
    assert "It has `position P`, `velocity 'tip of arm'.norm`, `output arm`, `output lean`, " in str(error.value)
    assert "`joint 'hinge one'`" in str(error.value)


def test_variables_over_time_that_others_have_added_are_plotted() -> None:
    data_set = motion("four_bar").to_xarray()
    data_set["pressure"] = ("time", np.arange(101.0), {"units": "bar"})
    figure = gk.plot(data_set, "pressure")
    assert titles(figure) == ["pressure (bar)"]
    np.testing.assert_array_equal(data(figure, "pressure")[:, 1], np.arange(101.0))


@pytest.mark.filterwarnings("ignore:joint 'B' changes so much")  # over the gap
def test_gaps_of_a_dataset() -> None:
    figure = gk.plot(interrupted().to_xarray(), "joint D")
    assert len(found(figure, Rectangle, "not solved")) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "velocity Q",
            r"the motion has no `velocity Q`; did you mean velocity .*It has position, velocity, .*; joint of",
        ),
        ("residual", "the motion has no `residual`"),
        ("velocity P.q", r"`velocity P` has the components x, y, not 'q'"),
        ("crank", "`crank` can be read as `position crank` or `rotation crank`"),
        ("speed P", "there is no kind 'speed'"),
    ],
)
def test_what_a_dataset_does_not_have(text: str, message: str) -> None:
    with pytest.raises((UnknownNameError, QuantityError), match=message):
        gk.plot(motion("four_bar").to_xarray(), text)


# --- figures ---------------------------------------------------------------------------------


def test_a_plot_is_as_wide_as_a_column_with_type_that_can_be_read() -> None:
    for width in (86.0, 178.0):
        figure = motion("four_bar").plot("joint D", width=width)
        assert figure.get_size_inches()[0] == pytest.approx(width / 25.4)
        figure.canvas.draw()
        assert {text.get_fontsize() for text in figure.findobj(Text) if text.get_text()} <= {SIZE, SMALL}
        boxes = [text.get_window_extent() for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
        assert all(box.x0 >= 0 and box.x1 <= figure.bbox.x1 for box in boxes)


def test_dot_and_arrow_of_a_path_are_explained() -> None:
    motion = gk.solve(gk.load(EXAMPLES / "four_bar.toml"), np.linspace(0.0, 1.0, 21))
    (note,) = found(motion.plot("position P"), Text, "note")
    assert note.get_text() == "Paths begin at the dot and go in the sense of the arrow"
    assert not found(motion.plot("joint D"), Text, "note")


def test_a_notebook_shows_a_plot_once() -> None:
    """The figure shows itself, and pyplot, which shows its figures at the end of a cell, does not know it."""
    import matplotlib.pyplot as plt

    known = plt.get_fignums()
    plotted = motion("four_bar").plot("joint D")
    image, size = plotted._repr_png_()
    assert image.startswith(b"\x89PNG")
    assert size["width"] == int(1.4 * 96 * 86 / 25.4)
    assert plt.get_fignums() == known


def test_names_are_drawn_as_they_are_and_the_same_plot_is_the_same_file(tmp_path: Path) -> None:
    ground, crank, pin = "$\\frac{$", "<script>&", "'\"\\n µ→日"
    hostile = gk.Mechanism(
        2, [ground, crank], [gk.Joint(pin, "R", (ground, crank), point=(0, 0))], [gk.Driver(pin, gk.Ramp(1.0))]
    )
    turned = gk.solve(hostile, np.linspace(0.0, 1.0, 11))
    wanted = [gk.Quantity("joint", pin), gk.Quantity("angle", crank), gk.Quantity("position", ground, "x")]
    for name in ("a.svg", "b.svg", "a.png", "a.pdf"):
        gk.plot(turned, wanted, out=tmp_path / name)
    svg = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "$\\frac{$" in svg
    assert "<script>" not in svg
    assert svg == (tmp_path / "b.svg").read_text(encoding="utf-8")
    figure = gk.plot(turned, wanted)
    assert not any(text.get_parse_math() for text in figure.findobj(Text) if "$" in text.get_text())


def test_long_names_are_broken_or_shortened() -> None:
    long = "n" * 400
    mechanism = gk.Mechanism(
        2, ["ground", long], [gk.Joint("pin", "R", ("ground", long), point=(0, 0))], [gk.Driver("pin", gk.Ramp(1.0))]
    )
    figure = gk.plot(gk.solve(mechanism, [0.0, 1.0]), [gk.Quantity("angle", long), "joint pin"])
    assert figure.axes[0].get_window_extent().width > 0.5 * figure.bbox.width
    (name,) = found(figure, Text, f"name angle {long}")
    assert name.get_text().endswith("…")
    (title,) = titles(gk.plot(gk.solve(mechanism, [0.0, 1.0]), gk.Quantity("angle", long)))
    assert title.startswith("angle\nnnn")
    assert title.endswith("…\n(rad)")


def test_roundings_of_a_constant_are_not_magnified() -> None:
    held = motion("four_bar").to_xarray()
    held["level"] = ("time", 5.0 + 1e-15 * np.arange(101.0) * 5, {"units": "bar"})
    low, high = gk.plot(held, "level").axes[0].get_ylim()
    assert (low, high) == pytest.approx((4.5, 5.5))


# --- refusals --------------------------------------------------------------------------------


def test_what_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    four_bar: Any = motion("four_bar")
    with pytest.raises(UnknownNameError, match="there is no body or point 'Q'; there are ground, crank"):
        gk.plot(four_bar, "velocity Q")
    with pytest.raises(ArgumentError, match="quantities is empty"):
        gk.plot(four_bar, [])
    with pytest.raises(ArgumentError, match="width must be from 50 to 500 mm, not 5"):
        gk.plot(four_bar, "joint D", width=5)
    with pytest.raises(ArgumentError, match="motion must be a Motion"):
        gk.plot(four_bar.program, "joint D")
    with pytest.raises(OutputError, match="a picture ends in"):
        gk.plot(four_bar, "joint D", out=tmp_path / "x.gif")
    many = [f"{kind} {body}{c}" for kind in ("position", "velocity") for body in "ABCDP" for c in (".x", ".y", ".norm")]
    legs = motion("stewart_inverse")
    points = [f"position {p}.{c}" for p in legs.program.geometry.points for c in ("x", "y", "z")]
    assert gk.plot(four_bar, [text for text in many if "position" not in text or "norm" not in text])
    with pytest.raises(OutputError, match="42 lines are too much for a plot"):
        gk.plot(legs, points)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(OutputError, match=r"pip install 'groupkin\[look\]'"):
        gk.plot(four_bar, "joint D")


def test_mechanisms_draw_themselves(tmp_path: Path) -> None:
    mechanism = gk.load(EXAMPLES / "four_bar.toml")
    mechanism.draw(tmp_path / "method.svg", "graph")
    gk.draw(mechanism, tmp_path / "function.svg", "graph")
    assert (tmp_path / "method.svg").read_bytes() == (tmp_path / "function.svg").read_bytes()
