"""Motions as files."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from groupkin.durable_files import (
    check_place,
    disk_errors,
    remove_abandoned,
    replacing_file,
    replacing_folder,
    resolved,
)
from groupkin.errors import GroupkinError, OutputError, QuantityError
from groupkin.kinematics.motion.labeled_arrays import ARRAYS, COMMENT, require, table, to_xarray
from groupkin.kinematics.motion.motion import Motion
from groupkin.mechanism.units import Choice

if TYPE_CHECKING:
    import xarray

PACKAGES = {".nc": ("xarray", "h5netcdf"), ".zarr": ("xarray", "zarr"), ".csv": (), ".npz": ()}
"""Suffixes of the files that motions are written to, and the optional packages that each needs."""

MOTION_FILE = re.compile(r"zarr\.json|([^/]+)/(zarr\.json|c(/\d+)+)")
"""Paths in the folder of a motion."""

ROWS = 256
"""Rows of a table that are written at a time, so few that they stay in cache."""


def save(motion: Motion, path: str | Path, units: Choice = "SI") -> None:
    """Write a motion, or what it keeps, to .nc (netCDF), .zarr, .csv or .npz.

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
                    _zarr(motion, aside, units)
            else:
                with replacing_file(target) as aside:
                    {".nc": _netcdf, ".csv": _csv, ".npz": _npz}[suffix](motion, aside, units)
    except GroupkinError:
        raise
    except (ValueError, TypeError, RuntimeError) as error:  # of packages, such as a NUL in a name in netCDF
        raise OutputError(f"{target} cannot be written as {suffix}: {error}; choose another format") from error


def save_or_keep(motion: Motion, path: Path, units: Choice = "SI") -> None:
    """Write a motion as `save` does; one that cannot be written is kept in a temporary file, which the error names."""
    try:
        save(motion, path, units)
    except (OutputError, QuantityError, MemoryError) as error:
        reason = str(error) or f"{path} cannot be written: there is not enough memory"
        raise OutputError(f"{reason}. {_kept(motion)}") from error


def _kept(motion: Motion) -> str:
    """Write all of a motion to a temporary file, but outputs; returns a sentence that says where it is."""
    try:
        handle, name = tempfile.mkstemp(".npz", "groupkin-motion-")
    except OSError as error:
        return f"Nor can the motion be kept in a temporary file: {error.strerror or error}"
    try:
        os.close(handle)
        _npz(replace(motion, keep=None), Path(name), "SI", outputs=False)
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
        require(package)
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
        attributes = json.loads((folder / "zarr.json").read_bytes())["attributes"]
        known = attributes["comment"].endswith(COMMENT) and set(attributes.get("arrays", ARRAYS))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False
    arrays = {match[1] for match in matches if match}
    return arrays - {None} == known


def _netcdf(motion: Motion, path: Path, units: Choice) -> None:
    data = to_xarray(motion, units)
    _require_plain(data, {"/": "slash"})
    # in memory first: HDF5 crashes the interpreter if the disk fills up while it writes
    path.write_bytes(data.to_netcdf(engine="h5netcdf"))


def _zarr(motion: Motion, path: Path, units: Choice) -> None:
    data = to_xarray(motion, units)
    _require_plain(data, {"/": "slash", "\\": "backslash"})
    # the format has strings of variable length only
    texts = {name: values.astype(object) for name, values in data.coords.items() if values.dtype.kind == "U"}
    if set(data.variables) != ARRAYS:
        data = data.assign_attrs(arrays=list(data.variables))  # by which the folder is known to be a motion
    data.assign_coords(texts).to_zarr(path, mode="w-", consolidated=False)


def _require_plain(data: xarray.Dataset, signs: Mapping[str, str]) -> None:
    """Refuse names with signs that would stand for a group of variables."""
    found = next(((name, sign) for name in data.variables for sign in signs if sign in str(name)), None)
    if found is not None:
        raise ValueError(f"the name {found[0]!r} has a {signs[found[1]]}")


def _csv(motion: Motion, path: Path, units: Choice) -> None:
    """Write a table whose numbers have as many digits as are needed to read the same numbers back."""
    import orjson

    names, columns = table(motion, units)
    header = io.StringIO()
    csv.writer(header, lineterminator="\n").writerow(names)
    with path.open("wb") as file:
        file.write(header.getvalue().encode())
        for start in range(0, motion.times.size, ROWS):
            rows = np.stack([column[start : start + ROWS] for column in columns], axis=1)
            # a JSON list without its brackets is a line, except for NaN, which JSON writes as null
            lines = (orjson.dumps(row, option=orjson.OPT_SERIALIZE_NUMPY)[1:-1] + b"\n" for row in rows)
            file.writelines(lines if np.isfinite(rows).all() else (line.replace(b"null", b"nan") for line in lines))


def _npz(motion: Motion, path: Path, units: Choice, outputs: bool = True) -> None:
    names, columns = table(motion, units, outputs)
    of_groups = {"status": motion.status, "conditioning": motion.conditioning} if motion.keep is None else {}
    with path.open("wb") as file:
        np.savez(file, names=np.array(names), values=np.stack(columns, axis=1), **of_groups)  # type: ignore[arg-type]
