"""A body driven by an angle on a solved body in the plane (R).

With n the x axis of the joint frame on the solved body and ⊥ a quarter turn, u = cos θ n + sin θ n⊥.
"""

import numpy as np

from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.status import report_determined
from sglibrary.vectors import plane_motion, read, write


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: point, normal n, driver; written: direction u. constants: sign of the angle."""
    turn(q, v, a, rows[1], rows[2], constants[0], rows[3], n)
    report_determined(q, v, a, rows, 3, rows[3], 2, status, conditioning, n)


@kernel
def turn(q, v, a, normal, driver, sign, out, n):
    """The direction u at row `out`."""
    nx, ny, dnx, dny = (q, normal), (q, normal + 1), (v, normal), (v, normal + 1)
    ddnx, ddny = (a, normal), (a, normal + 1)
    cosine, sine, rate, gain = (q, driver + 1), (q, driver + 2), (v, driver), (a, driver)
    (ux, uy), (dux, duy), (ddux, dduy) = plane_motion(q, v, a, out, n)
    for j in range(ux.size):
        n0, n1, c, s = read(nx, j), read(ny, j), read(cosine, j), sign * read(sine, j)
        x, y = c * n0 - s * n1, c * n1 + s * n0
        speed = n0 * read(dny, j) - n1 * read(dnx, j) + sign * read(rate, j)
        rise = n0 * read(ddny, j) - n1 * read(ddnx, j) + sign * read(gain, j)
        write(ux, j, x)
        write(uy, j, y)
        write(dux, j, -speed * y)
        write(duy, j, speed * x)
        write(ddux, j, -rise * y - speed * speed * x)
        write(dduy, j, rise * x - speed * speed * y)


def measure(g: ChainGeometry) -> Measured:
    base = Base(("in", 0), (("out", 0),), g.point(0, 1), g.frame(0, 1))
    return Measured(np.array([g.signs[0]]), (base,))
