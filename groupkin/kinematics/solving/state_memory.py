"""Memory of the rows of a state, and how they lie in it: from cache line to cache line, and apart from each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from groupkin.kinematics.program.program import Program
from sglibrary.array_types import Array
from sglibrary.run.calls import State


def pitch_of(n: int) -> int:
    """Row length: whole cache lines, but not a multiple of 4,096 bytes, or rows would compete for the same ones."""
    pitch = -(-n // 8) * 8
    return pitch + 16 if (pitch * 8) % 4096 < 128 else pitch


LINE_BYTES = 64
"""Bytes per cache line."""


def aligned(memory: NDArray[np.uint8], shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """An array in some memory that starts at a cache line; the memory has `LINE_BYTES` bytes more than the array."""
    first = -memory.__array_interface__["data"][0] % LINE_BYTES
    return np.ndarray(shape, dtype, memory, first)


Memory = Callable[[int], NDArray[np.uint8]]
"""Gives so many bytes."""


def own_memory(size: int) -> NDArray[np.uint8]:
    """So many bytes of this process."""
    return np.empty(size, np.uint8)


def aligned_rows(count: int, pitch: int, value: float | None = 0.0, memory: Memory = own_memory) -> Array:
    """Rows that start at cache lines if the pitch is a multiple of them; of one value, for which pages are touched."""
    rows = aligned(memory(8 * count * pitch + LINE_BYTES), (count, pitch), float)
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
