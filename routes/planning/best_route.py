"""The best route, without going through all of them.

What a stage costs does not depend on those before it, so the best route is a shortest path from the empty set of solved
groups to the whole (Hart, Nilsson and Raphael 1968, with a bound on what is left). No stage needs to be looked at to
which a group could be added that keeps it as short: solving it now costs nothing, and what it is left out of later gets
no longer. Interchangeable groups are taken in order.

Where that is still too much, stages are laid one by one, many beginnings at a time, and then groups are moved between
them; a lower bound says how far from the best that may be.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from groupkin.structure.decomposition import Structure
from routes.diagrams.diagram import Diagram, bits_of, diagram_of, members, next_stages
from routes.diagrams.route import Route
from routes.planning import bounds
from routes.planning.costs import EXACT_UP_TO, Costs, makespan, on_lanes, predicted_cost
from routes.planning.improvement import improved

EXACT = 60_000
"""Stages that the exact search looks at before it is given up: about two seconds."""

BEAM, CANDIDATES = 12, 16
"""Beginnings that are kept, and ways in which each is continued."""

WINDOW, LOOKED_AT, ROUNDS = 14, 1_000, 4
"""Groups of a few successive stages that are arranged anew, stages looked at to do so, and how often all are."""


@dataclass(frozen=True)
class BestRoute:
    """A route and how good it is.

    Attributes
    ----------
    route : Route
    seconds : float
        Per step, predicted.
    how : str
        What the search did.
    bound : float
        Seconds per step that every route takes at least under the same costs.
    """

    route: Route
    seconds: float
    how: str
    bound: float

    @property
    def gap(self) -> float:
        """By what share the route may be worse than the best: 0 if it is known to be the best."""
        return self.seconds / self.bound - 1 if self.bound else 0.0


@dataclass(frozen=True)
class Problem:
    """What the search needs of a structure and its costs.

    Attributes
    ----------
    diagram : Diagram
    loads : tuple of float
        Seconds per block of every group.
    overhead : float
        Seconds that every stage costs besides.
    lanes : int
    """

    diagram: Diagram
    loads: tuple[float, ...]
    overhead: float
    lanes: int

    @cached_property
    def tails(self) -> tuple[float, ...]:
        """For every group the least seconds from the beginning of its stage to the end."""
        found = [0.0] * len(self.loads)
        for k in range(len(self.loads) - 1, -1, -1):
            later = max((found[j] for j in members(self.diagram.after[k])), default=0.0)
            found[k] = self.loads[k] + self.overhead + later
        return tuple(found)

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """For every group the least number of stages from its own to the last."""
        found = [0] * len(self.loads)
        for k in range(len(self.loads) - 1, -1, -1):
            found[k] = 1 + max((found[j] for j in members(self.diagram.after[k])), default=0)
        return tuple(found)

    def length(self, stage: Sequence[int]) -> float:
        """Makespan of the groups of a stage."""
        return makespan([self.loads[k] for k in stage], self.lanes)[0]

    def cost(self, stages: Sequence[Sequence[int]]) -> float:
        """Seconds per block of a route, up to what is the same in all of them."""
        return sum(self.overhead + self.length(stage) for stage in stages)

    def least(self, solved: int, left: float) -> float:
        """Seconds that groups which are not solved take at least, given the sum of their loads."""
        ready = list(self.diagram.ready(solved))
        if not ready:
            return 0.0
        path = max(self.tails[k] for k in ready)
        return max(path, max(self.depths[k] for k in ready) * self.overhead + left / self.lanes)


def problem_of(structure: Structure, costs: Costs) -> Problem:
    """The search problem; groups of one signature that cost the same are of one kind."""
    kinds = {
        group.number: (group.signature, costs.seconds[group.number], costs.published.get(group.number, 0.0))
        for group in structure.groups
    }
    loads = tuple(costs.block * costs.seconds[group.number] for group in structure.groups)
    return Problem(diagram_of(structure, kinds), loads, costs.overhead, costs.workers)


def best(structure: Structure, costs: Costs, workers: int | None = None, limit: int = EXACT) -> BestRoute:
    """The route that is predicted to be the fastest when workers take different groups of the same block.

    Parameters
    ----------
    structure : Structure
    costs : Costs
    workers : int, optional
        Default: those of the costs; for others see `routes.planning.costs.on_lanes`.
    limit : int
        Stages that the exact search may look at; 0 for the heuristic.
    """
    costs = on_lanes(costs, workers) if workers else costs
    problem = problem_of(structure, costs)
    if costs.workers == 1 or problem.diagram.size <= 1:
        route = Route(tuple((group.number,) for group in structure.groups))
        seconds = predicted_cost(costs, route)
        why = "one worker: every route costs the same" if costs.workers == 1 else "exact: there is one route only"
        return BestRoute(route, seconds, why, seconds)
    stages = heuristic(problem)
    cost, least = problem.cost(stages), bounds.least(problem.diagram, problem.loads, problem.lanes, problem.overhead)
    if cost <= least * (1 + 1e-12):
        seconds = predicted_cost(costs, _route(stages))
        return BestRoute(_route(stages), seconds, "exact: stages laid by list scheduling meet the lower bound", seconds)
    shortest = exact(problem, limit, cost) if limit else None
    if shortest is not None:
        route = _route(shortest.stages or stages)
        seconds = predicted_cost(costs, route)
        wide = any(len(stage) > EXACT_UP_TO for stage in route.stages)
        lanes = f"; more than {EXACT_UP_TO} groups of a stage are spread longest first" if wide else ""
        how = f"exact: shortest path over the sets of solved groups, {shortest.looked_at} stages looked at{lanes}"
        return BestRoute(route, seconds, how, seconds)
    seconds = predicted_cost(costs, _route(stages))
    why = f"more than {limit} stages to look at" if limit else "as asked"
    how = f"heuristic ({why}): stages laid by list scheduling, then improved"
    return BestRoute(_route(stages), seconds, how, seconds - (cost - least) / costs.block)


def _route(stages: Sequence[Sequence[int]]) -> Route:
    return Route(tuple(tuple(k + 1 for k in stage) for stage in stages))


# --- exact -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shortest:
    """Stages of the shortest path, or none if nothing is better than what was known, and the work it took."""

    stages: tuple[tuple[int, ...], ...]
    looked_at: int


def exact(problem: Problem, limit: int, known: float) -> Shortest | None:
    """The shortest path over the sets of solved groups, or nothing if more stages than a limit had to be looked at.

    Parameters
    ----------
    known : float
        Seconds per block of a route that is known.
    """
    diagram, total = problem.diagram, sum(problem.loads)
    everything = (1 << diagram.size) - 1
    costs: dict[int, float] = {0: 0.0}
    came: dict[int, tuple[int, tuple[int, ...]]] = {}
    waiting = [(problem.least(0, total), 0, total)]
    looked_at, done = 0, set()
    while waiting:
        _, solved, left = heapq.heappop(waiting)
        if solved == everything:
            return Shortest(_path(came, solved), looked_at)
        if solved in done:
            continue
        done.add(solved)
        for stage in next_stages(diagram, solved, diagram.twins):
            looked_at += 1
            if looked_at > limit:
                return None
            length = problem.length(stage)
            reached, cost = solved | bits_of(stage), costs[solved] + length + problem.overhead
            if cost >= costs.get(reached, known) or _may_grow(problem, solved, stage, length):
                continue
            less = left - sum(problem.loads[k] for k in stage)
            least = cost + problem.least(reached, less)
            if least < known * (1 - 1e-12):
                costs[reached], came[reached] = cost, (solved, stage)
                heapq.heappush(waiting, (least, reached, less))
    return Shortest((), looked_at)


def _path(came: dict[int, tuple[int, tuple[int, ...]]], reached: int) -> tuple[tuple[int, ...], ...]:
    stages = []
    while reached:
        reached, stage = came[reached]
        stages.append(stage)
    return tuple(reversed(stages))


def _may_grow(problem: Problem, solved: int, stage: tuple[int, ...], length: float) -> bool:
    """Whether a further group would keep the stage as short."""
    taken = solved | bits_of(stage)
    most = length * (1 + 1e-12)
    return any(
        problem.loads[k] <= length and not taken >> k & 1 and problem.length((*stage, k)) <= most
        for k in problem.diagram.ready(solved)
    )


# --- heuristic -------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Beginning:
    """Stages laid so far, linked backwards."""

    solved: int
    cost: float
    left: float
    last: tuple[int, ...] = ()
    earlier: _Beginning | None = None

    def stages(self) -> list[list[int]]:
        found = []
        here: _Beginning | None = self
        while here is not None and here.last:
            found.append(list(here.last))
            here = here.earlier
        return found[::-1]


def heuristic(problem: Problem) -> list[list[int]]:
    """Stages of a good route."""
    everything = (1 << problem.diagram.size) - 1
    beam = [_Beginning(0, 0.0, sum(problem.loads))]
    finished: list[_Beginning] = []
    while beam:
        reached: dict[int, tuple[float, _Beginning]] = {}
        for here in beam:
            for stage in _continued(problem, here.solved):
                solved = here.solved | bits_of(stage)
                cost = here.cost + problem.overhead + problem.length(stage)
                known = reached.get(solved)
                if known is None or cost < known[1].cost:
                    left = here.left - sum(problem.loads[k] for k in stage)
                    end = cost + problem.least(solved, left)
                    reached[solved] = end, _Beginning(solved, cost, left, stage, here)
        finished += [here for solved, (_, here) in reached.items() if solved == everything]
        going = [item for solved, item in reached.items() if solved != everything]
        beam = [here for _, here in heapq.nsmallest(BEAM, going, key=lambda item: item[0])]
        if finished:
            top = min(here.cost for here in finished)
            beam = [here for here in beam if here.cost + problem.least(here.solved, here.left) < top]
    starts = sorted(finished, key=lambda here: here.cost)[:3]
    return _again(problem, min((improved(problem, here.stages()) for here in starts), key=problem.cost))


def _again(problem: Problem, stages: list[list[int]]) -> list[list[int]]:
    """Search windows of a few successive stages for the shortest path through their groups, as long as that helps."""
    for _ in range(ROUNDS):
        before = problem.cost(stages)
        start = 0
        while start < len(stages) - 1:
            end = start + 2
            while end < len(stages) and sum(map(len, stages[start : end + 1])) <= WINDOW:
                end += 1
            chosen = sorted(k for stage in stages[start:end] for k in stage)
            own = Problem(
                problem.diagram.subdiagram(chosen),
                tuple(problem.loads[k] for k in chosen),
                problem.overhead,
                problem.lanes,
            )
            found = exact(own, LOOKED_AT, problem.cost(stages[start:end]))
            if found is not None and found.stages:
                stages[start:end] = [[chosen[k] for k in stage] for stage in found.stages]
            start += 1
        if problem.cost(stages) >= before * (1 - 1e-9):
            break
    return stages


def _continued(problem: Problem, solved: int) -> Iterator[tuple[int, ...]]:
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


def _filled(problem: Problem, stage: Sequence[int], others: Sequence[int]) -> tuple[int, ...]:
    """A stage with all that fits in without making it longer, the most urgent first."""
    found, taken = list(stage), set(stage)
    length = problem.length(found)
    room = problem.lanes * length - sum(problem.loads[k] for k in found)
    for k in others:
        if k not in taken and problem.loads[k] <= room and problem.length([*found, k]) <= length * (1 + 1e-12):
            found.append(k)
            taken.add(k)
            room -= problem.loads[k]
    return tuple(sorted(found))
