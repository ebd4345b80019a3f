"""Inertia in joints: the reduced mass of closed formulas, energy, and motions that need no forces."""

from __future__ import annotations

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import ForceError

TIMES = np.linspace(0.0, 1.0, 41)
MASS, ARM, MOMENT, ROTOR, G = 2.0, 0.4, 0.05, 0.3, 9.81


def pendulum(*forces: gk.JointInertia) -> gk.Mechanism:
    rod = gk.Body("rod", mass=MASS, center=(0.0, -ARM), inertia=MOMENT)
    hinge = gk.Joint("hinge", "R", ("frame", "rod"), point=(0.0, 0.0))
    return gk.Mechanism(2, ["frame", rod], [hinge], gravity=(0.0, -G), forces=forces)


def arm(dimension: int, driven: bool) -> gk.Mechanism:
    """Two links, the joint between them with a rotor; in space it is a universal joint."""
    flat = dimension == 2
    point = (0.5, 0.0) if flat else (0.5, 0.0, 0.0)
    bodies = [
        "frame",
        gk.Body("upper", mass=3.0, center=point, inertia=0.2),
        gk.Body("lower", mass=1.0, center=tuple(2.0 * np.array(point)), inertia=0.1),
    ]
    shoulder = gk.Joint(
        "shoulder", "R", ("frame", "upper"), tuple(0.0 * np.array(point)), axis=None if flat else (0, 1, 0)
    )
    elbow = gk.Joint("elbow", "R", ("upper", "lower"), point)
    names = [("elbow", None)]
    if not flat:
        elbow = gk.Joint("elbow", "U", ("upper", "lower"), point, axes=((0, 0, 1), (0, 1, 0.3)))
        names = [("elbow", "angle_1"), ("elbow", "angle_2")]
    rotors = [gk.JointInertia(f"rotor {k}", joint, 0.4 + k, name) for k, (joint, name) in enumerate(names)]
    law = gk.Harmonic(0.5, 0.9) if driven else None
    drivers = [gk.Driver("shoulder", law), *(gk.Driver(joint, None, name) for joint, name in names)]
    gravity = (0.0, -G) if flat else (0.0, 0.0, -G)
    return gk.Mechanism(dimension, bodies, [shoulder, elbow], drivers, gravity=gravity, forces=rotors)


def test_a_pendulum_swings_as_by_its_reduced_mass() -> None:
    rest = gk.equilibrium(pendulum(gk.JointInertia("rotor", "hinge", ROTOR)))
    expected = np.sqrt(MASS * G * ARM / (MOMENT + MASS * ARM**2 + ROTOR)) / (2.0 * np.pi)
    np.testing.assert_allclose(rest.vibration_modes().frequencies, [expected], rtol=1e-7)


def test_it_alone_is_mass_enough() -> None:
    bare = gk.Mechanism(2, ["frame", "disc"], [gk.Joint("pin", "R", ("frame", "disc"), point=(0.0, 0.0))])
    forces = [gk.JointInertia("rotor", "pin", ROTOR), gk.JointForce("push", "pin", 1.5)]
    motion = gk.simulate(gk.Mechanism(2, bare.bodies, bare.joints, forces=forces), TIMES)
    np.testing.assert_allclose(motion.joint("pin")[0], 0.5 * 1.5 / ROTOR * TIMES**2, atol=1e-9)


@pytest.mark.parametrize("driven", [False, True])
@pytest.mark.parametrize("dimension", [2, 3])
def test_simulated_motions_need_no_forces_and_keep_their_energy(dimension: int, driven: bool) -> None:
    mechanism = arm(dimension, driven)
    names = [driver.freedom or "elbow" for driver in mechanism.drivers[1:]]
    start = {name if name == "elbow" else f"elbow.{name}": (0.3, -2.0) for name in names}
    motion = gk.simulate(mechanism, TIMES, start=start)  # a warning of its energy would be an error here
    forces = gk.inverse_dynamics(motion)
    largest = max(float(np.abs(forces.force(load.name)).max()) for load in mechanism.forces)
    for name in start:
        np.testing.assert_allclose(forces.driver(name), 0.0, atol=1e-10 * largest)
    energy = forces.energy()
    if not driven:
        np.testing.assert_allclose(energy.total, energy.total[0], atol=1e-7 * np.ptp(energy.kinetic))


def test_in_statics_it_does_nothing() -> None:
    mechanism = pendulum(gk.JointInertia("rotor", "hinge", ROTOR))
    turned = gk.Mechanism(
        2, mechanism.bodies, mechanism.joints, [gk.Driver("hinge", gk.Harmonic(1.0, 1.0))], forces=mechanism.forces
    )
    forces = gk.inverse_dynamics(turned, TIMES, velocities=False)
    assert not forces.driver("hinge").any()
    assert not forces.force("rotor").any()


def test_it_is_positive() -> None:
    with pytest.raises(ForceError, match="rotor"):
        pendulum(gk.JointInertia("rotor", "hinge", -1.0))
