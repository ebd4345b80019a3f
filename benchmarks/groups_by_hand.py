"""The limit for single groups: loops written by hand, each for one group, with the same rows read and written.

They are called as the kernels are (`sglibrary.convention`) and take the same constants. Unlike kernels they leave the
order of additions and fused operations to the compiler.
"""

from __future__ import annotations

import math

from numba import njit

FREE = {"contract", "reassoc", "arcp", "nsz"}


def loop(function):
    return njit(cache=True, error_model="numpy", fastmath=FREE)(function)


def inlined(function):
    return njit(cache=True, error_model="numpy", fastmath=FREE, inline="always")(function)


@inlined
def _rows(x, row, n):
    return x[row, :n], x[row + 1, :n], x[row + 2, :n]


@inlined
def _cross(u, w):
    return u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]


@inlined
def _dot(u, w):
    return u[0] * w[0] + u[1] * w[1] + u[2] * w[2]


@inlined
def _sum(c, u, d, w):
    return c * u[0] + d * w[0], c * u[1] + d * w[1], c * u[2] + d * w[2]


@inlined
def _at(x, j):
    return x[0][j], x[1][j], x[2][j]


@inlined
def _store(x, j, u):
    x[0][j], x[1][j], x[2][j] = u


@loop
def _states(conditioning, status, n):
    for j in range(n):
        status[j] = 0 if conditioning[j] >= 1e-6 else 2 if conditioning[j] >= 0.0 else 1


@loop
def driven_r_in_plane(q, v, a, memory, rows, constants, status, conditioning, n):
    sign, known, driver, out = constants[0], rows[1], rows[2], rows[3]
    nx, ny, cosine, sine = q[known, :n], q[known + 1, :n], q[driver + 1, :n], q[driver + 2, :n]
    dnx, dny, rate = v[known, :n], v[known + 1, :n], v[driver, :n]
    ddnx, ddny, gain = a[known, :n], a[known + 1, :n], a[driver, :n]
    ux, uy, dux, duy = q[out, :n], q[out + 1, :n], v[out, :n], v[out + 1, :n]
    ddux, dduy, cond = a[out, :n], a[out + 1, :n], conditioning[:n]
    for j in range(cond.size):
        x, y, c, s = nx[j], ny[j], cosine[j], sign * sine[j]
        turn = x * dny[j] - y * dnx[j] + sign * rate[j]
        rise = x * ddny[j] - y * ddnx[j] + sign * gain[j]
        x, y = c * x - s * y, c * y + s * x
        ux[j], uy[j], dux[j], duy[j] = x, y, -turn * y, turn * x
        ddux[j], dduy[j] = -rise * y - turn * turn * x, rise * x - turn * turn * y
        cond[j] = 1.0
    _states(conditioning, status, n)


@loop
def driven_r_in_space(q, v, a, memory, rows, constants, status, conditioning, n):
    sign, driver, out = constants[0], rows[3], rows[4]
    cosine, sine, rate, gain = q[driver + 1, :n], q[driver + 2, :n], v[driver, :n], a[driver, :n]
    x, dx, ddx = _rows(q, rows[1], n), _rows(v, rows[1], n), _rows(a, rows[1], n)
    y, dy, ddy = _rows(q, rows[2], n), _rows(v, rows[2], n), _rows(a, rows[2], n)
    u, du, ddu = _rows(q, out, n), _rows(v, out, n), _rows(a, out, n)
    w, dw, ddw = _rows(q, out + 3, n), _rows(v, out + 3, n), _rows(a, out + 3, n)
    cond = conditioning[:n]
    for j in range(cond.size):
        c, s, turn, rise = cosine[j], sign * sine[j], sign * rate[j], sign * gain[j]
        u0, w0 = _sum(c, _at(x, j), s, _at(y, j)), _sum(c, _at(y, j), -s, _at(x, j))
        u1, w1 = _sum(c, _at(dx, j), s, _at(dy, j)), _sum(c, _at(dy, j), -s, _at(dx, j))
        u2, w2 = _sum(c, _at(ddx, j), s, _at(ddy, j)), _sum(c, _at(ddy, j), -s, _at(ddx, j))
        _store(u, j, u0)
        _store(w, j, w0)
        _store(du, j, _sum(1.0, u1, turn, w0))
        _store(dw, j, _sum(1.0, w1, -turn, u0))
        _store(ddu, j, _sum(1.0, _sum(1.0, u2, 2.0 * turn, w1), 1.0, _sum(rise, w0, -turn * turn, u0)))
        _store(ddw, j, _sum(1.0, _sum(1.0, w2, -2.0 * turn, u1), 1.0, _sum(-rise, u0, -turn * turn, w0)))
        cond[j] = 1.0
    _states(conditioning, status, n)


