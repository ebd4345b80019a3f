"""The store of a batch: a Zarr group (version 3) that xarray opens directly and that survives a crash at any moment.

    results.zarr/
        zarr.json            attributes: the sweep, the mechanism file, versions, host and time; metadata of all arrays
        NAME/                one array for each variable, (samples, ...), and one for the labels of each dimension
        _partial/NAME/       totals over samples, such as counts of a workspace: one for each chunk of samples
        _completed/N.json    record of chunk N: which host computed it and when, how many of its samples failed, and
                             checksums of its files; layout.json and totals.json have those of all other files

The chunks are fixed when the store is created, and a unit of work is one whole chunk of samples, so no two workers ever
write the same file and nothing is locked. A chunk is complete when its record in `_completed` exists. The record is
created by renaming, after fsync of the files of the data, so a chunk that was being written when power failed is
computed again. Files of data are replaced atomically as well. Chunks of nothing but fill values are written like
others: if a file is missing or was altered, its chunk is not complete and is computed again. If what describes the
store was altered, labels and attributes, the store is refused.

What has not been computed reads as NaN, or as a number that no result has: of unsigned integers the largest, of signed
ones the smallest.
"""

from __future__ import annotations

import json
import math
import os
import re
import socket
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cluster.stores.checksums import altered, checksums, seal, unseal
from cluster.stores.layout import COMPLETED, FORMAT, LAYOUT, PARTIAL, TOTALS, require_zarr, utc_now
from groupkin.durable_files import disk_errors, exists, sync, write_atomically
from groupkin.errors import StoreError
from groupkin.messages import counted

RECORD_NAME = re.compile("[0-9]{8,}")

Zarr = Any
"""A group or an array of zarr, whose type hints do not distinguish them."""


@dataclass(frozen=True)
class Store:
    """An existing store.

    Attributes
    ----------
    path : Path
    samples : int
        Of the whole sweep.
    chunk : int
        Samples in one chunk; the last may have fewer.
    kept, totals : tuple of str
        Names of variables with and without an axis of samples.
    parameters : tuple of str
        The variables in `kept` that are parameters.
    """

    path: Path
    samples: int
    chunk: int
    kept: tuple[str, ...]
    totals: tuple[str, ...]
    parameters: tuple[str, ...]

    @property
    def chunks(self) -> int:
        return math.ceil(self.samples / self.chunk)

    def extent(self, k: int) -> tuple[int, int]:
        """Return the first sample of chunk k, and the first after it."""
        return k * self.chunk, min((k + 1) * self.chunk, self.samples)


@dataclass(frozen=True)
class Record:
    """The record of a complete chunk.

    Attributes
    ----------
    failed : int
        Samples that failed.
    seconds : float
        Time of computing.
    host : str
    time : str
        Date and time, UTC.
    files : dict of str to str
        Checksums of its files.
    """

    failed: int
    seconds: float
    host: str
    time: str
    files: dict[str, str]


# --- opening ---------------------------------------------------------------------------------


def resume_hint(path: Path | None) -> str:
    """What to add to the message of a batch that ends early: nothing before there is a store."""
    begun = path is not None and (path / COMPLETED / LAYOUT).exists()
    return "complete chunks are kept: continue with --resume" if begun else ""


def open_store(path: Path) -> Store:
    """Open a store.

    Raises
    ------
    StoreError
        If there is none, another version of groupkin has written it, or its labels or attributes were altered.
    """
    require_zarr()
    layout = unseal(path / COMPLETED / LAYOUT)
    if layout is None or layout["format"] != FORMAT:
        found = open_group(path).attrs["batch_format"] if layout is None else layout["format"]
        if found != FORMAT:
            raise StoreError(
                f"{path} was written by another version of groupkin (format {found}, not {FORMAT}); xarray.open_zarr "
                "reads it, that version continues it"
            )
        raise _damaged(path, f"{COMPLETED}/{LAYOUT}")
    for name in sorted(altered(path, layout["files"])):
        raise _damaged(path, name)
    attrs = dict(open_group(path).attrs)
    names: dict[str, list[str]] = json.loads(attrs["variables"])
    return Store(path, attrs["samples"], attrs["samples_per_chunk"], **{key: tuple(names[key]) for key in names})


def _damaged(path: Path, name: str) -> StoreError:
    return StoreError(f"{path}: {name} was altered or is lost; restore it from a copy, or begin a new store")


def attributes(store: Store) -> dict[str, Any]:
    """Return the attributes of the whole store."""
    return dict(open_group(store.path).attrs)


def open_group(path: Path) -> Zarr:
    """Open a store for reading, as a group of zarr; raises what `open_store` does."""
    require_zarr()
    import zarr

    try:
        group = zarr.open_group(path, mode="r")
    except (FileNotFoundError, NotADirectoryError):
        if exists(path):
            raise StoreError(f"{path} is not a store of a batch") from None
        raise StoreError(f"{path}: there is no store") from None
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror or error}") from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:  # metadata of something else, or incomplete
        raise StoreError(f"{path} is not a store of a batch: {error}") from error
    if "batch_format" not in group.attrs:
        raise StoreError(f"{path} is not a store of a batch")
    return group


# --- writing ---------------------------------------------------------------------------------


def arrays(store: Store) -> dict[str, Zarr]:
    """Open the arrays that chunks are written to; returns them by their paths in the store.

    Raises
    ------
    StoreError
        If one of them was removed.
    """
    import zarr

    # the setting belongs to an opened array, not to the store
    with zarr.config.set({"array.write_empty_chunks": True}):
        return _arrays(store, zarr.open_group(store.path, mode="r+", use_consolidated=False))


