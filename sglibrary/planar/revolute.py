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
    turn(q, v, a, rows[1], rows[2], constants[0], rows[3], n)
    known(q, v, a, rows, 3, rows[3], 2, status, conditioning, n)


@kernel
def turn(q, v, a, normal, driver, sign, out, n):
    """The direction u at row `out`."""
    nx, ny = plane(q, normal, n)
    dnx, dny = plane(v, normal, n)
    ddnx, ddny = plane(a, normal, n)
    c, s = q[driver + 1, :n], q[driver + 2, :n]
    rate, gain = v[driver, :n], a[driver, :n]
    ux, uy = plane(q, out, n)
    dux, duy = plane(v, out, n)
    ddux, dduy = plane(a, out, n)
    for j in range(ux.size):
        x = c[j] * nx[j] - sign * s[j] * ny[j]
        y = c[j] * ny[j] + sign * s[j] * nx[j]
        speed = nx[j] * dny[j] - ny[j] * dnx[j] + sign * rate[j]
        rise = nx[j] * ddny[j] - ny[j] * ddnx[j] + sign * gain[j]
        ux[j], uy[j] = x, y
        dux[j], duy[j] = -speed * y, speed * x
        ddux[j], dduy[j] = -rise * y - speed * speed * x, rise * x - speed * speed * y


def measure(g: ChainGeometry) -> Measured:
    base = Base(("in", 0), (("out", 0),), g.point(0, 1), g.frame(0, 1))
    return Measured(np.array([g.signs[0]]), (base,))
