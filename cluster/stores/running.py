"""A sweep solved into a store: `batch` computes what the store lacks, in one process, several, or on MPI ranks."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cluster.stores import creation, layout, resuming
from cluster.stores import store as stores
from cluster.stores.chunk_solver import ChunkSolver
from cluster.stores.estimates import check_space, missing_samples
from cluster.stores.progress import Show
from cluster.sweeps.description import as_text, require_sweep
from cluster.workers.abort import aborting
from cluster.workers.collectives import broadcast, require_same, run_on_all, worker_errors
from cluster.workers.counter import run_ranks
from cluster.workers.launchers import communicator
from cluster.workers.processes import Compute, Report, Setup, run_processes, run_serial
from groupkin.arguments import checked
from groupkin.durable_files import exists
from groupkin.errors import StoreError

if TYPE_CHECKING:
    from mpi4py import MPI

    from cluster.sweeps.description import Sweep
    from cluster.workers.mpi_backend import Ranks


@dataclass(frozen=True)
class Summary:
    """What a batch has done.

    Attributes
    ----------
    path : Path
        Of the store, which is complete.
    samples, failed, outside : int
        Of the whole sweep: all, those that have failed, and those that leave a range.
    computed : int
        Samples that this run has computed.
    seconds : float
        Time of computing and writing in this run, without compiling and creating the store.
    """

    path: Path
    samples: int
    failed: int
    outside: int
    computed: int
    seconds: float


@checked
def batch(
    sweep: Sweep,
    store: str | Path,
    *,
    resume: bool = False,
    workers: int | Ranks = 1,
    chunk: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Summary:
    """Compute a sweep into a store, or what is missing there.

    The results do not depend on the workers, on the order of chunks and on the number of runs.

    Parameters
    ----------
    sweep : Sweep
    store : str or Path
        Such as ``results.zarr``.
    resume : bool, optional
        Continue a store that exists; if there is none, it is created.
    workers : int or Ranks, optional
        Processes of this machine, or what `cluster.ranks` returns. Every process imports the script that calls this,
        which needs ``if __name__ == "__main__":``. Under mpiexec the default is all ranks. All ranks call this.
    chunk : int, optional
        Samples in a chunk of a new store; default: as memory and measured cost suggest.
    progress : callable, optional
        Called with the number of samples that are done and of all samples; with several ranks on rank 0, by a thread.

    Returns
    -------
    Summary

    Raises
    ------
    StoreError
        If there is a store and `resume` is false, or it cannot be resumed.
    ChangedSweepError
        If the store was begun with another sweep or mechanism.
    OutputError
        If the store cannot be written; complete chunks are kept.
    WorkError
        If a worker has failed.
    """
    require_sweep(sweep)
    show = None if progress is None else lambda done, samples, failed: progress(done, samples)
    return run_batch(ChunkSolver(sweep), Path(store), resume, workers, chunk, show)


def run_batch(
    solver: ChunkSolver, path: Path, resume: bool, workers: int | Ranks, chunk: int | None, show: Show | None
) -> Summary:
    """Do what `batch` does with a given solver, and show also how many samples have failed."""
    comm = communicator() if isinstance(workers, int) else workers.comm
    count = comm.size if comm is not None else workers if isinstance(workers, int) else 1
    samples = solver.sweep.samples
    with aborting(comm, partial(stores.resume_hint, path)):
        if comm is not None:
            require_same(comm, {"sweep": as_text(solver.sweep).encode()})
        store, records = broadcast(comm, partial(_open, path, solver, resume, chunk, count))
        missing = [k for k in range(store.chunks) if k not in records]
        before = samples - missing_samples(store, records)
        report = _report(show if comm is None or comm.rank == 0 else None, samples, before, records)
        start = _compute(missing, partial(_setup, solver, store), report, comm, count)
        failed, outside = broadcast(comm, partial(_finish, store, bool(missing)))
    return Summary(path, samples, failed, outside, samples - before, time.perf_counter() - start)


def _report(show: Show | None, samples: int, done: int, records: dict[int, stores.Record]) -> Report:
    """Make what workers report to, which adds up their numbers and shows them; first zeros, when they are ready."""
    if show is None:
        return lambda more, failures: None
    failed = sum(record.failed for record in records.values())

    def report(more: int, failures: int) -> None:
        nonlocal done, failed
        done, failed = done + more, failed + failures
        show(done, samples, failed)

    return report


def _compute(chunks: list[int], setup: Setup, report: Report, comm: MPI.Intracomm | None, workers: int) -> float:
    """Compute chunks on all workers; returns the time at which this began."""
    start = time.perf_counter()
    if not chunks:
        report(0, 0)
    elif comm is None and workers > 1 and len(chunks) > 1:
        run_processes(chunks, setup, report, min(workers, len(chunks)))
    else:
        compute = setup() if comm is None else run_on_all(comm, setup)
        start = time.perf_counter()
        report(0, 0)
        if comm is None:
            run_serial(chunks, compute, report)
        else:
            run_ranks(chunks, compute, report, comm)
    return start


def _open(
    path: Path, solver: ChunkSolver, resume: bool, chunk: int | None, workers: int
) -> tuple[stores.Store, dict[int, stores.Record]]:
    """Open the store, created if need be; returns also the records of complete chunks.

    Kernels are compiled, so that the other workers find them in the cache.
    """
    if exists(path):
        if not resume:
            raise creation.name_taken(path)
        store, records = resuming.resume(path, solver.sweep, chunk)
        missing = missing_samples(store, records)
        if missing:
            check_space(path, layout.uncompressed_size(solver.variables(), missing, store.chunk))
            solver.prepare()
        return store, records
    creation.check_location(path)
    variables = solver.variables()
    layout.check_names(variables)
    size = solver.chunk_size(chunk, workers)
    check_space(path, layout.uncompressed_size(variables, solver.sweep.samples, size))
    solver.prepare()
    try:
        return creation.create(path, solver.sweep, variables, size), {}
    except StoreError:
        if not (resume and exists(path)):
            raise
        return resuming.resume(path, solver.sweep, chunk)  # another process was faster, with chunks of its own


def _setup(solver: ChunkSolver, store: stores.Store) -> Compute:
    """Make the function by which a worker computes a chunk and writes it."""
    with worker_errors("a worker", keep=()):
        solver.prepare()
        arrays = stores.arrays(store)

    def compute(k: int) -> tuple[int, int]:
        start, stop = store.extent(k)
        with worker_errors(f"chunk {k} (samples {start} to {stop - 1})", keep=()):
            began = time.perf_counter()
            values = solver.solve(start, stop)
            failed = stores.write_chunk(store, arrays, k, values, time.perf_counter() - began)
        return stop - start, failed

    return compute


def _finish(store: stores.Store, computed: bool) -> tuple[int, int]:
    """Write the totals; returns how many samples of the sweep have failed, and how many leave a range."""
    records, outside = stores.finish(store), 0
    if computed:
        resuming.remove_partial_files(store)
    if "outside" in store.kept:
        numbers = stores.open_group(store.path)["outside"]
        outside = sum(int(np.count_nonzero(numbers[slice(*store.extent(k))])) for k in records)
    return sum(record.failed for record in records.values()), outside
