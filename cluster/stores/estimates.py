"""What a batch would cost: time, measured on some samples, and room on the disk."""

from __future__ import annotations

import shutil
import time
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cluster.stores import layout, resuming
from cluster.stores import store as stores
from cluster.stores.chunk_solver import Solving, fitting_chunk
from cluster.stores.durable_files import exists
from cluster.stores.progress import amount
from groupkin.errors import GroupkinWarning, OutputError

if TYPE_CHECKING:
    from cluster.sweeps.description import Sweep

MEASURED = 0.5
"""Seconds that a dry run measures for."""


@dataclass(frozen=True)
class Estimate:
    """What a batch would cost.

    Attributes
    ----------
    samples, chunk, chunks : int
        Samples, samples in a chunk, chunks.
    missing, missing_chunks : int
        Of them what is to be computed: all, unless a store is continued.
    measured : int
        Samples that were solved to find out.
    seconds_per_sample : float
        On one worker.
    bytes : int
        On disk, before compression, of what is missing.
    free : int
        Bytes that are free there.
    """

    samples: int
    chunk: int
    chunks: int
    missing: int
    missing_chunks: int
    measured: int
    seconds_per_sample: float
    bytes: int
    free: int

    def seconds(self, workers: int) -> float:
        """What the batch would take if nothing but the samples cost time."""
        return self.missing * self.seconds_per_sample / max(1, min(workers, self.missing_chunks))


def estimate(
    sweep: Sweep, store: str | Path, workers: int = 1, chunk: int | None = None, *, resume: bool = False
) -> Estimate:
    """What a batch would cost, measured on a few samples; nothing is written.

    Parameters
    ----------
    sweep : Sweep
    store : str or Path
    workers : int, optional
    chunk : int, optional
    resume : bool, optional
        Of a store that exists, count only what is missing there.

    Raises
    ------
    StoreError, ChangedSweepError
        If the store cannot be continued.
    OutputError
        If the folder of the store does not exist.
    """
    from cluster.solving import chunks

    path, solving = Path(store), Solving(sweep)
    if resume and exists(path):
        found = resuming.begun(path, sweep, chunk)
        done = stores.completed(found)
        size, missing, missing_chunks = found.chunk, missing_samples(found, done), found.chunks - len(done)
    else:
        size = fitting_chunk(solving, chunk, workers)
        missing, missing_chunks = sweep.samples, -(-sweep.samples // size)
    measured, seconds = _measured(solving, size) if missing else (0, 0.0)
    need = layout.size(chunks.variables(sweep), missing, size) if missing else 0
    chunk_count = -(-sweep.samples // size)
    return Estimate(sweep.samples, size, chunk_count, missing, missing_chunks, measured, seconds, need, _free(path))


def _measured(solving: Solving, chunk: int) -> tuple[int, float]:
    """Samples that were solved, and the seconds that each took.

    Samples are prepared in blocks and solved in bands, of which a part costs as much as the whole; a chunk that is
    smaller than a block pays for that itself.
    """
    from cluster.solving import chunks

    prepared = solving.prepare()
    count = min(prepared.block, chunk)
    while True:
        start = time.perf_counter()
        chunks.solve_chunk(prepared, 0, count)
        seconds = time.perf_counter() - start
        if seconds >= MEASURED or count == chunk:
            return count, seconds / count
        count = min(4 * count, chunk)


def missing_samples(store: stores.Store, done: Iterable[int]) -> int:
    """Samples of a store that are in none of the chunks that are done."""
    return store.samples - sum(stop - start for start, stop in map(store.extent, done))


def check_room(path: Path, need: int) -> None:
    """Warn if results may not fit on the disk: they are compressed, so they may as well."""
    free = _free(path)
    if need > free:
        warnings.warn(
            f"{path} may not fit on its disk: up to {amount(need)} before compression, {amount(free)} are free; "
            "if it is full, the batch stops, and goes on with --resume (resume=True) when there is room",
            GroupkinWarning,
            stacklevel=2,
        )


def _free(path: Path) -> int:
    folder = path.absolute().parent
    try:
        return shutil.disk_usage(folder).free
    except OSError as error:
        raise OutputError(f"{path}: {error.strerror}: {folder}; create it first") from error
