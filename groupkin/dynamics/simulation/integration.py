"""Integrate free coordinates by compiled methods."""

from __future__ import annotations

import time as clock
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.dynamics.simulation.checkpoints import Checkpoint, read, write
from groupkin.dynamics.simulation.coordinate_changes import ENOUGH as WEAKEST
from groupkin.dynamics.simulation.coordinate_changes import changed
from groupkin.dynamics.simulation.events import States, Watch
from groupkin.dynamics.simulation.free_motion import FreeMotion
from groupkin.dynamics.simulation.standstill import stuck
from groupkin.dynamics.simulation.straight_on import NEAR, Gap, gap_at
from groupkin.errors import EnergyError, EnergyWarning, SimulationError
from groupkin.tolerances import ENERGY_RTOL, LEAST_PROGRESS
from sglibrary.array_types import Array
from sglibrary.dynamics import explicit, fixed_steps, rosenbrock
from sglibrary.dynamics.energy import FIRST, KINETIC, MOVED, OPEN, POTENTIAL, SINCE, SUSPECT, WORK, supply
from sglibrary.dynamics.equations import settle
from sglibrary.dynamics.steps import (
    AT,
    ENOUGH,
    EVALUATIONS,
    FIXED,
    GROWTH,
    LOST_ENERGY,
    MOST,
    NEXT,
    NUMBERS,
    REJECTED,
    RUNNING,
    SMOOTHS,
    STEP,
    STEPS,
    STIFF,
    STIFFS,
    STUCK,
    WEAK,
    Integration,
)

Progress = Callable[[float], None] | None

LEAST = 1e-3
"""Conditioning at which free coordinates come to rest, as they cannot lead the mechanism on."""

LOOSER = 2.0
"""Factor of the tolerances of a step that is taken again, which must not be refused by a rounding."""

WITHOUT_PROGRESS = 10_000
"""Steps, accepted or not, that must advance by `LEAST_PROGRESS`: a smooth motion needs some dozens there."""

TOGETHER = 0.05
"""Time that steps take which are taken without looking up, s: between reports of progress, and until Ctrl-C works."""

OTHERS = {"auto": "DOP853", "explicit": "DOP853", "implicit": "Radau"}
"""Methods of scipy in place of the compiled ones, where groups are iterated."""


