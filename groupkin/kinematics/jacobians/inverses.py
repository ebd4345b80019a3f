"""Inverses and products of matrices at many steps, compiled.

Gauss and Jordan's elimination in place, with row pivots, of many steps side by side: rows are exchanged by selection,
so that the loops over steps have no branches. Where a matrix is singular its inverse is infinite or NaN.
"""

from __future__ import annotations

import numpy as np

from sglibrary.convention import allocating, kernel
from sglibrary.iterative.rows import copy_row

WIDTH = 128
"""Steps side by side, so few that a matrix of six rows stays in the first cache."""


@kernel
def _scale(share, row):
    for j in range(row.size):
        row[j] *= share[j]


@kernel
def _subtract(factor, pivot, row):
    for j in range(row.size):
        row[j] -= factor[j] * pivot[j]


@kernel
def _product(x, y, out):
    for j in range(out.size):
        out[j] = x[j] * y[j]


@kernel
def _add(factor, x, out):
    for j in range(out.size):
        out[j] += factor[j] * x[j]


@kernel
def _invert_pivot(row):
    for j in range(row.size):
        row[j] = 1.0 / row[j]


@kernel
def _replace(pivot, row):
    for j in range(row.size):
        row[j] = -row[j] * pivot[j]


@kernel
def _choose(k, row, largest, place):
    """Take over row k as the place of the largest pivot where it is larger."""
    for j in range(row.size):
        size = abs(row[j])
        larger = size > largest[j]
        place[j] = k if larger else place[j]
        largest[j] = size if larger else largest[j]


@kernel
def _is_anywhere(k, place):
    count = 0
    for j in range(place.size):
        count += place[j] == k
    return count > 0


@kernel
def _exchange(k, place, first, second):
    for j in range(place.size):
        x, y, there = first[j], second[j], place[j] == k
        first[j] = y if there else x
        second[j] = x if there else y


@kernel
def _bring_pivot(p, w, work, largest, place):
    """Bring the row with the largest pivot of column p to place p."""
    for j in range(w):
        largest[j], place[j] = 0.0, p
    for k in range(p, work.shape[0]):
        _choose(float(k), work[k, p, :w], largest[:w], place[:w])
    for k in range(p + 1, work.shape[0]):
        if _is_anywhere(float(k), place[:w]):
            for i in range(work.shape[0]):
                _exchange(float(k), place[:w], work[p, i, :w], work[k, i, :w])


@kernel
def _exchange_back(w, work, places):
    """Exchange columns as rows were, in reverse: rows that were exchanged are columns of the inverse."""
    size = work.shape[0]
    for p in range(size - 1, -1, -1):
        for k in range(p + 1, size):
            if _is_anywhere(float(k), places[p, :w]):
                for i in range(size):
                    _exchange(float(k), places[p, :w], work[i, p, :w], work[i, k, :w])


@kernel
def _eliminate(p, w, work):
    """Exchange an unknown and a right-hand side, by the pivot at (p, p)."""
    size = work.shape[0]
    _invert_pivot(work[p, p, :w])
    for i in range(size):
        if i != p:
            _scale(work[p, p, :w], work[p, i, :w])
    for k in range(size):
        if k != p:
            for i in range(size):
                if i != p:
                    _subtract(work[k, p, :w], work[p, i, :w], work[k, i, :w])
            _replace(work[p, p, :w], work[k, p, :w])


@kernel
def _invert_block(b, x, first, w, work, largest, places):
    """Invert w steps from the first on, without counting references to rows."""
    size = b.shape[0]
    for k in range(size):
        for i in range(size):
            copy_row(b[k, i, first : first + w], work[k, i, :w])
    for p in range(size):
        _bring_pivot(p, w, work, largest, places[p])
        _eliminate(p, w, work)
    _exchange_back(w, work, places)
    for k in range(size):
        for i in range(size):
            copy_row(work[k, i, :w], x[k, i, first : first + w])


@allocating
def invert(b, x):
    """Write the inverses of matrices b (m, m, n), the last axis being steps, to x (m, m, n)."""
    size, n = x.shape[0], x.shape[2]
    work, largest, places = np.empty((size, size, WIDTH)), np.empty(WIDTH), np.empty((size, WIDTH))
    for first in range(0, n, WIDTH):
        _invert_block(b, x, first, min(WIDTH, n - first), work, largest, places)


@kernel
def multiply(a, b, x):
    """Write the products of matrices a (k, m, n) and b (m, p, n) to x (k, p, n)."""
    n = x.shape[2]
    for first in range(0, n, WIDTH):
        stop = min(n, first + WIDTH)
        for i in range(x.shape[0]):
            for k in range(x.shape[1]):
                _product(a[i, 0, first:stop], b[0, k, first:stop], x[i, k, first:stop])
                for m in range(1, b.shape[0]):
                    _add(a[i, m, first:stop], b[m, k, first:stop], x[i, k, first:stop])
