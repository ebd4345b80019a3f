"""Laws over the coordinate of another driven joint instead of time, and the laws by time that these are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import check_fields
from groupkin.errors import LawError
from groupkin.mechanism.laws.laws import Coded, CodedLaw, Law, check_range
from groupkin.showing import brief

Array = NDArray[np.float64]
Coordinate = tuple[str, int]
"""Name of a joint and index of a freedom of it."""


@dataclass(frozen=True)
class Over(CodedLaw):
    """A law over the coordinate of another driven joint, as of an electronic cam.

    Parameters
    ----------
    leader : str
        The joint, such as ``crank``, or the driven freedom of one, such as ``pose.x``. It has a driver with a law of
        its own, by time or over a third joint.
    law : Law
        In its numbers, the coordinate of the leader (rad or m) takes the place of time (s).

    Notes
    -----
    A mechanism fills in what its drivers tell of the leader: its `joint`, the index of its `freedom`, the unit of this,
    which is that of the `argument`, and its law by time, `by`.
    """

    leader: str
    law: Law
    joint: str = field(default="", repr=False, compare=False)
    freedom: int = field(default=0, repr=False, compare=False)
    argument: str = field(default="rad", repr=False, compare=False)
    by: Law | None = field(default=None, repr=False, compare=False)

    __repr__ = brief

    def __post_init__(self) -> None:
        check_fields(self, LawError)
        if isinstance(self.law, Over):
            raise LawError(f"Over: a law over joint {self.law.leader} is none over {self.leader} as well; name one")

    @property
    def coordinate(self) -> Coordinate:
        """Joint and freedom of the leader."""
        return self.joint, self.freedom

    @property
    def linear(self) -> tuple[str, ...]:
        return self.law.linear

    @property
    def numbers(self) -> dict[str, Any]:
        return self.law.numbers

    def changed(self, name: str, value: Any) -> Self:
        return replace(self, law=self.law.changed(name, value))

    def scaled(self, factor: float) -> Self:
        return replace(self, law=self.law.scaled(factor))

    def unit(self, name: str, freedom: str, index: int | None = None) -> str:
        return self.law.unit(name, freedom, index).replace("Hz", "1/s").replace("s", self.argument)

    @property
    def everywhere(self) -> bool:
        return self.law.everywhere and (self.by is None or self.by.everywhere)

    @cached_property
    def coded(self) -> Coded | None:
        """The law by time as numbers, where the leader moves forward at a constant rate; else None."""
        from sglibrary.laws import RAMP

        follower, leader = self.law.coded, self.leading.coded
        if follower is None or leader is None or not self.law.everywhere or leader[0] != RAMP or leader[1][0] <= 0.0:
            return None
        return _by_ramp(follower, *leader[1])

    def fill(self, times: Array, out: Array) -> None:
        if self.coded is not None:
            super().fill(times, out)
        else:
            out[:] = self.led_by(self.leading.at(times))

    @property
    def leading(self) -> Law:
        """The law of the leader by time."""
        over = f"{self.label or 'a law'} is over joint {self.leader}"
        if not self.joint:
            raise LawError(f"{over}, which only laws of drivers can be; give it a law of time")
        if self.by is None:
            raise LawError(
                f"{over}, which no law drives; drive that by a law of time, or relate both joints by a coupling"
            )
        return self.by

    def led_by(self, leading: Array) -> Array:
        """Value, rate and acceleration (3, n), where those of the leader are these (3, n)."""
        values, rates, gains = leading
        if not self.law.everywhere:
            check_range(self, getattr(self.law, "times", values), values, f"joint {self.leader}", self.argument)
        value, slope, bend = self.law.at(values)
        return np.stack([value, slope * rates, bend * rates**2 + slope * gains])


def _by_ramp(coded: Coded, rate: float, start: float) -> Coded | None:
    """Put start + rate · t into a law; None if it is none of the coded laws then."""
    from sglibrary import laws

    kind, numbers, table = coded
    match kind:
        case laws.RAMP:
            return kind, (numbers[0] * rate, numbers[1] + numbers[0] * start), table
        case laws.HARMONIC:
            amplitude, frequency, phase, offset = numbers
            return kind, (amplitude, frequency * rate, phase + frequency * start, offset), table
        case laws.PIECES:
            count, width, period = int(numbers[0]), int(numbers[1]), numbers[2]
            ends, curve, rest = np.split(table, [count + 1, count + 1 + count * width])
            powers = np.tile(rate ** np.arange(width - 1.0, -1.0, -1.0), count)
            moved = np.concatenate([(ends - start) / rate, curve * powers, rest])
            return (kind, (count, width, period / rate), moved) if np.isfinite(moved[ends.size :]).all() else None
    return None


def linked(drivers: Mapping[Coordinate, Law | None]) -> dict[Coordinate, Law | None]:
    """Fill in the laws by time of all leaders.

    Raises
    ------
    LawError
        If drivers lead each other in a circle.
    """

    def law_of(driven: Coordinate, followers: tuple[Coordinate, ...]) -> Law | None:
        law = drivers.get(driven)
        if not isinstance(law, Over):
            return law
        if driven in followers:
            circle = ", ".join(repr(joint) for joint, _ in followers[followers.index(driven) :])
            raise LawError(f"the laws of joints {circle} are over each other in a circle; give one a law of time")
        return replace(law, by=law_of(law.coordinate, (*followers, driven)))

    return {driven: law_of(driven, ()) for driven in drivers}