def _arrays(store: Store, group: Zarr) -> dict[str, Zarr]:
    names = (*store.kept, *(f"{PARTIAL}/{name}" for name in store.totals))
    try:
        return {name: group[name] for name in names}
    except KeyError as error:
        raise StoreError(f"{store.path} lacks the array {error}: it was removed; begin a new store") from None


def write_chunk(
    store: Store, opened: Mapping[str, Zarr], k: int, values: Mapping[str, NDArray[Any]], seconds: float
) -> int:
    """Write chunk k to disk, and then the record that it is complete.

    Parameters
    ----------
    store : Store
    opened : dict of str to array of zarr
        What `arrays` returned.
    k : int
    values : dict of str to array
        All variables for the samples of the chunk.
    seconds : float
        Time that it took to compute them.

    Returns
    -------
    int
        How many of the samples failed.

    Raises
    ------
    OutputError
        If the disk is full or cannot be written; this chunk is then not complete.
    """
    start, stop = store.extent(k)
    failed = int(np.count_nonzero(values["status"]))
    with disk_errors(store.path):
        for path, array in opened.items():
            name = path.rpartition("/")[2]
            if name in store.totals:
                array[k] = values[name]
            else:
                array[start:stop] = _checked(name, values[name], stop - start)
        files = [_chunk_file(store, path, array, k) for path, array in opened.items()]
        sync([*files, *(file.parent for file in files)])
        written = checksums(store.path, [file.relative_to(store.path).as_posix() for file in files])
        record = Record(failed, round(seconds, 6), socket.gethostname(), utc_now(), written)
        file = record_file(store, k)
        write_atomically(file, seal(file.name, asdict(record)))
    return failed


def finish(store: Store) -> dict[int, Record]:
    """Write the totals of a store all of whose chunks are complete, unless they are there.

    Returns
    -------
    dict of int to Record
        Of all chunks.

    Raises
    ------
    StoreError
        If chunks are missing. Chunks that another host has written may not be visible yet.
    OutputError
    """
    done = completed(store)
    missing = store.chunks - len(done)
    if missing:
        raise StoreError(
            f"{store.path}: {counted(missing, 'chunk')} missing, or not visible here yet; continue with --resume "
            "(resume=True)"
        )
    sealed = unseal(store.path / COMPLETED / TOTALS)
    if store.totals and (sealed is None or altered(store.path, sealed["files"])):
        _write_totals(store, done)
    return done


def _write_totals(store: Store, chunks: Iterable[int]) -> None:
    """Write all totals, and then their checksums."""
    import zarr

    with disk_errors(store.path), zarr.config.set({"array.write_empty_chunks": True}):
        group: Zarr = zarr.open_group(store.path, mode="r+", use_consolidated=False)
        for name in store.totals:
            group[name][...] = sum_total(store, name, chunks)
        files = [_chunk_file(store, name, group[name], 0) for name in store.totals]
        sync([*files, *(file.parent for file in files)])
        written = checksums(store.path, [file.relative_to(store.path).as_posix() for file in files])
        write_atomically(store.path / COMPLETED / TOTALS, seal(TOTALS, {"files": written}))


def sum_total(store: Store, name: str, chunks: Iterable[int] | None = None) -> NDArray[Any]:
    """Sum a total over chunks, or over all that are `intact`."""
    partial = open_group(store.path)[f"{PARTIAL}/{name}"]
    result = np.zeros(partial.shape[1:], partial.dtype)
    for k in intact(store) if chunks is None else chunks:
        result += partial[k]
    return result


# --- what is complete ------------------------------------------------------------------------


def completed(store: Store) -> dict[int, Record]:
    """Return the records, in order, of chunks none of whose files is missing or empty."""
    found = {k: unseal(record_file(store, k)) for k in recorded(store)}
    records = {k: Record(**data) for k, data in found.items() if data is not None}
    if not records:
        return records
    for path, array in _arrays(store, open_group(store.path)).items():
        files = _nonempty_files(store.path / path)
        records = {k: record for k, record in records.items() if _chunk_file(store, path, array, k).name in files}
    return records


def intact(store: Store) -> dict[int, Record]:
    """Return the records of complete chunks, in order, after their files were read: none was altered."""
    records = completed(store)
    lost = altered(store.path, {name: value for record in records.values() for name, value in record.files.items()})
    return {k: record for k, record in records.items() if lost.isdisjoint(record.files)}


def recorded(store: Store) -> list[int]:
    """List the chunks that have a record, also if it was altered or they have lost a file since."""
    names = [file.stem for file in (store.path / COMPLETED).glob("*.json")]
    return sorted(int(name) for name in names if RECORD_NAME.fullmatch(name) and int(name) < store.chunks)


def _nonempty_files(folder: Path) -> set[str]:
    """List the names of the files in a folder that are not empty."""
    names = set()
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):  # another process has just renamed it
                    if entry.stat().st_size:
                        names.add(entry.name)
    except FileNotFoundError:
        pass
    except OSError as error:  # which does not say that a file was lost
        raise StoreError(f"{folder} cannot be read: {error.strerror or error}") from error
    return names


def _checked(name: str, values: NDArray[Any], count: int) -> NDArray[Any]:
    if len(values) != count:
        raise ValueError(f"{name} has {len(values)} entries for {count} samples")
    return values


def _chunk_file(store: Store, path: str, array: Zarr, k: int) -> Path:
    return store.path / path / array.metadata.encode_chunk_key((k, *(0,) * (array.ndim - 1))[: array.ndim])


def record_file(store: Store, k: int) -> Path:
    """Return the path of the record of chunk k, which exists if the chunk is complete."""
    return store.path / COMPLETED / f"{k:08d}.json"
