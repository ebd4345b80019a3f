"""Vectors fixed in bodies as expressions of the rows of a state, and wrenches and twists along and about them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.freedoms import Between, Line
from groupkin.tolerances import SAME_VECTOR
from sglibrary.code.graph import Expr, Graph, inverse_root, total
from sglibrary.iterative import kinds
from sglibrary.traced import Traced, plain, samples

Array = NDArray[np.float64]

Vector = list[Expr]
"""Components (d,), or (3,), along the global axes."""

Screw = dict[int, Expr]
"""Components of a twist, angular velocity and then velocity, or of a wrench, torque and then force; others are 0."""

Term = tuple[Expr, Expr, Any]
"""Two expressions and a factor, which are multiplied."""

Computed = tuple[str, int, int]
"""What is computed beside positions: a joint, or coupling, number and kind of a move, or `CONTACT`, or `SLOPE`."""

CONTACT, SLOPE = -1, -2
"""In place of the kind of a move: the point of contact of two curves, and how a coupling feels a coordinate."""


@dataclass
class Vectors:
    """Expressions of vectors, each made once.

    Attributes
    ----------
    program : Program
    center : (d,) array
        The point whose velocity twists have, m.
    length : float
        Unit of lengths in twists and wrenches, m.
    graph : Graph
        Its leaves of kind q are rows of the state.
    symbols : int
        How many leaves there are whose places are chosen where the graph is written.
    computed : list of Computed
    given : list of Expr
        Of each of these all components of a twist, the point of a `CONTACT`, or a `SLOPE` and zeros.
    attached : list of Vector
        Those that follow from others, each after them.
    numbers : dict of int to Expr
        Numbers that depend on the parameters of a design, by their nodes in its trace.
    """

    program: Program
    center: Array
    length: float
    graph: Graph = field(default_factory=Graph)
    symbols: int = 0
    computed: list[Computed] = field(default_factory=list)
    given: list[Expr] = field(default_factory=list)
    attached: list[Vector] = field(default_factory=list)
    numbers: dict[int, Expr] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.zero, self.one = self.graph.number(0.0), self.graph.number(1.0)
        self.size = self.program.solved_geometry.size
        self.dimension = self.program.mechanism.dimension
        self.components = 6 if self.dimension == 3 else 3
        self._kept = set(self.program.kept.tolist())
        self._made: dict[tuple[object, ...], Vector] = {}

    # --- leaves and sums

    def symbol(self) -> Expr:
        """Return a new leaf, whose place is chosen where the graph is written."""
        self.symbols += 1
        return self.graph.value("x", self.symbols - 1)

    def number(self, x: Any) -> Expr:
        """Return a number, which may depend on the parameters of a design."""
        x = plain(x)
        if not isinstance(x, Traced):
            return self.graph.number(x)
        if x.node not in self.numbers:
            self.numbers[x.node] = self.symbol()
        return self.numbers[x.node]

    def sum(self, terms: Iterable[Term]) -> Expr:
        """Add up products."""
        return total(
            self.graph,
            [
                (x, y, factor) if isinstance(factor, float) else (self.number(factor) * x, y, 1.0)
                for x, y, factor in terms
            ],
        )

    def compute(self, name: str, number: int, kind: int) -> list[Expr]:
        """Return leaves for what is computed beside positions: all components of a twist, or of a ball's three."""
        rows = [self.symbol() for _ in range(self.components * (3 if kind == kinds.BALL else 1))]
        self.computed.append((name, number, kind))
        self.given += rows
        return rows

    # --- vectors

    def known(self, row: int) -> Vector:
        """Read a vector from the state, or compute it if it is attached to others."""
        attached = self.program.attached.get(row)
        if attached is None:
            return [self._leaf(row + i) for i in range(self.dimension)]
        if ("row", row) not in self._made:
            point = None if attached.point < 0 else self.known(attached.point)
            found = self._fixed(point, [self.known(k) for k in attached.vectors], attached.coefficients)
            self._made["row", row] = found
            self.attached.append(found)
        return self._made["row", row]

    def _leaf(self, row: int) -> Expr:
        if row in self._kept:
            return self.graph.value("q", row, 0)
        return self.number(self.program.fixed.get(row, 0.0))

    def _fixed(self, point: Vector | None, along: list[Vector], coefficients: Array) -> Vector:
        """A direction, or a point if there is one, from unit vectors; in the plane from one and that to its left."""
        base = (tuple(each) for each in (*along, point or ()))
        key = ("fixed", *base, *self._rounded(coefficients, point is not None))
        if key not in self._made:
            shares = list(map(plain, coefficients))
            found = []
            for i in range(self.dimension):
                parts = [(vector[i], share) for vector, share in zip(along, shares, strict=False)]
                if self.dimension == 2:
                    parts.append((along[0][1 - i], shares[1] * (2 * i - 1)))
                origin = [(point[i], 1.0)] if point is not None else []
                found.append(self.sum((x, self.one, share) for x, share in origin + parts if share))
            self._made[key] = found
        return self._made[key]

    def _rounded(self, vector: Array, point: bool) -> Array:
        return np.asarray(np.round(samples(vector) / (self.size if point else 1.0), 14) + 0.0)

    def vector(self, line: Line, point: bool) -> Vector:
        """Compute a direction or point fixed in a body."""
        pose, local = self.program.poses[line.body], line.vector[: self.dimension]
        key = (line.body, point, *self._rounded(local, point))
        if key not in self._made:
            coefficients = pose.coefficients(local, point)
            row = pose.row(coefficients, point, SAME_VECTOR * (self.size if point else 1.0))
            if line.body == self.program.mechanism.frame:
                self._made[key] = [self.number(x) for x in local]
            elif row is None:
                base = self.known(pose.point) if point else None
                self._made[key] = self._fixed(base, [self.known(k) for k in pose.vectors], coefficients)
            else:
                self._made[key] = self.known(row)
        return self._made[key]

    def axis(self, axis: Line | Between) -> Vector:
        """Compute a direction in space."""
        if isinstance(axis, Line):
            return self.vector(axis, False)
        across = self.cross(self.vector(axis.first, False), self.vector(axis.second, False), axis.sign)
        return self.unit(across)

    def arm(self, line: Line) -> Vector:
        """Compute the way from the center to a point of a body, in units of length."""
        return self.arm_of(self.vector(line, True))

    def arm_of(self, point: Vector) -> Vector:
        """Compute the way from the center to a point, in units of length."""
        share = 1.0 / self.length
        ways = zip(point, self.center.tolist(), strict=True)
        return [self.sum([(x, self.one, share), (self.one, self.one, -share * middle)]) for x, middle in ways]

    def cross(self, first: Vector, second: Vector, factor: float = 1.0) -> Vector:
        """Compute the cross product in space."""
        ends = [((i + 1) % 3, (i + 2) % 3) for i in range(3)]
        return [self.sum([(first[s], second[t], factor), (first[t], second[s], -factor)]) for s, t in ends]

    def unit(self, vector: Vector) -> Vector:
        """Compute the unit vector along a vector."""
        share = inverse_root(self.sum((x, x, 1.0) for x in vector))
        return [x * share for x in vector]

    def moment(self, arm: Vector, force: Vector) -> Expr:
        """Compute the moment of a force in the plane."""
        return self.sum([(arm[0], force[1], 1.0), (arm[1], force[0], -1.0)])

    # --- twists and wrenches

    def about_global(self, arm: Vector, k: int) -> Screw:
        """Return the rotation about global axis k (in the plane the upright one) through a point."""
        if self.dimension == 2:
            return {0: self.one, 1: arm[1], 2: -arm[0]}
        s, t = (k + 1) % 3, (k + 2) % 3
        return {k: self.one, 3 + s: arm[t], 3 + t: -arm[s]}  # p × e_k

    def force(self, arm: Vector, k: int) -> Screw:
        """Return the force along global axis k through a point."""
        if self.dimension == 2:
            return {1 + k: self.one, 0: -arm[1] if k == 0 else arm[0]}
        s, t = (k + 1) % 3, (k + 2) % 3
        return {3 + k: self.one, s: arm[t], t: -arm[s]}

    def carried_around(self, arm: Vector, k: int) -> Screw:
        """Return the velocity of a point by a rotation about global axis k through the center."""
        if self.dimension == 2:
            return {1: -arm[1], 2: arm[0]}
        s, t = (k + 1) % 3, (k + 2) % 3
        return {3 + s: -arm[t], 3 + t: arm[s]}  # e_k × p

    def along(self, arm: Vector, direction: Vector) -> Screw:
        """Return the force along a direction through a point."""
        if self.dimension == 2:
            return {0: self.moment(arm, direction), 1: direction[0], 2: direction[1]}
        return dict(enumerate([*self.cross(arm, direction), *direction]))

    def about(self, arm: Vector, axis: Vector) -> Screw:
        """Return the rotation about an axis in space through a point."""
        return dict(enumerate([*axis, *self.cross(arm, axis)]))

    def power(self, wrench: Screw, twist: Screw, factor: Any = 1.0) -> Expr:
        """Multiply a wrench by a twist."""
        return self.sum((x, twist[i], factor) for i, x in wrench.items() if i in twist)
