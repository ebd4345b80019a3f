"""The schema of inertias and forces in files, by pydantic: import this module only where it is needed."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Discriminator, Field, Tag, model_validator

from groupkin.mechanism.files.coupling_schema import Two
from groupkin.mechanism.files.curve_schema import Curve
from groupkin.mechanism.files.law_schema import Law
from groupkin.mechanism.files.schema_values import Coordinates, Name, Number, Part, Point, Positive, either, problem
from groupkin.mechanism.forces.pull import PULLS


class Moments(Part):
    """An inertia tensor in global axes; products are its components, with its sign."""

    xx: Number = 0.0
    """Moment about x."""
    yy: Number = 0.0
    """Moment about y."""
    zz: Number = 0.0
    """Moment about z."""
    xy: Number = 0.0
    """Component of the tensor, the negative of the product of inertia Σ m x y."""
    xz: Number = 0.0
    """Component of the tensor."""
    yz: Number = 0.0
    """Component of the tensor."""


Row = Annotated[
    Annotated[Number, Tag("a number")] | Annotated[list[Number], Tag("a list")],
    either("a number, or a row of a tensor"),
]

Inertia = Annotated[
    Annotated[Number, Tag("a number")] | Annotated[list[Row], Tag("a list")] | Annotated[Moments, Tag("a table")],
    either("a number, three moments, a tensor of three rows or a table of moments"),
]


class Columns(Part):
    """A table of two columns in a CSV file."""

    csv: Name
    """The CSV file, its path relative to this file."""
    columns: Annotated[list[Name], Field(min_length=2, max_length=2)] | None = None
    """Names of the columns; default: its two columns."""


Table = Annotated[
    Annotated[list[Two], Tag("a list")] | Annotated[Columns, Tag("a table")],
    either("a list of pairs, or a table with `csv`"),
]


class _Pulls(Part):
    """What pulls by a distance, an angle or their rates."""

    @model_validator(mode="after")
    def _stated(self) -> Self:
        if not self.model_fields_set.intersection(PULLS):
            raise problem(f"a spring needs at least one of {', '.join(map(repr, PULLS))}")
        return self


class Spring(_Pulls):
    """A spring and damper between points of two bodies."""

    type: Literal["spring"]
    name: Name
    """Name of the spring."""
    between: Annotated[list[Name], Field(min_length=2, max_length=2)]
    """The two bodies."""
    points: Annotated[list[Point], Field(min_length=2, max_length=2)]
    """A point on each."""
    stiffness: Number = 0.0
    """Force per length."""
    length: Annotated[Number, Field(ge=0)] | None = None
    """Distance of the points at which the spring is free; default: that in the reference configuration."""
    damping: Number = 0.0
    """Force times seconds per length."""
    preload: Number = 0.0
    """Pull at the free length; negative for a push."""
    table: Table | None = None
    """Pairs of distance and pull, or a CSV file of them: a spring that is not linear."""
    damping_table: Table | None = None
    """Pairs of the rate of the distance, per second, and pull, or a CSV file of them."""


class JointSpring(_Pulls):
    """A spring and damper at a freedom of a joint."""

    type: Literal["joint_spring"]
    name: Name
    """Name of the spring."""
    joint: Name
    """Name of the joint."""
    freedom: Name | None = None
    """Which of its freedoms; needed where it has several."""
    stiffness: Number = 0.0
    """Moment per angle, or force per length."""
    position: Number = 0.0
    """Coordinate of the freedom at which the spring is free."""
    damping: Number = 0.0
    """Moment times seconds per angle, or force times seconds per length."""
    preload: Number = 0.0
    """Moment or force at that position, against the freedom."""
    table: Table | None = None
    """Pairs of coordinate and moment or force against the freedom, or a CSV file of them."""
    damping_table: Table | None = None
    """Pairs of rate, per second, and moment or force against it, or a CSV file of them."""


class Factor(Part):
    """How a force changes with time."""

    law: Law | None = None
    """What the force is multiplied by, in seconds and without units; default: 1."""


class Force(Factor):
    """A force on a point of a body."""

    type: Literal["force"]
    name: Name
    """Name of the force."""
    body: Name
    """The body."""
    point: Point
    """The point."""
    force: Coordinates
    """Components."""
    axes: Name | None = None
    """A body, or a joint whose axes on its first body are meant, in which the components are; default: global axes."""


class Torque(Factor):
    """A torque on a body."""

    type: Literal["torque"]
    name: Name
    """Name of the torque."""
    body: Name
    """The body."""
    torque: Annotated[
        Annotated[Number, Tag("a number")] | Annotated[list[Number], Tag("a list")], either("a number or components")
    ]
    """One number in the plane, components in space."""
    axes: Name | None = None
    """A body, or a joint whose axes on its first body are meant, in which the components are; default: global axes."""


class JointForce(Factor):
    """A force or torque in a joint, of its first body on its second."""

    type: Literal["joint_force"]
    name: Name
    """Name of the force."""
    joint: Name
    """Name of the joint."""
    freedom: Name | None = None
    """Which of its freedoms; needed where it has several."""
    force: Number
    """Moment about an axis, or force along one."""


class JointFriction(Part):
    """Friction of a known size at a freedom of a joint."""

    type: Literal["joint_friction"]
    name: Name
    """Name of the friction."""
    joint: Name
    """Name of the joint."""
    freedom: Name | None = None
    """Which of its freedoms; needed where it has several."""
    force: Annotated[Number, Field(ge=0)] = 0.0
    """Dry friction: moment about an axis, or force along one."""
    damping: Annotated[Number, Field(ge=0)] = 0.0
    """Moment times seconds per angle, or force times seconds per length."""
    speed: Annotated[Number, Field(gt=0)] | None = None
    """Rate at which dry friction has 1/√2 of its size; default: 0.001 rad/s or m/s."""


class JointInertia(Part):
    """Inertia along a freedom of a joint, such as that of a rotor behind a gear."""

    type: Literal["joint_inertia"]
    name: Name
    """Name of the inertia."""
    joint: Name
    """Name of the joint."""
    freedom: Name | None = None
    """Which of its freedoms; needed where it has several."""
    inertia: Positive
    """Mass times length² about an axis, mass along one, in the units of the file."""


class Stop(Part):
    """An elastic stop at each end of the range of a joint."""

    type: Literal["stop"]
    name: Name
    """Name of the stop."""
    joint: Name
    """Name of the joint, which has a `range`."""
    freedom: Name | None = None
    """Which of its freedoms; needed where it has several."""
    stiffness: Positive
    """Moment per angle, or force per length, beyond an end."""
    damping: Annotated[Number, Field(ge=0)] = 0.0
    """Seconds per angle or length: what the push grows by with the rate at which it goes farther beyond."""


class Friction(Part):
    """Friction of a bearing, guide, ball or screw, from what the joint carries."""

    type: Literal["friction"]
    name: Name
    """Name of the friction."""
    joint: Name
    """Name of the joint, of type R, P, C, S or H."""
    coefficient: Annotated[Number, Field(ge=0)] = 0.0
    """Coefficient of friction."""
    radius: Annotated[Number, Field(gt=0)] | None = None
    """Radius at which the surfaces slide; all joints need it but slides."""
    length: Annotated[Number, Field(gt=0)] | None = None
    """Length of a guide, or distance of two bearings, which carry moments; default: moments are not considered."""
    axial: bool = False
    """A thrust bearing: friction by the force along the axis."""
    efficiency: Annotated[Number, Field(gt=0, le=1)] | None = None
    """Efficiency of a screw that moves a load, instead of the coefficient."""
    speed: Annotated[Number, Field(gt=0)] | None = None
    """Velocity at which friction has 1/√2 of its size; default: 0.001 m/s."""


Stiffness = Annotated[
    Annotated[Number, Tag("a number")] | Annotated[list[Number] | list[list[Number]], Tag("a list")],
    either("a number, one for each axis, or a matrix"),
]


class Bushing(Part):
    """An elastic bearing between two bodies."""

    type: Literal["bushing"]
    name: Name
    """Name of the bushing."""
    between: Annotated[list[Name], Field(min_length=2, max_length=2)]
    """The two bodies."""
    point: Point
    """Its middle."""
    stiffness: Stiffness = 0.0
    """Force per length, in global axes of the reference configuration, which are fixed in the first body."""
    damping: Stiffness = 0.0
    """Force times seconds per length."""
    torsion: Stiffness = 0.0
    """Moment per angle."""
    torsion_damping: Stiffness = 0.0
    """Moment times seconds per angle."""


class Contact(Part):
    """Contact of a circle, point or curve of one body with a line or curve of another, in the plane."""

    type: Literal["contact"]
    name: Name
    """Name of the contact."""
    between: Annotated[list[Name], Field(min_length=2, max_length=2)]
    """The body with the curve, and that with what touches it."""
    point: Point | None = None
    """Center of the circle; without it the second body has a curve or the line."""
    radius: Annotated[Number, Field(ge=0)] = 0.0
    """Radius of the circle; 0 for a point."""
    curve: Curve | None = None
    """A terrain, or a closed outline."""
    line: Annotated[list[Point], Field(min_length=2, max_length=2)] | None = None
    """The ends of a straight line, instead of a curve; of the second body if there is a curve as well."""
    curves: Annotated[list[Curve], Field(min_length=2, max_length=2)] | None = None
    """Instead of `curve` and `line`: one on each body."""
    stiffness: Positive
    """Force per length to the power of the exponent."""
    exponent: Annotated[Number, Field(ge=1, le=10)] = 1.5
    """1.5 as of Hertz, 1 for a linear spring."""
    damping: Annotated[Number, Field(ge=0)] = 0.0
    """Seconds per length: what the force grows by with the velocity of approach."""
    coefficient: Annotated[Number, Field(ge=0)] = 0.0
    """Coefficient of friction."""
    speed: Positive | None = None
    """Velocity at which friction has 1/√2 of its size; default: 0.001 m/s."""
    side: Literal["", "left", "right"] = ""
    """Where the first body's curve is free, as it runs; default: where most of the other body's is at the start."""


Load = Annotated[
    Spring
    | JointSpring
    | Force
    | Torque
    | JointForce
    | JointFriction
    | JointInertia
    | Friction
    | Bushing
    | Contact
    | Stop,
    Discriminator("type"),
]
