"""One step at a time, as controllers and real-time simulators need it: alone, or with other lanes that wait for orders.

The drivers' values are given. A group that is solved by Newton's method starts from the step before.
"""

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]

from sglibrary.array_types import Array, Ints
from sglibrary.convention import inlined, kernel
from sglibrary.run.calls import Calls, Drivers, State, load, run_call
from sglibrary.run.copy import copy
from sglibrary.run.in_memory import stored, words_of
from sglibrary.run.processor import load_acquire, store_release, ticks, yield_core
from sglibrary.run.result_loop import Sources, Targets
from sglibrary.run.task import TASK
from sglibrary.run.team_loop import LINE, PATIENCE, LaneResults, Member, Place, Plan, share
from sglibrary.status import SOLVED

LARGEST = 1e15
"""Rates and accelerations that are larger are no numbers that can be computed with."""


class Given(NamedTuple):
    """What the drivers of all lanes do in a step.

    Attributes
    ----------
    values : (d, 3, 1) array
        Values, rates and accelerations; those of the drivers of each lane one after another.
    places : (d,) array of int
        Where in these every driver is.
    limits : (d,) array
        Bounds below which a value must be: no value else.
    inputs : (d, 3, 1) array
        The same as `values`, in the order of the drivers, for those who read the motion.
    times : (1,) array
        Zero: iterated groups do not look ahead from the step before, whose time is not known.
    """

    values: Array
    places: Ints
    limits: Array
    inputs: Array
    times: Array


class Lane(NamedTuple):
    """What one lane of a team takes its part of a step with, as `sglibrary.run.team_loop.share` does."""

    calls: Calls
    plan: Plan
    drivers: Drivers
    state: State
    results: LaneResults
    member: Member
    given: Given


CALLS, DRIVERS, STATE = TASK.types[:3]
_INTS, _PAIRS = (types.Array(types.int64, d, "C") for d in (1, 2))
_NUMBERS, _ROWS, _COLUMNS = (types.Array(types.float64, d, "C") for d in (1, 2, 3))
_STATUS = types.Array(types.uint8, 2, "C")
GIVEN = types.NamedTuple((_COLUMNS, _INTS, _NUMBERS, _COLUMNS, _NUMBERS), Given)
LANE = types.NamedTuple(
    (
        CALLS,
        types.NamedTuple((_PAIRS, _PAIRS, _INTS, _INTS, _INTS, types.int64), Plan),
        DRIVERS,
        STATE,
        types.NamedTuple(
            (
                _INTS, _PAIRS, _INTS, _PAIRS, types.UniTuple(_ROWS, 4), _STATUS, types.boolean,
                types.NamedTuple((_ROWS, _INTS, _INTS) * 3, Sources),
                types.NamedTuple((_ROWS, _INTS, _INTS, types.boolean), Targets),
            ),
            LaneResults,
        ),
        types.NamedTuple((types.int64, _PAIRS, _INTS), Member),
        GIVEN,
    ),
    Lane,
)  # fmt: skip
"""The type of a lane in compiled code."""


_store_lane, _load_lane = stored(LANE)


@kernel
def _write_lane(memory, calls, plan, drivers, state, results, sources, carried, member, given):
    every = LaneResults(*results, Sources(*sources), Targets(*carried))
    _store_lane(
        memory,
        Lane(Calls(*calls), Plan(*plan), Drivers(*drivers), State(*state), every, Member(*member), Given(*given)),
    )


@cache
def _words() -> int:
    return words_of(LANE)


def written_lane(lane: Lane) -> Any:
    """A lane as compiled code reads it, by addresses: its arrays must be kept as long as it is."""
    if DISABLE_JIT:
        return lane
    memory = np.empty(_words(), np.int64)
    (*first, results, member, given), plain = lane, (lane.results.sources, lane.results.carried)
    _write_lane(memory, *map(tuple, first), tuple(results[:7]), *map(tuple, plain), tuple(member), tuple(given))
    return memory


def read_lane(lane):
    """A lane that was written."""
    return lane


if not DISABLE_JIT:
    read_lane = _load_lane


# --- one lane --------------------------------------------------------------------------------


@kernel
def step(lane, values, rates, gains):
    """Solve all groups for one step, by one lane that has all of them.

    Parameters
    ----------
    lane : array of int
        As `written_lane` returns it.
    values, rates, gains : (d,) arrays
        Of the drivers.

    Returns
    -------
    int
        0 if all groups are solved, else the status of the first that is not (`sglibrary.status`).
    """
    own = read_lane(lane)
    _give(own.given, values, rates, gains)
    return _solve(own.calls, own.given.times, own.drivers, own.state, own.results)


