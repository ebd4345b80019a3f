"""Motions that repeat themselves, and the growth of deviations, against Hill's equation and long simulations."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import groupkin as gk
from groupkin.errors import ArgumentError, SimulationError
from tests.groupkin.dynamics.simulation.test_simulation import GRAVITY, pendulum

Array = NDArray[np.float64]

LENGTH, HERTZ, STROKE = 0.8, 25.0, 0.08


def shaken(up: float) -> gk.Mechanism:
    """A point mass, 0.8 m above or below a pin that is shaken up and down by 0.08 m."""
    slider, arm = gk.Body("slider", mass=1.0, center=(0.0, 0.0)), gk.Body("arm", mass=2.0, center=(0.0, up * LENGTH))
    joints = [
        gk.Joint("guide", "P", ("frame", "slider"), point=(0.0, 0.0), axis=(0.0, 1.0)),
        gk.Joint("pin", "R", ("slider", "arm"), point=(0.0, 0.0)),
    ]
    drivers = [gk.Driver("guide", gk.Harmonic(STROKE, HERTZ)), gk.Driver("pin")]
    return gk.Mechanism(2, ["frame", slider, arm], joints, drivers, gravity=(0.0, -GRAVITY))


@pytest.mark.parametrize("up", [1.0, -1.0])
def test_multipliers_are_those_of_hills_equation(up: float) -> None:
    """Upright it is shaken fast enough to stay so: both multipliers lie on the unit circle."""
    found = gk.periodic_motion(shaken(up), 1.0 / HERTZ)
    assert np.abs(found.motion.joint("pin")).max() < 1e-9
    w = 2 * np.pi * HERTZ

    def rates(t: float, y: Array) -> list[float]:
        return [y[1], up * (GRAVITY - STROKE * w**2 * np.sin(w * t)) / LENGTH * y[0]]

    columns = [solve_ivp(rates, (0, 1 / HERTZ), x, "DOP853", rtol=1e-12, atol=1e-14).y[:, -1] for x in np.eye(2)]
    expected = np.stack(columns, axis=1)
    assert np.allclose(found.monodromy, expected, rtol=0, atol=1e-7 * np.abs(expected).max())
    assert np.allclose(np.abs(found.multipliers), 1.0, rtol=0, atol=1e-6)


def test_a_forced_swing_is_the_one_that_remains_after_long_simulations() -> None:
    push = gk.JointForce("push", "pin", 6.0, law=gk.Harmonic(amplitude=1.0, frequency=0.8))
    mechanism = pendulum(forces=[push, gk.JointSpring("oil", "pin", damping=1.7)])
    found = gk.periodic_motion(mechanism, 1.25, {"pin": 0.2})
    long = gk.simulate(mechanism, [0.0, 37.5, 38.0], rtol=1e-12)
    first = found.motion.joint("pin")[0, 0], found.motion.joint_rate("pin")[0, 0]
    assert np.allclose(first, [long.joint("pin")[0, 1], long.joint_rate("pin")[0, 1]], rtol=0, atol=1e-7)
    assert np.ptp(found.motion.joint("pin")) > 0.3
    assert found.period == 1.25
    # the product of all multipliers is what the oil takes of the area of deviations
    assert np.prod(found.multipliers).real == pytest.approx(np.exp(-1.7 / (2.0 * LENGTH**2) * 1.25), rel=1e-6)


def test_whole_turns_close_a_motion() -> None:
    """A pendulum that goes over the top: its period belongs to its energy, and both multipliers are 1."""
    one_turn = gk.simulate(
        pendulum(), [0.0, 5.0], {"pin": (0.0, 9.0)}, rtol=1e-12, events=[gk.Event("turn", "angle arm", 2 * np.pi)]
    ).events[0]
    found = gk.periodic_motion(pendulum(), one_turn.time, {"pin": (0.0, 9.01)})
    angle, rate = found.motion.joint("pin")[0], found.motion.joint_rate("pin")[0]
    assert angle[-1] - angle[0] == pytest.approx(2 * np.pi, abs=1e-7)
    energy = 0.5 * rate**2 - GRAVITY / LENGTH * np.cos(angle)  # it may begin anywhere on its way
    assert energy == pytest.approx(np.full(angle.size, 40.5 - GRAVITY / LENGTH), rel=1e-7)
    assert np.allclose(found.multipliers, 1.0, rtol=0, atol=1e-2)  # of a double one: the root of errors


def test_what_does_not_repeat_itself_is_refused() -> None:
    with pytest.raises(SimulationError, match=r"no motion with the period 0.3 s is found.*start elsewhere"):
        gk.periodic_motion(pendulum(forces=[gk.JointForce("push", "pin", 60.0)]), 0.3)
    with pytest.raises(ArgumentError, match="a period must be positive"):
        gk.periodic_motion(pendulum(), 0.0)
