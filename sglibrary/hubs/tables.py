"""The tables of a group around a hub: one body whose pose is unknown, and legs that follow from where it is.

`groupkin.kinematics.program.hub_tables` packs them one after another into `rows` and `constants`. Lengths are relative
to the mechanism's size, positions to a solved point, the base. In the reference configuration the hub's axes are the
global ones.

=========== ================================================== =====================================================
table       rows                                               constants
=========== ================================================== =====================================================
header      dimension, unknowns, variables, row of the time,   size of the mechanism, m
            row of the base, first row of the hub, numbers in
            `attached`, legs, outputs
equation    row of a solved point, row of a solved direction   point of the hub (3), then of a distance its value,
            or -1, row of a driver or -1, kind                 square, shift, slope and side; of a plane offset, slope
moves       as `sglibrary.iterative.newton_tables`
outputs     0, and four times the first row of a vector
            that is written
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

from sglibrary.convention import formula
from sglibrary.straight.group_tables import Layout

HEADER, NUMBERS, LEG = 9, 8, 4
"""Numbers in the header, constants of an equation, and numbers of a leg before its rows."""


def pose_vectors(dimension):
    """Vectors of a hub's pose: its point, and as many directions as it has axes that move."""
    return 4 if dimension == 3 else 2


def attachment_numbers(dimension):
    """Numbers of an attachment (`sglibrary.attachments.motion`)."""
    return 5 if dimension == 3 else 3


def after_outputs(rows):
    """Where the tables after that of outputs begin."""
    return int(HEADER + 4 * rows[1] + 6 * (rows[0] + 1) + 5 * rows[8])


@formula
def layout(rows):
    """The tables of a hub as those of a group of joints."""
    unknowns, moves = rows[1], rows[0] + 1
    move_at = HEADER + 4 * unknowns
    output_at, none = move_at + 6 * moves, 0
    return Layout(
        rows[3],
        unknowns,
        HEADER,
        2,
        unknowns,
        HEADER + 2,
        4,
        moves,
        move_at,
        rows[8],
        output_at,
        none,
        none,
        none,
        none,
        none,
        none,
        none,
        none,
        unknowns,
    )


def row_entries(rows):
    """Which entries of the rows are numbers of rows of the state, or -1."""
    unknowns, (size, legs, outputs) = rows[1], rows[6:9]
    at = HEADER + 4 * unknowns
    found = [np.array([3, 4, 5]), (HEADER + 4 * np.arange(unknowns)[:, None] + np.arange(3)).ravel()]
    found.append(at + 6 * np.arange(rows[0] + 1) + 4)
    at += 6 * (rows[0] + 1)
    found.append((at + 5 * np.arange(outputs)[:, None] + np.arange(1, 5)).ravel())
    at += 5 * outputs
    found.append(np.arange(at + 1, at + size))  # the first is the dimension
    at += size
    for _ in range(legs):
        found.append(np.arange(at + LEG, at + LEG + rows[at + 1]))
        at += LEG + rows[at + 1]
    return np.concatenate(found)


def flow(rows):
    """First rows and numbers of rows that are written, and first rows of points and directions that others write."""
    equations, (size, legs), d = rows[HEADER : HEADER + 4 * rows[1]].reshape(-1, 4), rows[6:8], rows[0]
    at = after_outputs(rows)
    written = [(int(rows[5]), int(d * pose_vectors(d)))]
    written += [(int(row), int(d)) for row in rows[at + 1 : at + size : attachment_numbers(d)]]
    read, at = [rows[4:5], equations[:, 0], equations[:, 1]], at + size
    for _ in range(legs):
        read.append(rows[at + LEG : at + LEG - 1 + rows[at + 1]])
        written.append((int(rows[at + LEG - 1 + rows[at + 1]]), int(rows[at + 3])))
        at += LEG + rows[at + 1]
    own = [first + k for first, size in written for k in range(size)]
    first = np.concatenate(read)
    return written, first[~np.isin(first, own)]
