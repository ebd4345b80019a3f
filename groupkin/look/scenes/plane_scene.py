"""A plane mechanism as shapes, by the signs of ISO 3952: bodies in the colors of their groups, joints in ink."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from groupkin.look.outlines import ROUND, arrow, hatching, rounded
from groupkin.look.scenes.configurations import FREE, Configuration
from groupkin.look.scenes.plane_springs import add_springs
from groupkin.look.scenes.scene import (
    INKED,
    PAPERED,
    Between,
    Shape,
    Tone,
    joint_ends,
    owner,
    radius,
    telescope,
    wheels,
)
from groupkin.look.scenes.shapes import add_outline
from groupkin.look.scenes.stops import Mark, arc, span, stops, stroke, travel
from groupkin.mechanism.cams.cam_curves import CamCurve
from groupkin.mechanism.curves import Curve
from groupkin.mechanism.forces.contact import Contact
from groupkin.mechanism.mechanism import Joint
from groupkin.model.geometry.frames import turn
from groupkin.tolerances import COINCIDENT
from sglibrary.array_types import Array

OF_SIZE, OF_BODY = 0.016, 0.10
"""Radius of a joint at most, relative to the size of the mechanism and to the median distance of joints of a body."""

PLATES = (0.68, 0.5, 0.8, 0.59)
"""Shares of white in the plates of the bodies of a group, one after another, so that neighbors differ."""

EDGE = 2.4
"""Length of a knife edge, in radii of joints."""

BACK, WHEEL, FOOT, BAR, BLOCK, END, PATH, PIN, MARK = 2.0, 3.0, 3.5, 4.0, 6.0, 7.2, 7.5, 8.0, 10.0
"""What lies above what; the paths of points lie on the bodies and under the pins."""


@dataclass(frozen=True)
class PlaneScene:
    """Shapes of a mechanism in a configuration.

    Attributes
    ----------
    view : Configuration
    r : float
        Radius that all is a multiple of, m.
    shapes : list of Shape
    ends : mapping of str to Between
        Of owners that are no bodies.
    outlines : list of (k, 2) array
        Where names have no room.
    """

    view: Configuration
    r: float
    shapes: list[Shape] = field(default_factory=list)
    ends: dict[str, Between] = field(default_factory=dict)
    outlines: list[Array] = field(default_factory=list)

    def area(self, body: str, outline: Array, gid: str, fill: Tone = PAPERED, level: float = 0.0, **more: Any) -> None:
        """Add an area that moves with a body."""
        more = {"edge": INKED, **more}
        self.shapes.append(Shape(more.pop("owner", owner(body)), gid, outline, fill, level=level, **more))

    def plate(self, body: str, outline: Array, gid: str, fill: Tone = PAPERED, level: float = 0.0, **more: Any) -> None:
        """Add an area on which names have no room."""
        self.area(body, outline, gid, fill, level, **more)
        self.outlines.append(outline)

    def line(self, body: str, points: Array, gid: str, edge: Tone = INKED, level: float = 0.0, **more: Any) -> None:
        """Add a line that moves with a body."""
        self.shapes.append(Shape(more.pop("owner", owner(body)), gid, points, None, edge, level=level, **more))

    def hatched(self, start: Array, stop: Array, gid: str, level: float) -> None:
        """Add a line of the ground, hatched on its right side as seen from start to stop."""
        frame = self.view.mechanism.frame
        ticks = hatching(start, stop, 0.9 * self.r)
        self.line(frame, ticks, gid, INKED.lighter(0.4), level, width=0.8)
        self.line(frame, np.array([start, stop]), gid, level=level, width=1.6)

    def mark_range(self, joint: Joint, marks: Sequence[Mark], level: float) -> None:
        """Add what shows the range of a joint."""
        tone = INKED.lighter(0.3)
        for body, kind, points in marks:
            if kind == "dot":
                self.area(body, points + 0.3 * self.r * ROUND, f"range {joint.name}", tone, level, edge=tone, width=0.5)
                continue
            if kind == "stop":
                along = (points[1] - points[0]) / np.linalg.norm(points[1] - points[0])
                across = 1.9 * self.r * np.array([-along[1], along[0]])
                points = points.mean(axis=0) + np.array([-across, across])
            self.outlines.append(rounded(points, 0.2 * self.r))
            width = 2.2 if kind == "stop" else 1.0
            self.line(body, points, f"range {joint.name}", tone, level, width=width, butt=kind == "stop")

    def arrow_head(self, body: str, tip: Array, direction: Array, length: float, gid: str) -> None:
        """Add a filled triangle that points along a unit vector."""
        self.area(body, arrow(tip, direction, length), gid, INKED, MARK, width=0.5)

    def tones(self, body: str) -> tuple[Tone, Tone]:
        """Tones of plates and of bars of a body."""
        number, place = self.view.color(body)
        tone = Tone(number or "gray")
        return tone.lighter(PLATES[place % len(PLATES)]), tone.lighter(0.25)


def plane_scene(view: Configuration) -> PlaneScene:
    """Make the shapes of a plane mechanism in a configuration."""
    scene = PlaneScene(view, radius(view, OF_SIZE, OF_BODY))
    for body in view.shown:
        _add_body(scene, body)
    for joint in view.mechanism.joints:
        SHAPES.get(joint.type, _add_nothing)(scene, joint)
        for k in view.mechanism.driven.get(joint.name, ()):
            _add_driver(scene, joint, k)
    for load in view.mechanism.forces:
        if isinstance(load, Contact):
            _add_contact(scene, load)
    add_springs(scene)
    for name, at in view.free_points.items():
        carrier = view.geometry.points[name][0]
        scene.area(carrier, at + 0.4 * scene.r * ROUND, f"point {name}", INKED, PIN)
    return scene


# --- bodies ----------------------------------------------------------------------------------


def _add_body(scene: PlaneScene, body: str) -> None:
    """Add a body as its shape, or as a hub, a bar or a plate around its points."""
    if scene.view.mechanism.body[body].shape is not None:
        add_outline(scene, body, 0.0 if body == scene.view.mechanism.frame else BACK)
        return
    points = _raised(scene, body, scene.view.points(body))
    plate, bar = scene.tones(body)
    flat = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    is_plate = len(points) > 2 and flat[1] > 0.01 * flat[0]
    fill, level = (plate, BACK) if is_plate else (bar, BAR)
    scene.plate(body, rounded(points, scene.r), f"body {body}", fill, level)


# --- joints ----------------------------------------------------------------------------------


def _add_nothing(scene: PlaneScene, joint: Joint) -> None:
    """Free bodies have no sign but that of their drivers."""


def _add_pin(scene: PlaneScene, joint: Joint) -> None:
    """Add a revolute joint as a pin, on the frame with a foot."""
    at, gid, r = scene.view.ends(joint)[1], f"joint {joint.name}", scene.r
    frame = scene.view.mechanism.frame
    if frame in joint.bodies:
        corners = at + r * np.array([[0.0, 0.0], [-1.5, -2.4], [1.5, -2.4]])
        scene.area(frame, corners, gid, Tone("gray", 0.75), FOOT)
        scene.hatched(at + r * np.array([-2.5, -2.4]), at + r * np.array([2.5, -2.4]), gid, FOOT)
        scene.outlines.append(at + r * np.array([[-2.5, 0.0], [-2.5, -3.3], [2.5, -3.3], [2.5, 0.0]]))
        scene.area(frame, at + 0.2 * r * ROUND, gid, INKED, PIN + 1)
    scene.area(joint.bodies[1], at + 0.62 * r * ROUND, gid, level=PIN)
    scene.mark_range(joint, arc(scene.view, joint, np.zeros(2), r), END)


def _add_slide(scene: PlaneScene, joint: Joint) -> None:
    """Add a block on its guide, or the tube and the rod of two moving bodies."""
    view, r, gid = scene.view, scene.r, f"joint {joint.name}"
    axis = view.frame(joint)[:, 0]
    ends, frame = view.ends(joint), view.mechanism.frame
    if frame in joint.bodies:
        side = 1 - joint.bodies.index(frame)
        body = joint.bodies[side]
        at, guide = guided(view, joint, r)
        rod = _raised(scene, body, np.array([ends[side], at]))
        scene.plate(body, rounded(rod, 0.6 * r), gid, scene.tones(body)[1], BAR)
        _add_block(scene, body, at, axis, gid)
        _add_guide(scene, guide[0], guide[1], gid)
        scene.mark_range(joint, stops(frame, span(view, joint), at, (2.0 * side - 1.0) * axis, 2.2 * r, r), BLOCK)
        return
    tubed, sliding = joint.bodies
    fills = [scene.tones(body)[1] for body in joint.bodies]
    first, second = (view.far_end(joint, side, axis) for side in (0, 1))
    away, (low, high) = float((second - first) @ axis), view.travel.get(joint.name, (0.0, 0.0))
    if abs(away) < 5.0 * r:
        _add_block(scene, tubed, ends[1], axis, gid)
        low, high = travel(view, joint, (0.0, 0.0))
        rod = ends[1] + np.outer([-5.0 * r - high, 5.0 * r - low], axis)
        scene.plate(sliding, rounded(rod, 0.5 * r), gid, fills[1], BLOCK + 1)
        scene.mark_range(joint, stops(sliding, span(view, joint), ends[1], -axis, 2.2 * r, r), BLOCK + 1)
        return
    way = np.sign(away) * axis
    spans = sorted(abs(away + change) for change in (low, high))
    lengths = telescope(spans[0], spans[1], r)
    rod = np.array([second, second - lengths.rod * way])
    scene.plate(sliding, rounded(rod, 0.5 * r), gid, fills[1], BAR)
    if lengths.stage:
        middle = 0.5 * (first + lengths.tube * way + rod[1])
        stage = middle + np.outer([-0.5 * lengths.stage, 0.5 * lengths.stage], way)
        key = f"stage {joint.name}"
        scene.ends[key] = joint_ends(view, joint)
        scene.plate(tubed, _strip(stage, 0.8 * r), gid, fills[0].lighter(0.3), BAR + 0.5, owner=key)
    scene.plate(tubed, _strip(np.array([first, first + lengths.tube * way]), 1.15 * r), gid, fills[0], BAR + 1)
    scene.mark_range(joint, stroke(view, joint, axis, r), FOOT)


def _strip(ends: Array, half: float) -> Array:
    """Corners of a strip of a line between two points."""
    along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    across = half * np.array([-along[1], along[0]])
    return np.array([ends[0] + across, ends[1] + across, ends[1] - across, ends[0] - across])


def guided(view: Configuration, joint: Joint, r: float) -> tuple[Array, Array]:
    """Where the block of a slide on the frame is, beside the roller of its body, and the ends of its guide."""
    side, axis = 1 - joint.bodies.index(view.mechanism.frame), view.frame(joint)[:, 0]
    body, at = joint.bodies[side], view.ends(joint)[side]
    followed = [other for other in view.mechanism.joints_of[body] if other.type == "L" and other.bodies[1] == body]
    for other in followed:
        away = np.sign((at - view.at(other.bodies[0], view.geometry.origins[other.bodies[0]])) @ axis) or 1.0
        at = at + away * (float(other.radius or 0.0) + 6.0 * r) * axis
    low, high = travel(view, joint, (-3.0 * r, 3.0 * r), 2.0 * side - 1.0)
    return at, at + np.outer([low - 3.6 * r, high + 3.6 * r], axis)


def _add_block(scene: PlaneScene, body: str, at: Array, axis: Array, gid: str) -> None:
    across = np.array([-axis[1], axis[0]])
    corners = np.array([[-2.2, -1.4], [2.2, -1.4], [2.2, 1.4], [-2.2, 1.4]]) * scene.r
    scene.plate(body, at + corners @ np.array([axis, across]), gid, scene.tones(body)[1], BLOCK)


def _add_guide(scene: PlaneScene, start: Array, stop: Array, gid: str) -> None:
    """Add a hatched line under a block, on the side away from the mechanism."""
    r, along = scene.r, (stop - start) / np.linalg.norm(stop - start)
    across = np.array([along[1], -along[0]])
    right = scene.view.under(start, across)
    if right @ across < 0.0:
        start, stop = stop, start
    scene.hatched(start + 1.5 * r * right, stop + 1.5 * r * right, gid, 0.0)
    scene.outlines.append(np.array([start, stop, stop + 2.6 * r * right, start + 2.6 * r * right]))


def _add_slot(scene: PlaneScene, joint: Joint) -> None:
    """Add a pin in a slot of the first body."""
    at, axis, gid = scene.view.ends(joint)[1], scene.view.frame(joint)[:, 0], f"joint {joint.name}"
    low, high = travel(scene.view, joint, (0.0, 0.0))
    slot = rounded(at + np.outer([low - 4.0 * scene.r, high + 4.0 * scene.r], axis), 0.9 * scene.r)
    body = joint.bodies[0]
    scene.plate(body, slot, gid, level=BLOCK, edge=scene.tones(body)[1], width=2.5)
    scene.area(joint.bodies[1], at + 0.62 * scene.r * ROUND, gid, level=PIN)
    scene.mark_range(joint, stops(body, span(scene.view, joint), at, axis, 0.62 * scene.r, scene.r), BLOCK)


# --- wheels and cams -------------------------------------------------------------------------


def _add_wheels(scene: PlaneScene, joint: Joint) -> None:
    """Add the pitch circles of gears, or a wheel on its line, with spokes that show how they turn."""
    view, gid, sizes = scene.view, f"joint {joint.name}", wheels(scene.view, joint)
    for side, (center, size) in enumerate(zip(view.ends(joint), sizes, strict=True)):
        body = joint.bodies[side]
        if size <= 0.0:
            _add_track(scene, joint, sizes[1])
            continue
        ring = joint.type == "EPI" and size == max(sizes)
        fill, level = PAPERED if ring else scene.tones(body)[0].lighter(0.5), WHEEL - 0.5 * ring
        scene.plate(body, center + size * ROUND, gid, fill, level - 1.5)
        spoke = center + np.outer([0.0, size], view.poses[body][0][:, 0])
        scene.line(body, spoke, gid, INKED.lighter(0.45), level - 1.4, width=1.0)


def _add_track(scene: PlaneScene, joint: Joint, wheel: float) -> None:
    """Add the line on which a wheel rolls, as far as it goes."""
    axes, body = scene.view.frame(joint), joint.bodies[0]
    low, high = scene.view.travel.get(joint.name, (0.0, 0.0))
    reach = max(8.0 * scene.r, 1.4 * wheel)
    track = scene.view.ends(joint)[1] - wheel * axes[:, 1] + np.outer([low - reach, high + reach], axes[:, 0])
    scene.line(body, track, gid=f"joint {joint.name}", edge=scene.tones(body)[1], level=WHEEL, width=2.0)


def _add_cam(scene: PlaneScene, joint: Joint) -> None:
    """Add the curves of a cam, and the roller or flat face that touches them."""
    view, r, gid = scene.view, scene.r, f"joint {joint.name}"
    for side, curve in enumerate(curves(joint)):
        body, points = joint.bodies[side], flank(view, joint, side)
        if curve.closed:
            scene.plate(body, points, gid, scene.tones(body)[0], BACK)
        else:
            scene.line(body, points, gid, scene.tones(body)[1], WHEEL, width=3.0)
    (at, along, away), follower = touched(view, joint), joint.bodies[1]
    if joint.radius:
        scene.plate(follower, at + joint.radius * ROUND, gid, level=BAR - 0.5)
        scene.area(follower, at + 0.62 * r * ROUND, gid, level=PIN)
    elif joint.follower == "face":
        reach = 3.0 * r * np.array([-1.0, 1.0]) + contacts_on_face(view, joint)
        scene.line(follower, at + np.outer(reach, along), gid, level=BLOCK, width=3.0)
    elif is_edge(joint):
        corners = (EDGE - 1.0 / EDGE) * away + np.outer([-1.0, 1.0], math.sqrt(1.0 - 1.0 / EDGE**2) * along)
        scene.plate(follower, at + r * np.array([0.0 * away, *corners]), gid, level=BAR - 0.5)


def is_edge(joint: Joint) -> bool:
    """Whether the follower of a cam is a knife edge."""
    return isinstance(joint.curve, CamCurve) and joint.curve.follower.kind == "edge" and not joint.follower


def touched(view: Configuration, joint: Joint) -> tuple[Array, Array, Array]:
    """The point of the follower of a cam, and unit vectors along its face or across its edge, and away from the cam."""
    turned = 0.0 if joint.follower else view.geometry.joints[joint.name].reference[1]  # from the tangent
    at, (along, away) = view.ends(joint)[1], (view.frame(joint, 1) @ turn(2, -turned)[:2, :2]).T
    side = (at - view.at(joint.bodies[0], view.geometry.origins[joint.bodies[0]])) @ away
    return at, along, away if side >= 0.0 else -away


def contacts_on_face(view: Configuration, joint: Joint) -> Array:
    """Where a cam touches a flat face first and last, along it from its point, m: in the motion, and in a turn."""
    at, along, _ = touched(view, joint)
    curve, body = joint.curve, joint.bodies[0]
    found = [0.0, *view.travel.get(joint.name, ())]
    if curve is not None and curve.closed:
        center = view.geometry.origins[body]
        points, ways = (along_curve(curve, order) for order in (0, 1))
        ahead = ((points - center) * ways).sum(axis=1) / np.linalg.norm(ways, axis=1)  # of the axis of the cam
        found += [*(ahead + (view.at(body, center) - at) @ along)]
    return np.array([min(found), max(found)])


def _raised(scene: PlaneScene, body: str, points: Array) -> Array:
    """Points (k, 2) of a body, those that touch a cam so far away from it that the body only reaches it there."""
    for joint in scene.view.mechanism.joints_of[body]:
        if joint.type == "L" and joint.bodies[1] == body and (joint.follower == "face" or is_edge(joint)):
            at, _, away = touched(scene.view, joint)
            near = np.linalg.norm(points - at, axis=1) <= COINCIDENT * scene.view.geometry.size
            points = points + np.outer(near, (EDGE if is_edge(joint) else 1.0) * scene.r * away)
    return points


def _add_contact(scene: PlaneScene, load: Contact) -> None:
    """Add what touches: terrains and lines, outlines and the circle."""
    for body, points, closed in touching(scene.view, load):
        tones, gid = scene.tones(body), f"contact {load.name}"
        if closed:
            scene.plate(body, points, gid, tones[0], BACK)
        else:
            scene.line(body, points, gid, tones[1], WHEEL, width=2.0)


def touching(view: Configuration, load: Contact) -> list[tuple[str, Array, bool]]:
    """The body and the points (k, 2) of each shape of a contact where it is, and whether it is closed."""
    found = []
    for body, shape in zip(load.between, load.shapes, strict=False):
        if isinstance(shape, Curve):
            found.append((body, view.at(body, along_curve(shape)), shape.closed))
        else:
            points = np.array([view.mechanism.locate(at, load.name) for at in shape])
            found.append((body, view.at(body, points), False))
    if load.point is not None and load.radius:
        center = view.mechanism.locate(load.point, load.name)
        found.append((load.between[1], view.at(load.between[1], center + load.radius * ROUND), True))
    return found


def along_curve(curve: Curve, order: int = 0) -> Array:
    """Points (400, 2) of a curve, or derivatives of that order."""
    return np.asarray(curve.spline(np.linspace(curve.breaks[0], curve.breaks[-1], 400), order))


def curves(joint: Joint) -> list[Any]:
    """The curves of a cam."""
    return [curve for curve in (joint.curve, *(joint.curves or ())) if curve is not None]


def flank(view: Configuration, joint: Joint, side: int) -> Array:
    """Points (400, 2) of the curve of a cam where it is."""
    return view.at(joint.bodies[side], along_curve(curves(joint)[side]))


def _add_rod(scene: PlaneScene, joint: Joint) -> None:
    """Add a rod between two points, which is no body of its own, or a rope as a thin line."""
    ends, gid, key = scene.view.ends(joint), f"joint {joint.name}", f"rod {joint.name}"
    scene.ends[key] = joint_ends(scene.view, joint)
    if joint.rope:
        scene.line(joint.bodies[0], ends, gid, INKED.lighter(0.2), BAR, owner=key)
        return
    scene.plate(joint.bodies[0], rounded(ends, 0.45 * scene.r), gid, Tone("gray", 0.7), BAR, owner=key)


SHAPES = {
    "R": _add_pin,
    "P": _add_slide,
    "CR": _add_slot,
    "EO": _add_wheels,
    "EPI": _add_wheels,
    "RP": _add_wheels,
    "RW": _add_wheels,
    "L": _add_cam,
    "RD": _add_rod,
    "SPSP": _add_rod,
}
"""What adds the shapes of pairs."""


# --- drivers ---------------------------------------------------------------------------------


def _add_driver(scene: PlaneScene, joint: Joint, freedom: int) -> None:
    """Mark a driven freedom in bold ink: an arc about its axis, or an arrow along it, in the sense of its rate."""
    view, r, gid = scene.view, scene.r, f"driver {joint.name}"
    side = 0 if joint.bodies[1] == view.mechanism.frame else 1
    at, move, body = view.ends(joint)[side], view.mechanism.freedoms(joint)[freedom], joint.bodies[side]
    law = view.mechanism.driven[joint.name][freedom].law
    rate = float(law.at(np.array([view.time or 0.0]))[1, 0]) if law is not None else 1.0
    sense = (1.0 if rate >= 0.0 else -1.0) * (1.0 if side else -1.0)
    if move.rotation:
        if joint.type not in FREE:
            body = joint.bodies[1 - side]
        angles = np.linspace(-0.35, 1.15, 40) * np.pi
        arc = at + 2.5 * r * np.stack([np.cos(angles), np.sin(angles)], axis=1)[:: 1 if sense > 0 else -1]
        scene.line(body, arc[:-2], gid, level=MARK, width=2.6, butt=True)
        direction = (arc[-1] - arc[-3]) / np.linalg.norm(arc[-1] - arc[-3])
        scene.arrow_head(body, arc[-1] + 0.9 * r * direction, direction, 1.6 * r, gid)
        scene.outlines.append(at + 2.6 * r * ROUND)
        return
    axis = sense * view.frame(joint)[:, move.axis]
    start = at + 2.3 * r * np.array([-axis[1], axis[0]]) if joint.type == "P" else at
    scene.line(body, np.array([start - 2.5 * r * axis, start + 2.0 * r * axis]), gid, level=MARK, width=2.6)
    scene.arrow_head(body, start + 3.6 * r * axis, axis, 1.8 * r, gid)
    scene.outlines.append(rounded(np.array([start - 2.5 * r * axis, start + 3.6 * r * axis]), 0.6 * r))
