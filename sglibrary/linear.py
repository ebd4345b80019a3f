"""Small dense linear systems inside kernels: LU with partial pivoting, and an estimate of the conditioning."""

import math

from sglibrary.convention import kernel

POWER_STEPS = 20
"""Limit of the power iterations that estimate singular values."""


@kernel
def factor(lu, pivots):
    """Factor a square matrix in place; a vanishing pivot is left as it is and makes solutions infinite or NaN."""
    n = lu.shape[0]
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if math.fabs(lu[i, k]) > math.fabs(lu[best, k]):
                best = i
        pivots[k] = best
        if best != k:
            for j in range(n):
                swap = lu[k, j]
                lu[k, j] = lu[best, j]
                lu[best, j] = swap
        if lu[k, k] == 0.0:
            continue
        for i in range(k + 1, n):
            lu[i, k] /= lu[k, k]
            share = lu[i, k]
            if share != 0.0:
                for j in range(k + 1, n):
                    lu[i, j] -= share * lu[k, j]


@kernel
def solve(lu, pivots, b):
    """Solve in place with the factors of `factor`."""
    n = lu.shape[0]
    for k in range(n):
        best = pivots[k]
        swap = b[k]
        b[k] = b[best]
        b[best] = swap
    for i in range(n):
        total = b[i]
        for j in range(i):
            total -= lu[i, j] * b[j]
        b[i] = total
    for i in range(n - 1, -1, -1):
        total = b[i]
        for j in range(i + 1, n):
            total -= lu[i, j] * b[j]
        b[i] = total / lu[i, i]


@kernel
def solve_transposed(lu, pivots, b):
    """Solve with the transpose of the factored matrix, in place."""
    n = lu.shape[0]
    for i in range(n):
        total = b[i]
        for j in range(i):
            total -= lu[j, i] * b[j]
        b[i] = total / lu[i, i]
    for i in range(n - 1, -1, -1):
        total = b[i]
        for j in range(i + 1, n):
            total -= lu[j, i] * b[j]
        b[i] = total
    for k in range(n - 1, -1, -1):
        best = pivots[k]
        swap = b[k]
        b[k] = b[best]
        b[best] = swap


@kernel
def conditioning(matrix, lu, pivots, x, y):
    """Smallest over largest singular value, by inverse and direct power iteration until they change by under 1 %.

    `matrix` and its factors are (n, n), `x` and `y` scratch of n numbers. The smallest singular value is
    overestimated, the largest underestimated, both by a few percent at most in ordinary cases. 0 if singular.
    """
    n = matrix.shape[0]
    for k in range(n):
        if lu[k, k] == 0.0:
            return 0.0
    smallest = 0.0
    for k in range(n):
        x[k] = 1.0 + 0.1 * (k % 3)
    for _ in range(POWER_STEPS):
        _normalize(x)
        solve_transposed(lu, pivots, x)
        solve(lu, pivots, x)
        before, smallest = smallest, 1.0 / math.sqrt(_norm(x))
        if math.fabs(smallest - before) < 0.01 * smallest:
            break
    largest = 0.0
    for k in range(n):
        x[k] = 1.0 + 0.1 * (k % 3)
    for _ in range(POWER_STEPS):
        _normalize(x)
        for i in range(n):
            y[i] = 0.0
            for j in range(n):
                y[i] += matrix[i, j] * x[j]
        for j in range(n):
            x[j] = 0.0
            for i in range(n):
                x[j] += matrix[i, j] * y[i]
        before, largest = largest, math.sqrt(_norm(x))
        if math.fabs(largest - before) < 0.01 * largest:
            break
    return min(1.0, smallest / largest)


@kernel
def _norm(x):
    total = 0.0
    for k in range(x.size):
        total += x[k] * x[k]
    return math.sqrt(total)


@kernel
def _normalize(x):
    length = _norm(x)
    for k in range(x.size):
        x[k] /= length
