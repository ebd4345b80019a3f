"""A body driven by a displacement along and an angle about one axis of a solved body (C)."""

import numpy as np

from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.prismatic import shift
from sglibrary.report import known
from sglibrary.spatial.revolute import turn


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: point, n, b, e, drivers; written: the moved point, then u and w. constants: sign of the drivers."""
    sign, out = constants[0], rows[6]
    shift(q, v, a, rows[0], rows[3], rows[4], sign, out, 3, n)
    turn(q, v, a, rows[1], rows[2], rows[5], sign, out + 3, n)
    known(q, v, a, rows, 6, out, 9, status, conditioning, n)


def measure(g: ChainGeometry) -> Measured:
    base = Base(("out", 0), (("out", 3), ("out", 6), ("in", 3)), g.points[0, 1], g.frames[0, 1])
    return Measured(np.array([g.signs[0]]), (base,))