@dataclass
class Found:
    """Coordinates and rates (2 f, n) at n times, of which the first `reached` are known.

    Attributes
    ----------
    times : (n,) array
        s.
    values : (2 f, n) array
    legs : list of (int, FreeMotion or Gap)
        The first time from which on the coordinates are those of these equations; between two of them may be a gap,
        in which the motion goes straight through a singular position.
    reached : int
    watch : Watch
        Of events.
    last : (float, (2 f,) array), optional
        Where an event has ended the simulation: time, s, and state.
    checkpoint : Checkpoint, optional
    straight : bool
        Whether to go straight through singular positions that no free coordinates lead through.
    atol : float, optional
        Absolute tolerance of coordinates and rates; by default that of the relative one, in their units.
    way : list of (int, float, (2 f,) array)
        Leg, time, s, and state after every step of coordinates with which groups are iterated: between times far apart
        a group could take another mode.
    """

    times: Array
    values: Array
    legs: list[tuple[int, FreeMotion | Gap]]
    reached: int = 1
    watch: Watch = field(default_factory=lambda: Watch(()))
    last: tuple[float, Array] | None = None
    checkpoint: Checkpoint | None = None
    straight: bool = False
    atol: float | None = None
    way: list[tuple[int, float, Array]] = field(default_factory=list)

    @property
    def first(self) -> FreeMotion:
        """The equations at the beginning."""
        first = self.legs[0][1]
        assert isinstance(first, FreeMotion)
        return first

    @property
    def free(self) -> FreeMotion:
        """The equations that lead on."""
        last = self.legs[-1][1]
        assert isinstance(last, FreeMotion)
        return last

    def step_to(self, time: float, y: Array) -> None:
        """Keep the state (2 f,) after a step, if groups are iterated."""
        if self.free.program.iterates:
            self.way.append((len(self.legs) - 1, time, y.copy()))

    def tolerances(self, rtol: float) -> Array:
        """Absolute tolerances (2 f,) of coordinates and rates."""
        return absolute_tolerances(self.free, rtol, self.atol)

    def known(self) -> tuple[Array, Array]:
        """Times (n,) and states (2 f, n) that are known."""
        times, values = self.times[: self.reached], self.values[:, : self.reached]
        if self.last is None or self.last[0] == times[-1]:
            return times, values
        return np.append(times, self.last[0]), np.column_stack([values, self.last[1]])

    @property
    def iterates(self) -> bool:
        """Whether groups are solved by Newton's method, or have been up to now."""
        return any(isinstance(leg, FreeMotion) and leg.program.iterates for _, leg in self.legs)

    def change(self, time: float, y: Array, thorough: bool = False) -> Array | None:
        """Go on with better free coordinates from a state (2 f,), if there are any; it in these."""
        better = changed(self.free, time, y, thorough)
        if better is None:
            return None
        self.legs.append((self.reached, better[0]))
        return better[1]

    def pass_through(self, time: float, y: Array) -> tuple[float, Array] | None:
        """Go straight through a singular position, if that is wanted and possible: time and state behind it."""
        weak = self.straight and self.free.conditioning_at(time, y) <= NEAR
        found = gap_at(self.free, time, y) if weak else None
        if found is None:
            return None
        gap, free = found
        self.legs.append((self.reached, gap))
        self.reached = int(np.count_nonzero(self.times <= gap.end[0]))
        self.legs.append((self.reached, free))
        return gap.end

    def ends(self, states: States, start: float, end: float) -> bool:
        """Whether an event ends the simulation within a step, of which states are given at any times."""
        if not self.watch.events or not end > start:
            return False
        seen = self.watch.look(self.free, len(self.legs) - 1, states, start, end)
        if seen is not None:
            self.reached = min(self.reached, int(np.count_nonzero(self.times <= seen.time)))
            self.last = seen.time, seen.state
        return seen is not None

    def keep(self, force: bool, **state: ArrayLike) -> None:
        """Write the checkpoint, if there is one, where it is due, with the state of the integrator."""
        if self.checkpoint is not None and (force or self.checkpoint.due):
            write(self.checkpoint, self, {name: np.asarray(value) for name, value in state.items()})

    def kept(self, blank: Callable[[], dict[str, ArrayLike]]) -> dict[str, NDArray[Any]] | None:
        """Read the checkpoint, if there is one, whose state has the names and shapes of a blank one."""
        return None if self.checkpoint is None else read(self.checkpoint, self, blank)


def integrate(found: Found, method: str, rtol: float, progress: Progress, step: float = 0.0) -> Integration:
    """Integrate from the first state to all times; the integration, whose numbers balance the energy.

    All steps are of one length if a `step` is given, s, and the energy is to balance to `ENERGY_RTOL`.

    Raises
    ------
    SimulationError
        With the time, and why.
    EnergyError
    """
    run, implicit, most = _integration(found, ENERGY_RTOL if step else rtol, step), method == "implicit", 256
    kept = found.kept(lambda: _blank(found, run, method))
    if found.iterates or method not in OTHERS:
        return _by_scipy(found, run, method, kept, progress)
    if kept is not None:
        implicit = bool(kept["implicit"])
        for name in ("numbers", "counts", "y", "rate"):
            getattr(run, name)[:] = kept[name]
        run = run._replace(atol=found.tolerances(rtol))
    else:
        run.numbers[ENOUGH] = enough(found.free, float(found.times[0]), run.y[:, 0])
    mark = 0, float(run.numbers[AT])
    while found.last is None and run.numbers[AT] < found.times[-1]:
        found.keep(False, implicit=implicit, **_state(run))
        free = found.free
        began, before = clock.perf_counter(), _copied(run) if found.watch.events else run
        stands = _advance(free, run, implicit, 1 if found.watch.events else most, method == "auto" and not step)
        taken = clock.perf_counter() - began
        most = int(np.clip(most * TOGETHER / max(taken, 1e-9), 1, min(16 * most, 2**20)))
        found.reached = int(run.counts[NEXT])
        start, end = float(before.numbers[AT]), float(run.numbers[AT])
        if found.ends(partial(_within, free, before, end, implicit), start, end):
            break
        implicit = implicit or stands == STIFF
        mark = progressed(run, mark)
        if progress is not None:
            progress(float(run.numbers[AT]))
        if stands == LOST_ENERGY:
            raise lost_energy(found, run)
        if stands in (WEAK, STUCK):
            run = _with_better(found, run, stands)
        if found.iterates:
            return _by_scipy(found, run, "implicit" if implicit else method, None, progress)
    found.keep(True, implicit=implicit, **_state(run))
    return run


