"""The rows of a group's tables (`sglibrary.iterative.newton_tables`), as what is written of it reads them."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sglibrary.iterative.kinds import (
    COINCIDE,
    CURVE,
    DISTANCE,
    DOT,
    LINEAR,
    OFFSET,
    ROTATION,
    TELESCOPE,
    TRANSLATION,
)
from sglibrary.iterative.newton_tables import HEADER
from sglibrary.straight.places import BENT, first_rows
from sglibrary.straight.values import Graph, Value, Vector

Ints = NDArray[np.int64]
Turn = tuple[Vector, Vector, Vector]
"""Rows of a rotation."""

MOST_UNKNOWNS = 6
"""Unknowns up to which equations are written out, as many as a loop in space may have; compiling takes 2 s then."""


@dataclass
class Group:
    """The rows of a group's tables, and where its constants are.

    Attributes
    ----------
    rows : (k,) array of int
    still : set of int
        Those rows of the state that never change, whose rates are 0.
    graph : Graph
    """

    rows: Ints
    still: Set[int] = frozenset()
    graph: Graph = field(default_factory=Graph)

    def __post_init__(self) -> None:
        r = self.rows
        self.dimension, self.unknowns, _, self.solved, self.moves, self.equations, self.outputs = map(int, r[:7])
        self.tree, self.rods = int(r[8]), int(r[9])
        self.solved_at = HEADER
        self.moves_at = self.solved_at + 4 * self.solved
        self.equations_at = self.moves_at + 6 * self.moves
        self.outputs_at = self.equations_at + 4 * self.equations
        self.rods_at = self.outputs_at + 5 * self.outputs
        frames = self.solved + self.moves
        self.paths = r[r.size - frames * self.unknowns :].reshape(frames, self.unknowns)
        self.solved_data = 1
        self.move_data = self.solved_data + 12 * self.solved
        self.equation_data = self.move_data + 13 * self.moves
        self.output_data = self.equation_data + 10 * self.equations
        self.rod_data = self.output_data + 12 * self.outputs
        self.places = first_rows(self.unknowns, self.unknowns, self.moves)

    def constant(self, k: int) -> Value:
        return self.graph.value("c", k)

    def zero(self) -> Value:
        return self.graph.number(0.0)

    def vector(self, k: int) -> Vector:
        """A vector among the constants; in the plane its third component is 0."""
        return self.constant(k), self.constant(k + 1), self.constant(k + 2) if self.dimension == 3 else self.zero()

    def still_vector(self) -> Vector:
        return self.zero(), self.zero(), self.zero()

    def matrix(self, k: int) -> Turn:
        """A rotation among the constants; in the plane about the third axis."""
        if self.dimension == 3:
            return self.vector(k), self.vector(k + 3), self.vector(k + 6)
        cosine, sine, zero = self.constant(k), self.constant(k + 3), self.zero()
        return (cosine, -sine, zero), (sine, cosine, zero), (zero, zero, self.graph.number(1.0))

    def read(self, kind: str, at: int) -> Vector:
        """A vector of the state whose first row is a number of the rows."""
        if kind != "q" and int(self.rows[at]) in self.still:
            return self.still_vector()
        x, y = self.graph.value(kind, at, 0), self.graph.value(kind, at, 1)
        return x, y, self.graph.value(kind, at, 2) if self.dimension == 3 else self.zero()

    def move(self, m: int) -> tuple[int, int, int, int, int]:
        """The frame that a move starts from, its kind, axis, unknown or -1, and driver or -1."""
        frame, kind, axis, unknown, driver = (int(x) for x in self.rows[self.moves_at + 6 * m :][:5])
        return frame, kind, axis, unknown, driver

    def driver(self, m: int, kind: str) -> Value:
        """Value, rate or acceleration of a driven move."""
        return self.constant(self.move_data + 13 * m + 12) * self.graph.value(kind, self.moves_at + 6 * m + 4, 0)

    def equation(self, k: int) -> tuple[int, int, int, int, int]:
        """Kind, two frames and the move of an equation, and where its constants begin."""
        kind, first, second, move = (int(x) for x in self.rows[self.equations_at + 4 * k :][:4])
        return kind, first, second, move, self.equation_data + 10 * k

    def sign(self, k: int, u: int) -> int:
        """1 where an unknown moves the first frame of an equation, -1 the second, 0 where it moves both or none."""
        kind, first, second, _, _ = self.equation(k)
        if kind == LINEAR:
            return int(self.move(first)[3] == u) - int(self.move(second)[3] == u)
        return int(self.paths[first, u] != 0) - int(self.paths[second, u] != 0)

    def curve(self, m: int, k: int) -> Value:
        """Row k of a move along a curve."""
        return self.graph.value("w", self.places.curves + BENT * m + k)

    def unknown(self, first: int, u: int) -> Value:
        return self.graph.value("w", first + u)


def can_be_written(rows: Ints) -> bool:
    """Whether a group is small, and all its moves and equations are of kinds that are written out."""
    group = Group(rows)
    moves, equations = range(group.moves), range(group.equations)
    return (
        1 <= group.unknowns <= MOST_UNKNOWNS
        and int(rows[2]) == group.unknowns
        and all(group.move(m)[1] in (ROTATION, TRANSLATION, CURVE) for m in moves)
        and all(group.equation(k)[0] in (COINCIDE, DOT, OFFSET, DISTANCE, LINEAR, TELESCOPE) for k in equations)
    )
