"""The store of a batch: one Zarr group (version 3) that xarray opens directly and that survives a crash at any moment.

    results.zarr/
        zarr.json            attributes: the sweep, the mechanism file, versions, host and time; metadata of all arrays
        NAME/                one array for each variable, (samples, ...), and one for the labels of each dimension
        _partial/NAME/       totals over samples, such as counts of a workspace: one for each chunk of samples
        _completed/N.json    chunk N is on disk: who computed it and when, and how many of its samples failed

The chunk layout is fixed when the store is created, and a unit of work is one whole chunk of samples, so no two workers
ever write the same file and nothing is locked. A chunk counts as done when its record in `_completed` exists. The
record is created by renaming, after the files of the data have reached the disk, so a chunk that was being written when
power failed is simply computed again. Files of data are replaced as a whole as well. Chunks that hold nothing but the
fill value are written like others: an absent or empty file means that something was lost, and its chunk does not count.

What has not been computed reads as NaN, or as a number no result has: the largest, of signed integers the smallest.
"""

from __future__ import annotations

import json
import math
import os
import socket
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cluster.stores.durable_files import exists, replace, sync, writing
from cluster.stores.layout import COMPLETED, FORMAT, PARTIAL, now, require_zarr
from groupkin.errors import StoreError
from groupkin.mechanism.pairs import counted

Zarr = Any
"""A group or an array of zarr, whose types do not say which of them an item of a group is."""


@dataclass(frozen=True)
class Store:
    """A store that exists.

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
        Which of the former are parameters.
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
        """First sample of chunk k, and the first after it."""
        return k * self.chunk, min((k + 1) * self.chunk, self.samples)


@dataclass(frozen=True)
class Record:
    """What is noted on a completed chunk: samples that failed, seconds of computing, host, time of day (UTC)."""

    failed: int
    seconds: float
    host: str
    time: str


# --- opening ---------------------------------------------------------------------------------


def open_store(path: Path) -> Store:
    """The store at a path.

    Raises
    ------
    StoreError
        If it is none, or was laid out by another version.
    """
    found = dict(_group(path).attrs)
    if found["batch_format"] != FORMAT:
        raise StoreError(f"{path} was written by another version of groupkin (format {found['batch_format']})")
    names: dict[str, list[str]] = json.loads(found["variables"])
    return Store(path, found["samples"], found["samples_per_chunk"], **{key: tuple(names[key]) for key in names})


def attributes(store: Store) -> dict[str, Any]:
    """Attributes of the whole store."""
    return dict(_group(store.path).attrs)


def _group(path: Path) -> Zarr:
    require_zarr()
    import zarr

    try:
        group = zarr.open_group(path, mode="r")
    except (FileNotFoundError, NotADirectoryError):
        if exists(path):
            raise StoreError(f"{path} is no store of a batch") from None
        raise StoreError(f"{path}: there is no store of results") from None
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror or error}") from error
    except (KeyError, TypeError, ValueError) as error:  # metadata of something else, or torn
        raise StoreError(f"{path} is no store of a batch: {error}") from error
    if "batch_format" not in group.attrs:
        raise StoreError(f"{path} is no store of a batch")
    return group


# --- writing ---------------------------------------------------------------------------------


def arrays(store: Store) -> dict[str, Zarr]:
    """The arrays that chunks are written to, by their paths in the store.

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
    names = (*store.kept, *(f"{PARTIAL}/{total}" for total in store.totals))
    try:
        return {name: group[name] for name in names}
    except KeyError as error:
        raise StoreError(f"{store.path} lacks the array {error}: it was removed; begin another store") from None


