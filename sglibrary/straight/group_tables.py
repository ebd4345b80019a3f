"""What the loop over steps needs of a group's tables (`sglibrary.iterative.newton_tables`)."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sglibrary.convention import allocating
from sglibrary.iterative.newton_tables import HEADER, Table
from sglibrary.straight.places import Places, places

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


class Straight(NamedTuple):
    """A group whose equations are written out.

    Attributes
    ----------
    step, finish, measures : int
        Addresses of its texts (`sglibrary.straight.texts`).
    all_rows, constants : arrays
    dimension, unknowns, time_row : int
    solved, moves, outputs : Table
    curves : Table
    places : Places
    bent : bool
        Whether any move leads along a curve.
    """

    step: Any
    finish: Any
    measures: Any
    all_rows: Ints
    constants: Array
    dimension: int
    unknowns: int
    time_row: int
    solved: Table
    moves: Table
    outputs: Table
    curves: Table
    places: Places
    bent: bool


@allocating
def unpack(texts, rows, constants):
    """The tables packed into `rows` and `constants`."""
    dimension, unknowns, solved, moves, equations, outputs, rods = (
        rows[0],
        rows[1],
        rows[3],
        rows[4],
        rows[5],
        rows[6],
        rows[9],
    )
    move_at = HEADER + 4 * solved
    output_at = move_at + 6 * moves + 4 * equations
    curve_at = output_at + 5 * outputs + 4 * rods
    curve_rows = rows[curve_at : rows.size - (solved + moves) * unknowns].reshape(-1, 3)
    data = 1 + 12 * solved + 13 * moves + 10 * equations
    pieces = constants[data + 12 * outputs + 7 * rods : constants.size - unknowns].reshape(-1, 14)
    return Straight(
        texts[0],
        texts[1],
        texts[2],
        rows,
        constants,
        dimension,
        unknowns,
        rows[7],
        Table(rows[HEADER:move_at].reshape(solved, 4), constants[1 : 1 + 12 * solved].reshape(solved, 12)),
        Table(
            rows[move_at : move_at + 6 * moves].reshape(moves, 6),
            constants[1 + 12 * solved : 1 + 12 * solved + 13 * moves].reshape(moves, 13),
        ),
        Table(
            rows[output_at : output_at + 5 * outputs].reshape(outputs, 5),
            constants[data : data + 12 * outputs].reshape(outputs, 12),
        ),
        Table(curve_rows, pieces),
        places(unknowns, moves),
        curve_rows.shape[0] > 0,
    )


PITCH = 8
"""Numbers in a vector of the processor: working memory is so much longer than the steps that are solved together."""


@allocating
def work_for(group, width):
    """Working memory for some steps (`sglibrary.straight.places`)."""
    return np.zeros((group.places.count, (width + 2 * PITCH - 1) // PITCH * PITCH))
