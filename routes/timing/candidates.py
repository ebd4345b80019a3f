"""Ways to execute a program: a route, how it is split among workers, and a block size; what each should cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from groupkin.errors import RouteError
from groupkin.structure.decomposition import Structure
from routes.diagrams.route import Route
from routes.planning.costs import SPLITS, Costs, by_one, in_teams, lane_of, on_lanes, outside
from routes.planning.unstaged_schedule import Schedule
from routes.running.execution import spans
from routes.running.schedules import Lanes, staged
from routes.running.schedules import unstaged as as_soon_as_possible
from routes.timing.profile import Prices

BLOCKS = (1, 4, 16, 64, 256, 1024, 4096)
"""Steps per block that are compared, unless one is given."""


@dataclass(frozen=True)
class Way:
    """How a program is executed.

    Attributes
    ----------
    route : Route or Schedule
        Groups in stages, or, without stages, each on its lane as soon as it can be solved.
    split : str
        "groups", "time" or "hybrid".
    width : int
        Lanes of each team: workers that take different groups of the same block.
    block : int
        Steps per block; 1: step by step.
    workers : int
    """

    route: Route | Schedule
    split: str
    width: int
    block: int
    workers: int

    def __str__(self) -> str:
        blocks = f"blocks of {self.block} steps" if self.block > 1 else "step by step"
        return f"route {self.route}; split by {self.split}, {blocks}" if self.workers > 1 else f"{self.route}; {blocks}"

    @property
    def teams(self) -> int:
        return self.workers // self.width


def width_of(split: str, workers: int) -> int:
    """Lanes of each team; of a hybrid split, pairs.

    Raises
    ------
    RouteError
        If there is no such split.
    """
    if split not in SPLITS:
        raise RouteError(f"split is {', '.join(SPLITS)}, not {split!r}")
    return {"groups": workers, "time": 1, "hybrid": 2 if workers % 2 == 0 else 1}[split]


def lanes_of(way: Way, structure: Structure, costs: Costs) -> Lanes:
    """Which lane solves what, and what it waits for."""
    lane = _lane_of(way, costs)
    if isinstance(way.route, Schedule):
        return as_soon_as_possible(structure, way.route.order, lane, way.width)
    return staged(way.route.stages, lane, way.width)


def _lane_of(way: Way, costs: Costs) -> dict[int, int]:
    if isinstance(way.route, Schedule):
        return dict(zip(way.route.order, way.route.lanes, strict=True))
    return lane_of(on_lanes(costs, way.width), way.route)


def predicted(way: Way, structure: Structure, prices: Prices, steps: int) -> float:
    """Seconds per step of a way over so many steps."""
    costs, teams = on_lanes(prices.over(steps), way.width), _busy(way, steps, prices.seed > 0.0)
    lane = _lane_of(way, costs)
    if not any(lane.values()):  # one lane waits for nobody
        return costs.common + by_one(costs) / teams
    if isinstance(way.route, Route):
        return in_teams(costs, way.route, teams)
    solving = _without_stages(way.route, structure, costs) / way.block
    return costs.common + (costs.besides + outside(costs, lane) + solving) / teams


def _without_stages(schedule: Schedule, structure: Structure, costs: Costs) -> float:
    """Seconds per block until all groups of a schedule are solved."""
    free = [0.0] * costs.workers
    ends: dict[int, float] = {}
    lane = dict(zip(schedule.order, schedule.lanes, strict=True))
    for number in schedule.order:
        before = structure.groups[number - 1].depends_on
        wait = [ends[k] + (costs.overhead + costs.handing_on([k]) if lane[k] != lane[number] else 0.0) for k in before]
        ends[number] = max(free[lane[number]], *wait, 0.0) + costs.block * costs.seconds[number]
        free[lane[number]] = ends[number]
    return max(free) + costs.overhead


def _busy(way: Way, steps: int, iterates: bool) -> float:
    """By how much teams divide the work: spans of steps cannot be divided."""
    each = [stop - start for start, stop in spans(steps, way.block, way.teams, iterates)]
    return steps / max(sum(each[k :: way.teams]) for k in range(way.teams))


def ways(
    routes: Iterable[Route | Schedule], workers: int, splits: Iterable[str], blocks: Iterable[int], iterates: bool
) -> Iterator[Way]:
    """All sensible combinations: a time split for one route only, as its order does not matter there.

    Parameters
    ----------
    iterates : bool
        Whether groups are solved by iteration, so that in blocks of 1 every step needs the one before it.
    """
    chosen, compared = list(routes), list(splits)
    for block in blocks:
        for split in compared:
            width = width_of(split, workers)
            if block == 1 and width < workers and iterates:
                continue
            for route in chosen[:1] if width == 1 else chosen:
                yield Way(route, split, width, block, workers)
