"""All kernels of a program at values of the drivers that no law gives, where groups are solved by iteration.

A column of values is reached from a state that is known, along a straight line of the drivers: in one step if the
iterated groups allow that (`sglibrary.straight.follow`), else in as many as they need.
"""

import math
from typing import NamedTuple

import numpy as np

from sglibrary.array_types import Array
from sglibrary.convention import allocating, inlined, kernel
from sglibrary.iterative.knots import CLOSE, ERROR, FOLLOW, FORCE, GAP, TIME
from sglibrary.run.calls import Calls, Drivers, State, fill, load, run_call
from sglibrary.run.copy import copy
from sglibrary.status import OPEN, SOLVED
from sglibrary.tolerances import LEAST_ERROR, SHORTEST_SHARE

MOST = 200_000
"""Steps to one column, at most, which take some seconds: nothing is solved at a column that is farther."""


class Start(NamedTuple):
    """The state from which columns are reached.

    Attributes
    ----------
    values : (d,) array
        Of the drivers, rad or m.
    memory : (m,) array
        Of all calls: that of an iterated group has what is asked for, its knot in this state, and room for another.
    """

    values: Array
    memory: Array


class Scratch(NamedTuple):
    """Working memory for the way to a column.

    Attributes
    ----------
    given : (d, 3) array
        What the drivers do at the column.
    way : (d,) array
        How far each of them goes.
    time : (1,) array
    """

    given: Array
    way: Array
    time: Array


def scratch_for(drivers: int) -> Scratch:
    """Working memory for so many drivers."""
    return Scratch(np.zeros((drivers, 3)), np.zeros(drivers), np.zeros(1))


@allocating
def solve_columns(calls, drivers, state, results, start, farthest, path):
    """Solve all groups at some columns, each of which is followed from a known state.

    Parameters
    ----------
    calls : tuple
        Fields of `Calls`; their memory is overwritten.
    drivers : tuple
        Fields of `Drivers`, all of the kind OTHER, with values (d, 3, n).
    state : tuple
        Fields of `State`, memory of one step at least.
    results : tuple
        Fields of `Results`.
    start : tuple
        Fields of `Start`; replaced by the state at the last column that is solved.
    farthest : (d,) array
        Largest change of each driver in one step.
    path : bool
        Whether a column is followed from the last one before it that is solved, instead of from the start.
    """
    program, wanted, block, known = Calls(*calls), Drivers(*drivers), State(*state), Start(*start)
    kept, targets, status, _ = results
    first = Start(known.values.copy(), known.memory.copy())
    now = Drivers(*wanted[:5], np.zeros((first.values.size, 3, 1)))
    codes = np.zeros((status.shape[0], 1), np.uint8)
    scratch = Scratch(np.zeros((first.values.size, 3)), np.zeros(first.values.size), np.zeros(1))
    for j in range(wanted.values.shape[2]):
        now.values[:, :, 0] = wanted.values[:, :, j]
        reached = reach(program, now, block, codes, float(j), first, farthest, scratch)
        for k in range(4):
            copy(targets[k], j, block[k], kept[k], 1)
        status[:, j] = codes[:, 0]
        if reached:
            known.values[:], known.memory[:] = wanted.values[:, 0, j], program.memory
            if path:
                first.values[:], first.memory[:] = known.values, known.memory


