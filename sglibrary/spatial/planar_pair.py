"""A body driven by two displacements in, and an angle about the normal of, a plane of a solved body (PL).

With the axes n, b, e of the joint frame on the solved body, e normal to the plane: the point p + x n + y b and the
directions u = cos θ n + sin θ b and w = e × u. Seen from the second body they are turned by -θ, and the point is
p - x u - y w.
"""

import numpy as np

from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.spatial.revolute import turn
from sglibrary.status import report_determined


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: point, n, b, e, drivers x, y, θ; written: point, u, w. constants: sign of the drivers."""
    sign, out = constants[0], rows[7]
    turn(q, v, a, rows[1], rows[2], rows[6], sign, out + 3, n)
    first, second = (rows[1], rows[2]) if sign > 0.0 else (out + 3, out + 6)
    x, dx, ddx = q[rows[4], :n], v[rows[4], :n], a[rows[4], :n]
    y, dy, ddy = q[rows[5], :n], v[rows[5], :n], a[rows[5], :n]
    for i in range(3):
        p, dp, ddp = q[rows[0] + i, :n], v[rows[0] + i, :n], a[rows[0] + i, :n]
        u, du, ddu = q[first + i, :n], v[first + i, :n], a[first + i, :n]
        w, dw, ddw = q[second + i, :n], v[second + i, :n], a[second + i, :n]
        c, dc, ddc = q[out + i, :n], v[out + i, :n], a[out + i, :n]
        for j in range(c.size):
            c[j] = p[j] + sign * (x[j] * u[j] + y[j] * w[j])
            dc[j] = dp[j] + sign * (dx[j] * u[j] + dy[j] * w[j] + x[j] * du[j] + y[j] * dw[j])
            both = ddx[j] * u[j] + ddy[j] * w[j] + x[j] * ddu[j] + y[j] * ddw[j]
            ddc[j] = ddp[j] + sign * (both + 2.0 * (dx[j] * du[j] + dy[j] * dw[j]))
    report_determined(q, v, a, rows, 7, out, 9, status, conditioning, n)


def measure(g: ChainGeometry) -> Measured:
    base = Base(("out", 0), (("out", 3), ("out", 6), ("in", 3)), g.point(0, 1), g.frame(0, 1))
    return Measured(np.array([g.signs[0]]), (base,))
