"""Equations of a hub as texts (`sglibrary.lines`), from the rows of its tables (`sglibrary.hubs.tables`).

With x the hub's point relative to the base, r the way from there to a point of the hub, and p a solved point relative
to the base, d = x + r - p. A distance of value l is kept by (d² - l²) / 2 l₀ = 0, a plane of normal u by u·d = h; their
gradients are e = d / l₀, or u, for x, and R⁻¹ (r × e) for the rotation about the hub's own axes. The first derivative
of d is x' + ω × r - p', and the second x'' + ω' × r + ω × (ω × r) - p''. Lines are those of `sglibrary.straight.texts`.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from sglibrary.hubs.tables import HEADER, NUMBERS
from sglibrary.iterative.kinds import AT_DISTANCE
from sglibrary.straight.frames import about, column, cosine_sine, turned
from sglibrary.straight.group import Ints, Turn
from sglibrary.straight.linear import factored, length_of, solved
from sglibrary.straight.places import FARTHEST, LENGTH, SHARE, SINE, first_rows
from sglibrary.straight.texts import conditioning, measured, stored
from sglibrary.straight.values import Graph, Value, Vector, axpy, chosen, cross, dot, fma, inverse, minus, plus, times


@dataclass(frozen=True)
class Seen:
    """An equation at a pose: its left-hand side, the gradient for the hub's point, r and d."""

    value: Value
    gradient: Vector
    arm: Vector
    way: Vector


