"""Mechanism files written: data of `groupkin.mechanism.files.schema`, as TOML or JSON, which load to the same again."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, asdict, fields, replace
from pathlib import Path
from typing import Any

from groupkin.arguments import checked
from groupkin.durable_files import disk_errors, resolved, write_atomically
from groupkin.errors import GroupkinError, OutputError
from groupkin.mechanism import gears
from groupkin.mechanism.cams.cam_curves import CamCurve
from groupkin.mechanism.cams.followers import Follower
from groupkin.mechanism.constructions.construction import ANGLES, Placed
from groupkin.mechanism.couplings.couplings import Coupling
from groupkin.mechanism.couplings.relations import rotations
from groupkin.mechanism.curves import Curve
from groupkin.mechanism.files.decoding import Folder
from groupkin.mechanism.files.range_units import joint_range, quantity_ranges, robots_in_units
from groupkin.mechanism.files.reading import MechanismFile, convert
from groupkin.mechanism.forces import forces
from groupkin.mechanism.forces.pull import PULLS
from groupkin.mechanism.laws import laws, rises, sequences
from groupkin.mechanism.laws.laws import Law
from groupkin.mechanism.laws.over import Over
from groupkin.mechanism.mechanism import Body, Driver, Joint, Mechanism
from groupkin.mechanism.parts import Shape
from groupkin.mechanism.robots import Robot
from groupkin.mechanism.suspensions import Suspension
from groupkin.mechanism.units import SI, Units, conversion
from groupkin.mechanism.values import Value, formula, in_order, stated

BARE = re.compile(r"[A-Za-z0-9_-]+")
"""Keys that TOML takes without quotes."""

LINES = ("bodies", "joints", "drivers", "forces", "couplings")
"""Lists that are written with a line for each entry."""

TABLES = ("values", "points", "outputs", "ranges")
"""Tables that are written with a line for each entry."""

WHOLE = 1e15
"""Size up to which whole numbers are written without a point."""


@checked
def save(
    mechanism: Mechanism | MechanismFile,
    path: str | Path,
    *,
    units: Units | None = None,
    motion: Mapping[str, float] | None = None,
) -> None:
    """Write a mechanism to a TOML or JSON file, which `groupkin.load` reads.

    Parameters
    ----------
    mechanism : Mechanism or MechanismFile
        What `groupkin.read` gives keeps its times and its description.
    path : str or Path
        File with the suffix ``.toml`` or ``.json``; one that exists is replaced.
    units : Units, optional
        Of the numbers in the file; default: `Mechanism.units`.
    motion : mapping of str to float, optional
        Times to solve at: "duration" and "start", s, and "steps".

    Raises
    ------
    OutputError
        If the file cannot be written, or cannot hold the mechanism: names that are empty, laws of one's own.

    Notes
    -----
    The mechanism that is loaded is equal, each number to the last bit, in meters and radians, and in the units of the
    file that it comes from. In other units some numbers have no exact equal, and are off by one rounding.
    """
    path, description = Path(path), ""
    if isinstance(mechanism, MechanismFile):
        motion = asdict(mechanism.motion) if motion is None else motion
        description, mechanism = mechanism.description, mechanism.mechanism
    if path.suffix.lower() not in (".toml", ".json"):
        raise OutputError(f"{path.name}: a mechanism file ends in .toml or .json")
    data = as_data(mechanism, units, motion, description, path.parent)
    try:
        convert(data, Folder(path.parent), mechanism.name)
        text = as_toml(data) if path.suffix.lower() == ".toml" else json.dumps(data, indent=1, ensure_ascii=False)
    except GroupkinError as error:
        raise OutputError(f"{path.name}: a file cannot hold this mechanism: {error}") from None
    with disk_errors(path, begun=False):
        write_atomically(path, text)


# --- a mechanism as data ---------------------------------------------------------------------


def as_data(
    mechanism: Mechanism,
    units: Units | None = None,
    motion: Mapping[str, float] | None = None,
    description: str = "",
    folder: Path | None = None,
) -> dict[str, Any]:
    """Convert a mechanism to the data of a mechanism file, in a folder to which files of shapes are relative.

    Raises
    ------
    OutputError
        If a driver has a law that files do not know, or a shape is not in the folder or below.
    """
    units = units or mechanism.units

    def length(x: float) -> float:
        return divided(x, units.meters)

    def angle(x: float) -> float:
        return divided(x, units.radians)

    first = next(iter(mechanism.body))
    joints = dict.fromkeys(joint.of or joint.name for joint in mechanism.joints)
    data = {
        "name": mechanism.name,
        "description": description,
        "dimension": mechanism.dimension,
        "units": _units(units),
        "frame": mechanism.frame if mechanism.frame != first else "",
        "values": _values(mechanism),
        "points": {name: _place(at, length, angle) for name, at in mechanism.points.items()},
        "gravity": [_short(x) for x in mechanism.gravity],
        "misfit": mechanism.misfit,
        "bodies": [_body(body, length, units, folder) for body in mechanism.body.values()],
        "joints": [
            _joint(mechanism, each if isinstance(each, Joint) else mechanism.joint[each], units, length, angle)
            for each in joints
        ],
        "drivers": [_driver(mechanism, driver, length, angle) for driver in mechanism.drivers],
        "forces": [_load(mechanism, load, units, length, angle) for load in mechanism.forces],
        "couplings": [_coupling(mechanism, each, length, angle) for each in mechanism.couplings],
        "motion": dict(motion or {}),
        "modes": dict(mechanism.modes),
        "suspension": [_suspension(wheel, length, units) for wheel in mechanism.suspensions],
        "robot": [_robot(mechanism, robot, length) for robot in robots_in_units(mechanism, units, divided)],
        "outputs": dict(mechanism.own_outputs),
        "ranges": quantity_ranges(mechanism, units, _end),
    }
    return {key: value for key, value in data.items() if value not in ("", {}) and (value or key not in OPTIONAL)}


OPTIONAL = ("drivers", "gravity", "misfit", "forces", "couplings", "suspension", "robot")
"""Entries that are left out of a file where they are empty or 0."""


def _units(units: Units) -> dict[str, str]:
    """Length and angle if any unit is no SI unit, mass and force if they are none."""
    stated = {"length": units.length, "angle": units.angle}
    more = {key: getattr(units, key) for key in ("mass", "force") if getattr(units, key) != getattr(SI, key)}
    return {} if units == SI else stated | more


def divided(value: float, factor: float) -> float:
    """Find the shortest number whose product with a factor is a value, or the nearest if there is none.

    Examples
    --------
    >>> divided(0.125, 0.001), divided(0.3 * 0.001, 0.001)
    (125, 0.3)
    """
    text = formula(value / factor) if isinstance(value, Value) else None
    if text is not None:
        return text  # type: ignore[return-value]
    quotient = float(value) / factor
    near = [float(f"{quotient:.{digits}g}") for digits in (15, 16)]
    near += [quotient, math.nextafter(quotient, math.inf), math.nextafter(quotient, -math.inf)]
    return _short(next((x for x in near if factor * x == value), quotient))


def _short(value: float) -> float:
    """Return a whole number without a point, unless it is a negative zero; of a value its formula."""
    text = formula(value) if isinstance(value, Value) else None
    if text is not None:
        return text  # type: ignore[return-value]
    whole = float(value).is_integer() and abs(value) < WHOLE and math.copysign(1.0, value) * (value or 1.0) > 0
    return int(value) if whole else float(value)


def _is_default(part: Field[Any], value: Any) -> bool:
    """Whether a file may leave out the value of a field; values by name are written even so."""
    return part.default is not MISSING and value == part.default and not any(formula(x) for _, x in stated(value))


Scale = Callable[[float], float]


def _point(point: str | Sequence[float], scale: Scale) -> str | list[float]:
    return point if isinstance(point, str) else [scale(x) for x in point]


def _values(mechanism: Mechanism) -> dict[str, float | str]:
    """List the values of a mechanism: numbers, and formulas of others."""
    found: dict[str, float | str] = {}
    for x in in_order(value for _, value in stated(mechanism)):
        text = formula(x, by_name=False)
        if x.name and text is not None:
            found[x.name] = text if x.operation else _short(float(x))
    return found


def _place(at: Any, length: Scale, angle: Scale) -> list[float] | dict[str, Any]:
    """Convert the coordinates of a point, or the construction that they come from."""
    if not isinstance(at, Placed):
        return _point(at, length)  # type: ignore[return-value]
    from groupkin.mechanism.files import construction_schema  # pydantic, which is slow to import

    keys = getattr(construction_schema, type(at.construction).__name__).model_fields  # tables are named as classes
    scales = {**dict.fromkeys(ANGLES, angle), "share": _short}

    def converted(key: str, value: Any) -> Any:
        if isinstance(value, tuple):
            return [converted(key, x) for x in value]
        return value if isinstance(value, str | bool) else scales.get(key, length)(value)

    return {
        keys[part.name].alias or part.name: converted(part.name, value)
        for part in fields(at.construction)
        if (value := getattr(at.construction, part.name)) is not None and not _is_default(part, value)
    }


def _body(body: Body, length: Scale, units: Units, folder: Path | None) -> str | dict[str, Any]:
    """Convert a body: its name alone if it has nothing else."""
    entry: dict[str, Any] = {"name": body.name}
    if body.origin is not None:
        entry["origin"] = _point(body.origin, length)
    if isinstance(body.points, Mapping):
        entry["points"] = {name: _point(at, length) for name, at in body.points.items()}
    elif body.points:
        entry["points"] = list(body.points)
    if body.lengths:
        entry["lengths"] = [{"between": list(pair), "value": length(x)} for pair, x in body.lengths.items()]
    if body.mass:
        entry["mass"] = divided(body.mass, units.kilograms)
    if body.center is not None:
        entry["center"] = _point(body.center, length)
    if body.inertia:
        entry["inertia"] = _inertia(body.inertia, units)
    if body.about is not None:
        entry["about"] = _point(body.about, length)
    if body.shape is not None:
        entry["shape"] = _shape(body.name, body.shape, length, folder)
    return entry if len(entry) > 1 else body.name


def _shape(body: str, shape: Shape, length: Scale, folder: Path | None) -> dict[str, Any]:
    """Convert the shape of a body."""
    entry: dict[str, Any] = {"file": str(shape.file)}
    if folder is not None:
        with disk_errors(Path(shape.file), begun=False):
            file, place = resolved(Path(shape.file)), resolved(folder)
        if not file.is_relative_to(place):
            raise OutputError(
                f"body {body!r}: {shape.name} is not in the folder of the file that is written, or below; copy it "
                "there, or write the file above it"
            )
        entry["file"] = file.relative_to(place).as_posix()
    if shape.at is not None:
        entry["at"] = _point(shape.at, length)
    if (scale := length(shape.scale)) != 1:
        entry["scale"] = scale
    if shape.axes is not None:
        entry["axes"] = [[_short(x) for x in axis] for axis in shape.axes]
    return entry


def _inertia(inertia: Any, units: Units) -> Any:
    """Convert an inertia in the form in which it is stated: a number, rows of numbers, or a table."""
    if isinstance(inertia, Mapping):
        return {name: _inertia(x, units) for name, x in inertia.items()}
    if isinstance(inertia, Sequence):
        return [_inertia(x, units) for x in inertia]
    return divided(inertia, units.kilograms * units.meters**2)


def _coupling(mechanism: Mechanism, coupling: Coupling, length: Scale, angle: Scale) -> dict[str, Any]:
    """Convert a coupling: its equation, or its table in the units of the file."""
    if coupling.equation:
        return {"name": coupling.name, "equation": coupling.equation}
    if coupling.function is not None:
        raise OutputError(f"coupling {coupling.name!r} is a function in Python, which files do not hold")
    scales = [angle if turns else length for turns in rotations(coupling.of, mechanism)]
    table = [[scale(x) for scale, x in zip(scales, row, strict=True)] for row in coupling.table]
    entry = {"name": coupling.name, "of": list(coupling.of), "table": table}
    return entry | ({"closed": True} if coupling.closed else {})


def _load(mechanism: Mechanism, load: forces.Load, units: Units, length: Scale, angle: Scale) -> dict[str, Any]:
    """Convert a spring, force or torque, with what is not its default."""
    if getattr(load, "function", None) is not None:
        raise OutputError(f"force {load.name!r} is a function in Python, which files do not hold")
    converted = forces.scaled_numbers(load, load.factors(mechanism, units), divided)
    kind = next(name for name, each in forces.KINDS.items() if isinstance(load, each))
    entry: dict[str, Any] = {"name": load.name, "type": kind}
    for part in fields(load):
        value = converted.get(part.name, getattr(load, part.name))
        if part.name in ("name", "law") or _is_default(part, getattr(load, part.name)):
            continue
        if part.name in ("points", "line"):
            entry[part.name] = [_point(point, length) for point in value]
        elif part.name == "curve":
            entry["curve"] = _curve(f"force {load.name!r}", value, length, angle)
        elif part.name == "curves":
            entry["curves"] = [_curve(f"force {load.name!r}", curve, length, angle) for curve in value]
        elif part.name == "point":
            entry["point"] = _point(value, length)
        else:
            entry[part.name] = _listed(value)
    if kind in ("spring", "joint_spring") and not entry.keys() & set(PULLS):
        entry["stiffness"] = 0.0
    law = getattr(load, "law", None)
    return entry if law is None else {**entry, "law": _law(f"force {load.name!r}", law, _short, angle)}


def _listed(value: Any) -> Any:
    return [_listed(x) for x in value] if isinstance(value, tuple) else value


def _joint(mechanism: Mechanism, joint: Joint, units: Units, length: Scale, angle: Scale) -> dict[str, Any]:
    axes = [[_short(x) for x in axis] for axis in joint.axes or ()]
    reference = joint.reference
    if isinstance(reference, Mapping):
        references: Any = {name: angle(x) for name, x in reference.items()}
    else:
        references = angle(reference) if reference else None
    entry = {
        "name": joint.name,
        "type": joint.type,
        "bodies": list(joint.bodies),
        "point": None if joint.point is None else _point(joint.point, length),
        "points": [_point(point, length) for point in joint.points] if joint.points else None,
        "axis": [x if isinstance(x, str) else _short(x) for x in joint.axis] if joint.axis is not None else None,
        "axes": axes or None,
        "reference": references,
        **_pitch(joint, units),
        "radii": _radii(mechanism, joint, units),
        "pressure_angle": None if joint.pressure_angle is None else angle(joint.pressure_angle),
        "helix_angle": None if joint.helix_angle is None else angle(joint.helix_angle),
        "adhesion": joint.adhesion,
        "range": joint_range(joint.range, mechanism.freedoms(joint), units, _end),
        "rope": True if joint.rope else None,
        "curve": None if joint.curve is None else _curve(f"joint {joint.name!r}", joint.curve, length, angle),
        "radius": None if joint.radius is None else length(joint.radius),
        "curves": [_curve(f"joint {joint.name!r}", curve, length, angle) for curve in joint.curves]
        if joint.curves
        else None,
    }
    return {key: value for key, value in entry.items() if value is not None}


def _stated(of: Any) -> dict[str, Any]:
    """List the fields of what is stated in a table that have not their defaults."""
    return {part.name: x for part in fields(of) if not _is_default(part, x := getattr(of, part.name))}


def _robot(mechanism: Mechanism, robot: Robot, length: Scale) -> dict[str, Any]:
    """Convert a robot whose stiffness and errors are in the units of the file."""
    found = {key: x for key, x in _stated(robot).items() if x != {}}
    found.pop("by", None)
    more = {"by": list(robot.by)} if robot.by != mechanism.driven_freedoms else {}
    return found | more | ({"length": length(robot.length)} if robot.length is not None else {})


def _suspension(wheel: Suspension, length: Scale, units: Units) -> dict[str, Any]:
    """Convert a wheel, with what is not its default."""
    found = _stated(wheel)
    scales: dict[str, Scale] = dict.fromkeys(("wheelbase", "height", "free_length"), length) | {"brake_share": _short}
    scales["spring_rate"] = lambda x: divided(x, 1.0 / conversion("N/m", units)[0])
    scaled = {key: scale(found[key]) for key, scale in scales.items() if key in found}
    return {key: list(x) if isinstance(x, tuple) else x for key, x in (found | scaled).items()}


def _end(x: float, factor: float) -> Any:
    """Convert an end of a range; infinite ones are texts, as JSON has no such number."""
    return divided(x, factor) if math.isfinite(x) else "inf" if x > 0.0 else "-inf"


def _pitch(joint: Joint, units: Units) -> dict[str, float]:
    """Convert a pitch to that of one turn; to that of one radian, as the mechanism has it, where this is not exact."""
    if joint.pitch is None:
        return {}
    per_turn = joint.pitch / units.meters * (2 * math.pi)
    near = [float(f"{per_turn:.{digits}g}") for digits in (15, 16, 17)]
    near += [math.nextafter(per_turn, way) for way in (math.inf, -math.inf)]
    exact = next((x for x in near if x * units.meters / (2 * math.pi) == joint.pitch), None)
    return {"pitch": divided(joint.pitch, units.meters)} if exact is None else {"pitch_per_turn": _short(exact)}


def _radii(mechanism: Mechanism, joint: Joint, units: Units) -> list[float] | None:
    """Convert the radii of gears, unless they are read as numbers of teeth."""
    if joint.radii is None:
        return None
    centers = gears.distance(mechanism, joint)
    if any(isinstance(x, Value) for x in joint.radii):
        lengths = centers is not None and gears.are_lengths(joint, centers)
        return [divided(x, units.meters if lengths else 1.0) for x in joint.radii]
    scaled = [divided(x, units.meters) for x in joint.radii]
    stated = [_short(x) for x in joint.radii]
    for radii in (scaled, stated):
        written = replace(joint, radii=(radii[0], radii[1]))
        lengths = centers is not None and gears.are_lengths(written, centers / units.meters)
        if tuple(x * units.meters if lengths else x for x in radii) == joint.radii:
            return radii
    return scaled if centers is not None and gears.are_lengths(joint, centers) else stated


def _curve(of: str, curve: Curve, length: Scale, angle: Scale) -> dict[str, Any]:
    """Convert a curve: its points, or the law and the follower that it is computed from."""
    if not isinstance(curve, CamCurve):
        closed = {"closed": True} if curve.closed else {}
        return {"points": [[length(x) for x in point] for point in curve.points], **closed}
    swings = curve.follower.motion == "swinging"
    law = _law(f"the curve of {of}", curve.law, angle if swings else length, angle, angle)
    return {"law": law, "follower": _changed(curve.follower, length), **_changed(curve, length)}


def _changed(cam: CamCurve | Follower, length: Scale) -> dict[str, Any]:
    """Convert the lengths and choices of a cam or its follower that are not their defaults."""
    found: dict[str, Any] = {}
    for part in fields(cam):
        value = getattr(cam, part.name)
        if not part.init or part.name in ("law", "follower") or _is_default(part, value):
            continue
        scale = _short if part.name in ("axis", "count") else length
        key = "type" if part.name == "kind" else part.name
        if isinstance(value, str | bool):
            found[key] = value
        else:
            found[key] = [scale(x) for x in value] if isinstance(value, tuple) else scale(value)
    return found


def _driver(mechanism: Mechanism, driver: Driver, length: Scale, angle: Scale) -> dict[str, Any]:
    joint = mechanism.joint[driver.joint]
    entry: dict[str, Any] = {"joint": joint.of.name if joint.of else joint.name}
    if joint.of is not None:
        entry["between"] = list(joint.bodies)
    if driver.freedom is not None:
        entry["freedom"] = driver.freedom
    if driver.law is not None:
        freedoms = mechanism.freedoms(joint)
        index = next((k for k, freedom in enumerate(freedoms) if freedom.name == driver.freedom), 0)
        law, argument = driver.law, None
        if isinstance(law, Over):
            entry["over"], argument, law = law.leader, angle if law.argument == "rad" else length, law.law
        amplitude = angle if freedoms[index].rotation else length
        entry["law"] = _law(f"the driver of joint {driver.joint!r}", law, amplitude, angle, argument)
    return entry


TIMES = ("times", "duration", "begin")
"""Numbers of laws that are times, or values of the coordinate that takes their place."""


def _law(
    of: str, law: Law | sequences.Piece, amplitude: Scale, angle: Scale, argument: Scale | None = None
) -> dict[str, Any]:
    """Convert a law, or a piece of a sequence, with what is not its default; `argument` converts what is no time."""
    kind = type(law).__name__
    if type(law).__module__ not in (laws.__name__, rises.__name__, sequences.__name__):
        raise OutputError(f"{of} has a law of its own kind, {kind}, which a file cannot hold; sample it, as gk.Samples")
    entry: dict[str, Any] = {"type": getattr(law, "kind", kind.lower())}
    amplitudes = getattr(law, "AMPLITUDES", ("rise",))
    other = law if argument is None else law.stretched(argument(1.0))
    for part in fields(law):
        value = getattr(law if part.name in TIMES or part.name == "pieces" else other, part.name)
        if part.name in ("label", "kind") or _is_default(part, value):
            continue
        scale = amplitude if part.name in amplitudes else angle if part.name == "phase" else _short
        scale = argument if argument is not None and part.name in TIMES else scale
        if isinstance(value, bool):
            entry[part.name] = value
        elif part.name == "pieces":
            entry[part.name] = [_law(of, piece, amplitude, angle, argument) for piece in value]
        else:
            entry[part.name] = [scale(x) for x in value] if isinstance(value, tuple) else scale(value)
    return entry


# --- data as TOML ----------------------------------------------------------------------------


def as_toml(data: Mapping[str, Any]) -> str:
    """Write the data of a mechanism file as TOML, with a line for each body, joint, driver, point and output."""
    tables = {key: value for key, value in data.items() if key in TABLES}  # a table ends what is before it
    lines = [_line(key, value) for key, value in data.items() if key not in tables]
    for key, table in tables.items():
        lines += [f"\n[{key}]\n", *(f"{_key(name)} = {_value(value)}\n" for name, value in table.items())]
    return "".join(lines)


def _line(key: str, value: Any) -> str:
    if key in LINES:
        return f"{key} = [\n" + "".join(f"  {_value(entry)},\n" for entry in value) + "]\n"
    return f"{_key(key)} = {_value(value)}\n"


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else _value(name)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, str):  # escaped as in JSON, but for the one control character that JSON leaves as it is
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)
