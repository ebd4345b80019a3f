"""The floating body: all six freedoms of a body driven relative to a solved one (F).

With the axes n, b, e of the joint frame on the solved body: the point p + x n + y b + z e, and the directions
[n b e] Rx(α) Ry(β) Rz(γ), intrinsic rotations. The angular velocity is that of the frame, α' about n, β' about the
turned b and γ' about the last axis; an axis k that turns with Ω changes by Ω × k.
"""

import numpy as np

from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import formula, kernel
from sglibrary.report import known
from sglibrary.vectors import axpy, carried, cross, get, put, space, spin, spin_gain, times


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: point, n, b, e, drivers x, y, z, α, β, γ; written: point, then three directions."""
    _point(q, v, a, rows, n)
    _directions(q, v, a, rows, n)
    known(q, v, a, rows, 10, rows[10], 12, status, conditioning, n)


@formula
def _point(q, v, a, rows, n):
    x, y, z = q[rows[4], :n], q[rows[5], :n], q[rows[6], :n]
    dx, dy, dz = v[rows[4], :n], v[rows[5], :n], v[rows[6], :n]
    ddx, ddy, ddz = a[rows[4], :n], a[rows[5], :n], a[rows[6], :n]
    for i in range(3):
        p, dp, ddp = q[rows[0] + i, :n], v[rows[0] + i, :n], a[rows[0] + i, :n]
        e0, de0, dde0 = q[rows[1] + i, :n], v[rows[1] + i, :n], a[rows[1] + i, :n]
        e1, de1, dde1 = q[rows[2] + i, :n], v[rows[2] + i, :n], a[rows[2] + i, :n]
        e2, de2, dde2 = q[rows[3] + i, :n], v[rows[3] + i, :n], a[rows[3] + i, :n]
        out, rate, gain = q[rows[10] + i, :n], v[rows[10] + i, :n], a[rows[10] + i, :n]
        for j in range(out.size):
            out[j] = p[j] + _mix(x[j], y[j], z[j], e0[j], e1[j], e2[j])
            rate[j] = (
                dp[j] + _mix(dx[j], dy[j], dz[j], e0[j], e1[j], e2[j]) + _mix(x[j], y[j], z[j], de0[j], de1[j], de2[j])
            )
            gain[j] = (
                ddp[j]
                + _mix(ddx[j], ddy[j], ddz[j], e0[j], e1[j], e2[j])
                + 2.0 * _mix(dx[j], dy[j], dz[j], de0[j], de1[j], de2[j])
                + _mix(x[j], y[j], z[j], dde0[j], dde1[j], dde2[j])
            )


@formula
def _mix(x, y, z, e0, e1, e2):
    return x * e0 + y * e1 + z * e2


@formula
def _directions(q, v, a, rows, n):
    x, y, z = space(q, rows[1], n), space(q, rows[2], n), space(q, rows[3], n)
    dx, dy, dz = space(v, rows[1], n), space(v, rows[2], n), space(v, rows[3], n)
    ddx, ddy, ddz = space(a, rows[1], n), space(a, rows[2], n), space(a, rows[3], n)
    ca, sa = q[rows[7] + 1, :n], q[rows[7] + 2, :n]
    cb, sb = q[rows[8] + 1, :n], q[rows[8] + 2, :n]
    cg, sg = q[rows[9] + 1, :n], q[rows[9] + 2, :n]
    rate0, rate1, rate2 = v[rows[7], :n], v[rows[8], :n], v[rows[9], :n]
    gain0, gain1, gain2 = a[rows[7], :n], a[rows[8], :n], a[rows[9], :n]
    row = rows[10] + 3
    e0, e1, e2 = space(q, row, n), space(q, row + 3, n), space(q, row + 6, n)
    de0, de1, de2 = space(v, row, n), space(v, row + 3, n), space(v, row + 6, n)
    dde0, dde1, dde2 = space(a, row, n), space(a, row + 3, n), space(a, row + 6, n)
    for j in range(ca.size):
        first = get(x, j)
        turned = axpy(ca[j], get(y, j), times(sa[j], get(z, j)))
        upright = axpy(ca[j], get(z, j), times(-sa[j], get(y, j)))
        across = axpy(cb[j], first, times(-sb[j], upright))
        last = axpy(sb[j], first, times(cb[j], upright))
        u0 = axpy(cg[j], across, times(sg[j], turned))
        u1 = axpy(cg[j], turned, times(-sg[j], across))
        put(e0, j, u0)
        put(e1, j, u1)
        put(e2, j, last)

        frame = get(x, j), get(y, j), get(z, j)
        w0 = spin(frame[0], frame[1], frame[2], get(dx, j), get(dy, j), get(dz, j))
        w1 = axpy(rate0[j], first, w0)
        w2 = axpy(rate1[j], turned, w1)
        w = axpy(rate2[j], last, w2)
        du0, du1, du2 = cross(w, u0), cross(w, u1), cross(w, last)
        put(de0, j, du0)
        put(de1, j, du1)
        put(de2, j, du2)

        g0 = spin_gain(frame[0], frame[1], frame[2], get(ddx, j), get(ddy, j), get(ddz, j), w0)
        g1 = axpy(gain0[j], first, axpy(rate0[j], cross(w0, first), g0))
        g2 = axpy(gain1[j], turned, axpy(rate1[j], cross(w1, turned), g1))
        g = axpy(gain2[j], last, axpy(rate2[j], cross(w2, last), g2))
        put(dde0, j, carried(w, g, u0, du0))
        put(dde1, j, carried(w, g, u1, du1))
        put(dde2, j, carried(w, g, last, du2))


def measure(g: ChainGeometry) -> Measured | None:
    if g.signs[0] < 0:  # coordinates of the solved body relative to this one: another kernel
        return None
    base = Base(("out", 0), (("out", 3), ("out", 6), ("out", 9)), g.points[0, 1], g.frames[0, 1])
    return Measured(np.zeros(1), (base,))
