"""The schema of curves in files, by pydantic: import this module only where it is needed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from groupkin.mechanism.files.law_schema import Law
from groupkin.mechanism.files.schema_values import Coordinates, Name, Number, Part, Positive, problem


class Follower(Part):
    """What a cam moves."""

    type: Literal["roller", "edge", "face"] = "roller"
    """A roller, a knife edge or a flat face."""
    motion: Literal["translating", "swinging"] = "translating"
    """Along y, or about a pivot on the x axis."""
    radius: Number = 0.0
    """Of the roller."""
    offset: Number = 0.0
    """Of a translating roller or edge: its x; of a swinging face: its distance from the pivot."""
    pivot: Number = 0.0
    """Distance of the pivot from the axis of the cam."""
    arm: Number = 0.0
    """Distance of a swinging roller or edge from the pivot."""


class Curve(Part):
    """A smooth curve through points in global coordinates at the reference configuration."""

    points: list[Coordinates] | None = None
    """At least six points, in the order in which the curve runs."""
    csv: Name | None = None
    """Instead of `points`: a CSV file, its path relative to this file."""
    columns: Annotated[list[Name], Field(min_length=2, max_length=2)] | None = None
    """Names of the columns of the CSV file that hold x and y; default: its two columns."""
    law: Law | None = None
    """Instead of points: the law of a follower over the angle of a cam, whose profile the curve is."""
    follower: Follower | None = None
    """What the cam moves by the law."""
    base: Positive | None = None
    """Radius of the base circle of the cam."""
    clockwise: bool = False
    """Whether the cam turns clockwise."""
    center: Coordinates | None = None
    """Axis of the cam; default: the origin."""
    axis: Coordinates = [1.0, 0.0]
    """Direction of the x axis to which positions of the follower refer."""
    mirrored: bool = False
    """Whether the y axis of the follower is to the right of its x axis; the cam is mirrored with it."""
    count: Annotated[int, Field(ge=36)] = 720
    """Number of points of the profile."""
    closed: bool = False
    """Whether the curve goes on from the last point to the first, which is not repeated."""

    @model_validator(mode="after")
    def _one_source(self) -> Curve:
        if sum(source is not None for source in (self.points, self.csv, self.law)) != 1:
            raise problem("a curve has either `points`, or `csv`, or the `law` of a follower")
        cam = {"follower", "base"} & self.model_fields_set
        if (self.law is not None) != (len(cam) == 2):
            raise problem("the profile of a cam needs `law`, `follower` and `base`")
        return self
