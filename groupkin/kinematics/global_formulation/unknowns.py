"""Unknowns of the global formulation: points, vectors and angles, and what is a linear function of them.

See `groupkin.kinematics.global_formulation.global_motion`. A point or a direction is a matrix (d, columns) that maps
all unknowns, one after another, to it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.model.geometry.frames import JointGeometry, turn
from groupkin.model.geometry.geometry import Geometry

Array = NDArray[np.float64]

SHARED_POINT = ("R", "U", "ER", "S")
SHARED_AXIS = ("R", "C", "H", "RW", "PL", "CR")


@dataclass(frozen=True)
class Unknowns:
    """All points and vectors of the bodies as one row (1, …); its first element carries the constants.

    Bodies that P joints connect turn alike and share their vectors. In the plane one vector is enough, the second is
    perpendicular to it; a rod (see `GlobalModel.rotations`) has one vector as well.

    Attributes
    ----------
    turning : dict of str to str
        For each body the body whose vectors it shares.
    base : dict of str to (int, array)
        Column of a body's point and its local coordinates, m.
    vectors : dict of str to (int, (k, d) array)
        First column of a body's vectors and their local directions.
    angles : dict of str to tuple of int
        Columns of the coupled angles of a joint, rad.
    pointing : dict of str to int
        First column of a vector of a pair of gears in space, which turns with the line of centers.
    """

    dimension: int
    size: float
    turning: dict[str, str]
    base: dict[str, tuple[int, Array]]
    vectors: dict[str, tuple[int, Array]]
    start: Array
    angles: dict[str, tuple[int, ...]] = field(default_factory=dict)
    pointing: dict[str, int] = field(default_factory=dict)

    @property
    def unit(self) -> Array:
        """A constant unit vector."""
        return np.outer(np.eye(self.dimension)[0], np.eye(self.start.size)[0])

    def column(self, number: int, axis: int = 0) -> Array:
        """Return an unknown along a global axis as a (d, columns) matrix."""
        return np.outer(np.eye(self.dimension)[axis], np.eye(self.start.size)[number])

    def direction(self, body: str, local: Array) -> Array:
        """Express a direction (or displacement) fixed in a body as a (d, columns) matrix; NaN if it is undetermined."""
        d, out = self.dimension, np.zeros((self.dimension, self.start.size))
        body = self.turning[body]
        if body not in self.vectors:
            out[:, 0] = local
            return out
        column, vectors = self.vectors[body]
        if d == 2:
            along, across = vectors[0] @ local, vectors[0, 0] * local[1] - vectors[0, 1] * local[0]
            out[:, column : column + 2] = [[along, -across], [across, along]]
            return out
        weights = np.linalg.lstsq(vectors.T, local, rcond=None)[0]
        if np.linalg.norm(weights @ vectors - local) > 1e-9 * np.linalg.norm(local):
            return np.full_like(out, np.nan)
        for k, weight in enumerate(weights):
            out[:, column + 3 * k : column + 3 * k + 3] = weight * np.eye(3)
        return out

    def point(self, body: str, local: Array) -> Array:
        """Express a point of a body, relative to the size, as a (d, columns) matrix."""
        if body not in self.base:
            return self.direction(body, local / self.size)
        column, base = self.base[body]
        out = self.direction(body, (local - base) / self.size)
        out[:, column : column + self.dimension] += np.eye(self.dimension)
        return out


def choose_unknowns(mechanism: Mechanism, geometry: Geometry) -> Unknowns:
    """Choose points and vectors of all bodies, on their joints where possible, which keeps the equations short."""
    d = mechanism.dimension
    turning = _turning(mechanism)
    points: dict[str, list[Array]] = {name: [] for name in mechanism.body}
    hints: dict[str, list[Array]] = {name: [] for name in mechanism.body}
    for joint in mechanism.joints:
        for side, body in enumerate(joint.bodies):
            stated = geometry.joints[joint.name]
            points[body].insert(0 if joint.type in SHARED_POINT else len(points[body]), stated.points[side])
            if joint.type == "P" or (d == 3 and joint.type in (*SHARED_AXIS, "U", "ER", "PC")):
                hints[turning[body]].append(stated.frames[side][:, d - 1 if d == 3 else 0])
    for body in mechanism.body:
        hints[turning[body]] += [point - points[body][0] for point in points[body][1:]]
    column, start = 1, [np.ones(1)]
    base, vectors = {}, {}
    for body in mechanism.movable:
        base[body] = (column, points[body][0] if points[body] else geometry.origins[body])
        start.append(base[body][1] / geometry.size)
        column += d
        if turning[body] == body:
            count = 1 if d == 2 or _is_rod(mechanism, body) else 3
            basis = _basis([*hints[body], *np.eye(d)], count, 1e-6 * geometry.size)
            vectors[body] = (column, basis)
            start.append(basis.ravel())
            column += basis.size
    angles, pointing = {}, {}
    for joint in mechanism.joints:
        values = _angles(joint, mechanism, geometry.joints[joint.name])
        if values.size:
            angles[joint.name] = tuple(range(column, column + values.size))
            start.append(values)
            column += values.size
        if d == 3 and joint.type in ("EO", "EPI"):
            pointing[joint.name] = column
            start.append(_pointing(geometry.joints[joint.name], values[0]))
            column += 3
    return Unknowns(d, geometry.size, turning, base, vectors, np.concatenate(start), angles, pointing)


def _angles(joint: Joint, mechanism: Mechanism, geometry: JointGeometry) -> Array:
    """Return the coupled angles of a joint in the reference configuration, rad; zero if they are no freedoms."""
    form = mechanism.form(joint)
    coupled = [move for move in form.coupled or () if form.moves[move].rotation]
    return np.array([geometry.reference[move] for move in coupled])


def _pointing(geometry: JointGeometry, angle: float) -> Array:
    """Compute the first axis of the frame that gears in space reach after the line of centers and the fixed turn."""
    assert geometry.bend is not None
    return np.asarray(geometry.frames[0] @ turn(2, angle) @ geometry.bend[:, 0])


def _turning(mechanism: Mechanism) -> dict[str, str]:
    """Find for each body a representative of those that P joints make turn alike, the frame if it is among them."""
    turning = {name: name for name in mechanism.body}
    for joint in mechanism.joints:
        if joint.type == "P":
            first, second = (turning[body] for body in joint.bodies)
            kept, gone = (second, first) if second == mechanism.frame else (first, second)
            turning = {name: kept if other == gone else other for name, other in turning.items()}
    return turning


def _basis(candidates: list[Array], count: int, shortest: float) -> Array:
    """Choose the first `count` unit vectors among the candidates that are 30° or more from the span of those before."""
    chosen: list[Array] = []
    span = np.zeros((0, candidates[0].size))
    for candidate in candidates:
        length = np.linalg.norm(candidate)
        if len(chosen) == count or length <= shortest:
            continue
        unit = candidate / length
        rest = unit - span.T @ (span @ unit)
        if np.linalg.norm(rest) >= 0.5:
            chosen.append(unit)
            span = np.vstack([span, rest / np.linalg.norm(rest)])
    return np.array(chosen)


def _is_rod(mechanism: Mechanism, body: str) -> bool:
    joints = [joint for joint in mechanism.joints if body in joint.bodies]
    spheres = [joint for joint in joints if joint.type == "S" and joint.name not in mechanism.driven]
    return len(joints) == len(spheres) == 2
