"""The equations of motion where groups are iterated: a lane is followed from its last pose."""

import math
from typing import NamedTuple

import numpy as np

from sglibrary.array_types import Array
from sglibrary.convention import allocating, kernel
from sglibrary.dynamics.equations import call_evaluation, put_in
from sglibrary.iterative.column_loop import Start, reach
from sglibrary.run.calls import Drivers, State
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
    """

    state: State
    farthest: Array
    start: Start


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


@allocating
def evaluate_lane(problem, room, following, times, y):
    """Compute M and F, which are left in the room of one lane."""
    equations, calls, drivers = problem.equations, problem.calls, problem.drivers
    state, step, known = room.state, following.state, following.start
    put_in(equations, y, room.scale, times, room.values, room.times)
    values, status = np.zeros((drivers.rows.size, 3, 1)), np.zeros((room.status.shape[0], 1), np.uint8)
    now = Drivers(drivers.kinds, drivers.numbers, drivers.table, drivers.angles, drivers.rows, values)
    for k in range(known.values.size):
        if not math.fabs(room.values[k, 0, 0] - known.values[k]) <= MOST_AT_ONCE * following.farthest[k]:
            _forget(room)
            return
    for column in range(room.times.size - 1, -1, -1):  # all at the same position
        values[:, :, 0] = room.values[:, :, column]
        if reach(calls, now, step, status, 0.0, known, following.farthest):
            known.values[:], known.memory[:] = values[:, 0, 0], calls.memory
        state.q[:, column], state.v[:, column], state.a[:, column] = step.q[:, 0], step.v[:, 0], step.a[:, 0]
        state.conditioning[:, column] = step.conditioning[:, 0]
    call_evaluation(problem.evaluation, (place(room.written), times, y, np.empty((0, 1)), True))
