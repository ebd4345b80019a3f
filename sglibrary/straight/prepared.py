"""What the texts of a group do not compute: where moves along curves lead, and tables and functions of moves.

It is put in working memory before a text is computed. It is compiled only where a group needs it, and called by its
address.
"""

import math

import numpy as np

from sglibrary.convention import allocating, kernel
from sglibrary.iterative.curves import follow_curve
from sglibrary.iterative.kinds import CURVE
from sglibrary.iterative.tables import DRIVERS, FUNCTIONS, TEXTS
from sglibrary.pointers import call_at
from sglibrary.straight.group_tables import curve_table, moves_of
from sglibrary.straight.places import BENT, places_of


@allocating
def curves(q, work, rows, constants, first, at, n, x):
    """Moves along curves at n steps, from step `first` of q and `at` of working memory on.

    `x` is the first row of the variables that they take.
    """
    curves_within(q, work, rows, constants, first, at, x, np.empty(n))


@kernel
def curves_within(q, work, rows, constants, first, at, x, value):
    """`curves`, with memory for the values of a move at all steps."""
    moves, table, bent, n = moves_of(rows), curve_table(rows, constants), places_of(rows).curves, value.size
    for m in range(moves.shape[0]):
        row, move = bent + BENT * m, moves[m]
        if move[1] == CURVE:
            _value(move, rows, constants, q, work, first, at, x, value)
            out, bends = work[row : row + 4, at : at + n], work[row + 4 : row + 8, at : at + n]
            follow_curve(value, move[2], table, move[3] < 0, bends, out)


@allocating
def functions(q, work, rows, constants, first, at, n, x):
    """Tables and functions of moves, their first derivatives by coordinates i, and second ones by i <= j.

    For the arguments see `curves`.
    """
    row, k = places_of(rows).functions, rows[FUNCTIONS]
    while k < rows[TEXTS]:
        count, address, begin, given = rows[k], rows[k + 1], rows[k + 2], rows[k + 3]
        values = np.empty((count, n))
        _coordinates(q, work, rows, constants, k, first, at, x, values)
        out = work[row : row + 1 + count + count * (count + 1) // 2, at : at + n]
        if address == 0:
            _spline(constants[begin + 2 * given + 1 :], values[0], out)
        else:
            _call(address, values, out)
        row, k = row + out.shape[0], k + 4 + given


@kernel
def tables_within(q, work, rows, constants, first, at, n, x, values):
    """`functions` where all of them are tables, with memory for the values (1, n) of a coordinate."""
    row, k = places_of(rows).functions, rows[FUNCTIONS]
    while k < rows[TEXTS]:
        begin, given = rows[k + 2], rows[k + 3]
        _coordinates(q, work, rows, constants, k, first, at, x, values)
        _spline(constants[begin + 2 * given + 1 :], values[0], work[row : row + 3, at : at + n])
        row, k = row + 3, k + 4 + given


@kernel
def _coordinates(q, work, rows, constants, k, first, at, x, values):
    """Values (count, n) of the coordinates of a function, by its place in the tables."""
    moves, begin, given = moves_of(rows), rows[k + 2], rows[k + 3]
    for c in range(values.shape[0]):
        _value(moves[rows[k + 4 + c]], rows, constants, q, work, first, at, x, values[c])
        _scale(values[c], constants[begin + c], constants[begin + given + c])


@kernel
def _value(move, rows, constants, q, work, first, at, x, out):
    """Values of a move, a driven one from the state; of a ball they mean nothing."""
    if move[3] >= 0:
        for j in range(out.size):
            out[j] = work[x + move[5], at + j]
    else:
        share, row = constants[move[6]], rows[rows[DRIVERS] + move[4]]
        for j in range(out.size):
            out[j] = share * q[row, first + j]


@kernel
def _scale(values, factor, offset):
    """Let values of a move become those of a coordinate."""
    for j in range(values.size):
        values[j] = factor * values[j] + offset


@allocating
def _call(address, values, out):
    """Value and derivatives of a compiled function of some coordinates (n, steps) into `out`."""
    n = values.shape[0]
    x, found = np.empty(n), np.empty(1 + n + n * n)
    for j in range(values.shape[1]):
        for i in range(n):
            x[i] = values[i, j]
        call_at(address, x, found)
        row = 1 + n
        for i in range(row):
            out[i, j] = found[i]
        for i in range(n):
            for k in range(i, n):
                out[row, j] = 0.5 * (found[1 + n + n * i + k] + found[1 + n + n * k + i])
                row += 1


@kernel
def _spline(data, values, out):
    """Value, first and second derivative of a cubic spline; NaN beyond its ends, where it is not closed."""
    pieces, closed, breaks = int(data[0]), data[1] != 0.0, 2
    low, high = data[breaks], data[breaks + pieces]
    for j in range(values.size):
        x = low + (values[j] - low) % (high - low) if closed else values[j]
        if not low <= x <= high:
            out[0, j] = out[1, j] = out[2, j] = math.nan
            continue
        k, last = 0, pieces
        while last - k > 1:
            middle = (k + last) // 2
            if x >= data[breaks + middle]:
                k = middle
            else:
                last = middle
        h, c = x - data[breaks + k], breaks + pieces + 1 + 4 * k
        out[0, j] = ((data[c + 3] * h + data[c + 2]) * h + data[c + 1]) * h + data[c]
        out[1, j] = (3.0 * data[c + 3] * h + 2.0 * data[c + 2]) * h + data[c + 1]
        out[2, j] = 6.0 * data[c + 3] * h + 2.0 * data[c + 2]
