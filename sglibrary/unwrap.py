"""Whole turns of angles that are given up to multiples of a turn."""

import math

import numpy as np

from sglibrary.convention import kernel

FAR, OFF = 2.5, 1.0
"""Steps larger than this, in rad, make unwrapping ambiguous: FAR for the change of an angle without rates, which shows
half a turn at most; OFF for what remains of the change after the mean of the rates is subtracted."""


@kernel
def unwrap(angles, rates, times):
    """Add whole turns to angles in rad so that they change as they should from one time to the next.

    Parameters
    ----------
    angles : (n, t) array
        Changed in place, but for the first of each row.
    rates : (n, t) or (n, 0) array
        rad/s. With them the expected change follows from their mean; without, it is half a turn at most.
    times : (n or 1, t) array
        s.

    Returns
    -------
    int
        Rows in which whole turns may be missing.
    """
    doubted = 0
    for s in range(angles.shape[0]):
        row, at = angles[s], times[min(s, times.shape[0] - 1)]
        before, turns, doubts = row[0], 0.0, 0
        for j in range(1, row.size):
            angle = row[j]
            change = angle - before
            if rates.shape[1]:
                change -= 0.5 * (rates[s, j - 1] + rates[s, j]) * (at[j] - at[j - 1])
            missing = np.floor(0.5 - change / (2.0 * math.pi))
            rest = math.fabs(change + 2.0 * math.pi * missing)
            doubts += rest > (OFF if rates.shape[1] else FAR)
            turns += missing
            before = angle
            row[j] = angle + 2.0 * math.pi * turns
        doubted += doubts > 0
    return doubted
