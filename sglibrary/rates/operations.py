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

from sglibrary.convention import kernel

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
    work : (2, s, s) array
        Memory for the largest matrix.
    n : int
    """
    for k in range(operations.shape[0]):
        code, out, first, count = operations[k, 0], operations[k, 1], operations[k, 2], operations[k, 3]
        if code == SUM:
            add_up(terms, factors, sheet, sheet, first, first + count, sheet[out, :n])
        elif code == INVERT:
            _invert(terms[first : first + count], sheet, out, work[0], work[1], n)
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


@kernel
def _invert(entries, sheet, out, matrix, inverse, n):
    """Inverse of a matrix by elimination."""
    count = entries.shape[0]
    size = int(math.sqrt(count))
    for j in range(n):
        for k in range(count):
            matrix[k // size, k % size] = sheet[entries[k, 0], j]
        _eliminate(matrix, inverse, size)
        for k in range(count):
            sheet[out + k, j] = inverse[k // size, k % size]


@kernel
def _eliminate(matrix, inverse, n):
    """Gauss and Jordan's elimination with row pivots; NaN or infinite where the matrix is singular."""
    for i in range(n):
        for k in range(n):
            inverse[i, k] = 1.0 if i == k else 0.0
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            best = i if math.fabs(matrix[i, k]) > math.fabs(matrix[best, k]) else best
        for c in range(n):
            matrix[k, c], matrix[best, c] = matrix[best, c], matrix[k, c]
            inverse[k, c], inverse[best, c] = inverse[best, c], inverse[k, c]
        share = 1.0 / matrix[k, k]
        for c in range(n):
            matrix[k, c] *= share
            inverse[k, c] *= share
        for i in range(n):
            factor = matrix[i, k]
            if i != k and factor != 0.0:
                for c in range(n):
                    matrix[i, c] -= factor * matrix[k, c]
                    inverse[i, c] -= factor * inverse[k, c]


@kernel
def inverse(q, v, a, memory, rows, constants, status, conditioning, n):
    """Inverse of a matrix at every step, as a kernel (`sglibrary.convention`); rows: its entries, those of the inverse.

    The memory is that of two matrices.
    """
    count = rows.size // 2
    size = int(math.sqrt(count))
    matrix, found = memory[:count].reshape(size, size), memory[count : 2 * count].reshape(size, size)
    for j in range(n):
        for k in range(count):
            matrix[k // size, k % size] = q[rows[k], j]
        _eliminate(matrix, found, size)
        for k in range(count):
            q[rows[count + k], j] = found[k // size, k % size]
