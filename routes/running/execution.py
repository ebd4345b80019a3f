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
from groupkin.kinematics.solving.blocks import (
    Laws,
    aligned_rows,
    block_of,
    buffers,
    compiled,
    driving,
    laws_of,
    packed,
    pitch_of,
    require_laws,
    span_of,
)
from groupkin.kinematics.solving.run import STREAMED
from groupkin.kinematics.solving.tracking import track
from routes.running.backends import Backend
from routes.running.schedules import Lane, Lanes, messages
from sglibrary.iterative.follow import FORCE
from sglibrary.run.copy import fits
from sglibrary.run.team_loop import CALLS, LINE, RUNNING, WAITING, give_up, next_of, share, share_all

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

SHARES = 8
"""Spans of steps that each team takes, where there are several."""

LONG, LONG_ITERATED = 2**22, 2**17
"""Steps times groups of runs that may take so long, some tenths of a second, that they can be interrupted."""

STEP_BY_STEP = 1
"""Block size at which a step starts from the one before it, as in a real-time simulator."""


@dataclass(frozen=True)
class Part:
    """What one worker does in a run.

    Attributes
    ----------
    team, lane : int
    drivers : Program
        The program with the drivers of the lane's groups alone.
    plan, kept : tuple of arrays of int
        As `sglibrary.run.team_loop.share` takes them.
    state : tuple of arrays
        Of its team.
    counters, clock : array of int
        Of its team, and its own.
    laws : tuple of arrays
        Of the drivers (`groupkin.kinematics.solving.blocks.laws_of`).
    sweep : callable
        `sglibrary.run.team_loop.share`, or the same by messages.
    whole : tuple, optional
        What `sglibrary.run.team_loop.share_all` takes after the calls, if all that the worker does is compiled: it then needs
        the interpreter, which threads have to share, only to begin.
    """

    team: int
    lane: int
    drivers: Program
    plan: tuple[Ints, ...]
    kept: tuple[Ints, ...]
    state: tuple[Array, ...]
    counters: Ints
    clock: Ints
    laws: Laws
    sweep: Callable[..., bool]

    whole: tuple[Any, ...] | None = None


