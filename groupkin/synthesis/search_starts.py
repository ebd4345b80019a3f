"""Where searches start: designs of a quasi-random sequence, those first whose outputs come nearest to the targets."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.stats import qmc

from groupkin.errors import FitError
from groupkin.kinematics.motion.quantities import unit
from groupkin.synthesis.least_squares_search import refined, squared
from groupkin.synthesis.problem import CHECKED, Problem, off
from groupkin.synthesis.progress_log import Pool, SearchLog
from sglibrary.array_types import Array, Ints

SAMPLES, SAMPLES_SINGLY, GRID = 2**16, 2**9, 72
"""Designs that are looked at, the second where groups are solved by iteration, and values of the driver at which they
are."""

ROOM = 2**23
"""Positions that are computed of them at most; of fewer designs where there are many points."""

IMPROVED, SHARE, ROUNDS = 512, 8, ((5, 4), (10, 4), (30, 4), (150, 1))
"""Designs that are improved for each start, of how many one is at most, and the rounds of it: steps, and of how many
designs one goes on."""

TOGETHER = 64
"""Designs that are timed at once."""

Timed = tuple[float, int, Array, float]
"""Squared error, number of a design, its unknowns of timing, and the direction of the driver."""


def starts_of(problem: Problem, count: int, seed: int, log: SearchLog, told: Callable[[], None]) -> Pool:
    """Choose starts of searches, the best ones; fewer than `count` if few designs can be assembled.

    The nominal design comes first where it is allowed. What is done is kept in the log, and each round is told.
    """
    pool = log.pool or _looked_at(problem, count, seed)
    for number, (steps, left) in enumerate(ROUNDS):
        if number >= pool.rounds and pool.directions.size:
            log.improved(pool := _improved(problem, pool, count, steps, left))
        told()
    return Pool(len(ROUNDS), pool.unknowns[:count], pool.directions[:count])


def _looked_at(problem: Problem, count: int, seed: int) -> Pool:
    """Choose those designs of a quasi-random sequence whose outputs come nearest to the targets."""
    looked_at = SAMPLES_SINGLY if problem.design.program.iterates else SAMPLES
    steps = CHECKED + (GRID if problem.timings else problem.count)
    while looked_at * steps > ROOM:
        looked_at //= 2
    slopes = sum(target.size for target in problem.targets) * (problem.low.size + problem.timings)
    most = max(count, min(IMPROVED * count, looked_at // SHARE, ROOM // slopes))
    sequence = qmc.Sobol(problem.low.size, seed=seed).random(looked_at)
    designs = problem.low + sequence * (problem.high - problem.low)
    designs[0] = np.clip(problem.design.nominal, problem.low, problem.high)
    if problem.at is not None and not problem.shifted:
        values = problem.read(designs, problem.at)
        errors = squared(problem.misses(values))
        found = [(errors[k], k, np.zeros(0), 1.0) for k in np.flatnonzero(np.isfinite(errors)).tolist()]
    else:
        grid = np.linspace(*problem.span, GRID, endpoint=not problem.turning)
        values = problem.read(designs, grid, free=True)
        found = nearest(problem, grid, values, most)
    _require_reach(problem, values)
    found.sort(key=lambda each: (each[1] != 0, each[0], each[1]))
    chosen = [each for each in found if np.isfinite(each[0])][:most]
    unknowns = [np.concatenate([designs[k], timing]) for _, k, timing, _ in chosen]
    width = problem.low.size + problem.timings
    return Pool(0, np.array(unknowns).reshape(-1, width), np.array([direction for *_, direction in chosen]))


def _improved(problem: Problem, pool: Pool, count: int, steps: int, left: int) -> Pool:
    """Take a few steps from all, and choose the best; the first may be the nominal one, which stays."""
    unknowns, errors = refined(problem, pool.unknowns, pool.directions, steps)
    order = np.concatenate([[0], 1 + np.argsort(errors[1:], kind="stable")])
    order = order[np.isfinite(errors[order])][: max(count, len(order) // left)]
    return Pool(pool.rounds + 1, unknowns[order], pool.directions[order])


def nearest(problem: Problem, grid: Array, values: list[Array], count: int) -> list[Timed]:
    """Time the designs whose quantities (designs, t, k) on a grid of the driver come nearest to the targets.

    None that is left out is among the best `count`.
    """
    size = max(1, ROOM // (4 * problem.count * grid.size))
    starts = range(0, len(values[0]), size)
    distances = ((low, _distance(problem, [x[low : low + size] for x in values])) for low in starts)
    if problem.at is not None:
        return [each for low, distance in distances for each in _shifted(problem, grid, distance, low)]
    # no order of the points is nearer than each point for itself
    least = np.concatenate([distance.min(axis=2).sum(axis=1) for _, distance in distances])
    least[0] = min(least[0], 0.0)  # the nominal design is always timed
    order = np.argsort(least, kind="stable")
    order = order[: int(np.isfinite(least[order]).sum())]  # the others come last
    found: list[Timed] = []
    for some in np.split(order, range(TOGETHER, order.size, TOGETHER)):
        if len(found) > count and least[some[0]] > np.partition([each[0] for each in found], count)[count]:
            break
        errors, timings, directions = _ordered(problem, grid, [x[some] for x in values])
        found += zip(errors.tolist(), some.tolist(), timings, directions.tolist(), strict=True)
    return found


def _require_reach(problem: Problem, values: list[Array]) -> None:
    """Refuse lengths and positions that are farther from all that designs reach than these reach apart.

    Raises
    ------
    FitError
    """
    for wanted, target, value, angle in zip(problem.quantities, problem.targets, values, problem.angles, strict=True):
        reached = value[np.isfinite(value).all(axis=2)]
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


def _ordered(problem: Problem, grid: Array, values: list[Array]) -> tuple[Array, Array, Array]:
    """Find when n designs come nearest to the targets: squared errors, unknowns of timing (n, k), and directions."""
    distance, every = _distance(problem, values), np.arange(grid.size)
    ways = []
    for direction in (1.0, -1.0):
        ordered = distance if direction > 0 else distance[..., ::-1]
        way = grid if direction > 0 else grid[::-1]
        first = ordered[:, 0].argmin(axis=1) if problem.turning else np.zeros(len(distance), np.int64)
        after = (every + first[:, None]) % grid.size
        errors, chosen = _in_order(np.take_along_axis(ordered, after[:, None], axis=2))
        turned = way[after] + np.where(every >= grid.size - first[:, None], direction * _turn(problem), 0)
        driven = np.take_along_axis(turned, chosen, axis=1)
        ways.append((errors, np.concatenate([driven[:, :1], np.abs(np.diff(driven, axis=1))], axis=1)))
    (ahead, timings), (back, others) = ways
    better = back < ahead
    timings = np.where(better[:, None], others, timings)
    return np.where(better, back, ahead), timings, np.where(better, -1.0, 1.0)


def _distance(problem: Problem, values: list[Array]) -> Array:
    """Squared weighted distances (designs, points, t) of targets from quantities (designs, t, k); infinite from NaN."""
    each = zip(values, problem.targets, problem.weights, problem.angles, strict=True)
    found = sum(w**2 * np.sum(off(x[:, None], target[:, None], angle) ** 2, axis=3) for x, target, w, angle in each)
    return np.asarray(np.nan_to_num(found, nan=np.inf))


def _turn(problem: Problem) -> float:
    return problem.span[1] - problem.span[0]


def _shifted(problem: Problem, grid: Array, distance: Array, first: int) -> list[Timed]:
    """Try all values of the grid as the first one, with the others as far from it as they are to be.

    Distances are (designs, points, t), and `first` is the number of the first design.
    """
    assert problem.at is not None
    at = grid[:, None] + (problem.at - problem.at[0])
    if problem.turning:
        at = problem.span[0] + (at - problem.span[0]) % _turn(problem)
    inside = (at.min(axis=1) >= problem.span[0]) & (at.max(axis=1) <= problem.span[1])
    if not inside.any():
        return []
    columns = np.abs(grid - at[inside][..., None]).argmin(axis=2)
    errors = distance[:, np.arange(problem.count), columns].sum(axis=2)
    shifts = grid[inside] - problem.at[0]
    best = errors.argmin(axis=1).tolist()
    return [(float(errors[k, n]), first + k, shifts[n : n + 1], 1.0) for k, n in enumerate(best)]


def _in_order(distance: Array) -> tuple[Array, Ints]:
    """Choose a column (n, rows) for each row of n matrices, none before that of the row above, with the least sum (n,).

    By dynamic programming.
    """
    every, total, least = np.arange(len(distance)), distance[:, 0].copy(), []
    for row in np.moveaxis(distance[:, 1:], 1, 0):
        before = np.minimum.accumulate(total, axis=1)
        least.append(np.maximum.accumulate(np.where(total == before, np.arange(total.shape[1]), 0), axis=1))
        total = before + row
    chosen = [total.argmin(axis=1)]
    for places in reversed(least):
        chosen.append(places[every, chosen[-1]])
    return total[every, chosen[0]], np.stack(chosen[::-1], axis=1)
