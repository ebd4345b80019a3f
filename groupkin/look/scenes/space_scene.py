"""A mechanism in space as solids: bodies in the colors of their groups, joints in gray, drivers in ink."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from groupkin.look.outlines import ROUND
from groupkin.look.scenes.configurations import FREE, Configuration
from groupkin.look.scenes.scene import (
    INKED,
    PAPERED,
    Between,
    Solid,
    Tone,
    joint_ends,
    owner,
    pitch_cones,
    radius,
    telescope,
    wheels,
)
from groupkin.look.scenes.shapes import add_surface
from groupkin.look.scenes.space_springs import add_springs
from groupkin.look.scenes.springs import slides
from groupkin.look.scenes.stops import Mark, arc, span, stops, stroke, travel
from groupkin.mechanism.mechanism import Joint
from sglibrary.array_types import Array, Ints

OF_SIZE, OF_BODY = 0.014, 0.09
"""Radius of a joint at most, relative to the size of the mechanism and to the median distance of joints of a body."""

UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class SpaceScene:
    """Solids of a mechanism in a configuration.

    Attributes
    ----------
    view : Configuration
    r : float
        Radius that all is a multiple of, m.
    ground : float
        Height on which shadows fall, m.
    solids : list of Solid
    ends : mapping of str to Between
        Of owners that are no bodies.
    """

    view: Configuration
    r: float
    ground: float
    solids: list[Solid] = field(default_factory=list)
    ends: dict[str, Between] = field(default_factory=dict)

    def add(self, body: str, gid: str, kind: str, points: Array, size: float, tone: Tone, **more: Any) -> None:
        """Add a solid that moves with a body; size and lift in multiples of r."""
        lift = self.r * more.pop("lift", 0.0)
        key = more.pop("owner", owner(body))
        self.solids.append(Solid(key, gid, kind, np.asarray(points), size * self.r, tone, lift, **more))

    def mark_range(self, joint: Joint, marks: Sequence[Mark], at: Array | None = None) -> None:
        """Add what shows the range of a joint; about a pin, whose place is given, it is in front of the bars there."""
        for body, kind, points in marks:
            size, lift = {"stop": (1.25, 1.2), "line": (0.13, -1.0), "dot": (0.4, 0.0)}[kind]
            lift = lift if at is None else 3.0
            self.add(body, f"range {joint.name}", kind, points, size, Tone("gray", 0.3), lift=lift, at=at)

    def tone(self, body: str) -> Tone:
        """The tone of a body."""
        number, _ = self.view.color(body)
        return Tone(number, 0.15) if number else Tone("gray", 0.4)


def space_scene(view: Configuration) -> SpaceScene:
    """Make the solids of a mechanism in space in a configuration."""
    everything = np.concatenate([view.points(body) for body in view.mechanism.body])
    r = radius(view, OF_SIZE, OF_BODY)
    scene = SpaceScene(view, r, float(everything[:, 2].min()) - 4.5 * r)
    for body in view.shown:
        _add_body(scene, body)
    sliding = [joint for joint in view.mechanism.joints if slides(view, joint)]
    for joint in sliding:
        _add_slide(scene, joint, view.frame(joint)[:, 2])
    for joint in view.mechanism.joints:
        if joint not in sliding and joint.type not in FREE:
            _add_joint(scene, joint)
    add_springs(scene)
    _add_road_wheels(scene)
    for name, drivers in view.mechanism.driven.items():
        for k in drivers:
            _add_driver(scene, view.mechanism.joint[name], k)
    return scene


# --- bodies ----------------------------------------------------------------------------------


def _add_body(scene: SpaceScene, body: str) -> None:
    """Add a body: its shape, a hub, a bar, a plate with a rim, or bars along the shortest tree of its points."""
    if scene.view.mechanism.body[body].shape is not None:
        add_surface(scene, body)
        return
    points, gid, tone = scene.view.points(body), f"body {body}", scene.tone(body)
    if len(points) == 1:
        scene.add(body, gid, "hub", points, 1.0, tone)
        return
    middle = points.mean(axis=0)
    _, spread, axes = np.linalg.svd(points - middle)
    if len(points) == 2 or spread[1] < 0.01 * spread[0]:
        if any(_fills(scene, joint) for joint in scene.view.mechanism.joints_of[body] if joint.bodies[1] == body):
            return  # it is the rod of its slide
        along = (points - middle) @ axes[0]
        scene.add(body, gid, "bar", points[[along.argmin(), along.argmax()]], 1.0, tone)
        return
    if len(points) == 3 or spread[2] < 0.03 * spread[0]:
        from scipy.spatial import ConvexHull

        rim = points[ConvexHull((points - middle) @ axes[:2].T).vertices]
        scene.add(body, gid, "plate", rim, 0.5, tone)
        for edge in np.stack([rim, np.roll(rim, 1, axis=0)], axis=1):
            scene.add(body, gid, "rim", edge, 0.8, tone, lift=1e-3)
        return
    scene.add(body, gid, "hull", points, 0.3, tone)
    for edge in points[_shortest_tree(points)]:
        scene.add(body, gid, "bar", edge, 0.8, tone, lift=1e-3)


def _shortest_tree(points: Array) -> Ints:
    """Pairs of points (k, 2), by number, that join all of them by the shortest bars."""
    from scipy.sparse.csgraph import minimum_spanning_tree
    from scipy.spatial.distance import cdist

    return np.array(minimum_spanning_tree(cdist(points, points)).nonzero()).T


# --- joints ----------------------------------------------------------------------------------


def _add_joint(scene: SpaceScene, joint: Joint) -> None:
    """Add the neutral sign of a joint before the bars that end there, and its foot on the frame."""
    view, r, gid = scene.view, scene.r, f"joint {joint.name}"
    ends, body = view.ends(joint), joint.bodies[1]
    at, axis = ends[1], view.frame(joint)[:, 2]
    if view.mechanism.frame in joint.bodies:
        _add_foot(scene, ends[joint.bodies.index(view.mechanism.frame)], gid)
    _add_wheels(scene, joint)
    if joint.type in ("SPSP", "RD"):
        _add_rod(scene, joint)
    elif view.mechanism.form(joint).hinge:
        barrel = at + np.outer([-1.2 * r, 1.2 * r], axis)
        scene.add(body, gid, "barrel", barrel, 1.05, Tone("ink", 0.35), lift=1.5, at=at)
        for side in (-1.0, 1.0):
            pin = at + np.outer([1.2 * r * side, 1.9 * r * side], axis)
            scene.add(body, gid, "pin", pin, 0.5, PAPERED, lift=2.6, at=at)
        scene.mark_range(joint, arc(view, joint, axis, r), at)
    elif joint.type in ("U", "ER"):
        scene.add(body, gid, "ball", at[None], 0.9, Tone("ink", 0.2), lift=1.5, at=at)
        for side in (0, 1):
            cross = at + np.outer([-1.5 * r, 1.5 * r], view.frame(joint, side)[:, 2])
            gray = Tone("ink", 0.2 + 0.4 * side)
            scene.add(joint.bodies[side], gid, "barrel", cross, 0.38, gray, lift=2.5, at=at)
    elif joint.radii is None:
        scene.add(body, gid, "socket", at[None], 1.25, Tone("frame", 0.8), lift=1.5, at=at)


def _add_rod(scene: SpaceScene, joint: Joint) -> None:
    """Add a rod between two balls, which is no body of its own, or a rope as a thin line."""
    gid, key, ends = f"joint {joint.name}", f"rod {joint.name}", scene.view.ends(joint)
    scene.ends[key] = joint_ends(scene.view, joint)
    size, tone = (0.2, Tone("ink", 0.3)) if joint.rope else (0.7, Tone("gray", 0.4))
    scene.add(joint.bodies[0], gid, "line" if joint.rope else "bar", ends, size, tone, owner=key)
    for body, at in zip(joint.bodies, ends, strict=True):
        scene.add(body, gid, "socket", at[None], 1.25, Tone("frame", 0.8), lift=1.5, at=at)


def _add_wheels(scene: SpaceScene, joint: Joint) -> None:
    """Add the pitch circles or cones of gears, or a wheel, with spokes that show how they turn."""
    view, gid, cones = scene.view, f"joint {joint.name}", pitch_cones(scene.view, joint)
    circles = cones[1] if cones else list(zip(view.ends(joint), wheels(view, joint), strict=True))
    for side, (center, size) in enumerate(circles):
        if size > 0.0:
            body, axes = joint.bodies[side], view.frame(joint, side)
            corners = center + np.array([np.zeros(3), size * axes[:, 0], size * axes[:, 1]])
            if cones:
                scene.add(body, gid, "pitch cone", np.vstack([corners, cones[0]]), 0.3, scene.tone(body))
            else:
                scene.add(body, gid, "wheel", corners, 0.3, scene.tone(body))
            scene.add(body, gid, "spoke", corners[:2], 0.1, scene.tone(body).lighter(0.2), lift=0.1)


def _add_road_wheels(scene: SpaceScene) -> None:
    """Add the circles on which the wheels of suspensions stand, unless their carriers have shapes of their own."""
    view = scene.view
    for suspension in view.mechanism.suspensions:
        body, _ = view.geometry.points[suspension.center]
        if view.mechanism.body[body].shape is None:
            center, outward, ground = (
                view.at(*view.geometry.points[name])
                for name in (suspension.center, suspension.axis, suspension.contact)
            )
            axis = (outward - center) / np.linalg.norm(outward - center)
            down = ground - center - ((ground - center) @ axis) * axis
            circle = center + ROUND[[*range(len(ROUND)), 0]] @ np.stack([down, np.cross(axis, down)])
            scene.add(body, f"wheel {suspension.center}", "line", circle, 0.3, Tone("ink", 0.3))


def _add_foot(scene: SpaceScene, at: Array, gid: str) -> None:
    """Add a foot on the frame, below what stands and above what hangs."""
    view, r, frame = scene.view, scene.r, scene.view.mechanism.frame
    middle = np.mean([view.points(body).mean(axis=0) for body in view.mechanism.movable], axis=0)
    hangs = view.points(frame)[:, 2].mean() > middle[2] + 0.1 * view.geometry.size
    base = at + (2.6 if hangs else -2.6) * r * UP
    scene.add(frame, gid, "cone", np.array([base, at]), 1.9, Tone("frame", 0.45), lift=-2.0)
    scene.add(frame, gid, "disk", np.array([base, at]), 1.9, Tone("frame", 0.6 if hangs else 0.1), lift=-2.5)


def _fills(scene: SpaceScene, joint: Joint) -> bool:
    """Whether the second body of a slide goes through all of the tube on the first, as a bar along their axis would."""
    view, axis = scene.view, scene.view.frame(joint)[:, 2]
    if not slides(view, joint) or view.mechanism.frame in joint.bodies:
        return False
    first, second = (view.far_end(joint, side, axis) for side in (0, 1))
    away, (low, high) = float((second - first) @ axis), view.travel.get(joint.name, (0.0, 0.0))
    depth = float((view.ends(joint)[1] - first) @ axis) * np.sign(away)
    return abs(away) >= 5.0 * scene.r and depth + min(np.sign(away) * low, np.sign(away) * high) < scene.r


def _add_slide(scene: SpaceScene, joint: Joint, axis: Array) -> None:
    """Add a sleeve on a rail of the frame, or the tube and the rod of two moving bodies."""
    view, r, gid = scene.view, scene.r, f"joint {joint.name}"
    ends, frame = view.ends(joint), view.mechanism.frame
    if frame in joint.bodies:
        side = 1 - joint.bodies.index(frame)
        low, high = travel(view, joint, (-3.0 * r, 3.0 * r), 2.0 * side - 1.0)
        rail = ends[side] + np.outer([low - 5.0 * r, high + 5.0 * r], axis)
        scene.add(frame, gid, "rail", rail, 0.55, Tone("frame", 0.2))
        sleeve, body = ends[side] + np.outer([-1.5 * r, 1.5 * r], axis), joint.bodies[side]
        scene.add(body, gid, "tube", sleeve, 1.3, scene.tone(body), lift=1.2)
        scene.mark_range(joint, stops(frame, span(view, joint), ends[side], (2.0 * side - 1.0) * axis, 1.5 * r, r))
        return
    tubed, sliding = joint.bodies
    scene.mark_range(joint, stroke(view, joint, axis, r))
    first, second = (view.far_end(joint, side, axis) for side in (0, 1))
    away, (low, high) = float((second - first) @ axis), view.travel.get(joint.name, (0.0, 0.0))
    if abs(away) < 5.0 * r:
        sleeve = ends[1] + np.outer([-2.2 * r, 2.2 * r], axis)
        scene.add(sliding, gid, "tube", sleeve, 1.4, scene.tone(sliding), lift=1.0)
        return
    way = np.sign(away) * axis
    spans = sorted(abs(away + change) for change in (low, high))
    lengths = telescope(spans[0], spans[1], r)
    tube, rod = np.array([first, first + lengths.tube * way]), np.array([second, second - lengths.rod * way])
    middle = tube.mean(axis=0)
    shows = f"body {sliding}" if _fills(scene, joint) else gid
    scene.add(sliding, shows, "rod", rod, 0.6, scene.tone(sliding), lift=-0.1, at=middle)
    if lengths.stage:
        stage = 0.5 * (tube[1] + rod[1]) + np.outer([-0.5 * lengths.stage, 0.5 * lengths.stage], way)
        key = f"stage {joint.name}"
        scene.ends[key] = joint_ends(view, joint)
        scene.add(tubed, gid, "rod", stage, 0.85, scene.tone(tubed), lift=-0.05, at=middle, owner=key)
    scene.add(tubed, gid, "tube", tube, 1.1, scene.tone(tubed))


# --- drivers ---------------------------------------------------------------------------------


def _add_driver(scene: SpaceScene, joint: Joint, freedom: int) -> None:
    """Mark a driven freedom: an arc about its axis, or an arrow along it."""
    view, r, gid = scene.view, scene.r, f"driver {joint.name}"
    side = 0 if joint.bodies[1] == view.mechanism.frame else 1
    move, at, body = view.mechanism.freedoms(joint)[freedom], view.ends(joint)[1], joint.bodies[side]
    axes, free = view.frame(joint), joint.type in FREE
    axis = axes[:, move.axis]
    if not move.rotation:
        path = at + np.outer(np.linspace(0.0 if free else -2.5, 6.0 if free else 3.0, 10), axis) * r
        scene.add(body, gid, "arrow" if free else "arrow beside", path, 1.7, INKED)
        return
    around = np.linspace(-0.3, 1.2, 48)[:, None] * np.pi
    one, two = axes[:, (move.axis + 1) % 3], axes[:, (move.axis + 2) % 3]
    center = at + (4.2 * r if free else 0.0) * axis
    arc = center + (1.3 if free else 2.7) * r * (np.cos(around) * one + np.sin(around) * two)
    scene.add(body if free else joint.bodies[1 - side], gid, "arrow", arc, 1.2 if free else 1.7, INKED)


def ring(center: Array, size: float) -> Array:
    """Points (12, 3) of a level circle."""
    return np.asarray(center + size * np.concatenate([ROUND[::4], np.zeros((12, 1))], axis=1))
