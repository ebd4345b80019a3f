"""The tables of a group that is solved by Newton's method.

`groupkin.kinematics.program.newton_tables` packs the tables one after another into `rows` and `constants`. Frames are
numbered, solved bodies first, then moves. Lengths are relative to the mechanism's size.

======== ====================================================== ===================================================
table    rows                                                   constants
======== ====================================================== ===================================================
header   dimension, unknowns, variables, solved bodies, moves,  size of the mechanism, m; what joints may be open
         equations, outputs, row of the time, moves of the
         tree, rods, whole numbers and numbers of formulas,
         `TEXTS` (3), `KEPT`, `FORMULA_ROWS`, `SCALARS`,
         `LEAST`
solved   point row, three direction rows                        point in the frame (3), directions in the frame (9)
moves    frame it starts from, kind, axis, unknown or -1,       fixed turn (9) and shift (3) before it, factor of
         driver row or -1, variable or -1                       the driver
equation kind, first frame, second frame, move or -1            vector (3), vector (3), vector (3), value
outputs  frame, point row, three direction rows                 point in the frame (3), directions in the frame (9)
rods     first move, rotations, moves, frame of the other end   tip in its last frame (3), other end (3), side
relation how many moves, where its numbers begin, the moves;    factors (n) and offsets (n) of the moves' values,
         bytecode of a FORMULA or the address of a FUNCTION     factor of the equation; a spline of a TABLE
curves   first piece, the one after the last, closed?           pieces (`sglibrary.iterative.curves`)
paths    frames x unknowns: does the unknown move the frame?    start values of the variables
codes    of texts that are not compiled
         (`sglibrary.code.interpreter`)
======== ====================================================== ===================================================

The instruction list of a FORMULA reads the values of its coordinates as rows of working memory, and puts the value of
the equation in the row after them. A spline has its number of pieces, 1 if it is closed, its breaks, and four
coefficients for each piece in rising powers.

Moves of rods (`sglibrary.straight.rods`) come after those of the tree.

A ball has four variables, a unit quaternion, and three unknowns, its angular velocity in the frame it leads to.

The frame of a solved body is at a joint of the group, and all frames are placed relative to where that of the first
solved body is: so numbers are no larger than the group, however far from the origin it is.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

HEADER, NUMBERS = 19, 2
"""Of whole numbers, and of others."""

FORMULA_NUMBERS, FORMULA_DATA, TEXTS, KEPT, FORMULA_ROWS, SCALARS, LEAST = 10, 11, 12, 15, 16, 17, 18
"""Numbers of the header: whole numbers and numbers of formulas; where the codes of the three texts begin, and how many
numbers these keep; rows of working memory for tables and functions; scalar equations, at least as many as unknowns;
whether more of them are solved by least squares, as they agree to few digits only."""


class Table(NamedTuple):
    """Rows of whole numbers and of numbers, one for each curve and one for each piece."""

    rows: Ints
    data: Array


def given_rows(coordinates: int) -> int:
    """Rows of working memory for the value of a function of so many coordinates, and its derivatives."""
    return 1 + coordinates + coordinates * (coordinates + 1) // 2
