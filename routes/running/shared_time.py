"""The loop over the steps of a motion, shared: each worker takes the next steps that nobody has taken.

It is the loop of `groupkin.solve` (`sglibrary.run.motion_loop`), which writes into the motion; so one worker takes the
time that this takes, and the bits are the same. Ranks see the memory of the motion, or send their steps to the first.
"""

from __future__ import annotations

from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from groupkin.errors import SolveError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving import passages
from groupkin.kinematics.solving.block_sizes import span_of
from groupkin.kinematics.solving.driver_values import require_laws
from groupkin.kinematics.solving.failures import failure
from groupkin.kinematics.solving.motion_memory import SolverMemory, for_another, prepared, reused, with_memory
from groupkin.kinematics.solving.run import Progress, fill_span, run
from groupkin.kinematics.solving.tracking import track
from routes.running.backends import Backend
from sglibrary.array_types import Array, Ints
from sglibrary.run.near_singular import touching_between
from sglibrary.run.team_loop import LINE, next_number

SHARES = 8
"""Spans of steps for each worker: one that is disturbed leaves some of its own to others."""

_others: WeakKeyDictionary[SolverMemory, dict[int, SolverMemory]] = WeakKeyDictionary()
"""What the other workers of a process fill a motion with, by what its first one does."""


@np.errstate(all="ignore")
def solve_shared(
    backend: Backend,
    program: Program,
    times: Array,
    *,
    on_failure: str = "raise",
    on_singular: str = "fail",
    out: Motion | None = None,
    block: int | None = None,
    keep: tuple[Quantity, ...] | None = None,
    progress: Progress | None = None,
) -> Motion | None:
    """Solve a motion, the steps of which all workers share; None in all processes but the first.

    Parameters
    ----------
    backend : Backend
    program : Program
    times : (n,) array
        s.
    on_failure, on_singular, out, block, keep, progress
        As in `groupkin.solve`. Where workers are several processes, `out` is what this returned in each of them, with
        the same backend.

    Raises
    ------
    GroupkinError
        As `groupkin.solve`, in all processes; ``error.motion`` is None in all but the first.
    """
    asked: dict[str, Any] = {"on_failure": on_failure, "on_singular": on_singular, "block": block, "keep": keep}
    if len(backend.local) == backend.workers:
        fill = partial(_fill, backend) if backend.workers > 1 else None
        return run(program, times, out=out, progress=progress, fill=fill, workers=backend.workers, **asked)
    if on_singular == "continue":
        passages.require_closed_forms(program)
    require_laws(program, times)
    memories = track(program, times, on_failure == "nan")
    own = backend.shared_motion(
        lambda: None if out is None else reused(out, program, times),
        lambda memory: prepared(program, times, memories, block, memory, backend.workers),
    )
    found, failed = None, None
    if backend.local.start:
        _fill(backend, with_memory(own.but(times=times), memories, block), on_failure == "raise", None)
    else:
        try:
            found = run(program, times, out=own, progress=progress, fill=partial(_fill, backend), **asked)
        except SolveError as error:
            failed = error
    told = backend.broadcast(lambda: None if failed is None else (type(failed), str(failed), failed.group, failed.time))
    if failed is not None:
        raise failed
    if told is not None:
        kind, message, group, time = told
        raise kind(message, group, time, None)  # only the first process has the motion
    return found


def _fill(backend: Backend, motion: Motion, stop_at_failure: bool, progress: Progress | None) -> tuple[bool, bool]:
    """What `groupkin.kinematics.solving.run.fill_steps` does, on all workers; only the first process can tell."""
    steps, width, workers = motion.times.size, span_for(motion, backend.workers), backend.workers
    memories = _memories(motion, backend.local)
    shared = backend.memory({"spans taken": ((LINE,), np.int64), "what spans tell": ((workers, LINE), np.int64)}, None)
    taken, told, ended = shared["spans taken"], shared["what spans tell"], [False]

    def work(worker: int) -> None:
        memory, last, turn, done = memories[worker], -1, worker, 0
        try:
            while not ended[0]:
                number = next_number(taken) if backend.shares else turn
                start, turn = width * number, turn + workers
                if start >= steps:
                    break
                if start != last:
                    memory.task.watched.last[:] = np.nan
                ahead = motion.times[start : start + width]
                solved, touching = fill_span(motion.program, memory, ahead, start)
                told[worker, :2] |= touching, not solved
                last, done = start + ahead.size, done + ahead.size
                ended[0] |= stop_at_failure and not solved
                if worker == 0 and progress is not None:
                    progress(min(steps, done * workers), steps)
        except BaseException:
            ended[0] = True
            raise

    backend.run(work)
    arrays = (motion.q, motion.v, motion.a, motion.conditioning, motion.status)
    if not backend.collect(arrays, partial(_parts, motion, width, workers)):
        return True, False
    first, watched = None, memories[0].task.watched.groups
    if told[:, 1].any() or not backend.shares:
        first = _first_failure(motion, width * int(taken[0]) if backend.shares else steps)
    if stop_at_failure and first is not None:
        raise failure(motion, first)
    if progress is not None:
        progress(steps, steps)
    seen = bool(told[:, 0].any()) or not backend.shares
    return first is None, seen or touching_between(motion.conditioning, watched, width)


def _memories(motion: Motion, workers: range) -> dict[int, SolverMemory]:
    """What each worker of this process fills a motion with."""
    assert motion.memory is not None
    others = _others.setdefault(motion.memory, {})
    for worker in workers:
        if worker and worker not in others:
            others[worker] = for_another(motion, worker)
    return {0: motion.memory, **others}


def span_for(motion: Motion, workers: int) -> int:
    """Steps, in whole blocks, that a worker takes at a time."""
    assert motion.memory is not None
    shares = span_of(motion.memory.task.block, -(-motion.times.size // (workers * SHARES)))
    return min(motion.memory.span, shares)


def _parts(motion: Motion, width: int, workers: int, worker: int) -> list[tuple[Ints, Ints]]:
    """Rows and steps of q, v, a, conditioning and status that a worker has written, where it takes every nth span."""
    steps = np.arange(motion.times.size)
    own = steps[steps // width % workers == worker]
    return [(np.arange(len(x)), own) for x in (motion.q, motion.v, motion.a, motion.conditioning, motion.status)]


def _first_failure(motion: Motion, reached: int) -> int | None:
    """The first step that is not solved, of those that workers have reached; None if all are."""
    failed = np.flatnonzero(motion.status[:, :reached].any(axis=0))
    return int(failed[0]) if failed.size else None
