"""Measure what the groups of a program, and what happens around them, cost on this machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

import numpy as np
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numpy.typing import NDArray

from groupkin.kinematics.program.dataflow import Flow, flows
from groupkin.kinematics.program.program import Call, Program
from groupkin.kinematics.solving.blocks import compiled, drivers_at, drivers_of, pitch_of
from groupkin.kinematics.solving.tracking import track
from routes.planning.costs import Costs, guess_costs
from routes.running.backends import Backend, serial
from routes.running.execution import STEP_BY_STEP, execute, prepare
from routes.running.schedules import Lane, Lanes, messages
from routes.timing import cost_cache
from routes.timing.cost_cache import Key
from sglibrary import attachments
from sglibrary.run.calls import Calls, Drivers, State, handle
from sglibrary.run.team_loop import CALLS, KEEPING, LINE, LOADING, RUNNING, LaneResults, Member, Place, Plan, now

Array = NDArray[np.float64]

REPEATS = 7
"""Runs of which the fastest counts: others were disturbed."""

STEPS = 4096
"""Steps of a measured motion, or as many blocks of them as fit."""

BYTES = 24
"""Of one row of the state and step: position, velocity, acceleration."""

NONE, NO_RUNS = np.zeros(0, np.int64), np.zeros((0, 2), np.int64)


@dataclass(frozen=True)
class Prices:
    """What a program costs with some block size on some backend.

    Attributes
    ----------
    costs : Costs
        Of every step.
    run : float
        Seconds to begin and end a run.
    seed : float
        Seconds to follow the groups that are solved by iteration, once for a motion.
    """

    costs: Costs
    run: float = 0.0
    seed: float = 0.0

    def over(self, steps: int) -> Costs:
        """Costs of every step of a motion of so many."""
        seed = self.seed if self.costs.block != STEP_BY_STEP else 0.0
        return replace(self.costs, undivided=self.run / steps, seed=seed / steps)


def assumed(program: Program, workers: int, block: int) -> Prices:
    """What a program may cost, by counting operations: enough to share groups out where nothing is to be chosen."""
    return Prices(guess_costs(program.structure, workers, block))


def prices(program: Program, times: Array, backend: Backend, block: int, path: Path | None) -> Prices:
    """What a program costs; what is not known is measured.

    Parameters
    ----------
    times : (n,) array
        s; the motion over whose span is measured.
    path : Path or None
        Of the file of measurements (`routes.timing.cost_cache`); None: measure all, keep nothing.
    """
    own = backend.broadcast(lambda: _own(program, times, block, path))
    alone_for = own[_run(program)]
    shared = {"barrier": 0.0, "byte": 0.0, "run": alone_for}
    if backend.workers > 1:
        shared = _shared(backend, block, path)
        shared["run"] += alone_for
    seed = 0.0
    if program.iterates and block != STEP_BY_STEP:
        seed = backend.broadcast(lambda: _least(lambda: track(program, times, True), 3))
    return _assembled(program, own | shared, seed, block, backend.workers)


def _own(program: Program, times: Array, block: int, path: Path | None) -> dict[str, float]:
    """What the steps of a program, and its drivers and rows, cost in one thread."""
    keys: list[Key] = [(name, block, "serial") for name in {*_names(program), *_laws(program), "kept", _run(program)}]
    known = cost_cache.recall(path, keys) if path else {}
    if len(known) < len(keys):
        measured = {(name, block, "serial"): seconds for name, seconds in profile(program, times, block).items()}
        if path:
            cost_cache.remember(path, measured)
        known |= measured
    return {name: seconds for (name, _, _), seconds in known.items()}


def _shared(backend: Backend, block: int, path: Path | None) -> dict[str, float]:
    """What it costs to work together on a backend."""
    kind = f"{backend.name} {backend.workers}"
    keys: list[Key] = [(name, block, kind) for name in ("barrier", "byte", "run")]
    known = backend.broadcast(lambda: cost_cache.recall(path, keys) if path else {})
    if len(known) < len(keys):
        found = together(backend, block)
        known = backend.broadcast(lambda: {(name, block, kind): seconds for name, seconds in found.items()})
        if path:
            backend.broadcast(lambda: cost_cache.remember(path, known))
    return {name: seconds for (name, _, _), seconds in known.items()}


def _assembled(program: Program, known: dict[str, float], seed: float, block: int, workers: int) -> Prices:
    groups, found = program.structure.groups, flows(program)
    names, laws = _names(program), _laws(program)
    published: dict[int, float] = {}
    seconds: dict[int, float] = {}
    around: dict[int, float] = {}
    for group, flow in zip(groups, found, strict=True):
        read = [other.reads for other in found if other is not flow]
        rows = np.intersect1d(flow.writes, np.concatenate([np.zeros(0, np.int64), *read]))
        published[group.number] = float(BYTES * rows.size)
        seconds[group.number] = sum(known[names[k]] for k in range(*flow.calls))
        kept = np.isin(flow.writes, program.kept).sum()
        own = {*group.external, *group.internal}
        laws_of_group = [law for driven, law in zip(program.drivers, laws, strict=True) if driven.joint in own]
        around[group.number] = float(kept * known["kept"] + sum(known[law] for law in laws_of_group))
    costs = Costs(
        seconds,
        published,
        barrier=known["barrier"],
        bandwidth=1.0 / max(known["byte"], 1e-13),
        block=block,
        workers=workers,
        collected=float(BYTES * len(program.kept)),
        around=around,
    )
    return Prices(costs, known["run"], seed)


# --- one thread ------------------------------------------------------------------------------


def profile(program: Program, times: Array, block: int) -> dict[str, float]:
    """Seconds per step of all that a run in one thread does, by name; "run": seconds besides."""
    n = min(max(STEPS, 8 * block), 64 * 1024) if block != STEP_BY_STEP else STEPS // 4
    t = np.linspace(times[0], times[-1], n)
    run = prepare(program, t, alone(program), serial(), block)
    in_python = _in_python(program, t)
    best, clock = np.inf, run.clocks[0]
    execute(run)
    for _ in range(REPEATS):
        began = time.perf_counter()
        execute(run)
        taken = time.perf_counter() - began
        if taken < best:
            best, clock = taken, run.clocks[0].copy()
    spent = clock * tick() / n
    found: dict[str, list[float]] = {}
    for name, seconds in zip(_names(program), spent[CALLS:], strict=False):
        found.setdefault(name, []).append(float(seconds))
    mean = {name: float(np.mean(values)) for name, values in found.items()}
    following = _least(lambda: track(program, t, True), 3) if program.iterates and block != STEP_BY_STEP else 0.0
    inside = float(clock[RUNNING]) * tick() + n * sum(in_python[name] for name in _laws(program)) + following
    loaded = float(spent[LOADING]) / max(1, len(program.drivers))
    around = {"kept": float(spent[KEEPING]) / max(1, len(program.kept)), _run(program): max(0.0, best - inside)}
    return mean | {name: seconds + loaded for name, seconds in in_python.items()} | around


def _in_python(program: Program, times: Array) -> dict[str, float]:
    """Seconds per step to evaluate a law before compiled code loads it, by its kind; hardly any if that does it."""
    found = {}
    for name, driven in zip(_laws(program), program.drivers, strict=True):
        if name not in found:
            own = replace(program, drivers=(driven,))
            call = partial(drivers_at, own, times, drivers_of(own))
            found[name] = 0.0 if compiled(drivers_of(own)) else _least(call, 3) / times.size
    return found


def alone(program: Program) -> tuple[Lane, ...]:
    """One lane for all groups."""
    numbers = tuple(group.number for group in program.structure.groups)
    return (Lane(numbers, ((),) * len(numbers)),)


def _run(program: Program) -> str:
    """What it is called to begin and end a run: with iterated groups this is what following them leaves, and theirs."""
    return f"run of {' '.join(sorted(set(_names(program))))}" if program.iterates else "run"


def _names(program: Program) -> list[str]:
    """What each step of a program is called among the measurements."""
    return [_name(program, step) for step in program.calls]


def _name(program: Program, step: Call) -> str:
    if step.kernel is attachments.motion:
        entries = step.rows[1:].reshape(-1, 3 if program.mechanism.dimension == 2 else 5)
        points = int((entries[:, 1] >= 0).sum())
        return f"attached {program.mechanism.dimension}: {points} points, {len(entries) - points} directions"
    return f"group {program.structure.groups[step.group - 1].signature} {program.solvers[step.group - 1]}"


def _laws(program: Program) -> list[str]:
    return [f"driver {type(driven.law).__name__}{' of an angle' * driven.rotation}" for driven in program.drivers]


def _least(call: Callable[[], object], repeats: int) -> float:
    """Seconds of the fastest of several calls."""
    taken = []
    for _ in range(repeats):
        began = time.perf_counter()
        call()
        taken.append(time.perf_counter() - began)
    return min(taken)


@cache
def tick() -> float:
    """Seconds per tick of the processor's clock."""
    now()  # what it takes to load it is no part of what follows
    began, first = time.perf_counter(), now()
    time.sleep(0.02)
    return (time.perf_counter() - began) / float(now() - first)


