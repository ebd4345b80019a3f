"""Equations around a hub written as texts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from sglibrary.code.instructions import compute
from sglibrary.hubs.scheme import NUMBERS, Equation, Scheme
from sglibrary.hubs.texts import step
from sglibrary.iterative.kinds import AT_DISTANCE
from sglibrary.iterative.tables import HEADER
from sglibrary.straight.places import first_rows

Array = NDArray[np.float64]


def after_one_step(solved: Array, points: Array, lengths: Array, start: Array) -> Array:
    """A pose, point and quaternion (7,), after Newton's step from a start; lengths from solved points (6, 3)."""
    scheme = Scheme(3, (6, 7, 6, 0, 0), (False,) * 6, (Equation(AT_DISTANCE, -1, -1),) * 6, (), ())
    constants = np.zeros(1 + 6 * NUMBERS)
    constants[0] = 1.0
    for k in range(6):
        constants[1 + NUMBERS * k :][:4] = *points[k], lengths[k]
    places, state = first_rows(6, 7, 6, 0, 0), solved.ravel()
    work = np.zeros(places.rows)
    work[places.x : places.x + 7] = start

    def other(kind: str, numbers: list[str], values: list[Any]) -> Any:
        k = [int(number) for number in numbers[kind == "=" and 2 :]]
        if kind == "c":
            return constants[k[0]]
        if kind == "w":
            return work[k[0]]
        if kind == "q":
            return state[3 * (k[0] - HEADER) + k[1]]
        work[k[0]] = values[int(numbers[0])]
        return None

    compute(step(scheme), other)
    return work[places.after : places.after + 7]


@pytest.mark.parametrize("seed", range(5))
def test_a_start_whose_quaternion_is_not_of_length_1_is_as_good(seed: int) -> None:
    """What Newton's step leaves is the square of what was missed, or it would have to be made twice."""
    rng = np.random.default_rng(seed)
    solved, points = rng.normal(size=(6, 3)), 0.5 * rng.normal(size=(6, 3))
    quaternion = rng.normal(size=4)
    pose = np.concatenate([[0.1, 0.2, 1.5], quaternion / np.linalg.norm(quaternion)])
    ends = pose[:3] + Rotation.from_quat(np.roll(pose[3:], -1)).apply(points)
    lengths = np.linalg.norm(ends + solved[0] - solved, axis=1)
    start = pose + 1e-7 * rng.normal(size=7)
    found = after_one_step(solved, points, lengths, start)
    assert np.abs(start - pose).max() > 1e-8
    # of lengths of 1 to 3 and systems of a condition below 100
    np.testing.assert_allclose(found, pose, rtol=0.0, atol=1e-11)
