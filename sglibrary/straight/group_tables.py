"""What the loop over steps takes of a group's tables (`sglibrary.iterative.tables`)."""

from typing import Any, NamedTuple

import numpy as np

from sglibrary.array_types import Array, Ints
from sglibrary.convention import allocating, formula, inlined
from sglibrary.iterative.curves import PIECE
from sglibrary.iterative.kinds import CURVE, MIDDLE
from sglibrary.iterative.tables import (
    CURVE_DATA,
    CURVES,
    DIRECTIONS,
    DRIVERS,
    FUNCTIONS,
    HEADER,
    KEPT,
    MOVE,
    MOVES,
    OUTPUTS,
    PLACES,
    TIME,
    Table,
)
from sglibrary.straight.places import Places, places_of


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
    points, reads, drivers, outputs : arrays of int
        First rows of the points that it reads, of these and directions, of its drivers, of the vectors that it writes.
    moves : (m, 7) array of int
        As `sglibrary.straight.scheme` has them.
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
    points: Ints
    reads: Ints
    drivers: Ints
    outputs: Ints
    moves: Ints
    places: Places
    kept: int
    limited: bool


@allocating
def unpack(texts, rows, constants):
    """A group from its tables."""
    moves, limited = moves_of(rows), False
    for m in range(moves.shape[0]):
        limited |= moves[m, 1] == CURVE or moves[m, 1] == MIDDLE
    return Straight(
        *texts,
        rows,
        constants,
        rows[0],
        rows[PLACES],
        rows[PLACES + 1],
        rows[PLACES + 2],
        rows[TIME],
        rows[HEADER : rows[DIRECTIONS]],
        rows[HEADER : rows[DRIVERS]],
        rows[rows[DRIVERS] : rows[OUTPUTS]],
        rows[rows[OUTPUTS] : rows[MOVES]],
        moves,
        places_of(rows),
        rows[KEPT],
        limited,
    )


@inlined
def moves_of(rows):
    """The table of moves (moves, 7) of a group."""
    return rows[rows[MOVES] : rows[CURVES]].reshape(-1, MOVE)


@inlined
def curve_table(rows, constants):
    """The table of curves of a group (`sglibrary.iterative.curves`)."""
    pieces = constants[rows[CURVE_DATA] : constants.size - rows[PLACES + 1]]
    return Table(rows[rows[CURVES] : rows[FUNCTIONS]].reshape(-1, 3), pieces.reshape(-1, PIECE))


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
