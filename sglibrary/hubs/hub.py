"""A hub as values: its pose, and its equations there, from its scheme (`sglibrary.hubs.scheme`).

With x the hub's point relative to the base, r the way from there to a point of the hub, and p a solved point relative
to the base, d = x + r - p. A distance of value l is kept by (d² - l²) / 2 l₀ = 0, a plane of normal u by u·d = h; their
gradients are e = d / l₀, or u, for x, and R⁻¹ (r × e) for the rotation about the hub's own axes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sglibrary.code.graph import Expr, Graph, Vector, axpy, cross, dot, fma, inverse, minus, plus, times
from sglibrary.hubs.scheme import NUMBERS, Scheme
from sglibrary.iterative.kinds import AT_DISTANCE
from sglibrary.iterative.tables import HEADER
from sglibrary.straight.frames import Moving, about, column, cosine_sine, turned
from sglibrary.straight.group import read_vector
from sglibrary.straight.places import first_rows
from sglibrary.straight.quaternions import Turn, advanced, nearly_unit, rotation


@dataclass(frozen=True)
class Seen:
    """An equation at a pose: its left-hand side, the gradient for the hub's point, r and d."""

    value: Expr
    gradient: Vector
    arm: Vector
    way: Vector


@dataclass(frozen=True)
class Pose:
    """Where a hub is and how it moves: its point relative to the base, its rotation, and two derivatives of both."""

    here: Vector
    turn: Turn
    speed: Vector
    spin: Vector
    gain: Vector
    rise: Vector

    def carried(self, arm: Vector) -> Moving:
        """A direction fixed in the hub with its derivatives."""
        whirl = cross(self.spin, arm)
        return arm, whirl, plus(cross(self.rise, arm), cross(self.spin, whirl))

    def point(self, arm: Vector) -> Moving:
        """A point of the hub relative to the base, and its derivatives."""
        arm, rate, gain = self.carried(arm)
        return plus(self.here, arm), plus(self.speed, rate), plus(self.gain, gain)


