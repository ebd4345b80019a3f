"""Blocks of steps: their memory, their drivers, and the calls of all groups on them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numpy.typing import DTypeLike, NDArray

from groupkin.errors import LawError
from groupkin.kinematics.program.program import TIME_ROW, Driven, Program
from groupkin.mechanism.laws import Coded
from sglibrary import laws
from sglibrary.run.calls import handle
from sglibrary.trigonometry import cosine_sine

Array = NDArray[np.float64]
Laws = tuple[NDArray[np.int64], Array, Array, NDArray[np.bool_], NDArray[np.int64]]
"""Of all drivers: kinds, numbers, table, whether they are angles, and first rows, for `sglibrary.run.calls.load`."""


@dataclass(frozen=True)
class Buffers:
    """Memory of one worker: a block of the state, and the status of every group."""

    q: Array
    v: Array
    a: Array
    status: NDArray[np.uint8]
    conditioning: Array


@dataclass(frozen=True, eq=False)
class SolverMemory:
    """Arguments of `sglibrary.run.motion_loop.sweep`, kept with a motion to fill it again.

    `targets` are q, v, a and conditioning of the motion, `results` the same with the padding of their rows. One
    compiled call solves `span` steps, with the same `drivers` if all laws are known as numbers.
    """

    block: int
    targets: tuple[Array, ...]
    results: tuple[Array, ...]
    past_caches: bool
    state: tuple[Array, ...]
    kept: tuple[NDArray[np.int64], ...]
    span: int
    laws: Laws
    drivers: tuple[NDArray[Any], ...] | None
    calls: tuple[Any, ...]
    watched: NDArray[np.int64]


def pitch_of(n: int) -> int:
    """Row length: whole cache lines, but not a multiple of 4,096 bytes, or rows would compete for the same ones."""
    pitch = -(-n // 8) * 8
    return pitch + 16 if (pitch * 8) % 4096 < 128 else pitch


LINE = 64
"""Bytes per cache line."""


def aligned(memory: NDArray[np.uint8], shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """An array in some memory that starts at a cache line; the memory has `LINE` bytes more than the array."""
    first = -memory.ctypes.data % LINE
    kind = np.dtype(dtype)
    return memory[first : first + math.prod(shape) * kind.itemsize].view(kind).reshape(shape)


def aligned_rows(count: int, pitch: int, value: float = 0.0) -> Array:
    """Rows of one value that start at cache lines if the pitch is a multiple of them; pages are touched."""
    rows = aligned(np.empty(8 * count * pitch + LINE, np.uint8), (count, pitch), float)
    rows[:] = value
    return rows


def buffers(program: Program, block: int) -> Buffers:
    """Memory for one worker; what is attached to the frame is filled in."""
    pitch = pitch_of(block)
    q, v, a = (aligned_rows(program.rows, pitch) for _ in range(3))
    for row, value in program.fixed.items():
        q[row] = value
    groups = len(program.structure.groups)
    return Buffers(q, v, a, np.zeros((groups, pitch), np.uint8), aligned_rows(groups, pitch))


BLOCK = 128
"""Steps per block: the rows of a block stay in the caches next to the core."""

NEWTON_BLOCK = 512
"""The same where groups are solved by iteration, which prepares more for every block."""

SPAN = 4096
"""Steps for which laws are evaluated in Python at a time: enough to make the cost of calls from Python negligible."""


def block_of(program: Program, n: int, block: int | None = None) -> int:
    """Steps per block of a motion of n steps: not more than whole cache lines of it."""
    return min(block or (NEWTON_BLOCK if program.iterates else BLOCK), -(-n // 8) * 8)


def span_of(block: int, steps: int = SPAN) -> int:
    """Steps in as many whole blocks as come closest to a number of steps from below; one block at least."""
    return block * max(1, steps // block)


def laws_of(program: Program) -> Laws:
    """The laws of all drivers as numbers; those that are evaluated in Python have none."""
    kinds, numbers, tables, place = [], np.zeros((len(program.drivers), 4)), [np.zeros(0)], 0
    for driven, row in zip(program.drivers, numbers, strict=True):
        kind, own, table = _known(driven)
        kinds.append(kind)
        row[: len(own)] = own
        if table.size:
            row[3], place = place, place + table.size
            tables.append(table)
    rows = np.array([driven.row for driven in program.drivers], np.int64)
    angles = np.array([driven.rotation for driven in program.drivers], bool)
    return np.array(kinds, np.int64), numbers, np.concatenate(tables), angles, rows


def _known(driven: Driven) -> Coded:
    """The law of a driver as numbers; OTHER where these do not tell that its values are allowed at all times."""
    known = driven.law.coded
    if known is None:
        return UNKNOWN
    if driven.middle:
        match known[:2]:
            case laws.RAMP, (rate, start) if rate == 0.0 and abs(start) < np.pi / 2:
                return known
            case laws.HARMONIC, (amplitude, _, _, offset) if abs(amplitude) + abs(offset) < np.pi / 2:
                return known
        return UNKNOWN
    return known


UNKNOWN: Coded = (laws.OTHER, (), np.zeros(0))


def require_laws(program: Program, times: Array) -> None:
    """Refuse a motion that laws do not cover.

    Raises
    ------
    LawError
    """
    for driven in program.drivers:
        if not driven.law.everywhere:
            driven.law.at(times[[0, -1]])


def compiled(known: Laws) -> bool:
    """Whether all laws are evaluated by compiled code."""
    return not bool((known[0] == laws.OTHER).any())


def driving(program: Program, times: Array, known: Laws) -> tuple[NDArray[Any], ...]:
    """Drivers at n times, as `sglibrary.run.calls.load` takes them: values, rates and accelerations of laws in Python."""
    if compiled(known):
        return (*known, NOTHING)
    given = np.empty((len(program.drivers), 3, times.size))
    for driven, kind, rows in zip(program.drivers, known[0], given, strict=True):
        if kind == laws.OTHER:
            driven.law.fill(times, rows)
            if driven.middle:
                _check_middle(driven, rows[0], times)
    return (*known, given)


NOTHING = np.zeros((0, 3, 0))


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


def with_turn(rows: Array, rotation: bool) -> tuple[Array, ...]:
    """Rows (3, n) of a driver, and of an angle its cosine and sine."""
    if not rotation:
        return tuple(rows)
    cosine, sine = np.empty(rows.shape[1]), np.empty(rows.shape[1])
    cosine_sine(rows[0], cosine, sine)
    return (*rows, cosine, sine)


def load(program: Program, drivers: list[tuple[Array, ...]], times: Array, buffer: Buffers, span: slice) -> None:
    """Write times and drivers of a block into its state; `span` is the block's place in them."""
    n = span.stop - span.start
    buffer.q[TIME_ROW, :n] = times[span]
    for driven, (value, rate, gain, *turn) in zip(program.drivers, drivers, strict=True):
        row = driven.row
        buffer.q[row, :n], buffer.v[row, :n], buffer.a[row, :n] = value[span], rate[span], gain[span]
        for k, x in enumerate(turn):
            buffer.q[row + 1 + k, :n] = x[span]


def packed(program: Program, memories: tuple[Array, ...]) -> tuple[Any, ...]:
    """The calls of all kernels of a program, as `sglibrary.run.motion_loop.sweep` takes them; compiles the kernels."""
    handles = [handle(step.kernel) for step in program.calls]
    parts = [(step.rows, step.constants, memory) for step, memory in zip(program.calls, memories, strict=True)]
    places = np.cumsum([(0, 0, 0), *([x.size for x in part] for part in parts)], axis=0)
    none = (np.zeros(0, np.int64), np.zeros(0), np.zeros(0))
    rows, constants, memory = (np.concatenate([none[k], *(part[k] for part in parts)]) for k in range(3))
    groups = np.array([step.group - 1 for step in program.calls], np.int64)
    return (handles if DISABLE_JIT else np.array(handles, np.int64), rows, constants, memory, places, groups)
