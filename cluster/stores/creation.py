"""Creation of the store of a batch, completely or not at all, also if several processes try at once."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cluster.stores.layout import lay_out, require_zarr
from cluster.stores.store import Store, open_store
from groupkin.durable_files import check_place, contents, create_temporary, disk_errors, exists, remove_abandoned, sync
from groupkin.errors import StoreError

if TYPE_CHECKING:
    from cluster.sweeps.description import Sweep
    from cluster.sweeps.readings import Variable

CREATING = "creating"
"""Suffix of folders that become stores."""

FILE_SUFFIXES = (".nc", ".nc4", ".zip", ".csv", ".h5", ".hdf5", ".npz", ".parquet", ".tar", ".gz", ".xlsx")
"""Suffixes of files; a store is a folder."""


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
    remove_abandoned(path, CREATING)
    with disk_errors(path, begun=False):
        temporary = create_temporary(path, folder=True, suffix=CREATING)
        try:
            lay_out(temporary, sweep, variables, chunk)
            sync(contents(temporary))
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
    check_place(path, folder=True)
