"""Spread loads over lanes so that the busiest lane has as little as possible to do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from groupkin.tolerances import ROUNDING

EXACT_UP_TO = 12
"""Number of loads up to which they are spread in the best way; beyond, longest first."""

Spread = tuple[float, tuple[int, ...]]
"""Sum of the loads of the busiest lane, and the lane of every load."""


def makespan(loads: Sequence[float], lanes: int) -> Spread:
    """Spread loads over lanes.

    Returns
    -------
    largest : float
        Sum of the loads of the busiest lane. Up to `EXACT_UP_TO` loads the least possible, by branch and bound; beyond,
        that of the longest processing time first (Graham 1969: at most 4/3 of the least).
    lanes : tuple of int
        The lane of every load, from 0.

    Examples
    --------
    >>> makespan([3, 3, 2, 2, 2], lanes=2)
    (6.0, (0, 0, 1, 1, 1))
    """
    order = sorted(range(len(loads)), key=loads.__getitem__, reverse=True)
    largest, sorted_lanes = _makespan(tuple(loads[k] for k in order), max(1, min(lanes, len(loads))))
    lane = dict(zip(order, sorted_lanes, strict=True))
    return largest, tuple(lane[k] for k in range(len(loads)))


@lru_cache(100_000)
def _makespan(loads: tuple[float, ...], lanes: int) -> Spread:
    """`makespan` for loads in descending order."""
    if not loads:
        return 0.0, ()
    if lanes == 1:
        return sum(loads), (0,) * len(loads)
    start = _longest_first(loads, lanes)
    bound = max(loads[0], sum(loads) / lanes)
    if len(loads) > EXACT_UP_TO or start[0] <= bound * (1 + ROUNDING):
        return start
    return _branch_and_bound(loads, lanes, bound, start)


def _longest_first(loads: tuple[float, ...], lanes: int) -> Spread:
    sums, chosen = [0.0] * lanes, []
    for load in loads:
        lane = sums.index(min(sums))
        sums[lane] += load
        chosen.append(lane)
    return max(sums), tuple(chosen)


def _branch_and_bound(loads: tuple[float, ...], lanes: int, bound: float, start: Spread) -> Spread:
    """The best spread; of several lanes with equal sums, the next load is tried on one only."""
    best, sums, chosen = start, [0.0] * lanes, [0] * len(loads)

    def assign(k: int, largest: float) -> bool:
        """Assign the loads from k on. True if the bound is reached."""
        nonlocal best
        if k == len(loads):
            best = largest, tuple(chosen)
            return largest <= bound * (1 + ROUNDING)
        tried = set()
        for lane in range(lanes):
            before = sums[lane]
            after = before + loads[k]
            if before in tried or after >= best[0] * (1 - ROUNDING):
                continue
            tried.add(before)
            sums[lane], chosen[k] = after, lane
            optimal = assign(k + 1, max(largest, after))
            sums[lane] = before
            if optimal:
                return True
        return False

    assign(0, 0.0)
    return best
