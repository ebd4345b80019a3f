"""A group of joints as what is written of it sees it: its scheme, and where its rows and constants are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sglibrary.code.graph import Expr, Graph, Vector
from sglibrary.iterative.kinds import BALL, MIDDLE
from sglibrary.iterative.tables import HEADER
from sglibrary.straight.places import BENT, first_rows
from sglibrary.straight.quaternions import Turn, advanced, nearly_unit
from sglibrary.straight.scheme import Scheme, pose_vectors

NUMBERS = 2
"""Constants of the group itself."""

MOST_UNKNOWNS = 6
"""Unknowns up to which equations are compiled, as many as a loop in space may have; that takes 2 s then."""


@dataclass
class Group:
    """A scheme, and where the rows and constants of its groups are."""

    scheme: Scheme
    graph: Graph = field(default_factory=Graph)

    def __post_init__(self) -> None:
        s = self.scheme
        self.dimension, self.places, self.vectors = s.dimension, first_rows(*s.counts), pose_vectors(s.dimension)
        self.unknowns, self.solved = s.counts[0], len(s.still) // self.vectors
        self.moves, self.equations = len(s.moves), len(s.equations)
        self.tree = self.moves - sum(rod.moves for rod in s.rods)
        self.paths = [self._before(frame) for frame in range(self.solved + self.moves)]
        free = [m for m, move in enumerate(s.moves) if move.unknown >= 0]
        self.move_of = [m for m in free for _ in range(3 if s.moves[m].kind == BALL else 1)]
        self.drivers_at = HEADER + len(s.still)
        self.outputs_at = self.drivers_at + sum(move.driver >= 0 for move in s.moves)
        self.solved_data = NUMBERS
        self.move_data = self.solved_data + 12 * self.solved
        self.equation_data = self.move_data + 13 * self.moves
        self.output_data = self.equation_data + 10 * self.equations
        self.rod_data = self.output_data + 12 * len(s.bodies)

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

    def read(self, kind: str, number: int) -> Vector:
        """A vector of the state, by its number among those that are read."""
        return read_vector(self.graph, self.dimension, self.scheme.still, kind, number)

    def move(self, m: int) -> tuple[int, int, int, int, int]:
        """The frame that a move starts from, its kind, axis, unknown or -1, and driver or -1."""
        return self.scheme.moves[m][:5]

    def driver(self, m: int, kind: str) -> Expr:
        """Expr, rate or acceleration of a driven move."""
        move = self.scheme.moves[m]
        return self.constant(move.factor) * self.graph.value(kind, self.drivers_at + move.driver, 0)

    def equation(self, k: int) -> tuple[int, int, int, int, int]:
        """Kind, two frames and the move of an equation, and where its constants begin."""
        return *self.scheme.equations[k][:4], self.equation_data + 10 * k

    def sign(self, k: int, u: int) -> int:
        """1 where an unknown moves the first frame of an equation, -1 the second, 0 where it moves both or none."""
        _, first, second, _, _ = self.equation(k)
        m = self.move_of[u]
        return (m in self.paths[first]) - (m in self.paths[second])

    def _before(self, frame: int) -> frozenset[int]:
        """The moves that lead from a solved body to a frame."""
        m = frame - self.solved
        return frozenset[int]() if m < 0 else self._before(self.move(m)[0]) | {m}

    def curve(self, m: int, k: int) -> Expr:
        """Row k of a move along a curve."""
        return self.graph.value("w", self.places.curves + BENT * m + k)

    def variables_of(self, m: int, first: int) -> list[Expr]:
        """The variables of a free move, one or the quaternion of a ball, which begin in a row of working memory."""
        at = first + self.scheme.moves[m].variable
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


def read_vector(graph: Graph, dimension: int, still: Sequence[bool], kind: str, number: int) -> Vector:
    """A vector of the state, by its number among those that a group reads, some of which never change."""
    zero, at = graph.number(0.0), HEADER + number
    if kind != "q" and still[number]:
        return zero, zero, zero
    return graph.value(kind, at, 0), graph.value(kind, at, 1), graph.value(kind, at, 2) if dimension == 3 else zero


def is_compiled(scheme: Scheme) -> bool:
    """Whether the texts of a group are worth compiling."""
    plain = not any(equation.coupling for equation in scheme.equations)
    return (
        1 <= scheme.counts[0] <= MOST_UNKNOWNS and plain and not {move.kind for move in scheme.moves} & {BALL, MIDDLE}
    )
