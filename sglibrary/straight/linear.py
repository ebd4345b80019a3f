"""Linear systems written out, each step choosing its own pivots among the rows that are left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sglibrary.straight.values import Value, chosen, fma, inverse


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
