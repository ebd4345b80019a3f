"""Whole turns of angles that are known up to these only."""

import math

import numpy as np

from sglibrary.convention import kernel

FAR, OFF = 2.5, 1.0
"""Changes from one time to the next, rad, above which whole turns are doubted: of angles alone, of which half a turn at
most can be told, and of what is left where rates say how far they turn, if only roughly."""


@kernel
def unwrap(angles, rates, times):
    """Add whole turns to angles in rad so that they change as they should from one time to the next.

    Parameters
    ----------
    angles : (n, t) array
        Changed in place, but for the first of each row.
    rates : (n, t) or (n, 0) array
        rad/s. Where they are known the mean of two of them tells the change; otherwise it is half a turn at most.
    times : (t,) array
        s.

    Returns
    -------
    int
        Rows in which whole turns may be missing.
    """
    doubted = 0
    for s in range(angles.shape[0]):
        own = angles[s]
        before, turns, doubts = own[0], 0.0, 0
        for j in range(1, own.size):
            here = own[j]
            change = here - before
            if rates.shape[1]:
                change -= 0.5 * (rates[s, j - 1] + rates[s, j]) * (times[j] - times[j - 1])
            missing = np.floor(0.5 - change / (2.0 * math.pi))
            rest = math.fabs(change + 2.0 * math.pi * missing)
            doubts += rest > (OFF if rates.shape[1] else FAR)
            turns += missing
            before = here
            own[j] = here + 2.0 * math.pi * turns
        doubted += doubts > 0
    return doubted
