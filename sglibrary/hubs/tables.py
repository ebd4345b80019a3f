"""The tables of a group around a hub: one body whose pose is unknown, and legs that follow from where it is.

`groupkin.kinematics.program.hub_tables` packs them one after another into `rows` and `constants`. Lengths are relative
to the mechanism's size, positions to a solved point, the base. In the reference configuration the hub's axes are the
global ones.

=========== ================================================== =====================================================
table       rows                                               constants
=========== ================================================== =====================================================
header      dimension, unknowns, variables, row of the time,   size of the mechanism, m
            row of the base, first row of the hub, rows
            written, numbers in `attached`, legs
equation    kind, row of a solved point, row of a solved       point of the hub (3), then of a distance its value,
            direction or -1, row of a driver or -1             square, shift, slope and side; of a plane offset, slope
moves       as `sglibrary.iterative.newton_tables`
attached    as `sglibrary.attachments.motion`, or nothing      coefficients
legs        kind, numbers of rows and constants, rows          constants
            (a closed form's)
variables                                                      start values
=========== ================================================== =====================================================

A distance that a driver changes is that of a telescope: with s the slope times the driver, t = s + shift is how far its
tip is ahead of its foot along the slide, on one side of it, and the square of the distance is that at s = 0 plus
s (s + 2 shift). The unknowns are the velocity of the hub's point relative to the base, and the hub's angular velocity.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sglibrary.convention import allocating, kernel

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

HEADER, NUMBERS = 9, 8
"""Numbers in the header, and constants of an equation."""


class Hub(NamedTuple):
    """The tables of the iteration; what follows it are `attached` and `legs`, pieces of rows and constants.

    `coordinates` are numbered from 0, two or three; `planes` are () where all equations are distances, else (0,). A
    function that takes one of them as an argument of its own is compiled without what its length excludes.
    """

    coordinates: tuple[int, ...]
    planes: tuple[int, ...]
    unknowns: int
    variables: int
    time_row: int
    base: int
    out: int
    size: float
    equations: Ints
    data: Array
    moves: Ints


PITCH = 8
"""Numbers in a vector of the processor: working memory is so much longer than the steps that are solved together."""

X, NEXT, STEP, RATE, GAIN, LOW, TURN = 0, 7, 14, 20, 26, 32, 38
"""First rows of working memory: variables, those after Newton's step, that step, first and second derivatives of the
unknowns, a right-hand side whose solution tells the conditioning, and in the plane cosine and sine of the angle."""

LENGTH, GROWTH, SIZE, REACH, TIMES, HIGH = 40, 41, 42, 43, 44, 45
"""Rows: length of Newton's step, largest multiplier, length of the solution for `LOW`, least share of a telescope along
its slide, s, and the largest singular value at the knot before."""

SETTLED, COEFFICIENTS, ROWS = 46, 47, 59
"""Row: whether a step is solved, 1 or 0; first row of the polynomials that steps start from; number of rows."""


class Scratch(NamedTuple):
    """Working memory for a step alone.

    Attributes
    ----------
    order, pivots : (unknowns,) arrays of int
        The equations in the order of elimination, also of many steps, and in that of partial pivoting.
    matrices : (3, unknowns, unknowns) array
        The Jacobian, the same eliminated, and its inverse.
    """

    order: Ints
    pivots: Ints
    matrices: Array


@allocating
def unpack(rows, constants, coordinates, planes):
    """The tables of the iteration packed into `rows` and `constants`."""
    unknowns, moves = rows[1], rows[0] + 1
    equations = rows[HEADER : HEADER + 4 * unknowns].reshape(unknowns, 4)
    at = HEADER + 4 * unknowns
    return Hub(
        coordinates,
        planes,
        unknowns,
        rows[2],
        rows[3],
        rows[4],
        rows[5],
        constants[0],
        equations,
        constants[1 : 1 + NUMBERS * unknowns].reshape(unknowns, NUMBERS),
        rows[at : at + 6 * moves].reshape(moves, 6),
    )


@allocating
def work_for(width):
    """Working memory (ROWS, width and more) for some steps."""
    return np.empty((ROWS, width + PITCH))


@allocating
def scratch_for(hub):
    """Working memory for a step alone."""
    n = hub.unknowns
    return Scratch(np.empty(n, np.int64), np.empty(n, np.int64), np.empty((3, n, n)))


@kernel
def put_in_order(numbers, order):
    """The equations in an order of elimination, from numbers of any type; as they are where these are negative."""
    for k in range(order.size):
        order[k] = int(numbers[k]) if numbers[k] >= 0.0 else k


@kernel
def invert(matrix, order, inverse):
    """Inverse of a matrix (n, n), which is eliminated, and the order of its rows by partial pivoting.

    Returns the sign of the determinant.

    The inverse is NaN where there is none.
    """
    n, sign = order.size, 1.0
    for r in range(n):
        order[r] = r
        for c in range(n):
            inverse[r, c] = 1.0 if r == c else 0.0
    for k in range(n):
        row = k
        for r in range(k + 1, n):
            row = r if math.fabs(matrix[r, k]) > math.fabs(matrix[row, k]) else row
        if row != k:
            order[k], order[row], sign = order[row], order[k], -sign
        pivot = matrix[row, k]
        sign = -sign if pivot < 0.0 else sign
        for c in range(n):
            matrix[k, c], matrix[row, c] = matrix[row, c], matrix[k, c]
            inverse[k, c], inverse[row, c] = inverse[row, c], inverse[k, c]
        for c in range(n):
            matrix[k, c] /= pivot
            inverse[k, c] /= pivot
        for r in range(n):
            share = matrix[r, k]
            for c in range(n if r != k else 0):
                matrix[r, c] -= share * matrix[k, c]
                inverse[r, c] -= share * inverse[k, c]
    return sign


def read_by(rows):
    """The first row that is written, how many are, and the first rows of points and directions that others write."""
    equations, (size, legs) = rows[HEADER : HEADER + 4 * rows[1]].reshape(-1, 4), rows[7:9]
    read, at = [rows[4:5], equations[:, 1], equations[:, 2]], HEADER + 4 * rows[1] + 6 * (rows[0] + 1) + size
    for _ in range(legs):
        read.append(rows[at + 3 : at + 2 + rows[at + 1]])
        at += 3 + rows[at + 1]
    out, written = int(rows[5]), int(rows[6])
    first = np.concatenate(read)
    return out, written, first[(first < out) | (first >= out + written)]
