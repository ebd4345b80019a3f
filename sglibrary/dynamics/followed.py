"""The equations of motion where groups are iterated: a lane is followed from its last pose."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sglibrary.array_types import Array
from sglibrary.convention import kernel, merged
from sglibrary.dynamics.equations import call_evaluation, put_in
from sglibrary.iterative.column_loop import Scratch, Start, reach
from sglibrary.run.calls import Drivers, State, fill
from sglibrary.run.in_memory import place


class Following(NamedTuple):
    """What following needs beside the room of one lane.

    Attributes
    ----------
    state : State
        Of one column.
    farthest : (d,) array
        See `sglibrary.iterative.column_loop.reach`.
    start : Start
        The last state that was solved, from which the lane is followed to the next one.
    values : (d, 3, 1) array
        Room for what the drivers do in one column.
    status : (groups, 1) array of uint8
        Room for the status of one column.
    scratch : Scratch
    """

    state: State
    farthest: Array
    start: Start
    values: Array
    status: NDArray[np.uint8]
    scratch: Scratch


MOST_AT_ONCE = 20.0
"""Farthest that a lane is followed from one evaluation to the next, in steps: no step of an integration goes as far."""


@kernel
def _forget(room):
    """Leave nothing in a room, whose groups count as not solved."""
    for j in range(room.worst.size):
        room.worst[j] = room.power[j] = 0.0
        for i in range(room.force.shape[0]):
            room.force[i, j] = math.nan
            for m in range(i + 1):
                room.mass[i, m, j] = math.nan


@kernel
def evaluate_lane(problem, room, following, times, y):
    """Compute M and F, which are left in the room of one lane."""
    if follow_lane(problem, room, following, times, y):
        call_evaluation(problem.evaluation, (place(room.written), times, y, y[:0], True))


@merged
def follow_lane(problem, room, following, times, y):
    """Solve the groups in all columns of the room of one lane; False if it is too far from where they were last."""
    calls, drivers = problem.calls, problem.drivers
    state, step, known, values = room.state, following.state, following.start, following.values
    put_in(problem.equations, y, room.scale, times, room.values, room.times)
    now = Drivers(drivers.kinds, drivers.numbers, drivers.table, drivers.angles, drivers.rows, values)
    for k in range(known.values.size):
        if not math.fabs(room.values[k, 0, 0] - known.values[k]) <= MOST_AT_ONCE * following.farthest[k]:
            _forget(room)
            return False
    for column in range(room.times.size - 1, -1, -1):  # all at the same position
        for k in range(known.values.size):
            for i in range(3):
                values[k, i, 0] = room.values[k, i, column]
        if reach(calls, now, step, following.status, 0.0, known, following.farthest, following.scratch):
            for k in range(known.values.size):
                known.values[k] = values[k, 0, 0]
            fill(known.memory, calls.memory)
        _copy_column(state.q, column, step.q)
        _copy_column(state.v, column, step.v)
        _copy_column(state.a, column, step.a)
        _copy_column(state.conditioning, column, step.conditioning)
    return True


@kernel
def _copy_column(rows, column, step):
    for k in range(rows.shape[0]):  # a step may have room behind its rows
        rows[k, column] = step[k, 0]
