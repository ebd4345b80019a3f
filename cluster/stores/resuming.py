"""Resuming a store, with the same sweep only, and without the files that killed runs have left."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.stores.layout import COMPLETED, versions
from cluster.stores.store import Record, Store, attributes, intact, open_store, record_file, recorded
from cluster.sweeps.description import as_text
from groupkin.durable_files import PARTIAL_FILE, disk_errors, is_abandoned, sync
from groupkin.errors import ChangedSweepError, GroupkinWarning, StoreError

if TYPE_CHECKING:
    from cluster.sweeps.description import Sweep

MAX_DIFFERENCES = 8
"""Differences of sweeps that a message lists."""

ABANDONED = 600.0
"""Seconds after which a partial file of a process on another host is abandoned."""


def resume(path: Path, sweep: Sweep, chunk: int | None = None) -> tuple[Store, dict[int, Record]]:
    """Open a store that was begun with this sweep, to compute its missing chunks.

    Records of chunks of which a file is lost or was altered are removed, so that they are computed again. If all chunks
    are complete, nothing is written.

    Parameters
    ----------
    path : Path
    sweep : Sweep
    chunk : int, optional
        Refused if the chunks of the store have another size.

    Returns
    -------
    Store
    dict of int to Record
        Of the complete chunks.

    Raises
    ------
    ChangedSweepError
        With the differences.
    StoreError
        If there is no store, or its chunks have another size.
    OutputError
        If it is not complete and cannot be written.
    """
    store = open_same(path, sweep, chunk)
    done = intact(store)
    if len(done) == store.chunks:
        return store, done
    lost = [k for k in recorded(store) if k not in done]
    with disk_errors(path):
        for k in lost:
            record_file(store, k).unlink(missing_ok=True)
        if lost:  # before anything else: the files of these chunks will exist again before they are on disk
            sync([path / COMPLETED])
        remove_partial_files(store)
    return store, done


def remove_partial_files(store: Store) -> None:
    """Remove partial files of processes that were killed, and leave those of processes at work."""
    for file in store.path.rglob(f"*.{PARTIAL_FILE}"):
        if is_abandoned(file, ABANDONED):
            file.unlink(missing_ok=True)


def open_same(path: Path, sweep: Sweep, chunk: int | None = None) -> Store:
    """Open a store that was begun with this sweep, as `resume` does, without changing it."""
    store = open_store(path)
    attrs = attributes(store)
    changed = tuple(differences(json.loads(attrs["sweep"]), json.loads(as_text(sweep))))
    if changed:
        more = f"\n  and {len(changed) - MAX_DIFFERENCES} more" if len(changed) > MAX_DIFFERENCES else ""
        raise ChangedSweepError(
            f"{path} was begun with another sweep or mechanism; restore that one, or choose another store:\n  "
            + "\n  ".join(changed[:MAX_DIFFERENCES])
            + more,
            changed,
        )
    if chunk is not None and chunk != store.chunk:
        raise StoreError(f"{path} has chunks of {store.chunk} samples, which cannot be changed to {chunk}")
    others = tuple(differences(json.loads(attrs["versions"]), versions()))
    if others:
        warnings.warn(
            f"{path} was begun with other versions, so last digits may differ: {'; '.join(others)}",
            GroupkinWarning,
            stacklevel=2,
        )
    return store


def differences(old: Any, new: Any, where: str = "") -> Iterator[str]:
    """List where two trees of plain data differ, as in ``parameters[0].sigma: 0.1 in the store, 0.2 now``."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            path = f"{where}.{key}" if where else key
            if key in old and key in new:
                yield from differences(old[key], new[key], path)
            else:
                yield f"{path}: only {'in the store' if key in old else 'now'}"
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for k, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from differences(before, after, f"{where}[{k}]")
    elif json.dumps(old) != json.dumps(new):
        yield f"{where}: {_short(old)} in the store, {_short(new)} now"


def _short(value: Any) -> str:
    if isinstance(value, list):
        return f"{len(value)} entries"
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
