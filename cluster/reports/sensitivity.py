"""Sobol indices: shares of the variance of a result that parameters have, alone and with all others.

From Saltelli's blocks, first and total orders by the estimators of Saltelli et al. (2010), Table 2 (b) and (f), with
intervals by bootstrap; from any other samples first orders by the correlation ratio.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cluster.reports.columns import MAX_NUMBERS, TIMES, Column, Extents, read_columns
from cluster.stores.store import Store, attributes
from groupkin.arguments import Count, checked, floats
from groupkin.errors import SweepError
from sglibrary.array_types import Array

RESAMPLES, LEVEL = 400, 0.95
"""Resamples of the bootstrap, and the part of them within an interval."""

MOST_CLASSES, PER_CLASS = 50, 20
"""Classes of a parameter's values at most, and samples in each at least, for the correlation ratio."""

Interval = tuple[float, float]


@dataclass(frozen=True)
class SobolIndices:
    """Shares of a variance.

    Attributes
    ----------
    first, total : (d,) array
        Of each parameter alone, and with all others.
    first_interval, total_interval : (d, 2) array
        Where 95 % of the estimates from resampled blocks lie.
    blocks : int
        Blocks without failed samples, from which they were computed.
    """

    first: Array
    total: Array
    first_interval: Array
    total_interval: Array
    blocks: int


@dataclass(frozen=True)
class Sensitivity:
    """How one number that was kept depends on one parameter.

    Attributes
    ----------
    of, parameter : str
        Names of columns; of a parameter with components that are drawn in blocks the name without them.
    first, total : float
        Shares of the variance; `total` is NaN unless samples were drawn in blocks.
    first_interval, total_interval : (float, float), optional
        Where 95 % of resampled estimates lie, of samples in blocks.
    known : int
        Samples, or blocks, from which they were computed.
    """

    of: str
    parameter: str
    first: float
    known: int
    total: float = np.nan
    first_interval: Interval | None = None
    total_interval: Interval | None = None


@checked
def sobol_indices(values: ArrayLike, parameters: Count) -> SobolIndices:
    """First and total Sobol indices of a result of samples in Saltelli's blocks.

    Parameters
    ----------
    values : (samples,) array_like
        As a sweep with ``method="saltelli"`` gives it. Blocks in which a number is not finite are left out.
    parameters : int
        Number d of parameters that vary; blocks have d + 2 samples.

    Returns
    -------
    SobolIndices
        NaN where the variance is zero, or fewer than two blocks are left.

    Raises
    ------
    SweepError
        If the samples are no whole blocks.
    """
    numbers = floats(values)
    if numbers.ndim != 1 or not numbers.size or numbers.size % (parameters + 2):
        raise SweepError(
            f"blocks of {parameters} parameters have {parameters + 2} samples; values of shape {numbers.shape} are no "
            "whole blocks"
        )
    blocks = numbers.reshape(-1, parameters + 2)
    blocks = blocks[np.isfinite(blocks).all(axis=1)]
    n = len(blocks)
    if n < 2:
        unknown = np.full((parameters, 2), np.nan)
        return SobolIndices(unknown[:, 0], unknown[:, 0], unknown, unknown, n)
    terms, random = _terms(blocks), np.random.default_rng(0)
    weights = (np.bincount(random.integers(n, size=n), minlength=n) / n for _ in range(RESAMPLES))
    resampled = np.array([_indices(weight @ terms) for weight in weights])
    tail = 0.5 * (1.0 - LEVEL)
    low, high = np.quantile(resampled, [tail, 1.0 - tail], axis=0)
    first, total = _indices(terms.mean(axis=0))
    return SobolIndices(first, total, np.stack([low[0], high[0]], 1), np.stack([low[1], high[1]], 1), n)


def _terms(blocks: Array) -> Array:
    """Terms (n, 3 + 3 d) whose means give the indices: A, B, their squares, and three products for every parameter."""
    blocks = blocks - blocks[:, :2].mean()
    a, b, ab = blocks[:, :1], blocks[:, 1:2], blocks[:, 2:]
    return np.hstack([a, b, a * a + b * b, ab - a, b * (ab - a), (ab - a) ** 2])


