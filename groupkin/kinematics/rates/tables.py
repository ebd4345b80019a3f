"""The tables of the map of rates of a program (`sglibrary.rates`).

Twists are the angular velocity of a body and the velocity of the point of it at the mechanism's center, in sizes of the
mechanism per second. The core of a group has a row for each equation of its cuts, a wrench C, and a column for each
undriven freedom of its tree, a twist S: the entry is ± C · S, where the freedom moves one side of the cut. So

    core · θ' = ∓ C · (difference of the twists at the cut, θ' being zero)

gives the rates θ' of the freedoms, and with them the twists of the group's bodies. Loads are carried back by the
transposed map.
"""

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
from sglibrary.rates.linear_map import Map, Sheet
from sglibrary.rates.operations import CROSS, FIXED, INVERT, MIDDLE, MOMENT, PRODUCT, RELATIVE, UNIT

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
class RateMap:
    """The map of rates of a program.

    Attributes
    ----------
    sheet : Sheet
    forward, transposed : Map
        From the rates of the drivers to the components of all movable bodies, one body after another: angular velocity
        and velocity of the body's origin; and back.
    computed : tuple of (str, int, int)
        Joint, number and kind of the moves whose twists are computed from coordinates. Their components, one row each,
        are read after the rows `program.kept`: of one twist, of a ball of three; or the point of a `CONTACT`.
    center : (d,) array
        The point whose velocity twists have, m.
    """

    sheet: Sheet
    forward: Map
    transposed: Map
    computed: tuple[tuple[str, int, int], ...]
    center: Array


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


Twists = dict[str, dict[int, int]]
"""Of every body, by component: the register that holds it."""


def grown(program: Program) -> tuple[Builder, Twists]:
    """Make the registers of the twists of all bodies; the first registers are the rates of the drivers."""
    geometry, d = program.solved_geometry, program.mechanism.dimension
    points = np.array([point for joint in geometry.joints.values() for point in joint.points])
    center = points.mean(axis=0) if points.size else np.zeros(d)
    constants = np.zeros(program.rows + 2)  # the last ones are 0 and 1
    constants[-1] = 1.0
    for row, value in program.fixed.items():
        constants[row] = value
    b = Builder(
        program, center, geometry.size, constants.tolist(), program.kept.tolist(), program.rows, program.rows + 1
    )
    inputs = {(driven.joint, driven.freedom): k for k, driven in enumerate(program.drivers)}
    b.registers += [[] for _ in inputs]
    twists: Twists = {program.mechanism.frame: {}}
    for group in program.structure.groups:
        tree = trees.grow(program.structure.solved_as, geometry, group)
        _add_group(b, Frames(tree, geometry.size), group.bodies, twists, inputs)
    return b, twists


def build(program: Program) -> RateMap:
    """Make the map of rates of a program."""
    b, twists = grown(program)
    origins, inputs = program.geometry.origins, len(program.drivers)
    outputs = [r for body in program.mechanism.movable for r in velocities(b, body, origins[body], twists[body])]
    forward = linear_map(b.registers, inputs, outputs)
    return RateMap(b.sheet(), forward, _transposed(b, inputs, outputs), tuple(b.computed), b.center)


def linear_map(registers: list[list[Term]], inputs: int, outputs: list[int]) -> Map:
    """The tables of a map; outputs are registers, -1 for zero."""
    sums = registers[inputs:]
    terms = [term for each in sums for term in each]
    needed = {register for _, register, _ in terms} | set(range(-1, inputs))
    direct = {r: k for k, r in enumerate(outputs) if r not in needed and outputs.count(r) == 1}
    copied = [(k, register) for k, register in enumerate(outputs) if register not in direct]
    return Map(
        inputs,
        np.cumsum([0, *map(len, sums)]),
        np.array([term[:2] for term in terms], np.int64).reshape(-1, 2),
        np.array([term[2] for term in terms], float),
        np.array([direct.get(inputs + k, -1) for k in range(len(sums))], np.int64),
        np.array(copied, np.int64).reshape(-1, 2),
    )


def _transposed(b: Builder, inputs: int, outputs: list[int]) -> Map:
    """The transposed map: what each register is used for, from the last to the first."""
    uses: list[list[Term]] = [[] for _ in b.registers]
    for k, register in enumerate(outputs):
        if register >= 0:
            uses[register].append((b.one, k, 1.0))
    made: list[list[Term]] = [[] for _ in outputs]
    found = [-1] * inputs
    for register in range(len(b.registers) - 1, -1, -1):
        if not uses[register]:
            continue
        made.append(uses[register])
        if register < inputs:
            found[register] = len(made) - 1
        for row, other, factor in b.registers[register]:
            uses[other].append((row, len(made) - 1, factor))
    return linear_map(made, len(outputs), found)


