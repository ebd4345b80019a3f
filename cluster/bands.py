"""Bands of samples: their motions, solved together, and what is kept of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cluster.batches import Batch, groups_of, quantities
from cluster.laws import changed_law, driver_of, rows_of
from cluster.parameters import LawValue
from cluster.quantities import Parts, Quantity, Reader, misfit, read
from cluster.reductions import Block, Occupancy
from cluster.sources import Rows
from cluster.sweeps import Sweep
from groupkin.kinematics.blocks import aligned_rows, pitch_of
from groupkin.kinematics.program import Program, chosen_step
from groupkin.kinematics.solver import BATCH, BLOCK
from groupkin.kinematics.tracking import track
from groupkin.mechanism.mechanism import Joint
from groupkin.model.assembly import TOLERANCE
from sglibrary import status as codes
from sglibrary.samples import samples
from sglibrary.trigonometry import cosine_sine

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
    found, failures = _run(band)
    reader = Reader(sweep.program, batch.variants.family.geometry, _rows(band, found))
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
    for k in np.flatnonzero(apart.any(axis=1)):
        first = int(apart[k].argmax())
        failures[k] = first, group - 1, codes.CANNOT_ASSEMBLE
        for rows in found:
            rows[:, k, first:] = np.nan


def _rows(band: Band, found: tuple[Array, ...]) -> Rows:
    """What is read of the results of some samples."""
    kept = band.batch.kept

    def row(row: int, order: int) -> Array:
        return np.asarray(found[order][np.searchsorted(kept[order], row)])

    return Rows(band.batch.places, row, lambda numbers: _part(numbers, band.part))


def _parts(reader: Reader, quantity: Quantity, batch: Batch, conditioning: Array) -> Parts:
    if quantity.kind != "conditioning":
        return read(reader, quantity)
    return tuple(conditioning[k] for k in np.searchsorted(batch.kept[3], groups_of(reader.program, quantity)))


def _run(band: Band) -> tuple[tuple[Array, ...], Ints]:
    """Rows (k, n, t) of q, v, a and conditioning that are kept, and the failures (n, 3)."""
    sweep, batch, part = band.sweep, band.batch, band.part
    family, count, steps = batch.variants.family, band.high - band.low, sweep.times.size
    tile = min(BATCH if sweep.program.iterates else BLOCK, steps)
    pitch = pitch_of(tile)
    groups = len(sweep.program.structure.groups)
    state = (*(aligned_rows(batch.rows, pitch) for _ in range(3)), aligned_rows(groups, pitch))
    memories = _memories(sweep, batch, band.low, band.high)
    fixed_rows, fixed = batch.fixed
    own = (_part(batch.constants, part), *memories, _part(fixed, part))
    failures = np.zeros((count, 3), np.int64)
    samples(
        batch.calls,
        own,
        sweep.times,
        band.drivers,
        np.array([driven.row for driven in family.drivers], np.int64),
        fixed_rows,
        state,
        np.zeros((groups, pitch), np.uint8),
        batch.kept,
        band.results,
        failures,
        tile,
    )
    if any(driven.middle for driven in family.drivers) and len(band.drivers) > 1:
        _tell_quarter_turns(band.drivers, failures)
    return tuple(x[:, : count * steps].reshape(-1, count, steps) for x in band.results), failures


def _tell_quarter_turns(drivers: Array, failures: Ints) -> None:
    """Call failures singular where a driver has no value: there the middle one of three rotations is a quarter turn."""
    nowhere = np.asarray(np.isnan(drivers[:, :, 0]).any(axis=1))
    first = np.where(nowhere.any(axis=1), nowhere.argmax(axis=1), -1)
    failures[failures[:, 0] == first, 2] = codes.SINGULAR


def _part(numbers: Array, part: slice) -> Array:
    """The numbers of some samples, or of all of them where they are the same."""
    return numbers[part] if len(numbers) > 1 else numbers


def _laws(sweep: Sweep, given: tuple[Array, ...]) -> dict[int, dict[LawValue, Array]]:
    """For every driver whose law varies, by number: what varies, and its values (n,)."""
    found: dict[int, dict[LawValue, Array]] = {}
    for one, x in zip(sweep.parameters, given, strict=True):
        if isinstance(one.of, LawValue):
            found.setdefault(driver_of(one.of, sweep.program), {})[one.of] = x
    return found


def driven_of(sweep: Sweep, given: tuple[Array, ...], low: int, high: int) -> Array:
    """Value, rate, acceleration, cosine and sine (n, d, 5, t) of all drivers for samples of a block."""
    program, count, steps = sweep.program, high - low, sweep.times.size
    out = np.zeros((count, len(program.drivers), 5, steps))
    changes = _laws(sweep, given)
    for k, driven in enumerate(program.drivers):
        here = {target: x[low:high] for target, x in changes.get(k, {}).items()}
        rows_of(driven, here, sweep.times, out[:, k, :3])
        if driven.middle:
            # one that reaches a quarter turn is no position of the joint
            out[:, k, 0][np.abs(out[:, k, 0]) >= np.pi / 2] = np.nan
        if driven.rotation:
            cosine, sine = np.empty(count * steps), np.empty(count * steps)
            cosine_sine(np.ascontiguousarray(out[:, k, 0]).ravel(), cosine, sine)
            out[:, k, 3], out[:, k, 4] = cosine.reshape(count, steps), sine.reshape(count, steps)
    return out


def _memories(sweep: Sweep, batch: Batch, low: int, high: int) -> tuple[Array, Ints]:
    """What iterated groups remember: all numbers, and where those of each sample and call begin (n or 1, calls + 1)."""
    steps = batch.variants.family.steps
    if not sweep.program.iterates:
        return np.zeros(1), np.zeros((1, batch.calls[3].size + 1), np.int64)
    found: list[Array] = []
    for k in range(low, high):
        if batch.lost[k]:
            found += [
                np.array([0.0, codes.CANNOT_ASSEMBLE]) if step.knot is not None else np.zeros(1) for step in steps
            ]
        else:
            found += track(_program(sweep, batch, k), sweep.times, resume=False)
    ends = np.cumsum([0, *(one.size for one in found)])
    places = np.stack([ends[k * len(steps) : (k + 1) * len(steps) + 1] for k in range(high - low)])
    others = batch.calls[3].size - len(steps)  # which remember nothing
    places = np.concatenate([places, *[places[:, -1:]] * others], axis=1)
    return np.concatenate(found), places


def _program(sweep: Sweep, batch: Batch, k: int) -> Program:
    """The program of sample k of a block, as far as following its groups needs it."""
    family, laws = batch.variants.family, _laws(sweep, batch.given)

    def own(numbers: Array | float) -> float:
        listed = np.ravel(numbers)
        return float(listed[k] if listed.size > 1 else listed[0])

    drivers = []
    for number, driven in enumerate(family.drivers):
        law = driven.law
        for target, x in laws.get(number, {}).items():
            law = changed_law(law, target, float(x[k]))
        drivers.append(replace(driven, law=law, reference=own(driven.reference)))
    return replace(
        family,
        steps=tuple(chosen_step(step, k if len(step.constants) > 1 else 0) for step in family.steps),
        drivers=tuple(drivers),
        fixed={row: own(value) for row, value in family.fixed.items()},
    )
