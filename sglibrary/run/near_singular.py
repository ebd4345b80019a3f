"""Whether conditioning, which falls to zero and rises again in straight lines, may touch zero between two steps."""

import math

import numpy as np

from sglibrary.convention import allocating, formula, kernel

FEW = 3
"""With so few steps no slope can be estimated: conditioning may touch zero between any two."""


@formula
def touch(before, least, after):
    """Whether a least value may be a zero between the steps: the step to a neighbor is at least half of it."""
    low, high = (before, after) if before < after else (after, before)
    return least <= low and 3.0 * least <= 2.0 * high


@kernel
def touches(c, last):
    """Count the steps at which `touch` holds, from the last one before `c` to the last but one of `c`.

    Parameters
    ----------
    c : (n,) array
        Conditioning of a group at some steps.
    last : (2,) array
        The same at the two steps before, NaN where there are none; replaced by that of the last two steps of `c`.
    """
    n, count = c.size, 0
    before, middle, after = c[: n - 2], c[1 : n - 1], c[2:]
    for j in range(middle.size):
        count += touch(before[j], middle[j], after[j])
    count += touch(last[0], last[1], c[0])
    if n > 1:
        count += touch(last[1], c[0], c[1])
    last[0], last[1] = c[n - 2] if n > 1 else last[1], c[n - 1]
    return count


@kernel
def ends_touch(c):
    """Whether the conditioning (n,) of a group is at either end as small as steps beside it; no if there are none."""
    n = c.size
    if n < 2:
        return False
    for i, next_, third in ((0, 1, min(2, n - 1)), (n - 1, n - 2, max(0, n - 3))):
        if c[i] <= 2.0 * max(abs(c[i] - c[next_]), abs(c[next_] - c[third])):
            return True
    return False


@allocating
def touching(conditioning, groups):
    """Whether the conditioning (all, n) of some groups (g,) may touch zero between its steps or at its ends."""
    last = np.full(2, math.nan)
    for k in range(groups.size):
        c = conditioning[groups[k]]
        last[:] = math.nan
        if ends_touch(c) or touches(c, last) > 0:
            return True
    return False


@allocating
def touching_between(conditioning, groups, width):
    """Whether the conditioning of some groups may touch zero at its ends, or where spans of so many steps meet."""
    last = np.full(2, math.nan)
    for k in range(groups.size):
        c = conditioning[groups[k]]
        if ends_touch(c):
            return True
        for start in range(width, c.size, width):
            last[:] = math.nan
            if touches(c[start - 2 : start + 2], last) > 0:
                return True
    return False
