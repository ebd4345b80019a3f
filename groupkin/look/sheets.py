"""What all pictures are made of: a sheet to scale, and shapes and names on it, each with the id of what it shows."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from groupkin.look.outlines import arrow, hatching
from groupkin.look.palette import INK, PAPER, mixed
from groupkin.picture_files import any_signs
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


DOTS = 160
"""Of a pixel picture, per inch."""


def sheet(low: Sequence[float] | Array, high: Sequence[float] | Array, inches: float) -> tuple[Figure, Axes]:
    """Make an empty figure of a rectangle, with so many inches per unit."""
    from groupkin.look.shown_figure import ShownFigure

    sides = inches * (np.asarray(high) - np.asarray(low))
    figure = ShownFigure(figsize=(float(sides[0]), float(sides[1])), dpi=DOTS, facecolor=PAPER)
    panel = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    panel.set_axis_off()
    panel.set_xlim(low[0], high[0])
    panel.set_ylim(low[1], high[1])
    return figure, panel


def text_width(text: str, size: float) -> float:
    """Width of a text in inches, at a size in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    with any_signs():
        lines = text.split("\n")
        measure = TextToPath().get_text_width_height_descent
        return max(float(measure(line, FontProperties(size=size), False)[0]) for line in lines) / 72.0


def shortened(text: str, size: float, width: float) -> str:
    """Return a text, at a size in points, or as much of its beginning as is not wider than so many inches."""
    if text_width(text, size) <= width:
        return text
    too_long = bisect_left(range(len(text)), True, key=lambda k: text_width(text[:k] + "…", size) > width)
    return text[: max(too_long - 1, 0)] + "…"


def area(panel: Axes, outline: Array, gid: str, **style: Any) -> Any:
    """Draw a filled area within an outline (k, 2)."""
    from matplotlib.patches import Polygon

    style = {"facecolor": PAPER, "edgecolor": INK, "linewidth": 1.2, "joinstyle": "round", **style}
    return panel.add_artist(Polygon(outline, closed=True, gid=gid, **style))  # limits are set, and need no look at it


def line(panel: Axes, points: Array, gid: str, **style: Any) -> Any:
    """Draw a line through points (k, 2)."""
    style = {"color": INK, "linewidth": 1.2, "solid_capstyle": "round", "solid_joinstyle": "round", **style}
    return panel.plot(*np.asarray(points).T, gid=gid, **style)[0]


def name(panel: Axes, at: Sequence[float] | Array, text: str, gid: str, **style: Any) -> Any:
    """Write a name as it is."""
    style = {"color": INK, "fontsize": 8.0, "ha": "center", "va": "center", "parse_math": False, **style}
    return panel.text(float(at[0]), float(at[1]), text, gid=gid, **style)


def arrow_head(panel: Axes, tip: Array, direction: Array, length: float, gid: str, **style: Any) -> None:
    """Draw a filled triangle that points along a unit vector."""
    area(panel, arrow(tip, direction, length), gid, **{"facecolor": INK, "edgecolor": INK, "linewidth": 0.5, **style})


def hatched(panel: Axes, start: Array, stop: Array, depth: float, gid: str, **style: Any) -> None:
    """Draw a line of the ground, hatched on its right side as seen from start to stop."""
    gray = {"color": mixed(INK, 0.4), "linewidth": 0.8}
    line(panel, hatching(start, stop, depth), gid, **{**gray, **style})
    line(panel, np.array([start, stop]), gid, **{"linewidth": 1.6, **style})
