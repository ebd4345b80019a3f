"""What the named values of a mechanism change: geometry, laws, masses and forces, each as a parameter of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import ParameterError
from groupkin.kinematics.parameters.locations import target_locations
from groupkin.kinematics.parameters.parameters import (
    LOADS,
    Axis,
    JointPoint,
    LawValue,
    Length,
    LoadNumber,
    NamedValue,
    Point,
    Target,
)
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.forces.stop import Stop
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.values import UNKNOWN, Path, Value, evaluated, in_order, names, stated
from groupkin.messages import hint

Array = NDArray[np.float64]


@once_per_program
def changed_by(program: Program, name: str) -> dict[Target, Value]:
    """List the parameters that a named value changes, and their numbers as functions of it.

    Raises
    ------
    ParameterError
        If there is no such value, or it is also a number that designs do not vary, such as gravity.
    """
    mechanism = program.mechanism
    if name not in mechanism.values:
        raise ParameterError(
            f"{mechanism.name} has no value {name!r}{hint(name, mechanism.values)}; it has "
            f"{', '.join(map(repr, mechanism.values)) or 'none'}"
        )
    found: dict[Target, Value] = {}
    for path, value in stated(mechanism):
        if name in names(value):
            if path[0] == "ranges" or _is_end(mechanism, path):
                continue  # see `groupkin.kinematics.motion.ranges.Range.at`
            target = _target(mechanism, path)
            unwritten = isinstance(target, LoadNumber) and any(x.operation == UNKNOWN for x in in_order([value]))
            if target is None or unwritten:
                raise ParameterError(
                    f"value {name!r} is also in {_place(mechanism, path)}, which no design varies; give that a number "
                    "of its own, or make the mechanism anew with the other value"
                )
            if not isinstance(target, Point) or _is_carried(program, target):
                found[target] = value
    return found


def _is_end(mechanism: Mechanism, path: Path) -> bool:
    """Whether a number is an end of the range of a joint that no force stops, which is not changed with it."""
    stopped = [load.stopped(mechanism)[0] for load in mechanism.forces if isinstance(load, Stop)]
    match path:
        case ("joints", int(number), "range", *_):
            return mechanism.joints[number].name not in stopped
    return False


def _is_carried(program: Program, target: Point) -> bool:
    """Whether a point is on some body; others only help to construct points."""
    try:
        return bool(target_locations(program, target))
    except ParameterError:
        return False


def _target(mechanism: Mechanism, path: Path) -> Target | None:
    """Return the parameter that a number of the mechanism is; None if designs do not vary it."""
    match path:
        case ("points", str(name), int(k)) | ("bodies", int(), "points", str(name), int(k)):
            return Point(name, "", "xyz"[k])
        case ("joints", int(number), "point", int(k)):
            return JointPoint(mechanism.joints[number].name, "", "xyz"[k])
        case ("joints", int(number), "points", int(side), int(k)):
            joint = mechanism.joints[number]
            return JointPoint(joint.name, joint.bodies[side], "xyz"[k])
        case ("joints", int(number), "axis", int(k)):
            return Axis(mechanism.joints[number].name, "", "xyz"[k])
        case ("joints", int(number), "axes", int(side), int(k)):
            joint = mechanism.joints[number]
            return Axis(joint.name, joint.bodies[side], "xyz"[k])
        case ("bodies", int(number), "lengths", (str(first), str(second))):
            return Length(list(mechanism.body)[number], (first, second))
        case ("drivers", int(number), "law", *inside):
            driver = mechanism.drivers[number]
            match inside[1:] if inside[0] == "law" else inside:  # that of a law over another driver
                case ("pieces", int(k), str(field)) | (str(field), int(k)):
                    return LawValue(driver.joint, field, k, driver.freedom or "")
                case (str(field),):
                    return LawValue(driver.joint, field, None, driver.freedom or "")
        case ("bodies" | "forces" as kind, int(number), str(field), *inside) if field in LOADS:
            part: Any = list(mechanism.body.values())[number] if kind == "bodies" else mechanism.forces[number]
            return LoadNumber(field, part.name, _component(field, inside, getattr(part, field)))
    return None


def _component(field: str, inside: Sequence[Any], value: Any) -> str:
    """Write which component of a number of a mass or force stands at a place in it."""
    if inside and isinstance(inside[0], str):  # a moment of inertia by its name
        return inside[0]
    if not inside or len(value) == 1:
        return ""
    diagonal = field == "inertia" and len(inside) == 1  # three numbers are the moments about x, y and z
    return "".join("xyz"[k] for k in sorted([*inside, *inside] if diagonal else inside))


def _place(mechanism: Mechanism, path: Path) -> str:
    """Write where a number of the mechanism stands."""
    kind, number, *rest = path
    part = getattr(mechanism, str(kind))[number] if isinstance(number, int) else None
    name = getattr(part, "name", None) or getattr(part, "joint", None)
    return f"{kind} {name!r}: {' '.join(map(str, rest))}" if name else " ".join(map(str, path))


def named(targets: Iterable[Target], values: Iterable[Any]) -> dict[str, Any]:
    """List the numbers of those parameters that are named values."""
    return {target.name: x for target, x in zip(targets, values, strict=True) if isinstance(target, NamedValue)}


def primitive(program: Program, values: Mapping[Any, Any]) -> dict[Any, Any]:
    """Replace named values among parameters by the parameters that they change.

    Parameters
    ----------
    program : Program
    values : mapping of Target to (n,) or (n, d) array
        Their values, floats or traced numbers.
    """
    given = named(values, values.values())
    if not given:
        return dict(values)
    found = {target: x for target, x in values.items() if not isinstance(target, NamedValue)}
    changed: dict[Target, Value] = {}
    for name in given:
        changed |= changed_by(program, name)
    whole = _with_whole_axes(program, changed)
    like = next(iter(given.values()))
    numbers = evaluated(list(whole.values()), given)
    return found | {target: x + 0.0 * like for target, x in zip(whole, numbers, strict=True)}


def _with_whole_axes(program: Program, changed: Mapping[Target, float]) -> dict[Target, float]:
    """Add the components of axes that do not change: directions are given by components of any length."""
    found: dict[Target, float] = dict(changed)
    for target in changed:
        if isinstance(target, Axis):
            joint = program.mechanism.joint[target.joint]
            side = 0 if not target.body else joint.bodies.index(target.body)
            axis: Sequence[Any] = joint.axis if joint.axis is not None and not target.body else (joint.axes or ())[side]
            for k, x in enumerate(axis):
                found.setdefault(Axis(target.joint, target.body, "xyz"[k]), float(x))
    return found


def law_values(program: Program, targets: Sequence[Target], values: Iterable[Any]) -> dict[LawValue, Any]:
    """List the numbers of laws that parameters change, directly or by named values, with their values."""
    return _values_of(LawValue, program, targets, values)


def load_values(program: Program, targets: Sequence[Target], values: Iterable[Any]) -> dict[LoadNumber, Any]:
    """List the numbers of masses and forces that parameters change, likewise."""
    return _values_of(LoadNumber, program, targets, values)


T = TypeVar("T", bound=Target)


def _values_of(kind: type[T], program: Program, targets: Sequence[Target], values: Iterable[Any]) -> dict[T, Any]:
    given = dict(zip(targets, values, strict=True))
    if any(isinstance(target, NamedValue) for target in targets):
        changed = any(isinstance(target, kind) for target in primitive_targets(program, targets))
        given = primitive(program, given) if changed else {}
    return {target: x for target, x in given.items() if isinstance(target, kind)}


def changes_laws(program: Program, targets: Sequence[Target]) -> bool:
    """Tell whether parameters change laws of drivers."""
    return any(isinstance(target, LawValue) for target in primitive_targets(program, targets))


def changes_loads_alone(program: Program, targets: Sequence[Target]) -> bool:
    """Tell whether parameters change masses and forces, and nothing else but ends of ranges."""
    changed = primitive_targets(program, targets)
    return bool(changed) and all(isinstance(target, LoadNumber) for target in changed)


def primitive_targets(program: Program, targets: Sequence[Target]) -> list[Target]:
    """Replace named values by the parameters that they change."""
    found: dict[Target, None] = {}
    for target in targets:
        found |= dict.fromkeys(changed_by(program, target.name) if isinstance(target, NamedValue) else [target])
    return list(found)
