"""Unknowns of the global formulation: points, vectors, angles and contacts, and what is a linear function of them.

See `groupkin.kinematics.global_formulation.global_motion`. A point or a direction is a matrix (d, columns) that maps
all unknowns, one after another, to it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import factorial

import numpy as np

from groupkin.mechanism.curves import DEGREE
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.model.geometry.cam_contact import Flank
from groupkin.model.geometry.coordinates import reference_coordinates
from groupkin.model.geometry.frames import JointGeometry, turn
from groupkin.model.geometry.geometry import Geometry
from groupkin.tolerances import COINCIDENT, SHORT_VECTOR
from sglibrary.array_types import Array, Flags, Ints

Curves = tuple[Flags, Ints, Array, Array]
"""See `groupkin.kinematics.global_formulation.kernel.solve_steps`."""

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
    own : dict of str to tuple of int
        Columns of the coupled angles of a joint, rad; of a cam those of the arc lengths at which its curves touch,
        relative to the size.
    flanks : dict of int to Flank
        The curve of each of these arc lengths, by its column.
    turned : dict of str to int
        First column of the three axes of an intermediate frame of a joint: of gears in space it turns with the line of
        centers, of a rod with the rod.
    contacts : dict of str to int
        First column of the point at which the curves of a cam touch, and of the unit tangent there.
    """

    dimension: int
    size: float
    turning: dict[str, str]
    base: dict[str, tuple[int, Array]]
    vectors: dict[str, tuple[int, Array]]
    start: Array
    own: dict[str, tuple[int, ...]] = field(default_factory=dict)
    flanks: dict[int, Flank] = field(default_factory=dict)
    turned: dict[str, int] = field(default_factory=dict)
    contacts: dict[str, int] = field(default_factory=dict)

    @property
    def unit(self) -> Array:
        """A constant unit vector."""
        return np.outer(np.eye(self.dimension)[0], np.eye(self.start.size)[0])

    def column(self, number: int, axis: int = 0) -> Array:
        """Return an unknown along a global axis as a (d, columns) matrix."""
        return np.outer(np.eye(self.dimension)[axis], np.eye(self.start.size)[number])

    def vector(self, first: int) -> Array:
        """Return the unknowns from a column on as a vector (d, columns)."""
        return np.eye(self.dimension, self.start.size, first)

    @property
    def owners(self) -> tuple[int, ...]:
        """Columns of the unknowns that own four signals each, in their order."""
        return tuple(column for columns in self.own.values() for column in columns)

    def owner(self, drivers: int, kept: Ints) -> Ints:
        """Find which of the `kept` unknowns a signal is a function of; 0 for those of drivers, which come first."""
        columns = np.searchsorted(kept, np.array(self.owners, np.int64))  # no relation eliminates one of these
        return np.concatenate([np.zeros(1 + 2 * drivers, np.int64), np.repeat(columns, 4)])

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
        if np.linalg.norm(weights @ vectors - local) > COINCIDENT * np.linalg.norm(local):
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
    start = [np.ones(1)]

    def add(values: Array) -> int:
        """Append unknowns with their start values; the column of the first."""
        start.append(values.ravel())
        return sum(part.size for part in start[:-1])

    base, vectors = {}, {}
    for body in mechanism.movable:
        local = points[body][0] if points[body] else geometry.origins[body]
        base[body] = (add(local / geometry.size), local)
        if turning[body] == body:
            count = 1 if d == 2 or _is_rod(mechanism, body) else 3
            basis = _basis([*hints[body], *np.eye(d)], count, SHORT_VECTOR * geometry.size)
            vectors[body] = (add(basis), basis)
    own: dict[str, tuple[int, ...]] = {}
    flanks: dict[int, Flank] = {}
    turned, contacts = {}, {}
    for joint in mechanism.joints:
        form, stated = mechanism.form(joint), geometry.joints[joint.name]
        if stated.contact is not None:
            values = reference_coordinates(form, stated)
            contacts[joint.name] = add(_touched(stated, values[:1]) / [[geometry.size], [1.0]])
            lengths = values[: len(stated.contact.flanks)] / geometry.size
            own[joint.name] = tuple(add(length) for length in lengths)
            flanks |= dict(zip(own[joint.name], stated.contact.flanks, strict=True))
            continue
        coupled = [move for move in form.coupled or () if form.moves[move].rotation]
        if coupled:
            own[joint.name] = tuple(add(np.array(stated.reference[move])) for move in coupled)
        if d == 3 and (joint.type in ("EO", "EPI") or (joint.type == "SPSP" and _led(mechanism, joint))):
            turned[joint.name] = add(_turned(stated, reference_coordinates(form, stated)).T)
    return Unknowns(d, geometry.size, turning, base, vectors, np.concatenate(start), own, flanks, turned, contacts)


def list_curves(unknowns: Unknowns) -> Curves:
    """List the curves of the unknowns that own signals, by their Taylor series at the beginning of each piece."""
    closed, left, pieces = [], [np.zeros(0)], [np.zeros((0, 2, DEGREE + 1))]
    for column in unknowns.owners:
        flank = unknowns.flanks.get(column)
        closed.append(flank is not None and flank.curve.closed)
        left.append(np.zeros(0) if flank is None else flank.breaks / unknowns.size)
        pieces.append(np.zeros((left[-1].size, 2, DEGREE + 1)))
        for k in range(DEGREE + 1) if flank is not None else ():
            assert flank is not None
            pieces[-1][:-1, :, k] = flank.at(flank.breaks[:-1], k) * unknowns.size ** (k - 1.0) / factorial(k)
    first = np.cumsum([part.size for part in left])
    return np.array(closed, bool), first, np.concatenate(left), np.concatenate(pieces)


def _touched(geometry: JointGeometry, length: Array) -> Array:
    """Find the point, m, and the unit tangent, (2, 2), of the first curve of a cam at an arc length (1,), m."""
    assert geometry.contact is not None
    flank, frame = geometry.contact.flanks[0], geometry.frames[0].T
    return np.concatenate([geometry.points[0] + flank.at(length) @ frame, flank.tangent(length) @ frame])


def _turned(geometry: JointGeometry, values: Array) -> Array:
    """Compute the frame (3, 3) that the first moves of gears or of a rod reach, before three further rotations."""
    first = geometry.frames[0] @ turn(2, values[0])
    return np.asarray(first @ (turn(1, values[1]) if geometry.bend is None else geometry.bend))


def _led(mechanism: Mechanism, joint: Joint) -> bool:
    """Return True if one of the last three rotations of a rod is driven."""
    return max(mechanism.driven.get(joint.name, ()), default=0) >= 2


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
