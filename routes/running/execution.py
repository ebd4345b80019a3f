"""Solve a program by a route, and carry loads back through it: lanes on the workers of a backend."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.reactions.backward_pass import Pass
from groupkin.errors import ArgumentError, RouteError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Call, Program
from groupkin.kinematics.solving.block_sizes import block_of, span_of
from groupkin.kinematics.solving.call_packing import packed
from groupkin.kinematics.solving.driver_values import drivers_at, require_laws
from groupkin.kinematics.solving.motion_memory import STREAMED, allocate, reused, whole_rows
from groupkin.kinematics.solving.state_memory import aligned_rows, block_state, pitch_of
from groupkin.kinematics.solving.tracking import track
from routes.running.assignments import assignment, written
from routes.running.backends import Backend
from routes.running.runs import STEP_BY_STEP, Assignment, Run, WayBack, flows_of
from routes.running.schedules import Lanes, there, there_and_back
from sglibrary.array_types import Array, Ints
from sglibrary.iterative.knots import FORCE
from sglibrary.run import team_loop
from sglibrary.run.calls import Calls, State, joined
from sglibrary.run.copy import fits

LONG, LONG_ITERATED = 2**22, 2**17
"""Steps times groups of runs that may take so long, some tenths of a second, that they can be interrupted."""


def prepare(
    program: Program,
    times: Array,
    lanes: Lanes,
    backend: Backend,
    block: int | None = None,
    repeats: int = 1,
    backward: Pass | None = None,
    motion: Motion | None = None,
) -> Run:
    """Allocate the memory of a run, on all workers; with a pass, loads are carried back after the groups of each block.

    Results are written into the motion, if one is given that all workers see.

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
    written_to = {
        **dict.fromkeys("qva", ((rows, pitch), float)),
        "conditioning": ((groups, pitch), float),
        "status": ((groups, n), np.uint8),
    }
    memory = backend.memory(
        {
            **(written_to if motion is None else {}),
            "taken": ((team_loop.LINE,), np.int64),
            "clocks": ((backend.workers, _line(team_loop.CALLS + _calls(program, backward))), np.int64),
        },
        None,
    )
    if motion is None:
        results, status = (memory["q"], memory["v"], memory["a"], memory["conditioning"]), memory["status"]
    else:
        results, status = whole_rows(motion), motion.status
    past_caches = 3 * results[0].nbytes > STREAMED and all(fits(x, block) for x in results)
    run = Run(
        program, times, lanes, None, backend, block, repeats, results, status, memory["clocks"],
        flows_of(program, None), {}, past_caches,
        packed(program, (np.zeros(1),) * len(program.calls)),
        memory["taken"],
        motion,
    )  # fmt: skip
    return _assigned(run if backward is None else _with_way_back(run, backward, np.zeros((0, n)), False))


def prepare_way_back(run: Run, backward: Pass, given: Array) -> Run:
    """Allocate what a pass takes along a motion that another run has solved.

    Parameters
    ----------
    run : Run
        Which has been executed.
    backward : Pass
    given : (k, n) array
        What it is given beside the motion, the same in all processes.
    """
    clocks = ((run.backend.workers, _line(team_loop.CALLS + _calls(run.program, backward))), np.int64)
    memory = run.backend.memory({"clocks of the way back": clocks}, None)
    lanes = there(run.lanes, run.groups)
    solved = replace(run, lanes=lanes, clocks=memory["clocks of the way back"])
    return _assigned(_with_way_back(solved, backward, given, True))


def _with_way_back(run: Run, backward: Pass, given: Array, alone: bool) -> Run:
    shape = (backward.results.shape[1], pitch_of(run.times.size))
    memory = run.backend.memory({"forces": (shape, float)}, None)
    found = flows_of(run.program, backward, alone)
    back = WayBack(backward, memory["forces"], np.ascontiguousarray(given), alone)
    return replace(run, back=back, lanes=there_and_back(run.lanes, found), flows=found)


def _calls(program: Program, backward: Pass | None) -> int:
    return len(program.calls) + (0 if backward is None else len(backward.calls.groups))