@loop
def rrr(q, v, a, memory, rows, constants, status, conditioning, n):
    l1, l2, mode, first, second, out = constants[0], constants[1], constants[2], rows[0], rows[1], rows[2]
    ax, ay, bx, by = q[first, :n], q[first + 1, :n], q[second, :n], q[second + 1, :n]
    dax, day, dbx, dby = v[first, :n], v[first + 1, :n], v[second, :n], v[second + 1, :n]
    ddax, dday, ddbx, ddby = a[first, :n], a[first + 1, :n], a[second, :n], a[second + 1, :n]
    ux, uy, wx, wy = q[out, :n], q[out + 1, :n], q[out + 2, :n], q[out + 3, :n]
    dux, duy, dwx, dwy = v[out, :n], v[out + 1, :n], v[out + 2, :n], v[out + 3, :n]
    ddux, dduy, ddwx, ddwy = a[out, :n], a[out + 1, :n], a[out + 2, :n], a[out + 3, :n]
    cond = conditioning[:n]
    for j in range(cond.size):
        # circles around A and B, then l1 u - l2 w = B - A differentiated
        dx, dy = bx[j] - ax[j], by[j] - ay[j]
        square = dx * dx + dy * dy
        p = 0.5 * (l1 * l1 - l2 * l2 + square) / square
        h = mode * math.sqrt(l1 * l1 / square - p * p)
        x1, y1 = (p * dx - h * dy) / l1, (p * dy + h * dx) / l1
        x2, y2 = ((p - 1.0) * dx - h * dy) / l2, ((p - 1.0) * dy + h * dx) / l2
        sine = x1 * y2 - y1 * x2
        ux[j], uy[j], wx[j], wy[j], cond[j] = x1, y1, x2, y2, abs(sine)
        dx, dy = dbx[j] - dax[j], dby[j] - day[j]
        turn1, turn2 = (dx * x2 + dy * y2) / (l1 * sine), (dx * x1 + dy * y1) / (l2 * sine)
        dux[j], duy[j], dwx[j], dwy[j] = -turn1 * y1, turn1 * x1, -turn2 * y2, turn2 * x2
        dx = ddbx[j] - ddax[j] + l1 * turn1 * turn1 * x1 - l2 * turn2 * turn2 * x2
        dy = ddby[j] - dday[j] + l1 * turn1 * turn1 * y1 - l2 * turn2 * turn2 * y2
        rise1, rise2 = (dx * x2 + dy * y2) / (l1 * sine), (dx * x1 + dy * y1) / (l2 * sine)
        ddux[j], dduy[j] = -rise1 * y1 - turn1 * turn1 * x1, rise1 * x1 - turn1 * turn1 * y1
        ddwx[j], ddwy[j] = -rise2 * y2 - turn2 * turn2 * x2, rise2 * x2 - turn2 * turn2 * y2
    _states(conditioning, status, n)


@inlined
def _held(span, square, d, x, c3, n1, cos, mode):
    """Directions of a body whose axis n2 is at a fixed angle to n1 and that sees `span` as d n2 + x m + c3 k."""
    along, aside = _dot(n1, span), _cross(n1, span)
    area = _dot(aside, aside)
    alpha, beta = (cos * square - d * along) / area, (d - cos * along) / area
    gamma = mode * math.sqrt((1.0 - alpha * cos - beta * d) / area)
    n2 = _sum(1.0, _sum(alpha, n1, beta, span), gamma, aside)
    across = _sum(1.0, span, -d, n2)
    scale = 1.0 / (x * x + c3 * c3)
    m = _sum(x * scale, across, -c3 * scale, _cross(n2, across))
    return n2, m, _cross(n2, m), abs(gamma) * area / math.sqrt(square)


@inlined
def _spin(span, square, slip, n1, n2, rest):
    """ω with ω × span = slip and n1·(ω × n2) = -rest."""
    part, normal = _cross(span, slip), _cross(n2, n1)
    return _sum(1.0 / square, part, -(rest + _dot(part, normal) / square) / _dot(span, normal), span)


@inlined
def _bent(w, dw, e, de):
    return _sum(1.0, _cross(dw, e), 1.0, _cross(w, de))


