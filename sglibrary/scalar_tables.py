"""Tables of numbers as functions of inputs (`sglibrary.traced`), computed for many columns of inputs at once.

Values are rows of a matrix whose columns are independent of each other: first the inputs, then fixed numbers, then
what an interpreted list computes. A column has the same bits however many there are.
"""

import math

import numpy as np

from sglibrary.array_types import Array, Ints
from sglibrary.code.schedule import interpret
from sglibrary.convention import kernel
from sglibrary.traced import LESS, Table


@kernel
def relied_on(comparisons, finite, work, valid):
    """Tell of which columns the results may be used, in `valid` (n,).

    Parameters
    ----------
    comparisons : (c, 3) array of int
        LESS or NOT_LESS and two rows; all must hold.
    finite : (f,) array of int
        Rows that must be finite.
    work : (rows, n) array
    """
    for j in range(valid.size):
        valid[j] = True
    for k in range(comparisons.shape[0]):
        wanted, x, y = comparisons[k, 0] == LESS, work[comparisons[k, 1]], work[comparisons[k, 2]]
        for j in range(valid.size):
            valid[j] &= (x[j] < y[j]) == wanted
    for k in range(finite.size):
        x = work[finite[k]]
        for j in range(valid.size):
            valid[j] &= math.isfinite(x[j])


@kernel
def fill_samples(table, comparisons, finite, work, usable, values, rows, numbers, others, more, valid):
    """Run a table for many samples, some columns at a time.

    Parameters
    ----------
    table : (array of int, array, (1, s) array)
        Rows and constants of its list, and memory of the interpreter, see `list_of`.
    comparisons, finite : arrays of int
        See `relied_on`.
    work : (rows, w) array
        Its fixed numbers are filled in.
    usable : (w,) array of bool
        Working memory.
    values : (n, p) array
        Of the inputs.
    rows, others : (k,) and (m,) arrays of int
        Rows whose values are wanted.
    numbers, more : (n, k) and (n, m) arrays
        Filled; NaN where the table is not right.
    valid : (n,) array of bool
        Filled: where it is.
    """
    width, count = work.shape[1], values.shape[0]
    for first in range(0, count, width):
        for j in range(width):
            sample = values[min(first + j, count - 1)]
            for k in range(sample.size):
                work[k, j] = sample[k]
        _compute(table, work)
        relied_on(comparisons, finite, work, usable)
        for j in range(min(width, count - first)):
            valid[first + j] = usable[j]
            _take(work, rows, j, usable[j], numbers[first + j])
            _take(work, others, j, usable[j], more[first + j])


@kernel
def _compute(table, work):
    rows, constants, memory = table
    if rows.size:
        interpret(work, work, work, memory, rows, constants, 0, work.shape[1], 1)


@kernel
def _take(work, rows, column, usable, out):
    for k in range(rows.size):
        out[k] = work[rows[k], column] if usable else math.nan


@kernel
def fill_one(table, comparisons, finite, work, usable, values, places, numbers, rows, state):
    """Run a table for one sample, and put results where kernels read them.

    Parameters
    ----------
    table, comparisons, finite
        See `fill_samples`.
    work : (rows, 1) array
        Its fixed numbers are filled in.
    usable : (1,) array of bool
        Working memory.
    values : (p,) array
        Of the inputs.
    places, rows : (k, 2) arrays of int
        Places in `numbers`, and rows of `state`, with the rows of the table that go there.
    numbers : (m,) array
    state : (r, n) array

    Returns
    -------
    bool
        Whether the table is right; else nothing is filled.
    """
    for k in range(values.size):
        work[k, 0] = values[k]
    _compute(table, work)
    relied_on(comparisons, finite, work, usable)
    if usable[0]:
        for k in range(places.shape[0]):
            numbers[places[k, 0]] = work[places[k, 1], 0]
        for k in range(rows.shape[0]):
            row, number = state[rows[k, 0]], work[rows[k, 1], 0]
            for j in range(row.size):
                row[j] = number
    return usable[0]


def list_of(table: Table) -> tuple[Ints, Array, Array]:
    """Rows and constants of the list of a table, and memory for the interpreter."""
    made = table.list
    return made.rows, made.constants, np.empty((1, made.slots + 8))
