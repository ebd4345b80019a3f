"""Downhill in potential energy, of which only the forces are known, to the rest that a slow motion would come to.

Steps are those of Newton's method where the stiffness is positive, and of a stiffness made so elsewhere (Nocedal and
Wright 2006, 3.4), never longer than a trust radius. Each must lose energy, by Simpson's rule for the work of the forces
along it, so that no ridge is crossed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from groupkin.tolerances import BALANCED_START, CENTRAL_STEP, LAST_DESCENT
from sglibrary.array_types import Array

Force = Callable[[Array], Array]

RADIUS = 0.1
"""Longest step, rad or sizes of the mechanism: wells and ridges that are wider are not missed."""

MOST = 500
"""Steps after which there seems to be no rest, as of a body that falls."""

LEAST_STIFFNESS = 1e-3
"""Least stiffness of a step along any direction, by the largest one."""


def downhill(force: Force, start: Array) -> Array | None:
    """Follow forces to where they vanish.

    Parameters
    ----------
    force : callable
        Forces (f,) at coordinates (f,), N m by rad or sizes of the mechanism; NaN where there is no position.
    start : (f,) array

    Returns
    -------
    (f,) array
        Coordinates near a rest: the start itself if that is one, stable or not. None if there is no end.
    """
    x, f, radius = start, force(start), RADIUS
    for number in range(MOST):
        stiffness = _stiffness(force, x)
        if not (np.isfinite(f).all() and np.isfinite(stiffness).all()):
            return None
        if number == 0 and np.abs(f).max() <= BALANCED_START * np.abs(stiffness).max():
            return x
        way = _way(stiffness, f)
        length = float(np.abs(way).max())
        while True:
            share = min(1.0, radius / length) if length > 0.0 else 0.0
            if share * length <= LAST_DESCENT:
                return x + share * way
            middle, ahead = force(x + 0.5 * share * way), force(x + share * way)
            if (f + 4.0 * middle + ahead) @ way > 0.0:
                break
            radius = 0.25 * share * length
        x, f, radius = x + share * way, ahead, min(RADIUS, 2.0 * max(radius, share * length))
    return None


def _way(stiffness: Array, f: Array) -> Array:
    """The step of Newton's method, with a stiffness that is positive."""
    values, vectors = np.linalg.eigh(0.5 * (stiffness + stiffness.T))
    largest = float(np.abs(values).max())
    if not largest > 0.0:
        return f / max(float(np.abs(f).max()), 1e-300)
    return np.asarray(vectors @ ((vectors.T @ f) / np.maximum(np.abs(values), LEAST_STIFFNESS * largest)))


def _stiffness(force: Force, x: Array) -> Array:
    """Stiffness (f, f) by central differences."""
    columns = [force(x - step) - force(x + step) for step in CENTRAL_STEP * np.eye(x.size)]
    return np.stack(columns, axis=1) / (2.0 * CENTRAL_STEP)
