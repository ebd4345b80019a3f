"""Solving samples of a sweep: from their numbers to what is kept of them, a chunk at a time.

Samples are prepared in sample blocks, whose limits are fixed: constants of all samples of a block are computed at once.
They are solved and reduced in bands of a block, so few that what is read of them stays in cache. So a sample is always
computed together with the same others, and its results do not depend on which chunk asks for it.
"""

from __future__ import annotations

import math
import timeit
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cluster.solving.bands import solve_band
from cluster.sweeps.description import Sweep
from cluster.sweeps.readings import Variable
from cluster.sweeps.sampling import sample_values
from groupkin.arguments import checked
from groupkin.errors import SweepError
from groupkin.kinematics.motion.ranges import ranges_of
from groupkin.kinematics.parameters.named_values import changes_laws
from groupkin.kinematics.parameters.nominal_values import unit
from groupkin.kinematics.parameters.parameters import AssemblyMode, Dimension
from groupkin.kinematics.samples.sample_bands import Band, results_of
from groupkin.kinematics.samples.sample_blocks import ModePrograms, SampleBlock, make_block, select
from groupkin.kinematics.samples.sample_motions import STATUS, driven_of
from groupkin.kinematics.solving.driver_values import drive

Array = NDArray[np.float64]

PREPARED, PREPARED_SINGLY = 1024, 32
"""Samples per block; the second where groups are followed, or idle spins held, one sample at a time."""

BLOCK, BAND = 2**22, 2**15
"""Steps that are prepared together at most, and those that are solved and reduced together, about."""

MEMORY, SECONDS = 2**26, 1.0
"""Bytes of results, and time (s), that a chunk takes at most."""

