"""The rates of a group's unknown freedoms: from the rows of its core, by minors, elimination or an inverse beside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from groupkin.kinematics.rates.vectors import Vectors
from sglibrary.code.graph import Expr, inverse
from sglibrary.code.systems import factored, solved

TreeFreedom = tuple[int, int]
"""A move of a tree, and which of its freedoms."""

MINORS = 3
"""Unknowns up to which a matrix is inverted by its minors."""


class CoreRow(NamedTuple):
    """A row of a core: entries by unknown freedoms, and what else moves the cut."""

    entries: dict[TreeFreedom, Expr]
    moved: Expr


def rates_of(
    vectors: Vectors,
    rows: Sequence[CoreRow],
    unknown: Sequence[TreeFreedom],
    written_out: int,
    inverses: list[tuple[list[Expr], list[Expr]]],
) -> dict[TreeFreedom, Expr]:
    """Solve for the rates of the unknown freedoms of a group; those that are always 0 are left out.

    Of more rows than unknowns they are those of all rows by least squares; loads that are carried back are borne by its
    cuts with the least norm.

    Parameters
    ----------
    vectors : Vectors
    rows, unknown : sequences of CoreRow and of TreeFreedom
    written_out : int
        Unknowns up to which the system is solved in expressions.
    inverses : list
        Entries of matrices that are inverted beside, and of their inverses: one may be added.
    """
    matrix = [[row.entries.get(freedom, vectors.zero) for freedom in unknown] for row in rows]
    moved = [row.moved for row in rows]
    if len(rows) == len(unknown):
        solve = _solver(vectors, matrix, written_out, inverses)
        rates = solve(moved)
    else:
        columns = list(zip(*matrix, strict=True))
        solve = _solver(vectors, [[_dot(vectors, x, y) for y in columns] for x in columns], written_out, inverses)
        first = solve([_dot(vectors, x, moved) for x in columns])
        # products of columns have the square of the conditioning: what is left of the rows corrects that
        one = vectors.one
        left = [
            vectors.sum([(one, m, 1.0), *((x, y, -1.0) for x, y in zip(row, first, strict=True))])
            for m, row in zip(moved, matrix, strict=True)
        ]
        more = solve([_dot(vectors, x, left) for x in columns])
        rates = [vectors.sum([(one, x, 1.0), (one, y, 1.0)]) for x, y in zip(first, more, strict=True)]
    return {freedom: -x for freedom, x in zip(unknown, rates, strict=True) if x.known != 0.0}


def _dot(vectors: Vectors, x: Sequence[Expr], y: Sequence[Expr]) -> Expr:
    return vectors.sum((a, b, 1.0) for a, b in zip(x, y, strict=True))


def _solver(
    vectors: Vectors,
    matrix: list[list[Expr]],
    written_out: int,
    inverses: list[tuple[list[Expr], list[Expr]]],
) -> Callable[[Sequence[Expr]], list[Expr]]:
    """Return what solves a square system for a right-hand side."""
    n = len(matrix)
    if MINORS < n <= written_out:
        pivots = factored(matrix)
        return lambda right: solved(pivots, right)
    if n <= MINORS:
        inverted = _by_minors(vectors, matrix)
    else:
        entries = [vectors.symbol() for _ in range(n * n)]
        inverses.append(([x for row in matrix for x in row], entries))
        inverted = [entries[k : k + n] for k in range(0, n * n, n)]
    return lambda right: [_dot(vectors, row, right) for row in inverted]


def _by_minors(vectors: Vectors, matrix: list[list[Expr]]) -> list[list[Expr]]:
    """The inverse of a matrix of up to three rows."""
    n = len(matrix)
    minors = [[_minor(vectors, matrix, i, k) for i in range(n)] for k in range(n)]
    determinant = _dot(vectors, matrix[0], [row[0] for row in minors])
    share = inverse(determinant)
    return [[share * x for x in row] for row in minors]


def _minor(vectors: Vectors, matrix: list[list[Expr]], i: int, k: int) -> Expr:
    """The minor of row i and column k, with its sign."""
    n = len(matrix)
    if n == 1:
        return vectors.one
    if n == 2:
        return matrix[1 - i][1 - k] * (1.0 if i == k else -1.0)
    (r, s), (t, u) = ((i + 1) % 3, (i + 2) % 3), ((k + 1) % 3, (k + 2) % 3)
    return vectors.sum([(matrix[r][t], matrix[s][u], 1.0), (matrix[r][u], matrix[s][t], -1.0)])
