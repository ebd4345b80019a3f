"""What executes a route: workers, the memory they see, and how they synchronize.

Every backend is a `Backend`; this module has the ones within a process, `cluster.ranks` the one of MPI. Workers are
numbered; those of a team (`lanes` of them, one after another) share the groups of a block, teams share the blocks.
"""

from __future__ import annotations

import math
import threading
import warnings
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from groupkin.arguments import checked
from groupkin.errors import ArgumentError, GroupkinWarning, RouteError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.solving.state_memory import LINE_BYTES, Memory, aligned, own_memory
from routes.running.cores import available_cores
from routes.running.schedules import Exchange
from routes.running.thread_pool import ThreadPool, thread_pool
from sglibrary.run.team_loop import Leaving, share

T = TypeVar("T")
Shape = tuple[tuple[int, ...], DTypeLike]


class Backend(Protocol):
    """What `routes.running.execution` asks of a backend.

    Attributes
    ----------
    name : str
    workers : int
    title : str
        Both in words.
    local : range
        The workers that this process runs.
    shares : bool
        Whether all workers see the same memory.
    """

    @property
    def name(self) -> str: ...

    @property
    def workers(self) -> int: ...

    @property
    def title(self) -> str: ...

    @property
    def local(self) -> range: ...

    @property
    def shares(self) -> bool: ...

    def memory(self, arrays: Mapping[str, Shape], lanes: int | None) -> dict[str, NDArray[Any]]:
        """Zeros that all workers see, or those of the team of this process's first worker if `lanes` is given.

        Arrays are aligned to cache lines. Those of the same names use the same memory in the next call.
        """
        ...

    def run(self, work: Callable[[int], None], stop: Callable[[], None] | None = None) -> None:
        """Call ``work(worker)`` for every worker, and wait for all; raise what one of them raised.

        ``stop()``, if given, lets all of them end soon: the run is long, and may be interrupted from the keyboard.
        """
        ...

    def barrier(self) -> None:
        """Wait until all processes have called it."""
        ...

    def require_same(self, parts: Mapping[str, bytes]) -> None:
        """Refuse processes that differ in what they are going to do, given under names in words; on all of them."""
        ...

    def broadcast(self, make: Callable[[], T]) -> T:
        """Call a function in worker 0, and return the result in all processes."""
        ...

    def lane_solver(self, lanes: int, exchange: Callable[[], Exchange]) -> Callable[..., bool]:
        """Function that solves a lane's part of some steps, as `share` of `sglibrary.run.team_loop` or by messages."""
        ...

    def alone(self) -> AbstractContextManager[Any]:
        """Keep other threads of this process from using the backend, whose memory is that of one run."""
        ...

    def leaving(self, worker: int) -> Leaving:
        """How compiled code of a worker says that it is done."""
        ...

    def shared_motion(self, given: Callable[[], Motion | None], make: Callable[[Memory], Motion]) -> Motion:
        """A motion whose memory all processes see, or else one of each; what it is filled with is each one's own.

        Parameters
        ----------
        given : callable
            Called in the first process: a motion that this has returned, to be used again; None for a new one.
        make : callable
            Makes one in the memory that it is given.
        """
        ...

    def collect(self, results: tuple[NDArray[Any], ...], parts: Callable[[int], list[tuple[Any, ...]]]) -> bool:
        """Bring the parts of all workers' results to worker 0; True where this process has them all.

        ``parts(worker)`` are the rows and steps of each of the results that a worker has written.
        """
        ...


def room(arrays: Mapping[str, Shape]) -> int:
    """Bytes that some arrays take."""
    return LINE_BYTES + sum(_bytes(*shape) for shape in arrays.values())


def placed(memory: NDArray[np.uint8], arrays: Mapping[str, Shape]) -> dict[str, NDArray[Any]]:
    """Arrays one after another in some memory."""
    found, first = {}, -memory.ctypes.data % LINE_BYTES
    for name, (shape, dtype) in arrays.items():
        found[name] = aligned(memory[first:], shape, dtype)
        first += _bytes(shape, dtype)
    return found


