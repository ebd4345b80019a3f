"""The floating body: all six freedoms of a body driven relative to a solved one (F).

With the axes n, b, e of the joint frame on the solved body: the point p + x n + y b + z e, and the directions
[n b e] Rx(α) Ry(β) Rz(γ), intrinsic rotations. Angular velocity w and acceleration g go along, in components of the
directions reached: a turn by θ about axis i takes w to R' w + θ' i and g to R' g + θ'' i - θ' i × R' w.
"""

import numpy as np

from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import formula, kernel
from sglibrary.report import report
from sglibrary.spatial.orientation import bowed, turned
from sglibrary.vectors import axpy, dot, fma, get, put, read, space, times, write


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: point, n, b, e, drivers x, y, z, α, β, γ; written: point, then three directions."""
    p, dp, ddp = space(q, rows[0], n), space(v, rows[0], n), space(a, rows[0], n)
    x, dx, ddx = space(q, rows[1], n), space(v, rows[1], n), space(a, rows[1], n)
    y, dy, ddy = space(q, rows[2], n), space(v, rows[2], n), space(a, rows[2], n)
    z, dz, ddz = space(q, rows[3], n), space(v, rows[3], n), space(a, rows[3], n)
    i0, i1, i2, k0, k1, k2 = rows[4], rows[5], rows[6], rows[7], rows[8], rows[9]
    out = rows[10]
    o, do, ddo = space(q, out, n), space(v, out, n), space(a, out, n)
    e0, de0, dde0 = space(q, out + 3, n), space(v, out + 3, n), space(a, out + 3, n)
    e1, de1, dde1 = space(q, out + 6, n), space(v, out + 6, n), space(a, out + 6, n)
    e2, de2, dde2 = space(q, out + 9, n), space(v, out + 9, n), space(a, out + 9, n)
    cond = conditioning[:n]
    for j in range(cond.size):
        base, dbase, ddbase = (
            (get(x, j), get(y, j), get(z, j)),
            (get(dx, j), get(dy, j), get(dz, j)),
            (get(ddx, j), get(ddy, j), get(ddz, j)),
        )
        s, ds, dds = _three(q, i0, i1, i2, j), _three(v, i0, i1, i2, j), _three(a, i0, i1, i2, j)
        point = _along(s, base, get(p, j))
        put(o, j, point)
        put(do, j, _along(ds, base, _along(s, dbase, get(dp, j))))
        put(ddo, j, _along(dds, base, _along(times(2.0, ds), dbase, _along(s, ddbase, get(ddp, j)))))

        rate, gain = _three(v, k0, k1, k2, j), _three(a, k0, k1, k2, j)
        w0, w1, w2 = dot(dbase[1], base[2]), dot(dbase[2], base[0]), dot(dbase[0], base[1])
        g0, g1, g2 = (
            fma(-w1, w2, dot(ddbase[1], base[2])),
            fma(-w2, w0, dot(ddbase[2], base[0])),
            fma(-w0, w1, dot(ddbase[0], base[1])),
        )
        c, s = read((q, k0 + 1), j), read((q, k0 + 2), j)
        b, e = _swing(base[1], base[2], c, s)
        w1, w2, g1, g2 = _carry(w1, w2, g1, g2, c, s, rate[0])
        w0, g0 = w0 + rate[0], g0 + gain[0]
        c, s = read((q, k1 + 1), j), read((q, k1 + 2), j)
        e, m = _swing(e, base[0], c, s)
        w2, w0, g2, g0 = _carry(w2, w0, g2, g0, c, s, rate[1])
        w1, g1 = w1 + rate[1], g1 + gain[1]
        c, s = read((q, k2 + 1), j), read((q, k2 + 2), j)
        m, b = _swing(m, b, c, s)
        w0, w1, g0, g1 = _carry(w0, w1, g0, g1, c, s, rate[2])
        w2, g2 = w2 + rate[2], g2 + gain[2]
        write(cond, j, fma(0.0, point[0] + m[0], 1.0))
        put(e0, j, m)
        put(e1, j, b)
        put(e2, j, e)
        frame, w = (m, b, e), (w0, w1, w2)
        d0, d1, d2 = turned(frame, w)
        put(de0, j, d0)
        put(de1, j, d1)
        put(de2, j, d2)
        dd0, dd1, dd2 = bowed(frame, w, (g0, g1, g2))
        put(dde0, j, dd0)
        put(dde1, j, dd1)
        put(dde2, j, dd2)
    report(q, v, a, rows, 10, out, 12, status, conditioning, n)


@formula
def _three(x, i0, i1, i2, j):
    """Step j of three rows."""
    return read((x, i0), j), read((x, i1), j), read((x, i2), j)


@formula
def _along(s, base, p):
    """p + x n + y b + z e."""
    return axpy(s[0], base[0], axpy(s[1], base[1], axpy(s[2], base[2], p)))


@formula
def _swing(u, w, c, s):
    """Two directions turned in their plane, from u to w."""
    return axpy(c, u, times(s, w)), axpy(c, w, times(-s, u))


@formula
def _carry(w1, w2, g1, g2, c, s, rate):
    """Components of w and g in that plane, in the turned directions."""
    u1, u2 = fma(c, w1, s * w2), fma(c, w2, -s * w1)
    return u1, u2, fma(rate, u2, fma(c, g1, s * g2)), fma(-rate, u1, fma(c, g2, -s * g1))


def measure(g: ChainGeometry) -> Measured | None:
    if g.signs[0] < 0:  # coordinates of the solved body relative to this one: another kernel
        return None
    base = Base(("out", 0), (("out", 3), ("out", 6), ("out", 9)), g.points[0, 1], g.frames[0, 1])
    return Measured(np.zeros(1), (base,))
