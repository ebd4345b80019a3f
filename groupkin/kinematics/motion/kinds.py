"""Kinds of quantities: what can be read from a motion and from its forces, with units and rates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from groupkin.by_name import function
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.residuals import residuals
from sglibrary.array_types import Array

Of = Literal[
    "body or point", "body", "joint", "two points", "corner", "two bodies", "point and body", "two joints", "groups",
    "joints", "output", "robot", "output and driver",
]  # fmt: skip
"""What quantities are of."""

SEVERAL: dict[str, tuple[str, ...]] = {
    "two points": ("point", "point"),
    "corner": ("point", "point", "point"),
    "two bodies": ("body", "body"),
    "point and body": ("point", "body"),
    "two joints": ("joint", "joint"),
    "output and driver": ("output", "driver"),
}
"""What quantities are of that have several names, joined by hyphens."""


@dataclass(frozen=True)
class Kind:
    """A kind of quantities.

    Attributes
    ----------
    of : str
        What it is of: a body or a point, a body, a joint, two points, the corner at the second of three points, two
        bodies, a point and a body, two joints, or, where no name is given, everything: all groups or that of a body,
        all joints or one.
    unit : str
        Of a joint: what follows the unit of the freedom; of an output, that of its formula; of a robot, empty where it
        depends on what drives it.
    shape : str
        "number"; "vector"; "spin", a number in the plane and a vector in space; "matrix"; "freedoms"; "formula".
    read : callable
        Reads it from a motion, by the name, with times first.
    rate : str
        The kind that is its derivative by time; empty if there is none.
    dimension : {0, 2, 3}
        In which it is; 0 if in the plane and in space.
    like : str
        How one is written that has several names.
    """

    of: Of
    unit: str
    shape: Literal["number", "vector", "spin", "matrix", "freedoms", "formula"]
    read: Callable[[Any, Any], Array]
    rate: str = ""
    dimension: int = 0
    like: str = ""


def _conditioning(motion: Motion, body: str) -> Array:
    group = motion.program.structure.group_of[body].number - 1 if body else slice(None)
    return np.min(np.atleast_2d(motion.conditioning[group]), axis=0, initial=1.0)


def _computed(kind: str) -> Callable[[Motion, str | tuple[str, ...]], Array]:
    def read(motion: Motion, of: str | tuple[str, ...]) -> Array:
        from groupkin.kinematics.motion.outputs import read_computed
        from groupkin.kinematics.motion.quantities import Quantity

        return read_computed(motion, Quantity(kind, of))

    return read


def _by_jacobian(reader: str, *first: str) -> Callable[[Motion, Any], Array]:
    def read(motion: Motion, of: Any) -> Array:
        found: Array = function(f"groupkin.kinematics.jacobians.{reader}")(*first, motion, of)
        return found

    return read


INFLUENCE = "output_influence"
"""Kind of the derivatives of outputs by drivers."""


def _chain(
    names: tuple[str, ...], of: Of, unit: str, shape: str, like: str = "", dimension: int = 0
) -> dict[str, Kind]:
    """List a kind that is computed from others, and those that are its derivatives by time."""
    units = (unit, unit + "/s", unit + "/s^2") if unit != "1" else ("1", "1/s", "1/s^2")
    rates = (*names[1:], "")
    return {
        name: Kind(of, each, shape, _computed(name), rate, dimension, f"{name} {like}" if like else "")  # type: ignore[arg-type]
        for name, each, rate in zip(names, units, rates, strict=False)
    }


KINDS: dict[str, Kind] = {
    "position": Kind("body or point", "m", "vector", Motion.position, "velocity"),
    "velocity": Kind("body or point", "m/s", "vector", Motion.velocity, "acceleration"),
    "acceleration": Kind("body or point", "m/s^2", "vector", Motion.acceleration),
    "angle": Kind("body", "rad", "spin", Motion.angle, "angular_velocity"),
    "angular_velocity": Kind("body", "rad/s", "spin", Motion.angular_velocity, "angular_acceleration"),
    "angular_acceleration": Kind("body", "rad/s^2", "spin", Motion.angular_acceleration),
    "rotation": Kind("body", "1", "matrix", Motion.rotation),
    "joint": Kind("joint", "", "freedoms", lambda motion, joint: motion.joint(joint).T, "joint_rate"),
    "joint_rate": Kind(
        "joint", "/s", "freedoms", lambda motion, joint: motion.joint_rate(joint).T, "joint_acceleration"
    ),
    "joint_acceleration": Kind("joint", "/s^2", "freedoms", lambda motion, joint: motion.joint_acceleration(joint).T),
    **_chain(("distance", "distance_rate", "distance_acceleration"), "two points", "m", "number", "A-B"),
    **_chain(
        ("transmission_angle", "transmission_angle_rate", "transmission_angle_acceleration"),
        "corner",
        "rad",
        "number",
        "B-C-D",
    ),
    **_chain(
        ("relative_position", "relative_velocity", "relative_acceleration"),
        "point and body",
        "m",
        "vector",
        "P-body",
    ),
    **_chain(
        ("relative_angle", "relative_angular_velocity", "relative_angular_acceleration"),
        "two bodies",
        "rad",
        "number",
        "body-body",
        2,
    ),
    **_chain(("instant_center", "instant_center_rate"), "two bodies", "m", "vector", "body-body", 2),
    **_chain(("centrode", "centrode_rate"), "two bodies", "m", "vector", "body-body", 2),
    **_chain(("screw_point", "screw_point_rate"), "two bodies", "m", "vector", "body-body", 3),
    **_chain(("screw_direction", "screw_direction_rate"), "two bodies", "1", "vector", "body-body", 3),
    **_chain(("screw_pitch", "screw_pitch_rate"), "two bodies", "m/rad", "number", "body-body", 3),
    **_chain(("curvature",), "body or point", "1/m", "number"),
    **_chain(("curvature_center",), "body or point", "m", "vector"),
    **_chain(("pressure_angle", "pressure_angle_rate"), "point and body", "rad", "number", "P-body"),
    **_chain(("mechanical_advantage", "mechanical_advantage_rate"), "two joints", "", "number", "input-output"),
    "conditioning": Kind("groups", "1", "number", _conditioning),
    "residual": Kind("joints", "1", "number", residuals),
    **{
        kind: Kind("robot", unit, shape, _by_jacobian("robot_measures:read_robot", kind))  # type: ignore[arg-type]
        for kind, unit, shape in (
            ("dexterity", "1", "number"),
            ("condition_number", "1", "number"),
            ("smallest_singular_value", "", "number"),
            ("largest_singular_value", "", "number"),
            ("manipulability", "", "number"),
            ("stiffness", "N/m", "vector"),
            ("smallest_stiffness", "N/m", "number"),
            ("largest_stiffness", "N/m", "number"),
            ("worst_error", "m", "vector"),
            ("rss_error", "m", "vector"),
        )
    },
    "output": Kind("output", "", "formula", _computed("output")),
    "output_rate": Kind("output", "/s", "formula", _computed("output_rate")),
    "output_acceleration": Kind("output", "/s^2", "formula", _computed("output_acceleration")),
    INFLUENCE: Kind(
        "output and driver",
        "",
        "formula",
        _by_jacobian("outputs_by_drivers:read_influence"),
        like=f"{INFLUENCE} lean-A",
    ),
}
"""All kinds of quantities; those of bodies, points and joints are named as what `Motion` reads."""

RATES = {kind: each.rate for kind, each in KINDS.items() if each.rate}
"""Kinds of quantities, and those that are their derivatives by time."""


def origin(kind: str) -> tuple[str, int]:
    """Return the kind that another is a derivative of by time, itself if there is none, and the order."""
    order = 0
    while before := next((each for each, rate in RATES.items() if rate == kind), ""):
        kind, order = before, order + 1
    return kind, order


OF_ROBOTS = tuple(kind for kind, each in KINDS.items() if each.of == "robot")
"""Kinds of quantities of robots, which follow from where bodies are."""

FORCES: dict[str, Kind] = {
    "driver": Kind("joint", "", "freedoms", lambda forces, joint: forces.driving(joint)),
    "reaction": Kind("joint", "N", "vector", lambda forces, joint: forces.reaction(joint).force),
    "moment": Kind("joint", "N*m", "spin", lambda forces, joint: forces.reaction(joint).moment),
}
"""Kinds of quantities that are read from the forces of a motion (`groupkin.dynamics.reactions.forces.Forces`)."""

EVERY = KINDS | FORCES

BARE = ("position", "angle", "rotation", "joint", "output")
"""Kinds that a name without a kind may mean."""
