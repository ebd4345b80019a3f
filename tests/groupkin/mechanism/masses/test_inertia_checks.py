"""Tensors of bodies that turn about one direction alone, and radii of gyration against sizes."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.dynamics.reactions.force_tables import mass_rows, notes
from groupkin.errors import GroupkinWarning, MassError
from groupkin.mechanism.masses.inertia_checks import fixed_axes

Z, TILTED = (0.0, 0.0, 1.0), (0.0, 0.6, 0.8)
TIMES = np.linspace(0.0, 1.0, 5)


def gearbox(inertia: Any = (0.0, 0.0, 0.2), axis: Any = Z) -> gk.Mechanism:
    """A shaft on the frame, one that hangs on a carrier, and a slide."""
    shaft = gk.Body("shaft", mass=2.0, center=(0, 0, 0), inertia=inertia)
    joints = [
        gk.Joint("bearing", "R", ("frame", "shaft"), point=(0, 0, 0), axis=axis),
        gk.Joint("carrier", "R", ("frame", "arm"), point=(1, 0, 0), axis=Z),
        gk.Joint("planet", "C", ("gear", "arm"), point=(2, 0, 0), axis=(0, 0, -1.0)),
        gk.Joint("slide", "P", ("frame", "nut"), point=(0, 1, 0), axis=(1, 0, 0)),
        gk.Joint("screw", "H", ("nut", "spindle"), point=(0, 1, 0), axis=(1, 0, 0), pitch=0.01),
        gk.Joint("hook", "U", ("frame", "cross"), point=(0, 0, 1), axes=(Z, (1, 0, 0))),
        gk.Joint("tip", "R", ("gear", "tilted"), point=(2, 1, 0), axis=TILTED),
    ]
    drivers = [gk.Driver("bearing", gk.Harmonic(1.0, 0.5))]
    bodies = ["frame", shaft, "arm", "gear", "nut", "spindle", "cross", "tilted"]
    return gk.Mechanism(3, bodies, joints, drivers, gravity=(0, 0, -9.81))


def test_which_bodies_turn_about_one_direction() -> None:
    found = fixed_axes(gearbox())
    assert set(found) == {"frame", "shaft", "arm", "gear", "nut", "spindle"}
    assert not found["nut"].any()
    assert np.allclose(np.abs(found["gear"]), Z)
    assert np.allclose(np.abs(found["spindle"]), (1, 0, 0))


@pytest.mark.parametrize("axis", [Z, TILTED])
def test_the_axial_moment_of_a_shaft_is_enough(axis: Any) -> None:
    """Forces are those of the tensor with moments across the axis, which do not matter."""
    u = np.array(axis)
    axial, whole = 0.2 * np.outer(u, u), 0.2 * np.outer(u, u) + 5.0 * (np.eye(3) - np.outer(u, u))
    shaft = gk.Mechanism(3, ["frame", "shaft"], gearbox(0.1, axis).joints[:1], gearbox().drivers)
    found = []
    for tensor in (axial, whole):
        body = gk.Body("shaft", mass=2.0, center=(0.1, 0, 0), inertia=tensor.tolist())
        found.append(gk.inverse_dynamics(replace(shaft, bodies=["frame", body]), TIMES))
    one, two = found
    about = 0.2 + 2.0 * 0.1**2 * (1 - (u @ (1, 0, 0)) ** 2)  # kg m²
    assert np.allclose(one.driver("bearing"), about * one.motion.driver(0)[2], atol=1e-12)
    assert np.allclose(one.reaction("bearing").moment, two.reaction("bearing").moment, atol=1e-12)
    assert np.allclose(one.energy().kinetic, two.energy().kinetic)


def test_a_shaft_alone_accelerates_as_its_axial_moment_says() -> None:
    shaft = gk.Body("shaft", mass=2.0, center=(0, 0, 0), inertia=(0, 0, 0.2))
    torque = gk.Torque("motor", "shaft", (0, 0, 3.0))
    free = gk.Mechanism(3, ["frame", shaft], gearbox().joints[:1], forces=[torque])
    assert np.allclose(gk.simulate(free, TIMES).joint("bearing")[0], 0.5 * 3.0 / 0.2 * TIMES**2, rtol=1e-8)


@pytest.mark.parametrize(
    ("inertia", "axis"),
    [((0.2, 0.0, 0.0), Z), ((0.2, 0.0, 0.1), Z), ((0.0, 0.0, 0.2), TILTED)],
    ids=["across the axis", "more across than a body has", "about another axis"],
)
def test_other_moments_alone_are_refused(inertia: Any, axis: Any) -> None:
    with pytest.raises(MassError, match="The moment about one axis is enough"):
        gearbox(inertia, axis)


def test_an_axial_moment_of_a_body_that_tilts_is_refused() -> None:
    ball = gk.Joint("ball", "S", ("frame", "top"), point=(0, 0, 0))
    top = gk.Body("top", mass=1.0, center=(0, 0, 0.1), inertia=(0, 0, 0.01))
    with pytest.raises(MassError, match="no body has the principal moments"):
        gk.Mechanism(3, ["frame", top], [ball])


def rod(inertia: float, size: float = 0.1, mass: float = 0.28) -> gk.Mechanism:
    joints = [
        gk.Joint("A", "R", ("frame", "rod"), point=(0, 0)),
        gk.Joint("B", "R", ("rod", "tip"), point=(size, 0)),
    ]
    drivers = [gk.Driver("A", gk.Ramp(1.0)), gk.Driver("B", gk.Ramp(1.0))]
    body = gk.Body("rod", mass=mass, center=(size / 2, 0), inertia=inertia)
    units = gk.Units("mm", "deg")
    return gk.Mechanism(2, ["frame", body, "tip"], joints, drivers, units=units)


@pytest.mark.parametrize(("factor", "radius"), [(1e-6, "0.0289 mm"), (1e6, "2.89e\\+04 mm")])
def test_inertia_in_another_unit_is_warned_of(factor: float, radius: str) -> None:
    uniform = 0.28 * 0.1**2 / 12  # kg m²
    rod(uniform)
    with pytest.warns(GroupkinWarning, match=f"body 'rod': .* radius of gyration of {radius}, its joints and center"):
        rod(uniform * factor)


def test_radii_of_gyration_are_listed_and_point_masses_are_told() -> None:
    found = gk.inverse_dynamics(rod(0.28 * 0.03**2), TIMES)
    assert mass_rows(found.motion.program) == [("rod", "0.28 kg", "30 mm")]
    assert not notes(found)
    (said,) = notes(gk.inverse_dynamics(rod(0.0), TIMES))
    assert said.startswith("rod: mass without inertia is a point mass")
    assert not notes(gk.inverse_dynamics(rod(0.0), TIMES, velocities=False))


def test_gravity_that_hides_all_other_forces_is_refused() -> None:
    pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0))
    with pytest.raises(MassError, match="its roundings hide all other forces"):
        gk.Mechanism(2, ["frame", gk.Body("arm", mass=1.0, center=(1, 0))], [pin], gravity=(0.0, -1e20))


SLIDER = gk.Mechanism(
    2,
    ["frame", "crank", "rod", "piston"],
    [
        gk.Joint("A", "R", ("frame", "crank"), point="A"),
        gk.Joint("B", "R", ("crank", "rod"), point="B"),
        gk.Joint("C", "R", ("rod", "piston"), point="C"),
        gk.Joint("bore", "P", ("frame", "piston"), point="C", axis=(1, 0)),
    ],
    [gk.Driver("A", gk.Ramp(6.0))],
    points={"A": (0, 0), "B": (0.05, 0), "C": (0.18, 0)},
    units=gk.Units("mm", "deg"),
)


def slider(rod: gk.Body | None = None, *forces: gk.Force | gk.Spring) -> gk.Mechanism:
    bodies = [rod or "rod" if body == "rod" else body for body in ("frame", "crank", "rod", "piston")]
    return replace(SLIDER, bodies=bodies, forces=forces)


@pytest.mark.parametrize(
    ("rod", "forces", "told"),
    [
        (gk.Body("rod", center="middle", inertia=0.003), (), "body 'rod' has a center of mass, but no mass"),
        (gk.Body("rod", center=(4, 5), mass=2.0), (), "6339.6 mm from the middle of all joints, which lie within 180 "),
        (gk.Body("rod", center="A", mass=2.0), (), "center of mass of 'rod' is at point 'A' of 'frame'"),
        (None, (gk.Force("push", "frame", "A", (1, 0)),), "force 'push' acts on the frame 'frame'"),
        (None, (gk.Force("push", "piston", "B", (1, 0)),), "force 'push' is at point 'B' of 'crank', 'rod', but moves"),
        (None, (gk.Spring("pull", ("frame", "piston"), ((0.4, 0), "B")),), "'pull' is at point 'B' of 'crank'"),
    ],
)
def test_masses_and_forces_that_can_hardly_be_meant_are_told(rod: gk.Body | None, forces: Any, told: str) -> None:
    with pytest.warns(GroupkinWarning, match=told):
        gk.analyze(slider(rod, *forces))


def test_masses_and_forces_at_points_of_their_bodies_are_not() -> None:
    """Where hinges hold the point, and where the body lists it."""
    rod = gk.Body("rod", center="A", mass=2.0, points=["A"], inertia=0.01)
    loads = gk.Force("push", "crank", "B", (1, 0)), gk.Spring("pull", ("frame", "rod"), ("A", "B"))
    with warnings.catch_warnings(record=True) as told:
        gk.analyze(slider(rod, *loads))
    assert told == []


def test_inertia_about_a_point_of_a_body_whose_center_is_in_the_middle() -> None:
    about = gk.Body("rod", mass=2.0, center="middle", inertia=0.03, about="B")
    plain = replace(about, about=None, inertia=0.03 - 2.0 * 0.065**2)
    one, two = (gk.inverse_dynamics(slider(body), TIMES).driver("A") for body in (about, plain))
    assert np.allclose(one, two, atol=1e-12)
    with pytest.raises(MassError, match=r"-5450 kg mm² about its center of mass; it is stated about another point"):
        slider(replace(about, inertia=0.003))


def test_a_mass_that_nothing_can_be_divided_by_is_refused() -> None:
    with pytest.raises(MassError, match=r"body 'dust': its mass must be 0 or a finite number from 1e-50 to 1e\+50"):
        gk.Mechanism(2, ["frame", gk.Body("dust", mass=5e-324, center=(0, 0))], [])
