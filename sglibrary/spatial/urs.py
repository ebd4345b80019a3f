"""The chains U-R-S and U-C-S, one freedom of C driven, between two solved bodies: a leg that folds or turns.

The axis r of the middle joint is fixed in both bodies. From the U joint at P the first body sees the S joint at

    λ = H r + (m + ρ cos φ) x + ρ sin φ y,

with the directions x, across r from P to the axis, and y = r × x; m is the distance of P, ρ that of the S joint from
the axis. Its length is that of L = S - P, which gives the one that is not known of φ and H:

    cos φ = (L² - m² - ρ² - H²) / (2 m ρ)               (R: H is constant; C with its displacement driven: H varies)
    H = ± √(L² - m² - ρ² - 2 m ρ cos φ)                 (C with its angle driven)

The sign of sin φ, or of H, is the first assembly mode, |sin φ| or |H| / |L| its conditioning. Rates follow from the
derivatives of L² = H² + m² + ρ² + 2 m ρ cos φ. The orientation of the first body follows from L = λ and the axis n1 of
the U joint (`sglibrary.spatial.orientation`, second mode); the second one turns about r by φ.

Written are H, cos φ, sin φ, then n2, m, k of the first body and r, u, w of the second, u from its axis to the S joint.
"""

import math

import numpy as np

from sglibrary.array_types import Array
from sglibrary.arrays import across, components, in_frame, inner, length, quarter, sign, stack, unit
from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import formula, kernel
from sglibrary.spatial.orientation import orient, orient_gain, orient_rate, orientation
from sglibrary.status import report
from sglibrary.vectors import axpy, carried, cross, dot, get, lessen, minus, plus, put_triad, space, sqrt, times, triad

WRITTEN = 21