@kernel
def reach(calls, drivers, state, status, time, start, farthest, scratch):
    """Solve all groups at one column, which is followed from a known state; True if they are solved.

    Parameters
    ----------
    calls : Calls
        Their memory becomes that of the column.
    drivers : Drivers
        All of the kind OTHER, with values (d, 3, 1).
    state : State
        Memory of one step at least.
    status : (groups, 1) array of uint8
    time : float
    start : Start
    farthest : (d,) array
        Largest change of each driver in one step.
    scratch : Scratch
    """
    given, now, count = scratch.given, scratch.time, scratch.way.size
    for k in range(count):
        for i in range(3):
            given[k, i] = drivers.values[k, i, 0]
    now[0] = 0.0
    near = _approach(calls, drivers, state, status, start, farthest, scratch)
    # rates and accelerations are those of the column, not of the way to it
    for k in range(count):
        for i in range(3):
            drivers.values[k, i, 0] = given[k, i] if near else math.nan
    now[0] = time
    _forget_rates(calls)
    _step(calls, drivers, state, status, now, FORCE)
    solved = True
    for k in range(status.shape[0]):
        solved &= status[k, 0] == SOLVED
    if solved:
        _keep(calls)
        _forget_rates(calls)
    return solved


@kernel
def _approach(calls, drivers, state, status, start, farthest, scratch):
    """Follow the iterated groups from a state to other values of the drivers; False if these are too far away."""
    fill(calls.memory, start.memory)
    way, time, width, share = scratch.way, scratch.time, 1.0, 0.0
    moves, total = False, 0.0
    for k in range(way.size):
        way[k] = scratch.given[k, 0] - start.values[k]
        moves |= way[k] != 0.0
        total += way[k]
    for k in range(way.size):
        if math.fabs(way[k]) * width > farthest[k]:
            width = farthest[k] / math.fabs(way[k])
    longest, forced, left = width, True, MOST if width * MOST >= 1.0 else 0
    going = left > 0 and moves and math.isfinite(total)
    ahead = 0.0  # the first step gives the rates along the way
    while going:
        for k in range(way.size):
            drivers.values[k, 0, 0] = start.values[k] + ahead * way[k]
            drivers.values[k, 1, 0] = way[k]
            drivers.values[k, 2, 0] = 0.0
        time[0] = ahead
        if _step(calls, drivers, state, status, time, FORCE if forced else FOLLOW):
            error = _keep(calls)
            going, share = error >= 0.0 and ahead < 1.0, ahead
            if ahead > 0.0:
                width = min(longest, width * min(2.0, max(0.5, 0.8 * (CLOSE / max(error, LEAST_ERROR)) ** (1.0 / 3.0))))
        else:
            width = 0.5 * (ahead - share)
        forced = width <= SHORTEST_SHARE
        # not a last step much shorter than the others
        ahead = 1.0 if share + 1.000001 * width >= 1.0 else share + width
        left -= 1
        going = going and left > 0
    return left > 0


@kernel
def _step(calls, drivers, state, status, time, wish):
    """Solve all groups at one time; False if a group has to be followed in shorter steps."""
    for k in range(calls.groups.size):
        if _iterated(calls, k):
            calls.memory[calls.starts[k, 2]] = wish
    load(time, drivers, state, 0, 1)
    for k in range(calls.groups.size):
        run_call(calls, k, state, status, 0, 1)
    for k in range(status.shape[0]):
        if status[k, 0] == OPEN:
            return False
    return True


@inlined
def _iterated(calls, k):
    return calls.starts[k + 1, 2] - calls.starts[k, 2] > 1


@inlined
def _keep(calls):
    """Keep the knots that were reached; the largest error on the way to them, -1 if a group is lost."""
    error = 0.0
    for k in range(calls.groups.size):
        if _iterated(calls, k):
            memory = calls.memory[calls.starts[k, 2] : calls.starts[k + 1, 2]]
            width = (memory.size - 1) // 2
            for i in range(1, 1 + width):
                memory[i] = memory[i + width]
            lost = memory[1 + GAP] != 0.0 or error < 0.0
            error = -1.0 if lost else max(error, memory[1 + ERROR])
    return error


@inlined
def _forget_rates(calls):
    """Let nothing be extrapolated from the knots, whose rates are those of another way."""
    for k in range(calls.groups.size):
        if _iterated(calls, k):
            calls.memory[calls.starts[k, 2] + 1 + TIME] = math.nan
