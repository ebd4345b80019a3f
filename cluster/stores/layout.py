"""What an empty store holds: arrays of all that is kept, labels of their dimensions, and where it all comes from."""

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

from cluster.sweeps.fingerprint import as_text
from cluster.sweeps.variables import label_attributes
from groupkin.errors import OutputError, StoreError

if TYPE_CHECKING:
    from cluster.sweeps.description import Sweep
    from cluster.sweeps.variables import Variable

FORMAT = 1
"""Raised when stores are laid out in another way."""

PARTIAL, COMPLETED = "_partial", "_completed"
"""Groups of the store that hold no variables of the sweep; the second is full of records."""

RESERVED = (PARTIAL, COMPLETED, "", ".", "..", "zarr.json", "sample", "chunk")
"""Names in a store that mean something else to it, to Zarr or to a file system."""

LONGEST = 200
"""Bytes in a name; file systems allow 255, also of what is put before and after it for a while."""

PACKAGES = ("groupkin", "numba", "numpy", "scipy", "zarr")
"""What the last digits of results may depend on."""


def lay_out(path: Path, sweep: Sweep, variables: Sequence[Variable], chunk: int) -> None:
    """Create an empty store for chunks of so many samples."""
    import zarr

    check_names(variables)
    labels = _labels(variables)
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
    for name, (values, attributes) in labels.items():
        made = group.create_array(
            name,
            shape=values.shape,
            dtype=str if values.dtype.kind in "OUT" else values.dtype,
            dimension_names=(name,),
            attributes=attributes,
            config={"write_empty_chunks": True},
        )
        made[:] = values.astype(object) if values.dtype.kind in "OUT" else values
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that other readers than zarr and xarray may not know consolidated metadata
        zarr.consolidate_metadata(path)


def check_names(variables: Sequence[Variable]) -> None:
    """Refuse, before anything is computed, names that cannot be in a store: each is a folder.

    Raises
    ------
    StoreError
    """
    labels = {dim: variable.name for variable in variables for dim in (*variable.dims, *variable.coords)}
    names = [variable.name for variable in variables]
    for name in (*names, *labels):
        if name in RESERVED or name.startswith("__"):
            raise StoreError(f"the name {name!r} has a meaning of its own in a store; give another `name`")
        if len(os.fsencode(name)) > LONGEST or "/" in name or "\0" in name:
            raise StoreError(f"the name {name!r} cannot be that of a folder; give another `name`")
    for name in names:
        if name in labels or names.count(name) > 1:
            other = labels.get(name, name)
            raise StoreError(f"the name {name!r} is needed for an axis of {other!r} as well; give another `name`")


def _array(
    group: Any, variable: Variable, shape: tuple[int, ...], chunks: tuple[int, ...], dims: tuple[str, ...]
) -> None:
    attributes = dict(variable.attrs)
    fill = unknown(np.dtype(variable.dtype))
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


def _labels(variables: Sequence[Variable]) -> dict[str, tuple[NDArray[Any], dict[str, Any]]]:
    """Values and attributes of the coordinates of dimensions, such as time."""
    found: dict[str, tuple[NDArray[Any], dict[str, Any]]] = {}
    for variable in variables:
        for name, values in variable.coords.items():
            found.setdefault(name, (np.asarray(values), label_attributes(variable, name)))
    return found


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
        "created": now(),
        "host": socket.gethostname(),
        "versions": json.dumps(versions()),
        "batch_format": FORMAT,
        "samples_per_chunk": chunk,
    }


def require_zarr() -> None:
    """Refuse, before anything is computed, to do without the package that writes stores.

    Raises
    ------
    OutputError
    """
    try:
        import zarr  # noqa: F401
    except ImportError:
        raise OutputError("a store needs the package zarr: pip install 'groupkin[io]'") from None


def versions() -> dict[str, str]:
    """Versions of what computes, and the kind of processor."""
    from llvmlite.binding import get_host_cpu_name

    found = {"python": platform.python_version(), "machine": f"{platform.machine()} {get_host_cpu_name()}"}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # run from a folder of sources
            found[package] = "unknown"
    return found


def unknown(dtype: np.dtype[Any]) -> Any:
    """The value of what has not been computed."""
    if dtype.kind == "f":
        return math.nan
    if dtype.kind == "b":
        return False
    limits = np.iinfo(dtype)
    return int(limits.max if dtype.kind == "u" else limits.min)


def size(variables: Sequence[Variable], samples: int, chunk: int) -> int:
    """Bytes of the results on disk, at most: they are compressed."""
    found = 0
    for variable in variables:
        each = math.prod(variable.shape) * np.dtype(variable.dtype).itemsize
        found += each * (math.ceil(samples / chunk) + 1 if variable.total else samples)
    return found


def now() -> str:
    """Date and time, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")
