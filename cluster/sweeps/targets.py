"""Where points and axes that parameters change are kept in a geometry."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from cluster.sweeps.parameters import Axis, JointPoint, Point
from groupkin.errors import SweepError
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import nearest
from groupkin.model.geometry.geometry import Geometry

Array = NDArray[np.float64]
Spot = tuple[str, str, int]
"""Coordinates in a geometry: ("joint", name, side), ("origin", body, 0) or ("point", name, 0)."""


FEW = 12
"""Names that a message lists, at most."""


def unknown(kind: str, name: str, known: Sequence[str]) -> SweepError:
    """The error for a name that does not exist, with those that look like it, or all of them if they are few."""
    near = nearest(name, list(known))
    there = f"; there are {', '.join(known)}" if 0 < len(known) <= FEW else ""
    return SweepError(f"there is no {kind} {name!r}" + (f"; did you mean {near}?" if near else there))


def component_of(target: Point | JointPoint | Axis, program: Program) -> int:
    """Number of the component that a parameter names."""
    axes = "xyz"[: program.mechanism.dimension]
    if target.component not in tuple(axes):
        raise SweepError(f"component must be {' or '.join(axes)}, not {target.component!r}")
    return axes.index(target.component)


def _joint_spots(mechanism: Mechanism) -> dict[tuple[str, str, int], str]:
    """For every joint and side: the name of the point there, "" of a point without one."""
    found = {}
    for joint in mechanism.joints:
        given = joint.points or (None if joint.type == "L" else joint.point, joint.point)
        for side, point in enumerate(given):
            found["joint", joint.name, side] = point if isinstance(point, str) else ""
    return found


def _origin_spots(mechanism: Mechanism) -> dict[str, Spot | str]:
    """For every body whose origin is a point: its name, or the spot of the joint that gives it."""
    found: dict[str, Spot | str] = {}
    for joint in mechanism.joints:
        for side, body in enumerate(joint.bodies):
            if body != mechanism.frame:
                found.setdefault(body, ("joint", joint.name, side))
    for part in mechanism.body.values():
        if part.origin is not None:
            found.pop(part.name, None)
            if isinstance(part.origin, str):
                found[part.name] = part.origin
    return found


@lru_cache(maxsize=1024)
def named(program: Program, body: str, point: str) -> list[Spot]:
    """Where the coordinates of a named point on a body are kept."""
    mechanism, geometry = program.mechanism, program.geometry
    spots: list[Spot] = [
        spot
        for spot, name in _joint_spots(mechanism).items()
        if name == point and mechanism.joint[spot[1]].bodies[spot[2]] == body
    ]
    origin = _origin_spots(mechanism).get(body)
    if origin == point or origin in spots:
        spots.append(("origin", body, 0))
    if point in geometry.points and geometry.points[point][0] == body:
        spots.append(("point", point, 0))
    return spots


@lru_cache(maxsize=1024)
def spots(target: Point | JointPoint, program: Program) -> list[Spot]:
    """Where the coordinates that a parameter changes are kept.

    Raises
    ------
    SweepError
    """
    mechanism = program.mechanism
    if target.body and target.body not in mechanism.body:
        raise unknown("body", target.body, list(mechanism.body))
    if isinstance(target, Point):
        if target.point not in mechanism.positions:
            raise unknown("named point", target.point, list(mechanism.positions))
        bodies = [target.body] if target.body else list(mechanism.body)
        found = [spot for body in bodies for spot in named(program, body, target.point)]
        if not found:
            on = [body for body in mechanism.body if named(program, body, target.point)]
            raise SweepError(f"point {target.point!r} is not on body {target.body!r}, but on {', '.join(on)}")
        return found
    found = []
    for joint, side in _sides(target, mechanism):
        spot, body = ("joint", joint.name, side), joint.bodies[side]
        if joint.type == "L":
            raise SweepError(f"joint {joint.name!r} is a cam: its geometry cannot be varied")
        if joint.points is not None and not target.body:
            raise SweepError(f"joint {joint.name!r} has a point on each of its bodies: name one of them as `body`")
        name = _joint_spots(mechanism)[spot]
        whole = named(program, body, name) if name else []
        pairs = {joint.name for joint, _ in _sides(target, mechanism)}
        if whole and all(other in pairs for kind, other, _ in whole if kind == "joint"):
            found += whole  # the name goes along where no other joint of the body has it
        else:
            found += [spot, *([("origin", body, 0)] if _origin_spots(mechanism).get(body) == spot else [])]
    return list(dict.fromkeys(found))


def _sides(target: JointPoint | Axis, mechanism: Mechanism) -> list[tuple[Joint, int]]:
    """The sides of a joint, or of the pairs of a joint of several bodies, that a parameter is about."""
    own = [joint for joint in mechanism.joints if target.joint in (joint.name, joint.of.name if joint.of else "")]
    if not own:
        raise unknown("joint", target.joint, [*mechanism.shared, *mechanism.joint])
    found = [(joint, side) for joint in own for side in (0, 1) if target.body in ("", joint.bodies[side])]
    if not found:
        bodies = dict.fromkeys(body for joint in own for body in joint.bodies)
        raise SweepError(f"joint {target.joint!r} is not on body {target.body!r}; it joins {', '.join(bodies)}")
    return found


def axes_of(target: Axis, program: Program) -> list[tuple[str, int]]:
    """The joints and sides whose frames turn."""
    found = []
    for joint, side in _sides(target, program.mechanism):
        if joint.axis is None and joint.axes is None:
            raise SweepError(f"joint {joint.name!r} ({joint.type}) has no axis that could be varied")
        if joint.axes is not None and not target.body:
            raise SweepError(f"joint {joint.name!r} has an axis on each of its bodies: name one of them as `body`")
        found.append((joint.name, side))
    return found


def axis_of(program: Program, joint: str, side: int) -> Array:
    """The axis of a joint in coordinates of one body, a unit vector."""
    own, d = program.mechanism.joint[joint], program.mechanism.dimension
    lying = d == 2 or (own.type in ("RP", "RW", "CR") and own.axes is not None and side == 0)
    return program.geometry.joints[joint].frames[side][:, 0 if lying else 2]


def place(geometry: Geometry, spot: Spot) -> Array:
    """Local coordinates (d,) that are kept at a spot, m."""
    kind, name, side = spot
    if kind == "joint":
        return geometry.joints[name].points[side]
    return geometry.origins[name] if kind == "origin" else geometry.points[name][1]


def local(program: Program, body: str, point: str) -> Array:
    """Local coordinates of a named point on a body."""
    if point not in program.mechanism.positions:
        raise unknown("named point", point, list(program.mechanism.positions))
    spots = named(program, body, point)
    if not spots and point not in program.mechanism.body[body].points:
        raise SweepError(f"point {point!r} is not on body {body!r}")
    return place(program.geometry, spots[0]) if spots else program.mechanism.positions[point]
