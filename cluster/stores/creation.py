"""Creation of the store of a batch, completely or not at all, also if several processes try at once."""

from __future__ import annotations

import errno
import glob
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cluster.stores.durable_files import disk_errors, exists, is_abandoned, sync, temporary_name
from cluster.stores.layout import lay_out, require_zarr
from cluster.stores.store import Store, open_store
from groupkin.errors import OutputError, StoreError

if TYPE_CHECKING:
    from cluster.sweeps.description import Sweep
    from cluster.sweeps.reductions import Variable

CREATING = "creating"
"""Suffix of folders that become stores."""

FILE_SUFFIXES = (".nc", ".nc4", ".zip", ".csv", ".h5", ".hdf5", ".npz", ".parquet", ".tar", ".gz", ".xlsx")
"""Suffixes of files; a store is a folder."""

ABANDONED = 3600.0
"""Seconds after which such a folder of a process on another host is abandoned; creation takes a few seconds."""


def create(path: Path, sweep: Sweep, variables: Sequence[Variable], chunk: int) -> Store:
    """Create an empty store, completely or not at all.

    It is laid out in a temporary folder beside `path`, which is then renamed. If several processes do so at once, one
    of them creates the store.

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
        If something of that name exists, or does when the store is laid out.
    OutputError
        If the store cannot be written.
    """
    if exists(path):
        raise name_taken(path)
    check_location(path)
    _remove_abandoned(path)
    temporary = temporary_name(path, CREATING)
    with disk_errors(path, begun=False):
        try:
            temporary.mkdir()
            lay_out(temporary, sweep, variables, chunk)
            sync(Path(folder, name) for folder, _, files in os.walk(temporary) for name in (*files, "."))
            temporary.rename(path)  # refused if there is a store, but not if there is an empty folder
        except BaseException as error:
            shutil.rmtree(temporary, ignore_errors=True)
            if isinstance(error, OSError) and error.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
                raise name_taken(path) from None
            raise
        sync([path.parent])
    return open_store(path)


def name_taken(path: Path) -> StoreError:
    """Make the error for a path where a store, or something else, exists."""
    try:
        open_store(path)
    except StoreError as error:
        return StoreError(f"{path} exists and cannot be continued: {error}; choose another name")
    return StoreError(f"{path} exists; continue it with --resume (resume=True), or choose another name")


def check_location(path: Path) -> None:
    """Refuse, before anything is computed, a path where no store can be created.

    Raises
    ------
    StoreError, OutputError
    """
    require_zarr()
    if path.suffix.lower() in FILE_SUFFIXES or not path.name:
        raise StoreError(f"{path}: a store is a folder, name it {path.stem or 'results'}.zarr")
    folder = path.absolute().parent
    with disk_errors(path, begun=False):
        if not folder.is_dir():
            raise OutputError(f"{path}: the folder {path.parent} does not exist; create it first")
        tempfile.TemporaryFile(dir=folder).close()


def _remove_abandoned(path: Path) -> None:
    """Remove temporary folders that killed processes have left."""
    for folder in path.parent.glob(f".{glob.escape(path.name)}.*.{CREATING}"):
        if is_abandoned(folder, ABANDONED):
            shutil.rmtree(folder, ignore_errors=True)
