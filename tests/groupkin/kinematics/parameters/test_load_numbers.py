"""Numbers of masses and forces as parameters: each design against the mechanism in which the number is replaced."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cluster
import groupkin as gk
from groupkin.errors import FitError, ForceError, MassError, ParameterError, UnknownNameError
from groupkin.kinematics.parameters.nominal_values import unit
from groupkin.kinematics.parameters.parameters import OF_FORCES, parse
from groupkin.mechanism.forces.forces import KINDS
from sglibrary.array_types import Array

TIMES = np.linspace(0.0, 0.6, 7)
ENDS = {"A": ("ground", "crank"), "B": ("crank", "coupler"), "C": ("coupler", "rocker"), "D": ("rocker", "ground")}
LINE = ((-9.0, 1.2), (9.0, 1.2))
FORCES = [
    gk.Spring("spring", ("ground", "rocker"), ("A", (3.1, 1.0)), 40.0, damping=2.0, preload=3.0),
    gk.JointSpring("torsion", "C", stiffness=2.0, position=0.1, damping=0.3, preload=0.2),
    gk.Force("push", "rocker", "C", (3.0, 1.0)),
    gk.Torque("motor", "coupler", 0.7),
    gk.JointForce("seal", "D", 0.4),
    gk.JointFriction("brake", "D", 0.5, damping=0.1),
    gk.Friction("bearing", "B", 0.1, radius=0.05),
    gk.Bushing("mount", ("ground", "coupler"), (1.5, 2.0), (4.0, 5.0), ((1.0, 0.2), (0.2, 2.0)), 3.0, 0.4),
    gk.Contact("table", ("ground", "coupler"), (1.5, 1.9), 0.8, line=LINE, stiffness=50.0, damping=0.1, coefficient=0.2),
    gk.Stop("bump", "D", stiffness=5.0, damping=0.1),
]


@cache
def planar() -> gk.Mechanism:
    bodies = [
        "ground",
        gk.Body("crank", mass=1.0, center=(0.1, 0.5), inertia=0.1),
        gk.Body("coupler", mass=2.0, center="middle", inertia=0.2, points=["P"]),
        gk.Body("rocker", mass=1.5, center="C", inertia=30.0, about="D"),
    ]
    joints = [gk.Joint(x, "R", ends, point=x, range=(-0.05, 0.1) if x == "D" else None) for x, ends in ENDS.items()]
    points = {"A": (0.0, 0.0), "B": (0.0, 1.0), "C": (3.0, 2.5), "D": (3.0, 0.0), "P": (1.5, 3.0)}
    drivers = [gk.Driver("A", gk.Harmonic(0.4, 0.7, phase=0.3))]
    return gk.Mechanism(2, bodies, joints, drivers, points=points, gravity=(0.0, -9.81), forces=FORCES)


@cache
def spatial() -> gk.Mechanism:
    """A block that turns about a ball joint, with a tensor, and a force, torque and bushing in space."""
    inertia = {"xx": 0.3, "yy": 0.4, "zz": 0.5, "xy": 0.02}
    bodies = ["frame", gk.Body("block", mass=2.0, center=(0.2, 0.1, 0.3), inertia=inertia)]
    bodies.append(gk.Body("ball", mass=1.0, center=(1.0, 0.0, 0.0), inertia=0.05))
    joints = [
        gk.Joint("S", "S", ("frame", "block"), point=(0, 0, 0)),
        gk.Joint("T", "S", ("block", "ball"), point=(1, 0, 0)),
    ]
    drivers = [gk.Driver(x, gk.Ramp(1.0 + k), f) for x in "ST" for k, f in enumerate(("angle_x", "angle_y", "angle_z"))]
    forces = [
        gk.Force("push", "block", (0.3, 0.0, 0.1), (1.0, 2.0, 3.0), axes="block"),
        gk.Torque("twist", "ball", (0.1, 0.2, 0.3)),
        gk.Bushing("mount", ("frame", "block"), (0.1, 0.1, 0.0), 40.0, torsion=(1.0, 2.0, 3.0), torsion_damping=0.1),
    ]
    return gk.Mechanism(3, bodies, joints, drivers, gravity=(0, 0, -9.81), forces=forces)


def with_body(mechanism: gk.Mechanism, name: str, **changes: Any) -> gk.Mechanism:
    return replace(mechanism, bodies=[replace(x, **changes) if x.name == name else x for x in mechanism.body.values()])


def with_force(mechanism: gk.Mechanism, name: str, **changes: Any) -> gk.Mechanism:
    return replace(mechanism, forces=[replace(x, **changes) if x.name == name else x for x in mechanism.forces])


Made = Callable[[float], gk.Mechanism]


def of_force(text: str, nominal: float, unit: str, made: Callable[[float], Any] = float) -> Any:
    field, term = text.split()
    changed = lambda x: with_force(planar(), term.partition(".")[0], **{field: made(x)})  # noqa: E731
    return pytest.param(planar, text, nominal, unit, changed, id=text)


def of_body(text: str, nominal: float, unit: str, **made: Callable[[float], Any]) -> Any:
    name = text.split()[1].partition(".")[0]
    changed = lambda x: with_body(planar(), name, **{key: value(x) for key, value in made.items()})  # noqa: E731
    return pytest.param(planar, text, nominal, unit, changed, id=text)


def in_space(text: str, nominal: float, unit: str, body: bool, **made: Callable[[float], Any]) -> Any:
    name = text.split()[1].partition(".")[0]
    changing = with_body if body else with_force
    changed = lambda x: changing(spatial(), name, **{key: value(x) for key, value in made.items()})  # noqa: E731
    return pytest.param(spatial, text, nominal, unit, changed, id=f"space {text}")


NUMBERS = [
    of_body("mass crank", 1.0, "kg", mass=float),
    of_body("mass rocker", 1.5, "kg", mass=float),
    of_body("center crank.x", 0.1, "m", center=lambda x: (x, 0.5)),
    of_body("center coupler.y", 1.75, "m", center=lambda x: (1.5, x)),
    of_body("center rocker.x", 3.0, "m", center=lambda x: (x, 2.5)),
    of_body("inertia coupler", 0.2, "kg*m^2", inertia=float),
    of_body("inertia rocker", 30.0, "kg*m^2", inertia=float),
    of_force("stiffness spring", 40.0, "N/m"),
    of_force("damping spring", 2.0, "N*s/m"),
    of_force("preload spring", 3.0, "N"),
    of_force("length spring", float(np.hypot(3.1, 1.0)), "m"),
    of_force("stiffness torsion", 2.0, "N*m/rad"),
    of_force("position torsion", 0.1, "rad"),
    of_force("damping torsion", 0.3, "N*m*s/rad"),
    of_force("preload torsion", 0.2, "N*m"),
    of_force("force push.y", 1.0, "N", lambda x: (3.0, x)),
    of_force("torque motor", 0.7, "N*m"),
    of_force("force seal", 0.4, "N*m"),
    of_force("force brake", 0.5, "N*m"),
    of_force("damping brake", 0.1, "N*m*s/rad"),
    of_force("coefficient bearing", 0.1, "1"),
    of_force("radius bearing", 0.05, "m"),
    of_force("stiffness mount.x", 4.0, "N/m", lambda x: (x, 5.0)),
    of_force("damping mount.xy", 0.2, "N*s/m", lambda x: ((1.0, x), (x, 2.0))),
    of_force("torsion mount", 3.0, "N*m/rad"),
    of_force("torsion_damping mount", 0.4, "N*m*s/rad"),
    of_force("stiffness table", 50.0, "N/m^(3/2)"),
    of_force("radius table", 0.8, "m"),
    of_force("damping table", 0.1, "s/m"),
    of_force("coefficient table", 0.2, "1"),
    of_force("stiffness bump", 5.0, "N*m/rad"),
    of_force("damping bump", 0.1, "s/rad"),
    in_space("mass block", 2.0, "kg", True, mass=float),
    in_space("center block.z", 0.3, "m", True, center=lambda x: (0.2, 0.1, x)),
    in_space("inertia block.xx", 0.3, "kg*m^2", True, inertia=lambda x: {"xx": x, "yy": 0.4, "zz": 0.5, "xy": 0.02}),
    in_space("inertia block.xy", 0.02, "kg*m^2", True, inertia=lambda x: {"xx": 0.3, "yy": 0.4, "zz": 0.5, "xy": x}),
    in_space("inertia ball", 0.05, "kg*m^2", True, inertia=float),
    in_space("inertia ball.zz", 0.05, "kg*m^2", True, inertia=lambda x: (0.05, 0.05, x)),
    in_space("force push.z", 3.0, "N", False, force=lambda x: (1.0, 2.0, x)),
    in_space("torque twist.x", 0.1, "N*m", False, torque=lambda x: (x, 0.2, 0.3)),
    in_space("stiffness mount", 40.0, "N/m", False, stiffness=float),
    in_space("torsion mount.y", 2.0, "N*m/rad", False, torsion=lambda x: (1.0, x, 3.0)),
]
EACH = pytest.mark.parametrize(("made", "text", "nominal", "of_unit", "changed"), NUMBERS)

pytestmark = pytest.mark.filterwarnings("ignore::groupkin.errors.RangeWarning")
"""The stop acts beyond the range of its joint."""


def all_forces(motion: gk.Motion) -> Array:
    """Forces of drivers, and reactions, one after another."""
    forces = gk.inverse_dynamics(motion)
    joints = motion.program.mechanism.joint
    parts = [np.ravel(forces.driver(name)) for name in forces.drivers]
    return np.concatenate([*parts, *(np.ravel(forces.reaction(name).force) for name in joints)])


@pytest.mark.complete
@EACH
def test_a_design_has_the_forces_of_the_replaced_mechanism(
    made: Callable[[], gk.Mechanism], text: str, nominal: float, of_unit: str, changed: Made
) -> None:
    mechanism, x = made(), 1.25 * nominal
    design = gk.design(mechanism, [text])
    assert str(gk.parameter(text, mechanism)) == text
    assert gk.nominal_value(text, mechanism) == pytest.approx(nominal, rel=1e-15)
    assert unit(parse(text), design.program) == of_unit
    expected = all_forces(gk.solve(changed(x), TIMES))
    assert np.array_equal(all_forces(design.solve([x], TIMES)), expected)
    assert np.array_equal(all_forces(gk.solve(design.mechanism([x]), TIMES)), expected)
    without = all_forces(gk.solve(mechanism, TIMES))
    assert np.abs(without - expected).max() > 1e-6 * np.abs(expected).max()  # the number counts
    assert np.array_equal(all_forces(design.solve(design.nominal, TIMES)), without)
    # a table of the geometry goes beside
    both = gk.design(mechanism, [text, "joint S@block" if mechanism.dimension == 3 else "P"])
    motion = both.solve([x, *both.nominal[1:]], TIMES)
    assert np.abs(all_forces(motion) - expected).max() <= 1e-13 * np.abs(expected).max()


@pytest.mark.complete
@EACH
def test_a_sweep_has_the_forces_of_the_replaced_mechanisms(
    made: Callable[[], gk.Mechanism], text: str, nominal: float, of_unit: str, changed: Made
) -> None:
    driver = "driver A" if made is planar else "driver S.angle_x"
    values = [nominal, 1.25 * nominal]
    keep = [cluster.TimeHistory(driver, "load"), cluster.TimeHistory("velocity P" if made is planar else "velocity ball", "v")]
    found = cluster.solve(cluster.sweep(made(), [cluster.Parameter(text, cluster.Grid(values))], TIMES, keep))
    for k, x in enumerate(values):
        motion = gk.solve(changed(x), TIMES)
        assert np.array_equal(found["load"][k].values, gk.inverse_dynamics(motion).read(driver))
    assert np.array_equal(found["v"][0], found["v"][1])


def test_every_single_number_of_a_force_varies() -> None:
    named = {field for kind in KINDS.values() for field in kind.UNITS}
    assert set(OF_FORCES) == named - {"table", "damping_table", "speed", "exponent"}
    assert {parse(x.values[1]).field for x in NUMBERS} | {"efficiency"} >= {*OF_FORCES, "mass", "center", "inertia"}  # type: ignore[union-attr,arg-type]
