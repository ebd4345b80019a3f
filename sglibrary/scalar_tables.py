"""Tables of scalar operations, run for many columns of inputs at once, and their derivatives.

A table computes values from inputs and fixed numbers, one operation after another. Values are rows of a matrix whose
columns are independent of each other: first the inputs, then the fixed numbers, then the results of the operations in
their order. An operation is its code and the rows of one or two operands before it.

Each operation is one loop over the columns, without a choice in it. So a column has the same bits however many there
are, and thousands of columns cost some tenths of a nanosecond per operation each, one column some nanoseconds.

Derivatives are those of the operations at given values (`slopes`), carried forward from changes of the inputs (chain
rule; Griewank and Walther 2008, section 3.1).
"""

import math

import numpy as np

from sglibrary.convention import allocating, kernel
from sglibrary.scalar_operations import (
    ABS,
    ATAN2,
    COS,
    LESS,
    MINUS,
    NEGATIVE,
    OVER,
    PLUS,
    SIGN,
    SIN,
    SQRT,
    TIMES,
)


@kernel
def compute(operations, work):
    """Run a table.

    Parameters
    ----------
    operations : (k, 3) array of int
        Code and operands.
    work : (rows, n) array
        Its last k rows are filled.
    """
    first = work.shape[0] - operations.shape[0]
    for k in range(operations.shape[0]):
        code, out = operations[k, 0], work[first + k]
        x, y = work[operations[k, 1]], work[operations[k, 2]]
        if code == PLUS:
            for j in range(out.size):
                out[j] = x[j] + y[j]
        elif code == MINUS:
            for j in range(out.size):
                out[j] = x[j] - y[j]
        elif code == TIMES:
            for j in range(out.size):
                out[j] = x[j] * y[j]
        elif code == OVER:
            for j in range(out.size):
                out[j] = x[j] / y[j]
        elif code == NEGATIVE:
            for j in range(out.size):
                out[j] = -x[j]
        elif code == SQRT:
            for j in range(out.size):
                out[j] = np.sqrt(x[j])
        else:
            for j in range(out.size):
                out[j] = _seldom(code, x[j], y[j])


@kernel
def _seldom(code, x, y):
    """An operation that is not worth a loop of its own."""
    if code == SIN:
        return np.sin(x)
    if code == COS:
        return np.cos(x)
    if code == ATAN2:
        return math.atan2(x, y)
    if code == ABS:
        return abs(x)
    if code == SIGN:
        return 1.0 if x >= 0.0 else -1.0
    return math.nan


@kernel
def slopes(operations, work, out):
    """Derivatives of every operation by its operands, `out` (k, 2), at the values (rows,) of one column of a table."""
    first = work.shape[0] - operations.shape[0]
    for k in range(operations.shape[0]):
        code = operations[k, 0]
        x, y, value = work[operations[k, 1]], work[operations[k, 2]], work[first + k]
        along, across = 1.0, 0.0
        if code == PLUS:
            across = 1.0
        elif code == MINUS:
            across = -1.0
        elif code == TIMES:
            along, across = y, x
        elif code == OVER:
            along, across = 1.0 / y, -value / y
        elif code == NEGATIVE:
            along = -1.0
        elif code == SQRT:
            along = 0.5 / value
        elif code == SIN:
            along = np.cos(x)
        elif code == COS:
            along = -np.sin(x)
        elif code == ATAN2:
            square = x * x + y * y
            along, across = y / square, -x / square
        elif code == ABS:
            along = math.copysign(1.0, x)
        elif code == SIGN:
            along = 0.0
        else:
            along = math.nan
        out[k, 0], out[k, 1] = along, across


@kernel
def forward(operations, slope, changes):
    """Carry changes of the inputs on to all rows: `changes` (rows, n), of which the last ones are filled."""
    first = changes.shape[0] - operations.shape[0]
    for k in range(operations.shape[0]):
        out, x, y = changes[first + k], changes[operations[k, 1]], changes[operations[k, 2]]
        along, across = slope[k, 0], slope[k, 1]
        for j in range(out.size):
            out[j] = along * x[j] + across * y[j]


@allocating
def derivatives(operations, work, inputs, rows, out):
    """Differentiate rows by all inputs, of every column of a table: `out` (n, k, inputs) is filled."""
    slope, changes = np.empty((operations.shape[0], 2)), np.zeros((work.shape[0], inputs))
    for i in range(inputs):
        changes[i, i] = 1.0
    for j in range(work.shape[1]):
        slopes(operations, work[:, j], slope)
        forward(operations, slope, changes)
        for k in range(rows.size):
            for i in range(inputs):
                out[j, k, i] = changes[rows[k], i]


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
def fill_samples(operations, comparisons, finite, work, usable, values, rows, numbers, others, more, valid):
    """Run a table for many samples, some columns at a time.

    Parameters
    ----------
    operations, comparisons, finite : arrays of int
        See `compute` and `relied_on`.
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
        compute(operations, work)
        relied_on(comparisons, finite, work, usable)
        for j in range(min(width, count - first)):
            valid[first + j] = usable[j]
            _take(work, rows, j, usable[j], numbers[first + j])
            _take(work, others, j, usable[j], more[first + j])


@kernel
def _take(work, rows, column, usable, out):
    for k in range(rows.size):
        out[k] = work[rows[k], column] if usable else math.nan


@kernel
def fill_one(operations, comparisons, finite, work, usable, values, places, numbers, rows, state):
    """Run a table for one sample, and put results where kernels read them.

    Parameters
    ----------
    operations, comparisons, finite : arrays of int
        See `compute` and `relied_on`.
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
    compute(operations, work)
    relied_on(comparisons, finite, work, usable)
    if usable[0]:
        for k in range(places.shape[0]):
            numbers[places[k, 0]] = work[places[k, 1], 0]
        for k in range(rows.shape[0]):
            row, number = state[rows[k, 0]], work[rows[k, 1], 0]
            for j in range(row.size):
                row[j] = number
    return usable[0]
