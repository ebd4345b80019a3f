"""Many searches together: the steps of Levenberg and Marquardt for all of them, each of a few tried lengths."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from groupkin.synthesis.problem import Problem

Array = NDArray[np.float64]

DAMPINGS = 10.0 ** np.arange(-2.0, 3.0)
"""Of the steps that are tried, as a factor to the damping that was best before."""


def refined(problem: Problem, unknowns: Array, direction: Array, steps: int) -> tuple[Array, Array]:
    """Take some damped Gauss-Newton steps (Marquardt, 1963) from each of many designs, within the bounds.

    Parameters
    ----------
    problem : Problem
    unknowns : (designs, u) array
    direction : (designs,) array
        Of the driver, 1 or -1.
    steps : int

    Returns
    -------
    (designs, u) array
        Unknowns that are as good or better.
    (designs,) array
        Their squared errors; infinite of designs that are not allowed.
    """
    low, high = problem.bounds()
    wide = np.where(np.isfinite(high - low), high - low, 1.0)
    x = np.clip(unknowns, low, high)
    misses = problem.residuals(x, direction)
    damping = np.ones(len(x))
    for _ in range(steps):
        jacobian = problem.jacobian(x, direction) * wide
        slope = np.einsum("nmu,nm->nu", jacobian, np.nan_to_num(misses))
        # what is at a bound and would leave it stays there
        held = ((x <= low) & (slope > 0)) | ((x >= high) & (slope < 0))
        jacobian = np.where(held[:, None], 0.0, jacobian)
        tried = damping[:, None] * DAMPINGS
        moved = x[:, None] + wide * _damped(jacobian, np.where(held, 0.0, slope), tried)
        moved = np.clip(moved, low, high)
        found = problem.residuals(moved.reshape(-1, x.shape[1]), np.repeat(direction, DAMPINGS.size))
        candidates = np.concatenate([misses[:, None], found.reshape(len(x), DAMPINGS.size, -1)], axis=1)
        best = squared(candidates).argmin(axis=1)
        each = np.arange(len(x))
        x = np.concatenate([x[:, None], moved], axis=1)[each, best]
        misses = candidates[each, best]
        # none is better: a larger damping than the largest that was tried
        damping = np.where(best > 0, tried[each, best - 1], 10.0 * tried[:, -1]).clip(1e-12, 1e12)
    return x, squared(misses)


def squared(misses: Array) -> Array:
    """Sums of squares of rows of misses; infinite where there are none."""
    return np.asarray(np.nan_to_num(np.sum(misses**2, axis=-1), nan=np.inf))


def _damped(jacobian: Array, slope: Array, dampings: Array) -> Array:
    """Steps (designs, k, u) for k dampings each, from (designs, m, u) and (designs, u), by singular values."""
    _, values, across = np.linalg.svd(jacobian, full_matrices=False)
    largest = values.max(axis=1, keepdims=True)[:, None]
    along = np.einsum("nsu,nu->ns", across, slope)[:, None]
    # damped by a part of the largest value, below which others do not count much
    weights = along / (values[:, None] ** 2 + dampings[..., None] * DAMPED * largest**2 + np.finfo(float).tiny)
    return -np.einsum("nks,nsu->nku", weights, across)


DAMPED = 1e-3
"""Share of the largest squared singular value that a damping of one adds."""
