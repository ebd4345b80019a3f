"""What is kept of the motion of every sample: all of it, or a few numbers that are computed as soon as it is solved.

Each kind says which quantities it needs and what it makes of them, for many samples at once. Numbers that need a part
of the motion which was not solved are NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from cluster.sweeps.readings import Readings, Variable
from groupkin.kinematics.motion.quantities import Quantity as Quantity
from groupkin.kinematics.motion.quantities import components, parse, unit
from groupkin.kinematics.samples.sample_ranges import farthest
from groupkin.mechanism.units import powers, unit_text
from groupkin.tolerances import ROUNDING
from sglibrary.array_types import Array, Flags, Ints

if TYPE_CHECKING:
    from groupkin.kinematics.program.program import Program


Direction = Literal["rising", "falling", "either"]


@dataclass(frozen=True)
class When:
    """An event: a quantity of one component passes a value, upwards ("rising"), downwards ("falling") or either way."""

    quantity: Quantity | str
    equals: float
    direction: Direction = "either"


@dataclass(frozen=True)
class Limit:
    """Bounds of a quantity of one component."""

    quantity: Quantity | str
    low: float = -np.inf
    high: float = np.inf


@dataclass(frozen=True)
class OfQuantity:
    """A number of every component of a quantity, of which `of` may be the text form."""

    of: Quantity | str
    name: str = ""

    WORD = ""

    @property
    def label(self) -> str:
        return self.name or ".".join(word for word in (self.WORD, self.needs[0].label) if word)

    @property
    def needs(self) -> tuple[Quantity, ...]:
        return (parse(self.of),)

    def variable(self, program: Program, times: Array) -> Variable:
        of, mechanism = self.needs[0], program.mechanism
        dims, labels = components(of, mechanism)
        coords = dict(zip(dims, map(list, labels), strict=True))
        attrs = {"units": unit(of, mechanism), "long_name": f"{self.WORD} of {of}" if self.WORD else str(of)}
        return Variable(self.label, dims, tuple(map(len, labels)), attrs=attrs, coords=coords)

    def compute(self, readings: Readings) -> Array:
        return np.stack([self.number(x) for x in readings.each(self.needs[0])], axis=-1)

    def derivatives(self, readings: Readings, parameter: int) -> Array:
        """Differentiate what `compute` gives by a parameter."""
        pairs = zip(readings.each(self.needs[0]), readings.slopes_by(self.needs[0], parameter), strict=True)
        return np.stack([self.slope(x, slope) for x, slope in pairs], axis=-1)

    def number(self, x: Array) -> Array:
        """Return one number (samples,) of all times of one component (samples, times)."""
        raise NotImplementedError

    def slope(self, x: Array, slopes: Array) -> Array:
        """Return the derivative of `number` (samples,), from those of the component (samples, times)."""
        raise NotImplementedError


@dataclass(frozen=True)
class TimeHistory(OfQuantity):
    """A quantity at all times."""

    def variable(self, program: Program, times: Array) -> Variable:
        value = super().variable(program, times)
        coords = {"time": times.tolist(), **value.coords}
        return Variable(self.label, ("time", *value.dims), (times.size, *value.shape), attrs=value.attrs, coords=coords)

    def compute(self, readings: Readings) -> Array:
        return np.moveaxis(np.array(readings.each(self.needs[0])), 0, -1)

    def derivatives(self, readings: Readings, parameter: int) -> Array:
        return np.moveaxis(np.array(readings.slopes_by(self.needs[0], parameter)), 0, -1)


@dataclass(frozen=True)
class Minimum(OfQuantity):
    """The least value of a quantity."""

    WORD = "minimum"

    def number(self, x: Array) -> Array:
        return np.asarray(x.min(axis=1))

    def slope(self, x: Array, slopes: Array) -> Array:
        return _at(slopes, x.argmin(axis=1))


@dataclass(frozen=True)
class Maximum(OfQuantity):
    """The largest value of a quantity."""

    WORD = "maximum"

    def number(self, x: Array) -> Array:
        return np.asarray(x.max(axis=1))

    def slope(self, x: Array, slopes: Array) -> Array:
        return _at(slopes, x.argmax(axis=1))


@dataclass(frozen=True)
class Range(OfQuantity):
    """Largest less least value of a quantity."""

    WORD = "range"

    def number(self, x: Array) -> Array:
        return np.asarray(x.max(axis=1) - x.min(axis=1))

    def slope(self, x: Array, slopes: Array) -> Array:
        return _at(slopes, x.argmax(axis=1)) - _at(slopes, x.argmin(axis=1))


@dataclass(frozen=True)
class Excess(OfQuantity):
    """How far a quantity is beyond its range at worst: above 0 past the upper end, below 0 past the lower, else 0."""

    WORD = "excess"

    def compute(self, readings: Readings) -> Array:
        return farthest(readings.excesses[self.needs[0]])[:, None]


@dataclass(frozen=True)
class At(OfQuantity):
    """The value of a quantity at a time (s) or at the first of some events, linear between the steps around it."""

    time: float | None = None
    event: When | None = None

    WORD = "value"

    @property
    def needs(self) -> tuple[Quantity, ...]:
        return (parse(self.of),) if self.event is None else (parse(self.of), parse(self.event.quantity))

    def compute(self, readings: Readings) -> Array:
        if self.event is None:
            return self._at_time(readings, readings.each(self.needs[0]))
        step, share = first_passage(readings.each(self.needs[1])[0], self.event)
        return np.stack([_interpolated(x, step, share) for x in readings.each(self.needs[0])], axis=-1)

    def derivatives(self, readings: Readings, parameter: int) -> Array:
        """Those of the value at a time."""
        return self._at_time(readings, readings.slopes_by(self.needs[0], parameter))

    def _at_time(self, readings: Readings, parts: list[Array]) -> Array:
        assert self.time is not None
        step, share = (np.full(readings.count, x) for x in _between(readings.times, self.time))
        return np.stack([_interpolated(x, step, share) for x in parts], axis=-1)


@dataclass(frozen=True)
class PathLength:
    """Length of the path of a point or of a body's origin: of the polygon through its positions at all times."""

    of: str
    name: str = ""

    @property
    def label(self) -> str:
        return self.name or f"path_length.{self.of}"

    @property
    def needs(self) -> tuple[Quantity, ...]:
        return (Quantity("position", self.of),)

    def variable(self, program: Program, times: Array) -> Variable:
        return Variable(self.label, attrs={"units": "m", "long_name": f"length of the path of {self.of}"})

    def compute(self, readings: Readings) -> Array:
        steps = np.diff(np.array(readings.each(self.needs[0])), axis=2)
        return np.asarray(np.sqrt((steps * steps).sum(axis=0)).sum(axis=1))[:, None]


