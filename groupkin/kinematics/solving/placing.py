"""Where the rows of a program are while a motion is solved in its own memory, without a block that is copied from.

Kernels then write the rows that a motion keeps where they belong, block after block. All others lie behind the last
step, in columns for one block each, where every block finds them again. Rows that follow each other in the state do so
there too, one pitch apart; kernels find them by other numbers (`sglibrary.run.row_numbers`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba.core.config import BOUNDSCHECK, DISABLE_JIT  # type: ignore[attr-defined]

from groupkin.kinematics.program.dataflow import FORMS, row_entries
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import TIME_ROW, Call, Program
from sglibrary import attachments
from sglibrary.array_types import Array, Ints
from sglibrary.chain import Solver
from sglibrary.iterative.tables import MOVES, OUTPUTS
from sglibrary.run.row_numbers import LINE, inverse, row_numbers


@dataclass(frozen=True)
class Placing:
    """Places of the rows of a program in a motion of any number of steps.

    Attributes
    ----------
    row : (rows,) array of int
        Number of the motion's row that each one lies in; -1 if it has no place.
    slot : (rows,) array of int
        Where in that row: -1 among the steps, else in which columns behind the last step.
    slots : int
        How many of these columns there are, each as wide as a block.
    entries : (k,) array of int
        Entries of the rows of all calls, one after another, that are numbers of rows.
    """

    row: Ints
    slot: Ints
    slots: int
    entries: Ints

    def pitch(self, n: int, width: int, workers: int) -> int:
        """Row length of a motion of n steps: an odd number of cache lines, with slots of workers behind the steps."""
        return LINE * (_lines(n) + workers * self.slots * _lines(width) | 1)


@dataclass(frozen=True)
class Placed:
    """Numbers of the rows of a program in a motion of n steps, with slots for blocks of a width.

    Attributes
    ----------
    steps, width : int
    pitch, inverse : int
        Of the motion's rows; see `sglibrary.run.row_numbers`.
    rows : (k,) array of int
        Those of all calls, at the first step.
    moving, numbers : (m,) arrays of int
        Which of these move with the steps, and these at the first step.
    drivers : (d,) array of int
        First rows of all drivers.
    time : int
        Row of the times; -1 if nothing reads it.
    fixed, values : (f,) arrays
        Rows that never change, and what they hold.
    """

    steps: int
    width: int
    pitch: int
    inverse: int
    rows: Ints
    moving: Ints
    numbers: Ints
    drivers: Ints
    time: int
    fixed: Ints
    values: Array


NONE = np.zeros(0, np.int64)


@once_per_program
def _last_placed(program: Program) -> dict[tuple[int, int, int], Placed]:
    """Keep the numbers of rows that were asked for last: many motions are alike."""
    return {}


def placed_rows(program: Program, n: int, width: int, workers: int = 1) -> Placed | None:
    """Rows of a program in a motion of n steps, with slots of a width; None where groups are solved in blocks only.

    Those behind the steps are the first worker's; there is room for those of others (`placed_beside`).
    """
    asked, last = (n, width, workers), _last_placed(program)
    found = last.get(asked)
    if found is not None:
        return found
    placing = _placing(program)
    if placing is None:
        return None
    found = _numbered(program, placing, n, width, placing.pitch(n, width, workers), 0)
    last.clear()
    last[asked] = found
    return found


def placed_beside(program: Program, n: int, width: int, pitch: int, worker: int) -> Placed | None:
    """Rows of another worker, counted from 0, in a motion of some row length; None if it has no room for them."""
    placing = _placing(program)
    if placing is None or placing.pitch(n, width, worker + 1) > pitch:
        return None
    return _numbered(program, placing, n, width, pitch, worker)


def _numbered(program: Program, placing: Placing, n: int, width: int, pitch: int, worker: int) -> Placed:
    first = _lines(n) + worker * placing.slots * _lines(width)
    behind = np.where(placing.slot < 0, 0, first + placing.slot * _lines(width))
    numbers = row_numbers(placing.row * (pitch // LINE) + behind, pitch)
    rows = np.concatenate([NONE, *(call.rows for call in program.calls)])
    moving = placing.entries[placing.slot[rows[placing.entries]] < 0]
    rows[placing.entries] = numbers[rows[placing.entries]]
    fixed = np.array([row for row in program.fixed if placing.row[row] >= 0], np.int64)
    return Placed(
        n,
        width,
        pitch,
        inverse(pitch),
        rows,
        moving,
        rows[moving],
        numbers[np.array([driven.row for driven in program.drivers], np.int64)],
        int(numbers[TIME_ROW]) if placing.row[TIME_ROW] >= 0 else -1,
        numbers[fixed],
        np.array([program.fixed[row] for row in fixed.tolist()], float),
    )


def _lines(n: int) -> int:
    """Cache lines for n numbers."""
    return -(-n // LINE)


@once_per_program
def _placing(program: Program) -> Placing | None:
    if DISABLE_JIT or BOUNDSCHECK or not all(_can_be_placed(program, call) for call in program.calls):
        return None
    kept, height = set(program.kept.tolist()), len(program.kept)
    row, slot = (np.full(program.rows, -1) for _ in range(2))
    row[program.kept] = np.arange(height)
    entries, first = [NONE], 0
    for call in program.calls:
        entries.append(first + row_entries(call, program.solvers[call.group - 1]))
        first += call.rows.size
    numbers, every = np.concatenate([NONE, *(call.rows for call in program.calls)]), np.concatenate(entries)
    every = every[numbers[every] >= 0]
    units = _units(program, set(numbers[every].tolist()))
    for begin, size in [written for call in program.calls for written in _written(program, call)]:
        together = set(range(begin, begin + size))
        if not together & kept:
            units.append((begin, size))
        elif not together <= kept:  # a direction beside those of bodies: neighbors would part
            return None
    slots = top = 0
    for begin, size in dict.fromkeys(units):
        if size > height:
            return None
        if top + size > height or not slots:
            slots, top = slots + 1, 0
        row[begin : begin + size], slot[begin : begin + size] = np.arange(top, top + size), slots - 1
        top += size
    return Placing(row, slot, slots, every) if (row[numbers[every]] >= 0).all() else None


def _can_be_placed(program: Program, call: Call) -> bool:
    """Whether a kernel reads and writes rows by their numbers alone."""
    return call.knot is not None or call.kernel is attachments.motion or _form(program, call) is not None


def _written(program: Program, call: Call) -> list[tuple[int, int]]:
    """First rows and numbers of rows that a group writes and that must stay together."""
    form = _form(program, call)
    if form is not None:
        inputs = len(form.inputs)
        driver = [(int(call.rows[inputs]), 3)] if form.coupled else []
        return [(int(call.rows[inputs + len(form.drivers)]), form.written), *driver]
    if call.knot is None:
        return []
    return [(row, program.mechanism.dimension) for row in call.rows[call.rows[OUTPUTS] : call.rows[MOVES]].tolist()]


def _units(program: Program, named: set[int]) -> list[tuple[int, int]]:
    """First rows and numbers of rows of what is not kept and must stay together: drivers, and vectors if named."""
    d = program.mechanism.dimension
    drivers = [(driven.row, 3) for driven in program.drivers]
    drivers += [(TIME_ROW, 1)] if TIME_ROW in named else []
    vectors = [(row, d) for row in [*sorted(program.fixed)[::d], *program.attached] if row in named]
    return drivers + vectors


def _form(program: Program, call: Call) -> Solver | None:
    form = FORMS.get((program.mechanism.dimension, program.solvers[call.group - 1]))
    return form if form is not None and call.kernel is form.motion else None
