"""A mechanism with the bodies, joints and forces of its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from groupkin.errors import MechanismError, UnknownNameError
from groupkin.mechanism.parts import Joint
from groupkin.mechanism.subassemblies.move import Move, move_of
from groupkin.mechanism.subassemblies.moved_forces import moved_load
from groupkin.mechanism.subassemblies.moved_parts import moved_body, moved_driver, moved_joint
from groupkin.mechanism.subassemblies.part import Part
from groupkin.mechanism.suspensions import Suspension
from groupkin.mechanism.values import renamed
from groupkin.messages import hint


def with_parts(whole: Mapping[str, Any], parts: Sequence[Part], frame: str, dimension: int) -> dict[str, Any]:
    """Add the bodies, joints, drivers, points and forces of parts to those of a mechanism.

    Parameters
    ----------
    whole : mapping of str to sequence or mapping
        Fields of the mechanism: `bodies`, `joints`, `drivers`, `points`, `forces` and `suspensions`.
    parts : sequence of Part
    frame : str
        Body of the whole that is the frame of all parts.
    dimension : {2, 3}

    Raises
    ------
    MechanismError
        One of its subclasses, with the name of the part.
    """
    found = {key: dict(value) if isinstance(value, Mapping) else list(value) for key, value in whole.items()}
    bodies = [body.name for body in found["bodies"]]
    for part in parts:
        _check(part, dimension, bodies)
        move = move_of(part, frame, whole["points"], dimension)
        for key, added in _moved(move).items():
            found[key] = found[key] | added if isinstance(found[key], dict) else [*found[key], *added]
    return {key: value if isinstance(value, dict) else tuple(value) for key, value in found.items()}


def _check(part: Part, dimension: int, bodies: Sequence[str]) -> None:
    mechanism = part.mechanism
    if mechanism.dimension != dimension:
        raise MechanismError(
            f"part {part.name!r} is a mechanism in {mechanism.dimension} dimensions, the whole in {dimension}"
        )
    for kind in ("couplings", "outputs", "ranges", "modes", "gravity"):
        stated = mechanism.own_outputs if kind == "outputs" else getattr(mechanism, kind)
        if len(stated):
            raise MechanismError(
                f"part {part.name!r}: {mechanism.name} has {kind}, which a part cannot bring along, as they may name "
                "what is turned or mirrored: take them out of its file, and state them in the whole"
            )
    for own, other in part.same.items():
        if own not in mechanism.body:
            raise UnknownNameError(f"part {part.name!r} has no body {own!r}{hint(own, mechanism.body)}")
        if other not in bodies:
            raise UnknownNameError(f"part {part.name!r}: the whole has no body {other!r}{hint(other, bodies)}")


def _moved(move: Move) -> dict[str, Any]:
    """The bodies, joints, drivers, points and forces of a part."""
    mechanism, shared = move.part.mechanism, set(move.same)

    def own(name: str) -> str:
        """Name of a value: numbers of constructions, which are named after points, are the part's own."""
        return move.name(name) if "." in name and not name.startswith(f"{move.part.name}/") else name

    whole = {joint.name: joint for joint in (each.of or each for each in mechanism.joints)}
    inside = {name: joint for name, joint in whole.items() if not set(joint.bodies) <= shared}
    drivers = [moved_driver(move, driver) for driver in mechanism.drivers if _stated(move, driver.joint).name in inside]
    for load in mechanism.forces:
        if isinstance(joint := getattr(load, "joint", None), str) and _stated(move, joint).name not in inside:
            raise MechanismError(
                f"part {move.part.name!r}: force {load.name!r} acts in joint {joint!r}, which belongs to the whole: "
                "state it there"
            )
    return {
        "bodies": [moved_body(move, body) for body in mechanism.body.values() if body.name not in shared],
        "joints": [moved_joint(move, joint) for joint in inside.values()],
        "drivers": drivers,
        "points": {move.name(name): move.point(renamed(at, own)) for name, at in mechanism.points.items()},
        "forces": [moved_load(move, load) for load in mechanism.forces],
        "suspensions": [_wheel(move, wheel) for wheel in mechanism.suspensions],
    }


def _wheel(move: Move, wheel: Suspension) -> Suspension:
    """Name the points and bodies of a wheel as in the whole."""

    def both(names: Any) -> Any:
        return names if names is None or isinstance(names, str) else tuple(map(move.name, names))

    def freedom(name: str) -> str:
        joint, dot, own = name.rpartition(".") if name not in move.part.mechanism.joint else (name, "", "")
        return f"{move.name(joint)}{dot}{own}"

    return replace(
        wheel,
        center=move.name(wheel.center),
        axis=move.name(wheel.axis),
        contact=move.name(wheel.contact),
        steering=both(wheel.steering),
        spring=both(wheel.spring),
        carrier=wheel.carrier and move.body(wheel.carrier),
        travel=wheel.travel and freedom(wheel.travel),
        body=wheel.body and move.body(wheel.body),
        name=f"{move.part.name}/{wheel.name}" if wheel.name else move.part.name,
    )


def _stated(move: Move, joint: str) -> Joint:
    """The joint as it is stated, of which a pair may be one of several."""
    pair = move.part.mechanism.joint[joint]
    return pair.of or pair
