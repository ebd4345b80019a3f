"""The memory of a motion, and what the solver needs to fill it.

Kernels write straight into it where all groups are closed forms and the results stay in the caches
(`groupkin.kinematics.solving.placing`); else they write blocks, from which the results are copied.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import GroupkinError, TimesError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving import blocks
from groupkin.kinematics.solving.crossings import watched
from groupkin.kinematics.solving.placing import Placed, placed_rows
from groupkin.memory import require_memory
from sglibrary import status as codes
from sglibrary.run.calls import Calls, Drivers, State
from sglibrary.run.copy import fits
from sglibrary.run.motion_loop import hold
from sglibrary.run.row_numbers import LINE
from sglibrary.run.task import Moving, Results, Task, Watched, written

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SolverMemory:
    """What the solver needs to fill a motion, kept with it to fill it again.

    Attributes
    ----------
    span : int
        Steps that one compiled call solves.
    coded : bool
        Whether all laws are evaluated by compiled code.
    targets : tuple of arrays
        q, v, a, conditioning and status of the motion.
    block : int, optional
    given : Drivers, optional
        As `with_memory` takes them.
    task : Task
        Its drivers lack the values of laws that are evaluated in Python; its targets have the padding of their rows.
    written : array
        The task as compiled code reads it.
    """

    span: int
    coded: bool
    targets: tuple[NDArray[Any], ...]
    block: int | None
    given: Drivers | None
    task: Task
    written: Any

    def is_of(self, motion: Motion) -> bool:
        """Tell whether the motion has the arrays that this fills."""
        q, v, a, conditioning, status = self.targets
        return (
            motion.q is q
            and motion.v is v
            and motion.a is a
            and motion.conditioning is conditioning
            and motion.status is status
        )


LONG = 2**16
"""Steps between two reports of progress where nothing is evaluated in Python: some milliseconds."""

STREAMED = 2**24
"""Bytes of result above which it is written past the caches."""


def allocate(program: Program, times: Array, value: float | None = np.nan) -> Motion:
    """A motion with memory for all times, filled with a value, by which all its pages are touched."""
    n, groups, rows = times.size, len(program.structure.groups), len(program.kept)
    placed = _placed(program, n)
    pitch = blocks.pitch_of(n) if placed is None else placed.pitch
    needed = pitch * (8.0 * (3 * rows + groups) + groups)
    require_memory(needed, f"{n} steps of this mechanism", "solve fewer steps at a time", TimesError)
    q, v, a, conditioning = (x[:, :n] for x in blocks.state_rows(rows, groups, pitch, value))
    return Motion(program, times, q, v, a, np.full((groups, n), codes.NO_INPUT, np.uint8), conditioning)


def _placed(program: Program, n: int) -> Placed | None:
    """Rows of a program where kernels write straight into a motion of n steps; None where they write blocks."""
    if 24 * len(program.kept) * n > STREAMED:
        return None
    return placed_rows(program, n, blocks.block_of(program, n, blocks.wide_block(program)))


def reused(out: Motion, program: Program, times: Array) -> Motion:
    """A motion at other times in the memory of one that the user gives."""
    if out.program is not program or out.times.size != times.size:
        raise GroupkinError("out must be a motion of the same program with the same number of steps")
    whole = all(x.strides[1] == 8 and x.strides[0] >= 8 * times.size for x in (out.q, out.v, out.a, out.conditioning))
    if not (whole and out.status.flags.c_contiguous):
        raise GroupkinError("out must be a motion as solve returns it, with whole rows in memory")
    return out if times is out.times and out.inputs is None else replace(out, times=times, inputs=None)


def with_memory(
    motion: Motion, memories: tuple[Array, ...], block: int | None = None, given: Drivers | None = None
) -> Motion:
    """A motion with what the solver needs to fill it; it keeps what it already has if that fits.

    Parameters
    ----------
    motion : Motion
    memories : tuple of arrays
        Of all calls.
    block : int, optional
        Steps that are solved together; default: as many as are solved fastest.
    given : Drivers, optional
        Those of the program without their laws. Then the steps need not be positions of one motion, so that nothing is
        said of singular positions between them.
    """
    program, memory = motion.program, motion.memory
    if memory is not None and memory.block == block and memory.given is given and memory.is_of(motion):
        if not program.iterates:
            return motion
        task = memory.task._replace(calls=blocks.packed(program, memories))
        return replace(motion, memory=replace(memory, task=task, written=written(task)))
    drivers = blocks.drivers_of(program) if given is None else given
    calls = blocks.packed(program, memories)
    groups = watched(program) if given is None else np.zeros(0, np.int64)
    followed = Watched(groups, np.zeros((groups.size, 2)))
    task = _in_place(motion, calls, drivers, followed, block) or _copied(motion, calls, drivers, followed, block)
    coded = blocks.compiled(drivers)
    span = blocks.span_of(task.block, LONG if coded and not program.iterates else blocks.SPAN)
    targets = (motion.q, motion.v, motion.a, motion.conditioning, motion.status)
    return replace(motion, memory=SolverMemory(span, coded, targets, block, given, task, written(task)))


def _in_place(motion: Motion, calls: Calls, drivers: Drivers, watched: Watched, block: int | None) -> Task | None:
    """What fills a motion whose whole rows are the state; None if they cannot be."""
    program, n = motion.program, motion.times.size
    placed = _placed(program, n)
    if placed is None:
        return None
    width = placed.width if block is None else blocks.block_of(program, n, block)
    rows = _rows_of(motion, placed)
    if rows is None or width % LINE or width > placed.width:
        return None
    hold(rows.q, rows.v, rows.a, placed.fixed, placed.values, placed.width)
    none = np.zeros(0, np.int64)
    return Task(
        calls._replace(rows=placed.rows.copy()),
        drivers._replace(rows=placed.drivers),
        rows,
        Results((none, none, none, none), (rows.q, rows.v, rows.a, rows.conditioning), motion.status, False),
        watched,
        Moving(placed.moving, placed.numbers, placed.inverse),
        width,
    )


def _rows_of(motion: Motion, placed: Placed) -> State | None:
    """Whole rows of a motion as `allocate` makes them, whose ends behind the steps are its own; None for any others."""
    groups, kept, n = len(motion.status), len(motion.program.kept), motion.times.size
    memory, rows = motion.q.base, 3 * kept + groups
    if memory is None or memory.dtype != np.uint8 or memory.nbytes != 8 * rows * placed.pitch + blocks.LINE:
        return None
    state = blocks.parts_of(blocks.aligned(memory, (rows, placed.pitch), float), kept)
    for x, own in zip((motion.q, motion.v, motion.a, motion.conditioning), state, strict=True):
        if x.__array_interface__ != own[:, :n].__array_interface__:
            return None
    return state


def _copied(motion: Motion, calls: Calls, drivers: Drivers, watched: Watched, wanted: int | None) -> Task:
    """What fills a motion from the memory of a block."""
    block = blocks.block_of(motion.program, motion.times.size, wanted)
    kept, none = motion.program.kept, np.zeros(0, np.int64)
    targets = (motion.q, motion.v, motion.a, motion.conditioning)
    return Task(
        calls,
        drivers,
        blocks.block_state(motion.program, block),
        Results(
            (kept, kept, kept, np.arange(len(motion.status))),
            (_whole(motion.q), _whole(motion.v), _whole(motion.a), _whole(motion.conditioning)),
            motion.status,
            3 * motion.q.nbytes > STREAMED and all(fits(x, block) for x in targets),
        ),
        watched,
        Moving(none, none, 0),
        block,
    )


def _whole(rows: Array) -> Array:
    """Rows that are padded at their ends, padding included."""
    if rows.flags.c_contiguous:
        return rows
    return np.lib.stride_tricks.as_strided(rows, (rows.shape[0], rows.strides[0] // 8))
