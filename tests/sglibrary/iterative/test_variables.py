"""Variables of moves after small changes of the unknowns, and their derivatives, against scipy's rotations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from sglibrary.iterative.kinds import BALL, ROTATION, TRANSLATION
from sglibrary.iterative.variables import advance, quaternion_rates

Array = NDArray[np.float64]

MOVES = np.array([[0, ROTATION, 2, 0, -1, 0], [1, BALL, 0, 1, -1, 1], [2, TRANSLATION, 0, 4, -1, 5]])
WIDTH = 11  # more than a vector register holds, and a remainder


def moved(x: Array, step: Array, rows: NDArray[np.int64]) -> Array:
    out = np.repeat(x[:, None], WIDTH, axis=1)
    advance(out, np.repeat(step[:, None], WIDTH, axis=1), rows)
    np.testing.assert_array_equal(out, out[:, :1] + np.zeros(WIDTH))  # no step depends on its place
    return out[:, 0]


def test_a_ball_turns_about_axes_of_the_frame_it_leads_to() -> None:
    rng = np.random.default_rng(1)
    for size in (1e-14, 0.3):
        x, step = rng.normal(size=6), size * rng.normal(size=5)
        x[1:5] /= np.linalg.norm(x[1:5])
        new = moved(x, step, MOVES)
        np.testing.assert_allclose(new[[0, 5]], x[[0, 5]] + step[[0, 4]])
        after = Rotation.from_quat(x[[2, 3, 4, 1]]) * Rotation.from_rotvec(step[1:4])
        assert (Rotation.from_quat(new[[2, 3, 4, 1]]) * after.inv()).magnitude() < 1e-14
        assert abs(np.linalg.norm(new[1:5]) - 1.0) < 1e-15


def test_rates_of_a_quaternion_are_those_of_the_ball() -> None:
    rng = np.random.default_rng(3)
    q0, spin, rise, h = rng.normal(size=4), rng.normal(size=3), rng.normal(size=3), 1e-3
    q0 /= np.linalg.norm(q0)
    first, second = np.zeros(4), np.zeros(4)
    quaternion_rates(q0, spin, rise, first, second)
    rows, around = np.array([[0, BALL, 0, 0, -1, 0]]), []
    for t in h * np.arange(-2, 3):
        # the rotation vector of ω t + ½ α t², to third order in the turned frame
        around.append(moved(q0, spin * t + 0.5 * rise * t * t + np.cross(spin, rise) * t**3 / 12, rows))
    np.testing.assert_allclose(first, np.array([1, -8, 0, 8, -1]) @ around / (12 * h), atol=1e-8)
    np.testing.assert_allclose(second, np.array([-1, 16, -30, 16, -1]) @ around / (12 * h * h), atol=1e-6)
