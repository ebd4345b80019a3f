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
from sglibrary.iterative.linear import Entries

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

DISTANCE, PLANE = 0, 1
"""Kinds of equations: a point of the hub stays at a distance of a solved point, or in a plane of a solved body."""

HEADER, NUMBERS = 9, 8
"""Numbers in the header, and constants of an equation."""


class Hub(NamedTuple):
    """The tables of the iteration; what follows it are `attached` and `legs`, pieces of rows and constants."""

    dimension: int
    unknowns: int
    variables: int
    time_row: int
    base: int
    out: int
    size: float
    equations: Ints
    data: Array
    moves: Ints


class Work(NamedTuple):
    """Working memory for some steps, `width` of them.

    Attributes
    ----------
    x, turn : (variables, width) and (9 or 2, width) arrays
        Variables, and the rotation row by row or cosine and sine of the angle.
    points : (3 x unknowns x dimension, width) array
        The solved points of the equations relative to the base, then their first and second derivatives.
    goals : (3 x unknowns, width) array
        What depends on drivers alone, then its derivatives.
    lu, b : (unknowns, unknowns, width) and (unknowns, width) arrays
        In the order of elimination.
    step, rate, gain : (unknowns, width) arrays
    length, growth, reach : (width,) arrays
        Of Newton's step, the largest multiplier, and the least share of a telescope along its slide.
    """

    x: Array
    turn: Array
    points: Array
    goals: Array
    lu: Array
    b: Array
    step: Array
    rate: Array
    gain: Array
    length: Array
    growth: Array
    reach: Array


class Order(NamedTuple):
    """Places of the equations in the order of elimination, whose columns are the unknowns as they are; all entries."""

    rows: Ints
    entries: Entries


@allocating
def unpack(rows, constants):
    """The tables of the iteration packed into `rows` and `constants`."""
    dimension, unknowns, moves = rows[0], rows[1], rows[0] + 1
    equations = rows[HEADER : HEADER + 4 * unknowns].reshape(unknowns, 4)
    at = HEADER + 4 * unknowns
    return Hub(
        dimension,
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
def work_for(width, hub):
    """Working memory for some steps."""
    n, d = hub.unknowns, hub.dimension
    return Work(
        np.empty((hub.variables, width)),
        np.empty((9 if d == 3 else 2, width)),
        np.empty((3 * n * d, width)),
        np.empty((3 * n, width)),
        np.empty((n, n, width)),
        np.empty((n, width)),
        np.empty((n, width)),
        np.empty((n, width)),
        np.empty((n, width)),
        np.empty(width),
        np.empty(width),
        np.empty(width),
    )


@allocating
def in_order(rows):
    """The elimination in an order given as numbers (unknowns,), or that of the equations where they are negative."""
    n = rows.size
    places, starts, after = np.empty(n, np.int64), np.zeros((2, n + 1), np.int64), np.empty(n * n, np.int64)
    at = 0
    for k in range(n):
        places[k] = int(rows[k]) if rows[k] >= 0.0 else k
        for i in range(k + 1, n):
            after[at] = i
            at += 1
        starts[0, k + 1] = starts[1, k + 1] = at
    return Order(places, Entries(starts, after, after))


@kernel
def find_pivots(lu, places):
    """Write the places of the rows of one matrix (n, n, 1) that partial pivoting gives; the matrix is eliminated."""
    n = places.size
    for r in range(n):
        places[r] = -1
    for k in range(n):
        row, largest = -1, -1.0
        for r in range(n):
            if places[r] < 0 and (row < 0 or math.fabs(lu[r, k, 0]) > largest):
                row, largest = r, math.fabs(lu[r, k, 0])
        places[row] = k
        for r in range(n):
            if places[r] < 0 and largest > 0.0:
                share = lu[r, k, 0] / lu[row, k, 0]
                for c in range(k, n):
                    lu[r, c, 0] -= share * lu[row, c, 0]


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
