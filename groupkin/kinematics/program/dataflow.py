"""Rows of the state that the groups of a program read and write: what flows from one to the next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.program.program import TIME_ROW, Call, Program
from groupkin.kinematics.program.solver_choice import HUB, NEWTON
from sglibrary import attachments
from sglibrary.catalog import GROUPS
from sglibrary.hubs import tables as hub_tables
from sglibrary.iterative.newton_tables import HEADER, unpack

Ints = NDArray[np.int64]

FORMS = {(solver.dimension, solver.name): solver for solver in GROUPS}


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
    if solver == NEWTON:
        tables, count = unpack(rows, call.constants), 4 if d == 3 else 2
        solved, outputs = tables.solved.rows, tables.outputs.rows
        return _components(solved[:, :count], d), _components(outputs[:, 1 : 1 + count], d)
    if solver == HUB:
        written, read = hub_tables.flow(rows)
        return _components(read, d), {first + k for first, size in written for k in range(size)}
    form = FORMS[d, solver]
    inputs, out = len(form.inputs), len(form.inputs) + len(form.drivers)
    read = np.concatenate([rows[:inputs], rows[out + 1 :]])
    return _components(read, d), set(range(rows[out], rows[out] + form.written))


def row_entries(call: Call, solver: str) -> Ints:
    """Which entries of the rows of a call are numbers of rows of the state, or -1."""
    rows = call.rows
    if call.kernel is attachments.motion:
        return np.arange(1, rows.size)
    if solver == HUB:
        return hub_tables.row_entries(rows)
    if solver != NEWTON:
        return np.arange(rows.size)
    solved, moves, equations, outputs = rows[3:7]
    move = HEADER + 4 * solved
    output = move + 6 * moves + 4 * equations
    found = [[7], np.arange(HEADER, move), move + 6 * np.arange(moves) + 4]
    return np.concatenate([*found, (output + 5 * np.arange(outputs)[:, None] + np.arange(1, 5)).ravel()])


def _components(first: Ints, d: int) -> set[int]:
    """Rows of the components of points and directions; -1 stands for none."""
    return {int(row) + k for row in first.ravel() if row >= 0 for k in range(d)}
