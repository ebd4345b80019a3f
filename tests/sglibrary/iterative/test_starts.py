"""Starts between knots: polynomials through the knots around a step, as long as these belong to one motion."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from numpy.typing import NDArray

from sglibrary.iterative import knots, starts
from sglibrary.status import SINGULAR

Array = NDArray[np.float64]

TIMES = np.array([0.0, 0.2, 0.5, 0.9, 1.2, 1.4])
"""Of knots, s."""

UNKNOWNS, VARIABLES = 3, 2


def followed(functions: list[Polynomial], times: Array = TIMES) -> Array:
    """Knots of a group whose variables are these functions of time."""
    rows = np.zeros((times.size, knots.knot_numbers_of(UNKNOWNS, VARIABLES, UNKNOWNS)))
    rows[:, knots.TIME], rows[:, knots.SIGN] = times, 1.0
    for order in range(3):
        for k, function in enumerate(functions):
            rows[:, knots.LEADING + order * VARIABLES + k] = function.deriv(order)(times)
    return rows


def started(rows: Array, times: Array) -> Array:
    """Start values (2, n) at some times, the first of which is not before the first knot."""
    x, room = np.empty((VARIABLES, times.size)), np.empty((starts.COEFFICIENTS, VARIABLES))
    for j, time in enumerate(times):
        k = starts.interval(rows, time, 0)
        if k + 1 < len(rows) and rows[k, knots.GAP] == 0.0:
            span = starts.fit(rows, k, VARIABLES, VARIABLES, room)
            starts.evaluate(room, span, times, j, j + 1, VARIABLES, x)
        else:
            knots.extrapolate(rows[k], time - rows[k, knots.TIME], UNKNOWNS, VARIABLES, UNKNOWNS, x[:, j:])
    return x


def of_degree(degree: int) -> list[Polynomial]:
    """Smooth functions of this degree."""
    shape = Polynomial.fromroots(np.linspace(-0.3, 1.7, degree))
    return [Polynomial([0.3, 1.0, -0.7, 0.2]) + 1e-3 * shape, Polynomial([1.0, 0.0, 0.5]) - 2e-3 * shape]


fine = np.linspace(TIMES[0], TIMES[-1], 101)


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_polynomials_of_degree_eleven_are_met_everywhere(way: float) -> None:
    functions = of_degree(11)
    rows = followed([f(Polynomial([0.0, way])) for f in functions], way * TIMES)
    found = started(rows, way * fine)
    # roundings of coefficients that are divided by the cubes of small distances: some hundred times those of numbers
    np.testing.assert_allclose(found, [f(fine) for f in functions], rtol=0.0, atol=1e-12)


def test_where_a_group_was_lost_two_knots_on_the_other_side_are_taken_or_none() -> None:
    functions = of_degree(11)
    rows = followed(functions)
    rows[2, knots.GAP] = SINGULAR  # lost between the third and the fourth
    found = started(rows, fine[fine < TIMES[2]])
    truth = np.array([f(fine[fine < TIMES[2]]) for f in functions])
    assert np.abs(found - truth).max() > 1e-9  # three knots that are joined have no second on one side
    quintics = of_degree(5)
    rows = followed(quintics)
    rows[2, knots.GAP] = SINGULAR
    for span in ((fine < TIMES[2]), (fine > TIMES[3])):
        np.testing.assert_allclose(started(rows, fine[span]), [f(fine[span]) for f in quintics], rtol=0.0, atol=1e-13)


def test_what_contradicts_the_two_knots_around_a_step_is_left_out() -> None:
    """A corner at the fourth knot: before it the motion is a quintic, whatever comes behind."""
    before, behind = of_degree(5), [Polynomial([3.0, -2.0]), Polynomial([-1.0, 4.0])]
    rows = followed(before)
    rows[4:] = followed(behind)[4:]
    span = (fine >= TIMES[2]) & (fine < TIMES[3])
    np.testing.assert_allclose(started(rows, fine[span]), [f(fine[span]) for f in before], rtol=0.0, atol=1e-13)


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_the_last_knot_before_a_time_is_found_wherever_the_search_begins(way: float) -> None:
    rng = np.random.default_rng(1)
    for count in (2, 3, 50):
        # some dense, some far apart, some at the same time
        there = way * np.append(np.cumsum(rng.choice([0.0, 1e-3, 0.1, 5.0], count - 1)), 1000.0)
        rows = np.zeros((count, knots.knot_numbers_of(UNKNOWNS, VARIABLES, UNKNOWNS)))
        rows[:, knots.TIME] = there
        for time in (*rng.uniform(there.min() - 0.1, there.max() + 0.1, 40), *there):
            last = int(np.count_nonzero(way * there <= way * time)) - 1
            found = {int(starts.interval(rows, time, k)) for k in range(-1, max(last, 0) + 1)}
            assert found == {last}


def test_times_that_are_no_numbers_follow_the_first_knot() -> None:
    rows = np.zeros((4, knots.knot_numbers_of(UNKNOWNS, VARIABLES, UNKNOWNS)))
    rows[:, knots.TIME] = np.arange(4.0)
    assert starts.interval(rows, np.nan, 0) == 0
    rows[0, knots.TIME] = np.nan  # a knot that nothing is extrapolated from
    assert 0 <= starts.interval(rows, 2.5, 0) <= 3
