"""Motions as labeled arrays and as tables: all of a motion, or the quantities that it keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import OutputError, QuantityError, shown
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.outputs import bases
from groupkin.kinematics.motion.quantities import Quantity, components, quantity, unit
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.units import SI, Choice, Units, chosen, conversion

if TYPE_CHECKING:
    import xarray

Array = NDArray[np.float64]
Variables = dict[str, tuple[tuple[str, ...], NDArray[Any], dict[str, str]]]
Columns = list[tuple[str, str, Array]]
"""Names, SI units and values (n,) of columns of a table."""

COMMENT = "seconds; global components"
"""End of the comment of every dataset."""

ARRAYS = {
    *("position", "velocity", "acceleration", "rotation", "angular_velocity", "angular_acceleration"),
    *("point_position", "point_velocity", "point_acceleration", "joint_coordinate", "status", "conditioning"),
    *("time", "body", "point", "axis", "local_axis", "coordinate", "coordinate_units", "group"),
}
"""Names of the variables and coordinates of every motion."""


def kept(keep: Iterable[str | Quantity], mechanism: Mechanism | Program) -> tuple[Quantity, ...]:
    """Read the quantities that results are to hold, each once.

    Raises
    ------
    QuantityError, UnknownNameError, NotModeledError
        If there is none, or the mechanism does not have one of them.
    """
    if isinstance(keep, str):  # a sequence of letters otherwise
        raise QuantityError(f"keep must be a list of quantities, not {shown(keep)}")
    found = tuple(dict.fromkeys(quantity(each, mechanism) for each in keep))
    for each in found:
        bases(each, mechanism.mechanism if isinstance(mechanism, Program) else mechanism)
    if not found:
        raise QuantityError("nothing is kept: name a quantity, such as `position P`, or leave `keep` out")
    return found


def in_units(values: Array, of: str, units: Units) -> tuple[Array, str]:
    """Convert numbers in an SI unit, or in one of several for each of the last components."""
    found = [conversion(each, units) for each in of.split(", ")]
    factors, names = [factor for factor, _ in found], ", ".join(name for _, name in found)
    if set(factors) == {1.0}:
        return values, names
    return values * (factors[0] if len(found) == 1 else np.array(factors)), names


# --- labeled arrays --------------------------------------------------------------------------


def to_xarray(motion: Motion, units: Choice = "SI") -> xarray.Dataset:
    """Convert a motion to a dataset with the dimensions time, body, point, axis, coordinate and group.

    Outputs are variables of their own, and what a motion keeps is all that there is. Units are attributes.

    Raises
    ------
    OutputError
        If xarray is not installed.
    QuantityError
        If an output has no value at a solved step.
    """
    xr, mechanism = require("xarray"), motion.program.mechanism
    wanted = chosen(units, mechanism.units)
    coords: dict[str, Any] = {"time": ("time", motion.times, {"units": "s"})}
    outputs = _outputs(mechanism)
    if motion.keep is None:
        variables = _bodies(motion) | _points(motion) | _joints_and_groups(motion, wanted)
        coords |= _coords(motion, wanted)
    else:
        variables, outputs = {}, list(motion.keep)
    axes = {dim for each in outputs for dim in components(each, mechanism)[0]}
    for name, each in _named(outputs, ARRAYS | axes):
        dims, labels = components(each, mechanism)
        attributes = {"units": unit(each, mechanism), "long_name": str(each)}
        variables[name] = (("time", *dims), motion.read(each), attributes)
        coords |= {dim: list(along) for dim, along in zip(dims, labels, strict=True)}
    for name, (dims, values, attributes) in variables.items():
        if "units" in attributes:
            values, attributes["units"] = in_units(values, attributes["units"], wanted)
            variables[name] = (dims, values, attributes)
    about: dict[str, Any] = {"title": mechanism.name, "comment": comment(wanted)}
    if motion.program.structure.accepted:
        about["misfit"] = mechanism.misfit
    return xr.Dataset(variables, coords=coords, attrs=about)


def comment(units: Units) -> str:
    """Write what all numbers of a dataset have in common."""
    lengths = "meters, radians" if units == SI else f"lengths in {units.length}, angles in {units.angle}"
    return f"{lengths}, {COMMENT}"


def _outputs(mechanism: Mechanism) -> list[Quantity]:
    return [Quantity("output", name) for name in mechanism.outputs]


def _named(quantities: Sequence[Quantity], taken: set[str]) -> list[tuple[str, Quantity]]:
    """Name quantities by their labels, or by their text forms where a label is taken or not unique."""
    labels = [*taken, *(each.label for each in quantities)]
    return [(each.label if labels.count(each.label) == 1 else str(each), each) for each in quantities]


def _coords(motion: Motion, units: Units) -> dict[str, Any]:
    program = motion.program
    names, of = _coordinate_names(motion)
    axes = list("xyz"[: program.mechanism.dimension])
    return {
        "body": list(program.mechanism.movable),
        "point": list(program.geometry.points),
        "axis": axes,
        "local_axis": axes,
        "coordinate": names,
        "coordinate_units": ("coordinate", [conversion(each, units)[1] for each in of]),
        "group": [group.number for group in program.structure.groups],
    }


def _bodies(motion: Motion) -> Variables:
    bodies, frame = motion.program.mechanism.movable, motion.program.mechanism.frame
    planar = motion.program.mechanism.dimension == 2
    place, turn = ("time", "body", "axis"), ("time", "body") if planar else ("time", "body", "axis")

    def stacked(read: Callable[[str], Array]) -> Array:
        return np.stack([read(body) for body in (*bodies, frame)], axis=1)[:, : len(bodies)]

    return {
        "position": (place, stacked(motion.position), {"units": "m", "long_name": "position of the body's origin"}),
        "velocity": (place, stacked(motion.velocity), {"units": "m/s"}),
        "acceleration": (place, stacked(motion.acceleration), {"units": "m/s^2"}),
        "rotation": (
            ("time", "body", "axis", "local_axis"),
            stacked(motion.rotation),
            {"units": "1", "long_name": "rotation matrix, local to global"},
        ),
        "angular_velocity": (turn, stacked(motion.angular_velocity), {"units": "rad/s"}),
        "angular_acceleration": (turn, stacked(motion.angular_acceleration), {"units": "rad/s^2"}),
    }


def _points(motion: Motion) -> Variables:
    program, d = motion.program, motion.program.mechanism.dimension
    variables: Variables = {}
    for order, (name, of) in enumerate((("position", "m"), ("velocity", "m/s"), ("acceleration", "m/s^2"))):
        rows = [motion.point_on(body, local, order) for body, local in program.geometry.points.values()]
        values = np.stack(rows, axis=1) if rows else np.zeros((motion.times.size, 0, d))
        variables[f"point_{name}"] = (("time", "point", "axis"), values, {"units": of})
    return variables


def _coordinate_names(motion: Motion) -> tuple[list[str], list[str]]:
    mechanism = motion.program.mechanism
    pairs = [(joint.name, freedom) for joint in mechanism.joints for freedom in mechanism.freedoms(joint)]
    return [f"{name}.{freedom.name}" for name, freedom in pairs], [freedom.unit for _, freedom in pairs]


def _joints_and_groups(motion: Motion, units: Units) -> Variables:
    joints = [motion.joint(joint.name) for joint in motion.program.mechanism.joints]
    factors = [conversion(each, units)[0] for each in _coordinate_names(motion)[1]]
    values = np.concatenate([np.zeros((0, motion.times.size)), *joints]) * np.reshape(factors, (-1, 1))
    from sglibrary.status import MEANING

    meaning = ", ".join(f"{code}: {text}" for code, text in MEANING.items())
    best = {"units": "1", "long_name": "1 at best, 0 at a singular position"}
    return {
        "joint_coordinate": (("time", "coordinate"), values.T, {"long_name": "units: see coordinate_units"}),
        "status": (("time", "group"), motion.status.T, {"meaning": meaning}),
        "conditioning": (("time", "group"), motion.conditioning.T, best),
    }


# --- tables ----------------------------------------------------------------------------------


def table(motion: Motion, units: Choice = "SI", outputs: bool = True) -> tuple[list[str], list[Array]]:
    """List names, such as ``crank.x [m]``, and values (n,) of all columns of a table.

    These are origins, named points, rotations, joint coordinates, statuses and outputs, or what the motion keeps. Where
    a joint or an output has the name of something before it, its columns begin with ``joint`` or ``output``.
    """
    mechanism = motion.program.mechanism
    columns: Columns = [("time", "s", motion.times)]
    columns += _all_columns(motion) if motion.keep is None else []
    extra = (_outputs(mechanism) if outputs else []) if motion.keep is None else list(motion.keep)
    names = {name for name, *_ in columns}
    for label, each in _named(extra, names):
        found = _columns(motion, label, each)
        if any(name in names for name, *_ in found):
            found = _columns(motion, str(each), each)
        names |= {name for name, *_ in found}
        columns += found
    wanted = chosen(units, mechanism.units)
    converted = [(name, *in_units(values, of, wanted)) for name, of, values in columns]
    return [f"{name} [{of}]" for name, _, of in converted], [values for _, values, _ in converted]


def _columns(motion: Motion, label: str, each: Quantity) -> Columns:
    """List the columns of a quantity."""
    mechanism = motion.program.mechanism
    labels = [".".join((label, *parts)) for parts in product(*components(each, mechanism)[1])]
    units = unit(each, mechanism).split(", ")
    units = units if len(units) == len(labels) else units * len(labels)
    return list(zip(labels, units, motion.read(each).reshape(motion.times.size, -1).T, strict=True))


def _all_columns(motion: Motion) -> Columns:
    """List the columns of all bodies, points, joints and groups."""
    axes = "xyz"[: motion.program.mechanism.dimension]
    bodies, geometry = motion.program.mechanism.movable, motion.program.geometry
    points = [(body, body, geometry.origins[body]) for body in bodies]
    points += [(name, *on_body) for name, on_body in geometry.points.items()]
    columns: Columns = []
    for name, body, local in points:
        for order, (prefix, of) in enumerate((("", "m"), ("v", "m/s"), ("a", "m/s^2"))):
            values = motion.point_on(body, local, order).T
            columns += [(f"{name}.{prefix}{axis}", of, row) for axis, row in zip(axes, values, strict=True)]
    for body in bodies:
        if len(axes) == 2:
            columns.append((f"{body}.angle", "rad", motion.angle(body)))
        else:
            entries = [f"{body}.r{i}{j}" for i in axes for j in axes]
            rows = motion.rotation(body).reshape(-1, 9).T
            columns += [(name, "1", row) for name, row in zip(entries, rows, strict=True)]
        turns = (("omega", "rad/s", motion.angular_velocity), ("alpha", "rad/s^2", motion.angular_acceleration))
        for word, of, turn in turns:
            values = turn(body)
            names = [f"{body}.{word}"] if values.ndim == 1 else [f"{body}.{word}_{x}" for x in axes]
            columns += [(name, of, row) for name, row in zip(names, np.atleast_2d(values.T), strict=True)]
    taken = {(name, of) for name, of, _ in columns}
    joints = [row for joint in motion.program.mechanism.joints for row in motion.joint(joint.name)]
    for stated, of, row in zip(*_coordinate_names(motion), joints, strict=True):
        label = stated
        while (label, of) in taken:  # by a body or point, and perhaps by a joint whose name begins with "joint"
            label = f"joint {label}"
        taken.add((label, of))
        columns.append((label, of, row))
    numbers = [group.number for group in motion.program.structure.groups]
    columns += [(f"group {k}.status", "code", row.astype(float)) for k, row in zip(numbers, motion.status, strict=True)]
    return columns


def require(package: str) -> Any:
    """Import an optional package.

    Raises
    ------
    OutputError
        If it is not installed.
    """
    from importlib import import_module

    try:
        return import_module(package)
    except ImportError as error:
        raise OutputError(f"this needs the package {package}: pip install 'groupkin[io]'") from error
