"""The floating body in the plane: both displacements and the angle of a body driven relative to a solved one (FP).

With n the x axis of the joint frame on the solved body: the point p + x n + y n⊥ and the direction
u = cos θ n + sin θ n⊥. Seen from the second body, with n on it, u is turned by -θ and the point is p - x u - y u⊥.
"""

import numpy as np

from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.planar.revolute import turn
from sglibrary.status import report_determined
from sglibrary.vectors import plane_motion


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: point, normal n, drivers x, y, θ; written: point, direction u. constants: sign of the drivers."""
    sign, out = constants[0], rows[5]
    turn(q, v, a, rows[1], rows[4], sign, out + 2, n)
    _point(q, v, a, rows, rows[1] if sign > 0.0 else out + 2, sign, n)
    report_determined(q, v, a, rows, 5, out, 4, status, conditioning, n)


@kernel
def _point(q, v, a, rows, direction, sign, n):
    (px, py), (dpx, dpy), (ddpx, ddpy) = plane_motion(q, v, a, rows[0], n)
    (ux, uy), (dux, duy), (ddux, dduy) = plane_motion(q, v, a, direction, n)
    x, dx, ddx = q[rows[2], :n], v[rows[2], :n], a[rows[2], :n]
    y, dy, ddy = q[rows[3], :n], v[rows[3], :n], a[rows[3], :n]
    (ox, oy), (dox, doy), (ddox, ddoy) = plane_motion(q, v, a, rows[5], n)
    for j in range(ox.size):
        u0, u1, du0, du1 = ux[j], uy[j], dux[j], duy[j]
        ox[j] = px[j] + sign * (x[j] * u0 - y[j] * u1)
        oy[j] = py[j] + sign * (x[j] * u1 + y[j] * u0)
        dox[j] = dpx[j] + sign * (dx[j] * u0 - dy[j] * u1 + x[j] * du0 - y[j] * du1)
        doy[j] = dpy[j] + sign * (dx[j] * u1 + dy[j] * u0 + x[j] * du1 + y[j] * du0)
        ddx0 = ddx[j] * u0 - ddy[j] * u1 + x[j] * ddux[j] - y[j] * dduy[j]
        ddy0 = ddx[j] * u1 + ddy[j] * u0 + x[j] * dduy[j] + y[j] * ddux[j]
        ddox[j] = ddpx[j] + sign * (ddx0 + 2.0 * (dx[j] * du0 - dy[j] * du1))
        ddoy[j] = ddpy[j] + sign * (ddy0 + 2.0 * (dx[j] * du1 + dy[j] * du0))


def measure(g: ChainGeometry) -> Measured:
    base = Base(("out", 0), (("out", 2),), g.point(0, 1), g.frame(0, 1))
    return Measured(np.array([g.signs[0]]), (base,))
