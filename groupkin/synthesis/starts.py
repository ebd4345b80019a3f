"""Where searches start: designs of a quasi-random sequence, those first whose outputs come nearest to the targets."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import qmc

from groupkin.errors import FitError
from groupkin.kinematics.motion.quantities import unit
from groupkin.synthesis.problem import CHECKED, Problem, off

Array = NDArray[np.float64]

SAMPLES, SAMPLES_SINGLY, GRID = 2**15, 2**9, 72
"""Designs that are looked at, the second where groups are solved by iteration, and values of the driver at which they
are."""

ROOM = 2**23
"""Positions that are computed of them at most; of fewer designs where there are many points."""

Start = tuple[Array, float]
"""Unknowns, and the direction of the driver."""


def starts_of(problem: Problem, count: int, seed: int) -> list[Start]:
    """Choose starts of searches, the best ones; fewer than `count` if few designs can be assembled.

    The nominal design comes first where it is allowed.
    """
    looked_at = SAMPLES_SINGLY if problem.design.program.iterates else SAMPLES
    steps = CHECKED + (GRID if problem.timings else problem.count)
    while looked_at * steps > ROOM:
        looked_at //= 2
    sequence = qmc.Sobol(problem.low.size, seed=seed).random(looked_at)
    designs = problem.low + sequence * (problem.high - problem.low)
    designs[0] = np.clip(problem.design.nominal, problem.low, problem.high)
    found: list[tuple[float, int, Array, float]] = []
    if problem.at is not None and not problem.shifted:
        values = problem.read(designs, problem.at)
        errors = np.sum(problem.misses(values) ** 2, axis=1)
        found = [(e, k, np.zeros(0), 1.0) for k, e in enumerate(errors) if np.isfinite(e)]
    else:
        grid = np.linspace(*problem.span, GRID, endpoint=not problem.turning)
        values = problem.read(designs, grid)
        for k in np.flatnonzero(np.isfinite(values[0]).all(axis=(1, 2))):
            error, timing, direction = _timed(problem, grid, [x[k] for x in values])
            found.append((error, int(k), timing, direction))
    _require_reach(problem, values)
    found.sort(key=lambda each: (each[1] != 0, each[0], each[1]))
    return [(np.concatenate([designs[k], timing]), direction) for _, k, timing, direction in found[:count]]


def _require_reach(problem: Problem, values: list[Array]) -> None:
    """Refuse lengths and positions that are farther from all that designs reach than these reach apart.

    Raises
    ------
    FitError
    """
    for wanted, target, value, angle in zip(problem.quantities, problem.targets, values, problem.angles, strict=True):
        reached = value[np.isfinite(value).all(axis=(1, 2))].reshape(-1, target.shape[1])
        if angle or not len(reached):
            continue
        low, high = reached.min(axis=0), reached.max(axis=0)
        far = np.maximum(low - target, target - high)
        number, component = divmod(int(np.argmax(far - (high - low))), target.shape[1])
        if far[number, component] > (high - low)[component]:
            design = problem.design.program.mechanism
            say, of = design.units, unit(wanted, design).split(", ")[0]
            limits = say.span(float(low[component]), float(high[component]), of)
            raise FitError(
                f"target {number + 1} of `{wanted}` is out of reach: {say.text(float(target[number, component]), of)}, "
                f"where {len(value)} designs within the bounds have {limits}; check its unit, or widen the bounds"
            )


def _timed(problem: Problem, grid: Array, values: list[Array]) -> tuple[float, Array, float]:
    """Find when one design comes nearest to the targets: the squared error, unknowns of timing, and the direction."""
    distance = sum(
        w**2 * np.sum(off(x[None], target[:, None], angle) ** 2, axis=2)
        for x, target, w, angle in zip(values, problem.targets, problem.weights, problem.angles, strict=True)
    )
    assert isinstance(distance, np.ndarray)
    if problem.at is not None:
        return _shift(problem, grid, distance)
    ways = []
    for direction in (1.0, -1.0):
        ordered = distance if direction > 0 else distance[:, ::-1]
        way = grid if direction > 0 else grid[::-1]
        first = int(ordered[0].argmin()) if problem.turning else 0
        error, chosen = _in_order(np.roll(ordered, -first, axis=1))
        turned = np.roll(way, -first) + np.where(
            np.arange(grid.size) >= grid.size - first, direction * _turn(problem), 0
        )
        driven = turned[chosen]
        ways.append((error, np.concatenate([driven[:1], np.abs(np.diff(driven))]), direction))
    return min(ways, key=lambda each: each[0])


def _turn(problem: Problem) -> float:
    return problem.span[1] - problem.span[0]


def _shift(problem: Problem, grid: Array, distance: Array) -> tuple[float, Array, float]:
    """Try all values of the grid as the first one, with the others as far from it as they are to be."""
    assert problem.at is not None
    best = (np.inf, np.zeros(1), 1.0)
    for start in grid:
        at = start + problem.at - problem.at[0]
        if problem.turning:
            at = problem.span[0] + (at - problem.span[0]) % _turn(problem)
        elif at.min() < problem.span[0] or at.max() > problem.span[1]:
            continue
        columns = np.abs(grid[None] - at[:, None]).argmin(axis=1)
        error = float(distance[np.arange(len(distance)), columns].sum())
        if error < best[0]:
            best = (error, np.array([start - problem.at[0]]), 1.0)
    return best


def _in_order(distance: Array) -> tuple[float, NDArray[np.int64]]:
    """Choose a column for each row, none before that of the row above, with the least sum, by dynamic programming."""
    total, least = distance[0].copy(), []
    for row in distance[1:]:
        before = np.minimum.accumulate(total)
        least.append(np.maximum.accumulate(np.where(total == before, np.arange(total.size), 0)))
        total = before + row
    column = int(total.argmin())
    chosen = [column]
    for places in reversed(least):
        chosen.append(int(places[chosen[-1]]))
    return float(total[column]), np.array(chosen[::-1])
