"""One evaluation of a group's equations at many steps: values, Jacobian, Newton's step; then the derivatives."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sglibrary.convention import allocating, kernel
from sglibrary.iterative.curves import off_curve
from sglibrary.iterative.equations import defect, jacobian, moving_defect
from sglibrary.iterative.kinds import CURVE, DISTANCE, FORMULA, LINEAR, MIDDLE, OFFSET, TELESCOPE
from sglibrary.iterative.linear import Entries, choose_order, clear_entries, factor, fill, solve
from sglibrary.iterative.moves import gains, place, rates
from sglibrary.iterative.newton_tables import Frames, height
from sglibrary.iterative.rods import aim
from sglibrary.iterative.simd import carried, clear, cross
from sglibrary.status import CANNOT_ASSEMBLE, SINGULAR, SOLVED

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


class Arrays(NamedTuple):
    """Working memory for some steps, `width` of them.

    Attributes
    ----------
    frames : Frames
    lines : (equations, 6, width) array
        Of the equations (`sglibrary.iterative.equations`).
    lu : (unknowns, unknowns, width) array
        The Jacobian, then its factors, in the order of elimination.
    b : (unknowns, width) array
        Right-hand sides, then solutions, in that order.
    x : (variables, width) array
    growth : (width,) array
        Largest multiplier of the elimination.
    step : (unknowns, width) array
        Newton's step; at last the second derivatives of the unknowns.
    rate : (unknowns, width) array
        First derivatives of the unknowns.
    length : (width,) array
        Of Newton's step.
    sine : (width,) array
        How far all rods are from where they may turn over (`sglibrary.iterative.rods`).
    """

    frames: Frames
    lines: Array
    lu: Array
    b: Array
    x: Array
    growth: Array
    step: Array
    rate: Array
    length: Array
    sine: Array


class Elimination(NamedTuple):
    """Places of rows and columns in the order of elimination (unknowns,), and the entries that it touches."""

    rows: Ints
    columns: Ints
    entries: Entries


@allocating
def arrays_for(width, tables):
    """Working memory for some steps of a group."""
    unknowns, variables, moves = tables.unknowns, tables.variables, tables.moves.rows.shape[0]
    count, bent = tables.solved.rows.shape[0] + moves, moves if tables.curves.rows.shape[0] else 0
    return Arrays(
        Frames(
            np.empty((5, count, 3, width)),
            np.empty((count, 9, width)),
            np.zeros((3, moves, width)),
            np.empty((4, bent, width)),
            np.zeros((3, width)),
        ),
        np.empty((tables.equations.rows.shape[0], 6, width)),
        np.empty((unknowns, unknowns, width)),
        np.empty((unknowns, width)),
        np.empty((variables, width)),
        np.empty(width),
        np.empty((unknowns, width)),
        np.empty((unknowns, width)),
        np.empty(width),
        np.empty(width),
    )


@allocating
def in_order(tables, rows, columns):
    """The elimination in an order given as numbers (unknowns,) of any type."""
    row_order, column_order = np.empty(rows.size, np.int64), np.empty(rows.size, np.int64)
    for k in range(rows.size):
        row_order[k], column_order[k] = int(rows[k]), int(columns[k])
    return Elimination(row_order, column_order, fill(tables.equations.signs, row_order, column_order))


@allocating
def reordered(tables, arrays, elimination):
    """The elimination in the best order for the matrix of the first step; it takes over the arrays of the old one."""
    rows, columns, _ = elimination
    choose_order(matrix_of(tables, arrays), tables.equations.signs, rows, columns)
    return Elimination(rows, columns, fill(tables.equations.signs, rows, columns))


@allocating
def newton_step(tables, arrays, elimination):
    """Newton's step at x, with the frames, lines and factors that belong to it."""
    frames, lines, lu, b, x, growth, step, _, _, _ = arrays
    rows, columns, entries = elimination
    equations, moves = tables.equations, tables.moves
    place(x, frames, moves, tables.curves, 0, tables.tree)
    defect(x, frames, equations, moves.rows, lines, rows, b)
    clear_entries(lu, entries)
    jacobian(frames, equations, moves.rows, lines, rows, columns, lu)
    factor(lu, entries, growth)
    solve(lu, entries, b)
    negative(b, columns, step)


