"""All joints at values of the drivers, for programs in Python that ask for one position at a time."""

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numba import types

from sglibrary.array_types import Array, Ints
from sglibrary.code import call
from sglibrary.convention import kernel, merged
from sglibrary.exported.entries import MODEL, Model, followed, given
from sglibrary.exported.views import TYPES, view_of
from sglibrary.run.step_loop import LARGEST
from sglibrary.written_out import address

ONE = 1
"""Steps that are computed at a time."""


class Closing(NamedTuple):
    """A model, and what tells the coordinates of c joints from its state.

    Attributes
    ----------
    model : Model
    limits : (d,) array
        Bound that the value of each driver must be below.
    rows, constants : arrays
        Of the instruction list that computes the coordinates.
    first : (1,) array of int
        The row of q of the first of them.
    periods : (c,) array
        Period of each coordinate, rad or m; 0 if it has none.
    drivers : (c,) array of int
        Number of its driver; -1 if it has none.
    last : (c,) array
        The coordinates at the call before.
    """

    model: Model
    limits: Array
    rows: Ints
    constants: Array
    first: Ints
    periods: Array
    drivers: Ints
    last: Array


_NUMBERS, _INTS = (types.Array(kind, 1, "C") for kind in (types.float64, types.int64))
CLOSING = types.NamedTuple(
    (MODEL, _NUMBERS, _INTS, _NUMBERS, _INTS, _NUMBERS, _INTS, _NUMBERS),
    Closing,
)
"""The type of it in compiled code."""

TYPES["closing"] = CLOSING


@kernel
def close_given(addresses, driven, joints):
    """Compute the coordinates of all joints at values of the drivers, where no group is iterated.

    Parameters
    ----------
    addresses : (8,) array of int
        Of the table of what is here, of its memories, and of the instruction list.
    driven : (d,) array
    joints : (c,) array
        Overwritten.

    Returns
    -------
    int
        0, or the status of the first group that is not solved.
    """
    whole = _read(addresses)
    _give(whole, driven)
    status = given(whole.model)
    _tell(whole, addresses[7], driven, joints)
    return status


@kernel
def close_followed(addresses, driven, joints):
    """The same where groups are iterated: they are followed from the last position that was solved."""
    whole = _read(addresses)
    _give(whole, driven)
    status = followed(whole.model, True)
    _tell(whole, addresses[7], driven, joints)
    return status


@merged
def _read(x):
    return view_of("closing", x[0], (x[1], x[2], x[3], x[4], x[5], x[6]))


@merged
def _give(whole, driven):
    for k in range(whole.limits.size):
        usable = math.fabs(driven[k]) <= LARGEST and math.fabs(driven[k]) < whole.limits[k]
        whole.model.drivers.values[k, 0, 0] = driven[k] if usable else math.nan


@merged
def _tell(whole, text, driven, joints):
    """Read the coordinates from the state; whole turns are the nearest to the driver's value, or to the last call's."""
    q, v, a, _ = whole.model.state
    call.evaluate(text, q, v, a, q, whole.rows, whole.constants, 0, 0, ONE)
    for k in range(joints.size):
        x, period, near = q[whole.first[0] + k, 0], whole.periods[k], whole.last[k]
        if whole.drivers[k] >= 0:
            near = driven[whole.drivers[k]]
        if period > 0.0:
            x += period * np.rint((near - x) / period)
        if math.isfinite(x):
            whole.last[k] = x
        joints[k] = x


@lru_cache(maxsize=256)
def list_address(text: str) -> tuple[int, Any]:
    """Return the address of an instruction list that is compiled for one step, and what must be kept for it."""

    @kernel
    def where():
        return address(text, ONE)

    return where(), where
