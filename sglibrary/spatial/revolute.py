"""A body driven by an angle on a solved body in space (R).

With the axis e, x axis n and y axis b of the joint frame on the solved body, u = cos θ n + sin θ b and
w = e × u = -sin θ n + cos θ b are directions of the driven one.
"""

import numpy as np

from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.report import known


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: point, normal n, binormal b, driver; written: u, w. constants: sign of the angle."""
    sign = constants[0]
    cosine, sine, rate, gain = q[rows[3] + 1, :n], q[rows[3] + 2, :n], v[rows[3], :n], a[rows[3], :n]
    for i in range(3):
        x, dx, ddx = q[rows[1] + i, :n], v[rows[1] + i, :n], a[rows[1] + i, :n]
        y, dy, ddy = q[rows[2] + i, :n], v[rows[2] + i, :n], a[rows[2] + i, :n]
        u, du, ddu = q[rows[4] + i, :n], v[rows[4] + i, :n], a[rows[4] + i, :n]
        w, dw, ddw = q[rows[4] + 3 + i, :n], v[rows[4] + 3 + i, :n], a[rows[4] + 3 + i, :n]
        for j in range(u.size):
            c, s, turn, rise = cosine[j], sign * sine[j], sign * rate[j], sign * gain[j]
            u0, w0 = c * x[j] + s * y[j], c * y[j] - s * x[j]
            carried_u, carried_w = c * dx[j] + s * dy[j], c * dy[j] - s * dx[j]
            u[j], w[j] = u0, w0
            du[j], dw[j] = carried_u + turn * w0, carried_w - turn * u0
            ddu[j] = c * ddx[j] + s * ddy[j] + 2.0 * turn * carried_w + rise * w0 - turn * turn * u0
            ddw[j] = c * ddy[j] - s * ddx[j] - 2.0 * turn * carried_u - rise * u0 - turn * turn * w0
    known(q, v, a, rows, 4, rows[4], 6, status, conditioning, n)


def measure(g: ChainGeometry) -> Measured:
    base = Base(("in", 0), (("out", 0), ("out", 3), ("in", 3)), g.points[0, 1], g.frames[0, 1])
    return Measured(np.array([g.signs[0]]), (base,))
