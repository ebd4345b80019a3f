"""How a process ends when it is asked to, and how one rank ends the job of all, so that what it says is heard."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from groupkin.errors import GroupkinError

if TYPE_CHECKING:
    from mpi4py import MPI

HEARD = 1.0
"""Seconds that the launcher has to pass on what a rank said: it may drop it when the job ends."""

FIRST = 2.0
"""Seconds that other ranks leave to the first one to end the job: where all fail alike, it speaks for all."""


KEPT = "chunks that are complete are kept: go on with --resume"
"""What is to be said of a batch that ends early."""

ASKED, INTERRUPTED = 128 + signal.SIGTERM, 128 + signal.SIGINT
"""Exit codes, as a shell has them."""

AGAIN = 10.0
"""Seconds in which SIGTERM counts once: some send it to the process and to its group."""


class Terminated(KeyboardInterrupt):
    """The process was asked to end, by SIGTERM."""

    def __str__(self) -> str:
        return "ended by SIGTERM"


@contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM, by which batch systems and `timeout` end a process, do what an interrupt from the keyboard does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    due = -AGAIN

    def end(number: int, frame: object) -> None:
        nonlocal due
        if time.monotonic() >= due:
            due = time.monotonic() + AGAIN
            raise Terminated

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


def abort(comm: MPI.Intracomm, error: object, code: int = 2) -> NoReturn:
    """Say what happened where, and end the job; the others would wait forever."""
    time.sleep(min(comm.rank, 1) * FIRST)
    # One write: a launcher may stop reading after the first line.
    sys.stderr.write(f"groupkin: rank {comm.rank} of {comm.size} on {socket.gethostname()} ends the job: {error}\n")
    sys.stderr.flush()
    time.sleep(HEARD)
    comm.Abort(code)
    time.sleep(FIRST)  # it may take a while
    os._exit(code)


def end_job(error: object) -> None:
    """`abort` the job, if it has other ranks."""
    from mpi4py import MPI

    if MPI.COMM_WORLD.size > 1:
        abort(MPI.COMM_WORLD, error)


@contextmanager
def aborting(comm: MPI.Intracomm | None) -> Iterator[None]:
    """End the whole job at an error that the other ranks do not know of, instead of waiting for this rank forever."""
    try:
        yield
    except GroupkinError:
        raise  # by all ranks
    except BaseException as error:
        if comm is None or comm.size == 1:
            raise
        if isinstance(error, Terminated):
            abort(comm, f"{error}; {KEPT}", code=ASKED)
        abort(comm, traceback.format_exc(), code=1)
