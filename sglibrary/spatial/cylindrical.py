"""Bodies driven by a displacement along and an angle about one axis of a solved body: C, and H where both are one.

The point of a screw joint of pitch h (m/rad) is p + z e + h θ e; what is constant of it is fixed in the solved body.
"""

import numpy as np

from sglibrary.arrays import components, stack
from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.prismatic import shift
from sglibrary.spatial.revolute import turn
from sglibrary.status import report_determined


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: point, n, b, e, drivers; written: the moved point, then u and w. constants: sign of the drivers."""
    sign, out = constants[0], rows[6]
    shift(q, v, a, rows[0], rows[3], rows[4], sign, out, 3, n)
    turn(q, v, a, rows[1], rows[2], rows[5], sign, out + 3, n)
    report_determined(q, v, a, rows, 6, out, 9, status, conditioning, n)


@kernel
def helical(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: point, n, b, e, driver; written as by `motion`. constants: sign of the driver, pitch with that sign."""
    driver, out = rows[4], rows[5]
    shift(q, v, a, rows[0], rows[3], driver, constants[1], out, 3, n)
    turn(q, v, a, rows[1], rows[2], driver, constants[0], out + 3, n)
    report_determined(q, v, a, rows, 5, out, 9, status, conditioning, n)


def measure(g: ChainGeometry) -> Measured:
    return Measured(np.array([g.signs[0]]), (_base(g),))


def measure_helical(g: ChainGeometry) -> Measured:
    sign, pitch = g.signs[0], -g.couplings[0][..., 0] / g.couplings[0][..., 1]
    angle, displacement = components(g.values[0])
    start = (0, True, stack(0.0, 0.0, sign * (displacement - pitch * angle)))
    return Measured(stack(sign, sign * pitch), (_base(g),), (start,))


def _base(g: ChainGeometry) -> Base:
    return Base(("out", 0), (("out", 3), ("out", 6), ("in", 3)), g.point(0, 1), g.frame(0, 1))
