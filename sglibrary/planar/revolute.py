"""A body driven by an angle on a solved body in the plane (R).

With n the x axis of the joint frame on the solved body and ⊥ a quarter turn, u = cos θ n + sin θ n⊥.
"""

import numpy as np

from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.report import known
from sglibrary.vectors import plane


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: point, normal n, driver; written: direction u. constants: sign of the angle."""
    sign = constants[0]
    nx, ny = plane(q, rows[1], n)
    dnx, dny = plane(v, rows[1], n)
    ddnx, ddny = plane(a, rows[1], n)
    c, s = q[rows[2] + 1, :n], q[rows[2] + 2, :n]
    rate, gain = v[rows[2], :n], a[rows[2], :n]
    ux, uy = plane(q, rows[3], n)
    dux, duy = plane(v, rows[3], n)
    ddux, dduy = plane(a, rows[3], n)
    for j in range(ux.size):
        x = c[j] * nx[j] - sign * s[j] * ny[j]
        y = c[j] * ny[j] + sign * s[j] * nx[j]
        turn = nx[j] * dny[j] - ny[j] * dnx[j] + sign * rate[j]
        rise = nx[j] * ddny[j] - ny[j] * ddnx[j] + sign * gain[j]
        ux[j], uy[j] = x, y
        dux[j], duy[j] = -turn * y, turn * x
        ddux[j], dduy[j] = -rise * y - turn * turn * x, rise * x - turn * turn * y
    known(q, v, a, rows, 3, rows[3], 2, status, conditioning, n)


def measure(g: ChainGeometry) -> Measured:
    base = Base(("in", 0), (("out", 0),), g.points[0, 1], g.frames[0, 1])
    return Measured(np.array([g.signs[0]]), (base,))
