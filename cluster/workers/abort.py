"""How programs end early: a process that receives SIGTERM, and one rank that ends the MPI job of all."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from groupkin.errors import GroupkinError

if TYPE_CHECKING:
    from mpi4py import MPI

OUTPUT_DELAY = 1.0
"""Seconds that the launcher has to pass on the message of a rank, which it may drop when the job ends."""

HEAD_START = 2.0
"""Seconds that other ranks leave to rank 0 to end the job: where all fail alike, one message is enough."""

SHARED_MEMORY = Path("/dev/shm")
"""Folder of files that are memory."""

TERMINATED, INTERRUPTED = 128 + signal.SIGTERM, 128 + signal.SIGINT
"""Exit codes, as a shell has them."""

REPEAT_INTERVAL = 10.0
"""Seconds in which a repeated SIGTERM is ignored: some launchers send it to the process and to its group."""


class Terminated(KeyboardInterrupt):
    """The process has received SIGTERM."""

    def __str__(self) -> str:
        return "ended by SIGTERM"


@contextmanager
def terminable() -> Iterator[None]:
    """Raise `Terminated` at SIGTERM, by which batch systems and `timeout` end a process."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handled = -REPEAT_INTERVAL

    def handle(number: int, frame: object) -> None:
        nonlocal handled
        if time.monotonic() >= handled + REPEAT_INTERVAL:
            handled = time.monotonic()
            raise Terminated

    def raise_later(unraisable: sys.UnraisableHookArgs) -> None:
        """Ask again where the exception came up in a finalizer, from which none is passed on."""
        nonlocal handled
        if isinstance(unraisable.exc_value, Terminated):
            handled = -REPEAT_INTERVAL
            threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGTERM)).start()
        else:
            hook(unraisable)

    before, hook = signal.signal(signal.SIGTERM, handle), sys.unraisablehook
    sys.unraisablehook = raise_later
    try:
        yield
    finally:
        sys.unraisablehook = hook
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


def ending(error: BaseException, hint: str = "") -> tuple[str, int]:
    """Return what to print about an error that ends a process, and the exit code; the hint is for interrupts."""
    if isinstance(error, KeyboardInterrupt):
        terminated = isinstance(error, Terminated)
        text = str(error) if terminated else "interrupted"
        return "; ".join(filter(None, (text, hint))), TERMINATED if terminated else INTERRUPTED
    return "".join(traceback.format_exception(error)), 1


def abort(comm: MPI.Intracomm, error: object, code: int = 2) -> NoReturn:
    """Print what happened on which rank, and end the job, in which the other ranks would wait forever."""
    if threading.current_thread() is threading.main_thread():  # it is ending already
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
    time.sleep(min(comm.rank, 1) * HEAD_START)
    # One write: a launcher may stop reading after the first line.
    sys.stderr.write(f"groupkin: rank {comm.rank} of {comm.size} on {socket.gethostname()} ends the job: {error}\n")
    sys.stderr.flush()
    time.sleep(OUTPUT_DELAY)
    _remove_shared_memory()
    comm.Abort(code)
    time.sleep(HEAD_START)  # it may take a while
    os._exit(code)


def _remove_shared_memory() -> None:
    """Remove the files in which MPICH keeps memory that ranks share, and which it leaves when a job is aborted.

    Ranks keep what they have mapped.
    """
    with suppress(OSError):  # not everywhere can a process read what it has mapped
        for line in Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines():
            path = Path(line.split(maxsplit=5)[-1])  # a file that was removed already has a remark after its name
            if path.name.startswith("mpich_") and path.parent == SHARED_MEMORY:
                path.unlink(missing_ok=True)


def end_job(error: object, code: int = 2) -> None:
    """`abort` the job, if it has other ranks."""
    from mpi4py import MPI

    if MPI.COMM_WORLD.size > 1:
        abort(MPI.COMM_WORLD, error, code)


def end_job_at_errors(comm: MPI.Intracomm) -> None:
    """`abort` the job also at errors that end this process anywhere else in its program."""
    if comm.size > 1 and sys.excepthook is sys.__excepthook__:
        sys.excepthook = lambda kind, error, trace: abort(comm, *ending(error))


@contextmanager
def aborting(comm: MPI.Intracomm | None, hint: Callable[[], str] = str) -> Iterator[None]:
    """End the whole job at an error that only this rank knows of; the others would wait for it forever.

    `hint` says then what to add to the message; by default nothing.
    """
    try:
        yield
    except GroupkinError:
        raise  # by all ranks
    except BaseException as error:
        if comm is None or comm.size == 1:
            raise
        abort(comm, *ending(error, hint()))
