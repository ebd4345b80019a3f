"""Ranges of the numbers in a store: ends, mean, standard deviation and quantiles, in one pass over its chunks."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cluster.reports.columns import HELD, Array, Column, Extents

QUANTILES = {"1%": 0.01, "50%": 0.5, "99%": 0.99}
"""The quantiles that are told, by their names."""


@dataclass(frozen=True)
class Range:
    """The range of a column over samples (and times) where it is known; what failed samples lack is left out.

    Attributes
    ----------
    name : str
        Such as ``range.B.position.x``.
    units : str
    parameter : bool
        Whether it is a parameter.
    single : bool
        Whether it is one number per sample.
    known : int
        Numbers that are not NaN.
    least, mean, largest : float
    deviation : float
        Standard deviation (n - 1).
    quantiles : dict of str to float
        By the names in `QUANTILES`.
    sampled : int
        Numbers that quantiles were taken from: all that are known, or of very many a random sample.
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


@dataclass(frozen=True)
class _Moments:
    """Count, ends, mean, and sum of squares about the mean."""

    count: int = 0
    least: float = np.inf
    largest: float = -np.inf
    mean: float = np.nan
    squares: float = 0.0


def ranges(columns: Sequence[Column], extents: Extents, held: int = HELD) -> tuple[Range, ...]:
    """Ranges of columns; about `held` numbers of a column are kept in memory at most."""
    parts = itertools.groupby(columns, key=lambda column: column.variable)
    return tuple(found for _, those in parts for found in _ranges(list(those), extents, held))


def scaled_range(one: Range, factor: float, units: str) -> Range:
    """A range in another unit, which is so many times smaller."""
    numbers = {name: factor * getattr(one, name) for name in ("least", "mean", "largest", "deviation")}
    quantiles = {name: factor * value for name, value in one.quantiles.items()}
    return replace(one, units=units, quantiles=quantiles, **numbers)


def _ranges(columns: Sequence[Column], extents: Extents, held: int) -> Iterator[Range]:
    """Ranges of all components of one variable, whose chunks are read once."""
    array = columns[0].array
    numbers = sum(stop - start for start, stop in extents) * int(np.prod(array.shape[1:])) / len(columns)
    share, chance = held / max(numbers, 1), np.random.default_rng(0)
    moments = [_Moments()] * len(columns)
    kept: list[list[Array]] = [[np.zeros(0)] for _ in columns]
    for start, stop in extents:
        values = array[start:stop]
        for k, column in enumerate(columns):
            known = column.of(values)
            known = known[np.isfinite(known)]
            moments[k] = _together(moments[k], _moments(known))
            # each by itself, since a fixed stride could fall in step with a grid
            kept[k].append(known if share >= 1.0 else known[chance.random(known.size) < share])
    for column, found, some in zip(columns, moments, kept, strict=True):
        yield _range(column, found, np.concatenate(some))


def _range(column: Column, moments: _Moments, some: Array) -> Range:
    levels = np.quantile(some, list(QUANTILES.values())) if some.size else np.full(len(QUANTILES), np.nan)
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
        sampled=some.size,
    )


def _moments(values: Array) -> _Moments:
    if not values.size:
        return _Moments()
    mean = float(values.mean())
    return _Moments(values.size, float(values.min()), float(values.max()), mean, float(np.square(values - mean).sum()))


def _together(one: _Moments, other: _Moments) -> _Moments:
    """Of two sets: squares about a common mean, so that small deviations of large numbers are not lost."""
    if not one.count or not other.count:
        return one if one.count else other
    count, apart = one.count + other.count, other.mean - one.mean
    return _Moments(
        count,
        min(one.least, other.least),
        max(one.largest, other.largest),
        one.mean + apart * other.count / count,
        one.squares + other.squares + apart * apart * one.count * other.count / count,
    )
