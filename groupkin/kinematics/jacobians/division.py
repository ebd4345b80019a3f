"""Matrices at many steps divided by others, compiled.

Gauss and Jordan's elimination with row pivots, of many steps side by side: rows are exchanged by selection, so that the
loops over steps have no branches. Where a matrix is singular the result is infinite or NaN.
"""

from __future__ import annotations

import numpy as np

from sglibrary.convention import allocating, kernel

WIDTH = 64
"""Steps side by side, so few that a system of six unknowns stays in the first cache."""


@kernel
def _exchange(larger, first, second):
    for j in range(larger.size):
        x, y = first[j], second[j]
        first[j] = y if larger[j] else x
        second[j] = x if larger[j] else y


@kernel
def _compare(first, second, larger):
    """Tell where the second is larger in size; whether it is anywhere."""
    count = 0
    for j in range(larger.size):
        larger[j] = abs(second[j]) > abs(first[j])
        count += larger[j]
    return count > 0


@kernel
def _scale(share, row):
    for j in range(row.size):
        row[j] *= share[j]


@kernel
def _subtract(factor, pivot, row):
    for j in range(row.size):
        row[j] -= factor[j] * pivot[j]


@kernel
def _copy(x, out):
    for j in range(out.size):
        out[j] = x[j]


@kernel
def _fill(value, out):
    for j in range(out.size):
        out[j] = value


@kernel
def _exchange_rows(p, w, work, larger):
    """Bring the row with the largest pivot to place p."""
    for k in range(p + 1, work.shape[0]):
        if _compare(work[p, p, :w], work[k, p, :w], larger[:w]):
            for i in range(p, work.shape[1]):
                _exchange(larger[:w], work[p, i, :w], work[k, i, :w])


@kernel
def _eliminate(a, b, x, first, w, work, larger):
    """Solve x b = a at w steps from the first on, without counting references to rows."""
    outputs, size = a.shape[0], a.shape[1]
    for k in range(size):
        for i in range(size):
            _copy(b[i, k, first : first + w], work[k, i, :w])
        for i in range(outputs):
            if a.shape[2] == 1:
                _fill(a[i, k, 0], work[k, size + i, :w])
            else:
                _copy(a[i, k, first : first + w], work[k, size + i, :w])
    for p in range(size):
        _exchange_rows(p, w, work, larger)
        for j in range(w):
            work[p, p, j] = 1.0 / work[p, p, j]
        for i in range(p + 1, size + outputs):
            _scale(work[p, p, :w], work[p, i, :w])
        for k in range(size):
            if k != p:
                for i in range(p + 1, size + outputs):
                    _subtract(work[k, p, :w], work[p, i, :w], work[k, i, :w])
    for i in range(outputs):
        for k in range(size):
            _copy(work[k, size + i, :w], x[i, k, first : first + w])


@allocating
def divide(a, b, x):
    """Solve x b = a.

    Parameters
    ----------
    a : (k, m, n) or (k, m, 1) array
        The last axis being steps; or the same at all of them.
    b : (m, m, n) array
    x : (k, m, n) array
        It is written.
    """
    outputs, size, n = x.shape
    work, larger = np.empty((size, size + outputs, WIDTH)), np.empty(WIDTH, np.bool_)
    for first in range(0, n, WIDTH):
        _eliminate(a, b, x, first, min(WIDTH, n - first), work, larger)
