"""Bodies driven by three angles (S), or in all six freedoms (F), relative to a solved one.

With the axes n, b, e of the joint frame on the solved body: the directions [n b e] Rx(α) Ry(β) Rz(γ), intrinsic
rotations, and the point p + x n + y b + z e. The angular velocity is that of the frame, α' about n, β' about the
turned b and γ' about the last axis; an axis k that turns with Ω changes by Ω × k.

Seen from the second body, with n, b, e on it, the directions are [n b e] Rz(-γ) Ry(-β) Rx(-α) = [e -b n] Rx(-γ) Ry(β)
Rz(-α) Q, where Q exchanges the first and the last column and negates the middle one: the same formulas, with other
rows and signs, give [u w k] = [n' b' e'] Q of the first body. Its point is p - x n' - y b' - z e', or
p - x k + y w - z u.
"""

import numpy as np

from sglibrary.chain import Array, Base, ChainGeometry, Measured
from sglibrary.convention import formula, kernel
from sglibrary.report import known
from sglibrary.vectors import axpy, carried, cross, get, put, space, spin, spin_gain, times


@kernel
def spherical(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: point, n, b, e, drivers α, β, γ; written: three directions. constants: sign of the drivers."""
    _directions(q, v, a, rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], rows[7], constants[0], n)
    known(q, v, a, rows, 7, rows[7], 9, status, conditioning, n)


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: point, n, b, e, drivers x, y, z, α, β, γ; written: point, then three directions.

    constants: sign of the drivers.
    """
    sign, out = constants[0], rows[10]
    _directions(q, v, a, rows[1], rows[2], rows[3], rows[7], rows[8], rows[9], out + 3, sign, n)
    if sign > 0.0:
        _point(q, v, a, rows, rows[1], rows[2], rows[3], sign, n)
    else:
        _point(q, v, a, rows, out + 9, out + 6, out + 3, sign, n)
    known(q, v, a, rows, 10, out, 12, status, conditioning, n)


@kernel
def _point(q, v, a, rows, first, second, third, sign, n):
    x, y, z = q[rows[4], :n], q[rows[5], :n], q[rows[6], :n]
    dx, dy, dz = v[rows[4], :n], v[rows[5], :n], v[rows[6], :n]
    ddx, ddy, ddz = a[rows[4], :n], a[rows[5], :n], a[rows[6], :n]
    for i in range(3):
        p, dp, ddp = q[rows[0] + i, :n], v[rows[0] + i, :n], a[rows[0] + i, :n]
        e0, de0, dde0 = q[first + i, :n], v[first + i, :n], a[first + i, :n]
        e1, de1, dde1 = q[second + i, :n], v[second + i, :n], a[second + i, :n]
        e2, de2, dde2 = q[third + i, :n], v[third + i, :n], a[third + i, :n]
        out, rate, gain = q[rows[10] + i, :n], v[rows[10] + i, :n], a[rows[10] + i, :n]
        for j in range(out.size):
            r0, r1, r2 = sign * e0[j], e1[j], sign * e2[j]
            dr0, dr1, dr2 = sign * de0[j], de1[j], sign * de2[j]
            out[j] = p[j] + _mix(x[j], y[j], z[j], r0, r1, r2)
            rate[j] = dp[j] + _mix(dx[j], dy[j], dz[j], r0, r1, r2) + _mix(x[j], y[j], z[j], dr0, dr1, dr2)
            gain[j] = (
                ddp[j]
                + _mix(ddx[j], ddy[j], ddz[j], r0, r1, r2)
                + 2.0 * _mix(dx[j], dy[j], dz[j], dr0, dr1, dr2)
                + _mix(x[j], y[j], z[j], sign * dde0[j], dde1[j], sign * dde2[j])
            )


@formula
def _mix(x, y, z, e0, e1, e2):
    return x * e0 + y * e1 + z * e2


@kernel
def _directions(q, v, a, normal, binormal, axis, alpha, beta, gamma, row, sign, n):
    normal, axis = (normal, axis) if sign > 0.0 else (axis, normal)
    alpha, gamma = (alpha, gamma) if sign > 0.0 else (gamma, alpha)
    x, y, z = space(q, normal, n), space(q, binormal, n), space(q, axis, n)
    dx, dy, dz = space(v, normal, n), space(v, binormal, n), space(v, axis, n)
    ddx, ddy, ddz = space(a, normal, n), space(a, binormal, n), space(a, axis, n)
    ca, sa, rate0, gain0 = q[alpha + 1, :n], q[alpha + 2, :n], v[alpha, :n], a[alpha, :n]
    cb, sb, rate1, gain1 = q[beta + 1, :n], q[beta + 2, :n], v[beta, :n], a[beta, :n]
    cg, sg, rate2, gain2 = q[gamma + 1, :n], q[gamma + 2, :n], v[gamma, :n], a[gamma, :n]
    e0, e1, e2 = space(q, row, n), space(q, row + 3, n), space(q, row + 6, n)
    de0, de1, de2 = space(v, row, n), space(v, row + 3, n), space(v, row + 6, n)
    dde0, dde1, dde2 = space(a, row, n), space(a, row + 3, n), space(a, row + 6, n)
    for j in range(ca.size):
        frame = get(x, j), times(sign, get(y, j)), get(z, j)
        rates = get(dx, j), times(sign, get(dy, j)), get(dz, j)
        gains = get(ddx, j), times(sign, get(ddy, j)), get(ddz, j)
        turned = axpy(ca[j], frame[1], times(sign * sa[j], frame[2]))
        upright = axpy(ca[j], frame[2], times(-sign * sa[j], frame[1]))
        across = axpy(cb[j], frame[0], times(-sb[j], upright))
        last = axpy(sb[j], frame[0], times(cb[j], upright))
        u0 = axpy(cg[j], across, times(sign * sg[j], turned))
        u1 = axpy(cg[j], turned, times(-sign * sg[j], across))
        put(e0, j, u0)
        put(e1, j, u1)
        put(e2, j, last)

        turn0, turn2 = sign * rate0[j], sign * rate2[j]
        w0 = spin(frame[0], frame[1], frame[2], rates[0], rates[1], rates[2])
        w1 = axpy(turn0, frame[0], w0)
        w2 = axpy(rate1[j], turned, w1)
        w = axpy(turn2, last, w2)
        du0, du1, du2 = cross(w, u0), cross(w, u1), cross(w, last)
        put(de0, j, du0)
        put(de1, j, du1)
        put(de2, j, du2)

        g0 = spin_gain(frame[0], frame[1], frame[2], gains[0], gains[1], gains[2], w0)
        g1 = axpy(sign * gain0[j], frame[0], axpy(turn0, cross(w0, frame[0]), g0))
        g2 = axpy(gain1[j], turned, axpy(rate1[j], cross(w1, turned), g1))
        g = axpy(sign * gain2[j], last, axpy(turn2, cross(w2, last), g2))
        put(dde0, j, carried(w, g, u0, du0))
        put(dde1, j, carried(w, g, u1, du1))
        put(dde2, j, carried(w, g, last, du2))


REVERSED = np.array([[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]])
"""Q: directions written where the solved body is the second one, in terms of those of the first."""


def measure_spherical(g: ChainGeometry) -> Measured:
    base = Base(("in", 0), (("out", 0), ("out", 3), ("out", 6)), g.points[0, 1], _written(g))
    return Measured(np.array([g.signs[0]]), (base,))


def measure(g: ChainGeometry) -> Measured:
    base = Base(("out", 0), (("out", 3), ("out", 6), ("out", 9)), g.points[0, 1], _written(g))
    return Measured(np.array([g.signs[0]]), (base,))


def _written(g: ChainGeometry) -> Array:
    return g.frames[0, 1] if g.signs[0] > 0 else g.frames[0, 1] @ REVERSED
