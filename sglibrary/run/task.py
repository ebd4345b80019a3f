"""Arguments of a compiled loop in memory, as compiled code holds them.

A call from Python reads every array that it passes anew, 0.1 µs each, and a loop over the calls of a program takes
thirty. What stays the same from one call to the next is written down once.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numpy.typing import NDArray

from sglibrary.array_types import Array, Ints
from sglibrary.convention import kernel
from sglibrary.run.calls import Calls, Drivers, State
from sglibrary.run.in_memory import stored, words_of


class Results(NamedTuple):
    """Where the results of a motion go.

    Attributes
    ----------
    kept : tuple of arrays of int
        Which rows of q, v, a and conditioning the motion keeps.
    targets : tuple of arrays
        The same rows of the motion, for all its steps.
    status : (groups, N) array of uint8
    past_caches : bool
        Whether results are written past the caches (`sglibrary.run.copy.fits`).
    """

    kept: tuple[Ints, Ints, Ints, Ints]
    targets: tuple[Array, Array, Array, Array]
    status: NDArray[np.uint8]
    past_caches: bool


class Watched(NamedTuple):
    """Groups (w,) that may pass singular positions between steps, and their conditioning at the last two steps (w, 2).

    The latter is written; `sglibrary.run.near_singular.touches` says how it begins.
    """

    groups: Ints
    last: Array


class Moving(NamedTuple):
    """Rows that move with the steps, where the state is the motion itself (`sglibrary.run.row_numbers`).

    Attributes
    ----------
    entries, numbers : (m,) arrays of int
        Which of the rows of all calls they are, and their numbers at the first step of the motion.
    inverse : int
        That of the pitch; 0 if the state is memory of a block, from which results are copied.
    time : int
        Number of the row of times; -1 if nothing reads it.
    """

    entries: Ints
    numbers: Ints
    inverse: int
    time: int


class Task(NamedTuple):
    """What all blocks of a motion are solved with, of `block` steps each."""

    calls: Calls
    drivers: Drivers
    state: State
    results: Results
    watched: Watched
    moving: Moving
    block: int


_ROWS, _NUMBERS, _ANGLES = (types.Array(kind, 1, "C") for kind in (types.int64, types.float64, types.boolean))
_TABLE, _MATRIX, _VALUES = types.Array(types.int64, 2, "C"), *(types.Array(types.float64, d, "C") for d in (2, 3))
TASK = types.NamedTuple(
    (
        types.NamedTuple((_ROWS, _ROWS, _NUMBERS, _NUMBERS, _TABLE, _ROWS), Calls),
        types.NamedTuple((_ROWS, _MATRIX, _NUMBERS, _ANGLES, _ROWS, _VALUES), Drivers),
        types.NamedUniTuple(_MATRIX, 4, State),
        types.NamedTuple(
            (
                types.UniTuple(_ROWS, 4),
                types.UniTuple(_MATRIX, 4),
                types.Array(types.uint8, 2, "C"),
                types.boolean,
            ),
            Results,
        ),
        types.NamedTuple((_ROWS, _MATRIX), Watched),
        types.NamedTuple((_ROWS, _ROWS, types.int64, types.int64), Moving),
        types.int64,
    ),
    Task,
)
"""The type of a task in compiled code."""


_store, _load = stored(TASK)


@kernel
def _write(memory, calls, drivers, state, results, watched, moving, block):
    task = Task(
        Calls(*calls), Drivers(*drivers), State(*state), Results(*results), Watched(*watched), Moving(*moving), block
    )
    _store(memory, task)


@cache
def _words() -> int:
    return words_of(TASK)


def written(task: Task) -> Any:
    """Return a task as `read` takes it, which holds addresses: the arrays must be kept as long as it is.

    Only kernels that count no references may read it.
    """
    if DISABLE_JIT:
        return task
    memory = np.empty(_words(), np.int64)
    # plain tuples, since a call from Python with named ones takes 10 µs more
    _write(memory, *map(tuple, task[:6]), task.block)
    return memory


def read(task):
    """Return a task that was written."""
    return task


if not DISABLE_JIT:
    read = _load
