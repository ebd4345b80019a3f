"""The cost of a route by the model.

A stage costs the makespan of its groups on the lanes, a barrier, and the transfer of what later groups read. All of
these are properties of the stage alone, because whoever reads its groups is solved later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groupkin.errors import ArgumentError
from routes.diagrams.route import Route
from routes.planning.costs import Costs
from routes.planning.load_balancing import makespan

SPLITS = ("groups", "time", "hybrid")


def predicted_cost(costs: Costs, route: Route, split: str = "groups", teams: int | None = None) -> float:
    """Predict the seconds per step of a route.

    Parameters
    ----------
    costs : Costs
    route : Route
    split : {"groups", "time", "hybrid"}
        Workers solve different groups of the same block, or different blocks, or `teams` of workers solve different
        blocks and the workers of each team different groups.
    teams : int, optional
        Number of teams of a hybrid split; by default half of the number of workers.

    Raises
    ------
    ArgumentError
        If there is no such split, or the workers cannot be divided into so many teams.
    """
    check_split(split)
    if split == "time":
        return costs.fixed + single_worker_cost(costs) / costs.workers
    teams = 1 if split == "groups" else teams or max(1, costs.workers // 2)
    if costs.workers % teams:
        raise ArgumentError(f"{costs.workers} workers cannot be divided into {teams} teams")
    return cost_in_teams(costs.with_workers(costs.workers // teams), route, teams)


def check_split(split: str) -> None:
    """Refuse a split that does not exist.

    Raises
    ------
    ArgumentError
    """
    if split not in SPLITS:
        raise ArgumentError(f"split must be {', '.join(SPLITS[:-1])} or {SPLITS[-1]}, not {split!r}")


def cost_in_teams(costs: Costs, route: Route, teams: float) -> float:
    """Seconds per step of a route on teams, each of which has all workers of the costs."""
    block = sum(stage_cost(costs, stage) for stage in route.stages)
    io = io_of_busiest(costs, lanes_of_groups(costs, route)) if costs.io else 0.0
    return costs.fixed + (costs.unassigned_io + io + block / costs.block) / teams


def single_worker_cost(costs: Costs) -> float:
    """Seconds per step of one worker that solves all groups."""
    return costs.unassigned_io + sum(costs.io.values()) + sum(costs.seconds.values())


def stage_cost(costs: Costs, stage: Sequence[int]) -> float:
    """Seconds per block to solve some groups side by side and let later groups read them."""
    longest = makespan([costs.seconds[number] for number in stage], costs.workers)[0]
    return costs.block * longest + costs.overhead + costs.transfer(stage)


def lanes_of_groups(costs: Costs, route: Route) -> dict[int, int]:
    """The lane, from 0, that solves each group of a route."""
    lanes: dict[int, int] = {}
    for stage in route.stages:
        lanes |= zip(stage, makespan([costs.seconds[number] for number in stage], costs.workers)[1], strict=True)
    return lanes


def io_of_busiest(costs: Costs, lanes: Mapping[int, int]) -> float:
    """Seconds per step of drivers and copying on the lane that has most of both, given the lane of every group."""
    sums = [0.0] * costs.workers
    for number, seconds in costs.io.items():
        sums[lanes[number]] += seconds
    return max(sums)
