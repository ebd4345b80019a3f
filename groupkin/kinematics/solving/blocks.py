"""Blocks of steps: their memory, their drivers, and the calls of all groups on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numpy.typing import DTypeLike, NDArray

from groupkin.errors import LawError
from groupkin.kinematics.program import first_use
from groupkin.kinematics.program.program import Call, Driven, Program
from groupkin.mechanism.laws import Coded
from sglibrary import laws
from sglibrary.run.calls import Calls, Drivers, State, handle
from sglibrary.trigonometry import cosine_sine

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


def pitch_of(n: int) -> int:
    """Row length: whole cache lines, but not a multiple of 4,096 bytes, or rows would compete for the same ones."""
    pitch = -(-n // 8) * 8
    return pitch + 16 if (pitch * 8) % 4096 < 128 else pitch


LINE = 64
"""Bytes per cache line."""


def aligned(memory: NDArray[np.uint8], shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """An array in some memory that starts at a cache line; the memory has `LINE` bytes more than the array."""
    first = -memory.__array_interface__["data"][0] % LINE
    return np.ndarray(shape, dtype, memory, first)


Memory = Callable[[int], NDArray[np.uint8]]
"""Gives so many bytes."""


def own_memory(size: int) -> NDArray[np.uint8]:
    """So many bytes of this process."""
    return np.empty(size, np.uint8)


def aligned_rows(count: int, pitch: int, value: float | None = 0.0, memory: Memory = own_memory) -> Array:
    """Rows that start at cache lines if the pitch is a multiple of them; of one value, for which pages are touched."""
    rows = aligned(memory(8 * count * pitch + LINE), (count, pitch), float)
    if value is not None:
        rows[:] = value
    return rows


def state_rows(rows: int, groups: int, pitch: int, value: float | None = 0.0, memory: Memory = own_memory) -> State:
    """Rows of q, v, a and of the conditioning, in one piece of memory.

    Several pieces would go back to the system when they are freed, and their pages be touched anew at every call.
    """
    return parts_of(aligned_rows(3 * rows + groups, pitch, value, memory), rows)


def parts_of(whole: Array, rows: int) -> State:
    """Rows of q, v, a, of which there are as many, and of the conditioning in one array."""
    return State(whole[:rows], whole[rows : 2 * rows], whole[2 * rows : 3 * rows], whole[3 * rows :])


def block_state(program: Program, block: int, rows: int | None = None) -> State:
    """The state of a block in which nothing but what is fixed is filled in; it may have more rows than are needed."""
    state = state_rows(rows or program.rows, len(program.structure.groups), pitch_of(block))
    for row, value in program.fixed.items():
        state.q[row] = value
    if program.keep is not None:  # of groups that are left out it is not known
        state.conditioning[:] = np.nan
    return state


BLOCK = 128
"""Steps per block: the rows of a block stay in the caches next to the core."""

NEWTON_BLOCK = 512
"""The same where groups are solved by iteration, which prepares more for every block."""

WIDE = 2**19
"""Bytes of all rows of a block where kernels write straight into a motion: half of what a core has for itself."""

SPAN = 4096
"""Steps for which laws are evaluated in Python at a time: enough to make the cost of calls from Python negligible."""


def block_of(program: Program, n: int, block: int | None = None) -> int:
    """Steps per block of a motion of n steps: not more than whole cache lines of it."""
    return min(block or (NEWTON_BLOCK if program.iterates else BLOCK), -(-n // 8) * 8)


def wide_block(program: Program) -> int:
    """Steps per block where kernels write straight into a motion: many, since calls of kernels cost as long as 30."""
    if program.iterates:
        return NEWTON_BLOCK
    return min(max(BLOCK, WIDE // (24 * program.rows) // BLOCK * BLOCK), 4 * BLOCK)


def span_of(block: int, steps: int = SPAN) -> int:
    """Steps in as many whole blocks as come closest to a number of steps from below; one block at least."""
    return block * max(1, steps // block)


@dataclass(frozen=True, eq=False)
class Tables:
    """What solving a program needs to know at every call, and nothing changes.

    Attributes
    ----------
    drivers : Drivers
        Their laws as numbers; those that are evaluated in Python have none.
    coded, covered : bool
        Whether compiled code evaluates all laws, and whether all are known at all times.
    watched : (w,) array of int
        Groups, counted from 0, in closed forms that have modes.
    """

    drivers: Drivers
    coded: bool
    covered: bool
    watched: Ints


_tables: WeakKeyDictionary[Program, Tables] = WeakKeyDictionary()
_calls: WeakKeyDictionary[Program, Calls] = WeakKeyDictionary()


def tables_of(program: Program) -> Tables:
    """The tables of a program."""
    if program not in _tables:
        drivers = _coded_drivers(program)
        covered = all(driven.law.everywhere for driven in program.drivers)
        groups = np.array(sorted({call.group - 1 for call in program.calls if call.signs}), np.int64)
        _tables[program] = Tables(drivers, compiled(drivers), covered, groups)
    return _tables[program]


def drivers_of(program: Program) -> Drivers:
    """The drivers of a program, their laws as numbers; those that are evaluated in Python have none."""
    return tables_of(program).drivers


def _coded_drivers(program: Program) -> Drivers:
    kinds, numbers, tables, size = [], np.zeros((len(program.drivers), 4)), [np.zeros(0)], 0
    for driven, row in zip(program.drivers, numbers, strict=True):
        kind, coefficients, table = _coded(driven)
        kinds.append(kind)
        row[: len(coefficients)] = coefficients
        if table.size:
            row[3], size = size, size + table.size
            tables.append(table)
    in_python = given_drivers(program, np.zeros((0, 3, 0)))
    return in_python._replace(kinds=np.array(kinds, np.int64), numbers=numbers, table=np.concatenate(tables))


def given_drivers(program: Program, values: Array) -> Drivers:
    """The drivers of a program, their values (d, 3 or 5, n) being given."""
    count = len(program.drivers)
    rows = np.array([driven.row for driven in program.drivers], np.int64)
    angles = np.array([driven.rotation for driven in program.drivers], bool)
    return Drivers(np.full(count, laws.OTHER), np.zeros((count, 4)), np.zeros(0), angles, rows, values)


def _coded(driven: Driven) -> Coded:
    """The law of a driver as numbers; OTHER where these do not tell that its values are allowed at all times."""
    coded = driven.law.coded
    if coded is None:
        return IN_PYTHON
    if driven.middle:
        match coded[:2]:
            case laws.RAMP, (rate, start) if rate == 0.0 and abs(start) < np.pi / 2:
                return coded
            case laws.HARMONIC, (amplitude, _, _, offset) if abs(amplitude) + abs(offset) < np.pi / 2:
                return coded
        return IN_PYTHON
    return coded


IN_PYTHON: Coded = (laws.OTHER, (), np.zeros(0))


def require_laws(program: Program, times: Array) -> None:
    """Refuse a motion that laws do not cover.

    Raises
    ------
    LawError
    """
    for driven in program.drivers:
        if not driven.law.everywhere:
            driven.law.at(times[[0, -1]])


def compiled(drivers: Drivers) -> bool:
    """Whether all laws are evaluated by compiled code."""
    return not bool((drivers.kinds == laws.OTHER).any())


def drivers_at(program: Program, times: Array, drivers: Drivers) -> Drivers:
    """The drivers of a program with the values of those laws that are evaluated in Python, at n times."""
    if compiled(drivers):
        return drivers
    values = np.empty((len(program.drivers), 3, times.size))
    for driven, kind, rows in zip(program.drivers, drivers.kinds, values, strict=True):
        if kind == laws.OTHER:
            driven.law.fill(times, rows)
            if driven.middle:
                _check_middle(driven, rows[0], times)
    return drivers._replace(values=values)


def drive(program: Program, times: Array) -> Array:
    """Value, rate and acceleration, cosine and sine of every driver at n times: (drivers, 5, n).

    Of what is not an angle, cosine and sine are 0.
    """
    filled = np.zeros((len(program.drivers), 5, times.size))
    for driven, rows in zip(program.drivers, filled, strict=True):
        driven.law.fill(times, rows[:3])
        if driven.rotation:
            cosine_sine(rows[0], rows[3], rows[4])
        if driven.middle:
            _check_middle(driven, rows[0], times)
    return filled


def _check_middle(driven: Driven, value: Array, times: Array) -> None:
    """Refuse a driver that takes the middle one of three rotations to a quarter turn."""
    if max(value.max(), -value.min()) >= np.pi / 2:
        first = int(np.argmax(np.abs(value) >= np.pi / 2))
        raise LawError(
            f"joint {driven.joint!r}: its second rotation is driven to {value[first]:.4g} rad at "
            f"t = {times[first]:.4g} s; the middle one of three rotations must stay within π/2"
        )


def packed(program: Program, memories: tuple[Array, ...]) -> Calls:
    """The calls of all kernels of a program, which are compiled first."""
    if program not in _calls:
        _calls[program] = packed_calls(program.calls, memories)
    calls = _calls[program]
    if not program.iterates:
        return calls
    starts = calls.starts.copy()
    np.cumsum([memory.size for memory in memories], out=starts[1:, 2])
    return calls._replace(memory=np.concatenate(memories), starts=starts)


def packed_calls(calls: Sequence[Call], memories: Sequence[Array]) -> Calls:
    """Some calls with their memories; their kernels are compiled first."""
    first_use.finish()
    handles = [handle(call.kernel) for call in calls]
    parts = [(call.rows, call.constants, memory) for call, memory in zip(calls, memories, strict=True)]
    starts = np.cumsum([(0, 0, 0), *([x.size for x in part] for part in parts)], axis=0)
    none = (np.zeros(0, np.int64), np.zeros(0), np.zeros(0))
    rows, constants, memory = (np.concatenate([none[k], *(part[k] for part in parts)]) for k in range(3))
    groups = np.array([call.group - 1 for call in calls], np.int64)
    return Calls(handles if DISABLE_JIT else np.array(handles, np.int64), rows, constants, memory, starts, groups)
