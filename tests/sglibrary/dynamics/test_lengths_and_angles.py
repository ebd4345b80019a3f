"""Coordinates and laws of forces: compiled for one column, by NumPy for all, and rates against differences."""

from __future__ import annotations

import numpy as np
import pytest

from sglibrary.convention import of_arrays
from sglibrary.dynamics.lengths_and_angles import (
    DISTANCE,
    MIDDLE,
    SINE,
    SLIDE,
    TURN,
    coordinate,
    coordinate_acceleration,
    coordinate_rate,
)
from sglibrary.dynamics.pulls import pull

COLUMNS = 7
ROWS = {
    DISTANCE: [DISTANCE, 0, 3, -1, -1, -1, -1, -1],
    SLIDE: [SLIDE, 0, 3, 6, -1, -1, -1, -1],
    TURN: [TURN, 0, 3, 6, 9, 12, 15, 18],
    MIDDLE: [MIDDLE, 0, 3, 6, 9, -1, -1, -1],
    SINE: [SINE, 0, 3, 6, 9, -1, -1, -1],
}
"""Rows of each kind in a state of seven points and directions; the angle is that of a screw."""
NUMBERS = np.array([2.0, 0.3, 1.5, 0.2, -1.0, 1.0, 0.4, 0.7, 0.8, 0.05, 0.0, 2.0, 11.0, 1.0, 30.0, 0.7, -0.3, 0.4])
CURVES = np.array([-1.0, 0.0, 2.0, *np.arange(8) / 3.0, -1.0, 1.0, 0.1, 0.2, 0.3, 0.4])
"""A curve of two pieces, and one of a single piece."""


@pytest.mark.complete
@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("kind", ROWS)
def test_coordinates_are_the_same_compiled_and_by_numpy(kind: int, dimension: int) -> None:
    rng = np.random.default_rng(kind)
    q, v = rng.normal(size=(2, 21, COLUMNS))
    rows = np.array(ROWS[kind])
    values = of_arrays(coordinate)(q, rows, NUMBERS, dimension, slice(None))
    rates = of_arrays(coordinate_rate)(q, v, rows, NUMBERS, dimension, slice(None))
    one = [coordinate(q, rows, NUMBERS, dimension, c) for c in range(COLUMNS)]
    assert np.allclose(values, one, rtol=1e-14, atol=1e-14)
    one = [coordinate_rate(q, v, rows, NUMBERS, dimension, c) for c in range(COLUMNS)]
    assert np.allclose(rates, one, rtol=1e-13, atol=1e-13)
    step = 1e-6
    ahead, behind = (of_arrays(coordinate)(q + h * v, rows, NUMBERS, dimension, slice(None)) for h in (step, -step))
    change = ahead - behind  # whole turns of a screw, which its displacement tells, are no rate
    change -= 2.0 * np.pi * np.round(change / (2.0 * np.pi))
    assert np.allclose(rates, change / (2.0 * step), rtol=1e-6, atol=1e-6)


@pytest.mark.complete
@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("kind", [SLIDE, TURN, MIDDLE])
def test_accelerations_are_the_change_of_rates(kind: int, dimension: int) -> None:
    rng = np.random.default_rng(kind)
    q, v, a = rng.normal(size=(3, 21, COLUMNS))
    rows, step = np.array(ROWS[kind]), 1e-4
    found = of_arrays(coordinate_acceleration)(q, v, a, rows, NUMBERS, dimension, slice(None))
    one = [coordinate_acceleration(q, v, a, rows, NUMBERS, dimension, c) for c in range(COLUMNS)]
    assert np.allclose(found, one, rtol=1e-12, atol=1e-12)
    ahead, behind = (
        of_arrays(coordinate_rate)(q + h * v + 0.5 * h * h * a, v + h * a, rows, NUMBERS, dimension, slice(None))
        for h in (step, -step)
    )
    assert np.allclose(found, (ahead - behind) / (2.0 * step), rtol=1e-4, atol=1e-4)


def test_pulls_are_the_same_compiled_and_by_numpy() -> None:
    x, rate, share = np.random.default_rng(1).normal(size=(3, COLUMNS))
    found = of_arrays(pull)(NUMBERS, CURVES, x, rate, share)
    one = [pull(NUMBERS, CURVES, *each) for each in zip(x, rate, share, strict=True)]
    assert np.allclose(found, one, rtol=1e-14, atol=1e-14)
