"""A sweep into a store: `batch` computes what the store lacks, on one process, several, or MPI ranks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cluster.stores import creation, layout, resuming
from cluster.stores import store as stores
from cluster.stores.chunk_solver import Solving, fitting_chunk
from cluster.stores.durable_files import exists
from cluster.stores.estimates import check_room, missing_samples
from cluster.sweeps.fingerprint import as_text, require_sweep
from cluster.workers import work
from cluster.workers.abort import aborting
from cluster.workers.launchers import communicator
from groupkin.errors import StoreError

if TYPE_CHECKING:
    from mpi4py import MPI

    from cluster.sweeps.description import Sweep

Watch = Callable[[int, int, int], AbstractContextManager[work.Seen]]
"""Shows progress: made of the samples of the sweep, those that are done and those of them that failed."""


@dataclass(frozen=True)
class Summary:
    """What a batch has done.

    Attributes
    ----------
    path : Path
        Of the store, which is complete.
    samples, failed : int
        Of the whole sweep.
    computed : int
        Samples that this run has computed.
    seconds : float
        Of computing and writing, in this run; not of compiling and of creating the store.
    """

    path: Path
    samples: int
    failed: int
    computed: int
    seconds: float


@contextmanager
def _unwatched(samples: int, done: int, failed: int) -> Iterator[work.Seen]:
    yield lambda more, failures: None


def batch(
    sweep: Sweep,
    store: str | Path,
    *,
    resume: bool = False,
    workers: int = 1,
    chunk: int | None = None,
    comm: MPI.Intracomm | None = None,
    watch: Watch = _unwatched,
) -> Summary:
    """Compute a sweep into a store, or what is missing there.

    The data do not depend on who computes them, in which order and in how many runs.

    Parameters
    ----------
    sweep : Sweep
    store : str or Path
        Such as ``results.zarr``.
    resume : bool, optional
        Continue a store that exists; it is created if there is none.
    workers : int, optional
        Processes of this machine; the script that calls this with more than one is imported by each of them, so it
        needs ``if __name__ == "__main__":``. Under mpiexec its ranks are the workers.
    chunk : int, optional
        Samples in a chunk of a new store; default: as memory and measured cost suggest.
    comm : mpi4py.MPI.Comm, optional
        Ranks that share the work and all call this; default: all that mpiexec has started, if it has.
    watch : callable, optional
        Shows progress, as `cluster.stores.progress.shown` does.

    Returns
    -------
    Summary

    Raises
    ------
    StoreError
        If there is a store and `resume` is false, or it cannot be continued.
    ChangedSweepError
        If the store was begun with another sweep or mechanism.
    OutputError
        If the store cannot be written; what was completed is kept.
    WorkError
        If a worker has failed.
    """
    require_sweep(sweep)
    path = Path(store)
    comm = communicator() if comm is None else comm
    first = comm is None or comm.rank == 0
    count = workers if comm is None else comm.size
    solving = Solving(sweep)
    with aborting(comm):
        if comm is not None:
            work.agree(comm, as_text(sweep))
        opened, done = work.once(comm, partial(_opened, path, solving, resume, chunk, count))
        todo = [k for k in range(opened.chunks) if k not in done]
        before = sweep.samples - missing_samples(opened, done)
        failed = sum(record.failed for record in done.values())
        begin = partial(_begin, solving, opened)
        with (watch if first else _unwatched)(sweep.samples, before, failed) as seen:
            start = _compute(todo, begin, seen, comm, workers)
        failed = work.once(comm, partial(_finished, opened, bool(todo)))
    return Summary(path, sweep.samples, failed, sweep.samples - before, time.perf_counter() - start)


def _compute(todo: list[int], begin: work.Begin, seen: work.Seen, comm: MPI.Intracomm | None, workers: int) -> float:
    """Compute chunks; returns when it began."""
    start = time.perf_counter()
    if not todo:
        return start
    if comm is not None:
        do = work.each(comm, begin)
        start = time.perf_counter()
        work.ranks(todo, do, seen, comm)
    elif workers > 1 and len(todo) > 1:
        work.processes(todo, begin, seen, min(workers, len(todo)))
    else:
        work.alone(todo, begin(), seen)
    return start


def _opened(
    path: Path, solving: Solving, resume: bool, chunk: int | None, workers: int
) -> tuple[stores.Store, dict[int, stores.Record]]:
    """The store, created if need be, and what of it is complete.

    Kernels are compiled into their cache before other workers look for them there.
    """
    from cluster.solving import chunks

    if exists(path):
        if not resume:
            raise creation.in_the_way(path)
        found, done = resuming.resume(path, solving.sweep, chunk)
        missing = missing_samples(found, done)
        if missing:
            check_room(path, layout.size(chunks.variables(solving.sweep), missing, found.chunk))
            solving.prepare()
        return found, done
    creation.check_place(path)
    variables = chunks.variables(solving.sweep)
    layout.check_names(variables)
    fitting = fitting_chunk(solving, chunk, workers)
    check_room(path, layout.size(variables, solving.sweep.samples, fitting))
    solving.prepare()
    try:
        return creation.create(path, solving.sweep, variables, fitting), {}
    except StoreError:
        if not (resume and exists(path)):
            raise
        return resuming.resume(path, solving.sweep, chunk)  # another process was faster, with chunks of its own


def _begin(solving: Solving, store: stores.Store) -> work.Do:
    """What computes a chunk and writes it; called once by each worker."""
    from cluster.solving import chunks

    try:
        prepared = solving.prepare()
        arrays = stores.arrays(store)
    except Exception as error:
        raise work.named("a worker", error) from error

    def do(k: int) -> tuple[int, int]:
        start, stop = store.extent(k)
        try:
            clock = time.perf_counter()
            values = chunks.solve_chunk(prepared, start, stop)
            return stop - start, stores.write(store, arrays, k, values, time.perf_counter() - clock)
        except Exception as error:
            raise work.named(f"chunk {k} (samples {start} to {stop - 1})", error) from error

    return do


def _finished(store: stores.Store, computed: bool) -> int:
    """Add up the totals; returns how many samples of the sweep have failed."""
    done = stores.finish(store)
    if computed:
        resuming.clear(store)
    return sum(record.failed for record in done.values())
