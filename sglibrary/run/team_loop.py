"""The kernels of a program over many steps, shared by the lanes of a team.

A lane is a thread, or a process that sees the same memory. All lanes go through the same blocks of steps; each calls
the kernels of its own groups, and waits where it needs what another one has not finished. Every lane counts what it has
finished in a counter that only it writes, so that no locks are needed and no wait needs the interpreter or the system.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sglibrary.array_types import Array, Ints
from sglibrary.convention import inlined, kernel
from sglibrary.run.calls import load, run_call
from sglibrary.run.copy import copy, fence, stream
from sglibrary.run.processor import fetch_add, load_acquire, store_release, ticks, yield_core
from sglibrary.run.result_loop import Sources, Targets, put, take

LINE = 8
"""Numbers per cache line: counters of two lanes do not share one."""

PATIENCE = 256
"""How often a counter is read before the core is offered to others."""

WAITING, RUNNING, LOADING, KEEPING, CALLS = 0, 1, 2, 3, 4
"""Places in a lane's clock, which counts ticks: waiting, the whole run, loading drivers and what is given, writing
results; from the last one on, every call."""


class Plan(NamedTuple):
    """What a lane does in every block.

    Attributes
    ----------
    items : (i, 2) array of int
        The lane's items in their order: the first call, and the one after the last.
    waits : (w, 2) array of int
        What it waits for: a lane, and the number of items finished there in this block.
    wait_starts : (i + 1,) array of int
        Where the waits before each item begin.
    totals : (lanes,) array of int
        Items of every lane in a block.
    moved : (c,) array of int
        How far the memory of every call moves on after each block: 0 or, where the next step starts from this one, the
        size of a knot.
    repeats : int
        How often each group is solved.
    """

    items: Ints
    waits: Ints
    wait_starts: Ints
    totals: Ints
    moved: Ints
    repeats: int


class LaneResults(NamedTuple):
    """Where the results of a lane go.

    Attributes
    ----------
    rows : (k,) array of int
        Rows of the state that the motion keeps.
    runs : (r, 2) array of int
        Which runs of them the lane writes.
    groups, group_runs : arrays of int
        The same of the conditioning.
    targets : tuple of arrays
        q, v, a (k, N) and conditioning (groups, N) of the motion.
    status : (groups, N) array of uint8
    past_caches : bool
        Whether results are written past the caches.
    sources : Sources
        What the lane takes from a motion that is solved, and from loads that are given.
    carried : Targets
        Where results of the way back go: forces of drivers, and reactions.
    """

    rows: Ints
    runs: Ints
    groups: Ints
    group_runs: Ints
    targets: tuple[Array, ...]
    status: NDArray[np.uint8]
    past_caches: bool
    sources: Sources = Sources()
    carried: Targets = Targets()


class Member(NamedTuple):
    """A lane as a member of its team.

    Attributes
    ----------
    lane : int
    counters : (lanes + 1, LINE) array of int
        Items that each lane has finished in all; the last is not zero if one of them gave up.
    clock : (CALLS + c,) array of int
        Where the time went; added to what it holds.
    """

    lane: int
    counters: Ints
    clock: Ints


class Place(NamedTuple):
    """Where some steps are: the first one in the motion, steps per block, and the number of blocks before these."""

    start: int
    block: int
    blocks_before: int


class Turns(NamedTuple):
    """Which spans a team takes.

    Attributes
    ----------
    span, block : int
        Steps per span and per block.
    team, teams : int
        The team's number, and how many there are.
    first_come : bool
        Whether a team takes the next span that nobody has taken, instead of round-robin.
    taken : (LINE,) array of int
        How many spans are taken.
    """

    span: int
    block: int
    team: int
    teams: int
    first_come: bool
    taken: Ints


class Leaving(NamedTuple):
    """How a worker reports that it is done.

    Attributes
    ----------
    orders : (workers, LINE) array of int
        How much was ordered, and how much of it each of the other workers has done.
    worker : int
    patience : int
        How often the core is offered to others before the worker stops waiting for the next order.
    """

    orders: Ints
    worker: int
    patience: int


@kernel
def share(calls, plan, times, drivers, state, results, member, place):
    """One lane's part of some steps of a motion.

    Parameters
    ----------
    calls : Calls
    plan : Plan
    times : (n,) array
        s.
    drivers : Drivers
        Those of the lane's groups.
    state : State
        Of a block, the same memory for all lanes.
    results : LaneResults
    member : Member
    place : Place

    Returns
    -------
    bool
        True if the lane got to the end of the steps.
    """
    items, waits, wait_starts, totals, moved, repeats = plan
    lane, counters, clock = member
    start, block, number = place
    memory, starts, status = calls.memory, calls.starts, results.status
    if not totals[lane]:
        return True
    began, total = ticks(), totals[lane]
    now = began
    for first in range(0, times.size, block):
        n = min(block, times.size - first)
        if load_acquire(counters, LINE * (counters.shape[0] - 1)) != 0:
            return False
        for k in range(totals.size):  # nobody reads the block before this one anymore
            if k != lane and not _finished(counters, k, number * totals[k]):
                return False
        now = _charge(clock, WAITING, now)
        load(times, drivers, state, first, n)
        take(results.sources, state, start + first, n)
        now = _charge(clock, LOADING, now)
        for i in range(items.shape[0]):
            if wait_starts[i] < wait_starts[i + 1]:
                for w in range(wait_starts[i], wait_starts[i + 1]):
                    if not _finished(counters, waits[w, 0], number * totals[waits[w, 0]] + waits[w, 1]):
                        return False
                now = _charge(clock, WAITING, now)
            for k in range(items[i, 0], items[i, 1]):
                for _ in range(repeats):
                    run_call(calls, k, state, status, start + first, n)
                _move_on(memory, starts[k, 2], moved[k])
                now = _charge(clock, CALLS + k, now)
            store_release(counters, LINE * lane, number * total + i + 1)
        _keep(state, results, start + first, n)
        put(results.carried, state, start + first, n)
        now = _charge(clock, KEEPING, now)
        number += 1
    if results.past_caches or results.carried.past_caches:
        fence()
    _charge(clock, RUNNING, began)
    return True


@inlined
def _charge(clock, what, since):
    """Add the time since some moment to what it was spent on, and return the moment now."""
    now = ticks()
    clock[what] += now - since
    return now


@kernel
def share_all(calls, plan, times, drivers, state, results, member, turns, leaving):
    """`share` for all spans that a team takes of a motion, where the laws of all its drivers are known as numbers.

    Parameters
    ----------
    calls, plan, times, drivers, state, results, member
        As `share` takes them, `times` being those of the whole motion.
    turns : Turns
    leaving : Leaving

    Returns
    -------
    bool
        True if the lane got to the end of its spans.
    """
    done = _all_spans(calls, plan, times, drivers, state, results, member, turns)
    leave(leaving)
    return done


@kernel
def _all_spans(calls, plan, times, drivers, state, results, member, turns):
    width, block, team, teams, first_come, taken = turns
    number = 0
    span = fetch_add(taken, 0) if first_come else team
    while span * width < times.size:
        start, stop = span * width, min(times.size, (span + 1) * width)
        place = Place(start, block, number)
        if not share(calls, plan, times[start:stop], drivers, state, results, member, place):
            return False
        number += (stop - start + block - 1) // block
        span = fetch_add(taken, 0) if first_come else span + teams
    return True


@kernel
def _finished(counters, lane, count):
    """Wait until a lane has finished so many items, or one has given up; True in the first case."""
    reads = 0
    while load_acquire(counters, LINE * lane) < count:
        reads += 1
        if reads == PATIENCE:
            reads = 0
            if load_acquire(counters, LINE * (counters.shape[0] - 1)) != 0:
                return False
            yield_core()
    return True


@inlined
def _move_on(memory, at, width):
    """Make the knot that was reached the one to start from."""
    for i in range(at + 1, at + 1 + width):
        memory[i] = memory[i + width]


@inlined
def _keep(state, results, at, n):
    rows, runs, groups, group_runs, targets, _, past_caches, _, _ = results
    for k in range(4):
        written = group_runs if k == 3 else runs
        for r in range(written.shape[0]):
            first, last = written[r, 0], written[r, 1]
            source = groups[first:last] if k == 3 else rows[first:last]
            if past_caches:
                stream(targets[k][first:last], at, state[k], source, n)
            else:
                copy(targets[k][first:last], at, state[k], source, n)


@kernel
def give_up(counters):
    """Make all lanes stop at their next block."""
    store_release(counters, LINE * (counters.shape[0] - 1), 1)


@kernel
def now():
    """The processor's clock, in ticks."""
    return ticks()


@kernel
def next_number(taken):
    """A number that no other worker gets, from 0 on."""
    return fetch_add(taken, 0)


@kernel
def set_counter(counters, lane, count):
    """Set a lane's counter."""
    store_release(counters, LINE * lane, count)


@kernel
def leave(leaving):
    """Report that a worker has done what was ordered, and wait for the next order for a while.

    A thread that went back to the interpreter at once would wait for it, or keep the first thread from going on.
    """
    orders, worker, patience = leaving
    if worker == 0:
        return
    order = load_acquire(orders, 0)
    store_release(orders, LINE * worker, order)
    reached(orders, 0, order + 1, patience)


@kernel
def reached(counters, lane, count, patience):
    """Wait until a lane's counter reaches a number; False if it does not before the core was offered so often."""
    for _ in range(patience):
        for _ in range(PATIENCE):
            if load_acquire(counters, LINE * lane) >= count:
                return True
        yield_core()
    return False
