"""Equations of a mechanism in natural coordinates, and their reduction to a square system.

See `groupkin.kinematics.global_formulation`. A point or a direction is a matrix (d, columns) that maps the row of all
unknowns to it; an equation is a sum of products of such pairs, some of them times a signal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import DeterminedByCountOnlyError
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import Freedom
from groupkin.model.frames import JointGeometry
from groupkin.model.geometry import Geometry

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Terms = tuple[Integers, Array]
Quadratic = dict[tuple[int, int, int], float]  # coefficient by signal and two unknowns
Part = tuple[int, Array, Array]  # signal and the two factors of a product


@dataclass(frozen=True)
class DrivenFreedom:
    """A driven freedom: its joint, its index there and its value (rad or m) in the reference configuration."""

    joint: Joint
    index: int
    freedom: Freedom
    reference: float


# --- points and directions as linear functions of the unknowns ---------------------------------


@dataclass(frozen=True)
class Unknowns:
    """All points and vectors of the bodies as one row (1, …); its first element carries the constants.

    Bodies that P joints connect turn alike and share their vectors. In the plane one vector is enough, the second is
    perpendicular to it; a rod (see `GlobalModel.rotations`) has one vector as well.

    Attributes
    ----------
    turning : dict of str to str
        For each body the one whose vectors it shares.
    base : dict of str to (int, array)
        Column of a body's point and its local coordinates, m.
    vectors : dict of str to (int, (k, d) array)
        First column of a body's vectors and their local directions.
    """

    dimension: int
    size: float
    turning: dict[str, str]
    base: dict[str, tuple[int, Array]]
    vectors: dict[str, tuple[int, Array]]
    start: Array

    @property
    def one(self) -> Array:
        """A constant unit vector."""
        return np.outer(np.eye(self.dimension)[0], np.eye(self.start.size)[0])

    def direction(self, body: str, local: Array) -> Array:
        """A direction (or displacement) fixed in a body as a (d, columns) matrix; NaN if it is undetermined."""
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
        """A point of a body, relative to the size, as a (d, columns) matrix."""
        if body not in self.base:
            return self.direction(body, local / self.size)
        column, base = self.base[body]
        out = self.direction(body, (local - base) / self.size)
        out[:, column : column + self.dimension] += np.eye(self.dimension)
        return out


def choose_unknowns(mechanism: Mechanism, geometry: Geometry) -> Unknowns:
    """Choose points and vectors of all bodies, on their joints where possible: this keeps the equations short."""
    d = mechanism.dimension
    turning = _turning(mechanism)
    places: dict[str, list[Array]] = {name: [] for name in mechanism.body}
    hints: dict[str, list[Array]] = {name: [] for name in mechanism.body}
    for joint in mechanism.joints:
        for side, body in enumerate(joint.bodies):
            spot = geometry.joints[joint.name]
            places[body].insert(0 if joint.type in ("R", "U", "S") else len(places[body]), spot.points[side])
            if joint.type == "P" or (d == 3 and joint.type in ("R", "C", "U")):
                hints[turning[body]].append(spot.frames[side][:, d - 1 if d == 3 else 0])
    for body in mechanism.body:
        hints[turning[body]] += [there - places[body][0] for there in places[body][1:]]
    column, start = 1, [np.ones(1)]
    base, vectors = {}, {}
    for body in mechanism.movable:
        base[body] = (column, places[body][0] if places[body] else geometry.origins[body])
        start.append(base[body][1] / geometry.size)
        column += d
        if turning[body] == body:
            count = 1 if d == 2 or _is_rod(mechanism, body) else 3
            basis = _basis([*hints[body], *np.eye(d)], count, 1e-6 * geometry.size)
            vectors[body] = (column, basis)
            start.append(basis.ravel())
            column += basis.size
    return Unknowns(d, geometry.size, turning, base, vectors, np.concatenate(start))


def _turning(mechanism: Mechanism) -> dict[str, str]:
    """For each body a representative of those that P joints make turn alike; the frame stands for its own."""
    turning = {name: name for name in mechanism.body}
    for joint in mechanism.joints:
        if joint.type == "P":
            first, second = (turning[body] for body in joint.bodies)
            kept, gone = (second, first) if second == mechanism.frame else (first, second)
            turning = {name: kept if other == gone else other for name, other in turning.items()}
    return turning


def _basis(candidates: list[Array], count: int, shortest: float) -> Array:
    """The first `count` unit vectors among the candidates that are well apart (30° from the span of others)."""
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


# --- relations, equations and drivers of the joints ---------------------------------------------


def relations(mechanism: Mechanism, geometry: Geometry, unknowns: Unknowns) -> Array:
    """Shared points and axes: rows (r, columns) that are zero."""
    rows = [np.zeros((0, unknowns.start.size))]
    for joint in mechanism.joints:
        spot = geometry.joints[joint.name]
        if joint.type in ("R", "U", "S"):
            ends = [unknowns.point(body, spot.points[k]) for k, body in enumerate(joint.bodies)]
            rows.append(ends[0] - ends[1])
        if joint.type in ("R", "C") and mechanism.dimension == 3:
            axes = [unknowns.direction(body, spot.frames[k][:, 2]) for k, body in enumerate(joint.bodies)]
            rows.append(axes[0] - axes[1])
    return np.vstack(rows)


def _rigidity(unknowns: Unknowns) -> list[list[Part]]:
    """Products of the vectors of each body, which are constant."""
    equations, one = [], unknowns.one
    for body, (_, vectors) in unknowns.vectors.items():
        factors = [unknowns.direction(body, vector) for vector in vectors]
        for k, first in enumerate(factors):
            for j in range(k + 1):
                equations.append([(0, first, factors[j]), (0, -(vectors[k] @ vectors[j]) * one, one)])
    return equations


def _joint_equations(joint: Joint, spot: JointGeometry, unknowns: Unknowns) -> list[list[Part]]:
    """What a joint demands beyond shared points and axes: the crossing angle of U, the straight line of P and C."""
    first, second = joint.bodies
    if joint.type == "U":
        axes = [unknowns.direction(body, spot.frames[k][:, 2]) for k, body in enumerate(joint.bodies)]
        return [[(0, axes[0], axes[1]), (0, -np.cos(spot.cross_angle) * unknowns.one, unknowns.one)]]
    if joint.type not in ("P", "C"):
        return []
    between = unknowns.point(second, spot.points[1]) - unknowns.point(first, spot.points[0])
    side = 0 if unknowns.turning[second] in unknowns.vectors else 1  # known normals make the equations linear
    normals = range(2) if unknowns.dimension == 3 else (1,)
    return [[(0, between, unknowns.direction(joint.bodies[side], spot.frames[side][:, k]))] for k in normals]


def _driver_equation(driver: DrivenFreedom, number: int, spot: JointGeometry, unknowns: Unknowns) -> list[Part]:
    """The equation of driver `number`; the factors of its cosine and sine have no common zero but two angles.

    With axes x, y, z and x', y', z' of the two joint frames: R, C and FP have x' · (−sin ψ x + cos ψ y) = 0; U, from
    Rz(ψ1) Rx(α) Rz(ψ2), has z' · (cos ψ1 x + sin ψ1 y) = 0 and z · (cos ψ2 x' − sin ψ2 y') = 0; S and F, from
    Rx(a) Ry(b) Rz(c), have z' · (cos a y + sin a z) = 0, x · z' = sin b and x · (cos c y' + sin c x') = 0.
    """
    cosine, sine, one = 1 + 2 * number, 2 + 2 * number, unknowns.one
    joint, axis = driver.joint, driver.freedom.axis
    first, second = (
        [unknowns.direction(body, column) for column in spot.frames[k].T] for k, body in enumerate(joint.bodies)
    )
    if not driver.freedom.rotation:
        between = unknowns.point(joint.bodies[1], spot.points[1]) - unknowns.point(joint.bodies[0], spot.points[0])
        return [(0, between, first[axis]), (cosine, -one, one)]
    if joint.type == "U":
        if driver.index == 0:
            return [(cosine, second[2], first[0]), (sine, second[2], first[1])]
        return [(cosine, first[2], second[0]), (sine, first[2], -second[1])]
    if joint.type in ("S", "F") and axis == 0:
        return [(cosine, second[2], first[1]), (sine, second[2], first[2])]
    if joint.type in ("S", "F") and axis == 1:
        return [(0, first[0], second[2]), (sine, -one, one)]
    if joint.type in ("S", "F"):
        return [(cosine, first[0], second[1]), (sine, first[0], second[0])]
    return [(cosine, second[0], first[1]), (sine, second[0], -first[0])]


def driven_freedoms(mechanism: Mechanism, geometry: Geometry) -> tuple[DrivenFreedom, ...]:
    """All driven freedoms, joint by joint."""
    found = []
    for joint in mechanism.joints:
        spot = geometry.joints[joint.name]
        for index in mechanism.driven.get(joint.name, {}):
            freedom = mechanism.freedoms(joint)[index]
            if freedom.rotation:
                given = joint.reference
                value = given.get(freedom.name, 0.0) if isinstance(given, Mapping) else given
            else:
                value = spot.frames[0][:, freedom.axis] @ (spot.points[1] - spot.points[0])
            found.append(DrivenFreedom(joint, index, freedom, float(value)))
    return tuple(found)


def all_equations(
    mechanism: Mechanism,
    geometry: Geometry,
    unknowns: Unknowns,
    drivers: tuple[DrivenFreedom, ...],
    reduction: Array,
) -> tuple[list[Quadratic], Array]:
    """All equations, and weights by which those of joints and drivers are preferred to those of rigidity."""
    parts = _rigidity(unknowns)
    rigid = len(parts)
    for joint in mechanism.joints:
        parts += _joint_equations(joint, geometry.joints[joint.name], unknowns)
    for number, driver in enumerate(drivers):
        parts.append(_driver_equation(driver, number, geometry.joints[driver.joint.name], unknowns))
    return [_terms_of(part, reduction) for part in parts], np.where(np.arange(len(parts)) < rigid, 1.0, 1e3)


# --- from all equations to a square system --------------------------------------------------------


def substitution(relations: Array, name: str) -> tuple[Array, Integers]:
    """All unknowns (c,) as T x: T (c, m + 1) and which are x, from relations (r, c) between them by row reduction.

    Of the elements of a row within a factor of ten of its largest, the one in the emptiest column is eliminated
    (Markowitz 1957), so that expressions stay short; of equals the last, which is a vector rather than a point.
    """
    rows, columns = relations.copy(), relations.shape[1]
    waiting, pivots = np.ones(len(rows), bool), np.full(len(rows), -1)
    for _ in range(len(rows)):
        filled = np.abs(rows[:, 1:]) > 1e-9
        lengths = np.where(waiting, filled.sum(axis=1), columns)
        row = int(np.argmin(lengths))
        waiting[row] = False
        if lengths[row] == 0:
            if abs(rows[row, 0]) > 1e-9:
                raise DeterminedByCountOnlyError(f"{name}: shared points and axes of its joints contradict each other")
            continue
        size = np.abs(rows[row, 1:])
        crowd = np.where(size >= 0.1 * size.max(), filled.sum(axis=0), len(rows) + 1)
        pivots[row] = columns - 1 - int(np.argmin(crowd[::-1]))
        rows[row] /= rows[row, pivots[row]]
        others = rows[:, pivots[row]].copy()
        others[row] = 0.0
        rows -= np.outer(others, rows[row])
    done = pivots > 0
    kept = np.setdiff1d(np.arange(columns), pivots[done])
    out = np.zeros((columns, kept.size))
    out[kept, np.arange(kept.size)] = 1.0
    out[pivots[done]] = -rows[np.ix_(done, kept)]
    return out, kept


def _terms_of(parts: list[Part], reduction: Array) -> Quadratic:
    """One equation in the independent unknowns."""
    found: Quadratic = {}
    for signal, first, second in parts:
        left, right = first @ reduction, second @ reduction
        here, there = np.flatnonzero(np.abs(left).max(axis=0)), np.flatnonzero(np.abs(right).max(axis=0))
        values = left[:, here].T @ right[:, there]
        for (a, b), value in np.ndenumerate(values):
            i, j = sorted((int(here[a]), int(there[b])))
            found[signal, i, j] = found.get((signal, i, j), 0.0) + float(value)
    return {key: value for key, value in found.items() if abs(value) > 1e-14}


def _gradient(terms: Quadratic, x: Array, g: Array) -> Array:
    out = np.zeros(x.size)
    for (s, i, j), value in terms.items():
        out[i] += value * g[s] * x[j]
        out[j] += value * g[s] * x[i]
    return out[1:]


def _independent(jacobian: Array, weights: Array, name: str) -> Integers:
    """Numbers of as many independent equations as there are unknowns, those of larger weight first."""
    from scipy.linalg import qr

    count = jacobian.shape[1]
    if not count:
        return np.zeros(0, np.int64)
    rank = np.linalg.matrix_rank(jacobian, tol=1e-9 * np.sqrt(count))
    if rank < count:
        raise DeterminedByCountOnlyError(
            f"{name} is not determined by its joints and drivers in the reference configuration: their equations have "
            f"rank {rank} for {count} unknowns; add drivers, or start from a configuration that is not singular"
        )
    order = qr((weights[:, None] * jacobian).T, mode="r", pivoting=True)[1]
    return np.sort(order[:count])


def _sparse_order(jacobian: Array) -> tuple[Integers, Integers]:
    """Order of the rows and of the columns of a square matrix in which its LU factors are sparse."""
    from scipy.sparse import csc_array
    from scipy.sparse.linalg import splu

    if not len(jacobian):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    factors = splu(csc_array(np.where(np.abs(jacobian) > 1e-14, jacobian, 0.0)), permc_spec="COLAMD")
    return np.argsort(factors.perm_r), np.argsort(factors.perm_c)


def _not_implied(equations: list[Quadratic], chosen: Integers) -> list[Quadratic]:
    """The equations that are neither chosen nor sums of the chosen ones with constant weights."""
    others = np.setdiff1d(np.arange(len(equations)), chosen)
    if not others.size:
        return []
    keys = {key: n for n, key in enumerate(dict.fromkeys(key for terms in equations for key in terms))}
    dense = np.zeros((len(keys), len(equations)))
    for e, terms in enumerate(equations):
        dense[[keys[key] for key in terms], e] = list(terms.values())
    weights = np.linalg.lstsq(dense[:, chosen], dense[:, others], rcond=None)[0]
    gaps = np.abs(dense[:, others] - dense[:, chosen] @ weights).max(axis=0)
    return [equations[e] for e, gap in zip(others, gaps, strict=True) if gap > 1e-9]


def _table(equations: list[Quadratic], place: Integers) -> Terms:
    """Terms of all equations one after another, their unknowns renumbered."""
    index = [(e, s, place[i], place[j]) for e, terms in enumerate(equations) for s, i, j in terms]
    values = [value for terms in equations for value in terms.values()]
    return np.array(index, np.int64).reshape(-1, 4), np.array(values, float)


def square_system(
    equations: list[Quadratic], preferred: Array, start: Array, signals: Array, name: str
) -> tuple[Terms, Terms, Integers]:
    """As many equations as unknowns, in an order that keeps factors sparse.

    Parameters
    ----------
    equations : list of Quadratic
    preferred : (e,) array
        Weights: of equations that depend on each other those of larger weight are kept.
    start, signals : (m + 1,) and (s,) arrays
        Unknowns and signals of the reference configuration.
    name : str
        Of the mechanism, for messages.

    Returns
    -------
    terms, extra : Terms
        The kept equations, and those that depend on them in the reference configuration only.
    order : (m + 1,) array of int
        Which of the given unknowns each new one is.
    """
    gradients = [_gradient(terms, start, signals) for terms in equations]
    jacobian = np.array(gradients).reshape(len(equations), start.size - 1)
    norms = np.maximum(np.linalg.norm(jacobian, axis=1), 1e-9)
    jacobian /= norms[:, None]
    equations = [{key: value / norms[e] for key, value in terms.items()} for e, terms in enumerate(equations)]
    chosen = _independent(jacobian, preferred, name)
    rows, columns = _sparse_order(jacobian[chosen])
    place = np.append(0, 1 + np.argsort(columns))
    groups = [equations[e] for e in chosen[rows]], _not_implied(equations, chosen)
    return _table(groups[0], place), _table(groups[1], place), np.append(0, 1 + columns)
