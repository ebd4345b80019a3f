"""Linear systems written out, each step choosing its own pivots among the rows that are left.

A system may have more rows than unknowns (a *tall* one): pivots are chosen among all of them, and what the rows without
a pivot have left after the elimination must vanish if the system has a solution.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sglibrary.code.graph import Expr, Graph, fma, inverse, root, select, size
from sglibrary.tolerances import NO_PIVOT


@dataclass(frozen=True)
class Pivot:
    """One step of an elimination: a column, and the rows that may hold its pivot.

    Attributes
    ----------
    column : int
    first : int
        The first of the rows that are left whose entry in the column is not always 0; it changes places with row 0.
    row : dict of int to Expr
        Entries of the row of the pivot that are not always 0, by columns.
    inverse : Expr
        Of the pivot.
    changes : list of (Expr, Expr, Expr) or None
        For every row below: the sizes of the pivot and of what could be one, which change places where the latter is
        larger; and the multiplier of the row. None where the entry is always 0.
    """

    column: int
    first: int
    row: dict[int, Expr]
    inverse: Expr
    changes: list[tuple[Expr, Expr, Expr] | None]


def factored(matrix: Sequence[Sequence[Expr]]) -> list[Pivot]:
    """Factor a matrix, with at least as many rows as columns, by partial pivoting among all rows.

    Columns are eliminated in an order that keeps entries that are always 0, as few rows as possible sharing a pivot;
    a dense matrix from the first column on.
    """
    left, found = [_filled(dict(enumerate(row))) for row in matrix], list[Pivot]()
    columns = set(range(len(matrix[0])) if matrix else ())
    while columns:
        patterns = [sum(1 << c for c in row) for row in left]
        column = min(columns, key=lambda c: (_products(patterns, c), c))
        columns.remove(column)
        at = next((r for r, row in enumerate(left) if column in row), 0)  # a column of zeros has no pivot anywhere
        _exchange(left, at)
        first, below, sizes = left[0], [], list[tuple[Expr, Expr] | None]()
        zero = matrix[0][0].graph.number(0.0)
        for row in left[1:]:
            if column not in row:
                below.append(row)
                sizes.append(None)
                continue
            a, b = size(first[column]), size(row[column])
            pairs = {c: (first.get(c, zero), row.get(c, zero)) for c in sorted(first.keys() | row.keys())}
            below.append(_filled({c: select(a, b, y, x) for c, (x, y) in pairs.items()}))
            first = _filled({c: select(a, b, x, y) for c, (x, y) in pairs.items()})
            sizes.append((a, b))
        share = inverse(first.get(column, zero))
        changes = [
            None if size is None else (*size, row[column] * share) for size, row in zip(sizes, below, strict=True)
        ]
        found.append(Pivot(column, at, first, share, changes))
        left = [_reduced(row, first, change, column) for row, change in zip(below, changes, strict=True)]
    return found


def _reduced(
    row: dict[int, Expr],
    first: dict[int, Expr],
    change: tuple[Expr, Expr, Expr] | None,
    column: int,
) -> dict[int, Expr]:
    """A row after the elimination of a column."""
    if change is None:
        return row
    zero = change[2].graph.number(0.0)
    rest = sorted((first.keys() | row.keys()) - {column})
    return _filled({c: fma(-change[2], first.get(c, zero), row.get(c, zero)) for c in rest})


def _filled(row: dict[int, Expr]) -> dict[int, Expr]:
    """The entries of a row that are not always 0."""
    return {c: x for c, x in row.items() if x.known != 0.0}


def _products(patterns: Sequence[int], column: int) -> int:
    """How many products the elimination of a column takes, of rows that have a bit for every entry that is not 0."""
    sharing, together = 0, 0
    for pattern in patterns:
        if pattern >> column & 1:
            sharing, together = sharing + 1, together | pattern
    return max(sharing - 1, 0) * (together.bit_count() - 1)


def _exchange(x: list[Any], k: int) -> None:
    x[0], x[k] = x[k], x[0]


def solved(pivots: Sequence[Pivot], right: Sequence[Expr]) -> list[Expr]:
    """The solution for a right-hand side."""
    return with_rest(pivots, right)[0]


def with_rest(pivots: Sequence[Pivot], right: Sequence[Expr]) -> tuple[list[Expr], list[Expr]]:
    """The solution for a right-hand side, and what is left of it in the rows without a pivot."""
    left, found = list(right), []
    for pivot in pivots:
        _exchange(left, pivot.first)
        first, below = left[0], []
        for x, change in zip(left[1:], pivot.changes, strict=True):
            if change is None:
                below.append(x)
                continue
            a, b, _ = change
            below.append(select(a, b, x, first))
            first = select(a, b, first, x)
        found.append(first)
        left = [
            x if change is None else fma(-change[2], first, x) for x, change in zip(below, pivot.changes, strict=True)
        ]
    solution: dict[int, Expr] = {}
    for pivot, value in zip(reversed(pivots), reversed(found), strict=True):
        for column, x in solution.items():
            if column in pivot.row:
                value = fma(-pivot.row[column], x, value)
        solution[pivot.column] = value * pivot.inverse
    return [solution[c] for c in range(len(pivots))], left


def solved_transposed(pivots: Sequence[Pivot], right: Sequence[Expr]) -> list[Expr]:
    """The solution of the transposed system, of a square one."""
    found = list[Expr]()
    for k, pivot in enumerate(pivots):
        value = right[pivot.column]
        for x, earlier in zip(found, pivots[:k], strict=False):
            if pivot.column in earlier.row:
                value = fma(-earlier.row[pivot.column], x, value)
        found.append(value * pivot.inverse)
    left: list[Expr] = []
    for first, pivot in zip(reversed(found), reversed(pivots), strict=True):
        for x, change in zip(left, pivot.changes, strict=True):
            first = first if change is None else fma(-change[2], x, first)
        before = []
        for x, change in zip(reversed(left), reversed(pivot.changes), strict=True):
            if change is None:
                before.append(x)
                continue
            a, b, _ = change
            before.append(select(a, b, x, first))
            first = select(a, b, first, x)
        left = [first, *reversed(before)]
        _exchange(left, pivot.first)
    return left


def determinant_sign(graph: Graph, pivots: Sequence[Pivot]) -> Expr:
    """1 or -1, but for the order of rows and columns, which is always the same."""
    zero, sign = graph.number(0.0), graph.number(1.0)
    for pivot in pivots:
        sign = select(pivot.row.get(pivot.column, zero), zero, sign, -sign)
        for change in pivot.changes:
            if change is not None:
                sign = select(change[0], change[1], sign, -sign)
    return sign


def length_of(graph: Graph, x: Sequence[Expr]) -> Expr:
    """Length of a vector."""
    return root(dot(x, x)) if x else graph.number(0.0)


@dataclass(frozen=True)
class Extreme:
    """The largest eigenvalue of a symmetric matrix: as its vector was at first, and as it is now."""

    vector: list[Expr]
    before: Expr
    value: Expr


def smallest(factors: Sequence[Pivot], vector: Sequence[Expr]) -> Extreme:
    """Inverse square of the smallest singular value, from a left singular vector."""
    return _extreme(lambda x: solved_transposed(factors, solved(factors, x)), vector)


def normal(matrix: Sequence[Sequence[Expr]]) -> list[list[Expr]]:
    """The products of all columns of a matrix with each other."""
    n = range(len(matrix[0]))
    return [[dot([row[i] for row in matrix], [row[k] for row in matrix]) for k in n] for i in n]


def smallest_of_tall(matrix: Sequence[Sequence[Expr]], factors: Sequence[Pivot], vector: Sequence[Expr]) -> Extreme:
    """As `smallest`, of a matrix with more rows than columns, from the factors of its normal matrix.

    A left vector (rows,) is the image of a right one. Of the inverse square of a conditioning of 1e-6, where positions
    count as singular, rounding errors change the fourth digit.
    """
    n, graph = range(len(matrix[0])), matrix[0][0].graph
    right = [dot([row[c] for row in matrix], vector) for c in n]
    share = inverse(length_of(graph, right))
    found = _extreme(lambda x: solved(factors, x), [share * x for x in right])
    left = [dot(row, found.vector) for row in matrix]
    share = inverse(length_of(graph, left))
    return Extreme([share * x for x in left], found.before, found.value)


def largest(matrix: Sequence[Sequence[Expr]], vector: Sequence[Expr]) -> Extreme:
    """Square of the largest singular value, from a right singular vector."""

    def square(x: Sequence[Expr]) -> list[Expr]:
        image = [dot(row, x) for row in matrix]
        return [dot([row[c] for row in matrix], image) for c in range(len(x))]

    return _extreme(square, vector)


def _extreme(multiply: Callable[[Sequence[Expr]], list[Expr]], vector: Sequence[Expr]) -> Extreme:
    """Largest eigenvalue in the plane of a unit vector and its product: two steps of Lanczos (1950).

    Unlike two power steps they lose nothing where all eigenvalues are nearly the same. Where they are equal but for
    rounding errors, what is left of the product has no direction of its own, and the vector stays as it is.
    """
    product = multiply(vector)
    a = dot(vector, product)
    rest = [fma(-a, x, y) for x, y in zip(vector, product, strict=True)]
    b, rounding = length_of(a.graph, rest), a * NO_PIVOT
    share = inverse(select(b, rounding, b, rounding))
    across = [share * x for x in rest]
    c = dot(across, multiply(across))
    half = (a - c) * 0.5
    size = root(fma(half, half, b * b))
    found = [fma(half + size, x, b * y) for x, y in zip(vector, across, strict=True)]
    share = inverse(length_of(a.graph, found))
    return Extreme([share * x for x in found], a, fma(a + c, a.graph.number(0.5), size))


def dot(x: Sequence[Expr], y: Sequence[Expr]) -> Expr:
    total = x[0] * y[0]
    for a, b in zip(x[1:], y[1:], strict=True):
        total = fma(a, b, total)
    return total
