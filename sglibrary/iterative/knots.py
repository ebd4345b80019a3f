"""Knots: steps at which a group has been followed, and what the steps between them start from.

A knot is a row of numbers: where in time, whether and how the group was followed from there on, the joint variables
with two derivatives, the order of elimination, and singular vectors (`Parts`).
Where a group is lost, a knot without sign says since when and why.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sglibrary.convention import inlined, kernel
from sglibrary.iterative.kinds import BALL
from sglibrary.iterative.moves import normalize

TIME, GAP, SIGN, LARGEST, ERROR, LEADING = 0, 1, 2, 3, 4, 5
"""Time (s; NaN: nothing is extrapolated from here); status of what follows, 0 while the group is followed; sign of the
determinant; largest singular value; error of the extrapolation that led here; number of these."""


class Parts(NamedTuple):
    """Views of a knot: the variables with their derivatives (variables,), the others (unknowns,).

    `rows` and `columns` are the places of rows and columns in the order of elimination, `left` and `right` the singular
    vectors, of the smallest and of the largest singular value.
    """

    values: NDArray[np.float64]
    rates: NDArray[np.float64]
    gains: NDArray[np.float64]
    rows: NDArray[np.float64]
    columns: NDArray[np.float64]
    left: NDArray[np.float64]
    right: NDArray[np.float64]


def size(unknowns, variables):
    """Numbers per knot."""
    return LEADING + 3 * variables + 4 * unknowns


def first(start, unknowns):
    """The knot to start from: the variables of the reference configuration, no order of elimination yet."""
    knot = np.zeros(size(unknowns, len(start)))
    knot[TIME] = math.nan
    knot[LEADING : LEADING + len(start)] = start
    order, vectors = LEADING + 3 * len(start), LEADING + 3 * len(start) + 2 * unknowns
    knot[order:vectors] = -1.0
    knot[vectors:] = 1.0 + 0.1 * (np.arange(2 * unknowns) % 3)
    return knot


@inlined
def parts(knot, unknowns, variables):
    """The parts of a knot."""
    at = LEADING + 3 * variables
    return Parts(
        knot[LEADING : LEADING + variables],
        knot[LEADING + variables : LEADING + 2 * variables],
        knot[LEADING + 2 * variables : at],
        knot[at : at + unknowns],
        knot[at + unknowns : at + 2 * unknowns],
        knot[at + 2 * unknowns : at + 3 * unknowns],
        knot[at + 3 * unknowns : at + 4 * unknowns],
    )


@kernel
def extrapolate(knot, width, unknowns, variables, x):
    """Variables x (variables, 1) a time `width` after a knot, by its Taylor series."""
    views = parts(knot, unknowns, variables)
    value, rate, gain = views.values, views.rates, views.gains
    for k in range(variables):
        x[k, 0] = value[k] + width * (rate[k] + 0.5 * width * gain[k])


@kernel
def make_unit(x, move_rows):
    """Normalize the quaternions among variables (variables, width)."""
    for m in range(move_rows.shape[0]):
        if move_rows[m, 1] == BALL and move_rows[m, 3] >= 0:
            normalize(x[move_rows[m, 5] : move_rows[m, 5] + 4])
