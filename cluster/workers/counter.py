"""Chunks computed by MPI ranks, which take the next one from an atomic counter.

The counter is in a window of rank 0; ranks add one to it by ``Fetch_and_op`` (Gropp, Hoefler, Thakur and Lusk, Using
Advanced MPI, 2014). No rank is reserved for handing out work: rank 0 computes like the others. Between hosts such an
operation may wait until rank 0 next calls MPI, so a thread of rank 0 keeps calling it. That thread also reports
progress.

An error of one rank ends the batch: the others finish their chunk and take no further one, and all ranks raise the
error with chunk, host and reason. If a rank dies, mpiexec notices.
"""

from __future__ import annotations

import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import numpy as np

from cluster.workers.collectives import POLL_INTERVAL, run_on_all
from cluster.workers.processes import Compute, Report
from groupkin.errors import GroupkinWarning

if TYPE_CHECKING:
    from mpi4py import MPI

NEXT, DONE, FAILED = range(3)
"""Entries of the counter: chunks taken, samples computed, samples failed."""

REPORT_INTERVAL = 0.25
"""Seconds between two reports of rank 0."""


def run_ranks(chunks: Sequence[int], compute: Compute, report: Report, comm: MPI.Intracomm) -> None:
    """Compute all chunks on all ranks of a communicator, which all call this.

    Parameters
    ----------
    chunks : sequence of int
        The same on all ranks.
    compute : callable
    report : callable
        Called on rank 0 only, by another thread. If it fails, that is a warning.
    comm : mpi4py.MPI.Comm

    Raises
    ------
    OutputError, WorkError
        On all ranks, if one has failed.
    """
    counter = Counter(comm)

    def take_chunks() -> None:
        try:
            while (k := counter.fetch_add(NEXT, 1)) < len(chunks):
                samples, failed = compute(chunks[k])
                counter.fetch_add(DONE, samples)
                counter.fetch_add(FAILED, failed)
                chunk_done()
        except Exception:
            counter.fetch_add(NEXT, len(chunks))  # no rank takes a further chunk
            raise

    try:
        with _reporting(counter, report) if comm.rank == 0 else nullcontext(lambda: None) as chunk_done:
            run_on_all(comm, take_chunks)
    except Exception:  # of all ranks; an interrupt is one rank's own
        counter.free()
        raise
    counter.free()


class Counter:
    """Three integers of rank 0 that all ranks may add to at any time; created and freed by all together."""

    def __init__(self, comm: MPI.Intracomm):
        from mpi4py import MPI

        self._comm, self._sum = comm, MPI.SUM
        self._window = MPI.Win.Allocate(3 * 8 if comm.rank == 0 else 0, 8, comm=comm)
        if comm.rank == 0:
            self._window.Lock(0)
            np.asarray(self._window.tomemory()).view(np.int64)[:] = 0
            self._window.Unlock(0)
        comm.Barrier()
        self._window.Lock_all()

    def fetch_add(self, entry: int, amount: int) -> int:
        """Add to an entry; returns its value before."""
        before = np.empty(1, np.int64)
        self._window.Fetch_and_op(np.array([amount], np.int64), before, 0, entry, self._sum)
        self._window.Flush(0)
        return int(before[0])

    def poll(self) -> None:
        """Let MPI serve the requests of other ranks to this one."""
        self._comm.Iprobe()  # on COMM_SELF it would not look at the network

    def free(self) -> None:
        self._window.Unlock_all()
        self._window.Free()


@contextmanager
def _reporting(counter: Counter, report: Report) -> Iterator[Callable[[], None]]:
    """Serve the counter and report progress in another thread, while this one computes.

    Yields what rank 0 calls after each of its chunks: if MPI does not allow a second thread, it reports then, and the
    counter is served then.
    """
    from mpi4py import MPI

    reporter = _Reporter(counter, report)
    if MPI.Query_thread() < MPI.THREAD_MULTIPLE:
        try:
            yield reporter
        finally:
            reporter()
        return
    stop = threading.Event()

    def serve() -> None:
        reported = 0.0
        while not stop.wait(POLL_INTERVAL):
            counter.poll()
            if time.monotonic() - reported >= REPORT_INTERVAL:
                reporter()
                reported = time.monotonic()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield lambda: None
    finally:
        stop.set()
        thread.join()
        reporter()


class _Reporter:
    """Reports what was computed since its last call, until `report` fails, which is a warning."""

    def __init__(self, counter: Counter, report: Report):
        self._counter, self._report = counter, report
        self._before, self._broken = (0, 0), False

    def __call__(self) -> None:
        now = self._counter.fetch_add(DONE, 0), self._counter.fetch_add(FAILED, 0)
        samples, failed = now[0] - self._before[0], now[1] - self._before[1]
        self._before = now
        if self._broken or not (samples or failed):
            return
        try:
            self._report(samples, failed)
        except Exception as error:  # results do not depend on the report, and other ranks wait for this thread
            self._broken = True
            reason = f"progress is no longer shown, but the batch continues: {type(error).__name__}: {error}"
            try:
                warnings.warn(reason, GroupkinWarning, stacklevel=2)
            except GroupkinWarning:  # where warnings are errors
                print(f"groupkin: {reason}", file=sys.stderr, flush=True)
