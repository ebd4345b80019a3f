"""Forces of parts, moved to where the parts are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from groupkin.errors import NotModeledError
from groupkin.mechanism.forces.bushing import Bushing
from groupkin.mechanism.forces.contact import Contact
from groupkin.mechanism.forces.force import Force
from groupkin.mechanism.forces.joint_force import JointForce
from groupkin.mechanism.forces.joint_spring import JointSpring
from groupkin.mechanism.forces.torque import Torque
from groupkin.mechanism.multi_joints import pair_name
from groupkin.mechanism.parts import Joint
from groupkin.mechanism.subassemblies.move import Move
from groupkin.mechanism.subassemblies.moved_parts import moved_curve


def moved_load(move: Move, load: Any) -> Any:
    """Move a force; names in it begin with that of the part."""
    if getattr(load, "function", None) is not None or (isinstance(load, Contact) and move.moved):
        what = "a contact, which turned or mirrored parts" if isinstance(load, Contact) else "a function, which parts"
        raise NotModeledError(
            f"part {move.part.name!r}: force {load.name!r} is {what} do not keep: state it in the whole"
        )
    changes: dict[str, Any] = {"name": move.name(load.name)}
    for key in ("body", "between"):
        if (stated := getattr(load, key, None)) is not None:
            changes[key] = move.body(stated) if isinstance(stated, str) else tuple(map(move.body, stated))
    for key in ("point", "points", "line"):
        if (stated := getattr(load, key, None)) is not None:
            several = key != "point"
            changes[key] = tuple(map(move.point, stated)) if several else move.point(stated)
    if (curve := getattr(load, "curve", None)) is not None:
        changes["curve"] = moved_curve(move, curve)
    if (curves := getattr(load, "curves", None)) is not None:
        changes["curves"] = tuple(moved_curve(move, each) for each in curves)
    if isinstance(joint := getattr(load, "joint", None), str):
        changes["joint"] = _joint_name(move, move.part.mechanism.joint[joint])
    return replace(load, **changes, **_directed(move, load))


def _joint_name(move: Move, joint: Joint) -> str:
    """Name a joint, or a pair of a joint of several bodies, as in the whole."""
    if joint.of is None:
        return move.name(joint.name)
    return pair_name(move.name(joint.of.name), (move.body(joint.bodies[0]), move.body(joint.bodies[1])))


def _directed(move: Move, load: Any) -> dict[str, Any]:
    """The numbers of a force that have a direction."""
    if isinstance(load, Force | Torque) and load.axes:
        own = load.axes in move.part.mechanism.body
        if move.moved and not own:
            raise NotModeledError(
                f"part {move.part.name!r}: force {load.name!r} is in axes of joint {load.axes!r}, which a turned or "
                "mirrored part does not keep: state it in axes of a body"
            )
        return _turned(move, load) | {"axes": move.body(load.axes) if own else move.name(load.axes)}
    if isinstance(load, Force | Torque):
        return _turned(move, load)
    if isinstance(load, JointSpring | JointForce):
        sign = move.sign(move.part.mechanism.joint[load.joint], load.freedom)
        return {} if sign > 0.0 else _reversed(load)
    if isinstance(load, Bushing) and move.moved:
        keys = ("stiffness", "damping", "torsion", "torsion_damping")
        return {key: _stiffness(move, getattr(load, key)) for key in keys}
    return {}


def _turned(move: Move, load: Force | Torque) -> dict[str, Any]:
    """Turn the components of a force or torque."""
    if isinstance(load, Force):
        return {"force": move.vector(load.force)}
    if isinstance(load.torque, int | float):
        return {"torque": -load.torque if move.part.mirror else load.torque}
    return {"torque": move.pseudovector(load.torque)}


def _reversed(load: JointSpring | JointForce) -> dict[str, Any]:
    """A force in a joint whose coordinate counts the other way."""
    if isinstance(load, JointForce):
        return {} if load.force is None else {"force": -load.force}
    tables = {key: tuple((-x, -y) for x, y in reversed(getattr(load, key))) for key in ("table", "damping_table")}
    return {"position": -load.position, "preload": -load.preload, **tables}


def _stiffness(move: Move, value: Any) -> Any:
    """Turn a stiffness of a bushing: a number, one for each axis, or a matrix."""
    if isinstance(value, int | float):
        return value
    one_each = isinstance(value[0], int | float)
    full = [[x if i == j else 0.0 for j in range(len(value))] for i, x in enumerate(value)] if one_each else value
    return move.tensor(full)
