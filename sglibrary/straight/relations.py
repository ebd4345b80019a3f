"""Relations between moves as expressions: linear ones, formulas, tables and functions.

The derivatives of formulas follow from their expressions. Tables and functions are opaque: their values and derivatives
are rows of working memory (`sglibrary.straight.prepared`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sglibrary.code.graph import Expr, fma, read
from sglibrary.code.passes.adjoint import adjoint
from sglibrary.code.passes.tangent import tangent
from sglibrary.code.systems import dot
from sglibrary.iterative.kinds import LINEAR, TABLE
from sglibrary.iterative.tables import given_rows
from sglibrary.straight.group import Group


@dataclass(frozen=True)
class Relation:
    """A relation of some moves.

    Attributes
    ----------
    group : Group
    moves : sequence of int
    value : Expr
        Left-hand side of the equation, but for its constant.
    slopes : list of Expr
        Its derivatives by the moves.
    coordinates : list of Expr
        What its formula, table or function takes: values of the moves, times factors, and offsets.
    factors : list of Expr
        Those factors.
    bends : dict of Expr to list of Expr
        Derivatives by all coordinates of what is read from working memory, of which the slopes are made.
    """

    group: Group
    moves: Sequence[int]
    value: Expr
    slopes: list[Expr]
    coordinates: list[Expr]
    factors: list[Expr]
    bends: dict[Expr, list[Expr]]

    def rate(self, rates: Sequence[Expr]) -> Expr:
        """Rate of the left-hand side, from those of the unknowns."""
        return dot(self.slopes, self._moved("v", rates))

    def acceleration(self, rates: Sequence[Expr], gains: Sequence[Expr]) -> Expr:
        """Second derivative of the left-hand side, from first and second derivatives of the unknowns."""
        v = self._moved("v", rates)
        own = [factor * x for factor, x in zip(self.factors, v, strict=True)]
        seeds = dict(zip(self.coordinates, own, strict=False)) | {x: dot(by, own) for x, by in self.bends.items()}
        changes = tangent(self.group.graph, self.slopes, seeds)
        return dot([*self.slopes, *changes], [*self._moved("a", gains), *v])

    def _moved(self, kind: str, values: Sequence[Expr]) -> list[Expr]:
        """Rates or accelerations of the moves, from those of the unknowns."""
        group = self.group
        return [group.driver(m, kind) if group.move(m)[3] < 0 else values[group.move(m)[3]] for m in self.moves]


def relation(group: Group, k: int, first: int) -> Relation:
    """The relation of an equation, with variables that begin in a row of working memory."""
    kind, f, s, _, data = group.equation(k)
    if kind == LINEAR:
        slopes = [group.constant(data), group.constant(data + 1)]
        value = dot(slopes, [group.value(m, first) for m in (f, s)])
        return Relation(group, (f, s), value, slopes, [], slopes, {})
    graph, coupling = group.graph, group.scheme.equations[k].coupling
    assert coupling is not None
    moves, data, given, text = coupling
    n = len(moves)
    factors, offsets = ([group.constant(data + n * i + c) for c in range(n)] for i in range(2))
    x = [fma(factors[c], group.value(m, first), offsets[c]) for c, m in enumerate(moves)]
    bends: dict[Expr, list[Expr]] = {}
    if text:
        (value,) = read(graph, text, lambda _, numbers: x[int(numbers[0])])
        slopes = adjoint(graph, {value: graph.number(1.0)}, x)
        for slope in slopes:
            value = _where_finite(value, slope)
    elif kind == TABLE:
        y, slope, bend = _rows(group, given, 1)
        value, slopes, bends = x[1] - y, [-slope, graph.number(1.0)], {slope: [bend, group.zero()]}
    else:
        value, *rest = _rows(group, given, n)
        slopes, pairs = rest[:n], dict(zip(((i, j) for i in range(n) for j in range(i, n)), rest[n:], strict=True))
        bends = {slopes[i]: [pairs[min(i, j), max(i, j)] for j in range(n)] for i in range(n)}
    share = group.constant(data + 2 * n)
    by_moves = [share * factor * slope for factor, slope in zip(factors, slopes, strict=True)]
    return Relation(group, moves, share * value, by_moves, x, factors, bends)


def _where_finite(value: Expr, slope: Expr) -> Expr:
    """The value of a formula; NaN where a slope of it is not finite."""
    graph = value.graph
    return value if slope.known is not None else graph.value("f", slope.at, graph.number(0.0).at, value.at)


def _rows(group: Group, given: int, coordinates: int) -> list[Expr]:
    """Value, first and second derivatives i <= j of a table or function, by coordinates, after so many rows."""
    first = group.places.functions + given
    return [group.graph.value("w", first + i) for i in range(given_rows(coordinates))]