@dataclass(frozen=True)
class Occupancy:
    """At how many steps of all samples a point is in each cell of a box; only steps within all limits count.

    Parameters
    ----------
    of : str
        A point, or a body whose origin is meant.
    low, high : sequence of float
        Corners of the box, m.
    cells : sequence of int
        Number of cells along each axis.
    limits : sequence of Limit
        What must hold for a step to count, such as the shortest and longest length of a leg.
    """

    of: str
    low: Sequence[float]
    high: Sequence[float]
    cells: Sequence[int]
    limits: Sequence[Limit] = ()
    name: str = ""

    @property
    def label(self) -> str:
        return self.name or f"occupancy.{self.of}"

    @property
    def needs(self) -> tuple[Quantity, ...]:
        return (Quantity("position", self.of), *(parse(limit.quantity) for limit in self.limits))

    def variable(self, program: Program, times: Array) -> Variable:
        dims = tuple(f"{self.label}.{axis}" for axis in "xyz"[: program.mechanism.dimension])
        edges = [np.linspace(a, b, n + 1) for a, b, n in zip(self.low, self.high, self.cells, strict=True)]
        coords = {dim: (0.5 * (edge[1:] + edge[:-1])).tolist() for dim, edge in zip(dims, edges, strict=True)}
        attrs = {"units": "1", "long_name": f"steps at which {self.of} is in a cell; coordinates are centers in m"}
        return Variable(self.label, dims, tuple(self.cells), "int64", attrs, coords, total=True)

    def allowed(self, readings: Readings) -> Flags:
        """Tell at which steps (samples, times) all limits hold."""
        holds = np.ones(readings.shape, bool)
        for limit in self.limits:
            x = readings.each(parse(limit.quantity))[0]
            holds &= (x >= limit.low) & (x <= limit.high)
        return holds

    def compute(self, readings: Readings) -> Ints:
        inside = self.allowed(readings)
        cell = np.zeros(readings.shape, np.int64)
        position = readings.components[self.needs[0]]
        for x, low, high, count in zip(position, self.low, self.high, self.cells, strict=True):
            inside &= (x >= low) & (x <= high)
            index = np.where(inside, np.floor((x - low) * (count / (high - low))), 0.0)
            cell = cell * count + np.minimum(index, count - 1).astype(np.int64)
        return np.bincount(cell[inside], minlength=int(np.prod(self.cells))).reshape(tuple(self.cells))