@kernel
def timed_steps(lane, columns, stamps):
    """`step` for all columns (d, 3, n), noting the processor's clock before each and at the end, in stamps (n + 1,).

    How many of them failed.
    """
    own, failed = read_lane(lane), 0
    for j in range(columns.shape[2]):
        stamps[j] = ticks()
        _take(own.given, columns, j)
        failed += _solve(own.calls, own.given.times, own.drivers, own.state, own.results) != SOLVED
    stamps[columns.shape[2]] = ticks()
    return failed


@inlined
def _solve(calls, times, drivers, state, results):
    load(times, drivers, state, 0, 1)
    for k in range(calls.groups.size):
        run_call(calls, k, state, results.status, 0, 1)
        width = (calls.starts[k + 1, 2] - calls.starts[k, 2] - 1) // 2
        if width > 0 and results.status[calls.groups[k], 0] == SOLVED:
            first = calls.starts[k, 2] + 1
            for i in range(first, first + width):
                calls.memory[i] = calls.memory[i + width]
    for k in range(4):
        copy(results.targets[k], 0, state[k], results.groups if k == 3 else results.rows, 1)
    return _worst(results.status)


@inlined
def _give(given, values, rates, gains):
    for k in range(values.size):
        place, value, rate, gain, limit = given.places[k], values[k], rates[k], gains[k], given.limits[k]
        usable = math.fabs(value) < limit and math.fabs(rate) <= LARGEST and math.fabs(gain) <= LARGEST
        _put(given, k, place, 0, value if usable else math.nan)
        _put(given, k, place, 1, rate)
        _put(given, k, place, 2, gain)


@inlined
def _take(given, columns, j):
    for k in range(columns.shape[0]):
        for i in range(3):
            _put(given, k, given.places[k], i, columns[k, i, j])


@inlined
def _put(given, k, place, i, number):
    given.values[place, i, 0] = number
    given.inputs[k, i, 0] = number


@inlined
def _worst(status):
    for k in range(status.shape[0]):
        if status[k, 0] != SOLVED:
            return int(status[k, 0])
    return 0


# --- several lanes ---------------------------------------------------------------------------


@kernel
def lead(lane, orders, values, rates, gains):
    """`step` by the first lane of a team, the others of which `serve` the orders."""
    own = read_lane(lane)
    _give(own.given, values, rates, gains)
    return _order(own, orders)


@kernel
def timed_lead(lane, orders, columns, stamps):
    """`timed_steps` by the first lane of a team."""
    own, failed = read_lane(lane), 0
    for j in range(columns.shape[2]):
        stamps[j] = ticks()
        _take(own.given, columns, j)
        failed += _order(own, orders) != SOLVED
    stamps[columns.shape[2]] = ticks()
    return failed


@inlined
def _order(own, orders):
    """Let all lanes of a team solve a step, and wait for them."""
    number = load_acquire(orders, 0)
    store_release(orders, 0, number + 1)
    _share(own, number)
    for k in range(1, own.plan.totals.size):
        _await(orders, LINE * k, number + 1, -1)
    return _worst(own.results.status)


@kernel
def serve(lane, orders, done, patience):
    """Take part in the steps that are ordered, from number `done` on.

    Parameters
    ----------
    lane : array of int
        As `written_lane` returns it.
    orders : (lanes LINE,) array of int
        How many steps were ordered, negative to end; and from each lane's `LINE` on, how many it has done: after it has
        written its results, which `team_loop.share` does behind its last group.
    done : int
    patience : int
        How often the core is offered to others before this returns.

    Returns
    -------
    int
        How many steps are done; -1 at the end.
    """
    own = read_lane(lane)
    while _await(orders, 0, done + 1, patience):
        _share(own, done)
        done += 1
        store_release(orders, LINE * own.member.lane, done)
    return -1 if load_acquire(orders, 0) < 0 else done


@inlined
def _share(own, number):
    share(own.calls, own.plan, own.given.times, own.drivers, own.state, own.results, own.member,
          Place(0, 1, number))  # fmt: skip


@kernel
def _await(counters, place, count, patience):
    """Wait until a counter reaches a number; False if it is negative, or the core was offered so often (-1: no end)."""
    offers = 0
    while offers != patience:
        for _ in range(PATIENCE):
            now = load_acquire(counters, place)
            if now >= count:
                return True
            if now < 0:
                return False
        yield_core()
        offers += 1
    return False


@kernel
def end_orders(orders):
    """Let all lanes that serve return."""
    store_release(orders, 0, -1)
