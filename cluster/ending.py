"""How one rank ends the job of all, so that what it says is heard."""

from __future__ import annotations

import os
import socket
import sys
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
    except BaseException:
        if comm is None or comm.size == 1:
            raise
        abort(comm, traceback.format_exc(), code=1)
