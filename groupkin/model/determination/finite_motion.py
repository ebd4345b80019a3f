"""Finite motions of joined bodies without drivers: the configurations they pass while all joints stay closed.

Velocities alone cannot tell a mechanism that moves from one that only gives way for an instant. So bodies step along a
motion that the rows leave free, and Newton's method closes the joints again, by least squares, as rows may repeat each
other. What is true of the rows in all configurations of such a tour is true of the mechanism.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import Form
from groupkin.model.geometry.coordinates import joint_gap, reference_coordinates, whole_turns
from groupkin.model.geometry.frames import JointGeometry
from groupkin.model.geometry.geometry import Geometry
from groupkin.model.rank.mobility import null_spaces, of_bodies, twists
from groupkin.tolerances import CLOSED_WAY, RANK
from sglibrary.array_types import Array

Poses = dict[str, tuple[Array, Array]]

STRIDE, SMALLEST = 0.15, 0.01
"""Largest turn of a body, rad, or shift relative to the size, in one step, and the smallest that is tried."""

STEPS, WAYS = 24, 6
"""Steps in each direction, and directions from the reference configuration, both ways counted."""


@dataclass(frozen=True)
class Cluster:
    """Bodies joined by some joints; one of them, the base, is taken as fixed.

    The geometry is near the global origin; `shift` (d,), m, is where the user gave it (`near_origin`).
    """

    mechanism: Mechanism
    geometry: Geometry
    shift: Array
    joints: tuple[Joint, ...]
    base: str

    @property
    def bodies(self) -> tuple[str, ...]:
        """All bodies but the base, in order of declaration."""
        ends = {body for joint in self.joints for body in joint.bodies}
        return tuple(body for body in self.mechanism.body if body in ends and body != self.base)

    @property
    def width(self) -> int:
        return 3 if self.mechanism.dimension == 2 else 6

    @property
    def closed(self) -> float:
        """Gap, relative to the size or in rad, below which joints count as closed."""
        rounding = np.finfo(float).eps * float(np.linalg.norm(self.shift)) / self.geometry.size
        return CLOSED_WAY + 8 * rounding

    def at_rest(self) -> Poses:
        """Return the poses of the reference configuration: turn and shift of every body from there."""
        d = self.mechanism.dimension
        return {body: (np.eye(d), np.zeros(d)) for body in (self.base, *self.bodies)}


@dataclass(frozen=True)
class Rows:
    """Rows of all joints in one configuration, as functions of the twists of the bodies.

    Attributes
    ----------
    matrix : (rows, width * bodies) array
    wrenches : tuple of (k, width) array
        The rows of every joint, orthonormal, as functions of its relative twist.
    free : (width * bodies, m) array
        Orthonormal motions that the rows allow.
    stress : (rows, r) array
        Orthonormal combinations of rows that vanish.
    """

    matrix: Array
    wrenches: tuple[Array, ...]
    free: Array
    stress: Array

    def stress_at(self, joint: int) -> Array:
        """Return the wrenches (width, r) that a joint bears in the combinations of rows that vanish."""
        first = sum(len(rows) for rows in self.wrenches[:joint])
        wrenches = self.wrenches[joint]
        return wrenches.T @ self.stress[first : first + len(wrenches)]


def rows(cluster: Cluster, poses: Poses) -> Rows:
    """Compute the rows of the joints of a cluster, without drivers."""
    number = {body: k for k, body in enumerate(cluster.bodies)}
    wrenches, spread = [], [np.zeros((0, cluster.width * len(number)))]
    for joint in cluster.joints:
        allowed = relative_twists(cluster, joint, cluster.geometry.joints[joint.name], poses)
        left, values, _ = np.linalg.svd(allowed)
        locked = left[:, int((values > RANK).sum()) :].T
        wrenches.append(locked)
        spread.append(of_bodies(locked, joint, number))
    matrix = np.concatenate(spread)
    stress, free = null_spaces(matrix, cluster.mechanism.misfit)
    return Rows(matrix, tuple(wrenches), free.T, stress)


def relative_twists(cluster: Cluster, joint: Joint, geometry: JointGeometry, poses: Poses) -> Array:
    """Compute the relative twists (width, freedoms) of a joint in some poses of its bodies."""
    return twists(cluster.mechanism, joint, carried(geometry, joint.bodies, poses), cluster.geometry.size)


def carried(geometry: JointGeometry, bodies: Sequence[str], poses: Poses) -> JointGeometry:
    """Move the frames of a joint with its bodies."""
    turns, shifts = zip(*(poses[body] for body in bodies), strict=True)
    points = np.array([turn @ point + shift for turn, point, shift in zip(turns, geometry.points, shifts, strict=True)])
    frames = np.array([turn @ frame for turn, frame in zip(turns, geometry.frames, strict=True)])
    return replace(geometry, points=points, frames=frames)


def tour(cluster: Cluster) -> tuple[list[Poses], bool]:
    """Move a cluster along its free motions.

    Returns
    -------
    list of Poses
        The configurations it passes, the reference configuration first; only this one if the cluster has no motion.
    bool
        True if motions are finite, False if the cluster gives way for an instant only.
    """
    start = cluster.at_rest()
    free = rows(cluster, start).free
    if not free.shape[1]:
        return [start], True
    rng, configurations, finite = np.random.default_rng(0), [start], False
    ways = [free[:, k] for k in range(free.shape[1])][: WAYS // 2]
    ways += [free @ rng.normal(size=free.shape[1]) for _ in range(WAYS // 2 - len(ways))] if free.shape[1] > 1 else []
    for way in (sign * direction for direction in ways for sign in (1.0, -1.0)):
        passed = _follow(cluster, start, way)
        finite |= bool(passed)
        configurations += passed
    return configurations, finite


def _follow(cluster: Cluster, poses: Poses, way: Array) -> list[Poses]:
    """Follow a motion as long as joints close; the configurations passed."""
    passed: list[Poses] = []
    for _ in range(STEPS):
        stride, closed = STRIDE, None
        while closed is None and stride > SMALLEST:
            moved = moved_by(cluster, poses, way * stride / np.abs(way).max())
            closed = _closed(cluster, moved, poses)
            if closed is not None and distance(cluster, poses, closed) < distance(cluster, poses, moved) / 2:
                closed = None  # back to where it was: it gives way for an instant only
            stride /= 4
        if closed is None:
            break
        poses = closed
        passed.append(poses)
        free = rows(cluster, poses).free
        way = free @ (free.T @ way)
        if np.linalg.norm(way) < RANK:
            break
    return passed


def distance(cluster: Cluster, first: Poses, second: Poses) -> float:
    """Compute the largest difference of rotations and relative origins of bodies between two configurations."""
    far = [0.0]
    for body in cluster.bodies:
        (rotation, shift), (other_rotation, other_shift) = first[body], second[body]
        turned = rotation - other_rotation
        moved = turned @ cluster.geometry.origins[body] + shift - other_shift
        far += [float(np.abs(turned).max()), float(np.abs(moved).max() / cluster.geometry.size)]
    return max(far)


def _closed(cluster: Cluster, poses: Poses, last: Poses) -> Poses | None:
    """Iterate to the nearest configuration in which all joints close; None if the iteration does not converge.

    `last` is the configuration before, in which they are closed.
    """
    before = np.inf
    for _ in range(12):
        current = rows(cluster, poses)
        gap = _gaps(cluster, poses, last, current)
        worst = float(np.abs(gap).max(initial=0.0))
        if worst < cluster.closed:
            return poses
        if worst > 2 * before + STRIDE:
            return None
        before = worst
        step = np.linalg.lstsq(current.matrix, -gap, rcond=RANK)[0]
        poses = moved_by(cluster, poses, step)
    return None


def _gaps(cluster: Cluster, poses: Poses, last: Poses, current: Rows) -> Array:
    """Compute by how much each row (rows,) is violated: gaps of joints as relative twists, projected on their rows."""
    pairs = zip(cluster.joints, current.wrenches, strict=True)
    return np.concatenate([np.zeros(0), *(wrenches @ gap_of(cluster, joint, poses, last) for joint, wrenches in pairs)])


def gap_of(cluster: Cluster, joint: Joint, poses: Poses, last: Poses) -> Array:
    """Compute by how much a joint is violated, as a relative twist (width,); for `last` see `_fixed`."""
    mechanism, d, size = cluster.mechanism, cluster.mechanism.dimension, cluster.geometry.size
    form, reference = mechanism.form(joint), cluster.geometry.joints[joint.name]
    moved = carried(reference, joint.bodies, poses)
    shift, turned = joint_gap(form, moved, _fixed(form, joint, reference, moved, last))
    shift, point, frame = moved.frames[0] @ shift, moved.points[1], moved.frames[1]
    if d == 2:
        return np.array([turned[2], *(shift + turned[2] * np.array([point[1], -point[0]])) / size])
    turned = frame @ turned
    return np.concatenate([turned, (shift + np.cross(point, turned)) / size])


def _fixed(form: Form, joint: Joint, reference: JointGeometry, moved: JointGeometry, last: Poses) -> dict[int, float]:
    """Compute the values of the moves of a joint that are no freedoms, by number: held ones, and those that follow.

    Coupled moves go on from the poses `last`, where they agree, because whole turns are not known otherwise.
    """
    if form.held is not None:
        return {form.held: float(reference_coordinates(form, reference)[form.held])}
    if form.coupled is None:
        return {}
    assert reference.coupling is not None
    first, second = form.coupled
    passed = carried(reference, joint.bodies, last)
    before, now = (reference_coordinates(form, replace(each, reference=(), values=None)) for each in (passed, moved))
    way = now[first] - before[first]
    if form.moves[first].rotation:
        way -= whole_turns(way)
    return {second: float(before[second] - way * reference.coupling[0] / reference.coupling[1])}


def moved_by(cluster: Cluster, poses: Poses, twist: NDArray[np.floating]) -> Poses:
    """Compute poses after a small motion (width * bodies,)."""
    from scipy.spatial.transform import Rotation

    d, size, out = cluster.mechanism.dimension, cluster.geometry.size, dict(poses)
    for body, part in zip(cluster.bodies, twist.reshape(-1, cluster.width), strict=True):
        vector = np.array([0.0, 0.0, part[0]]) if d == 2 else part[:3]
        turn = Rotation.from_rotvec(vector).as_matrix()[:d, :d]
        before, shift = poses[body]
        out[body] = turn @ before, turn @ shift + part[-d:] * size
    return out
