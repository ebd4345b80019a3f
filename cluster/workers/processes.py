"""Chunks computed by one process, or by several processes of one machine.

All ways to share chunks, these two and `cluster.workers.counter.run_ranks`, are functions of the same form: the numbers
of the chunks, what computes one of them, and `report`, which is called with the samples computed since its last call
and how many of them failed. Workers take chunks as they become free, since samples may differ in cost.

Workers are processes rather than threads: closed forms release the interpreter's lock, but following a group by
Newton's method, and reductions, run in Python. Processes are spawned, since forking a process that has threads (zarr,
numba) may hang. `ProcessPoolExecutor` hands out the chunks.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from groupkin.child_processes import SAFE_PATH, restore_path, safe_path
from groupkin.errors import WorkError

Compute = Callable[[int], tuple[int, int]]
"""Computes a chunk; returns its number of samples, and how many of them failed."""
Setup = Callable[[], Compute]
"""What a worker calls once, before its first chunk."""
Report = Callable[[int, int], None]


def run_serial(chunks: Sequence[int], compute: Compute, report: Report) -> None:
    """Compute all chunks in this process."""
    for chunk in chunks:
        report(*compute(chunk))


def run_processes(chunks: Sequence[int], setup: Setup, report: Report, count: int) -> None:
    """Compute all chunks in several processes of this machine.

    Parameters
    ----------
    chunks : sequence of int
    setup : callable
        Pickled, and called once in each process.
    report : callable
        Called with zeros when the first process is ready.
    count : int
        Number of processes.

    Raises
    ------
    WorkError
        If a process dies. What `setup` and its result raise is raised here.
    """
    initial = setup, os.environ.get(SAFE_PATH)
    with safe_path():  # a process that watches over semaphores starts here
        pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _start_process, initial)
    others = set(multiprocessing.active_children())
    try:
        with _interrupts_held(), safe_path():  # processes start here
            futures = [pool.submit(_set_up), *(pool.submit(_compute_here, chunk) for chunk in chunks)]
        for future in as_completed(futures):
            report(*future.result())
    except KeyboardInterrupt:
        for process in set(multiprocessing.active_children()) - others:  # they may compile for minutes
            process.terminate()
        raise
    except BrokenProcessPool:
        raise WorkError(
            "a process of the batch died: it was killed by hand, or for lack of memory (then take fewer workers, or "
            'smaller chunks in a new store), or the script that started it lacks `if __name__ == "__main__":`. '
            "Complete chunks are kept: continue with --resume (resume=True)"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Receive interrupts from the keyboard afterwards, and let processes that are started meanwhile receive none.

    Otherwise they would print a traceback each while they import, before `_start_process`.
    """
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_setup: Setup | None = None
_compute: Compute | None = None


def _start_process(setup: Setup, safe_path_before: str | None) -> None:
    """Leave interrupts from the keyboard to the parent process, and end with it.

    SIGTERM ends this process at once; the parent receives the signal as well, or finds this process dead.
    """
    global _setup
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    restore_path(safe_path_before)
    _setup = setup


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _set_up() -> tuple[int, int]:
    """Prepare this process; it has computed nothing yet."""
    global _compute
    if _compute is None:  # not in the initializer, whose errors the pool does not pass on
        assert _setup is not None
        _compute = _setup()
    return 0, 0


def _compute_here(chunk: int) -> tuple[int, int]:
    _set_up()
    assert _compute is not None
    return _compute(chunk)
