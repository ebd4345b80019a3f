"""The best route without trying all of them: exactly where that is possible, otherwise a good one with a bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groupkin.arguments import Count, Natural, checked
from groupkin.structure.decomposition import Structure
from groupkin.tolerances import ROUNDING
from routes.diagrams.route import Route
from routes.planning.beam_search import beam_search
from routes.planning.bounds import lower_bound
from routes.planning.costs import Costs, predicted_cost
from routes.planning.load_balancing import EXACT_UP_TO
from routes.planning.search_problem import problem_of
from routes.planning.shortest_path import shortest_path

EXAMINED = 60_000
"""Stages that the exact search examines before it is given up: about two seconds."""


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


@checked
def best(structure: Structure, costs: Costs, workers: Count | None = None, limit: Natural = EXAMINED) -> BestRoute:
    """Find the route that is predicted to be the fastest when workers solve different groups of the same block.

    Parameters
    ----------
    structure : Structure
    costs : Costs
    workers : int, optional
        By default those of the costs; for others see `Costs.with_workers`.
    limit : int
        Largest number of stages that the exact search examines; 0 for the heuristic.
    """
    costs = costs.with_workers(workers) if workers else costs
    problem = problem_of(structure, costs)
    if costs.workers == 1:
        return _optimal(costs, [[k] for k in range(problem.diagram.size)], "one worker: every route costs the same")
    if problem.diagram.size <= 1:
        return _optimal(costs, [[k] for k in range(problem.diagram.size)], "exact: there is one route only")
    stages: Sequence[Sequence[int]] = beam_search(problem)
    cost, bound = problem.cost(stages), lower_bound(problem.diagram, problem.loads, problem.lanes, problem.overhead)
    if cost <= bound * (1 + ROUNDING):
        return _optimal(costs, stages, "exact: stages laid by list scheduling meet the lower bound")
    path = shortest_path(problem, limit, cost) if limit else None
    if path is not None:
        stages = path.stages or stages
        how = f"exact: shortest path over the sets of solved groups, {path.examined} stages looked at"
        if max(map(len, stages)) > EXACT_UP_TO:
            how += f"; more than {EXACT_UP_TO} groups of a stage are spread longest first"
        return _optimal(costs, stages, how)
    route = _route(stages)
    seconds = predicted_cost(costs, route)
    why = f"more than {limit} stages to look at" if limit else "as asked"
    how = f"heuristic ({why}): stages laid by list scheduling, then improved"
    return BestRoute(route, seconds, how, seconds - (cost - bound) / costs.block)


def _route(stages: Sequence[Sequence[int]]) -> Route:
    return Route(tuple(tuple(k + 1 for k in stage) for stage in stages))


def _optimal(costs: Costs, stages: Sequence[Sequence[int]], how: str) -> BestRoute:
    route = _route(stages)
    seconds = predicted_cost(costs, route)
    return BestRoute(route, seconds, how, seconds)
