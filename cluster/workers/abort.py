"""How a batch ends early: a process that receives SIGTERM, and one rank that ends the MPI job of all."""

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

OUTPUT_DELAY = 1.0
"""Seconds that the launcher has to pass on the message of a rank, which it may drop when the job ends."""

HEAD_START = 2.0
"""Seconds that other ranks leave to rank 0 to end the job: where all fail alike, one message is enough."""

RESUME_HINT = "complete chunks are kept: continue with --resume"
"""What to add to the message of a batch that ends early."""

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

    before = signal.signal(signal.SIGTERM, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


def abort(comm: MPI.Intracomm, error: object, code: int = 2) -> NoReturn:
    """Print what happened on which rank, and end the job, in which the other ranks would wait forever."""
    time.sleep(min(comm.rank, 1) * HEAD_START)
    # One write: a launcher may stop reading after the first line.
    sys.stderr.write(f"groupkin: rank {comm.rank} of {comm.size} on {socket.gethostname()} ends the job: {error}\n")
    sys.stderr.flush()
    time.sleep(OUTPUT_DELAY)
    comm.Abort(code)
    time.sleep(HEAD_START)  # it may take a while
    os._exit(code)


def end_job(error: object) -> None:
    """`abort` the job, if it has other ranks."""
    from mpi4py import MPI

    if MPI.COMM_WORLD.size > 1:
        abort(MPI.COMM_WORLD, error)


@contextmanager
def aborting(comm: MPI.Intracomm | None) -> Iterator[None]:
    """End the whole job at an error that only this rank knows of; the others would wait for it forever."""
    try:
        yield
    except GroupkinError:
        raise  # by all ranks
    except BaseException as error:
        if comm is None or comm.size == 1:
            raise
        if isinstance(error, Terminated):
            abort(comm, f"{error}; {RESUME_HINT}", code=TERMINATED)
        abort(comm, traceback.format_exc(), code=1)
