"""From the content of a mechanism file, in its units, to a `Mechanism` in meters and radians."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from operator import mul
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from groupkin.errors import FileError, LawError, MassError, MechanismError, ShapeError, UnknownJointTypeError, shown
from groupkin.mechanism import gears
from groupkin.mechanism.cams.cam_profiles import cam_profile
from groupkin.mechanism.cams.followers import Follower
from groupkin.mechanism.constructions import by_lengths, links
from groupkin.mechanism.constructions.construction import ANGLES, Construction
from groupkin.mechanism.couplings.couplings import Coupling
from groupkin.mechanism.couplings.relations import rotations
from groupkin.mechanism.curves import Curve
from groupkin.mechanism.files.csv_columns import read_pieces, read_samples
from groupkin.mechanism.files.decoding import Folder
from groupkin.mechanism.files.range_units import joint_range, quantity_ranges, robots_in_units, times
from groupkin.mechanism.forces import forces
from groupkin.mechanism.laws import laws, rises, sequences
from groupkin.mechanism.laws.over import Over
from groupkin.mechanism.leaders import coordinate_of
from groupkin.mechanism.masses.solids import Solid
from groupkin.mechanism.mechanism import Body, Driver, Joint, Mechanism
from groupkin.mechanism.pairs import Freedom, freedoms
from groupkin.mechanism.parts import Shape
from groupkin.mechanism.robots import Robot
from groupkin.mechanism.subassemblies.part import Part
from groupkin.mechanism.suspensions import Suspension
from groupkin.mechanism.units import Units, conversion

if TYPE_CHECKING:
    from groupkin.mechanism.files import (
        construction_schema,
        coupling_schema,
        curve_schema,
        force_schema,
        law_schema,
        schema,
        solid_schema,
    )


@dataclass(frozen=True)
class Context:
    """What all conversions need: units, dimension, folder of the file, and how many files it is a part of."""

    units: Units
    dimension: int
    folder: Folder
    depth: int = 0

    @property
    def meters(self) -> float:
        return self.units.meters

    @property
    def radians(self) -> float:
        return self.units.radians


def mechanism_of(model: schema.MechanismModel, context: Context, name: str, parts: Sequence[Part] = ()) -> Mechanism:
    """Convert the content of a mechanism file, and mechanisms that are parts of it, to the mechanism of this name."""
    if model.adjacency is not None:
        published = model.adjacency
        return Mechanism.from_adjacency(published.matrix, published.known_inputs, model.dimension, name)
    mechanism = Mechanism(
        model.dimension,
        _bodies(model.bodies or {}, context),
        _joints(model.joints or (), context),
        [Driver(driver.joint, freedom=driver.freedom, between=_pair(driver)) for driver in model.drivers],
        frame=model.frame or "",
        points=_chains(model.chains, context) | _points(model.points, "points", context),
        name=name,
        modes=model.modes,
        units=context.units,
        outputs=model.outputs,
        gravity=() if model.gravity is None else _coordinates(model.gravity, 1.0, "gravity", context),
        misfit=model.misfit,
        parts=parts,
        ranges=model.ranges,
        suspensions=_suspensions(model.suspension, context),
        robots=_robots(model.robot, context),
    )
    # only a checked mechanism knows which freedom a driver drives, and with it the unit of its law
    drivers = [_driver(mechanism, driver, k, context) for k, driver in enumerate(model.drivers)]
    drivers += mechanism.drivers[len(drivers) :]  # of parts
    joints = [_in_meters(mechanism, joint, context) for joint in mechanism.joints]
    loads = [_load(mechanism, load, f"forces[{k}] ({load.name!r})", context) for k, load in enumerate(model.forces)]
    loads += mechanism.forces
    couplings = [_coupling(mechanism, each, f"couplings[{k}]", context) for k, each in enumerate(model.couplings)]
    solid = _solids(mechanism, model.bodies or {}, context)
    bodies = [replace(body, **solid.get(body.name, {})) for body in mechanism.body.values()]
    ranges = quantity_ranges(mechanism, context.units, times)
    return replace(
        mechanism,
        bodies=bodies,
        joints=joints,
        drivers=drivers,
        forces=loads,
        couplings=couplings,
        ranges=ranges,
        robots=robots_in_units(mechanism, context.units, times),
    )


def _suspensions(stated: schema.Suspension | Sequence[schema.Suspension], context: Context) -> list[Suspension]:
    """Convert wheels whose angles are outputs."""
    wheels = []
    for each in stated if isinstance(stated, list) else [stated]:
        keys = [part.name for part in fields(Suspension)]
        values = {key: x for key in keys if (x := getattr(each, key)) is not None}
        values |= {key: context.meters * values[key] for key in ("wheelbase", "height", "free_length") if key in values}
        if "spring_rate" in values:
            values["spring_rate"] /= conversion("N/m", context.units)[0]
        wheels.append(Suspension(**values))
    return wheels


def _robots(stated: schema.Robot | Sequence[schema.Robot], context: Context) -> list[Robot]:
    """Convert robots, but for numbers whose units a mechanism alone knows."""
    robots = []
    for each in stated if isinstance(stated, list) else [stated]:
        keys = [part.name for part in fields(Robot)]
        values: dict[str, Any] = {key: x for key in keys if (x := getattr(each, key)) is not None}
        values |= {"length": context.meters * values["length"]} if "length" in values else {}
        robots.append(Robot(**values))
    return robots


def _solids(
    mechanism: Mechanism, bodies: Mapping[str, schema.Body] | Sequence[str | schema.NamedBody], context: Context
) -> dict[str, dict[str, Any]]:
    """Compute mass, center and inertia of the bodies that have a density; their points may be named anywhere."""
    named = bodies.items() if isinstance(bodies, Mapping) else [(x.name, x) for x in bodies if not isinstance(x, str)]
    found = {}
    for name, body in named:
        if body.density is None:
            continue
        whole = _solid(mechanism, name, body.solids, context) if body.solids else _enclosed(mechanism, name)
        made = whole.body(name, body.density)
        found[name] = {"mass": made.mass, "center": made.center, "inertia": made.inertia}
    return found


def _solid(mechanism: Mechanism, name: str, solids: Sequence[Any], context: Context) -> Solid:
    """Add and subtract the solids of a body."""
    parts = []
    for k, each in enumerate(solids):
        path, sizes = f"solids[{k}] of body {name!r}", each.model_dump(exclude={"type", "subtract"})
        for key, value in sizes.items():
            if key in ("ends", "center"):
                ends = [_point(at, path, context) for at in (value if key == "ends" else [value])]
                located = [mechanism.locate(at, path) for at in ends]
                sizes[key] = located if key == "ends" else located[0]
            elif key not in ("axis", "normal"):
                sizes[key] = (np.array(value) * context.meters).tolist()
        try:
            parts.append((each.subtract, getattr(Solid, each.type)(**sizes)))
        except MassError as error:
            raise MassError(f"{path}: {error}") from None
    whole = parts[0][1]
    for subtract, solid in parts[1:]:
        whole = whole - solid if subtract else whole + solid
    return whole


def _enclosed(mechanism: Mechanism, name: str) -> Solid:
    """Make the solid that the shape of a body encloses."""
    shape = mechanism.body[name].shape
    assert shape is not None
    at = None if shape.at is None else mechanism.locate(shape.at, f"shape of body {name!r}").tolist()
    try:
        return Solid.shape(replace(shape, at=at), mechanism.dimension)
    except ShapeError as error:
        raise ShapeError(f"body {name!r}, {error}") from None


def _coupling(mechanism: Mechanism, stated: coupling_schema.Coupling, path: str, context: Context) -> Coupling:
    """Convert a coupling; formulas are in SI, tables in the units of the file."""
    try:
        if stated.equation is not None:
            return Coupling(stated.name, stated.equation)
        rows: Sequence[Sequence[float]] = stated.table or ()
        if stated.csv is not None:
            rows = [(x, y) for _, x, y in read_samples(context.folder.file(stated.csv), stated.columns)]
        units = [context.units.radians if turns else context.meters for turns in rotations(stated.of or (), mechanism)]
        table = [[unit * x for unit, x in zip(units, row, strict=True)] for row in rows]
        return Coupling(stated.name, of=tuple(stated.of or ()), table=table, closed=stated.closed)
    except MechanismError as error:
        raise type(error)(f"{path} ({stated.name!r}): {error}") from None


def _load(mechanism: Mechanism, load: force_schema.Load, path: str, context: Context) -> forces.Load:
    """Convert a spring, force or torque; its law has no unit."""
    stated = {key: value for key in type(load).model_fields if (value := getattr(load, key)) is not None}
    kind = forces.KINDS[stated.pop("type")]
    if "points" in stated:
        stated["points"] = tuple(_point(at, f"{path}.points[{k}]", context) for k, at in enumerate(stated["points"]))
    if "point" in stated:
        stated["point"] = _point(stated["point"], f"{path}.point", context)
    if "line" in stated:
        stated["line"] = tuple(_point(at, f"{path}.line[{k}]", context) for k, at in enumerate(stated["line"]))
    if "curve" in stated:
        stated["curve"] = _curve(stated["curve"], f"{path}.curve", context)
    if "curves" in stated:
        stated["curves"] = [_curve(curve, f"{path}.curves[{k}]", context) for k, curve in enumerate(stated["curves"])]
    for name in ("table", "damping_table"):
        columns = stated.get(name, [])
        if not isinstance(columns, list):
            try:
                rows = read_samples(context.folder.file(columns.csv), columns.columns)
            except MechanismError as error:
                raise type(error)(f"{path}.{name}: {error}") from None
            stated[name] = [row[1:] for row in rows]
    if "law" in stated:
        try:
            stated["law"] = _law(stated["law"], context)
        except MechanismError as error:
            raise type(error)(f"{path}.law: {error}") from None
    converted = kind(**stated)
    return forces.scaled(converted, converted.factors(mechanism, context.units), mul)


def _in_meters(mechanism: Mechanism, joint: Joint, context: Context) -> Joint:
    """Convert the radii of gears to meters, unless they are numbers of teeth."""
    centers = gears.distance(mechanism, joint)
    if joint.radii is None or centers is None or not gears.are_lengths(joint, centers / context.meters):
        return joint
    return replace(joint, radii=(context.meters * joint.radii[0], context.meters * joint.radii[1]))


def _bodies(bodies: Mapping[str, schema.Body] | Sequence[str | schema.NamedBody], context: Context) -> list[Body | str]:
    if isinstance(bodies, Mapping):
        return [_body(name, body, f"bodies.{name}", context) for name, body in bodies.items()]
    return [
        body if isinstance(body, str) else _body(body.name, body, f"bodies[{k}] ({body.name!r})", context)
        for k, body in enumerate(bodies)
    ]


def _body(name: str, body: schema.Body, path: str, context: Context) -> Body:
    points = _points(body.points, f"{path}.points", context) if isinstance(body.points, dict) else tuple(body.points)
    lengths: dict[tuple[str, str], float] = {}
    for k, length in enumerate(body.lengths):
        first, second = length.between
        if first == second or (first, second) in lengths or (second, first) in lengths:
            problem = "connects a point with itself" if first == second else "appears twice"
            raise FileError(f"{path}.lengths[{k}]: the length {first}-{second} {problem}; remove it")
        lengths[first, second] = length.value * context.meters
    center, inertia = _point(body.center, f"{path}.center", context), _inertia(body.inertia, context)
    mass = body.mass * context.units.kilograms
    origin, about = _point(body.origin, f"{path}.origin", context), _point(body.about, f"{path}.about", context)
    shape = None if body.shape is None else _shape(body.shape, path, context)
    return Body(name, origin, points, lengths, mass, center, inertia, about, shape)


def _shape(stated: solid_schema.Shape, path: str, context: Context) -> Shape:
    """Convert a shape, whose file must be there; it is read where it is drawn, or its mass computed."""
    file = context.folder.file(stated.file).absolute()
    if not file.is_file():
        raise ShapeError(f"{path}.shape: there is no file {shown(stated.file)}; check its name and folder")
    at = _point(stated.at, f"{path}.shape.at", context)
    try:
        return Shape(file, at, context.meters * stated.scale, stated.axes)
    except ShapeError as error:
        raise ShapeError(f"{path}.shape: {error}") from None


def _inertia(inertia: float | list[float | list[float]] | list[float] | force_schema.Moments, context: Context) -> Any:
    """Convert an inertia to kg m²."""
    factor = context.units.kilograms * context.meters**2
    if isinstance(inertia, list):
        return tuple(_inertia(x, context) for x in inertia)
    if isinstance(inertia, int | float):
        return factor * inertia
    return {name: factor * x for name, x in inertia.model_dump(exclude_unset=True).items()}


def _joints(joints: Mapping[str, schema.Joint] | Sequence[schema.NamedJoint], context: Context) -> list[Joint]:
    if isinstance(joints, Mapping):
        return [_joint(name, joint, f"joints.{name}", context) for name, joint in joints.items()]
    return [_joint(joint.name, joint, f"joints[{k}] ({joint.name!r})", context) for k, joint in enumerate(joints)]


def _joint(name: str, joint: schema.Joint, path: str, context: Context) -> Joint:
    reference = joint.reference
    points = [_point(point, f"{path}.points[{k}]", context) for k, point in enumerate(joint.points or ())]
    axes = [_coordinates(axis, 1.0, f"{path}.axes[{k}]", context) for k, axis in enumerate(joint.axes or ())]
    curves = [_curve(curve, f"{path}.curves[{k}]", context) for k, curve in enumerate(joint.curves or ())]
    return Joint(
        name,
        joint.type,
        tuple(joint.bodies),
        point=_point(joint.point, f"{path}.point", context),
        points=(points[0], points[1]) if points else None,
        axis=_axis(joint.axis, f"{path}.axis", context),
        axes=(axes[0], axes[1]) if axes else None,
        reference={name: angle * context.radians for name, angle in reference.items()}
        if isinstance(reference, dict)
        else reference * context.radians,
        pitch=_pitch(joint, context),
        radii=(joint.radii[0], joint.radii[1]) if joint.radii else None,
        pressure_angle=None if joint.pressure_angle is None else joint.pressure_angle * context.radians,
        helix_angle=None if joint.helix_angle is None else joint.helix_angle * context.radians,
        adhesion=joint.adhesion,
        range=None
        if joint.range is None
        else joint_range(joint.range, _freedoms(joint, context), context.units, times),
        rope=joint.rope,
        curve=_curve(joint.curve, f"{path}.curve", context) if joint.curve else None,
        radius=None if joint.radius is None else joint.radius * context.meters,
        curves=(curves[0], curves[1]) if curves else None,
    )


def _freedoms(joint: schema.Joint, context: Context) -> tuple[Freedom, ...]:
    """Return the freedoms of a joint; none if there is no such type, which the mechanism refuses."""
    follower = "curve" if joint.curves else "face" if joint.axis else ""
    try:
        return freedoms(joint.type, context.dimension, follower)
    except UnknownJointTypeError:
        return ()


def _pitch(joint: schema.Joint, context: Context) -> float | None:
    """Convert a pitch to m/rad; in a file it is that of one turn, or of one radian."""
    if joint.pitch is not None:
        return joint.pitch * context.meters
    return None if joint.pitch_per_turn is None else joint.pitch_per_turn * context.meters / (2 * math.pi)


def _axis(axis: Sequence[float] | Sequence[str] | None, path: str, context: Context) -> Any:
    """Convert a direction, or the names of two points."""
    if axis is None or isinstance(axis[0], str):
        return axis and tuple(axis)
    return _coordinates(axis, 1.0, path, context)  # type: ignore[arg-type]


def _curve(curve: curve_schema.Curve, path: str, context: Context) -> Curve:
    try:
        if curve.law is not None:
            return _cam(curve, context)
        if curve.csv is None:
            points = [_coordinates(at, 1.0, f"{path}.points[{k}]", context) for k, at in enumerate(curve.points or ())]
        else:
            points = [(x, y) for _, x, y in read_samples(context.folder.file(curve.csv), curve.columns)]
        return Curve([[context.meters * x for x in at] for at in points], curve.closed)
    except MechanismError as error:
        raise type(error)(f"{path}: {error}") from None


def _cam(curve: curve_schema.Curve, context: Context) -> Curve:
    """Make the curve of a cam; the argument of the law is the angle of the cam, in the unit of angles."""
    assert curve.law is not None
    assert curve.follower is not None
    stated = curve.follower
    lengths = {key: context.meters * getattr(stated, key) for key in ("radius", "offset", "pivot", "arm")}
    follower = Follower(stated.type, stated.motion, **lengths)
    lift = context.radians if stated.motion == "swinging" else context.meters
    law = _law(curve.law, context).stretched(context.radians).scaled(lift)
    base, center = context.meters * (curve.base or 0.0), [context.meters * x for x in curve.center or (0.0, 0.0)]
    profile = cam_profile(law, follower, base, clockwise=curve.clockwise, points=curve.count)
    return replace(profile.curve, center=center, axis=curve.axis, mirrored=curve.mirrored)


def _points(points: Mapping[str, Any], path: str, context: Context) -> dict[str, Any]:
    return {
        name: _coordinates(at, context.meters, f"{path}.{name}", context)
        if isinstance(at, list)
        else _construction(at, context)
        for name, at in points.items()
    }


def _chains(chains: Mapping[str, Sequence[construction_schema.Row]], context: Context) -> dict[str, Any]:
    """Convert chains to constructions of points."""
    found: dict[str, Any] = {}
    for name, rows in chains.items():
        units = {key: context.radians if key in ANGLES else context.meters for key in type(rows[0]).model_fields}
        numbers = [{key: unit * getattr(row, key) for key, unit in units.items()} for row in rows]
        found |= links.from_denavit_hartenberg(name, numbers)
    return found


def _construction(stated: construction_schema.Construction, context: Context) -> Construction:
    """Convert a construction; its table is named, and has its fields, as its class."""
    name = type(stated).__name__
    made = getattr(links if name == "Link" else by_lengths, name)
    units = {**dict.fromkeys(ANGLES, context.radians), "share": 1.0}

    def converted(key: str, value: Any) -> Any:
        if isinstance(value, list):
            return tuple(converted(key, x) for x in value)
        return value if value is None or isinstance(value, str | bool) else units.get(key, context.meters) * value

    parts: Construction = made(**{key: converted(key, getattr(stated, key)) for key in type(stated).model_fields})
    return parts


def _point(point: str | Sequence[float] | None, path: str, context: Context) -> Any:
    if point is None or isinstance(point, str):
        return point
    return _coordinates(point, context.meters, path, context)


def _coordinates(numbers: Sequence[float], factor: float, path: str, context: Context) -> tuple[float, ...]:
    if len(numbers) != context.dimension:
        where = "the plane" if context.dimension == 2 else "space"
        raise FileError(f"{path}: must be {context.dimension} numbers in {where}, not {list(numbers)}")
    return tuple(factor * x for x in numbers)


def _driver(mechanism: Mechanism, driver: schema.Driver, k: int, context: Context) -> Driver:
    if driver.law is None:
        return Driver(driver.joint, freedom=driver.freedom, between=_pair(driver))
    joint = mechanism.shared.get(driver.joint) or mechanism.joint[driver.joint]
    freedoms = mechanism.freedoms(joint)
    index = next((i for i, freedom in enumerate(freedoms) if freedom.name == driver.freedom), 0)
    factor = context.radians if freedoms[index].rotation else context.meters
    try:
        law = _law(driver.law, context).scaled(factor)
        if driver.over is not None:
            leader, k_leader = coordinate_of(driver.over, mechanism)
            turns = mechanism.freedoms(mechanism.joint[leader])[k_leader].rotation
            law = Over(driver.over, law.stretched(context.radians if turns else context.meters))
    except MechanismError as error:
        raise type(error)(f"drivers[{k}].law (joint {driver.joint!r}): {error}") from None
    return Driver(driver.joint, law, driver.freedom, _pair(driver))


def _pair(driver: schema.Driver) -> tuple[str, str] | None:
    return (driver.between[0], driver.between[1]) if driver.between else None


def _law(law: law_schema.Law, context: Context) -> laws.Law:
    """Convert a law, in the units of the file except for a phase, which is an angle whatever is driven."""
    fields = {key: getattr(law, key) for key in type(law).model_fields if key != "type"}
    values: dict[str, Any] = {key: tuple(x) if isinstance(x, list) else x for key, x in fields.items()}
    if law.type == "harmonic":
        values["phase"] *= context.radians
    if law.type == "spline":
        if law.csv is not None:
            return _csv_spline(law, context.folder.file(law.csv))
        del values["csv"], values["columns"]
    if law.type == "sequence":
        pieces = (
            _csv_pieces(law, context.folder.file(law.csv)) if law.csv else [_piece(_keys(x)) for x in law.pieces or ()]
        )
        return sequences.Sequence(pieces, law.start, law.begin, law.periodic)
    if law.type in rises.KINDS:
        return rises.Rise(law.type, **values)
    return getattr(laws, type(law).__name__)(**values)  # laws are named as their tables in the schema


def _piece(stated: Mapping[str, Any]) -> sequences.Piece:
    """Convert a piece of a sequence, by the keys that it has in a file."""
    kind, values = stated["type"], {key: x for key, x in stated.items() if key != "type"}
    return sequences.STEADY[kind](**values) if kind in sequences.STEADY else rises.Rise(kind, **values)


def _keys(stated: Any) -> dict[str, Any]:
    """List the keys that a table has in a file, with numbers that remember what they are computed from."""
    found = {key: getattr(stated, key) for key in stated.model_fields_set}
    return {key: tuple(x) if isinstance(x, list) else x for key, x in found.items()}


# --- samples and timing tables in CSV files ---------------------------------------------------


def _csv_spline(law: law_schema.Spline, path: Path) -> laws.Spline:
    rows = read_samples(path, law.columns)
    for (_, before, _), (line, time, _) in pairwise(rows):
        if time <= before:
            raise LawError(f"{path.name}, line {line}: times must increase, and this one is not after the one before")
    times, values = (tuple(row[k] for row in rows) for k in (1, 2))
    try:
        return laws.Spline(times, values, law.degree, law.periodic, label=f"spline of {law.csv}")
    except LawError as error:
        lines = f"lines {rows[0][0]} to {rows[-1][0]}" if len(rows) > 1 else f"line {rows[0][0]} alone"
        raise LawError(f"{path.name}, {lines}: {error}") from None


def _csv_pieces(law: law_schema.Sequence, path: Path) -> list[sequences.Piece]:
    """Read the pieces of a sequence from a timing table."""
    pieces = []
    for line, duration, rise, kind in read_pieces(path, law.columns):
        where = f"{path.name}, line {line}"
        if kind not in (*rises.KINDS, *sequences.STEADY):
            raise LawError(f"{where}: its type must be {', '.join(rises.KINDS)}, {' or '.join(sequences.STEADY)}")
        if kind == "dwell" and rise:
            raise LawError(f"{where}: a dwell must have a rise of 0")
        try:
            pieces.append(_piece({"type": kind, "duration": duration} | ({} if kind == "dwell" else {"rise": rise})))
        except LawError as error:
            raise LawError(f"{where}: {error}") from None
    return pieces
