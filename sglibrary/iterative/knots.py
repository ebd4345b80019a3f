"""Knots: steps at which a group has been followed, and what the steps between them start from.

A knot is a row of numbers: where in time, whether and how the group was followed from there on, the joint variables
with two derivatives, singular vectors, and more of the variables' series (`Parts`).
Where a group is lost, a knot without sign says since when and why.
"""

import math
from typing import NamedTuple

import numpy as np

from sglibrary.convention import formula, kernel
from sglibrary.vectors import fma

TIME, GAP, SIGN, LARGEST, ERROR, LEADING = 0, 1, 2, 3, 4, 5
"""Time (s; NaN: nothing is extrapolated from here); status of what follows, 0 while the group is followed; sign of the
determinant; largest singular value; error of the extrapolation that led here; number of these."""

FOLLOW, FORCE = -1.0, -2.0
"""What the first number of a group's memory asks for: knots, or a verdict at the first step."""

CLOSE = 0.05
"""Error of the Taylor series (rad, or sizes of the mechanism) up to which a knot is accepted; about twenty times the
distance at which steps between knots need only two evaluations."""


class Parts(NamedTuple):
    """Where parts of a knot begin: the variables with their derivatives (variables,), the others (unknowns,).

    `left` (equations,) and `right` are the singular vectors of the smallest and of the largest singular value. `matrix`
    (equations, unknowns) is the Jacobian, where there are more equations than unknowns. `cubic`, `quartic`
    and `quintic` (variables,) go on with the series of the variables in the time since the knot: it is the quintic that
    meets the knot before with two derivatives; 0 where there is none.
    """

    values: int
    rates: int
    gains: int
    left: int
    right: int
    cubic: int
    quartic: int
    quintic: int
    matrix: int


def knot_numbers_of(unknowns, variables, equations):
    """Numbers per knot."""
    return LEADING + 6 * variables + unknowns + equations + (equations * unknowns if equations > unknowns else 0)


knot_numbers = formula(knot_numbers_of)


def first(start, unknowns, equations=0):
    """The knot to start from: the variables of the reference configuration; equations are not fewer than unknowns."""
    equations = max(unknowns, equations)
    knot = np.zeros(knot_numbers_of(unknowns, len(start), equations))
    knot[TIME] = math.nan
    knot[LEADING : LEADING + len(start)] = start
    vectors, both = LEADING + 3 * len(start), unknowns + equations
    knot[vectors : vectors + both] = 1.0 + 0.1 * (np.arange(both) % 3)
    return knot


def parts_of(unknowns, variables, equations):
    """Where the parts of a knot begin."""
    at = LEADING + 3 * variables
    more = at + unknowns + equations
    return Parts(
        LEADING,
        LEADING + variables,
        LEADING + 2 * variables,
        at,
        at + equations,
        more,
        more + variables,
        more + 2 * variables,
        more + 3 * variables,
    )


parts = formula(parts_of)


def variables_of(knot, variables):
    """The variables at a knot."""
    return knot[LEADING : LEADING + variables]


@kernel
def extrapolate(knot, width, unknowns, variables, equations, x):
    """Variables x (variables, 1) a time `width` after a knot, by its series."""
    at = parts(unknowns, variables, equations)
    for k in range(variables):
        more = fma(width, fma(width, knot[at.quintic + k], knot[at.quartic + k]), knot[at.cubic + k])
        slope = fma(width, fma(width, more, 0.5 * knot[at.gains + k]), knot[at.rates + k])
        x[k, 0] = fma(width, slope, knot[at.values + k])


@kernel
def continue_series(knot, earlier, width, unknowns, variables, equations):
    """Continue the series of a knot so that it meets an earlier one, a time `width` before it, with two derivatives."""
    at, share = parts(unknowns, variables, equations), -1.0 / width
    cube = share * share * share
    for k in range(variables):
        _, _, _, cubic, quartic, quintic = quintic_between(
            _backward(knot, width, at, k), _backward(earlier, width, at, k)
        )
        knot[at.cubic + k], knot[at.quartic + k] = cube * cubic, cube * share * quartic
        knot[at.quintic + k] = cube * share * share * quintic


@formula
def _backward(knot, width, at, k):
    """A variable at a knot with two derivatives by the share of a time before it."""
    return knot[at.values + k], -width * knot[at.rates + k], width * width * knot[at.gains + k]


@kernel
def end_series(knot, unknowns, variables, equations):
    """Let the series of a knot end with the second derivative."""
    first = parts(unknowns, variables, equations).cubic
    for k in range(first, first + 3 * variables):
        knot[k] = 0.0


@kernel
def meets(knot, earlier, width, largest, unknowns, variables, equations):
    """Whether a knot has the rates that the series of an earlier one leads to, but for `largest` over the width."""
    at = parts(unknowns, variables, equations)
    for k in range(variables):
        more = fma(5.0 * width, earlier[at.quintic + k], 4.0 * earlier[at.quartic + k])
        more = fma(width, more, 3.0 * earlier[at.cubic + k])
        rate = fma(width, fma(width, more, earlier[at.gains + k]), earlier[at.rates + k])
        if not math.fabs(width * (knot[at.rates + k] - rate)) <= largest:
            return False
    return True


@formula
def quintic_between(left, right):
    """Coefficients of the quintic with values and two derivatives at 0 and 1."""
    y, b, c = left[0], left[1], 0.5 * left[2]
    r, s, t = right[0] - (y + b + c), right[1] - (b + 2.0 * c), 0.5 * right[2] - c
    return y, b, c, 10.0 * r - 4.0 * s + t, 7.0 * s - 15.0 * r - 2.0 * t, 6.0 * r - 3.0 * s + t


@kernel
def close(knot, earlier, width, unknowns, variables, equations):
    """Whether the rates of a knot are those that are expected from an earlier one; its series then goes on."""
    if width == 0.0:
        end_series(knot, unknowns, variables, equations)
        return True
    if not meets(knot, earlier, width, 3.0 * CLOSE, unknowns, variables, equations):
        return False
    continue_series(knot, earlier, width, unknowns, variables, equations)
    return True
