"""The tables of a group that is solved by Newton's method: what its loops read.

What its generated code depends on besides is no table (`sglibrary.straight.scheme`, `sglibrary.hubs.scheme`). The
tables lie one after another in `rows`, and numbers in `constants`. Lengths are relative to the mechanism's size.

========== ====================================================================================================
table      rows
========== ====================================================================================================
header     dimension; what `sglibrary.straight.places` takes (5): unknowns, variables, scalar equations, rows for
           tables and functions, moves if some lead along curves; where the pieces of curves begin in `constants`;
           where the bytecode of the three texts begins, and how many numbers these keep; where the following
           tables but the first begin; row of the time
points     first rows of the points that are read: those of solved bodies
directions first rows of their directions
drivers    first rows of drivers
outputs    first rows of the vectors that are written
moves      as `sglibrary.straight.scheme` has them
curves     first piece, the one after the last, closed?
functions  of each table or function of moves: how many coordinates it takes, its address or 0, where its numbers
           begin in `constants`, how many moves these are, the moves
bytecode   of texts that are not compiled (`sglibrary.code.bytecode`)
========== ====================================================================================================

`constants` ends with the pieces of curves (`sglibrary.iterative.curves`) and the start values of the variables.

A ball has four variables, a unit quaternion, and three unknowns, its angular velocity in the frame it leads to.
"""

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np

from sglibrary.array_types import Array, Ints

PLACES, CURVE_DATA, TEXTS, KEPT, DIRECTIONS, DRIVERS, OUTPUTS, MOVES, CURVES, FUNCTIONS, TIME, HEADER = (
    1, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 18,
)  # fmt: skip
"""Numbers of the header, and how many there are, after which the points begin."""

MOVE = 7
"""Numbers of a move."""


class Table(NamedTuple):
    """Rows of whole numbers and of numbers, one for each curve and one for each piece."""

    rows: Ints
    data: Array


def given_rows(coordinates: int) -> int:
    """Rows of working memory for the value of a function of so many coordinates, and its derivatives."""
    return 1 + coordinates + coordinates * (coordinates + 1) // 2


def table_rows(
    dimension: int,
    counts: Sequence[int],
    time: int,
    vectors: tuple[Sequence[int], Sequence[int], Sequence[int], Sequence[int]],
    moves: Sequence[Sequence[int]],
    curves: Sequence[int] = (),
    functions: Sequence[int] = (),
    curve_data: int = 0,
) -> Ints:
    """Put the tables of a group one after another.

    Parameters
    ----------
    dimension : int
    counts : (5,) sequence of int
        What `sglibrary.straight.places` takes.
    time : int
        Row of the time.
    vectors : four sequences of int
        Rows of points, directions, drivers and outputs.
    moves : sequence of sequence of int
    curves, functions : sequence of int
    curve_data : int
        Where the pieces of curves begin in the constants.
    """
    tables = [*vectors, [*chain(*moves)], curves, functions]
    _, *starts, end = accumulate(map(len, tables), initial=HEADER)
    return np.array([dimension, *counts, curve_data, end, end, end, 0, *starts, time, *chain(*tables)], np.int64)
