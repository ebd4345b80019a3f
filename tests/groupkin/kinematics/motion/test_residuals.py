"""The checks of a motion, checked: right ones pass, and each kind of wrong one is detected."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from groupkin.kinematics.global_formulation import comparison, global_motion
from groupkin.kinematics.global_formulation.comparison import Differences, compare
from groupkin.kinematics.motion import residuals
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.residuals import max_residual
from groupkin.kinematics.program import closed_forms
from groupkin.kinematics.solver import solve
from groupkin.mechanism.files import load
from groupkin.mechanism.laws import Ramp
from groupkin.mechanism.mechanism import Driver
from tests.support import mechanisms
from tests.support.paths import EXAMPLES

TIMES = np.linspace(0.0, 1.0, 41)

ROUNDING = 1e-13
"""Of closed forms and of one Newton group of four bars, all of some 0.1 to 1 m: hundreds of rounding errors."""


@cache
def four_bar() -> Motion:
    return solve(load(EXAMPLES / "four_bar.toml"), TIMES)


@cache
def spatial() -> Motion:
    return solve(load(EXAMPLES / "spatial_four_bar.toml"), TIMES)


def out_of_reach() -> Motion:
    """A crank too long for its rocker, which stops following after some steps."""
    points = {"A": (0.0, 0.0), "B": (1.0, 0.0), "C": (2.0, 1.0), "D": (3.0, 0.0)}
    mechanism = mechanisms.four_bar(points, [Driver("A", Ramp(3.0))])
    return solve(mechanism, TIMES, on_failure="nan")


def disturbed(
    motion: Motion, name: str, amount: float, step: int | slice = slice(None), row: int | np.integer[Any] = -1
) -> Motion:
    """The motion with a wrong row in q, v or a; the last one is part of a direction."""
    values = getattr(motion, name).copy()
    values[row, step] += amount
    return replace(motion, **{name: values})


# --- the residual ----------------------------------------------------------------------------


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


# --- the comparison --------------------------------------------------------------------------


def test_a_right_motion_agrees() -> None:
    found = compare(four_bar())
    assert found.agree
    assert found.steps == TIMES.size
    # two ways to the same numbers differ by their rounding, never by nothing at all
    assert 0 < max(found.position, found.velocity, found.acceleration) < 1e-10


@pytest.mark.parametrize("motion", [four_bar, spatial])
@pytest.mark.parametrize(("name", "key"), [("q", "position"), ("v", "velocity"), ("a", "acceleration")])
def test_a_wrong_motion_does_not(motion: Any, name: str, key: str) -> None:
    right = compare(motion())
    largest = max(1.0, float(np.abs(getattr(motion(), name)).max()))
    wrong = compare(disturbed(motion(), name, 1e-5 * largest, step=5))
    assert not wrong.agree
    for other in ("position", "velocity", "acceleration"):
        if other != key:
            assert getattr(wrong, other) == getattr(right, other)
    assert getattr(wrong, key) > 1e-6


def test_the_mirrored_assembly_does_not_agree() -> None:
    motion = four_bar()
    program = motion.program
    dyad = program.calls[-1]
    flipped = replace(dyad, constants=dyad.constants * [1.0, 1.0, -1.0])  # its mode is the last constant
    other = solve(replace(program, calls=(*program.calls[:-1], flipped)), TIMES)
    assert max_residual(other) < ROUNDING  # it closes as well
    assert compare(other).position > 0.1


def test_undetermined_orientations_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rod that spins as it likes: only its origin is compared, which is here the point of its pose."""
    # closed forms share directions between bodies
    monkeypatch.setattr(closed_forms, "roles", lambda group: None)
    motion, solve_globally = spatial.__wrapped__(), global_motion.solve_globally
    program = motion.program
    pose, number = program.poses["rod"], program.mechanism.movable.index("rod")
    np.testing.assert_array_equal(pose.origin, program.geometry.origins["rod"])
    point, vectors = np.searchsorted(program.kept, [pose.point, pose.vectors[0]])
    turned, moved = motion.q.copy(), motion.q.copy()
    turned[vectors : vectors + 9] *= -1.0
    moved[point] += 1e-3
    assert compare(replace(motion, q=turned)).position > 1.0

    def undetermined(*args: Any) -> global_motion.GlobalMotion:
        found = solve_globally(*args)
        found.rotation[:, number] = np.nan
        return found

    monkeypatch.setattr(comparison, "solve_globally", undetermined)
    assert compare(replace(motion, q=turned)).agree
    assert compare(replace(motion, q=moved)).position > 1e-4


def test_steps_that_were_not_solved_are_left_out() -> None:
    motion = out_of_reach()
    found = compare(motion)
    assert found.agree
    assert found.steps == motion.solved.sum() < TIMES.size


def test_a_motion_without_numbers_does_not_agree() -> None:
    wrong = disturbed(four_bar(), "q", np.nan)
    assert wrong.solved.all()
    assert not compare(wrong).agree
    unsolved = out_of_reach()
    none = compare(unsolved.at(np.flatnonzero(~unsolved.solved)))
    assert (none.steps, none.agree) == (0, False)


@pytest.mark.parametrize(
    ("differences", "agree"),
    [
        ((1e-9, 1e-7, 1e-7), True),
        ((1.1e-9, 0.0, 0.0), False),
        ((0.0, 1.1e-7, 0.0), False),
        ((0.0, 0.0, 1.1e-7), False),
        ((np.nan, 0.0, 0.0), False),
        ((0.0, 0.0, np.nan), False),
    ],
)
def test_what_counts_as_agreement(differences: tuple[float, float, float], agree: bool) -> None:
    assert Differences(*differences, steps=1).agree is agree
