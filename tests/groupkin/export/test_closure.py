"""Loop closure in Python: the joints of motions, one position at a time."""

from __future__ import annotations

import copy
import timeit

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import ArgumentError
from tests.support.examples import SOLVABLE, described

SOME = ("four_bar", "stephenson_six_bar", "stewart_forward")


def require_joints(name: str, n: int) -> None:
    file = described(name)
    close = gk.closure(file.mechanism)
    motion = gk.solve(close.program, np.linspace(0.0, file.motion.duration if file.motion else 1.0, n))
    found = np.array([close(motion.driven[:, 0, j]) for j in range(n)]).T
    joints = list(dict.fromkeys(x.partition(".")[0] for x in close.joints))
    expected = np.concatenate([motion.joint(joint) for joint in joints])
    # Newton's method ends within 1e-12 of a position, wherever it starts from
    np.testing.assert_allclose(found, expected, atol=1e-11)


@pytest.mark.parametrize("name", SOME)
def test_joints_are_those_of_the_motion(name: str) -> None:
    require_joints(name, 101)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", sorted({*SOLVABLE} - {*SOME, "cam_roller"}))
def test_joints_are_those_of_the_motion_in_all_examples(name: str) -> None:
    require_joints(name, 401)


def test_names_tell_what_is_given_and_returned() -> None:
    close = gk.closure(described("stewart_inverse").mechanism)
    assert close.drivers[:2] == ("pose.x", "pose.y")
    assert "leg_1" in close.joints
    assert len(close.joints) == 42


def test_cams_are_left_out() -> None:
    assert len(gk.closure(described("cam_roller").mechanism).joints) == 2


def test_positions_that_are_none_are_nan_and_the_next_is_solved() -> None:
    close = gk.closure(described("stephenson_six_bar").mechanism)
    start = close([driven.reference for driven in close.program.drivers])
    assert np.isnan(close([np.nan])).any()
    np.testing.assert_allclose(close([driven.reference for driven in close.program.drivers]), start, atol=1e-12)


def test_a_copy_goes_on_by_itself() -> None:
    close = gk.closure(described("four_bar").mechanism)
    before = close([0.3])
    again = copy.deepcopy(close)
    close([0.9])
    np.testing.assert_array_equal(again([0.3]), before)


def test_whatever_lies_in_memory_in_other_ways_is_read() -> None:
    close = gk.closure(described("stewart_inverse").mechanism)
    driven = np.array([driven.reference for driven in close.program.drivers])
    expected = close(driven)
    apart = np.zeros((6, 3))
    apart[:, 1] = driven
    for given in (apart[:, 1], driven.tolist(), driven.astype(">f8")):
        np.testing.assert_array_equal(close(given), expected)
    out = np.zeros(42)
    assert close(driven, out) is out
    np.testing.assert_array_equal(out, expected)


def test_messages() -> None:
    close = gk.closure(described("four_bar").mechanism)
    with pytest.raises(ArgumentError, match="driven must be 1 numbers, of A, not"):
        close([0.0, 1.0])
    for out in (np.zeros(3), np.zeros(4, int), [0.0] * 4):
        with pytest.raises(ArgumentError, match="out must be an array of 4 floats"):
            close([0.0], out)  # type: ignore[arg-type]


def test_a_position_takes_about_a_microsecond() -> None:
    close, driven = gk.closure(described("four_bar").mechanism), np.array([0.3])
    close(driven)
    least = min(timeit.repeat(lambda: close(driven), number=2000, repeat=7)) / 2000
    assert least < 5e-6  # 1.0 µs on a quiet machine
