"""Many simulations of a mechanism from different starts, side by side in compiled code."""

from __future__ import annotations

import time as clock
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from groupkin.arguments import checked, floats
from groupkin.dynamics.acting.along_coordinates import turned_away
from groupkin.dynamics.simulation.coordinate_changes import ENOUGH
from groupkin.dynamics.simulation.events import unstopped
from groupkin.dynamics.simulation.free_motion import LANES, FreeMotion, starting_values
from groupkin.dynamics.simulation.integration import (
    LEAST,
    TOGETHER,
    WITHOUT_PROGRESS,
    Found,
    absolute_tolerances,
    tableau,
)
from groupkin.dynamics.simulation.joined_motion import motion_of
from groupkin.dynamics.simulation.shared_steps import compile_ahead
from groupkin.dynamics.simulation.simulation import Method, checked_request, free_motion, simulate
from groupkin.errors import ArgumentError, LoadError, MassError, RangeWarning, SimulationError, TimesError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.motion.ranges import Outside
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.points import LARGEST
from groupkin.memory import require_memory
from groupkin.showing import InNotebooks
from groupkin.tolerances import LEAST_PROGRESS, RTOL
from sglibrary.array_types import Array, Flags
from sglibrary.dynamics import many
from sglibrary.dynamics.equations import Room
from sglibrary.dynamics.steps import AT, DONE, RUNNING


@dataclass(frozen=True, eq=False)
class Simulations(InNotebooks):
    """The motions from n starts.

    Attributes
    ----------
    coordinates : tuple of str
        Names of the f free coordinates.
    times : (t,) array
        s.
    values, rates : (n, f, t) arrays
        Of these coordinates, rad and rad/s or m and m/s; NaN from where a simulation cannot go on.
    messages : tuple of str
        Why each simulation could not go on; empty where it did.
    """

    coordinates: tuple[str, ...]
    times: Array
    values: Array
    rates: Array
    messages: tuple[str, ...]
    _free: FreeMotion = field(repr=False)
    _singly: dict[int, Motion | None] = field(repr=False)

    def __repr__(self) -> str:
        return f"<{len(self)} simulations of {self._free.program.mechanism.name}, {int(self.solved.sum())} to the end>"

    def __len__(self) -> int:
        return len(self.values)

    @property
    def solved(self) -> Flags:
        """Simulations (n,) that are at their end."""
        return np.array([not message for message in self.messages])

    def motion(self, k: int) -> Motion:
        """Return motion number k, as `simulate` does.

        Raises
        ------
        IndexError
        SimulationError
            If it could not go on.
        """
        k = range(len(self))[k]
        if self.messages[k]:
            error = SimulationError(self.messages[k])
            error.motion = self._singly[k]
            raise error
        known = self._singly.get(k)
        if known is not None:
            return known
        state = np.concatenate([self.values[k], self.rates[k]])
        return motion_of(Found(self.times, state, [(0, self._free)], self.times.size))

    @cached_property
    def outside(self) -> tuple[tuple[Outside, ...], ...]:
        """The ends of ranges that each motion passes, as far as it is known, see `Motion.outside`."""
        if not self._free.program.mechanism.has_ranges:
            return ((),) * len(self)
        motions = (self._singly[k] if message else self.motion(k) for k, message in enumerate(self.messages))
        return tuple(() if motion is None else motion.outside for motion in motions)

    @checked
    def read(self, quantity: str | Quantity) -> Array:
        """Read a quantity of all motions (n, t, ...), see `Motion.read`; NaN of those that could not go on."""
        read = {k: self.motion(int(k)).read(quantity) for k in np.flatnonzero(self.solved)}
        if not read:
            raise SimulationError(f"none of the {len(self)} simulations is at its end: {self.messages[0]}")
        shape = next(iter(read.values())).shape
        found = np.full((len(self), *shape), np.nan)
        for k, values in read.items():
            found[k] = values
        return found


