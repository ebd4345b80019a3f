"""Nominal values of parameters, and their units."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cluster.sweeps import locations
from cluster.sweeps.law_numbers import driver_of, law_value
from cluster.sweeps.parameters import AssemblyMode, Axis, JointPoint, LawValue, Length, Point, Target
from groupkin.errors import SweepError
from groupkin.kinematics.modes.modes import numbers
from groupkin.kinematics.program.program import Program

Array = NDArray[np.float64]


def nominal(target: Target, program: Program) -> Array:
    """Return the nominal value of a parameter, () or (d,).

    Raises
    ------
    SweepError
        If there is no such thing in the mechanism.
    """
    match target:
        case Point() | JointPoint():
            location = locations.target_locations(target, program)[0]
            return _component(target, locations.coordinates_at(program.geometry, location), program)
        case Axis():
            joint, side = locations.axis_sides(target, program)[0]
            return _component(target, locations.axis_of(program, joint, side), program)
        case Length(body, between):
            if len(set(between)) != 2:
                raise SweepError(f"a length is between two different points, not {' and '.join(between)}")
            first, second = (locations.local_coordinates(program, body, point) for point in between)
            return np.array(np.linalg.norm(second - first))
        case LawValue():
            return law_value(program.drivers[driver_of(target, program)].law, target)
        case AssemblyMode():
            return np.array(float(program.modes.get(group_number(target, program), 1)))


def _component(target: Point | JointPoint | Axis, vector: Array, program: Program) -> Array:
    """Return the component of a vector (d,) that a parameter changes, or all of it."""
    return np.asarray(vector[locations.component_index(target, program)]) if target.component else vector


def group_number(target: AssemblyMode, program: Program) -> int:
    """Return the number of the group whose assembly mode varies."""
    return next(iter(numbers(program.structure, {target.group: 1})))


def unit(target: Target, program: Program) -> str:
    """Return the unit of the values of a parameter."""
    match target:
        case Axis() | AssemblyMode():
            return "1"
        case LawValue(_, field, index):
            driven = program.drivers[driver_of(target, program)]
            return driven.law.unit(field, "rad" if driven.rotation else "m", index)
    return "m"
