"""Series of knots: quintics through two of them, and what is expected from an earlier one."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from numpy.typing import NDArray

from sglibrary.iterative import knots

Array = NDArray[np.float64]

UNKNOWNS, VARIABLES = 2, 3
QUINTICS = [
    Polynomial(x) for x in ([0.3, -1.0, 0.4, 0.2, -0.5, 0.7], [1.0, 0.0, 0.0, 2.0], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
]


def knot_at(functions: list[Polynomial], time: float) -> Array:
    """A knot whose variables are these functions, from which no series is known."""
    knot = np.zeros(knots.knot_numbers_of(UNKNOWNS, len(functions), UNKNOWNS))
    knot[knots.TIME] = time
    for order in range(3):
        for k, function in enumerate(functions):
            knot[knots.LEADING + order * len(functions) + k] = function.deriv(order)(time)
    return knot


def extrapolated(knot: Array, width: float) -> Array:
    x = np.empty((VARIABLES, 1))
    knots.extrapolate(knot, width, UNKNOWNS, VARIABLES, UNKNOWNS, x)
    return x[:, 0]


@pytest.mark.parametrize("width", [0.7, -0.2])
def test_a_quintic_goes_on_beyond_two_knots(width: float) -> None:
    earlier, knot = knot_at(QUINTICS, 0.4), knot_at(QUINTICS, 0.4 + width)
    knots.continue_series(knot, earlier, width, UNKNOWNS, VARIABLES, UNKNOWNS)
    for ahead in (-width, 0.0, 0.5 * width, 2.0 * width):
        truth = [f(0.4 + width + ahead) for f in QUINTICS]
        np.testing.assert_allclose(extrapolated(knot, ahead), truth, rtol=0.0, atol=1e-12)


def test_a_series_that_has_ended_is_that_of_taylor() -> None:
    knot = knot_at(QUINTICS, 0.4)
    knots.continue_series(knot, knot_at(QUINTICS, 0.1), 0.3, UNKNOWNS, VARIABLES, UNKNOWNS)
    knots.end_series(knot, UNKNOWNS, VARIABLES, UNKNOWNS)
    truth = [f(0.4) + 0.2 * f.deriv()(0.4) + 0.02 * f.deriv(2)(0.4) for f in QUINTICS]
    np.testing.assert_allclose(extrapolated(knot, 0.2), truth, rtol=0.0, atol=1e-15)


def test_rates_are_those_that_the_series_leads_to() -> None:
    earlier, knot = knot_at(QUINTICS, 0.4), knot_at(QUINTICS, 0.9)
    knots.continue_series(earlier, knot_at(QUINTICS, 0.1), 0.3, UNKNOWNS, VARIABLES, UNKNOWNS)
    assert knots.meets(knot, earlier, 0.5, 1e-12, UNKNOWNS, VARIABLES, UNKNOWNS)
    other = knot_at([QUINTICS[0], QUINTICS[1], QUINTICS[2] + Polynomial([0.0, 0.1])], 0.9)
    assert not knots.meets(other, earlier, 0.5, 0.049, UNKNOWNS, VARIABLES, UNKNOWNS)
    assert knots.meets(other, earlier, 0.5, 0.051, UNKNOWNS, VARIABLES, UNKNOWNS)
    other[knots.LEADING + VARIABLES] = np.nan
    assert not knots.meets(other, earlier, 0.5, 1.0, UNKNOWNS, VARIABLES, UNKNOWNS)