@dataclass
class Hub:
    """The scheme of a hub, and the pose in working memory."""

    scheme: Scheme
    graph: Graph = field(default_factory=Graph)

    def __post_init__(self) -> None:
        s = self.scheme
        self.dimension, self.places = s.dimension, first_rows(*s.counts)
        self.unknowns, self.variables = s.counts[:2]
        self.drivers_at = HEADER + len(s.still)
        self.outputs_at = self.drivers_at + sum(equation.driver >= 0 for equation in s.equations)
        self.attached_data = 1 + NUMBERS * self.unknowns
        self.share = inverse(self.graph.value("c", 0))

    def read(self, kind: str, number: int) -> Vector:
        """A vector of the state, by its number among those that are read."""
        return read_vector(self.graph, self.dimension, self.scheme.still, kind, number)

    def moving(self, number: int) -> Moving:
        """A vector of the state with its derivatives."""
        return self.read("q", number), self.read("v", number), self.read("a", number)

    def absolute(self, relative: Moving) -> Moving:
        """A point with its derivatives, from what it is relative to the base."""
        size, (x, rate, gain) = self.graph.value("c", 0), self.moving(0)
        return axpy(size, relative[0], x), axpy(size, relative[1], rate), axpy(size, relative[2], gain)

    def put(self, number: int, moving: Moving) -> list[tuple[Expr, str]]:
        """A vector, with its derivatives, and where it goes, by its number among those that are written."""
        at, every = self.outputs_at + number, zip("qva", moving, strict=True)
        return [(vector[i], f"{kind} {at} {i}") for kind, vector in every for i in range(self.dimension)]

    def attached(self, k: int) -> Vector:
        """An axis of the hub that a leg hangs on, by its number among what is attached."""
        x, y, z = (self.graph.value("c", self.attached_data + self.dimension * k + i) for i in range(3))
        return x, y, z

    def constant(self, k: int, i: int) -> Expr:
        """Number i of equation k."""
        return self.graph.value("c", 1 + NUMBERS * k + i)

    def local(self, k: int) -> Vector:
        zero = self.graph.number(0.0)
        return self.constant(k, 0), self.constant(k, 1), self.constant(k, 2) if self.dimension == 3 else zero

    def is_distance(self, k: int) -> bool:
        return self.scheme.equations[k].kind == AT_DISTANCE

    def driver(self, k: int, kind: str) -> Expr | None:
        """Expr, rate or acceleration of the driver of an equation."""
        number = self.scheme.equations[k].driver
        return self.graph.value(kind, self.drivers_at + number, 0) if number >= 0 else None

    def given(self, k: int, kind: str) -> Vector:
        """The solved point of an equation relative to the base, which is that of the first one, or a derivative."""
        if k == 0:
            return (self.graph.number(0.0),) * 3
        return times(self.share, minus(self.read(kind, k), self.read(kind, 0)))

    def normal(self, k: int, kind: str) -> Vector:
        return self.read(kind, self.scheme.equations[k].direction)

    def slopes(self, k: int) -> tuple[Expr, Expr, Expr]:
        """The goal of an equation as a polynomial of its driver's value: l² / 2 l₀ or h."""
        zero = self.graph.number(0.0)
        driven = self.scheme.equations[k].driver >= 0
        size = self.constant(k, 3)
        if not self.is_distance(k):
            return size, self.constant(k, 4) if driven else zero, zero
        if not driven:
            return size * 0.5, zero, zero
        square, shift, slope, share = self.constant(k, 4), self.constant(k, 5), self.constant(k, 6), inverse(size)
        return square * share * 0.5, slope * shift * share, slope * slope * share * 0.5

    def stretch(self, k: int) -> tuple[Expr, Expr, Expr]:
        """How far a tip is ahead of its foot along the slide, or along a rod, with two derivatives."""
        x, rate, gain = (self.driver(k, kind) for kind in "qva")
        if x is None or rate is None or gain is None:
            zero = self.graph.number(0.0)
            return self.constant(k, 3), zero, zero
        slope = self.constant(k, 6)
        return fma(slope, x, self.constant(k, 5)), slope * rate, slope * gain

    def goal(self, k: int, order: int) -> Expr:
        """The goal of an equation, or its first or second derivative."""
        constant, slope, bend = self.slopes(k)
        x, rate, gain = (self.driver(k, kind) for kind in "qva")
        if x is None or rate is None or gain is None:
            return constant if order == 0 else self.graph.number(0.0)
        if order == 0:
            return fma(fma(bend, x, slope), x, constant)
        slope = fma(bend * 2.0, x, slope)
        return slope * rate if order == 1 else fma(bend * 2.0 * rate, rate, slope * gain)

    def pose_variables(self, first: int) -> list[Expr]:
        """The variables from a row of working memory on."""
        x = [self.graph.value("w", first + k) for k in range(self.variables)]
        if self.dimension == 2 or first != self.places.x:
            return x
        return [*x[:3], *nearly_unit(x[3:])]

    def pose(self, first: int) -> tuple[Vector, Turn]:
        """Point and rotation of the hub whose variables begin at a row of working memory."""
        x = self.pose_variables(first)
        zero, one = self.graph.number(0.0), self.graph.number(1.0)
        if self.dimension == 2:
            upright = (one, zero, zero), (zero, one, zero), (zero, zero, one)
            return (x[0], x[1], zero), about(upright, 2, *cosine_sine(x[2]), 2)
        return (x[0], x[1], x[2]), rotation(x[3:])

    def seen(self, k: int, here: Vector, turn: Turn) -> Seen:
        """An equation at a pose."""
        arm = turned(turn, self.local(k))
        way = minus(plus(here, arm), self.given(k, "q"))
        if self.is_distance(k):
            gradient = times(inverse(self.constant(k, 3)), way)
            return Seen(dot(way, gradient) * 0.5 - self.goal(k, 0), gradient, arm, way)
        normal = self.normal(k, "q")
        return Seen(dot(way, normal) - self.goal(k, 0), normal, arm, way)

    def row(self, k: int, seen: Seen, turn: Turn) -> list[Expr]:
        """A row of the Jacobian."""
        e = seen.gradient
        if self.dimension == 2:
            return [e[0], e[1], cross(seen.arm, e)[2]]
        own = dot(column(turn, 0), e), dot(column(turn, 1), e), dot(column(turn, 2), e)
        return [*e, *cross(self.local(k), own)]

    def advanced(self, first: int, step: list[Expr]) -> list[Expr]:
        """The variables from a row of working memory on, after a step."""
        x = self.pose_variables(first)
        if self.dimension == 2:
            return [x[k] + step[k] for k in range(3)]
        return [*(x[k] + step[k] for k in range(3)), *advanced(x[3:], step[3:])]
