"""MPI ranks as a backend of routes: shared memory within a node, messages between nodes.

Every rank calls the same functions with the same arguments; rank 0 has the result. Without `mpiexec` there is one rank.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from cluster.workers.abort import abort, end_job_at_errors
from cluster.workers.collectives import barrier, broadcast, require_same
from cluster.workers.launchers import communicator
from cluster.workers.shared_motions import SharedMotions
from groupkin.errors import RankError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.solving.state_memory import Memory
from routes.running.backends import NOBODY, Shape, placed, room
from routes.running.cores import available_cores
from routes.running.schedules import Exchange, Message
from routes.running.thread_pool import thread_pool
from sglibrary.array_types import Ints
from sglibrary.run.calls import Drivers, State
from sglibrary.run.team_loop import RUNNING, WAITING, LaneResults, Leaving, Member, Place, Plan, now, share

T = TypeVar("T")

YIELD: Callable[[], None] = getattr(os, "sched_yield", partial(time.sleep, 0))
"""Lets another process have the core."""

PAUSE = 2e-5
"""Seconds between two looks at a barrier, where ranks outnumber cores."""


@dataclass(frozen=True)
class Ranks:
    """The ranks of a communicator.

    Attributes
    ----------
    comm : mpi4py.MPI.Comm
    window : bool
        Use shared memory where all ranks of a team are on one node.
    windows : dict
        Windows of shared memory and their sizes in bytes, by arrays and lanes.
    teams : dict
        By lanes, the communicator of this rank's team, and True if its ranks share memory.
    motions : SharedMotions
        Those whose memory ranks see, as long as the first one has them.
    """

    comm: Any
    window: bool = True
    windows: dict[str, tuple[Any, int]] = field(default_factory=dict)
    teams: dict[int, tuple[Any, bool]] = field(default_factory=dict)
    motions: SharedMotions = field(default_factory=SharedMotions)

    @property
    def name(self) -> str:
        return "mpi"

    @property
    def workers(self) -> int:
        return int(self.comm.size)

    @property
    def title(self) -> str:
        return f"{self.workers} MPI rank{'s' * (self.workers != 1)}{'' if self.window else ' that exchange messages'}"

    @property
    def local(self) -> range:
        return range(self.comm.rank, self.comm.rank + 1)

    @property
    def shares(self) -> bool:
        return self._team(self.workers)[1]

    def memory(self, arrays: Mapping[str, Shape], lanes: int | None) -> dict[str, NDArray[Any]]:
        comm, shared = self._team(lanes or self.workers)
        size = room(arrays)
        if not shared:
            return placed(np.zeros(size, np.uint8), arrays)
        key = f"{' '.join(arrays)} {lanes}"
        window, allocated = self.windows.get(key, (None, 0))
        if allocated < size:  # the old one may still be in use
            from mpi4py import MPI

            window = MPI.Win.Allocate_shared(size if comm.rank == 0 else 0, 1, comm=comm)
            self.windows[key] = window, size
        buffer, _ = window.Shared_query(0)
        memory = np.frombuffer(buffer, np.uint8)
        self._barrier(comm)  # what was in it may still be read
        if comm.rank == 0:
            memory[:] = 0
        self._barrier(comm)
        return placed(memory, arrays)

    def _team(self, lanes: int) -> tuple[Any, bool]:
        """Return the communicator of this rank's team, and True if its ranks share memory."""
        if lanes not in self.teams:
            from mpi4py import MPI

            comm = self.comm.Split(self.comm.rank // lanes, self.comm.rank)
            node = comm.Split_type(MPI.COMM_TYPE_SHARED)
            shared = self.window and node.size == comm.size
            node.Free()
            self.teams[lanes] = comm, bool(comm.allreduce(shared, MPI.LAND))
        return self.teams[lanes]

    def run(self, work: Callable[[int], None], stop: Callable[[], None] | None = None) -> None:
        failure: BaseException | None = None
        try:
            self._work(work, stop)
        except Exception as error:
            if not self._team(self.workers)[1]:  # others may be waiting for a message
                abort(self.comm, error)
            failure = error
        self.barrier()
        failed = self.comm.allgather(failure is not None)
        if failure is not None:
            raise failure
        if any(failed):
            raise RankError(f"rank {failed.index(True)} of {self.workers} failed; see its message")

    def _work(self, work: Callable[[int], None], stop: Callable[[], None] | None) -> None:
        """Do this rank's work; another thread does it, if MPI allows, where it may be interrupted."""
        from mpi4py import MPI

        alone = threading.current_thread() is not threading.main_thread()
        if stop is None or alone or MPI.Query_thread() < MPI.THREAD_SERIALIZED:
            work(self.comm.rank)
        else:
            thread_pool(1).run_interruptible(lambda _: work(self.comm.rank), stop)

    def barrier(self) -> None:
        self._barrier(self.comm)

    def require_same(self, parts: Mapping[str, bytes]) -> None:
        require_same(self.comm, parts, self._barrier)

    def _barrier(self, comm: Any) -> None:
        """Wait for all ranks of a communicator without taking a core from those that still compute."""
        barrier(comm, partial(time.sleep, PAUSE) if self.crowded else YIELD)

    @cached_property
    def crowded(self) -> bool:
        """True if ranks outnumber the cores of a node, so that a waiting rank must not keep a core busy."""
        from mpi4py import MPI

        node = self.comm.Split_type(MPI.COMM_TYPE_SHARED)
        crowded = bool(node.size > available_cores())
        node.Free()
        return bool(self.comm.allreduce(crowded, MPI.LOR))

    def broadcast(self, make: Callable[[], T]) -> T:
        return broadcast(self.comm, make, self._barrier)

    def lane_solver(self, lanes: int, exchange: Callable[[], Exchange]) -> Callable[..., bool]:
        comm, shared = self._team(lanes)
        return share if shared or lanes == 1 else _by_messages(comm, exchange())

    def alone(self) -> AbstractContextManager[Any]:
        return nullcontext()

    def leaving(self, worker: int) -> Leaving:
        return NOBODY

    def shared_motion(self, given: Callable[[], Motion | None], make: Callable[[Memory], Motion]) -> Motion:
        return self.motions.used(given, make, self.shares, self.broadcast, self.barrier)

    def collect(self, results: tuple[NDArray[Any], ...], parts: Callable[[int], list[tuple[Any, ...]]]) -> bool:
        if self._team(self.workers)[1]:
            return bool(self.comm.rank == 0)
        if self.comm.rank:
            for x, (rows, steps) in zip(results, parts(self.comm.rank), strict=True):
                self.comm.Send(np.ascontiguousarray(x[np.ix_(rows, steps)]), 0)
            return False
        for rank in range(1, self.workers):
            for x, (rows, steps) in zip(results, parts(rank), strict=True):
                part = np.empty((rows.size, steps.size), x.dtype)
                self.comm.Recv(part, rank)
                x[np.ix_(rows, steps)] = part
        return True


def _by_messages(comm: Any, exchange: Exchange) -> Callable[..., bool]:
    """`sglibrary.run.team_loop.share` for a lane that sends its rows to those that read them."""

    def solve_by_messages(
        calls: Any, plan: Plan, times: Any, drivers: Drivers, state: State, results: LaneResults, member: Member,
        place: Place,
    ) -> bool:  # fmt: skip
        lane, counters, clock = member
        began, before, alone = now(), int(clock[RUNNING]), Member(0, counters[:2], clock)
        for first in range(0, times.size, place.block):
            span = slice(first, min(first + place.block, times.size))
            ahead = times[span]
            driven = drivers._replace(values=np.ascontiguousarray(drivers.values[:, :, span]))
            at = Place(place.start + first, place.block, 0)

            def solve(i: int, ahead: Any = ahead, driven: Drivers = driven, at: Place = at) -> None:
                item = Plan(plan.items[i : i + 1], NO_RUNS, np.zeros(2, np.int64), np.ones(1, np.int64), *plan[4:])
                last = i + 1 == len(plan.items)
                copied = results if last else results._replace(runs=NO_RUNS, group_runs=NO_RUNS)
                share(calls, item, ahead, driven, state, copied, alone, at)

            clock[WAITING] += _one_block(
                comm, plan.wait_starts, exchange[0][lane], exchange[1][lane], state, ahead.size, solve
            )
        clock[RUNNING] = before + now() - began
        return True

    return solve_by_messages


NO_RUNS = np.zeros((0, 2), np.int64)


def _one_block(
    comm: Any, wait_starts: Any, sent: list[Message], received: list[Message], state: Any, n: int,
    solve: Callable[[int], None],
) -> int:  # fmt: skip
    """Solve the items of a lane with what is sent between them; ticks spent waiting."""
    from mpi4py import MPI

    waited, sending = 0, []
    out, into = deque(sent), iter(received)
    for i in range(wait_starts.size - 1):
        entered = now()
        for _ in range(wait_starts[i], wait_starts[i + 1]):
            origin, _, rows = next(into)
            _receive(comm, origin, rows, state, n)
        waited += now() - entered
        solve(i)
        while out and out[0][1] == i + 1:
            to, _, rows = out.popleft()
            packed = np.concatenate([x[rows, :n].ravel() for x in state[:3]])
            sending.append((comm.Isend(packed, to), packed))  # packed must live until it is sent
    MPI.Request.Waitall([request for request, _ in sending])
    return waited


def _receive(comm: Any, origin: int, rows: Ints, state: Any, n: int) -> None:
    buffer = np.empty((3, rows.size, n))
    comm.Recv(buffer, origin)
    for x, part in zip(state, buffer, strict=False):
        x[rows, :n] = part


def ranks(comm: Any = None, *, window: bool = True) -> Ranks:
    """Return the ranks of a communicator, by default all of the job, as workers.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm, optional
    window : bool
        Use shared memory between ranks on one node; if False, they exchange messages, as ranks on different nodes do.

    Raises
    ------
    RankError
        If mpi4py, or an MPI library for it, is not installed.
    WorkError
        If another MPI has started the job: every rank would do all the work.
    """
    if comm is None:
        try:
            from mpi4py import MPI
        except (ImportError, RuntimeError) as error:
            raise RankError(
                f"MPI cannot be used: {error}. Install groupkin[mpi], or mpi4py built for the MPI of this machine"
            ) from None
        comm = communicator() or MPI.COMM_WORLD
        end_job_at_errors(comm)
    return Ranks(comm, window)
