"""All kernels of a program over many samples of a mechanism, each at the same times, without Python between them.

Samples differ in the constants of kernels, in rows that never change, in what the drivers do, and in what iterated
groups remember; what is the same for all of them is given once. Every sample begins a tile of its own, so that its
results do not depend on the samples next to it. A sample ends at the first step that is not solved.
"""

import math

from sglibrary.convention import kernel
from sglibrary.run.calls import call, fill
from sglibrary.run.copy import copy
from sglibrary.run.near_singular import FEW, ends_touch, touches
from sglibrary.status import NO_INPUT, SOLVED


@kernel
def samples(calls, own, times, drivers, set_rows, state, status, kept, results, failures, watching, tile):
    """Solve all groups for some samples at all times, in tiles.

    Parameters
    ----------
    calls : tuple
        Of the c calls in solving order: handles (c,); rows (r,) of int of all, one call after another; where the rows
        and constants of each begin (c + 1, 2); its group (c,), counted from 0.
    own : tuple of arrays
        Of every sample: constants (n, m) of all calls; memories of all calls, one after another (k,), and where they
        begin there (n, c + 1); values (n, f) of the rows that never change. All but the second may have one row only,
        for all samples.
    times : (n, t) array
        s; written to row 0 of the state; n may be 1 as well.
    drivers : (n, d, 5, t) array
        Value, rate, acceleration, cosine and sine of every driver; n may be 1 as well.
    set_rows : tuple of arrays of int
        The first of the three rows of each driver in the state (d,), and the rows that never change (f,).
    state : tuple of arrays
        q, v, a (rows, pitch) and conditioning (groups, pitch) of a tile.
    status : (groups, pitch) array of uint8
        Of a tile.
    kept : tuple of arrays of int
        Which rows of q, v, a and conditioning are kept.
    results : tuple of (rows, n t) arrays
        These rows, one sample after another; NaN from the first step on that is not solved.
    failures : (n, 3) array of int
        Step, group (from 0) and status of the first failure of each sample; the number of times if there is none.
    watching : tuple of arrays
        Groups whose conditioning is looked at (w,); memory for it (w, t) and two steps (2,); and, for every sample,
        whether it may touch zero between the steps that are solved (n,).
    tile : int
        Steps per tile.
    """
    handles, rows, places, groups = calls
    driver_rows, fixed_rows = set_rows
    watched, seen, last, near = watching
    constants, memory, memory_places, fixed = own
    q, v, a, conditioning = state
    steps = times.shape[1]
    for s in range(failures.shape[0]):
        mine = min(s, constants.shape[0] - 1)
        recalled = min(s, memory_places.shape[0] - 1)
        if s < fixed.shape[0]:
            for k in range(fixed_rows.size):
                if s == 0 or q[fixed_rows[k], 0] != fixed[s, k]:  # many are the same in all samples
                    _spread(q[fixed_rows[k], :], fixed[s, k])
        failures[s, 0], failures[s, 1], failures[s, 2] = steps, 0, SOLVED
        for first in range(0, steps, tile):
            n = min(tile, steps - first)
            if steps > tile or s < drivers.shape[0] or s < times.shape[0]:
                here, driven = times[min(s, times.shape[0] - 1)], drivers[min(s, drivers.shape[0] - 1)]
                _load(q, v, a, here, driven, driver_rows, first, n)
            for k in range(groups.size):
                call(
                    handles[k],
                    (
                        q,
                        v,
                        a,
                        memory[memory_places[recalled, k] : memory_places[recalled, k + 1]],
                        rows[places[k, 0] : places[k + 1, 0]],
                        constants[mine, places[k, 1] : places[k + 1, 1]],
                        status[groups[k], :n],
                        conditioning[groups[k]],
                        n,
                    ),
                )
            for k in range(watched.size):
                fill(seen[k, first : first + n], conditioning[watched[k]])
            to = s * steps + first
            for k in range(4):
                copy(results[k], to, state[k], kept[k], n)
            if _failed(status, n):
                _blame(status, n, first, failures[s])
                for k in range(4):
                    _blank(results[k], s * steps + failures[s, 0], (s + 1) * steps)
                break
        near[s] = _near(seen, failures[s, 0], last)


@kernel
def _load(q, v, a, times, drivers, driver_rows, first, n):
    """Times and drivers of a tile."""
    own = slice(first, first + n)
    fill(q[0, :n], times[own])
    for k in range(driver_rows.size):
        row, values = driver_rows[k], drivers[k]
        fill(v[row, :n], values[1, own])
        fill(a[row, :n], values[2, own])
        for i in range(3):
            fill(q[row + i, :n], values[0 if i == 0 else 2 + i, own])


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
        own = status[k, :n]
        for j in range(own.size):
            failed += own[j] != SOLVED
    return failed > 0


@kernel
def _blame(status, n, first, failure):
    """The first step of a tile at which a group fails, and the first group there that fails by itself."""
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
        own = target[k, first:stop]
        for j in range(own.size):
            own[j] = math.nan
