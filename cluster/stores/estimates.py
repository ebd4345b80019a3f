"""Cost of a batch before it runs: time, measured on a few samples, and space on the disk."""

from __future__ import annotations

import shutil
import time
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rich.filesize import decimal

from cluster.stores import layout, resuming
from cluster.stores.chunk_solver import ChunkSolver
from cluster.stores.store import Store, intact
from groupkin.durable_files import exists
from groupkin.errors import GroupkinWarning, OutputError

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
        Samples and chunks to compute: all of them, unless a store is resumed.
    measured : int
        Samples that were solved to measure the time.
    seconds_per_sample : float
        On one worker.
    bytes : int
        Of the missing results on disk, before compression.
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
        """Return the time on several workers if nothing but the samples costs time."""
        return self.missing * self.seconds_per_sample / max(1, min(workers, self.missing_chunks))


def estimate(
    solver: ChunkSolver, store: str | Path, workers: int = 1, chunk: int | None = None, *, resume: bool = False
) -> Estimate:
    """Estimate the cost of a batch from a few samples, without writing anything.

    Parameters
    ----------
    solver : ChunkSolver
    store : str or Path
    workers : int, optional
    chunk : int, optional
        Samples in a chunk; default: as memory and measured cost suggest.
    resume : bool, optional
        Count only what is missing in the store, if it exists.

    Raises
    ------
    StoreError, ChangedSweepError
        If the store cannot be resumed.
    OutputError
        If the folder of the store does not exist.
    """
    path, samples = Path(store), solver.sweep.samples
    if resume and exists(path):
        opened = resuming.open_same(path, solver.sweep, chunk)
        done = intact(opened)
        size, missing, missing_chunks = opened.chunk, missing_samples(opened, done), opened.chunks - len(done)
    else:
        size = solver.chunk_size(chunk, workers)
        missing, missing_chunks = samples, -(-samples // size)
    measured, seconds = _measure(solver, size) if missing else (0, 0.0)
    space = layout.uncompressed_size(solver.variables(), missing, size) if missing else 0
    chunks, free = -(-samples // size), _free_space(path)
    return Estimate(samples, size, chunks, missing, missing_chunks, measured, seconds, space, free)


def _measure(solver: ChunkSolver, chunk: int) -> tuple[int, float]:
    """Solve some samples; returns how many, and the seconds per sample.

    Samples are prepared in blocks and solved in bands, of which a part costs as much as the whole; chunks that are
    smaller than a block pay for whole blocks.
    """
    count = min(solver.prepare().block, chunk)
    while True:
        start = time.perf_counter()
        solver.solve(0, count)
        seconds = time.perf_counter() - start
        if seconds >= MEASURED or count == chunk:
            return count, seconds / count
        count = min(4 * count, chunk)


def missing_samples(store: Store, done: Iterable[int]) -> int:
    """Count the samples of a store that are in none of the chunks that are done."""
    return store.samples - sum(stop - start for start, stop in map(store.extent, done))


def check_space(path: Path, size: int) -> None:
    """Warn if the results, before compression, take more space than the disk has."""
    free = _free_space(path)
    if size > free:
        warnings.warn(
            f"{path} may not fit on its disk: up to {decimal(size)} before compression, {decimal(free)} are "
            "free; if the disk is full the batch stops; free some space and continue with --resume (resume=True)",
            GroupkinWarning,
            stacklevel=2,
        )


def _free_space(path: Path) -> int:
    folder = path.absolute().parent
    try:
        return shutil.disk_usage(folder).free
    except OSError as error:
        raise OutputError(f"{path}: {error.strerror}: {folder}; create it first") from error
