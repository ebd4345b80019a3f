"""The schema of curves in files, by pydantic: import this module only where it is needed."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from groupkin.mechanism.files.schema_values import Coordinates, Name, Part, problem


class Curve(Part):
    """A smooth curve through points in global coordinates at the reference configuration."""

    points: list[Coordinates] | None = None
    """At least six points, in the order in which the curve runs."""
    csv: Name | None = None
    """Instead of `points`: a CSV file, its path relative to this file."""
    columns: Annotated[list[Name], Field(min_length=2, max_length=2)] | None = None
    """Names of the columns of the CSV file that hold x and y; default: its two columns."""
    closed: bool = False
    """Whether the curve goes on from the last point to the first, which is not repeated."""

    @model_validator(mode="after")
    def _one_source(self) -> Curve:
        if (self.points is None) == (self.csv is None):
            raise problem("a curve has either `points` or `csv`")
        return self
