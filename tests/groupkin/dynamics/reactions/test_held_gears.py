"""Gears that hold what their radial and axial forces turn: these belong to the tangential force that is returned."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import GroupkinWarning, LoadError
from tests.support.equilibrium import space, unbalanced

Array = NDArray[np.float64]
PRESSURE, HELIX = np.deg2rad(20.0), np.deg2rad(15.0)
BOTH = [("EO", (0.1, 0.2)), ("EPI", (0.5, 0.2)), ("EPI", (0.2, 0.5))]


def lever(
    kind: str, radii: tuple[float, float], dimension: int = 2, levers: int = 1, held: bool = True, **teeth: float
) -> gk.Mechanism:
    """A gear that stands still, or turns, holds one lever or two, whose pins are not at the centers of their gears."""
    d, distance = dimension, radii[0] + radii[1] if kind == "EO" else abs(radii[0] - radii[1])
    axis: dict[str, Any] = {"axis": (0.0, 0.0, 1.0)} if d == 3 else {}
    axes: dict[str, Any] = {"axes": ((0.0, 0.0, 1.0), (0.0, 0.0, 1.0))} if d == 3 else {}

    def at(*place: float) -> tuple[float, ...]:
        return (*place, 0.0)[:d]

    bodies: list[Any] = ["frame", gk.Body("first")]
    joints = [gk.Joint("A", "R", ("frame", "first"), point=at(0, 0), **axis)]
    for k in range(levers):
        turn, name = 0.5 * np.pi * k, f"lever {k}"
        center = distance * np.array([np.cos(turn), np.sin(turn)])
        mass = 10.0 + k
        bodies.append(
            gk.Body(name, mass=mass, center=at(*(center + np.array((0.2, 0.1)))), inertia=0.2 if d == 2 else (1, 1, 1))
        )
        joints.append(gk.Joint(f"pin {k}", "R", ("frame", name), point=at(*(center - np.array((0.05, 0.15)))), **axis))
        points = (at(0, 0), at(*center))
        joints.append(gk.Joint(f"mesh {k}", kind, ("first", name), points=points, radii=radii, **axes, **teeth))
    law = gk.Constant(0.0) if held else gk.Harmonic(0.01, 1.0)
    gravity = (0.0, -10.0) if d == 2 else (0.0, -10.0, 1.0)
    return gk.Mechanism(d, bodies, joints, [gk.Driver("A", law)], gravity=gravity)


def parts(forces: gk.Forces, mesh: str) -> tuple[Array, Array, Array]:
    """Radial part, away from the first gear's center, tangential and axial part of what the first gear does."""
    motion = forces.motion
    ends = motion.program.mechanism.joint[mesh].points
    assert ends is not None
    way = space(np.subtract(ends[1], ends[0])[None])[0]
    way /= np.linalg.norm(way)
    force = space(forces.reaction(mesh).force)
    return force @ way, force @ np.cross([0.0, 0.0, 1.0], way), force[:, 2]


def held_lever(pressure: float, gravity: float = -10.0) -> gk.Mechanism:
    """A gear that stands still holds a lever, whose pin is not at the center of its gear."""
    pins, radii = ((0.0, 0.0), (0.25, -0.15)), (0.1, 0.2)
    bodies = ["frame", gk.Body("a"), gk.Body("b", mass=10.0, center=(0.5, 0.0))]
    joints = [
        gk.Joint("A", "R", ("frame", "a"), point=pins[0]),
        gk.Joint("B", "R", ("frame", "b"), point=pins[1]),
        gk.Joint("G", "EO", ("a", "b"), points=((0.0, 0.0), (0.3, 0.0)), radii=radii, pressure_angle=pressure),
    ]
    return gk.Mechanism(2, bodies, joints, [gk.Driver("A", gk.Constant(0.0))], gravity=(0.0, gravity))


def test_a_lever_by_hand() -> None:
    forces = gk.inverse_dynamics(held_lever(PRESSURE), [0.0, 1.0])
    # moments about B of 100 N at x = 0.5, and of (-Fy tan 20°, Fy) at the pitch point (0.1, 0)
    tangential = 100.0 * 0.25 / (-0.15 + 0.15 * np.tan(PRESSURE))
    assert np.allclose(forces.reaction("G").force, [-tangential * np.tan(PRESSURE), tangential], rtol=1e-12)
    assert np.allclose(forces.driver("A"), 0.1 * tangential, rtol=1e-12)


@pytest.mark.parametrize("actuated", [False, True])
@pytest.mark.parametrize("levers", [1, 2])
@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize(("kind", "radii"), BOTH)
def test_radial_and_axial_forces_are_those_of_the_tangential_force(
    kind: str, radii: tuple[float, float], dimension: int, levers: int, actuated: bool
) -> None:
    teeth = {"pressure_angle": PRESSURE, "helix_angle": HELIX if dimension == 3 else 0.0}
    mechanism = lever(kind, radii, dimension, levers, **teeth)
    forces = gk.inverse_dynamics(mechanism, [0.0, 1.0], actuators=["pin 0"] if actuated else None)
    for k in range(levers):
        radial, tangential, axial = parts(forces, f"mesh {k}")
        if k or not actuated:
            assert np.abs(tangential).min() > 1.0
        pushed = np.abs(tangential) * np.tan(PRESSURE) / np.cos(teeth["helix_angle"])
        assert np.allclose(radial, pushed if kind == "EO" else -pushed, rtol=1e-10)
        assert np.allclose(np.abs(axial), np.abs(tangential) * np.tan(teeth["helix_angle"]), rtol=1e-10)
    left, most = unbalanced(forces)
    assert np.abs(left).max() <= 1e-12 * most
    for name, force in forces.drivers.items():
        moment = forces.reaction(name).moment
        assert np.allclose(moment if dimension == 2 else moment[:, 2], force, rtol=1e-10)