@kernel
def negative(b, columns, out):
    """Minus the solution, in the order of the unknowns."""
    for u in range(columns.size):
        x, o = b[columns[u]], out[u]
        for j in range(o.size):
            o[j] = -x[j]


@allocating
def derive(tables, arrays, elimination):
    """Rates and gains of the unknowns, J x' = -f' and J x'' = -f'' at x' = 0 and x'' = 0, and all frames with them."""
    frames, _, lu, b, x, _, gain, rate, _, sine = arrays
    rows, columns, entries = elimination
    equations, move_rows = tables.equations, tables.moves.rows
    clear(rate)
    clear(gain)
    place(x, frames, tables.moves, tables.curves, 0, tables.tree)
    rates(frames, rate, move_rows, 0, tables.tree)
    for order in range(1, 3):
        unknown = rate if order == 1 else gain
        moving_defect(x, rate, gain, frames, equations, move_rows, order, rows, b)
        solve(lu, entries, b)
        negative(b, columns, unknown)
        if order == 1:
            rates(frames, rate, move_rows, 0, tables.tree)
        gains(frames, rate, gain, move_rows, 0, tables.tree)
    aim(x, frames, rate, gain, tables, sine)


@kernel
def beyond(x, move_rows, curves, j):
    """SOLVED where all variables of step j are within their limits; otherwise what is wrong.

    The middle one of three rotations has its singular positions at a quarter turn, and curves that are not closed end.
    """
    for m in range(move_rows.shape[0]):
        if move_rows[m, 3] >= 0:
            if move_rows[m, 1] == MIDDLE and math.cos(x[move_rows[m, 5], j]) <= 0.0:
                return SINGULAR
            if move_rows[m, 1] == CURVE and off_curve(x[move_rows[m, 5], j], move_rows[m, 2], curves):
                return CANNOT_ASSEMBLE
    return SOLVED


@allocating
def farthest(tables, arrays):
    """The most that an unknown moves the second point of an equation of one vector, at one step; overwrites the lines.

    Component by component, as the Jacobian of the point's coordinates.
    """
    n, rows, numbers = tables.unknowns, tables.equations.rows, tables.equations.data
    vectors, turns, lines = arrays.frames.vectors, arrays.frames.turns, arrays.lines
    natural, out, squares, point = np.empty(n, np.int64), np.zeros((n, n, 1)), np.zeros((n, n)), np.empty((3, 1))
    for k in range(n):
        natural[k] = k
    for i in range(3):
        for k in range(rows.shape[0]):
            if rows[k, 0] in (LINEAR, FORMULA):  # of moves, not of frames
                continue
            carried(vectors[0, rows[k, 2]], turns[rows[k, 2]], numbers[k, 3:6], point)
            clear(lines[k, 0:3])
            lines[k, i, 0] = 1.0
            cross(lines[k, 0:3], point, lines[k, 3:6])
        jacobian(arrays.frames, tables.equations, tables.moves.rows, lines, natural, natural, out)
        squares += out[:, :, 0] ** 2
    most, at = 0.0, 0
    for k in range(rows.shape[0]):
        if rows[k, 0] in (DISTANCE, OFFSET, TELESCOPE):
            most = max(most, squares[at].max())
        at += height(rows[k, 0], tables.dimension)
    return math.sqrt(most)


@allocating
def matrix_of(tables, arrays):
    """The Jacobian of one step (n, n), in the order of equations and unknowns."""
    n = tables.unknowns
    out, natural = np.zeros((n, n, 1)), np.empty(n, np.int64)
    for k in range(n):
        natural[k] = k
    jacobian(arrays.frames, tables.equations, tables.moves.rows, arrays.lines, natural, natural, out)
    return out.reshape(n, n)
