"""Bands of samples: their motions, solved together, and what is kept of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cluster.solving.crossings import crossings
from cluster.solving.sample_blocks import Batch, groups_of, part, part_of, quantities
from cluster.solving.sample_motions import memories, run
from cluster.solving.sources import Rows
from cluster.sweeps.description import Sweep
from cluster.sweeps.quantities import Parts, Quantity, Reader, misfit, read
from cluster.sweeps.reductions import Block, Occupancy
from groupkin.mechanism.mechanism import Joint
from groupkin.model.geometry.assembly import TOLERANCE
from sglibrary import status as codes

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Band:
    """Samples low to high - 1 of a block.

    `drivers` (n or 1, d, 5, t) and `results`, memory for the kept rows, may be shared with others.
    """

    sweep: Sweep
    batch: Batch
    low: int
    high: int
    drivers: Array
    results: tuple[Array, ...]

    @property
    def part(self) -> slice:
        """These samples among those of the block."""
        return slice(self.low, self.high)


def results_of(batch: Batch, steps: int, memory: tuple[Array, ...]) -> tuple[Array, ...]:
    """Memory for the kept rows of some steps; what is there already is taken if it fits."""
    shapes = [(rows.size, steps) for rows in batch.kept]
    return memory if [x.shape for x in memory] == shapes else tuple(np.empty(shape) for shape in shapes)


def solve_band(band: Band, wanted: slice, out: dict[str, NDArray[Any]]) -> None:
    """Solve the samples of a band, and write what is kept of the wanted ones of them."""
    sweep, batch, low, high = band.sweep, band.batch, band.low, band.high
    count = high - low
    found, failures = _motions(band)
    reader = Reader(sweep, batch.variants.family.geometry, _rows(band, found))
    for joint in batch.eased:
        _require_closed(reader, joint, found, failures)
    block = Block(sweep.times, count, {one: _parts(reader, one, batch, found[3]) for one in quantities(sweep)})
    for name, x in zip(sweep.names, batch.given, strict=True):
        out[name][:] = x[low:high][wanted]
    for one in sweep.keep:
        target = out[one.label]
        if isinstance(one, Occupancy):
            target += one.compute(block.part(one.needs, wanted))
        else:
            target[:] = one.compute(block).reshape(count, *target.shape[1:])[wanted]
    step, group, code = failures[wanted].T
    solved = step == sweep.times.size
    out["status"][:] = np.where(code == codes.NO_INPUT, codes.CANNOT_ASSEMBLE, code)
    out["failed_group"][:] = np.where(solved, 0, group + 1)
    out["failed_time"][:] = np.where(solved, np.nan, sweep.times[np.minimum(step, sweep.times.size - 1)])


def _require_closed(reader: Reader, joint: Joint, found: tuple[Array, ...], failures: Ints) -> None:
    """Let samples fail where a joint opens that was solved without rows which nominally repeat others."""
    group_of = reader.program.structure.group_of
    group = max(group_of[body].number for body in joint.bodies if body in group_of)
    steps = found[0].shape[-1]
    gaps = np.broadcast_to(misfit(reader, joint), (len(failures), steps))
    apart = ~(gaps <= TOLERANCE) & (np.arange(steps) < failures[:, :1])
    first = {k: int(apart[k].argmax()) for k in np.flatnonzero(apart.any(axis=1)).tolist()}
    end(found, failures, {k: (step, group - 1, codes.CANNOT_ASSEMBLE) for k, step in first.items()})


def end(found: tuple[Array, ...], failures: Ints, earlier: Mapping[int, tuple[int, int, int]]) -> None:
    """Let samples end at an earlier step: of each, the step, group and status."""
    for k, failure in earlier.items():
        failures[k] = failure
        for rows in found:
            rows[:, k, failure[0] :] = np.nan


def _motions(band: Band) -> tuple[tuple[Array, ...], Ints]:
    """Rows (k, n, t) of q, v, a and conditioning that are kept, and the failures (n, 3)."""
    sweep, count, steps = band.sweep, band.high - band.low, band.sweep.times.size
    own = part_of(band.batch, band.part)
    remembered = memories(sweep, band.batch, band.low, band.high)
    failures, near = run(own, sweep.times, band.drivers, band.results, remembered)
    found = tuple(x[:, : count * steps].reshape(-1, count, steps) for x in band.results)
    end(found, failures, crossings(sweep, own, failures, np.flatnonzero(near), remembered))
    return found, failures


def _rows(band: Band, found: tuple[Array, ...]) -> Rows:
    """What is read of the results of some samples."""
    kept = band.batch.kept

    def row(row: int, order: int) -> Array:
        return np.asarray(found[order][np.searchsorted(kept[order], row)])

    return Rows(band.batch.places, row, lambda numbers: part(numbers, band.part))


def _parts(reader: Reader, quantity: Quantity, batch: Batch, conditioning: Array) -> Parts:
    if quantity.kind != "conditioning":
        return read(reader, quantity)
    return tuple(conditioning[k] for k in np.searchsorted(batch.kept[3], groups_of(reader.program, quantity)))
