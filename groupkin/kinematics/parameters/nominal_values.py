"""Nominal values of parameters, their units, and the drivers whose laws they change."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import check_fields, checked
from groupkin.errors import ParameterError, shorter
from groupkin.kinematics.modes.modes import numbers
from groupkin.kinematics.parameters import locations
from groupkin.kinematics.parameters.load_numbers import load_unit, load_value
from groupkin.kinematics.parameters.named_values import changed_by
from groupkin.kinematics.parameters.parameters import (
    LOADS,
    AssemblyMode,
    Axis,
    JointPoint,
    LawValue,
    Length,
    LoadNumber,
    NamedValue,
    Point,
    Target,
    parse,
)
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import program as make
from groupkin.mechanism.constructions.construction import ANGLES
from groupkin.mechanism.laws.laws import Law
from groupkin.mechanism.mechanism import Mechanism
from groupkin.messages import hint, unknown
from groupkin.text_forms import written

Array = NDArray[np.float64]


@checked
def parameter(text: str | Target, mechanism: Mechanism | Program) -> Target:
    """Read the text form of a parameter of a mechanism, or check a parameter.

    Parameters
    ----------
    text : str or Target
        Such as ``C@coupler.x``, ``joint D``, ``length crank A-B``, ``offset pose.x`` or ``mode rocker``.
    mechanism : Mechanism or Program

    Returns
    -------
    Target

    Raises
    ------
    ParameterError, UnknownNameError, ModeError
        If it cannot be read, or the mechanism does not have it.
    """
    target = parse(text)
    nominal_value(target, mechanism)
    return target


@checked
def nominal_value(parameter: str | Target, mechanism: Mechanism | Program) -> Array:
    """Return the nominal value of a parameter, () or (d,): m, of an axis 1, of laws and loads in their units.

    Raises
    ------
    ParameterError, UnknownNameError, ModeError
        If it cannot be read, or there is no such thing in the mechanism.
    """
    target, program = parse(parameter), mechanism if isinstance(mechanism, Program) else make(mechanism)
    check_fields(target, ParameterError)
    match target:
        case Point() | JointPoint():
            location = locations.target_locations(program, target)[0]
            return _component(target, locations.coordinates_at(program.geometry, location), program)
        case Axis():
            joint, side = locations.axis_sides(target, program)[0]
            return _component(target, locations.axis_of(program, joint, side), program)
        case Length(body, between):
            if len(set(between)) != 2:
                raise ParameterError(f"`{shorter(str(target))}`: a length is between two different points")
            first, second = (locations.local_coordinates(program, body, point) for point in between)
            return np.array(np.linalg.norm(second - first))
        case LawValue():
            return law_value(program.drivers[driver_of(target, program)].law, target)
        case LoadNumber():
            return load_value(target, program)
        case NamedValue(name):
            changed_by(program, name)  # refuses what no design varies
            return np.array(float(program.mechanism.values[name]))
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
        case AssemblyMode():
            return "1"
        case LawValue(_, field, index):
            driven = program.drivers[driver_of(target, program)]
            return driven.law.unit(field, "rad" if driven.rotation else "m", index)
        case LoadNumber():
            return load_unit(target, program)
    return unit_of_dimension(target)


def unit_of_dimension(text: str | Target) -> str:
    """Return the unit of the values of a dimension or named value by its text.

    Raises
    ------
    ParameterError
        If it is a number of a law, a mass or a force, or a mode.
    """
    match parse(text):
        case LawValue() | LoadNumber() | AssemblyMode():
            raise ParameterError(f"`{text}` is no dimension; name a driven freedom, a dimension or a value by name")
        case Axis():
            return "1"
        case NamedValue(name):
            return value_unit(name)
    return "m"


def value_unit(name: str) -> str:
    """Return the unit of a value: of a number of a construction that of its field, else none, as it is given."""
    field = name.partition(".")[2].partition("[")[0]
    return "rad" if field in ANGLES else "m" if field and field != "share" else "1"


def scale(target: Target, program: Program) -> float:
    """Return the size, in its unit, by which changes of a parameter are small or large."""
    if unit(target, program) == "m":
        return program.geometry.size
    return abs(float(nominal_value(target, program))) or 1.0 if isinstance(target, NamedValue | LoadNumber) else 1.0


def driver_of(target: LawValue, program: Program) -> int:
    """Return the number of the driver whose law a parameter changes."""
    joints = program.mechanism.joint
    matching = [
        k
        for k, driven in enumerate(program.drivers)
        if target.joint in (driven.joint, getattr(joints[driven.joint].of, "name", None))
    ]
    if not matching:
        error = unknown("driven joint", target.joint, [driven.joint for driven in program.drivers])
        meant = f"{target.field} {target.joint}"
        near = hint(target.field, LOADS)
        if meant in program.mechanism.positions:
            error.args = (f"{error}; did you mean the point `{written(meant)}`?",)
        elif near and target.joint in (*program.mechanism.body, *(load.name for load in program.mechanism.forces)):
            error.args = (f"{error}; {target.field!r} is no number of a body or force{near}",)
        raise error
    if not target.freedom and len(matching) == 1:
        return matching[0]
    joint = joints[program.drivers[matching[0]].joint]
    names = [program.mechanism.freedoms(joint)[program.drivers[k].freedom].name for k in matching]
    if target.freedom not in names:
        raise ParameterError(f"joint {target.joint!r} is driven in {', '.join(names)}; name one as `freedom`")
    return matching[names.index(target.freedom)]


def law_value(law: Law, target: LawValue) -> Array:
    """Return the nominal value of a number of a law."""
    names = [name for name in law.numbers if name not in ("degree", "periodic")]
    kind = type(law).__name__
    if target.field not in names:
        raise ParameterError(
            f"the law of the driver of joint {target.joint!r} is a {kind} and has no {target.field!r}"
            f"{hint(target.field, names)}; it has {', '.join(names)}"
        )
    value = np.asarray(law.numbers[target.field], float)
    if value.ndim == 0 and target.index is None:
        return value
    if value.ndim == 0 or target.index is None or not 0 <= target.index < value.size:
        has = "is one number, without `index`" if value.ndim == 0 else f"needs an `index` from 0 to {value.size - 1}"
        raise ParameterError(f"{target.field!r} of the {kind} of joint {target.joint!r} {has}")
    if np.isnan(value[target.index]):
        raise ParameterError(f"pieces[{target.index}] of the {kind} of joint {target.joint!r} has no {target.field!r}")
    return np.asarray(value[target.index])
