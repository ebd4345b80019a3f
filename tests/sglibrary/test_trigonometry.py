"""Cosine and sine of many angles against those of the standard library."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sglibrary.trigonometry import REDUCIBLE, cosine_sine

Array = NDArray[np.float64]

ULP = 2.0**-52
"""Distance of 1 to the next number: what a cosine or sine may miss, absolutely and relatively."""


@pytest.fixture
def both() -> Callable[[Any], tuple[Array, Array]]:
    """Cosines and sines of angles."""

    def computed(angles: Any) -> tuple[Array, Array]:
        given = np.asarray(angles, float)
        cosines, sines = np.full(given.shape, 7.0), np.full(given.shape, 7.0)
        cosine_sine(given, cosines, sines)
        return cosines, sines

    return computed


def exact(angles: Any) -> tuple[Array, Array]:
    """Cosines and sines to half a unit in the last place."""
    return np.array([math.cos(x) for x in angles]), np.array([math.sin(x) for x in angles])


def spread(most: float) -> Array:
    return np.random.default_rng(0).uniform(-most, most, 2000)


def magnitudes() -> Array:
    """Angles of all sizes from 1e-300 on, of both signs."""
    rng = np.random.default_rng(1)
    return rng.choice([-1.0, 1.0], 2000) * 10.0 ** rng.uniform(-300, 5, 2000)


def around_quarters() -> Array:
    """Multiples of π/2 and π/4, the numbers next to them, and some a little further away."""
    middles = np.pi / 4 * np.concatenate([np.arange(-40, 41), np.arange(-127_000, 127_000, 997)])
    near = [middles, np.nextafter(middles, np.inf), np.nextafter(middles, -np.inf)]
    return np.concatenate([*near, middles + 1e-9, middles - 1e-5])


ANGLES = {
    "one turn": spread(np.pi),
    "100 rad": spread(100.0),
    "as far as they are reduced": spread(REDUCIBLE),
    "all sizes": magnitudes(),
    "quarters": around_quarters(),
    "just reducible": np.array([REDUCIBLE, -REDUCIBLE, np.nextafter(REDUCIBLE, 0.0)]),
}


@pytest.mark.parametrize("name", ANGLES)
def test_accuracy(both: Callable[[Any], tuple[Array, Array]], name: str) -> None:
    angles = ANGLES[name]
    for found, expected in zip(both(angles), exact(angles), strict=True):
        assert np.abs(found - expected).max() <= ULP
        # near their zeros too, where the reduction must not cancel
        np.testing.assert_allclose(found, expected, rtol=2 * ULP, atol=0)


def test_small_angles_are_their_own_sines(both: Callable[[Any], tuple[Array, Array]]) -> None:
    angles = np.array([0.0, 1e-300, -1e-300, 5e-324, 1e-9, -1e-9])
    cosines, sines = both(angles)
    np.testing.assert_array_equal(sines, angles)
    np.testing.assert_array_equal(cosines, 1.0)


@pytest.mark.smoke
def test_quadrants(both: Callable[[Any], tuple[Array, Array]]) -> None:
    for turn in (0, 1, -1, 1000, -1000):
        cosines, sines = both(2 * np.pi * turn + np.deg2rad([45, 135, 225, 315]))
        assert np.sign(cosines).tolist() == [1, -1, -1, 1]
        assert np.sign(sines).tolist() == [1, 1, -1, -1]


@pytest.mark.parametrize("most", [1.01 * REDUCIBLE, 1e9, 1e18, 1e300])
def test_large_angles(both: Callable[[Any], tuple[Array, Array]], most: float) -> None:
    angles = np.append(spread(most), [most, 0.3, -2.0])  # small ones among them
    for found, expected in zip(both(angles), exact(angles), strict=True):
        np.testing.assert_allclose(found, expected, rtol=2 * ULP, atol=0)


def test_what_is_not_finite_has_neither(both: Callable[[Any], tuple[Array, Array]]) -> None:
    angles = np.array([0.5, np.nan, np.inf, -np.inf, -3.0])
    cosines, sines = both(angles)
    np.testing.assert_array_equal(np.isnan(cosines), ~np.isfinite(angles))
    np.testing.assert_array_equal(np.isnan(sines), ~np.isfinite(angles))
    for found, expected in zip((cosines, sines), exact(angles[[0, 4]]), strict=True):
        np.testing.assert_allclose(found[[0, 4]], expected, rtol=2 * ULP, atol=0)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17])
def test_any_number_of_angles(both: Callable[[Any], tuple[Array, Array]], count: int) -> None:
    """Whatever the loop takes at a time, the last ones are done like the first."""
    angles = np.linspace(-9.0, 8.0, 17)
    for some, all_of_them in zip(both(angles[:count]), both(angles), strict=True):
        np.testing.assert_allclose(some, all_of_them[:count], rtol=0, atol=ULP)


def test_angles_may_be_a_row_of_a_larger_array(both: Callable[[Any], tuple[Array, Array]]) -> None:
    table = np.arange(12.0).reshape(3, 4)
    for row, alone in zip(both(table[1]), both(table[1].copy()), strict=True):
        np.testing.assert_array_equal(row, alone)


@pytest.mark.parametrize("far", [np.nan, np.inf, -2.0 * REDUCIBLE])
def test_no_angle_depends_on_those_beside_it(both: Callable[[Any], tuple[Array, Array]], far: float) -> None:
    angles = spread(100.0)
    alone = both(angles)
    there = np.arange(0, angles.size, 17)
    mixed = angles.copy()
    mixed[there] = far
    for together, each, own in zip(both(mixed), alone, both([far]), strict=True):
        np.testing.assert_array_equal(np.delete(together, there), np.delete(each, there))
        np.testing.assert_array_equal(together[there], own[0])