TRIALS = 3
"""Times that a few samples are solved to see what one costs; the fastest counts."""


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
    shared : SampleBlock, optional
        A block whose geometry and modes all samples share.
    programs : dict
        See `groupkin.kinematics.samples.sample_blocks.ModePrograms`.
    """

    sweep: Sweep
    block: int
    band: int
    drivers: Array | None
    shared: SampleBlock | None = None
    programs: ModePrograms = field(default_factory=dict)


@checked
def prepare(sweep: Sweep) -> Prepared:
    """Compute what all samples of a sweep share; kernels are compiled when they are first used."""
    program, targets = sweep.program, [parameter.target for parameter in sweep.parameters]
    geometry = any(isinstance(target, Dimension) for target in targets)
    singly = program.iterates or (geometry and bool(program.structure.spins))
    block = min(PREPARED_SINGLY if singly else PREPARED, max(1, BLOCK // sweep.times.size))
    laws = changes_laws(program, targets)
    drivers = None if laws else drive(program, sweep.times)[None]
    prepared = Prepared(sweep, block, min(block, max(1, BAND // sweep.times.size)), drivers)
    if geometry or any(isinstance(target, AssemblyMode) for target in targets):
        return prepared
    return replace(prepared, shared=make_block(sweep.variation, parameter_values(sweep, 0, 1), prepared.programs))


def variables(sweep: Sweep) -> tuple[Variable, ...]:
    """Describe what `solve_chunk` returns: parameters, what is kept, and how each sample ended."""
    listed = []
    for parameter, name, value in zip(sweep.parameters, sweep.names, sweep.nominal, strict=True):
        target = parameter.target
        attrs = {"units": unit(target, sweep.program), "nominal": value.tolist(), "long_name": str(target)}
        coords: dict[str, list[Any]] = {"axis": list("xyz"[: sweep.mechanism.dimension])} if value.ndim else {}
        listed.append(Variable(name, tuple(coords), value.shape, attrs=attrs, coords=coords, parameter=True))
    listed += [kept.variable(sweep.program, sweep.times) for kept in sweep.keep]
    meanings = " ".join(text.replace(" ", "_") for text in STATUS.values())
    status = {"flag_values": list(STATUS), "flag_meanings": meanings, "long_name": "how the sample ended"}
    times = {"time": sweep.times.tolist()}  # stated also where nothing is kept along them
    group = {"long_name": "number of the group that failed, 0 if none"}
    time = {"units": "s", "long_name": "first time at which it failed"}
    return (
        *listed,
        Variable("status", dtype="uint8", attrs=status, coords=times),
        Variable("failed_group", dtype="int16", attrs=group),
        Variable("failed_time", attrs=time),
        *_of_ranges(sweep),
    )


def _of_ranges(sweep: Sweep) -> tuple[Variable, ...]:
    """Describe how each sample leaves ranges, if the mechanism has any."""
    if not sweep.mechanism.has_ranges:
        return ()
    names = ["none", *("_".join(each.name.split()) for each in ranges_of(sweep.program))]
    number = {
        "flag_values": list(range(len(names))),
        "flag_meanings": " ".join(names),
        "long_name": "number of the range that is left first, 0 if none",
    }
    time = {"units": "s", "long_name": "first time at which a range is left"}
    return Variable("outside", dtype="int16", attrs=number), Variable("outside_time", attrs=time)


def size(prepared: Prepared) -> int:
    """Measure how many samples per chunk take about `SECONDS` and at most `MEMORY` bytes of results."""
    sweep, band = prepared.sweep, prepared.band
    few = min(prepared.block, sweep.samples)  # a part of a block has the cost of preparing all of it
    solve_chunk(prepared, 0, few)  # compiles
    seconds = min(timeit.repeat(lambda: solve_chunk(prepared, 0, few), number=1, repeat=TRIALS)) / few
    memory = sum(8 * max(1, math.prod(variable.shape)) for variable in variables(sweep) if not variable.total)
    most = int(max(1, min(SECONDS / seconds, MEMORY / memory, sweep.samples)))
    unit = prepared.block if most >= prepared.block else band
    return max(unit, most // unit * unit)


def shared_size(prepared: Prepared, workers: int) -> int:
    """Return the samples per chunk for some workers that take chunks as they become free.

    Between half of `size` and all of it, so that the workers are done at the same time, if samples cost the same; fewer
    only if there is one chunk for each. Blocks stay whole, unless there are too few of them.
    """
    samples, most = prepared.sweep.samples, size(prepared)
    fair = math.ceil(samples / workers)
    unit = prepared.block if min(most, fair) >= prepared.block else prepared.band
    if 2 * fair <= most:
        return unit * math.ceil(fair / unit)

    def longest(chunk: int) -> int:
        """Count the samples of the worker that is done last."""
        chunks = math.ceil(samples / chunk)
        rounds = math.ceil(chunks / workers)
        alone = chunks == (rounds - 1) * workers + 1  # the last chunk, which may be shorter
        return (rounds - 1) * chunk + (samples - (chunks - 1) * chunk if alone else chunk)

    choices = range(unit * math.ceil(most / (2 * unit)), most + 1, unit)
    return min(choices, key=lambda chunk: (longest(chunk), -chunk))


@checked
def solve_chunk(prepared: Prepared, start: int, stop: int) -> dict[str, NDArray[Any]]:
    """Solve samples start to stop - 1, and compute what is kept of them.

    Parameters
    ----------
    prepared : Prepared
    start, stop : int

    Returns
    -------
    dict of str to array
        With a leading axis of samples; totals without, of these samples alone.
    """
    sweep, steps = prepared.sweep, prepared.sweep.times.size
    start, stop = int(start), int(stop)
    if not 0 <= start < stop <= sweep.samples:
        raise SweepError(f"there are no samples {start} to {stop - 1}; the sweep has {sweep.samples}, numbered from 0")
    listed = variables(sweep)
    out = {x.name: np.zeros(x.shape if x.total else (stop - start, *x.shape), x.dtype) for x in listed}
    results: tuple[Array, ...] = ()
    with np.errstate(invalid="ignore", divide="ignore"):  # samples that fail are NaN from some step on
        for first in range(start - start % prepared.block, stop, prepared.block):
            last = min(first + prepared.block, sweep.samples)
            block = _block(prepared, first, last)
            results = results_of(block, prepared.band * steps, results)
            for low in range(first, last, prepared.band):
                high = min(low + prepared.band, last)
                begin, end = max(start, low), min(stop, high)
                if begin >= end:
                    continue
                samples, wanted = slice(low - first, high - first), slice(begin - low, end - low)
                band = Band(sweep.variation, block, samples, _drivers(prepared, block, samples), results)
                chunk = slice(begin - start, end - start)
                solve_band(
                    sweep, band, wanted, {x.name: out[x.name] if x.total else out[x.name][chunk] for x in listed}
                )
    return out


def _drivers(prepared: Prepared, block: SampleBlock, samples: slice) -> Array:
    """Compute what the drivers do (n or 1, d, 5, t) in some samples of a block."""
    if prepared.drivers is not None:
        return prepared.drivers
    return driven_of(prepared.sweep.variation, select(block, samples), prepared.sweep.times)


def _block(prepared: Prepared, start: int, stop: int) -> SampleBlock:
    """Prepare the block of samples start to stop - 1."""
    sweep = prepared.sweep
    values, count = parameter_values(sweep, start, stop), stop - start
    if prepared.shared is None:
        return make_block(sweep.variation, values, prepared.programs)
    return replace(prepared.shared, values=values, shapeless=np.zeros(count, bool), lost=np.zeros(count, np.int64))


def parameter_values(sweep: Sweep, start: int, stop: int) -> tuple[Array, ...]:
    """Return the values (n,) or (n, d) of all parameters for samples start to stop - 1, m and rad."""
    pairs = list(zip(sweep.parameters, sweep.nominal, strict=True))
    means = [np.where(parameter.relative, 0.0, nominal) for parameter, nominal in pairs]
    values = []
    for (parameter, nominal), x in zip(pairs, sample_values(sweep.plan, means, start, stop), strict=True):
        full = np.broadcast_to(x if x.ndim > nominal.ndim else x[:, None], (stop - start, *nominal.shape))
        values.append(full + nominal if parameter.relative else np.array(full))
    return tuple(values)
