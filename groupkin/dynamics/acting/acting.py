"""What forces of all kinds do along a motion, each by the module of its kind."""

from __future__ import annotations

from typing import Any

from groupkin.dynamics.acting import along_coordinates, bushings, contacts, on_bodies
from groupkin.dynamics.acting.loads import Acting, Array, Loads
from groupkin.kinematics.motion.motion import Motion
from groupkin.mechanism.forces.bushing import Bushing
from groupkin.mechanism.forces.contact import Contact
from groupkin.mechanism.forces.force import Force
from groupkin.mechanism.forces.forces import Load
from groupkin.mechanism.forces.joint_force import JointForce
from groupkin.mechanism.forces.joint_friction import JointFriction
from groupkin.mechanism.forces.joint_spring import JointSpring
from groupkin.mechanism.forces.spring import Spring
from groupkin.mechanism.forces.torque import Torque

MODULES: dict[type, Any] = {
    Spring: along_coordinates,
    JointSpring: along_coordinates,
    JointForce: along_coordinates,
    JointFriction: along_coordinates,
    Force: on_bodies,
    Torque: on_bodies,
    Bushing: bushings,
    Contact: contacts,
}
"""Modules with the functions `acting`, `add` and `coded` of a kind; `Friction` depends on more than the motion."""


def acting(motion: Motion, load: Load, velocities: bool) -> Acting:
    """Compute what a force does along a motion; without velocities no dampers act, but dry friction does."""
    found: Acting = MODULES[type(load)].acting(motion, load, velocities)
    return found


def add(loads: Loads, load: Load, amount: Array) -> None:
    """Add a force of the user to the loads, given its amount."""
    MODULES[type(load)].add(loads, load, amount)
