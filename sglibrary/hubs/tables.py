"""The tables of a group around a hub: one body whose pose is unknown, and legs that follow from where it is.

`groupkin.kinematics.program.hub_tables` packs them one after another into `rows` and `constants`. Lengths are relative
to the mechanism's size, positions to a solved point, the base. In the reference configuration the hub's axes are the
global ones.

=========== ================================================== =====================================================
table       rows                                               constants
=========== ================================================== =====================================================
header      dimension, unknowns, variables, row of the time,   size of the mechanism, m
            row of the base, first row of the hub, numbers in
            `attached`, legs
equation    kind, row of a solved point, row of a solved       point of the hub (3), then of a distance its value,
            direction or -1, row of a driver or -1             square, shift, slope and side; of a plane offset, slope
moves       as `sglibrary.iterative.newton_tables`
attached    as `sglibrary.attachments.motion`, or nothing      coefficients
legs        kind, numbers of rows, constants and rows written, constants
            rows (a closed form's)
variables                                                      start values
=========== ================================================== =====================================================

A distance that a driver changes is that of a telescope: with s the slope times the driver, t = s + shift is how far its
tip is ahead of its foot along the slide, on one side of it, and the square of the distance is that at s = 0 plus
s (s + 2 shift). The unknowns are the velocity of the hub's point relative to the base, and the hub's angular velocity
about its own axes.
"""

import numpy as np

from sglibrary.convention import allocating, formula, kernel
from sglibrary.iterative.newton_tables import Table
from sglibrary.straight.group_tables import Straight
from sglibrary.straight.places import places

HEADER, NUMBERS, LEG = 8, 8, 4
"""Numbers in the header, constants of an equation, and numbers of a leg before its rows."""


def vectors_of_pose(dimension):
    """Vectors of a hub's pose: its point, and as many directions as it has axes that move."""
    return 4 if dimension == 3 else 2


def numbers_of_attachment(dimension):
    """Numbers of an attachment (`sglibrary.attachments.motion`)."""
    return 5 if dimension == 3 else 3


pose_vectors, attachment_numbers = formula(vectors_of_pose), formula(numbers_of_attachment)


@allocating
def unpack(texts, rows, constants):
    """A hub from its tables, which writes its pose, points and axes of it, and its legs."""
    unknowns, variables, moves = rows[1], rows[2], rows[0] + 1
    move_at = HEADER + 4 * unknowns
    equations, none = rows[HEADER:move_at].reshape(unknowns, 4), constants[:0]
    d, at = rows[0], move_at + 6 * moves
    size, legs = rows[6], rows[7]
    written = np.empty((pose_vectors(d) + size + 3 * legs, 5), np.int64)
    count = _write_vectors(written, 0, rows[5], pose_vectors(d), d)
    for k in range(at + 1, at + size, attachment_numbers(d)):
        count = _write_vectors(written, count, rows[k], 1, d)
    at += size
    for _ in range(legs):
        count = _write_vectors(written, count, rows[at + LEG - 1 + rows[at + 1]], rows[at + 3] // d, d)
        at += LEG + rows[at + 1]
    return Straight(
        texts[0],
        texts[1],
        texts[2],
        rows,
        constants,
        rows[0],
        unknowns,
        variables,
        rows[3],
        equations[:, 1:3].copy(),
        equations[:, 3].copy(),
        Table(rows[move_at : move_at + 6 * moves].reshape(moves, 6), none.reshape(0, 13)),
        Table(written[:count], none.reshape(0, 12)),
        Table(rows[:0].reshape(0, 3), none.reshape(0, 14)),
        places(unknowns, variables, 0),
    )


@kernel
def _write_vectors(written, count, first, vectors, d):
    """Add the first rows of some vectors, those of each in all columns; returns how many there are then."""
    for k in range(vectors):
        for column in range(5):
            written[count + k, column] = first + d * k
    return count + vectors


def row_entries(rows):
    """Which entries of the rows are numbers of rows of the state, or -1."""
    unknowns, (size, legs) = rows[1], rows[6:8]
    at = HEADER + 4 * unknowns
    found = [np.array([3, 4, 5]), (HEADER + 4 * np.arange(unknowns)[:, None] + np.arange(1, 4)).ravel()]
    found.append(at + 6 * np.arange(rows[0] + 1) + 4)
    at += 6 * (rows[0] + 1)
    found.append(np.arange(at + 1, at + size))  # the first is the dimension
    at += size
    for _ in range(legs):
        found.append(np.arange(at + LEG, at + LEG + rows[at + 1]))
        at += LEG + rows[at + 1]
    return np.concatenate(found)


def flow(rows):
    """First rows and numbers of rows that are written, and first rows of points and directions that others write."""
    equations, (size, legs), d = rows[HEADER : HEADER + 4 * rows[1]].reshape(-1, 4), rows[6:8], rows[0]
    at = HEADER + 4 * rows[1] + 6 * (d + 1)
    written = [(int(rows[5]), int(d * vectors_of_pose(d)))]
    written += [(int(row), int(d)) for row in rows[at + 1 : at + size : numbers_of_attachment(d)]]
    read, at = [rows[4:5], equations[:, 1], equations[:, 2]], at + size
    for _ in range(legs):
        read.append(rows[at + LEG : at + LEG - 1 + rows[at + 1]])
        written.append((int(rows[at + LEG - 1 + rows[at + 1]]), int(rows[at + 3])))
        at += LEG + rows[at + 1]
    own = [first + k for first, size in written for k in range(size)]
    first = np.concatenate(read)
    return written, first[~np.isin(first, own)]
