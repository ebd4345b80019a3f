"""The memory of a motion, and what the solver needs to fill it.

Kernels write straight into it where the results stay in the caches (`groupkin.kinematics.solving.placing`); else they
write blocks, from which the results are copied.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import GroupkinError, TimesError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.block_sizes import SPAN, block_of, span_of, wide_block
from groupkin.kinematics.solving.call_packing import packed
from groupkin.kinematics.solving.crossings import watched
from groupkin.kinematics.solving.driver_values import driver_tables, drivers_of
from groupkin.kinematics.solving.placing import Placed, placed_beside, placed_rows
from groupkin.kinematics.solving.state_memory import (
    LINE_BYTES,
    Memory,
    aligned,
    block_state,
    own_memory,
    parts_of,
    pitch_of,
    state_rows,
)
from groupkin.memory import require_memory
from sglibrary import status as codes
from sglibrary.array_types import Array
from sglibrary.run.calls import Calls, Drivers, State
from sglibrary.run.copy import fits
from sglibrary.run.motion_loop import hold
from sglibrary.run.row_numbers import LINE
from sglibrary.run.task import Moving, Results, Task, Watched, written


@dataclass(frozen=True, eq=False)
class SolverMemory:
    """What the solver needs to fill a motion, kept with it to fill it again.

    Attributes
    ----------
    span : int
        Steps that one compiled call solves.
    coded : bool
        Whether all laws are evaluated by compiled code.
    alone : bool
        Whether one compiled call solves all steps, once groups are followed: laws are known as numbers at all times.
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
    alone: bool
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

NONE = np.zeros(0, np.int64)
"""No groups or rows."""

STREAMED = 2**24
"""Bytes of result above which it is written past the caches."""


def allocate(program: Program, times: Array, value: float | None = np.nan) -> Motion:
    """A motion with memory for all times, filled with a value, by which all its pages are touched."""
    motion, _ = _allocated(program, times, value, _placed(program, times.size))
    motion.status.fill(codes.NO_INPUT)
    _leave_out(motion)
    return motion


def _leave_out(motion: Motion) -> None:
    """Count groups that a program leaves out as solved, with a conditioning that is not a number."""
    solved = {call.group for call in motion.program.calls}
    for group in motion.program.structure.groups:
        if group.number not in solved:
            motion.status[group.number - 1] = codes.SOLVED
            motion.conditioning[group.number - 1] = np.nan


def _allocated(
    program: Program, times: Array, value: float | None, placed: Placed | None, memory: Memory = own_memory
) -> tuple[Motion, State]:
    """A motion, and its whole rows."""
    n, groups, rows = times.size, len(program.structure.groups), len(program.kept)
    pitch = pitch_of(n) if placed is None else placed.pitch
    needed = pitch * (8.0 * (3 * rows + groups) + groups)
    require_memory(needed, f"{n} steps of this mechanism", "solve fewer steps at a time", TimesError)
    whole = state_rows(rows, groups, pitch, value, memory)
    q, v, a, conditioning = (x[:, :n] for x in whole)
    status = memory(groups * n)[: groups * n].reshape(groups, n)
    return Motion(program, times, q, v, a, status, conditioning), whole


def prepared(
    program: Program,
    times: Array,
    memories: tuple[Array, ...],
    block: int | None = None,
    memory: Memory = own_memory,
    workers: int = 1,
) -> Motion:
    """A new motion, in memory of so many bytes, with what the solver needs to fill it; see `with_memory`.

    It has room for what several workers write beside results (`for_another`).
    """
    placed = _placed(program, times.size, workers)
    motion, whole = _allocated(program, times, None, placed, memory)
    if program.keep is not None:
        _leave_out(motion)
    return _with_memory(motion, memories, block, None, placed, whole)


def _placed(program: Program, n: int, workers: int = 1) -> Placed | None:
    """Rows of a program where kernels write straight into a motion of n steps; None where they write blocks."""
    if 24 * len(program.kept) * n > STREAMED:
        return None
    return placed_rows(program, n, block_of(program, n, wide_block(program)), workers)


def reused(out: Motion, program: Program, times: Array) -> Motion:
    """A motion at other times in the memory of one that the user gives."""
    if out.program is not program or out.times.size != times.size:
        raise GroupkinError(
            "out must be a motion of the same program with the same number of steps; make the program once, by "
            "groupkin.program(mechanism), and solve that"
        )
    if out.memory is None or not out.memory.is_of(out):
        rows = (out.q, out.v, out.a, out.conditioning)
        whole = all(x.strides[1] == 8 and x.strides[0] >= 8 * times.size for x in rows)
        if not (whole and out.status.flags.c_contiguous):
            raise GroupkinError("out must be a motion as solve returns it, with whole rows in memory")
    return out if times is out.times and out.inputs is None else out.but(times=times, inputs=None)


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
        calls = packed(program, memories)._replace(rows=memory.task.calls.rows)
        task = memory.task._replace(calls=calls)
        return motion.but(memory=replace(memory, task=task, written=written(task)))
    placed = None if program.iterates and given is not None else _placed(program, motion.times.size)
    whole = None if placed is None else _rows_of(motion, placed)
    return _with_memory(motion, memories, block, given, placed, whole)