@dataclass
class Hub:
    """The rows of a hub's tables, those rows of the state that never change, and the pose in working memory."""

    rows: Ints
    still: Set[int]
    graph: Graph = field(default_factory=Graph)

    def __post_init__(self) -> None:
        self.dimension, self.unknowns, self.variables = (int(x) for x in self.rows[:3])
        self.places = first_rows(self.unknowns, self.variables, 0)
        self.share = inverse(self.graph.value("c", 0))

    def read(self, kind: str, at: int) -> Vector:
        """A vector of the state whose first row is a number of the rows."""
        zero = self.graph.number(0.0)
        if kind != "q" and int(self.rows[at]) in self.still:
            return zero, zero, zero
        x, y = self.graph.value(kind, at, 0), self.graph.value(kind, at, 1)
        return x, y, self.graph.value(kind, at, 2) if self.dimension == 3 else zero

    def constant(self, k: int, i: int) -> Value:
        """Number i of equation k."""
        return self.graph.value("c", 1 + NUMBERS * k + i)

    def local(self, k: int) -> Vector:
        zero = self.graph.number(0.0)
        return self.constant(k, 0), self.constant(k, 1), self.constant(k, 2) if self.dimension == 3 else zero

    def is_distance(self, k: int) -> bool:
        return int(self.rows[HEADER + 4 * k]) == AT_DISTANCE

    def driver(self, k: int, kind: str) -> Value | None:
        """Value, rate or acceleration of the driver of an equation."""
        at = HEADER + 4 * k + 3
        return self.graph.value(kind, at, 0) if self.rows[at] >= 0 else None

    def given(self, k: int, kind: str) -> Vector:
        """The solved point of an equation relative to the base, which is that of the first one, or a derivative."""
        if k == 0:
            return (self.graph.number(0.0),) * 3
        return times(self.share, minus(self.read(kind, HEADER + 4 * k + 1), self.read(kind, HEADER + 1)))

    def normal(self, k: int, kind: str) -> Vector:
        return self.read(kind, HEADER + 4 * k + 2)

    def slopes(self, k: int) -> tuple[Value, Value, Value]:
        """The goal of an equation as a polynomial of its driver's value: l² / 2 l₀ or h."""
        zero = self.graph.number(0.0)
        driven = self.rows[HEADER + 4 * k + 3] >= 0
        size = self.constant(k, 3)
        if not self.is_distance(k):
            return size, self.constant(k, 4) if driven else zero, zero
        if not driven:
            return size * 0.5, zero, zero
        square, shift, slope, share = self.constant(k, 4), self.constant(k, 5), self.constant(k, 6), inverse(size)
        return square * share * 0.5, slope * shift * share, slope * slope * share * 0.5

    def goal(self, k: int, order: int) -> Value:
        """The goal of an equation, or its first or second derivative."""
        constant, slope, bend = self.slopes(k)
        x, rate, gain = (self.driver(k, kind) for kind in "qva")
        if x is None or rate is None or gain is None:
            return constant if order == 0 else self.graph.number(0.0)
        if order == 0:
            return fma(fma(bend, x, slope), x, constant)
        slope = fma(bend * 2.0, x, slope)
        return slope * rate if order == 1 else fma(bend * 2.0 * rate, rate, slope * gain)

    def pose_variables(self, first: int) -> list[Value]:
        """The variables from a row of working memory on.

        Polynomials between knots lead to quaternions that are not quite of length 1: unless they are made so, to the
        second order, Newton's step leaves what was missing.
        """
        x = [self.graph.value("w", first + k) for k in range(self.variables)]
        if self.dimension == 2 or first != self.places.x:
            return x
        square = fma(x[3], x[3], fma(x[4], x[4], fma(x[5], x[5], x[6] * x[6])))
        share = fma(square, self.graph.number(-0.5), self.graph.number(1.5))
        return [*x[:3], *(share * each for each in x[3:])]

    def pose(self, first: int) -> tuple[Vector, Turn]:
        """Point and rotation of the hub whose variables begin at a row of working memory."""
        x = self.pose_variables(first)
        zero, one = self.graph.number(0.0), self.graph.number(1.0)
        if self.dimension == 2:
            upright = (one, zero, zero), (zero, one, zero), (zero, zero, one)
            return (x[0], x[1], zero), about(upright, 2, *cosine_sine(x[2]), 2)
        w, a, b, c = x[3:]

        def even(y: Value, z: Value) -> Value:
            return fma(-2.0 * one, fma(y, y, z * z), one)

        def odd(y: Value, z: Value, s: Value) -> Value:
            return fma(y, z, w * s) * 2.0

        turn = (
            (even(b, c), odd(a, b, -c), odd(a, c, b)),
            (odd(a, b, c), even(a, c), odd(b, c, -a)),
            (odd(a, c, -b), odd(b, c, a), even(a, b)),
        )
        return (x[0], x[1], x[2]), turn

    def seen(self, k: int, here: Vector, turn: Turn) -> Seen:
        """An equation at a pose."""
        arm = turned(turn, self.local(k))
        way = minus(plus(here, arm), self.given(k, "q"))
        if self.is_distance(k):
            gradient = times(inverse(self.constant(k, 3)), way)
            return Seen(dot(way, gradient) * 0.5 - self.goal(k, 0), gradient, arm, way)
        normal = self.normal(k, "q")
        return Seen(dot(way, normal) - self.goal(k, 0), normal, arm, way)

    def row(self, k: int, seen: Seen, turn: Turn) -> list[Value]:
        """A row of the Jacobian."""
        e = seen.gradient
        if self.dimension == 2:
            return [e[0], e[1], cross(seen.arm, e)[2]]
        own = dot(column(turn, 0), e), dot(column(turn, 1), e), dot(column(turn, 2), e)
        return [*e, *cross(self.local(k), own)]

    def advanced(self, first: int, step: list[Value]) -> list[Value]:
        """The variables from a row of working memory on, after a step."""
        x = self.pose_variables(first)
        if self.dimension == 2:
            return [x[k] + step[k] for k in range(3)]
        w, a, b, c = x[3:]
        e, f, g = (each * 0.5 for each in step[3:])
        # but for its third power, a rotation vector about the axes of the hub
        turned_by = (
            w - fma(e, a, fma(f, b, g * c)),
            a + fma(e, w, fma(g, b, -(f * c))),
            b + fma(f, w, fma(e, c, -(g * a))),
            c + fma(g, w, fma(f, a, -(e * b))),
        )
        p, q, r, s = turned_by
        share = fma(p, p, fma(q, q, fma(r, r, s * s))).of("i")
        return [*(x[k] + step[k] for k in range(3)), *(share * each for each in turned_by)]


def step(rows: Ints, still: Set[int]) -> str:
    """Newton's step, its length, and the variables after it."""
    hub = Hub(rows, still)
    at, (here, turn) = hub.places, hub.pose(hub.places.x)
    every = [hub.seen(k, here, turn) for k in range(hub.unknowns)]
    found = solved(factored([hub.row(k, x, turn) for k, x in enumerate(every)]), [-x.value for x in every])
    after = hub.advanced(at.x, found)
    return hub.graph.text([*stored(at.step, found), *stored(at.after, after), (length_of(found), f"w {LENGTH}")])


def measures(rows: Ints, still: Set[int]) -> str:
    """What is measured of the Jacobian after Newton's step."""
    hub = Hub(rows, still)
    here, turn = hub.pose(hub.places.after)
    matrix = [hub.row(k, hub.seen(k, here, turn), turn) for k in range(hub.unknowns)]
    return hub.graph.text([*measured(hub.graph, hub.places, matrix), (hub.graph.number(0.0), f"w {FARTHEST}")])


