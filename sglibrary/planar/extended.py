"""The dyads RRR and RRP with a driven joint inside their first body: a hydraulic cylinder, or an arm that is bent.

The two parts of that body, hinged at A and at C, are joined by P or R. Along and across a direction s of the first part
the second hinge is at C - A = λ, which the driver gives:

    λ = (e + x, c)                                   (P, displaced by x)
    λ = (p + b cos φ, b sin φ),  φ = φ0 + θ          (R, turned by θ)

With r = C - A, of length |λ|, follow RRR (body of length l from B; d = B - A)

    r = k d + h d⊥,   k = (λ² - l² + d²) / (2 d²),   h = ± √(λ²/d² - k²)

and RRP (C = B + e s2 + h s2⊥ on a known line) as `sglibrary.planar.rrr` and `rrp` have it; then
s = (λ1 r - λ2 r⊥) / λ². Rates follow from r' = μ + ω r⊥, μ being λ' along s and s⊥, and are divided by the sine between
r and w = (C - B) / l, or by the cosine between r and s2: the conditioning.

Constants 0 to 4 describe λ: e, c, or p, b cos φ0, b sin φ0; then, from 3 on, the sign of the driver, l or h, the mode.
"""

import math

import numpy as np

from sglibrary.array_types import Array, Flags
from sglibrary.arrays import components, from_frame, in_frame, inner, length, quarter, sign, stack, unit
from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import formula, kernel
from sglibrary.planar.revolute import turn
from sglibrary.status import report
from sglibrary.vectors import plane_motion, sqrt


