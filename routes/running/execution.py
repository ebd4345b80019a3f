"""Solve a program by a route: lanes on the workers of a backend."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import RouteError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.dataflow import Flow, flows
from groupkin.kinematics.program.program import Call, Program
from groupkin.kinematics.solving import blocks
from groupkin.kinematics.solving.motion_memory import STREAMED
from groupkin.kinematics.solving.tracking import track
from routes.running.backends import Backend
from routes.running.schedules import Lane, Lanes, messages
from sglibrary.iterative.follow import FORCE
from sglibrary.run import team_loop
from sglibrary.run.calls import Calls, Drivers, State
from sglibrary.run.copy import fits

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

SHARES = 8
"""Spans of steps that each team takes, where there are several."""

LONG, LONG_ITERATED = 2**22, 2**17
"""Steps times groups of runs that may take so long, some tenths of a second, that they can be interrupted."""

STEP_BY_STEP = 1
"""Block size at which a step starts from the one before it, as in a real-time simulator."""


@dataclass(frozen=True)
class Assignment:
    """What one worker does in a run.

    Attributes
    ----------
    team : int
    program : Program
        With the drivers of the lane's groups alone.
    plan : Plan
    state : State
        Of its team.
    results : LaneResults
    member : Member
    drivers : Drivers
        Those of `program`, without the values of laws that are evaluated in Python.
    solve : callable
        `sglibrary.run.team_loop.share`, or the same by messages.
    turns : Turns, optional
        The spans that the worker takes if all that it does is compiled: it then needs the interpreter, which threads
        have to share, only to begin.
    leaving : Leaving
    """

    team: int
    program: Program
    plan: team_loop.Plan
    state: State
    results: team_loop.LaneResults
    member: team_loop.Member
    drivers: Drivers
    solve: Callable[..., bool]
    turns: team_loop.Turns | None
    leaving: team_loop.Leaving


@dataclass(frozen=True)
class Run:
    """A motion to be solved on the lanes of a backend, any number of times, with all the memory it takes.

    Runs on one backend use the same memory, so that results must be read before the next one is executed, and all
    must be of one program.

    Attributes
    ----------
    program : Program
    times : (n,) array
        s.
    lanes : tuple of Lane
        Of one team; the backend's workers are teams of so many lanes.
    backend : Backend
    block : int
        Steps per block.
    repeats : int
        How often each group is solved (a synthetic load).
    results : tuple of arrays
        q, v, a (rows, pitch) and conditioning (groups, pitch), seen by all workers where they share memory.
    status : (groups, n) array of uint8
    clocks : (workers, CALLS + c) array of int
        Where the time of the workers went in the last run, in ticks (`sglibrary.run.team_loop.share`).
    flows : tuple of Flow
    assignments : dict of int to Assignment
        Of the workers of this process.
    past_caches : bool
        Whether results are written past the caches.
    calls : Calls
        Of groups that are followed, without what they remember.
    taken : array of int
        How many spans of steps workers have taken.
    """

    program: Program
    times: Array
    lanes: Lanes
    backend: Backend
    block: int
    repeats: int
    results: tuple[Array, ...]
    status: NDArray[np.uint8]
    clocks: Ints
    flows: tuple[Flow, ...]
    assignments: dict[int, Assignment]
    past_caches: bool
    calls: Calls
    taken: Ints

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The steps in as many spans as teams take one after another."""
        return spans(self.times.size, self.block, self.backend.workers // len(self.lanes), self.program.iterates)

    @property
    def first_come(self) -> bool:
        """Whether a worker takes the next span when it is ready, instead of round-robin.

        Lanes of a team would have to agree on it.
        """
        return self.program.iterates and len(self.lanes) == 1 and self.backend.shares

    @property
    def span(self) -> int:
        """Steps per span."""
        return max(1, self.spans[0][1])


def prepare(
    program: Program,
    times: Array,
    lanes: Lanes,
    backend: Backend,
    block: int | None = None,
    repeats: int = 1,
) -> Run:
    """Allocate the memory of a run, on all workers.

    Raises
    ------
    RouteError
        If the backend's workers are not whole teams, or the steps of step-by-step mode would be shared by teams.
    LawError
        If the law of a driver does not cover the motion.
    """
    blocks.require_laws(program, times)
    width, n = len(lanes), times.size
    block = blocks.block_of(program, n, block)
    if backend.workers % width:
        raise RouteError(f"{backend.workers} workers cannot be divided into teams of {width}; choose another split")
    if block == STEP_BY_STEP and backend.workers > width and program.iterates:
        raise RouteError(
            "with blocks of 1 every step starts from the one before it, so that workers cannot have different times; "
            "split by groups, or take larger blocks"
        )
    groups, pitch, rows = len(program.structure.groups), blocks.pitch_of(n), len(program.kept)
    memory = backend.memory(
        {
            **dict.fromkeys("qva", ((rows, pitch), float)),
            "conditioning": ((groups, pitch), float),
            "status": ((groups, n), np.uint8),
            "taken": ((team_loop.LINE,), np.int64),
            "clocks": ((backend.workers, _line(team_loop.CALLS + len(program.calls))), np.int64),
        },
        None,
    )
    results = (memory["q"], memory["v"], memory["a"], memory["conditioning"])
    assignments: dict[int, Assignment] = {}
    status, clocks = memory["status"], memory["clocks"]
    past_caches = 3 * results[0].nbytes > STREAMED and all(fits(x, block) for x in results)
    run = Run(
        program, times, lanes, backend, block, repeats, results, status, clocks, flows(program), assignments,
        past_caches,
        blocks.packed(program, (np.zeros(1),) * len(program.calls)),
        memory["taken"],
    )  # fmt: skip
    for team in sorted({worker // width for worker in backend.local}):
        state, counters = _state(program, block, backend, team, width)
        for worker in range(team * width, (team + 1) * width):
            if worker in backend.local:
                assignments[worker] = _assignment(run, worker, state, counters)
    backend.barrier()  # everybody has filled in what is fixed
    return run


def _line(count: int) -> int:
    """Whole cache lines for so many numbers."""
    return -(-count // team_loop.LINE) * team_loop.LINE


def _state(program: Program, block: int, backend: Backend, team: int, width: int) -> tuple[State, Ints]:
    """The state of a team with what is fixed filled in, and the counters of its lanes."""
    filled = blocks.block_state(program, block)
    shapes = {f"{name} of team {team}, blocks of {block}": (x.shape, float) for name, x in filled._asdict().items()}
    memory = backend.memory({**shapes, f"counters of team {team}": ((width + 1, team_loop.LINE), np.int64)}, width)
    *state, counters = memory.values()
    for x, y in zip(state, filled, strict=True):
        x[:] = y
    return State(*state), counters


def _assignment(run: Run, worker: int, state: State, counters: Ints) -> Assignment:
    program, calls, single = run.program, run.program.calls, run.block == STEP_BY_STEP
    team, k = divmod(worker, len(run.lanes))
    lane = run.lanes[k]
    waits, wait_starts = lane.packed()
    items = np.array([run.flows[number - 1].calls for number in lane.groups], np.int64).reshape(-1, 2)
    totals = np.array([len(each.groups) for each in run.lanes], np.int64)
    moved = np.array([call.knot.size if single and call.knot is not None else 0 for call in calls], np.int64)
    joints = {name for number in lane.groups for name in _joints(program, number)}
    driven = replace(program, drivers=tuple(driven for driven in program.drivers if driven.joint in joints))
    drivers = blocks.drivers_of(driven)
    solve = run.backend.lane_solver(len(run.lanes), lambda: messages(run.lanes, run.flows))
    turns = team_loop.Turns(run.span, run.block, team, run.backend.workers // len(run.lanes), run.first_come, run.taken)
    rows, runs, groups, group_runs = _kept(run, lane)
    return Assignment(
        team,
        driven,
        team_loop.Plan(items, waits, wait_starts, totals, moved, run.repeats),
        state,
        team_loop.LaneResults(rows, runs, groups, group_runs, run.results, run.status, run.past_caches),
        team_loop.Member(k, counters, run.clocks[worker]),
        drivers,
        solve,
        turns if blocks.compiled(drivers) and solve is team_loop.share else None,
        run.backend.leaving(worker),
    )


def _joints(program: Program, number: int) -> tuple[str, ...]:
    group = program.structure.groups[number - 1]
    return group.external + group.internal


def spans(steps: int, block: int, teams: int, iterates: bool) -> list[tuple[int, int]]:
    """Spans of whole blocks that teams take round-robin, or whoever comes first.

    Where groups are iterated some times cost more than others, and there are `SHARES` for each team.
    """
    count = -(-steps // block)
    shares = teams * SHARES if iterates and teams > 1 else teams
    width = block * max(1, count // shares if shares > teams else -(-count // teams))
    return [(first, min(steps, first + width)) for first in range(0, steps, width)]


def _kept(run: Run, lane: Lane) -> tuple[Ints, ...]:
    """The first four of `LaneResults` for a lane."""
    kept = run.program.kept
    written = np.concatenate([np.zeros(0, np.int64), *(run.flows[number - 1].writes for number in lane.groups)])
    own, groups = np.isin(kept, written), np.zeros(len(run.flows), bool)
    groups[[number - 1 for number in lane.groups]] = True
    return kept, _runs(own), np.arange(groups.size), _runs(groups)


def _runs(mask: NDArray[np.bool_]) -> Ints:
    """Where successive true values begin and end (r, 2)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return edges.reshape(-1, 2)


def execute(run: Run, resume: bool = True) -> None:
    """Solve the motion once, into the run's results.

    Raises
    ------
    GroupkinError
        What evaluation of a driver raised on any of the workers.
    """
    program, times = run.program, run.times
    for lane, counters, _ in (assignment.member for assignment in run.assignments.values()):
        counters[lane] = counters[-1] = 0
    run.taken[:] = 0
    run.backend.barrier()
    single = run.block == STEP_BY_STEP
    calls = run.calls
    if program.iterates:
        memories = run.backend.broadcast(lambda: track(program, times[:1] if single else times, resume))
        if single:
            memories = tuple(map(_first_knot, program.calls, memories))
        calls = blocks.packed(program, memories)
    long = times.size * len(run.flows) * run.repeats > (LONG_ITERATED if program.iterates else LONG)
    run.backend.run(lambda worker: _work(run, calls, run.assignments[worker]), partial(_stop, run) if long else None)


def _stop(run: Run) -> None:
    """Make all workers of this process end at their next block."""
    for assignment in run.assignments.values():
        team_loop.give_up(assignment.member.counters)


def _first_knot(call: Call, memory: Array) -> Array:
    """Memory of a group that is followed from step to step: the request, the knot it starts from, room for the next."""
    if call.knot is None:
        return memory
    width = call.knot.size
    begin = memory[2 : 2 + width] if memory[0] else call.knot
    return np.concatenate([[FORCE], begin, np.zeros(width)])


def _work(run: Run, calls: Calls, assignment: Assignment) -> None:
    try:
        _solve(run, calls, assignment)
    except BaseException:
        team_loop.give_up(assignment.member.counters)
        raise


def _solve(run: Run, calls: Calls, own: Assignment) -> None:
    own.member.clock[:] = 0
    if own.turns is not None:
        team_loop.share_all(
            calls, own.plan, run.times, own.drivers, own.state, own.results, own.member, own.turns, own.leaving
        )
        return
    blocks_before, teams = 0, run.backend.workers // len(run.lanes)
    for start, stop in _taken(run) if run.first_come else run.spans[own.team :: teams]:
        if not _span(run, calls, own, start, stop, blocks_before):
            return
        blocks_before += -(-(stop - start) // run.block)


def _taken(run: Run) -> Iterator[tuple[int, int]]:
    spans_of_run = run.spans
    while (k := int(team_loop.next_number(run.taken))) < len(spans_of_run):
        yield spans_of_run[k]


def _span(run: Run, calls: Calls, own: Assignment, start: int, stop: int, blocks_before: int) -> bool:
    """Solve a span whose drivers are evaluated here, or whose lanes exchange messages; False if a lane gave up."""
    width = blocks.span_of(run.block)
    for first in range(start, stop, width):
        ahead = run.times[first : min(first + width, stop)]
        place = team_loop.Place(first, run.block, blocks_before + (first - start) // run.block)
        drivers = blocks.drivers_at(own.program, ahead, own.drivers)
        if not own.solve(calls, own.plan, ahead, drivers, own.state, own.results, own.member, place):
            return False
    return True


def motion_of(run: Run) -> Motion | None:
    """A copy of the results as a motion; None where this process does not have them all."""
    n = run.times.size
    arrays: tuple[NDArray[Any], ...] = (*(x[:, :n] for x in run.results), run.status)
    if not run.backend.collect(arrays, lambda worker: _written(run, worker)):
        return None
    q, v, a, conditioning = (_padded(x, n) for x in run.results)
    return Motion(run.program, run.times, q, v, a, run.status.copy(), conditioning)


def _written(run: Run, worker: int) -> list[tuple[Ints, Ints]]:
    """What a worker has written of q, v, a, conditioning and status: rows and steps."""
    team, lane = divmod(worker, len(run.lanes))
    taken = run.spans[team :: run.backend.workers // len(run.lanes)]
    _, runs, _, group_runs = _kept(run, run.lanes[lane])
    steps, rows, groups = (
        np.concatenate([np.arange(0), *(np.arange(*pair) for pair in pairs)]) for pairs in (taken, runs, group_runs)
    )
    return [(rows, steps)] * 3 + [(groups, steps)] * 2


def _padded(rows: Array, n: int) -> Array:
    copied = blocks.aligned_rows(*rows.shape)
    copied[:] = rows
    return copied[:, :n]


def waited(run: Run) -> float:
    """Share of their time that the workers spent waiting for each other."""
    clocks = run.clocks.sum(axis=0)
    return float(clocks[team_loop.WAITING] / max(1, clocks[team_loop.RUNNING]))
