"""The best route as a shortest path from the empty set of solved groups to the set of all.

What a stage costs does not depend on the stages before it, so that the search by Hart, Nilsson and Raphael (1968, A*)
applies, with a lower bound on what is left. A stage to which a group could be added without making it longer need not
be considered: solving that group now costs nothing, and the later stages without it are no longer. Interchangeable
groups are taken in order.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from groupkin.tolerances import ROUNDING
from routes.diagrams.diagram import bits_of, next_stages
from routes.planning.search_problem import Problem, Stage


@dataclass(frozen=True)
class ShortestPath:
    """The result of the exact search.

    Attributes
    ----------
    stages : tuple of tuple of int
        Empty if no route is better than the known one.
    examined : int
        Number of stages that were examined.
    """

    stages: tuple[Stage, ...]
    examined: int


def shortest_path(problem: Problem, limit: int, upper_bound: float) -> ShortestPath | None:
    """The best route, or None if more stages than the limit had to be examined.

    Parameters
    ----------
    problem : Problem
    limit : int
        Largest number of stages to examine.
    upper_bound : float
        Seconds per block of a known route.
    """
    diagram, total = problem.diagram, sum(problem.loads)
    everything = (1 << diagram.size) - 1
    costs: dict[int, float] = {0: 0.0}
    paths: dict[int, tuple[Stage, ...]] = {0: ()}
    waiting = [(problem.lower_bound(0, total), 0, total)]
    examined, done = 0, set()
    while waiting:
        _, solved, left = heapq.heappop(waiting)
        if solved == everything:
            return ShortestPath(paths[solved], examined)
        if solved in done:
            continue
        done.add(solved)
        for stage in next_stages(diagram, solved, diagram.twins):
            examined += 1
            if examined > limit:
                return None
            length = problem.length(stage)
            reached, cost = solved | bits_of(stage), costs[solved] + length + problem.overhead
            if cost >= costs.get(reached, upper_bound) or _may_grow(problem, solved, stage, length):
                continue
            still_left = left - sum(problem.loads[k] for k in stage)
            least = cost + problem.lower_bound(reached, still_left)
            if least < upper_bound * (1 - ROUNDING):
                costs[reached], paths[reached] = cost, (*paths[solved], stage)
                heapq.heappush(waiting, (least, reached, still_left))
    return ShortestPath((), examined)


def _may_grow(problem: Problem, solved: int, stage: Stage, length: float) -> bool:
    """True if another group would not make the stage longer."""
    taken = solved | bits_of(stage)
    longest = length * (1 + ROUNDING)
    return any(
        problem.loads[k] <= length and not taken >> k & 1 and problem.length((*stage, k)) <= longest
        for k in problem.diagram.ready(solved)
    )