@kernel
def rprr(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: A, B, driver; written: λ, s, C, w."""
    out, length, mode = rows[3], constants[4], constants[5]
    _displaced(q, v, a, rows[2], out, constants, n)
    _two_circles(q, v, a, rows[0], rows[1], out, length, mode, conditioning, n)
    report(q, v, a, rows, 3, out, 8, status, conditioning, n)


@kernel
def rrrr(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: A, B, driver; written: λ, s, C, w, direction of the second part."""
    out, sign, length, mode = rows[3], constants[3], constants[4], constants[5]
    _bent(q, v, a, rows[2], out, constants, n)
    _two_circles(q, v, a, rows[0], rows[1], out, length, mode, conditioning, n)
    turn(q, v, a, out + 2, rows[2], sign, out + 8, n)
    report(q, v, a, rows, 3, out, 10, status, conditioning, n)


@kernel
def rprp(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: A, B, s2, driver; written: λ, s, C."""
    out, height, mode = rows[4], constants[4], constants[5]
    _displaced(q, v, a, rows[3], out, constants, n)
    _circle_and_line(q, v, a, rows[0], rows[1], rows[2], out, height, mode, conditioning, n)
    report(q, v, a, rows, 4, out, 6, status, conditioning, n)


@kernel
def rrrp(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: A, B, s2, driver; written: λ, s, C, direction of the second part."""
    out, sign, height, mode = rows[4], constants[3], constants[4], constants[5]
    _bent(q, v, a, rows[3], out, constants, n)
    _circle_and_line(q, v, a, rows[0], rows[1], rows[2], out, height, mode, conditioning, n)
    turn(q, v, a, out + 2, rows[3], sign, out + 6, n)
    report(q, v, a, rows, 4, out, 8, status, conditioning, n)


@kernel
def _displaced(q, v, a, driver, out, constants, n):
    """The vector λ with its rates where the parts of the first body are joined by P."""
    start, offset, sign = constants[0], constants[1], constants[3]
    s, ds, dds = q[driver, :n], v[driver, :n], a[driver, :n]
    (x, y), (dx, dy), (ddx, ddy) = plane_motion(q, v, a, out, n)
    for j in range(x.size):
        x[j], y[j] = start + sign * s[j], offset
        dx[j], dy[j] = sign * ds[j], 0.0
        ddx[j], ddy[j] = sign * dds[j], 0.0


@kernel
def _bent(q, v, a, driver, out, constants, n):
    """The vector λ with its rates where the parts of the first body are joined by R."""
    arm, bx, by, sign = constants[0], constants[1], constants[2], constants[3]
    c, s, rate, gain = q[driver + 1, :n], q[driver + 2, :n], v[driver, :n], a[driver, :n]
    (x, y), (dx, dy), (ddx, ddy) = plane_motion(q, v, a, out, n)
    for j in range(x.size):
        px, py = c[j] * bx - sign * s[j] * by, c[j] * by + sign * s[j] * bx
        speed, rise = sign * rate[j], sign * gain[j]
        x[j], y[j] = arm + px, py
        dx[j], dy[j] = -speed * py, speed * px
        ddx[j], ddy[j] = -rise * py - speed * speed * px, rise * px - speed * speed * py


@formula
def _along(x, y, s0, s1):
    """The vector with the components x, y along and across a direction."""
    return x * s0 - y * s1, x * s1 + y * s0


@kernel
def _two_circles(q, v, a, first, second, out, length, mode, conditioning, n):
    """The directions s and w and the point C of RRR, from λ; `first` and `second` are the rows of A and B."""
    (ax, ay), (dax, day), (ddax, dday) = plane_motion(q, v, a, first, n)
    (bx, by), (dbx, dby), (ddbx, ddby) = plane_motion(q, v, a, second, n)
    (x, y), (dx, dy), (ddx, ddy) = plane_motion(q, v, a, out, n)
    (sx, sy), (dsx, dsy), (ddsx, ddsy) = plane_motion(q, v, a, out + 2, n)
    (cx, cy), (dcx, dcy), (ddcx, ddcy) = plane_motion(q, v, a, out + 4, n)
    (wx, wy), (dwx, dwy), (ddwx, ddwy) = plane_motion(q, v, a, out + 6, n)
    cond = conditioning[:n]
    for j in range(cond.size):
        d0, d1 = bx[j] - ax[j], by[j] - ay[j]
        inverse = 1.0 / (d0 * d0 + d1 * d1)
        square = x[j] * x[j] + y[j] * y[j]
        k = 0.5 + 0.5 * (square - length * length) * inverse
        h = mode * sqrt(square * inverse - k * k)
        r0, r1 = k * d0 - h * d1, k * d1 + h * d0
        w0, w1 = (r0 - d0) / length, (r1 - d1) / length
        s0, s1 = (x[j] * r0 + y[j] * r1) / square, (x[j] * r1 - y[j] * r0) / square
        area = r0 * w1 - r1 * w0
        cond[j] = math.fabs(area) / math.sqrt(square)
        sx[j], sy[j], wx[j], wy[j] = s0, s1, w0, w1
        cx[j], cy[j] = ax[j] + r0, ay[j] + r1

        share = 1.0 / area
        m0, m1 = _along(dx[j], dy[j], s0, s1)
        f0, f1 = dbx[j] - dax[j] - m0, dby[j] - day[j] - m1
        speed = (f0 * w0 + f1 * w1) * share
        spin = (f0 * r0 + f1 * r1) * share / length
        dsx[j], dsy[j], dwx[j], dwy[j] = -speed * s1, speed * s0, -spin * w1, spin * w0
        dcx[j], dcy[j] = dax[j] + m0 - speed * r1, day[j] + m1 + speed * r0

        g0, g1 = _along(ddx[j], ddy[j], s0, s1)
        known0 = g0 - 2.0 * speed * m1 - speed * speed * r0
        known1 = g1 + 2.0 * speed * m0 - speed * speed * r1
        f0 = ddbx[j] - ddax[j] - known0 - length * spin * spin * w0
        f1 = ddby[j] - dday[j] - known1 - length * spin * spin * w1
        rise = (f0 * w0 + f1 * w1) * share
        gain = (f0 * r0 + f1 * r1) * share / length
        ddsx[j], ddsy[j] = -rise * s1 - speed * speed * s0, rise * s0 - speed * speed * s1
        ddwx[j], ddwy[j] = -gain * w1 - spin * spin * w0, gain * w0 - spin * spin * w1
        ddcx[j], ddcy[j] = ddax[j] + known0 - rise * r1, dday[j] + known1 + rise * r0


@kernel
def _circle_and_line(q, v, a, first, second, direction, out, height, mode, conditioning, n):
    """The direction s and the point C of RRP, from λ; `first`, `second` and `direction` are the rows of A, B and s2."""
    (ax, ay), (dax, day), (ddax, dday) = plane_motion(q, v, a, first, n)
    (bx, by), (dbx, dby), (ddbx, ddby) = plane_motion(q, v, a, second, n)
    (tx, ty), (dtx, dty), (ddtx, ddty) = plane_motion(q, v, a, direction, n)
    (x, y), (dx, dy), (ddx, ddy) = plane_motion(q, v, a, out, n)
    (sx, sy), (dsx, dsy), (ddsx, ddsy) = plane_motion(q, v, a, out + 2, n)
    (cx, cy), (dcx, dcy), (ddcx, ddcy) = plane_motion(q, v, a, out + 4, n)
    cond = conditioning[:n]
    for j in range(cond.size):
        t0, t1 = tx[j], ty[j]
        g0, g1 = ax[j] - bx[j] + height * t1, ay[j] - by[j] - height * t0
        square, aside = x[j] * x[j] + y[j] * y[j], g1 * t0 - g0 * t1
        e = g0 * t0 + g1 * t1 + mode * sqrt(square - aside * aside)
        r0, r1 = e * t0 - g0, e * t1 - g1
        s0, s1 = (x[j] * r0 + y[j] * r1) / square, (x[j] * r1 - y[j] * r0) / square
        product = r0 * t0 + r1 * t1
        cond[j] = math.fabs(product) / math.sqrt(square)
        sx[j], sy[j], cx[j], cy[j] = s0, s1, ax[j] + r0, ay[j] + r1

        share = 1.0 / product
        m0, m1 = _along(dx[j], dy[j], s0, s1)
        k0, k1 = dbx[j] + e * dtx[j] - height * dty[j], dby[j] + e * dty[j] + height * dtx[j]
        p0, p1 = dax[j] + m0, day[j] + m1
        de = ((p0 - k0) * r0 + (p1 - k1) * r1) * share
        c0, c1 = k0 + de * t0, k1 + de * t1
        speed = ((c1 - p1) * r0 - (c0 - p0) * r1) / square
        dsx[j], dsy[j], dcx[j], dcy[j] = -speed * s1, speed * s0, c0, c1

        f0, f1 = _along(ddx[j], ddy[j], s0, s1)
        p0 = ddax[j] + f0 - 2.0 * speed * m1 - speed * speed * r0
        p1 = dday[j] + f1 + 2.0 * speed * m0 - speed * speed * r1
        k0 = ddbx[j] + e * ddtx[j] - height * ddty[j] + 2.0 * de * dtx[j]
        k1 = ddby[j] + e * ddty[j] + height * ddtx[j] + 2.0 * de * dty[j]
        dde = ((p0 - k0) * r0 + (p1 - k1) * r1) * share
        c0, c1 = k0 + dde * t0, k1 + dde * t1
        rise = ((c1 - p1) * r0 - (c0 - p0) * r1) / square
        ddsx[j], ddsy[j] = -rise * s1 - speed * speed * s0, rise * s0 - speed * speed * s1
        ddcx[j], ddcy[j] = c0, c1


def measure_rprr(g: ChainGeometry) -> Measured:
    """Constants and bases of RRR with a driven P joint in its first body."""
    return _joined(_cylinder(g), _arm(g))


def measure_rrrr(g: ChainGeometry) -> Measured:
    """Constants and bases of RRR with a driven R joint in its first body."""
    return _joined(_elbow(g, 8), _arm(g))


def measure_rprp(g: ChainGeometry) -> Measured:
    """Constants and bases of RRP with a driven P joint in its first body."""
    return _joined(_cylinder(g), _slider(g))


def measure_rrrp(g: ChainGeometry) -> Measured:
    """Constants and bases of RRP with a driven R joint in its first body."""
    return _joined(_elbow(g, 6), _slider(g))


Part = tuple[tuple[Array | float, ...], tuple[Base, ...], Flags]
"""Constants and bases of a part of the group, and where (...) the closed form applies to it."""


def _joined(first: Part, second: Part) -> Measured:
    return Measured(stack(*first[0], *second[0]), (*first[1], *second[1]), valid=first[2] & second[2])


def _cylinder(g: ChainGeometry) -> Part:
    """The first two bodies with P between them, in the directions of the slide."""
    near, far = g.frame(1, 0), g.frame(1, 1)
    start = in_frame(near, g.point(1, 0) - g.point(0, 1)) + in_frame(far, g.point(2, 0) - g.point(1, 1))
    bases = (
        Base(("in", 0), (("out", 2),), g.point(0, 1), near),
        Base(("out", 4), (("out", 2),), g.point(2, 0), far),
    )
    return (*components(start), 0.0, g.signs[1]), bases, np.array(True)


def _elbow(g: ChainGeometry, row: int) -> Part:
    """The first two bodies with R between them; `row` holds the direction of the second."""
    upper, fore = g.point(1, 0) - g.point(0, 1), g.point(2, 0) - g.point(1, 1)
    s = unit(upper)
    directions = stack(s, quarter(s))
    # the second body as it is where the driven angle is zero
    back = directions.swapaxes(-1, -2) @ g.frame(1, 0) @ g.frame(1, 1).swapaxes(-1, -2)
    bases = (
        Base(("in", 0), (("out", 2),), g.point(0, 1), directions),
        Base(("out", 4), (("out", row),), g.point(2, 0), back.swapaxes(-1, -2)),
    )
    constants = (length(upper), *components(from_frame(back, fore)), g.signs[1])
    return constants, bases, g.long(length(upper)) & g.long(length(fore))


def _arm(g: ChainGeometry) -> Part:
    """The last body, hinged at B."""
    arm, span = g.point(2, 1) - g.point(3, 0), g.point(2, 0) - g.point(0, 1)
    w, mode = unit(arm), sign(inner(quarter(span), arm))
    base = Base(("in", 1), (("out", 6),), g.point(3, 0), stack(w, quarter(w)))
    return (length(arm), mode), (base,), g.long(length(arm))


def _slider(g: ChainGeometry) -> Part:
    """The last body, on a slide."""
    slide, span = g.frame(3, 0), g.point(2, 0) - g.point(0, 1)
    height = inner(slide[..., 1], g.point(2, 1) - g.point(3, 0))
    mode = sign(inner(span, g.frame(3, 1)[..., 0]))
    return (height, mode), (Base(("out", 4), (("in", 2),), g.point(2, 1), slide),), np.array(True)