@dataclass(frozen=True)
class Outside:
    """At how many solved steps within its limits the point of an occupancy is outside of the box; kept with it."""

    occupancy: Occupancy

    @property
    def label(self) -> str:
        return f"{self.occupancy.label}.{OUTSIDE}"

    @property
    def needs(self) -> tuple[Quantity, ...]:
        return self.occupancy.needs

    def variable(self, program: Program, times: Array) -> Variable:
        attrs = {"units": "1", "long_name": f"steps at which {self.occupancy.of} is outside of the box"}
        return Variable(self.label, dtype="int64", attrs=attrs, total=True)

    def compute(self, readings: Readings) -> Ints:
        position = readings.each(self.needs[0])
        solved = np.isfinite(position).all(axis=0) & self.occupancy.allowed(readings)
        return np.asarray(np.count_nonzero(solved) - self.occupancy.compute(readings).sum())


OUTSIDE = "outside"
"""End of the name of what is kept with an occupancy."""


@dataclass(frozen=True)
class Conditioning:
    """Least conditioning of all groups, or of that of a body: 1 at best, 0 at a singular position."""

    group: str = ""
    name: str = ""

    @property
    def label(self) -> str:
        return self.name or ".".join(part for part in ("conditioning", self.group) if part)

    @property
    def needs(self) -> tuple[Quantity, ...]:
        return (Quantity("conditioning", self.group),)

    def variable(self, program: Program, times: Array) -> Variable:
        return Variable(self.label, attrs={"units": "1", "long_name": f"minimum of {self.needs[0]}"})

    def compute(self, readings: Readings) -> Array:
        return np.asarray(readings.components[self.needs[0]][0].min(axis=1))[:, None]


@dataclass(frozen=True)
class TransmissionAngle:
    """Least angle between the lines from the second of three points to the first and to the third, up to π/2.

    Of a four-bar linkage the points are the ends of the coupler and the fixed point of the rocker.
    """

    points: tuple[str, str, str]
    name: str = ""

    @property
    def label(self) -> str:
        return self.name or f"transmission_angle.{'-'.join(self.points)}"

    @property
    def needs(self) -> tuple[Quantity, ...]:
        return (Quantity("transmission_angle", self.points),)

    def variable(self, program: Program, times: Array) -> Variable:
        return Variable(self.label, attrs={"units": "rad", "long_name": f"minimum of {self.needs[0]}"})

    def compute(self, readings: Readings) -> Array:
        return readings.each(self.needs[0])[0].min(axis=1)[:, None]


