"""Motion laws of drivers: value, rate and acceleration of one freedom as functions of time.

A law is a frozen dataclass. Its method ``at(times)`` returns an array of shape (3, n): the value (rad or m), its rate
(per s) and its acceleration (per s²); ``fill(times, out)`` writes the same to an array, and ``scaled(factor)`` returns
the law in other units.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.arguments import check_fields, floats
from groupkin.errors import LawError, shown
from groupkin.mechanism.points import LARGEST
from groupkin.mechanism.values import Value
from groupkin.showing import brief
from groupkin.tolerances import ROUNDING

if TYPE_CHECKING:
    from scipy.interpolate import PPoly

Array = NDArray[np.float64]
Coded = tuple[int, tuple[float, ...], Array]
"""Kind, numbers and table of a law, as in `sglibrary.laws`."""


@dataclass(frozen=True)
class Law:
    """Base class of all laws. Subclasses list in `AMPLITUDES` the fields that have the unit of the freedom.

    `UNITS` states the units of fields, with {} for the unit of the freedom; without an entry amplitudes have the unit
    of the freedom, and other numbers have none. `label` tells in messages what is driven, or where samples come from.
    """

    label: str = field(default="", kw_only=True, compare=False, repr=False)
    AMPLITUDES: ClassVar[tuple[str, ...]] = ()
    UNITS: ClassVar[Mapping[str, str]] = {}

    def at(self, times: ArrayLike) -> Array:
        """Value, rate and acceleration (3, n) at `times` (n,), s. A single time may be a number."""
        raise NotImplementedError

    def fill(self, times: Array, out: Array) -> None:
        """Write what `at` returns to `out` (3, n), C-contiguous."""
        out[:] = self.at(times)

    @property
    def coded(self) -> Coded | None:
        """Kind, numbers and table as in `sglibrary.laws`; None if the law is evaluated by `at` alone."""
        return None

    @property
    def everywhere(self) -> bool:
        """True if the law is defined at all times."""
        return False

    @property
    def linear(self) -> tuple[str, ...]:
        """Names of the numbers in which the law is linear."""
        return self.AMPLITUDES

    @property
    def numbers(self) -> dict[str, Any]:
        """The numbers of the law, by their names: those that are stated, single or several."""
        named = {part.name: getattr(self, part.name) for part in fields(self)}
        return {name: x for name, x in named.items() if name not in ("label", "kind") and x is not None}

    def changed(self, name: str, value: Any) -> Self:
        """Return the law with another value of one of its `numbers`."""
        changes: dict[str, Any] = {name: value}
        return replace(self, **changes)

    def labeled(self, label: str) -> Self:
        """Put a label before the one that the law has."""
        law = copy(self)
        object.__setattr__(law, "label", ", ".join(filter(None, (label, self.label))))
        return law

    def scaled(self, factor: float) -> Self:
        """Multiply all values of the law by a factor, for a change of units."""
        changes: dict[str, Any] = {
            name: _times(value, factor) for name, value in self.numbers.items() if name in self.AMPLITUDES
        }
        return replace(self, **changes)

    def stretched(self, factor: float) -> Self:
        """Multiply the argument of the law by a factor, for a change of its unit."""
        changes: dict[str, Any] = {}
        for name, value in self.numbers.items():
            powers = [_power(self.unit(name, "", k)) for k in range(np.size(value))]
            if any(powers):
                each = value if isinstance(value, tuple) else (value,)
                scaled = tuple(_times(x, factor**power) for x, power in zip(each, powers, strict=True))
                changes[name] = scaled if isinstance(value, tuple) else scaled[0]
        return replace(self, **changes)

    def unit(self, name: str, freedom: str, index: int | None = None) -> str:
        """Unit of a field, or of its entry `index`, where `freedom` is the unit of the driven freedom (rad or m)."""
        return self.UNITS.get(name, "{}" if name in self.AMPLITUDES else "1").format(freedom)

    def __post_init__(self) -> None:
        check_fields(self, LawError)
        for name, value in self.numbers.items():
            check_number(self, name, value)


def check_number(part: object, name: str, value: Any) -> None:
    """Refuse a number of a law, or of a piece of one, that is not finite; of several, keep a copy in its field."""
    array = floats(value)
    if array.ndim > 1 or not np.isfinite(array).all():
        raise LawError(f"{type(part).__name__}: {name} must be finite numbers, not {shown(value)}")
    if (np.abs(array) > LARGEST).any():
        raise LawError(f"{type(part).__name__}: {name} must not be larger than {LARGEST:g}, not {shown(value)}")
    if array.ndim == 1:  # a copy that cannot change and can be compared
        named = any(isinstance(x, Value) for x in value)
        object.__setattr__(part, name, tuple(value if named else array.tolist()))


def _power(unit: str) -> int:
    """Return the power of seconds in the unit of a number of a law."""
    return {"s": 1, "Hz": -1, "/s": -1}.get(unit) or -int(unit.partition("/s^")[2] or 0)


def _times(value: object, factor: float) -> object:
    if isinstance(value, tuple) and any(isinstance(x, Value) for x in value):
        return tuple(_times(x, factor) for x in value)
    if isinstance(value, Value):
        return factor * value
    scaled = np.asarray(value, float) * factor
    return float(scaled) if scaled.ndim == 0 else tuple(scaled.tolist())


@dataclass(frozen=True)
class CodedLaw(Law):
    """Base class of laws that compiled code evaluates; subclasses define how they are `coded`."""

    def at(self, times: ArrayLike) -> Array:
        t = as_array(times)
        out = np.empty((3, t.size))
        self.fill(t, out)
        return out

    def fill(self, times: Array, out: Array) -> None:
        from sglibrary.laws import evaluate  # numba: imported where it is used

        assert self.coded is not None
        kind, numbers, table = self.coded
        evaluate(times, kind, np.array([*numbers, *np.zeros(4 - len(numbers))]), table, (out[0], out[1], out[2]))

    @property
    def everywhere(self) -> bool:
        return True


@dataclass(frozen=True)
class Constant(CodedLaw):
    """A freedom that is held at one value (rad or m)."""

    value: float = 0.0
    AMPLITUDES: ClassVar[tuple[str, ...]] = ("value",)

    @cached_property
    def coded(self) -> Coded:
        return code("RAMP", 0.0, self.value)


@dataclass(frozen=True)
class Ramp(CodedLaw):
    """Constant rate (rad/s or m/s) from a start value at time zero."""

    rate: float
    start: float = 0.0
    AMPLITUDES: ClassVar[tuple[str, ...]] = ("rate", "start")
    UNITS: ClassVar[Mapping[str, str]] = {"rate": "{}/s"}

    @cached_property
    def coded(self) -> Coded:
        return code("RAMP", self.rate, self.start)


@dataclass(frozen=True)
class Polynomial(CodedLaw):
    """c0 + c1 t + c2 t² + …, coefficients in rising powers of seconds."""

    coefficients: Sequence[float]
    AMPLITUDES: ClassVar[tuple[str, ...]] = ("coefficients",)

    __repr__ = brief

    def __post_init__(self) -> None:
        super().__post_init__()
        if not len(self.coefficients):
            raise LawError("Polynomial: needs at least one coefficient")

    def unit(self, name: str, freedom: str, index: int | None = None) -> str:
        return freedom + ("" if not index else "/s" if index == 1 else f"/s^{index}")

    @cached_property
    def coded(self) -> Coded:
        return code("PIECES", 1, len(self.coefficients), 0.0, table=[0.0, np.inf, *reversed(self.coefficients)])


@dataclass(frozen=True)
class Harmonic(CodedLaw):
    """offset + amplitude · sin(2π · frequency · t + phase); frequency in hertz, phase in radians."""

    amplitude: float
    frequency: float
    phase: float = 0.0
    offset: float = 0.0
    AMPLITUDES: ClassVar[tuple[str, ...]] = ("amplitude", "offset")
    UNITS: ClassVar[Mapping[str, str]] = {"frequency": "Hz", "phase": "rad"}

    @cached_property
    def coded(self) -> Coded:
        return code("HARMONIC", self.amplitude, 2 * np.pi * self.frequency, self.phase, self.offset)


@dataclass(frozen=True)
class Fourier(CodedLaw):
    """offset + Σ cosine[k] cos(2π (k+1) f t) + sine[k] sin(2π (k+1) f t), with f the frequency in hertz."""

    frequency: float
    cosine: Sequence[float] = ()
    sine: Sequence[float] = ()
    offset: float = 0.0
    AMPLITUDES: ClassVar[tuple[str, ...]] = ("cosine", "sine", "offset")
    UNITS: ClassVar[Mapping[str, str]] = {"frequency": "Hz"}

    __repr__ = brief

    @cached_property
    def coded(self) -> Coded:
        terms = max(len(self.cosine), len(self.sine))
        table = np.zeros((2, terms))
        table[0, : len(self.cosine)], table[1, : len(self.sine)] = self.cosine, self.sine
        return code("SERIES", 2 * np.pi * self.frequency, self.offset, terms, table=table)


@dataclass(frozen=True)
class Spline(CodedLaw):
    """Interpolating spline of degree 3 or 5 through samples; smooth enough for accelerations.

    A spline is not extrapolated. With `periodic` the last value must be the first, and the motion repeats forever.
    """

    times: Sequence[float]
    values: Sequence[float]
    degree: int = 3
    periodic: bool = False
    AMPLITUDES: ClassVar[tuple[str, ...]] = ("values",)
    UNITS: ClassVar[Mapping[str, str]] = {"times": "s"}

    __repr__ = brief

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_samples("Spline", self.times, self.values)
        if self.degree not in (3, 5):
            raise LawError(f"Spline: degree must be 3 or 5, not {self.degree}")
        if len(self.times) < self.degree + 1:
            raise LawError(
                f"Spline: degree {self.degree} needs at least {self.degree + 1} samples, got {len(self.times)}"
            )
        largest = max(map(abs, self.values))
        if self.periodic and not np.isclose(self.values[0], self.values[-1], rtol=ROUNDING, atol=ROUNDING * largest):
            raise LawError(
                f"Spline: periodic, but the last value ({self.values[-1]}) is not the first ({self.values[0]})"
            )

    def fill(self, times: Array, out: Array) -> None:
        if not self.periodic:
            check_range(self, self.times, times)
        super().fill(times, out)

    @property
    def everywhere(self) -> bool:
        return self.periodic

    @cached_property
    def coded(self) -> Coded:
        from scipy.interpolate import CubicSpline, PPoly, make_interp_spline

        if not self.periodic:
            return _pieces(PPoly.from_spline(make_interp_spline(self.times, self.values, k=self.degree)))
        values = np.array(self.values, float)
        values[-1] = values[0]
        if self.degree == 3:
            return _pieces(CubicSpline(self.times, values, bc_type="periodic"), self.times[-1] - self.times[0])
        times = np.array(self.times, float)
        smooth = make_interp_spline(times, values, k=self.degree, bc_type="periodic")  # its knots are the samples
        parts = [smooth(times[:-1], order) / math.factorial(order) for order in range(self.degree, -1, -1)]
        return _pieces(PPoly(np.array(parts), times), times[-1] - times[0])


@dataclass(frozen=True)
class Samples(CodedLaw):
    """Sampled value, rate and acceleration, exact at the samples and joined by quintics between them."""

    times: Sequence[float]
    values: Sequence[float]
    rates: Sequence[float]
    accelerations: Sequence[float]
    AMPLITUDES: ClassVar[tuple[str, ...]] = ("values", "rates", "accelerations")
    UNITS: ClassVar[Mapping[str, str]] = {"times": "s", "rates": "{}/s", "accelerations": "{}/s^2"}

    __repr__ = brief

    def __post_init__(self) -> None:
        super().__post_init__()
        for samples in (self.values, self.rates, self.accelerations):
            _check_samples("Samples", self.times, samples)

    def fill(self, times: Array, out: Array) -> None:
        check_range(self, self.times, times)
        super().fill(times, out)

    @property
    def everywhere(self) -> bool:
        return False

    @cached_property
    def coded(self) -> Coded:
        t, x, v, a = (np.array(part) for part in (self.times, self.values, self.rates, self.accelerations))
        h = np.diff(t)
        # what the parabola at the first sample of a piece misses at its second one, over h³, h² and 2 h
        value = (np.diff(x) - h * (v[:-1] + 0.5 * h * a[:-1])) / h**3
        rate, gain = (np.diff(v) - h * a[:-1]) / h**2, np.diff(a) / (2 * h)
        fifth = (6 * value - 3 * rate + gain) / h**2
        fourth = (-15 * value + 7 * rate - 2 * gain) / h
        third = 10 * value - 4 * rate + gain
        curve = np.stack([fifth, fourth, third, 0.5 * a[:-1], v[:-1], x[:-1]], axis=1)
        last = [0.0, 0.0, 0.0, 0.5 * a[-1], v[-1], x[-1]]  # from the last sample on: by the piece before, it is rounded
        ends = [*t, np.nextafter(t[-1], np.inf)]
        return code("PIECES", t.size, 6, 0.0, table=np.concatenate([ends, curve.ravel(), last]))


def code(kind: str, *numbers: float, table: ArrayLike = ()) -> Coded:
    """Kind, numbers and table of a law, by the name of the kind in `sglibrary.laws`."""
    from sglibrary import laws

    return getattr(laws, kind), tuple(map(float, numbers)), np.ravel(np.asarray(table, float))


def _pieces(curve: PPoly, period: float = 0.0) -> Coded:
    """Convert piecewise polynomials for `sglibrary.laws`, without pieces of zero length."""
    kept = np.flatnonzero(np.diff(curve.x) > 0)
    ends = curve.x[[*kept, kept[-1] + 1]]
    with np.errstate(all="ignore"):
        largest = np.abs(curve.c[:, kept]) * np.diff(ends) ** np.arange(len(curve.c))[::-1, None]
    if not (largest <= LARGEST).all():
        k = int(np.argmax(~(largest <= LARGEST).all(axis=0)))
        raise LawError(
            f"Spline: its times are so uneven that values between {ends[k]:g} s and {ends[k + 1]:g} s may be larger "
            f"than {LARGEST:g}"
        )
    table = np.concatenate([ends, curve.c[:, kept].T.ravel(), [0.0] * bool(period)])
    return code("PIECES", kept.size, len(curve.c), period, table=table)


def as_array(times: ArrayLike) -> Array:
    """Convert times to an array (n,)."""
    t = np.atleast_1d(np.ascontiguousarray(floats(times)))
    if t.ndim != 1 or not np.isfinite(t).all():
        raise LawError(f"times must be numbers in seconds, not {shown(times)}")
    return t


def _check_samples(law: str, times: Sequence[float], values: Sequence[float]) -> None:
    if len(times) != len(values):
        raise LawError(f"{law}: {len(times)} times but {len(values)} values")
    if len(times) < 2 or not np.all(np.diff(times) > 0):
        raise LawError(f"{law}: times must be at least two and strictly increasing")
    gaps = np.diff(times)
    if np.abs(values).max() > LARGEST * gaps.min() ** 2:
        k = int(gaps.argmin())
        raise LawError(
            f"{law}: the times {times[k]:g} s and {times[k + 1]:g} s are so close that accelerations between them may "
            f"be larger than {LARGEST:g}; check the times"
        )


def check_range(law: Law, samples: ArrayLike, requested: Array, argument: str = "t", unit: str = "s") -> None:
    """Refuse times, or other arguments, outside of the samples of a law."""
    first, last = float(np.min(samples)), float(np.max(samples))
    slack = ROUNDING * max(abs(first), abs(last))  # the last time may be a rounded sum
    outside = requested[~((requested >= first - slack) & (requested <= last + slack))]
    if outside.size:
        raise LawError(
            f"{law.label or type(law).__name__}: samples cover {first:g} {unit} to {last:g} {unit}, but the motion "
            f"is requested at {argument} = {outside[0]:.6g} {unit}; shorten the motion or add samples"
        )
