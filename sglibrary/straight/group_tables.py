"""What the loop over steps needs of a group's tables (`sglibrary.iterative.newton_tables`)."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sglibrary.convention import allocating, formula, inlined
from sglibrary.iterative.curves import PIECE
from sglibrary.iterative.kinds import CURVE, MIDDLE
from sglibrary.iterative.newton_tables import (
    FORMULA_DATA,
    FORMULA_NUMBERS,
    FORMULA_ROWS,
    HEADER,
    KEPT,
    NUMBERS,
    SCALARS,
    TEXTS,
    Table,
)
from sglibrary.straight.places import Places, places

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


class Straight(NamedTuple):
    """A group whose equations are written out.

    Attributes
    ----------
    step, finish, measures : int
        Addresses of its texts (`sglibrary.straight.texts`, `sglibrary.hubs.texts`).
    prepare_curves, prepare_functions : int
        Addresses of what comes before (`sglibrary.straight.prepared`), or 0.
    rows, constants : arrays
        All of its tables.
    dimension, unknowns, variables, equations, time_row : int
        Equations are scalar ones, at least as many as unknowns.
    solved : (k, 4) array of int
        First rows of the points and directions that it reads, or -1, in the first `columns` columns.
    columns : int
    drivers : (m,) array of int
        Rows of its drivers, or -1.
    moves : (m, 6) array of int
        As `sglibrary.iterative.newton_tables` has them.
    outputs : (b, 5) array of int
        First rows of the vectors that it writes, after a number that means nothing here.
    curves, curve_rows, curve_data : int
        How many curves there are, and where they begin in `rows` and `constants`.
    places : Places
    kept : int
        How many numbers its texts keep, where they are not compiled.
    limited : bool
        Whether some of its variables have limits (`sglibrary.straight.steps.beyond`).
    """

    step: Any
    finish: Any
    measures: Any
    prepare_curves: Any
    prepare_functions: Any
    rows: Ints
    constants: Array
    dimension: int
    unknowns: int
    variables: int
    equations: int
    time_row: int
    solved: Ints
    columns: int
    drivers: Ints
    moves: Ints
    outputs: Ints
    curves: int
    curve_rows: int
    curve_data: int
    places: Places
    kept: int
    limited: bool


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
    formulas: int
    formula_data: int
    formula_rows: int
    kept: int
    scalars: int


@formula
def layout(rows):
    """The tables of a group of joints (`sglibrary.iterative.newton_tables`)."""
    unknowns, solved, moves = rows[1], rows[3], rows[4]
    equations, outputs, rods = rows[5], rows[6], rows[9]
    move_at, move_data = HEADER + 4 * solved, NUMBERS + 12 * solved
    output_at, output_data = move_at + 6 * moves + 4 * equations, move_data + 13 * moves + 10 * equations
    formula_at, formula_data = output_at + 5 * outputs + 4 * rods, output_data + 12 * outputs + 7 * rods
    curve_at, curve_data = formula_at + rows[FORMULA_NUMBERS], formula_data + rows[FORMULA_DATA]
    curves = (rows[TEXTS] - (solved + moves) * unknowns - curve_at) // 3
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
        formula_at,
        formula_data,
        rows[FORMULA_ROWS],
        rows[KEPT],
        rows[SCALARS],
    )


@allocating
def unpack(texts, rows, constants, at):
    """A group from its tables, the layout of which is known."""
    unknowns, variables, limited = rows[1], rows[2], False
    moves = moves_of(rows, at)
    for m in range(at.moves):
        limited |= moves[m, 1] == CURVE or moves[m, 1] == MIDDLE
    return Straight(
        texts[0],
        texts[1],
        texts[2],
        texts[3],
        texts[4],
        rows,
        constants,
        rows[0],
        unknowns,
        variables,
        at.scalars,
        at.time_row,
        rows[at.solved_at : at.solved_at + 4 * at.solved].reshape(at.solved, 4),
        at.columns,
        rows[at.drivers_at : at.drivers_at + at.stride * at.drivers : at.stride],
        moves,
        rows[at.output_at : at.output_at + 5 * at.outputs].reshape(at.outputs, 5),
        at.curves,
        at.curve_rows,
        at.curve_data,
        places(unknowns, variables, at.scalars, at.formula_rows, at.moves if at.curves > 0 else 0),
        at.kept,
        limited,
    )


@inlined
def moves_of(rows, at):
    """The table of moves (moves, 6) of a group with a layout."""
    return rows[at.move_at : at.move_at + 6 * at.moves].reshape(at.moves, 6)


@inlined
def curve_table(rows, constants, at, variables):
    """The table of curves of a group (`sglibrary.iterative.curves`), `at` being its layout or the group itself."""
    of_curves = rows[at.curve_rows : at.curve_rows + 3 * at.curves].reshape(at.curves, 3)
    return Table(of_curves, constants[at.curve_data : constants.size - variables].reshape(-1, PIECE))


PITCH = 8
"""Numbers in a vector of the processor: working memory is so much longer than the steps that are solved together."""


@allocating
def work_for(group, width):
    """Working memory for some steps (`sglibrary.straight.places`)."""
    pitch = (width + 2 * PITCH - 1) // PITCH * PITCH
    return np.empty((group.places.rows + scratch_rows(group.kept, pitch), pitch))


@formula
def scratch_rows(kept, pitch):
    """Rows of working memory, of so many numbers each, for what texts keep that are not compiled."""
    return (kept + 2 * PITCH) // pitch + 2 if kept > 0 else 0
