"""The schema of laws of motion in files, by pydantic: import this module only where it is needed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Discriminator, Field, model_validator

from groupkin.mechanism.files.schema_values import Name, Number, Part, Positive, problem
from groupkin.mechanism.laws.rises import Kind


class Constant(Part):
    """A freedom held at one value."""

    type: Literal["constant"]
    value: Number = 0.0


class Ramp(Part):
    """A constant rate."""

    type: Literal["ramp"]
    rate: Number
    """Change per second."""
    start: Number = 0.0
    """Value at time zero."""


class Polynomial(Part):
    """A polynomial in time."""

    type: Literal["polynomial"]
    coefficients: Annotated[list[Number], Field(min_length=1)]
    """Coefficients in rising powers of seconds."""


class Harmonic(Part):
    """offset + amplitude · sin(2π · frequency · t + phase)."""

    type: Literal["harmonic"]
    amplitude: Number
    """Half of the stroke."""
    frequency: Number
    """In hertz."""
    phase: Number = 0.0
    """In the unit of angles."""
    offset: Number = 0.0


class Fourier(Part):
    """offset + Σ cosine[k] cos(2π (k+1) f t) + sine[k] sin(2π (k+1) f t)."""

    type: Literal["fourier"]
    frequency: Number
    """Frequency f of the first term, in hertz."""
    cosine: list[Number] = []
    """Coefficients of the cosines."""
    sine: list[Number] = []
    """Coefficients of the sines."""
    offset: Number = 0.0


class Spline(Part):
    """A spline through samples given here or in a CSV file."""

    type: Literal["spline"]
    times: list[Number] | None = None
    """Times of the samples, in seconds, increasing."""
    values: list[Number] | None = None
    """Values of the samples."""
    csv: Name | None = None
    """Instead of `times` and `values`: a CSV file, its path relative to this file."""
    columns: Annotated[list[Name], Field(min_length=2, max_length=2)] | None = None
    """Names of the columns of the CSV file that hold times and values; default: its two columns."""
    degree: Literal[3, 5] = 3
    """Degree of the spline."""
    periodic: bool = False
    """Whether the motion repeats; the last value must be the first."""

    @model_validator(mode="after")
    def _one_source(self) -> Spline:
        inline = [self.times is not None, self.values is not None]
        if not all(inline) if self.csv is None else any(inline):
            raise problem("a spline has either `times` and `values`, or `csv`")
        return self


class Samples(Part):
    """Samples of value, rate and acceleration, joined by quintics."""

    type: Literal["samples"]
    times: list[Number]
    """In seconds, increasing."""
    values: list[Number]
    rates: list[Number]
    """Their rates, per second."""
    accelerations: list[Number]
    """Their accelerations, per second squared."""


class Piece(Part):
    """A rise in a sequence, from rest to rest; polynomials take the speed of constant velocity beside them."""

    type: Kind
    """Name of its profile."""
    rise: Number
    """Change of the value."""
    duration: Positive | None = None
    """In seconds; default: the shortest that keeps the limits."""
    speed: Positive | None = None
    """Limit of the speed, per second."""
    acceleration: Positive | None = None
    """Limit of the acceleration, per second squared; a trapezoid without a duration needs it."""
    jerk: Positive | None = None
    """Limit of the jerk, per second cubed; an s-curve without a duration needs it."""
    shares: list[Number] | None = None
    """Proportions of the phases in a stated duration: three of a trapezoid (speeding up, constant speed, slowing
    down; default: equal), seven of an s-curve (default: 1, 1, 1, 3, 1, 1, 1)."""


class Rise(Piece):
    """A rise from rest to rest, by the name of its profile."""

    start: Number = 0.0
    """Value before."""
    begin: Number = 0.0
    """Time at which it begins, in seconds."""


class ConstantVelocity(Part):
    """Constant speed in a sequence."""

    type: Literal["constant velocity"]
    rise: Number
    """Change of the value."""
    duration: Positive
    """In seconds."""


class Dwell(Part):
    """Rest in a sequence."""

    type: Literal["dwell"]
    duration: Positive
    """In seconds."""


AnyPiece = Annotated[Piece | ConstantVelocity | Dwell, Discriminator("type")]


class Sequence(Part):
    """Rises, dwells and pieces of constant speed one after another, listed here or in a CSV file."""

    type: Literal["sequence"]
    pieces: Annotated[list[AnyPiece], Field(min_length=1)] | None = None
    """They begin where and when the ones before them end."""
    csv: Name | None = None
    """Instead of `pieces`: a CSV file of durations, rises and types, its path relative to this file."""
    columns: Annotated[list[Name], Field(min_length=3, max_length=3)] | None = None
    """Names of the columns of the CSV file that hold duration, rise and type; default: its three columns."""
    start: Number = 0.0
    """Value at the beginning."""
    begin: Number = 0.0
    """Time at which it begins, in seconds."""
    periodic: bool = False
    """Whether all is repeated, each time from where it ended."""

    @model_validator(mode="after")
    def _one_source(self) -> Sequence:
        if (self.pieces is None) == (self.csv is None):
            raise problem("a sequence has either `pieces` or `csv`")
        return self


Law = Annotated[
    Constant | Ramp | Polynomial | Harmonic | Fourier | Spline | Samples | Rise | Sequence, Discriminator("type")
]
