"""A good route where the exact search takes too long.

Stages are laid one by one, with many beginnings at a time (beam search). Then groups are moved between stages, and
windows of a few successive stages are searched exactly.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from routes.diagrams.diagram import bits_of
from routes.planning.local_search import improve
from routes.planning.search_problem import Problem, Stage
from routes.planning.shortest_path import shortest_path

BEAM, CANDIDATES = 12, 16
"""Beginnings that are kept, and sizes of stages with which each is continued."""

WINDOW, EXAMINED, ROUNDS = 14, 1_000, 4
"""Groups of a window, stages examined in its search, and rounds over all windows."""


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
    return _search_windows(problem, min((improve(problem, start.stages) for start in starts), key=problem.cost))


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
        if k not in taken and problem.loads[k] <= room and problem.length([*filled, k]) <= length * (1 + 1e-12):
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
        if problem.cost(stages) >= before * (1 - 1e-9):
            break
    return stages
