"""Going on with a store: only with the sweep that began it, and without what runs that were killed have left."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.stores.durable_files import PARTIAL_FILE, forsaken, sync, writing
from cluster.stores.layout import COMPLETED, versions
from cluster.stores.store import Record, Store, attributes, completed, open_store, record_file, recorded
from cluster.sweeps.fingerprint import as_text
from groupkin.errors import ChangedSweepError, GroupkinWarning, StoreError

if TYPE_CHECKING:
    from cluster.sweeps.description import Sweep

SHOWN = 8
"""Differences that are spelled out."""

FORSAKEN = 600.0
"""Seconds after which a file that is not whole, of a process that cannot be looked for, is no longer being written."""


def resume(path: Path, sweep: Sweep, chunk: int | None = None) -> tuple[Store, dict[int, Record]]:
    """The store at a path, if it was begun with this very sweep, and what is complete; if all is, nothing is written.

    Of chunks that lack a file the records are removed, so that they are computed again.

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
    OutputError
        If it is not complete and cannot be written.
    """
    store = begun(path, sweep, chunk)
    done = completed(store)
    if len(done) == store.chunks:
        return store, done
    lost = [k for k in recorded(store) if k not in done]
    with writing(path):
        for k in lost:
            record_file(store, k).unlink(missing_ok=True)
        if lost:  # first: files of a chunk that is being computed again are there before they are on disk
            sync([path / COMPLETED])
        clear(store)
    return store, done


def clear(store: Store) -> None:
    """Remove files that processes which were killed have not finished, and leave those of others."""
    for left in store.path.rglob(f"*.{PARTIAL_FILE}"):
        if forsaken(left, FORSAKEN):
            left.unlink(missing_ok=True)


def begun(path: Path, sweep: Sweep, chunk: int | None = None) -> Store:
    """The store at a path, if it was begun with this very sweep; as `resume`, but it only looks."""
    store = open_store(path)
    found = attributes(store)
    changed = tuple(differences(json.loads(found["sweep"]), json.loads(as_text(sweep))))
    if changed:
        shown = [*changed[:SHOWN], *([f"and {len(changed) - SHOWN} more"] if len(changed) > SHOWN else [])]
        raise ChangedSweepError(
            f"{path} was begun with another sweep or mechanism; give back what it was, or choose another store:\n  "
            + "\n  ".join(shown),
            changed,
        )
    if chunk is not None and chunk != store.chunk:
        raise StoreError(f"{path} has chunks of {store.chunk} samples, which cannot be changed to {chunk}")
    others = tuple(differences(json.loads(found["versions"]), versions()))
    if others:
        warnings.warn(
            f"{path} was begun elsewhere, so last digits may differ: {'; '.join(others)}", GroupkinWarning, stacklevel=2
        )
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
