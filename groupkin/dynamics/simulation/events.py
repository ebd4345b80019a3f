"""Events of a simulation: when a quantity reaches a value.

Every step is looked at in a few places, by its dense output, and where the quantity passes its value there the time is
found to rounding (Brent 1973).
"""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from groupkin.arguments import check_fields
from groupkin.dynamics.simulation.free_motion import FreeMotion
from groupkin.errors import ArgumentError, ChatteringError, RangeWarning, SimulationError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity, components, quantity
from groupkin.kinematics.motion.ranges import Outside, of_freedom, ranges_of, scale, values_in
from groupkin.mechanism.forces.stop import Stop
from groupkin.mechanism.mechanism import Mechanism
from groupkin.messages import counted
from groupkin.model.geometry.coordinates import whole_turns
from groupkin.tolerances import ON_RANGE
from sglibrary.array_types import Array

States = Callable[[Array], Array]
"""Coordinates and rates (2 f, n) at times (n,) within a step, s."""

PLACES = 6
"""Parts of a step, at whose ends quantities are looked at."""

MOST_PLACES = 100_000

BEGIN = "a simulation that ends at ranges begins within them: start elsewhere, or let ranges only be recorded as events"
"""Remedy where a simulation begins outside ranges at which it is to end."""

STEPS, MOST = 16, 40
"""Steps within which an event that occurs more often chatters: a step of a smooth motion is no longer than about one
oscillation, in which a value is passed twice."""


@dataclass(frozen=True)
class Event:
    """A quantity that reaches a value.

    Parameters
    ----------
    name : str
    quantity : str or Quantity
        A number, such as ``joint pin`` or the name of an output; see `groupkin.quantity`.
    value : float
        rad, m and s.
    direction : {"both", "up", "down"}
        Whether it counts if the quantity rises to the value, or falls to it.
    terminal : bool
        Whether the simulation ends there.
    """

    name: str
    quantity: str | Quantity
    value: float = 0.0
    direction: Literal["both", "up", "down"] = "both"
    terminal: bool = False

    def __post_init__(self) -> None:
        check_fields(self, ArgumentError)
        if not np.isfinite(self.value):
            raise ArgumentError(f"event {self.name!r}: value must be a finite number, not {self.value}")

    def counts(self, before: float, after: float) -> bool:
        """Whether the event occurs between two values of the quantity less its own."""
        rises, falls = before < 0.0 <= after, before > 0.0 >= after
        return {"both": rises or falls, "up": rises, "down": falls}[self.direction]


@dataclass(frozen=True)
class RangeEnd(Event):
    """A quantity that passes an end of its range outwards, in which roundings beyond the end do not count.

    Attributes
    ----------
    margin : float
        By how much the quantity passes the end before it counts; the time is that of the end itself.
    text : str
        Which end, and its value, for messages.
    """

    margin: float = 0.0
    text: str = ""

    def counts(self, before: float, after: float) -> bool:
        """Whether it comes beyond the end between two values of the quantity less that of the end."""
        way = 1.0 if self.direction == "up" else -1.0
        return way * before <= self.margin < way * after


def range_ends(start: Motion, terminal: bool) -> tuple[RangeEnd, ...]:
    """List the ends of all ranges as events, given the motion at the first time.

    Parameters
    ----------
    start : Motion
        Its angles tell the whole turns.
    terminal : bool
        Whether the simulation ends there, and so must begin within all ranges.

    Raises
    ------
    SimulationError
        If it does not; there is a RangeWarning where that is allowed.
    """
    mechanism, found = start.program.mechanism, list[RangeEnd]()
    for stop in (stop for each in ranges_of(start.program) for stop in each.stops):
        within, text = stop.range, stop.text(mechanism)
        value, read = values_in(start, within), start.read(within.quantity)
        margin, turns = ON_RANGE * scale(start, within), float((value - read)[0])
        if stop.beyond(value)[0] > margin:
            beyond = f"{mechanism.name} starts beyond {text}, at {mechanism.units.text(float(value[0]), within.unit)}"
            if terminal:
                raise SimulationError(f"{beyond}; {BEGIN}")
            warnings.warn(f"{beyond}, which is no event", RangeWarning, stacklevel=5)
        way: Literal["down", "up"] = "down" if stop.end == "lower" else "up"
        found.append(RangeEnd(stop.event, within.quantity, stop.value - turns, way, terminal, margin, text))
    return tuple(found)


def unstopped(passed: Sequence[Outside], mechanism: Mechanism) -> list[Outside]:
    """List the ends of ranges that a motion passes without those at which stops push it back."""
    stops = [load.stopped(mechanism) for load in mechanism.forces if isinstance(load, Stop)]
    stopped = {of_freedom(mechanism, mechanism.joint[joint], freedom) for joint, freedom in stops}
    return [each for each in passed if each.stop.range.quantity not in stopped]


