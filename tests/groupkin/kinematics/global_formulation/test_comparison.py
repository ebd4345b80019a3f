"""The comparison of two solutions: right motions agree, and each kind of wrong one does not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from groupkin.kinematics.global_formulation import comparison, global_motion
from groupkin.kinematics.global_formulation.comparison import Differences, compare
from groupkin.kinematics.motion.residuals import max_residual
from groupkin.kinematics.program import closed_forms
from groupkin.kinematics.solver import solve
from tests.support.motions import TIMES, disturbed, four_bar, out_of_reach, spatial


@pytest.mark.smoke
def test_a_right_motion_agrees() -> None:
    found = compare(four_bar())
    assert found.agree
    assert found.steps == TIMES.size
    # two ways to the same numbers differ by their rounding, never by nothing at all
    assert 0 < max(found.position, found.velocity, found.acceleration) < 1e-10


@pytest.mark.smoke
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
    assert max_residual(other) < 1e-13  # it closes as well
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
