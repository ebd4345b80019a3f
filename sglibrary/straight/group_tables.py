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
        Addresses of its texts (`sglibrary.straight.texts`, `sglibrary.hubs.texts`).
    all_rows, constants : arrays
    dimension, unknowns, variables, time_row : int
    solved : (k, c) array of int
        First rows of the points and directions that it reads, or -1.
    drivers : (m,) array of int
        Rows of its drivers, or -1.
    moves, outputs, curves : Table
        As `sglibrary.iterative.newton_tables` has them; of a hub each vector that it writes is an output.
    places : Places
    """

    step: Any
    finish: Any
    measures: Any
    all_rows: Ints
    constants: Array
    dimension: int
    unknowns: int
    variables: int
    time_row: int
    solved: Ints
    drivers: Ints
    moves: Table
    outputs: Table
    curves: Table
    places: Places


@allocating
def unpack(texts, rows, constants):
    """A group from its tables (`sglibrary.iterative.newton_tables`)."""
    dimension, unknowns, variables, solved, moves = rows[0], rows[1], rows[2], rows[3], rows[4]
    equations, outputs, rods = rows[5], rows[6], rows[9]
    move_at, move_data = HEADER + 4 * solved, 1 + 12 * solved
    output_at, output_data = move_at + 6 * moves + 4 * equations, move_data + 13 * moves + 10 * equations
    curve_at, curve_data = output_at + 5 * outputs + 4 * rods, output_data + 12 * outputs + 7 * rods
    move_rows = rows[move_at : move_at + 6 * moves].reshape(moves, 6)
    return Straight(
        texts[0],
        texts[1],
        texts[2],
        rows,
        constants,
        dimension,
        unknowns,
        variables,
        rows[7],
        rows[HEADER:move_at].reshape(solved, 4),
        move_rows[:, 4].copy(),
        Table(move_rows, constants[move_data : move_data + 13 * moves].reshape(moves, 13)),
        Table(
            rows[output_at : output_at + 5 * outputs].reshape(outputs, 5),
            constants[output_data : output_data + 12 * outputs].reshape(outputs, 12),
        ),
        Table(
            rows[curve_at : rows.size - (solved + moves) * unknowns].reshape(-1, 3),
            constants[curve_data : constants.size - variables].reshape(-1, 14),
        ),
        places(unknowns, variables, moves),
    )


PITCH = 8
"""Numbers in a vector of the processor: working memory is so much longer than the steps that are solved together."""


@allocating
def work_for(group, width):
    """Working memory for some steps (`sglibrary.straight.places`)."""
    return np.empty((group.places.rows, (width + 2 * PITCH - 1) // PITCH * PITCH))