def write(store: Store, opened: Mapping[str, Zarr], k: int, values: Mapping[str, NDArray[Any]], seconds: float) -> int:
    """Bring chunk k to disk, and then record that it is complete.

    Parameters
    ----------
    store : Store
    opened : dict of str to array of zarr
        What `arrays` gave.
    k : int
    values : dict of str to array
        All variables for the samples of the chunk.
    seconds : float
        What it took to compute them.

    Returns
    -------
    int
        How many of the samples failed.

    Raises
    ------
    OutputError
        If the disk is full or cannot be written; the chunk is then not complete, and all that were still are.
    """
    start, stop = store.extent(k)
    failed = int(np.count_nonzero(values["status"]))
    with writing(store.path):
        for path, array in opened.items():
            name = path.rpartition("/")[2]
            if name in store.totals:
                array[k] = values[name]
            else:
                array[start:stop] = _checked(name, values[name], stop - start)
        files = [_chunk_file(store, path, array, k) for path, array in opened.items()]
        sync([*files, *(file.parent for file in files)])
        record = Record(failed, round(seconds, 6), socket.gethostname(), now())
        replace(record_file(store, k), json.dumps(asdict(record)))
    return failed


def finish(store: Store) -> dict[int, Record]:
    """Add up the totals of a store all of whose chunks are complete; nothing is written if that was done before.

    Returns
    -------
    dict of int to Record
        Of all chunks.

    Raises
    ------
    StoreError
        If chunks are missing, also if another host has written them and they cannot be seen yet.
    OutputError
    """
    done = completed(store)
    missing = store.chunks - len(done)
    if missing:
        raise StoreError(
            f"{store.path}: {counted(missing, 'chunk')} cannot be seen (yet); go on with --resume (resume=True)"
        )
    for name in store.totals:
        _write_total(store, name, added(store, name, done))
    return done


def _write_total(store: Store, name: str, values: NDArray[Any]) -> None:
    array = _group(store.path)[name]
    file = _chunk_file(store, name, array, 0)
    if file.exists() and np.array_equal(array[...], values):
        with suppress(OSError):  # of a file system that is only read, and knows no such thing
            sync([file, file.parent])  # a run that wrote it may have been killed before
        return
    import zarr

    with writing(store.path), zarr.config.set({"array.write_empty_chunks": True}):
        group: Zarr = zarr.open_group(store.path, mode="r+", use_consolidated=False)
        group[name][...] = values
        sync([file, file.parent])


def added(store: Store, name: str, chunks: Iterable[int] | None = None) -> NDArray[Any]:
    """The sum of a total over chunks, or over all that are complete."""
    partial = _group(store.path)[f"{PARTIAL}/{name}"]
    found = np.zeros(partial.shape[1:], partial.dtype)
    for k in completed(store) if chunks is None else chunks:
        found += partial[k]
    return found


# --- what is complete ------------------------------------------------------------------------


def completed(store: Store) -> dict[int, Record]:
    """Chunks that are on disk, in order: they are recorded, and none of their files was lost since."""
    found = recorded(store)
    if not found:
        return found
    for path, array in _arrays(store, _group(store.path)).items():
        filled = _filled(store.path / path)
        found = {k: record for k, record in found.items() if _chunk_file(store, path, array, k).name in filled}
    return found


def recorded(store: Store) -> dict[int, Record]:
    """Chunks that were completed once, in order."""
    found = {}
    for file in (store.path / COMPLETED).glob("[0-9]*.json"):
        try:
            found[int(file.stem)] = Record(**json.loads(file.read_bytes()))
        except (ValueError, TypeError):  # no record that this module has written
            continue
    return {k: found[k] for k in sorted(found) if k < store.chunks}


def _filled(folder: Path) -> set[str]:
    """Names of the files of a folder that hold something."""
    found = set()
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):  # another process has just renamed it
                    if entry.stat().st_size:
                        found.add(entry.name)
    except FileNotFoundError:
        pass
    except OSError as error:  # nothing is known then, least of all that something was lost
        raise StoreError(f"{folder} cannot be read: {error.strerror or error}") from error
    return found


def _checked(name: str, values: NDArray[Any], count: int) -> NDArray[Any]:
    if len(values) != count:
        raise ValueError(f"{name} has {len(values)} entries for {count} samples")
    return values


def _chunk_file(store: Store, path: str, array: Zarr, k: int) -> Path:
    return store.path / path / array.metadata.encode_chunk_key((k, *(0,) * (array.ndim - 1))[: array.ndim])


def record_file(store: Store, k: int) -> Path:
    """What says that chunk k is complete, if it exists."""
    return store.path / COMPLETED / f"{k:08d}.json"