def _indices(means: Array) -> Array:
    """First and total indices (2, d) from the means of `_terms`; about the mean of A and B, as the variance is."""
    mean = 0.5 * (means[0] + means[1])
    variance = 0.5 * means[2] - mean**2
    change, product, square = means[3:].reshape(3, -1)
    shares = np.stack([product - mean * change, 0.5 * square])
    return shares / variance if variance > 0.0 else np.full_like(shares, np.nan)


@checked
def correlation_ratio(inputs: ArrayLike, values: ArrayLike) -> float:
    """First-order index of one parameter from any samples, in which parameters vary independently.

    The variance of the mean of the values in classes of the parameter with as many samples each, over the whole
    variance, less what classes explain by chance (Kelley 1935, ε²): it is zero on average where there is no dependence.

    Parameters
    ----------
    inputs, values : (samples,) array_like
        Values of the parameter, and of the result. Samples in which a number is not finite are left out.

    Returns
    -------
    float
        NaN where the variance is zero, or fewer samples are left than two classes need.

    Raises
    ------
    SweepError
        If there are not as many of both.
    """
    x, y = floats(inputs), floats(values)
    if x.ndim != 1 or x.shape != y.shape:
        raise SweepError(f"one value of the parameter is needed for each of the result, not {x.shape} for {y.shape}")
    known = np.isfinite(x) & np.isfinite(y)
    x, y = x[known], y[known] - y[known].mean() if known.any() else y[known]
    found = np.unique(x)
    if found.size > MOST_CLASSES:
        wanted = min(MOST_CLASSES, x.size // PER_CLASS)
        found = np.unique(np.quantile(x, np.arange(wanted) / max(wanted, 1), method="lower"))  # none is empty
    place = np.searchsorted(found, x, side="right") - 1
    counts = np.bincount(place, minlength=found.size)
    spread = float(y @ y)
    if found.size < 2 or x.size <= found.size or spread == 0.0:
        return np.nan
    between = float((np.bincount(place, y, found.size) ** 2 / counts).sum())
    within = (spread - between) / (x.size - found.size)
    return (between - (found.size - 1) * within) / spread


def sensitivities(
    store: Store, listed: Sequence[Column], done: Extents, most: int = MAX_NUMBERS
) -> tuple[Sensitivity, ...]:
    """Indices of all numbers that were kept, one per sample, by all parameters; the largest first.

    Of more than `most` samples the first are used where they are blocks, else as many random ones.
    """
    kept = [column for column in listed if column.single and not column.parameter and column.name not in TIMES]
    parameters = [column for column in listed if column.parameter]
    blocked = json.loads(attributes(store).get("sweep", "{}")).get("method") == "saltelli"
    found = _of_blocks(store, kept, parameters, done, most) if blocked else _of_samples(kept, parameters, done, most)
    place = {column.name: k for k, column in enumerate(kept)}
    largest = (lambda one: one.total) if blocked else (lambda one: one.first)
    return tuple(sorted(found, key=lambda one: (place[one.of], -np.nan_to_num(largest(one)))))


def _of_blocks(
    store: Store, kept: Sequence[Column], parameters: Sequence[Column], done: Extents, most: int
) -> list[Sensitivity]:
    names = list(dict.fromkeys(column.variable for column in parameters))
    size = len(names) + 2
    count = min(store.samples, max(most // size, 1) * size)
    found = []
    for column in kept:
        values = np.full(count, np.nan)
        for start, stop in done:
            if start < count:
                values[start : min(stop, count)] = column.read(start, min(stop, count))
        indices = sobol_indices(values, len(names))
        found += [
            Sensitivity(
                column.name,
                name,
                float(indices.first[k]),
                indices.blocks,
                float(indices.total[k]),
                tuple(indices.first_interval[k].tolist()),
                tuple(indices.total_interval[k].tolist()),
            )
            for k, name in enumerate(names)
        ]
    return found


def _of_samples(kept: Sequence[Column], parameters: Sequence[Column], done: Extents, most: int) -> list[Sensitivity]:
    found = []
    for column in kept:
        values, *inputs = read_columns([column, *parameters], done, most)
        known = int(np.isfinite(values).sum())
        found += [
            Sensitivity(column.name, parameter.name, correlation_ratio(numbers, values), known)
            for parameter, numbers in zip(parameters, inputs, strict=True)
        ]
    return found
