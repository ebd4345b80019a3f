"""Points and directions of bodies as linear combinations of the rows of a motion, for many of them at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from groupkin.kinematics.program.program import Program
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Item = tuple[str, Array, bool]
"""A body, local coordinates (d,), m, or components of a direction, and whether they are those of a point."""

Combination = tuple[dict[int, float], float]
"""Factors of the rows of a motion, by number, and a constant."""


@dataclass(frozen=True)
class LinearRows:
    """Positions of k points and directions: ``matrix @ q + constants``; of velocities and accelerations without these.

    Attributes
    ----------
    matrix : (k d, rows) csr_array
    constants : (k d, 1) array
    count, dimension : int
        k and d.
    """

    matrix: csr_array
    constants: Array
    count: int
    dimension: int

    def positions(self, q: Array) -> Array:
        """Compute positions (k, d, n) from the rows (rows, n) of a motion."""
        return self._shaped(self.matrix @ q + self.constants)

    def rates(self, v: Array) -> Array:
        """Compute velocities (k, d, n), or accelerations, from their rows (rows, n)."""
        return self._shaped(self.matrix @ v)

    def _shaped(self, rows: Array) -> Array:
        return np.asarray(rows).reshape(self.count, self.dimension, rows.shape[1])


def linear_rows(program: Program, items: Iterable[Item]) -> LinearRows:
    """Express points and directions of bodies by the rows that a motion keeps."""
    from scipy.sparse import csr_array

    every, d = list(items), program.mechanism.dimension
    found = [combination for item in every for combination in combinations(program, *item)]
    places = [(k, row, factor) for k, (factors, _) in enumerate(found) for row, factor in factors.items()]
    at = np.array([place[:2] for place in places], np.int64).reshape(-1, 2)
    entries = np.array([place[2] for place in places])
    matrix = csr_array((entries, (at[:, 0], at[:, 1])), shape=(len(found), len(program.kept)))
    return LinearRows(matrix, np.array([[constant] for _, constant in found]).reshape(-1, 1), len(every), d)


def combinations(program: Program, body: str, local: Array, point: bool) -> list[Combination]:
    """Combinations for the d coordinates of a point or direction of a body."""
    pose = program.poses[body]
    return _from_directions(program, pose.point if point else -1, pose.coefficients(local, point), pose.vectors)


def _from_directions(program: Program, point: int, coefficients: Array, vectors: tuple[int, ...]) -> list[Combination]:
    """Combinations by components along the directions of a body, from a point of it, or of a direction (-1)."""
    parts = [(1.0, _known(program, point))] if point >= 0 else []
    parts += list(zip(coefficients, _directions(program, vectors), strict=True))
    return [_sum((factor, each[k]) for factor, each in parts) for k in range(program.mechanism.dimension)]


def _directions(program: Program, vectors: tuple[int, ...]) -> list[list[Combination]]:
    """All d directions of a body; in the plane the second one is the first, turned."""
    found = [_known(program, row) for row in vectors]
    if len(found) == 1:
        x, y = found[0]
        found.append([_sum([(-1.0, y)]), x])
    return found


def _known(program: Program, first: int) -> list[Combination]:
    """A point or direction that has rows of its own, by the first of them."""
    d = program.mechanism.dimension
    if first in program.fixed:
        return [({}, float(program.fixed[first + k])) for k in range(d)]
    if first not in program.attached:
        row = int(np.searchsorted(program.kept, first))
        return [({row + k: 1.0}, 0.0) for k in range(d)]
    attached = program.attached[first]
    return _from_directions(program, attached.point, attached.coefficients, attached.vectors)


def _sum(parts: Iterable[tuple[float, Combination]]) -> Combination:
    rows: dict[int, float] = {}
    constant = 0.0
    for factor, (factors, known) in parts:
        constant += factor * known
        for row, value in factors.items():
            rows[row] = rows.get(row, 0.0) + factor * value
    return {row: float(value) for row, value in rows.items() if value}, float(constant)
