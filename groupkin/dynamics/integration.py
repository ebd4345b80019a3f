"""Integrate free coordinates: by compiled methods, or by those of scipy."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.free_motion import FreeMotion
from groupkin.dynamics.loads import acting
from groupkin.errors import LoadError, SimulationError
from sglibrary.dynamics import explicit, rosenbrock
from sglibrary.dynamics.steps import AT, DONE, MOST, NEXT, STIFF, STUCK, Integration

Array = NDArray[np.float64]
Progress = Callable[[float], None] | None

LEAST = 1e-3
"""Conditioning at which free coordinates come to rest, as they cannot lead the mechanism on."""

TOGETHER = 0.05
"""Time that steps take which are taken without looking up, s: between reports of progress, and until Ctrl-C works."""

OTHERS = {"auto": "DOP853", "explicit": "DOP853", "implicit": "Radau"}
"""Methods of scipy in place of the compiled ones, where groups are iterated."""


@dataclass
class Found:
    """Coordinates and rates (2 f, n) at n times, of which the first `reached` are known."""

    times: Array
    values: Array
    reached: int = 1


def integrate(
    free: FreeMotion, found: Found, method: str, rtol: float, atol: Array | float, progress: Progress
) -> None:
    """Integrate from the first state to all times.

    Raises
    ------
    SimulationError
        With the time, and why.
    """
    if free.program.iterates or method not in OTHERS:
        _by_scipy(free, found, OTHERS.get(method, method), rtol, atol, progress)
        return
    size = 2 * len(free.free)
    run = Integration(
        np.array([found.times[0], 0.0, MOST]),
        np.array([1, 0, 0, 0, 0, 0]),
        found.values[:, :1].copy(),
        np.zeros((size, 1)),
        rtol,
        np.full(size, atol, float),
        LEAST,
        found.times,
        found.values,
    )
    implicit, most, stands = method == "implicit", 32, -1
    while stands != DONE:
        began = clock.perf_counter()
        if implicit:
            rooms = free.room(1), free.room(2 * size + 3)
            stands = rosenbrock.advance(free.problem, *rooms, run, free.units, most)
        else:
            stands = explicit.advance(free.problem, free.room(1), run, tableau(), most, method == "auto")
        taken = clock.perf_counter() - began
        most = int(np.clip(most * TOGETHER / max(taken, 1e-9), 8, 16 * most))
        found.reached = int(run.counts[NEXT])
        implicit = implicit or stands == STIFF
        if stands == STUCK:
            raise _stuck(free, float(run.numbers[AT]), run.y[:, 0])
        if progress is not None:
            progress(float(run.numbers[AT]))


@cache
def tableau() -> explicit.Tableau:
    """Coefficients of the explicit method."""
    from scipy.integrate._ivp import dop853_coefficients as known

    return explicit.Tableau(
        *(np.ascontiguousarray(x) for x in (known.A, known.B, known.C, known.E3, known.E5, known.D))
    )


def _by_scipy(free: FreeMotion, found: Found, method: str, rtol: float, atol: Any, progress: Progress) -> None:
    from scipy import integrate

    count, times = len(free.free), found.times

    def rate(time: float, state: Array) -> Array:
        gains = free.accelerations(time, state[:count], state[count:])
        if free.conditioning < LEAST:
            raise SimulationError(f"the simulation cannot go on at t = {time:.6g} s: {_why(free, time, state)}")
        return np.concatenate([state[count:], gains])

    solver = getattr(integrate, method)(rate, times[0], found.values[:, 0], times[-1], rtol=rtol, atol=atol)
    while solver.status == "running":
        known = solver.y
        solver.step()
        if solver.status == "failed" or not np.isfinite(solver.y).all():
            raise _stuck(free, float(solver.t), known)
        between, ahead = solver.dense_output(), times[found.reached :]
        for time in ahead[ahead <= solver.t]:
            found.values[:, found.reached] = between(time)
            found.reached += 1
        if progress is not None:
            progress(float(solver.t))


def _stuck(free: FreeMotion, time: float, y: Array) -> SimulationError:
    return SimulationError(f"the simulation cannot go on after t = {time:.6g} s: {_why(free, time, y)}")


def _why(free: FreeMotion, time: float, y: Array) -> str:
    """Say why no step is possible after a state."""
    count = len(free.free)
    motion = free.configuration(time, y[:count], y[count:])
    conditioning = motion.conditioning[:, 0]
    worst = int(np.argmin(np.where(np.isfinite(conditioning), conditioning, 0.0)))
    group = free.program.structure.groups[worst]
    named = f"group {group.number} ({', '.join(group.bodies)}; {group.label})"
    if conditioning[worst] < 0.1 or not motion.solved.all():
        return (
            f"{named} has the conditioning {conditioning[worst]:.3g}, near a position that {', '.join(free.names)} "
            "cannot lead through; leave another driver without a law"
        )
    try:
        for load in free.program.mechanism.forces:
            acting(motion, load, True)
    except LoadError as error:
        return str(error)
    return "forces change too fast; look for infinite stiffness or forces that are no numbers, or try method='implicit'"
