"""Linear systems of many steps at once: one elimination order for all, chosen for sparsity and stability.

Matrices are (n, n, width), already in the order of elimination. Only entries that can be different from zero are
touched (`Entries`). Pivots are kept as their inverses.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sglibrary.convention import allocating, kernel
from sglibrary.iterative.simd import zero

TOLERATED = 0.1
"""Share of the largest entry of a column that a pivot must have to be chosen for sparsity (threshold pivoting)."""

POWER_STEPS = 30
"""Limit of the power iterations that find singular values."""


class Entries(NamedTuple):
    """Which entries elimination touches, like compressed rows.

    Attributes
    ----------
    starts : (2, n + 1) array of int
        Where the numbers of every pivot begin in `below` and in `right`.
    below : array of int
        Rows under the pivot with an entry in its column.
    right : array of int
        Columns right of the pivot with an entry in its row.
    """

    starts: NDArray[np.int64]
    below: NDArray[np.int64]
    right: NDArray[np.int64]


@allocating
def choose_order(matrix, pattern, rows, columns):
    """Order of elimination of a matrix (n, n): of all pivots that are large enough, the one that fills in least.

    Markowitz (1957). Writes the place of every row and column in the order.
    """
    n = matrix.shape[0]
    work, filled = matrix.copy(), pattern != 0
    rows[:] = -1
    columns[:] = -1
    height, width, tall = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n)
    for k in range(n):
        height[:] = 0
        width[:] = 0
        tall[:] = 0.0
        for r in range(n):
            for c in range(n):
                if rows[r] < 0 and columns[c] < 0 and filled[r, c]:
                    height[c] += 1
                    width[r] += 1
                    tall[c] = max(tall[c], math.fabs(work[r, c]))
        row, column, least, best = -1, -1, 0, 0.0
        for r in range(n):
            for c in range(n):
                size = math.fabs(work[r, c])
                if rows[r] >= 0 or columns[c] >= 0 or size == 0.0 or size < TOLERATED * tall[c]:
                    continue
                cost = (height[c] - 1) * (width[r] - 1)
                if row < 0 or cost < least or (cost == least and size > best):
                    row, column, least, best = r, c, cost, size
        if row < 0:  # structurally singular: any order will do
            for r in range(n):
                row = r if rows[r] < 0 else row
            for c in range(n):
                column = c if columns[c] < 0 else column
        rows[row] = columns[column] = k
        pivot = work[row, column]
        for r in range(n):
            if rows[r] >= 0 or not filled[r, column]:
                continue
            share = work[r, column] / pivot if pivot != 0.0 else 0.0
            for c in range(n):
                if columns[c] < 0 and filled[row, c]:
                    work[r, c] -= share * work[row, c]
                    filled[r, c] = True


@allocating
def fill(pattern, rows, columns):
    """`Entries` that elimination in a given order can make different from zero."""
    n = pattern.shape[0]
    filled = np.zeros((n, n), np.bool_)
    for r in range(n):
        for c in range(n):
            filled[rows[r], columns[c]] = pattern[r, c] != 0
    for k in range(n):
        filled[k, k] = True
        for i in range(k + 1, n):
            if filled[i, k]:
                for j in range(k + 1, n):
                    filled[i, j] |= filled[k, j]
    starts = np.zeros((2, n + 1), np.int64)
    below, right = np.empty(n * n, np.int64), np.empty(n * n, np.int64)
    b = r = 0
    for k in range(n):
        for i in range(k + 1, n):
            if filled[i, k]:
                below[b] = i
                b += 1
            if filled[k, i]:
                right[r] = i
                r += 1
        starts[0, k + 1], starts[1, k + 1] = b, r
    return Entries(starts, below[:b].copy(), right[:r].copy())


@kernel
def clear_entries(lu, entries):
    """Zero in all entries that elimination touches."""
    starts, below, right = entries
    for k in range(lu.shape[0]):
        zero(lu[k, k])
        for i in below[starts[0, k] : starts[0, k + 1]]:
            zero(lu[i, k])
        for i in right[starts[1, k] : starts[1, k + 1]]:
            zero(lu[k, i])


@kernel
def factor(lu, entries, growth):
    """Factor in place, and write the largest multiplier, which tells how stable the order is, to `growth` (width,)."""
    starts, below, right = entries
    zero(growth)
    for k in range(lu.shape[0]):
        _invert(lu[k, k])
        for i in below[starts[0, k] : starts[0, k + 1]]:
            _scale(lu[i, k], lu[k, k], growth)
            for m in right[starts[1, k] : starts[1, k + 1]]:
                _subtract(lu[i, k], lu[k, m], lu[i, m])


@kernel
def _invert(x):
    for j in range(x.size):
        x[j] = 1.0 / x[j]


@kernel
def _scale(x, share, growth):
    for j in range(x.size):
        x[j] *= share[j]
        size = math.fabs(x[j])
        growth[j] = size if size > growth[j] else growth[j]


@kernel
def _subtract(a, b, out):
    for j in range(out.size):
        out[j] -= a[j] * b[j]


@kernel
def solve(lu, entries, b):
    """Solve in place for right-hand sides (n, width) in the order of elimination."""
    starts, below, right = entries
    n = lu.shape[0]
    for k in range(n):
        for i in below[starts[0, k] : starts[0, k + 1]]:
            _subtract(lu[i, k], b[k], b[i])
    for k in range(n - 1, -1, -1):
        for i in right[starts[1, k] : starts[1, k + 1]]:
            _subtract(lu[k, i], b[i], b[k])
        _multiply(lu[k, k], b[k])


@kernel
def solve_transposed(lu, entries, b):
    """Solve with the transposed matrices, in place."""
    starts, below, right = entries
    n = lu.shape[0]
    for k in range(n):
        _multiply(lu[k, k], b[k])
        for i in right[starts[1, k] : starts[1, k + 1]]:
            _subtract(lu[k, i], b[k], b[i])
    for k in range(n - 1, -1, -1):
        for i in below[starts[0, k] : starts[0, k + 1]]:
            _subtract(lu[i, k], b[i], b[k])


@kernel
def _multiply(a, out):
    for j in range(out.size):
        out[j] *= a[j]


@kernel
def lengths(x, out):
    """Length of the vectors (n, width)."""
    zero(out)
    for i in range(x.shape[0]):
        row = x[i]
        for j in range(out.size):
            out[j] += row[j] * row[j]
    for j in range(out.size):
        out[j] = math.sqrt(out[j])


@allocating
def smallest(lu, entries, low):
    """Smallest singular value of one matrix (n, n, 1), by inverse power iteration from `low` (n,).

    `low` becomes its left singular vector.
    """
    n = low.size
    b, length, before = low.copy().reshape(n, 1), np.empty(1), 0.0
    for _ in range(POWER_STEPS):
        solve(lu, entries, b)
        lengths(b, length)
        value = 1.0 / length[0]
        solve_transposed(lu, entries, b)
        lengths(b, length)
        if not math.isfinite(length[0]):
            return 0.0
        for k in range(n):
            b[k, 0] /= length[0]
            low[k] = b[k, 0]
        if math.fabs(value - before) <= 1e-5 * value:
            break
        before = value
    return value


@kernel
def largest(matrix, high, image):
    """Largest singular value of a matrix (n, n), by power iteration from `high` (n,), which becomes its vector.

    `image` (n,) is working memory.
    """
    n, value = high.size, 0.0
    for _ in range(POWER_STEPS):
        before, total = value, 0.0
        for r in range(n):
            image[r] = 0.0
            for c in range(n):
                image[r] += matrix[r, c] * high[c]
            total += image[r] * image[r]
        value, length = math.sqrt(total), 0.0
        for c in range(n):
            high[c] = 0.0
            for r in range(n):
                high[c] += matrix[r, c] * image[r]
            length += high[c] * high[c]
        for c in range(n):
            high[c] /= math.sqrt(length)
        if math.fabs(value - before) <= 1e-5 * value:
            break
    return value


@kernel
def invert(matrix, order, inverse):
    """Inverse of a matrix (n, n), which is eliminated, and the order of its rows by partial pivoting.

    Returns the sign of the determinant.

    The inverse is NaN where there is none.
    """
    n, sign = order.size, 1.0
    for r in range(n):
        order[r] = r
        for c in range(n):
            inverse[r, c] = 1.0 if r == c else 0.0
    for k in range(n):
        row = k
        for r in range(k + 1, n):
            row = r if math.fabs(matrix[r, k]) > math.fabs(matrix[row, k]) else row
        if row != k:
            order[k], order[row], sign = order[row], order[k], -sign
        pivot = matrix[row, k]
        sign = -sign if pivot < 0.0 else sign
        for c in range(n):
            matrix[k, c], matrix[row, c] = matrix[row, c], matrix[k, c]
            inverse[k, c], inverse[row, c] = inverse[row, c], inverse[k, c]
        for c in range(n):
            matrix[k, c] /= pivot
            inverse[k, c] /= pivot
        for r in range(n):
            share = matrix[r, k]
            for c in range(n if r != k else 0):
                matrix[r, c] -= share * matrix[k, c]
                inverse[r, c] -= share * inverse[k, c]
    return sign
