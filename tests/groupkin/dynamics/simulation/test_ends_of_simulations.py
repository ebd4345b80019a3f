"""Where simulations go on, end, or must say why they cannot: regular positions, half turns, standstills, signals."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import SimulationError

HERE = Path(__file__).parent / "regular_position.toml"
GRAVITY = (0.0, -9.81)


def test_a_regular_position_is_no_end() -> None:
    """Where b1 and b6 turn at -1.68 and -4.5 rad/s (equations in the coordinates of all bodies, with multipliers)."""
    motion = gk.simulate(gk.load(HERE), np.linspace(0, 2, 41), {"j7": (0.0, 0.861)}, rtol=1e-9)
    assert motion.solved.all()
    assert motion.angular_velocity("b1")[35] == pytest.approx(-1.68, abs=0.1)
    assert motion.angular_velocity("b6")[35] == pytest.approx(-4.5, abs=0.1)


def wheel(stiffness: float, drivers: list[gk.Driver]) -> gk.Mechanism:
    """A disk on an arm, which a belt turns three times as fast as the arm, and a spring between both."""
    arm = gk.Body("arm", mass=1.0, center=(0.5, 0.0), inertia=0.1)
    disk = gk.Body("disk", mass=0.5, center=(1.0, 0.0), inertia=0.05)
    slides = [
        gk.Joint("foot", "R", ("frame", "arm"), point=(0, 0)),
        gk.Joint("axle", "R", ("arm", "disk"), point=(1, 0)),
    ]
    gears = gk.Coupling("belt", "{joint axle} = 3 * {joint foot}")
    spring = gk.JointSpring("coil", "axle", stiffness=stiffness)
    return gk.Mechanism(2, ["frame", arm, disk], slides, drivers, forces=[spring], couplings=[gears])


def test_a_spring_that_winds_up_beyond_half_a_turn_leads_itself() -> None:
    """A coil in an axle that turns three times as fast as the free foot: its energy is that of all its turns."""
    mechanism, rate = wheel(0.02, [gk.Driver("foot")]), 3.0
    motion = gk.simulate(mechanism, np.linspace(0, 4, 81), {"foot": (0.0, rate)}, rtol=1e-10)
    foot = motion.joint("foot")[0]
    kinetic = 0.5 * (0.1 + 0.25 + 0.5 + 0.05 * 16.0) * (rate**2 - motion.joint_rate("foot")[0] ** 2)
    assert np.ptp(3.0 * foot) > 2.5 * np.pi
    assert np.allclose(kinetic, 0.5 * 0.02 * (3.0 * foot) ** 2, atol=1e-7)


def test_a_spring_in_a_ball_winds_up_where_the_ball_is_tilted() -> None:
    """A coil about the last axis of an undriven ball in an RSUR loop: the free crank needs no torque."""
    bodies = [
        gk.Body("crank", mass=2.0, center=(0.5, 0.0, 0.0), inertia=(0.1, 0.2, 0.3)),
        gk.Body("coupler", mass=1.0, center=(2.5, 0.0, 1.0), inertia=(0.5, 0.6, 0.5)),
        gk.Body("rocker", mass=1.0, center=(4.0, 0.0, 1.0), inertia=(0.2, 0.2, 0.1)),
    ]
    joints = [
        gk.Joint("A", "R", ("frame", "crank"), point=(0, 0, 0), axis=(0, 0, 1)),
        gk.Joint("B", "S", ("coupler", "crank"), point=(1, 0, 0), reference={"angle_y": 1.0}),
        gk.Joint("C", "U", ("coupler", "rocker"), point=(4, 0, 2), axes=((0, 1, 0), (-2, 0, 3))),
        gk.Joint("D", "R", ("rocker", "frame"), point=(4, 0, 0), axis=(0, 1, 0)),
    ]
    coil = gk.JointSpring("coil", "B", freedom="angle_z", stiffness=0.05)
    mechanism = gk.Mechanism(3, ["frame", *bodies], joints, [gk.Driver("A")], forces=[coil])
    motion = gk.simulate(mechanism, np.linspace(0, 4, 81), {"A": (0.0, 2.5)}, rtol=1e-10)
    forces = gk.inverse_dynamics(motion)
    assert motion.joint("B")[2, -1] > 2.0 * np.pi
    assert np.abs(forces.drivers["A"]).max() < 1e-9 * np.abs(forces.acting["coil"].amount).max()
    assert np.ptp(sum(forces.energy())) < 1e-7


@pytest.mark.parametrize("weight", [1e40, 1e50])
def test_no_simulation_runs_without_end(weight: float) -> None:
    """Whatever becomes of it, it comes to an end."""
    mechanism = wheel(0.0, [gk.Driver("foot")])
    loads = [gk.Force(f"weight of {body.name}", body.name, (0.3, 0.2), (0.0, -weight)) for body in mechanism.bodies[1:]]
    with pytest.raises(SimulationError, match="t = "):
        gk.simulate(replace(mechanism, forces=loads), np.linspace(0, 0.2, 6))


def table(free: str) -> gk.Mechanism:
    """Two links, the first one's angle the square of the second one's by a table from 0 on."""
    bodies = [
        gk.Body("a", mass=1.2, center=(0, -0.25), inertia=0.025),
        gk.Body("b", mass=0.7, center=(0.1, -0.6), inertia=0.009),
    ]
    joints = [gk.Joint("A", "R", ("frame", "a"), point=(0, 0)), gk.Joint("B", "R", ("a", "b"), point=(0, -0.5))]
    square = gk.Coupling("k", of=("joint B", "joint A"), table=((0, 0), (1, 1), (2, 4), (3, 9)))
    return gk.Mechanism(2, ["frame", *bodies], joints, [gk.Driver(free)], gravity=GRAVITY, couplings=[square])


@pytest.mark.parametrize("free", ["A", "B"])
def test_the_end_of_a_table_is_an_end(free: str) -> None:
    with pytest.raises(SimulationError, match="singular position" if free == "A" else "t = "):
        gk.simulate(table(free), np.linspace(0, 2.0, 6), None if free == "A" else {"B": (0.5, -3.0)})


class Interrupted(Exception):
    """What the signal raises."""


def test_signals_are_heard_while_many_are_simulated() -> None:
    pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0))
    pendulum = gk.Mechanism(2, ["frame", gk.Body("arm", mass=1.0, center=(0, -1.0))], [pin], gravity=GRAVITY)
    gk.simulate_many(pendulum, [0.0, 0.1], {"pin": [0.1, 0.2]})  # compiled

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise Interrupted

    known = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        began = time.process_time()
        with pytest.raises(Interrupted):
            gk.simulate_many(pendulum, [0.0, 1e6], {"pin": np.linspace(0.1, 3.0, 64)})
        assert time.process_time() - began < 1.5
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, known)


FAR_CALLERS: dict[str, Callable[[gk.Mechanism, dict[str, float]], object]] = {
    "simulate": lambda train, start: gk.simulate(train, [0.0, 0.1], start),
    "equilibrium": gk.equilibrium,
    "linearize": gk.linearize,
    "periodic_motion": lambda train, start: gk.periodic_motion(train, 1.0, start),
}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("angle", [1e8, -1e12])
@pytest.mark.parametrize("caller", FAR_CALLERS)
def test_starts_that_are_too_far_to_be_followed_are_refused(caller: str, angle: float) -> None:
    """A coupling that is solved by Newton's method is followed in steps of 1 rad, which signals would not end."""
    wheels = [gk.Joint(name, "R", ("frame", name), point=(k, 0)) for k, name in enumerate("ab")]
    bodies = [gk.Body(name, mass=1.0, center=(k, 0), inertia=0.1) for k, name in enumerate("ab")]
    ratio = gk.Coupling("ratio", "{joint b} = 2 * {joint a} + 0.1 rad * sin({joint a})")
    train = gk.Mechanism(2, ["frame", *bodies], wheels, [gk.Driver("a")], couplings=[ratio])
    with pytest.raises(SimulationError, match="cannot be assembled with a = "):
        FAR_CALLERS[caller](train, {"a": angle})
