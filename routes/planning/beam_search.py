"""A good route where the exact search takes too long.

Stages are laid one by one, with many beginnings at a time (beam search). Then groups are moved between stages, and
windows of a few successive stages are searched exactly.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groupkin.tolerances import COSTS, ROUNDING
from routes.diagrams.diagram import bits_of, members
from routes.planning.search_problem import Problem, Stage
from routes.planning.shortest_path import shortest_path

BEAM, CANDIDATES = 12, 16
"""Beginnings that are kept, and sizes of stages with which each is continued."""

WINDOW, EXAMINED, ROUNDS = 14, 1_000, 4
"""Groups of a window, stages examined in its search, and rounds over all windows."""

PASSES = 30
"""Largest number of passes over all groups."""


@dataclass(frozen=True)
class _Beginning:
    """The first stages of a route, with their cost, the sum of loads left, and the least cost of the whole route."""

    solved: int
    cost: float
    left: float
    least: float = 0.0
    stages: tuple[Stage, ...] = ()


def beam_search(problem: Problem) -> list[list[int]]:
    """Stages of a good route."""
    everything = (1 << problem.diagram.size) - 1
    beam = [_Beginning(0, 0.0, sum(problem.loads))]
    finished: list[_Beginning] = []
    while beam:
        reached = _continued(problem, beam)
        if everything in reached:
            finished.append(reached.pop(everything))
        beam = heapq.nsmallest(BEAM, reached.values(), key=lambda beginning: beginning.least)
        if finished:
            cost = min(beginning.cost for beginning in finished)
            beam = [beginning for beginning in beam if beginning.least < cost]
    starts = sorted(finished, key=lambda beginning: beginning.cost)[:3]
    return _search_windows(problem, min((_improve(problem, start.stages) for start in starts), key=problem.cost))


def _continued(problem: Problem, beam: Sequence[_Beginning]) -> dict[int, _Beginning]:
    """The beginnings with one more stage: for every set of solved groups the cheapest."""
    reached: dict[int, _Beginning] = {}
    for beginning in beam:
        for stage in _candidates(problem, beginning.solved):
            solved = beginning.solved | bits_of(stage)
            cost = beginning.cost + problem.overhead + problem.length(stage)
            if solved not in reached or cost < reached[solved].cost:
                left = beginning.left - sum(problem.loads[k] for k in stage)
                least = cost + problem.lower_bound(solved, left)
                reached[solved] = _Beginning(solved, cost, left, least, (*beginning.stages, stage))
    return reached


def _candidates(problem: Problem, solved: int) -> Iterator[Stage]:
    """Some stages that may come next: the most urgent, heaviest or lightest groups, and what fits beside them."""
    ready = list(problem.diagram.ready(solved))
    urgent = sorted(ready, key=lambda k: -problem.tails[k])
    heavy = sorted(ready, key=lambda k: -problem.loads[k])
    sizes = sorted({max(1, round(len(ready) * n / CANDIDATES)) for n in range(1, CANDIDATES + 1)})
    seen = set()
    for order in (urgent, heavy, heavy[::-1]):
        for size in sizes:
            stage = _filled(problem, order[:size], urgent)
            if stage not in seen:
                seen.add(stage)
                yield stage


def _filled(problem: Problem, stage: Sequence[int], others: Sequence[int]) -> Stage:
    """A stage with all other groups that do not make it longer, added in their order."""
    filled, taken = list(stage), set(stage)
    length = problem.length(filled)
    room = problem.lanes * length - sum(problem.loads[k] for k in filled)
    for k in others:
        if k not in taken and problem.loads[k] <= room and problem.length([*filled, k]) <= length * (1 + ROUNDING):
            filled.append(k)
            taken.add(k)
            room -= problem.loads[k]
    return tuple(sorted(filled))


def _search_windows(problem: Problem, stages: list[list[int]]) -> list[list[int]]:
    """Replace windows of successive stages by the shortest path through their groups, as long as that helps."""
    for _ in range(ROUNDS):
        before = problem.cost(stages)
        start = 0
        while start < len(stages) - 1:
            end = start + 2
            while end < len(stages) and sum(map(len, stages[start : end + 1])) <= WINDOW:
                end += 1
            groups = sorted(k for stage in stages[start:end] for k in stage)
            path = shortest_path(problem.subproblem(groups), EXAMINED, problem.cost(stages[start:end]))
            if path is not None and path.stages:
                stages[start:end] = [[groups[k] for k in stage] for stage in path.stages]
            start += 1
        if problem.cost(stages) >= before * (1 - COSTS):
            break
    return stages


# --- groups moved between stages -------------------------------------------------------------


def _improve(problem: Problem, stages: Sequence[Sequence[int]]) -> list[list[int]]:
    """Move single groups, exchange two, and dissolve stages as long as that saves time."""
    improved = [list(stage) for stage in stages]
    for _ in range(PASSES):
        changed = False
        for k in range(problem.diagram.size):
            changed |= _move(problem, improved, k)
        for n in range(len(improved) - 1, -1, -1):
            changed |= _dissolve(problem, improved, n)
        if not changed:
            for k in range(problem.diagram.size):
                changed |= _exchange(problem, improved, k)
        if not changed:
            break
    return improved


def _stage_of(stages: Sequence[Sequence[int]]) -> dict[int, int]:
    return {k: n for n, stage in enumerate(stages) for k in stage}


def _allowed(problem: Problem, stage_of: dict[int, int], k: int, count: int) -> range:
    """Stages, of so many, that a group may be in while all others stay."""
    first = max((stage_of[j] for j in members(problem.diagram.before[k])), default=-1) + 1
    last = min((stage_of[j] for j in members(problem.diagram.after[k])), default=count)
    return range(first, last)


def _without(stage: Sequence[int], k: int) -> list[int]:
    return [j for j in stage if j != k]


def _cost(problem: Problem, stage: Sequence[int]) -> float:
    return problem.overhead + problem.length(stage) if stage else 0.0


def _move(problem: Problem, stages: list[list[int]], k: int) -> bool:
    """Move a group to the stage where it saves most. True if it was moved."""
    stage_of = _stage_of(stages)
    source = stage_of[k]
    rest = _without(stages[source], k)
    saved = _cost(problem, stages[source]) - _cost(problem, rest)
    if saved <= 0:
        return False
    others = [n for n in _allowed(problem, stage_of, k, len(stages)) if n != source]
    added = {n: _cost(problem, [*stages[n], k]) - _cost(problem, stages[n]) for n in others}
    target = min(added, key=added.__getitem__, default=source)
    if target == source or added[target] >= saved * (1 - COSTS):
        return False
    stages[target].append(k)
    stages[source] = rest
    if not rest:
        del stages[source]
    return True


def _dissolve(problem: Problem, stages: list[list[int]], n: int) -> bool:
    """Spread the groups of a stage over the others, if that saves time. True if it does."""
    if n >= len(stages):
        return False
    stage_of = _stage_of(stages)
    trial = [list(stage) for stage in stages]
    touched = {n}
    for k in sorted(stages[n], key=lambda k: -problem.length([k])):
        others = [m for m in _allowed(problem, stage_of, k, len(stages)) if m != n]
        if not others:
            return False
        m = min(others, key=lambda m: _cost(problem, [*trial[m], k]) - _cost(problem, trial[m]))
        trial[m].append(k)
        touched.add(m)
    trial[n] = []
    before = sum(_cost(problem, stages[m]) for m in touched)
    if sum(_cost(problem, trial[m]) for m in touched) >= before * (1 - COSTS):
        return False
    stages[:] = [stage for stage in trial if stage]
    return True


def _exchange(problem: Problem, stages: list[list[int]], k: int) -> bool:
    """Exchange a group with one of another stage, if that saves time. True if it does."""
    stage_of = _stage_of(stages)
    source = stage_of[k]
    for target in _allowed(problem, stage_of, k, len(stages)):
        if target == source:
            continue
        before = _cost(problem, stages[source]) + _cost(problem, stages[target])
        for other in stages[target]:
            if source not in _allowed(problem, stage_of, other, len(stages)):
                continue
            first, second = [*_without(stages[source], k), other], [*_without(stages[target], other), k]
            if _cost(problem, first) + _cost(problem, second) < before * (1 - COSTS):
                stages[source], stages[target] = first, second
                return True
    return False