@loop
def ups(q, v, a, memory, rows, constants, status, conditioning, n):
    c1, c2, c3, s1, s2, cos, side, mode = constants
    out = rows[3]
    p, dp, ddp = _rows(q, rows[0], n), _rows(v, rows[0], n), _rows(a, rows[0], n)
    e, de, dde = _rows(q, rows[1], n), _rows(v, rows[1], n), _rows(a, rows[1], n)
    s, ds, dds = _rows(q, rows[2], n), _rows(v, rows[2], n), _rows(a, rows[2], n)
    x, dx, ddx = _rows(q, out, n), _rows(v, out, n), _rows(a, out, n)
    y, dy, ddy = _rows(q, out + 3, n), _rows(v, out + 3, n), _rows(a, out + 3, n)
    z, dz, ddz = _rows(q, out + 6, n), _rows(v, out + 6, n), _rows(a, out + 6, n)
    cond = conditioning[:n]
    for j in range(cond.size):
        n1, dn1 = _at(e, j), _at(de, j)
        span = _sum(1.0, _at(s, j), -1.0, _at(p, j))
        square = _dot(span, span)
        t = side * math.sqrt(square - c1 * c1 - c2 * c2 - c3 * c3)
        n2, m, k, share = _held(span, square, c1 + t * s1, c2 + t * s2, c3, n1, cos, mode)
        cond[j] = min(abs(t) / math.sqrt(square), share)
        _store(x, j, n2)
        _store(y, j, m)
        _store(z, j, k)
        slide = _sum(s1, n2, s2, m)
        moved = _sum(1.0, _at(ds, j), -1.0, _at(dp, j))
        rate = _dot(span, moved) / t
        w = _spin(span, square, _sum(1.0, moved, -rate, slide), n1, n2, _dot(dn1, n2))
        dn2, dm, dk = _cross(w, n2), _cross(w, m), _cross(w, k)
        _store(dx, j, dn2)
        _store(dy, j, dm)
        _store(dz, j, dk)
        second = _sum(1.0, _at(dds, j), -1.0, _at(ddp, j))
        gain = (_dot(span, second) + _dot(moved, moved) - rate * rate) / t
        slip = _sum(1.0, _sum(1.0, second, -gain, slide), -1.0, _cross(w, _sum(1.0, moved, rate, slide)))
        rest = _dot(_at(dde, j), n2) + 2.0 * _dot(dn1, dn2) + _dot(n1, _cross(w, dn2))
        g = _spin(span, square, slip, n1, n2, rest)
        _store(ddx, j, _bent(w, g, n2, dn2))
        _store(ddy, j, _bent(w, g, m, dm))
        _store(ddz, j, _bent(w, g, k, dk))
    _states(conditioning, status, n)


@loop
def pus(q, v, a, memory, rows, constants, status, conditioning, n):
    length, side, c1, c2, c3, cos, mode = constants
    out = rows[4]
    o, do, ddo = _rows(q, rows[0], n), _rows(v, rows[0], n), _rows(a, rows[0], n)
    s, ds, dds = _rows(q, rows[1], n), _rows(v, rows[1], n), _rows(a, rows[1], n)
    d, dd, ddd = _rows(q, rows[2], n), _rows(v, rows[2], n), _rows(a, rows[2], n)
    e, de, dde = _rows(q, rows[3], n), _rows(v, rows[3], n), _rows(a, rows[3], n)
    c, dc, ddc = _rows(q, out, n), _rows(v, out, n), _rows(a, out, n)
    x, dx, ddx = _rows(q, out + 3, n), _rows(v, out + 3, n), _rows(a, out + 3, n)
    y, dy, ddy = _rows(q, out + 6, n), _rows(v, out + 6, n), _rows(a, out + 6, n)
    z, dz, ddz = _rows(q, out + 9, n), _rows(v, out + 9, n), _rows(a, out + 9, n)
    cond, square = conditioning[:n], length * length
    for j in range(cond.size):
        slide, dslide, n1, dn1 = _at(s, j), _at(ds, j), _at(e, j), _at(de, j)
        reach = _sum(1.0, _at(d, j), -1.0, _at(o, j))
        along = _dot(reach, slide)
        root = side * math.sqrt(square - _dot(reach, reach) + along * along)
        path = along + root
        span = _sum(1.0, reach, -path, slide)
        n2, m, k, share = _held(span, square, c1, c2, c3, n1, cos, mode)
        cond[j] = min(abs(root) / length, share)
        _store(c, j, _sum(1.0, _at(o, j), path, slide))
        _store(x, j, n2)
        _store(y, j, m)
        _store(z, j, k)
        reach = _sum(1.0, _sum(1.0, _at(dd, j), -1.0, _at(do, j)), -path, dslide)
        rate = -_dot(span, reach) / root
        moved = _sum(1.0, reach, -rate, slide)
        w = _spin(span, square, moved, n1, n2, _dot(dn1, n2))
        dn2, dm, dk = _cross(w, n2), _cross(w, m), _cross(w, k)
        _store(dc, j, _sum(1.0, _at(do, j), 1.0, _sum(path, dslide, rate, slide)))
        _store(dx, j, dn2)
        _store(dy, j, dm)
        _store(dz, j, dk)
        extra = _sum(path, _at(dds, j), 2.0 * rate, dslide)
        reach = _sum(1.0, _sum(1.0, _at(ddd, j), -1.0, _at(ddo, j)), -1.0, extra)
        gain = -(_dot(span, reach) + _dot(moved, moved)) / root
        slip = _sum(1.0, _sum(1.0, reach, -gain, slide), -1.0, _cross(w, moved))
        rest = _dot(_at(dde, j), n2) + 2.0 * _dot(dn1, dn2) + _dot(n1, _cross(w, dn2))
        g = _spin(span, square, slip, n1, n2, rest)
        _store(ddc, j, _sum(1.0, _sum(1.0, _at(ddo, j), gain, slide), 1.0, extra))
        _store(ddx, j, _bent(w, g, n2, dn2))
        _store(ddy, j, _bent(w, g, m, dm))
        _store(ddz, j, _bent(w, g, k, dk))
    _states(conditioning, status, n)


BY_HAND = {
    ("driven R", 2): driven_r_in_plane,
    ("driven R", 3): driven_r_in_space,
    ("RRR", 2): rrr,
    ("U-P-S", 3): ups,
    ("P-U-S", 3): pus,
}
"""Loops by name and dimension of the group."""