def test_friction_beside_the_gears() -> None:
    """Normal forces depend on the radial forces, and these on the tangential one, which friction changes."""
    mechanism = lever("EO", (0.1, 0.2), held=True)
    rubbing = replace(mechanism, forces=[gk.Friction("rub", "pin 0", coefficient=0.1, radius=0.02)])
    forces = gk.inverse_dynamics(rubbing, [0.0, 1.0])
    radial, tangential, _ = parts(forces, "mesh 0")
    assert np.allclose(radial, np.abs(tangential) * np.tan(PRESSURE), rtol=1e-10)


def test_teeth_that_cannot_hold_are_refused() -> None:
    """Beyond the pressure angle at which the force between the teeth passes through the pin no force holds."""
    mechanism = lever("EO", (0.1, 0.2), pressure_angle=np.deg2rad(70.0))
    with pytest.raises(LoadError, match="joint 'mesh 0': the teeth cannot hold the gears at t = 0 s"):
        gk.inverse_dynamics(mechanism, [0.0, 1.0])


def test_teeth_that_hold_on_either_flank_are_told() -> None:
    """Beyond that angle both flanks hold a lever that is pulled the other way."""
    steep = np.deg2rad(70.0)
    both = [25.0 / (0.15 * (1.0 + sign * np.tan(steep))) for sign in (-1.0, 1.0)]
    smaller, larger = sorted(both, key=abs)
    said = f"joint 'G': its teeth hold .* of {smaller:.6g} N, which is returned, and .* of {larger:.6g} N as well"
    with pytest.warns(GroupkinWarning, match=said):
        forces = gk.inverse_dynamics(held_lever(steep, gravity=10.0), [0.0])
    assert forces.reaction("G").force[0, 1] == pytest.approx(smaller)


def test_where_the_driver_moves_the_centers_the_tangential_force_is_all() -> None:
    forces = gk.inverse_dynamics(lever("EO", (0.1, 0.2), held=False), [0.0, 0.2])
    radial, tangential, _ = parts(forces, "mesh 0")
    assert abs(radial[0]) < 1e-9 * abs(tangential[0])


def test_two_bearings_of_a_shaft_share_the_radial_force() -> None:
    """What redundant bearings share is found with the radial forces, which the tangential ones bring about."""
    z = (0.0, 0.0, 1.0)
    joints = [
        gk.Joint("A", "R", ("frame", "first"), point=(0, 0, 0), axis=z),
        *(gk.Joint(f"B{k}", "R", ("frame", "second"), point=(0.5, 0, k), axis=z) for k in (-1, 1)),
        gk.Joint("mesh", "EO", ("first", "second"), points=((0, 0, 0), (0.5, 0, 0)), axes=(z, z), radii=(0.2, 0.3)),
    ]
    load = gk.Torque("load", "second", (0.0, 0.0, 6.0))
    drivers = [gk.Driver("A", gk.Ramp(1.0))]
    forces = gk.inverse_dynamics(gk.Mechanism(3, ["frame", "first", "second"], joints, drivers, forces=[load]), [0.0])
    for k in (-1, 1):
        assert np.allclose(forces.reaction(f"B{k}").force, [[-10.0 * np.tan(PRESSURE), -10.0, 0.0]], atol=1e-12)
        assert np.allclose(forces.reaction(f"B{k}").moment, 0.0, atol=1e-12)


def test_teeth_push_nothing_that_tilts_a_gear() -> None:
    """A helical gear whose hinge tilts it: nothing drives that hinge, so that the teeth must do no work there."""
    bodies = [
        gk.Body("one", mass=1.0, center=(0, 0, 0), inertia=0.1),
        gk.Body("two", mass=1.0, center=(0.3, 0, 0), inertia=0.2),
    ]
    centers, along = ((0, 0, 0), (0.3, 0, 0)), (0, 0, 1)
    joints = [
        gk.Joint("a", "R", ("frame", "one"), point=centers[0], axis=(0, 1, 0)),
        gk.Joint("b", "R", ("frame", "two"), point=centers[1], axis=along),
        gk.Joint("mesh", "EO", ("one", "two"), points=centers, axes=(along, along), radii=(0.1, 0.2), helix_angle=0.3),
    ]
    load = gk.JointForce(name="load", joint="b", force=3.0)
    mechanism = gk.Mechanism(3, ["frame", *bodies], joints, [gk.Driver("a")], forces=[load])
    forces = gk.inverse_dynamics(gk.simulate(mechanism, np.linspace(0.0, 0.1, 3)))
    assert np.abs(forces.drivers["a"]).max() < 1e-12
