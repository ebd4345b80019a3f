"""A sweep into a store: `batch` computes what the store lacks, on one process, several, or MPI ranks."""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster import creation, layout, resuming, work
from cluster import store as stores
from cluster.durable import exists
from cluster.ending import aborting
from cluster.launchers import communicator
from groupkin.errors import OutputError, StoreError

if TYPE_CHECKING:
    from mpi4py import MPI

    from cluster.sweeps import Sweep

MEASURED = 0.5
"""Seconds that a dry run measures for."""

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


@dataclass(frozen=True)
class Estimate:
    """What a batch would cost.

    Attributes
    ----------
    samples, chunk, chunks : int
        Samples, samples in a chunk, chunks.
    measured : int
        Samples that were solved to find out.
    seconds_per_sample : float
        On one worker.
    bytes : int
        On disk, before compression.
    free : int
        Bytes that are free there.
    """

    samples: int
    chunk: int
    chunks: int
    measured: int
    seconds_per_sample: float
    bytes: int
    free: int

    def seconds(self, workers: int) -> float:
        """What the sweep would take if nothing but the samples cost time."""
        return self.samples * self.seconds_per_sample / min(workers, self.chunks)


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
        Shows progress, as `cluster.progress.shown` does.

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
    path = Path(store)
    comm = communicator() if comm is None else comm
    first = comm is None or comm.rank == 0
    count = workers if comm is None else comm.size
    solving = _Solving(sweep)
    with aborting(comm):
        opened = work.once(comm, partial(_opened, path, solving, resume, chunk, count))
        done = work.once(comm, partial(stores.completed, opened))
        todo = [k for k in range(opened.chunks) if k not in done]
        before = sum(stop - start for start, stop in map(opened.extent, done))
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


class _Solving:
    """A sweep and what solves it, which every process makes for itself when it first needs it."""

    def __init__(self, sweep: Sweep):
        self.sweep = sweep
        self._prepared: Any = None

    def prepare(self) -> Any:
        """The prepared sweep, its kernels compiled or loaded."""
        from cluster import chunks

        if self._prepared is None:
            self._prepared = chunks.prepare(self.sweep)
            chunks.solve(self._prepared, 0, 1)
        return self._prepared

    def __getstate__(self) -> dict[str, Any]:
        # a copy without what it has worked out and cannot be pickled, such as its program
        return {"sweep": replace(self.sweep), "_prepared": None}


def _opened(path: Path, solving: _Solving, resume: bool, chunk: int | None, workers: int) -> stores.Store:
    """The store, created if need be, and kernels compiled into their cache before other workers look for them there."""
    from cluster import chunks

    if exists(path):
        if not resume:
            raise creation.in_the_way(path)
        found = resuming.resume(path, solving.sweep, chunk)
        if len(stores.completed(found)) < found.chunks:
            solving.prepare()
        return found
    creation.check_place(path)
    solving.prepare()
    fitting = _chunk(solving, chunk, workers)
    try:
        return creation.create(path, solving.sweep, chunks.variables(solving.sweep), fitting)
    except StoreError:
        if not (resume and exists(path)):
            raise
        return resuming.resume(path, solving.sweep, chunk)  # another process was faster, with chunks of its own


def _chunk(solving: _Solving, chunk: int | None, workers: int) -> int:
    """Samples in a chunk: as given, or as memory, cost and number of workers suggest."""
    from cluster import chunks

    if chunk is None:
        chunk = chunks.shared_size(solving.prepare(), workers)
    elif chunk < 1:
        raise StoreError(f"a chunk has at least one sample, not {chunk}")
    return min(chunk, solving.sweep.samples)


def _begin(solving: _Solving, store: stores.Store) -> work.Do:
    """What computes a chunk and writes it; called once by each worker."""
    from cluster import chunks

    try:
        prepared = solving.prepare()
        arrays = stores.arrays(store)
    except Exception as error:
        raise work.named("a worker", error) from error

    def do(k: int) -> tuple[int, int]:
        start, stop = store.extent(k)
        try:
            clock = time.perf_counter()
            values = chunks.solve(prepared, start, stop)
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


def estimate(sweep: Sweep, store: str | Path, workers: int = 1, chunk: int | None = None) -> Estimate:
    """What a batch would cost, measured on a few samples; nothing is written.

    Raises
    ------
    OutputError
        If the folder of the store does not exist.
    """
    from cluster import chunks

    solving = _Solving(sweep)
    fitting = _chunk(solving, chunk, workers)
    measured, seconds = 1, 0.0
    while True:
        start = time.perf_counter()
        chunks.solve(solving.prepare(), 0, measured)
        seconds = time.perf_counter() - start
        if seconds >= MEASURED or measured == fitting:
            break
        measured = min(4 * measured, fitting)
    try:
        free = shutil.disk_usage(Path(store).absolute().parent).free
    except OSError as error:
        raise OutputError(f"{store}: {error.strerror}: {Path(store).absolute().parent}; create it first") from error
    size = layout.size(chunks.variables(sweep), sweep.samples, fitting)
    return Estimate(
        sweep.samples, fitting, math.ceil(sweep.samples / fitting), measured, seconds / measured, size, free
    )
