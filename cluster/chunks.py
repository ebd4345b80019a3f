"""Solving samples of a sweep: from their numbers to what is kept of them, a chunk at a time.

Samples are prepared in blocks, whose places are fixed: constants of all samples of a block are computed at once. They are
solved and reduced in bands of a block, so few that what is read of them stays in cache. So a sample is always computed
together with the same others, and its results do not depend on which chunk asks for it.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numpy.typing import NDArray

from cluster.parameters import LawValue, Mode, changed_law, driver_of, geometry_of, is_geometry, rows_of, unit
from cluster.quantities import Notes, Parts, Quantity, Reader, read
from cluster.reductions import Block, Occupancy, Variable
from cluster.sweeps import Sweep
from cluster.variations import values
from groupkin.errors import ModeError
from groupkin.kinematics.blocks import aligned_rows, drive, pitch_of
from groupkin.kinematics.modes import numbers, with_modes
from groupkin.kinematics.program import Program, Step, chosen_step
from groupkin.kinematics.solver import BATCH, BLOCK
from groupkin.kinematics.tracking import track
from groupkin.kinematics.variants import Variants, alone, constants_of, in_modes
from sglibrary import status as codes
from sglibrary.samples import samples
from sglibrary.sweep import handle
from sglibrary.trigonometry import cosine_sine

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

PREPARED, PREPARED_SINGLY = 1024, 16
"""Samples per block; the second where tables are made one sample at a time."""

BAND = 2**15
"""Steps that are solved and reduced together, about."""

MEMORY, SECONDS = 2**26, 0.5
"""Bytes of results, and time, that a chunk takes at most."""

SHARES = 8
"""Chunks for each worker, if they are not too short by that: then the last to finish is not waited for long."""


@dataclass(frozen=True, eq=False)
class Prepared:
    """A sweep ready to be solved, in one process.

    Attributes
    ----------
    sweep : Sweep
    block, band : int
        Samples that are prepared, and solved, together.
    drivers : (1, d, 5, t) array, optional
        Of all samples, unless laws vary.
    shared : Batch, optional
        A block whose geometry and modes all samples share.
    moded : dict
        Programs in the assembly modes that have been asked for; of those that do not go together, the group.
    """

    sweep: Sweep
    block: int
    band: int
    drivers: Array | None
    shared: Batch | None = None
    moded: dict[tuple[int, ...], Program | int] = field(default_factory=dict)


def prepare(sweep: Sweep) -> Prepared:
    """What all samples of a sweep share; kernels are compiled when they are first used."""
    program = sweep.program
    geometry = any(is_geometry(one.of) for one in sweep.parameters)
    singly = geometry and (program.iterates or bool(program.structure.spins))
    block = PREPARED_SINGLY if singly else PREPARED
    drivers = None
    if not any(isinstance(one.of, LawValue) for one in sweep.parameters):
        count, steps = len(program.drivers), sweep.times.size
        drivers = drive(program, sweep.times, np.zeros(count * 5 * steps))[None]
    found = Prepared(sweep, block, min(block, max(1, BAND // sweep.times.size)), drivers)
    if geometry or any(isinstance(one.of, Mode) for one in sweep.parameters):
        return found
    return replace(found, shared=_batch(found, 0, 1, ()))


STATUS = {code: text for code, text in codes.MEANING.items() if code != codes.NO_INPUT}


def variables(sweep: Sweep) -> tuple[Variable, ...]:
    """What `solve` gives: parameters, what is kept, and how each sample ended."""
    axes = "xyz"[: sweep.mechanism.dimension]
    found = []
    for parameter, name, value in zip(sweep.parameters, sweep.names, sweep.nominal, strict=True):
        dims = ("axis",) if value.ndim else ()
        attrs = {"units": unit(parameter.of, sweep.program), "nominal": value.tolist()}
        coords: dict[str, list[Any]] = {"axis": list(axes)} if dims else {}
        found.append(Variable(name, dims, value.shape, attrs=attrs, coords=coords, parameter=True))
    found += [one.variable(sweep.program, sweep.times) for one in sweep.keep]
    meanings = " ".join(text.replace(" ", "_") for text in STATUS.values())
    how = {"flag_values": list(STATUS), "flag_meanings": meanings, "long_name": "how the sample ended"}
    found.append(Variable("status", dtype="uint8", attrs=how))
    groups = {"long_name": "number of the group that failed, 0 if none"}
    found.append(Variable("failed_group", dtype="int16", attrs=groups))
    found.append(Variable("failed_time", attrs={"units": "s", "long_name": "first time at which it failed"}))
    return tuple(found)


def size(prepared: Prepared) -> int:
    """Samples per chunk that take about `SECONDS` and at most `MEMORY` bytes of results; measured on a few."""
    sweep, band = prepared.sweep, prepared.band
    few = min(prepared.block, sweep.samples)  # a part of a block has the cost of preparing all of it
    solve(prepared, 0, few)  # compiles
    start = time.perf_counter()
    solve(prepared, 0, few)
    each = (time.perf_counter() - start) / few
    bytes_each = sum(8 * max(1, int(np.prod(one.shape))) for one in variables(sweep) if not one.total)
    most = int(max(1, min(SECONDS / each, MEMORY / bytes_each, sweep.samples)))
    unit = prepared.block if most >= prepared.block else band
    return max(unit, most // unit * unit)


def shared_size(prepared: Prepared, workers: int) -> int:
    """Samples per chunk for some workers that take chunks as they become free.

    As `size`, or down to half of it if workers get more chunks by that, up to `SHARES` each. If they get few, they get
    equally many, each at least one. Blocks stay whole, if there are enough of them.
    """
    samples, most = prepared.sweep.samples, size(prepared)
    wished = min(most, max(math.ceil(samples / (SHARES * workers)), most // 2, 1))
    turns = math.ceil(samples / (wished * workers))
    even = math.ceil(samples / (turns * workers))
    unit = prepared.block if 2 * even > prepared.block and most >= prepared.block else prepared.band
    return unit * math.ceil(even / unit)


def solve(prepared: Prepared, start: int, stop: int) -> dict[str, NDArray[Any]]:
    """All variables of samples start to stop - 1.

    Returns
    -------
    dict of str to array
        With a leading axis of samples; totals without, of these samples alone.
    """
    sweep = prepared.sweep
    listed = variables(sweep)
    out = {one.name: np.zeros(one.shape if one.total else (stop - start, *one.shape), one.dtype) for one in listed}
    memory: tuple[Array, ...] = ()
    for first in range(start - start % prepared.block, stop, prepared.block):
        last = min(first + prepared.block, sweep.samples)
        batch = _batch(prepared, first, last, memory)
        memory = batch.results
        for low in range(0, last - first, prepared.band):
            high = min(low + prepared.band, last - first)
            inside = max(start, first + low), min(stop, first + high)
            if inside[0] < inside[1]:
                _solve_band(
                    prepared,
                    batch,
                    low,
                    high,
                    slice(inside[0] - first - low, inside[1] - first - low),
                    {
                        one.name: out[one.name] if one.total else out[one.name][inside[0] - start : inside[1] - start]
                        for one in listed
                    },
                )
    return out


# --- a block: constants ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Batch:
    """Samples of a block.

    Attributes
    ----------
    given : tuple of arrays
        Values (n,) or (n, d) of all parameters.
    variants : Variants
        Of all samples, or one for all of them.
    lost : (n,) array of int
        The group whose assembly mode does not go with those before it; 0: none.
    calls : tuple
        As `sglibrary.samples.samples` takes them.
    rows : int
        Number of rows of the state.
    constants : (n or 1, m) array
    fixed : (n or 1, f) array
        Values of the rows that never change.
    kept : tuple of arrays of int
        Rows of q, v, a and conditioning that are read.
    places : list
        Where the vectors that are read are, see `cluster.quantities.Notes`.
    results : tuple of arrays
        Memory for these rows of a band.
    """

    given: tuple[Array, ...]
    variants: Variants
    lost: Ints
    calls: tuple[Any, ...]
    rows: int
    constants: Array
    fixed: Array
    kept: tuple[Ints, ...]
    places: list[int | Array]
    results: tuple[Array, ...]


def parameter_values(sweep: Sweep, start: int, stop: int) -> tuple[Array, ...]:
    """Values (n,) or (n, d) of all parameters for samples start to stop - 1, m and rad."""
    drawn = values(
        sweep.plan, [np.where(one.relative, 0.0, x) for one, x in zip(sweep.parameters, sweep.nominal)], start, stop
    )
    spread = []
    for one, here, x in zip(sweep.parameters, drawn, sweep.nominal, strict=True):
        full = np.broadcast_to(here if here.ndim > x.ndim else here[:, None], (stop - start, *x.shape))
        spread.append(full + x if one.relative else np.array(full))
    return tuple(spread)


def _batch(prepared: Prepared, start: int, stop: int, memory: tuple[Array, ...]) -> Batch:
    """Samples start to stop - 1; `memory` for their results is taken if it fits."""
    sweep, count = prepared.sweep, stop - start
    given = parameter_values(sweep, start, stop)
    if prepared.shared is not None:
        own = memory or tuple(np.empty_like(x) for x in prepared.shared.results)
        return replace(prepared.shared, given=given, lost=np.zeros(count, np.int64), results=own)
    targets = [one.of for one in sweep.parameters]
    shapes = {target: x for target, x in zip(targets, given, strict=True) if is_geometry(target)}
    program = sweep.program
    variants = constants_of(program, geometry_of(program, shapes, count)) if shapes else alone(program)
    lost = np.zeros(count, np.int64)
    if any(isinstance(target, Mode) for target in targets):
        variants, lost = _in_modes(
            prepared, variants, np.stack([x for t, x in zip(targets, given) if isinstance(t, Mode)], 1)
        )
    notes, groups = _noted(sweep, variants)
    steps = (*variants.family.steps, notes.step())
    constants, calls = _packed(steps)
    for group in np.unique(lost[lost > 0]):
        k = next(k for k, step in enumerate(steps) if step.group == group)
        constants[lost == group, calls[2][k, 1] : calls[2][k + 1, 1]] = np.nan
    fixed = np.stack([np.atleast_1d(value) for value in variants.family.fixed.values()], axis=1)
    rows = [sorted(row for order, row in notes.seen if order == wanted) for wanted in range(3)]
    kept = tuple(np.array(each, np.int64) for each in (*rows, groups))
    shapes_needed = [(each.size, prepared.band * sweep.times.size) for each in kept]
    if [x.shape for x in memory] != shapes_needed:
        memory = tuple(np.empty(shape) for shape in shapes_needed)
    return Batch(given, variants, lost, calls, notes.rows, constants, fixed, kept, notes.places, memory)


def _packed(steps: tuple[Step, ...]) -> tuple[Array, tuple[Any, ...]]:
    """Constants (n or 1, m) of all steps, and the steps as `sglibrary.samples.samples` takes them."""
    places = np.cumsum([(0, 0), *((step.rows.size, step.constants.shape[-1]) for step in steps)], axis=0)
    handles = [handle(step.kernel) for step in steps]
    groups = np.array([step.group - 1 for step in steps], np.int64)
    rows = np.concatenate([step.rows for step in steps])
    lead = max(len(step.constants) for step in steps)
    constants = np.concatenate([np.broadcast_to(x.constants, (lead, x.constants.shape[-1])) for x in steps], axis=1)
    return constants, (handles if DISABLE_JIT else np.array(handles, np.int64), rows, places, groups)


def _noted(sweep: Sweep, variants: Variants) -> tuple[Notes, list[int]]:
    """What is read of the state, and the groups, from 0, whose conditioning is."""
    notes, groups = Notes(variants.family, variants.family.rows), set[int]()
    for quantity in _quantities(sweep):
        if quantity.kind == "conditioning":
            groups |= set(_groups(sweep.program, quantity))
        else:
            read(Reader(sweep.program, variants.family.geometry, notes), quantity)
    return notes, sorted(groups)


def _in_modes(prepared: Prepared, variants: Variants, modes: Array) -> tuple[Variants, Ints]:
    """Variants in the assembly modes (n, k) of their samples, and the groups that are lost by that."""
    keys, which = np.unique(modes.astype(np.int64), axis=0, return_inverse=True)
    found = [_moded(prepared, tuple(key.tolist())) for key in keys]
    programs = [one if isinstance(one, Program) else prepared.sweep.program for one in found]
    lost = np.array([0 if isinstance(one, Program) else one for one in found], np.int64)
    return in_modes(variants, programs, which.ravel()), lost[which.ravel()]


def _moded(prepared: Prepared, key: tuple[int, ...]) -> Program | int:
    """The program in the assembly modes of all mode parameters, or the group that has no such solution."""
    if key not in prepared.moded:
        program = prepared.sweep.program
        groups = [one.of.group for one in prepared.sweep.parameters if isinstance(one.of, Mode)]
        chosen_modes = program.modes | numbers(program.structure, dict(zip(groups, key, strict=True)))
        try:
            prepared.moded[key] = with_modes(program, chosen_modes)
        except ModeError as error:
            prepared.moded[key] = error.group
    return prepared.moded[key]


# --- a band: motions and what is kept of them ------------------------------------------------


def _solve_band(
    prepared: Prepared, batch: Batch, low: int, high: int, wanted: slice, out: dict[str, NDArray[Any]]
) -> None:
    """Solve samples low to high - 1 of a block, and write what is kept of the wanted ones of them."""
    sweep, count = prepared.sweep, high - low
    found, failures = _run(prepared, batch, low, high)
    reader = Reader(sweep.program, batch.variants.family.geometry, _Rows(batch, slice(low, high), found))
    block = Block(sweep.times, count, {one: _parts(reader, one, batch, found[3]) for one in _quantities(sweep)})
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


def _quantities(sweep: Sweep) -> list[Quantity]:
    """All that what is kept needs, each once."""
    return list(dict.fromkeys(quantity for one in sweep.keep for quantity in one.needs))


@dataclass(eq=False)
class _Rows:
    """A source of vectors, in the order in which `Notes` have seen them, from the results of some samples."""

    batch: Batch
    part: slice
    found: tuple[Array, ...]
    vectors: int = 0

    def vector(self, body: str, local: Array, point: bool, order: int) -> list[Array]:
        place = self.batch.places[self.vectors]
        self.vectors += 1
        d = local.shape[-1]
        if isinstance(place, int):
            return [self.row(place + k, order) for k in range(d)]
        own = self.own(place)
        return [own[:, k, None] if order == 0 else np.zeros((1, 1)) for k in range(d)]

    def row(self, row: int, order: int) -> Array:
        return np.asarray(self.found[order][np.searchsorted(self.batch.kept[order], row)])

    def own(self, numbers: Array) -> Array:
        return _part(numbers, self.part)


def _groups(program: Program, quantity: Quantity) -> list[int]:
    """Groups, from 0, whose conditioning is meant."""
    if quantity.of:
        return [program.structure.group_of[quantity.of].number - 1]
    return list(range(len(program.structure.groups)))


def _parts(reader: Reader, quantity: Quantity, batch: Batch, conditioning: Array) -> Parts:
    if quantity.kind != "conditioning":
        return read(reader, quantity)
    return tuple(conditioning[np.searchsorted(batch.kept[3], _groups(reader.program, quantity))])


def _run(prepared: Prepared, batch: Batch, low: int, high: int) -> tuple[tuple[Array, ...], Ints]:
    """Rows (k, n, t) of q, v, a and conditioning that are kept, and the failures (n, 3), of samples of a block."""
    sweep, family, count, steps = prepared.sweep, batch.variants.family, high - low, prepared.sweep.times.size
    tile = min(BATCH if sweep.program.iterates else BLOCK, steps)
    pitch = pitch_of(tile)
    groups = len(sweep.program.structure.groups)
    state = (*(aligned_rows(batch.rows, pitch) for _ in range(3)), aligned_rows(groups, pitch))
    part = slice(low, high)
    drivers = prepared.drivers if prepared.drivers is not None else _driven(sweep, batch.given, low, high)
    memories = _memories(sweep, batch, low, high)
    own = (_part(batch.constants, part), *memories, _part(batch.fixed, part))
    failures = np.zeros((count, 3), np.int64)
    samples(
        batch.calls,
        own,
        sweep.times,
        drivers,
        np.array([driven.row for driven in family.drivers], np.int64),
        np.array(list(family.fixed), np.int64),
        state,
        np.zeros((groups, pitch), np.uint8),
        batch.kept,
        batch.results,
        failures,
        tile,
    )
    return tuple(x[:, : count * steps].reshape(-1, count, steps) for x in batch.results), failures


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


def _driven(sweep: Sweep, given: tuple[Array, ...], low: int, high: int) -> Array:
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
    places = np.concatenate([places, places[:, -1:]], axis=1)  # the last call remembers nothing
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