# --- workers together ------------------------------------------------------------------------

STAGES = 8
"""Of the run that times barriers."""

POINTS = 16
"""That are handed on in the run that times it."""

BLOCKS, HANDED = 50, 2**15
"""Blocks of these runs, and steps at most."""

LONG = 0.02
"""Seconds after which such a run is not repeated: on a busy machine every wait may take milliseconds."""


def together(backend: Backend, block: int) -> dict[str, float]:
    """Seconds of a barrier of all workers, per byte that one hands on to another, and to begin and end a run."""
    numbers = tuple(range(1, STAGES + 1))
    stages = {
        k: [tuple((other, n - 1) for other in range(backend.workers) if other != k) if n > 1 else () for n in numbers]
        for k in range(backend.workers)
    }
    silent = [Flow((0, 0), NONE, NONE)] * STAGES
    nothing = Calls(NONE, NONE, np.zeros(0), np.zeros(0), np.zeros((1, 3), np.int64), NONE)
    barrier = (
        _bare(backend, tuple(Lane(numbers, tuple(waits)) for waits in stages.values()), silent, nothing, 1) / STAGES
    )
    points, idle = _points(), (Lane((), ()),) * (backend.workers - 1)
    written = 13 + np.arange(3 * POINTS)
    handed = [Flow((0, 1), NONE, written), Flow((1, 2), written, written + 3 * POINTS)]
    one = _bare(backend, (Lane((1, 2), ((), ())), *idle), handed, points, block)
    two = _bare(backend, (Lane((1,), ((),)), Lane((2,), (((0, 1),),)), *idle[1:]), handed, points, block)
    return {
        "barrier": barrier,
        "byte": max(0.0, two - one - 2.0 * barrier) / (written.size * block * BYTES),
        "run": _least(lambda: backend.run(lambda worker: None), 20),
    }


