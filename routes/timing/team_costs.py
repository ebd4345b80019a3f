"""Measure what it costs that workers share the groups of a block: barriers, transfers, and starting a run."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]

from groupkin.kinematics.program.dataflow import Flow
from groupkin.kinematics.solving.state_memory import pitch_of
from routes.planning.costs import BYTES_PER_ROW
from routes.running.backends import Backend
from routes.running.schedules import Lane, Lanes, messages
from routes.timing.group_costs import REPEATS, Measured, least_seconds, spread_of
from sglibrary import attachments
from sglibrary.run.calls import Calls, Drivers, State, handle
from sglibrary.run.team_loop import CALLS, LINE, LaneResults, Member, Place, Plan

STAGES = 8
"""Stages of the run that times barriers."""

POINTS = 16
"""Points that are transferred in the run that times this."""

BLOCKS, TRANSFERRED = 50, 2**15
"""Blocks of these runs, and their largest number of steps."""

LONG = 0.02
"""Seconds after which such a run is not repeated: on a busy machine every wait may take milliseconds."""

NONE, NO_RUNS = np.zeros(0, np.int64), np.zeros((0, 2), np.int64)
NO_DRIVERS = Drivers(NONE, np.zeros((0, 4)), np.zeros(0), np.zeros(0, bool), NONE, np.zeros((0, 3, 0)))


def measure_team(backend: Backend, block: int) -> Measured:
    """Seconds that workers need to work together.

    Returns
    -------
    Measured
        "barrier": seconds of a barrier of all workers; "byte": seconds to transfer one from one worker to another;
        "run": seconds to begin and end a run.
    """
    numbers = tuple(range(1, STAGES + 1))
    lanes = []
    for k in range(backend.workers):
        others = [other for other in range(backend.workers) if other != k]
        lanes.append(Lane(numbers, tuple(tuple((other, n - 1) for other in others if n > 1) for n in numbers)))
    nothing = Calls(NONE, NONE, np.zeros(0), np.zeros(0), np.zeros((1, 3), np.int64), NONE)
    stages, of_stages = _seconds_per_block(backend, tuple(lanes), [Flow((0, 0), NONE, NONE)] * STAGES, nothing, 1)
    barrier = stages / STAGES
    points, idle = _two_calls(), (Lane((), ()),) * (backend.workers - 1)
    written = 13 + np.arange(3 * POINTS)
    flows = [Flow((0, 1), NONE, written), Flow((1, 2), written, written + 3 * POINTS)]
    on_one, of_one = _seconds_per_block(backend, (Lane((1, 2), ((), ())), *idle), flows, points, block)
    second = Lane((2,), (((0, 1),),))
    on_two, of_two = _seconds_per_block(backend, (Lane((1,), ((),)), second, *idle[1:]), flows, points, block)
    costs = {
        "barrier": barrier,
        "byte": max(0.0, on_two - on_one - 2.0 * barrier) / (written.size * block * BYTES_PER_ROW),
        "run": least_seconds(lambda: backend.run(lambda worker: None), 20),
    }
    return Measured(costs, max(of_stages, of_one, of_two))


def _two_calls() -> Calls:
    """Two calls, the second of which reads the points that the first has written."""
    first = 13 + 3 * np.arange(POINTS)
    entries = np.tile(np.array([0, 1, 4, 7, 10], np.int64), (2, POINTS, 1))
    entries[0, :, 0] = entries[1, :, 1] = first
    entries[1, :, 0] = first + 3 * POINTS
    rows = np.concatenate([[3], entries[0].ravel(), [3], entries[1].ravel()])
    half = rows.size // 2
    starts = np.array([[0, 0, 0], [half, 3 * POINTS, 0], [2 * half, 6 * POINTS, 0]], np.int64)
    handles = [handle(attachments.motion)] * 2
    packed = handles if DISABLE_JIT else np.array(handles, np.int64)
    return Calls(packed, rows, np.zeros(6 * POINTS), np.zeros(0), starts, np.zeros(2, np.int64))


def _seconds_per_block(
    backend: Backend, lanes: Lanes, flows: Sequence[Flow], calls: Calls, block: int
) -> tuple[float, float]:
    """Seconds per block of lanes that make calls without a program, and the spread of the runs."""
    workers, blocks = backend.workers, max(4, min(BLOCKS, TRANSFERRED // block))
    steps = np.zeros(blocks * block)
    shape = ((13 + 6 * POINTS, pitch_of(block)), float)
    names = [f"bare {k}" for k in range(4)]
    memory = backend.memory({**dict.fromkeys(names, shape), "bare counters": ((workers + 1, LINE), np.int64)}, workers)
    *state, counters = memory.values()
    status = np.zeros((1, steps.size), np.uint8)
    totals = np.array([len(lane.groups) for lane in lanes], np.int64)
    solve = backend.lane_solver(workers, lambda: messages(lanes, flows))
    results = LaneResults(NONE, NO_RUNS, NONE, NO_RUNS, tuple(np.zeros((1, 1)) for _ in range(4)), status, False)
    done = 0

    def work(worker: int) -> None:
        lane = lanes[worker]
        items = np.array([flows[number - 1].calls for number in lane.groups], np.int64).reshape(-1, 2)
        plan = Plan(items, *lane.packed(), totals, np.zeros(len(calls.groups), np.int64), 1)
        member = Member(worker, counters, np.zeros(CALLS + len(calls.groups), np.int64))
        solve(calls, plan, steps, NO_DRIVERS, State(*state), results, member, Place(0, block, done))

    seconds: list[float] = []
    while backend.broadcast(lambda: len(seconds) < 3 * REPEATS and sum(seconds) * blocks < LONG):
        began = time.perf_counter()
        backend.run(work)
        seconds.append((time.perf_counter() - began) / blocks)
        done += blocks
    return min(seconds), spread_of(seconds)
