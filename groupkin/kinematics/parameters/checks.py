"""Which parameters of a mechanism can vary, alone and together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from groupkin.errors import NotModeledError, ParameterError
from groupkin.kinematics.parameters.load_numbers import center_locations, changed_components
from groupkin.kinematics.parameters.locations import axis_sides, component_index, target_locations
from groupkin.kinematics.parameters.named_values import changed_by, primitive_targets
from groupkin.kinematics.parameters.nominal_values import driver_of, group_number
from groupkin.kinematics.parameters.parameters import (
    AssemblyMode,
    Axis,
    Dimension,
    JointPoint,
    LawValue,
    Length,
    LoadNumber,
    NamedValue,
    Point,
    Target,
)
from groupkin.kinematics.program.program import Program


def check(targets: Sequence[Target], program: Program) -> None:
    """Refuse parameters that cannot vary together: two that change the same number, and geometry that cannot vary.

    Raises
    ------
    ParameterError, UnknownNameError, ModeError, NotModeledError
    """
    changed = [(target, _changed(target, program), _left(target, program)) for target in targets]
    for (first, numbers, left), (second, others, left_by) in combinations(changed, 2):
        named = isinstance(first, NamedValue) and isinstance(second, NamedValue) and first != second
        if (
            numbers & (others | left_by) or left & others
        ) and not named:  # numbers may follow from several named values
            raise ParameterError(f"parameters `{first}` and `{second}` change the same; drop one of them")
    _check_geometry(targets, program)


def _changed(target: Target, program: Program) -> frozenset[tuple[Any, ...]]:
    """Return keys of the numbers that a parameter changes."""
    where: Sequence[tuple[Any, ...]]
    match target:
        case Length(body, between):
            return frozenset([(body, *sorted(between))])
        case AssemblyMode():
            return frozenset([("mode", group_number(target, program))])
        case LawValue(_, field, index):
            return frozenset([("law", driver_of(target, program), field, index)])
        case LoadNumber():
            return frozenset(changed_components(target, program))
        case Axis():
            sides = axis_sides(target, program)
            where = [*sides, *(("axis", joint, 2 * side + end) for joint, side in sides for end in (0, 1))]
        case NamedValue(name):
            return frozenset().union(*(_changed(each, program) for each in changed_by(program, name)))
        case _:
            where = target_locations(program, target)
    components = [component_index(target, program)] if target.component else range(program.mechanism.dimension)
    return frozenset((*location, k) for location in where for k in components)


def _left(target: Target, program: Program) -> frozenset[tuple[Any, ...]]:
    """Return keys of the coordinates of points at which a center of mass is nominally, where it varies by itself."""
    found = center_locations(target, program) if isinstance(target, LoadNumber) else []
    return frozenset((*location, k) for location in found for k in range(program.mechanism.dimension))


def _check_geometry(targets: Sequence[Target], program: Program) -> None:
    """Refuse geometry that cannot vary."""
    mechanism, targets = program.mechanism, primitive_targets(program, targets)
    if not any(isinstance(target, Dimension) for target in targets):
        return
    cam = next((joint.name for joint in mechanism.joints if mechanism.form(joint).curved), None)
    if cam is not None:
        raise NotModeledError(
            f"joint {cam!r} is a cam (L): the geometry of a mechanism with cams cannot be varied; vary its "
            "drivers, or solve the mechanisms one by one"
        )
    eased = eased_joints(program)
    coupled = any(mechanism.form(mechanism.joint[name]).coupled for name in eased)
    if coupled or (eased and any(_turns_axes(target, program) for target in targets)):
        raise NotModeledError(
            f"joints {', '.join(eased)} repeat rows of others, so that the mechanism moves though it is over-"
            "constrained: its axes, and geometry with gears or screws among these joints, cannot be varied"
        )


def _turns_axes(target: Target, program: Program) -> bool:
    """Return True for an axis, and for a point through which one goes."""
    if isinstance(target, Length):
        return any(joint.axis_points for joint in program.mechanism.joints_of[target.body])
    if isinstance(target, Point | JointPoint):
        named = {name for joint in program.mechanism.joints for name in joint.axis_points or ()}
        return getattr(target, "point", "") in named or any(k == "axis" for k, *_ in target_locations(program, target))
    return isinstance(target, Axis)


def eased_joints(program: Program) -> tuple[str, ...]:
    """List the eased joints, which other dimensions may open."""
    return tuple(joint.name for redundancy in program.structure.redundancies for joint in redundancy.eased)
