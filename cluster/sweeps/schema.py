"""The schema of sweep files, checked by pydantic; import it where it is needed.

The models hold what a file says in the file's units; `cluster.sweeps.files` converts.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, Tag, model_validator

from cluster.sweeps.reductions import Direction
from cluster.sweeps.sampling import Method
from groupkin.mechanism.files.schema import Units
from groupkin.mechanism.files.schema_values import Name, Part, either, problem

LONGEST = 2000
"""Characters of a text form at most."""

Number = Annotated[float, Tag("a number")]
Vector = Annotated[list[float], Tag("a list"), Field(min_length=2, max_length=3)]
Value = Annotated[Number | Vector, either("a number, or a list of coordinates")]
"""Of a scalar, or of a point or axis as a whole."""


def _one_of(part: Part, keys: tuple[str, ...], what: str) -> tuple[str, Any]:
    """Return the only one of some keys that is stated, and its value."""
    values = {key: getattr(part, "list_" if key == "list" else key) for key in keys}
    stated = [(key, value) for key, value in values.items() if value is not None]
    if len(stated) != 1:
        are = f"not both `{stated[0][0]}` and `{stated[1][0]}`" if stated else "and none is given"
        raise problem(f"{what}: one of {', '.join(keys)} is needed, {are}")
    return stated[0]


def _one_required(*choices: tuple[str, ...]) -> ConfigDict:
    """Make the JSON Schema of a table that needs exactly one key of each choice."""
    ones: list[Any] = [{"oneOf": [{"required": [key]} for key in keys]} for keys in choices]
    return ConfigDict(json_schema_extra={"allOf": ones})


class Evenly(Part):
    """Equidistant values, both ends counted."""

    low: Value
    """First value."""
    high: Value
    """Last value."""
    count: Annotated[int, Field(ge=1)]
    """How many values."""


class Uniform(Part):
    """Drawn evenly between two values."""

    low: Value
    """Least value."""
    high: Value
    """Largest value."""


class Normal(Part):
    """Drawn from a normal distribution."""

    deviation: Value
    """Standard deviation."""
    mean: Value | None = None
    """Default: the nominal value."""
    limit: Value | None = None
    """Largest distance from the mean."""


Text = Annotated[str, Tag("a name"), Field(min_length=1, max_length=LONGEST)]
"""The text form of a parameter or quantity."""

TARGETS = {
    **dict.fromkeys(("point", "joint", "axis"), ("body", "component")),
    "length": ("body",),
    "driver": ("law", "index", "freedom"),
    "mode": (),
    "parameter": (),
}
"""What varies, and the keys that say more of it."""

NEEDED = {"length": "body", "driver": "law"}
VARIATIONS = ("list", "csv", "grid", "range", "uniform", "normal")


class Parameter(Part):
    """Something that varies, and how."""

    model_config = _one_required(tuple(TARGETS), VARIATIONS)

    name: Name | None = None
    """In results; default: made of what varies."""
    parameter: Text | None = None
    """What varies as a text, such as `C@coupler.x`, `length crank A-B` or `offset pose.x`, instead of other keys."""
    point: Name | None = None
    """A named point, on all bodies that carry it or on `body`."""
    joint: Name | None = None
    """The point of a joint, on both its bodies or on `body`."""
    axis: Name | None = None
    """The axis of this joint, on both its bodies or on `body`."""
    length: Annotated[list[Name], Field(min_length=2, max_length=2)] | None = None
    """The distance of two named points of `body`."""
    driver: Name | None = None
    """A number of the law by which this joint is driven: `law` names it, and `index` its place in a list."""
    mode: Name | None = None
    """The assembly mode of the group of this body."""
    body: Name | None = None
    """The body on which a point or axis changes."""
    component: Literal["x", "y", "z"] | None = None
    """One coordinate of a point or axis; default: all."""
    law: Name | None = None
    """Key of the law, such as `rate` or `amplitude`."""
    index: Annotated[int, Field(ge=0)] | None = None
    """Place in a list of the law, from 0."""
    freedom: Name | None = None
    """Which freedom of the driven joint."""
    list_: list[Value] | None = Field(None, alias="list")
    """Values one after another; all lists and CSV files advance together."""
    csv: Name | None = None
    """A CSV file with such a list, its path relative to this file."""
    columns: Annotated[list[Name], Field(min_length=1, max_length=3)] | None = None
    """Names of its columns, one for each coordinate."""
    grid: list[Value] | None = None
    """Values along an axis of the grid of all combinations."""
    range: Evenly | None = None
    """Equidistant values along such an axis."""
    uniform: Uniform | None = None
    """Drawn evenly between two values."""
    normal: Normal | None = None
    """Drawn from a normal distribution."""
    relative: bool = False
    """Add the values to the nominal one."""

    @property
    def target(self) -> tuple[str, Any]:
        """The key that says what varies, and its value."""
        return _one_of(self, tuple(TARGETS), "what varies")

    @property
    def variation(self) -> tuple[str, Any]:
        """The key that says how, and its value."""
        return _one_of(self, VARIATIONS, "how it varies")

    @model_validator(mode="after")
    def _complete(self) -> Parameter:
        (target, _), _ = self.target, self.variation
        if target in NEEDED and getattr(self, NEEDED[target]) is None:
            raise problem(f"`{target}` needs `{NEEDED[target]}` as well")
        for key in ("body", "component", "law", "index", "freedom"):
            if getattr(self, key) is not None and key not in TARGETS[target]:
                within = "; write it in the text, as in `C@coupler.x`" if target == "parameter" else "; remove it"
                raise problem(f"`{key}` means nothing with `{target}`{within}")
        if self.columns is not None and self.csv is None:
            raise problem("`columns` means nothing without `csv`; remove it")
        return self


KINDS = (
    *("quantity", "position", "velocity", "acceleration"),
    *("angle", "angular_velocity", "angular_acceleration", "rotation", "joint"),
)


class QuantityTable(Part):
    """Something that is read from a motion: exactly one of the first nine keys."""

    model_config = _one_required(KINDS)

    quantity: Text | None = None
    """As a text, such as `velocity P.norm`, instead of other keys."""
    position: Name | None = None
    """Of a named point, or of a body's origin."""
    velocity: Name | None = None
    """Of a named point, or of a body's origin."""
    acceleration: Name | None = None
    """Of a named point, or of a body's origin."""
    angle: Name | None = None
    """Of a body in the plane."""
    angular_velocity: Name | None = None
    """Of a body."""
    angular_acceleration: Name | None = None
    """Of a body."""
    rotation: Name | None = None
    """Rotation matrix of a body."""
    joint: Name | None = None
    """Coordinates of a joint."""
    component: Literal["x", "y", "z", "norm"] | None = None
    """Of a vector; default: all."""
    freedom: Name | None = None
    """Of a joint; default: all."""

    @property
    def stated(self) -> tuple[str, Any]:
        """The key that says what it is, and its value."""
        return _one_of(self, KINDS, "a quantity")

    @model_validator(mode="after")
    def _single(self) -> QuantityTable:
        kind, _ = self.stated
        for key in ("component", "freedom"):
            if getattr(self, key) is not None and (kind == "quantity" or (kind == "joint") == (key == "component")):
                raise problem(f"`{key}` means nothing with `{kind}`; remove it")
        return self


