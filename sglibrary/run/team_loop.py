"""The kernels of a program over many steps, shared by the lanes of a team.

A lane is a thread, or a process that sees the same memory. All lanes go through the same blocks of steps; each calls
the kernels of its own groups, and waits where it needs what another one has not finished. What a lane has finished it
says in a counter that only it writes, so that no locks are needed and no wait needs the interpreter or the system.
"""

import time

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numba.extending import intrinsic

from sglibrary.convention import formula, kernel
from sglibrary.run.calls import load, solve
from sglibrary.run.copy import copy, fence, stream

LINE = 8
"""Numbers per cache line: counters of two lanes do not share one."""

PATIENCE = 256
"""Looks at a counter before the core is offered to others."""

WAITING, RUNNING, LOADING, KEEPING, CALLS = 0, 1, 2, 3, 4
"""What a lane's clock holds, in ticks: waiting, all of it, loading drivers, writing results; from the last on, every
call."""


def _address(context, builder, array_type, array, index):
    return builder.gep(context.make_array(array_type)(context, builder, array).data, [index])


@intrinsic
def _look(typingctx, counters, i):
    """What another lane wrote to counters.flat[i], and all that it wrote before."""

    def generate(context, builder, signature, arguments):
        return builder.load_atomic(_address(context, builder, signature.args[0], *arguments), "acquire", 8)

    return types.int64(counters, i), generate


@intrinsic
def _tell(typingctx, counters, i, value):
    """Write counters.flat[i], and make visible all that was written before."""

    def generate(context, builder, signature, arguments):
        place = _address(context, builder, signature.args[0], *arguments[:2])
        builder.store_atomic(arguments[2], place, "release", 8)
        return context.get_dummy_value()

    return types.none(counters, i, types.int64), generate


@intrinsic
def _take(typingctx, counters, i):
    """Add one to counters.flat[i]; what it was before."""

    def generate(context, builder, signature, arguments):
        place = _address(context, builder, signature.args[0], *arguments)
        return builder.atomic_rmw("add", place, ir.Constant(ir.IntType(64), 1), "seq_cst")

    return types.int64(counters, i), generate


@intrinsic
def _yield_core(typingctx):
    """Let another thread or process have the core (POSIX)."""

    def generate(context, builder, signature, arguments):
        kind = ir.FunctionType(ir.IntType(32), [])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, "sched_yield"), [])
        return context.get_dummy_value()

    return types.none(), generate


@intrinsic
def _ticks(typingctx):
    """The counter of the processor's clock."""

    def generate(context, builder, signature, arguments):
        kind = ir.FunctionType(ir.IntType(64), [])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.readcyclecounter"), [])

    return types.int64(), generate


def look(counters, i):
    """What a lane wrote to a counter."""
    return counters.flat[i]


def tell(counters, i, value):
    """Write a counter that others look at."""
    counters.flat[i] = value


def take(counters, i):
    """Add one to a counter that others add to; what it was before."""
    counters.flat[i] += 1
    return counters.flat[i] - 1


def yield_core():
    """Let another thread or process have the core."""
    time.sleep(0)


def ticks():
    """Time by the processor's clock, in its own unit."""
    return time.perf_counter_ns()


if not DISABLE_JIT:
    look, tell, take, yield_core, ticks = _look, _tell, _take, _yield_core, _ticks  # type: ignore[assignment]


@kernel
def share(calls, plan, times, driving, state, kept, results, status, counters, clock, lane, place):
    """One lane's part of some steps of a motion; whether it got to their end.

    Parameters
    ----------
    calls : tuple
        As `sglibrary.run.motion_loop.sweep` takes them.
    plan : tuple of arrays of int
        The lane's items in their order, first call and the one after the last (i, 2). What it waits for: lane and
        number of items finished there in this block (w, 2), and where the waits before each item begin (i + 1,).
        Items of every lane in a block (lanes,). How far the memory of every call moves on after each block (c,): 0,
        or, where the next step starts from this one, the size of a knot.
    times : (n,) array
        s.
    driving : tuple of arrays
        Of the drivers of the lane's groups, as `sglibrary.run.calls.load` takes them.
    state : tuple of arrays
        q, v, a (rows, pitch) and conditioning (groups, pitch) of a block, the same memory for all lanes.
    kept : tuple
        Rows of the state that the motion keeps (k,), and which runs of them the lane writes (r, 2); the same of the
        conditioning.
    results : tuple of arrays
        q, v, a (k, N) and conditioning (groups, N) of the motion.
    status : (groups, N) array of uint8
    counters : (lanes + 1, LINE) array of int
        Items that each lane has finished in all; the last is not zero if one of them gave up.
    clock : (CALLS + c,) array of int
        Where the time went; added to what it holds.
    lane : int
    place : tuple of int
        The first of these steps in the motion, steps per block, number of blocks before these, how often each group
        is solved, and whether results are written past the caches.
    """
    items, waits, wait_places, totals, moved = plan
    start, block, number, repeats, past_caches = place
    if not totals[lane]:
        return True
    began, own = ticks(), totals[lane]
    now = began
    for first in range(0, times.size, block):
        n = min(block, times.size - first)
        if look(counters, LINE * (counters.shape[0] - 1)) != 0:
            return False
        for k in range(totals.size):  # nobody reads the block before this one anymore
            if k != lane and not _finished(counters, k, number * totals[k]):
                return False
        now = _note(clock, WAITING, now)
        load(times, driving, state, first, n)
        now = _note(clock, LOADING, now)
        for i in range(items.shape[0]):
            if wait_places[i] < wait_places[i + 1]:
                for w in range(wait_places[i], wait_places[i + 1]):
                    if not _finished(counters, waits[w, 0], number * totals[waits[w, 0]] + waits[w, 1]):
                        return False
                now = _note(clock, WAITING, now)
            for k in range(items[i, 0], items[i, 1]):
                for _ in range(repeats):
                    solve(calls, k, state, status, start + first, n)
                _move_on(calls[3], calls[4][k, 2], moved[k])
                now = _note(clock, CALLS + k, now)
            tell(counters, LINE * lane, number * own + i + 1)
        _keep(state, kept, results, start + first, n, past_caches)
        now = _note(clock, KEEPING, now)
        number += 1
    if past_caches:
        fence()
    _note(clock, RUNNING, began)
    return True


