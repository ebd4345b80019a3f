"""Motions as labeled arrays and as files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import OutputError
from groupkin.kinematics.motion import Motion
from sglibrary.status import MEANING

if TYPE_CHECKING:
    import xarray

Array = NDArray[np.float64]
Variables = dict[str, tuple[tuple[str, ...], NDArray[Any], dict[str, str]]]


def to_xarray(motion: Motion) -> xarray.Dataset:
    """Dataset with the dimensions time, body, point, axis, coordinate and group; units are attributes.

    Raises
    ------
    OutputError
        If xarray is not installed.
    """
    xr = _require("xarray")
    variables = {**_bodies(motion), **_points(motion), **_joints(motion), **_groups(motion)}
    return xr.Dataset(
        {name: (dims, values, attributes) for name, (dims, values, attributes) in variables.items()},
        coords=_coords(motion),
        attrs={"title": motion.program.mechanism.name, "Conventions": "meters, radians, seconds; global components"},
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
    bodies = motion.program.mechanism.movable
    planar = motion.program.mechanism.dimension == 2
    place, turn = ("time", "body", "axis"), ("time", "body") if planar else ("time", "body", "axis")

    def stacked(read: Callable[[str], Array]) -> Array:
        return np.stack([read(body) for body in bodies], axis=1)

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
    found: Variables = {}
    for order, (name, unit) in enumerate((("position", "m"), ("velocity", "m/s"), ("acceleration", "m/s^2"))):
        rows = [motion.point_on(body, local, order) for body, local in program.geometry.points.values()]
        values = np.stack(rows, axis=1) if rows else np.zeros((motion.times.size, 0, d))
        found[f"point_{name}"] = (("time", "point", "axis"), values, {"units": unit})
    return found


def _coordinate_names(motion: Motion) -> tuple[list[str], list[str]]:
    mechanism = motion.program.mechanism
    pairs = [(joint.name, freedom) for joint in mechanism.joints for freedom in mechanism.freedoms(joint)]
    return [f"{name}.{freedom.name}" for name, freedom in pairs], [freedom.unit for _, freedom in pairs]


def _joints(motion: Motion) -> Variables:
    values = np.concatenate([motion.joint(joint.name) for joint in motion.program.mechanism.joints])
    return {"joint_coordinate": (("time", "coordinate"), values.T, {"long_name": "units: see coordinate_units"})}


def _groups(motion: Motion) -> Variables:
    meaning = ", ".join(f"{code}: {text}" for code, text in MEANING.items())
    best = {"units": "1", "long_name": "1 at best, 0 at a singular position"}
    return {
        "status": (("time", "group"), motion.status.T, {"meaning": meaning}),
        "conditioning": (("time", "group"), motion.conditioning.T, best),
    }


def table(motion: Motion) -> tuple[list[str], Array]:
    """Column names, such as ``crank.x [m]``, and values (n, columns): origins, rotations and joint coordinates."""
    names, columns = ["time [s]"], [motion.times]
    axes = "xyz"[: motion.program.mechanism.dimension]
    reads = (("", "m", motion.position), ("v", "m/s", motion.velocity), ("a", "m/s^2", motion.acceleration))
    for place in (*motion.program.mechanism.movable, *motion.program.geometry.points):
        for prefix, unit, read in reads:
            values = read(place)
            names += [f"{place}.{prefix}{axis} [{unit}]" for axis in axes]
            columns += list(values.T)
    for body in motion.program.mechanism.movable:
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
    names += [f"{label} [{unit}]" for label, unit in zip(labels, units, strict=True)]
    columns += [row for joint in motion.program.mechanism.joints for row in motion.joint(joint.name)]
    return names, np.stack(columns, axis=1)


def save(motion: Motion, path: str | Path) -> None:
    """Write a motion to .nc (netCDF), .zarr, .csv or .npz.

    Raises
    ------
    OutputError
        For another suffix, a missing package, or a place that cannot be written; nothing half written is left.
    """
    target = Path(path)
    writers = {".nc": _netcdf, ".zarr": _zarr, ".csv": _csv, ".npz": _npz}
    check_target(target)
    # written aside and moved into place, so that a full disk does not leave half a file
    aside = target.with_name(f".{target.stem}.partial{target.suffix}")
    try:
        writers[target.suffix](motion, aside)
        if target.is_dir():
            _remove(target)
        aside.replace(target)
    except OSError as error:
        raise OutputError(f"{target} cannot be written: {error.strerror or error}; choose another place") from error
    finally:
        _remove(aside)


def check_target(path: str | Path) -> None:
    """Refuse, before anything is computed, an output file that could not be written.

    Raises
    ------
    OutputError
    """
    target = Path(path)
    if target.suffix not in (".nc", ".zarr", ".csv", ".npz"):
        raise OutputError(f"{target}: unknown format {target.suffix or '(no suffix)'}; use .nc, .zarr, .csv or .npz")
    if not target.absolute().parent.is_dir():
        raise OutputError(f"{target}: the folder {target.parent} does not exist; create it first")


def _remove(path: Path) -> None:
    import shutil

    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _netcdf(motion: Motion, path: Path) -> None:
    _require("h5netcdf")
    to_xarray(motion).to_netcdf(path, engine="h5netcdf")


def _zarr(motion: Motion, path: Path) -> None:
    _require("zarr")
    to_xarray(motion).to_zarr(path, mode="w", consolidated=False)


def _csv(motion: Motion, path: Path) -> None:
    names, values = table(motion)
    np.savetxt(path, values, delimiter=",", header=",".join(names), comments="", fmt="%.17g")


def _npz(motion: Motion, path: Path) -> None:
    names, values = table(motion)
    np.savez_compressed(
        path, names=np.array(names), values=values, status=motion.status, conditioning=motion.conditioning
    )


def _require(package: str) -> Any:
    from importlib import import_module

    try:
        return import_module(package)
    except ImportError as error:
        raise OutputError(f"this needs the package {package}: pip install 'groupkin[io]'") from error
