"""The schema of mechanism files, by pydantic, which is slow to import: import this module only where it is needed.

The models hold the content of a file in the units of the file; `groupkin.mechanism.files.conversion` converts it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, Tag, ValidationError, model_validator
from pydantic.config import JsonDict

from groupkin.errors import FormulaError
from groupkin.mechanism.files.construction_schema import Place, Row
from groupkin.mechanism.files.coupling_schema import Coupling
from groupkin.mechanism.files.curve_schema import Curve
from groupkin.mechanism.files.force_schema import Inertia, Load
from groupkin.mechanism.files.law_schema import Law
from groupkin.mechanism.files.schema_messages import path, words
from groupkin.mechanism.files.schema_values import (
    Axis,
    Coordinates,
    Ends,
    Name,
    Number,
    Part,
    Point,
    Positive,
    either,
    problem,
)
from groupkin.mechanism.files.solid_schema import Shape, Solids
from groupkin.mechanism.files.value_formulas import read_values
from groupkin.mechanism.formulas.syntax import LONGEST
from groupkin.mechanism.pairs import PAIRS
from groupkin.mechanism.units import RADIANS

Lengths = Literal["m", "dm", "cm", "mm", "um", "km", "in", "ft"]

M = TypeVar("M", bound=BaseModel)


class Units(Part):
    """Units of the numbers in the file. Times are in seconds and frequencies in hertz, always."""

    length: Lengths = "m"
    """Unit of coordinates, lengths and displacements."""
    angle: Literal["rad", "deg"] = "rad"
    """Unit of angles."""
    mass: Literal["kg", "g", "t", "lb"] = "kg"
    """Unit of masses; inertias are in it times the square of the unit of lengths."""
    force: Literal["N", "kN", "MN", "lbf"] = "N"
    """Unit of forces; moments are in it times the unit of lengths. Gravity is in m/s² always."""


class Length(Part):
    """A distance between two named points of a body, which their coordinates meet only roughly."""

    between: Annotated[list[Name], Field(min_length=2, max_length=2)]
    """Names of the two points."""
    value: Positive
    """Their distance."""


BodyPoints = Annotated[
    Annotated[dict[Name, Coordinates], Tag("a table")] | Annotated[list[Name], Tag("a list")],
    either("a table of points with coordinates or a list of names"),
]


class Body(Part):
    """A rigid body; every key may be omitted."""

    origin: Point | None = None
    """Origin of the body's frame in the reference configuration; default: the point of its first joint."""
    points: BodyPoints = []
    """Further named points of the body: names with coordinates, or names of points given elsewhere."""
    lengths: list[Length] = []
    """Distances which the coordinates meet only roughly."""
    mass: Annotated[Number, Field(ge=0)] = 0.0
    """Mass."""
    center: Point | None = None
    """Center of mass: a point or coordinates, or "middle" for the mean of the points of the body's joints."""
    inertia: Inertia = 0.0
    """About the center of mass: one number in the plane; in space moments about x, y and z, the
    tensor in global axes as three rows, or a table of its components."""
    about: Point | None = None
    """The point about which the inertia is stated instead."""
    shape: Shape | None = None
    """What the body looks like."""
    density: Positive | None = None
    """Of the solids, or of the shape if there are none, kg/m³, whatever the units."""
    solids: Annotated[Solids, Field(min_length=1)] | None = None
    """What the body consists of, instead of its mass, center and inertia."""

    @model_validator(mode="after")
    def _one_mass(self) -> Body:
        if self.solids is not None and self.density is None:
            raise problem("`solids` need a `density`")
        if self.density is not None and self.solids is None and self.shape is None:
            raise problem("a `density` needs `solids` or a `shape`")
        if self.solids and self.solids[0].subtract:
            raise problem("the first of the `solids` is not subtracted from anything; put it after another one")
        if self.density and (self.mass or self.center is not None or self.inertia or self.about is not None):
            raise problem("a `density` gives mass, center and inertia; leave these out, or the density")
        return self


