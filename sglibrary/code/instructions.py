"""Instruction lists: the text that computes expressions, one line for each value.

Lines are separated by semicolons, so that a list is a key that compilers' caches know a kernel by. Each line makes a
value, which later lines take by its number:

=========== ===================================================
line        value
=========== ===================================================
* x y       product
+ x y       sum
- x y       difference
/ x y       quotient
f x y z     x y + z, rounded once
n x         the opposite
r x         one over x
i x         one over the square root of x
s x         square root of x
| x         size of x
l x         largest whole number that is not larger than x
? x y z u   z where x is not less than y, else u
sin x       a function of one number, or of two (atan2 x y), by
            its name in `sglibrary.code.operations`
# number    that number
q k i       row ``rows[k] + i`` of positions; of velocities and
            accelerations with v and a
w k         row k of working memory
c k         number ``constants[k]``
= x place   none: x goes to a place, such as ``q k i``
=========== ===================================================

Which rows and constants these are is no part of the text, so that groups of one kind share it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from sglibrary.code.operations import OPERATIONS

LEAVES = frozenset("qvawc#x")
"""Kinds of lines that are computed from no others; those of x, whose places are chosen later, are in graphs alone."""

READING = frozenset((*OPERATIONS, "="))
"""Kinds of lines that read values of lines before."""

BLOCK = 8192
"""Numbers of a row that NumPy computes together, so that values in between stay in the caches."""


def compute(text: str, other: Callable[[str, list[str], list[Any]], Any]) -> None:
    """Evaluate an instruction list in NumPy.

    Parameters
    ----------
    text : str
    other : callable
        Is given the kind of each line that reads or writes, its numbers and all values so far; returns its value.
    """
    values: list[Any] = []
    for kind, numbers, ended in _parsed(text):
        if kind == "#":
            values.append(float(numbers[0]))
        elif kind in OPERATIONS:
            values.append(OPERATIONS[kind].numeric(*[values[k] for k in numbers]))
        else:
            values.append(other(kind, numbers, values))
        for k in ended:  # so that their memory is taken again
            values[k] = None


@lru_cache(maxsize=128)
def _parsed(text: str) -> list[tuple[str, list[Any], list[int]]]:
    """Kinds of all lines, their numbers, and the values that no later line reads."""
    lines = [(kind, numbers) for kind, *numbers in map(str.split, text.split(";"))]
    operands = [
        [int(x) for x in numbers[: 1 if kind == "=" else None]] if kind in READING else [] for kind, numbers in lines
    ]
    last = {k: at for at, each in enumerate(operands) for k in each}
    return [
        (kind, each if kind in OPERATIONS else numbers, [k for k in set(each) if last[k] == at])
        for at, ((kind, numbers), each) in enumerate(zip(lines, operands, strict=True))
    ]


def compute_rows(text: str, inputs: Sequence[Any]) -> list[Any]:
    """Evaluate an instruction list whose leaves `w k` are arrays.

    Parameters
    ----------
    text : str
        A list that reads and writes rows of working memory only.
    inputs : sequence of arrays
        Rows that it reads, by their numbers.

    Returns
    -------
    list of arrays
        What it writes, in the order of the numbers of rows.
    """
    shapes = {np.shape(x) for x in inputs}
    if len(shapes) == 1 and (shape := shapes.pop()) and prod(shape) > BLOCK and shape[0] > 1:
        width = max(1, BLOCK * shape[0] // prod(shape))
        starts = range(0, shape[0], width)
        parts = (compute_rows(text, [x[k : k + width] for x in inputs]) for k in starts)
        widths = [(min(width, shape[0] - k), *shape[1:]) for k in starts]
        return [np.concatenate(list(map(np.broadcast_to, row, widths))) for row in zip(*parts, strict=True)]
    written: dict[int, Any] = {}

    def other(kind: str, numbers: list[str], values: list[Any]) -> Any:
        if kind != "=":
            return inputs[int(numbers[0])]
        written[int(numbers[2])] = values[int(numbers[0])]
        return None

    with np.errstate(all="ignore"):
        compute(text, other)
    return [written[row] for row in sorted(written)]


def compute_steps(
    text: str, state: dict[str, Any], work: Any, rows: Any, constants: Any, first: int, at: int, n: int
) -> None:
    """Evaluate an instruction list in NumPy for some steps, in place.

    Parameters
    ----------
    text : str
    state : dict of str to (rows, steps) array
        Positions "q", velocities "v" and accelerations "a", as far as the list reads or writes them.
    work : (rows, steps) array
        Working memory.
    rows, constants : arrays
    first, at, n : int
        First step in the state and in working memory, and how many.
    """

    def row(kind: str, numbers: list[str]) -> Any:
        k = [int(number) for number in numbers]
        return work[k[0], at : at + n] if kind == "w" else state[kind][rows[k[0]] + k[1], first : first + n]

    def other(kind: str, numbers: list[str], values: list[Any]) -> Any:
        if kind == "c":
            return constants[int(numbers[0])]
        if kind != "=":
            return row(kind, numbers).copy()
        row(numbers[1], numbers[2:])[:] = values[int(numbers[0])]
        return None

    with np.errstate(all="ignore"):
        compute(text, other)