@dataclass(frozen=True)
class Run:
    """A motion to be solved on the lanes of a backend, with all the memory it takes; it may be run again and again.

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
    parts : dict of int to Part
        Of the workers of this process.
    past_caches : bool
        Whether results are written past the caches.
    calls : tuple
        As `sglibrary.run.motion_loop.sweep` takes them; of groups that are followed, without what they remember.
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
    parts: dict[int, Part]
    past_caches: bool
    calls: tuple[Any, ...]
    taken: Ints

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The steps in as many spans as teams take one after another."""
        return spans(self.times.size, self.block, self.backend.workers // len(self.lanes), self.program.iterates)

    @property
    def first_come(self) -> bool:
        """Whether a worker takes the next span when it is ready; lanes of a team would have to agree on it."""
        return self.program.iterates and len(self.lanes) == 1 and self.backend.shares

    @property
    def width(self) -> int:
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
    """Allocate what a run needs, on all workers.

    Raises
    ------
    RouteError
        If the backend's workers are not whole teams, or the steps of step-by-step mode would be shared by teams.
    LawError
        If the law of a driver does not cover the motion.
    """
    require_laws(program, times)
    width, n = len(lanes), times.size
    block = block_of(program, n, block)
    if backend.workers % width:
        raise RouteError(f"{backend.workers} workers cannot be divided into teams of {width}; choose another split")
    if block == STEP_BY_STEP and backend.workers > width and program.iterates:
        raise RouteError(
            "with blocks of 1 every step starts from the one before it, so that workers cannot have different times; "
            "split by groups, or take larger blocks"
        )
    groups, pitch, rows = len(program.structure.groups), pitch_of(n), len(program.kept)
    memory = backend.memory(
        {
            **dict.fromkeys("qva", ((rows, pitch), float)),
            "conditioning": ((groups, pitch), float),
            "status": ((groups, n), np.uint8),
            "taken": ((LINE,), np.int64),
            "clocks": ((backend.workers, _line(CALLS + len(program.calls))), np.int64),
        },
        None,
    )
    results = (memory["q"], memory["v"], memory["a"], memory["conditioning"])
    parts: dict[int, Part] = {}
    status, clocks = memory["status"], memory["clocks"]
    past_caches = 3 * results[0].nbytes > STREAMED and all(fits(x, block) for x in results)
    run = Run(
        program, times, lanes, backend, block, repeats, results, status, clocks, flows(program), parts, past_caches,
        packed(program, (np.zeros(1),) * len(program.calls)),
        memory["taken"],
    )  # fmt: skip
    for team in sorted({worker // width for worker in backend.local}):
        state, counters = _state(program, block, backend, team, width)
        for worker in range(team * width, (team + 1) * width):
            if worker in backend.local:
                parts[worker] = _part(run, worker, state, counters)
    backend.meet()  # everybody has filled in what is fixed
    return run


def _line(count: int) -> int:
    """Whole cache lines for so many numbers."""
    return -(-count // LINE) * LINE


def _state(program: Program, block: int, backend: Backend, team: int, width: int) -> tuple[tuple[Array, ...], Ints]:
    """The state of a team with what is fixed filled in, and the counters of its lanes."""
    filled = buffers(program, block)
    own = {"q": filled.q, "v": filled.v, "a": filled.a, "conditioning": filled.conditioning}
    shapes = {f"{name} of team {team}, blocks of {block}": (x.shape, float) for name, x in own.items()}
    memory = backend.memory({**shapes, f"counters of team {team}": ((width + 1, LINE), np.int64)}, width)
    *state, counters = memory.values()
    for x, y in zip(state, own.values(), strict=True):
        x[:] = y
    return tuple(state), counters


def _part(run: Run, worker: int, state: tuple[Array, ...], counters: Ints) -> Part:
    program, steps = run.program, run.program.calls
    team, lane = divmod(worker, len(run.lanes))
    own = run.lanes[lane]
    waits, places = own.packed()
    items = np.array([run.flows[number - 1].calls for number in own.groups], np.int64).reshape(-1, 2)
    totals = np.array([len(each.groups) for each in run.lanes], np.int64)
    single = run.block == STEP_BY_STEP
    moved = np.array([step.knot.size if single and step.knot is not None else 0 for step in steps], np.int64)
    joints = {name for number in own.groups for name in _joints(program, number)}
    driven = replace(program, drivers=tuple(driven for driven in program.drivers if driven.joint in joints))
    plan = (items, waits, places, totals, moved)
    sweep = run.backend.sweep(len(run.lanes), lambda: messages(run.lanes, run.flows))
    kept, clock, laws = _kept(run, own), run.clocks[worker], laws_of(driven)
    part = Part(team, lane, driven, plan, kept, state, counters, clock, laws, sweep)
    if not compiled(laws) or sweep is not share:
        return part
    place = (run.block, run.repeats, run.past_caches)
    turns = (run.width, team, run.backend.workers // len(run.lanes), run.first_come)
    drivers = driving(driven, run.times, laws)
    leaving = run.backend.leaving(worker)
    return replace(part, whole=(plan, run.times, drivers, *_fixed(run, part), place, turns, run.taken, leaving))


def _fixed(run: Run, part: Part) -> tuple[Any, ...]:
    """What `sglibrary.run.team_loop.share` takes between drivers and place."""
    return part.state, part.kept, run.results, run.status, part.counters, part.clock, part.lane


def _joints(program: Program, number: int) -> tuple[str, ...]:
    group = program.structure.groups[number - 1]
    return group.external + group.internal


def spans(steps: int, block: int, teams: int, iterates: bool) -> list[tuple[int, int]]:
    """Whole blocks of steps that teams take in turn, or whoever comes first.

    Where groups are iterated some times cost more than others, and there are `SHARES` for each team.
    """
    blocks = -(-steps // block)
    shares = teams * SHARES if iterates and teams > 1 else teams
    width = block * max(1, blocks // shares if shares > teams else -(-blocks // teams))
    return [(first, min(steps, first + width)) for first in range(0, steps, width)]


def _kept(run: Run, lane: Lane) -> tuple[Ints, ...]:
    """Rows that the motion keeps, and which runs of them a lane writes; the same of its groups' conditioning."""
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
    for part in run.parts.values():
        part.counters[part.lane] = part.counters[-1] = 0
    run.taken[:] = 0
    run.backend.meet()
    single = run.block == STEP_BY_STEP
    calls = run.calls
    if program.iterates:
        memories = run.backend.known(lambda: track(program, times[:1] if single else times, resume))
        if single:
            memories = tuple(map(_first_knot, program.calls, memories))
        calls = packed(program, memories)
    long = times.size * len(run.flows) * run.repeats > (LONG_ITERATED if program.iterates else LONG)
    run.backend.run(lambda worker: _work(run, calls, run.parts[worker]), partial(_stop, run) if long else None)


def _stop(run: Run) -> None:
    """Let all workers of this process end at their next block."""
    for part in run.parts.values():
        give_up(part.counters)


def _first_knot(step: Call, memory: Array) -> Array:
    """Memory of a group that is followed from step to step: what to do, the knot it starts from, room for the next."""
    if step.knot is None:
        return memory
    width = step.knot.size
    begin = memory[2 : 2 + width] if memory[0] else step.knot
    return np.concatenate([[FORCE], begin, np.zeros(width)])


def _work(run: Run, calls: tuple[Any, ...], part: Part) -> None:
    try:
        _go(run, calls, part)
    except BaseException:
        give_up(part.counters)
        raise


def _go(run: Run, calls: tuple[Any, ...], part: Part) -> None:
    part.clock[:] = 0
    if part.whole is not None:
        share_all(calls, *part.whole)
        return
    teams = run.backend.workers // len(run.lanes)
    done = 0
    for start, stop in _taken(run) if run.first_come else run.spans[part.team :: teams]:
        if not _prepared_in_python(run, calls, part, (start, stop, done)):
            return
        done += -(-(stop - start) // run.block)


def _taken(run: Run) -> Iterator[tuple[int, int]]:
    own = run.spans
    while (k := int(next_of(run.taken))) < len(own):
        yield own[k]


def _prepared_in_python(run: Run, calls: tuple[Any, ...], part: Part, span: tuple[int, int, int]) -> bool:
    """A span of steps with drivers that are evaluated here, or lanes that exchange messages."""
    (start, stop, done), chunk = span, span_of(run.block)
    for first in range(start, stop, chunk):
        ahead = run.times[first : min(first + chunk, stop)]
        drivers = driving(part.drivers, ahead, part.laws)
        place = (first, run.block, done + (first - start) // run.block, run.repeats, run.past_caches)
        if not part.sweep(calls, part.plan, ahead, drivers, *_fixed(run, part), place):
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
    own = run.spans[team :: run.backend.workers // len(run.lanes)]
    _, runs, _, group_runs = _kept(run, run.lanes[lane])
    steps, rows, groups = (
        np.concatenate([np.arange(0), *(np.arange(*pair) for pair in pairs)]) for pairs in (own, runs, group_runs)
    )
    return [(rows, steps)] * 3 + [(groups, steps)] * 2


def _padded(rows: Array, n: int) -> Array:
    own = aligned_rows(*rows.shape)
    own[:] = rows
    return own[:, :n]


def waited(run: Run) -> float:
    """Share of their time that the workers spent waiting for each other."""
    clocks = run.clocks.sum(axis=0)
    return float(clocks[WAITING] / max(1, clocks[RUNNING]))