class NamedBody(Body):
    """A rigid body in a list of bodies."""

    name: Name
    """Name of the body."""


ListedBody = Annotated[
    Annotated[Name, Tag("a name")] | Annotated[NamedBody, Tag("a table")],
    either("the name of a body or a table with its name"),
]
Bodies = Annotated[
    Annotated[dict[Name, Body], Tag("a table")] | Annotated[list[ListedBody], Tag("a list")],
    either("a table of bodies by name or a list of bodies"),
]

Reference = Annotated[
    Annotated[Number, Tag("a number")] | Annotated[dict[Name, Number], Tag("a table")],
    either("an angle or a table of angles by freedom"),
]


JointRange = Annotated[
    Annotated[Ends, Tag("a list")] | Annotated[dict[Name, Ends], Tag("a table")],
    either("two numbers, or a table of two numbers by freedom"),
]

_PLANE = ", ".join(pair.symbol for pair in PAIRS.values() if pair.plane and pair.modeled)
_SPACE = ", ".join(pair.symbol for pair in PAIRS.values() if pair.space and pair.modeled)


class Joint(Part):
    """A joint between two bodies; its geometry is in global coordinates at the reference configuration."""

    type: Annotated[Name, Field(description=f"Symbol of the pair: {_PLANE} in the plane; {_SPACE} in space.")]
    bodies: Annotated[list[Name], Field(min_length=2)]
    """The two bodies; the joint's coordinates are those of the second relative to the first. R, C and S may join more
    than two, on one pin or at one center."""
    point: Point | None = None
    """Common point of both bodies: a name or coordinates."""
    points: Annotated[list[Point], Field(min_length=2, max_length=2)] | None = None
    """Instead of `point`: one on each body, where a displacement separates them."""
    axis: Axis | None = None
    """A direction of any length but zero, or the names of two points, from the first to the second: of R, P, H, HF, C
    and SC, normal of PL and SP, slot of CR and line of RP and RW in the plane. R in the plane needs none."""
    axes: Annotated[list[Coordinates], Field(min_length=2, max_length=2)] | None = None
    """Two directions, the first fixed in the first, the second in the second body: of U and ER, of gears in space;
    normal and cylinder axis of PC; slot and pin of CR, line and wheel axis of RP and RW in space."""
    reference: Reference = 0.0
    """Angles in the reference configuration: a number, or a table by freedom; zero where not given."""
    pitch_per_turn: Number | None = None
    """Advance of H and HF in one turn, in the unit of lengths; negative for a left-handed screw."""
    pitch: Number | None = None
    """Instead of `pitch_per_turn`: the advance in one radian."""
    radii: Annotated[list[Positive], Field(min_length=2, max_length=2)] | None = None
    """Of the pitch circles of gears EO and EPI on the first and second body, or their numbers of teeth."""
    pressure_angle: Number | None = None
    """Of the teeth of gears, for the forces on their bearings; default: 20°."""
    helix_angle: Number | None = None
    """Of the teeth of the first gear, positive if right-handed; default: 0."""
    adhesion: Positive | None = None
    """Of a rolling wheel RW: the ratio of tangential to normal force from which on it slips, which `forces` tells."""
    range: JointRange | None = None
    """Least and largest value of its freedom, or a table of them by freedom; inf where there is no end."""
    rope: bool = False
    """A rod SPSP or RD that pulls only; `forces` tells where it would have to push."""
    curve: Curve | None = None
    """Of a cam L, on its first body. What touches it is on the second: `point`, or a roller with its center there, or a
    flat face through it whose normal is `axis`."""
    radius: Positive | None = None
    """Of the roller that touches the curve."""
    curves: Annotated[list[Curve], Field(min_length=2, max_length=2)] | None = None
    """Two curves that touch, one on each body of L."""

    @model_validator(mode="after")
    def _one_pitch(self) -> Joint:
        if self.pitch is not None and self.pitch_per_turn is not None:
            raise problem("has both `pitch_per_turn` and `pitch`, which is that of one radian; give one of them")
        return self


