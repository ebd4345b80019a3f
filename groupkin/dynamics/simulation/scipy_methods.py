"""Integrate free coordinates by the methods of scipy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.dynamics.simulation.free_motion import FreeMotion
from groupkin.dynamics.simulation.integration import LEAST, Found, Progress, enough, lost_energy, progressed
from groupkin.dynamics.simulation.standstill import stuck
from groupkin.tolerances import SHORTEST_TIME_STEP
from sglibrary.array_types import Array
from sglibrary.dynamics.energy import balance_energy, begin_energy, supply
from sglibrary.dynamics.equations import settle
from sglibrary.dynamics.steps import AT, DONE, ENOUGH, LOST_ENERGY, POWER, STEPS, STUCK, WEAK, Integration

LOBATTO = np.array([0.0, 0.5 - 0.5 * np.sqrt(3.0 / 7.0), 0.5, 0.5 + 0.5 * np.sqrt(3.0 / 7.0), 1.0])
SHARES = np.array([9.0, 49.0, 64.0, 49.0, 9.0]) / 180.0
"""Places and weights of Lobatto's quadrature of order 8 over a step."""


class Rates:
    """The equations of motion as scipy takes them, with the power that is supplied at every call.

    Attributes
    ----------
    free : FreeMotion
    powers : list of float
        Of the calls since the last accepted step, W.
    """

    def __init__(self, free: FreeMotion) -> None:
        self.free, self.powers = free, list[float]()
        equations, _, _, forces = free.problem
        self.supplied = bool(equations.driven or forces.rows.size)

    def __call__(self, time: float, state: Array) -> Array:
        count = len(self.free.free)
        gains = self.free.accelerations(time, state[:count], state[count:])
        weak = not self.free.conditioning >= LEAST
        self.powers.append(self._power(state))
        return np.concatenate([state[count:], np.full(count, np.nan) if weak else gains])

    def _power(self, state: Array) -> float:
        room = self.free.room(1)
        if self.free.problem.equations.driven:
            settle(self.free.problem.equations, room, state[:, None], np.empty((state.size, 1)))
        return float(room.power[0])


def by_scipy(
    found: Found, run: Integration, method: str, kept: dict[str, NDArray[Any]] | None, progress: Progress
) -> Integration:
    """Integrate from the first state to all times; the integration itself is returned.

    Raises
    ------
    SimulationError
    """
    if kept is not None:
        run.numbers[:], run.y[:, 0] = kept["numbers"], kept["y"]
    while found.last is None and run.numbers[AT] < found.times[-1]:
        stands = _leg(found, run, method, kept, progress)
        kept = None
        if stands == LOST_ENERGY:
            raise lost_energy(found, run)
        if stands == DONE:
            break
        time, y = float(run.numbers[AT]), run.y[:, 0]
        other = found.change(time, y.copy())
        if other is None and stands == STUCK:
            other = found.change(time, y.copy(), thorough=True)
            if other is None:
                raise stuck(found.free, time, y)
        if other is not None:
            run.y[:, 0] = other
            run = run._replace(atol=found.tolerances(run.rtol))
    found.keep(True, **blank(found, run))
    return run


def blank(found: Found, run: Integration) -> dict[str, ArrayLike]:
    """State of an integration that has no rate and no step yet."""
    return _state(found.free, run, np.zeros(run.y.size), 0.0)


def _state(free: FreeMotion, run: Integration, rate: Array, step: float) -> dict[str, ArrayLike]:
    """State of an integration, with the rate (2 f,) of its coordinates and the step, s, that it tries next."""
    followed, memory, poses = free.memories
    following = {"followed": followed, "memory": memory, "poses": poses}
    return {"numbers": run.numbers, "y": run.y[:, 0], "f": rate, "step": step, **following}


def _leg(found: Found, run: Integration, method: str, kept: dict[str, NDArray[Any]] | None, progress: Progress) -> int:
    """Integrate as far as the free coordinates lead; how that stands. The integration is moved on."""
    from scipy import integrate

    free, times, start = found.free, found.times, (float(run.numbers[AT]), run.y[:, 0].copy())
    rate = Rates(free)
    if kept is None:
        run.numbers[ENOUGH] = enough(free, *start)
    if not np.isfinite(rate(*start)).all():
        return STUCK
    if kept is None:
        found.step_to(*start)
        begin_energy(free.problem.equations, free.room(1), 0, run)
        run.numbers[POWER] = rate.powers[-1]
    solver = getattr(integrate, method)(rate, *start, times[-1], rtol=run.rtol, atol=run.atol)
    if kept is not None:
        solver.f, solver.h_abs = kept["f"], float(kept["step"])
        for memory, name in zip(free.memories, ("followed", "memory", "poses"), strict=True):
            memory[:] = kept[name]
    mark, longest = (0, float(solver.t)), max(abs(start[0]), abs(times[-1]), times[-1] - times[0])
    while solver.status == "running":
        if found.checkpoint is not None:
            found.keep(False, **_state(free, run, solver.f, float(solver.h_abs)))
        before = float(solver.t)
        rate.powers.clear()
        solver.step()
        too_short = float(solver.t) < times[-1] and not float(solver.t) - before > SHORTEST_TIME_STEP * longest
        if solver.status == "failed" or too_short or not np.isfinite(solver.y).all():
            return STUCK
        supply(run, *_work(solver, rate, float(run.numbers[POWER]), before))
        run.numbers[AT], run.y[:, 0] = solver.t, solver.y
        found.step_to(float(solver.t), solver.y)
        run.counts[STEPS] += 1
        mark = progressed(run, mark)
        between, ahead = solver.dense_output(), times[found.reached :]
        for time in ahead[ahead <= solver.t]:
            found.values[:, found.reached] = between(time)
            found.reached += 1
        if found.ends(between, before, float(solver.t)):
            return DONE
        if progress is not None:
            progress(float(solver.t))
        rate(solver.t, solver.y)
        run.numbers[POWER] = rate.powers[-1]
        conditioning, room = free.conditioning, free.room(1)
        settle(free.problem.equations, room, run.y, np.empty_like(run.y))
        if not balance_energy(free.problem.equations, room, 0, run, float(solver.t)):
            return LOST_ENERGY
        if solver.status == "running" and conditioning < run.numbers[ENOUGH]:
            return WEAK
    return DONE


def _work(solver: Any, rate: Rates, first: float, start: float) -> tuple[float, float]:
    """The work that is supplied over the last step, and its error where drivers move: by the method's own quadrature.

    Of implicit methods it is Lobatto's, the error its difference from Simpson's.
    """
    if not rate.supplied:
        return 0.0, 0.0
    step, driven = float(solver.t) - start, rate.free.problem.equations.driven
    if hasattr(solver, "B"):
        powers = np.array([first, *rate.powers[-solver.n_stages :]])
        error = abs(float((solver.E5 if hasattr(solver, "E5") else solver.E) @ powers))
        return step * float(solver.B @ powers[:-1]), driven * step * error
    between, kept, at = solver.dense_output(), [memory.copy() for memory in rate.free.memories], [first]
    for share in LOBATTO[1:]:
        rate(start + share * step, between(start + share * step))
        at.append(rate.powers[-1])
    for memory, values in zip(rate.free.memories, kept, strict=True):
        memory[:] = values
    work = step * float(SHARES @ at)
    return work, driven * abs(work - step * (at[0] + 4.0 * at[2] + at[4]) / 6.0)
