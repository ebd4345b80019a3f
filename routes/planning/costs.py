"""What routes cost: a model in seconds, filled in by measurement or, before anything is measured, by a guess.

A stage costs the makespan of its groups on the lanes, a barrier, and what it takes to hand on what later groups read.
All of these are properties of the stage alone, because whoever reads its groups is solved later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import ceil, log2

from groupkin.structure.decomposition import Group, Structure
from groupkin.structure.signature import GroupGraph, joint_code
from groupkin.transformations.criteria import operations
from routes.diagrams.route import Route

EXACT_UP_TO = 12
"""Groups of one stage up to which they are spread over the lanes in the best way; beyond, longest first."""

SECONDS_PER_OPERATION = {True: 0.03e-9, False: 0.3e-9}
"""Of closed forms, which are vectorized, and of Newton's method; operations as `structure.criteria` counts them."""

ROWS_PER_BODY = {2: 3, 3: 4}
BYTES_PER_ROW = 24
"""Position, velocity and acceleration of one natural coordinate."""

BARRIER, CORE_BANDWIDTH = 0.2e-6, 1e10
DRIVER, COPY_BANDWIDTH = 15e-9, 1e10


@dataclass(frozen=True)
class Costs:
    """What groups, and handing on their results, cost on some workers.

    Attributes
    ----------
    seconds : mapping of int to float
        Seconds per step to solve each group, by number, in blocks of `block` steps.
    published : mapping of int to float
        Bytes per step of each group that later groups read.
    barrier : float
        Seconds until all lanes know that all are done.
    latency, bandwidth : float
        Of handing on results: seconds per stage, and bytes per second. Between cores that share memory the latency is
        part of the barrier.
    around : mapping of int to float
        Seconds per step of what the lane of each group does for it outside the stages: drivers, and copying out.
    besides : float
        Seconds per step of the same where it is not known which group it is for: only teams divide it.
    undivided : float
        Seconds per step of what nothing divides.
    seed : float
        Seconds per step of following groups that are iterated from knot to knot, the same in every route.
    block : int
        Steps that are solved at a time.
    workers : int
        Threads or ranks.
    collected : float
        Bytes per step of what is kept, all groups together; they are sent where the lanes are on several nodes.
    """

    seconds: Mapping[int, float]
    published: Mapping[int, float]
    barrier: float = BARRIER
    latency: float = 0.0
    bandwidth: float = CORE_BANDWIDTH
    besides: float = 0.0
    undivided: float = 0.0
    seed: float = 0.0
    block: int = 1024
    workers: int = 2
    collected: float = 0.0
    around: Mapping[int, float] = field(default_factory=dict)

    @property
    def overhead(self) -> float:
        """Seconds that every stage costs, whatever its groups."""
        return self.barrier + self.latency if self.workers > 1 else 0.0

    @property
    def common(self) -> float:
        """Seconds per step that are the same in every route."""
        return self.undivided + self.seed

    def handing_on(self, groups: Sequence[int]) -> float:
        """Seconds per block to hand on what later groups read of some groups; nothing with one worker."""
        if self.workers == 1:
            return 0.0
        return self.block * sum(self.published.get(number, 0.0) for number in groups) / self.bandwidth


def guessed(structure: Structure, workers: int = 2, block: int = 1024) -> Costs:
    """Costs of a structure of which nothing has been measured, by counting operations."""
    groups = structure.groups
    read = {number for group in groups for number in group.depends_on}
    size = {group.number: len(group.bodies) * ROWS_PER_BODY[structure.dimension] * BYTES_PER_ROW for group in groups}
    kept = float(sum(size.values()))
    return Costs(
        seconds={group.number: _guess(structure, group) for group in groups},
        published={number: float(bytes_ if number in read else 0) for number, bytes_ in size.items()},
        besides=DRIVER * structure.driven + kept / COPY_BANDWIDTH,
        block=block,
        workers=workers,
        collected=kept,
    )


def _guess(structure: Structure, group: Group) -> float:
    from groupkin.kinematics.program.solver_choice import NEWTON  # imports kernels

    closed = group.solver not in (NEWTON, "none", "")
    return operations(_graph(structure, group), closed) * SECONDS_PER_OPERATION[closed]


def _graph(structure: Structure, group: Group) -> GroupGraph:
    mechanism = structure.solved_as
    local = {body: k for k, body in enumerate(group.bodies)}
    own = {*group.external, *group.internal}
    edges = []
    for joint in mechanism.joints:
        if joint.name in own:
            a, b = (local.get(body, -1) for body in joint.bodies)
            edges.append((a, b, joint_code(joint.type, mechanism.driven.get(joint.name, ()))))
    return GroupGraph(structure.dimension, len(group.bodies), tuple(edges))


# --- one stage -------------------------------------------------------------------------------


def stage_cost(costs: Costs, stage: Sequence[int]) -> float:
    """Seconds per block of solving some groups side by side, until others may read them."""
    spread = makespan([costs.seconds[number] for number in stage], costs.workers)[0]
    return costs.block * spread + costs.overhead + costs.handing_on(stage)


def assign(loads: Sequence[float], lanes: int) -> tuple[int, ...]:
    """The lane, from 0, of every load, so that the lane that has most has as little as possible."""
    return makespan(loads, lanes)[1]


