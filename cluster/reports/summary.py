"""What a store holds: failures by reason, ranges of what was kept, the samples with the least and largest of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cluster.reports.columns import FAILED_TIME, OUTCOME, Column, Extents, columns, extents, group_of, meanings, named
from cluster.reports.statistics import Range, ranges, scaled_range
from cluster.reports.units import SI, Units, shown, units_of
from cluster.stores.store import Store, added, attributes, open_store

RANKED = 5
"""Samples that are listed at either end."""


@dataclass(frozen=True)
class Failures:
    """Samples that failed for one reason: group and its bodies, status, how many, the first of them, earliest time."""

    group: int
    bodies: str
    status: str
    samples: int
    first: int
    earliest: float


@dataclass(frozen=True)
class Total:
    """A sum over samples: how many cells it has, how many of them are not zero, and the sum of all."""

    name: str
    cells: int
    seen: int
    sum: int


@dataclass(frozen=True)
class Ranked:
    """A sample, its value of what samples are ranked by, and its parameters."""

    sample: int
    value: float
    parameters: dict[str, float]


@dataclass(frozen=True)
class Report:
    """What a store holds.

    Attributes
    ----------
    title : str
    samples, done, failed : int
    failures : tuple of Failures
        The most frequent first.
    ranges : tuple of Range
        Parameters first.
    totals : tuple of Total
        Of the samples that are done.
    by : str, optional
        What samples are ranked by.
    lowest, highest : tuple of Ranked
    mechanism_units : Units
        Of the mechanism's file, if the store has it.
    """

    title: str
    samples: int
    done: int
    failed: int
    failures: tuple[Failures, ...]
    ranges: tuple[Range, ...]
    totals: tuple[Total, ...]
    by: str | None = None
    lowest: tuple[Ranked, ...] = ()
    highest: tuple[Ranked, ...] = ()
    mechanism_units: Units = SI


def report(path: str | Path, by: str | None = None, top: int = RANKED) -> Report:
    """Read a store.

    Parameters
    ----------
    path : str or Path
    by : str, optional
        Rank the samples by this: a name in `Report.ranges` of which each sample has one, or ``failed_time``.
    top : int, optional
        How many samples are listed at either end.

    Returns
    -------
    Report
        In meters, radians and seconds.

    Raises
    ------
    StoreError
        If there is no store.
    UnknownNameError
        If samples cannot be ranked by `by`.
    """
    store = open_store(Path(path))
    listed, done = columns(store), extents(store)
    chosen = None if by is None else named(listed, by)
    failures, stated = _failures(store, done), attributes(store)
    found = Report(
        title=stated["title"],
        samples=store.samples,
        done=sum(stop - start for start, stop in done),
        failed=sum(one.samples for one in failures),
        failures=failures,
        ranges=ranges([column for column in listed if column.name != FAILED_TIME], done),
        totals=tuple(_total(name, added(store, name)) for name in store.totals),
        mechanism_units=units_of(stated.get("mechanism_file", "")),
    )
    if chosen is None:
        return found
    parameters = [column for column in listed if column.parameter]
    lowest, highest = (_ranked(chosen, parameters, done, top, sign) for sign in (1.0, -1.0))
    return replace(found, by=by, lowest=lowest, highest=highest)


def converted(found: Report, units: Units) -> Report:
    """A report with numbers in other units, of one in meters and radians."""
    factors = {one.name: shown(one.units, units)[0] for one in found.ranges}

    def scaled(samples: tuple[Ranked, ...]) -> tuple[Ranked, ...]:
        return tuple(
            replace(
                one,
                value=factors.get(found.by or "", 1.0) * one.value,
                parameters={name: factors[name] * value for name, value in one.parameters.items()},
            )
            for one in samples
        )

    return replace(
        found,
        ranges=tuple(scaled_range(one, *shown(one.units, units)) for one in found.ranges),
        lowest=scaled(found.lowest),
        highest=scaled(found.highest),
    )


def _ranked(column: Column, parameters: Sequence[Column], done: Extents, top: int, sign: float) -> tuple[Ranked, ...]:
    """The samples with the least of a column, or the largest if the sign is negative; of equals the first ones."""
    samples, values = np.zeros(0, np.int64), np.zeros(0)
    for start, stop in done:
        more = column.read(start, stop)
        known = np.flatnonzero(np.isfinite(more))
        samples, values = np.append(samples, start + known), np.append(values, more[known])
        first = np.argsort(sign * values, kind="stable")[:top]
        samples, values = samples[first], values[first]
    return tuple(
        Ranked(sample, value, {one.name: float(one.read(sample, sample + 1)[0]) for one in parameters})
        for sample, value in zip(samples.tolist(), values.tolist(), strict=True)
    )


def _total(name: str, counts: NDArray[Any]) -> Total:
    return Total(name, counts.size, int(np.count_nonzero(counts)), int(counts.sum()))


def _failures(store: Store, done: Extents) -> tuple[Failures, ...]:
    group, words = group_of(store), meanings(store)
    bodies = attributes(store).get("groups", [])
    found: dict[tuple[int, int], Failures] = {}
    for start, stop in done:
        status, number, when = (np.asarray(group[name][start:stop]) for name in OUTCOME)
        failed = np.flatnonzero(status)
        for key in sorted(set(zip(number[failed].tolist(), status[failed].tolist(), strict=True))):
            those = np.flatnonzero((number == key[0]) & (status == key[1]))
            earliest = float(np.nanmin(when[those], initial=np.inf))
            name = bodies[key[0] - 1] if 0 < key[0] <= len(bodies) else ""
            new = Failures(key[0], name, words.get(key[1], str(key[1])), 0, start + int(those[0]), np.inf)
            old = found.get(key, new)
            found[key] = replace(old, samples=old.samples + those.size, earliest=min(old.earliest, earliest))
    return tuple(sorted(found.values(), key=lambda one: (-one.samples, one.group, one.status)))
