"""All kernels of a program over many samples of a mechanism, each at the same times, without Python between them.

Samples differ in the constants of kernels, in rows that never change, in what the drivers do, and in what iterated
groups remember; what is the same for all of them is stored once. Every sample begins a block of its own, so that its
results do not depend on the samples next to it. A sample ends at the first step that is not solved.
"""

import math
from typing import Any, NamedTuple

from sglibrary.array_types import Array, Flags, Ints
from sglibrary.convention import kernel
from sglibrary.run.calls import Drivers, call, fill, load
from sglibrary.run.copy import copy
from sglibrary.run.near_singular import FEW, ends_touch, touches
from sglibrary.status import NO_INPUT, SOLVED


class SampleCalls(NamedTuple):
    """The c calls of all samples in solving order.

    Attributes
    ----------
    handles : (c,) array of int
    rows : array of int
        Of all calls, one after another.
    starts : (c + 1, 2) array of int
        Where the rows and constants of each call begin.
    groups : (c,) array of int
        The group of each call, counted from 0.
    alike : int
        How many of them, from the first one on, have the same constants and fixed rows in all samples. What they write
        stays in the state where drivers and times are the same too.
    """

    handles: Any
    rows: Ints
    starts: Ints
    groups: Ints
    alike: int = 0


class Samples(NamedTuple):
    """What distinguishes n samples; all but the memory may have one row only, for all samples.

    Attributes
    ----------
    constants : (n, m) array
        Of all calls.
    memory : (k,) array
        Of all samples and calls, one after another.
    memory_starts : (n, c + 1) array of int
        Where the memory of each call begins.
    fixed_rows : (f,) array of int
        Rows of the state that never change.
    fixed : (n, f) array
        Their values.
    """

    constants: Array
    memory: Array
    memory_starts: Ints
    fixed_rows: Ints
    fixed: Array


class SampleResults(NamedTuple):
    """Where the results of n samples at t times go.

    Attributes
    ----------
    kept : tuple of arrays of int
        Which rows of q, v, a and conditioning are kept.
    targets : tuple of (rows, n t) arrays
        These rows, one sample after another; NaN from the first step on that is not solved.
    failures : (n, 3) array of int
        Step, group (from 0) and status of the first failure of each sample; the number of times if there is none.
    """

    kept: tuple[Ints, ...]
    targets: tuple[Array, ...]
    failures: Ints


class WatchedSamples(NamedTuple):
    """Groups that may pass singular positions between steps.

    Attributes
    ----------
    groups : (w,) array of int
    conditioning, last : (w, t) and (2,) arrays
        Working memory.
    near : (n,) array of bool
        Whether the conditioning of any of them may touch zero between the steps of a sample that are solved.
    """

    groups: Ints
    conditioning: Array
    last: Array
    near: Flags


@kernel
def solve_samples(calls, samples, times, drivers, state, status, results, watched, block):
    """Solve all groups for some samples at all times, block by block.

    Parameters
    ----------
    calls : SampleCalls
    samples : Samples
    times : (n or 1, t) array
        s.
    drivers : Drivers
        All of the kind OTHER; `values` has a leading axis of n or 1.
    state : State
        Memory of a block.
    status : (groups, pitch) array of uint8
        Of a block.
    results : SampleResults
    watched : WatchedSamples
    block : int
        Steps per block.
    """
    handles, rows, starts, groups, alike = calls
    constants, memory, memory_starts, fixed_rows, fixed = samples
    kinds, numbers, table, angles, driver_rows, values = drivers
    q, v, a, conditioning = state
    kept, targets, failures = results
    observed, seen, last, near = watched
    steps = times.shape[1]
    for s in range(failures.shape[0]):
        mine = min(s, constants.shape[0] - 1)
        recalled = min(s, memory_starts.shape[0] - 1)
        if s < fixed.shape[0]:
            for k in range(fixed_rows.size):
                if s == 0 or q[fixed_rows[k], 0] != fixed[s, k]:  # many are the same in all samples
                    _spread(q[fixed_rows[k], :], fixed[s, k])
        failures[s, 0], failures[s, 1], failures[s, 2] = steps, 0, SOLVED
        for first in range(0, steps, block):
            n, done = min(block, steps - first), alike
            if steps > block or s < values.shape[0] or s < times.shape[0]:
                done = 0
                driven = Drivers(kinds, numbers, table, angles, driver_rows, values[min(s, values.shape[0] - 1)])
                load(times[min(s, times.shape[0] - 1)], driven, state, first, n)
            for k in range(done, groups.size):
                call(
                    handles[k],
                    (
                        q,
                        v,
                        a,
                        memory[memory_starts[recalled, k] : memory_starts[recalled, k + 1]],
                        rows[starts[k, 0] : starts[k + 1, 0]],
                        constants[mine, starts[k, 1] : starts[k + 1, 1]],
                        status[groups[k], :n],
                        conditioning[groups[k]],
                        n,
                    ),
                )
            for k in range(observed.size):
                fill(seen[k, first : first + n], conditioning[observed[k]])
            to = s * steps + first
            for k in range(4):
                copy(targets[k], to, state[k], kept[k], n)
            if _failed(status, n):
                _blame(status, n, first, failures[s])
                for k in range(4):
                    _blank(targets[k], s * steps + failures[s, 0], (s + 1) * steps)
                break
        near[s] = _near(seen, failures[s, 0], last)


@kernel
def _near(seen, n, last):
    """Whether the conditioning of any group (w, at least n) may touch zero in n steps."""
    if n <= FEW:
        return n > 1 and seen.shape[0] > 0
    for k in range(seen.shape[0]):
        c = seen[k, :n]
        last[:] = math.nan
        if ends_touch(c) or touches(c, last) > 0:
            return True
    return False


@kernel
def _spread(target, value):
    for j in range(target.size):
        target[j] = value


@kernel
def _failed(status, n):
    failed = 0
    for k in range(status.shape[0]):
        codes = status[k, :n]
        for j in range(codes.size):
            failed += codes[j] != SOLVED
    return failed > 0


@kernel
def _blame(status, n, first, failure):
    """The first step of a block at which a group fails, and the first group there that fails by itself."""
    for j in range(n):
        for k in range(status.shape[0]):
            code = status[k, j]
            if code != SOLVED and (failure[2] == SOLVED or (failure[2] == NO_INPUT and code != NO_INPUT)):
                failure[0], failure[1], failure[2] = first + j, k, code
        if failure[2] != SOLVED:
            return


@kernel
def _blank(target, first, stop):
    for k in range(target.shape[0]):
        row = target[k, first:stop]
        for j in range(row.size):
            row[j] = math.nan