class NamedJoint(Joint):
    """A joint in a list of joints."""

    name: Name
    """Name of the joint."""


Joints = Annotated[
    Annotated[dict[Name, Joint], Tag("a table")] | Annotated[list[NamedJoint], Tag("a list")],
    either("a table of joints by name or a list of joints"),
]


class Driver(Part):
    """A prescribed freedom of a joint. Without a law the mechanism can be analyzed only."""

    joint: Name
    """Name of the joint."""
    freedom: Name | None = None
    """Which of its freedoms, e.g. `angle`, `displacement`, `angle_1`, `x`; needed where it has several."""
    between: Annotated[list[Name], Field(min_length=2, max_length=2)] | None = None
    """Of a joint of more than two bodies: those that the driver acts between, the second relative to the first."""
    law: Law | None = None
    """The motion, in the file's units and seconds."""
    over: Name | None = None
    """Driven joint, or driven freedom of one as in `pose.x`, whose coordinate takes the place of time in the law."""


LASTING: JsonDict = {"properties": {"duration": {"exclusiveMinimum": 0}}}
ONE_STEP: JsonDict = {"properties": {"steps": {"const": 1}}, "required": ["steps"]}


class Motion(Part):
    """Equidistant times."""

    model_config = ConfigDict(json_schema_extra={"anyOf": [LASTING, ONE_STEP]})

    duration: Annotated[Number, Field(ge=0)] = 1.0
    """In seconds; of one step it has no meaning, and may be 0."""
    steps: Annotated[int, Field(ge=1)] = 1001
    """Number of times, both ends counted; 1 is the first alone."""
    start: Number = 0.0
    """The first time, in seconds."""

    @model_validator(mode="after")
    def _lasts(self) -> Motion:
        if self.duration == 0 and self.steps > 1:
            raise problem(f"{self.steps} steps need a `duration` greater than 0; for one position write steps = 1")
        return self


class Subassembly(Part):
    """A mechanism in a file of its own that is part of this one."""

    file: Name
    """The file, in the folder of this one or below."""
    name: Name
    """With which all names in the part begin, as in `left/upright`; of several parts, numbers follow it."""
    at: Point | None = None
    """Where its origin comes to lie: a named point or coordinates."""
    turn: Number = 0.0
    """Angle by which it is turned about its origin."""
    axis: Literal["x", "y", "z"] = "z"
    """Axis of the turn, in space."""
    mirror: Literal["", "x", "y", "z"] = ""
    """Coordinate that changes its sign, before the part is turned and shifted."""
    same: dict[Name, Name] = {}
    """Bodies of the part that are bodies of this mechanism, by their names here; its frame is the frame here."""
    values: dict[Name, Number] = {}
    """Values of the part in place of those of its file: numbers, or formulas of the values of this one."""
    count: Annotated[int, Field(ge=1)] | None = None
    """Number of such parts, each a step farther."""
    step: Coordinates | None = None
    """From one of them to the next."""


class Adjacency(Part):
    """A mechanism without geometry in the published form; its bodies are "1" to "N", the first is the frame."""

    matrix: list[list[str]]
    """The symbol of the pair of bodies i and j, or "-"; symmetric."""
    known_inputs: list[list[int]]
    """w at (i, j): the first w freedoms of the pair are driven; symmetric."""


