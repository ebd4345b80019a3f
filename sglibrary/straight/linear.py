"""Linear systems written out, each step choosing its own pivots among the rows that are left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
class Extreme:
    """The largest eigenvalue of a symmetric matrix: as its vector was at first, and as it is now."""

    vector: list[Value]
    before: Value
    value: Value


def smallest(factors: Factors, vector: Sequence[Value]) -> Extreme:
    """Inverse square of the smallest singular value, from a left singular vector."""
    return _extreme(lambda x: solved_transposed(factors, solved(factors, x)), vector)


def largest(matrix: Sequence[Sequence[Value]], vector: Sequence[Value]) -> Extreme:
    """Square of the largest singular value, from a right singular vector."""

    def square(x: Sequence[Value]) -> list[Value]:
        image = [dot(row, x) for row in matrix]
        return [dot([row[c] for row in matrix], image) for c in range(len(x))]

    return _extreme(square, vector)


def _extreme(multiply: Callable[[Sequence[Value]], list[Value]], vector: Sequence[Value]) -> Extreme:
    """Largest eigenvalue in the plane of a unit vector and its product: two steps of Lanczos (1950).

    Unlike two power steps they lose nothing where all eigenvalues are nearly the same. Where they are equal but for
    rounding errors, what is left of the product has no direction of its own, and the vector stays as it is.
    """
    product = multiply(vector)
    a = dot(vector, product)
    rest = [fma(-a, x, y) for x, y in zip(vector, product, strict=True)]
    b, rounding = length_of(rest), a * 1e-13
    share = inverse(chosen(b, rounding, b, rounding))
    across = [share * x for x in rest]
    c = dot(across, multiply(across))
    half = (a - c) * 0.5
    size = root(fma(half, half, b * b))
    found = [fma(half + size, x, b * y) for x, y in zip(vector, across, strict=True)]
    share = inverse(length_of(found))
    return Extreme([share * x for x in found], a, fma(a + c, a.graph.number(0.5), size))


def dot(x: Sequence[Value], y: Sequence[Value]) -> Value:
    total = x[0] * y[0]
    for a, b in zip(x[1:], y[1:], strict=True):
        total = fma(a, b, total)
    return total
