"""The speed-torque plane of a driver: what it exerts over how fast it moves, as motors and gears are chosen by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from groupkin.look.palette import FRAME, GRAY, INK, mixed
from groupkin.look.plots.plot_lines import SIZE, SMALL, THIN, draw_line, known_points, prepare, set_ticks
from groupkin.look.plots.plot_paths import draw_starts
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from groupkin.look.plots.plots import Panel, Plane


POWERS = 4
"""Lines of constant power, about."""

INSIDE, EDGE = 0.8, 0.88
"""Shares of the width up to which a line of constant power must have entered the picture, and has its name."""


def draw_plane(axes: Any, panel: Panel, colors: Any) -> None:
    """Draw a path of torque, or force, over speed, its RMS value and lines of constant power."""
    assert panel.plane is not None
    prepare(axes, panel)
    axes.set_ylabel(panel.axes[1], fontsize=SIZE, color=INK)
    points = known_points(panel.lines[0].points)
    for axis, values in zip("xy", points.T, strict=True):
        low, high = min(0.0, values.min(initial=0.0)), max(0.0, values.max(initial=0.0))
        room = 0.12 * (high - low or 1.0)
        getattr(axes, f"set_{axis}lim")(low - (room if low else 0.0), high + (room if high or not low else 0.0))
    for draw in (axes.axhline, axes.axvline):
        draw(0.0, color=mixed(FRAME, 0.4), linewidth=0.5, zorder=0)
    rms = np.copysign(panel.plane.rms, points[:, 1].sum())
    axes.axhline(rms, color=INK, linewidth=THIN, linestyle=(0, (5, 2)), zorder=1, gid="RMS")
    axes.annotate(f"RMS\n{panel.plane.rms:.4g}\n{panel.units[1]}", (1.0, rms), (3, 0), ("axes fraction", "data"),
                  "offset points", va="center", fontsize=SMALL, color=INK, gid="RMS text")  # fmt: skip
    _draw_powers(axes, points, panel.plane)
    for line in panel.lines:
        draw_line(axes, line, colors[id(panel), id(line)], ends=True)
    draw_starts(axes, panel, panel.lines, colors)
    for axis, unit in zip((axes.xaxis, axes.yaxis), panel.units, strict=True):
        set_ticks(axis, unit, 6)


def _draw_powers(axes: Any, points: Array, plane: Plane) -> None:
    """Draw hyperbolas of constant power in the quadrants that a path enters, with what they stand for."""
    most = float(np.abs(points.prod(axis=1)).max(initial=0.0)) * plane.watts
    corners = [np.array([x, y]) for x in axes.get_xlim() for y in axes.get_ylim() if x and y]
    for power in MaxNLocator(POWERS, steps=[1, 2, 5, 10]).tick_values(0.0, most)[1:] if most else ():
        text = f"{power:g} W" if power < 1e4 else f"{1e-3 * power:g} kW"
        for corner in corners:
            nearest = power / plane.watts / abs(corner[1])  # where the hyperbola enters the picture
            if nearest > INSIDE * abs(corner[0]) or not (points * np.sign(corner) > 0).all(axis=1).any():
                continue
            x = np.geomspace(nearest, abs(corner[0]), 41)
            line = np.stack([x, power / plane.watts / x], axis=1) * np.sign(corner)
            axes.plot(*line.T, color=mixed(FRAME, 0.35), linewidth=THIN, zorder=1, gid=f"power {power:g} W")
            place = _farthest(line[4:-4] / corner, points / corner, plane.rms / abs(corner[1])) * corner
            axes.annotate(text, place, ha="center", va="center", fontsize=SMALL - 0.5, color=GRAY, zorder=1.5,
                          bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6})  # fmt: skip


def _farthest(places: Array, path: Array, height: float) -> Array:
    """Choose the place (2,) that is farthest from a path and from a height."""
    if (places[:, 0] < EDGE).any():
        places = places[places[:, 0] < EDGE]
    distances = np.linalg.norm(places[:, None] - path, axis=2).min(axis=1)
    return np.asarray(places[np.argmax(np.minimum(distances, 2.0 * np.abs(places[:, 1] - height)))])
