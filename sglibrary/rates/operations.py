"""What the map of rates needs of positions: vectors fixed in bodies, levers, the cores of groups and their inverses.

An operation is a row of whole numbers and one of numbers. It reads and writes rows of the *sheet*, an array of one row
per quantity and one column per step, so reading the table costs little per step.

========== ================================================================ ======================================
operation  whole numbers                                                    numbers
========== ================================================================ ======================================
FIXED      out, point or -1, directions (one in the plane, else three)      components along the directions
RELATIVE   out, point                                                       the center; one over the size
CROSS      out, first, second                                               factor
MIDDLE     out, first, second                                               1 or -1
UNIT       out, from point, to point
MOMENT     out, relative point, force; in the plane
PRODUCT    out, first of its pairs of rows, number of pairs                 factor
INVERT     out, first of its rows, number of unknowns
========== ================================================================ ======================================

RELATIVE writes x, y (and z) less the center, over the size, then the same with the opposite sign. MIDDLE is the unit
vector along a cross product.
"""

import math

import numpy as np

from sglibrary.convention import allocating, kernel

FIXED, RELATIVE, CROSS, MIDDLE, UNIT, MOMENT, PRODUCT, INVERT = range(8)


@allocating
def operate(operations, numbers, pairs, dimension, sheet, n):
    """Carry out all operations for the first n steps of a sheet.

    Parameters
    ----------
    operations : (m, 6) array of int
        Code and whole numbers.
    numbers : (m, 4) array
    pairs : (k, 2) array of int
        Rows of the sheet: of products, and in the first column of matrices.
    dimension : {2, 3}
    sheet : (rows, width) array
    n : int
    """
    for k in range(operations.shape[0]):
        code, out, a, b = operations[k, 0], operations[k, 1], operations[k, 2], operations[k, 3]
        if code == FIXED and dimension == 2:
            _fixed_in_plane(sheet, out, a, b, numbers[k], n)
        elif code == FIXED:
            for i in range(dimension):
                _combined(sheet, (out + i, a + i, b + i, operations[k, 4] + i, operations[k, 5] + i), a, numbers[k], n)
        elif code == RELATIVE:
            for i in range(dimension):
                _relative(sheet[a + i, :n], numbers[k, i], numbers[k, 3], sheet[out + i, :n])
                _relative(sheet[a + i, :n], numbers[k, i], -numbers[k, 3], sheet[out + dimension + i, :n])
        elif code in (CROSS, MIDDLE):
            for i in range(dimension):
                s, t = (i + 1) % 3, (i + 2) % 3
                _minor(sheet, (a + s, b + t, a + t, b + s), numbers[k, 0], sheet[out + i, :n])
            if code == MIDDLE:
                _normalize(sheet, out, dimension, n)
        elif code == UNIT:
            for i in range(dimension):
                _difference(sheet[a + i, :n], sheet[b + i, :n], sheet[out + i, :n])
            _normalize(sheet, out, dimension, n)
        elif code == MOMENT:
            _minor(sheet, (a, b + 1, a + 1, b), 1.0, sheet[out, :n])
        elif code == PRODUCT:
            _clear(sheet[out, :n])
            for m in range(a, a + b):
                _add_product(numbers[k, 0], sheet[pairs[m, 0], :n], sheet[pairs[m, 1], :n], sheet[out, :n])
        elif code == INVERT:
            _invert(sheet, pairs[a : a + b * b, 0], b, out, n)


@kernel
def _fixed_in_plane(sheet, out, point, along, numbers, n):
    """A direction, or a point if there is one, from a unit vector and the one to its left."""
    c, s = numbers[0], numbers[1]
    ux, uy, x, y = sheet[along, :n], sheet[along + 1, :n], sheet[out, :n], sheet[out + 1, :n]
    if point < 0:
        for j in range(x.size):
            x[j] = c * ux[j] - s * uy[j]
            y[j] = c * uy[j] + s * ux[j]
    else:
        px, py = sheet[point, :n], sheet[point + 1, :n]
        for j in range(x.size):
            x[j] = px[j] + (c * ux[j] - s * uy[j])
            y[j] = py[j] + (c * uy[j] + s * ux[j])


