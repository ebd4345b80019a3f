"""The sheet of the map of rates while it is made: vectors fixed in bodies, twists and wrenches, and registers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.freedoms import Between, Frames, Freedom, Line
from groupkin.model import trees
from groupkin.model.trees import Equation
from sglibrary.iterative import kinds
from sglibrary.rates.linear_map import Sheet
from sglibrary.rates.operations import INVERT, RECIPROCAL, ROOT, SUM
from sglibrary.traced import array_of, plain, samples

if TYPE_CHECKING:
    from groupkin.kinematics.rates.changes import Change

Array = NDArray[np.float64]
Vector = tuple[tuple[int, int], ...]
"""Which components of a twist or wrench are not always zero, and the rows of the sheet that hold them."""

Term = tuple[int, int, float]
"""Row of the sheet, register and factor; of an operation, two rows and a factor."""

Operation = tuple[int, int, list[Term]]
"""Code, first row that is written, and terms (`sglibrary.rates.operations`)."""

Sums = dict[int, list[Term]]
"""Of a twist that depends on the drivers, by component: what it is the sum of."""

SAME = 1e-15
"""Difference up to which a vector of a body is one that has rows already; of points in sizes of the mechanism."""


WRITTEN_OUT = 3
"""Unknowns up to which a matrix is inverted by its minors."""


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
    """Tables while they are made.

    `constants` are the rows of the sheet, zero where they are computed, and `groups` the number of registers after
    each group. Twists have lengths in units of `length`, m.
    """

    program: Program
    center: Array
    size: float
    length: float
    constants: list[float]
    read: list[int]
    zero: int
    one: int
    operations: list[Operation] = field(default_factory=list)
    registers: list[list[Term]] = field(default_factory=list)
    vectors: dict[tuple[object, ...], int] = field(default_factory=dict)
    computed: list[tuple[str, int, int]] = field(default_factory=list)
    gaps: dict[str, Gap] = field(default_factory=dict)
    changes: dict[Change, int] = field(default_factory=dict)
    groups: list[int] = field(default_factory=list)

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
        self.constants.extend(map(plain, values))
        return first

    def total(self, terms: list[Term], out: int = -1) -> int:
        """The row, a new one unless it is stated, for a sum of products of two rows and a factor."""
        terms = [term for term in terms if self.zero not in term[:2]]
        if not terms:
            return self.zero if out < 0 else out
        if out < 0 and len(terms) == 1 and terms[0][1:] == (self.one, 1.0):
            return terms[0][0]
        return self._operate(SUM, terms, out)

    def _operate(self, code: int, terms: list[Term], out: int = -1) -> int:
        out = self.rows([0.0]) if out < 0 else out
        self.operations.append((code, out, terms))
        return out

    def inverse(self, entries: list[int]) -> list[int]:
        """Rows for the inverse of a matrix, row by row: by minors up to three unknowns, else by elimination."""
        size = math.isqrt(len(entries))
        if size > WRITTEN_OUT:
            first = self.rows([0.0] * size * size)
            self._operate(INVERT, [(row, self.one, 1.0) for row in entries], first)
            return list(range(first, first + size * size))
        minors = [self._minor(entries, size, i, k) for k in range(size) for i in range(size)]
        determinant = self.total([(entries[i], *minors[i * size]) for i in range(size)])
        share = self._operate(RECIPROCAL, [(determinant, self.one, 1.0)])
        return [self.total([(share, *minor)]) for minor in minors]

    def _minor(self, entries: list[int], size: int, i: int, k: int) -> tuple[int, float]:
        """The minor of row i and column k, and its sign."""
        if size == 1:
            return self.one, 1.0
        if size == 2:
            return entries[3 - 2 * i - k], 1.0 if i == k else -1.0
        r, s, t, u = (3 * ((i + 1) % 3), 3 * ((i + 2) % 3), (k + 1) % 3, (k + 2) % 3)
        return self.total([(entries[r + t], entries[s + u], 1.0), (entries[r + u], entries[s + t], -1.0)]), 1.0

    def known(self, row: int) -> int:
        """A row of the state, or where the vector is computed if it is attached to others."""
        attached = self.program.attached.get(row)
        if attached is None:
            return row
        point = -1 if attached.point < 0 else self.known(attached.point)
        return self._fixed(point, [self.known(k) for k in attached.vectors], attached.coefficients)

    def _fixed(self, point: int, along: list[int], coefficients: Array) -> int:
        """A direction, or a point if there is one, from unit vectors; in the plane from one and that to its left."""
        key = ("fixed", point, *along, *self._rounded(coefficients, point >= 0))
        if key not in self.vectors:
            self.vectors[key] = self.rows([0.0] * self.dimension)
            shares = list(map(plain, coefficients))
            for i in range(self.dimension):
                parts = [(row + i, share) for row, share in zip(along, shares, strict=False)]
                if self.dimension == 2:
                    parts.append((along[0] + 1 - i, shares[1] * (2 * i - 1)))
                origin = [(point + i, 1.0)] if point >= 0 else []
                self.total([(row, self.one, share) for row, share in origin + parts if share], self.vectors[key] + i)
        return self.vectors[key]

    def _rounded(self, vector: Array, point: bool) -> Array:
        return np.asarray(np.round(samples(vector) / (self.size if point else 1.0), 14) + 0.0)

    def vector(self, line: Line, point: bool) -> int:
        """The first row of a vector fixed in a body."""
        d = self.dimension
        pose, local = self.program.poses[line.body], line.vector[:d]
        key = (line.body, point, *self._rounded(local, point))
        if key not in self.vectors:
            coefficients = pose.coefficients(local, point)
            row = pose.row(coefficients, point, SAME * (self.size if point else 1.0))
            if line.body == self.program.mechanism.frame:
                row = self.rows(local)
            elif row is None:
                base = self.known(pose.point) if point else -1
                along = [self.known(k) for k in pose.vectors]
                row = self._fixed(base, along, coefficients)
            self.vectors[key] = self.known(row)
        return self.vectors[key]

    def axis(self, axis: Line | Between) -> int:
        """The first row of a direction in space."""
        if isinstance(axis, Line):
            return self.vector(axis, False)
        first, second = self.vector(axis.first, False), self.vector(axis.second, False)
        key = ("between", first, second, axis.sign)
        if key not in self.vectors:
            self.vectors[key] = self._unit(self.cross(first, second, axis.sign))
        return self.vectors[key]

    def arm(self, line: Line) -> int:
        """The first row of the way from the center to a point, in units of length; the opposite way follows it."""
        point = self.vector(line, True)
        return self._arm(point)

    def _arm(self, point: int) -> int:
        key = ("arm", point)
        if key not in self.vectors:
            self.vectors[key] = self.rows([0.0] * 2 * self.dimension)
            for k, share in enumerate((1.0 / self.length, -1.0 / self.length)):
                for i, middle in enumerate(self.center.tolist()):
                    terms = [(point + i, self.one, share), (self.one, self.one, -share * middle)]
                    self.total(terms, self.vectors[key] + k * self.dimension + i)
        return self.vectors[key]

    def cross(self, first: int, second: int, factor: float = 1.0) -> int:
        out = self.rows([0.0] * 3)
        for i in range(3):
            s, t = (i + 1) % 3, (i + 2) % 3
            self.total([(first + s, second + t, factor), (first + t, second + s, -factor)], out + i)
        return out

    def _unit(self, vector: int) -> int:
        """The first row of the unit vector along a vector."""
        rows, out = range(vector, vector + self.dimension), self.rows([0.0] * self.dimension)
        share = self._operate(ROOT, [(self.total([(row, row, 1.0) for row in rows]), self.one, 1.0)])
        for i, row in enumerate(rows):
            self.total([(row, share, 1.0)], out + i)
        return out

    def moment(self, arm: int, force: int) -> int:
        """Add a row for the moment of a force in the plane."""
        return self.total([(arm, force + 1, 1.0), (arm + 1, force, -1.0)])

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
        if sides[0] is None and equation.kind == kinds.OFFSET:
            move = frames.tree.moves[equation.first - len(frames.tree.solved)]
            if move.kind == kinds.TRANSLATION:  # its frame turns with what is before
                sides[0] = frames.bodies.get(move.frame)
        placed = [frames.placed[frame] for frame in (equation.first, equation.second)]

        def line(side: int, vector: Array, point: bool) -> Line | None:
            axes, origin = placed[side]
            body = sides[side] or sides[1 - side]
            if body is None:
                return None
            return frames.carried(Line(body, axes @ vector + (origin if point else 0.0)), point)

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
            points, way = [self.vector(each, True) for each in (first, second)], self.rows([0.0] * d)
            for i in range(d):
                self.total([(points[1] + i, self.one, 1.0), (points[0] + i, self.one, -1.0)], way + i)
            force = self._unit(way)
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

    def slopes(self, coupling: str, count: int) -> list[int]:
        """The rows of how a coupling feels its coordinates, which are computed."""
        first = self.rows([0.0] * count * self.components)
        self.read += range(first, first + count * self.components)
        self.computed += [(coupling, k, SLOPE) for k in range(count)]
        return [first + k * self.components for k in range(count)]

    # --- the map

    def register(self, terms: list[Term]) -> int:
        """Add a register that is a sum of others; or the one that it is equal to."""
        if len(terms) == 1 and terms[0][0] == self.one and terms[0][2] == 1.0:
            return terms[0][1]
        self.registers.append(terms)
        return len(self.registers) - 1

    def sheet(self) -> Sheet:
        """Return the sheet as arrays."""
        return _as_arrays(self.constants, self.read, self.operations)


def needed_sheet(
    b: Builder, *maps: list[list[Term]]
) -> tuple[Sheet, tuple[tuple[str, int, int], ...], list[list[list[Term]]]]:
    """Leave out the rows that no register needs.

    Returns
    -------
    Sheet
    tuple
        The moves that have to be computed.
    list of list of list of Term
        The registers of the maps, with the new numbers of rows.
    """
    needed = {row for registers in maps for terms in registers for row, _, _ in terms}
    kept: list[Operation] = []
    for operation in reversed(b.operations):
        code, out, terms = operation
        written = range(out, out + (len(terms) if code == INVERT else 1))
        if needed.intersection(written):
            needed.update(written, *(term[:2] for term in terms))
            kept.append(operation)
    kept.reverse()
    stated = len(b.program.kept)
    computed = tuple(b.computed) if needed.intersection(b.read[stated:]) else ()
    numbers = {row: k for k, row in enumerate(sorted(needed))}
    unused = len(numbers)  # a row that nothing needs, for what is given and not needed
    operations = [(code, numbers[out], _renumbered(terms, numbers, numbers)) for code, out, terms in kept]
    constants = [*(b.constants[row] for row in numbers), 0.0]
    read = [numbers.get(row, unused) for row in b.read[: None if computed else stated]]
    registers = [[_renumbered(terms, numbers) for terms in each] for each in maps]
    return _as_arrays(constants, read, operations), computed, registers


def _renumbered(terms: list[Term], rows: dict[int, int], others: dict[int, int] | None = None) -> list[Term]:
    return [(rows[row], other if others is None else others[other], factor) for row, other, factor in terms]


def _as_arrays(constants: list[float], read: list[int], operations: list[Operation]) -> Sheet:
    terms = [term for _, _, each in operations for term in each]
    starts = np.cumsum([0, *(len(each) for _, _, each in operations)]).tolist()
    codes = [(code, out, first, len(each)) for first, (code, out, each) in zip(starts, operations, strict=False)]
    return Sheet(
        array_of(constants),
        np.array(read, np.int64),
        np.array(codes, np.int64).reshape(-1, 4),
        np.array([term[:2] for term in terms], np.int64).reshape(-1, 2),
        array_of([term[2] for term in terms]),
        max((math.isqrt(len(each)) for code, _, each in operations if code == INVERT), default=0),
    )


CONTACT, SLOPE = -1, -2
"""In place of the kind of a move: the point of contact of two curves, and how a coupling feels a coordinate."""
