"""Rises from rest to rest by the laws of machines, in a duration or as fast as limits allow."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Items
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import LawError, shown
from groupkin.mechanism.laws.joined_pieces import joined
from groupkin.mechanism.laws.laws import Coded, CodedLaw
from groupkin.mechanism.laws.profiles import ENDING, SHARES, Section, fastest, peaks, phases, profile, shifted
from groupkin.mechanism.points import SMALLEST
from groupkin.tolerances import ROUNDING, SHORTEST_RISE, SMALLEST_SHARE

Array = NDArray[np.float64]
Kind = Literal[
    "cycloid",
    "modified sine",
    "modified trapezoid",
    "3-4-5",
    "4-5-6-7",
    "simple harmonic",
    "trapezoid",
    "s-curve",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""Rises from rest to rest, by the name of their profile."""

LONGEST_RISE = 1e12
"""Longest duration of a rise (s, or rad or m of what takes the place of time)."""

LIMITS = ("speed", "acceleration", "jerk")
"""What a rise may limit, in the order of derivatives."""

JUMPING = ("simple harmonic", "trapezoid")
"""Kinds whose acceleration jumps."""

BOUNDING = {"trapezoid": "acceleration", "s-curve": "jerk"}
"""The limit without which a kind has no shortest duration."""


@dataclass(frozen=True)
class Rise(CodedLaw):
    """A rise from rest to rest by a named profile, in a duration or as fast as limits allow.

    Parameters
    ----------
    kind : str
        "cycloid", "modified sine", "modified trapezoid", "3-4-5", "4-5-6-7", "simple harmonic", "trapezoid" (of the
        speed) or "s-curve" (a trapezoid of the acceleration, both ways).
    rise : float
        Change of the value, rad or m; may be negative.
    duration : float, optional
        s; default: the shortest that keeps the limits.
    start : float
        Value before the rise, rad or m.
    begin : float
        Time at which the rise begins, s.
    speed, acceleration, jerk : float, optional
        Limits, per s, s² and s³. A trapezoid needs one of acceleration, an s-curve one of jerk: their phases then
        follow from the limits, so that no other motion is faster. Limits beside a duration are checked.
    shares : sequence of float, optional
        Proportions of the phases of a stated duration: three of a trapezoid (speeding up, constant speed, slowing
        down; default equal), seven of an s-curve (default 1, 1, 1, 3, 1, 1, 1).
    """

    kind: Kind
    rise: float
    duration: float | None = None
    start: float = 0.0
    begin: float = 0.0
    speed: float | None = None
    acceleration: float | None = None
    jerk: float | None = None
    shares: Items[float] | None = None
    AMPLITUDES: ClassVar[tuple[str, ...]] = ("rise", "start", *LIMITS)
    UNITS: ClassVar[Mapping[str, str]] = {
        "duration": "s",
        "begin": "s",
        "speed": "{}/s",
        "acceleration": "{}/s^2",
        "jerk": "{}/s^3",
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shares is not None:
            _check_shares(self)
        if self.duration is not None:
            check_duration(self.kind, self.duration)
        limits = {name: getattr(self, name) for name in LIMITS if getattr(self, name) is not None}
        for name, limit in limits.items():
            if limit < SMALLEST:
                raise LawError(f"{self.kind}: {name} is a limit, which must be at least {SMALLEST:g}, not {limit:g}")
        if limits:
            _check_limits(self)
        elif self.duration is None:
            raise LawError(f"{self.kind}: state a `duration`, or limits by `speed`, `acceleration` and `jerk`")
        if self.rise:
            check_duration(self.kind, self.time)

    @property
    def limits(self) -> tuple[float, float, float]:
        """Largest speed, acceleration and jerk that are allowed; inf where there is no limit."""
        speed, acceleration, jerk = (math.inf if x is None else x for x in (self.speed, self.acceleration, self.jerk))
        return speed, acceleration, jerk

    @property
    def linear(self) -> tuple[str, ...]:
        return ("rise", "start") if self.limits == (math.inf,) * 3 else ()

    @property
    def smooth(self) -> bool:
        """Whether the acceleration does not jump."""
        return self.kind not in JUMPING and (not self.shares or peaks(self.kind, tuple(self.shares)).jerk < math.inf)

    @cached_property
    def time(self) -> float:
        """The duration, s: stated, or the shortest that keeps the limits; 0 of no rise within limits."""
        if self.duration is not None:
            return self.duration
        return math.fsum(self._fastest) if self.kind in SHARES else max(_needed(self).values())

    @cached_property
    def _fastest(self) -> tuple[float, ...]:
        return fastest(abs(self.rise), *self.limits) if abs(self.rise) >= SMALLEST else (0.0,)

    @property
    def proportions(self) -> tuple[float, ...]:
        """Proportions of the phases of a trapezoid or an s-curve; none of the other kinds."""
        if self.kind not in SHARES:
            return ()
        return tuple(self.shares or SHARES[self.kind]) if self.duration is not None else self._fastest

    @property
    def end_speed(self) -> float | None:
        """Speed at both ends in a sequence; None if it follows the neighbors."""
        return None if self.kind in ENDING else 0.0

    def sections(self, first: float, last: float) -> Iterator[Section]:
        """Widths (s) and polynomials of the rise from a value of 0; those of degree 5 and 7 may have end speeds."""
        time, added = self.time, ENDING.get(self.kind)
        for k, (width, part) in enumerate(profile(self.kind, self.proportions) if time else ()):
            shape = self.rise * part
            if added is not None and (first or last):
                shape = shape + shifted(time * (first * added[0] + last * added[1]), k * width)
            yield time * width, shape / time ** np.arange(part.size)

    @cached_property
    def coded(self) -> Coded:
        return joined([self], self.start, self.begin, (0.0, 0.0))

    def slope(self, times: Array) -> Array:
        """Rate, acceleration and jerk (3, n) at times (n,), s."""
        from scipy.interpolate import PPoly

        _, (count, _, _), table = self.coded
        curve = PPoly(table[int(count) + 1 :].reshape(int(count), -1).T, table[: int(count) + 1])
        return np.stack([curve(times, order) for order in (1, 2, 3)])


# --- durations, limits and shares ------------------------------------------------------------


def _needed(rise: Rise) -> dict[str, float]:
    """Return the shortest durations (s) with which a rise keeps each of its limits."""
    top, height = peaks(rise.kind, rise.proportions), abs(rise.rise)
    stated = {name: (k, getattr(rise, name)) for k, name in enumerate(LIMITS, 1) if getattr(rise, name) is not None}
    return {name: (top[k - 1] * height / limit) ** (1 / k) if height else 0.0 for name, (k, limit) in stated.items()}


def check_duration(name: str, duration: float) -> None:
    """Refuse a duration (s) whose powers are too large or too small."""
    if not SHORTEST_RISE <= duration <= LONGEST_RISE:
        raise LawError(
            f"{name}: its duration must be from {SHORTEST_RISE:g} s to {LONGEST_RISE:g} s, not {duration:g} s"
        )


def _check_shares(rise: Rise) -> None:
    """Refuse shares that are no phases of a rise, or without a duration to share."""
    shares, default = tuple(rise.shares or ()), SHARES.get(rise.kind)
    if default is None:
        raise LawError(f"{rise.kind}: has no phases, so leave `shares` out; those that have are {' and '.join(SHARES)}")
    if len(shares) != len(default) or any(share and share < SMALLEST_SHARE * sum(shares) for share in shares):
        raise LawError(
            f"{rise.kind}: shares must be {len(default)} numbers, each 0 or at least {SMALLEST_SHARE:g} of their sum, "
            f"not {shown(rise.shares)}"
        )
    seven = phases(shares) if sum(shares) else shares
    if not (sum(seven[:3]) and sum(seven[4:])):
        raise LawError(f"{rise.kind}: shares must leave time to speed up and to slow down, not {shown(rise.shares)}")
    if rise.duration is None:
        raise LawError(f"{rise.kind}: the limits tell its phases; leave `shares` out, or state a `duration`")


def _check_limits(rise: Rise) -> None:
    """Refuse limits that no duration keeps, or that the stated duration does not keep."""
    if rise.jerk is not None and not rise.smooth:
        smooth = "an s-curve" if rise.kind == "trapezoid" else "a modified sine"
        raise LawError(
            f"{rise.kind}: its acceleration jumps, so no duration keeps a jerk of {rise.jerk:g}; leave `jerk` out, or "
            f"take {smooth}"
        )
    if rise.duration is None:
        bound = BOUNDING.get(rise.kind)
        if bound is not None and getattr(rise, bound) is None:
            raise LawError(
                f"{rise.kind}: its {bound} needs a limit if no duration is stated; state `{bound}` or `duration`"
            )
        return
    for name, needed in _needed(rise).items():
        if needed > rise.duration * (1.0 + ROUNDING):
            limit, power = getattr(rise, name), 1 + LIMITS.index(name)
            raise LawError(
                f"{rise.kind}: in a rise of {rise.rise:g} in {rise.duration:g} s the {name} reaches "
                f"{limit * (needed / rise.duration) ** power:.6g}, more than the limit {limit:g}; give it "
                f"{needed:.6g} s or more, or leave `duration` out"
            )
