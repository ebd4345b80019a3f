"""A block of steps, so small that its state stays in cache: what the drivers put in, and the call of a kernel on it.

Kernels of all groups have the same arguments (`sglibrary.convention`), so that one loop can call any of them by its
address. The loops over blocks are in `motion_loop`, `team_loop` and `sample_loop`.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numba.extending import intrinsic

from sglibrary.array_types import Array, Flags, Ints
from sglibrary.convention import merged
from sglibrary.laws import OTHER, SERIES, circle, evaluate, series
from sglibrary.trigonometry import cosine_sine


class Calls(NamedTuple):
    """The c calls of a program in solving order, with the arguments of each one after another.

    Attributes
    ----------
    handles : (c,) array of int
        As `handle` makes them.
    rows, constants, memory : arrays
        Of all calls.
    starts : (c + 1, 3) array of int
        Where those of each call begin in `rows`, `constants` and `memory`.
    groups : (c,) array of int
        The group of each call, counted from 0.
    """

    handles: Any
    rows: Ints
    constants: Array
    memory: Array
    starts: Ints
    groups: Ints


def joined(first: Calls, second: Calls) -> Calls:
    """Calls after others, with memory of their own."""
    handles = [*first.handles, *second.handles]
    return Calls(
        handles if DISABLE_JIT else np.array(handles, np.int64),
        np.concatenate([first.rows, second.rows]),
        np.concatenate([first.constants, second.constants]),
        np.concatenate([first.memory, second.memory]),
        np.concatenate([first.starts[:-1], second.starts + first.starts[-1]]),
        np.concatenate([first.groups, second.groups]),
    )


class Drivers(NamedTuple):
    """What d drivers do.

    Attributes
    ----------
    kinds : (d,) array of int
        Of their laws (`sglibrary.laws`).
    numbers, table : (d, 4) and (m,) arrays
        Of the laws.
    angles : (d,) array of bool
        Whether a driver is an angle.
    rows : (d,) array of int
        The first row of each in the state, of three if it is an angle.
    values : (d, 3 or 5, t) array
        Of the drivers whose law is OTHER: values, rates, accelerations and, if there are 5, cosines and sines.
    """

    kinds: Ints
    numbers: Array
    table: Array
    angles: Flags
    rows: Ints
    values: Array


class State(NamedTuple):
    """The state of a block with its derivatives (rows, pitch), and the conditioning of the groups (groups, pitch)."""

    q: Array
    v: Array
    a: Array
    conditioning: Array


_STATE, _NUMBERS = types.Array(types.float64, 2, "C"), types.Array(types.float64, 1, "C")
_ROWS, _CODES = types.Array(types.int64, 1, "C"), types.Array(types.uint8, 1, "C")
SIGNATURE = (_STATE, _STATE, _STATE, _NUMBERS, _ROWS, _NUMBERS, _CODES, _NUMBERS, types.int64)
"""Types of the arguments of every kernel."""


def caller(kinds: tuple[Any, ...]) -> Any:
    """Make the function that calls functions which take arguments of some types by their handles."""

    @intrinsic
    def call_at(typingctx, address, arguments):
        """Call the compiled function at an address."""

        def generate(context, builder, signature, values):
            convention = context.call_conv
            pointer = builder.inttoptr(values[0], convention.get_function_type(types.none, kinds).as_pointer())
            unpacked = cgutils.unpack_tuple(builder, values[1], len(kinds))
            status, _ = convention.call_function(builder, pointer, types.none, kinds, unpacked)
            with cgutils.if_unlikely(builder, status.is_error):  # no memory
                convention.return_status_propagate(builder, status)
            return context.get_dummy_value()

        return types.none(address, types.Tuple(kinds)), generate

    def call_itself(function, arguments):
        """Call a function that is not compiled, and is its own handle."""
        function(*arguments)

    return call_itself if DISABLE_JIT else call_at


call = caller(SIGNATURE)
"""Calls a kernel by its handle."""


@cache
def handle(function, kinds=SIGNATURE):
    """A function as `caller` takes it: the address of its machine code, or itself where nothing is compiled."""
    if DISABLE_JIT:
        return function
    function.compile(kinds)
    compiled = function.overloads[kinds]
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


@merged
def load(times, drivers, state, first, n):
    """Write times and drivers of n steps, from step `first` on, into the state.

    Parameters
    ----------
    times : (t,) array
        s; written to row 0.
    drivers : Drivers
    state : State
    first, n : int
    """
    fill(state.q[0, :n], times[first : first + n])
    drive(times, drivers, state, first, n)


@merged
def drive(times, drivers, state, first, n):
    """Write what drivers do in n steps, from step `first` on, into the state, as `load` does."""
    kinds, numbers, table, angles, rows, values = drivers
    q, v, a, _ = state
    ahead, turning = times[first : first + n], -1
    for k in range(rows.size):
        row = rows[k]
        value, rate, gain = q[row, :n], v[row, :n], a[row, :n]
        if kinds[k] == OTHER:
            fill(value, values[k, 0, first : first + n])
            fill(rate, values[k, 1, first : first + n])
            fill(gain, values[k, 2, first : first + n])
        elif kinds[k] == SERIES:
            # rows that a driver leaves free hold cosines and sines for all series of one frequency
            if turning < 0 or numbers[turning, 0] != numbers[k, 0]:
                turning = k
                circle(ahead, numbers[k, 0], gain, v[row + 1, :n], v[row + 2, :n])
            there = rows[turning]
            series(v[there + 1, :n], v[there + 2, :n], numbers[k], table, (value, rate, gain))
        else:
            evaluate(ahead, kinds[k], numbers[k], table, (value, rate, gain))
        if angles[k] and values.shape[1] == 5:
            fill(q[row + 1, :n], values[k, 3, first : first + n])
            fill(q[row + 2, :n], values[k, 4, first : first + n])
        elif angles[k]:
            cosine_sine(value, q[row + 1, :n], q[row + 2, :n])


@merged
def fill(target, source):
    """Copy numbers."""
    for j in range(target.size):
        target[j] = source[j]


@merged
def run_call(calls, k, state, status, at, n):
    """Call number k of some calls for n steps of the state; its status goes to the columns from `at` on."""
    run_call_at(calls, k, state, status, at, 0, n)


@merged
def run_call_at(calls, k, state, status, at, beside, n):
    """`run_call`, whose conditioning goes to the columns from `beside` on."""
    handles, rows, constants, memory, starts, groups = calls
    q, v, a, conditioning = state
    group = groups[k]
    call(
        handles[k],
        (
            q,
            v,
            a,
            memory[starts[k, 2] : starts[k + 1, 2]],
            rows[starts[k, 0] : starts[k + 1, 0]],
            constants[starts[k, 1] : starts[k + 1, 1]],
            status[group, at : at + n],
            conditioning[group, beside : beside + n],
            n,
        ),
    )
