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
s (s + 2 shift). The unknowns are the velocity of the hub's point relative to the base, and the hub's angular velocity
about its own axes.
"""

import numpy as np

from sglibrary.convention import allocating
from sglibrary.iterative.newton_tables import Table
from sglibrary.straight.group_tables import Straight
from sglibrary.straight.places import places

HEADER, NUMBERS = 9, 8
"""Numbers in the header, and constants of an equation."""


@allocating
def unpack(texts, rows, constants):
    """A hub from its tables; its legs are not part of it."""
    unknowns, variables, moves = rows[1], rows[2], rows[0] + 1
    move_at = HEADER + 4 * unknowns
    equations, none = rows[HEADER:move_at].reshape(unknowns, 4), constants[:0]
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
        Table(rows[:0].reshape(0, 5), none.reshape(0, 12)),
        Table(rows[:0].reshape(0, 3), none.reshape(0, 14)),
        places(unknowns, variables, 0),
    )


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
