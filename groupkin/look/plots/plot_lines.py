"""Lines and axes of plots, as curves and paths have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, MultipleLocator

from groupkin.look.palette import INK
from groupkin.look.sheets import shortened, text_width
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from groupkin.look.plots.plots import Line, Panel


SIZE, SMALL = 8.0, 7.0
"""Of labels and of the numbers on axes, points."""

THICK, THIN = 1.1, 0.6
"""Of lines and of axes, points."""

LONGEST = 0.25
"""Of names beside lines, as a share of the width of the figure."""

WIDE = 0.65
"""Of titles and labels, likewise; they are in a larger type than they are measured in."""

DEGREES = (1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 45.0, 60.0, 90.0, 180.0, 360.0)
"""Steps of axes of angles."""


def prepare(axes: Any, panel: Panel, labeled: bool = True) -> None:
    """Set labels, ticks and spines."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set(linewidth=THIN, color=INK)
    axes.tick_params(labelsize=SMALL, width=THIN, length=2.5, color=INK, labelcolor=INK, labelbottom=labeled)
    set_title(axes, panel)
    if labeled:
        axes.set_xlabel(fitting(panel.axes[0], axes.figure, WIDE), fontsize=SIZE, color=INK)


def set_title(axes: Any, panel: Panel, pad: float = 5.0) -> None:
    """Write the title of a panel over its left end, in as many lines as it needs."""
    axes.set_title(fitting(panel.title, axes.figure, WIDE), fontsize=SIZE, color=INK, loc="left", pad=pad)


def set_ticks(axis: Any, unit: str, most: int) -> None:
    """Place ticks at even angles, or at round numbers."""
    low, high = axis.get_view_interval()
    steps = [step for step in DEGREES if (high - low) / step <= most and (high - low) / step >= 2]
    axis.set_major_locator(
        MultipleLocator(steps[0]) if unit == "deg" and steps else MaxNLocator(most, steps=[1, 2, 2.5, 5, 10])
    )


def draw_line(axes: Any, line: Line, style: tuple[str, Any], ends: bool) -> None:
    """Draw a line with gaps where it has no numbers, whose ends may be marked; single steps between gaps are dots."""
    known = np.isfinite(line.points).all(axis=1)
    beside = [np.roll(np.pad(known, 1), shift)[1:-1] for shift in (1, -1)]
    alone = np.flatnonzero(known & ~beside[0] & ~beside[1])
    axes.plot(
        *line.points.T, color=style[0], linestyle=style[1], linewidth=THICK, solid_joinstyle="round",
        marker="o", markersize=1.8, markevery=alone.tolist(), gid=f"line {line.label}",
    )  # fmt: skip
    beside = [np.roll(np.pad(known, 1, constant_values=True), shift)[1:-1] for shift in (1, -1)]
    at = known & ~(beside[0] & beside[1])
    if ends and at.any():
        axes.plot(*line.points[at].T, "x", color=INK, markersize=4, markeredgewidth=0.8, gid=f"gap {line.label}")


def known_points(points: Array) -> Array:
    """Points (k, d) that are numbers."""
    return points[np.isfinite(points).all(axis=1)]


def fitting(text: str, figure: Figure, share: float = LONGEST) -> str:
    """Break a text into lines of a share of the figure's width, and shorten words that are too long for one."""
    most = share * figure.get_size_inches()[0]
    lines: list[str] = []
    for word in text.split():
        short = shortened(word, SMALL, most)
        whole = f"{lines[-1]} {short}" if lines else short
        lines[-1:] = [whole] if text_width(whole, SMALL) <= most or not lines else [*lines[-1:], short]
    return "\n".join(lines)
