"""Ranges of joints and other quantities, and where a motion leaves them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from groupkin.errors import GroupkinError, MechanismError, QuantityError, UnknownNameError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity, components, quantity, read_from, unit
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.parts import Joint
from groupkin.tolerances import ON_RANGE
from sglibrary.array_types import Array, Flags

OF_POSES = ("position", "angle", "joint", "distance", "transmission_angle", "conditioning", "output")
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

    def end(self, end: End) -> float:
        """The value at one of its ends."""
        return self.low if end == "lower" else self.high

    def text(self, end: End, mechanism: Mechanism) -> str:
        """Write which end, of what, and its value, for messages."""
        value = mechanism.units.text(self.end(end), self.unit)
        return f"the {end} end of the range of {self.name}, {value}"


@dataclass(frozen=True)
class Outside:
    """Where a motion leaves a range.

    Attributes
    ----------
    range : Range
    end : {"lower", "upper"}
        The one that it passes.
    time : float
        s, of the first step beyond it.
    worst, worst_time : float
        The value farthest beyond it, SI, and when, s.
    """

    range: Range
    end: End
    time: float
    worst: float
    worst_time: float

    def text(self, mechanism: Mechanism) -> str:
        """Write what is passed, when and how far."""
        worst = mechanism.units.text(self.worst, self.range.unit)
        passed = f"{mechanism.name} passes {self.range.text(self.end, mechanism)}, at t = {self.time:.6g} s"
        return f"{passed}, and is farthest beyond it at t = {self.worst_time:.6g} s, at {worst}"


@lru_cache(maxsize=32)
def ranges_of(mechanism: Mechanism) -> tuple[Range, ...]:
    """List the ranges of a mechanism: of joints in order of declaration, then of other quantities.

    Raises
    ------
    MechanismError
        If a range is of what the mechanism does not have, or of no number that follows from positions.
    """
    found: dict[Quantity, Range] = {}
    for joint in mechanism.joints:
        for name, ends in by_freedom(mechanism, joint).items():
            wanted = Quantity("joint", joint.name, name if len(mechanism.freedoms(joint)) > 1 else "")
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


def by_freedom(mechanism: Mechanism, joint: Joint) -> Mapping[str, Sequence[float]]:
    """Return the ranges of a joint by the names of its freedoms."""
    if joint.range is None or isinstance(joint.range, Mapping):
        return joint.range or {}
    return {mechanism.freedoms(joint)[0].name: joint.range}


def _range(wanted: Quantity, ends: Sequence[float], mechanism: Mechanism) -> Range:
    return Range(wanted, float(ends[0]), float(ends[1]), unit(wanted, mechanism))


def values_in(motion: Motion, within: Range) -> Array:
    """Read the quantity of a range from a motion (n,), SI.

    Angles are known up to whole turns: a motion begins with those that bring it next to the middle of the range, and
    so does each position by itself.
    """
    values = read_from(motion, within.quantity, motion.program.mechanism)
    if within.unit != "rad" or within.quantity.kind == "transmission_angle":
        return np.asarray(values)
    ends = [x for x in (within.low, within.high) if np.isfinite(x)]
    middle, known = sum(ends) / len(ends), np.isfinite(values)
    first = values if motion.by_themselves else values[known.argmax()] if known.any() else np.zeros(1)
    return np.asarray(values + 2 * np.pi * np.round((middle - first) / (2 * np.pi)))


def margin(motion: Motion, within: Range) -> float:
    """By how much a quantity may pass an end of its range: what roundings make of a motion that goes just to it."""
    if within.unit == "m":
        return ON_RANGE * motion.program.geometry.size
    return ON_RANGE * max(1.0, *(abs(x) for x in (within.low, within.high) if np.isfinite(x)))


def inside(motion: Motion) -> Flags:
    """Tell at which steps (n,) all quantities are in their ranges; those that are not solved are not."""
    found = motion.solved.copy()
    for each in ranges_of(motion.program.mechanism):
        values, off = values_in(motion, each), margin(motion, each)
        found &= (values >= each.low - off) & (values <= each.high + off)
    return found


def outside(motion: Motion) -> tuple[Outside, ...]:
    """List the ends of ranges that a motion passes, in the order of the times.

    Raises
    ------
    MechanismError
        If a range is of what the mechanism does not have.
    """
    found = []
    for each in ranges_of(motion.program.mechanism):
        try:
            values, off = values_in(motion, each), margin(motion, each)
        except UnknownNameError:
            if motion.program.keep is None:
                raise
            continue  # of a body that is not computed
        ends: tuple[tuple[End, Array], ...] = (("lower", each.low - values), ("upper", values - each.high))
        for end, beyond in ends:
            past = motion.solved & (beyond > off)
            if past.any():
                first, worst = int(past.argmax()), int(np.where(past, beyond, -np.inf).argmax())
                at = motion.times[[first, worst]]
                found.append(Outside(each, end, float(at[0]), float(values[worst]), float(at[1])))
    return tuple(sorted(found, key=lambda each: each.time))
