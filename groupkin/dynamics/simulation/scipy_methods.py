"""Integrate free coordinates by the methods of scipy."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.dynamics.simulation.events import States
from groupkin.dynamics.simulation.free_motion import FreeMotion
from groupkin.dynamics.simulation.integration import LEAST, Found, Progress, enough, lost_energy, progressed
from groupkin.dynamics.simulation.standstill import stuck
from groupkin.tolerances import SHORTEST_TIME_STEP
from sglibrary.array_types import Array
from sglibrary.dynamics.energy import balance_energy, begin_energy, supply
from sglibrary.dynamics.equations import settle
from sglibrary.dynamics.kinks import measure, share_to_end
from sglibrary.dynamics.steps import AT, DONE, ENOUGH, LOST_ENERGY, POWER, REJECTED, STEPS, STUCK, WEAK, Integration

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
        equations, forces = free.problem.equations, free.problem.forces
        self.supplied = bool(equations.driven or forces.rows.size)

    def __call__(self, time: float, state: Array) -> Array:
        count = len(self.free.free)
        gains = self.free.accelerations(time, state[:count], state[count:])
        weak = not self.free.conditioning >= LEAST
        self.powers.append(self._power(state))
        return np.concatenate([state[count:], np.full(count, np.nan) if weak else gains])

    def stops(self, time: float, state: Array) -> Array:
        """Measure the coordinates of stops and their rates (s, 2) at a state (2 f,)."""
        found = np.zeros((self.free.problem.forces.stops.size, 2))
        if found.size:
            self(time, state)
            measure(self.free.problem, self.free.room(1), 0, found)
        return found

    def memories(self) -> list[Array]:
        """Copy the pose from which groups by Newton's method are followed."""
        return [memory.copy() for memory in self.free.memories]

    def restore(self, memories: list[Array]) -> None:
        """Follow groups from a pose that was copied."""
        for memory, known in zip(self.free.memories, memories, strict=True):
            memory[:] = known

    def _power(self, state: Array) -> float:
        room = self.free.room(1)
        if self.free.problem.equations.driven:
            settle(self.free.problem, room, state[:, None], np.empty((state.size, 1)))
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
    stops = np.zeros((found.free.problem.forces.stops.size, 2))
    return _state(found.free, run, np.zeros(run.y.size), 0.0, stops)


def _state(free: FreeMotion, run: Integration, rate: Array, step: float, stops: Array) -> dict[str, ArrayLike]:
    """State of an integration, with the rate (2 f,) of its coordinates and the step, s, that it tries next.

    With stops also their coordinates and rates (s, 2).
    """
    followed, memory, poses = free.memories
    following = {"followed": followed, "memory": memory, "poses": poses}
    return {"numbers": run.numbers, "y": run.y[:, 0], "f": rate, "step": step, "stops": stops, **following}


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
        begin_energy(free.problem, free.room(1), 0, run)
        run.numbers[POWER] = rate.powers[-1]
    begun = partial(getattr(integrate, method), rate, t_bound=times[-1], rtol=run.rtol, atol=run.atol)
    solver, stops = begun(*start), rate.stops(*start)
    if kept is not None:
        solver.f, solver.h_abs = kept["f"], float(kept["step"])
        rate.restore([kept[name] for name in ("followed", "memory", "poses")])
        stops[:] = kept["stops"]
    mark, longest = (0, float(solver.t)), max(abs(start[0]), abs(times[-1]), times[-1] - times[0])
    while solver.status == "running":
        if found.checkpoint is not None:
            found.keep(False, **_state(free, run, solver.f, float(solver.h_abs), stops))
        before, y = float(solver.t), solver.y
        rate.powers.clear()
        pose = rate.memories()
        solver.step()
        too_short = float(solver.t) < times[-1] and not float(solver.t) - before > SHORTEST_TIME_STEP * longest
        if solver.status == "failed" or too_short or not np.isfinite(solver.y).all():
            return STUCK
        step, work = float(solver.t) - before, _work(solver, rate, float(run.numbers[POWER]), before)
        after = rate.stops(solver.t, solver.y)
        share = share_to_end(free.problem.forces, step, stops, after)
        if share * step > SHORTEST_TIME_STEP * longest and share < 1.0:
            rate.restore(pose)
            solver = begun(before, y, first_step=share * step)
            run.counts[REJECTED] += 1
            mark = progressed(run, mark)
            continue
        stops = after
        supply(run, *work)
        run.numbers[AT], run.y[:, 0] = solver.t, solver.y
        found.step_to(float(solver.t), solver.y)
        run.counts[STEPS] += 1
        mark = progressed(run, mark)
        between = solver.dense_output()
        _sample(found, between, float(solver.t))
        if found.ends(between, before, float(solver.t)):
            return DONE
        if progress is not None:
            progress(float(solver.t))
        rate(solver.t, solver.y)
        run.numbers[POWER] = rate.powers[-1]
        conditioning, room = free.conditioning, free.room(1)
        settle(free.problem, room, run.y, np.empty_like(run.y))
        if not balance_energy(free.problem, room, 0, run, float(solver.t)):
            return LOST_ENERGY
        if solver.status == "running" and conditioning < run.numbers[ENOUGH]:
            return WEAK
        if solver.status == "running" and share == 1.0:
            solver = begun(solver.t, solver.y)
    return DONE


def _sample(found: Found, between: States, end: float) -> None:
    """Write the states at the times up to the end of a step, which is given by its dense output."""
    ahead = found.times[found.reached :]
    for time in ahead[ahead <= end]:
        found.values[:, found.reached] = between(time)
        found.reached += 1


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
    between, pose, at = solver.dense_output(), rate.memories(), [first]
    for share in LOBATTO[1:]:
        rate(start + share * step, between(start + share * step))
        at.append(rate.powers[-1])
    rate.restore(pose)
    work = step * float(SHARES @ at)
    return work, driven * abs(work - step * (at[0] + 4.0 * at[2] + at[4]) / 6.0)
