"""All kernels of a program over many steps, without Python between their calls.

Steps are taken in blocks, so small that the state of one stays in cache from the first group to the last.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sglibrary.convention import inlined, kernel
from sglibrary.run.calls import Calls, Drivers, State, fill, load, run_call
from sglibrary.run.copy import copy, fence, stream
from sglibrary.run.near_singular import touches
from sglibrary.status import SOLVED

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


class Results(NamedTuple):
    """Where the results of a motion go.

    Attributes
    ----------
    kept : tuple of arrays of int
        Which rows of q, v, a and conditioning the motion keeps.
    targets : tuple of arrays
        The same rows of the motion, for all its steps.
    status : (groups, N) array of uint8
    past_caches : bool
        Whether results are written past the caches (`sglibrary.run.copy.fits`).
    """

    kept: tuple[Ints, Ints, Ints, Ints]
    targets: tuple[Array, Array, Array, Array]
    status: NDArray[np.uint8]
    past_caches: bool


class Watched(NamedTuple):
    """Groups (w,) that may pass singular positions between steps, and their conditioning at the last two steps (w, 2).

    The latter is written; `sglibrary.run.near_singular.touches` says how it begins.
    """

    groups: Ints
    last: Array


@kernel
def solve_steps(calls, times, drivers, state, results, watched, start, block):
    """Solve all groups for some steps of a motion, block by block.

    Named tuples come as plain ones, since a call from Python with named ones takes 10 µs more.

    Parameters
    ----------
    calls : tuple
        Fields of `Calls`.
    times : (n,) array
        s.
    drivers : tuple
        Fields of `Drivers`.
    state : tuple
        Fields of `State`, memory of a block.
    results : tuple
        Fields of `Results`.
    watched : tuple
        Fields of `Watched`.
    start : int
        The first of these steps in the motion.
    block : int
        Steps per block.

    Returns
    -------
    bool
        True if all groups are solved at all steps.
    bool
        True if the conditioning of a watched group may touch zero between two steps.
    """
    named_calls, named_drivers, named_state = Calls(*calls), Drivers(*drivers), State(*state)
    groups, conditioning = named_calls.groups, named_state.conditioning
    kept, targets, status, past_caches = results
    observed, last = watched
    failed = near = 0
    for first in range(0, times.size, block):
        n = min(block, times.size - first)
        to = start + first
        load(times, named_drivers, named_state, first, n)
        for k in range(groups.size):
            run_call(named_calls, k, named_state, status, to, n)
        for k in range(observed.size):
            near += touches(conditioning[observed[k], :n], last[k])
        for k in range(4):
            if past_caches:
                stream(targets[k], to, state[k], kept[k], n)
            else:
                copy(targets[k], to, state[k], kept[k], n)
        for k in range(status.shape[0]):
            failed += _failed(status[k, to : to + n])
    fence()
    return failed == 0, near > 0


@kernel
def evaluate_steps(calls, times, drivers, state, results, watched, block, values, rates, gains, largest):
    """Solve all groups at given values of the drivers, which are copied into those of `drivers`.

    A value is NaN if it or one of its derivatives is larger than `largest`, or no number.

    Parameters
    ----------
    calls, times, drivers, state, results, watched, block
        As `solve_steps` takes them; all drivers are of the kind OTHER.
    values, rates, gains : (d, n) arrays
        Values of all drivers and their first and second derivatives.
    """
    wanted = drivers[5]
    for k in range(values.shape[0]):
        _fill_usable(wanted[k, 0], values[k], rates[k], gains[k], largest)
        fill(wanted[k, 1], rates[k])
        fill(wanted[k, 2], gains[k])
    solve_steps(calls, times, drivers, state, results, watched, 0, block)


@inlined
def _fill_usable(target, value, rate, gain, largest):
    for j in range(target.size):
        usable = math.fabs(value[j]) <= largest and math.fabs(rate[j]) <= largest and math.fabs(gain[j]) <= largest
        target[j] = value[j] if usable else math.nan


@inlined
def _failed(status):
    failed = 0
    for j in range(status.size):
        failed += status[j] != SOLVED
    return failed


@kernel
def ordered(times):
    """Whether times (n,), of which there is at least one, are finite and all go one way."""
    back = ahead = 0
    before, after = times[:-1], times[1:]
    for j in range(before.size):
        back += not after[j] >= before[j]
        ahead += not after[j] <= before[j]
    return (back == 0 or ahead == 0) and math.isfinite(times[0]) and math.isfinite(times[-1])