@dataclass(frozen=True)
class Derivative:
    """The derivative of something that is kept by a parameter; kept with it where a sweep is differentiated.

    Attributes
    ----------
    kept : TimeHistory, Minimum, Maximum, Range or At
        A value at a time, not at an event. Extremes are differentiated at the step at which they are.
    by : str
        Name of the parameter, with its component.
    number : int
        Of the parameter, with all components counted.
    per : str
        Its unit.
    """

    kept: OfQuantity
    by: str
    number: int
    per: str

    @property
    def label(self) -> str:
        return f"{self.kept.label}.by.{self.by}"

    @property
    def needs(self) -> tuple[Quantity, ...]:
        return self.kept.needs

    def variable(self, program: Program, times: Array) -> Variable:
        whole = self.kept.variable(program, times)
        units = ", ".join(_quotient(each, self.per) for each in whole.attrs["units"].split(", "))
        attrs = {"units": units, "long_name": f"derivative of {whole.attrs['long_name']} by {self.by}"}
        return replace(whole, name=self.label, attrs=attrs)

    def compute(self, readings: Readings) -> Array:
        return self.kept.derivatives(readings, self.number)


def _quotient(above: str, below: str) -> str:
    """Return the unit of a quotient."""
    x, y = powers(above), powers(below)
    return unit_text(tuple(one - other for one, other in zip(x, y, strict=True))) if x and y else f"{above} per {below}"


def _at(x: Array, steps: Ints) -> Array:
    """Return the numbers (n,) at some steps (n,) of (n, t)."""
    return np.asarray(x[np.arange(len(x)), steps])


Keep = (
    TimeHistory
    | Minimum
    | Maximum
    | Excess
    | Range
    | At
    | PathLength
    | Occupancy
    | Outside
    | Conditioning
    | TransmissionAngle
    | Derivative
)


# --- events ----------------------------------------------------------------------------------

SIGNS: dict[Direction, tuple[float, ...]] = {"rising": (1.0,), "falling": (-1.0,), "either": (1.0, -1.0)}


def first_passage(x: Array, event: When) -> tuple[Ints, Array]:
    """Find the steps (n,) before the first event in numbers (n, t), and the share of the step after them (NaN: never).

    A value is passed where it is reached, at the last time too; at the first time it is unless the numbers then go
    the other way.
    """
    away = x - event.equals
    away[np.abs(away) <= ROUNDING * np.fmax(np.fmax.reduce(np.abs(x), axis=1), abs(event.equals))[:, None]] = 0.0
    before, after = away[:, :-1], away[:, 1:]
    passed = np.zeros(before.shape, bool)
    for sign in SIGNS[event.direction]:
        passed |= (sign * before < 0.0) & (sign * after >= 0.0)
        passed[:, 0] |= (before[:, 0] == 0.0) & (sign * after[:, 0] >= 0.0)
    step, samples = passed.argmax(axis=1), np.arange(len(x))
    left, right = before[samples, step], after[samples, step]
    share = np.where(left == 0.0, 0.0, left / np.where(left == right, 1.0, left - right))
    return step, np.where(passed[samples, step], share, np.nan)


def _between(times: Array, time: float) -> tuple[int, float]:
    """Return the step before a time, and which share of the step has then passed."""
    way = 1.0 if times[-1] >= times[0] else -1.0
    left = int(np.clip(np.searchsorted(way * times, way * time, side="right") - 1, 0, max(times.size - 2, 0)))
    if times.size == 1 or times[left + 1] == times[left]:
        return left, 0.0
    return left, float((time - times[left]) / (times[left + 1] - times[left]))


def _interpolated(x: Array, step: Ints, share: Array) -> Array:
    """Interpolate numbers (n, t) linearly, each a share (n,) after a step (n,); at a step the other may be NaN."""
    samples, last = np.arange(len(x)), x.shape[1] - 1
    left, right = x[samples, step], x[samples, np.minimum(step + 1, last)]
    between = left + share * (right - left)
    return np.where(share == 0.0, left, np.where(share == 1.0, right, between))
