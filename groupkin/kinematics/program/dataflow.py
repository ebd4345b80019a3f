"""Rows of the state that the groups of a program read and write: what flows from one to the next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from groupkin.kinematics.program.program import TIME_ROW, Call, Program
from groupkin.kinematics.program.solver_choice import ITERATED
from sglibrary import attachments, repeated_rows
from sglibrary.array_types import Ints
from sglibrary.catalog import COUPLED, GROUPS, REPEATING
from sglibrary.iterative.tables import DRIVERS, HEADER, MOVES, OUTPUTS, TIME

FORMS = {(solver.dimension, solver.name): solver for solver in (*GROUPS, *REPEATING, *COUPLED)}


@dataclass(frozen=True)
class Flow:
    """What one group reads and writes, attachments of its bodies included.

    Attributes
    ----------
    calls : tuple of int
        The first of its calls in the program, and the one after its last.
    reads : (r,) array of int
        Rows of the state that other groups write.
    writes : (w,) array of int
    """

    calls: tuple[int, int]
    reads: Ints
    writes: Ints


def flows(program: Program) -> tuple[Flow, ...]:
    """What all groups of a program read and write, in solving order."""
    d = program.mechanism.dimension
    ready = {TIME_ROW, *(driven.row + k for driven in program.drivers for k in range(3)), *program.fixed}
    found: list[Flow] = []
    first = 0
    for number, solver in enumerate(program.solvers, start=1):
        last = first
        reads: set[int] = set()
        writes: set[int] = set()
        while last < len(program.calls) and program.calls[last].group == number:
            read, written = rows_of(program.calls[last], solver, d)
            reads |= read - writes
            writes |= written
            last += 1
        found.append(Flow((first, last), np.array(sorted(reads - ready), np.int64), np.array(sorted(writes), np.int64)))
        first = last
    return tuple(found)


def rows_of(call: Call, solver: str, d: int) -> tuple[set[int], set[int]]:
    """Rows that a call reads, drivers and fixed rows included, and those it writes."""
    rows = call.rows
    if call.kernel is attachments.motion:
        entries = rows[1:].reshape(-1, 3 if d == 2 else 5)
        return _components(entries[:, 1:], d), _components(entries[:, 0], d)
    if call.kernel is repeated_rows.check:
        return _components(rows[repeated_rows.sides(rows)], d), set(map(int, rows[repeated_rows.written(rows)]))
    if solver in ITERATED:
        return _components(rows[HEADER : rows[DRIVERS]], d), _components(rows[rows[OUTPUTS] : rows[MOVES]], d)
    form = FORMS[d, solver]
    inputs, out = len(form.inputs), len(form.inputs) + len(form.drivers)
    read, written = np.concatenate([rows[:inputs], rows[out + 1 :]]), set(range(rows[out], rows[out] + form.written))
    if form.coupled:
        written |= set(range(rows[inputs], rows[inputs] + 3))
    return _components(read, d), written


def row_entries(call: Call, solver: str) -> Ints:
    """Which entries of the rows of a call are numbers of rows of the state, or -1."""
    rows = call.rows
    if call.kernel is attachments.motion:
        return np.arange(1, rows.size)
    if call.kernel is repeated_rows.check:
        every = np.arange(rows.size)
        return np.concatenate([every[repeated_rows.sides(rows)], every[repeated_rows.written(rows)]])
    return np.arange(TIME, rows[MOVES]) if solver in ITERATED else np.arange(rows.size)


def _components(first: Ints, d: int) -> set[int]:
    """Rows of the components of points and directions; -1 stands for none."""
    return {int(row) + k for row in first.ravel() if row >= 0 for k in range(d)}
