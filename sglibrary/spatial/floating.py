"""Bodies driven by three angles (S), or in all six freedoms (F), relative to a solved one.

With the axes n, b, e of the joint frame on the solved body: the directions [n b e] Rx(α) Ry(β) Rz(γ), intrinsic
rotations, and the point p + x n + y b + z e. Angular velocity w and acceleration g go along, in components of the
directions reached: a turn by θ about axis i takes w to R' w + θ' i and g to R' g + θ'' i - θ' i × R' w.

Seen from the second body, with n, b, e on it, the directions are [n b e] Rz(-γ) Ry(-β) Rx(-α) = [e -b n] Rx(-γ) Ry(β)
Rz(-α) Q, where Q exchanges the first and the last column and negates the middle one: the same formulas, with other
rows and signs, give [u w k] = [n' b' e'] Q of the first body. Its point is p - x n' - y b' - z e', or
p - x k + y w - z u.
"""

import numpy as np

from sglibrary.array_types import Array
from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import formula, kernel
from sglibrary.spatial.orientation import bowed, turned
from sglibrary.status import report
from sglibrary.vectors import axpy, dot, fma, get, lessen, put, put_triad, read, space, times, triad, write


@kernel
def spherical(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: point, n, b, e, drivers α, β, γ; written: three directions. constants: sign of the drivers."""
    _directions(
        q, v, a, rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], rows[7], constants[0], conditioning, n
    )  # fmt: skip
    report(q, v, a, rows, 7, rows[7], 9, status, conditioning, n)


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: point, n, b, e, drivers x, y, z, α, β, γ; written: point, then three directions.

    constants: sign of the drivers.
    """
    sign, out = constants[0], rows[10]
    _directions(q, v, a, rows[1], rows[2], rows[3], rows[7], rows[8], rows[9], out + 3, sign, conditioning, n)
    if sign > 0.0:
        _point(q, v, a, rows, rows[1], rows[2], rows[3], sign, conditioning, n)
    else:
        _point(q, v, a, rows, out + 9, out + 6, out + 3, sign, conditioning, n)
    report(q, v, a, rows, 10, out, 12, status, conditioning, n)


@kernel
def _point(q, v, a, rows, first, second, third, sign, conditioning, n):
    """The point, from the displacements along three directions, the first and the third times `sign`."""
    p, dp, ddp = space(q, rows[0], n), space(v, rows[0], n), space(a, rows[0], n)
    x, dx, ddx = space(q, first, n), space(v, first, n), space(a, first, n)
    y, dy, ddy = space(q, second, n), space(v, second, n), space(a, second, n)
    z, dz, ddz = space(q, third, n), space(v, third, n), space(a, third, n)
    i0, i1, i2 = rows[4], rows[5], rows[6]
    o, do, ddo = space(q, rows[10], n), space(v, rows[10], n), space(a, rows[10], n)
    cond = conditioning[:n]
    for j in range(cond.size):
        base, dbase = (get(x, j), get(y, j), get(z, j)), (get(dx, j), get(dy, j), get(dz, j))
        s = sign * read((q, i0), j), read((q, i1), j), sign * read((q, i2), j)
        ds = sign * read((v, i0), j), read((v, i1), j), sign * read((v, i2), j)
        dds = sign * read((a, i0), j), read((a, i1), j), sign * read((a, i2), j)
        point = _along(s, base, get(p, j))
        lessen(cond, j, fma(0.0, point[0], 1.0))
        put(o, j, point)
        put(do, j, _along(ds, base, _along(s, dbase, get(dp, j))))
        carried = _along(s, (get(ddx, j), get(ddy, j), get(ddz, j)), get(ddp, j))
        put(ddo, j, _along(dds, base, _along(times(2.0, ds), dbase, carried)))


@kernel
def _directions(q, v, a, normal, binormal, axis, alpha, beta, gamma, row, sign, conditioning, n):
    normal, axis = (normal, axis) if sign > 0.0 else (axis, normal)
    alpha, gamma = (alpha, gamma) if sign > 0.0 else (gamma, alpha)
    x, dx, ddx = space(q, normal, n), space(v, normal, n), space(a, normal, n)
    y, dy, ddy = space(q, binormal, n), space(v, binormal, n), space(a, binormal, n)
    z, dz, ddz = space(q, axis, n), space(v, axis, n), space(a, axis, n)
    f, df, ddf = triad(q, row, n), triad(v, row, n), triad(a, row, n)
    cond = conditioning[:n]
    for j in range(cond.size):
        m, b, e = get(x, j), times(sign, get(y, j)), get(z, j)
        w0, w1, w2 = sign * dot(get(dy, j), e), dot(get(dz, j), m), dot(get(dx, j), b)
        g0 = fma(-w1, w2, sign * dot(get(ddy, j), e))
        g1 = fma(-w2, w0, dot(get(ddz, j), m))
        g2 = fma(-w0, w1, dot(get(ddx, j), b))

        c, s, turn = read((q, alpha + 1), j), sign * read((q, alpha + 2), j), sign * read((v, alpha), j)
        b, e = _swing(b, e, c, s)
        w1, w2, g1, g2 = _carry(w1, w2, g1, g2, c, s, turn)
        w0, g0 = w0 + turn, g0 + sign * read((a, alpha), j)
        c, s, turn = read((q, beta + 1), j), read((q, beta + 2), j), read((v, beta), j)
        e, m = _swing(e, m, c, s)
        w2, w0, g2, g0 = _carry(w2, w0, g2, g0, c, s, turn)
        w1, g1 = w1 + turn, g1 + read((a, beta), j)
        c, s, turn = read((q, gamma + 1), j), sign * read((q, gamma + 2), j), sign * read((v, gamma), j)
        m, b = _swing(m, b, c, s)
        w0, w1, g0, g1 = _carry(w0, w1, g0, g1, c, s, turn)
        w2, g2 = w2 + turn, g2 + sign * read((a, gamma), j)

        write(cond, j, fma(0.0, m[0], 1.0))
        frame, w = (m, b, e), (w0, w1, w2)
        put_triad(f, j, frame)
        put_triad(df, j, turned(frame, w))
        put_triad(ddf, j, bowed(frame, w, (g0, g1, g2)))


@formula
def _along(s, base, p):
    """The point p moved by s along three directions."""
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


REVERSED = np.array([[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]])
"""Q: directions written where the solved body is the second one, in terms of those of the first."""


def measure_spherical(g: ChainGeometry) -> Measured:
    base = Base(("in", 0), (("out", 0), ("out", 3), ("out", 6)), g.point(0, 1), _written(g))
    return Measured(np.array([g.signs[0]]), (base,))


def measure(g: ChainGeometry) -> Measured:
    base = Base(("out", 0), (("out", 3), ("out", 6), ("out", 9)), g.point(0, 1), _written(g))
    return Measured(np.array([g.signs[0]]), (base,))


def _written(g: ChainGeometry) -> Array:
    return g.frame(0, 1) if g.signs[0] > 0 else g.frame(0, 1) @ REVERSED
