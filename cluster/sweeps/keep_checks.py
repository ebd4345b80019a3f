"""What can be kept of a mechanism, and what cannot."""

from __future__ import annotations

from math import prod

import numpy as np
from numpy.typing import NDArray

from cluster.sweeps.locations import unknown
from cluster.sweeps.quantities import Quantity, check_quantity, components
from cluster.sweeps.reductions import SIGNS, At, Keep, Occupancy, TransmissionAngle
from groupkin.errors import SweepError
from groupkin.kinematics.program.program import Program

Array = NDArray[np.float64]

CELLS = 10**8
"""Cells of an occupancy at most; each takes 8 bytes, in memory and for every chunk in a store."""


def check_keep(keep: Keep, program: Program, times: Array) -> None:
    """Refuse what cannot be kept of a mechanism.

    Raises
    ------
    SweepError, UnknownNameError
    """
    for quantity in keep.needs:
        if quantity.kind != "conditioning":
            check_quantity(quantity, program)
        elif quantity.of and quantity.of not in program.structure.group_of:
            raise unknown("movable body", quantity.of, list(program.structure.group_of))
    if isinstance(keep, At):
        _check_at(keep, program, times)
    if isinstance(keep, Occupancy):
        _check_occupancy(keep, program)
    if isinstance(keep, TransmissionAngle) and len(set(keep.points)) < 3:
        raise SweepError(f"{keep.label}: a transmission angle needs three different points")


def _check_at(keep: At, program: Program, times: Array) -> None:
    if (keep.time is None) == (keep.event is None):
        raise SweepError(f"{keep.label}: a value is kept either at a time or at an event; give one of them")
    first, last = min(times[0], times[-1]), max(times[0], times[-1])
    slack = 1e-9 * (last - first)  # of rounding errors
    if keep.time is not None and not first - slack <= keep.time <= last + slack:
        raise SweepError(f"{keep.label}: the time {keep.time:g} s is not between {times[0]:g} s and {times[-1]:g} s")
    if keep.event is not None:
        if times.size < 2:
            raise SweepError(f"{keep.label}: an event is looked for between times, and there is only one")
        _check_single(keep.event.quantity, program)
        if not np.isfinite(keep.event.equals):
            raise SweepError(f"{keep.label}: an event is at a finite value, not at {keep.event.equals!r}")
        if keep.event.direction not in SIGNS:
            raise SweepError(f"direction must be one of {', '.join(SIGNS)}, not {keep.event.direction!r}")


def _check_single(quantity: Quantity, program: Program) -> None:
    if components(quantity, program)[0]:
        raise SweepError(f"{quantity.label} has several components: name one of them")


def _check_occupancy(keep: Occupancy, program: Program) -> None:
    d = program.mechanism.dimension
    for name, numbers in (("low", keep.low), ("high", keep.high), ("cells", keep.cells)):
        if len(numbers) != d:
            raise SweepError(f"{keep.label}: `{name}` must have {d} numbers, not {list(numbers)}")
    for low, high, count in zip(keep.low, keep.high, keep.cells, strict=True):
        whole = isinstance(count, int | np.integer) and count >= 1
        if not (np.isfinite(low) and np.isfinite(high) and high > low and whole):
            raise SweepError(
                f"{keep.label}: `low` and `high` must be finite, `high` above `low`, and `cells` whole numbers from 1 "
                f"on, not {low!r}, {high!r} and {count!r}"
            )
    if prod(keep.cells) > CELLS:
        raise SweepError(f"{keep.label}: {prod(keep.cells):.3g} cells are too many; take at most {CELLS:.0e}")
    for limit in keep.limits:
        _check_single(limit.quantity, program)
        if not limit.low <= limit.high or np.isinf([limit.low, limit.high]).all():
            raise SweepError(
                f"{keep.label}: a limit of {limit.quantity.label} needs `low`, `high` or both, `low` not above `high`"
            )