def _assigned(run: Run) -> Run:
    """The run with what each worker of this process does."""
    width, assignments = len(run.lanes), dict[int, Assignment]()
    for team in sorted({worker // width for worker in run.backend.local}):
        state, counters = _state(run, team)
        for worker in range(team * width, (team + 1) * width):
            if worker in run.backend.local:
                assignments[worker] = assignment(run, worker, state, counters)
    run.backend.barrier()  # everybody has filled in what is fixed
    return replace(run, assignments=assignments)


def _line(count: int) -> int:
    """Whole cache lines for so many numbers."""
    return -(-count // team_loop.LINE) * team_loop.LINE


def _state(run: Run, team: int) -> tuple[State, Ints]:
    """The state of a team with what is fixed filled in, and the counters of its lanes."""
    width, rows = len(run.lanes), None if run.back is None else run.back.backward.in_state.rows
    filled = block_state(run.program, run.block, rows)
    shapes = {f"{name} of team {team}, blocks of {run.block}": (x.shape, float) for name, x in filled._asdict().items()}
    counted = {f"counters of team {team}": ((width + 1, team_loop.LINE), np.int64)}
    *state, counters = run.backend.memory({**shapes, **counted}, width).values()
    for x, y in zip(state, filled, strict=True):
        x[:] = y
    return State(*state), counters


def execute(run: Run, resume: bool = True) -> None:
    """Solve the motion, and carry loads back, once, into the run's results.

    Raises
    ------
    GroupkinError
        What evaluation of a driver raised on any of the workers.
    """
    program, times = run.program, run.times
    for lane, counters, _ in (each.member for each in run.assignments.values()):
        counters[lane] = counters[-1] = 0
    run.taken[:] = 0
    run.backend.barrier()
    single = run.block == STEP_BY_STEP
    calls = run.calls
    if program.iterates and not run.alone:
        memories = run.backend.broadcast(lambda: track(program, times[:1] if single else times, resume))
        if single:
            memories = tuple(map(_first_knot, program.calls, memories))
        calls = packed(program, memories)
    long = times.size * len(run.flows) * run.repeats > (LONG_ITERATED if program.iterates else LONG)
    run.backend.run(lambda worker: _work(run, calls, run.assignments[worker]), partial(_stop, run) if long else None)


def _stop(run: Run) -> None:
    """Make all workers of this process end at their next block."""
    for each in run.assignments.values():
        team_loop.give_up(each.member.counters)


def _first_knot(call: Call, memory: Array) -> Array:
    """Memory of a group that is followed from step to step: the request, the knot it starts from, room for the next."""
    if call.knot is None:
        return memory
    width = call.knot.size
    begin = memory[2 : 2 + width] if memory[0] else call.knot
    return np.concatenate([[FORCE], begin, np.zeros(width)])


def _work(run: Run, calls: Calls, own: Assignment) -> None:
    try:  # what is inverted on the way back takes memory of each worker's own
        _solve(run, calls if run.back is None else joined(calls, run.back.backward.in_state.calls), own)
    except BaseException:
        team_loop.give_up(own.member.counters)
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
    width = span_of(run.block)
    for first in range(start, stop, width):
        ahead = run.times[first : min(first + width, stop)]
        place = team_loop.Place(first, run.block, blocks_before + (first - start) // run.block)
        drivers = drivers_at(own.program, ahead, own.drivers)
        if not own.solve(calls, own.plan, ahead, drivers, own.state, own.results, own.member, place):
            return False
    return True


def motion_for(backend: Backend, program: Program, times: Array, out: Motion | None) -> Motion | None:
    """A motion that workers can write into: a new one, or `out`; None if they are not all of this process.

    Raises
    ------
    GroupkinError
        If `out` is of another program or number of steps.
    ArgumentError
        If there is one, and workers are several processes.
    """
    if len(backend.local) == backend.workers:
        return allocate(program, times, None) if out is None else reused(out, program, times)
    if out is not None:
        raise ArgumentError("out is for ranks that share time, or for threads; leave it out where ranks share groups")
    return None


def motion_of(run: Run) -> Motion | None:
    """The results as a motion, a copy if it has none of its own; None where this process does not have them all."""
    if run.motion is not None:
        return run.motion
    n = run.times.size
    arrays: tuple[NDArray[Any], ...] = (*(x[:, :n] for x in run.results), run.status)
    if not run.backend.collect(arrays, lambda worker: written(run, worker)[:5]):
        return None
    q, v, a, conditioning = (_padded(x, n) for x in run.results)
    return Motion(run.program, run.times, q, v, a, run.status.copy(), conditioning)


def carried_of(run: Run, results: Array | None = None) -> Array | None:
    """What a way back has found, rows (k, n); None where this process does not have it all.

    Parameters
    ----------
    run : Run
    results : (outputs, n) array, optional
        To which it is copied.
    """
    assert run.back is not None
    found = run.back.results[:, : run.times.size]
    if not run.backend.collect((found,), lambda worker: written(run, worker)[5:]):
        return None
    if results is not None:
        results[run.back.backward.results[0]] = found
    return found


def _padded(rows: Array, n: int) -> Array:
    copied = aligned_rows(*rows.shape)
    copied[:] = rows
    return copied[:, :n]


def waited(run: Run) -> float:
    """Share of their time that the workers spent waiting for each other."""
    clocks = run.clocks.sum(axis=0)
    return float(clocks[team_loop.WAITING] / max(1, clocks[team_loop.RUNNING]))
