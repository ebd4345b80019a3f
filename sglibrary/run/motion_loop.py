"""All kernels of a program over many steps, without Python between their calls.

Steps are taken in tiles, so small that the state of one stays in cache from the first group to the last.
"""

import math

from sglibrary.convention import formula, kernel
from sglibrary.run.calls import load, solve
from sglibrary.run.copy import copy, fence, stream
from sglibrary.run.near_singular import touches
from sglibrary.status import SOLVED


@kernel
def sweep(calls, times, driving, state, kept, results, status, watched, last, start, tile, past_caches):
    """Solve all groups for some steps of a motion, in tiles; whether all are solved, and whether some may touch zero.

    Parameters
    ----------
    calls : tuple
        Of the c calls in solving order: handles (c,); rows (r,) of int, constants (m,) and memory (k,) of all, one call
        after another; where those of each call begin in them (c + 1, 3); its group (c,), counted from 0.
    times : (n,) array
        s.
    driving : tuple of arrays
        As `sglibrary.run.calls.load` takes them.
    state : tuple of arrays
        q, v, a (rows, pitch) and conditioning (groups, pitch) of a tile.
    kept : tuple of arrays of int
        Which rows of each the motion keeps.
    results : tuple of arrays
        The same rows of the motion, for all its steps.
    status : (groups, N) array of uint8
    watched : (w,) array of int
        Groups whose conditioning is looked at.
    last : (w, 2) array
        Their conditioning at the two steps before these, as `sglibrary.run.near_singular.touches` takes it.
    start : int
        The first of these steps in the motion.
    tile : int
        Steps per tile.
    past_caches : bool
        Whether results are written past the caches (`sglibrary.run.copy.fits`).
    """
    groups, failed, near = calls[5], 0, 0
    for first in range(0, times.size, tile):
        n = min(tile, times.size - first)
        to = start + first
        load(times, driving, state, first, n)
        for k in range(groups.size):
            solve(calls, k, state, status, to, n)
        for k in range(watched.size):
            near += touches(state[3][watched[k], :n], last[k])
        for k in range(4):
            if past_caches:
                stream(results[k], to, state[k], kept[k], n)
            else:
                copy(results[k], to, state[k], kept[k], n)
        for k in range(status.shape[0]):
            failed += _failed(status[k, to : to + n])
    fence()
    return failed == 0, near > 0


@formula
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