def _by_scipy(
    found: Found, run: Integration, method: str, kept: dict[str, NDArray[Any]] | None, progress: Progress
) -> Integration:
    """Integrate by the method of scipy that takes the place of a compiled one."""
    from groupkin.dynamics.simulation.scipy_methods import by_scipy

    return by_scipy(found, run, OTHERS.get(method, method), kept, progress)


def progressed(run: Integration, mark: tuple[int, float]) -> tuple[int, float]:
    """Tries of steps and the time, s, from which on it is to go on, given the last ones.

    Raises
    ------
    SimulationError
        If steps have become so short that there is no end.
    """
    tries, time = int(run.counts[STEPS] + run.counts[REJECTED]), float(run.numbers[AT])
    if time - mark[1] > LEAST_PROGRESS * (run.times[-1] - run.times[0]):
        return tries, time
    if tries - mark[0] < WITHOUT_PROGRESS:
        return mark
    raise SimulationError(
        f"the simulation comes to a standstill at t = {time:.6g} s: its last {tries - mark[0]} steps, accepted or not, "
        f"led on by {time - mark[1]:.3g} s; look for infinite stiffness, forces that jump, and tables or curves "
        "that end there"
    )


def _blank(found: Found, run: Integration, method: str) -> dict[str, ArrayLike]:
    """Names and shapes of the state that a checkpoint keeps of an integration."""
    from groupkin.dynamics.simulation.scipy_methods import blank

    return blank(found, run) if found.iterates or method not in OTHERS else {"implicit": False, **_state(run)}


def _state(run: Integration) -> dict[str, ArrayLike]:
    return {"numbers": run.numbers, "counts": run.counts, "y": run.y, "rate": run.rate}


def _advance(free: FreeMotion, run: Integration, implicit: bool, most: int, watch: bool) -> int:
    """Take some steps; how the integration stands."""
    if implicit:
        rooms = free.room(1), free.room(2 * run.y.size + 3)
        return int(rosenbrock.advance(free.problem, *rooms, run, free.units, most))
    if run.numbers[FIXED]:
        return int(fixed_steps.advance(free.problem, free.room(1), run, most))
    return int(explicit.advance(free.problem, free.room(1), run, tableau(), most, watch))


def _copied(run: Integration) -> Integration:
    return run._replace(numbers=run.numbers.copy(), counts=run.counts.copy(), y=run.y.copy(), rate=run.rate.copy())


def _within(free: FreeMotion, before: Integration, end: float, implicit: bool, times: Array) -> Array:
    """States (2 f, n) at times within a step, which is taken again from where the integration was before it."""
    start, inner = float(before.numbers[AT]), np.unique(np.clip(times, float(before.numbers[AT]), end))
    every = np.unique(np.concatenate([[start], inner, [end]]))
    found = np.repeat(before.y, every.size, axis=1)
    again = _copied(before)._replace(times=every, found=found, rtol=LOOSER * before.rtol, atol=LOOSER * before.atol)
    again.numbers[STEP], again.counts[NEXT], again.numbers[ENOUGH] = end - start, 1, 0.0
    while again.numbers[AT] < end and _advance(free, again, implicit, 1, False) == RUNNING:
        pass  # where it must end on a stop, roundings may need more tries
    return found[:, np.searchsorted(every, times)]


def _integration(found: Found, rtol: float, step: float) -> Integration:
    size = len(found.values)
    y = found.values[:, :1].copy()
    numbers = np.zeros(NUMBERS)
    numbers[[AT, GROWTH, FIXED]] = found.times[0], MOST, step
    numbers[[FIRST, SINCE]] = np.nan
    counts, rate = np.array([1, 0, 0, 0, 0, 0]), np.zeros((size, 1))
    return Integration(numbers, counts, y, rate, rtol, found.tolerances(rtol), LEAST, found.times, found.values)


