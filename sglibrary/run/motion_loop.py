"""All kernels of a program over many steps, without Python between their calls.

Steps are taken in blocks, so small that the state of one stays in cache from the first group to the last. Kernels write
where results belong, or into the memory of a block from which they are copied.
"""

import math

from sglibrary.convention import kernel, merged
from sglibrary.run.calls import Drivers, drive, fill, load, run_call_at
from sglibrary.run.copy import copy, fence, stream
from sglibrary.run.near_singular import ends_touch, touches
from sglibrary.run.row_numbers import move
from sglibrary.run.task import read
from sglibrary.status import SOLVED


@kernel
def solve_steps(task, times, values, start):
    """Solve all groups for some steps of a motion, block by block.

    Parameters
    ----------
    task : array of int
        A `Task`, as `sglibrary.run.task.written` returns it.
    times : (n,) array
        s.
    values : (d, 3 or 5, n) array
        Those of `Drivers`.
    start : int
        The first of these steps in the motion.

    Returns
    -------
    bool
        True if all groups are solved at all steps.
    bool
        True if the conditioning of a watched group may touch zero between two steps, or at an end of the motion.
    """
    calls, drivers, state, results, watched, moving, block = read(task)
    placed = moving.inverse != 0
    kinds, numbers, table, angles, rows, _ = drivers
    driven = Drivers(kinds, numbers, table, angles, rows, values)
    failed = near = 0
    if start == 0:
        watched.last[:] = math.nan
    for first in range(0, times.size, block):
        n = min(block, times.size - first)
        to = start + first
        beside = to if placed else 0
        if placed:
            move(calls.rows, moving.entries, moving.numbers, moving.inverse, to)
            if moving.time >= 0:
                fill(state.q[moving.time, :n], times[first : first + n])
            drive(times, driven, state, first, n)
        else:
            load(times, driven, state, first, n)
        for k in range(calls.groups.size):
            run_call_at(calls, k, state, results.status, to, beside, n)
        for k in range(watched.groups.size):
            near += touches(state.conditioning[watched.groups[k], beside : beside + n], watched.last[k])
        for k in range(4):
            if results.past_caches:
                stream(results.targets[k], to, state[k], results.kept[k], n)
            else:
                copy(results.targets[k], to, state[k], results.kept[k], n)
        for k in range(results.status.shape[0]):
            failed += _failed(results.status[k, to : to + n])
    fence()
    steps = results.status.shape[1]
    if start + times.size == steps:
        for k in range(watched.groups.size):
            near += ends_touch(results.targets[3][watched.groups[k], :steps])
    return failed == 0, near > 0


@kernel
def hold(q, v, a, rows, values, n):
    """Fill the first n steps of rows (k,) that never change with their values and without rates."""
    for k in range(rows.size):
        value, rate, gain = q[rows[k], :n], v[rows[k], :n], a[rows[k], :n]
        for j in range(value.size):
            value[j] = values[k]
            rate[j] = 0.0
            gain[j] = 0.0


@kernel
def fill_given(given, values, rates, gains, largest):
    """Fill `given` (d, 3, n) with values, rates and accelerations (d, n) of all drivers.

    A value is NaN if it or one of its derivatives is larger than `largest`, or no number.
    """
    for k in range(values.shape[0]):
        _fill_usable(given[k, 0], values[k], rates[k], gains[k], largest)
        fill(given[k, 1], rates[k])
        fill(given[k, 2], gains[k])


@merged
def _fill_usable(target, value, rate, gain, largest):
    for j in range(target.size):
        usable = math.fabs(value[j]) <= largest and math.fabs(rate[j]) <= largest and math.fabs(gain[j]) <= largest
        target[j] = value[j] if usable else math.nan


@merged
def _failed(status):
    failed = 0
    for j in range(status.size):
        failed += status[j] != SOLVED
    return failed


@kernel
def ordered(times, largest):
    """Whether times (n,), of which there is at least one, all go one way and none is larger than that, or no number."""
    back = ahead = 0
    before, after = times[:-1], times[1:]
    for j in range(before.size):
        back += not after[j] >= before[j]
        ahead += not after[j] <= before[j]
    return (back == 0 or ahead == 0) and math.fabs(times[0]) <= largest and math.fabs(times[-1]) <= largest
