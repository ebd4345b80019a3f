"""Matrices at many steps divided by others, compiled.

Gauss and Jordan's elimination with row pivots, of many steps side by side: rows are exchanged by selection, so that the
loops over steps have no branches. Where a matrix is singular the result is infinite or NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

from sglibrary.convention import OPTIONS, UNCOUNTED
from sglibrary.kernel_cache import cached

WIDTH = 128
"""Steps side by side, so few that a system of ten unknowns stays in cache."""


def _loop(function: Callable[..., Any]) -> Any:
    return cached(njit(**UNCOUNTED)(function))


def _solver(function: Callable[..., Any]) -> Any:
    return cached(njit(**OPTIONS)(function))


@_loop
def _exchange(larger, first, second):
    for j in range(larger.size):
        x, y = first[j], second[j]
        first[j] = y if larger[j] else x
        second[j] = x if larger[j] else y


@_loop
def _compare(first, second, larger):
    for j in range(larger.size):
        larger[j] = abs(second[j]) > abs(first[j])


@_loop
def _scale(share, row):
    for j in range(row.size):
        row[j] *= share[j]


@_loop
def _subtract(factor, pivot, row):
    for j in range(row.size):
        row[j] -= factor[j] * pivot[j]


@_solver
def divide(a, b, x):
    """Solve x b = a.

    Parameters
    ----------
    a : (k, m, n) array
        The last axis being steps.
    b : (m, m, n) array
    x : (k, m, n) array
        It is written.
    """
    outputs, size, n = a.shape
    whole = size + outputs
    work, larger = np.empty((size, whole, WIDTH)), np.empty(WIDTH, np.bool_)
    for first in range(0, n, WIDTH):
        w = min(WIDTH, n - first)
        for k in range(size):
            for i in range(size):
                work[k, i, :w] = b[i, k, first : first + w]
            for i in range(outputs):
                work[k, size + i, :w] = a[i, k, first : first + w]
        for p in range(size):
            for k in range(p + 1, size):
                _compare(work[p, p, :w], work[k, p, :w], larger[:w])
                for i in range(p, whole):
                    _exchange(larger[:w], work[p, i, :w], work[k, i, :w])
            work[p, p, :w] = 1.0 / work[p, p, :w]
            for i in range(p + 1, whole):
                _scale(work[p, p, :w], work[p, i, :w])
            for k in range(size):
                if k != p:
                    for i in range(p + 1, whole):
                        _subtract(work[k, p, :w], work[p, i, :w], work[k, i, :w])
        for i in range(outputs):
            for k in range(size):
                x[i, k, first : first + w] = work[k, size + i, :w]
