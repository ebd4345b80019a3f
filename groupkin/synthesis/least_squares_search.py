"""Many searches together: the steps of Levenberg and Marquardt for all of them, each of a few tried lengths."""

from __future__ import annotations

import numpy as np

from groupkin.synthesis.problem import Problem
from groupkin.tolerances import LEAST_DAMPING
from sglibrary.array_types import Array

DAMPINGS = 10.0 ** np.arange(-2.0, 3.0)
"""Of the steps that are tried, as a factor to the damping that was best before."""


DAMPED = 1e-3
"""Share of the largest squared singular value that a damping of one adds."""

SHARE = 0.1
"""Of a step, at which it is seen how the misses bend along it."""

LARGEST = 1e9
"""A design goes no further that no step of this damping makes better."""


def refined(
    problem: Problem, unknowns: Array, direction: Array, steps: int, least: float = 1e-4, bent: bool = False
) -> tuple[Array, Array]:
    """Take some damped Gauss-Newton steps (Marquardt, 1963) from each of many designs, within the bounds.

    Parameters
    ----------
    problem : Problem
    unknowns : (designs, u) array
    direction : (designs,) array
        Of the driver, 1 or -1.
    steps : int
        At most.
    least : float
        A design goes no further that a step makes better by less than this share.
    bent : bool
        Whether steps also follow how the misses bend along them, by geodesic acceleration (Transtrum and Sethna, 2012),
        which takes three times as many designs, and far fewer steps in narrow valleys.

    Returns
    -------
    (designs, u) array
        Unknowns that are as good or better.
    (designs,) array
        Their squared errors; infinite of designs that are not allowed.
    """
    low, high = problem.bounds()
    x = np.clip(unknowns, low, high)
    misses, damping = problem.residuals(x, direction), np.ones(len(x))
    going = np.isfinite(squared(misses))
    for _ in range(steps):
        k = np.flatnonzero(going)
        if not k.size:
            break
        before = squared(misses[k])
        x[k], misses[k], damping[k] = _step(problem, x[k], misses[k], direction[k], damping[k], bent)
        after = squared(misses[k])
        going[k] = np.where(after < before, after < (1.0 - least) * before, damping[k] < LARGEST)
    return x, squared(misses)


def _step(
    problem: Problem, x: Array, misses: Array, direction: Array, damping: Array, bent: bool
) -> tuple[Array, Array, Array]:
    """Take the best of some steps from designs: their unknowns, misses and dampings."""
    low, high = problem.bounds()
    wide = np.where(np.isfinite(high - low), high - low, 1.0)
    jacobian = problem.jacobian(x, direction) * wide
    slope = np.einsum("nmu,nm->nu", jacobian, misses)
    # what is at a bound and would leave it stays there
    held = ((x <= low) & (slope > 0)) | ((x >= high) & (slope < 0))
    tried = damping[:, None] * DAMPINGS
    free = np.where(held[:, None], 0.0, jacobian)

    def at(moves: Array) -> tuple[Array, Array]:
        """Unknowns after some moves (designs, k, u), and their misses (designs, k, m)."""
        moved = np.clip(x[:, None] + wide * moves, low, high)
        found = problem.residuals(moved.reshape(-1, x.shape[1]), np.repeat(direction, moves.shape[1]))
        return moved, found.reshape(*moved.shape[:2], -1)

    _, values, across = np.linalg.svd(free, full_matrices=False)
    straight = damped(values, across, np.where(held, 0.0, slope)[:, None], tried)
    tries, dampings = [(x[:, None], misses[:, None]), at(straight)], [10.0 * tried[:, -1:], tried]
    if bent:
        along = np.einsum("nmu,nku->nkm", jacobian, straight)
        bend = 2.0 / SHARE * ((at(SHARE * straight)[1] - misses[:, None]) / SHARE - along)
        turn = 0.5 * damped(values, across, np.einsum("nmu,nkm->nku", free, np.nan_to_num(bend)), tried)
        tries.append(at(straight + turn))
        dampings.append(tried)
    moved, found = (np.concatenate(each, axis=1) for each in zip(*tries, strict=True))
    best, each = squared(found).argmin(axis=1), np.arange(len(x))
    # where none is better, a larger damping than the largest that was tried
    damping = np.concatenate(dampings, axis=1)[each, best]
    return moved[each, best], found[each, best], damping.clip(LEAST_DAMPING)


def squared(misses: Array) -> Array:
    """Sums of squares of rows of misses; infinite where there are none."""
    return np.asarray(np.nan_to_num(np.sum(misses**2, axis=-1), nan=np.inf))


def damped(values: Array, across: Array, slope: Array, dampings: Array) -> Array:
    """Steps (designs, k, u) for k dampings each, from (designs, k or 1, u), by Jacobians (designs, m, u).

    Of these the singular values (designs, s) and the right singular vectors (designs, s, u).
    """
    largest = values.max(axis=1, keepdims=True)[:, None]
    along = np.einsum("nsu,nku->nks", across, slope)
    # damped by a part of the largest value, below which others do not count much
    weights = along / (values[:, None] ** 2 + dampings[..., None] * DAMPED * largest**2 + np.finfo(float).tiny)
    return -np.einsum("nks,nsu->nku", weights, across)
