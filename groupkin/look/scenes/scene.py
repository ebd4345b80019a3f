"""What stills, films and pages are made of: shapes that move with bodies, in tones of ink and of groups.

An *owner* is what moves a shape: ``body NAME``, or, where no body does, what lies between two points of bodies:

- ``rod NAME`` of a joint and ``tube NAME`` of a damper begin at the first point and lead toward the second, ``piston
  NAME`` ends at the second in the same direction,
- ``stage NAME`` stays halfway between them and turns with the first body,
- ``spring NAME`` is stretched from the first to the second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from groupkin.kinematics.motion.motion import Motion
from groupkin.look.names import merged
from groupkin.look.palette import FRAME, GRAY, INK, PAPER, group_color, mixed
from groupkin.look.scenes.configurations import Configuration
from groupkin.mechanism.mechanism import Joint
from groupkin.tolerances import COINCIDENT
from sglibrary.array_types import Array, Ints

NEUTRAL = {"ink": INK, "gray": GRAY, "frame": FRAME, "paper": PAPER}

SPRING = "spring"
"""Kind of an owner that is stretched."""

SHORTEST = 1e-6
"""Least length of a spring, relative to that at which it is not stretched, so that it has an inverse."""

ROLLING = ("RP", "RW")
"""Pairs of a wheel and the line on which it rolls."""


@dataclass(frozen=True)
class Tone:
    """A color mixed with a share of paper; what is light and what is dark is left to who paints.

    Attributes
    ----------
    base : int or str
        Number of a group, or one of `NEUTRAL`.
    share : float
        Of paper, 0 to 1.
    """

    base: int | str
    share: float = 0.0

    def lighter(self, share: float) -> Tone:
        """Mix it with a share of paper."""
        return replace(self, share=1.0 - (1.0 - self.share) * (1.0 - share))

    @property
    def hex(self) -> str:
        """On white paper."""
        color = NEUTRAL[self.base] if isinstance(self.base, str) else group_color(self.base)
        return mixed(color, self.share)


INKED, PAPERED = Tone("ink"), Tone("paper")


@dataclass(frozen=True)
class Shape:
    """An area or a line in the plane.

    Attributes
    ----------
    owner, gid : str
        What moves it, and what it shows.
    points : (k, 2) array
        Its outline, or its lines with NaN between them, m.
    fill : Tone, optional
        Of an area.
    edge : Tone, optional
        Of its outline, or of the line.
    width : float
        Of lines, points (1/72 inch).
    level : float
        What lies above what.
    butt : bool
        Whether a line ends without a cap.
    """

    owner: str
    gid: str
    points: Array
    fill: Tone | None = None
    edge: Tone | None = None
    width: float = 1.2
    level: float = 0.0
    butt: bool = False


@dataclass(frozen=True)
class Solid:
    """A solid in space.

    Attributes
    ----------
    owner, gid : str
        What moves it, and what it shows.
    kind : str
        Of bodies: "hub", a ball; "bar" and, behind the tube it slides in, "rod", round at their ends; "tube", flat at
        them, on the "rail" of the frame; "plate" within its "rim"; "hull" around points. Of joints: "ball", "socket"
        (a light ball), "barrel", "pin", "disk" and "cone" of a foot, "wheel" by its center and two radii, with a
        "spoke", "pitch cone" by these and its apex. "arrow" marks a driver by a line with a head, "arrow beside" one
        that is to be drawn somewhat beside. Of ranges: "stop", a disk between two points; "line"; "dot", a ball.
        Of springs: "coil", a wire. Of shapes: "surface".
    points : (k, 3) array
        m.
    size : float
        Radius, or length of the head of an arrow, m.
    tone : Tone
    lift : float
        How much nearer to who looks it is drawn, so that nothing hides it, m.
    at : (3,) array, optional
        Of a joint: its place; it is drawn in front of the bars that end there. Of a rod: the middle of its tube.
    faces : (m, 3) array of int, optional
        Of a surface: its triangles of points.
    """

    owner: str
    gid: str
    kind: str
    points: Array
    size: float
    tone: Tone
    lift: float = 0.0
    at: Array | None = None
    faces: Ints | None = None


def owner(body: str) -> str:
    """The owner of shapes that move with a body."""
    return f"body {body}"


def is_stretched(key: str) -> bool:
    """Whether an owner is stretched between two points."""
    return key.partition(" ")[0] == SPRING


def radius(view: Configuration, of_size: float, of_body: float) -> float:
    """Radius of joints that suits the size of a mechanism and of its bodies, m."""
    spans = [np.linalg.norm(np.ptp(view.points(body), axis=0)) for body in view.mechanism.movable]
    spans = [span for span in spans if span > 1e-6 * view.geometry.size]
    return float(min([of_size * view.geometry.size, *([of_body * np.median(spans)] if spans else [])]))


def names(view: Configuration, r: float) -> list[tuple[list[str], Array]]:
    """Names with their places: of joints and free points, driven joints first, or of bodies."""
    mechanism = view.mechanism
    if view.names == "bodies":
        return merged([(body, view.points(body).mean(axis=0)) for body in mechanism.movable], 0.5 * r)
    ordered = sorted(mechanism.joints, key=lambda joint: joint.name not in mechanism.driven)
    listed = [((joint.of or joint).name, _place(view, joint)) for joint in ordered]
    return merged([*listed[: len(mechanism.driven)], *view.free_points.items(), *listed], 0.5 * r)


def _place(view: Configuration, joint: Joint) -> Array:
    """Where a joint is: between the centers of gears, on its second body else."""
    ends = view.ends(joint)
    if joint.radii is not None:
        return np.asarray(ends[0] + (ends[1] - ends[0]) * joint.radii[0] / sum(joint.radii))
    return np.asarray(ends[1])


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


def pitch_cones(view: Configuration, joint: Joint) -> tuple[Array, list[tuple[Array, float]]] | None:
    """Find the pitch cones of bevel gears, which roll on each other about the point where their axes meet.

    Returns
    -------
    (3,) array
        Their apex.
    list of ((3,) array, float)
        The center and the radius of the pitch circle of each, of common slant, that no center is beyond its circle.

    None is returned for other gears: of parallel and of skew axes, and where both axes do not lead away from the apex.
    """
    if joint.type != "EO" or joint.radii is None or view.mechanism.dimension == 2:
        return None
    ends, (one, two) = view.ends(joint), (view.frame(joint, side)[:, 2] for side in (0, 1))
    normal, apart = np.cross(one, two), ends[1] - ends[0]
    sine, cosine = float(np.linalg.norm(normal)), float(one @ two)
    if sine < 1e-6 or abs(apart @ normal) > 1e-6 * sine * view.geometry.size:
        return None
    ways = np.linalg.lstsq(np.stack([-one, two], axis=1), apart, rcond=None)[0]  # from the apex to the centers
    apex, (first, second) = ends[0] - ways[0] * one, joint.radii
    angles = np.arctan2(sine, (second / first + cosine, first / second + cosine))
    if ways[0] * ways[1] <= 0.0 or np.cos(angles).min() < 1e-3:
        return None
    slant = float((np.abs(ways) / np.cos(angles)).min()) * np.sign(ways[0])
    spans = zip((one, two), angles, strict=True)
    return apex, [(apex + slant * np.cos(angle) * axis, float(abs(slant) * np.sin(angle))) for axis, angle in spans]


@dataclass(frozen=True)
class Telescope:
    """Lengths of a slide between two moving bodies, along the way from the end of the first to that of the second, m.

    The tube begins at the first end and the rod at the second; a middle stage lies halfway between them if they do
    not reach each other.
    """

    tube: float
    rod: float
    stage: float


def telescope(low: float, high: float, r: float) -> Telescope:
    """Choose lengths with which a slide is never torn apart while its ends are from `low` to `high` apart.

    Examples
    --------
    >>> telescope(1.0, 1.2, 0.01)
    Telescope(tube=0.6, rod=0.9, stage=0.0)
    """
    rod = 0.9 * low
    tube = max(0.6 * low, min(high - rod + 3.0 * r, 0.86 * low))
    gap = high - rod - tube
    return Telescope(tube, rod, gap + 0.3 * low if gap > -1e-9 * low else 0.0)


def rod_pose(ends: Array) -> tuple[Array, Array]:
    """Rotation (..., d, d) and shift (..., d) of what leads from the first of two points (..., 2, d) to the second."""
    along = ends[..., 1, :] - ends[..., 0, :]
    x = along / np.maximum(np.linalg.norm(along, axis=-1, keepdims=True), 1e-300)
    if ends.shape[-1] == 2:
        y = np.stack([-x[..., 1], x[..., 0]], axis=-1)
        return np.stack([x, y], axis=-1), ends[..., 0, :]
    least = np.eye(3)[np.abs(x).argmin(axis=-1)]
    y = np.cross(least, x)
    y /= np.maximum(np.linalg.norm(y, axis=-1, keepdims=True), 1e-300)
    return np.stack([x, y, np.cross(x, y)], axis=-1), ends[..., 0, :]


@dataclass(frozen=True)
class Between:
    """Two points of bodies, between which a rod, a stage or a spring lies.

    Attributes
    ----------
    bodies : (str, str)
    points : (2, d) array
        In coordinates of the bodies, m.
    along : (d,) array
        From the first to the second in coordinates of the first body, m, where a spring is not stretched.
    """

    bodies: tuple[str, str]
    points: Array
    along: Array


def between(view: Configuration, bodies: tuple[str, str], points: Array) -> Between:
    """Describe what lies between two points, given in coordinates of their bodies; it is not stretched here."""
    first, second = (view.at(body, point) for body, point in zip(bodies, points, strict=True))
    along = (second - first) @ view.poses[bodies[0]][0]
    if np.linalg.norm(along) <= COINCIDENT * view.geometry.size:
        along = view.geometry.size * np.eye(len(along))[0]
    return Between(bodies, np.asarray(points), along)


def joint_ends(view: Configuration, joint: Joint) -> Between:
    """Describe what lies between the two points of a joint."""
    return between(view, (joint.bodies[0], joint.bodies[1]), np.array(view.geometry.joints[joint.name].points))


Pose = tuple[Array, Array]
"""Rotation (..., d, d), of a spring with a stretched first column, and shift (..., d), m."""


def owner_poses(
    keys: Iterable[str], ends: Mapping[str, Between], at: Callable[..., Array], turned: Callable[[str], Array]
) -> dict[str, Pose]:
    """Poses of owners, in a configuration or at all steps of a motion.

    Parameters
    ----------
    keys : iterable of str
    ends : mapping of str to Between
        Of owners that are no bodies.
    at, turned : callable
        Place a point of a body, and tell its rotation; `Configuration.at` and `Motion.point_on` are such.
    """
    found = {}
    for key in keys:
        kind, _, name = key.partition(" ")
        if kind == "body":
            turn = turned(name)
            found[key] = turn, at(name, np.zeros(turn.shape[-1]))
            continue
        link = ends[key]
        places = [at(body, point) for body, point in zip(link.bodies, link.points, strict=True)]
        found[key] = _moved_pose(kind, np.stack(places, axis=-2), turned(link.bodies[0]), link.along)
    return found


def poses_in(view: Configuration, keys: Iterable[str], ends: Mapping[str, Between]) -> dict[str, Pose]:
    """Poses of owners in a configuration."""
    return owner_poses(keys, ends, view.at, lambda body: view.poses[body][0])


def poses_during(motion: Motion, keys: Iterable[str], ends: Mapping[str, Between]) -> dict[str, Pose]:
    """Poses of owners at all steps of a motion."""
    return owner_poses(keys, ends, motion.point_on, motion.rotation)


def _moved_pose(kind: str, ends: Array, first: Array, along: Array) -> Pose:
    """Pose of what lies between two points (..., 2, d), of which the first is on a body with a rotation."""
    if kind == "stage":
        return first, ends.mean(axis=-2)
    turn, shift = rod_pose(ends)
    if kind == SPRING:
        turn = _stretched(turn, ends, first, along)
    return turn, ends[..., 1, :] if kind == "piston" else shift


def _stretched(turn: Array, ends: Array, first: Array, along: Array) -> Array:
    """Stretch axes (..., d, d) along the first of them, about which they do not spin relative to the first body."""
    length = float(np.linalg.norm(along))
    if len(along) == 3:
        still = rod_pose(np.array([0.0 * along, along]))[0]
        turn = _least_turn(first @ (along / length), turn[..., 0]) @ first @ still
    far = np.linalg.norm(ends[..., 1, :] - ends[..., 0, :], axis=-1) / length
    stretch = np.ones((*far.shape, 1, len(along)))
    stretch[..., 0, 0] = np.maximum(far, SHORTEST)
    return np.asarray(turn * stretch)


def _least_turn(one: Array, other: Array) -> Array:
    """Rotations (..., 3, 3) by the least angle that turn unit vectors (..., 3) into others.

    With v = one × other and c = one · other it is 1 + [v] + [v]² / (1 + c) (Rodrigues).
    """
    v, c = np.cross(one, other), (one * other).sum(axis=-1)
    cross = np.swapaxes(np.cross(v[..., None, :], np.eye(3)), -1, -2)
    return np.asarray(np.eye(3) + cross + cross @ cross / np.maximum(1.0 + c, SHORTEST)[..., None, None])


def local(part: Any, poses: Mapping[str, Pose]) -> Array:
    """Points (k, d) of a shape or a solid in the coordinates of its owner."""
    turn, shift = poses[part.owner]
    away = part.points - shift
    return np.asarray(np.linalg.solve(turn, away.T).T if is_stretched(part.owner) else away @ turn)
