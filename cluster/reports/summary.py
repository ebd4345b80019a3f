"""Report on a store: failures by reason, ranges of what was kept, and samples with the least and largest values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cluster.reports.columns import LEFT, OUTCOME, TIMES, Column, Extents, extents, find_column, list_columns, meanings
from cluster.reports.sensitivity import Sensitivity, sensitivities
from cluster.reports.statistics import Range, ranges, scaled_range
from cluster.reports.units import SI, Units, conversion, file_units
from cluster.stores.store import Store, attributes, open_group, open_store, sum_total
from groupkin.arguments import checked

RANKED = 5
"""Samples that are listed at each end."""


@dataclass(frozen=True)
class Failures:
    """Samples that failed for one reason.

    Attributes
    ----------
    group : int
        Number of the group that failed, 0 if none.
    bodies, status : str
    samples : int
        How many they are.
    first : int
        The first of them.
    earliest : float
        Earliest time, in seconds, at which one of them failed.
    """

    group: int
    bodies: str
    status: str
    samples: int
    first: int
    earliest: float


@dataclass(frozen=True)
class Leaving:
    """Samples that leave the same range first.

    Attributes
    ----------
    range : str
        Its quantity.
    samples : int
        How many they are.
    first : int
        The first of them.
    earliest : float
        Earliest time, in seconds, at which one of them leaves it.
    """

    range: str
    samples: int
    first: int
    earliest: float


@dataclass(frozen=True)
class Total:
    """A sum over samples: its number of cells, those of them that are not zero, and the sum of all."""

    name: str
    cells: int
    seen: int
    sum: int


@dataclass(frozen=True)
class Ranked:
    """A sample, its value of the variable by which samples are ranked, and its parameters."""

    sample: int
    value: float
    parameters: dict[str, float]


@dataclass(frozen=True)
class Report:
    """A report on a store.

    Attributes
    ----------
    title : str
    samples, done, failed : int
    failures : tuple of Failures
        The most frequent first.
    outside : tuple of Leaving
        By range, the most frequent first.
    ranges : tuple of Range
        Parameters first.
    totals : tuple of Total
        Of the samples that are done.
    by : str, optional
        Name of the variable by which samples are ranked.
    lowest, highest : tuple of Ranked
    mechanism_units : Units
        Of the mechanism's file, if the store has it.
    sensitivities : tuple of Sensitivity
        Shares of variances that parameters have, if they were asked for.
    """

    title: str
    samples: int
    done: int
    failed: int
    failures: tuple[Failures, ...]
    outside: tuple[Leaving, ...]
    ranges: tuple[Range, ...]
    totals: tuple[Total, ...]
    by: str | None = None
    lowest: tuple[Ranked, ...] = ()
    highest: tuple[Ranked, ...] = ()
    mechanism_units: Units = SI
    sensitivities: tuple[Sensitivity, ...] = ()


@checked
def report(path: str | Path, by: str | None = None, top: int = RANKED, sensitivity: bool = False) -> Report:
    """Report on a store.

    Parameters
    ----------
    path : str or Path
    by : str, optional
        Rank the samples by this: a name or text in `Report.ranges` with one number per sample, or ``failed_time``.
    top : int, optional
        How many samples are listed at each end.
    sensitivity : bool
        Compute Sobol indices of all that has one number per sample.

    Returns
    -------
    Report
        In meters, radians and seconds.

    Raises
    ------
    StoreError
        If there is no store.
    UnknownNameError
        If there is no such variable `by`.
    """
    store = open_store(Path(path))
    listed, done = list_columns(store), extents(store)
    chunks = [start // store.chunk for start, _ in done]
    rank_by = None if by is None else find_column(listed, by)
    failures, attrs = _failures(store, done), attributes(store)
    result = Report(
        title=attrs["title"],
        samples=store.samples,
        done=sum(stop - start for start, stop in done),
        failed=sum(reason.samples for reason in failures),
        failures=failures,
        outside=_outside(store, done),
        ranges=ranges([column for column in listed if column.name not in TIMES], done),
        totals=tuple(_total(name, sum_total(store, name, chunks)) for name in store.totals),
        mechanism_units=file_units(attrs.get("mechanism_file", "")),
        sensitivities=sensitivities(store, listed, done) if sensitivity else (),
    )
    if rank_by is None:
        return result
    parameters = [column for column in listed if column.parameter]
    lowest, highest = (_ranked(rank_by, parameters, done, top, sign) for sign in (1.0, -1.0))
    return replace(result, by=rank_by.name, lowest=lowest, highest=highest)


def converted(original: Report, units: Units) -> Report:
    """Convert a report in meters and radians to other units."""
    factors = {column.name: conversion(column.units, units)[0] for column in original.ranges}

    def scaled(samples: tuple[Ranked, ...]) -> tuple[Ranked, ...]:
        return tuple(
            replace(
                ranked,
                value=factors.get(original.by or "", 1.0) * ranked.value,
                parameters={name: factors[name] * value for name, value in ranked.parameters.items()},
            )
            for ranked in samples
        )

    return replace(
        original,
        ranges=tuple(scaled_range(column, *conversion(column.units, units)) for column in original.ranges),
        lowest=scaled(original.lowest),
        highest=scaled(original.highest),
    )


def _ranked(column: Column, parameters: Sequence[Column], done: Extents, top: int, sign: float) -> tuple[Ranked, ...]:
    """Find the samples with the least values of a column, of equals the first ones.

    Parameters
    ----------
    column : Column
    parameters : sequence of Column
    done : sequence of (int, int)
    top : int
    sign : float
        1; -1 for the largest values.
    """
    samples, values = np.zeros(0, np.int64), np.zeros(0)
    for start, stop in done:
        numbers = column.read(start, stop)
        known = np.flatnonzero(np.isfinite(numbers))
        samples, values = np.append(samples, start + known), np.append(values, numbers[known])
        first = np.argsort(sign * values, kind="stable")[:top]
        samples, values = samples[first], values[first]
    return tuple(
        Ranked(sample, value, {x.name: float(x.read(sample, sample + 1)[0]) for x in parameters})
        for sample, value in zip(samples.tolist(), values.tolist(), strict=True)
    )


def _total(name: str, counts: NDArray[Any]) -> Total:
    return Total(name, counts.size, int(np.count_nonzero(counts)), int(counts.sum()))


def _failures(store: Store, done: Extents) -> tuple[Failures, ...]:
    """Count the failed samples by group and status, the most frequent first."""
    arrays, words = open_group(store.path), meanings(store)
    bodies = attributes(store).get("groups", [])
    reasons: dict[tuple[int, int], Failures] = {}
    for start, stop in done:
        statuses, groups, times = (np.asarray(arrays[name][start:stop]) for name in OUTCOME)
        failed = np.flatnonzero(statuses)
        for key in sorted(set(zip(groups[failed].tolist(), statuses[failed].tolist(), strict=True))):
            group, status = key
            samples = np.flatnonzero((groups == group) & (statuses == status))
            earliest = float(np.nanmin(times[samples], initial=np.inf))
            names = bodies[group - 1] if 0 < group <= len(bodies) else ""
            new = Failures(group, names, words.get(status, str(status)), 0, start + int(samples[0]), np.inf)
            old = reasons.get(key, new)
            reasons[key] = replace(old, samples=old.samples + samples.size, earliest=min(old.earliest, earliest))
    return tuple(sorted(reasons.values(), key=lambda reason: (-reason.samples, reason.group, reason.status)))


def _outside(store: Store, done: Extents) -> tuple[Leaving, ...]:
    """Count the samples that leave ranges by the range that they leave first, the most frequent first."""
    if LEFT[0] not in store.kept:
        return ()
    arrays, words, found = open_group(store.path), meanings(store, LEFT[0]), dict[int, Leaving]()
    for start, stop in done:
        numbers, times = (np.asarray(arrays[name][start:stop]) for name in LEFT)
        for number in np.unique(numbers[numbers > 0]).tolist():
            samples = np.flatnonzero(numbers == number)
            old = found.get(number, Leaving(words[number], 0, start + int(samples[0]), np.inf))
            earliest = min(old.earliest, float(times[samples].min()))
            found[number] = replace(old, samples=old.samples + samples.size, earliest=earliest)
    return tuple(sorted(found.values(), key=lambda each: (-each.samples, each.range)))
