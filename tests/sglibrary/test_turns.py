"""Angles without jumps."""

from __future__ import annotations

import numpy as np

from sglibrary.turns import unwrap


def test_turns_are_added_row_by_row() -> None:
    rng = np.random.default_rng(0)
    angles = rng.uniform(-3.0, 3.0, (5, 1)) + np.cumsum(rng.uniform(-3.0, 3.0, (5, 300)), axis=1)
    wrapped = np.arctan2(np.sin(angles), np.cos(angles))
    found = wrapped.copy()
    unwrap(found)
    # the first of each row keeps its turn; the others are exact but for the rounding of whole turns
    np.testing.assert_allclose(found - found[:, :1], angles - angles[:, :1], atol=1e-12)
    np.testing.assert_array_equal(found[:, 0], wrapped[:, 0])


def test_what_is_not_known_ends_a_row() -> None:
    angles = np.array([[3.0, -3.0, np.nan, 1.0], [0.0, 1.0, 2.0, 3.0]])
    unwrap(angles)
    np.testing.assert_allclose(angles[0, :2], [3.0, 2.0 * np.pi - 3.0])
    assert np.isnan(angles[0, 2:]).all()
    np.testing.assert_array_equal(angles[1], [0.0, 1.0, 2.0, 3.0])
