"""Ranges of joints and other quantities, and where a motion leaves them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from groupkin.errors import GroupkinError, MechanismError, QuantityError, UnknownNameError
from groupkin.kinematics.motion.kinds import OF_ROBOTS
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity, components, quantity, read_from, unit
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.parts import Joint
from groupkin.mechanism.values import evaluated
from groupkin.model.geometry.coordinates import whole_turns
from groupkin.tolerances import ON_RANGE
from sglibrary.array_types import Array, Flags

OF_POSES = (
    *("position", "angle", "joint", "distance", "transmission_angle", "relative_position", "relative_angle"),
    *("conditioning", "output", *OF_ROBOTS),
)
"""Kinds of quantities that have ranges: those that follow from where bodies are."""

End = Literal["lower", "upper"]


@dataclass(frozen=True)
class Range:
    """The least and the largest value that a quantity may have.

    Attributes
    ----------
    quantity : Quantity
    low, high : float
        SI; infinite where there is no end.
    unit : str
        Of the quantity, SI.
    """

    quantity: Quantity
    low: float
    high: float
    unit: str

    @property
    def name(self) -> str:
        """The quantity in messages: of a joint its name, with that of the freedom where it has several."""
        return str(self.quantity).removeprefix("joint ")

    @property
    def turning(self) -> bool:
        """Whether it is of an angle, of which whole turns are the same position."""
        return self.unit == "rad" and self.quantity.kind in ("joint", "angle")

    @property
    def within_a_turn(self) -> bool:
        """Whether it has two ends less than a turn apart, so that a position tells whether an angle is in it."""
        return self.high - self.low < 2 * np.pi

    @property
    def middle(self) -> float:
        """The middle between its ends, or the only one."""
        ends = [stop.value for stop in self.stops]
        return sum(ends) / len(ends)

    def scale(self, size: float) -> float:
        """What its quantity is compared with: 1 rad, the size of the mechanism in m, or its larger end."""
        return size if self.unit == "m" else max(1.0, *(abs(stop.value) for stop in self.stops))

    @property
    def stops(self) -> tuple[EndStop, ...]:
        """Its ends that are finite."""
        ends: tuple[tuple[End, float], ...] = (("lower", self.low), ("upper", self.high))
        return tuple(EndStop(self, end, float(value)) for end, value in ends if np.isfinite(value))

    def at(self, named: Mapping[str, Any]) -> tuple[Any, Any]:
        """Compute the ends from other numbers, or arrays of them, of named values."""
        low, high = evaluated((self.low, self.high), named)
        return low, high


@dataclass(frozen=True)
class EndStop:
    """An end of a range.

    Attributes
    ----------
    range : Range
    end : {"lower", "upper"}
    value : float
        SI.
    """

    range: Range
    end: End
    value: float

    def beyond(self, values: Array) -> Array:
        """How far values (n,) are beyond it, SI; negative on its inner side."""
        return np.asarray(self.value - values if self.end == "lower" else values - self.value)

    @property
    def event(self) -> str:
        """Name of the event that the quantity passes it."""
        return f"{self.range.name} at its {self.end} end"

    def text(self, mechanism: Mechanism) -> str:
        """Write which end, of what, and its value, for messages."""
        value = mechanism.units.text(self.value, self.range.unit)
        return f"the {self.end} end of the range of {self.range.name}, {value}"


@dataclass(frozen=True)
class Outside:
    """Where a motion leaves a range.

    Attributes
    ----------
    stop : EndStop
        The one that it passes.
    time : float
        s, of the first step beyond it.
    worst, worst_time : float
        The value farthest beyond it, SI, and when, s.
    """

    stop: EndStop
    time: float
    worst: float
    worst_time: float

    def text(self, mechanism: Mechanism) -> str:
        """Write what is passed, when and how far."""
        worst = mechanism.units.text(self.worst, self.stop.range.unit)
        passed = f"{mechanism.name} passes {self.stop.text(mechanism)}, at t = {self.time:.6g} s"
        return f"{passed}, and is farthest beyond it at t = {self.worst_time:.6g} s, at {worst}"


def ranges_of(of: Mechanism | Program) -> tuple[Range, ...]:
    """List the ranges of a mechanism: of joints in order of declaration, then of other quantities.

    Those of a program have the ends that follow from the named values of its design.

    Raises
    ------
    MechanismError
        If a range is of what the mechanism does not have, or of no number that follows from positions.
    """
    mechanism = of.mechanism if isinstance(of, Program) else of
    found: tuple[Range, ...] | None = mechanism.__dict__.get("_ranges")
    if found is None:  # kept with the mechanism: an equal one may have ends that follow from no values
        found = mechanism.__dict__["_ranges"] = _ranges_of(mechanism)
    if isinstance(of, Program) and of.named:
        ends = [each.at(of.named) for each in found]
        return tuple(replace(x, low=float(low), high=float(high)) for x, (low, high) in zip(found, ends, strict=True))
    return found


def _ranges_of(mechanism: Mechanism) -> tuple[Range, ...]:
    found: dict[Quantity, Range] = {}
    for joint in mechanism.joints:
        for name, ends in mechanism.joint_ranges(joint).items():
            wanted = of_freedom(mechanism, joint, name)
            found[wanted] = _range(wanted, ends, mechanism)
    for text, ends in mechanism.ranges.items():
        try:
            wanted = quantity(text, mechanism)
            if wanted.kind not in OF_POSES:
                known = ", ".join(OF_POSES)
                raise QuantityError(f"`{wanted}` does not follow from positions alone; ranges are of {known}")
            if components(wanted, mechanism)[0]:
                raise QuantityError(f"`{wanted}` is no single number; name a component of it")
        except GroupkinError as error:
            raise MechanismError(f"range of {text!r}: {error}") from None
        if wanted in found:
            raise MechanismError(f"`{wanted}` has two ranges; remove one of them")
        found[wanted] = _range(wanted, ends, mechanism)
    return tuple(found.values())


def of_freedom(mechanism: Mechanism, joint: Joint, freedom: str) -> Quantity:
    """Return the quantity that a freedom of a joint is."""
    return Quantity("joint", joint.name, freedom if len(mechanism.freedoms(joint)) > 1 else "")


def _range(wanted: Quantity, ends: Sequence[float], mechanism: Mechanism) -> Range:
    return Range(wanted, ends[0], ends[1], unit(wanted, mechanism))


def values_in(motion: Motion, within: Range) -> Array:
    """Read the quantity of a range from a motion (n,), SI, angles with the whole turns that the range means."""
    values = np.asarray(read_from(motion, within.quantity, motion.program.mechanism))
    return turned_into(values, within, motion.by_themselves) if within.turning else values


def turned_into(values: Array, within: Range, alone: bool = False, ends: tuple[Any, Any] | None = None) -> Array:
    """Add the whole turns to angles (..., n) that their range means.

    Angles are known up to whole turns: a motion begins with those that it has, if it is in the range with these, else
    with those that bring it next to the middle of the range; so does each position by itself, if they stand `alone`.

    Parameters
    ----------
    values : (..., n) array
    within : Range
    alone : bool
    ends : pair of float or (..., 1) array, optional
        Those of each motion, instead of those of the range.
    """
    low, high = ends or (within.low, within.high)
    finite, off = [end for end in (low, high) if np.isfinite(end).all()], ON_RANGE * within.scale(1.0)
    first = values
    if not alone:
        first = np.take_along_axis(values, np.isfinite(values).argmax(axis=-1)[..., None], axis=-1)
    inside = (first >= low - off) & (first <= high + off)
    turns = np.where(inside, 0.0, whole_turns(sum(finite) / len(finite) - first))
    return np.asarray(values + np.nan_to_num(turns))


def beyond(values: Array, low: Any, high: Any, off: float) -> Array:
    """How far numbers are beyond a range: above 0 past the upper end, below 0 past the lower, else 0; NaN stays.

    Parameters
    ----------
    values : (..., n) array
    low, high : float or (..., 1) array
        Its ends.
    off : float
        By how much they may be passed, by roundings.
    """
    past = np.where(values > high + off, values - high, np.where(values < low - off, values - low, 0.0))
    return np.where(np.isnan(values), np.nan, past)


def scale(motion: Motion, within: Range) -> float:
    """What a quantity of a motion is compared with, see `Range.scale`."""
    return within.scale(motion.program.geometry.size)


def inside(motion: Motion) -> Flags:
    """Tell at which steps (n,) all quantities are in their ranges; those that are not solved are not."""
    found = motion.solved.copy()
    for each in ranges_of(motion.program):
        values = values_in(motion, each)
        for stop in each.stops:
            found &= stop.beyond(values) <= ON_RANGE * scale(motion, each)
    return found


def outside(motion: Motion, ranges: Sequence[Range] | None = None) -> tuple[Outside, ...]:
    """List the ends of ranges that a motion passes, of all ranges or of some, in the order of the times.

    A motion that goes just to an end does not pass it, whatever roundings make of it.

    Raises
    ------
    MechanismError
        If a range is of what the mechanism does not have.
    """
    found = []
    for each in ranges_of(motion.program) if ranges is None else ranges:
        try:
            values = values_in(motion, each)
        except UnknownNameError:
            if motion.program.keep is None:
                raise
            continue  # of a body that is not computed
        for stop in each.stops:
            beyond = stop.beyond(values)
            past = motion.solved & (beyond > ON_RANGE * scale(motion, each))
            if past.any():
                first, worst = int(past.argmax()), int(np.where(past, beyond, -np.inf).argmax())
                at = motion.times[[first, worst]]
                found.append(Outside(stop, float(at[0]), float(values[worst]), float(at[1])))
    return tuple(sorted(found, key=lambda each: each.time))