def _points() -> Calls:
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


NO_DRIVERS = Drivers(NONE, np.zeros((0, 4)), np.zeros(0), np.zeros(0, bool), NONE, np.zeros((0, 3, 0)))


def _bare(backend: Backend, lanes: Lanes, found: Sequence[Flow], calls: Calls, n: int) -> float:
    """Seconds per block of lanes whose items are calls without a program."""
    width, blocks = backend.workers, max(4, min(BLOCKS, HANDED // n))
    steps = np.zeros(blocks * n)
    shape = ((13 + 6 * POINTS, pitch_of(n)), float)
    memory = backend.memory(
        {**{f"bare {k}": shape for k in range(4)}, "bare counters": ((width + 1, LINE), np.int64)}, width
    )
    *state, counters = memory.values()
    status = np.zeros((1, steps.size), np.uint8)
    totals = np.array([len(lane.groups) for lane in lanes], np.int64)
    solve = backend.lane_solver(width, lambda: messages(lanes, found))
    results = LaneResults(NONE, NO_RUNS, NONE, NO_RUNS, tuple(np.zeros((1, 1)) for _ in range(4)), status, False)
    done = 0

    def work(worker: int) -> None:
        own = lanes[worker]
        items = np.array([found[number - 1].calls for number in own.groups], np.int64).reshape(-1, 2)
        plan = Plan(items, *own.packed(), totals, np.zeros(len(calls.groups), np.int64), 1)
        member = Member(worker, counters, np.zeros(CALLS + len(calls.groups), np.int64))
        solve(calls, plan, steps, NO_DRIVERS, State(*state), results, member, Place(0, n, done))

    taken: list[float] = []
    while backend.broadcast(lambda: len(taken) < 3 * REPEATS and sum(taken) * blocks < LONG):
        began = time.perf_counter()
        backend.run(work)
        taken.append((time.perf_counter() - began) / blocks)
        done += blocks
    return min(taken)
