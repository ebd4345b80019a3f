"""Strategies to solve a program: a route, how workers share it, and a block size; what each is predicted to cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from groupkin.structure.decomposition import Structure
from routes.diagrams.route import Route
from routes.planning.costs import (
    Costs,
    check_split,
    cost_in_teams,
    guess_costs,
    io_of_busiest,
    lanes_of_groups,
    single_worker_cost,
)
from routes.planning.unstaged_schedule import Schedule
from routes.running import schedules
from routes.running.runs import STEP_BY_STEP, spans
from routes.timing.program_costs import ProgramCosts

BLOCKS = (1, 4, 16, 64, 256, 1024, 4096)
"""Steps per block that are compared, unless one is given."""


@dataclass(frozen=True)
class Strategy:
    """How a program is solved.

    Attributes
    ----------
    route : Route or Schedule
        Groups in stages, or, without stages, each on its lane as soon as it can be solved.
    split : {"groups", "time", "hybrid"}
    team_size : int
        Number of lanes of each team: workers that solve different groups of the same block.
    block : int
        Steps per block; 1: step by step.
    workers : int
    """

    route: Route | Schedule
    split: str
    team_size: int
    block: int
    workers: int

    def __str__(self) -> str:
        blocks = f"blocks of {self.block} steps" if self.block > 1 else "step by step"
        return f"route {self.route}; split by {self.split}, {blocks}" if self.workers > 1 else f"{self.route}; {blocks}"

    @property
    def teams(self) -> int:
        return self.workers // self.team_size

    @property
    def plain(self) -> bool:
        """Whether it is the loop of `groupkin.solve`, alone or with its steps shared."""
        return self.team_size == 1 and self.block != STEP_BY_STEP


def team_size(split: str, workers: int) -> int:
    """Number of lanes of each team; teams of a hybrid split are pairs.

    Raises
    ------
    ArgumentError
        If there is no such split.
    """
    check_split(split)
    return {"groups": workers, "time": 1, "hybrid": 2 if workers % 2 == 0 else 1}[split]


def strategies(
    routes: Iterable[Route | Schedule], workers: int, splits: Iterable[str], blocks: Iterable[int], iterates: bool
) -> Iterator[Strategy]:
    """All sensible combinations, with a time split for one route only, as its order does not matter there.

    Parameters
    ----------
    routes : iterable of Route or Schedule
    workers : int
    splits : iterable of str
    blocks : iterable of int
        Steps per block.
    iterates : bool
        True if groups are solved by Newton's method, so that in blocks of 1 every step needs the one before it.
    """
    compared, allowed = list(routes), list(splits)
    for block in blocks:
        for split in allowed:
            lanes = team_size(split, workers)
            if block == 1 and lanes < workers and iterates:
                continue
            for route in compared[:1] if lanes == 1 else compared:
                yield Strategy(route, split, lanes, block, workers)


def lanes_of(strategy: Strategy, structure: Structure, costs: Costs) -> schedules.Lanes:
    """What each lane of a team solves, and what it waits for."""
    lanes = _lanes_of_groups(strategy, costs.with_workers(strategy.team_size))
    if isinstance(strategy.route, Schedule):
        return schedules.unstaged(structure, strategy.route.order, lanes, strategy.team_size)
    return schedules.staged(strategy.route.stages, lanes, strategy.team_size)


def lanes_for(structure: Structure, route: Route, workers: int) -> schedules.Lanes:
    """Which lane of so many solves which groups of a route in single steps, shared by guessed costs."""
    costs = guess_costs(structure, workers, 1)
    return schedules.staged(route.stages, lanes_of_groups(costs, route), workers)


def _lanes_of_groups(strategy: Strategy, costs: Costs) -> dict[int, int]:
    if isinstance(strategy.route, Schedule):
        return dict(zip(strategy.route.order, strategy.route.lanes, strict=True))
    return lanes_of_groups(costs, strategy.route)


# --- predicted costs -------------------------------------------------------------------------


def strategy_cost(strategy: Strategy, structure: Structure, costs: ProgramCosts, steps: int) -> float:
    """Predict the seconds per step of a strategy over so many steps."""
    team_costs = costs.for_steps(steps).with_workers(strategy.team_size)
    teams = _parallel_teams(strategy, steps, costs.following > 0.0)
    lanes = _lanes_of_groups(strategy, team_costs)
    if not any(lanes.values()):  # one lane waits for nobody
        return team_costs.fixed + single_worker_cost(team_costs) / teams
    if isinstance(strategy.route, Route):
        return cost_in_teams(team_costs, strategy.route, teams)
    solving = _unstaged_cost(strategy.route, structure, team_costs) / strategy.block
    return team_costs.fixed + (team_costs.unassigned_io + io_of_busiest(team_costs, lanes) + solving) / teams


def _unstaged_cost(schedule: Schedule, structure: Structure, costs: Costs) -> float:
    """Seconds per block until all groups of a schedule are solved."""
    free = [0.0] * costs.workers
    ends: dict[int, float] = {}
    lanes = dict(zip(schedule.order, schedule.lanes, strict=True))
    for number in schedule.order:
        lane = lanes[number]
        before = structure.groups[number - 1].depends_on
        arrivals = [ends[k] + (costs.overhead + costs.transfer([k]) if lanes[k] != lane else 0.0) for k in before]
        free[lane] = ends[number] = max(free[lane], *arrivals, 0.0) + costs.block * costs.seconds[number]
    return max(free) + costs.overhead


def _parallel_teams(strategy: Strategy, steps: int, iterates: bool) -> float:
    """By how much teams divide the work, which comes in whole spans of steps."""
    lengths = [stop - start for start, stop in spans(steps, strategy.block, strategy.teams, iterates)]
    return steps / max(sum(lengths[team :: strategy.teams]) for team in range(strategy.teams))