@formula
def _note(clock, what, since):
    """Add the time since some moment to what it was spent on; the moment now."""
    now = ticks()
    clock[what] += now - since
    return now


@kernel
def share_all(
    calls, plan, times, driving, state, kept, results, status, counters, clock, lane, place, turns, taken, leaving
):  # fmt: skip
    """`share` for all that a team does of a motion, where the laws of all its drivers are known as numbers.

    Parameters
    ----------
    place : tuple of int
        Steps per block, how often each group is solved, and whether results are written past the caches.
    turns : tuple of int
        Steps in a span, the team's number, number of teams, and whether a team takes the next span that nobody has
        taken, rather than every so-manieth.
    taken : (LINE,) array of int
        How many spans are taken.
    leaving : tuple
        What `leave` takes.
    """
    done = _all_spans(
        calls, plan, times, driving, state, kept, results, status, counters, clock, lane, place, turns, taken
    )
    leave(leaving[0], leaving[1], leaving[2])
    return done


@kernel
def _all_spans(
    calls, plan, times, driving, state, kept, results, status, counters, clock, lane, place, turns, taken
):  # fmt: skip
    block, repeats, past_caches = place
    width, team, teams, first_come = turns
    number = 0
    span = take(taken, 0) if first_come else team
    while span * width < times.size:
        start, stop = span * width, min(times.size, (span + 1) * width)
        here = (start, block, number, repeats, past_caches)
        if not share(
            calls, plan, times[start:stop], driving, state, kept, results, status, counters, clock, lane, here
        ):
            return False
        number += (stop - start + block - 1) // block
        span = take(taken, 0) if first_come else span + teams
    return True


@kernel
def _finished(counters, lane, count):
    """Wait until a lane has finished so many items; whether it has."""
    looks = 0
    while look(counters, LINE * lane) < count:
        looks += 1
        if looks == PATIENCE:
            looks = 0
            if look(counters, LINE * (counters.shape[0] - 1)) != 0:
                return False
            yield_core()
    return True


@formula
def _move_on(memory, at, width):
    """The knot that was found is the one to start from."""
    for i in range(at + 1, at + 1 + width):
        memory[i] = memory[i + width]


@formula
def _keep(state, kept, results, at, n, past_caches):
    rows, runs, groups, group_runs = kept
    for k in range(4):
        own = group_runs if k == 3 else runs
        for r in range(own.shape[0]):
            first, last = own[r, 0], own[r, 1]
            source = groups[first:last] if k == 3 else rows[first:last]
            if past_caches:
                stream(results[k][first:last], at, state[k], source, n)
            else:
                copy(results[k][first:last], at, state[k], source, n)


@kernel
def give_up(counters):
    """Say that a lane will not go on, so that none waits for it."""
    tell(counters, LINE * (counters.shape[0] - 1), 1)


@kernel
def now():
    """The processor's clock, in ticks."""
    return ticks()


@kernel
def next_of(taken):
    """A number that no other worker gets, from 0 on."""
    return take(taken, 0)


@kernel
def note(counters, lane, count):
    """Set a lane's counter."""
    tell(counters, LINE * lane, count)


@kernel
def leave(orders, worker, patience):
    """Say that a worker has done what was ordered, and stay for the next order before the core was offered so often.

    The first of the orders counts what was ordered; the others say how much of it each worker has done. A thread that
    went back to the interpreter at once would wait for it, or let the first one wait, which has to go on.
    """
    if worker == 0:
        return
    order = look(orders, 0)
    tell(orders, LINE * worker, order)
    reached(orders, 0, order + 1, patience)


@kernel
def reached(counters, lane, count, patience):
    """Whether a lane's counter reaches a number before the core was offered to others so many times."""
    for _ in range(patience):
        for _ in range(PATIENCE):
            if look(counters, LINE * lane) >= count:
                return True
        yield_core()
    return False
