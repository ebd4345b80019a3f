"""What is kept of bands of samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cluster.solving.sample_forces import read_forces
from cluster.sweeps.description import Sweep
from cluster.sweeps.readings import Readings
from cluster.sweeps.reductions import Occupancy, Outside
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.samples.sample_bands import Band, end_earlier, outcome, read_again, read_band, states
from groupkin.kinematics.samples.sample_ranges import Excesses, ended_outside, excesses, first_left
from sglibrary.array_types import Array


def solve_band(sweep: Sweep, band: Band, wanted: slice, out: dict[str, NDArray[Any]]) -> None:
    """Solve the samples of a band of a sweep, and write what is kept of the wanted ones of them."""
    count, found = band.count, Excesses()
    components, failures = read_band(band)
    if sweep.mechanism.has_ranges:
        found = excesses(band, components, failures)
        number, time, steps = first_left(found, sweep.times)
        out["outside"][:], out["outside_time"][:] = number[wanted], time[wanted]
        if sweep.on_outside == "fail":
            components = ended_outside(band, failures, steps)
            found = excesses(band, components, failures)
    forces, impossible = read_forces(sweep, band, wanted, failures)
    if impossible:
        end_earlier(band, failures, impossible)
        components = read_again(band)
        found = excesses(band, components, failures) if sweep.mechanism.has_ranges else found
    components |= forces
    readings = Readings(sweep.times, count, components, _slopes(sweep, band), found)
    for name, x in zip(sweep.names, band.block.values, strict=True):
        out[name][:] = x[band.samples][wanted]
    for kept in sweep.keep:
        target = out[kept.label]
        if isinstance(kept, Occupancy | Outside):
            target += kept.compute(readings.select(kept.needs, wanted))
        else:
            target[:] = kept.compute(readings).reshape(count, *target.shape[1:])[wanted]
    ends = outcome(failures[wanted], sweep.times)
    out["status"][:], out["failed_group"][:], out["failed_time"][:] = ends


def _slopes(sweep: Sweep, band: Band) -> dict[Quantity, Array]:
    """Differentiate what is kept of the samples of a band, if that is wanted."""
    differentiated = sweep.differentiated
    if differentiated is None:
        return {}
    values = np.concatenate([x[band.samples].reshape(band.count, -1) for x in band.block.values], axis=1)
    found = differentiated.of(values, sweep.times, band.block.variants.family, states(band))
    return dict(zip(differentiated.wanted, found, strict=True))
