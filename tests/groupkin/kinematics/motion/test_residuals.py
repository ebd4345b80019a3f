"""The residual of right motions is rounding, and each kind of wrong one is detected."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from groupkin.kinematics.motion import residuals
from groupkin.kinematics.motion.residuals import max_residual
from tests.support.motions import TIMES, disturbed, four_bar, out_of_reach, spatial

ROUNDING = 1e-13
"""Of closed forms and of one Newton group of four bars, all of some 0.1 to 1 m: hundreds of rounding errors."""


@pytest.mark.parametrize("motion", [four_bar, spatial])
def test_a_right_motion_closes_its_joints(motion: Any) -> None:
    assert max_residual(motion()) < ROUNDING


@pytest.mark.parametrize("motion", [four_bar, spatial])
@pytest.mark.parametrize("amount", [1e-3, 1e-8])
def test_an_open_joint_is_found(motion: Any, amount: float) -> None:
    program = motion().program
    point = np.searchsorted(program.kept, program.poses[program.mechanism.movable[1]].point)
    # directions count as they are, lengths relative to the mechanism's size
    for row, scale in ((-1, 1.0), (point, program.geometry.size)):
        wrong = disturbed(motion(), "q", amount * scale, step=17, row=row)
        assert 0.01 * amount < max_residual(wrong) < 10 * amount


def test_a_driver_that_is_not_followed_is_found() -> None:
    late = replace(four_bar(), times=TIMES + 1e-6)  # at 2 pi rad/s
    assert max_residual(late) == pytest.approx(2e-6 * np.pi, rel=0.01)


def test_only_solved_steps_count() -> None:
    motion = out_of_reach()
    assert not motion.solved.all()
    assert max_residual(motion) < ROUNDING


def test_without_solved_steps_there_is_no_residual() -> None:
    motion = out_of_reach()
    assert np.isnan(max_residual(motion.at(np.flatnonzero(~motion.solved))))


def test_of_long_motions_evenly_spread_steps_are_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(residuals, "SAMPLES", 14)
    every_third = [max_residual(disturbed(four_bar(), "q", 1e-3, step=k)) > ROUNDING for k in range(TIMES.size)]
    assert np.flatnonzero(every_third).tolist() == list(range(0, TIMES.size, 3))
