"""What the map of rates needs of positions: vectors fixed in bodies, levers, the cores of groups and their inverses.

An operation is a row of whole numbers: its kind, the row that it writes, the first of its terms and their number. It
reads and writes rows of the *sheet*, an array of one row per quantity and one column per step, so reading the table
costs little per step. A term is a factor and two rows, which are multiplied.

=========== ==========================================================================================
operation   writes
=========== ==========================================================================================
SUM         the sum of its terms
RECIPROCAL  one over the first row of its term
ROOT        one over the square root of that
INVERT      the inverse of a matrix, row by row; its entries are the first rows of the terms
=========== ==========================================================================================
"""

import math

from sglibrary.convention import inlined, kernel

SUM, RECIPROCAL, ROOT, INVERT = range(4)


@kernel
def operate(operations, terms, factors, sheet, work, n):
    """Carry out all operations for the first n steps of a sheet.

    Parameters
    ----------
    operations : (m, 4) array of int
    terms : (t, 2) array of int
    factors : (t,) array
    sheet : (rows, width) array
    work : array
        Memory for the largest matrix, see `room`.
    n : int
    """
    for k in range(operations.shape[0]):
        code, out, first, count = operations[k, 0], operations[k, 1], operations[k, 2], operations[k, 3]
        if code == SUM:
            add_up(terms, factors, sheet, sheet, first, first + count, sheet[out, :n])
        elif code == INVERT:
            invert(terms[first : first + count, 0], sheet, out, work, n)
        else:
            _power(sheet[terms[first, 0], :n], code == ROOT, sheet[out, :n])


@kernel
def add_up(terms, factors, rows, others, first, stop, out):
    """Sum of the terms from number `first` on: of factors, rows, and rows of others; up to four at a time."""
    count = min(4, stop - first)
    _sum(terms, factors, rows, others, first, count, out)
    first += count
    while first < stop:
        count = min(2, stop - first)
        _add(terms, factors, rows, others, first, count, out)
        first += count


@kernel
def _sum(terms, factors, rows, others, k, count, out):
    """Sum of one to four terms."""
    f0, a0, x0 = factors[k], rows[terms[k, 0]], others[terms[k, 1]]
    if count == 1:
        for j in range(out.size):
            out[j] = f0 * (a0[j] * x0[j])
        return
    f1, a1, x1 = factors[k + 1], rows[terms[k + 1, 0]], others[terms[k + 1, 1]]
    if count == 2:
        for j in range(out.size):
            out[j] = f0 * (a0[j] * x0[j]) + f1 * (a1[j] * x1[j])
        return
    f2, a2, x2 = factors[k + 2], rows[terms[k + 2, 0]], others[terms[k + 2, 1]]
    if count == 3:
        for j in range(out.size):
            out[j] = f0 * (a0[j] * x0[j]) + (f1 * (a1[j] * x1[j]) + f2 * (a2[j] * x2[j]))
        return
    f3, a3, x3 = factors[k + 3], rows[terms[k + 3, 0]], others[terms[k + 3, 1]]
    for j in range(out.size):
        out[j] = (f0 * (a0[j] * x0[j]) + f1 * (a1[j] * x1[j])) + (f2 * (a2[j] * x2[j]) + f3 * (a3[j] * x3[j]))


@kernel
def _add(terms, factors, rows, others, k, count, out):
    """Add one or two terms."""
    f0, a0, x0 = factors[k], rows[terms[k, 0]], others[terms[k, 1]]
    if count == 1:
        for j in range(out.size):
            out[j] += f0 * (a0[j] * x0[j])
        return
    f1, a1, x1 = factors[k + 1], rows[terms[k + 1, 0]], others[terms[k + 1, 1]]
    for j in range(out.size):
        out[j] += f0 * (a0[j] * x0[j]) + f1 * (a1[j] * x1[j])


@kernel
def _power(x, root, out):
    for j in range(out.size):
        out[j] = 1.0 / (math.sqrt(x[j]) if root else x[j])


LANES = 16
"""Steps whose matrices are inverted side by side."""


@inlined
def room(size):
    """Rows and columns of the memory in which matrices of a size are inverted."""
    return size + 1, 2 * size * LANES


@kernel
def invert(entries, sheet, out, work, n):
    """Inverse of a matrix, given the rows of its entries and the first row of the inverse.

    A row of `work` holds a row of the matrix and one of the inverse, all lanes of each entry side by side.
    """
    size = int(math.sqrt(entries.size))
    for first in range(0, n, LANES):
        for i in range(size):
            for k in range(size):
                for j in range(LANES):
                    work[i, k * LANES + j] = sheet[entries[i * size + k], min(first + j, n - 1)]
                    work[i, (size + k) * LANES + j] = 1.0 if i == k else 0.0
        _eliminate(work, size)
        for i in range(size):
            for k in range(size):
                for j in range(min(LANES, n - first)):
                    sheet[out + i * size + k, first + j] = work[i, (size + k) * LANES + j]


@kernel
def _eliminate(work, size):
    """Gauss and Jordan's elimination with row pivots; NaN or infinite in lanes whose matrix is singular."""
    share = work[size]
    for k in range(size):
        column, pivots = k * LANES, work[k, k * LANES :]
        for j in range(LANES):
            _exchange(work, size, k, column + j)
            share[j] = 1.0 / work[k, column + j]
        _repeat(share, pivots.size)
        _scale(pivots, share)
        for i in range(size):
            if i != k:
                for j in range(LANES):
                    share[j] = work[i, column + j]
                _repeat(share, pivots.size)
                _lessen(work[i, column:], share, pivots)


@kernel
def _exchange(work, size, k, place):
    """Exchange row k of a lane with the one of the largest entry from there on; `place` is its own entry."""
    best = k
    for i in range(k + 1, size):
        best = i if math.fabs(work[i, place]) > math.fabs(work[best, place]) else best
    if best != k:
        for c in range(place, 2 * size * LANES, LANES):
            work[k, c], work[best, c] = work[best, c], work[k, c]


@kernel
def _repeat(share, n):
    """Repeat the numbers of all lanes up to n; twice as many at a time, in loops that are vectorized."""
    done = LANES
    while done < n:
        count = min(done, n - done)
        copy(share[:count], share[done : done + count])
        done += count


@kernel
def copy(x, out):
    for j in range(out.size):
        out[j] = x[j]


@kernel
def fill(number, out):
    for j in range(out.size):
        out[j] = number


@kernel
def _scale(x, share):
    for j in range(x.size):
        x[j] *= share[j]


@kernel
def _lessen(x, share, pivots):
    for j in range(x.size):
        x[j] -= share[j] * pivots[j]


@kernel
def inverse(q, v, a, memory, rows, constants, status, conditioning, n):
    """Inverse of a matrix at every step, as a kernel (`sglibrary.convention`).

    rows: its entries, those of the inverse one after another. The memory has as many numbers as `room` says.
    """
    count = rows.size // 2
    invert(rows[:count], q, rows[count], memory.reshape(room(int(math.sqrt(count)))), n)
