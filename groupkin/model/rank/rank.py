"""Rank of a group's equations in the reference configuration.

Counting decides whether a group has as many equations as unknowns; only rank says whether these determine it there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from groupkin.model.coupled_moves import coordinates_of
from groupkin.model.trees import Equation, Move, Tree
from groupkin.tolerances import LEVER_ROUNDING, RANK
from sglibrary.array_types import Array, Flags, Ints
from sglibrary.iterative.kinds import (
    BALL,
    COINCIDE,
    CURVE,
    DISTANCE,
    DOT,
    FORMULA,
    LINEAR,
    OFFSET,
    TELESCOPE,
    TRANSLATION,
)


@dataclass(frozen=True)
class Rank:
    """Unknowns, equations and rank of a group, and its conditioning.

    The conditioning is the smallest singular value over the largest, or over the scale of the rows if that is larger.
    """

    unknowns: int
    equations: int
    rank: int
    conditioning: float

    @property
    def full(self) -> bool:
        return self.unknowns == self.rank <= self.equations


def rank(tree: Tree, size: float) -> Rank:
    """Compute the rank of the equations of a group in the reference configuration; lengths relative to `size`, m.

    In the joint variables of the tree the motions of two bodies may cancel out of an equation, up to rounding errors.
    So singular values are compared with what the terms of the equations are by themselves as well.
    """
    jacobian, scale = reference_jacobian(tree, size)
    if jacobian.size == 0:
        return Rank(tree.unknowns, tree.count, 0, 1.0)
    values = np.linalg.svd(jacobian, compute_uv=False)
    largest = max(float(values[0]), scale)
    found = int((values > RANK * largest).sum())
    against = values[0] if found == values.size else largest  # roundings are nothing, not even beside each other
    return Rank(tree.unknowns, tree.count, found, float(values[-1] / against) if largest > 0 else 0.0)


@dataclass(frozen=True)
class _Columns:
    """How n unknowns move frames: shift and turn (n, 3) per unit about global axes through global points (n, 3).

    `length` (n,) is True where an unknown is a length.
    """

    length: Flags
    shift: Array
    turn: Array
    through: Array


_Column = tuple[bool, Array, Array, Array]
"""The same of one unknown."""


def reference_jacobian(tree: Tree, size: float) -> tuple[Array, float]:
    """Compute the Jacobian in the reference configuration; lengths are relative to `size`, m.

    Returns
    -------
    (equations, unknowns) array
    float
        Largest magnitude of the terms that its elements are sums of.
    """
    (frames, columns), paths = _placed(tree), tree.paths()
    units = np.where(columns.length, size, 1.0)
    rows, scale = [], 0.0
    for equation in tree.equations:
        of_equation, terms = _rows(tree, equation, frames, columns, paths, size)
        rows += of_equation
        scale = max(scale, float((terms * units).max(initial=0.0)))
    return np.array(rows).reshape(len(rows), len(units)) * units, scale


def _placed(tree: Tree) -> tuple[list[tuple[Array, Array]], _Columns]:
    """Compute rotation and origin of every frame in the reference configuration, and how the unknowns move frames."""
    points = [tree.seats[body].point for body in tree.solved]
    frames = [(np.eye(3), point - points[0]) for point in points]  # relative to one of them, as they may all be far
    columns: list[_Column] = []
    for move in tree.moves:
        rotation, origin = frames[move.frame]
        before, origin = rotation @ move.turn, origin + rotation @ move.shift
        if move.kind == CURVE:
            frames.append(_along(tree, move, before, origin, columns))
            continue
        if move.free:
            axes = range(3) if move.kind == BALL else [move.axis]
            slides = move.kind == TRANSLATION
            columns += [(slides, slides * before[:, k], (not slides) * before[:, k], origin) for k in axes]
        if move.kind == TRANSLATION:
            frames.append((before, origin + before[:, move.axis] * move.start[0]))
        else:
            frames.append((before @ _turned(move), origin))
    length, *vectors = zip(*columns, strict=True) if columns else ((), (), (), ())
    return frames, _Columns(np.array(length, bool), *(np.array(v).reshape(-1, 3) for v in vectors))


def _along(tree: Tree, move: Move, before: Array, origin: Array, columns: list[_Column]) -> tuple[Array, Array]:
    """Compute rotation and origin after a move along a curve; appends the column of its unknown."""
    flank, u = tree.curves[move.axis], np.array(move.start[0])
    (x, y), (dx, dy), (ddx, ddy) = (flank.at(u, order) for order in range(3))
    speed = float(np.hypot(dx, dy))
    c, s, origin = dx / speed, dy / speed, origin + before @ [x, y, 0.0]
    if move.free:
        turn = (dx * ddy - dy * ddx) / speed**2
        columns.append((True, before @ [dx, dy, 0.0], turn * before[:, 2], origin))
    return before @ [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]], origin


def _turned(move: Move) -> Array:
    from scipy.spatial.transform import Rotation

    if move.kind == BALL:
        rotation = Rotation.from_quat([*move.start[1:], move.start[0]])
    else:
        rotation = Rotation.from_rotvec(move.start[0] * np.eye(3)[move.axis])
    return np.asarray(rotation.as_matrix())


def _rows(
    tree: Tree, equation: Equation, frames: list[tuple[Array, Array]], columns: _Columns,
    paths: Ints, size: float,
) -> tuple[list[Array], Array]:  # fmt: skip
    """Differentiate one equation: three rows for coincident points (two in the plane), one row for all others.

    The array (unknowns,) has the magnitudes of the terms that are summed up in these rows.
    """
    if equation.kind == LINEAR:
        row = _linear(tree, equation, columns.length.size)
        return [row], np.abs(row)
    if equation.kind == FORMULA:
        row = _coupled(tree, equation, columns.length.size, size)
        return [row], np.abs(row)
    points = equation.kind in (COINCIDE, DISTANCE, TELESCOPE), equation.kind != DOT, True

    def fixed(part: int) -> tuple[Array, Array, Array]:
        """A vector (3,) in global components, its derivatives (unknowns, 3), and magnitudes (unknowns,) of these."""
        frame = equation.second if part == 1 else equation.first
        (rotation, origin), is_point = frames[frame], points[part]
        at = rotation @ equation.vectors[part] + is_point * origin
        on_path = paths[frame, :, None]
        arm = at - is_point * columns.through
        moved = on_path * (is_point * columns.shift + np.cross(columns.turn, arm))
        lever = np.linalg.norm(arm, axis=1)
        if is_point:
            lever = np.maximum(lever, LEVER_ROUNDING * (np.linalg.norm(at) + np.linalg.norm(columns.through, axis=1)))
        turning = np.linalg.norm(columns.turn, axis=1) * lever
        return at, moved, paths[frame] * (turning + is_point * np.linalg.norm(columns.shift, axis=1))

    (first, d_first, terms_first), (second, d_second, terms_second) = fixed(0), fixed(1)
    if equation.kind == COINCIDE:
        return list((d_first - d_second).T[: tree.dimension] / size), (terms_first + terms_second) / size
    if equation.kind in (DISTANCE, TELESCOPE):
        row = (d_second - d_first) @ (second - first) / (equation.value * size)
        return [row], (terms_first + terms_second) / size
    if equation.kind == OFFSET:
        third, d_third, terms_third = fixed(2)
        second, d_second = (second - third) / size, (d_second - d_third) / size
        terms_second = (terms_second + terms_third) / size
    return [d_first @ second + d_second @ first], terms_first * np.linalg.norm(second) + terms_second


def _linear(tree: Tree, equation: Equation, unknowns: int) -> Array:
    """Differentiate a linear relation between two moves, whose coefficients come first among its vectors."""
    row = np.zeros(unknowns)
    for move, coefficient in zip((equation.first, equation.second), equation.vectors[0], strict=False):
        if tree.moves[move].free:
            row[tree.unknown_of(move)] += coefficient
    return row


def _coupled(tree: Tree, equation: Equation, unknowns: int, size: float) -> Array:
    """Differentiate a coupling; its powers of lengths relative to `size`, m."""
    assert equation.relation is not None
    gradient = equation.relation.gradient([float(value) for value in coordinates_of(tree, equation)])
    row = np.zeros(unknowns)
    for m, slope in zip(equation.moves, gradient, strict=True):
        if tree.moves[m].free:
            row[tree.unknown_of(m)] += tree.moves[m].sign * slope
    return row / size ** float(equation.relation.unit[0])
