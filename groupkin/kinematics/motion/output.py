"""Motions as labeled arrays and as files."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from groupkin.durable_files import (
    check_place,
    disk_errors,
    remove_abandoned,
    replacing_file,
    replacing_folder,
    resolved,
)
from groupkin.errors import OutputError
from groupkin.kinematics.motion.motion import Motion
from sglibrary.status import MEANING

if TYPE_CHECKING:
    import xarray

Array = NDArray[np.float64]
Variables = dict[str, tuple[tuple[str, ...], NDArray[Any], dict[str, str]]]

PACKAGES = {".nc": ("xarray", "h5netcdf"), ".zarr": ("xarray", "zarr"), ".csv": (), ".npz": ()}
"""Suffixes of the files that motions are written to, and the optional packages that each needs."""

COMMENT = "meters, radians, seconds; global components"

ARRAYS = {
    *("position", "velocity", "acceleration", "rotation", "angular_velocity", "angular_acceleration"),
    *("point_position", "point_velocity", "point_acceleration", "joint_coordinate", "status", "conditioning"),
    *("time", "body", "point", "axis", "local_axis", "coordinate", "coordinate_units", "group"),
}
"""Names of the variables and coordinates of every motion, by which a folder is known to be one."""

MOTION_FILE = re.compile(r"zarr\.json|(\w+)/(zarr\.json|c(/\d+)+)")
"""Paths in the folder of a motion."""

ROWS = 256
"""Rows of a table that are written at a time, so few that they stay in cache."""


def to_xarray(motion: Motion) -> xarray.Dataset:
    """Convert a motion to a dataset with the dimensions time, body, point, axis, coordinate and group.

    Units are attributes of the variables.

    Raises
    ------
    OutputError
        If xarray is not installed.
    """
    xr = _require("xarray")
    variables = _bodies(motion) | _points(motion) | _joints_and_groups(motion)
    return xr.Dataset(
        variables,
        coords=_coords(motion),
        attrs={"title": motion.program.mechanism.name, "comment": COMMENT},
    )


def _coords(motion: Motion) -> dict[str, Any]:
    program = motion.program
    names, units = _coordinate_names(motion)
    axes = list("xyz"[: program.mechanism.dimension])
    return {
        "time": ("time", motion.times, {"units": "s"}),
        "body": list(program.mechanism.movable),
        "point": list(program.geometry.points),
        "axis": axes,
        "local_axis": axes,
        "coordinate": names,
        "coordinate_units": ("coordinate", units),
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
    for order, (name, unit) in enumerate((("position", "m"), ("velocity", "m/s"), ("acceleration", "m/s^2"))):
        rows = [motion.point_on(body, local, order) for body, local in program.geometry.points.values()]
        values = np.stack(rows, axis=1) if rows else np.zeros((motion.times.size, 0, d))
        variables[f"point_{name}"] = (("time", "point", "axis"), values, {"units": unit})
    return variables


def _coordinate_names(motion: Motion) -> tuple[list[str], list[str]]:
    mechanism = motion.program.mechanism
    pairs = [(joint.name, freedom) for joint in mechanism.joints for freedom in mechanism.freedoms(joint)]
    return [f"{name}.{freedom.name}" for name, freedom in pairs], [freedom.unit for _, freedom in pairs]


def _joints_and_groups(motion: Motion) -> Variables:
    joints = [motion.joint(joint.name) for joint in motion.program.mechanism.joints]
    values = np.concatenate([np.zeros((0, motion.times.size)), *joints])
    meaning = ", ".join(f"{code}: {text}" for code, text in MEANING.items())
    best = {"units": "1", "long_name": "1 at best, 0 at a singular position"}
    return {
        "joint_coordinate": (("time", "coordinate"), values.T, {"long_name": "units: see coordinate_units"}),
        "status": (("time", "group"), motion.status.T, {"meaning": meaning}),
        "conditioning": (("time", "group"), motion.conditioning.T, best),
    }


def table(motion: Motion) -> tuple[list[str], list[Array]]:
    """List names, such as ``crank.x [m]``, and values (n,) of all columns of a table.

    These are origins, named points, rotations, joint coordinates and statuses. Where a joint has the name of a body,
    its columns begin with ``joint``.
    """
    names, columns = ["time [s]"], [motion.times]
    axes = "xyz"[: motion.program.mechanism.dimension]
    bodies, geometry = motion.program.mechanism.movable, motion.program.geometry
    points = [(body, body, geometry.origins[body]) for body in bodies]
    points += [(name, *on_body) for name, on_body in geometry.points.items()]
    for name, body, local in points:
        for order, (prefix, unit) in enumerate((("", "m"), ("v", "m/s"), ("a", "m/s^2"))):
            names += [f"{name}.{prefix}{axis} [{unit}]" for axis in axes]
            columns += list(motion.point_on(body, local, order).T)
    for body in bodies:
        if len(axes) == 2:
            names.append(f"{body}.angle [rad]")
            columns.append(motion.angle(body))
        else:
            names += [f"{body}.r{i}{j} [1]" for i in axes for j in axes]
            columns += list(motion.rotation(body).reshape(-1, 9).T)
        turns = (("omega", "rad/s", motion.angular_velocity), ("alpha", "rad/s^2", motion.angular_acceleration))
        for word, unit, turn in turns:
            values = turn(body)
            names += [f"{body}.{word} [{unit}]"] if values.ndim == 1 else [f"{body}.{word}_{x} [{unit}]" for x in axes]
            columns += [values] if values.ndim == 1 else list(values.T)
    labels, units = _coordinate_names(motion)
    joints = [f"{label} [{unit}]" for label, unit in zip(labels, units, strict=True)]
    names += [f"joint {name}" if name in names else name for name in joints]
    columns += [row for joint in motion.program.mechanism.joints for row in motion.joint(joint.name)]
    names += [f"group {group.number}.status [code]" for group in motion.program.structure.groups]
    columns += list(motion.status.astype(float))
    return names, columns


def save(motion: Motion, path: str | Path) -> None:
    """Write a motion to .nc (netCDF), .zarr, .csv or .npz.

    A file of that name is replaced, and a folder if it is a motion; a link stays, and what it points to is replaced.

    Raises
    ------
    OutputError
        For another suffix, a missing package, or a path or names that cannot be written; no partial file is left.
    """
    target = Path(path)
    suffix = target.suffix.lower()
    check_target(target)
    # written under another name and renamed, so that a full disk leaves no partial file
    try:
        with disk_errors(target, begun=False):
            remove_abandoned(resolved(target))
            if suffix == ".zarr":
                with replacing_folder(target, is_motion) as aside:
                    _zarr(motion, aside)
            else:
                with replacing_file(target) as aside:
                    {".nc": _netcdf, ".csv": _csv, ".npz": _npz}[suffix](motion, aside)
    except (ValueError, TypeError, RuntimeError) as error:  # of packages, such as a NUL in a name in netCDF
        raise OutputError(f"{target} cannot be written as {suffix}: {error}; choose another format") from error


def save_or_keep(motion: Motion, path: Path) -> None:
    """Write a motion as `save` does; one that cannot be written is kept in a temporary file, which the error names."""
    try:
        save(motion, path)
    except (OutputError, MemoryError) as error:
        reason = str(error) or f"{path} cannot be written: there is not enough memory"
        raise OutputError(f"{reason}. {_kept(motion)}") from error


def _kept(motion: Motion) -> str:
    """Write a motion to a temporary file; returns a sentence that says where it is."""
    try:
        handle, name = tempfile.mkstemp(".npz", "groupkin-motion-")
    except OSError as error:
        return f"Nor can the motion be kept in a temporary file: {error.strerror or error}"
    try:
        os.close(handle)
        _npz(motion, Path(name))
    except (OSError, MemoryError) as error:
        Path(name).unlink()
        return f"Nor can the motion be kept in {tempfile.gettempdir()}: {error}"
    return f"The motion is kept in {name}"


def check_target(path: str | Path) -> None:
    """Refuse, before anything is computed, an output file that could not be written.

    Raises
    ------
    OutputError
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in PACKAGES:
        raise OutputError(f"{target}: unknown format {target.suffix or '(no suffix)'}; use .nc, .zarr, .csv or .npz")
    for package in PACKAGES[suffix]:
        _require(package)
    check_place(target, folder=suffix == ".zarr")
    if suffix == ".zarr" and target.exists() and not is_motion(target):
        raise OutputError(f"{target} exists and is no motion that groupkin has written; choose another name")