def finish(rows: Ints, still: Set[int]) -> str:
    """Newton's step after the last one, with rates and second derivatives, and the pose."""
    hub = Hub(rows, still)
    at, n = hub.places, range(hub.unknowns)
    here, turn = hub.pose(at.after)
    every = [hub.seen(k, here, turn) for k in n]
    factors = factored([hub.row(k, x, turn) for k, x in enumerate(every)])
    found = solved(factors, [-x.value for x in every])
    low = [hub.graph.value("w", at.low + u) for u in n]
    sized = solved(factors, low)
    rates = solved(factors, [_rate(hub, k, every[k]) for k in n])
    spin = _global(hub, turn, rates)
    speed = rates[0], rates[1], hub.graph.number(0.0) if hub.dimension == 2 else rates[2]
    gains = solved(factors, [_gain(hub, k, every[k], speed, spin) for k in n])
    reach = _reach(hub)
    targets = [
        *stored(at.step, found),
        *stored(at.x, hub.advanced(at.after, found)),
        *stored(at.rate, rates),
        *stored(at.gain, gains),
        (length_of(found), f"w {LENGTH}"),
        (conditioning(sized, low, reach), f"w {SHARE}"),
        (reach, f"w {SINE}"),
    ]
    return hub.graph.text([*targets, *_pose(hub, here, turn, speed, spin, gains)])


def _global(hub: Hub, turn: Turn, x: list[Value]) -> Vector:
    """An angular velocity, or acceleration, of which the last unknowns are the components in the hub."""
    if hub.dimension == 2:
        return hub.graph.number(0.0), hub.graph.number(0.0), x[2]
    return turned(turn, (x[3], x[4], x[5]))


def _rate(hub: Hub, k: int, seen: Seen) -> Value:
    """Right-hand side for the rates."""
    right = dot(seen.gradient, hub.given(k, "v")) + hub.goal(k, 1)
    return right if hub.is_distance(k) else right - dot(hub.normal(k, "v"), seen.way)


def _gain(hub: Hub, k: int, seen: Seen, speed: Vector, spin: Vector) -> Value:
    """Right-hand side for the second derivatives."""
    whirl = cross(spin, seen.arm)
    rate = minus(plus(speed, whirl), hub.given(k, "v"))
    right = dot(seen.gradient, minus(hub.given(k, "a"), cross(spin, whirl))) + hub.goal(k, 2)
    if hub.is_distance(k):
        return fma(-inverse(hub.constant(k, 3)), dot(rate, rate), right)
    tilting, bending = dot(hub.normal(k, "v"), rate), dot(hub.normal(k, "a"), seen.way)
    return right - fma(hub.graph.number(2.0), tilting, bending)


def _reach(hub: Hub) -> Value:
    """1, or -1 where a telescope has passed its foot."""
    one = hub.graph.number(1.0)
    found = one
    for k in range(hub.unknowns):
        x = hub.driver(k, "q")
        if hub.is_distance(k) and x is not None:
            shift, slope, side = hub.constant(k, 5), hub.constant(k, 6), hub.constant(k, 7)
            found = chosen(hub.graph.number(0.0), side * fma(slope, x, shift), -one, found)
    return found


def _pose(
    hub: Hub, here: Vector, turn: Turn, speed: Vector, spin: Vector, gains: list[Value]
) -> list[tuple[Value, str]]:
    """Point and directions of the hub, with derivatives, and where they go."""
    size, d = hub.graph.value("c", 0), hub.dimension
    rise = _global(hub, turn, gains)
    gain = gains[0], gains[1], hub.graph.number(0.0) if d == 2 else gains[2]
    found = []
    for kind, x in zip("qva", (here, speed, gain), strict=True):
        moved = axpy(size, x, hub.read(kind, HEADER + 1))
        found += [(moved[i], f"{kind} 5 {i}") for i in range(d)]
    for m in range(3 if d == 3 else 1):
        e = column(turn, m)
        rate = cross(spin, e)
        for kind, x in zip("qva", (e, rate, plus(cross(rise, e), cross(spin, rate))), strict=True):
            found += [(x[i], f"{kind} 5 {d * (1 + m) + i}") for i in range(d)]
    return found


@lru_cache(maxsize=256)
def texts(rows: tuple[int, ...], still: frozenset[int]) -> tuple[str, str, str]:
    """The texts of a hub: `step`, `finish` and `measures`."""
    table = np.array(rows, np.int64)
    return step(table, still), finish(table, still), measures(table, still)
