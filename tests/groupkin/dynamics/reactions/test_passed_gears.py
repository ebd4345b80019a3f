"""Gears whose centers pass through each other: from then on their distance is negative."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import groupkin as gk
from tests.support.energy import rate_of_energy

TIMES = np.linspace(0.0, 1.2, 49)
FREEDOMS = ("x", "y", "z", "angle_x", "angle_y", "angle_z")
FIRST = (-1.512, -1.071, 1.282, 0.6107, 0.5046, 0.5524)
LAST = (-0.998, -0.646, 0.554, 1.0988, 0.5557, -0.0507)
"""Values (m, rad) of the free body in the reference configuration, and after 1 s, behind the centers of the gears."""


def passing(driven: bool = True) -> gk.Mechanism:
    """A free body with a gear on a skew axis, whose center it leads through that of a gear on the frame."""
    free = gk.Joint(
        "free",
        "F",
        ("frame", "carrier"),
        points=((0.798, 0.697, -0.856), (-0.715, -0.373, 0.426)),
        reference={"angle_x": 0.6107, "angle_y": 0.5046, "angle_z": 0.5524},
    )
    pin = gk.Joint("pin", "R", ("carrier", "gear"), point=(-0.635, -0.318, 0.564), axis=(-0.397, 0.850, -0.347))
    mesh = gk.Joint(
        "mesh",
        "EPI",
        ("frame", "gear"),
        points=((0.597, 0.743, -0.904), (0.559, -0.584, -0.316)),
        axes=((0.237, -0.886, -0.397), (0.919, 0.290, -0.268)),
        radii=(0.413, 0.558),
        reference={"angle": 0.6517},
    )
    carrier = gk.Body("carrier", mass=1.0, center=(-0.9, -0.2, -0.5), inertia=(0.4, 1.0, 0.9))
    gear = gk.Body("gear", mass=2.0, center=(0.4, 0.4, 1.7), inertia=(1.0, 0.6, 0.8))
    laws = [gk.Polynomial((a, b - a)) if driven else None for a, b in zip(FIRST, LAST, strict=True)]
    drivers = [gk.Driver("free", law, freedom=name) for name, law in zip(FREEDOMS, laws, strict=True)]
    return gk.Mechanism(3, ["frame", carrier, gear], [free, pin, mesh], drivers, gravity=(0.0, 0.0, -9.81))


def test_coordinates_go_on_with_a_negative_distance() -> None:
    motion = gk.solve(passing(), TIMES)
    assert gk.max_residual(motion) < 1e-12
    coordinates, rates = motion.joint("mesh"), motion.joint_rate("mesh")
    distance = coordinates[1]
    assert distance[0] > 1.0
    assert distance[-1] < -0.3
    assert np.abs(np.diff(coordinates)).max() < 0.2
    slopes = (coordinates[:, 2:] - coordinates[:, :-2]) / (TIMES[2:] - TIMES[:-2])
    assert np.abs(slopes - rates[:, 1:-1]).max() < 0.01


@pytest.mark.parametrize("at_rest", [False, True])
def test_jacobians_lead_to_the_velocities_of_passed_gears(at_rest: bool) -> None:
    """Of positions alone, too, which tell by the relation of the teeth that the centers have passed."""
    motion = gk.solve(passing(), TIMES)
    seen = motion.program.evaluate(motion.driven[:, 0], path=True) if at_rest else motion
    found = gk.jacobian(seen, ["twist gear"]).values @ motion.driven[:, 1].T[..., None]
    expected = np.concatenate([motion.angular_velocity("gear"), motion.velocity("gear")], axis=1)
    np.testing.assert_allclose(found[..., 0], expected, rtol=0, atol=1e-12)


def test_free_coordinates_need_no_forces_behind_passed_gears() -> None:
    """A heavy carrier leads on, whatever the gear does."""
    light = replace(passing(driven=False), gravity=(0.0, 0.0, 0.0))
    heavy = gk.Body("carrier", mass=1e3, center=(-0.715, -0.373, 0.426), inertia=(400.0, 1000.0, 900.0))
    bodies = [heavy if body.name == "carrier" else body for body in light.bodies]
    start = {f"free.{name}": (a, 1.2 * (b - a)) for name, a, b in zip(FREEDOMS, FIRST, LAST, strict=True)}
    motion = gk.simulate(replace(light, bodies=bodies), TIMES, start, rtol=1e-10)
    assert motion.joint("mesh")[1, -1] < -0.1
    forces = gk.inverse_dynamics(motion)
    largest = max(np.abs(forces.reaction(name).force).max() for name in ("pin", "mesh"))
    assert max(np.abs(each).max() for each in forces.drivers.values()) < 1e-9 * largest


def test_a_driven_distance_may_become_negative() -> None:
    mesh = gk.Joint(
        "mesh",
        "EPI",
        ("frame", "gear"),
        points=((0.0, 0.0, 0.0), (0.5, 0.0, 0.2)),
        axes=((0.0, 0.0, 1.0), (0.1, 0.2, 1.0)),
        radii=(0.4, 0.55),
    )
    laws = {"angle": gk.Polynomial((0.2, 0.3)), "distance": gk.Polynomial((0.5, -1.0))}
    laws |= {name: gk.Harmonic(0.1, 0.4) for name in ("shift", "tilt_x", "tilt_y")}
    drivers = [gk.Driver("mesh", law, freedom=name) for name, law in laws.items()]
    motion = gk.solve(gk.Mechanism(3, ["frame", "gear"], [mesh], drivers), np.linspace(0.0, 1.0, 12))
    np.testing.assert_allclose(motion.joint("mesh"), motion.driven[:, 0], rtol=0, atol=1e-12)
    assert gk.max_residual(motion) < 1e-12
    found = gk.jacobian(motion, ["twist gear"]).values @ motion.driven[:, 1].T[..., None]
    expected = np.concatenate([motion.angular_velocity("gear"), motion.velocity("gear")], axis=1)
    np.testing.assert_allclose(found[..., 0], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", ["EO", "EPI"])
def test_a_driven_distance_may_become_negative_in_the_plane(kind: str) -> None:
    """Forces as well: what drives the distance and the angle does the power that moves the gear."""
    mesh = gk.Joint("mesh", kind, ("frame", "gear"), points=((0.1, 0.2), (0.6, 0.4)), radii=(0.4, 0.55))
    drivers = [
        gk.Driver("mesh", gk.Polynomial((0.4, 0.3, 0.2)), freedom="angle"),
        gk.Driver("mesh", gk.Polynomial((0.5, -1.0, 0.1)), freedom="distance"),
    ]
    gear = gk.Body("gear", mass=2.0, center=(0.7, 0.3), inertia=0.3)
    motion = gk.solve(gk.Mechanism(2, ["frame", gear], [mesh], drivers), np.linspace(0.0, 1.0, 12))
    assert motion.joint("mesh")[1, -1] < -0.3
    np.testing.assert_allclose(motion.joint("mesh"), motion.driven[:, 0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(motion.joint_rate("mesh"), motion.driven[:, 1], rtol=0, atol=1e-12)
    assert gk.max_residual(motion) < 1e-12
    found = gk.jacobian(motion, ["twist gear"]).values @ motion.driven[:, 1].T[..., None]
    expected = np.column_stack([motion.angular_velocity("gear"), motion.velocity("gear")])
    np.testing.assert_allclose(found[..., 0], expected, rtol=0, atol=1e-12)
    forces = gk.inverse_dynamics(motion)
    power = sum(force * rate for force, rate in zip(forces.drivers.values(), motion.driven[:, 1], strict=True))
    np.testing.assert_allclose(power, np.sum(rate_of_energy(motion), axis=0), rtol=0, atol=1e-11)


def test_tilts_at_a_quarter_turn_are_read_behind_the_centers_too() -> None:
    """There no angle tells by the relation of the teeth which way the line between the centers is to be taken."""
    mesh = gk.Joint(
        "mesh",
        "EPI",
        ("frame", "gear"),
        points=((0, 0, 0), (0.5, 0, 0.2)),
        axes=((0, 0, 1), (0.1, 0.2, 1)),
        radii=(4, 5),
    )
    laws = {"angle": gk.Constant(0.2), "distance": gk.Constant(-0.5), "shift": gk.Constant(0.2)}
    laws |= {"tilt_x": gk.Constant(0.3), "tilt_y": gk.Ramp(1.0)}
    drivers = [gk.Driver("mesh", law, freedom=name) for name, law in laws.items()]
    motion = gk.solve(gk.Mechanism(3, ["frame", "gear"], [mesh], drivers), [np.pi / 2 - 1e-9])
    motion = motion.program.evaluate(motion.driven[:, 0])
    np.testing.assert_allclose(motion.joint("mesh")[[1, 4], 0], [-0.5, np.pi / 2], rtol=0, atol=1e-7)
