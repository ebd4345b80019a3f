"""All roots of a function of one variable that exists in parts of an interval only.

The interval is halved where Chebyshev series of degree `DEGREE` do not represent the function, so also towards the ends
of parts where it exists: there it has square roots, and the halves get smaller geometrically until rounding ends them.
The roots of a series are the eigenvalues of its colleague matrix (Good 1961; Boyd 2002), so that none is missed between
two samples, nor where the function touches zero.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from groupkin.tolerances import FLAT_FUNCTION, RESOLVED_SERIES
from sglibrary.array_types import Array, Flags, Ints

DEGREE, PIECES, HALVINGS = 16, 64, 34
"""Degree of the series, number of pieces to begin with, and how often one of them is halved at most."""

TOUCHES = 1e-3
"""Imaginary part, relative to half a piece, up to which a root counts as real: a double root is off by the square root
of the errors of the function. What is no solution does not survive the iteration that follows."""

JUMP, COARSE, MOST_PIECES = 1e-3, 8, 8192
"""Change over the smallest piece that is no continuous one; number of halvings up to which a piece is a part that
counts; and pieces at once."""

_ANGLES = np.pi * np.arange(DEGREE + 1) / DEGREE
_NODES = np.cos(_ANGLES)
_WEIGHTS = np.where(np.isin(np.arange(DEGREE + 1), (0, DEGREE)), 0.5, 1.0)
_TO_SERIES = 2.0 / DEGREE * np.outer(_WEIGHTS, _WEIGHTS) * np.cos(np.outer(np.arange(DEGREE + 1), _ANGLES))


def branch_roots(function: Callable[[Array], Array], low: float, high: float) -> Array | None:
    """Find all roots of a function between two bounds.

    Parameters
    ----------
    function : callable
        From (n,) to (n,) array, of scale 1; NaN where it does not exist. Analytic where it does, up to square roots at
        the ends.
    low, high : float

    Returns
    -------
    (k,) array or None
        Close to every root, and perhaps at others where the function nearly touches zero; None if it is zero on a whole
        part, or jumps. Parts where it exists that are narrower than 1 / (`PIECES` `DEGREE` / 2) of the interval may be
        missed.
    """
    half = 0.5 * (high - low) / PIECES
    centers = low + half * (1.0 + 2.0 * np.arange(PIECES))
    found = [np.zeros(0)]
    for halving in range(HALVINGS + 1):
        places = centers[:, None] + half * _NODES
        values = function(places.ravel()).reshape(places.shape)
        exists: Flags = np.isfinite(values)
        whole = np.asarray(exists.all(axis=1))
        series = np.where(whole[:, None], values, 0.0) @ _TO_SERIES.T
        resolved = np.logical_and(whole, np.abs(series[:, -2:]).max(axis=1) < RESOLVED_SERIES)
        if halving <= COARSE and (resolved & (np.abs(series).max(axis=1) < FLAT_FUNCTION)).any():
            return None
        owner, roots = _roots(series[resolved])
        found.append(centers[resolved][owner] + half * roots)
        left = exists.any(axis=1) & ~resolved
        if halving == HALVINGS:
            found.append(_least(places[left], values[left]))
            if (np.ptp(values[left & whole], axis=1) > JUMP).any():
                return None
        half *= 0.5
        centers = (centers[left][:, None] + half * np.array([-1.0, 1.0])).ravel()
        if centers.size > MOST_PIECES:
            return None
        if not centers.size:
            break
    return np.concatenate(found)


def _least(places: Array, values: Array) -> Array:
    """Choose in every piece where the function is nearest to zero, if it is near."""
    sizes = np.where(np.isfinite(values), np.abs(values), np.inf)
    chosen = np.arange(len(places)), sizes.argmin(axis=1)
    return np.asarray(places[chosen][sizes[chosen] < JUMP])


def _roots(series: Array) -> tuple[Ints, Array]:
    """Compute the roots between -1 and 1 of some series (m, DEGREE + 1).

    Returns
    -------
    (k,) array of int
        The series of each root.
    (k,) array
    """
    sizes = np.abs(series)
    may = np.flatnonzero(sizes[:, 0] <= 1.001 * sizes[:, 1:].sum(axis=1) + RESOLVED_SERIES)
    c = series[may]
    last = c[:, -1].copy()
    least = np.finfo(float).eps * sizes[may].max(axis=1, initial=1e-300)
    last[np.abs(last) < least] = least[np.abs(last) < least]
    companion = np.zeros((len(c), DEGREE, DEGREE))
    k = np.arange(DEGREE - 1)
    companion[:, k, k + 1] = companion[:, k + 1, k] = np.where(k == 0, np.sqrt(0.5), 0.5)
    scale = np.where(np.arange(DEGREE) == 0, np.sqrt(2.0), 1.0)
    companion[:, :, -1] -= 0.5 * scale * c[:, :-1] / last[:, None]
    values = np.linalg.eigvals(companion)
    real = (np.abs(values.imag) < TOUCHES) & (np.abs(values.real) < 1.0 + TOUCHES)
    return may[np.nonzero(real)[0]], np.clip(values.real[real], -1.0, 1.0)
