"""Ranges of the numbers in a store: ends, mean, standard deviation and quantiles, in one pass over its chunks."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cluster.reports.columns import MAX_NUMBERS, Column, Extents
from sglibrary.array_types import Array

QUANTILES = {"1%": 0.01, "50%": 0.5, "99%": 0.99}
"""Quantiles of a range, by their names."""


@dataclass(frozen=True)
class Range:
    """The range of a column over samples (and times), without the NaN of failed samples.

    Attributes
    ----------
    name : str
        Such as ``range.B.position.x``.
    units : str
    parameter : bool
        True if it is a parameter.
    single : bool
        True if it is one number per sample, False if it is one at each time.
    known : int
        Numbers that are not NaN.
    least, mean, largest : float
    deviation : float
        Standard deviation (n - 1).
    quantiles : dict of str to float
        With the names in `QUANTILES`.
    sampled : int
        Numbers from which the quantiles were computed: all that are known, or a random sample of very many.
    text : str
        What it is, such as ``range of position B.x``; empty if the store does not say.
    """

    name: str
    units: str
    parameter: bool
    single: bool
    known: int
    least: float
    mean: float
    largest: float
    deviation: float
    quantiles: dict[str, float]
    sampled: int
    text: str = ""


@dataclass(frozen=True)
class _Moments:
    """Count, ends, mean, and sum of squares about the mean."""

    count: int = 0
    least: float = np.inf
    largest: float = -np.inf
    mean: float = np.nan
    squares: float = 0.0


def ranges(columns: Sequence[Column], extents: Extents, most: int = MAX_NUMBERS) -> tuple[Range, ...]:
    """Compute the ranges of columns, with about `most` numbers of a column in memory."""
    variables = itertools.groupby(columns, key=lambda column: column.variable)
    return tuple(result for _, components in variables for result in _ranges(list(components), extents, most))


def scaled_range(original: Range, factor: float, units: str) -> Range:
    """Multiply a range by a factor, to another unit."""
    numbers = {name: factor * getattr(original, name) for name in ("least", "mean", "largest", "deviation")}
    quantiles = {name: factor * value for name, value in original.quantiles.items()}
    return replace(original, units=units, quantiles=quantiles, **numbers)


def _ranges(columns: Sequence[Column], extents: Extents, most: int) -> Iterator[Range]:
    """Compute the ranges of all components of one variable, whose chunks are read once."""
    array = columns[0].array
    numbers = sum(stop - start for start, stop in extents) * int(np.prod(array.shape[1:])) / len(columns)
    share, random = most / max(numbers, 1), np.random.default_rng(0)
    moments = [_Moments()] * len(columns)
    kept: list[list[Array]] = [[np.zeros(0)] for _ in columns]
    for start, stop in extents:
        values = array[start:stop]
        for k, column in enumerate(columns):
            known = column.select(values)
            known = known[np.isfinite(known)]
            moments[k] = _merged(moments[k], _moments(known))
            # at random, since a fixed stride could fall in step with a grid
            kept[k].append(known if share >= 1.0 else known[random.random(known.size) < share])
    for column, whole, parts in zip(columns, moments, kept, strict=True):
        yield _range(column, whole, np.concatenate(parts))


def _range(column: Column, moments: _Moments, numbers: Array) -> Range:
    """Make the range of a column from its moments and the numbers for its quantiles."""
    levels = np.quantile(numbers, list(QUANTILES.values())) if numbers.size else np.full(len(QUANTILES), np.nan)
    return Range(
        column.name,
        column.units,
        column.parameter,
        column.single,
        known=moments.count,
        least=moments.least,
        mean=moments.mean,
        largest=moments.largest,
        deviation=float(np.sqrt(moments.squares / (moments.count - 1))) if moments.count > 1 else np.nan,
        quantiles=dict(zip(QUANTILES, levels.tolist(), strict=True)),
        sampled=numbers.size,
        text=column.text,
    )


def _moments(values: Array) -> _Moments:
    if not values.size:
        return _Moments()
    mean = float(values.mean())
    return _Moments(values.size, float(values.min()), float(values.max()), mean, float(np.square(values - mean).sum()))


def _merged(a: _Moments, b: _Moments) -> _Moments:
    """Merge two sets, with squares about the common mean so that small deviations of large numbers are not lost."""
    if not a.count or not b.count:
        return a if a.count else b
    count, shift = a.count + b.count, b.mean - a.mean
    return _Moments(
        count,
        min(a.least, b.least),
        max(a.largest, b.largest),
        a.mean + shift * b.count / count,
        a.squares + b.squares + shift * shift * a.count * b.count / count,
    )
