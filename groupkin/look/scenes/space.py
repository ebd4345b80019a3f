"""A mechanism in space at one time on a sheet, in orthographic projection, the far parts first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from groupkin.look.names import draw_legend, draw_names, legend_height
from groupkin.look.outlines import ROUND, rounded
from groupkin.look.palette import GRAY
from groupkin.look.scenes.configurations import Configuration
from groupkin.look.scenes.pieces import BARS, Shapes, bar_pieces, surface_pieces
from groupkin.look.scenes.plane import INCHES, LOAD, NARROWEST, draw_arrows, draw_paths, draw_rings
from groupkin.look.scenes.scene import INKED, PAPERED, Solid, names, rod_pose
from groupkin.look.scenes.shapes import outlines
from groupkin.look.scenes.sight import SCREEN, TOWARD
from groupkin.look.scenes.space_scene import SpaceScene, ring, space_scene
from groupkin.look.scenes.space_springs import FINE
from groupkin.look.sheets import area, arrow_head, line, name, sheet
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure


SHADE = {"facecolor": "#EEF0F3", "edgecolor": "none"}
"""Style of shadows."""

PATH = 12.0
"""Paths of points lie on all solids."""

ROOM = 9.0
"""Orders on the sheet that solids take, below `PATH`."""

BESIDE = 2.0
"""How much nearer the sign of a joint is drawn than it is, beside bars in pieces (r)."""

SHADED = ("hub", "bar", "rail", "rim", "rod", "tube")
"""Kinds of solids that throw shadows, as standing feet do."""


@dataclass(frozen=True)
class Sketch:
    """Areas on the sheet that show a solid, each with how near it is, and its style."""

    gid: str
    outlines: Shapes


def draw_space(view: Configuration) -> Figure:
    """Draw a mechanism in space in a configuration."""
    scene = space_scene(view)
    r, points = scene.r, [solid.points for solid in scene.solids]
    sketches = sketched(scene.solids, points, r, scene.ground)
    paths = {name: path @ SCREEN for name, path in view.paths.items()}
    drawn = [outline for sketch in sketches for _, outline, _ in sketch.outlines]
    drawn += [p[np.isfinite(p).all(axis=1)] for p in paths.values()]
    arrows, loads = ({name: ends @ SCREEN for name, ends in each.items()} for each in (view.arrows, view.loads))
    drawn += [*arrows.values(), *loads.values()]
    figure, panel, inches = space_sheet(scene, sketches, np.concatenate(drawn))
    for gid, z, outline, style in stacked(sketches):
        area(panel, outline, gid, zorder=z, **style)
    draw_paths(panel, view, paths, PATH)
    covered = [
        outline
        for sketch in sketches
        for far, outline, style in sketch.outlines
        if np.isfinite(far) and has_edge(style)
    ]
    for solid in scene.solids:
        if solid.kind.startswith("arrow"):
            covered.append(draw_driver(panel, solid, r))
    for key, at in view.free_points.items():
        area(panel, at @ SCREEN + 0.5 * r * ROUND, f"point {key}", facecolor=INKED.hex, zorder=14)
    draw_arrows(panel, loads, r, LOAD)
    draw_arrows(panel, arrows, r)
    draw_rings(panel, view, SCREEN, r)
    labels = [(texts, at @ SCREEN) for texts, at in names(view, r)]
    draw_names(panel, labels, covered, 1.6 * r, inches, list(paths.values()))
    return figure


def has_edge(style: Mapping[str, Any]) -> bool:
    """Whether an area is no facet of a surface."""
    return bool(style.get("edgecolor") != style["facecolor"])


def space_sheet(scene: SpaceScene, sketches: Sequence[Sketch], drawn: Array) -> tuple[Figure, Any, float]:
    """Make a sheet for points (n, 2) on it, with the legend and the axes, and tell its inches per meter."""
    view, r = scene.view, scene.r
    low, high = drawn.min(axis=0) - 5.0 * r, drawn.max(axis=0) + 5.0 * r
    inches = INCHES / float((high - low).max())
    short = np.maximum(0.0, NARROWEST / inches - (high - low)) * (1.0, 0.0)
    low, high = low - 0.5 * short, high + 0.5 * short
    low[1] -= legend_height(view.legend, view.caption) / inches
    figure, panel = sheet(low, high, inches)
    draw_axes(panel, inches)
    shapes = [(sketch.gid, style) for sketch in sketches for far, _, style in sketch.outlines if np.isfinite(far)]
    fills = [(gid, style["facecolor"]) for gid, style in shapes if style.get("edgecolor") != "none" and has_edge(style)]
    draw_legend(panel, view.legend, view.caption, inches, fills)
    return figure, panel, inches


def stacked(sketches: Sequence[Sketch]) -> Iterator[tuple[str, float, Array, Mapping[str, Any]]]:
    """Give all areas, the far ones first, with what they show, their order on the sheet, and their style."""
    parts = [(far, sketch.gid, outline, style) for sketch in sketches for far, outline, style in sketch.outlines]
    step = min(1e-3, ROOM / max(len(parts), 1))
    for k, (far, gid, outline, style) in enumerate(sorted(parts, key=lambda part: part[0])):
        yield ("shadow", 0.0, outline, style) if far == -np.inf else (gid, 2.0 + step * k, outline, style)


# --- solids on the sheet ---------------------------------------------------------------------


def sketched(solids: Sequence[Solid], places: Sequence[Array], r: float, ground: float) -> list[Sketch]:
    """Project solids whose points are at places; joints are in front of the bars that end there."""
    ended = ("bar", "rail", "rim", "rod", "tube", "plate")
    pieces = surface_pieces(solids, places, r) if any(solid.faces is not None for solid in solids) else {}
    bars = [
        (points, _depth(solid, points))
        for solid, points in zip(solids, places, strict=True)
        if not pieces and solid.kind in ended and np.linalg.norm(points[0] - points[-1]) > 0.0
    ]
    sketches = []
    for k, (solid, points) in enumerate(zip(solids, places, strict=True)):
        far = _depth(solid, points)
        if solid.at is not None and solid.kind != "rod":
            at = solid.at + points.mean(axis=0) - solid.points.mean(axis=0)
            near = [depth for ends, depth in bars if np.linalg.norm(ends - at, axis=1).min() < 0.5 * r]
            far += max([BESIDE * r if pieces else 0.0, *(depth - float(at @ TOWARD) for depth in near)])
        if k in pieces:
            shapes = pieces[k]
        elif pieces and solid.kind in BARS:
            shapes = bar_pieces(solid, points, r)
        else:
            shapes = SKETCHES.get(solid.kind, _rounded)(solid, points, far, r)
        if solid.kind in SHADED:
            shapes.append(_shadow(points, solid.size, ground))
        if solid.faces is not None:
            shapes += [(-np.inf, each.around, SHADE) for each in outlines(_below(points, ground)[solid.faces] @ SCREEN)]
        if solid.kind == "disk" and points[0, 2] < points[1, 2]:
            shapes.append(_shadow(ring(points[0], solid.size), r, ground))
        sketches.append(Sketch(solid.gid, shapes))
    return sketches


def _depth(solid: Solid, points: Array) -> float:
    if solid.kind == "rod" and solid.at is not None:
        middle = solid.at + points.mean(axis=0) - solid.points.mean(axis=0)
        return float(middle @ TOWARD) + solid.lift
    return float((points @ TOWARD).mean()) + solid.lift


def _rounded(solid: Solid, points: Array, far: float, r: float) -> Shapes:
    style = {"facecolor": solid.tone.hex, "linewidth": 1.0}
    return [(far, rounded(points @ SCREEN, solid.size), style)]


def _bar(solid: Solid, points: Array, far: float, r: float) -> Shapes:
    """A round bar between two points, with its light."""
    flat = points @ SCREEN
    along = (flat[1] - flat[0]) / max(float(np.linalg.norm(flat[1] - flat[0])), 1e-9 * r)
    across = np.array([-along[1], along[0]]) * (1.0 if along[0] > 0 else -1.0)
    light = rounded(flat + 0.42 * solid.size * across, 0.16 * solid.size)
    style = {"facecolor": solid.tone.lighter(0.45).hex, "edgecolor": "none"}
    return [*_rounded(solid, points, far, r), (far + 1e-6 * r, light, style)]


def _plate(solid: Solid, points: Array, far: float, r: float) -> Shapes:
    style = {"facecolor": solid.tone.lighter(0.6).hex, "edgecolor": solid.tone.hex, "linewidth": 1.0}
    return [(far, rounded(points @ SCREEN, solid.size), style)]


def _hull(solid: Solid, points: Array, far: float, r: float) -> Shapes:
    style = {"facecolor": solid.tone.lighter(0.75).hex, "edgecolor": solid.tone.lighter(0.5).hex, "linewidth": 1.0}
    return [(float((points @ TOWARD).min()), rounded(points @ SCREEN, solid.size), style)]


def _pin(solid: Solid, points: Array, far: float, r: float) -> Shapes:
    away = (points[1] - points[0]) @ TOWARD < 0.0
    return [] if away else _rounded(solid, points[::-1], far, r)


def _socket(solid: Solid, points: Array, far: float, r: float) -> Shapes:
    shine = points + r * (0.45 * SCREEN[:, 1] - 0.4 * SCREEN[:, 0])
    style = {"facecolor": PAPERED.hex, "edgecolor": "none"}
    ahead = far + 1.1 * r + float((shine - points)[0] @ TOWARD)
    return [*_rounded(solid, points, far, r), (ahead, rounded(shine @ SCREEN, 0.3 * r), style)]


def _cone(solid: Solid, points: Array, far: float, r: float) -> Shapes:
    around = np.vstack([ring(points[0], solid.size), points[1]])
    style = {"facecolor": solid.tone.hex, "linewidth": 1.0}
    return [(float((around @ TOWARD).mean()) + solid.lift, rounded(around @ SCREEN, 0.1 * r), style)]


def _disk(solid: Solid, points: Array, far: float, r: float) -> Shapes:
    style = {"facecolor": solid.tone.hex, "linewidth": 1.0}
    depth = float(points[0] @ TOWARD) + solid.lift
    return [(depth, rounded(ring(points[0], solid.size) @ SCREEN, 0.3 * r), style)]


def _wheel(solid: Solid, points: Array, far: float, r: float) -> Shapes:
    circle = points[0] + ROUND @ (points[1:] - points[0])
    style = {"facecolor": solid.tone.lighter(0.6).hex, "edgecolor": solid.tone.hex, "linewidth": 1.0}
    return [(float(points[0] @ TOWARD), rounded(circle @ SCREEN, solid.size), style)]


def _pitch_cone(solid: Solid, points: Array, far: float, r: float) -> Shapes:
    """The mantle of a cone, and its base where it is seen."""
    ((depth, circle, style),) = _wheel(solid, points[:3], far, r)
    mantle = np.vstack([circle, points[3:] @ SCREEN])
    shade = {**style, "facecolor": solid.tone.lighter(0.45).hex}
    base = (depth + 1e-3 * r, circle, style) if (points[0] - points[3]) @ TOWARD > 0.0 else None
    return [(depth, rounded(mantle, 1e-3 * solid.size), shade), *([base] if base else [])]


def _stop(solid: Solid, points: Array, far: float, r: float) -> Shapes:
    """A flat disk between two points."""
    turned, _ = rod_pose(points)
    around = np.concatenate([at + solid.size * ROUND @ turned.T[1:] for at in points])
    return [(far, rounded(around @ SCREEN, 1e-3 * r), {"facecolor": solid.tone.hex, "linewidth": 1.0})]


def _line(solid: Solid, points: Array, far: float, r: float) -> Shapes:
    """A thin line through points, as the area around it."""
    flat = points @ SCREEN
    along = np.gradient(flat, axis=0)
    along /= np.maximum(np.linalg.norm(along, axis=1), 1e-9 * r)[:, None]
    across = solid.size * np.stack([-along[:, 1], along[:, 0]], axis=1)
    style = {"facecolor": solid.tone.hex, "edgecolor": "none"}
    return [(far, np.concatenate([flat + across, (flat - across)[::-1]]), style)]


def _coil(solid: Solid, points: Array, far: float, r: float) -> Shapes:
    """A wire, in half turns, so that those in front are drawn after what is in it."""
    half, middle, found = FINE // 2, points.mean(axis=0), []
    for k in range(0, len(points) - 1, half):
        piece = points[k : k + half + 2]
        ((_, outline, style),) = _line(solid, piece, far, r)
        found.append((far + float((piece.mean(axis=0) - middle) @ TOWARD), outline, style))
    return found


def _nothing(solid: Solid, points: Array, far: float, r: float) -> Shapes:
    return []


SKETCHES = {
    "bar": _bar,
    "rail": _bar,
    "rim": _bar,
    "rod": _bar,
    "tube": _bar,
    "plate": _plate,
    "hull": _hull,
    "pin": _pin,
    "socket": _socket,
    "cone": _cone,
    "disk": _disk,
    "wheel": _wheel,
    "pitch cone": _pitch_cone,
    "stop": _stop,
    "line": _line,
    "coil": _coil,
    "arrow": _nothing,
    "arrow beside": _nothing,
}
"""What projects the kinds of solids, if not by rounding them."""


def _shadow(points: Array, size: float, ground: float) -> tuple[float, Array, Mapping[str, Any]]:
    return -np.inf, rounded(_below(points, ground) @ SCREEN, 0.8 * size), SHADE


def _below(points: Array, ground: float) -> Array:
    return np.concatenate([points[:, :2], np.full((len(points), 1), ground)], axis=1)


# --- drivers and axes ------------------------------------------------------------------------


def draw_driver(panel: Any, solid: Solid, r: float) -> Array:
    """Draw the arrow of a driver in bold ink, and return its outline."""
    path = arrow_path(solid, solid.points, r)
    line(panel, path[:-1], solid.gid, linewidth=2.4, zorder=13, solid_capstyle="butt")
    direction = path[-1] - path[-2]
    length = float(np.linalg.norm(direction))
    if length > 0.0:
        tip = path[-1] + 0.4 * solid.size * direction / length
        arrow_head(panel, tip, direction / length, solid.size, solid.gid, zorder=13)
    return rounded(path, 0.5 * r if len(path) == 10 else 0.2 * r)


def arrow_path(solid: Solid, points: Array, r: float) -> Array:
    """The line (k, 2) of an arrow on the sheet."""
    flat = np.asarray(points @ SCREEN)
    if solid.kind == "arrow":
        return flat
    along = (flat[-1] - flat[0]) / max(float(np.linalg.norm(flat[-1] - flat[0])), 1e-9 * r)
    return np.asarray(flat + 2.4 * r * np.array([-along[1], along[0]]))


def draw_axes(panel: Any, inches: float) -> None:
    """Show the directions of the global axes at the lower right."""
    origin = np.array([panel.get_xlim()[1], panel.get_ylim()[0]]) + np.array([-0.55, 0.35]) / inches
    for axis, text in zip(np.eye(3), "xyz", strict=True):
        tip = axis @ SCREEN * 0.32 / inches
        line(panel, np.array([origin, origin + tip]), f"axis {text}", color=GRAY, zorder=20)
        name(panel, origin + 1.35 * tip, text, f"axis {text}", fontsize=7, color=GRAY, zorder=20)
