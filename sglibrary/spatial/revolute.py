"""A body driven by an angle on a solved body in space (R).

With the axis e, x axis n and y axis b of the joint frame on the solved body, u = cos θ n + sin θ b and
w = e × u = -sin θ n + cos θ b are directions of the driven one.
"""

import numpy as np

from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.status import report_determined


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: point, normal n, binormal b, driver; written: u, w. constants: sign of the angle."""
    turn(q, v, a, rows[1], rows[2], rows[3], constants[0], rows[4], n)
    report_determined(q, v, a, rows, 4, rows[4], 6, status, conditioning, n)


@kernel
def turn(q, v, a, normal, binormal, driver, sign, out, n):
    """The directions u and w, from row `out` on."""
    cosine, sine, rate, gain = q[driver + 1, :n], q[driver + 2, :n], v[driver, :n], a[driver, :n]
    for i in range(3):
        x, dx, ddx = q[normal + i, :n], v[normal + i, :n], a[normal + i, :n]
        y, dy, ddy = q[binormal + i, :n], v[binormal + i, :n], a[binormal + i, :n]
        u, du, ddu = q[out + i, :n], v[out + i, :n], a[out + i, :n]
        w, dw, ddw = q[out + 3 + i, :n], v[out + 3 + i, :n], a[out + 3 + i, :n]
        for j in range(u.size):
            c, s, speed, rise = cosine[j], sign * sine[j], sign * rate[j], sign * gain[j]
            u0, w0 = c * x[j] + s * y[j], c * y[j] - s * x[j]
            carried_u, carried_w = c * dx[j] + s * dy[j], c * dy[j] - s * dx[j]
            u[j], w[j] = u0, w0
            du[j], dw[j] = carried_u + speed * w0, carried_w - speed * u0
            ddu[j] = c * ddx[j] + s * ddy[j] + 2.0 * speed * carried_w + rise * w0 - speed * speed * u0
            ddw[j] = c * ddy[j] - s * ddx[j] - 2.0 * speed * carried_u - rise * u0 - speed * speed * w0


def measure(g: ChainGeometry) -> Measured:
    base = Base(("in", 0), (("out", 0), ("out", 3), ("in", 3)), g.point(0, 1), g.frame(0, 1))
    return Measured(np.array([g.signs[0]]), (base,))
