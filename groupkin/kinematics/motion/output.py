"""Motions as labeled arrays and as files."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import OutputError
from groupkin.kinematics.motion.motion import Motion
from sglibrary.status import MEANING

if TYPE_CHECKING:
    import xarray

Array = NDArray[np.float64]
Variables = dict[str, tuple[tuple[str, ...], NDArray[Any], dict[str, str]]]

PACKAGES = {".nc": ("xarray", "h5netcdf"), ".zarr": ("xarray", "zarr"), ".csv": (), ".npz": ()}
"""Suffixes of the files that motions are written to, and the optional packages that each needs."""

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
        attrs={"title": motion.program.mechanism.name, "comment": "meters, radians, seconds; global components"},
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

    Raises
    ------
    OutputError
        For another suffix, a missing package, or a path that cannot be written; no partial file is left.
    """
    target = Path(path)
    suffix = target.suffix.lower()
    writers = {".nc": _netcdf, ".zarr": _zarr, ".csv": _csv, ".npz": _npz}
    check_target(target)
    # written under another name and renamed, so that a full disk leaves no partial file
    aside = target.with_name(f".{target.stem}.partial{suffix}")
    try:
        writers[suffix](motion, aside)
        if target.is_dir():
            _remove(target)
        aside.replace(target)
    except OSError as error:
        raise _not_written(target, error) from error
    finally:
        _remove(aside)


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
    folder = target.absolute().parent
    try:
        if not folder.is_dir():
            raise OutputError(f"{target}: the folder {target.parent} does not exist; create it first")
        if target.exists() and not (_is_store(target) if suffix == ".zarr" else target.is_file()):
            what = "Zarr store" if suffix == ".zarr" else "file"
            raise OutputError(f"{target} exists and is no {what}; choose another name")
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise _not_written(target, error) from error


def _is_store(path: Path) -> bool:
    """Return True for a Zarr store or an empty folder, which can be replaced without loss."""
    return path.is_dir() and ((path / "zarr.json").is_file() or next(path.iterdir(), None) is None)


def _not_written(target: Path, error: OSError) -> OutputError:
    return OutputError(f"{target} cannot be written: {error.strerror or error}; choose another place")


def _remove(path: Path) -> None:
    import shutil

    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _netcdf(motion: Motion, path: Path) -> None:
    # in memory first: HDF5 crashes the interpreter if the disk fills up while it writes
    path.write_bytes(to_xarray(motion).to_netcdf(engine="h5netcdf"))


def _zarr(motion: Motion, path: Path) -> None:
    data = to_xarray(motion)
    # the format has strings of variable length only
    texts = {name: values.astype(object) for name, values in data.coords.items() if values.dtype.kind == "U"}
    data.assign_coords(texts).to_zarr(path, mode="w", consolidated=False)


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
    np.savez(path, names=np.array(names), values=values, status=motion.status, conditioning=motion.conditioning)


def _require(package: str) -> Any:
    from importlib import import_module

    try:
        return import_module(package)
    except ImportError as error:
        raise OutputError(f"this needs the package {package}: pip install 'groupkin[io]'") from error
