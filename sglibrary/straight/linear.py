"""Linear systems written out, each step choosing its own pivots among the rows that are left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sglibrary.straight.values import Value, chosen, fma, inverse, root


@dataclass(frozen=True)
class Factors:
    """A factored matrix.

    Attributes
    ----------
    rows : list of list of Value
        Of the pivots, each from the pivot's column on.
    inverses : list of Value
        Of the pivots.
    changes : list of list of (Value, Value, Value)
        For every pivot and row below it: the sizes of the pivot and of what could be one, which change places where
        the latter is larger; and the multiplier of the row.
    """

    rows: list[list[Value]]
    inverses: list[Value]
    changes: list[list[tuple[Value, Value, Value]]]


def factored(matrix: Sequence[Sequence[Value]]) -> Factors:
    """Factor a matrix by partial pivoting."""
    left = [list(row) for row in matrix]
    rows, inverses, changes = [], [], []
    while left:
        first, below = left[0], []
        sizes = []
        for row in left[1:]:
            a, b = first[0].of("|"), row[0].of("|")
            below.append([chosen(a, b, y, x) for x, y in zip(first, row, strict=True)])
            first = [chosen(a, b, x, y) for x, y in zip(first, row, strict=True)]
            sizes.append((a, b))
        share = inverse(first[0])
        multipliers = [row[0] * share for row in below]
        left = [
            [fma(-m, x, y) for x, y in zip(first[1:], row[1:], strict=True)]
            for m, row in zip(multipliers, below, strict=True)
        ]
        rows.append(first)
        inverses.append(share)
        changes.append([(a, b, m) for (a, b), m in zip(sizes, multipliers, strict=True)])
    return Factors(rows, inverses, changes)


def solved(factors: Factors, right: Sequence[Value]) -> list[Value]:
    """The solution for a right-hand side."""
    left, found = list(right), []
    for changes in factors.changes:
        first, below = left[0], []
        for x, (a, b, _) in zip(left[1:], changes, strict=True):
            below.append(chosen(a, b, x, first))
            first = chosen(a, b, first, x)
        found.append(first)
        left = [fma(-m, first, x) for x, (_, _, m) in zip(below, changes, strict=True)]
    for k in range(len(found) - 1, -1, -1):
        value = found[k]
        for c in range(len(found) - 1, k, -1):
            value = fma(-factors.rows[k][c - k], found[c], value)
        found[k] = value * factors.inverses[k]
    return found


def solved_transposed(factors: Factors, right: Sequence[Value]) -> list[Value]:
    """The solution of the transposed system."""
    n, found = len(right), list[Value]()
    for k in range(n):
        value = right[k]
        for i in range(k):
            value = fma(-factors.rows[i][k - i], found[i], value)
        found.append(value * factors.inverses[k])
    left: list[Value] = []
    for first, changes in zip(reversed(found), reversed(factors.changes), strict=True):
        for x, (_, _, m) in zip(left, changes, strict=True):
            first = fma(-m, x, first)
        before = []
        for x, (a, b, _) in zip(reversed(left), reversed(changes), strict=True):
            before.append(chosen(a, b, x, first))
            first = chosen(a, b, first, x)
        left = [first, *reversed(before)]
    return left


def determinant_sign(factors: Factors) -> Value:
    """1 or -1."""
    graph = factors.inverses[0].graph
    zero, sign = graph.number(0.0), graph.number(1.0)
    for row, changes in zip(factors.rows, factors.changes, strict=True):
        sign = chosen(row[0], zero, sign, -sign)
        for a, b, _ in changes:
            sign = chosen(a, b, sign, -sign)
    return sign


def length_of(x: Sequence[Value]) -> Value:
    """Length of a vector."""
    total = x[0] * x[0]
    for value in x[1:]:
        total = fma(value, value, total)
    return root(total)


@dataclass(frozen=True)
class Extremes:
    """Estimates of the smallest or the largest singular value of a matrix, one after another, and the vector."""

    vector: list[Value]
    values: list[Value]


def smallest(factors: Factors, vector: Sequence[Value], steps: int) -> Extremes:
    """Smallest singular value by inverse power iteration from a left singular vector."""
    vector, values = list(vector), []
    for _ in range(steps):
        forth = solved(factors, vector)
        values.append(length_of(forth).of("r"))
        vector = solved_transposed(factors, forth)
        share = length_of(vector).of("r")
        vector = [x * share for x in vector]
    return Extremes(vector, values)


def largest(matrix: Sequence[Sequence[Value]], vector: Sequence[Value], steps: int) -> Extremes:
    """Largest singular value by power iteration from a right singular vector."""
    vector, values, n = list(vector), [], range(len(vector))
    for _ in range(steps):
        image = [_dot(row, vector) for row in matrix]
        values.append(length_of(image))
        vector = [_dot([row[c] for row in matrix], image) for c in n]
        share = length_of(vector).of("r")
        vector = [x * share for x in vector]
    return Extremes(vector, values)


def _dot(x: Sequence[Value], y: Sequence[Value]) -> Value:
    total = x[0] * y[0]
    for a, b in zip(x[1:], y[1:], strict=True):
        total = fma(a, b, total)
    return total