def makespan(loads: Sequence[float], lanes: int) -> tuple[float, tuple[int, ...]]:
    """Spread loads over lanes.

    Returns
    -------
    largest : float
        Sum of the loads on the lane that has most: the least possible up to `EXACT_UP_TO` loads, by branch and bound;
        beyond, that of the longest first (Graham 1969: at most 4/3 of the least).
    lanes : tuple of int
        The lane of every load, from 0.

    Examples
    --------
    >>> makespan([3, 3, 2, 2, 2], lanes=2)
    (6.0, (0, 0, 1, 1, 1))
    """
    order = sorted(range(len(loads)), key=loads.__getitem__, reverse=True)
    largest, found = _makespan(tuple(loads[k] for k in order), max(1, min(lanes, len(loads))))
    lane = dict(zip(order, found, strict=True))
    return largest, tuple(lane[k] for k in range(len(loads)))


@lru_cache(100_000)
def _makespan(loads: tuple[float, ...], lanes: int) -> tuple[float, tuple[int, ...]]:
    """The same for loads in descending order."""
    if not loads:
        return 0.0, ()
    if lanes == 1:
        return sum(loads), (0,) * len(loads)
    found = _longest_first(loads, lanes)
    least = max(loads[0], sum(loads) / lanes)
    if len(loads) > EXACT_UP_TO or found[0] <= least * (1 + 1e-12):
        return found
    return _branch(loads, lanes, least, found)


def _longest_first(loads: tuple[float, ...], lanes: int) -> tuple[float, tuple[int, ...]]:
    sums, chosen = [0.0] * lanes, []
    for load in loads:
        lane = sums.index(min(sums))
        sums[lane] += load
        chosen.append(lane)
    return max(sums), tuple(chosen)


def _branch(
    loads: tuple[float, ...], lanes: int, least: float, found: tuple[float, tuple[int, ...]]
) -> tuple[float, tuple[int, ...]]:
    """Branch and bound: place one load after another, on one of the lanes that have equal sums only."""
    best, sums, chosen = found, [0.0] * lanes, [0] * len(loads)

    def place(k: int, largest: float) -> bool:
        """Whether nothing better can be found."""
        nonlocal best
        if k == len(loads):
            best = largest, tuple(chosen)
            return largest <= least * (1 + 1e-12)
        tried = set()
        for lane in range(lanes):
            before = sums[lane]
            after = before + loads[k]
            if before in tried or after >= best[0] * (1 - 1e-12):
                continue
            tried.add(before)
            sums[lane], chosen[k] = after, lane
            done = place(k + 1, max(largest, after))
            sums[lane] = before
            if done:
                return True
        return False

    place(0, 0.0)
    return best


# --- a whole route ---------------------------------------------------------------------------

SPLITS = ("groups", "time", "hybrid")


def predict(costs: Costs, route: Route, split: str = "groups", teams: int | None = None) -> float:
    """Seconds per step of a route.

    Parameters
    ----------
    costs : Costs
    route : Route
    split : str
        ``groups``: workers take different groups of the same block; ``time``: different blocks; ``hybrid``: `teams`
        of workers take different blocks, and the workers of each, its lanes, different groups.
    teams : int, optional
        Of ``hybrid``: how many; default: half of the workers.

    Raises
    ------
    ValueError
        If there is no such split, or the workers cannot be divided into so many teams.
    """
    if split == "time":
        return costs.common + by_one(costs) / costs.workers
    if split == "groups":
        teams = 1
    elif split == "hybrid":
        teams = teams or max(1, costs.workers // 2)
    else:
        raise ValueError(f"split is {' or '.join(SPLITS)}, not {split!r}")
    if costs.workers % teams:
        raise ValueError(f"{costs.workers} workers cannot be divided into {teams} teams")
    return in_teams(on_lanes(costs, costs.workers // teams), route, teams)


def in_teams(costs: Costs, route: Route, teams: float) -> float:
    """Seconds per step of a route on teams that have all workers of the costs each."""
    block = sum(stage_cost(costs, stage) for stage in route.stages)
    around = outside(costs, lane_of(costs, route)) if costs.around else 0.0
    return costs.common + (costs.besides + around + block / costs.block) / teams


def by_one(costs: Costs) -> float:
    """Seconds per step of a worker that solves all groups."""
    return costs.besides + sum(costs.around.values()) + sum(costs.seconds.values())


def lane_of(costs: Costs, route: Route) -> dict[int, int]:
    """The lane, from 0, on which each group of a route is solved."""
    found: dict[int, int] = {}
    for stage in route.stages:
        found |= dict(zip(stage, assign([costs.seconds[number] for number in stage], costs.workers), strict=True))
    return found


def outside(costs: Costs, lane: Mapping[int, int]) -> float:
    """Seconds per step that the lane with most to do outside the stages takes."""
    sums = [0.0] * costs.workers
    for number, seconds in costs.around.items():
        sums[lane[number]] += seconds
    return max(sums)


def on_lanes(costs: Costs, lanes: int) -> Costs:
    """Costs with another number of workers; a barrier takes as many rounds as the lanes can be halved."""
    rounds = ceil(log2(max(2, lanes))) / ceil(log2(max(2, costs.workers)))
    return replace(costs, workers=lanes, barrier=costs.barrier * rounds)
