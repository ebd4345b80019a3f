"""Single steps, timed one by one, as a controller or a real-time simulator asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from groupkin.dynamics.reactions.backward_pass import Pass
from groupkin.dynamics.simulation.free_motion import starting_values
from groupkin.dynamics.simulation.simulation import free_motion
from groupkin.errors import SimulationError
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.mechanism import Mechanism
from groupkin.memory import collector_paused
from routes.diagrams.route import Route
from routes.diagrams.route_tree import tree
from routes.running.stepper import start_stepper
from routes.timing.group_costs import tick
from routes.timing.strategies import lanes_for
from sglibrary.array_types import Array
from sglibrary.dynamics.equations import timed_accelerations

STEPS = 100_000
"""Steps that are timed."""

WARM = 1000
"""Steps that are not timed, after which caches hold what is needed and threads run."""

RARE = 0.999
"""Share of the steps that take no longer than the quantile that is told."""

CLEARLY = 0.95
"""Share of one worker's time below which others are faster, and not by chance."""

LOADS = tuple(np.unique(np.geomspace(1, 1000, 13).astype(int)).tolist())
"""How often groups are solved to find from which cost on it pays to share them."""


@dataclass(frozen=True)
class RealTime:
    """What single steps cost, s.

    Attributes
    ----------
    route : Route
    workers : int
        Threads.
    steps, failed : int
        How many were timed, and of these not solved.
    mean, quantile, worst : float
        Of all steps; the quantile is that of `RARE`.
    difference : float
        Largest difference of the last step's coordinates from those by one thread.
    """

    route: Route
    workers: int
    steps: int
    failed: int
    mean: float
    quantile: float
    worst: float
    difference: float = 0.0


def real_time(
    program: Program,
    times: Array,
    routes: Sequence[Route],
    workers: Sequence[int] = (1, 2),
    *,
    steps: int | None = None,
    backward: Pass | None = None,
    work: int = 1,
) -> list[RealTime]:
    """Time single steps by routes on numbers of threads; on one thread by the sequential route alone.

    Parameters
    ----------
    program : Program
    times : (n,) array
        s; steps go through this span.
    routes : sequence of Route
    workers : sequence of int
    steps : int, optional
        Of each; default: `STEPS`.
    backward : Pass, optional
        What carries loads back after each step.
    work : int
        How often each group is solved: a synthetic load.
    """
    t = np.linspace(times[0], times[-1], steps or STEPS)
    given = np.array([driven.law.at(t) for driven in program.drivers]).reshape(len(program.drivers), 3, t.size)
    given = np.ascontiguousarray(given)
    found, expected = list[RealTime](), None
    sequential = tree(program.structure).sequential
    pairs = [(route, count) for count in workers for route in (routes if count > 1 else [sequential])]
    for route, count in dict.fromkeys(pairs):
        stepper = start_stepper(program, route, lanes_for(program.structure, route, count), None, backward, work)
        stepper.timed(np.ascontiguousarray(given[:, :, :WARM]))
        with collector_paused():  # which other threads' Python would start
            stamps, failed = stepper.timed(given)
        seconds = np.diff(stamps) * tick()
        last = stepper.motion.q.copy()
        expected = last if expected is None else expected
        away = float(np.abs(last - expected).max(initial=0.0))
        found.append(_told(route, count, seconds, failed, away))
    return found


def _told(route: Route, count: int, seconds: Array, failed: int, away: float) -> RealTime:
    quantile, worst = float(np.quantile(seconds, RARE)), float(seconds.max())
    return RealTime(route, count, seconds.size, failed, float(seconds.mean()), quantile, worst, away)


def right_hand_side(mechanism: Mechanism, steps: int | None = None) -> Array:
    """Seconds of each of many evaluations of the equations of motion, near the reference configuration.

    Where all drivers have laws they are free instead.

    Raises
    ------
    SimulationError
        If nothing is free, or groups are solved by Newton's method, whose equations are not evaluated by compiled code
        alone.
    """
    lawful = mechanism.drivers and all(driver.law is not None for driver in mechanism.drivers)
    free = free_motion(replace(mechanism, drivers=()) if lawful else mechanism)
    if free.program.iterates:
        raise SimulationError(
            "the equations of motion of groups by Newton's method are not evaluated by compiled code alone, in real "
            "time; choose free coordinates with which all groups have closed forms (groupkin transform)"
        )
    values, rates = starting_values(free, None)
    y = np.concatenate([values, rates])[:, None]
    steps = steps or STEPS
    phases = np.linspace(0.0, 200.0 * np.pi, steps)
    states = y + 1e-3 * np.tile(free.units, 2)[:, None] * np.sin(phases)
    room, stamps = free.room(1), np.zeros(steps + 1, np.int64)
    memory = np.zeros_like(y), np.zeros_like(y), np.zeros(1)
    timed_accelerations(free.problem, room, np.ascontiguousarray(states[:, :WARM]), *memory, stamps)
    timed_accelerations(free.problem, room, np.ascontiguousarray(states), *memory, stamps)
    return np.asarray(np.diff(stamps) * tick())


def pays_from(program: Program, times: Array, route: Route, workers: int) -> float | None:
    """Mean cost of a group, s, from which on workers who share groups step faster than one; None if they do not.

    Groups are solved several times, as a synthetic load. Where a route has no groups side by side none is.
    """
    groups = len(program.structure.groups)
    if len(route.stages) == groups:
        return None
    for work in LOADS:
        one, shared = real_time(program, times, [route], (1, workers), steps=2000, work=work)
        if shared.mean < CLEARLY * one.mean:
            return one.mean / groups
    return None
