"""Rank of a group's equations at the reference configuration.

Counting decides whether a group has as many equations as unknowns; only rank says whether these determine it here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groupkin.model.trees import BALL, COINCIDE, OFFSET, TRANSLATION, Tree

Array = NDArray[np.float64]

RANK_TOLERANCE = 1e-8
"""Singular values below this share of the largest count as zero; geometry given with eight digits passes."""


@dataclass(frozen=True)
class Rank:
    """Unknowns, equations and rank of a group's system, and its conditioning (smallest over largest singular value)."""

    unknowns: int
    equations: int
    rank: int
    conditioning: float

    @property
    def full(self) -> bool:
        return self.unknowns == self.equations == self.rank


def rank(tree: Tree, size: float) -> Rank:
    """Rank of the equations of a group in the reference configuration; lengths are relative to `size` in m."""
    jacobian = reference_jacobian(tree, size)
    if jacobian.size == 0:
        return Rank(tree.unknowns, tree.count, 0, 1.0)
    values = np.linalg.svd(jacobian, compute_uv=False)
    share = float(values[-1] / values[0]) if values[0] > 0 else 0.0
    return Rank(tree.unknowns, tree.count, int((values > RANK_TOLERANCE * values[0]).sum()), share)


def reference_jacobian(tree: Tree, size: float) -> Array:
    """Derivatives of the equations by the unknowns, (equations, unknowns), in the reference configuration."""
    frames = [(np.eye(3), np.zeros(3)) for _ in tree.solved]
    columns: list[tuple[bool, Array, Array]] = []  # does it slide, along or about which axis, through which point
    for move in tree.moves:
        rotation, origin = frames[move.frame]
        before, origin = rotation @ move.turn, origin + rotation @ move.shift
        slides = move.kind == TRANSLATION
        if move.driven is None:
            axes = range(3) if move.kind == BALL else [move.axis]
            columns += [(slides, before[:, axis], origin) for axis in axes]
        frames.append((before @ _turned(move.kind, move.axis, move.start), origin + _shifted(move, before)))
    paths = tree.paths()
    rows: list[Array] = []
    for equation in tree.equations:
        rows += _rows(equation.kind, equation.vectors, frames, columns, paths, equation.first, equation.second, size)
    scale = np.array([size if slides else 1.0 for slides, _, _ in columns])
    return np.array(rows)[:, :, 0].reshape(len(rows), len(columns)) * scale if rows else np.zeros((0, len(columns)))


def _turned(kind: int, axis: int, start: tuple[float, ...]) -> Array:
    from scipy.spatial.transform import Rotation

    if kind == BALL:
        return Rotation.from_quat([*start[1:], start[0]]).as_matrix()
    return np.eye(3) if kind == TRANSLATION else Rotation.from_rotvec(start[0] * np.eye(3)[axis]).as_matrix()


def _shifted(move, before: Array) -> Array:  # type: ignore[no-untyped-def]
    return before[:, move.axis] * move.start[0] if move.kind == TRANSLATION else np.zeros(3)


def _rows(kind, vectors, frames, columns, paths, first, second, size):  # type: ignore[no-untyped-def]
    def fixed(frame: int, vector: Array, point: bool) -> Array:
        rotation, origin = frames[frame]
        return rotation @ vector + (origin if point else 0.0)

    def moved(frame: int, at: Array, point: bool) -> Array:
        out = np.zeros((len(columns), 3))
        for u, (slides, axis, through) in enumerate(columns):
            if paths[frame, u]:
                out[u] = axis * point if slides else np.cross(axis, at - through * point)
        return out

    one, two = fixed(first, vectors[0], kind == COINCIDE), fixed(second, vectors[1], kind in (COINCIDE, OFFSET))
    d_one, d_two = moved(first, one, kind == COINCIDE), moved(second, two, kind in (COINCIDE, OFFSET))
    if kind == COINCIDE:
        return list(((d_one - d_two) / size).T[:, :, None])
    if kind == OFFSET:
        three = fixed(first, vectors[2], True)
        d_two = d_two - moved(first, three, True)
        two = two - three
    row = d_one @ two + d_two @ one
    return [(row / size if kind == OFFSET else row)[:, None]]