class Suspension(Part):
    """A wheel whose angles and offsets are outputs: x points forward, y to the left, z up."""

    center: Name
    """Center of the wheel, a point of the carrier."""
    axis: Name
    """A point of the wheel's axis, outward of the center."""
    contact: Name
    """Where the wheel stands on the ground, a point of the carrier."""
    steering: Annotated[list[Name], Field(min_length=2, max_length=2)] | Literal["screw"] | None = None
    """Points of the steering axis, the lower first; or the screw axis of the carrier in a motion that steers alone."""
    carrier: Name | None = None
    """The body that carries the wheel; needed for a screw axis."""
    spring: Annotated[list[Name], Field(min_length=2, max_length=2)] | None = None
    """Ends of the spring."""
    spring_rate: Positive | None = None
    """Stiffness of the spring, for the wheel rate."""
    free_length: Positive | None = None
    """Length of the spring without load, for the part of the wheel rate that is due to its force."""
    travel: Name | None = None
    """The driven freedom by which the wheel travels, such as `wheel.z`: gains and ratios are derivatives by it."""
    body: Name | None = None
    """The vehicle body; default: the frame."""
    name: Name | None = None
    """What the names of the outputs begin with, as in `left_camber`."""
    wheelbase: Positive | None = None
    """Of the vehicle, for anti-dive."""
    height: Positive | None = None
    """Of the center of mass of the vehicle above the ground."""
    brake_share: Annotated[Number, Field(ge=0, le=1)] | None = None
    """Share of the braking force on this axle."""
    end: Literal["front", "rear"] = "front"
    """Of the vehicle."""


Suspensions = Annotated[
    Annotated[Suspension, Tag("a table")] | Annotated[list[Suspension], Tag("a list")],
    either("a table of a wheel, or a list of such tables"),
]


class Robot(Part):
    """A tool and what drives it, of which dexterity, stiffness and errors are read."""

    tool: Name
    """A named point, or a body for its origin."""
    motion: Literal["translation", "rotation", "twist"] = "translation"
    """Of the tool, of which dexterity is read: velocity, angular velocity, or both."""
    by: Annotated[list[Name], Field(min_length=1)] | None = None
    """Freedoms that drive it, such as `joint leg_1`; default: all drivers."""
    length: Positive | None = None
    """Characteristic length by which lengths are divided where they mix with angles."""
    stiffness: dict[Name, Positive] = {}
    """Of freedoms that drive it, by their names: forces over lengths, or moments over angles; others are rigid."""
    errors: dict[Annotated[str, Field(min_length=1, max_length=LONGEST)], Annotated[Number, Field(ge=0)]] = {}
    """Largest errors of freedoms that drive it, and of parameters, such as `length arm A-B`."""
    name: Name | None = None
    """By which quantities name it; default: robot."""


Robots = Annotated[
    Annotated[Robot, Tag("a table")] | Annotated[list[Robot], Tag("a list")],
    either("a table of a robot, or a list of such tables"),
]