Quantity = Annotated[
    Text | Annotated[QuantityTable, Tag("a table")], either("a text such as 'velocity P.norm', or a table")
]
"""What is read from a motion, as a text or as a table."""


class When(QuantityTable):
    """The first time at which a quantity passes a value."""

    equals: float
    """The value."""
    direction: Direction = "either"
    """In which direction it is passed."""


class Limit(QuantityTable):
    """Bounds of a quantity."""

    low: float | None = None
    """Least value; default: none."""
    high: float | None = None
    """Largest value; default: none."""


class Occupancy(Part):
    """How often a point is seen in each cell of a box."""

    of: Name
    """A named point, or a body whose origin is meant."""
    low: Annotated[list[float], Field(min_length=2, max_length=3)]
    """Corner of the box where all coordinates are least."""
    high: Annotated[list[float], Field(min_length=2, max_length=3)]
    """The opposite corner."""
    cells: Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=2, max_length=3)]
    """Number of cells along each axis."""
    limits: list[Limit] = Field([])
    """What must hold for a step to count."""


KEPT = (
    *("motion", "minimum", "maximum", "range", "excess", "value", "path_length", "occupancy", "conditioning"),
    "transmission_angle",
)


class Keep(Part):
    """Something that is kept of every sample: exactly one of the keys between `name` and `at`."""

    model_config = _one_required(KEPT)

    name: Name | None = None
    """In results; default: made of what is kept."""
    motion: Quantity | None = None
    """At all times."""
    minimum: Quantity | None = None
    """Least value over the times."""
    maximum: Quantity | None = None
    """Largest value over the times."""
    range: Quantity | None = None
    """Largest less least value."""
    excess: Quantity | None = None
    """How far it is beyond its range at worst: above 0 past the upper end, below 0 past the lower one, else 0."""
    value: Quantity | None = None
    """At a time (`at`) or event (`when`)."""
    path_length: Name | None = None
    """Of a named point or of a body's origin."""
    occupancy: Occupancy | None = None
    """How often a point is in each cell of a box, in all samples together."""
    conditioning: Name | Literal[True] | None = None
    """The least of all groups (true), or of the group of a body."""
    transmission_angle: Annotated[list[Name], Field(min_length=3, max_length=3)] | None = None
    """The least angle between the lines from the second of three points to the others."""
    at: float | None = None
    """Time, in seconds."""
    when: When | None = None
    """Event."""

    @property
    def kept(self) -> tuple[str, Any]:
        """The key that says what is kept, and its value."""
        return _one_of(self, KEPT, "what is kept")

    @model_validator(mode="after")
    def _complete(self) -> Keep:
        kind, _ = self.kept
        for key in ("at", "when"):
            if kind != "value" and getattr(self, key) is not None:
                raise problem(f"`{key}` means nothing with `{kind}`; remove it")
        return self


