"""Names of two kinds that meet in one result: they are refused, or told apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.dynamics.reactions.labeled_forces import table as table_of_forces
from groupkin.errors import DuplicateNameError, ModeError
from groupkin.kinematics.motion.labeled_arrays import table

TIMES = [0.0, 0.1]


def crank(joint: str = "A", forces: Any = (), body: str = "crank", **changes: Any) -> gk.Mechanism:
    bodies = ["frame", gk.Body(body, mass=1.0, center=(1, 0), inertia=0.1)]
    joints = [gk.Joint(joint, "R", ("frame", body), point=(0, 0))]
    return gk.Mechanism(
        2, bodies, joints, [gk.Driver(joint, gk.Ramp(2.0))], gravity=(0, -9.81), forces=forces, **changes
    )


def slotted(other: str, **changes: Any) -> gk.Mechanism:
    """A pin in a slot, with two degrees of freedom, beside a hinge."""
    joints = [
        gk.Joint("slot", "CR", ("frame", "pin"), point=(0, 0), axis=(1, 0)),
        gk.Joint(other, "R", ("frame", "crank"), point=(0, 0)),
    ]
    names = ("displacement", "angle")
    drivers = [gk.Driver("slot", gk.Ramp(1.0), name) for name in names] + [gk.Driver(other, gk.Ramp(1.0))]
    return gk.Mechanism(2, ["frame", "pin", "crank"], joints, drivers, **changes)


def test_a_force_named_as_a_driver() -> None:
    """The power of both has a key in one dictionary, a place along one axis, and a curve of one name."""
    force = gk.JointForce("A", "A", force=3.0)
    with pytest.raises(DuplicateNameError, match="force 'A' has the name of a driver or actuator"):
        gk.inverse_dynamics(crank(forces=[force]), TIMES)
    power = gk.inverse_dynamics(crank(forces=[gk.JointForce("motor", "A", force=3.0)]), TIMES).power()
    assert power["motor"] == pytest.approx(6.0)  # N m times rad/s
    assert sum(power.values()) == pytest.approx(9.81 * 2.0 * np.cos([0.0, 0.2]))


def test_a_force_named_as_an_actuator() -> None:
    rocker = gk.Joint("B", "R", ("frame", "rocker"), point=(3, 0))
    joints = [*crank().joints, gk.Joint("C", "SPSP", ("crank", "rocker"), points=((1, 0), (3, 2))), rocker]
    force = gk.Torque("B", "rocker", 1.0)
    linkage = gk.Mechanism(2, [*crank().bodies, "rocker"], joints, crank().drivers, forces=[force])
    gk.inverse_dynamics(linkage, TIMES)
    with pytest.raises(DuplicateNameError, match="force 'B' has the name of a driver or actuator"):
        gk.inverse_dynamics(linkage, TIMES, actuators=["B"])


def test_a_joint_named_as_a_freedom_of_another() -> None:
    """Drivers, actuators, free coordinates and their start values are named so."""
    with pytest.raises(DuplicateNameError, match=r"joint 'slot.angle' has the name of the degree of freedom 'angle'"):
        slotted("slot.angle")
    slotted("slot.turn")
    crank("A.angle")  # a hinge alone is written without its degree of freedom


def test_a_joint_named_as_what_a_coupling_measures() -> None:
    coupling = gk.Coupling("tie", "{joint slot.angle} = {angle crank}")
    with pytest.raises(DuplicateNameError, match="joint 'angle crank' has the name of what coupling 'tie' measures"):
        slotted("angle crank", couplings=[coupling])


def test_axes_of_a_body_and_of_a_joint() -> None:
    force = gk.Force("push", "same", (1, 0), (1, 0), axes="same")
    with pytest.raises(DuplicateNameError, match="'same', which is the name of a body and of a joint"):
        crank("same", [force], "same")


def test_a_body_named_joint() -> None:
    forces = gk.inverse_dynamics(crank(body="joint"), TIMES)
    with pytest.raises(DuplicateNameError, match="and of a body of this name"):
        forces.reaction("A", axes="joint")
    assert forces.reaction("A", axes="frame").force == pytest.approx(forces.reaction("A").force)


def test_a_force_named_as_a_part_of_another() -> None:
    forces = [gk.Force("push", "crank", (1, 0), (3, 4)), gk.Torque("push.x", "crank", 5.0)]
    names, columns = table_of_forces(gk.inverse_dynamics(crank(forces=forces), TIMES))
    assert len(set(names)) == len(names)
    found = {name.partition(" [")[0]: column for name, column in zip(names, columns, strict=True)}
    assert [found[name][0] for name in ("force push.x", "force push.y", "force 'push.x'")] == [3.0, 4.0, 5.0]


def test_columns_of_joints_bodies_and_points() -> None:
    joints = [
        gk.Joint("crank", "R", ("frame", "crank"), point=(0, 0)),
        gk.Joint("joint crank", "R", ("crank", "rod"), point=(1, 0)),
    ]
    drivers = [gk.Driver("crank", gk.Ramp(1.0)), gk.Driver("joint crank", gk.Ramp(3.0))]
    names, _ = table(gk.solve(gk.Mechanism(2, ["frame", "crank", "rod"], joints, drivers), TIMES))
    assert len(set(names)) == len(names)
    assert {"crank.angle [rad]", "joint crank.angle [rad]", "joint joint crank.angle [rad]"} <= set(names)


def test_a_body_named_as_the_number_of_a_group() -> None:
    joints = [
        gk.Joint("A", "R", ("frame", "crank"), point=(0, 0)),
        gk.Joint("B", "R", ("crank", "rod"), point=(0, 1)),
        gk.Joint("C", "R", ("rod", "1"), point=(3, 2.5)),
        gk.Joint("D", "R", ("1", "frame"), point=(3, 0)),
    ]
    drivers = [gk.Driver("A", gk.Ramp(1.0))]
    with pytest.raises(ModeError, match="'1' is a body of group 2, and the number of another group"):
        gk.program(gk.Mechanism(2, ["frame", "crank", "rod", "1"], joints, drivers, modes={"1": 1}))