class MechanismModel(Part):
    """A mechanism: bodies, joints and drivers."""

    model_config = ConfigDict(
        title="groupkin mechanism",
        json_schema_extra={"oneOf": [{"required": ["bodies", "joints"]}, {"required": ["adjacency"]}]},
    )

    schema_address: str | None = Field(None, alias="$schema")
    """Address of this schema, for editors."""
    name: Name | None = None
    """Name of the mechanism; default: the name of the file."""
    description: str = ""
    """Any text."""
    dimension: Literal[2, 3]
    """2 in the plane, 3 in space."""
    frame: Name | None = None
    """The fixed body; default: the first."""
    units: Units = Units()
    """Units of the numbers in the file."""
    values: dict[Name, float | str] = {}
    """Numbers with names, and formulas of them such as `2 * a`; they stand wherever a number stands."""
    points: dict[Name, Place] = {}
    """Named points in global coordinates at the reference configuration, or how they are constructed."""
    chains: dict[Name, Annotated[list[Row], Field(min_length=1)]] = {}
    """Chains in space by rows of Denavit and Hartenberg, which name points: of chain `arm` origins `arm0`, `arm1`, …,
    and `arm0z`, `arm0x`, … on the z and x axes."""
    parts: list[Subassembly] = []
    """Mechanisms in files of their own that are parts of this one."""
    bodies: Bodies | None = None
    """The bodies, by name or in a list."""
    joints: Joints | None = None
    """The joints, by name or in a list."""
    drivers: list[Driver] = []
    """The prescribed freedoms."""
    motion: Motion = Motion()
    """Defaults of the command line for the times to solve at."""
    modes: dict[Name, Annotated[int, Field(ge=1)]] = {}
    """Assembly modes other than the reference configuration's, which are 1: the number of the mode, as `groupkin modes`
    lists it, by the name of a body of the group or the group's number."""
    outputs: dict[Name, Annotated[str, Field(min_length=1, max_length=LONGEST)]] = {}
    """Named outputs, each by a formula of quantities in braces, such as `{position P.x} - 3 mm`."""
    ranges: dict[Annotated[str, Field(min_length=1, max_length=LONGEST)], Ends] = {}
    """Least and largest values of quantities such as `distance A-B` or an output, in the units of the file; inf where
    there is no end. Those of joints are stated with these."""
    suspension: Suspensions = []
    """A wheel, or several, whose camber, toe, caster, trail, roll center, … are outputs."""
    robot: Robots = []
    """A robot, or several, whose dexterity, stiffness and errors are quantities."""
    gravity: Coordinates | None = None
    """Gravity, in m/s² whatever the units; default: none."""
    forces: list[Load] = []
    """Springs, dampers, forces and torques."""
    couplings: list[Coupling] = []
    """Equations between joint coordinates, points and angles."""
    misfit: Number = 0.0
    """By how much joints that repeat others may be open, as a fraction of the size (and rad); default: not at all."""
    adjacency: Adjacency | None = None
    """Instead of bodies, joints and drivers: the published form, for analysis."""

    @model_validator(mode="after")
    def _complete(self) -> MechanismModel:
        needed = ("bodies", "joints")
        if self.adjacency is None:
            missing = [key for key in needed if getattr(self, key) is None]
            if missing:
                raise problem(f"{missing[0]!r} is missing; a mechanism needs `bodies` and `joints`, or `adjacency`")
            return self
        whole = (*needed, "drivers", "points", "frame", "outputs", "ranges", "gravity", "forces", "couplings", "misfit")
        extra = [key for key in whole if key in self.model_fields_set]
        if extra:
            raise problem(f"`adjacency` describes the whole mechanism; remove {extra[0]!r}")
        return self


def validate(data: dict[str, Any], kind: type[M] = MechanismModel) -> tuple[M | None, list[str]]:  # type: ignore[assignment]
    """Validate the data of a file: its model, or None and the problems, one line each."""
    context = {"dimension": data.get("dimension")}  # messages on coordinates say how many the mechanism needs
    try:
        context |= _values(data)
        return kind.model_validate(data, context=context), []
    except FormulaError as error:
        return None, [f"values: {error}"]
    except ValidationError as error:
        problems = error.errors(include_url=False)
    located = [(path(data, item["loc"], item["type"] == "missing"), words(item)) for item in problems]
    return None, [f"{where}: {what}" if where else what for where, what in located]


def _values(data: Mapping[str, Any]) -> dict[str, Any]:
    """Compute the values of a file, if they are such that validation finds no fault with them."""
    stated, units = data.get("values"), data.get("units")
    if not isinstance(stated, Mapping) or not all(isinstance(x, int | float | str) for x in stated.values()):
        return {}
    degrees = isinstance(units, Mapping) and units.get("angle") == "deg"
    radians = RADIANS["deg" if degrees else "rad"]
    return {"values": read_values(stated, radians), "radians": radians}


def json_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of mechanism files."""
    schema = _with_formulas(MechanismModel.model_json_schema())
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


BOUNDS = {"gt": "exclusiveMinimum", "ge": "minimum", "lt": "exclusiveMaximum", "le": "maximum"}
"""Bounds of numbers that may be formulas, which pydantic leaves as they are stated."""


def _with_formulas(part: Any) -> Any:
    """Allow the text of a formula wherever a schema has a number."""
    if isinstance(part, list):
        return [_with_formulas(entry) for entry in part]
    if not isinstance(part, dict):
        return part
    changed = {BOUNDS.get(key, key): _with_formulas(entry) for key, entry in part.items()}
    if part.get("type") != "number":
        return changed
    told = {key: changed.pop(key) for key in ("title", "description", "default") if key in changed}
    return {**told, "anyOf": [changed, {"type": "string"}]}