def is_motion(folder: Path) -> bool:
    """Return True for a folder that `save` has written and to which nothing was added, and for an empty one."""
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_symlink() or path.is_file()]
    matches = [MOTION_FILE.fullmatch(name) for name in names]
    if not names or not all(matches):
        return next(folder.iterdir(), None) is None
    try:
        comment = json.loads((folder / "zarr.json").read_bytes())["attributes"]["comment"]
    except (OSError, ValueError, KeyError, TypeError):
        return False
    arrays = {match[1] for match in matches if match}
    return comment == COMMENT and arrays - {None} == ARRAYS


def _netcdf(motion: Motion, path: Path) -> None:
    # in memory first: HDF5 crashes the interpreter if the disk fills up while it writes
    path.write_bytes(to_xarray(motion).to_netcdf(engine="h5netcdf"))


def _zarr(motion: Motion, path: Path) -> None:
    data = to_xarray(motion)
    # the format has strings of variable length only
    texts = {name: values.astype(object) for name, values in data.coords.items() if values.dtype.kind == "U"}
    data.assign_coords(texts).to_zarr(path, mode="w-", consolidated=False)


def _csv(motion: Motion, path: Path) -> None:
    """Write a table whose numbers have as many digits as are needed to read the same numbers back."""
    import orjson

    names, columns = table(motion)
    header = io.StringIO()
    csv.writer(header, lineterminator="\n").writerow(names)
    with path.open("wb") as file:
        file.write(header.getvalue().encode())
        for start in range(0, motion.times.size, ROWS):
            rows = np.stack([column[start : start + ROWS] for column in columns], axis=1)
            # a JSON list without its brackets is a line, except for NaN, which JSON writes as null
            lines = (orjson.dumps(row, option=orjson.OPT_SERIALIZE_NUMPY)[1:-1] + b"\n" for row in rows)
            file.writelines(lines if np.isfinite(rows).all() else (line.replace(b"null", b"nan") for line in lines))


def _npz(motion: Motion, path: Path) -> None:
    names, columns = table(motion)
    values = np.stack(columns, axis=1)
    with path.open("wb") as file:
        np.savez(file, names=np.array(names), values=values, status=motion.status, conditioning=motion.conditioning)


def _require(package: str) -> Any:
    from importlib import import_module

    try:
        return import_module(package)
    except ImportError as error:
        raise OutputError(f"this needs the package {package}: pip install 'groupkin[io]'") from error
