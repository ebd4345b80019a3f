"""The rows of a group's tables (`sglibrary.iterative.newton_tables`), as what is written of it reads them."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sglibrary.code.graph import Expr, Graph, Vector
from sglibrary.iterative.kinds import BALL, CURVE, FORMULA, FUNCTION, MIDDLE, TABLE
from sglibrary.iterative.newton_tables import FORMULA_ROWS, HEADER, LEAST, NUMBERS, SCALARS, TEXTS
from sglibrary.straight.places import BENT, first_rows
from sglibrary.straight.quaternions import Turn, advanced, nearly_unit

Ints = NDArray[np.int64]
MOST_UNKNOWNS = 6
"""Unknowns up to which equations are compiled, as many as a loop in space may have; that takes 2 s then."""


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
        self.dimension, self.unknowns, self.variables, self.solved = map(int, r[:4])
        self.moves, self.equations, self.outputs = map(int, r[4:7])
        self.tree, self.rods = int(r[8]), int(r[9])
        self.solved_at = HEADER
        self.moves_at = self.solved_at + 4 * self.solved
        self.equations_at = self.moves_at + 6 * self.moves
        self.outputs_at = self.equations_at + 4 * self.equations
        self.rods_at = self.outputs_at + 5 * self.outputs
        self.formulas_at = self.rods_at + 4 * self.rods
        frames, end = self.solved + self.moves, int(r[TEXTS])
        self.paths = r[end - frames * self.unknowns : end].reshape(frames, self.unknowns)
        self.solved_data, self.least_squares = NUMBERS, bool(r[LEAST])
        self.move_data = self.solved_data + 12 * self.solved
        self.equation_data = self.move_data + 13 * self.moves
        self.output_data = self.equation_data + 10 * self.equations
        self.rod_data = self.output_data + 12 * self.outputs
        self.formula_data = self.rod_data + 7 * self.rods
        self.has_curves = any(self.move(m)[1] == CURVE for m in range(self.moves))
        kinds = {self.equation(k)[0] for k in range(self.equations)}
        self.has_functions = bool(kinds & {TABLE, FUNCTION})
        self.is_coupled = self.has_functions or FORMULA in kinds
        bent = self.moves if self.has_curves else 0
        self.places = first_rows(self.unknowns, self.variables, int(r[SCALARS]), int(r[FORMULA_ROWS]), bent)

    def constant(self, k: int) -> Expr:
        return self.graph.value("c", k)

    def zero(self) -> Expr:
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

    def driver(self, m: int, kind: str) -> Expr:
        """Expr, rate or acceleration of a driven move."""
        return self.constant(self.move_data + 13 * m + 12) * self.graph.value(kind, self.moves_at + 6 * m + 4, 0)

    def equation(self, k: int) -> tuple[int, int, int, int, int]:
        """Kind, two frames and the move of an equation, and where its constants begin."""
        kind, first, second, move = (int(x) for x in self.rows[self.equations_at + 4 * k :][:4])
        return kind, first, second, move, self.equation_data + 10 * k

    def sign(self, k: int, u: int) -> int:
        """1 where an unknown moves the first frame of an equation, -1 the second, 0 where it moves both or none."""
        _, first, second, _, _ = self.equation(k)
        return int(self.paths[first, u] != 0) - int(self.paths[second, u] != 0)

    def before(self, frame: int) -> frozenset[int]:
        """The moves that lead from a solved body to a frame."""
        m = frame - self.solved
        return frozenset[int]() if m < 0 else self.before(self.move(m)[0]) | {m}

    def curve(self, m: int, k: int) -> Expr:
        """Row k of a move along a curve."""
        return self.graph.value("w", self.places.curves + BENT * m + k)

    def variables_of(self, m: int, first: int) -> list[Expr]:
        """The variables of a free move, one or the quaternion of a ball, which begin in a row of working memory."""
        at = first + int(self.rows[self.moves_at + 6 * m + 5])
        if self.move(m)[1] != BALL:
            return [self.graph.value("w", at)]
        found = [self.graph.value("w", at + i) for i in range(4)]
        return nearly_unit(found) if first == self.places.x else found

    def value(self, m: int, first: int) -> Expr:
        """The value of a move, if it is free that of its variable."""
        return self.variables_of(m, first)[0] if self.move(m)[3] >= 0 else self.driver(m, "q")

    def advanced(self, first: int, step: Sequence[Expr]) -> list[Expr]:
        """The variables that begin in a row of working memory, after a step of the unknowns."""
        found: list[Expr] = []
        for m in range(self.moves):
            _, kind, _, u, _ = self.move(m)
            if u < 0:
                continue
            x = self.variables_of(m, first)
            found += advanced(x, step[u : u + 3]) if kind == BALL else [x[0] + step[u]]
        return found


def is_compiled(rows: Ints) -> bool:
    """Whether the texts of a group are worth compiling."""
    group = Group(rows)
    kinds = {group.move(m)[1] for m in range(group.moves)}
    return 1 <= group.unknowns <= MOST_UNKNOWNS and not group.is_coupled and not kinds & {BALL, MIDDLE}
