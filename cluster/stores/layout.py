"""Contents of an empty store: arrays of all that is kept, labels of their dimensions, and the origin of the results."""

from __future__ import annotations

import json
import math
import os
import platform
import socket
import warnings
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cluster.stores.checksums import checksums, seal
from cluster.sweeps.description import as_text
from cluster.sweeps.readings import label_attributes
from groupkin.errors import OutputError, StoreError

if TYPE_CHECKING:
    from cluster.sweeps.description import Sweep
    from cluster.sweeps.readings import Variable

FORMAT = 2
"""Version of the layout; a change of the layout increases it. Stores of format 1 had no checksums."""

PARTIAL, COMPLETED = "_partial", "_completed"
"""Groups of the store that are no variables of the sweep: totals of each chunk, and records of complete chunks."""

LAYOUT, TOTALS = "layout.json", "totals.json"
"""Files in `COMPLETED`: checksums of all files of an empty store, which never change, and of the totals."""

RESERVED = (PARTIAL, COMPLETED, "chunk", "zarr.json", ".", "..")
"""Names that have another meaning in a store, for Zarr or for the file system, but not in a sweep."""

MAX_NAME_BYTES = 200
"""Longest name; file systems allow 255 bytes, which include prefix and suffix of temporary names."""

PACKAGES = ("groupkin", "numba", "numpy", "scipy", "zarr")
"""Packages on which the last digits of results may depend."""


def lay_out(path: Path, sweep: Sweep, variables: Sequence[Variable], chunk: int) -> None:
    """Write an empty store into a folder.

    Parameters
    ----------
    path : Path
    sweep : Sweep
    variables : sequence of Variable
    chunk : int
        Samples in one chunk.
    """
    import zarr

    check_names(variables)
    group = zarr.create_group(path, zarr_format=3, attributes=_attributes(sweep, variables, chunk))
    partial = group.create_group(PARTIAL)
    group.create_group(COMPLETED)
    chunks = math.ceil(sweep.samples / chunk)
    for variable in variables:
        shape = tuple(variable.shape)
        if variable.total:
            _array(group, variable, shape, shape, tuple(variable.dims))
            _array(partial, variable, (chunks, *shape), (1, *shape), ("chunk", *variable.dims))
        else:
            _array(group, variable, (sweep.samples, *shape), (chunk, *shape), ("sample", *variable.dims))
    for variable in variables:
        for name, labels in variable.coords.items():
            if name not in group:
                _label_array(group, name, np.asarray(labels), label_attributes(variable, name))
    # that other readers than zarr and xarray may not know consolidated metadata
    with warnings.catch_warnings(action="ignore"):
        zarr.consolidate_metadata(path)
    names = sorted(file.relative_to(path).as_posix() for file in path.rglob("*") if file.is_file())
    sealed = seal(LAYOUT, {"format": FORMAT, "files": checksums(path, names)})
    (path / COMPLETED / LAYOUT).write_text(sealed, encoding="utf-8")


def check_names(variables: Sequence[Variable]) -> None:
    """Refuse names that a store cannot have, where each is a folder, before anything is computed.

    Raises
    ------
    StoreError
    """
    for name in {name for variable in variables for name in (variable.name, *variable.dims, *variable.coords)}:
        if name in RESERVED or name.startswith("__"):
            raise StoreError(f"the name {name!r} has a special meaning in a store; give another `name`")
        if len(os.fsencode(name)) > MAX_NAME_BYTES or "/" in name or "\0" in name:
            raise StoreError(f"the name {name!r} cannot be the name of a folder; give another `name`")


def _array(
    group: Any, variable: Variable, shape: tuple[int, ...], chunks: tuple[int, ...], dims: tuple[str, ...]
) -> None:
    """Create the empty array of a variable."""
    attributes = dict(variable.attrs)
    fill = fill_value(np.dtype(variable.dtype))
    if "flag_values" in attributes:
        attributes["flag_values"] = [*attributes["flag_values"], fill]
        attributes["flag_meanings"] = f"{attributes['flag_meanings']} not_computed"
    group.create_array(
        variable.name,
        shape=shape,
        chunks=chunks,
        dtype=np.dtype(variable.dtype),
        fill_value=fill,
        dimension_names=dims,
        attributes=attributes,
        chunk_key_encoding={"name": "default", "configuration": {"separator": "."}},
    )


def _label_array(group: Any, name: str, values: NDArray[Any], attributes: dict[str, Any]) -> None:
    """Write the labels of a dimension, such as time."""
    is_text = values.dtype.kind in "OUT"
    array = group.create_array(
        name,
        shape=values.shape,
        dtype=str if is_text else values.dtype,
        dimension_names=(name,),
        attributes=attributes,
        config={"write_empty_chunks": True},
    )
    array[:] = values.astype(object) if is_text else values


def _attributes(sweep: Sweep, variables: Sequence[Variable], chunk: int) -> dict[str, Any]:
    names = {
        "kept": [variable.name for variable in variables if not variable.total],
        "totals": [variable.name for variable in variables if variable.total],
        "parameters": [variable.name for variable in variables if variable.parameter],
    }
    return {
        "title": sweep.mechanism.name,
        "comment": "meters, radians, seconds; global components",
        "coordinates": " ".join(names["parameters"]),  # names have no blanks
        "variables": json.dumps(names),
        "groups": [", ".join(group.bodies) for group in sweep.program.structure.groups],
        "samples": sweep.samples,
        "seed": sweep.seed,
        "sweep": as_text(sweep),
        "mechanism_file": sweep.source or "",
        "created": utc_now(),
        "host": socket.gethostname(),
        "versions": json.dumps(versions()),
        "batch_format": FORMAT,
        "samples_per_chunk": chunk,
    }


def require_zarr() -> None:
    """Refuse, before anything is computed, if the package that writes stores is not installed.

    Raises
    ------
    OutputError
    """
    try:
        import zarr  # noqa: F401
    except ImportError:
        raise OutputError("a store needs the package zarr: pip install 'groupkin[io]'") from None


def versions() -> dict[str, str]:
    """Return the versions of Python and of packages, and the type of the processor."""
    from llvmlite.binding import get_host_cpu_name

    result = {"python": platform.python_version(), "machine": f"{platform.machine()} {get_host_cpu_name()}"}
    for package in PACKAGES:
        try:
            result[package] = version(package)
        except PackageNotFoundError:  # run from a folder of sources
            result[package] = "unknown"
    return result


def fill_value(dtype: np.dtype[Any]) -> Any:
    """Return the value of what has not been computed."""
    if dtype.kind == "f":
        return math.nan
    if dtype.kind == "b":
        return False
    limits = np.iinfo(dtype)
    return int(limits.max if dtype.kind == "u" else limits.min)


def uncompressed_size(variables: Sequence[Variable], samples: int, chunk: int) -> int:
    """Return the bytes of the results before compression.

    Parameters
    ----------
    variables : sequence of Variable
    samples : int
    chunk : int
        Samples in one chunk.
    """
    size = 0
    for variable in variables:
        item = math.prod(variable.shape) * np.dtype(variable.dtype).itemsize
        size += item * (math.ceil(samples / chunk) + 1 if variable.total else samples)
    return size


def utc_now() -> str:
    """Return date and time, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")
