"""Calls that compute more of a motion that is solved, block by block."""

from typing import Any, NamedTuple

import numpy as np

from sglibrary.array_types import Array, Ints
from sglibrary.convention import inlined, kernel
from sglibrary.run.calls import fill, run_call
from sglibrary.run.copy import fence, stream
from sglibrary.run.row_numbers import move

NO_ROWS, NO_NUMBERS = np.zeros((0, 0)), np.zeros(0, np.int64)


class Sources(NamedTuple):
    """What such calls read: rows (k, n) of positions, of what is given beside them, and of accelerations.

    Of each, the numbers (m,) of the rows that are taken, and the rows of the state to which they go.
    """

    q: Array = NO_ROWS
    q_numbers: Ints = NO_NUMBERS
    q_rows: Ints = NO_NUMBERS
    given: Array = NO_ROWS
    given_numbers: Ints = NO_NUMBERS
    given_rows: Ints = NO_NUMBERS
    a: Array = NO_ROWS
    a_numbers: Ints = NO_NUMBERS
    a_rows: Ints = NO_NUMBERS


class Targets(NamedTuple):
    """Where what they compute goes: rows (k, n), the numbers (m,) of those that are written, the rows of the state.

    And whether they are written past the caches (`sglibrary.run.copy.fits`).
    """

    results: Array = NO_ROWS
    numbers: Ints = NO_NUMBERS
    rows: Ints = NO_NUMBERS
    past_caches: Any = False


class InPlace(NamedTuple):
    """What calls read where it is in the motion, without a copy, by numbers (`sglibrary.run.row_numbers`).

    Attributes
    ----------
    entries, numbers : (m,) arrays of int
        Which of the rows of all calls these are, and their numbers at the first step.
    inverse : int
        That of the pitch of the state; 0 if they are copied to rows of the state.
    """

    entries: Ints = NO_NUMBERS
    numbers: Ints = NO_NUMBERS
    inverse: int = 0


@kernel
def run_blocks(calls, state, status, block, sources, in_place, targets, n):
    """Run all calls on the n steps of a motion.

    Parameters
    ----------
    calls : Calls
    state : State
        Memory of one block.
    status : (1, pitch) array of uint8
    block : int
        Steps that are taken together.
    sources : Sources
        What is copied.
    in_place : InPlace
    targets : Targets
    n : int
    """
    for first in range(0, n, block):
        width = min(block, n - first)
        if in_place.inverse != 0:
            move(calls.rows, in_place.entries, in_place.numbers, in_place.inverse, first)
        take(sources, state, first, width)
        for k in range(calls.groups.size):
            run_call(calls, k, state, status, 0, width)
        put(targets, state, first, width)
    fence()


@inlined
def take(sources, state, first, n):
    """Copy n steps, from step `first` on, into the state."""
    q, q_numbers, q_rows, given, given_numbers, given_rows, a, a_numbers, a_rows = sources
    _take(q, q_numbers, q_rows, state.q, first, n)
    _take(given, given_numbers, given_rows, state.q, first, n)
    _take(a, a_numbers, a_rows, state.a, first, n)


@inlined
def put(targets, state, first, n):
    """Copy n steps of the state to where they belong from step `first` on."""
    results, numbers, rows, past_caches = targets
    for k in range(numbers.size):
        if past_caches:
            stream(results[numbers[k] : numbers[k] + 1], first, state.q, rows[k : k + 1], n)
        else:
            fill(results[numbers[k], first : first + n], state.q[rows[k], :n])


@kernel
def _take(source, numbers, rows, x, first, n):
    for k in range(numbers.size):
        fill(x[rows[k], :n], source[numbers[k], first : first + n])
