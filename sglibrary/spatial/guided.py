"""One body on C or U with a ball on a line (SC), the line solved and the ball in the body, or the other way round.

The body is one of a chain of two bodies between solved ones, and moves as it does there:

    C, solved line      the rod of P-S-C, its ball on the line (`sglibrary.spatial.bore`)
    C, solved ball      the first body of C-P-S, the line along its slide
    U, solved line      the rod of P-S-U, its ball on the line (`sglibrary.spatial.sliding`)
    U, solved ball      the first body of U-P-S, the line along its slide (`sglibrary.spatial.ups`)
"""

import numpy as np

from sglibrary.arrays import components, stack
from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.spatial.bore import reach_line, reach_point, rod, sleeve
from sglibrary.spatial.orientation import held_by
from sglibrary.spatial.sliding import slide_and_turn, slide_and_turn_constants
from sglibrary.spatial.ups import stretch, stretched
from sglibrary.status import report


@kernel
def cylindrical(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: A, a of the axis, O, s of the line, or the ball O; written: point, two directions.

    constants: those of `reach_line` with two zeros, or of `reach_point`, then 1 for a solved line and 0 for a ball.
    """
    if constants[4] == 1.0:
        reach_line(q, v, a, rows[2], rows[3], rows[0], rows[1], rows[4], constants, conditioning, n)
    else:
        reach_point(q, v, a, rows[0], rows[1], rows[2], rows[4], constants, conditioning, n)
    report(q, v, a, rows, 4, rows[4], 9, status, conditioning, n)


@kernel
def universal(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: P, n1, O, s of the line, or the ball O; written: the ball (not if it is solved), n2, m, k.

    constants: those of `slide_and_turn` with a zero, or of `stretch`, then 1 for a solved line and 0 for a ball.
    """
    out = rows[4]
    if constants[8] == 1.0:
        slide_and_turn(q, v, a, rows[2], rows[3], rows[0], rows[1], out, constants, -1.0, conditioning, n)
    else:
        stretch(q, v, a, rows[0], rows[1], rows[2], out + 3, constants, conditioning, n)
    report(q, v, a, rows, 4, out, 12, status, conditioning, n)


def measure_cylindrical(g: ChainGeometry) -> Measured:
    """Constants and base of a body on C and SC."""
    axis, center, solved, own = g.axis(0, 1), g.point(0, 1), g.point(1, 0), g.point(1, 1)
    line = g.signs[1] > 0
    if line:
        (mode, radius), directions = rod(axis, own - center, g.axis(1, 0))
        constants, valid = stack(mode, radius, 0.0, 0.0), g.long(radius)
    else:
        found, directions, valid = sleeve(axis, own - center, g.axis(1, 1), solved - center)
        constants = stack(*found)
    base = Base(("out", 0), (("in", 1), ("out", 3), ("out", 6)), own if line else center, directions)
    return Measured(stack(*components(constants), float(line)), (base,), valid=valid)


def measure_universal(g: ChainGeometry) -> Measured:
    """Constants and base of a body on U and SC."""
    center, solved, own = g.point(0, 1), g.point(1, 0), g.point(1, 1)
    n1, n2, line, valid = g.axis(0, 0), g.axis(0, 1), g.signs[1] > 0, np.array(True)
    if line:
        found, directions = slide_and_turn_constants(g.axis(1, 0), own - center, -1.0, n1, n2, g.cross_angles[..., 0])
        constants, valid = stack(*found, 0.0), held_by(g, own - center, n2)
    else:
        constants, directions = stretched(g, own - center, g.axis(1, 1), solved - center)
    base = Base(("in", 0), (("out", 3), ("out", 6), ("out", 9)), center, directions)
    return Measured(stack(*components(constants), float(line)), (base,), valid=valid)
