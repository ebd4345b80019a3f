"""A plane mechanism at one time on a sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from groupkin.look.names import draw_legend, draw_names, legend_height
from groupkin.look.outlines import ROUND, arrow
from groupkin.look.palette import LOST
from groupkin.look.scenes.configurations import FREE, Configuration
from groupkin.look.scenes.plane_scene import PATH, PlaneScene, curves, flank, guided, plane_scene, touching
from groupkin.look.scenes.scene import PAPERED, ROLLING, Shape, Tone, names, wheels
from groupkin.look.scenes.stops import at_ends
from groupkin.look.sheets import area, line, sheet
from groupkin.mechanism.forces.contact import Contact
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure


FORCE, LOAD, ARROWS = "#B3123B", "#4D7C0F", 18.0
"""Colors of forces in joints and of others, and where their arrows are: above bodies and pins, below names."""

RING = 1.7
"""Radius of the ring about a joint at the end of its range (r)."""

WIDE = ("range ", "spring ", "bushing ", "shape ")
"""What may be wider than the bodies, by the beginning of its gid."""

INCHES, NARROWEST = 6.0, 3.4
"""The longer side of a picture, without its legend, and its width at least, for its legend."""


def draw_plane(view: Configuration) -> Figure:
    """Draw a plane mechanism in a configuration."""
    scene = plane_scene(view)
    r = scene.r
    everything = np.concatenate([*extent(scene), *view.paths.values(), *view.arrows.values(), *view.loads.values()])
    figure, panel, inches = plane_sheet(scene, everything)
    draw_paths(panel, view, view.paths)
    for shape in scene.shapes:
        paint(panel, shape, shape.points)
    draw_arrows(panel, view.loads, r, LOAD)
    draw_arrows(panel, view.arrows, r)
    draw_rings(panel, view, np.eye(2), r)
    draw_names(panel, names(view, r), scene.outlines, 1.5 * r, inches, list(view.paths.values()))
    return figure


def draw_paths(panel: Any, view: Configuration, paths: Mapping[str, Array], level: float = PATH) -> None:
    """Draw the paths of points above the bodies, with a light border by which they are seen on their own color."""
    for name, path in paths.items():
        number, _ = view.color(view.carrier(name)[0])
        line(panel, path, f"border {name}", color=PAPERED.hex, linewidth=3.0, zorder=level)
        line(panel, path, f"path {name}", color=Tone(number or "gray").hex, linewidth=1.4, zorder=level)


def plane_sheet(scene: PlaneScene, everything: Array) -> tuple[Figure, Any, float]:
    """Make a sheet for points (n, 2), with the legend, and tell its inches per meter."""
    view, r = scene.view, scene.r
    everything = everything[np.isfinite(everything).all(axis=1)]
    low, high = everything.min(axis=0) - 5.5 * r, everything.max(axis=0) + 5.5 * r
    inches = INCHES / float((high - low).max())
    short = np.maximum(0.0, NARROWEST / inches - (high - low)) * (1.0, 0.0)
    low, high = low - 0.5 * short, high + 0.5 * short
    low[1] -= legend_height(view.legend, view.caption) / inches
    figure, panel = sheet(low, high, inches)
    fills = [(shape.gid, shape.fill.hex) for shape in scene.shapes if shape.fill is not None]
    draw_legend(panel, view.legend, view.caption, inches, fills)
    return figure, panel, inches


def draw_arrows(panel: Any, arrows: Mapping[str, Array], r: float, color: str = FORCE) -> None:
    """Draw forces as arrows from tail to tip, above all else; what is shorter than a head is a head alone."""
    for name, (tail, tip) in arrows.items():
        length = float(np.linalg.norm(tip - tail))
        if length < 1e-3 * r:
            continue
        way, head = (tip - tail) / length, min(2.4 * r, 0.6 * length)
        shaft = np.array([tail, tip - 0.7 * head * way])
        line(panel, shaft, f"border force {name}", color=PAPERED.hex, linewidth=4.0, zorder=ARROWS)
        line(panel, shaft, f"force {name}", color=color, linewidth=2.2, zorder=ARROWS)
        area(panel, arrow(tip, way, head), f"tip {name}", facecolor=color, edgecolor=PAPERED.hex, zorder=ARROWS)


def draw_rings(panel: Any, view: Configuration, sheet: Array, r: float) -> dict[str, Any]:
    """Draw a ring about every joint that has a range, by its name; it is seen where the joint is at an end or beyond.

    The sheet (d, 2) has the directions to the right and up as columns.
    """
    rings = {}
    for joint, seen in at_ends(view.values, view.geometry.size).items():
        points = view.ends(view.mechanism.joint[joint])[1] @ sheet + ring(r)
        rings[joint] = line(
            panel, points, f"at end {joint}", color=LOST, linewidth=2.0, zorder=ARROWS, visible=bool(seen)
        )
    return rings


def ring(r: float) -> Array:
    """Points (k, 2) of the ring about a joint, relative to it."""
    return RING * r * ROUND[[*range(len(ROUND)), 0]]


def paint(panel: Any, shape: Shape, points: Array) -> Any:
    """Draw a shape where its points (k, 2) are."""
    edge = "none" if shape.edge is None else shape.edge.hex
    if shape.fill is None:
        cap = {"solid_capstyle": "butt"} if shape.butt else {}
        return line(panel, points, shape.gid, color=edge, linewidth=shape.width, zorder=shape.level, **cap)
    style = {"facecolor": shape.fill.hex, "edgecolor": edge, "linewidth": shape.width, "zorder": shape.level}
    return area(panel, points, shape.gid, **style)


def extent(scene: PlaneScene) -> list[Array]:
    """Points around all that is drawn."""
    view, r = scene.view, scene.r
    found = [shape.points for shape in scene.shapes if shape.gid.startswith(WIDE)]
    found += [view.points(body) for body in view.mechanism.movable]
    for joint in view.mechanism.joints:
        ends = view.ends(joint)
        if joint.type not in FREE:
            found.append(ends)
        if joint.type == "P" and view.mechanism.frame in joint.bodies:
            found.append(guided(view, joint, r)[1])
        found += [
            center + (1.4 if joint.type in ROLLING else 1.0) * size * ROUND
            for center, size in zip(ends, wheels(view, joint), strict=True)
        ]
        found += [flank(view, joint, side) for side in range(len(curves(joint)))]
    for load in view.mechanism.forces:
        if isinstance(load, Contact):  # a terrain may be longer than what moves on it is wide
            found += [points for _, points, closed in touching(view, load) if closed]
    return found
