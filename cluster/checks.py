"""What can be kept of a mechanism, and what cannot."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cluster.quantities import Quantity, check, components
from cluster.reductions import SIGNS, At, Keep, Occupancy
from groupkin.errors import SweepError
from groupkin.kinematics.program import Program
from groupkin.mechanism.pairs import nearest

Array = NDArray[np.float64]


def check_keep(keep: Keep, program: Program, times: Array) -> None:
    """Refuse what cannot be kept of a mechanism.

    Raises
    ------
    SweepError, UnknownNameError
    """
    for quantity in keep.needs:
        if quantity.kind == "conditioning":
            if quantity.of and quantity.of not in program.structure.group_of:
                near = nearest(quantity.of, list(program.structure.group_of))
                raise SweepError(
                    f"there is no movable body {quantity.of!r}" + (f"; did you mean {near}?" if near else "")
                )
            continue
        check(quantity, program)
    if isinstance(keep, At):
        _check_at(keep, program, times)
    if isinstance(keep, Occupancy):
        _check_occupancy(keep, program)


def _check_at(keep: At, program: Program, times: Array) -> None:
    if (keep.time is None) == (keep.event is None):
        raise SweepError(f"{keep.label}: a value is kept at a time or at an event; give one of them")
    if keep.time is not None and not min(times[0], times[-1]) <= keep.time <= max(times[0], times[-1]):
        raise SweepError(f"{keep.label}: the time {keep.time:g} s is not between {times[0]:g} s and {times[-1]:g} s")
    if keep.event is not None:
        if times.size < 2:
            raise SweepError(f"{keep.label}: an event is looked for between times, and there is only one")
        _check_single(keep.event.quantity, program)
        if keep.event.direction not in SIGNS:
            raise SweepError(f"direction must be one of {', '.join(SIGNS)}, not {keep.event.direction!r}")


def _check_single(quantity: Quantity, program: Program) -> None:
    if components(quantity, program)[0]:
        raise SweepError(f"{quantity.label} has several components: name one of them")


def _check_occupancy(keep: Occupancy, program: Program) -> None:
    d = program.mechanism.dimension
    for name, given in (("low", keep.low), ("high", keep.high), ("cells", keep.cells)):
        if len(given) != d:
            raise SweepError(f"{keep.label}: `{name}` must have {d} numbers, not {list(given)}")
    for low, high, count in zip(keep.low, keep.high, keep.cells, strict=True):
        if not (high > low and count >= 1):
            raise SweepError(f"{keep.label}: `high` must be above `low`, and `cells` at least 1")
    for limit in keep.limits:
        _check_single(limit.quantity, program)
