"""A mechanism in space at one time, in orthographic projection, the far parts first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from groupkin.look.configurations import FREE, Configuration
from groupkin.look.names import draw_legend, draw_names, legend_height
from groupkin.look.palette import FRAME, GRAY, INK, PAPER, group_color, mixed
from groupkin.look.plane import INCHES, names, radius, wheels
from groupkin.look.sheets import ROUND, area, arrow_head, line, name, rounded, sheet
from groupkin.mechanism.mechanism import Joint

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

AZIMUTH, ELEVATION = np.radians(-60.0), np.radians(22.0)
"""From where the mechanism is seen."""

OF_SIZE, OF_BODY = 0.014, 0.09
"""As in the plane."""

TOWARD = np.array([np.cos(ELEVATION) * np.cos(AZIMUTH), np.cos(ELEVATION) * np.sin(AZIMUTH), np.sin(ELEVATION)])
RIGHT = np.array([-np.sin(AZIMUTH), np.cos(AZIMUTH), 0.0])
SCREEN = np.stack([RIGHT, np.cross(TOWARD, RIGHT)], axis=1)
"""Columns are the directions to the right and up on the sheet; `TOWARD` points to who looks."""

SHADOW = "#EEF0F3"


@dataclass(frozen=True)
class _Scene:
    """What is to be painted, with its depth, and all points of it on the sheet."""

    view: Configuration
    r: float
    ground: float
    parts: list[tuple[float, Callable[[Any, float], None]]] = field(default_factory=list)
    bars: list[tuple[Array, float]] = field(default_factory=list)
    outlines: list[Array] = field(default_factory=list)
    shadows: list[Array] = field(default_factory=list)

    def add(self, points: Array, width: float, gid: str, color: str, depth: float = 0.0, **style: Any) -> None:
        """Add the rounded hull of points (k, 3), somewhat nearer by `depth`."""
        outline = rounded(points @ SCREEN, width)
        self.outlines.append(outline)
        style = {"facecolor": color, "linewidth": 1.0, **style}
        far = float((points @ TOWARD).mean()) + depth
        self.parts.append((far, lambda panel, z: area(panel, outline, gid, zorder=z, **style)))

    def bar(self, points: Array, width: float, gid: str, color: str, depth: float = 0.0) -> None:
        """Add a round bar between two points, with its light and its shadow."""
        self.add(points, width, gid, color, depth)
        self.bars.append((points, float((points @ TOWARD).mean()) + depth))
        flat = points @ SCREEN
        along = (flat[1] - flat[0]) / max(float(np.linalg.norm(flat[1] - flat[0])), 1e-9 * self.r)
        across = np.array([-along[1], along[0]]) * (1.0 if along[0] > 0 else -1.0)
        light = rounded(flat + 0.42 * width * across, 0.16 * width)
        style = {"facecolor": mixed(color, 0.45), "edgecolor": "none"}
        far = float((points @ TOWARD).mean()) + depth + 1e-6 * self.r
        self.parts.append((far, lambda panel, z: area(panel, light, gid, zorder=z, **style)))
        self.shadow(points, width)

    def shadow(self, points: Array, width: float) -> None:
        below = np.concatenate([points[:, :2], np.full((len(points), 1), self.ground)], axis=1)
        flat = rounded(below @ SCREEN, 0.8 * width)
        style: dict[str, Any] = {"facecolor": SHADOW, "edgecolor": "none"}
        self.parts.append((-np.inf, lambda panel, z: area(panel, flat, "shadow", zorder=0, **style)))
        self.shadows.append(flat)

    def color(self, body: str) -> str:
        group = self.view.structure.group_of.get(body)
        return mixed(group_color(group.number), 0.15) if group else mixed(GRAY, 0.4)


def draw_space(view: Configuration) -> Figure:
    """Draw a mechanism in space in a configuration."""
    r = radius(view, OF_SIZE, OF_BODY)
    everything = np.concatenate([view.points(body) for body in view.mechanism.body])
    scene = _Scene(view, r, float(everything[:, 2].min()) - 4.5 * r)
    for body in view.mechanism.movable:
        _add_body(scene, body)
    slides = [joint for joint in view.mechanism.joints if _slides(view, joint)]
    for joint in slides:
        _add_slide(scene, joint, view.frame(joint)[:, 2])
    for joint in view.mechanism.joints:
        if joint not in slides and joint.type not in FREE:
            _add_joint(scene, joint)
    paths = {name: path @ SCREEN for name, path in view.paths.items()}
    drawn = np.concatenate([*scene.outlines, *scene.shadows, *(p[np.isfinite(p).all(axis=1)] for p in paths.values())])
    low, high = drawn.min(axis=0) - 5.0 * r, drawn.max(axis=0) + 5.0 * r
    inches = INCHES / float((high - low).max())
    caption = f"t = {view.time:.4g} s" if view.time is not None else ""
    low[1] -= legend_height(view.structure.groups, caption) / inches
    figure, panel = sheet(low, high, inches)
    for z, (_, paint) in enumerate(sorted(scene.parts, key=lambda part: part[0])):
        paint(panel, 2.0 + 1e-3 * z)
    for key, path in paths.items():
        group = view.structure.group_of[view.geometry.points[key][0]]
        line(panel, path, f"path {key}", color=group_color(group.number), linewidth=1.3, zorder=12)
    for joint_name, drivers in view.mechanism.driven.items():
        for k in drivers:
            _draw_driver(panel, scene, view.mechanism.joint[joint_name], k)
    for key, at in view.free_points.items():
        area(panel, at @ SCREEN + 0.5 * r * ROUND, f"point {key}", facecolor=INK, zorder=14)
    _draw_axes(panel, inches)
    draw_legend(panel, view.structure.groups, caption, inches)
    labels = [(texts, at @ SCREEN) for texts, at in names(view, r)]
    draw_names(panel, labels, scene.outlines, 1.6 * r, inches)
    return figure


# --- bodies ----------------------------------------------------------------------------------


def _add_body(scene: _Scene, body: str) -> None:
    """Add a body: a hub, a bar, a plate with a rim, or bars along the shortest tree of its points."""
    points, gid, color, r = scene.view.points(body), f"body {body}", scene.color(body), scene.r
    if len(points) == 1:
        scene.add(points, r, gid, color)
        scene.shadow(points, r)
        return
    middle = points.mean(axis=0)
    _, spread, axes = np.linalg.svd(points - middle)
    if len(points) == 2 or spread[1] < 0.01 * spread[0]:
        along = (points - middle) @ axes[0]
        scene.bar(points[[along.argmin(), along.argmax()]], r, gid, color)
        return
    if len(points) == 3 or spread[2] < 0.03 * spread[0]:
        from scipy.spatial import ConvexHull

        rim = points[ConvexHull((points - middle) @ axes[:2].T).vertices]
        scene.add(rim, 0.5 * r, gid, mixed(color, 0.6), edgecolor=color)
        scene.bars.append((rim, float((rim @ TOWARD).mean())))
        edges = np.stack([rim, np.roll(rim, 1, axis=0)], axis=1)
    else:
        far = float((points @ TOWARD).min() - (points @ TOWARD).mean())
        scene.add(points, 0.3 * r, gid, mixed(color, 0.75), far, edgecolor=mixed(color, 0.5))
        edges = points[_shortest_tree(points)]
    for edge in edges:
        scene.bar(edge, 0.8 * r, gid, color, 1e-3 * r)


def _shortest_tree(points: Array) -> NDArray[np.int64]:
    """Pairs of points (k, 2), by number, that join all of them by the shortest bars."""
    from scipy.sparse.csgraph import minimum_spanning_tree
    from scipy.spatial.distance import cdist

    return np.array(minimum_spanning_tree(cdist(points, points)).nonzero()).T


# --- joints ----------------------------------------------------------------------------------


def _slides(view: Configuration, joint: Joint) -> bool:
    """Whether a joint is a displacement along its axis, with or without a turn about it."""
    form = view.mechanism.form(joint)
    return form.axial and bool(form.moves) and not form.moves[0].rotation


def _add_joint(scene: _Scene, joint: Joint) -> None:
    """Add the neutral sign of a joint before the bars that end there, and its foot on the frame."""
    view, r, gid = scene.view, scene.r, f"joint {joint.name}"
    ends = view.ends(joint)
    at, axis = ends[1], view.frame(joint)[:, 2]
    if view.mechanism.frame in joint.bodies:
        _add_foot(scene, ends[joint.bodies.index(view.mechanism.frame)], gid)
    near = [depth for points, depth in scene.bars if np.linalg.norm(points - at, axis=1).min() < 0.5 * r]
    lift = max([0.0, *(depth - float(at @ TOWARD) for depth in near)])
    _add_wheels(scene, joint)
    if view.mechanism.form(joint).hinge:
        scene.add(at + np.outer([-1.2 * r, 1.2 * r], axis), 1.05 * r, gid, mixed(INK, 0.35), lift + 1.5 * r)
        front = axis * np.sign(axis @ TOWARD or 1.0)
        scene.add(at + np.outer([1.9 * r, 1.2 * r], front), 0.5 * r, gid, PAPER, lift + 2.6 * r)
    elif joint.type in ("U", "ER"):
        scene.add(at[None], 0.9 * r, gid, mixed(INK, 0.2), lift + 1.5 * r)
        for side in (0, 1):
            cross, gray = view.frame(joint, side)[:, 2], mixed(INK, 0.2 + 0.4 * side)
            scene.add(at + np.outer([-1.5 * r, 1.5 * r], cross), 0.38 * r, gid, gray, lift + 2.5 * r)
    elif joint.radii is None:
        scene.add(at[None], 1.25 * r, gid, "#E9ECF0", lift + 1.5 * r)
        shine = np.asarray(at + r * (0.45 * SCREEN[:, 1] - 0.4 * SCREEN[:, 0]))
        scene.add(shine[None], 0.3 * r, gid, PAPER, lift + 2.6 * r, edgecolor="none")


def _add_wheels(scene: _Scene, joint: Joint) -> None:
    """Add the pitch circles of gears, or a wheel, with spokes that show how they turn."""
    view, gid = scene.view, f"joint {joint.name}"
    for side, (center, size) in enumerate(zip(view.ends(joint), wheels(view, joint), strict=True)):
        if size > 0.0:
            axes = view.frame(joint, side)[:, :2]
            color = scene.color(joint.bodies[side])
            scene.add(center + size * ROUND @ axes.T, 0.3 * scene.r, gid, mixed(color, 0.6), edgecolor=color)
            scene.add(center + np.outer([0.0, size], axes[:, 0]), 0.1 * scene.r, gid, mixed(color, 0.2), 0.1 * scene.r)


def _add_foot(scene: _Scene, at: Array, gid: str) -> None:
    """Add a foot on the frame, below what stands and above what hangs."""
    view, r = scene.view, scene.r
    middle = np.mean([view.points(body).mean(axis=0) for body in view.mechanism.movable], axis=0)
    hangs = view.points(view.mechanism.frame)[:, 2].mean() > middle[2] + 0.1 * view.geometry.size
    side = 1.0 if hangs else -1.0
    base = at + 2.6 * r * side * np.array([0.0, 0.0, 1.0])
    ring = base + 1.9 * r * np.concatenate([ROUND[::4], np.zeros((12, 1))], axis=1)
    scene.add(np.vstack([ring, at]), 0.1 * r, gid, mixed(FRAME, 0.45), -2.0 * r)
    scene.add(ring, 0.3 * r, gid, mixed(FRAME, 0.1 if side < 0 else 0.6), -2.5 * r)
    if side < 0:
        scene.shadow(ring, r)


def _add_slide(scene: _Scene, joint: Joint, axis: Array) -> None:
    """Add a sleeve on a rail of the frame, or the tube and the rod of two moving bodies."""
    view, r, gid = scene.view, scene.r, f"joint {joint.name}"
    ends, frame = view.ends(joint), view.mechanism.frame
    if frame in joint.bodies:
        side = 1 - joint.bodies.index(frame)
        low, high = view.travel.get(joint.name, (-3.0 * r, 3.0 * r))
        rail = ends[side] + np.outer([low - 5.0 * r, high + 5.0 * r], axis)
        scene.bar(rail, 0.55 * r, gid, mixed(FRAME, 0.2))
        sleeve = ends[side] + np.outer([-1.5 * r, 1.5 * r], axis)
        scene.bar(sleeve, 1.3 * r, gid, scene.color(joint.bodies[side]), 1.2 * r)
        return
    first, second = (view.far_end(joint, side, axis) for side in (0, 1))
    away = float((second - first) @ axis)
    if abs(away) < 5.0 * r:
        scene.bar(ends[1] + np.outer([-2.2 * r, 2.2 * r], axis), 1.4 * r, gid, scene.color(joint.bodies[1]), r)
        return
    rod, tube = np.array([second, first + 0.35 * away * axis]), np.array([first, first + 0.6 * away * axis])
    behind = float((tube - rod).mean(axis=0) @ TOWARD) - 0.1 * r
    scene.bar(rod, 0.6 * r, gid, scene.color(joint.bodies[1]), behind)
    scene.bar(tube, 1.1 * r, gid, scene.color(joint.bodies[0]))


# --- drivers and axes ------------------------------------------------------------------------


def _draw_driver(panel: Any, scene: _Scene, joint: Joint, freedom: int) -> None:
    """Mark a driven freedom in bold ink: an arc about its axis, or an arrow along it."""
    view, r, gid = scene.view, scene.r, f"driver {joint.name}"
    move, at = view.mechanism.freedoms(joint)[freedom], view.ends(joint)[1]
    axes = view.frame(joint)
    free, axis = joint.type in FREE, axes[:, move.axis]
    if move.rotation:
        around = np.linspace(-0.3, 1.2, 48)[:, None] * np.pi
        one, two = axes[:, (move.axis + 1) % 3], axes[:, (move.axis + 2) % 3]
        center = at + (4.2 * r if free else 0.0) * axis
        arc = (center + (1.3 if free else 2.7) * r * (np.cos(around) * one + np.sin(around) * two)) @ SCREEN
        _draw_bold(panel, arc, 1.2 * r if free else 1.7 * r, gid)
        scene.outlines.append(rounded(arc, 0.2 * r))
        return
    beside = np.zeros(2)
    if not free:
        flat = axis @ SCREEN / max(float(np.linalg.norm(axis @ SCREEN)), 1e-9)
        beside = 2.4 * r * np.array([-flat[1], flat[0]])
    arrow = (at + np.outer(np.linspace(0.0 if free else -2.5, 6.0 if free else 3.0, 10), axis) * r) @ SCREEN + beside
    _draw_bold(panel, arrow, 1.7 * r, gid)
    scene.outlines.append(rounded(arrow, 0.5 * r))


def _draw_bold(panel: Any, path: Array, head: float, gid: str) -> None:
    line(panel, path[:-1], gid, linewidth=2.4, zorder=13, solid_capstyle="butt")
    direction = path[-1] - path[-2]
    length = float(np.linalg.norm(direction))
    if length > 0.0:
        arrow_head(panel, path[-1] + 0.4 * head * direction / length, direction / length, head, gid, zorder=13)


def _draw_axes(panel: Any, inches: float) -> None:
    """Show the directions of the global axes at the lower right."""
    origin = np.array([panel.get_xlim()[1], panel.get_ylim()[0]]) + np.array([-0.55, 0.35]) / inches
    for axis, text in zip(np.eye(3), "xyz", strict=True):
        tip = axis @ SCREEN * 0.32 / inches
        line(panel, np.array([origin, origin + tip]), f"axis {text}", color=GRAY, zorder=20)
        name(panel, origin + 1.35 * tip, text, f"axis {text}", fontsize=7, color=GRAY, zorder=20)