@kernel
def _combined(sheet, rows, point, numbers, n):
    """One component of a direction, or of a point if there is one."""
    c0, c1, c2 = numbers[0], numbers[1], numbers[2]
    o, x, y, z = sheet[rows[0], :n], sheet[rows[2], :n], sheet[rows[3], :n], sheet[rows[4], :n]
    if point < 0:
        for j in range(o.size):
            o[j] = c0 * x[j] + (c1 * y[j] + c2 * z[j])
    else:
        p = sheet[rows[1], :n]
        for j in range(o.size):
            o[j] = p[j] + (c0 * x[j] + (c1 * y[j] + c2 * z[j]))


@kernel
def _relative(x, center, share, out):
    for j in range(out.size):
        out[j] = share * (x[j] - center)


@kernel
def _minor(sheet, rows, factor, out):
    a, b, c, d = sheet[rows[0]], sheet[rows[1]], sheet[rows[2]], sheet[rows[3]]
    for j in range(out.size):
        out[j] = factor * (a[j] * b[j] - c[j] * d[j])


@kernel
def _difference(a, b, out):
    for j in range(out.size):
        out[j] = b[j] - a[j]


@kernel
def _normalize(sheet, out, dimension, n):
    x, y, z = sheet[out, :n], sheet[out + 1, :n], sheet[out + dimension - 1, :n]
    for j in range(x.size):
        square = x[j] * x[j] + y[j] * y[j] + (z[j] * z[j] if dimension == 3 else 0.0)
        share = 1.0 / math.sqrt(square)
        x[j] *= share
        y[j] *= share
        if dimension == 3:
            z[j] *= share


@kernel
def _clear(out):
    for j in range(out.size):
        out[j] = 0.0


@kernel
def _add_product(factor, a, b, out):
    for j in range(out.size):
        out[j] += factor * (a[j] * b[j])


@allocating
def _invert(sheet, rows, size, out, n):
    """Inverse of a matrix, row by row: by minors up to three unknowns, else by elimination with pivots."""
    if size == 1:
        _reciprocal(sheet[rows[0], :n], sheet[out, :n])
    elif size == 2:
        _inverse_of_two(sheet, rows, out, n)
    elif size == 3:
        _inverse_of_three(sheet, rows, out, n)
    else:
        matrix, inverse = np.empty((size, size)), np.empty((size, size))
        for j in range(n):
            for k in range(size * size):
                matrix[k // size, k % size] = sheet[rows[k], j]
            _eliminate(matrix, inverse)
            for k in range(size * size):
                sheet[out + k, j] = inverse[k // size, k % size]


@kernel
def _reciprocal(x, out):
    for j in range(out.size):
        out[j] = 1.0 / x[j]


@kernel
def _inverse_of_two(sheet, rows, out, n):
    a, b, c, d = sheet[rows[0], :n], sheet[rows[1], :n], sheet[rows[2], :n], sheet[rows[3], :n]
    p, q, r, s = sheet[out, :n], sheet[out + 1, :n], sheet[out + 2, :n], sheet[out + 3, :n]
    for j in range(p.size):
        share = 1.0 / (a[j] * d[j] - b[j] * c[j])
        p[j] = share * d[j]
        q[j] = -share * b[j]
        r[j] = -share * c[j]
        s[j] = share * a[j]


@kernel
def _inverse_of_three(sheet, rows, out, n):
    """Entry (i, k) of the inverse is the minor of row k and column i over the determinant."""
    for i in range(3):
        for k in range(3):
            r, s, t, u = (k + 1) % 3, (k + 2) % 3, (i + 1) % 3, (i + 2) % 3
            places = (rows[3 * r + t], rows[3 * s + u], rows[3 * r + u], rows[3 * s + t])
            _minor(sheet, places, 1.0, sheet[out + 3 * i + k, :n])
    a, b, c = sheet[rows[0], :n], sheet[rows[1], :n], sheet[rows[2], :n]
    x, y, z = sheet[out, :n], sheet[out + 3, :n], sheet[out + 6, :n]
    for j in range(x.size):
        share = 1.0 / (a[j] * x[j] + b[j] * y[j] + c[j] * z[j])
        for k in range(9):
            sheet[out + k, j] *= share


@kernel
def _eliminate(matrix, inverse):
    """Gauss and Jordan's elimination with row pivots; NaN or infinite where the matrix is singular."""
    n = matrix.shape[0]
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
