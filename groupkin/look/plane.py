"""A plane mechanism at one time, by the signs of ISO 3952: bodies in the colors of their groups, joints in ink."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from groupkin.look.configurations import FREE, Configuration
from groupkin.look.names import draw_legend, draw_names, legend_height, merged
from groupkin.look.palette import GRAY, INK, PAPER, group_color, mixed
from groupkin.look.sheets import ROUND, area, arrow_head, hatched, line, rounded, sheet
from groupkin.mechanism.mechanism import Joint

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

OF_SIZE, OF_BODY = 0.016, 0.10
"""Radius of a joint at most, relative to the size of the mechanism and to the median distance of joints of a body."""

INCHES = 6.0
"""The longer side of a picture, without its legend."""

ROLLING = ("RP", "RW")
"""Pairs of a wheel and the line on which it rolls."""

BACK, WHEEL, FOOT, BAR, BLOCK, PIN, MARK = 2.0, 3.0, 3.5, 4.0, 6.0, 8.0, 10.0
"""What lies above what."""


@dataclass(frozen=True)
class _Drawing:
    """A panel, what is drawn on it, the radius r that all is a multiple of, and outlines where names have no room."""

    panel: Any
    view: Configuration
    r: float
    outlines: list[Array] = field(default_factory=list)

    def area(self, outline: Array, gid: str, **style: Any) -> None:
        area(self.panel, outline, gid, **style)
        self.outlines.append(outline)

    def colors(self, body: str) -> tuple[str, str]:
        """Colors of plates and of bars of a body."""
        group = self.view.structure.group_of.get(body)
        color = group_color(group.number) if group else GRAY
        return mixed(color, 0.68), mixed(color, 0.25)


def draw_plane(view: Configuration) -> Figure:
    """Draw a plane mechanism in a configuration."""
    r = radius(view, OF_SIZE, OF_BODY)
    everything = np.concatenate([*_extent(view, r), *view.paths.values()])
    everything = everything[np.isfinite(everything).all(axis=1)]
    low, high = everything.min(axis=0) - 5.5 * r, everything.max(axis=0) + 5.5 * r
    inches = INCHES / float((high - low).max())
    short = np.maximum(0.0, 3.4 / inches - (high - low)) * (1.0, 0.0)
    low, high = low - 0.5 * short, high + 0.5 * short
    caption = f"t = {view.time:.4g} s" if view.time is not None else ""
    low[1] -= legend_height(view.structure.groups, caption) / inches
    figure, panel = sheet(low, high, inches)
    drawing = _Drawing(panel, view, r)
    for name, path in view.paths.items():
        group = view.structure.group_of[view.geometry.points[name][0]]
        line(panel, path, f"path {name}", color=group_color(group.number), linewidth=1.4, zorder=1)
    for body in view.mechanism.movable:
        _draw_body(drawing, body)
    for joint in view.mechanism.joints:
        DRAWN.get(joint.type, _draw_nothing)(drawing, joint)
        for k in view.mechanism.driven.get(joint.name, ()):
            _draw_driver(drawing, joint, k)
    for name, at in view.free_points.items():
        area(panel, at + 0.4 * r * ROUND, f"point {name}", facecolor=INK, zorder=PIN)
    draw_legend(panel, view.structure.groups, caption, inches)
    draw_names(panel, names(view, r), drawing.outlines, 1.5 * r, inches)
    return figure


def radius(view: Configuration, of_size: float, of_body: float) -> float:
    """Radius of joints that suits the size of a mechanism and of its bodies, m."""
    spans = [np.linalg.norm(np.ptp(view.points(body), axis=0)) for body in view.mechanism.movable]
    spans = [span for span in spans if span > 1e-6 * view.geometry.size]
    return float(min([of_size * view.geometry.size, *([of_body * np.median(spans)] if spans else [])]))


def names(view: Configuration, r: float) -> list[tuple[list[str], Array]]:
    """Names of joints and free points with their places, driven joints first."""
    mechanism = view.mechanism
    ordered = sorted(mechanism.joints, key=lambda joint: joint.name not in mechanism.driven)
    listed = [((joint.of or joint).name, _place(view, joint)) for joint in ordered]
    return merged([*listed[: len(mechanism.driven)], *view.free_points.items(), *listed], 0.5 * r)


def _place(view: Configuration, joint: Joint) -> Array:
    """Where a joint is: between the centers of gears, on its second body else."""
    ends = view.ends(joint)
    if joint.radii is not None:
        return np.asarray(ends[0] + (ends[1] - ends[0]) * joint.radii[0] / sum(joint.radii))
    return np.asarray(ends[1])


def _extent(view: Configuration, r: float) -> list[Array]:
    """Points around all that is drawn."""
    found = [view.points(body) for body in view.mechanism.movable]
    for joint in view.mechanism.joints:
        ends = view.ends(joint)
        if joint.type not in FREE:
            found.append(ends)
        if joint.type == "P" and view.mechanism.frame in joint.bodies:
            found.append(_guided(view, joint, r)[1])
        found += [
            center + (1.4 if joint.type in ROLLING else 1.0) * size * ROUND
            for center, size in zip(ends, wheels(view, joint), strict=True)
        ]
        found += [_flank(view, joint, side) for side in range(len(_curves(joint)))]
    return found


# --- bodies ----------------------------------------------------------------------------------


def _draw_body(drawing: _Drawing, body: str) -> None:
    """Draw a body as a hub, a bar or a plate around its points."""
    points = drawing.view.points(body)
    plate, bar = drawing.colors(body)
    flat = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    is_plate = len(points) > 2 and flat[1] > 0.01 * flat[0]
    style = {"facecolor": plate if is_plate else bar, "zorder": BACK if is_plate else BAR}
    drawing.area(rounded(points, drawing.r), f"body {body}", **style)


# --- joints ----------------------------------------------------------------------------------


def _draw_nothing(drawing: _Drawing, joint: Joint) -> None:
    """Free bodies have no sign but that of their drivers."""


def _draw_pin(drawing: _Drawing, joint: Joint) -> None:
    """Draw a revolute joint as a pin, on the frame with a foot."""
    at, gid, r = drawing.view.ends(joint)[1], f"joint {joint.name}", drawing.r
    if drawing.view.mechanism.frame in joint.bodies:
        corners = at + r * np.array([[0.0, 0.0], [-1.5, -2.4], [1.5, -2.4]])
        area(drawing.panel, corners, gid, facecolor=mixed(GRAY, 0.75), zorder=FOOT)
        left, right = at + r * np.array([-2.5, -2.4]), at + r * np.array([2.5, -2.4])
        hatched(drawing.panel, left, right, 0.9 * r, gid, zorder=FOOT)
        drawing.outlines.append(at + r * np.array([[-2.5, 0.0], [-2.5, -3.3], [2.5, -3.3], [2.5, 0.0]]))
        area(drawing.panel, at + 0.2 * r * ROUND, gid, facecolor=INK, zorder=PIN + 1)
    area(drawing.panel, at + 0.62 * r * ROUND, gid, zorder=PIN)


def _draw_slide(drawing: _Drawing, joint: Joint) -> None:
    """Draw a block on its guide, or the tube and the rod of two moving bodies."""
    view, r, gid = drawing.view, drawing.r, f"joint {joint.name}"
    axis = view.frame(joint)[:, 0]
    ends, frame = view.ends(joint), view.mechanism.frame
    if frame in joint.bodies:
        side = 1 - joint.bodies.index(frame)
        at, guide = _guided(view, joint, r)
        stem = rounded(np.array([ends[side], at]), 0.6 * r)
        drawing.area(stem, gid, facecolor=drawing.colors(joint.bodies[side])[1], zorder=BAR)
        _draw_block(drawing, joint.bodies[side], at, axis, gid)
        _draw_guide(drawing, guide[0], guide[1], gid)
        return
    first, second = (view.far_end(joint, side, axis) for side in (0, 1))
    away = float((second - first) @ axis)
    if abs(away) < 5.0 * r:
        _draw_block(drawing, joint.bodies[0], ends[1], axis, gid)
        rod = ends[1] + np.outer([-5.0 * r, 5.0 * r], axis)
        drawing.area(rounded(rod, 0.5 * r), gid, facecolor=drawing.colors(joint.bodies[1])[1], zorder=BLOCK + 1)
        return
    rod = np.array([second, first + 0.35 * away * axis])
    drawing.area(rounded(rod, 0.5 * r), gid, facecolor=drawing.colors(joint.bodies[1])[1], zorder=BAR)
    across = 1.15 * r * np.array([-axis[1], axis[0]])
    tube = np.array([first + across, first + 0.62 * away * axis + across, first + 0.62 * away * axis - across])
    tube = np.vstack([tube, first - across])
    drawing.area(tube, gid, facecolor=drawing.colors(joint.bodies[0])[1], zorder=BAR + 1)


def _guided(view: Configuration, joint: Joint, r: float) -> tuple[Array, Array]:
    """Where the block of a slide on the frame is, beside the roller of its body, and the ends of its guide."""
    side, axis = 1 - joint.bodies.index(view.mechanism.frame), view.frame(joint)[:, 0]
    body, at = joint.bodies[side], view.ends(joint)[side]
    followed = [other for other in view.mechanism.joints_of[body] if other.type == "L" and other.bodies[1] == body]
    for other in followed:
        away = np.sign((at - view.at(other.bodies[0], view.geometry.origins[other.bodies[0]])) @ axis) or 1.0
        at = at + away * (float(other.radius or 0.0) + 6.0 * r) * axis
    low, high = view.travel.get(joint.name, (-3.0 * r, 3.0 * r))
    return at, at + np.outer([low - 3.6 * r, high + 3.6 * r], axis)


def _draw_block(drawing: _Drawing, body: str, at: Array, axis: Array, gid: str) -> None:
    across = np.array([-axis[1], axis[0]])
    corners = np.array([[-2.2, -1.4], [2.2, -1.4], [2.2, 1.4], [-2.2, 1.4]]) * drawing.r
    drawing.area(at + corners @ np.array([axis, across]), gid, facecolor=drawing.colors(body)[1], zorder=BLOCK)


def _draw_guide(drawing: _Drawing, start: Array, stop: Array, gid: str) -> None:
    """Draw a hatched line under a block, on the side away from the mechanism."""
    view, r = drawing.view, drawing.r
    along = (stop - start) / np.linalg.norm(stop - start)
    right = np.array([along[1], -along[0]])
    middle = np.mean(np.concatenate([view.points(body) for body in view.mechanism.movable]), axis=0)
    if right @ (middle - start) > 1e-6 * view.geometry.size or (abs(right[1]) > 0.1 and right[1] > 0):
        start, stop, right = stop, start, -right
    hatched(drawing.panel, start + 1.5 * r * right, stop + 1.5 * r * right, 0.9 * r, gid, zorder=0)
    drawing.outlines.append(np.array([start, stop, stop + 2.6 * r * right, start + 2.6 * r * right]))


def _draw_slot(drawing: _Drawing, joint: Joint) -> None:
    """Draw a pin in a slot of the first body."""
    at, axis = drawing.view.ends(joint)[1], drawing.view.frame(joint)[:, 0]
    slot = rounded(at + np.outer([-4.0 * drawing.r, 4.0 * drawing.r], axis), 0.9 * drawing.r)
    drawing.area(slot, f"joint {joint.name}", zorder=BLOCK, edgecolor=drawing.colors(joint.bodies[0])[1], linewidth=2.5)
    area(drawing.panel, at + 0.62 * drawing.r * ROUND, f"joint {joint.name}", zorder=PIN)


# --- wheels and cams -------------------------------------------------------------------------


def wheels(view: Configuration, joint: Joint) -> tuple[float, float]:
    """Radii of the circles on the two bodies of a joint, m; 0 where there is none."""
    ends = view.ends(joint)
    distance = float(np.linalg.norm(ends[1] - ends[0]))
    if joint.radii is not None:
        mesh = abs(joint.radii[0] + joint.radii[1] * (1 if joint.type == "EO" else -1)) or 1.0
        return joint.radii[0] * distance / mesh, joint.radii[1] * distance / mesh
    coupling = view.geometry.joints[joint.name].coupling
    if joint.type in ROLLING and coupling is not None:
        return 0.0, abs(float(coupling[1]))
    return 0.0, float(joint.radius or 0.0)


def _draw_wheels(drawing: _Drawing, joint: Joint) -> None:
    """Draw the pitch circles of gears, or a wheel on its line, with spokes that show how they turn."""
    view, gid = drawing.view, f"joint {joint.name}"
    for side, (center, size) in enumerate(zip(view.ends(joint), wheels(view, joint), strict=True)):
        body = joint.bodies[side]
        if size <= 0.0:
            axes, wheel = view.frame(joint), wheels(view, joint)[1]
            reach = np.outer([-1.0, 1.0], axes[:, 0]) * max(8.0 * drawing.r, 1.4 * wheel)
            track = view.ends(joint)[1] - wheel * axes[:, 1] + reach
            line(drawing.panel, track, gid, linewidth=2.0, zorder=WHEEL, color=drawing.colors(body)[1])
            continue
        fill = PAPER if joint.type == "EPI" and size == max(wheels(view, joint)) else drawing.colors(body)[0]
        level = WHEEL - 0.5 * (joint.type == "EPI" and size == max(wheels(view, joint)))
        area(drawing.panel, center + size * ROUND, gid, facecolor=mixed(fill, 0.5), zorder=level - 1.5)
        drawing.outlines.append(center + size * ROUND)
        spoke = center + np.outer([0.0, size], view.poses[body][0][:, 0])
        line(drawing.panel, spoke, gid, color=mixed(INK, 0.45), linewidth=1.0, zorder=level - 1.4)


def _draw_cam(drawing: _Drawing, joint: Joint) -> None:
    """Draw the curves of a cam, and the roller or flat face that touches them."""
    view, r, gid = drawing.view, drawing.r, f"joint {joint.name}"
    for side, curve in enumerate(_curves(joint)):
        body, points = joint.bodies[side], _flank(view, joint, side)
        if curve.closed:
            area(drawing.panel, points, gid, facecolor=drawing.colors(body)[0], zorder=BACK)
            drawing.outlines.append(points)
        else:
            line(drawing.panel, points, gid, color=drawing.colors(body)[1], linewidth=3.0, zorder=WHEEL)
    at = view.ends(joint)[1]
    if joint.radius:
        drawing.area(at + joint.radius * ROUND, gid, zorder=BAR - 0.5)
        area(drawing.panel, at + 0.62 * r * ROUND, gid, zorder=PIN)
    elif joint.follower == "face":
        face = at + np.outer([-5.0 * r, 5.0 * r], view.frame(joint, 1)[:, 0])
        line(drawing.panel, face, gid, color=INK, linewidth=3.0, zorder=BLOCK)


def _curves(joint: Joint) -> list[Any]:
    return [curve for curve in (joint.curve, *(joint.curves or ())) if curve is not None]


def _flank(view: Configuration, joint: Joint, side: int) -> Array:
    """Points of the curve of a cam where it is."""
    spline = _curves(joint)[side].spline
    return view.at(joint.bodies[side], spline(np.linspace(spline.t[spline.k], spline.t[-1 - spline.k], 400)))


def _draw_rod(drawing: _Drawing, joint: Joint) -> None:
    """Draw a rod between two points, which is no body of its own."""
    outline = rounded(drawing.view.ends(joint), 0.45 * drawing.r)
    drawing.area(outline, f"joint {joint.name}", facecolor=mixed(GRAY, 0.7), zorder=BAR)


DRAWN = {
    "R": _draw_pin,
    "P": _draw_slide,
    "CR": _draw_slot,
    "EO": _draw_wheels,
    "EPI": _draw_wheels,
    "RP": _draw_wheels,
    "RW": _draw_wheels,
    "L": _draw_cam,
    "RD": _draw_rod,
    "SPSP": _draw_rod,
}
"""What draws the pairs."""


# --- drivers ---------------------------------------------------------------------------------


def _draw_driver(drawing: _Drawing, joint: Joint, freedom: int) -> None:
    """Mark a driven freedom in bold ink: an arc about its axis, or an arrow along it, in the sense of its rate."""
    view, r, gid = drawing.view, drawing.r, f"driver {joint.name}"
    side = 0 if joint.bodies[1] == view.mechanism.frame else 1
    at, move = view.ends(joint)[side], view.mechanism.freedoms(joint)[freedom]
    law = view.mechanism.driven[joint.name][freedom].law
    rate = float(law.at(np.array([view.time or 0.0]))[1, 0]) if law is not None else 1.0
    sense = (1.0 if rate >= 0.0 else -1.0) * (1.0 if side else -1.0)
    if move.rotation:
        angles = np.linspace(-0.35, 1.15, 40) * np.pi
        arc = at + 2.5 * r * np.stack([np.cos(angles), np.sin(angles)], axis=1)[:: 1 if sense > 0 else -1]
        line(drawing.panel, arc[:-2], gid, linewidth=2.6, zorder=MARK, solid_capstyle="butt")
        direction = (arc[-1] - arc[-3]) / np.linalg.norm(arc[-1] - arc[-3])
        arrow_head(drawing.panel, arc[-1] + 0.9 * r * direction, direction, 1.6 * r, gid, zorder=MARK)
        drawing.outlines.append(at + 2.6 * r * ROUND)
        return
    axis = sense * view.frame(joint)[:, move.axis]
    start = at + 2.3 * r * np.array([-axis[1], axis[0]]) if joint.type == "P" else at
    line(drawing.panel, np.array([start - 2.5 * r * axis, start + 2.0 * r * axis]), gid, linewidth=2.6, zorder=MARK)
    arrow_head(drawing.panel, start + 3.6 * r * axis, axis, 1.8 * r, gid, zorder=MARK)
    drawing.outlines.append(rounded(np.array([start - 2.5 * r * axis, start + 3.6 * r * axis]), 0.6 * r))