def require_way(ended: str, events: Sequence[Event], mechanism: Mechanism) -> None:
    """Refuse a simulation that has ended at an end of a range where it began, given the name of the event.

    Raises
    ------
    SimulationError
    """
    event = next(event for event in events if event.name == ended)
    if isinstance(event, RangeEnd):
        raise SimulationError(f"{mechanism.name} starts at {event.text}, and passes it at once; {BEGIN}")


@dataclass(frozen=True, eq=False)
class Seen:
    """An event that has occurred.

    Attributes
    ----------
    name : str
    time : float
        s.
    leg : int
        Number of the free coordinates then, of those that were free one after another.
    state : (2 f,) array
        These and their rates.
    """

    name: str
    time: float
    leg: int
    state: Array


@dataclass
class Watch:
    """What is known of events while a simulation goes on.

    Attributes
    ----------
    events : tuple of Event
    known : list of float
        Quantities at the last state, angles with whole turns, less the values of the events; empty before the first.
    seen : list of Seen
    recent : deque of int
        How often each event occurred in the last steps.
    """

    events: tuple[Event, ...]
    known: list[float] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    recent: deque[list[int]] = field(default_factory=lambda: deque(maxlen=STEPS))

    def look(self, free: FreeMotion, leg: int, states: States, start: float, end: float) -> Seen | None:
        """Find the events of a step; the one that ends the simulation, None if none does.

        Raises
        ------
        ChatteringError
        """
        times, motion = _looked_at(free, states, start, end)
        found: list[tuple[float, Event]] = []
        counts, last = [0] * len(self.events), list[float]()
        for k, event in enumerate(self.events):
            values = motion.read(event.quantity) - event.value
            if self.known:
                values += whole_turns(self.known[k] - values[0])
                values[0] = self.known[k]  # to which it is equal but for rounding
            for a, b, before, after in zip(times, times[1:], values, values[1:], strict=False):
                if event.counts(before, after):
                    found.append((_root(free, states, event, (a, b), (before, after)), event))
                    counts[k] += 1
            last.append(float(values[-1]))
        self.known = last
        self.recent.append(counts)
        self._refuse_chattering(end)
        for time, event in sorted(found, key=lambda each: each[0]):
            self.seen.append(Seen(event.name, time, leg, states(np.array([time]))[:, 0]))
            if event.terminal:
                return self.seen[-1]
        return None

    def _refuse_chattering(self, time: float) -> None:
        for k, event in enumerate(self.events):
            if sum(counts[k] for counts in self.recent) > MOST:
                times = [each.time for each in self.seen if each.name == event.name][-MOST:]
                since = f", {counted(len(times), 'time')} since t = {times[0]:.6g} s" if times else ""
                raise ChatteringError(
                    f"event {event.name!r} occurs again and again up to t = {time:.6g} s{since}: {event.quantity} "
                    f"passes {event.value:g} more often than steps resolve. Choose another value, or make the event "
                    "terminal"
                )


def _looked_at(free: FreeMotion, states: States, start: float, end: float) -> tuple[Array, Motion]:
    """Places within a step between which no direction turns by more than 1 rad, and the motion there."""
    parts = PLACES
    while True:
        times = np.linspace(start, end, parts + 1)
        motion = free.motion_at(times, states(times), near=True)
        bodies = motion.program.mechanism.movable
        fastest = max((float(np.nanmax(np.abs(motion.rotation_rate(body)))) for body in bodies), default=0.0)
        needed = min(int(fastest * (end - start)) + 1, MOST_PLACES)
        if needed <= parts:
            return times, motion
        parts = needed


def _at(free: FreeMotion, states: States, time: float) -> Motion:
    times = np.array([time])
    return free.motion_at(times, states(times), near=True)


def _root(
    free: FreeMotion, states: States, event: Event, span: tuple[float, float], ends: tuple[float, float]
) -> float:
    """Find the time within a span at which a quantity has a value, given by how much it misses it at both ends."""
    from scipy.optimize import brentq

    (first, last), (before, after) = span, ends
    if not before * after < 0.0:
        return float(last if after == 0.0 else first)

    def away(time: float) -> float:
        if time in (first, last):
            return before if time == first else after
        value = float(_at(free, states, time).read(event.quantity)[0]) - event.value
        return value + float(whole_turns(0.5 * (before + after) - value))

    return float(brentq(away, first, last, xtol=1e-300, rtol=4.0 * np.finfo(float).eps))


def checked_events(events: Sequence[Event], mechanism: Mechanism) -> tuple[Event, ...]:
    """Read the quantities of events.

    Raises
    ------
    ArgumentError, QuantityError, UnknownNameError
        If two events have one name, or a quantity is not one number.
    """
    found: list[Event] = []
    for event in events:
        wanted = quantity(event.quantity, mechanism)
        if components(wanted, mechanism)[0]:
            raise ArgumentError(f"event {event.name!r}: `{wanted}` is no single number; name a component of it")
        if any(event.name == other.name for other in found):
            raise ArgumentError(f"two events are called {event.name!r}; give each its own name")
        found.append(replace(event, quantity=wanted))
    return tuple(found)
