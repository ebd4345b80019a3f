"""The mechanism of a design, stated anew: bodies, points and axes where they are in a reference configuration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from groupkin.errors import NotAssembledError, NotModeledError
from groupkin.kinematics.changed.changed_program import changed_program, told
from groupkin.kinematics.parameters.named_values import changes_loads_alone
from groupkin.kinematics.parameters.parameters import Target
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import program as make
from groupkin.mechanism.forces.force import Force
from groupkin.mechanism.forces.torque import Torque
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.values import evaluated
from groupkin.model.geometry.assembly import moved
from groupkin.model.geometry.geometry import Geometry, resolve
from groupkin.model.geometry.moved_loads import Move, moved_ones, with_moved_loads
from groupkin.structure.idle_spins import idle_spins
from groupkin.tolerances import CLOSED_JOINT, ROUNDING, SAME_MOTION
from sglibrary.array_types import Array


def changed_mechanism(program: Program, targets: Sequence[Target], values: Array) -> Mechanism:
    """Make the mechanism of a design, with its drivers at their nominal reference values.

    Parameters
    ----------
    program : Program
        The nominal one.
    targets : sequence of Target
    values : (parameters,) array

    Raises
    ------
    ParameterError
    NotAssembledError
        If it cannot be assembled there.
    NotModeledError
        If the mechanism has cams.
    """
    changed, where = changed_program(program, targets, values), told(program, targets, values)
    mechanism = changed.mechanism
    if changes_loads_alone(program, targets):
        return _with_ends(mechanism, changed.named)
    if any(mechanism.form(joint).curved for joint in mechanism.joints):
        raise NotModeledError(f"{mechanism.name} has cams, whose curves cannot be stated anew; use design.solve")
    placed = changed.evaluate([driven.reference for driven in changed.drivers])
    if not placed.solved.all():
        raise NotAssembledError(
            f"{mechanism.name} with {where} cannot be assembled with its drivers at their reference values; choose "
            "values closer to the nominal ones",
            {},
        )
    poses = {body: (placed.position(body)[0], placed.rotation(body)[0]) for body in mechanism.movable}
    geometry = moved(mechanism, changed.geometry, poses)
    coordinates = {
        joint.name: placed.joint(joint.name)[:, 0] if mechanism.freedoms(joint) else np.zeros(0)
        for joint in mechanism.joints
    }
    stated = _stated(mechanism, geometry, coordinates)
    moves = {body: Move(turn, at - turn @ changed.geometry.origins[body]) for body, (at, turn) in poses.items()}
    moves = moved_ones(moves, geometry.size)
    loaded = with_moved_loads(mechanism, changed.geometry, moves, lengths=True)
    masses = zip(stated.body.values(), loaded.body.values(), strict=True)
    bodies = [replace(x, center=y.center, inertia=y.inertia, about=y.about) for x, y in masses]
    stated = replace(stated, bodies=bodies, forces=loaded.forces)
    drivers = [
        replace(driver, law=changed.drivers[_number(changed, mechanism, driver)].law) for driver in mechanism.drivers
    ]
    stated = _with_ends(replace(stated, drivers=drivers), changed.named)
    stated = replace(stated, forces=[_in_own_axes(load, geometry, resolve(stated), where) for load in stated.forces])
    _require_same(stated, changed, where, {body: turn for body, (_, turn) in poses.items()})
    return stated


def _in_own_axes(load: Any, placed: Geometry, own: Geometry, where: str) -> Any:
    """State a vector along the axes of a joint by those that the stated joint has, some of which are derived anew.

    Raises
    ------
    NotModeledError
        If it is a function.
    """
    if not isinstance(load, Force | Torque) or load.axes not in own.joints or len(own.joints[load.axes].frames[0]) == 2:
        return load
    turn = own.joints[load.axes].frames[0].T @ placed.joints[load.axes].frames[0]
    if np.abs(turn - np.eye(3)).max() <= ROUNDING:
        return load
    if load.function is not None:
        raise NotModeledError(
            f"force {load.name!r} is a function in axes of {load.axes}, which are others with {where}; use the "
            "motion of design.solve"
        )
    if isinstance(load, Force):
        return replace(load, force=tuple((turn @ np.asarray(load.force)).tolist()))
    return replace(load, torque=tuple((turn @ np.asarray(load.torque)).tolist()))


def _with_ends(mechanism: Mechanism, named: Mapping[str, float]) -> Mechanism:
    """State the ends of ranges as numbers, as they follow from named values."""

    def ends(stated: Any) -> Any:
        if isinstance(stated, Mapping):
            return {name: ends(each) for name, each in stated.items()}
        return stated and tuple(map(float, evaluated(stated, named)))

    joints = [replace(joint, range=ends(joint.range)) for joint in mechanism.joints]
    return replace(mechanism, joints=joints, ranges=ends(mechanism.ranges))


def _require_same(stated: Mechanism, changed: Program, where: str, turned: Mapping[str, Array]) -> None:
    """Refuse a mechanism that moves otherwise than the design, as where a driven joint has frames of no axis.

    Its bodies have turned so far in the reference configuration; those that spin idly may turn otherwise.

    Raises
    ------
    NotModeledError
    """
    program = make(stated)
    values = [driven.reference + 0.01 * unit for driven, unit in zip(changed.drivers, program.units, strict=True)]
    one, other = program.evaluate(values), changed.evaluate(values)
    gaps = [np.abs(one.position(body) - other.position(body)).max() for body in stated.movable]
    idle = {body for spin in idle_spins(stated) for body in spin.bodies} if stated.dimension == 3 else set[str]()
    turns = [
        np.abs(one.rotation(body) @ turned[body] - other.rotation(body)).max()
        for body in stated.movable
        if body not in idle
    ]
    most = max([*gaps, *(program.geometry.size * turn for turn in turns)], default=0.0)
    if not most <= SAME_MOTION * program.geometry.size:
        raise NotModeledError(
            f"{stated.name} with {where} cannot be stated as a mechanism: a driven joint would count its coordinates "
            "along other directions; use the motion of design.solve"
        )


def _number(program: Program, mechanism: Mechanism, driver: Any) -> int:
    """Find the number of a driver in the program."""
    index = next(k for k, each in mechanism.driven[driver.joint].items() if each is driver)
    return next(k for k, each in enumerate(program.drivers) if (each.joint, each.freedom) == (driver.joint, index))


def _stated(mechanism: Mechanism, geometry: Geometry, coordinates: Mapping[str, Array]) -> Mechanism:
    """State a geometry as a mechanism: names where points are still one, coordinates elsewhere.

    Parameters
    ----------
    mechanism : Mechanism
        The nominal one.
    geometry : Geometry
        In the new reference configuration.
    coordinates : mapping of str to (freedoms,) array
        Of all joints there, m and rad.
    """
    positions = mechanism.positions.items()
    points = {name: geometry.points[name][1] if name in geometry.points else at for name, at in positions}

    def stated(at: Array, name: object) -> Any:
        """A point: its name, if it is still there."""
        near = isinstance(name, str) and np.abs(at - points[name]).max() <= ROUNDING * geometry.size
        return name if near else tuple(at.tolist())

    def on_joint(joint: Joint) -> dict[str, Any]:
        found = geometry.joints[joint.name]
        ends = zip(_ends(mechanism, geometry, joint), joint.ends, strict=True)
        first, second = (stated(at, name) for at, name in ends)
        apart = np.abs(found.points[0] - found.points[1]).max() > CLOSED_JOINT * geometry.size
        changed: dict[str, Any] = {"point": first, "points": None}
        if joint.points is not None or apart:
            changed = {"point": None, "points": (first, second)}
        if joint.axes is not None:
            changed["axes"] = tuple(tuple(_axis(mechanism, geometry, joint, side).tolist()) for side in (0, 1))
        elif joint.axis is not None:
            changed["axis"] = tuple(_axis(mechanism, geometry, joint, 0).tolist())
        freedoms = mechanism.freedoms(joint)
        changed["reference"] = {
            freedom.name: float(x)
            for freedom, x in zip(freedoms, coordinates[joint.name], strict=True)
            if freedom.rotation and x
        }
        return changed

    joints = [replace(joint, **on_joint(joint)) for joint in mechanism.joints]
    bodies = []
    for body in mechanism.body.values():
        names = [name for name, (carrier, _) in geometry.points.items() if carrier == body.name]
        origin = stated(geometry.origins[body.name], body.origin)
        bodies.append(replace(body, points=tuple(names), lengths={}, origin=origin))
    at = {name: tuple(x.tolist()) for name, x in points.items()}
    return replace(mechanism, bodies=bodies, joints=joints, points=at, modes={})


def _ends(mechanism: Mechanism, geometry: Geometry, joint: Joint) -> tuple[Array, Array]:
    """Return the points of a joint on both bodies; that of a line is stored at the height of the wheel's center."""
    found, form = geometry.joints[joint.name], mechanism.form(joint)
    first, second = found.points
    if form.frames == "line" and form.raised and found.coupling is not None:
        first = first - found.coupling[1] * found.frames[0][:, 1]
    return first, second


def _axis(mechanism: Mechanism, geometry: Geometry, joint: Joint, side: int) -> Array:
    """Return the axis of a joint on one of its bodies."""
    along = mechanism.dimension == 2 or (
        joint.axes is not None and mechanism.form(joint).frames in ("axis", "line") and side == 0
    )
    axis: Array = geometry.joints[joint.name].frames[side][:, 0 if along else 2]
    return axis
