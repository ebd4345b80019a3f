"""Measure what the parts of a program cost in one thread."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from groupkin.dynamics.reactions.backward_pass import Pass
from groupkin.dynamics.reactions.carrier import first_map
from groupkin.errors import GroupkinWarning, RouteError
from groupkin.kinematics.program.program import Call, Program
from groupkin.kinematics.solving.driver_values import compiled, drivers_at, drivers_of
from groupkin.kinematics.solving.tracking import track
from routes.running.backends import serial
from routes.running.execution import execute, prepare
from routes.running.runs import STEP_BY_STEP
from routes.running.schedules import Lane
from sglibrary import attachments
from sglibrary.array_types import Array, Ints
from sglibrary.run.team_loop import CALLS, KEEPING, LOADING, RUNNING, now

REPEATS = 7
"""Runs of which the fastest counts: others were disturbed."""

STEPS = 4096
"""Steps of a measured motion, or as many blocks of them as fit."""


BUSY = 1.5
"""How many times as long as the fastest run the median one may take, before the machine counts as busy."""


class Measured(NamedTuple):
    """Seconds by the name of what was measured, and by how much longer than the fastest the median run took."""

    seconds: dict[str, float]
    spread: float


def disturbed(spread: float) -> bool:
    """Warn of measurements that other work on the machine has disturbed."""
    if spread <= BUSY:
        return False
    warnings.warn(
        "this machine is busy: runs that should take the same time differ by more than half. Costs measured now are "
        "not reliable, and not kept; measure again when the machine is idle",
        GroupkinWarning,
        stacklevel=2,
    )
    return True


def spread_of(seconds: Sequence[float]) -> float:
    """By how much longer than the fastest the median run took."""
    return float(np.median(seconds)) / min(seconds)


def profile(program: Program, times: Array, block: int, backward: Pass | None = None) -> Measured:
    """Seconds per step of everything that a run in one thread does.

    Parameters
    ----------
    program : Program
    times : (n,) array
        s; the motion over whose span is measured.
    block : int
        Steps per block.
    backward : Pass, optional
        What carries loads back through the groups.

    Returns
    -------
    Measured
        By `call_names`, `law_names`, "kept" (one row of the result), and `run_name`: seconds to begin and end the run.
    """
    n = min(max(STEPS, 8 * block), 64 * 1024) if block != STEP_BY_STEP else STEPS // 4
    t = np.linspace(times[0], times[-1], n)
    in_python = _seconds_in_python(program, t)
    best, clock, spread = _fastest_run(program, t, block, backward)
    spent = clock * tick() / n
    of_calls: dict[str, list[float]] = {}
    for name, seconds in zip(call_names(program, backward), spent[CALLS:], strict=False):
        of_calls.setdefault(name, []).append(float(seconds))
    following = follow_seconds(program, t) if program.iterates and block != STEP_BY_STEP else 0.0
    inside = float(clock[RUNNING]) * tick() + n * sum(in_python[name] for name in law_names(program)) + following
    loading = float(spent[LOADING]) / max(1, len(program.drivers))
    costs = {
        **{name: float(np.mean(values)) for name, values in of_calls.items()},
        **{name: seconds + loading for name, seconds in in_python.items()},
        "kept": float(spent[KEEPING]) / max(1.0, len(program.kept) + rows_kept(backward)),
        run_name(program): max(0.0, best - inside),
    }
    return Measured(costs, spread)


def _fastest_run(program: Program, times: Array, block: int, backward: Pass | None) -> tuple[float, Ints, float]:
    """Seconds of the fastest of some runs, where they went in ticks (`sglibrary.run.team_loop.share`), their spread."""
    run = prepare(program, times, single_lane(program), serial(), block, backward=backward)
    best, clock = np.inf, run.clocks[0]
    every = []
    execute(run)
    for _ in range(REPEATS):
        began = time.perf_counter()
        execute(run)
        every.append(time.perf_counter() - began)
        if every[-1] < best:
            best, clock = every[-1], run.clocks[0].copy()
    return best, clock, spread_of(every)


def _seconds_in_python(program: Program, times: Array) -> dict[str, float]:
    """Seconds per step to evaluate each kind of law before compiled code loads it; 0 if compiled code evaluates it."""
    seconds = {}
    for name, driven in zip(law_names(program), program.drivers, strict=True):
        if name not in seconds:
            with_driver = replace(program, drivers=(driven,))
            drivers = drivers_of(with_driver)
            call = partial(drivers_at, with_driver, times, drivers)
            seconds[name] = 0.0 if compiled(drivers) else least_seconds(call, 3) / times.size
    return seconds


def follow_seconds(program: Program, times: Array) -> float:
    """Seconds to follow the groups that are solved by Newton's method through a motion."""
    return least_seconds(lambda: track(program, times, True), 3)


def single_lane(program: Program) -> tuple[Lane, ...]:
    """One lane for all groups."""
    numbers = tuple(group.number for group in program.structure.groups)
    return (Lane(numbers, ((),) * len(numbers)),)


# --- names of measurements -------------------------------------------------------------------


def run_name(program: Program) -> str:
    """The name of what it costs to begin and end a run; with iterated groups this depends on what they are."""
    return f"run of {' '.join(sorted(set(call_names(program))))}" if program.iterates else "run"


def call_names(program: Program, backward: Pass | None = None) -> list[str]:
    """The name of every call of a program, and of a pass: the same for calls that cost the same in other programs."""
    back = () if backward is None else backward.in_state.names
    return [_call_name(program, call) for call in program.calls] + [f"way back: {name}" for name in back]


def way_back(program: Program) -> Pass:
    """The pass for the forces of all drivers and the reactions in all joints, with masses and gravity alone.

    Raises
    ------
    RouteError
        If there is none that follows the groups in each block.
    """
    mechanism = program.mechanism
    found = first_map(program, tuple(joint.name for joint in mechanism.joints), None, True)
    if found is None:
        raise RouteError(
            "cams, rolling and couplings need the whole motion before loads are carried back; leave out the forces"
        )
    if not found.backward.results.size:
        raise RouteError("no body has a mass, so that there are no forces to compute; give bodies masses and inertias")
    return found.backward


def rows_kept(backward: Pass | None) -> float:
    """Results of a pass, as rows of three numbers."""
    return 0.0 if backward is None else backward.results.shape[1] / 3.0


def _call_name(program: Program, call: Call) -> str:
    if call.kernel is attachments.motion:
        entries = call.rows[1:].reshape(-1, 3 if program.mechanism.dimension == 2 else 5)
        points = int((entries[:, 1] >= 0).sum())
        return f"attached {program.mechanism.dimension}: {points} points, {len(entries) - points} directions"
    return f"group {program.structure.groups[call.group - 1].signature} {program.solvers[call.group - 1]}"


def law_names(program: Program) -> list[str]:
    """The name of the law of every driver of a program."""
    return [f"driver {type(driven.law).__name__}{' of an angle' * driven.rotation}" for driven in program.drivers]


# --- clocks ----------------------------------------------------------------------------------


def least_seconds(call: Callable[[], object], repeats: int) -> float:
    """Seconds of the fastest of several calls."""
    seconds = []
    for _ in range(repeats):
        began = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


@cache
def tick() -> float:
    """Seconds per tick of the processor's clock."""
    now()  # to load it must not count
    began, first = time.perf_counter(), now()
    time.sleep(0.02)
    return (time.perf_counter() - began) / float(now() - first)
