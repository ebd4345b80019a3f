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
fill value are written like others: here an absent file means that something was lost.

What has not been computed reads as NaN, or as a number no result has: the largest, of signed integers the smallest.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import socket
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cluster.durable import replace, sync, writing
from cluster.layout import COMPLETED, FORMAT, PARTIAL, as_text, lay_out, now, require_zarr, versions
from groupkin.errors import ChangedSweepError, GroupkinWarning, OutputError, StoreError
from groupkin.mechanism.pairs import counted

if TYPE_CHECKING:
    from cluster.reductions import Variable
    from cluster.sweeps import Sweep

Zarr = Any
"""A group or an array of zarr, whose types do not say which of them an item of a group is."""

SHOWN = 8
"""Differences that are spelled out."""


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


# --- creating --------------------------------------------------------------------------------


def create(path: Path, sweep: Sweep, variables: Sequence[Variable], chunk: int) -> Store:
    """Create an empty store, whole or not at all.

    Parameters
    ----------
    path : Path
        Must not exist.
    sweep : Sweep
    variables : sequence of Variable
    chunk : int
        Samples in one chunk.

    Raises
    ------
    StoreError
        If something of that name exists.
    OutputError
        If the place cannot be written.
    """
    check_place(path)
    aside = path.with_name(f".{path.name}.creating")
    with writing(path, begun=False):
        shutil.rmtree(aside, ignore_errors=True)  # of a run that was killed here
        try:
            lay_out(aside, sweep, variables, chunk)
            sync(Path(folder, name) for folder, _, files in os.walk(aside) for name in (*files, "."))
            aside.rename(path)
        except BaseException:
            shutil.rmtree(aside, ignore_errors=True)
            raise
        sync([path.parent])
    return open_store(path)


def check_place(path: Path) -> None:
    """Refuse, before anything is computed, a place where no store can be created.

    Raises
    ------
    StoreError, OutputError
        As `create`.
    """
    require_zarr()
    if path.exists():
        raise StoreError(f"{path} exists; continue it with --resume (resume=True), or choose another name")
    if not path.absolute().parent.is_dir():
        raise OutputError(f"{path}: the folder {path.parent} does not exist; create it first")
    with writing(path, begun=False):
        tempfile.TemporaryFile(dir=path.absolute().parent).close()


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


def resume(path: Path, sweep: Sweep, chunk: int | None = None) -> Store:
    """The store at a path, if it was begun with this very sweep; remains of writing that was interrupted are removed.

    Parameters
    ----------
    path : Path
    sweep : Sweep
    chunk : int, optional
        Refused if the store has other chunks.

    Raises
    ------
    ChangedSweepError
        With the differences.
    StoreError
        If there is no store, or its chunks have another size.
    """
    store = open_store(path)
    begun = attributes(store)
    changed = tuple(differences(json.loads(begun["sweep"]), json.loads(as_text(sweep))))
    if changed:
        shown = [*changed[:SHOWN], *([f"and {len(changed) - SHOWN} more"] if len(changed) > SHOWN else [])]
        raise ChangedSweepError(
            f"{path} was begun with another sweep or mechanism; give back what it was, or choose another store:\n  "
            + "\n  ".join(shown),
            changed,
        )
    if chunk is not None and chunk != store.chunk:
        raise StoreError(f"{path} has chunks of {store.chunk} samples, which cannot be changed to {chunk}")
    others = tuple(differences(json.loads(begun["versions"]), versions()))
    if others:
        warnings.warn(
            f"{path} was begun elsewhere, so last digits may differ: {'; '.join(others)}", GroupkinWarning, stacklevel=2
        )
    with writing(path):
        for remains in path.rglob("*.partial"):
            remains.unlink(missing_ok=True)
    return store


def differences(old: Any, new: Any, where: str = "") -> Iterator[str]:
    """Where two trees of plain data differ, as in ``parameters[0].sigma: 0.1 in the store, 0.2 now``."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            place = f"{where}.{key}" if where else key
            if key in old and key in new:
                yield from differences(old[key], new[key], place)
            else:
                yield f"{place}: only {'in the store' if key in old else 'now'}"
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for k, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from differences(one, other, f"{where}[{k}]")
    elif json.dumps(old) != json.dumps(new):
        yield f"{where}: {_short(old)} in the store, {_short(new)} now"


def _short(value: Any) -> str:
    if isinstance(value, list):
        return f"{len(value)} entries"
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _group(path: Path) -> Zarr:
    require_zarr()
    import zarr

    try:
        group = zarr.open_group(path, mode="r")
    except FileNotFoundError:
        raise StoreError(f"{path}: there is no store of results") from None
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror or error}") from error
    if "batch_format" not in group.attrs:
        raise StoreError(f"{path} is no store of a batch")
    return group


# --- writing ---------------------------------------------------------------------------------


def arrays(store: Store) -> dict[str, Zarr]:
    """The arrays that chunks are written to, by their paths in the store."""
    import zarr

    # the setting belongs to an opened array, not to the store
    with zarr.config.set({"array.write_empty_chunks": True}):
        group: Zarr = zarr.open_group(store.path, mode="r+", use_consolidated=False)
        return {name: group[name] for name in (*store.kept, *(f"{PARTIAL}/{total}" for total in store.totals))}


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
        replace(_record_file(store, k), json.dumps(asdict(record)))
    return failed


def finish(store: Store) -> None:
    """Add up the totals of a store all of whose chunks are complete.

    Raises
    ------
    StoreError
        If chunks are missing, also if another host has written them and they cannot be seen yet.
    OutputError
    """
    if not store.totals:
        return
    missing = set(range(store.chunks)) - set(completed(store))
    opened = arrays(store)
    for name in store.totals:
        path = f"{PARTIAL}/{name}"
        missing |= {k for k in range(store.chunks) if not _chunk_file(store, path, opened[path], k).exists()}
    if missing:
        raise StoreError(
            f"{store.path}: {counted(len(missing), 'chunk')} cannot be seen (yet); go on with --resume (resume=True)"
        )
    import zarr

    with writing(store.path), zarr.config.set({"array.write_empty_chunks": True}):
        group: Zarr = zarr.open_group(store.path, mode="r+", use_consolidated=False)
        for name in store.totals:
            total = group[name]
            total[...] = added(store, name)
            file = _chunk_file(store, name, total, 0)
            sync([file, file.parent])


def added(store: Store, name: str) -> NDArray[Any]:
    """The sum of a total over all chunks that are complete."""
    partial = _group(store.path)[f"{PARTIAL}/{name}"]
    found = np.zeros(partial.shape[1:], partial.dtype)
    for k in completed(store):
        found += partial[k]
    return found


def completed(store: Store) -> dict[int, Record]:
    """Chunks that are on disk, in order."""
    found = {}
    for file in (store.path / COMPLETED).glob("[0-9]*.json"):
        try:
            found[int(file.stem)] = Record(**json.loads(file.read_bytes()))
        except (ValueError, TypeError):  # no record that this module has written
            continue
    return dict(sorted(found.items()))


def _checked(name: str, values: NDArray[Any], count: int) -> NDArray[Any]:
    if len(values) != count:
        raise ValueError(f"{name} has {len(values)} entries for {count} samples")
    return values


def _chunk_file(store: Store, path: str, array: Zarr, k: int) -> Path:
    return store.path / path / array.metadata.encode_chunk_key((k, *(0,) * (array.ndim - 1))[: array.ndim])


def _record_file(store: Store, k: int) -> Path:
    return store.path / COMPLETED / f"{k:08d}.json"
