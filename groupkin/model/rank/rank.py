"""Rank of a group's equations in the reference configuration.

Counting decides whether a group has as many equations as unknowns; only rank says whether these determine it there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groupkin.model.trees import Equation, Move, Tree
from sglibrary.iterative.kinds import BALL, COINCIDE, CURVE, DISTANCE, DOT, LINEAR, OFFSET, TRANSLATION

Array = NDArray[np.float64]

RANK_TOLERANCE = 1e-8
"""Singular values below this share of the largest count as zero; geometry given with eight digits passes."""


@dataclass(frozen=True)
class Rank:
    """Unknowns, equations and rank of a group, and its conditioning (smallest over largest singular value)."""

    unknowns: int
    equations: int
    rank: int
    conditioning: float

    @property
    def full(self) -> bool:
        return self.unknowns == self.equations == self.rank


def rank(tree: Tree, size: float) -> Rank:
    """Compute the rank of the equations of a group in the reference configuration; lengths relative to `size`, m."""
    jacobian = reference_jacobian(tree, size)
    if jacobian.size == 0:
        return Rank(tree.unknowns, tree.count, 0, 1.0)
    values = np.linalg.svd(jacobian, compute_uv=False)
    share = float(values[-1] / values[0]) if values[0] > 0 else 0.0
    return Rank(tree.unknowns, tree.count, int((values > RANK_TOLERANCE * values[0]).sum()), share)


@dataclass(frozen=True)
class _Column:
    """How an unknown moves frames: shift and turn per unit about a global axis through a global point.

    `length` is True if the unknown is a length.
    """

    length: bool
    shift: Array
    turn: Array
    through: Array


def reference_jacobian(tree: Tree, size: float) -> Array:
    """Compute the Jacobian (equations, unknowns) in the reference configuration; lengths are relative to `size`, m."""
    (frames, columns), paths = _placed(tree), tree.paths()
    rows = [row for equation in tree.equations for row in _rows(tree, equation, frames, columns, paths, size)]
    scale = np.array([size if column.length else 1.0 for column in columns])
    return np.array(rows).reshape(len(rows), len(columns)) * scale


def _placed(tree: Tree) -> tuple[list[tuple[Array, Array]], list[_Column]]:
    """Compute rotation and origin of every frame in the reference configuration, and how the unknowns move frames."""
    frames = [(np.eye(3), np.zeros(3)) for _ in tree.solved]
    columns: list[_Column] = []
    for move in tree.moves:
        rotation, origin = frames[move.frame]
        before, origin = rotation @ move.turn, origin + rotation @ move.shift
        if move.kind == CURVE:
            frames.append(_along(tree, move, before, origin, columns))
            continue
        if move.driven is None:
            axes = range(3) if move.kind == BALL else [move.axis]
            slides = move.kind == TRANSLATION
            columns += [_Column(slides, slides * before[:, k], (not slides) * before[:, k], origin) for k in axes]
        if move.kind == TRANSLATION:
            frames.append((before, origin + before[:, move.axis] * move.start[0]))
        else:
            frames.append((before @ _turned(move), origin))
    return frames, columns


def _along(tree: Tree, move: Move, before: Array, origin: Array, columns: list[_Column]) -> tuple[Array, Array]:
    """Compute rotation and origin after a move along a curve; appends the column of its unknown."""
    flank, u = tree.curves[move.axis], np.array(move.start[0])
    (x, y), (dx, dy), (ddx, ddy) = (flank.at(u, order) for order in range(3))
    speed = float(np.hypot(dx, dy))
    c, s, origin = dx / speed, dy / speed, origin + before @ [x, y, 0.0]
    if move.driven is None:
        turn = (dx * ddy - dy * ddx) / speed**2
        columns.append(_Column(True, before @ [dx, dy, 0.0], turn * before[:, 2], origin))
    return before @ [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]], origin


def _turned(move: Move) -> Array:
    from scipy.spatial.transform import Rotation

    if move.kind == BALL:
        rotation = Rotation.from_quat([*move.start[1:], move.start[0]])
    else:
        rotation = Rotation.from_rotvec(move.start[0] * np.eye(3)[move.axis])
    return np.asarray(rotation.as_matrix())


def _rows(
    tree: Tree, equation: Equation, frames: list[tuple[Array, Array]], columns: list[_Column],
    paths: NDArray[np.int64], size: float,
) -> list[Array]:  # fmt: skip
    """Differentiate one equation: three rows for coincident points (two in the plane), one row for all others."""
    if equation.kind == LINEAR:
        return [_linear(tree, equation, len(columns))]
    points = equation.kind in (COINCIDE, DISTANCE), equation.kind != DOT, True

    def fixed(part: int) -> tuple[Array, Array]:
        """A vector of the equation in global components, (3,), and its derivatives, (unknowns, 3)."""
        frame = equation.second if part == 1 else equation.first
        (rotation, origin), is_point = frames[frame], points[part]
        at = rotation @ equation.vectors[part] + is_point * origin
        moved = np.zeros((len(columns), 3))
        for u in np.flatnonzero(paths[frame]):
            column = columns[u]
            moved[u] = is_point * column.shift + np.cross(column.turn, at - is_point * column.through)
        return at, moved

    (first, d_first), (second, d_second) = fixed(0), fixed(1)
    if equation.kind == COINCIDE:
        return list((d_first - d_second).T[: tree.dimension] / size)
    if equation.kind == DISTANCE:
        return [(d_second - d_first) @ (second - first) / (equation.value * size)]
    if equation.kind == OFFSET:
        third, d_third = fixed(2)
        second, d_second = (second - third) / size, (d_second - d_third) / size
    return [d_first @ second + d_second @ first]


def _linear(tree: Tree, equation: Equation, unknowns: int) -> Array:
    """Differentiate a linear relation between two moves, whose coefficients come first among its vectors."""
    row = np.zeros(unknowns)
    for move, coefficient in zip((equation.first, equation.second), equation.vectors[0], strict=False):
        if tree.moves[move].driven is None:
            row[tree.unknown_of(move)] += coefficient
    return row
