"""Creating the store of a batch: whole or not at all, also where several processes want to at once."""

from __future__ import annotations

import errno
import glob
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cluster.stores.durable_files import aside, exists, forsaken, sync, writing
from cluster.stores.layout import lay_out, require_zarr
from cluster.stores.store import Store, open_store
from groupkin.errors import OutputError, StoreError

if TYPE_CHECKING:
    from cluster.sweeps.description import Sweep
    from cluster.sweeps.variables import Variable

CREATING = "creating"
"""How names of folders end that become stores."""

FILES = (".nc", ".nc4", ".zip", ".csv", ".h5", ".hdf5", ".npz", ".parquet", ".tar", ".gz", ".xlsx")
"""Endings of files, which a store is not."""

FORSAKEN = 3600.0
"""Seconds after which such a folder, of a process that cannot be looked for, was left behind: laying out takes few."""


def create(path: Path, sweep: Sweep, variables: Sequence[Variable], chunk: int) -> Store:
    """Create an empty store, whole or not at all.

    It is laid out in a folder beside it that no other process uses, and renamed. Of several processes that do so at
    once, one creates the store.

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
        If something of that name exists, or does by the time that the store is laid out.
    OutputError
        If the place cannot be written.
    """
    check_free(path)
    check_place(path)
    _clear(path)
    own = aside(path, CREATING)
    with writing(path, begun=False):
        try:
            own.mkdir()
            lay_out(own, sweep, variables, chunk)
            sync(Path(folder, name) for folder, _, files in os.walk(own) for name in (*files, "."))
            own.rename(path)  # refused if a store is there, but not if an empty folder is
        except BaseException as error:
            shutil.rmtree(own, ignore_errors=True)
            if isinstance(error, OSError) and error.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
                raise in_the_way(path) from None
            raise
        sync([path.parent])
    return open_store(path)


def check_free(path: Path) -> None:
    """Refuse a name that is taken.

    Raises
    ------
    StoreError, OutputError
        As `create`.
    """
    if exists(path):
        raise in_the_way(path)


def in_the_way(path: Path) -> StoreError:
    """What is to be said of a store, or something else, that is where one is to be created."""
    try:
        open_store(path)
    except StoreError as error:
        return StoreError(f"{path} exists and cannot be continued: {error}; choose another name")
    return StoreError(f"{path} exists; continue it with --resume (resume=True), or choose another name")


def check_place(path: Path) -> None:
    """Refuse, before anything is computed, a place where no store can be created.

    Raises
    ------
    StoreError, OutputError
    """
    require_zarr()
    if path.suffix.lower() in FILES or not path.name:
        raise StoreError(f"{path}: a store is a folder, name it {path.stem or 'results'}.zarr")
    with writing(path, begun=False):
        there = path.absolute().parent.is_dir()
    if not there:
        raise OutputError(f"{path}: the folder {path.parent} does not exist; create it first")
    with writing(path, begun=False):
        tempfile.TemporaryFile(dir=path.absolute().parent).close()


def _clear(path: Path) -> None:
    """Remove what processes that were killed here have left."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.{CREATING}"):
        if forsaken(left, FORSAKEN):
            shutil.rmtree(left, ignore_errors=True)
