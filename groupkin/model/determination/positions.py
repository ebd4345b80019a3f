"""Positions of a mechanism at which all of its rows hold, found by least squares: rank is taken there.

Rows are those of joints, couplings and drivers, as functions of the twists of the movable bodies, lengths in sizes of
the mechanism. At random positions rank is that of nearly all positions, and rows that are dependent in the reference
configuration only do not hold there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.model.determination.finite_motion import Cluster, Poses, carried, distance, gap_of, moved_by
from groupkin.model.geometry.coordinates import periods, reference_coordinates, whole_turns
from groupkin.model.geometry.frames import JointGeometry
from groupkin.model.geometry.geometry import Geometry, near_origin
from groupkin.model.rank.mobility import BLUR, coupling_row, of_bodies, twists
from groupkin.tolerances import NOT_ZERO, RANK, ROUNDING, ZERO
from sglibrary.array_types import Array, Ints
from sglibrary.tolerances import CLOSED

Driven = Mapping[tuple[str, int], float]
"""How far drivers, by joint and freedom, are from the reference configuration, m and rad."""

POSITIONS = 3
"""Positions at which rank is taken."""

MOVES = (0.2, 0.05, 0.01, 0.002, 0.0004)
"""How far drivers, or bodies, are moved at most, rad or sizes of the mechanism; less where rows do not hold there."""

ITERATIONS, CONTRACTS = 30, 0.5
"""Of Gauss and Newton at most; and the ratio of gaps from which on they have ended."""

MANY = 400
"""Number of columns from which on sparse matrices are faster."""

SMALL = 1e-3
"""Gap below which an iteration may end."""

AGREES = 0.3 * CLOSED
"""Gap, by the move, up to which rows count as holding: over a whole motion it stays below what steps may be open."""

NEAR_MISS = 1e-2
"""Gap, by the square of the move, that dimensions which agree to few digits leave at most. Where joints give way for an
instant only, it grows with the square as well, but is larger."""


@dataclass(frozen=True)
class Position:
    """Rows of all joints and couplings at a position.

    Attributes
    ----------
    poses : Poses
    joints : dict of str to JointGeometry
        Placed there; their coordinates are those of their frames.
    matrix : (rows, width * bodies) array
        Orthonormal rows of every joint, those of couplings, and of drivers where they hold as well.
    blocks : (rows,) array of int
        The joint that every row belongs to, by number; those of couplings follow.
    gap : float
        The largest that is left, relative to the size or in rad.
    missing : tuple of int
        Numbers of the rows at which at least half as much is left.
    most : float
        How far bodies or drivers have been moved to it, rad or sizes.
    blur : float
        By how much rows that do not hold are uncertain: with drivers what is left there, without them also what the
        motion to it would leave over a radian, or size.
    """

    poses: Poses
    joints: dict[str, JointGeometry]
    matrix: Array
    blocks: Ints
    gap: float = 0.0
    missing: tuple[int, ...] = ()
    most: float = 1.0
    blur: float = 0.0

    @property
    def misfit(self) -> float:
        """What is left, by the rad or size that has been moved."""
        return self.gap / self.most

    @property
    def zero(self) -> float:
        """Singular values, of the largest, that count as zero: those of rows that do not hold are blurred."""
        return max(ZERO, BLUR * self.blur if self.misfit > AGREES else 0.0)


def everything(mechanism: Mechanism, geometry: Geometry) -> Cluster:
    """All bodies and joints of a mechanism."""
    return Cluster(mechanism, *near_origin(geometry), tuple(mechanism.joints), mechanism.frame)


def moves_by_rows(mechanism: Mechanism) -> bool:
    """Whether positions can be found by rows: each body has a joint, and none is a cam, whose rates are differences."""
    joined = {body for joint in mechanism.joints for body in joint.bodies}
    return joined.issuperset(mechanism.movable) and not any(mechanism.form(x).curved for x in mechanism.joints)


def driven_positions(cluster: Cluster) -> tuple[list[Position], Position | None]:
    """Move the drivers of a mechanism by random amounts, and close all rows.

    Returns
    -------
    list of Position
        `POSITIONS` of them; none if rows do not hold there.
    Position or None
        If they hold there but for a small gap, as those of dimensions with few digits do: one of those positions.
    """

    def attempts(way: Driven) -> Iterator[tuple[float, Poses, Driven]]:
        for most in MOVES:
            for step in (most, -most):
                yield most, cluster.at_rest(), {freedom: step * unit for freedom, unit in way.items()}

    return _closed_at(cluster, [attempts(way) for way in driven_ways(cluster, POSITIONS)])


def driven_ways(cluster: Cluster, count: int) -> list[Driven]:
    """Draw ways to move all drivers, each by about a radian or the size of the mechanism."""
    mechanism, size, rng = cluster.mechanism, cluster.geometry.size, np.random.default_rng(0)
    units = {
        (joint.name, k): 1.0 if mechanism.form(joint).freedoms[k].rotation else size
        for joint in mechanism.joints
        for k in mechanism.driven.get(joint.name, ())
    }
    shares: Array = rng.uniform(0.4, 1.0, (count, len(units)))
    shares *= rng.choice([-1.0, 1.0], shares.shape) * np.array(list(units.values()))
    return [dict(zip(units, share, strict=True)) for share in shares.tolist()]


def rows_at(cluster: Cluster, poses: Poses) -> Position:
    """The rows of joints and couplings in some poses, whether they hold there or not."""
    return _at(cluster, poses, None)[0]


def free_positions(cluster: Cluster) -> tuple[list[Position], Position | None]:
    """Move a mechanism without drivers along what its rows leave free, and close them; see `driven_positions`."""
    start, rng = cluster.at_rest(), np.random.default_rng(0)
    free = motions(_at(cluster, start, None)[0].matrix, max(ZERO, BLUR * cluster.mechanism.misfit))
    if free is None:
        return [], None

    def attempts(way: Array) -> Iterator[tuple[float, Poses, None]]:
        way = way / max(float(np.abs(way).max(initial=0.0)), 1e-300)
        for most in MOVES:
            for sign in (1.0, -1.0):
                yield most, moved_by(cluster, start, sign * most * way), None

    return _closed_at(cluster, [attempts(way) for way in (free @ rng.normal(size=(free.shape[1], POSITIONS))).T])


def _closed_at(
    cluster: Cluster, ways: Sequence[Iterator[tuple[float, Poses, Driven | None]]]
) -> tuple[list[Position], Position | None]:
    """For each of several ways, take the first attempt at which all rows hold; see `driven_positions`."""
    rounding, found, missed = cluster.closed - replace(cluster, shift=0.0 * cluster.shift).closed, [], []
    misfit = cluster.mechanism.misfit
    for attempts in ways:
        for most, poses, ahead in attempts:
            position = closest(cluster, poses, ahead, SMALL)
            if position is None or (ahead is None and _is_back(cluster, poses, position.poses)):
                continue
            position = replace(position, most=most, blur=position.gap / (most if ahead is None else 1.0))
            bound, near = AGREES * most, NEAR_MISS * most**2
            if position.gap <= max(bound, min(misfit * most, near)) + rounding:
                found.append(position)
                break
            if position.gap <= near:
                missed.append(position)
        else:
            return [], max(missed, key=lambda each: each.misfit, default=None)
    return found, None


def _is_back(cluster: Cluster, moved: Poses, closed: Poses) -> bool:
    """Whether closing all rows led back to the reference configuration: it gives way for an instant only."""
    rest = cluster.at_rest()
    return distance(cluster, rest, closed) < distance(cluster, rest, moved) / 2


def closest(cluster: Cluster, poses: Poses, ahead: Driven | None, small: float = np.inf) -> Position | None:
    """Close all rows by least squares, from some poses on; None if the iteration does not come to an end.

    Parameters
    ----------
    cluster : Cluster
    poses : Poses
    ahead : mapping of (str, int) to float, optional
        Of all drivers, or there are none.
    small : float
        Gap from which on it may end.
    """
    before = np.inf
    for _ in range(ITERATIONS):
        position, gap = _at(cluster, poses, ahead)
        worst = float(np.abs(gap).max(initial=0.0))
        if worst == 0.0 or (worst < small and worst > CONTRACTS * before):
            missing = np.flatnonzero(np.abs(gap) >= worst / 2) if worst else ()
            return replace(position, gap=worst, missing=tuple(map(int, missing)))
        if not worst <= 2 * before + MOVES[0]:
            return None
        before = worst
        poses = moved_by(cluster, poses, _least(position.matrix, -gap, BLUR * cluster.mechanism.misfit))
    return None


def _least(matrix: Array, right: Array, blur: float = 0.0) -> Array:
    """Least squares, nearly of the least norm, by normal equations: the iteration corrects their rounding errors.

    Motions that rows hold less firmly than `blur`, a singular value, are left alone.
    """
    from scipy.linalg import cho_factor, cho_solve

    if matrix.shape[1] > MANY:
        return _least_of_many(matrix, right, blur)
    square = matrix.T @ matrix
    square[np.diag_indices_from(square)] += max(ROUNDING, blur**2) * np.trace(square) / max(len(square), 1)
    return np.asarray(cho_solve(cho_factor(square), matrix.T @ right))


def _least_of_many(matrix: Array, right: Array, blur: float) -> Array:
    """The same by sparse matrices: most bodies share rows with few others."""
    from scipy.sparse import csc_matrix, eye_array
    from scipy.sparse.linalg import splu

    rows = csc_matrix(matrix)
    square = (rows.T @ rows).tocsc()
    square += max(ROUNDING, blur**2) * square.trace() / square.shape[0] * eye_array(square.shape[0], format="csc")
    return np.asarray(splu(square, permc_spec="MMD_AT_PLUS_A").solve(rows.T @ right))


def _at(cluster: Cluster, poses: Poses, ahead: Driven | None) -> tuple[Position, Array]:
    """Rows in some poses, with those of drivers if they are somewhere, and by how much each is violated (rows,)."""
    mechanism, start = cluster.mechanism, cluster.at_rest()
    there = {
        name: replace(carried(geometry, ends, poses), reference=(), values=None)
        for name, geometry, ends in _joints(cluster)
    }
    number = {body: k for k, body in enumerate(mechanism.movable)}
    blocks, matrix, gaps = list[int](), [np.zeros((0, cluster.width * len(number)))], [np.zeros(0)]
    for k, joint in enumerate(cluster.joints):
        left, values, _ = np.linalg.svd(twists(mechanism, joint, there[joint.name], cluster.geometry.size))
        locked = left[:, int((values > RANK).sum()) :].T
        blocks += [k] * len(locked)
        matrix.append(of_bodies(locked, joint, number))
        gaps.append(locked @ gap_of(cluster, joint, poses, start))
    position = Position(poses, there, np.concatenate(matrix), np.array(blocks, np.int64))
    position, coupled = _with_couplings(cluster, position)
    if ahead is None:
        return position, np.concatenate([*gaps, coupled])
    missed = [
        (_way(cluster, joint, there[joint.name], mechanism.form(joint).places[k]) - ahead[joint.name, k])
        * _unit(cluster, joint, k)
        for joint in mechanism.joints
        for k in mechanism.driven.get(joint.name, ())
    ]
    position, scales = _with_driven(cluster, position)
    return position, np.concatenate([*gaps, coupled, np.array(missed) * scales])


def _joints(cluster: Cluster) -> Iterator[tuple[str, JointGeometry, tuple[str, ...]]]:
    """All joints, with those that couplings measure points and angles by: names, geometries, bodies."""
    measured = {
        each.joint.name: each.joint
        for relation in cluster.mechanism.relations.values()
        for each in relation.coordinates
    }
    for joint in (measured | dict(cluster.mechanism.joint)).values():
        yield joint.name, cluster.geometry.joints[joint.name], joint.bodies


def _unit(cluster: Cluster, joint: Joint, freedom: int) -> float:
    """What makes a value of a freedom, m or rad, one in sizes or rad."""
    rotation = cluster.mechanism.form(joint).freedoms[freedom].rotation
    return 1.0 if rotation else 1.0 / cluster.geometry.size


def _way(cluster: Cluster, joint: Joint, there: JointGeometry, move: int) -> float:
    """How far a move of a joint has come from the reference configuration, m or rad, by less than half a period."""
    form, reference = cluster.mechanism.form(joint), cluster.geometry.joints[joint.name]
    before = reference_coordinates(form, replace(reference, reference=(), values=None))[move]
    way, period = float(reference_coordinates(form, there)[move] - before), periods(form, reference)[move]
    return way - float(whole_turns(way, period)) if period else way


def rates(cluster: Cluster, position: Position, joint: Joint) -> Array:
    """The rates of the freedoms of a joint (freedoms, width * bodies), in sizes or rad."""
    number = {body: k for k, body in enumerate(cluster.mechanism.movable)}
    allowed = twists(cluster.mechanism, joint, position.joints[joint.name], cluster.geometry.size)
    return of_bodies(np.linalg.pinv(allowed), joint, number)


def _with_couplings(cluster: Cluster, position: Position) -> tuple[Position, Array]:
    """Add the rows of couplings, and by how much each is violated."""
    mechanism, rows, gaps = cluster.mechanism, [position.matrix], list[float]()
    for relation in mechanism.relations.values():
        starts, values = [], []
        for each in relation.coordinates:
            form, geometry = mechanism.form(each.joint), cluster.geometry.joints[each.joint.name]
            starts.append(float(reference_coordinates(form, geometry)[each.move]) + each.offset)
            values.append(starts[-1] + _way(cluster, each.joint, position.joints[each.joint.name], each.move))
        row, scale = coupling_row(mechanism, position.joints, cluster.geometry.size, relation, values)
        rows.append(row)
        gaps.append(scale * float(relation.jet([(np.asarray(x),) for x in values])[0] - relation.kept(starts)))
    blocks = np.append(position.blocks, len(cluster.joints) + np.arange(len(gaps)))
    return replace(position, matrix=np.concatenate(rows), blocks=blocks), np.array(gaps)


def with_driven(cluster: Cluster, position: Position) -> Position:
    """Add the rows of all drivers of a mechanism."""
    return _with_driven(cluster, position)[0]


def _with_driven(cluster: Cluster, position: Position) -> tuple[Position, Array]:
    """Add the rows of all drivers, of unit length, and what each rate is multiplied by."""
    driven = cluster.mechanism.driven
    rows, blocks, scales = [position.matrix], [position.blocks], [np.zeros(0)]
    for number, joint in enumerate(cluster.joints):
        if driven.get(joint.name):
            own = rates(cluster, position, joint)[list(driven[joint.name])]
            scale = 1.0 / np.maximum(np.linalg.norm(own, axis=1), 1e-300)
            rows.append(scale[:, None] * own)
            blocks.append(np.full(len(own), number))
            scales.append(scale)
    added = replace(position, matrix=np.concatenate(rows), blocks=np.concatenate(blocks).astype(np.int64))
    return added, np.concatenate(scales)


def motions(matrix: Array, zero: float = ZERO) -> Array | None:
    """Orthonormal motions (columns, k) that rows leave free; None if it is too close to tell.

    Singular values below `zero`, of the largest, are none.
    """
    columns = matrix.shape[1]
    if not columns:
        return np.zeros((0, 0))
    _, values, right = np.linalg.svd(matrix, full_matrices=matrix.shape[0] < columns)
    values = np.concatenate([values, np.zeros(columns - values.size)]) / max(values.max(initial=0.0), 1e-300)
    if ((values > zero) & (values < max(NOT_ZERO, 3.0 * zero))).any():
        return None
    return np.asarray(right[values <= zero].T)
