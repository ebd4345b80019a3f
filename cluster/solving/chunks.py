"""Solving samples of a sweep: from their numbers to what is kept of them, a chunk at a time.

Samples are prepared in blocks, whose places are fixed: constants of all samples of a block are computed at once. They
are solved and reduced in bands of a block, so few that what is read of them stays in cache. So a sample is always
computed together with the same others, and its results do not depend on which chunk asks for it.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cluster.solving.bands import Band, results_of, solve_band
from cluster.solving.sample_blocks import Batch, Moded, batch_of, parameter_values, part_of
from cluster.solving.sample_motions import STATUS, driven_of
from cluster.sweeps.description import Sweep
from cluster.sweeps.nominal_values import unit
from cluster.sweeps.parameters import LawValue, Mode, is_geometry
from cluster.sweeps.reductions import Variable
from groupkin.kinematics.solving.blocks import drive

Array = NDArray[np.float64]

PREPARED, PREPARED_SINGLY = 1024, 32
"""Samples per block; the second where groups are followed, or idle spins held, one sample at a time."""

BLOCK, BAND = 2**22, 2**15
"""Steps that are prepared together at most, and those that are solved and reduced together, about."""

MEMORY, SECONDS = 2**26, 1.0
"""Bytes of results, and time, that a chunk takes at most."""

TRIALS = 3
"""Times that a few samples are solved to see what one costs: other programs may be in the way."""


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
        See `cluster.solving.sample_blocks.Moded`.
    """

    sweep: Sweep
    block: int
    band: int
    drivers: Array | None
    shared: Batch | None = None
    moded: Moded = field(default_factory=dict)


def prepare(sweep: Sweep) -> Prepared:
    """What all samples of a sweep share; kernels are compiled when they are first used."""
    program = sweep.program
    geometry = any(is_geometry(one.of) for one in sweep.parameters)
    singly = program.iterates or (geometry and bool(program.structure.spins))
    block = min(PREPARED_SINGLY if singly else PREPARED, max(1, BLOCK // sweep.times.size))
    drivers = None
    if not any(isinstance(one.of, LawValue) for one in sweep.parameters):
        drivers = drive(program, sweep.times)[None]
    found = Prepared(sweep, block, min(block, max(1, BAND // sweep.times.size)), drivers)
    if geometry or any(isinstance(one.of, Mode) for one in sweep.parameters):
        return found
    return replace(found, shared=batch_of(sweep, 0, 1, found.moded))


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
    times = {"time": sweep.times.tolist()}  # told also where nothing is kept along them
    found.append(Variable("status", dtype="uint8", attrs=how, coords=times))
    groups = {"long_name": "number of the group that failed, 0 if none"}
    found.append(Variable("failed_group", dtype="int16", attrs=groups))
    found.append(Variable("failed_time", attrs={"units": "s", "long_name": "first time at which it failed"}))
    return tuple(found)


def size(prepared: Prepared) -> int:
    """Samples per chunk that take about `SECONDS` and at most `MEMORY` bytes of results; measured on a few."""
    sweep, band = prepared.sweep, prepared.band
    few = min(prepared.block, sweep.samples)  # a part of a block has the cost of preparing all of it
    solve(prepared, 0, few)  # compiles
    each = min(_seconds(prepared, few) for _ in range(TRIALS)) / few
    bytes_each = sum(8 * max(1, int(np.prod(one.shape))) for one in variables(sweep) if not one.total)
    most = int(max(1, min(SECONDS / each, MEMORY / bytes_each, sweep.samples)))
    unit = prepared.block if most >= prepared.block else band
    return max(unit, most // unit * unit)


def _seconds(prepared: Prepared, count: int) -> float:
    start = time.perf_counter()
    solve(prepared, 0, count)
    return time.perf_counter() - start


def shared_size(prepared: Prepared, workers: int) -> int:
    """Samples per chunk for some workers that take chunks as they become free.

    Between half of `size` and all of it, so that the workers are done at the same time, if samples cost the same; fewer
    only if there is one chunk for each. Blocks stay whole, unless there are too few of them.
    """
    samples, most = prepared.sweep.samples, size(prepared)
    fair = math.ceil(samples / workers)
    unit = prepared.block if min(most, fair) >= prepared.block else prepared.band
    if 2 * fair <= most:
        return unit * math.ceil(fair / unit)

    def longest(chunk: int) -> int:
        """Samples of the worker that is done last."""
        chunks = math.ceil(samples / chunk)
        turns = math.ceil(chunks / workers)
        alone = chunks == (turns - 1) * workers + 1  # the last chunk, which may be shorter
        return (turns - 1) * chunk + (samples - (chunks - 1) * chunk if alone else chunk)

    choices = range(unit * math.ceil(most / (2 * unit)), most + 1, unit)
    return min(choices, key=lambda chunk: (longest(chunk), -chunk))


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
    with np.errstate(invalid="ignore", divide="ignore"):  # samples that fail are NaN from some point on
        _solve(prepared, start, stop, listed, out)
    return out


def _solve(
    prepared: Prepared, start: int, stop: int, listed: tuple[Variable, ...], out: dict[str, NDArray[Any]]
) -> None:
    """Write all variables of samples start to stop - 1."""
    sweep, steps = prepared.sweep, prepared.sweep.times.size
    results: tuple[Array, ...] = ()
    for first in range(start - start % prepared.block, stop, prepared.block):
        last = min(first + prepared.block, sweep.samples)
        batch = _block(prepared, first, last)
        results = results_of(batch, prepared.band * steps, results)
        for low in range(0, last - first, prepared.band):
            high = min(low + prepared.band, last - first)
            begin, end = max(start, first + low), min(stop, first + high)
            if begin >= end:
                continue
            drivers = prepared.drivers
            if drivers is None:
                drivers = driven_of(sweep, part_of(batch, slice(low, high)), sweep.times)
            part = {
                one.name: out[one.name] if one.total else out[one.name][begin - start : end - start] for one in listed
            }
            wanted = slice(begin - first - low, end - first - low)
            solve_band(Band(sweep, batch, low, high, drivers, results), wanted, part)


def _block(prepared: Prepared, start: int, stop: int) -> Batch:
    """Samples start to stop - 1, which are a block."""
    sweep = prepared.sweep
    if prepared.shared is None:
        return batch_of(sweep, start, stop, prepared.moded)
    count = stop - start
    given = parameter_values(sweep, start, stop)
    return replace(prepared.shared, given=given, shapeless=np.zeros(count, bool), lost=np.zeros(count, np.int64))
