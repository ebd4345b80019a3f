"""The schema of files of fits, checked by pydantic; import it where it is needed."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from groupkin.mechanism.files.schema_values import Name, Part

Pair = Annotated[list[float], Field(min_length=2, max_length=2)]


class FitModel(Part):
    """A fit of a mechanism in another file; all in the units of the mechanism's file."""

    model_config = ConfigDict(title="groupkin fit")

    schema_address: str | None = Field(None, alias="$schema")
    description: str = ""

    mechanism: Name
    """The mechanism's file, beside this one."""
    parameters: Annotated[list[str], Field(min_length=1)]
    """Unknown dimensions, such as ``length crank A-B`` or ``C@coupler``."""
    targets: Annotated[dict[str, list[float] | list[list[float]]], Field(min_length=1)]
    """Values of quantities at points, such as ``position P``."""
    at: list[float] | None = None
    """Values of the driver at the points; without it they are met in order."""
    shifted: bool = False
    """Whether a number that is added to all of `at` is unknown."""
    driver: str | None = None
    """The driver that moves, where there are several."""
    span: Pair | None = None
    """Least and largest value of the driver."""
    bounds: dict[str, Pair] = Field(default_factory=dict)
    """Least and largest value of parameters."""
    least: dict[str, float] = Field(default_factory=dict)
    """Quantities that must not be smaller on the way."""
    ranges: bool = True
    """Whether ranges of the mechanism are kept on the way."""
    full_turn: bool = False
    """Whether the driver must be able to turn fully, or to go all over its span."""
    length: float | None = None
    """By which angles are multiplied to compare them with lengths."""
    starts: Annotated[int, Field(ge=1)] = 16
    """Number of searches."""
    seed: Annotated[int, Field(ge=0)] = 0
    """Of the quasi-random sequence of starts."""


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of files of fits."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **FitModel.model_json_schema()}
