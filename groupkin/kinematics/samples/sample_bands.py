"""Bands of samples: their motions, solved together, and what is read of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.motion.kinds import INFLUENCE, OF_ROBOTS
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.samples.crossings import crossings
from groupkin.kinematics.samples.sample_blocks import (
    SampleBlock,
    groups_of,
    needed_quantities,
    select,
    select_numbers,
)
from groupkin.kinematics.samples.sample_motions import memories, run
from groupkin.kinematics.samples.sample_quantities import Reader, computed, read
from groupkin.kinematics.samples.sample_robots import alone
from groupkin.kinematics.samples.sources import Components, Results
from groupkin.kinematics.samples.variation import Variation
from sglibrary import status as codes

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Band:
    """Some samples of a sample block.

    `drivers` (n or 1, d, 5, t) and `results`, memory for the kept rows, may be shared with other bands. The times of
    the variation may be those of each of these samples. If only samples that are solved at all times matter, `whole`,
    no others are looked at for singular positions between steps, and those may end later.
    """

    variation: Variation
    block: SampleBlock
    samples: slice
    drivers: Array
    results: tuple[Array, ...]
    whole: bool = False

    @property
    def count(self) -> int:
        """Number of samples."""
        return int(self.samples.stop - self.samples.start)


def results_of(block: SampleBlock, steps: int, memory: tuple[Array, ...]) -> tuple[Array, ...]:
    """Allocate memory for the kept rows of some steps, unless existing memory fits."""
    shapes = [(rows.size, steps) for rows in block.kept]
    return memory if [x.shape for x in memory] == shapes else tuple(np.empty(shape) for shape in shapes)


def read_band(band: Band) -> tuple[dict[Quantity, Components], Ints]:
    """Solve the samples of a band.

    Returns
    -------
    dict of Quantity to Components
        All quantities of the variation, and those that they are computed from; they may lie in `band.results`.
    (n, 3) array of int
        Step, group (from 0) and status at which each sample ends; the number of times if it is solved.
    """
    failures = _solved(band)
    return read_again(band), failures


def read_again(band: Band) -> dict[Quantity, Components]:
    """Read all quantities of a band that was solved, and those that they are computed from."""
    variation, block, rows = band.variation, band.block, _rows(band)
    needed = needed_quantities(variation)
    moved = _moved(band) if any(quantity.kind in (INFLUENCE, *OF_ROBOTS) for quantity in needed) else ()
    reader = Reader(variation, block.variants.family.geometry, _source(band, rows), moved)
    components = {quantity: _components(reader, quantity, block, rows[3]) for quantity in needed}
    return components | computed(variation, components)


def states(band: Band) -> Array:
    """Return the rows (orders, rows, n, t) of the states of a band that was solved that the family of samples keeps.

    They are as many derivatives by time as the variation says.
    """
    kept, count, steps = band.block.variants.family.kept, band.count, band.variation.times.shape[-1]
    rows = zip(band.block.kept[: band.variation.orders], band.results, strict=False)
    found = [x[np.searchsorted(own, kept), : count * steps].reshape(-1, count, steps) for own, x in rows]
    return np.array(found).reshape(-1, kept.size, count, steps)


def outcome(failures: Ints, times: Array) -> tuple[Ints, Ints, Array]:
    """How samples end: status (n,), 0 if solved, number of the group that failed (0: none) and time, s (NaN: none)."""
    step, group, code = failures.T
    solved, last = step == times.shape[-1], times.shape[-1] - 1
    return (
        np.where(code == codes.NO_INPUT, codes.CANNOT_ASSEMBLE, code),
        np.where(solved, 0, group + 1),
        np.where(
            solved, np.nan, np.broadcast_to(times, (len(step), last + 1))[np.arange(len(step)), np.minimum(step, last)]
        ),
    )


def end_earlier(band: Band, failures: Ints, earlier: Mapping[int, tuple[int, int, int]]) -> None:
    """Let samples of a band that was solved end at an earlier step: of each, the step, group and status."""
    rows = _rows(band)
    for k, failure in earlier.items():
        failures[k] = failure
        for x in rows:
            x[:, k, failure[0] :] = np.nan


def _rows(band: Band) -> tuple[Array, ...]:
    """Return the kept rows (k, n, t) of q, v, a and conditioning."""
    count, steps = band.count, band.variation.times.shape[-1]
    return tuple(x[:, : count * steps].reshape(-1, count, steps) for x in band.results)


def _moved(band: Band) -> tuple[Results, ...]:
    """Solve the samples of a band again, each driver moving alone at unit rate at the same positions."""
    variation, steps = band.variation, band.variation.times.shape[-1]
    samples, found = select(band.block, band.samples), []
    memory = memories(variation, band.block, band.samples.start, band.samples.stop)
    for number in range(band.drivers.shape[1]):
        results = results_of(band.block, band.count * steps, ())
        again = replace(band, drivers=alone(band.drivers, number), results=results)
        run(samples, variation.times, again.drivers, again.results, memory)
        found.append(_source(again, _rows(again)))
    return tuple(found)


def _solved(band: Band) -> Ints:
    """Solve the samples of a band; the failures (n, 3)."""
    variation, steps = band.variation, band.variation.times.shape[-1]
    samples = select(band.block, band.samples)
    memory = memories(variation, band.block, band.samples.start, band.samples.stop)
    failures, near = run(samples, variation.times, band.drivers, band.results, memory)
    looked_at = np.flatnonzero(near & (failures[:, 0] == steps) if band.whole else near)
    end_earlier(band, failures, crossings(variation, samples, failures, looked_at, memory))
    return failures


def _source(band: Band, rows: tuple[Array, ...]) -> Results:
    """Make the source of all numbers of a band from its kept rows."""
    kept = band.block.kept

    def row(row: int, order: int) -> Array:
        return np.asarray(rows[order][np.searchsorted(kept[order], row)])

    return Results(band.block.recorder, row, lambda numbers: select_numbers(numbers, band.samples))


def _components(reader: Reader, quantity: Quantity, block: SampleBlock, conditioning: Array) -> Components:
    if quantity.kind != "conditioning":
        return read(reader, quantity)
    rows = np.searchsorted(block.kept[3], groups_of(reader.program, quantity))
    return (np.asarray(np.min([conditioning[k] for k in rows], axis=0)),)
