"""Angles without jumps."""

from __future__ import annotations

import numpy as np

from sglibrary.unwrap import unwrap

TIMES = np.linspace(0.0, 3.0, 300)
NONE = np.zeros((5, 0))


def wrapped(angles: np.ndarray) -> np.ndarray:
    return np.arctan2(np.sin(angles), np.cos(angles))


def same(found: np.ndarray, angles: np.ndarray) -> None:
    """The first of each row keeps its turn; the others are exact but for the rounding of whole turns."""
    np.testing.assert_allclose(found - found[:, :1], angles - angles[:, :1], atol=1e-11)
    np.testing.assert_array_equal(found[:, 0], wrapped(angles)[:, 0])


def test_turns_are_added_row_by_row() -> None:
    rng = np.random.default_rng(0)
    angles = rng.uniform(-3.0, 3.0, (5, 1)) + np.cumsum(rng.uniform(-2.4, 2.4, (5, 300)), axis=1)
    found = wrapped(angles)
    assert unwrap(found, NONE, TIMES[None]) == 0
    same(found, angles)
    angles[1:3, 150:] += 3.0 - np.diff(angles[1:3, 149:151])  # nearly half a turn
    found = wrapped(angles)
    assert unwrap(found, NONE, TIMES[None]) == 2


def test_rates_tell_more_than_half_a_turn() -> None:
    speeds = np.array([[300.0], [-2000.0], [0.0], [1.0], [50.0]])
    times = np.linspace(1.0, 0.0, 300)
    angles, rates = speeds * times + 5.0 * times**2, speeds + 10.0 * times
    found = wrapped(angles)
    assert unwrap(found, rates, times[None]) == 0
    same(found, angles)
    found = wrapped(angles)
    rates[2, 100:102] += 800.0  # a turn of about 2.7 rad that is not there
    assert unwrap(found, rates, times[None]) == 1


def test_what_is_not_known_ends_a_row() -> None:
    angles = np.array([[3.0, -3.0, np.nan, 1.0], [0.0, 1.0, 2.0, 3.0]])
    unwrap(angles, NONE[:2], TIMES[None, :4])
    np.testing.assert_allclose(angles[0, :2], [3.0, 2.0 * np.pi - 3.0])
    assert np.isnan(angles[0, 2:]).all()
    np.testing.assert_array_equal(angles[1], [0.0, 1.0, 2.0, 3.0])