def _with_memory(
    motion: Motion,
    memories: tuple[Array, ...],
    block: int | None,
    given: Drivers | None,
    placed: Placed | None,
    whole: State | None,
) -> Motion:
    """`with_memory`, where the whole rows of the motion are known, or None if they are not its own."""
    program, tables = motion.program, driver_tables(motion.program)
    drivers, groups = (tables.drivers, watched(program)) if given is None else (given, NONE)
    calls, watching = packed(program, memories), Watched(groups, np.zeros((groups.size, 2)))
    width = None if placed is None or block is None else block_of(program, placed.steps, block)
    if placed is None or whole is None or (width is not None and (width % LINE or width > placed.width)):
        task = _copied(motion, calls, drivers, watching, block)
    else:
        task = _in_place(motion, calls, drivers, watching, width or placed.width, placed, whole)
    coded = given is None and tables.coded
    span = span_of(task.block, LONG if coded and not program.iterates else SPAN)
    alone = coded and tables.covered and motion.times.size <= span
    targets = (motion.q, motion.v, motion.a, motion.conditioning, motion.status)
    return motion.but(memory=SolverMemory(span, coded, alone, targets, block, given, task, written(task)))


def _rows_of(motion: Motion, placed: Placed) -> State | None:
    """Whole rows of a motion as `allocate` makes them, whose ends behind the steps are its own; None for any others."""
    groups, kept, n = len(motion.status), len(motion.program.kept), motion.times.size
    memory, rows = motion.q.base, 3 * kept + groups
    if memory is None or memory.dtype != np.uint8 or memory.nbytes != 8 * rows * placed.pitch + LINE_BYTES:
        return None
    state = parts_of(aligned(memory, (rows, placed.pitch), float), kept)
    for x, own in zip((motion.q, motion.v, motion.a, motion.conditioning), state, strict=True):
        if x.__array_interface__ != own[:, :n].__array_interface__:
            return None
    return state


def _in_place(
    motion: Motion, calls: Calls, drivers: Drivers, watching: Watched, block: int, placed: Placed, rows: State
) -> Task:
    """What fills a motion whose whole rows are the state."""
    hold(rows.q, rows.v, rows.a, placed.fixed, placed.values, placed.width)
    return Task(
        Calls(calls.handles, placed.rows.copy(), *calls[2:]),
        Drivers(*drivers[:4], placed.drivers, drivers.values),
        rows,
        Results((NONE,) * 4, (rows.q, rows.v, rows.a, rows.conditioning), motion.status, False),
        watching,
        Moving(placed.moving, placed.numbers, placed.inverse, placed.time),
        block,
    )


def _copied(motion: Motion, calls: Calls, drivers: Drivers, watching: Watched, wanted: int | None) -> Task:
    """What fills a motion from the memory of a block."""
    block = block_of(motion.program, motion.times.size, wanted)
    kept, targets = motion.program.kept, whole_rows(motion)
    return Task(
        calls,
        drivers,
        block_state(motion.program, block),
        Results(
            (kept, kept, kept, np.arange(len(motion.status))),
            targets,
            motion.status,
            3 * motion.q.nbytes > STREAMED and all(fits(x, block) for x in targets),
        ),
        watching,
        Moving(NONE, NONE, 0, -1),
        block,
    )


def whole_rows(motion: Motion) -> tuple[Array, Array, Array, Array]:
    """q, v, a and conditioning of a motion with the padding of their rows."""
    return _whole(motion.q), _whole(motion.v), _whole(motion.a), _whole(motion.conditioning)


def _whole(rows: Array) -> Array:
    """Rows that are padded at their ends, padding included."""
    if rows.flags.c_contiguous:
        return rows
    return np.lib.stride_tricks.as_strided(rows, (rows.shape[0], rows.strides[0] // 8))


def for_another(motion: Motion, worker: int) -> SolverMemory:
    """What another worker, counted from 0, fills the same motion with, in the same blocks."""
    memory, program, steps = motion.memory, motion.program, motion.times.size
    assert memory is not None
    first = memory.task
    watching = Watched(first.watched.groups, np.full_like(first.watched.last, np.nan))
    drivers = drivers_of(program) if memory.given is None else memory.given
    placed = None
    if first.moving.inverse:
        width = block_of(program, steps, wide_block(program))
        placed = placed_beside(program, steps, width, first.state.q.shape[1], worker)
    if placed is None:
        calls = first.calls._replace(rows=np.concatenate([NONE, *(call.rows for call in program.calls)]))
        task = _copied(motion, calls, drivers, watching, first.block)
    else:
        task = _in_place(motion, first.calls, drivers, watching, first.block, placed, first.state)
    return replace(memory, task=task, written=written(task))