class Times(Part):
    """Equidistant times."""

    duration: Annotated[float, Field(ge=0)] | None = None
    """In seconds; of one step it has no meaning, and may be 0."""
    steps: Annotated[int, Field(ge=1)] | None = None
    """Number of times, both ends counted."""
    start: float | None = None
    """The first time, in seconds."""


class SweepModel(Part):
    """Samples of a mechanism, and what is kept of them."""

    model_config = ConfigDict(title="groupkin sweep")

    schema_address: str | None = Field(None, alias="$schema")
    """Address of this schema, for editors."""
    mechanism: Name
    """The mechanism's file, its path relative to this one."""
    description: str = ""
    """Any text."""
    units: Units | None = None
    """Units of the numbers in this file; default: those of the mechanism's file."""
    samples: Annotated[int, Field(ge=1)] | None = None
    """Random samples, for every point of the grid; needed where something is drawn at random."""
    method: Method = "random"
    """How they are drawn."""
    seed: Annotated[int, Field(ge=0)] = 0
    """Another seed gives other random samples."""
    times: Times = Field(default_factory=lambda: Times())
    """Default: those of the mechanism's file, each of the keys for itself."""
    assemble: bool = False
    """Close a nominal reference configuration that is only approximate."""
    derivatives: bool = False
    """Keep the derivatives of all that is kept by all parameters as well."""
    on_outside: Literal["keep", "fail"] = "keep"
    """Keep samples that leave a range of the mechanism as they are, or let them fail when they do."""
    parameters: list[Parameter]
    """What varies."""
    keep: Annotated[list[Keep], Field(min_length=1)]
    """What is kept of every sample."""

    @model_validator(mode="after")
    def _drawn(self) -> SweepModel:
        kinds = (parameter.variation[0] for parameter in self.parameters)
        drawn = next((kind for kind in kinds if kind in ("uniform", "normal")), None)
        if drawn and self.samples is None:
            raise problem(f"`{drawn}` is drawn at random; say how many `samples`")
        return self


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of sweep files."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **SweepModel.model_json_schema()}
