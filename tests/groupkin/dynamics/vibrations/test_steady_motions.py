"""Small motions about steady ones, and how outputs oscillate where forces and drivers do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import expm

import groupkin as gk
from groupkin.errors import ArgumentError, SimulationError, UnknownNameError
from tests.groupkin.dynamics.test_published_mechanisms import governor
from tests.support.mechanisms import crank_rocker

Array = NDArray[np.float64]

GRAVITY, LENGTH, MASS, SHAFT = 9.81, 0.7, 1.3, 0.4


def on_a_shaft(law: gk.Law | None = None) -> gk.Mechanism:
    """A point mass on an arm of 0.7 m, hinged on the axis of an upright shaft of 0.4 kg m²; it hangs down at 0 rad."""
    bodies = [
        gk.Body("shaft", mass=1.0, center=(0.0, 0.0, 0.0), inertia=(SHAFT, SHAFT, SHAFT)),
        gk.Body("arm", mass=MASS, center=(0.0, 0.0, -LENGTH)),
    ]
    joints = [
        gk.Joint("bearing", "R", ("ground", "shaft"), point=(0, 0, 0), axis=(0, 0, 1)),
        gk.Joint("pin", "R", ("shaft", "arm"), point=(0, 0, 0), axis=(0, 1, 0)),
    ]
    drivers = [gk.Driver("bearing", law), gk.Driver("pin")]
    return gk.Mechanism(3, ["ground", *bodies], joints, drivers, gravity=(0.0, 0.0, -GRAVITY))


def test_a_pendulum_on_a_shaft_that_is_driven() -> None:
    """It leans where centrifugal force and weight balance, and swings about that at w sin(lean)."""
    w = 6.0
    lean = np.arccos(GRAVITY / (w**2 * LENGTH))
    found = gk.equilibrium(on_a_shaft(gk.Ramp(w)), {"pin": 0.9}, moving=True)
    assert found.position == pytest.approx([lean], rel=1e-10)
    assert found.stable
    assert 2 * np.pi * found.vibration_modes().frequencies == pytest.approx([w * np.sin(lean)], rel=1e-8)
    upright = gk.linearize(on_a_shaft(gk.Ramp(w)), moving=True)
    assert not upright.stable  # it hangs down, and the shaft is too fast for that
    assert gk.equilibrium(on_a_shaft(gk.Ramp(w)), {"pin": 0.9}).position == pytest.approx([0.0], abs=1e-9)


def test_a_pendulum_on_a_shaft_that_turns_freely() -> None:
    """The shaft is slowed down as the pendulum rises, as the moment of momentum is kept: it swings faster."""
    w = 6.0
    lean = np.arccos(GRAVITY / (w**2 * LENGTH))
    found = gk.equilibrium(on_a_shaft(), {"bearing": (0.3, w), "pin": 0.9})
    assert found.position == pytest.approx([0.3, lean], rel=1e-10)
    assert found.rates.tolist() == [w, 0.0]
    sine, cosine, own = np.sin(lean), np.cos(lean), MASS * LENGTH**2
    swing = w * sine * np.sqrt(1.0 + 4.0 * own * cosine**2 / (SHAFT + own * sine**2))
    modes = found.vibration_modes()
    assert 2 * np.pi * modes.frequencies == pytest.approx([swing], rel=1e-8)
    slows = -2.0 * own * w * sine * cosine / (SHAFT + own * sine**2)  # change of the shaft's speed by that of the lean
    ratio = modes.shapes[0, 0] / modes.shapes[1, 0]
    assert ratio == pytest.approx(slows / (1j * swing), rel=1e-7)


SWING = 3e-4
"""Whose fifth power is 1e-14 of it; errors of simulations, 1e-13 of some rad, are 1e-9 of it."""


def test_small_motions_about_those_of_a_governor_are_the_simulated_ones() -> None:
    """All eight states, without oil, over two of the slowest swings."""
    free = replace(governor(), forces=[replace(x, stiffness=800.0, damping=0.0) for x in governor().forces])  # type: ignore[type-var]
    found = gk.equilibrium(free, {"bearing": (0.0, 2 * np.pi)})
    assert found.stable
    assert len(found.vibration_modes().frequencies) == 3  # the fourth is steady motion at another speed
    times = np.linspace(0.0, 2.0, 9)
    apart = np.random.default_rng(5).normal(size=8)

    def simulated(share: float) -> Array:
        states = zip(
            (found.position + share * apart[:4]).tolist(), (found.rates + share * apart[4:]).tolist(), strict=True
        )
        motion = gk.simulate(free, times, dict(zip(found.coordinates, states, strict=True)), rtol=1e-13)
        return np.stack([motion.joint(name)[0] for name in found.coordinates], axis=1)

    def swing(share: float) -> Array:
        """Odd powers of the swing, by its first one."""
        return (simulated(share) - simulated(-share)) / (2.0 * share)

    small = (4.0 * swing(SWING / 2) - swing(SWING)) / 3.0  # the third power cancels out as well
    expected = np.stack([(expm(found.state_space() * t) @ apart)[:4] for t in times])
    assert np.abs(small - expected).max() < 1e-9 * np.abs(expected).max()


def test_what_moves_but_not_steadily_is_refused() -> None:
    with pytest.raises(SimulationError, match=r"not steady: pin is accelerated by .* N m; `equilibrium` finds"):
        gk.linearize(on_a_shaft(), {"bearing": (0.0, 6.0), "pin": 0.9})
    links = [gk.Body(name, mass=1.0, center="middle", inertia=0.1) for name in ("crank", "coupler", "rocker")]
    turning = replace(crank_rocker(), bodies=["ground", *links], drivers=[gk.Driver("A")])
    with pytest.raises(SimulationError, match=r"equations of motion change along this motion.*periodic_motion"):
        gk.linearize(turning, {"A": (0.0, 6.0)})


CAR, SPRING, OIL = 300.0, 20e3, 1500.0


def quarter_car() -> gk.Mechanism:
    """A wheel that the road moves, a car on a spring and oil, and an engine that shakes the car up and down."""
    car, wheel = gk.Body("car", mass=CAR, center=(0.0, 0.5)), gk.Body("wheel", mass=30.0, center=(0.0, 0.3))
    joints = [
        gk.Joint("tire", "P", ("road", "wheel"), points=((0.0, 0.0), (0.0, 0.3)), axis=(0.0, 1.0)),
        gk.Joint("strut", "P", ("wheel", "car"), points=((0.0, 0.3), (0.0, 0.5)), axis=(0.0, 1.0)),
    ]
    drivers = [gk.Driver("tire", gk.Constant(0.3)), gk.Driver("strut")]
    forces = [
        gk.JointSpring("coil", "strut", stiffness=SPRING, position=0.2 + CAR * GRAVITY / SPRING, damping=OIL),
        gk.Force("engine", "car", point=(0.0, 0.5), force=(0.0, 50.0), law=gk.Harmonic(amplitude=1.0, frequency=1.0)),
    ]
    return gk.Mechanism(2, ["road", car, wheel], joints, drivers, gravity=(0.0, -GRAVITY), forces=forces)


def test_responses_of_a_car_to_the_road_and_to_its_engine() -> None:
    rest, hertz = gk.linearize(quarter_car()), np.array([0.0, 0.5, 1.3, 4.0, 20.0])
    s = 2j * np.pi * hertz
    held = SPRING + OIL * s
    of_road = held / (CAR * s**2 + held)
    # differences of positions by 1e-5 m, and of forces of 1e4 N by 1e-3 m/s, cost that many digits
    close = {"rtol": 1e-8, "atol": 1e-9}
    assert np.allclose(rest.frequency_response("tire", "position car.y", hertz), of_road, **close)
    of_acceleration = rest.frequency_response("tire", "acceleration car.y", hertz)
    assert np.allclose(of_acceleration, s**2 * of_road, **close)
    assert np.allclose(rest.frequency_response("tire", "joint strut", hertz), of_road - 1.0, **close)
    of_engine = 1.0 / (CAR * s**2 + held)
    assert np.allclose(rest.frequency_response("strut", "velocity car.y", hertz), s * of_engine, rtol=1e-8, atol=1e-12)
    with pytest.raises(ArgumentError, match="'position car' has several components; name one of them"):
        rest.frequency_response("tire", "position car", hertz)
    with pytest.raises(UnknownNameError, match="no coordinate, driver or force 'motor'"):
        rest.frequency_response("motor", "position car.y", hertz)
    with pytest.raises(ArgumentError, match="list of finite numbers"):
        rest.frequency_response("tire", "position car.y", [np.nan])
    loose = gk.linearize(on_a_shaft()).frequency_response("bearing", "joint bearing", [0.0, 1.0])
    assert np.isnan(loose[0])
    assert loose[1] == pytest.approx(-1.0 / (SHAFT * 4 * np.pi**2), rel=1e-9)


def test_response_to_a_force_of_the_mechanism() -> None:
    """By as much as it is where its law is 1, here at a quarter of its period."""
    hertz = np.array([0.5, 1.3])
    s = 2j * np.pi * hertz
    rest = gk.linearize(quarter_car(), time=0.25)
    expected = 50.0 / (CAR * s**2 + SPRING + OIL * s)
    assert np.allclose(rest.frequency_response("engine", "position car.y", hertz), expected, rtol=1e-8)
