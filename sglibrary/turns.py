"""Whole turns of angles that are known up to these only."""

import math

import numpy as np

from sglibrary.convention import kernel


@kernel
def unwrap(angles):
    """Add whole turns to angles (n, t) in rad so that none differs from the one before in its row by more than π."""
    for s in range(angles.shape[0]):
        own = angles[s]
        before, turns = own[0], 0.0
        for j in range(1, own.size):
            here = own[j]
            turns += np.floor((before - here) / (2.0 * math.pi) + 0.5)
            before = here
            own[j] = here + 2.0 * math.pi * turns
