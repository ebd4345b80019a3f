"""The schema of solids in files, by pydantic: import this module only where it is needed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Discriminator, Field

from groupkin.mechanism.files.schema_values import Number, Part, Point, Positive

Ends = Annotated[list[Point], Field(min_length=2, max_length=2)]
Triple = Annotated[list[Number], Field(min_length=3, max_length=3)]


class Solid(Part):
    """A simple solid of the body's density."""

    subtract: bool = False
    """Whether it is taken away from those before it."""


class Rod(Solid):
    """A cylinder or tube between two points."""

    type: Literal["rod"]
    ends: Ends
    """Middles of its end faces."""
    diameter: Positive
    """Its diameter."""
    hole: Annotated[Number, Field(ge=0)] = 0.0
    """Diameter of the hole along it."""


class Disc(Solid):
    """A cylinder or ring about an axis."""

    type: Literal["disc"]
    center: Point
    """Its center."""
    diameter: Positive
    """Its diameter."""
    thickness: Positive
    """Its length along the axis."""
    hole: Annotated[Number, Field(ge=0)] = 0.0
    """Diameter of the hole along it."""
    axis: Triple = [0.0, 0.0, 1.0]
    """Its axis; default: z, which is normal to the plane."""


class Bar(Solid):
    """A bar of rectangular section between two points."""

    type: Literal["bar"]
    ends: Ends
    """Middles of its end faces."""
    width: Positive
    """Across the normal."""
    thickness: Positive
    """Along the normal."""
    normal: Triple = [0.0, 0.0, 1.0]
    """Direction of the thickness; default: z, which is normal to the plane."""


class Box(Solid):
    """A block along the global axes."""

    type: Literal["box"]
    center: Point
    """Its center."""
    size: Annotated[list[Positive], Field(min_length=3, max_length=3)]
    """Lengths along x, y and z."""


class Sphere(Solid):
    """A ball."""

    type: Literal["sphere"]
    center: Point
    """Its center."""
    diameter: Positive
    """Its diameter."""


class Shape(Part):
    """A surface of triangles that shows the body."""

    file: Annotated[str, Field(min_length=1)]
    """An STL or OBJ file, in the folder of this one or below."""
    at: Point | None = None
    """Where its origin comes to lie; default: the global origin."""
    scale: Positive = 1.0
    """Length of its unit, in the unit of lengths of this file."""
    axes: Annotated[list[Triple], Field(min_length=3, max_length=3)] | None = None
    """Directions of its x, y and z axes: perpendicular unit vectors; default: the global axes."""


Solids = list[Annotated[Rod | Disc | Bar | Box | Sphere, Discriminator("type")]]
