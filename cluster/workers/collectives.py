"""Collective operations on MPI ranks that pass on errors: what one rank raises is raised by all.

All ranks of the communicator call the same function. Waiting ranks sleep, so that they do not take a core from a rank
that computes.
"""

from __future__ import annotations

import hashlib
import pickle
import socket
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar, cast

from groupkin.errors import GroupkinError, OutputError, WorkError

if TYPE_CHECKING:
    from mpi4py import MPI

T = TypeVar("T")

POLL_INTERVAL = 0.002
"""Seconds between two calls of MPI while waiting."""


def barrier(comm: MPI.Intracomm, idle: Callable[[], None] = lambda: time.sleep(POLL_INTERVAL)) -> None:
    """Wait until all ranks are here; `idle`, called between two looks, leaves the core to others."""
    request = comm.Ibarrier()
    while not request.Test():
        idle()


def broadcast(comm: MPI.Intracomm | None, make: Callable[[], T], wait: Callable[[MPI.Intracomm], None] = barrier) -> T:
    """Return on all ranks what `make` returns on rank 0, the only one that calls it.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm, optional
        None: there is one process.
    make : callable
    wait : callable, optional
        How the other ranks wait.
    """
    if comm is None:
        return make()
    result, error = _attempt(make) if comm.rank == 0 else (None, None)
    wait(comm)
    result, sent = comm.bcast((result, _sendable(error)))
    _raise_first(error, sent)
    return cast(T, result)


def run_on_all(comm: MPI.Intracomm, make: Callable[[], T]) -> T:
    """Return what `make` returns on this rank, when all ranks have called it without an error."""
    result, error = _attempt(make)
    barrier(comm)
    _raise_first(error, *comm.allgather(_sendable(error)))
    return cast(T, result)


def require_same(
    comm: MPI.Intracomm, parts: Mapping[str, bytes], wait: Callable[[MPI.Intracomm], None] = barrier
) -> None:
    """Refuse ranks that differ in what they are going to do: each would wait for what the others never do.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
    parts : mapping of str to bytes
        What determines it, under a name in words.
    wait : callable, optional
        How ranks wait for each other.

    Raises
    ------
    WorkError
        On all ranks.
    """
    wait(comm)
    digests = comm.allgather([(name, hashlib.sha256(part).digest()) for name, part in parts.items()])
    for rank, found in enumerate(digests):
        for (name, _), digest, expected in zip(parts.items(), found, digests[0], strict=False):
            if digest != expected:
                raise WorkError(f"rank {rank} has another {name} than rank 0; all ranks have to be given the same")


# --- errors ----------------------------------------------------------------------------------


@contextmanager
def worker_errors(task: str, keep: type[Exception] | tuple[()] = GroupkinError) -> Iterator[None]:
    """Raise an error as one that names a worker's task, its host and the reason, and that can be sent to other ranks.

    Parameters
    ----------
    task : str
    keep : type of exception, optional
        Errors that are raised as they are.

    Raises
    ------
    OutputError, WorkError
    """
    try:
        yield
    except keep:
        raise
    except Exception as error:
        reason = str(error)
        if not isinstance(error, GroupkinError):
            origin = traceback.extract_tb(error.__traceback__)[-1]
            reason = f"{type(error).__name__}: {reason} ({origin.filename}, line {origin.lineno})"
        kind = OutputError if isinstance(error, OutputError) else WorkError
        raise kind(f"{task} on {socket.gethostname()}: {reason}") from error


def _attempt(make: Callable[[], Any]) -> tuple[Any, Exception | None]:
    try:
        return make(), None
    except Exception as error:
        return None, error


def _sendable(error: Exception | None) -> Exception | None:
    """The error itself if it can be sent to other ranks, otherwise one with the same message."""
    try:
        if error is None or str(pickle.loads(pickle.dumps(error))) == str(error):
            return error
    except Exception:  # it holds what cannot be pickled, or is not made of its arguments
        pass
    return WorkError(str(error) or type(error).__name__)


def _raise_first(*errors: Exception | None) -> None:
    """Raise the first error there is: this rank's own comes before those of others."""
    for error in errors:
        if error is not None:
            raise error
