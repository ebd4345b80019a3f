"""Motions straight through singular positions, against exact ones and against dense tracking."""

from __future__ import annotations

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import ArgumentError, CannotAssembleError, SingularPositionError
from groupkin.kinematics.solving.passages import described
from tests.support.mechanisms import crank_rocker, four_bar
from tests.support.paths import EXAMPLES

TURN = 2 * np.pi
TEN = np.linspace(0.0, 10.0, 4001)
"""Times of ten turns, s."""


def parallelogram(law: gk.Ramp | gk.Harmonic | None = None, angle: float = 0.9) -> gk.Mechanism:
    """Cranks of 1 m on a frame of 3 m, in line when the driver is at π - angle and 2π - angle."""
    b = (np.cos(angle), np.sin(angle))
    points = {"A": (0.0, 0.0), "B": b, "C": (b[0] + 3.0, b[1]), "D": (3.0, 0.0)}
    return four_bar(points, [gk.Driver("A", law or gk.Ramp(TURN))])


def double_four_bar(angle: float = 1.2) -> gk.Mechanism:
    """Two parallelograms side by side, three parallel cranks of 1 m."""
    feet = (0.0, 2.0, 4.0)
    points = {f"A{k}": (x, 0.0) for k, x in enumerate(feet)}
    points |= {f"B{k}": (x + np.cos(angle), np.sin(angle)) for k, x in enumerate(feet)}
    joints = [gk.Joint(f"A{k}", "R", ("ground", f"crank {k}"), point=f"A{k}") for k in range(3)]
    joints += [
        gk.Joint("B0", "R", ("crank 0", "coupler 1"), point="B0"),
        gk.Joint("B1", "R", ("coupler 1", "crank 1"), point="B1"),
        gk.Joint("C1", "R", ("crank 1", "coupler 2"), point="B1"),
        gk.Joint("B2", "R", ("coupler 2", "crank 2"), point="B2"),
    ]
    bodies = ["ground", "crank 0", "coupler 1", "crank 1", "coupler 2", "crank 2"]
    return gk.Mechanism(2, bodies, joints, [gk.Driver("A0", gk.Ramp(TURN))], points=points)


AT_STEPS = np.arange(2001) / 200 + (np.pi - 0.9) / TURN - 0.4
"""Times of ten turns among which the parallelogram is in line at steps."""


@pytest.mark.parametrize("times", [TEN, np.linspace(0.0, 10.0, 301), AT_STEPS, TEN[::-1].copy()])
def test_a_parallelogram_over_ten_turns(times):
    motion = gk.solve(parallelogram(), times, on_singular="continue")
    follower = motion.angle("rocker") - motion.angle("rocker")[0]
    np.testing.assert_allclose(follower, TURN * (times - times[0]), rtol=0, atol=1e-12)
    np.testing.assert_allclose(motion.angle("coupler"), 0.0, atol=1e-12)
    np.testing.assert_allclose(motion.angular_velocity("rocker"), TURN, rtol=1e-9)
    np.testing.assert_allclose(motion.angular_acceleration("rocker"), 0.0, atol=1e-6 * TURN**2)
    assert motion.solved.all()
    ends = np.sort(times[[0, -1]])
    flat = np.sort([(k * np.pi - 0.9) / TURN for k in range(-5, 30)])
    expected = flat[(flat > ends[0]) & (flat < ends[1])]
    found = sorted(passage.time for passage in motion.passages)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10)
    assert all(passage.groups == (2,) for passage in motion.passages)