@checked
def simulate_many(
    mechanism: Mechanism,
    times: ArrayLike,
    starts: Mapping[str, ArrayLike],
    *,
    method: Method = "auto",
    rtol: float = RTOL,
    atol: float | None = None,
    ranges: Literal["warn", "ignore"] = "warn",
    assemble: bool = False,
) -> Simulations:
    """Compute the motions of a mechanism from many starts.

    Those that the explicit method integrates with the same free coordinates are computed side by side, each with its
    own steps, which have the bits of single simulations. The others are simulated one after another: stiff ones, those
    that change their coordinates, and those with groups that are solved by Newton's method.

    Parameters
    ----------
    mechanism : Mechanism
    times : (t,) array_like
        At least two, increasing, s.
    starts : mapping of str to (n,) or (n, 2) array_like
        Values, or values and rates, of free coordinates, as `simulate` takes them. What is not named is at rest in the
        reference configuration.
    method, rtol, atol, assemble
        See `simulate`.
    ranges : {"warn", "ignore"}
        Whether to warn of motions that leave ranges; this evaluates all motions of a mechanism with ranges.

    Returns
    -------
    Simulations
        What cannot go on is NaN from there on, and has a message; nothing is raised.

    Raises
    ------
    ArgumentError, UnknownNameError, TimesError
    SimulationError
        If nothing is free.
    LawError, NotDeterminedError
        See `simulate`.

    Examples
    --------
    >>> import groupkin as gk
    >>> arm = gk.Body("arm", mass=1.0, center=(1.0, 0.0))
    >>> pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0))
    >>> pendulum = gk.Mechanism(2, ["frame", arm], [pin], gravity=(0.0, -9.81))
    >>> simulate_many(pendulum, [0.0, 0.5, 1.0], {"pin": [0.0, -1.0]}).values[:, 0, -1].round(4)
    array([-2.9758, -2.1401])
    """
    if method in ("auto", "explicit"):
        compile_ahead("of many")
    free = free_motion(mechanism, assemble)
    t = checked_request(free, times, rtol, atol)
    begun = _begun(free, starts)
    count, f = len(begun), len(free.free)
    require_memory(16.0 * f * count * t.size, f"{count} simulations", "simulate fewer at a time", TimesError)
    found = np.full((count, 2 * f, t.size), np.nan)
    found[:, :, 0] = begun
    stands = np.full(count, RUNNING)
    if method in ("auto", "explicit") and not free.program.iterates:
        given = many.Many(found, stands, t, rtol, absolute_tolerances(free, rtol, atol), LEAST, ENOUGH)
        rooms = free.room(min(LANES, count)), free.room(1)
        _side_by_side(free, rooms, given, method == "auto")
        here = free.configuration(float(t[0]), begun[:, :f].T, begun[:, f:].T)
        stands[turned_away(here, free.laws)] = RUNNING  # by itself it tells why
    singly, messages = dict[int, Motion | None](), [""] * count
    for k in np.flatnonzero(stands != DONE).tolist():
        found[k, :, 1:] = np.nan
        start = {name: begun[k, [i, f + i]].tolist() for i, name in enumerate(free.names)}
        try:
            singly[k] = simulate(
                mechanism, t, start, method=method, rtol=rtol, atol=atol, ranges="ignore", assemble=assemble
            )
        except (SimulationError, MassError, LoadError) as error:
            messages[k], singly[k] = str(error), getattr(error, "motion", None)
        motion = singly[k]
        if motion is not None:
            rows = np.stack([motion.driver(i)[:2] for i in free.free], axis=1)
            found[k, :, : motion.times.size] = rows.reshape(2 * f, -1)
    made = Simulations(tuple(free.names), t, found[:, :f], found[:, f:], tuple(messages), free, singly)
    if ranges == "warn":
        _warn_of_ranges(made, mechanism)
    return made


def _warn_of_ranges(made: Simulations, mechanism: Mechanism) -> None:
    """Warn of simulations that pass ends of ranges at which no stop pushes them back."""
    passed = [unstopped(every, mechanism) for every in made.outside]
    some = [k for k, every in enumerate(passed) if every]
    if some:
        warnings.warn(
            f"{len(some)} of {len(made)} simulations leave ranges, first number {some[0]}: "
            f"{passed[some[0]][0].text(mechanism)}; see Simulations.outside",
            RangeWarning,
            stacklevel=5,
        )


def _side_by_side(free: FreeMotion, rooms: tuple[Room, Room], given: many.Many, watch: bool) -> None:
    """Integrate all starts in lanes, a few steps at a time, so that signals are heard, as long as there is progress."""
    stops = free.problem.forces.stops.size
    lanes, most, steps, mark = many.lanes_of(rooms[0].worst.size, given.found.shape[1], stops), 64, 0, (0, 0.0)
    while True:
        began = clock.perf_counter()
        if not many.advance(free.problem, *rooms, given, lanes, tableau(), watch, most):
            return
        steps += most
        most = int(np.clip(most * TOGETHER / max(clock.perf_counter() - began, 1e-9), 1, 16 * most))
        shares = (lanes.numbers[lanes.which != many.IDLE, AT] - given.times[0]) / (given.times[-1] - given.times[0])
        reached = float((given.stands != RUNNING).sum() + shares.sum())
        if reached - mark[1] > LEAST_PROGRESS:
            mark = steps, reached
        elif steps - mark[0] > WITHOUT_PROGRESS:
            return  # each of those left is simulated by itself, which tells why


def _begun(free: FreeMotion, starts: Mapping[str, ArrayLike]) -> Array:
    """Read the states (n, 2 f) at the starts.

    Raises
    ------
    UnknownNameError, ArgumentError
    """
    rows = {name: floats(given) for name, given in starts.items()}
    shapes = {given.shape[:1] for given in rows.values()}
    plain = all(x.ndim and x.shape[1:] in ((), (2,)) and np.abs(x).max(initial=0.0) <= LARGEST for x in rows.values())
    if not plain or len(shapes) != 1 or shapes == {(0,)}:
        raise ArgumentError(
            "starts must name free coordinates, with as many finite values each, (n,), or values and rates, (n, 2)"
        )
    z, rates = starting_values(free, {name: given[0] for name, given in rows.items()})  # names are checked
    begun = np.tile(np.concatenate([z, rates]), (*shapes.pop(), 1))
    for name, given in rows.items():
        i = free.names.index(name)
        begun[:, i] = given if given.ndim == 1 else given[:, 0]
        begun[:, len(z) + i] = 0.0 if given.ndim == 1 else given[:, 1]
    return begun
