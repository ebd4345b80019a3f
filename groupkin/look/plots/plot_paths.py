"""Paths and hodographs of points: in the plane to equal scales, in space as pictures of mechanisms show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from groupkin.look.names import merged
from groupkin.look.palette import FRAME, INK, LOST, mixed
from groupkin.look.plots.plot_lines import (
    SIZE,
    SMALL,
    THIN,
    draw_line,
    fitting,
    known_points,
    prepare,
    set_ticks,
    set_title,
)
from groupkin.look.scenes.sight import SCREEN
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from groupkin.look.plots.plots import Line, Panel


def path_height(panel: Panel, inches: float) -> float:
    """Height of a panel of paths with its labels, inches, by the width of the figure."""
    space = len(panel.axes) == 3
    corners = np.array(list(product(*box_around(panel)))) @ SCREEN if space else None
    points = corners if corners is not None else known_points(np.concatenate([line.points for line in panel.lines]))
    sides = np.ptp(points, axis=0) if len(points) else np.ones(2)
    ratio = sides[1] / sides[0] if sides[0] > 0 else 1.0
    return float(min(np.clip((0.7 if space else 0.8) * ratio, 0.35, 0.95) * inches + (0.6 if space else 0.4), 5.0))


# --- in the plane ----------------------------------------------------------------------------


def draw_paths(axes: Any, panel: Panel, colors: Any) -> None:
    """Draw paths in the plane to equal scales; a dot where they begin, an arrow where they go."""
    prepare(axes, panel)
    axes.set_ylabel(panel.axes[1], fontsize=SIZE, color=INK)
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.12 if panel.names else 0.06)
    for line in panel.lines:
        draw_line(axes, line, colors[id(panel), id(line)], ends=True)
    for mark in panel.marks:
        axes.plot(*panel.lines[0].points[mark.inside].T, color=LOST, linewidth=2.4, zorder=3, gid=mark.text)
    draw_starts(axes, panel, panel.lines, colors)
    if _is_hodograph(panel):
        axes.plot(0.0, 0.0, "+", color=INK, markersize=6, markeredgewidth=THIN, gid="pole")
    for axis, unit in zip((axes.xaxis, axes.yaxis), panel.units, strict=True):
        set_ticks(axis, unit, 6)


def _draw_sense(axes: Any, points: Array, color: str) -> None:
    """Draw the head of an arrow a little after the beginning of a path."""
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    k = int(np.searchsorted(lengths, 0.12 * lengths[-1]))
    if 0 < k < len(points) and lengths[k] > lengths[k - 1]:
        style = {"arrowstyle": "-|>,head_length=0.35,head_width=0.16", "color": color, "linewidth": 0.0,
                 "mutation_scale": 12, "shrinkA": 0, "shrinkB": 0}  # fmt: skip
        axes.annotate("", points[k], points[k - 1], arrowprops=style)


def draw_starts(axes: Any, panel: Panel, lines: Sequence[Line], colors: Any) -> None:
    """Draw dots where paths begin on the sheet, with names beside them, and arrows in the sense in which they go."""
    named = []
    for k, (line, seen) in enumerate(zip(panel.lines, lines, strict=True)):
        color, known = colors[id(panel), id(line)][0], known_points(seen.points)
        if len(known):
            axes.plot(*known[0], "o", color=color, markersize=3.2, gid=f"start {line.label}")
            _draw_sense(axes, known, color)
            if panel.names and not line.motion:
                named.append((panel.names[k], known[0], known[0] - known.mean(axis=0), mixed(color, 0.15, INK)))
    near = 0.03 * float(np.ptp(axes.dataLim.get_points(), axis=0).max())
    for texts, at in merged([(name, at) for name, at, _, _ in named], near):
        away, color = next((away, color) for name, _, away, color in named if name == texts[0])
        away = away / np.hypot(*away) if np.hypot(*away) > 0 else np.array([1.0, 0.0])
        sides = ["right", "center", "left"], ["top", "center", "bottom"]
        ha, va = (words[1 + round(float(x))] for words, x in zip(sides, away, strict=True))
        axes.annotate(
            fitting(", ".join(texts), axes.figure), at, 5.0 * away, textcoords="offset points", ha=ha, va=va,
            fontsize=SMALL, color=color if len(texts) == 1 else INK, gid=f"name {', '.join(texts)}",
        )  # fmt: skip


def _is_hodograph(panel: Panel) -> bool:
    """Tell whether paths are of velocities or accelerations, which have a pole."""
    return panel.lines[0].quantity.kind != "position"


# --- in space --------------------------------------------------------------------------------


def draw_space_paths(axes: Any, panel: Panel, colors: Any) -> None:
    """Draw paths in space in the view of pictures of mechanisms, to scale, with their shadows on the ground."""
    axes.set_axis_off()
    axes.set_aspect("equal", adjustable="datalim")
    set_title(axes, panel, pad=16.0)
    ticks = box_around(panel)
    _draw_box(axes, panel, ticks)
    flat = [replace(line, points=line.points @ SCREEN) for line in panel.lines]
    for line, seen in zip(panel.lines, flat, strict=True):
        shadow = np.where(np.isfinite(line.points), line.points * (1, 1, 0) + (0, 0, ticks[2][0]), np.nan) @ SCREEN
        axes.plot(*shadow.T, color=mixed(FRAME, 0.55), linewidth=0.8, gid=f"shadow {line.label}")
        draw_line(axes, seen, colors[id(panel), id(line)], ends=True)
    draw_starts(axes, panel, flat, colors)
    if _is_hodograph(panel):
        axes.plot(0.0, 0.0, "+", color=INK, markersize=6, markeredgewidth=THIN, gid="pole")


def box_around(panel: Panel) -> list[Array]:
    """Choose round numbers on three axes, from end to end of a box around paths in space."""
    points = known_points(np.concatenate([line.points for line in panel.lines]))
    points = np.vstack([points, np.zeros(3)]) if _is_hodograph(panel) else points
    low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(3), np.ones(3))
    sides = np.maximum(high - low, 0.3 * float((high - low).max()) or 1.0)
    counts = np.maximum(np.round(4.0 * sides / sides.max()), 2).astype(int)
    ends = zip(counts, 0.5 * (low + high - sides), 0.5 * (low + high + sides), strict=True)
    return [
        np.asarray(MaxNLocator(count, steps=[1, 2, 2.5, 5, 10], min_n_ticks=1).tick_values(start, stop))
        for count, start, stop in ends
    ]


def _draw_box(axes: Any, panel: Panel, ticks: Sequence[Array]) -> None:
    """Draw the ground with its grid and three edges of the box around paths, with numbers and labels."""
    low, high = (np.array([values[end] for values in ticks]) for end in (0, -1))
    corners = np.array([low, [high[0], low[1], low[2]], low])
    for k, (values, label) in enumerate(zip(ticks, panel.axes, strict=True)):
        along, across = np.eye(3)[k], np.zeros(3)
        if k < 2:
            across[1 - k] = (high - low)[1 - k] * (1.0, -1.0)[k]
        away, ha, va = (((0.1, -1), "right", "top"), ((1, -0.4), "left", "center"), ((-1, 0), "right", "center"))[k]
        edge = corners[k] * (1.0 - along) + np.outer(values, along)
        for value, at in zip(values, edge, strict=True):
            axes.plot(*(np.array([at, at + across]) @ SCREEN).T, color=mixed(FRAME, 0.8), linewidth=0.5, zorder=0)
            style = {"fontsize": SMALL, "color": INK, "ha": ha, "va": va, "textcoords": "offset points"}
            tick = {"arrowstyle": "-", "linewidth": THIN, "color": INK, "shrinkA": 0, "shrinkB": 0}
            axes.annotate("", at @ SCREEN, 2.5 * np.array(away), textcoords="offset points", arrowprops=tick)
            axes.annotate(f"{value:g}".replace("-", "−"), at @ SCREEN, 4.0 * np.array(away), **style)
        axes.plot(*(edge @ SCREEN).T, color=INK, linewidth=THIN, zorder=1, gid=f"axis {label}")
        place = edge[-1] if k == 2 else 0.5 * (edge[0] + edge[-1])
        away, ha = (((-4, -22), "center"), ((24, -14), "left"), ((0, 10), "center"))[k]
        style = {"fontsize": SIZE, "color": INK, "ha": ha, "va": "center", "textcoords": "offset points"}
        axes.annotate(label, place @ SCREEN, away, gid=f"label {label}", **style)