def _bytes(shape: tuple[int, ...], dtype: DTypeLike) -> int:
    """Whole cache lines that an array takes."""
    return -(-math.prod(shape) * np.dtype(dtype).itemsize // LINE_BYTES) * LINE_BYTES


NOBODY = Leaving(np.zeros((1, 1), np.int64), 0, 0)
"""`Backend.leaving` of a worker that nobody waits for in this process."""


@dataclass(frozen=True)
class Threads:
    """The calling thread, and others that stay alive between runs; none of them in the serial backend."""

    workers: int
    pool: ThreadPool | None = field(default=None, repr=False)
    kept: dict[str, NDArray[Any]] = field(default_factory=dict, repr=False)
    lock: Any = field(default_factory=threading.RLock, repr=False, compare=False)

    @property
    def name(self) -> str:
        return "serial" if self.pool is None else "threads"

    @property
    def title(self) -> str:
        return "one thread" if self.pool is None else f"{self.workers} thread{'s' * (self.workers != 1)}"

    @property
    def local(self) -> range:
        return range(self.workers)

    @property
    def shares(self) -> bool:
        return True

    def memory(self, arrays: Mapping[str, Shape], lanes: int | None) -> dict[str, NDArray[Any]]:
        key, size = " ".join(arrays), room(arrays)
        if (memory := self.kept.get(key)) is None or memory.size < size:
            memory = self.kept[key] = np.empty(size, np.uint8)
        memory[:] = 0
        return placed(memory, arrays)

    def run(self, work: Callable[[int], None], stop: Callable[[], None] | None = None) -> None:
        if stop is not None and threading.current_thread() is threading.main_thread():
            (self.pool or thread_pool(1)).run_interruptible(work, stop)
        elif self.pool is None:
            work(0)
        else:
            self.pool.run(work)

    def barrier(self) -> None:
        pass

    def require_same(self, parts: Mapping[str, bytes]) -> None:
        pass

    def broadcast(self, make: Callable[[], T]) -> T:
        return make()

    def lane_solver(self, lanes: int, exchange: Callable[[], Exchange]) -> Callable[..., bool]:
        return share

    def alone(self) -> AbstractContextManager[Any]:
        return self.lock

    def leaving(self, worker: int) -> Leaving:
        return self.pool.leaving(worker) if self.pool is not None else NOBODY

    def shared_motion(self, given: Callable[[], Motion | None], make: Callable[[Memory], Motion]) -> Motion:
        return given() or make(own_memory)

    def collect(self, results: tuple[NDArray[Any], ...], parts: Callable[[int], list[tuple[Any, ...]]]) -> bool:
        return True


def serial() -> Threads:
    """One worker, the calling thread."""
    return Threads(1)


MOST, CROWD = 1024, 8
"""Threads of a backend at most, and per core, without a warning."""


@checked
def threads(workers: int | None = None) -> Threads:
    """Threads of this process; by default as many as it may use cores.

    Raises
    ------
    RouteError
        If there are less than 1, or more than `MOST`.
    """
    cores = available_cores()
    count = cores if workers is None else workers
    if not 1 <= count <= MOST:
        raise RouteError(f"workers must be between 1 and {MOST:,}, not {workers!r}")
    if count > CROWD * cores:
        warnings.warn(
            f"{count} threads share {cores} cores, and will wait for each other", GroupkinWarning, stacklevel=2
        )
    return Threads(count, thread_pool(count))


def backend_of(workers: int | Backend) -> Backend:
    """The backend for a number of threads; one that is given stays as it is.

    Raises
    ------
    ArgumentError
        If it is neither.
    """
    if isinstance(workers, (int, np.integer)):
        return serial() if workers == 1 else threads(int(workers))
    if not hasattr(workers, "workers"):
        raise ArgumentError(
            f"workers must be a whole number, routes.serial(), routes.threads(n) or cluster.ranks(), not {workers!r}"
        )
    return workers
