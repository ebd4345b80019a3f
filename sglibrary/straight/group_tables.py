"""What the loop over steps needs of a group's tables (`sglibrary.iterative.newton_tables`)."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sglibrary.convention import allocating, formula, inlined
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
    rows, constants : arrays
        All of its tables.
    dimension, unknowns, variables, time_row : int
    solved : (k, 4) array of int
        First rows of the points and directions that it reads, or -1, in the first `columns` columns.
    columns : int
    drivers : (m,) array of int
        Rows of its drivers, or -1.
    moves : (m, 6) array of int
        As `sglibrary.iterative.newton_tables` has them.
    outputs : (b, 5) array of int
        First rows of the vectors that it writes, after a number that means nothing here.
    curves, curve_rows, curve_data, move_data : int
        How many curves there are, and where they and the numbers of moves begin in `rows` and `constants`.
    places : Places
    """

    step: Any
    finish: Any
    measures: Any
    rows: Ints
    constants: Array
    dimension: int
    unknowns: int
    variables: int
    time_row: int
    solved: Ints
    columns: int
    drivers: Ints
    moves: Ints
    outputs: Ints
    curves: int
    curve_rows: int
    curve_data: int
    move_data: int
    places: Places


class Layout(NamedTuple):
    """Where tables of a group begin in `rows` and `constants`, and how many numbers or entries they have.

    Drivers are every `stride`-th number.
    """

    time_row: int
    solved: int
    solved_at: int
    columns: int
    drivers: int
    drivers_at: int
    stride: int
    moves: int
    move_at: int
    outputs: int
    output_at: int
    curves: int
    curve_rows: int
    curve_data: int
    move_data: int


@formula
def layout(rows):
    """The tables of a group of joints (`sglibrary.iterative.newton_tables`)."""
    unknowns, solved, moves = rows[1], rows[3], rows[4]
    equations, outputs, rods = rows[5], rows[6], rows[9]
    move_at, move_data = HEADER + 4 * solved, 1 + 12 * solved
    output_at, output_data = move_at + 6 * moves + 4 * equations, move_data + 13 * moves + 10 * equations
    curve_at, curve_data = output_at + 5 * outputs + 4 * rods, output_data + 12 * outputs + 7 * rods
    curves = (rows.size - (solved + moves) * unknowns - curve_at) // 3
    return Layout(
        rows[7],
        solved,
        HEADER,
        4,
        moves,
        move_at + 4,
        6,
        moves,
        move_at,
        outputs,
        output_at,
        curves,
        curve_at,
        curve_data,
        move_data,
    )


@allocating
def unpack(texts, rows, constants, at):
    """A group from its tables, the layout of which is known."""
    unknowns, variables = rows[1], rows[2]
    return Straight(
        texts[0],
        texts[1],
        texts[2],
        rows,
        constants,
        rows[0],
        unknowns,
        variables,
        at.time_row,
        rows[at.solved_at : at.solved_at + 4 * at.solved].reshape(at.solved, 4),
        at.columns,
        rows[at.drivers_at : at.drivers_at + at.stride * at.drivers : at.stride],
        rows[at.move_at : at.move_at + 6 * at.moves].reshape(at.moves, 6),
        rows[at.output_at : at.output_at + 5 * at.outputs].reshape(at.outputs, 5),
        at.curves,
        at.curve_rows,
        at.curve_data,
        at.move_data,
        places(unknowns, variables, at.moves if at.curves > 0 else 0),
    )


@inlined
def curves_of(group):
    """The table of curves of a group (`sglibrary.iterative.curves`)."""
    rows = group.rows[group.curve_rows : group.curve_rows + 3 * group.curves]
    data = group.constants[group.curve_data : group.constants.size - group.variables]
    return Table(rows.reshape(group.curves, 3), data.reshape(-1, 14))


PITCH = 8
"""Numbers in a vector of the processor: working memory is so much longer than the steps that are solved together."""


@allocating
def work_for(group, width):
    """Working memory for some steps (`sglibrary.straight.places`)."""
    return np.empty((group.places.rows, (width + 2 * PITCH - 1) // PITCH * PITCH))
