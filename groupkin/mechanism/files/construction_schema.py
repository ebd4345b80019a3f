"""The schema of constructed points in files, by pydantic: import this module only where it is needed.

The tables are named, and their fields, as in `groupkin.mechanism.constructions`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from groupkin.mechanism.files.schema_values import Coordinates, Name, Number, Part, Positive

Line = Annotated[list[Name], Field(min_length=2, max_length=2)]


class Polar(Part):
    """A point at a distance and an angle from another."""

    start: Name = Field(alias="from")
    """The other point."""
    length: Number
    """Distance."""
    angle: Number
    """Angle from the x axis or from a line, counterclockwise; in space in the xy plane."""
    line: Line | None = None
    """Two points, from the direction of whose line the angle counts; in the plane."""
    elevation: Number = 0.0
    """Angle from the xy plane toward z, in space."""


class Circles(Part):
    """A point at given distances from two others in the plane, from three in space."""

    centers: list[Name] = Field(alias="from")
    """The other points."""
    lengths: list[Positive]
    """Distances from them."""
    side: Literal["left", "right"] = "left"
    """Side of the line from the first to the second; of three, left is where they are seen counterclockwise."""


class Along(Part):
    """A point on the line through two others."""

    line: Line = Field(alias="on")
    """The two points."""
    distance: Number | None = None
    """Distance from the first toward the second."""
    share: Number | None = None
    """Instead of it: share of the way to the second, 0.5 for the middle."""
    offset: Number = 0.0
    """Distance to the left of the line, in the plane."""


class Reach(Part):
    """The point of a line at a given distance from another point."""

    start: Name = Field(alias="from")
    """The other point."""
    length: Number
    """The distance."""
    line: Line = Field(alias="on")
    """Two points of the line."""
    far: bool = True
    """Of the two such points the one that is farther from the first point of the line toward the second."""


class Shifted(Part):
    """A point at given components from another."""

    start: Name = Field(alias="from")
    """The other point."""
    by: Coordinates
    """The components."""


class Mirrored(Part):
    """A point mirrored at a line, or at a coordinate plane."""

    point: Name = Field(alias="mirror")
    """The other point."""
    line: Literal["x", "y", "xy", "xz", "yz"] | Line
    """x, y or two points; in space xy, xz or yz."""


class Turned(Part):
    """A point turned about another."""

    point: Name = Field(alias="turn")
    """The point that is turned."""
    about: Name
    """The center."""
    angle: Number
    """Angle of the turn, counterclockwise."""
    axis: Literal["x", "y", "z"] = "z"
    """Axis through the center, in space."""


class Crossing(Part):
    """The point where two lines of the plane cross."""

    lines: Annotated[list[Line], Field(min_length=2, max_length=2)] = Field(alias="cross")
    """Two points of each line."""


class Foot(Part):
    """The foot of the perpendicular from a point to a line."""

    point: Name = Field(alias="foot")
    """The point."""
    line: Line
    """Two points of the line."""


class Link(Part):
    """A point of the frame of a link, by a row of Denavit and Hartenberg from the frame before it."""

    frame: Annotated[list[Name], Field(min_length=3, max_length=3)] = Field(alias="link")
    """Origin of the frame before it, and points on its z and x axes, each 1 m away."""
    length: Number = 0.0
    """Shift along the new x axis."""
    twist: Number = 0.0
    """Turn about the new x axis."""
    offset: Number = 0.0
    """Shift along the z axis before it."""
    angle: Number = 0.0
    """Turn about the z axis before it."""
    end: Literal["origin", "z", "x"] = "origin"
    """The origin of the frame, or a point on its z or x axis, 1 m away."""


class Row(Part):
    """A row of Denavit and Hartenberg: turn and shift about and along z, shift and turn along and about x."""

    length: Number = 0.0
    """Shift along the new x axis."""
    twist: Number = 0.0
    """Turn about the new x axis."""
    offset: Number = 0.0
    """Shift along the z axis before it."""
    angle: Number = 0.0
    """Turn about the z axis before it."""


KEYS = (
    ("link", "Link"),
    ("mirror", "Mirrored"),
    ("turn", "Turned"),
    ("cross", "Crossing"),
    ("foot", "Foot"),
    ("on", "Along"),
    ("lengths", "Circles"),
    ("by", "Shifted"),
)
"""Keys that tell the constructions apart; a table with none of them is a `Polar`."""


def _kind(value: Any) -> str:
    """Tag of a place; its space distinguishes it from the keys of a path."""
    if not isinstance(value, dict):
        return "a list"
    if {"from", "on"} <= value.keys():
        return "a Reach"
    return "a " + next((kind for key, kind in KEYS if key in value), "Polar")


Construction = Polar | Circles | Along | Reach | Shifted | Mirrored | Turned | Crossing | Foot | Link

Place = Annotated[
    Annotated[Coordinates, Tag("a list")]
    | Annotated[Polar, Tag("a Polar")]
    | Annotated[Circles, Tag("a Circles")]
    | Annotated[Along, Tag("a Along")]
    | Annotated[Reach, Tag("a Reach")]
    | Annotated[Shifted, Tag("a Shifted")]
    | Annotated[Mirrored, Tag("a Mirrored")]
    | Annotated[Turned, Tag("a Turned")]
    | Annotated[Crossing, Tag("a Crossing")]
    | Annotated[Foot, Tag("a Foot")]
    | Annotated[Link, Tag("a Link")],
    Discriminator(_kind),
]
"""Coordinates of a point, or its construction."""
