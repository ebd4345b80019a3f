"""What a fit looks for: unknowns, the misses of a design from its targets, and what a design must be able to do."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from groupkin.errors import GroupkinWarning
from groupkin.kinematics.derivatives.sample_derivatives import SampleDerivatives
from groupkin.kinematics.design.design import Design
from groupkin.kinematics.design.many_designs import Designs, solve_many
from groupkin.kinematics.motion.quantities import Quantity, unit
from groupkin.kinematics.motion.ranges import Range, turned_into
from groupkin.kinematics.parameters.named_values import named
from groupkin.tolerances import ON_RANGE, STILL
from sglibrary.array_types import Array

CHECKED, DENSE = 24, 361
"""Values of the driver, from the first to the last, at which every design that is tried must be assembled, and those of
the last searches."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Targets of a design, and what is known of when they are to be met.

    Attributes
    ----------
    given : Design
        As it was given, with the laws of its drivers.
    design : Design
        Driven by a law that is its own argument: times are values of the driver.
    quantities : tuple of Quantity
    targets : tuple of (n, k) array
        m or rad.
    weights : tuple of float
        Of the misses of each quantity, so that they all have the unit of the first.
    angles : tuple of bool
        Which quantities are angles, of which whole turns do not matter.
    at : (n,) array or None
        Values of the driver at the targets; None if they are unknown, in order.
    shifted : bool
        Whether an unknown is added to all of `at`.
    low, high : (parameters,) array
        Bounds.
    span : (float, float)
        Least and largest value of the driver.
    turning : bool
        Whether the driver starts anywhere in a turn; `span` is a turn then.
    whole : bool
        Whether a design must be assembled all over the span, and not only between the targets.
    least : tuple of (Quantity, float)
        Quantities that must not be smaller.
    ranges : tuple of Range
        Ranges that must not be left.
    moving : int
        Number of the driver.
    checked : int
        Values of the driver at which a design must be assembled.
    evaluated, differentiated : list of int
        Number of designs that were solved, and of those whose derivatives were computed.
    """

    given: Design
    design: Design
    quantities: tuple[Quantity, ...]
    targets: tuple[Array, ...]
    weights: tuple[float, ...]
    angles: tuple[bool, ...]
    at: Array | None
    shifted: bool
    low: Array
    high: Array
    span: tuple[float, float]
    turning: bool
    whole: bool
    least: tuple[tuple[Quantity, float], ...]
    ranges: tuple[Range, ...]
    moving: int
    checked: int = CHECKED
    evaluated: list[int] = field(default_factory=lambda: [0])
    differentiated: list[int] = field(default_factory=lambda: [0])

    @property
    def count(self) -> int:
        """Number of points in order."""
        return len(self.targets[0])

    @property
    def timings(self) -> int:
        """Number of unknown values of the driver."""
        return self.count if self.at is None else int(self.shifted)

    @cached_property
    def dense(self) -> Problem:
        """The same with more values of the driver at which a design must be assembled."""
        return replace(self, checked=DENSE)

    def bounds(self) -> tuple[Array, Array]:
        """Bounds of all unknowns: parameters, then the first value of the driver or the shift, then its steps."""
        low, high = self.span
        far = high - low if self.turning else 0.0
        shift = (-np.inf, np.inf) if self.shifted else (low - far, high + far)
        ways = [shift] + [(0.0, high - low)] * (self.timings - 1)
        first, last = np.array(ways[: self.timings]).reshape(-1, 2).T
        return np.concatenate([self.low, first]), np.concatenate([self.high, last])

    def driven(self, unknowns: Array, direction: ArrayLike) -> Array:
        """Values of the driver (..., n) at the targets, of unknowns (..., u); `direction` (...) is 1, or -1 if back."""
        timing = unknowns[..., self.low.size :]
        if self.at is not None:
            return self.at + timing if self.shifted else np.broadcast_to(self.at, (*unknowns.shape[:-1], self.count))
        steps = np.asarray(direction)[..., None] * timing[..., 1:]
        return np.cumsum(np.concatenate([timing[..., :1], steps], axis=-1), axis=-1)

    def unknowns(self, values: Array, driven: Array) -> Array:
        """Unknowns (u,) of values of the parameters and of the driver at the targets: the reverse of `driven`."""
        if self.at is not None:
            return np.concatenate([values, (driven[:1] - self.at[:1])[: self.timings]])
        return np.concatenate([values, driven[:1], np.abs(np.diff(driven))])

    def path(self, driven: Array) -> Array:
        """Values of the driver (..., s) at which a design must be assembled."""
        first, last = driven.min(axis=-1), driven.max(axis=-1)
        if self.whole:
            first = first if self.turning else np.full_like(first, self.span[0])
            last = first + self.span[1] - self.span[0]
        return np.linspace(first, last, self.checked, axis=-1)

    def read(self, rows: Array, driven: Array, free: bool = False) -> list[Array]:
        """Quantities (designs, t, k) at values of the driver in any order; NaN for designs that are not allowed.

        These are (t,), or (designs, t) where those of each design are its own. Where it is `free` at which of them a
        design will be, ranges are left only at those at which they are.
        """
        together = np.concatenate([driven, self.path(driven)], axis=-1)
        order = np.argsort(together, axis=-1, kind="stable")
        back = np.argsort(order, axis=-1, kind="stable")[..., : driven.shape[-1], None]
        times = np.take_along_axis(together, order, axis=-1)
        found = self._solved(rows, times, (*self.quantities, *self._limited))
        self.evaluated[0] += len(rows)
        forbidden = ~found.solved
        left = np.zeros((len(rows), 1), bool)
        for spare in self._above(found):
            forbidden |= ~(spare.min(axis=1) >= 0.0)
        for spare in self._within(found):
            left = left | ~(spare >= 0.0)
        forbidden |= np.any(left, axis=1) & (not free)
        columns = (np.where(left[..., None], np.nan, _columns(found.read(each))) for each in self.quantities)
        values = [np.take_along_axis(x, back if back.ndim == 3 else back[None], axis=1) for x in columns]
        for value in values:
            value[forbidden] = np.nan
        return values

    @property
    def _limited(self) -> tuple[Quantity, ...]:
        """Quantities that must not be smaller, or leave their ranges."""
        return tuple(dict.fromkeys([*(each for each, _ in self.least), *(each.quantity for each in self.ranges)]))

    def _above(self, found: Designs) -> Iterator[Array]:
        """How much (designs, t) every quantity is above its least, in rad or of the size."""
        program = self.design.program
        for each, least in self.least:
            size = float(program.geometry.size) if unit(each, program.mechanism) == "m" else 1.0
            yield (found.read(each) - least) / size

    def _within(self, found: Designs) -> Iterator[Array]:
        """How much (designs, t) is left to the ends of every range, relative to its scale."""
        program = self.design.program
        numbers = named(self.design.parameters, found.values.T[..., None])
        for each in self.ranges:
            low, high = each.at(numbers)
            values, of = found.read(each.quantity), each.scale(program.geometry.size)
            values = turned_into(values, each, ends=(low, high)) if each.turning else values
            for end, spare in ((low, values - low), (high, high - values)):
                if np.isfinite(end).all():
                    yield spare / of + ON_RANGE

    def _solved(
        self, rows: Array, times: Array, wanted: Sequence[Quantity], differentiated: SampleDerivatives | None = None
    ) -> Designs:
        """Solve designs at times of their own, without warnings of whole turns, which do not matter."""
        design = self.design
        with warnings.catch_warnings(action="ignore", category=GroupkinWarning):
            return solve_many(
                design.program, design.parameters, rows, times, wanted, whole=True, differentiated=differentiated
            )

    def misses(self, values: list[Array]) -> Array:
        """Weighted differences (designs, n k) from the targets of quantities (designs, n, k)."""
        each = zip(values, self.targets, self.weights, self.angles, strict=True)
        return np.concatenate([(w * off(x, target, angle)).reshape(len(x), -1) for x, target, w, angle in each], axis=1)

    def residuals(self, unknowns: Array, direction: Array) -> Array:
        """Weighted misses (designs, m) of unknowns (designs, u); NaN where a design is not allowed."""
        driven = self.driven(unknowns, direction)
        found = self.misses(self.read(unknowns[:, : self.low.size], driven))
        if self.at is None:
            found[np.ptp(driven, axis=1) > (self.span[1] - self.span[0]) * (1 + STILL)] = np.nan
        return found

    def room(self, unknowns: Array, direction: Array) -> Array:
        """What is left to the edge of what is allowed (designs, k) of unknowns (designs, u); NaN beyond it.

        Squares of the conditioning, which go down to singular positions evenly, and how much every quantity is above
        its least, and inside its range, in rad or of the size.
        """
        driven = self.driven(unknowns, direction)
        times = np.sort(np.concatenate([driven, self.path(driven)], axis=-1), axis=-1)
        conditioning = Quantity("conditioning", "")
        wanted = tuple(dict.fromkeys([conditioning, *self._limited]))
        found = self._solved(unknowns[:, : self.low.size], times, wanted)
        self.evaluated[0] += len(unknowns)
        parts = [found.read(conditioning) ** 2, *self._above(found), *self._within(found)]
        room = np.concatenate(parts, axis=1)
        room[~found.solved] = np.nan
        return room

    def jacobian(self, unknowns: Array, direction: Array) -> Array:
        """Derivatives (designs, m, u) of the misses, exact to rounding; zero where a design is not allowed."""
        p, driver = self.low.size, len(self.design.parameters) + self.moving
        driven = self.driven(unknowns, direction)
        order = np.argsort(driven, axis=-1, kind="stable")
        back = np.argsort(order, axis=-1, kind="stable")[:, None, :, None]
        times, differentiated = np.take_along_axis(driven, order, axis=-1), self._differentiated
        found = self._solved(unknowns[:, :p], times, self.quantities, differentiated)
        self.differentiated[0] += len(unknowns)
        parts = []
        for each, weight in zip(self.quantities, self.weights, strict=True):
            slopes = found.slopes[each].reshape(*found.slopes[each].shape[:3], -1)
            ordered = weight * np.take_along_axis(slopes, back, axis=2)
            parts.append(np.moveaxis(ordered, 1, -1).reshape(len(unknowns), -1, differentiated.count))
        slopes = np.nan_to_num(np.concatenate(parts, axis=1))
        return np.concatenate([slopes[..., :p], self._by_timing(slopes[..., driver : driver + 1], direction)], axis=2)

    @cached_property
    def _differentiated(self) -> SampleDerivatives:
        """What is differentiated of designs: also by their drivers, where timing is unknown."""
        return SampleDerivatives(self.design.program, self.design.parameters, self.quantities, self.timings > 0)

    def _by_timing(self, slopes: Array, direction: Array) -> Array:
        """Derivatives (designs, m, timings) by unknown values of the driver, from those of every miss by its own."""
        if self.at is not None:
            return slopes[..., : self.timings]
        number = np.concatenate([np.repeat(np.arange(self.count), target.shape[1]) for target in self.targets])
        later = number[:, None] >= np.arange(1, self.count)
        return np.concatenate([slopes, np.asarray(direction)[:, None, None] * slopes * later], axis=2)


def off(values: Array, targets: Array, angle: bool) -> Array:
    """Differences from targets; those of angles within half a turn."""
    difference = values - targets
    return difference - 2.0 * np.pi * np.round(difference / (2.0 * np.pi)) if angle else difference


def _columns(values: Array) -> Array:
    return values if values.ndim == 3 else values[..., None]