def _with_better(found: Found, run: Integration, stands: int) -> Integration:
    """Go on with better free coordinates, or with the same ones.

    Raises
    ------
    SimulationError
        If no step is possible, and no others are better.
    """
    time = float(run.numbers[AT])
    before, y, behind = found.free, found.change(time, run.y[:, 0]), None
    if y is None:
        behind = found.pass_through(time, run.y[:, 0])
    if y is None and behind is None and stands == STUCK:
        y = found.change(time, run.y[:, 0], thorough=True)
        if y is None:
            raise stuck(before, time, run.y[:, 0])
    free = found.free
    if y is not None:
        run.y[:, 0] = y
        run.counts[EVALUATIONS] = run.counts[STIFFS] = run.counts[SMOOTHS] = 0
        run = run._replace(atol=found.tolerances(run.rtol))
    elif behind is not None:
        power, since = _power(before, time, run.y[:, 0]), time
        time, run.y[:, 0] = behind
        run.numbers[AT] = time
        supply(run, 0.5 * (power + _power(free, time, run.y[:, 0])) * (time - since), 0.0)
        run.counts[NEXT], run.counts[EVALUATIONS] = found.reached, 0
    conditioning = free.conditioning_at(time, run.y[:, 0])
    run.numbers[ENOUGH] = min(WEAKEST, 0.5 * conditioning)
    if found.straight and conditioning > NEAR:
        run.numbers[ENOUGH] = max(run.numbers[ENOUGH], NEAR)
    return run


def absolute_tolerances(free: FreeMotion, rtol: float, atol: float | None) -> Array:
    """Absolute tolerances (2 f,) of coordinates and rates."""
    return rtol * np.tile(free.units, 2) if atol is None else np.full(2 * len(free.free), atol)


# --- energy ------------------------------------------------------------------------------------


def _power(free: FreeMotion, time: float, y: Array) -> float:
    """Power that forces of the user and drivers with laws supply at a state (2 f,), W."""
    free.equations(time, *np.split(y, 2))
    settle(free.problem, free.room(1), y[:, None].copy(), np.empty((y.size, 1)))
    return float(free.room(1).power[0])


def lost_energy(found: Found, run: Integration) -> EnergyError:
    """Say that the energy does not balance."""
    name, at = found.first.program.mechanism.name, float(run.numbers[AT])
    return EnergyError(name, at, _unbalanced(run), _finer(run))


def _finer(run: Integration) -> str:
    """What makes an integration more exact."""
    return "shorter steps" if run.numbers[FIXED] else "a smaller rtol"


def _unbalanced(run: Integration) -> float:
    """Error of the balance of energy, by the energy that has been moved."""
    numbers = run.numbers
    wrong = numbers[KINETIC] + numbers[POTENTIAL] - numbers[FIRST] - numbers[WORK]
    return float(abs(wrong) / (numbers[MOVED] + numbers[OPEN] / run.rtol))


def warn_of_energy(found: Found, run: Integration) -> None:
    """Warn if the energy has balanced worse than the tolerance lets expect."""
    since = float(run.numbers[SINCE])
    if np.isfinite(since):
        warnings.warn(
            f"the energy of {found.first.program.mechanism.name} balances worse than {SUSPECT * run.rtol:g} of what is "
            f"moved from t = {since:.6g} s on, at last by {_unbalanced(run):.2g}: forces may jump, or depend on more "
            f"than the state. Take {_finer(run)} to see what of the motion stays",
            EnergyWarning,
            stacklevel=4,  # where `simulate` is called, which checks its arguments
        )


def enough(free: FreeMotion, time: float, y: Array) -> float:
    """Conditioning below which others are looked for, on the way from a state (2 f,)."""
    return min(WEAKEST, 0.5 * free.conditioning_at(time, y))


@cache
def tableau() -> explicit.Tableau:
    """Coefficients of the explicit method."""
    from scipy.integrate._ivp import dop853_coefficients as known

    return explicit.Tableau(
        *(np.ascontiguousarray(x) for x in (known.A, known.B, known.C, known.E3, known.E5, known.D))
    )
