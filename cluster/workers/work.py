"""Who computes which chunk: one process, several on this machine, or the ranks of an MPI job.

All three take chunks as they become free, so that samples may cost what they like, and none has a master that only
deals. They are functions of the same form: chunks to do; what computes one (of processes what they begin with, to get
it); and `seen`, which is told how many samples have been computed and how many of them have failed.

- MPI: a counter in a window of rank 0 says which chunk is next; ranks add one to it with an atomic ``Fetch_and_op``
  (Gropp, Hoefler, Thakur and Lusk, Using Advanced MPI, 2014). Rank 0 computes like the others. Between hosts such an
  operation may wait until rank 0 next calls MPI, so a thread of it keeps calling; that thread also tells `seen`.
- One machine without MPI: processes, not threads. Closed forms release the lock of the interpreter, but following a
  group by Newton's method, and reductions, run in Python. They are spawned, since a fork of a process with threads
  (zarr, numba) may hang. `ProcessPoolExecutor` deals the chunks.

An error of one worker ends the batch: the others finish the chunk they are at, take no further one, and the error is
raised with chunk, host and reason, by all ranks. A rank that dies is noticed by mpiexec, a process by the pool.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import pickle
import signal
import socket
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from groupkin.errors import GroupkinError, GroupkinWarning, OutputError, WorkError

if TYPE_CHECKING:
    from mpi4py import MPI

T = TypeVar("T")
Do = Callable[[int], tuple[int, int]]
"""Computes a chunk; returns its samples, and how many of them failed."""
Begin = Callable[[], Do]
Seen = Callable[[int, int], None]

NEXT, DONE, FAILED = range(3)
"""Entries of the window: chunks taken, samples computed, samples failed."""

PATIENCE = 0.002
"""Seconds between two looks at MPI while waiting: a rank that spins takes the core of one that works."""

LOOK = 0.25
"""Seconds between two reports of rank 0."""


def cores() -> int:
    """Cores this process may use, which a batch system may have restricted."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# --- one process, several processes ----------------------------------------------------------


def alone(todo: Sequence[int], do: Do, seen: Seen) -> None:
    """Compute all chunks in this process."""
    for chunk in todo:
        seen(*do(chunk))


