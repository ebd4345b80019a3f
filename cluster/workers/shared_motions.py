"""Motions in memory that all ranks of a node see, so that none has to be sent or copied.

The memory is an unnamed file: the first rank makes and names it, the others open it, and then its name goes, so that
nothing is left behind whatever ends the job. A rank lets go of it when the first one has no use for the motion anymore.
"""

from __future__ import annotations

import mmap
import os
import tempfile
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import ArgumentError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.solving.state_memory import Memory, own_memory

PLACE = Path("/dev/shm")
"""Where files are memory; elsewhere they are temporary ones."""

Broadcast = Callable[[Callable[[], Any]], Any]


@dataclass(frozen=True)
class SharedMotions:
    """The shared motions of a rank.

    Attributes
    ----------
    kept : dict of int to Motion
        What ranks but the first have of them, by numbers that all ranks know.
    numbers : dict of int to int
        On the first rank, the number of a motion by the identity of its memory.
    gone : list of int
        Motions that the first rank has no use for anymore.
    next : iterator
        Numbers for the next ones.
    """

    kept: dict[int, Motion] = field(default_factory=dict)
    numbers: dict[int, int] = field(default_factory=dict)
    gone: list[int] = field(default_factory=list)
    next: Any = field(default_factory=count)

    def used(
        self,
        given: Callable[[], Motion | None],
        make: Callable[[Memory], Motion],
        shared: bool,
        broadcast: Broadcast,
        barrier: Callable[[], None],
    ) -> Motion:
        """See `routes.running.backends.Backend.shared_motion`; without shared memory motions are each rank's own.

        Raises
        ------
        ArgumentError
            On all ranks, if what the first one has is no shared motion.
        """
        here: list[Motion | None] = [None]

        def asked() -> tuple[int | None, list[int]]:
            here[0], forgotten = given(), self.gone.copy()
            self.gone.clear()
            if here[0] is None or not shared:
                return None, forgotten
            number = self.numbers.get(id(_memory_of(here[0])))
            if number is None:
                raise ArgumentError(
                    "out must be a motion that the same ranks have returned, so that all of them see it"
                )
            return number, forgotten

        number, forgotten = broadcast(asked)
        for old in forgotten:
            self.kept.pop(old, None)
        if number is not None:
            return here[0] or self.kept[number]
        if not shared:
            return here[0] or make(own_memory)
        motion, number = make(lambda size: _mapped(size, broadcast, barrier)), next(self.next)
        self._keep(motion, number, broadcast(lambda: os.getpid()) == os.getpid())
        return motion

    def _keep(self, motion: Motion, number: int, first: bool) -> None:
        if not first:
            self.kept[number] = motion
            return
        memory = _memory_of(motion)
        self.numbers[id(memory)] = number
        weakref.finalize(memory, self._forget, id(memory), number)

    def _forget(self, memory: int, number: int) -> None:
        del self.numbers[memory]
        self.gone.append(number)


def _memory_of(motion: Motion) -> NDArray[np.uint8]:
    """What all rows of a motion lie in."""
    return motion.q.base  # type: ignore[return-value]


def _mapped(size: int, broadcast: Broadcast, barrier: Callable[[], None]) -> NDArray[np.uint8]:
    """So many bytes that all ranks see, which all ask for together."""
    made: list[str] = []

    def make() -> str:
        descriptor, path = tempfile.mkstemp(prefix="groupkin-", dir=PLACE if PLACE.is_dir() else None)
        os.ftruncate(descriptor, max(1, size))
        os.close(descriptor)
        made.append(path)
        return path

    path = Path(broadcast(make))
    try:
        with path.open("r+b") as file:
            memory = mmap.mmap(file.fileno(), max(1, size))
        barrier()
    finally:
        if made:
            path.unlink()
    return np.frombuffer(memory, np.uint8)
