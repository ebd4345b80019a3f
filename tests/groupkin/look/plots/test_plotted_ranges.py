"""Ends of ranges in plots: dashed lines near the curves, with their values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

import groupkin as gk
from groupkin.look.plots.limit_plots import plot_limits
from tests.support.joint_ranges import piston, ranged

pytestmark = pytest.mark.filterwarnings("ignore::groupkin.errors.RangeWarning")

TIMES = np.linspace(0.0, 0.1, 41)


def ends(figure: Figure) -> dict[str, float]:
    """Heights of the dashed lines, by their names."""
    lines = [line for line in figure.findobj(Line2D) if str(line.get_gid()).startswith("range ")]
    assert all(line.is_dashed() for line in lines)
    return {str(line.get_gid()).removeprefix("range "): float(line.get_ydata()[0]) for line in lines}  # type: ignore[index]


def solved(**ranges: Any) -> gk.Motion:
    return gk.solve(ranged("slider_crank", **ranges), TIMES)


@pytest.mark.parametrize("text", ["joint cylinder", "cylinder.displacement", "joint cylinder.displacement"])
@pytest.mark.parametrize("against", [None, "joint 'main bearing'"])
def test_ends_near_the_curve_are_drawn_in_the_units_of_the_file(text: str, against: str | None) -> None:
    figure = solved(cylinder=(0.085, 0.175)).plot(text, against=against)
    assert ends(figure) == pytest.approx({"lower end 85": 85.0, "upper end 175": 175.0})
    low, high = figure.axes[0].get_ylim()
    assert low < 80.0 < 180.0 < high


@pytest.mark.parametrize(
    ("stated", "names"),
    [
        ((0.04, 0.22), ["lower end 40", "upper end 220"]),  # as far as half of the height of the curve, 100 mm
        ((0.02, 0.24), []),
        ((-np.inf, 0.19), ["upper end 190"]),
        ((0.06, np.inf), ["lower end 60"]),
    ],
)
def test_ends_that_are_far_away_or_infinite_are_not_drawn(stated: tuple[float, float], names: list[str]) -> None:
    figure = solved(cylinder=stated).plot("joint cylinder")
    assert list(ends(figure)) == names
    low, high = figure.axes[0].get_ylim()
    assert all(low < end < high for end in ends(figure).values())


def test_angles_have_the_turns_of_the_curve() -> None:
    """The main bearing goes from 90 to 450°; its range is stated a turn lower."""
    figure = solved(main_bearing=(np.radians(-300.0), np.radians(30.0))).plot("joint 'main bearing'")
    assert ends(figure) == pytest.approx({"lower end 60": 60.0, "upper end 390": 390.0})


def test_equal_ends_share_a_line_and_names_are_told_and_apart() -> None:
    mechanism = gk.load("examples/stewart_inverse.toml")
    stated = {f"leg_{k}": (0.46, 0.7 if k < 3 else 0.68) for k in range(1, 6)}
    joints = [replace(joint, range=stated.get(joint.name)) for joint in mechanism.joints]
    motion = gk.solve(replace(mechanism, joints=joints), np.linspace(0.0, 2.0, 41))
    figure = motion.plot([f"joint leg_{k}" for k in range(1, 7)], width=178)
    assert ends(figure) == pytest.approx(
        {
            "leg_1, leg_2, leg_3, leg_4, leg_5: lower end 460": 460.0,
            "leg_1, leg_2: upper end 700": 700.0,
            "leg_3, leg_4, leg_5: upper end 680": 680.0,
        }
    )
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in figure.findobj(Text) if str(text.get_gid()).startswith("end ")]
    assert len(boxes) == 3
    assert not any(one.overlaps(other) for k, one in enumerate(boxes) for other in boxes[:k])


def test_outputs_distances_and_what_has_no_range() -> None:
    mechanism = ranged("slider_crank")
    ranges = {"distance A-C": (0.0, 0.17), "stroke": (0.01, 0.09)}
    stated = replace(mechanism, outputs={"stroke": "{joint cylinder} - 80 mm"}, ranges=ranges)
    motion = gk.solve(stated, TIMES)
    assert ends(motion.plot("output stroke")) == pytest.approx({"lower end 10": 10.0, "upper end 90": 90.0})
    assert ends(motion.plot("distance A-C")) == pytest.approx({"upper end 170": 170.0})
    assert not ends(motion.plot(["joint cylinder", "velocity C.x"]))
    assert not ends(gk.plot(motion.to_xarray(), "joint cylinder"))
    assert piston(TIMES).max() == pytest.approx(0.18)


def test_limits_are_plotted_with_the_range_of_the_output() -> None:
    limits = gk.limits(ranged("four_bar", D=(-0.5, 1.0)))
    assert ends(plot_limits(limits, "joint D")) == pytest.approx({"lower end -28.648": np.degrees(-0.5)})