def processes(todo: Sequence[int], begin: Begin, seen: Seen, count: int) -> None:
    """Compute all chunks in `count` processes of this machine; `begin` is pickled.

    Raises
    ------
    WorkError
        If a process dies. What `begin` and its result raise is raised here.
    """
    pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _begin_process, (begin,))
    try:
        for done in as_completed([pool.submit(_do, chunk) for chunk in todo]):
            seen(*done.result())
    except BrokenProcessPool:
        raise WorkError(
            "a process of the batch has died: killed by hand, for lack of memory (then take fewer workers, or smaller "
            'chunks in a new store), or because the script that started it lacks `if __name__ == "__main__":`. Chunks '
            "that are complete are kept: go on with --resume (resume=True)"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


_begin: Begin | None = None
_done: Do | None = None


def _begin_process(begin: Begin) -> None:
    """A process leaves an interrupt from the keyboard to its parent, and does not outlive it.

    SIGTERM ends it at once, and its parent then has it as well, or finds it dead.
    """
    global _begin
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    _begin = begin


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _do(chunk: int) -> tuple[int, int]:
    global _done
    if _done is None:  # not in the initializer, whose errors the pool does not pass on
        assert _begin is not None
        _done = _begin()
    return _done(chunk)


# --- ranks -----------------------------------------------------------------------------------


def agree(comm: MPI.Intracomm, text: str) -> None:
    """Refuse ranks whose sweeps, as text, differ: each would compute samples of its own.

    Raises
    ------
    WorkError
        On all ranks.
    """
    found = comm.allgather(hashlib.sha256(text.encode()).hexdigest())
    other = next((rank for rank, digest in enumerate(found) if digest != found[0]), None)
    if other is not None:
        raise WorkError(
            f"rank {other} has another sweep than rank 0; describe the same on all ranks, with one seed: which samples "
            "a rank solves is not up to it"
        )


def once(comm: MPI.Intracomm | None, make: Callable[[], T]) -> T:
    """What `make` returns on rank 0, for all ranks; an error of it is raised by all ranks."""
    if comm is None:
        return make()
    made: Any = None
    error: Exception | None = None
    if comm.rank == 0:
        try:
            made = make()
        except Exception as raised:
            error = raised
    wait(comm)
    made, told = comm.bcast((made, _told(error)))
    _raise(error, told)
    return cast(T, made)


def each(comm: MPI.Intracomm, make: Callable[[], T]) -> T:
    """What `make` returns on this rank, when all ranks are done with it; an error of one is raised by all."""
    made: Any = None
    error: Exception | None = None
    try:
        made = make()
    except Exception as raised:
        error = raised
    wait(comm)
    _raise(error, next((told for told in comm.allgather(_told(error)) if told is not None), None))
    return cast(T, made)


def _told(error: Exception | None) -> Exception | None:
    """An error as other ranks can be told of it: the same, unless it cannot be sent."""
    try:
        if error is None or str(pickle.loads(pickle.dumps(error))) == str(error):
            return error
    except Exception:  # it holds what cannot be pickled, or is not made of its arguments
        pass
    return WorkError(str(error) or type(error).__name__)


def _raise(error: Exception | None, told: Exception | None) -> None:
    """Raise the error of this rank, or else that of another."""
    if error is not None:
        raise error
    if told is not None:
        raise told


def ranks(todo: Sequence[int], do: Do, seen: Seen, comm: MPI.Intracomm) -> None:
    """Compute all chunks on all ranks of a communicator, which all call this.

    Parameters
    ----------
    todo : sequence of int
        The same on all ranks.
    do, seen
        Of this rank; `seen` is called on rank 0 only, by another thread. If it fails, that is a warning.
    comm : mpi4py.MPI.Comm

    Raises
    ------
    OutputError, WorkError
        On all ranks, if one has failed.
    """
    counter = Counter(comm)

    def take(tell: Callable[[], None]) -> None:
        try:
            while (k := counter.add(NEXT, 1)) < len(todo):
                samples, failed = do(todo[k])
                counter.add(DONE, samples)
                counter.add(FAILED, failed)
                tell()
        except Exception:
            counter.add(NEXT, len(todo))  # nobody takes a further chunk
            raise

    try:
        with _telling(counter, seen) if comm.rank == 0 else nullcontext(lambda: None) as tell:
            each(comm, partial(take, tell))
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

    def add(self, entry: int, amount: int) -> int:
        """Add to an entry; returns what it was before."""
        before = np.empty(1, np.int64)
        self._window.Fetch_and_op(np.array([amount], np.int64), before, 0, entry, self._sum)
        self._window.Flush(0)
        return int(before[0])

    def answer(self) -> None:
        """Let MPI serve what others have asked of this rank."""
        self._comm.Iprobe()  # on COMM_SELF it would not look at the network

    def free(self) -> None:
        self._window.Unlock_all()
        self._window.Free()


@contextmanager
def _telling(counter: Counter, seen: Seen) -> Iterator[Callable[[], None]]:
    """Keep MPI going in another thread, so that the counter answers while this one computes; report what it says.

    Yields what this rank calls after each of its chunks: if MPI does not allow a second thread, it reports then, and
    the counter answers then.
    """
    from mpi4py import MPI

    tell = _Telling(counter, seen)
    if MPI.Query_thread() < MPI.THREAD_MULTIPLE:
        try:
            yield tell
        finally:
            tell()
        return
    stop = threading.Event()

    def serve() -> None:
        told = 0.0
        while not stop.wait(PATIENCE):
            counter.answer()
            if time.monotonic() - told >= LOOK:
                tell()
                told = time.monotonic()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield lambda: None
    finally:
        stop.set()
        thread.join()
        tell()


class _Telling:
    """Tells `seen` what was computed since it was last called; after an error of it, which is a warning, no more."""

    def __init__(self, counter: Counter, seen: Seen):
        self._counter, self._seen = counter, seen
        self._before, self._broken = (0, 0), False

    def __call__(self) -> None:
        now = self._counter.add(DONE, 0), self._counter.add(FAILED, 0)
        more, failed = now[0] - self._before[0], now[1] - self._before[1]
        self._before = now
        if self._broken or not (more or failed):
            return
        try:
            self._seen(more, failed)
        except Exception as error:  # results do not depend on who watches, and others wait for this thread
            self._broken = True
            reason = f"progress is shown no longer, the batch goes on: {type(error).__name__}: {error}"
            try:
                warnings.warn(reason, GroupkinWarning, stacklevel=2)
            except GroupkinWarning:  # where warnings are errors
                print(f"groupkin: {reason}", file=sys.stderr, flush=True)


def wait(comm: MPI.Intracomm) -> None:
    """Wait until all ranks are here, without spinning."""
    request = comm.Ibarrier()
    while not request.Test():
        time.sleep(PATIENCE)


def named(doing: str, error: Exception) -> GroupkinError:
    """An error of a worker with what it did, host and reason, that can be pickled."""
    reason = str(error)
    if not isinstance(error, GroupkinError):
        place = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {reason} ({place.filename}, line {place.lineno})"
    kind = OutputError if isinstance(error, OutputError) else WorkError
    return kind(f"{doing} on {socket.gethostname()}: {reason}")


@contextmanager
def naming(doing: str) -> Iterator[None]:
    """Say of an error that is none of the project's what was done, and where, so that other ranks can be told."""
    try:
        yield
    except GroupkinError:
        raise
    except Exception as error:
        raise named(doing, error) from error