def _add_group(
    b: Builder,
    frames: Frames,
    bodies: tuple[str, ...],
    twists: Twists,
    inputs: dict[tuple[str, int], int],
) -> None:
    """Add what a group needs to the tables, and the registers of its bodies' twists, by component."""
    tree = frames.tree
    vectors = [b.twists(*each) for each in zip(tree.moves, frames.freedoms(), strict=True)]
    # by freedom, which is a move and which of its freedoms: the register of its rate
    rates: dict[tuple[int, int], int] = {}
    unknown: list[tuple[int, int]] = []
    for m, move in enumerate(tree.moves):
        if move.driven is None:
            unknown += [(m, k) for k in range(len(vectors[m]))]
        else:
            rates[m, 0] = b.register([(b.one, inputs[move.driven], move.sign / frames.unit(move))])
    core, lacking = _core(b, frames, vectors, twists, rates)
    if unknown:
        size = len(unknown)
        entries = [core[e].get(freedom, b.zero) for e in range(size) for freedom in unknown]
        inverse = b.rows([0.0] * size * size)
        b.operate(INVERT, [inverse, len(b.pairs), size])
        b.pairs += [(row, 0) for row in entries]
        for k, freedom in enumerate(unknown):
            terms = [(inverse + k * size + e, lacking[e], -1.0) for e in range(size) if lacking[e] >= 0]
            if terms:
                rates[freedom] = b.register(terms)
    pending = list(bodies)
    while pending:
        body = pending.pop(0)
        before, moves = frames.chain(tree.seats[body].frame)
        if before not in twists:
            pending.append(body)
            continue
        sums: Sums = {i: [(b.one, register, 1.0)] for i, register in twists[before].items()}
        for m in moves:
            for k, vector in enumerate(vectors[m]):
                for i, row in vector if (m, k) in rates else ():
                    sums.setdefault(i, []).append((row, rates[m, k], 1.0))
        twists[body] = {i: b.register(terms) for i, terms in sums.items()}


def _core(
    b: Builder,
    frames: Frames,
    vectors: list[list[Vector]],
    twists: Twists,
    rates: dict[tuple[int, int], int],
) -> tuple[list[dict[tuple[int, int], int]], list[int]]:
    """Rows of the core, by freedom, and registers for what else moves the cuts; -1 where nothing does."""
    tree = frames.tree
    rows: list[dict[tuple[int, int], int]] = []
    lacking: list[int] = []

    def add(entries: dict[tuple[int, int], int], terms: list[Term]) -> None:
        terms = terms + [(row, rates[freedom], 1.0) for freedom, row in entries.items() if freedom in rates]
        rows.append(entries)
        lacking.append(b.register(terms) if terms else -1)

    for equation in tree.equations:
        if equation.kind == kinds.LINEAR:
            both = (equation.first, equation.second)
            add({(m, 0): b.rows([frames.coefficient(equation, k)]) for k, m in enumerate(both)}, [])
            continue
        paths = [frames.paths[frame] for frame in (equation.first, equation.second)]
        roots = [frames.root(frame) for frame in (equation.first, equation.second)]
        for wrench in b.wrenches(equation, frames):
            terms = [
                (row, twists[root][i], sign)
                for root, sign in zip(roots, (1.0, -1.0), strict=True)
                for i, row in wrench
                if roots[0] != roots[1] and i in twists[root]
            ]
            entries = {}
            for m in sorted(set(paths[0]) ^ set(paths[1])):
                for k, vector in enumerate(vectors[m]):
                    pairs = _common(wrench, vector)
                    if pairs:
                        entries[m, k] = b.product(pairs, 1.0 if m in paths[0] else -1.0)
            add(entries, terms)
    return rows, lacking


def _common(first: Vector, second: Vector) -> list[tuple[int, int]]:
    """Rows of the components that two vectors have in common."""
    other = dict(second)
    return [(row, other[component]) for component, row in first if component in other]


def velocities(b: Builder, body: str, local: Array, twist: dict[int, int]) -> list[int]:
    """Registers of a body's angular velocity and the velocity of a point (d,), m, of it; -1 where it has none."""
    d = b.dimension
    arm = b.arm(Line(body, trees.padded(local)))
    sums: Sums = {i: [(b.one, register, 1.0)] for i, register in twist.items() if i < b.components - d}
    for i, register in twist.items():
        if i >= b.components - d:
            sums[i] = [(b.one, register, b.size)]
    spins = {0: ((1, arm + 3), (2, arm))} if d == 2 else {}
    for k in range(3 if d == 3 else 0):
        s, t = (k + 1) % 3, (k + 2) % 3
        # e_k × p: component s is -p_t, component t is p_s
        spins[k] = ((3 + s, arm + d + t), (3 + t, arm + s))
    for k, parts in spins.items():
        for i, row in parts if k in twist else ():
            sums.setdefault(i, []).append((row, twist[k], b.size))
    return [b.register(sums[i]) if i in sums else -1 for i in range(b.components)]
