"""Expression graphs: each expression stands once, and a graph is written as an instruction list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from itertools import chain
from math import sqrt
from types import MappingProxyType
from typing import Any

import numpy as np

from sglibrary.code.instructions import LEAVES
from sglibrary.code.operations import OPERATIONS

Key = tuple[Any, ...]
"""Kind of a value, and its numbers or the numbers of its operands."""


@dataclass(eq=False)
class Graph:
    """Values, each after those that it is computed from, with their keys."""

    keys: list[Key] = field(default_factory=list)
    values: list[Expr] = field(default_factory=list)
    made: dict[Key, Expr] = field(default_factory=dict)

    def value(self, kind: str, *operands: Any) -> Expr:
        """Find or add a value."""
        key = (kind, *operands)
        found = self.made.get(key)
        if found is None:
            found = self.made[key] = Expr(self, len(self.keys), operands[0] if kind == "#" else None, kind in LEAVES)
            self.keys.append(key)
            self.values.append(found)
        return found

    def number(self, x: float | Expr) -> Expr:
        """A number as a value."""
        return x if isinstance(x, Expr) else self.value("#", float(x) + 0.0)

    def text(
        self,
        *parts: Iterable[tuple[Expr, str]],
        stored: Mapping[int, str] = MappingProxyType({}),
        ahead: bool = True,
    ) -> str:
        """The instruction list that computes expressions and puts each in a place, one part after another.

        In a part, what the most hangs on comes first, so that a processor, which looks ahead a few hundred
        instructions, finds some that need not wait; parts let it keep few values at a time. A value is put away when it
        is made, unless what was there is still read.

        Parameters
        ----------
        *parts : pairs of Expr and str
            What is computed, and places (`sglibrary.code.instructions`).
        stored : mapping of int to str, optional
            Places of expressions, by number, that have been computed before.
        ahead : bool
            Whether what the most hangs on comes first; interpreters choose an order of their own.
        """
        places: dict[int, list[str]] = {}
        for target, place in chain(*parts):
            places.setdefault(target.at, []).append(place)
        order = self._left if ahead else self._needed
        left = order(places, stored)
        leaves = {x: self._leaf(x, stored) for x in left}
        read = set(leaves.values())
        lines: list[str] = []
        made: dict[int, int] = {}

        def add(x: int) -> None:
            kind, *operands = self.keys[x]
            made[x] = len(lines)
            lines.append(leaves[x] or " ".join([kind, *(str(made[k]) for k in operands)]))

        for part in parts:
            needed = order((target.at for target, _ in part), stored) if len(parts) > 1 else left
            for x in sorted((x for x in needed if not leaves[x]), key=lambda x: (-left[x], x)):
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
            lines += [f"= {made[x]} {place}" for place in each if place in read or leaves[x]]
        return ";".join(lines)

    def rows(self, wanted: Sequence[Expr]) -> tuple[str, list[Expr]]:
        """The instruction list that computes expressions from rows of working memory, and the leaves in these rows."""
        needed = (self.values[x] for x in sorted(self._needed((x.at for x in wanted), {})))
        leaves = [x for x in needed if x.is_leaf and x.known is None]
        stored = {x.at: f"w {row}" for row, x in enumerate(leaves)}
        places = ((x, f"w {row}") for row, x in enumerate(wanted, len(leaves)))
        return self.text(places, stored=stored, ahead=False), leaves

    def _leaf(self, x: int, stored: Mapping[int, str]) -> str:
        """The line of an expression that is computed from no others in a list; empty if it is."""
        kind, *numbers = self.keys[x]
        return stored.get(x, "") or (" ".join(map(str, [kind, *numbers])) if kind in LEAVES else "")

    def _needed(self, wanted: Iterable[int], stored: Mapping[int, str]) -> dict[int, int]:
        """Values that some are computed from, and these, with 0 for each."""
        found = dict.fromkeys(wanted, 0)
        waiting = list(found)
        while waiting:
            x = waiting.pop()
            for k in () if self._leaf(x, stored) else self.keys[x][1:]:
                if k not in found:
                    found[k] = 0
                    waiting.append(k)
        return found

    def _left(self, wanted: Iterable[int], stored: Mapping[int, str]) -> dict[int, int]:
        """Cycles from the beginning of each value that is needed to the end, if nothing else had to be computed."""
        after = dict.fromkeys(wanted, 0)
        waiting = [-x for x in after]
        heapify(waiting)
        done = set[int]()
        while waiting:  # operands have smaller numbers than what is computed from them
            x = -heappop(waiting)
            if x in done or self._leaf(x, stored):
                continue
            done.add(x)
            kind, *operands = self.keys[x]
            after[x] += OPERATIONS[kind].cycles
            for k in operands:
                if k not in after:
                    heappush(waiting, -k)
                after[k] = max(after.get(k, 0), after[x])
        return after


@dataclass(frozen=True, eq=False, slots=True)
class Expr:
    """A value of a graph; what is 0 or ±1 always, and not only here, leaves no trace in products and sums.

    Attributes
    ----------
    graph : Graph
    at : int
        Its number.
    known : float, optional
        The number that it always is, if it is one.
    is_leaf : bool
        Whether it is computed from no others.
    """

    graph: Graph = field(repr=False)
    at: int
    known: float | None
    is_leaf: bool

    def _with(self, other: float | Expr, kind: str, compute: Callable[[float, float], float]) -> Expr:
        y = self.graph.number(other)
        if self.known is not None and y.known is not None:
            return self.graph.number(compute(self.known, y.known))
        return self.graph.value(kind, self.at, y.at)

    def __add__(self, other: float | Expr) -> Expr:
        y = self.graph.number(other)
        if 0.0 in (self.known, y.known):
            return y if self.known == 0.0 else self
        return self._with(y, "+", lambda a, b: a + b)

    def __sub__(self, other: float | Expr) -> Expr:
        y = self.graph.number(other)
        if 0.0 in (self.known, y.known):
            return -y if self.known == 0.0 else self
        return self._with(y, "-", lambda a, b: a - b)

    def __mul__(self, other: float | Expr) -> Expr:
        y = self.graph.number(other)
        x, y = (y, self) if y.known is not None else (self, y)
        if x.known == 0.0:
            return x
        if x.known in (1.0, -1.0):
            return y if x.known == 1.0 else -y
        return x._with(y, "*", lambda a, b: a * b)

    def __truediv__(self, other: float | Expr) -> Expr:
        y = self.graph.number(other)
        return self * (1.0 / y.known) if y.known in (1.0, -1.0) else function("/", self, y)

    def __neg__(self) -> Expr:
        kind, *operands = self.graph.keys[self.at]
        if kind == "#":
            return self.graph.number(-operands[0])
        return self.graph.values[operands[0]] if kind == "n" else self.graph.value("n", self.at)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: float) -> Expr:
        return self.graph.number(other) - self


def fma(a: Expr, b: Expr, c: Expr) -> Expr:
    """a b + c, rounded once."""
    if c.known == 0.0 or 0.0 in (a.known, b.known):
        return a * b + c
    if a.known in (1.0, -1.0) or b.known in (1.0, -1.0):
        return a * b + c
    return a.graph.value("f", a.at, b.at, c.at)


def inverse(x: Expr) -> Expr:
    return x.graph.number(1.0 / x.known) if x.known else x.graph.value("r", x.at)


def root(x: Expr) -> Expr:
    return x.graph.value("s", x.at)


def inverse_root(x: Expr) -> Expr:
    return x.graph.number(1.0 / sqrt(x.known)) if x.known and x.known > 0.0 else x.graph.value("i", x.at)


def size(x: Expr) -> Expr:
    return x.graph.value("|", x.at)


def floor(x: Expr) -> Expr:
    return x.graph.value("l", x.at)


def function(name: str, *operands: Expr) -> Expr:
    """Apply an operation (`sglibrary.code.operations`), at once to numbers that are always the same."""
    graph, known = operands[0].graph, [x.known for x in operands]
    if None in known:
        return graph.value(name, *(x.at for x in operands))
    with np.errstate(all="ignore"):
        return graph.number(float(OPERATIONS[name].numeric(*known)))


def power(x: Expr, exponent: Expr) -> Expr:
    """x to the power of another expression; powers 0, 1 and 2 without a function."""
    n = exponent.known
    if n in (0.0, 1.0, 2.0):
        return x * x if n == 2.0 else x if n == 1.0 else x.graph.number(1.0)
    return function("pow", x, exponent)


def select(x: Expr, y: Expr, first: Expr, second: Expr) -> Expr:
    """The first where x is not less than y, else the second."""
    return first if first == second else x.graph.value("?", x.at, y.at, first.at, second.at)


def least(x: Expr, y: Expr) -> Expr:
    """The smaller of two values; NaN if one of them is."""
    return select(y, x, x, y + x.graph.value("*", x.graph.number(0.0).at, x.at))


def smaller(x: Expr, y: Expr) -> Expr:
    """The first if it is not larger than the second, else the second; NaN if one of them is."""
    return select(y, x, x, select(x, y, y, x + y))


def larger(x: Expr, y: Expr) -> Expr:
    """The first if it is not smaller than the second, else the second; NaN if one of them is."""
    return select(x, y, x, select(y, x, y, x + y))


def read(graph: Graph, text: str, leaf: Callable[[str, list[str]], Expr]) -> list[Expr]:
    """Read the expressions that an instruction list puts in places.

    Parameters
    ----------
    graph : Graph
        The expressions are added to it.
    text : str
    leaf : callable
        What a line stands for that is no operation and no number, by its kind and numbers.
    """
    lines: list[Expr] = []
    targets: list[Expr] = []
    for line in text.split(";"):
        kind, *numbers = line.split()
        if kind == "=":
            targets.append(lines[int(numbers[0])])
            lines.append(targets[-1])
        elif kind == "#":
            lines.append(graph.number(float(numbers[0])))
        elif kind in OPERATIONS:
            lines.append(graph.value(kind, *(lines[int(x)].at for x in numbers)))
        else:
            lines.append(leaf(kind, numbers))
    return targets


def total(graph: Graph, terms: Iterable[tuple[Expr, Expr, float]], positive: bool = False) -> Expr:
    """The sum of products of two values and a factor; perhaps such that zero is never negative."""
    every = [(x, y, factor, x.known, y.known) for x, y, factor in terms]
    number = sum(factor * (a * b) for _, _, factor, a, b in every if a is not None and b is not None)
    found = graph.number(number) if number or positive else None
    for x, y, factor, a, b in every:
        if a is not None and b is not None:
            continue
        if a is not None or b is not None:
            share, y = (factor * a, y) if a is not None else (factor * (b or 0.0), x)
            if not share:
                continue
            x, factor = (graph.number(1.0), share) if abs(share) == 1.0 else (graph.number(share), 1.0)
        elif abs(factor) != 1.0:
            x, factor = factor * x, 1.0
        if found is None:
            found = x * y if factor > 0.0 else -(x * y)
        elif x.known == 1.0:
            found = graph.value("+" if factor > 0.0 else "-", found.at, y.at)
        else:
            found = graph.value("f", (-x if factor < 0.0 else x).at, y.at, found.at)
    return graph.number(number) if found is None else found


Vector = tuple[Expr, Expr, Expr]


def dot(u: Vector, w: Vector) -> Expr:
    return fma(u[0], w[0], fma(u[1], w[1], u[2] * w[2]))


def cross(u: Vector, w: Vector) -> Vector:
    x, y, z = (fma(u[i], w[k], -(u[k] * w[i])) for i, k in ((1, 2), (2, 0), (0, 1)))
    return x, y, z


def plus(u: Vector, w: Vector) -> Vector:
    return u[0] + w[0], u[1] + w[1], u[2] + w[2]


def minus(u: Vector, w: Vector) -> Vector:
    return u[0] - w[0], u[1] - w[1], u[2] - w[2]


def times(c: Expr, u: Vector) -> Vector:
    return c * u[0], c * u[1], c * u[2]


def axpy(c: Expr, u: Vector, w: Vector) -> Vector:
    """c u + w."""
    return fma(c, u[0], w[0]), fma(c, u[1], w[1]), fma(c, u[2], w[2])
