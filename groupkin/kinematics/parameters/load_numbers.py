"""Numbers of masses and forces as parameters: their nominal values and units, and mechanisms with others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import floats
from groupkin.errors import ParameterError
from groupkin.kinematics.parameters.locations import Location, point_locations
from groupkin.kinematics.parameters.parameters import LOADS, OF_BODIES, OF_FORCES, LoadNumber
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.forces.forces import KINDS, Load, Spring
from groupkin.mechanism.forces.joint_inertia import JointInertia
from groupkin.mechanism.masses.mass_checks import MIDDLE, inertia_tensor
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.parts import Body
from groupkin.messages import hint, unknown
from groupkin.model.geometry.geometry import center, local_point
from groupkin.text_forms import written

Array = NDArray[np.float64]
Place = tuple[int, ...]

UNITS = {"mass": "kg", "center": "m", "inertia": "kg*m^2"}
"""Units of the numbers of bodies."""


def load_value(target: LoadNumber, program: Program) -> Array:
    """Return the nominal value of a number, () or, of a whole center, (d,).

    Raises
    ------
    ParameterError, UnknownNameError
    """
    stated = _stated(target, program)
    if target.field == "center" and not target.component:
        return stated
    return np.asarray(stated[_places(target, stated)[0]])


def load_unit(target: LoadNumber, program: Program) -> str:
    """Return the SI unit of a number."""
    if is_of_body(target, program.mechanism):
        return UNITS[target.field]
    load = _part(target, program.mechanism)
    assert not isinstance(load, Body)
    return load.unit_of(target.field, program.mechanism)


def changed_components(target: LoadNumber, program: Program) -> list[tuple[str, str, Place]]:
    """List the components that a number changes, each by field, name and place."""
    stated = _stated(target, program)
    if not target.component:  # one number for all axes is all components
        tensor = target.field == "inertia" and target.name in program.mechanism.body
        shape = (3, 3) if tensor and program.mechanism.dimension == 3 else stated.shape
        return [(target.field, target.name, place) for place in np.ndindex(shape)]
    return [(target.field, target.name, place) for place in _places(target, stated)]


def center_locations(target: LoadNumber, program: Program) -> list[Location]:
    """List where the points are stored that a varied center of mass is at nominally, and no longer goes along with."""
    mechanism = program.mechanism
    if target.field != "center":
        return []
    stated = mechanism.body[target.name].center
    if stated == MIDDLE and MIDDLE not in mechanism.positions:
        joints = mechanism.joints_of[target.name]
        return [("joint", joint.name, joint.bodies.index(target.name)) for joint in joints]
    return point_locations(program, target.name, stated) if isinstance(stated, str) else []


def with_load_numbers(program: Program, numbers: Mapping[LoadNumber, float]) -> Mechanism:
    """Return the mechanism of a program with other numbers of masses and forces.

    Raises
    ------
    MassError, ForceError
        If no body or force has such numbers.
    """
    mechanism = program.mechanism
    bodies, forces = dict(mechanism.body), {load.name: load for load in mechanism.forces}
    for target, x in numbers.items():
        parts: dict[str, Any] = bodies if is_of_body(target, mechanism) else forces
        stated = np.array(_value(target, parts[target.name], program))
        for place in _places(target, stated):
            stated[place] = x
        parts[target.name] = replace(parts[target.name], **{target.field: stated.tolist()})
    return replace(mechanism, bodies=tuple(bodies.values()), forces=tuple(forces.values()))


def is_of_body(target: LoadNumber, mechanism: Mechanism) -> bool:
    """Whether a number is of a body: an inertia is one of a joint where no body has the name, but such a force."""
    if target.field != "inertia" or target.name in mechanism.body:
        return target.field in OF_BODIES
    return not any(isinstance(load, JointInertia) and load.name == target.name for load in mechanism.forces)


def _part(target: LoadNumber, mechanism: Mechanism) -> Body | Load:
    """Return the body or force that a number is of."""
    if target.field not in LOADS:
        raise ParameterError(
            f"bodies and forces have no {target.field!r} that varies{hint(target.field, LOADS)}; they have "
            f"{', '.join(LOADS)}"
        )
    parts: dict[str, Any] = {load.name: load for load in mechanism.forces}
    parts = dict(mechanism.body) if is_of_body(target, mechanism) else parts
    if target.name not in parts:
        raise _no_such(target, mechanism, list(parts))
    part: Body | Load = parts[target.name]
    if not hasattr(part, target.field):
        kind = next(kind for kind, each in KINDS.items() if isinstance(part, each))
        known = [field for field in (*OF_FORCES, "inertia") if hasattr(part, field)]
        raise ParameterError(
            f"force {target.name!r} is a {kind}, which has no {target.field}; it has {', '.join(known)}"
        )
    return part


def _no_such(target: LoadNumber, mechanism: Mechanism, names: list[str]) -> Exception:
    """Make the error for a body or force that does not exist, with what may be meant."""
    error = unknown("body" if target.field in OF_BODIES else "force", target.name, names)
    beside = [
        load.name
        for load in mechanism.forces
        if hasattr(load, target.field) and target.name in (getattr(load, "joint", ""), getattr(load, "body", ""))
    ]
    meant = f"{target.field} {target.name}"
    if beside:
        error.args = (f"{error}; `{replace(target, name=beside[0])}` is that of the force at {target.name!r}",)
    elif meant in mechanism.positions:
        error.args = (f"{error}; did you mean the point `{written(meant)}`?",)
    return error


def _stated(target: LoadNumber, program: Program) -> Array:
    """Return what a number is a component of.

    Raises
    ------
    ParameterError, UnknownNameError
    """
    stated = _value(target, _part(target, program.mechanism), program)
    if target.component or target.field != "center":
        _places(target, stated)
    return stated


def _value(target: LoadNumber, part: Body | Load, program: Program) -> Array:
    """Return the value, vector or tensor that a body or force states."""
    where = f"{'body' if isinstance(part, Body) else 'force'} {part.name!r}"
    if isinstance(part, Body):
        return _of_body(target, part, program)
    value = getattr(part, target.field)
    if value is None and isinstance(part, Spring):  # free in the reference configuration
        ends = (local_point(program.mechanism, program.geometry, *end) for end in part.ends())
        return np.asarray(np.linalg.norm(np.subtract(*ends)))
    if value is None or (isinstance(value, tuple) and not value):
        raise ParameterError(f"`{target}`: {where} states no {target.field}; state it, so that it can vary")
    return floats(value)


def _of_body(target: LoadNumber, body: Body, program: Program) -> Array:
    """Return the mass, the local coordinates of the center, or the inertia of a body."""
    if body.center is None and target.field != "inertia":
        raise ParameterError(
            f"`{target}`: body {body.name!r} has no center of mass; give it a `mass` and a `center`, so that they can "
            "vary"
        )
    if target.field == "center":
        at = body.center
        return floats(at) if not isinstance(at, str | None) else center(program.mechanism, program.geometry, body.name)
    if target.field == "mass":
        return np.asarray(float(body.mass))
    d = program.mechanism.dimension
    one = d == 2 or (isinstance(body.inertia, int | float) and not target.component)
    return np.asarray(float(body.inertia)) if one else inertia_tensor(body, d)  # type: ignore[arg-type]


def _places(target: LoadNumber, stated: Array) -> list[Place]:
    """List where a component stands in a number, vector or symmetric tensor.

    Raises
    ------
    ParameterError
        If there is no such component.
    """
    axes = "xyz"[: max(stated.shape, default=1)]
    if stated.size == 1:
        places: dict[str, list[Place]] = {"": [(0,) * stated.ndim]}
    elif stated.ndim == 1:
        places = {axis: [(k,)] for k, axis in enumerate(axes)}
    else:
        pairs = [(i, j) for i in range(len(axes)) for j in range(i, len(axes))]
        places = {axes[i] + axes[j]: list(dict.fromkeys([(i, j), (j, i)])) for i, j in pairs}
    if target.component in places:
        return places[target.component]
    if stated.size == 1:
        raise ParameterError(f"`{target}`: {target.field} of {target.name!r} is one number; leave the component out")
    known = ", ".join(f"`{replace(target, component=each)}`" for each in places)
    raise ParameterError(f"`{target}`: {target.field} of {target.name!r} has several components: {known}")
