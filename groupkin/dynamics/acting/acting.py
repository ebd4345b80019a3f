"""What forces of all kinds do along a motion, each by the module of its kind."""

from __future__ import annotations

from typing import Any

from groupkin.dynamics.acting import along_coordinates, bushings, contacts, on_bodies
from groupkin.dynamics.acting.loads import Acting, Loads
from groupkin.kinematics.motion.motion import Motion
from groupkin.mechanism.forces.force import OnBody
from groupkin.mechanism.forces.forces import Bushing, Contact, Load, Spring
from groupkin.mechanism.forces.part import InJoint
from sglibrary.array_types import Array

MODULES: dict[type, Any] = {
    Spring: along_coordinates,
    InJoint: along_coordinates,
    OnBody: on_bodies,
    Bushing: bushings,
    Contact: contacts,
}
"""Modules with the functions `acting`, `add` and `coded` of kinds; `Friction` depends on more than the motion."""


def module_of(load: Load) -> Any:
    """Return the module that computes a force."""
    return next(module for kind, module in MODULES.items() if isinstance(load, kind))


def acting(motion: Motion, load: Load, velocities: bool) -> Acting:
    """Compute what a force does along a motion; without velocities no dampers act, but dry friction does."""
    found: Acting = module_of(load).acting(motion, load, velocities)
    return found


def add(loads: Loads, load: Load, amount: Array) -> None:
    """Add a force of the user to the loads, given its amount."""
    module_of(load).add(loads, load, amount)
