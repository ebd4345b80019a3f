"""What groups, transfers and routes cost, from measurements or guessed by counting operations.

A stage costs the makespan of its groups on the lanes, a barrier, and the transfer of what later groups read. All of
these are properties of the stage alone, because whoever reads its groups is solved later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, log2

from groupkin.arguments import Count, checked
from groupkin.errors import ArgumentError, RouteError
from groupkin.structure.decomposition import Group, Structure
from groupkin.structure.signature import GroupGraph, joint_code
from groupkin.transformations.criteria import force_operations, operations
from routes.diagrams.route import Route
from routes.planning.load_balancing import makespan

SPLITS = ("groups", "time", "hybrid")

SECONDS_PER_OPERATION = {True: 0.03e-9, False: 0.3e-9}
"""Of closed forms, which are vectorized, and of Newton's method (`groupkin.transformations.criteria.operations`)."""

ROWS_PER_BODY = {2: 3, 3: 4}
BYTES_PER_ROW = 24
"""Position, velocity and acceleration of one natural coordinate."""

BARRIER, CORE_BANDWIDTH = 0.2e-6, 1e10
DRIVER, COPY_BANDWIDTH = 15e-9, 1e10


@dataclass(frozen=True)
class Costs:
    """Costs of the groups of a structure, and of transferring their results, on some workers.

    Attributes
    ----------
    seconds : mapping of int to float
        Seconds per step to solve each group, by number, in blocks of `block` steps.
    bytes_read : mapping of int to float
        Bytes per step of each group that later groups read.
    barrier : float
        Seconds that a barrier of all workers takes.
    latency, bandwidth : float
        Of transferring results: seconds per stage, and bytes per second. Between cores that share memory the latency is
        part of the barrier.
    unassigned_io : float
        Seconds per step to evaluate drivers and copy results, as far as it is unknown for which group; teams divide it.
    startup : float
        Seconds per step to begin and end a run.
    following : float
        Seconds per step to follow iterated groups from knot to knot, the same in every route.
    block : int
        Steps per block.
    workers : int
        Number of threads or ranks.
    bytes_kept : float
        Bytes per step of the result; they are sent where the workers are on several nodes.
    io : mapping of int to float
        Seconds per step to evaluate the drivers of each group and copy its results, by the lane that solves it.
    """

    seconds: Mapping[int, float]
    bytes_read: Mapping[int, float]
    barrier: float = BARRIER
    latency: float = 0.0
    bandwidth: float = CORE_BANDWIDTH
    unassigned_io: float = 0.0
    startup: float = 0.0
    following: float = 0.0
    block: int = 1024
    workers: int = 2
    bytes_kept: float = 0.0
    io: Mapping[int, float] = field(default_factory=dict)

    @property
    def overhead(self) -> float:
        """Seconds that every stage costs in addition to its groups."""
        return self.barrier + self.latency if self.workers > 1 else 0.0

    @property
    def fixed(self) -> float:
        """Seconds per step that are the same in every route."""
        return self.startup + self.following

    def transfer(self, groups: Iterable[int]) -> float:
        """Seconds per block to transfer what later groups read of some groups; 0 with one worker."""
        if self.workers == 1:
            return 0.0
        return self.block * sum(self.bytes_read.get(number, 0.0) for number in groups) / self.bandwidth

    def with_workers(self, workers: int) -> Costs:
        """Costs on another number of workers; a barrier takes as many rounds as they can be halved."""
        rounds = ceil(log2(max(2, workers))) / ceil(log2(max(2, self.workers)))
        return replace(self, workers=workers, barrier=self.barrier * rounds)


@checked
def guess_costs(structure: Structure, workers: Count = 2, block: Count = 1024, forces: bool = False) -> Costs:
    """Guess the costs of a structure by counting operations, where nothing has been measured.

    Parameters
    ----------
    structure : Structure
    workers, block : int
    forces : bool
        Whether loads are carried back through the groups as well, each by the worker that has solved it.
    """
    groups = structure.groups
    read = {number for group in groups for number in group.depends_on}
    size = {group.number: len(group.bodies) * ROWS_PER_BODY[structure.dimension] * BYTES_PER_ROW for group in groups}
    kept = float(sum(size.values()))
    return Costs(
        seconds={group.number: _guess(structure, group, forces) for group in groups},
        bytes_read={number: float(bytes_ if number in read else 0) for number, bytes_ in size.items()},
        barrier=BARRIER * (1 + forces),
        unassigned_io=DRIVER * structure.driven + kept / COPY_BANDWIDTH,
        block=block,
        workers=workers,
        bytes_kept=kept,
    )


def _guess(structure: Structure, group: Group, forces: bool) -> float:
    from groupkin.kinematics.program.solver_choice import ITERATED  # imports kernels

    closed = group.solver not in (*ITERATED, "none", "")
    graph = _graph(structure, group)
    back = force_operations(graph) * SECONDS_PER_OPERATION[True] if forces else 0.0
    return operations(graph, closed) * SECONDS_PER_OPERATION[closed] + back


def _graph(structure: Structure, group: Group) -> GroupGraph:
    mechanism = structure.solved_as
    index = {body: k for k, body in enumerate(group.bodies)}
    joints = {*group.external, *group.internal}
    edges = []
    for joint in mechanism.joints:
        if joint.name in joints:
            a, b = (index.get(body, -1) for body in joint.bodies)
            edges.append((a, b, joint_code(joint.type, mechanism.driven.get(joint.name, ()))))
    return GroupGraph(structure.dimension, len(group.bodies), tuple(edges))


# --- routes ----------------------------------------------------------------------------------


@checked
def predicted_cost(costs: Costs, route: Route, split: str = "groups", teams: Count | None = None) -> float:
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
    RouteError
        If the route has a group of which there are no costs.
    ArgumentError
        If there is no such split, or the workers cannot be divided into so many teams.
    """
    check_split(split)
    unknown = [number for number in route.order if number not in costs.seconds]
    if unknown:
        raise RouteError(f"route {route}: there are no costs of group {unknown[0]}")
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
