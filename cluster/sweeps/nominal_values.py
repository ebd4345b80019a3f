"""Nominal values of parameters, and their units."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cluster.solving.sample_drivers import driver_of, law_value
from cluster.sweeps.parameters import Axis, JointPoint, LawValue, Length, Mode, Point, Target
from cluster.sweeps.targets import axes_of, axis_of, component_of, local, place, spots, unknown
from groupkin.errors import SweepError
from groupkin.kinematics.modes.modes import numbers
from groupkin.kinematics.program.program import Program

Array = NDArray[np.float64]


def nominal(target: Target, program: Program) -> Array:
    """The nominal value of a parameter, () or (d,).

    Raises
    ------
    SweepError
        If there is no such thing in the mechanism.
    """
    match target:
        case Point() | JointPoint():
            return component(target, place(program.geometry, spots(target, program)[0]), program)
        case Axis():
            joint, side = axes_of(target, program)[0]
            return component(target, axis_of(program, joint, side), program)
        case Length(body, between):
            if body not in program.mechanism.body:
                raise unknown("body", body, list(program.mechanism.body))
            if len(set(between)) != 2:
                raise SweepError(f"a length is between two different points, not {' and '.join(between)}")
            first, second = (local(program, body, point) for point in between)
            return np.array(np.linalg.norm(second - first))
        case LawValue():
            return law_value(program.drivers[driver_of(target, program)].law, target)
        case Mode(group):
            number = next(iter(numbers(program.structure, {group: 1})))
            return np.array(float(program.modes.get(number, 1)))


def component(target: Point | JointPoint | Axis, vector: Array, program: Program) -> Array:
    """The part of a vector (d,) that a parameter is about."""
    if not target.component:
        return vector
    return np.asarray(vector[component_of(target, program)])


def unit(target: Target, program: Program) -> str:
    """Unit of the values of a parameter."""
    match target:
        case Axis() | Mode():
            return "1"
        case LawValue(_, field):
            driven = program.drivers[driver_of(target, program)]
            if field in driven.law.AMPLITUDES:
                power = {"rate": "/s", "rates": "/s", "accelerations": "/s^2"}.get(field, "")
                power = f"/s^{target.index}" if field == "coefficients" and target.index else power
                return ("rad" if driven.rotation else "m") + power.replace("/s^1", "/s")
            return {"frequency": "Hz", "phase": "rad", "times": "s"}.get(field, "1")
    return "m"
