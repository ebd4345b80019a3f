"""Inverses of matrices whose entries are rows of an array with a column for every step, by elimination with pivots."""

import math

from sglibrary.convention import inlined, kernel

LANES = 16
"""Steps whose matrices are inverted side by side."""


@inlined
def room(size):
    """Rows and columns of the memory in which matrices of a size are inverted."""
    return size + 1, 2 * size * LANES


@kernel
def invert(x, first_row, out, size, work, n):
    """Inverse of a matrix, given the first row of its entries and the first row of the inverse.

    A row of `work` holds a row of the matrix and one of the inverse, all lanes of each entry side by side.
    """
    for first in range(0, n, LANES):
        for i in range(size):
            for k in range(size):
                for j in range(LANES):
                    work[i, k * LANES + j] = x[first_row + i * size + k, min(first + j, n - 1)]
                    work[i, (size + k) * LANES + j] = 1.0 if i == k else 0.0
        _eliminate(work, size)
        for i in range(size):
            for k in range(size):
                for j in range(min(LANES, n - first)):
                    x[out + i * size + k, first + j] = work[i, (size + k) * LANES + j]


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
        for j in range(count):
            share[done + j] = share[j]
        done += count


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
    size = int(math.sqrt(count))
    invert(q, rows[0], rows[count], size, memory.reshape(room(size)), n)


@kernel
def invert_series(x, first, size, orders, work, n):
    """Taylor coefficients of an inverse Y from those of its matrix A: Y₁ = - Y₀ A₁ Y₀ and Y₂ = - Y₀ (A₂ Y₀ + A₁ Y₁).

    The coefficients of A are rows from `first` on, one matrix after another; then come as many rows for those of Y, and
    as many as a matrix has for what is between.
    """
    count = size * size
    there, between = first + orders * count, first + 2 * orders * count
    invert(x, first, there, size, work, n)
    for order in range(1, orders):
        for i in range(size):
            for k in range(size):
                _clear(x[between + i * size + k, :n])
                for part in range(1, order + 1):
                    for j in range(size):
                        entry, other = (
                            first + part * count + i * size + j,
                            there + (order - part) * count + j * size + k,
                        )
                        _add(1.0, x[entry, :n], x[other, :n], x[between + i * size + k, :n])
        for i in range(size):
            for k in range(size):
                out = x[there + order * count + i * size + k, :n]
                _clear(out)
                for j in range(size):
                    _add(-1.0, x[there + i * size + j, :n], x[between + j * size + k, :n], out)


@kernel
def _clear(out):
    for j in range(out.size):
        out[j] = 0.0


@kernel
def _add(factor, x, y, out):
    for j in range(out.size):
        out[j] += factor * (x[j] * y[j])