def test_an_antiparallelogram_over_ten_turns():
    motion = gk.solve(parallelogram(), TEN, modes={"rocker": 2}, on_singular="continue")
    assert motion.solved.all()
    assert gk.max_residual(motion) < 1e-12
    # its angles follow from tan(ψ/2) = k tan(φ/2), with lengths 1 and 3, where it is crossed
    phi = TURN * TEN + 0.9
    psi = motion.angle("rocker") + 0.9
    half = (3.0 + 1.0) / (3.0 - 1.0)
    ratio = np.tan(phi / 2) * np.tan(psi / 2)
    quotient = np.tan(psi / 2) / np.tan(phi / 2)
    regular = np.abs(np.sin(phi)) > 1e-3
    constant = min((np.abs(x[regular] / np.median(x[regular]) - 1.0).max(), x) for x in (ratio, quotient))[0]
    assert constant < 1e-8
    assert min(abs(abs(np.median(x)) - y) for x in (ratio, quotient) for y in (half, 1 / half)) < 1e-9


@pytest.mark.parametrize("modes", [{}, {"crank 1": 2}, {"crank 2": 2}, {"crank 1": 2, "crank 2": 2}])
def test_a_double_four_bar_over_ten_turns(modes):
    motion = gk.solve(double_four_bar(), TEN, modes=modes, on_singular="continue")
    assert motion.solved.all()
    assert gk.max_residual(motion) < 1e-12
    assert [passage.groups for passage in motion.passages] == [(2, 3)] * 20
    if not modes:
        for body in ("crank 1", "crank 2"):
            np.testing.assert_allclose(motion.angle(body), TURN * TEN, rtol=0, atol=1e-12)
    # velocities are those of the positions, without a jump at the passages
    middle = (TEN[1:] + TEN[:-1]) / 2
    between = gk.solve(double_four_bar(), middle, modes=modes, on_singular="continue")
    for body in ("coupler 1", "crank 1", "coupler 2", "crank 2"):
        way = np.diff(motion.angle(body))
        speed = between.angular_velocity(body) + np.diff(motion.angular_acceleration(body)) * np.diff(TEN) / 24
        np.testing.assert_allclose(way, speed * np.diff(TEN), rtol=0, atol=1e-6)  # the error of the rule


def test_without_the_option_change_points_are_refused():
    for times in (TEN, AT_STEPS):
        with pytest.raises((SingularPositionError, CannotAssembleError), match="group 2"):
            gk.solve(parallelogram(), times)


def test_motions_without_passages_have_the_same_bits():
    mechanism = crank_rocker()
    ours, theirs = (gk.solve(mechanism, TEN, on_singular=option) for option in ("continue", "fail"))
    for name in ("q", "v", "a", "conditioning", "status"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))
    assert ours.passages == theirs.passages == ()


def test_what_cannot_be_assembled_still_fails():
    mechanism = crank_rocker(rocker=1.0)
    with pytest.raises(CannotAssembleError):
        gk.solve(mechanism, TEN, on_singular="continue")
    motion = gk.solve(mechanism, TEN, on_singular="continue", on_failure="nan")
    assert motion.passages == ()
    assert not motion.solved.all()


def test_a_driver_that_turns_back_at_a_change_point():
    """Velocities are zero there in both modes; accelerations go on smoothly in the one that it came in."""
    law, times = gk.Harmonic(amplitude=np.pi - 0.9, frequency=1.0), np.linspace(0.0, 0.5, 501)
    motion = gk.solve(parallelogram(law), times, on_singular="continue")
    np.testing.assert_allclose(motion.angle("rocker"), law.at(times)[0], rtol=0, atol=1e-9)
    assert [passage.groups for passage in motion.passages] == [(2,)]
    assert abs(motion.passages[0].time - 0.25) < 1e-6


def test_passages_in_words():
    motion = gk.solve(parallelogram(), TEN, on_singular="continue")
    lines = described(motion, most=2)
    assert lines[0].startswith("a singular position of group 2 (coupler, rocker) at t = 0.356761 s")
    assert lines[-1] == "18 more; --json lists all"
    assert motion.at(np.arange(3)).passages == motion.passages


def test_what_is_refused():
    with pytest.raises(ArgumentError, match="on_singular must be"):
        gk.solve(parallelogram(), TEN, on_singular="go on")
    with pytest.raises(ArgumentError, match="Newton's method solves group 4"):
        gk.solve(gk.load(EXAMPLES / "planar_3rrr.toml"), [0.0], on_singular="continue")
