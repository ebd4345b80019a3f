"""The sheet of the map of rates while it is made: vectors fixed in bodies, twists and wrenches, and registers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.freedoms import Between, Frames, Freedom, Line
from groupkin.model import trees
from groupkin.model.trees import Equation
from sglibrary.iterative import kinds
from sglibrary.rates.linear_map import Sheet
from sglibrary.rates.operations import CROSS, FIXED, MIDDLE, MOMENT, PRODUCT, RELATIVE, UNIT

Array = NDArray[np.float64]
Vector = tuple[tuple[int, int], ...]
"""Which components of a twist or wrench are not always zero, and the rows of the sheet that hold them."""

Term = tuple[int, int, float]
"""Row of the sheet, register and factor."""

Sums = dict[int, list[Term]]
"""Of a twist that depends on the drivers, by component: what it is the sum of."""

SAME = 1e-15
"""Difference up to which a vector of a body is one that has rows already; of points in sizes of the mechanism."""


@dataclass(frozen=True)
class Gap:
    """Inputs that open a joint: what its second body moves relative to the first beyond what the joint allows.

    Attributes
    ----------
    first, count : int
        Number of the first input, and how many there are.
    wrenches : list of Vector, optional
        Of a joint that is cut: the wrench along which each input opens it. Otherwise the inputs are the components of
        a twist.
    """

    first: int
    count: int
    wrenches: list[Vector] | None


@dataclass
class Builder:
    """Tables while they are made; `constants` are the rows of the sheet, zero where they are computed."""

    program: Program
    center: Array
    size: float
    constants: list[float]
    read: list[int]
    zero: int
    one: int
    operations: list[list[int]] = field(default_factory=list)
    numbers: list[list[float]] = field(default_factory=list)
    pairs: list[tuple[int, int]] = field(default_factory=list)
    registers: list[list[Term]] = field(default_factory=list)
    vectors: dict[tuple[object, ...], int] = field(default_factory=dict)
    ready: set[int] = field(default_factory=set)
    computed: list[tuple[str, int, int]] = field(default_factory=list)
    gaps: dict[str, Gap] = field(default_factory=dict)

    @property
    def dimension(self) -> int:
        return self.program.mechanism.dimension

    @property
    def components(self) -> int:
        """Of a twist: angular velocity, then velocity."""
        return 6 if self.dimension == 3 else 3

    # --- the sheet

    def rows(self, values: Iterable[float]) -> int:
        """Add rows with values, which stay where nothing is written; the number of the first."""
        first = len(self.constants)
        self.constants.extend(map(float, values))
        return first

    def operate(self, code: int, whole: Iterable[int], numbers: Iterable[float] = ()) -> None:
        self.operations.append(([code, *whole] + [0] * 6)[:6])
        self.numbers.append(([*numbers] + [0.0] * 4)[:4])

    def product(self, pairs: list[tuple[int, int]], factor: float) -> int:
        """A row for the sum of products of rows."""
        out = self.rows([0.0])
        self.operate(PRODUCT, [out, len(self.pairs), len(pairs)], [factor])
        self.pairs += pairs
        return out

    def known(self, row: int) -> int:
        """A row of the state, whose vector is computed if it is attached to others."""
        attached = self.program.attached.get(row)
        if attached is not None and row not in self.ready:
            self.ready.add(row)
            point = -1 if attached.point < 0 else self.known(attached.point)
            self._fix(row, point, [self.known(k) for k in attached.vectors], attached.coefficients)
        return row

    def _fix(self, out: int, point: int, along: list[int], coefficients: Array) -> None:
        self.operate(FIXED, [out, point, *along], coefficients)

    def vector(self, line: Line, point: bool) -> int:
        """The first row of a vector fixed in a body."""
        d = self.dimension
        pose, local = self.program.poses[line.body], line.vector[:d]
        key = (line.body, point, *np.round(local / (self.size if point else 1.0), 14) + 0.0)
        if key not in self.vectors:
            coefficients = pose.coefficients(local, point)
            row = pose.row(coefficients, point, SAME * (self.size if point else 1.0))
            if line.body == self.program.mechanism.frame:
                row = self.rows(local)
            elif row is None:
                base = self.known(pose.point) if point else -1
                along = [self.known(k) for k in pose.vectors]
                row = self.rows([0.0] * d)
                self._fix(row, base, along, coefficients)
            self.vectors[key] = self.known(row)
        return self.vectors[key]

    def axis(self, axis: Line | Between) -> int:
        """The first row of a direction in space."""
        if isinstance(axis, Line):
            return self.vector(axis, False)
        first, second = self.vector(axis.first, False), self.vector(axis.second, False)
        key = ("between", first, second, axis.sign)
        if key not in self.vectors:
            self.vectors[key] = self.rows([0.0] * 3)
            self.operate(MIDDLE, [self.vectors[key], first, second], [axis.sign])
        return self.vectors[key]

    def arm(self, line: Line) -> int:
        """The first row of the way from the center to a point, in sizes; the opposite way follows it."""
        point = self.vector(line, True)
        return self._arm(point)

    def _arm(self, point: int) -> int:
        key = ("arm", point)
        if key not in self.vectors:
            self.vectors[key] = self.rows([0.0] * 2 * self.dimension)
            center = np.zeros(3)
            center[: self.dimension] = self.center
            self.operate(RELATIVE, [self.vectors[key], point], [*center, 1.0 / self.size])
        return self.vectors[key]

    def cross(self, first: int, second: int, factor: float = 1.0) -> int:
        out = self.rows([0.0] * 3)
        self.operate(CROSS, [out, first, second], [factor])
        return out

    def moment(self, arm: int, force: int) -> int:
        """Add a row for the moment of a force in the plane."""
        out = self.rows([0.0])
        self.operate(MOMENT, [out, arm, force])
        return out

    # --- twists and wrenches

    def about(self, arm: int, k: int) -> Vector:
        """Rotation about the global axis k (in the plane the upright one) through a point; or the force along it."""
        d = self.dimension
        if d == 2:
            return ((0, self.one), (1, arm + 1), (2, arm + d))
        s, t = (k + 1) % 3, (k + 2) % 3
        # p × e_k: component s is p_t, component t is -p_s
        return ((k, self.one), (3 + s, arm + t), (3 + t, arm + d + s))

    def force(self, arm: int, k: int) -> Vector:
        """A force along the global axis k through a point."""
        d = self.dimension
        if d == 2:
            return ((1 + k, self.one), (0, arm + 1 + d if k == 0 else arm))
        s, t = (k + 1) % 3, (k + 2) % 3
        return ((3 + k, self.one), (s, arm + t), (t, arm + d + s))

    def twists(self, move: trees.Move, freedom: Freedom) -> list[Vector]:
        """The twists of the freedoms of a move: one, or of a ball three."""
        d = self.dimension
        if freedom.computed:
            count = 3 if move.kind == kinds.BALL else 1
            first = self.rows([0.0] * count * self.components)
            self.read += range(first, first + count * self.components)
            self.computed.append((move.joint, move.number, move.kind))
            return [tuple((i, first + k * self.components + i) for i in range(self.components)) for k in range(count)]
        if move.kind == kinds.TRANSLATION:
            assert freedom.axis is not None
            axis = self.axis(freedom.axis)
            return [tuple(((1 if d == 2 else 3) + i, axis + i) for i in range(d))]
        assert freedom.point is not None
        arm = self.arm(freedom.point)
        if move.kind == kinds.BALL or d == 2:
            return [self.about(arm, k) for k in range(3 if d == 3 else 1)]
        assert freedom.axis is not None
        axis = self.axis(freedom.axis)
        moment = self.cross(arm, axis)
        return [tuple((i, axis + i) for i in range(3)) + tuple((3 + i, moment + i) for i in range(3))]

    def wrenches(self, equation: Equation, frames: Frames) -> list[Vector]:
        """The wrenches of the scalar equations of an equation, from its second frame on the first or opposite."""
        d = self.dimension
        sides = [frames.bodies.get(frame) for frame in (equation.first, equation.second)]
        placed = [frames.placed[frame] for frame in (equation.first, equation.second)]

        def line(side: int, vector: Array, point: bool) -> Line | None:
            axes, origin = placed[side]
            body = sides[side] or sides[1 - side]
            return None if body is None else Line(body, axes @ vector + (origin if point else 0.0))

        u, w, _ = equation.vectors
        if equation.kind == kinds.COINCIDE:
            point = line(1, w, True) if sides[1] is not None else line(0, u, True)
            arm = (
                self._contact_arm(frames.tree.moves[equation.first - len(frames.tree.solved)])
                if point is None
                else self.arm(point)
            )
            return [self.force(arm, k) for k in range(d)]
        if equation.kind == kinds.DOT and d == 2:
            return [((0, self.one),)]
        first, second = line(0, u, False), line(1, w, equation.kind != kinds.DOT)
        if equation.kind == kinds.DISTANCE:
            first = line(0, u, True)
        assert first is not None
        assert second is not None
        if equation.kind == kinds.DOT:
            moment = self.cross(self.vector(first, False), self.vector(second, False))
            return [tuple((i, moment + i) for i in range(3))]
        if equation.kind == kinds.DISTANCE:
            force = self.rows([0.0] * d)
            self.operate(UNIT, [force, self.vector(first, True), self.vector(second, True)])
        else:
            force = self.vector(first, False)
        arm = self.arm(second)
        if d == 2:
            return [((0, self.moment(arm, force)), (1, force), (2, force + 1))]
        moment = self.cross(arm, force)
        return [tuple((i, moment + i) for i in range(3)) + tuple((3 + i, force + i) for i in range(3))]

    def _contact_arm(self, move: trees.Move) -> int:
        """The way from the center to the contact of two curves, which is computed."""
        first = self.rows([0.0] * self.components)
        self.read += range(first, first + self.components)
        self.computed.append((move.joint, move.number, CONTACT))
        return self._arm(first)

    # --- the map

    def register(self, terms: list[Term]) -> int:
        """Add a register that is a sum of others; or the one that it is equal to."""
        if len(terms) == 1 and terms[0][0] == self.one and terms[0][2] == 1.0:
            return terms[0][1]
        self.registers.append(terms)
        return len(self.registers) - 1

    def sheet(self) -> Sheet:
        """Return the sheet as arrays."""
        return Sheet(
            self.dimension,
            np.array(self.constants),
            np.array(self.read, np.int64),
            np.array(self.operations, np.int64).reshape(-1, 6),
            np.array(self.numbers).reshape(-1, 4),
            np.array(self.pairs, np.int64).reshape(-1, 2),
        )


CONTACT = -1
"""In place of the kind of a move: the point of contact of two curves."""
