"""Locations in a geometry: where the points and axes that parameters change are stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import ParameterError, UnknownNameError, shorter
from groupkin.kinematics.parameters.parameters import Axis, JointPoint, Point
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.messages import unknown

if TYPE_CHECKING:
    from groupkin.kinematics.program.program import Program
    from groupkin.model.geometry.geometry import Geometry

Array = NDArray[np.float64]
Location = tuple[str, str, int]
"""Where a geometry stores a point: ("joint", name, side), ("origin", body, 0), ("point", name, 0), or, of an axis that
goes through it, ("axis", joint, 2 · side + end)."""


def component_index(target: Point | JointPoint | Axis, program: Program) -> int:
    """Return the index of the component that a parameter names."""
    axes = "xyz"[: program.mechanism.dimension]
    if target.component not in tuple(axes):
        raise ParameterError(f"`{shorter(str(target))}`: the component must be {' or '.join(axes)}")
    return axes.index(target.component)


def _point_names(mechanism: Mechanism) -> dict[Location, str]:
    """Map the location on every side of a joint to the name of its point, "" if it has none."""
    names = {}
    for joint in (*mechanism.joints, *mechanism.measuring):
        for side, point in enumerate(joint.ends):
            names["joint", joint.name, side] = point if isinstance(point, str) else ""
    return names


def _origins(mechanism: Mechanism) -> dict[str, Location | str]:
    """Map every body whose origin is a point to the name of the point, or to the location of that of a joint."""
    origins: dict[str, Location | str] = {}
    for joint in mechanism.joints:
        for side, name in enumerate(joint.bodies):
            if name != mechanism.frame:
                origins.setdefault(name, ("joint", joint.name, side))
    for body in mechanism.body.values():
        if body.origin is not None:
            origins.pop(body.name, None)
            if isinstance(body.origin, str):
                origins[body.name] = body.origin
    return origins


@once_per_program
def point_locations(program: Program, body: str, point: str) -> list[Location]:
    """List where the coordinates of a named point on a body are stored."""
    mechanism, geometry = program.mechanism, program.geometry
    joints = mechanism.joint | {joint.name: joint for joint in mechanism.measuring}
    locations: list[Location] = [
        location
        for location, name in _point_names(mechanism).items()
        if name == point and joints[location[1]].bodies[location[2]] == body
    ]
    origin = _origins(mechanism).get(body)
    if origin == point or origin in locations:
        locations.append(("origin", body, 0))
    if point in geometry.points and geometry.points[point][0] == body:
        locations.append(("point", point, 0))
    for joint in mechanism.joints_of[body]:
        if geometry.joints[joint.name].axis_points is not None:
            side, ends = joint.bodies.index(body), joint.axis_points or ()
            locations += [("axis", joint.name, 2 * side + end) for end, name in enumerate(ends) if name == point]
    return locations


@once_per_program
def target_locations(program: Program, target: Point | JointPoint) -> list[Location]:
    """List where the coordinates that a parameter changes are stored.

    Raises
    ------
    ParameterError, UnknownNameError
    """
    if target.body and target.body not in program.mechanism.body:
        raise unknown("body", target.body, list(program.mechanism.body))
    if isinstance(target, Point):
        return _named_point(target, program)
    return _joint_point(target, program)


def _named_point(target: Point, program: Program) -> list[Location]:
    """List where a named point is stored, on one body or on all that carry it."""
    mechanism = program.mechanism
    if target.point not in mechanism.positions:
        error = unknown("named point", target.point, list(mechanism.positions))
        remedy = JointPoint(target.point, target.body, target.component)
        joint = target.point in (*mechanism.joint, *mechanism.shared)
        raise UnknownNameError(f"{error}; the point of joint {target.point!r} is `{remedy}`") if joint else error
    bodies = [target.body] if target.body else list(mechanism.body)
    locations = [location for body in bodies for location in point_locations(program, body, target.point)]
    if not locations:
        carriers = [body for body in mechanism.body if point_locations(program, body, target.point)]
        raise ParameterError(f"point {target.point!r} is not on body {target.body!r}, but on {', '.join(carriers)}")
    return locations


def _joint_point(target: JointPoint, program: Program) -> list[Location]:
    """List where the point of a joint is stored, on one of its bodies or on all of them."""
    mechanism, locations = program.mechanism, []
    sides = _sides(target, mechanism)
    pairs = {joint.name for joint, _ in sides}
    for joint, side in sides:
        location, body = ("joint", joint.name, side), joint.bodies[side]
        if mechanism.form(joint).curved:
            raise ParameterError(f"joint {joint.name!r} is a cam: its geometry cannot be varied")
        if joint.points is not None and not target.body:
            raise ParameterError(f"joint {joint.name!r} has a point on each of its bodies: name one of them as `body`")
        name = _point_names(mechanism)[location]
        whole = point_locations(program, body, name) if name else []
        if whole and all(other in pairs for kind, other, _ in whole if kind in ("joint", "axis")):
            locations += whole  # the name goes along where no other joint of the body has it
        else:
            locations += [location, *([("origin", body, 0)] if _origins(mechanism).get(body) == location else [])]
    return list(dict.fromkeys(locations))


def _sides(target: JointPoint | Axis, mechanism: Mechanism) -> list[tuple[Joint, int]]:
    """List the sides of a joint, or of the pairs of a multi-joint, that a parameter changes."""
    joints = [joint for joint in mechanism.joints if target.joint in (joint.name, joint.of.name if joint.of else "")]
    if not joints:
        raise unknown("joint", target.joint, [*mechanism.shared, *mechanism.joint])
    sides = [(joint, side) for joint in joints for side in (0, 1) if target.body in ("", joint.bodies[side])]
    if not sides:
        bodies = dict.fromkeys(body for joint in joints for body in joint.bodies)
        raise ParameterError(f"joint {target.joint!r} is not on body {target.body!r}; it joins {', '.join(bodies)}")
    return sides


def axis_sides(target: Axis, program: Program) -> list[tuple[str, int]]:
    """List the joints and sides whose frames turn."""
    sides = []
    for joint, side in _sides(target, program.mechanism):
        if joint.axis is None and joint.axes is None:
            raise ParameterError(f"joint {joint.name!r} ({joint.type}) has no axis that could be varied")
        if joint.axes is not None and not target.body:
            raise ParameterError(f"joint {joint.name!r} has an axis on each of its bodies: name one of them as `body`")
        sides.append((joint.name, side))
    return sides


def axis_of(program: Program, name: str, side: int) -> Array:
    """Return the axis of a joint, a unit vector in coordinates of one body."""
    joint, d = program.mechanism.joint[name], program.mechanism.dimension
    first = d == 2 or (
        joint.axes is not None and program.mechanism.form(joint).frames in ("axis", "line") and side == 0
    )
    return program.geometry.joints[name].frames[side][:, 0 if first else 2]


def coordinates_at(geometry: Geometry, location: Location) -> Array:
    """Return the local coordinates (d,) that are stored at a location, m."""
    kind, name, side = location
    if kind == "joint":
        return geometry.joints[name].points[side]
    if kind == "axis":
        return np.asarray(geometry.joints[name].axis_points)[side // 2, side % 2]
    return geometry.origins[name] if kind == "origin" else geometry.points[name][1]


def local_coordinates(program: Program, body: str, point: str) -> Array:
    """Return the local coordinates (d,) of a named point on a body, m."""
    if body not in program.mechanism.body:
        raise unknown("body", body, list(program.mechanism.body))
    if point not in program.mechanism.positions:
        raise unknown("named point", point, list(program.mechanism.positions))
    locations = point_locations(program, body, point)
    if not locations and point not in program.mechanism.body[body].points:
        raise ParameterError(f"point {point!r} is not on body {body!r}")
    return coordinates_at(program.geometry, locations[0]) if locations else program.mechanism.positions[point]
