"""Formulas as a graph of values, equal ones being one, that are written as a text (`sglibrary.lines`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

Key = tuple[Any, ...]
"""Kind of a value, and its numbers or the numbers of its operands."""

LEAVES = "qvawc#"
"""Kinds of values that have no operands."""

CYCLES = {"*": 3, "f": 4, "+": 3, "-": 3, "n": 0, "r": 13, "i": 30, "s": 21, "|": 1, "l": 4, "?": 6}
"""How long the other kinds take, about."""


@dataclass
class Graph:
    """Values, each after those that it is computed from."""

    keys: list[Key] = field(default_factory=list)
    numbers: dict[Key, int] = field(default_factory=dict)

    def value(self, kind: str, *operands: Any) -> Value:
        """Find or add a value."""
        key = (kind, *operands)
        if key not in self.numbers:
            self.numbers[key] = len(self.keys)
            self.keys.append(key)
        return Value(self, self.numbers[key])

    def number(self, x: float | Value) -> Value:
        """A number as a value."""
        return x if isinstance(x, Value) else self.value("#", float(x) + 0.0)

    def text(self, *parts: Iterable[tuple[Value, str]]) -> str:
        """The text that computes values and puts each where a line says, one part after another.

        In a part, what the most hangs on comes first, so that a processor, which looks ahead a few hundred
        instructions, finds some that need not wait; parts let it keep few values at a time. A value is put away when it
        is made, unless what was there is still read.
        """
        places: dict[int, list[str]] = {}
        for target, place in chain(*parts):
            places.setdefault(target.at, []).append(place)
        left = self._left(places)
        read = {" ".join(map(str, self.keys[x])) for x in left if self.keys[x][0] in LEAVES}
        lines: list[str] = []
        made: dict[int, int] = {}

        def add(x: int) -> None:
            kind, *operands = self.keys[x]
            made[x] = len(lines)
            numbers = operands if kind in LEAVES else [made[k] for k in operands]
            lines.append(" ".join([kind, *map(str, numbers)]))

        for part in parts:
            needed = self._left(target.at for target, _ in part)
            for x in sorted((x for x in needed if self.keys[x][0] not in LEAVES), key=lambda x: (-left[x], x)):
                if x in made:
                    continue
                for k in self.keys[x][1:]:
                    if k not in made:
                        add(k)
                add(x)
                lines += [f"= {made[x]} {place}" for place in places.get(x, []) if place not in read]
        for x in places:
            if x not in made:
                add(x)
        for x, each in places.items():
            lines += [f"= {made[x]} {place}" for place in each if place in read or self.keys[x][0] in LEAVES]
        return ";".join(lines)

    def _left(self, wanted: Iterable[int]) -> dict[int, int]:
        """Cycles from the beginning of each value that is needed to the end, if nothing else had to be computed."""
        after = dict.fromkeys(wanted, 0)
        for x in range(len(self.keys) - 1, -1, -1):  # operands come before what is computed from them
            kind, *operands = self.keys[x]
            if x in after and kind not in LEAVES:
                after[x] += CYCLES[kind]
                for k in operands:
                    after[k] = max(after.get(k, 0), after[x])
        return after


@dataclass(frozen=True)
class Value:
    """A value of a graph; what is 0 or ±1 always, and not only here, leaves no trace in products and sums."""

    graph: Graph
    at: int

    @property
    def known(self) -> float | None:
        """The number that it always is, if it is one."""
        kind, *operands = self.graph.keys[self.at]
        return operands[0] if kind == "#" else None

    def _with(self, other: float | Value, kind: str, compute: Callable[[float, float], float]) -> Value:
        y = self.graph.number(other)
        if self.known is not None and y.known is not None:
            return self.graph.number(compute(self.known, y.known))
        return self.graph.value(kind, self.at, y.at)

    def __add__(self, other: float | Value) -> Value:
        y = self.graph.number(other)
        if 0.0 in (self.known, y.known):
            return y if self.known == 0.0 else self
        return self._with(y, "+", lambda a, b: a + b)

    def __sub__(self, other: float | Value) -> Value:
        y = self.graph.number(other)
        if 0.0 in (self.known, y.known):
            return -y if self.known == 0.0 else self
        return self._with(y, "-", lambda a, b: a - b)

    def __mul__(self, other: float | Value) -> Value:
        y = self.graph.number(other)
        x, y = (y, self) if y.known is not None else (self, y)
        if x.known == 0.0:
            return x
        if x.known in (1.0, -1.0):
            return y if x.known == 1.0 else -y
        return x._with(y, "*", lambda a, b: a * b)

    def __neg__(self) -> Value:
        kind, *operands = self.graph.keys[self.at]
        if kind == "#":
            return self.graph.number(-operands[0])
        return Value(self.graph, operands[0]) if kind == "n" else self.graph.value("n", self.at)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: float) -> Value:
        return self.graph.number(other) - self

    def of(self, kind: str) -> Value:
        """A function of one value."""
        return self.graph.value(kind, self.at)


def fma(a: Value, b: Value, c: Value) -> Value:
    """a b + c, rounded once."""
    if c.known == 0.0 or 0.0 in (a.known, b.known):
        return a * b + c
    if a.known in (1.0, -1.0) or b.known in (1.0, -1.0):
        return a * b + c
    return a.graph.value("f", a.at, b.at, c.at)


def inverse(x: Value) -> Value:
    return x.of("r")


def root(x: Value) -> Value:
    return x.of("s")


def chosen(x: Value, y: Value, first: Value, second: Value) -> Value:
    """The first where x is not less than y, else the second."""
    return first if first == second else x.graph.value("?", x.at, y.at, first.at, second.at)


def least(x: Value, y: Value) -> Value:
    """The smaller of two values; NaN if one of them is."""
    return chosen(y, x, x, y + x.graph.value("*", x.graph.number(0.0).at, x.at))


Vector = tuple[Value, Value, Value]


def dot(u: Vector, w: Vector) -> Value:
    return fma(u[0], w[0], fma(u[1], w[1], u[2] * w[2]))


def cross(u: Vector, w: Vector) -> Vector:
    x, y, z = (fma(u[i], w[k], -(u[k] * w[i])) for i, k in ((1, 2), (2, 0), (0, 1)))
    return x, y, z


def plus(u: Vector, w: Vector) -> Vector:
    return u[0] + w[0], u[1] + w[1], u[2] + w[2]


def minus(u: Vector, w: Vector) -> Vector:
    return u[0] - w[0], u[1] - w[1], u[2] - w[2]


def times(c: Value, u: Vector) -> Vector:
    return c * u[0], c * u[1], c * u[2]


def axpy(c: Value, u: Vector, w: Vector) -> Vector:
    """c u + w."""
    return fma(c, u[0], w[0]), fma(c, u[1], w[1]), fma(c, u[2], w[2])