@kernel
def urs(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: P, n1, S; constants: see `_hold`, then H."""
    out, height = rows[3], constants[14]
    x, dx, ddx = q[out, :n], v[out, :n], a[out, :n]
    for j in range(x.size):
        x[j], dx[j], ddx[j] = height, 0.0, 0.0
    _fold(q, v, a, rows, out, constants, conditioning, n)
    _hold(q, v, a, rows, out, constants, conditioning, n)
    report(q, v, a, rows, 3, out, WRITTEN, status, conditioning, n)


@kernel
def ucs_slid(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: P, n1, S, driver; constants: see `_hold`, then H without the displacement, sign of the driver."""
    driver, out, height, sign = rows[3], rows[4], constants[14], constants[15]
    x, dx, ddx = q[out, :n], v[out, :n], a[out, :n]
    s, ds, dds = q[driver, :n], v[driver, :n], a[driver, :n]
    for j in range(x.size):
        x[j], dx[j], ddx[j] = height + sign * s[j], sign * ds[j], sign * dds[j]
    _fold(q, v, a, rows, out, constants, conditioning, n)
    _hold(q, v, a, rows, out, constants, conditioning, n)
    report(q, v, a, rows, 4, out, WRITTEN, status, conditioning, n)


@kernel
def ucs_turned(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: P, n1, S, driver; constants: see `_hold`, then cosine and sine of φ at angle zero, sign of the driver."""
    _slide(q, v, a, rows, rows[4], constants, conditioning, n)
    _hold(q, v, a, rows, rows[4], constants, conditioning, n)
    report(q, v, a, rows, 4, rows[4], WRITTEN, status, conditioning, n)


@kernel
def _fold(q, v, a, rows, out, constants, conditioning, n):
    """The angle of the leg: cos φ and sin φ from H."""
    m, radius, mode = constants[0], constants[1], constants[2]
    p, dp, ddp = space(q, rows[0], n), space(v, rows[0], n), space(a, rows[0], n)
    d, dd, ddd = space(q, rows[2], n), space(v, rows[2], n), space(a, rows[2], n)
    h, dh, ddh = q[out, :n], v[out, :n], a[out, :n]
    c, dc, ddc = q[out + 1, :n], v[out + 1, :n], a[out + 1, :n]
    s, ds, dds = q[out + 2, :n], v[out + 2, :n], a[out + 2, :n]
    cond = conditioning[:n]
    share = 1.0 / (m * radius)
    for j in range(cond.size):
        span = minus(get(d, j), get(p, j))
        cosine = 0.5 * (dot(span, span) - m * m - radius * radius - h[j] * h[j]) * share
        sine = mode * sqrt(1.0 - cosine * cosine)
        c[j], s[j] = cosine, sine
        cond[j] = math.fabs(sine)

        moved = minus(get(dd, j), get(dp, j))
        rate = (h[j] * dh[j] - dot(span, moved)) * share / sine
        dc[j], ds[j] = -sine * rate, cosine * rate

        second = minus(get(ddd, j), get(ddp, j))
        known = h[j] * ddh[j] + dh[j] * dh[j] - dot(span, second) - dot(moved, moved)
        gain = (known * share - cosine * rate * rate) / sine
        ddc[j], dds[j] = -sine * gain - cosine * rate * rate, cosine * gain - sine * rate * rate


@kernel
def _slide(q, v, a, rows, out, constants, conditioning, n):
    """The length of the leg: H from the driven angle."""
    m, radius, mode = constants[0], constants[1], constants[2]
    c0, s0, sign = constants[14], constants[15], constants[16]
    driver = rows[3]
    p, dp, ddp = space(q, rows[0], n), space(v, rows[0], n), space(a, rows[0], n)
    d, dd, ddd = space(q, rows[2], n), space(v, rows[2], n), space(a, rows[2], n)
    ct, st, rate, gain = q[driver + 1, :n], q[driver + 2, :n], v[driver, :n], a[driver, :n]
    h, dh, ddh = q[out, :n], v[out, :n], a[out, :n]
    c, dc, ddc = q[out + 1, :n], v[out + 1, :n], a[out + 1, :n]
    s, ds, dds = q[out + 2, :n], v[out + 2, :n], a[out + 2, :n]
    cond = conditioning[:n]
    both = m * radius
    for j in range(cond.size):
        cosine, sine = c0 * ct[j] - sign * s0 * st[j], s0 * ct[j] + sign * c0 * st[j]
        span = minus(get(d, j), get(p, j))
        square = dot(span, span)
        height = mode * sqrt(square - m * m - radius * radius - 2.0 * both * cosine)
        c[j], s[j], h[j] = cosine, sine, height
        cond[j] = math.fabs(height) / math.sqrt(square)

        speed = sign * rate[j]
        cosine_rate, sine_rate = -sine * speed, cosine * speed
        moved = minus(get(dd, j), get(dp, j))
        climb = (dot(span, moved) - both * cosine_rate) / height
        dc[j], ds[j], dh[j] = cosine_rate, sine_rate, climb

        rise = sign * gain[j]
        cosine_gain = -sine * rise - cosine * speed * speed
        second = minus(get(ddd, j), get(ddp, j))
        known = dot(span, second) + dot(moved, moved) - both * cosine_gain
        ddc[j], dds[j], ddh[j] = cosine_gain, cosine * rise - sine * speed * speed, (known - climb * climb) / height


@formula
def _mix(x, y, z, c):
    """The sum of three directions with the factors c."""
    return axpy(c[0], x, axpy(c[1], y, times(c[2], z)))


@kernel
def _hold(q, v, a, rows, out, constants, conditioning, n):
    """Both bodies, from H, cos φ and sin φ.

    constants: m, ρ, first mode, cos δ, second mode, then r, x and y in the directions n2, m, k of the first body.
    """
    arm, radius, cos, mode = constants[0], constants[1], constants[3], constants[4]
    r = constants[5], constants[6], constants[7]
    x = constants[8], constants[9], constants[10]
    y = constants[11], constants[12], constants[13]
    p, dp, ddp = space(q, rows[0], n), space(v, rows[0], n), space(a, rows[0], n)
    f, df, ddf = space(q, rows[1], n), space(v, rows[1], n), space(a, rows[1], n)
    d, dd, ddd = space(q, rows[2], n), space(v, rows[2], n), space(a, rows[2], n)
    h, dh, ddh = space(q, out, n), space(v, out, n), space(a, out, n)
    e, de, dde = triad(q, out + 3, n), triad(v, out + 3, n), triad(a, out + 3, n)
    g, dg, ddg = triad(q, out + 12, n), triad(v, out + 12, n), triad(a, out + 12, n)
    cond = conditioning[:n]
    for j in range(cond.size):
        height, c, s = get(h, j)
        n1, dn1 = get(f, j), get(df, j)
        span = minus(get(d, j), get(p, j))
        square = dot(span, span)
        local = _mix(r, x, y, (height, arm + radius * c, radius * s))
        n2, m, k, share = orient(span, square, local[0], local[1], local[2], n1, cos, mode)
        lessen(cond, j, share)
        axis = _mix(n2, m, k, r)
        u = _mix(n2, m, k, axpy(c, x, times(s, y)))
        w = cross(axis, u)
        put_triad(e, j, (n2, m, k))
        put_triad(g, j, (axis, u, w))

        climb, dc, ds = get(dh, j)
        turn = c * ds - s * dc
        moved = minus(get(dd, j), get(dp, j))
        own = axpy(climb, axis, times(radius * turn, w))
        omega = orient_rate(span, square, minus(moved, own), n1, dn1, n2)
        dn2, dm, dk, daxis = cross(omega, n2), cross(omega, m), cross(omega, k), cross(omega, axis)
        spin = axpy(turn, axis, omega)
        du, dw = cross(spin, u), cross(spin, w)
        put_triad(de, j, (dn2, dm, dk))
        put_triad(dg, j, (daxis, du, dw))

        rise, ddc, dds = get(ddh, j)
        twist = c * dds - s * ddc
        second = minus(get(ddd, j), get(ddp, j))
        change = axpy(rise, axis, axpy(radius * twist, w, times(-radius * turn * turn, u)))
        # ω × (ω × L + 2 λ') = ω × (L' + λ')
        slip = minus(minus(second, change), cross(omega, plus(moved, own)))
        alpha = orient_gain(span, square, slip, n1, dn1, get(ddf, j), n2, dn2, omega)
        gain = axpy(twist, axis, axpy(turn, daxis, alpha))
        ddn2, ddm, ddk = carried(omega, alpha, n2, dn2), carried(omega, alpha, m, dm), carried(omega, alpha, k, dk)
        put_triad(dde, j, (ddn2, ddm, ddk))
        ddu, ddw = carried(spin, gain, u, du), carried(spin, gain, w, dw)
        put_triad(ddg, j, (carried(omega, alpha, axis, daxis), ddu, ddw))


def measure_urs(g: ChainGeometry) -> Measured:
    """Constants and bases of the chain U-R-S."""
    return _measured(g, _folded(g), (_height(g),))


def measure_ucs_slid(g: ChainGeometry) -> Measured:
    """Constants and bases of the chain U-C-S with its displacement driven."""
    return _measured(g, _folded(g), (_height(g), g.signs[1]))


def measure_ucs_turned(g: ChainGeometry) -> Measured:
    """Constants and bases of the chain U-C-S with its angle driven."""
    # both arms in the joint frame, which the bodies share where the driven angle is zero
    arm, radial = (unit(in_frame(g.frame(1, side), x)[..., :2]) for side, x in enumerate(_arms(g)))
    height = inner(g.point(2, 0) - g.point(0, 1), g.axis(1, 0))
    return _measured(g, height, (inner(arm, radial), inner(quarter(arm), radial), g.signs[1]))


def _arms(g: ChainGeometry) -> tuple[Array, Array]:
    """From the U joint to the middle axis in the first body, and from there to the S joint in the second."""
    first, second = g.point(1, 0) - g.point(0, 1), g.point(2, 0) - g.point(1, 1)
    return across(first, g.axis(1, 0)), across(second, g.axis(1, 1))


def _height(g: ChainGeometry) -> Array:
    """H, without the displacement of a C joint."""
    first, second = g.point(1, 0) - g.point(0, 1), g.point(2, 0) - g.point(1, 1)
    return inner(first, g.axis(1, 0)) + inner(second, g.axis(1, 1))


def _folded(g: ChainGeometry) -> Array:
    """The sense of φ in the reference configuration."""
    arm, radial = _arms(g)
    return inner(np.cross(g.axis(1, 0), arm), radial)


def _measured(g: ChainGeometry, side: Array, more: tuple[Array, ...]) -> Measured:
    """`side` has the sign of the first mode."""
    center, end, hinge, r = g.point(0, 1), g.point(2, 0), g.frame(0, 1), g.axis(1, 0)
    arm, radial = _arms(g)
    m, radius, x, u, axis = length(arm), length(radial), unit(arm), unit(radial), g.axis(1, 1)
    # of the first body's directions only n2 is special: those of its joint frame will do
    frame, mode = orientation(end - center, g.axis(0, 0), hinge[..., 2], hinge[..., 0])
    seen = (components(in_frame(frame, direction)) for direction in (r, x, np.cross(r, x)))
    constants = (m, radius, sign(side), np.cos(g.cross_angles[..., 0]), mode, *(c for each in seen for c in each))
    bases = (
        Base(("in", 0), (("out", 3), ("out", 6), ("out", 9)), center, frame),
        Base(("in", 2), (("out", 12), ("out", 15), ("out", 18)), end, stack(axis, u, np.cross(axis, u))),
    )
    return Measured(stack(*constants, *more), bases, valid=g.long(m) & g.long(radius))
