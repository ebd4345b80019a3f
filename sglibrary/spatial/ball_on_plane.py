"""One body on R or P and with a ball on a plane (SP), the plane in the solved body or in the moving one.

On a revolute joint, with the axis e through O and directions u and w = e × u of the body, either condition is N·u = K:

    solved plane (Q, ν), ball at O + h e + ρ u:         N = ν,       K = ν·(Q - O - h e) / ρ
    solved ball D, plane (m e + p u)·(X - O) = c:       N = D - O,   K = (c - m N·e) / p

With the part N⊥ across e, u = (K N⊥ ± √(N⊥² - K²) e × N⊥) / N⊥²: the sign is the assembly mode, the root over |N⊥| the
conditioning. From u' = ω w - (e'·u) e, the derivatives of N·u = K give ω and ω', divided by N·w.

A slider keeps its directions, so the normal ν of the plane is known in both cases: e = ν·(Q - O) / ν·s places its point
C = O + e s, Q being on the other side of the contact. There is one assembly mode; |ν·s| is the conditioning.
"""

import math

import numpy as np

from sglibrary.arrays import across, in_frame, inner, length, sign, stack, unit
from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import formula, kernel
from sglibrary.status import report
from sglibrary.tolerances import DEGENERATE
from sglibrary.vectors import axpy, carried, cross, dot, get, minus, plus, put, space, sqrt, times, write


@kernel
def turning(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: O, e, Q or D, ν (of a solved plane); written: u, w.

    constants: 1 for a solved plane, 0 for a solved ball; sign of the mode; h, ρ, 0 or m, p, c.
    """
    if constants[0] == 1.0:
        _ball_turns(q, v, a, rows, constants, conditioning, n)
    else:
        _plane_turns(q, v, a, rows, constants, conditioning, n)
    report(q, v, a, rows, 4, rows[4], 6, status, conditioning, n)


@formula
def _directions(normal, k, axis, mode):
    """u and w, and the conditioning."""
    across = cross(axis, normal)
    square = dot(across, across)
    root = mode * sqrt(square - k * k)
    w = times(1.0 / square, axpy(k, across, times(root, cross(axis, across))))
    return cross(w, axis), w, math.fabs(root) / math.sqrt(square)


@formula
def _rate(normal, dnormal, dk, axis, tilt, u, w):
    """Angular velocity of u and w, and its part along the axis."""
    omega = (dk - dot(dnormal, u) + dot(tilt, u) * dot(normal, axis)) / dot(normal, w)
    return axpy(omega, axis, cross(axis, tilt)), omega


@formula
def _gain(normal, dnormal, ddnormal, ddk, axis, tilt, bend, u, du, w, spin, omega):
    """Angular acceleration of u and w."""
    known = axpy(omega, tilt, cross(axis, bend))
    rest = ddk - dot(ddnormal, u) - 2.0 * dot(dnormal, du) - dot(normal, carried(spin, known, u, du))
    return axpy(rest / dot(normal, w), axis, known)


@kernel
def _ball_turns(q, v, a, rows, constants, conditioning, n):
    mode, h, radius, out = constants[1], constants[2], constants[3], rows[4]
    o, do, ddo = space(q, rows[0], n), space(v, rows[0], n), space(a, rows[0], n)
    e, de, dde = space(q, rows[1], n), space(v, rows[1], n), space(a, rows[1], n)
    p, dp, ddp = space(q, rows[2], n), space(v, rows[2], n), space(a, rows[2], n)
    f, df, ddf = space(q, rows[3], n), space(v, rows[3], n), space(a, rows[3], n)
    x, dx, ddx = space(q, out, n), space(v, out, n), space(a, out, n)
    y, dy, ddy = space(q, out + 3, n), space(v, out + 3, n), space(a, out + 3, n)
    cond = conditioning[:n]
    share = 1.0 / radius
    for j in range(cond.size):
        axis, tilt, bend = get(e, j), get(de, j), get(dde, j)
        normal, dnormal, ddnormal = get(f, j), get(df, j), get(ddf, j)
        gap = axpy(-h, axis, minus(get(p, j), get(o, j)))
        u, w, share_of_root = _directions(normal, dot(normal, gap) * share, axis, mode)
        write(cond, j, share_of_root)
        put(x, j, u)
        put(y, j, w)

        dgap = axpy(-h, tilt, minus(get(dp, j), get(do, j)))
        spin, omega = _rate(normal, dnormal, (dot(dnormal, gap) + dot(normal, dgap)) * share, axis, tilt, u, w)
        du, dw = cross(spin, u), cross(spin, w)
        put(dx, j, du)
        put(dy, j, dw)

        ddgap = axpy(-h, bend, minus(get(ddp, j), get(ddo, j)))
        ddk = (dot(ddnormal, gap) + 2.0 * dot(dnormal, dgap) + dot(normal, ddgap)) * share
        gain = _gain(normal, dnormal, ddnormal, ddk, axis, tilt, bend, u, du, w, spin, omega)
        put(ddx, j, carried(spin, gain, u, du))
        put(ddy, j, carried(spin, gain, w, dw))


@kernel
def _plane_turns(q, v, a, rows, constants, conditioning, n):
    mode, m, part, c, out = constants[1], constants[2], constants[3], constants[4], rows[4]
    o, do, ddo = space(q, rows[0], n), space(v, rows[0], n), space(a, rows[0], n)
    e, de, dde = space(q, rows[1], n), space(v, rows[1], n), space(a, rows[1], n)
    d, dd, ddd = space(q, rows[2], n), space(v, rows[2], n), space(a, rows[2], n)
    x, dx, ddx = space(q, out, n), space(v, out, n), space(a, out, n)
    y, dy, ddy = space(q, out + 3, n), space(v, out + 3, n), space(a, out + 3, n)
    cond = conditioning[:n]
    share = 1.0 / part
    for j in range(cond.size):
        axis, tilt, bend = get(e, j), get(de, j), get(dde, j)
        span, dspan = minus(get(d, j), get(o, j)), minus(get(dd, j), get(do, j))
        ddspan = minus(get(ddd, j), get(ddo, j))
        u, w, share_of_root = _directions(span, (c - m * dot(span, axis)) * share, axis, mode)
        write(cond, j, share_of_root)
        put(x, j, u)
        put(y, j, w)

        dk = -m * (dot(dspan, axis) + dot(span, tilt)) * share
        spin, omega = _rate(span, dspan, dk, axis, tilt, u, w)
        du, dw = cross(spin, u), cross(spin, w)
        put(dx, j, du)
        put(dy, j, dw)

        ddk = -m * (dot(ddspan, axis) + 2.0 * dot(dspan, tilt) + dot(span, bend)) * share
        gain = _gain(span, dspan, ddspan, ddk, axis, tilt, bend, u, du, w, spin, omega)
        put(ddx, j, carried(spin, gain, u, du))
        put(ddy, j, carried(spin, gain, w, dw))


@kernel
def sliding(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: O, s, Q, ν; written: C."""
    out = rows[4]
    o, do, ddo = space(q, rows[0], n), space(v, rows[0], n), space(a, rows[0], n)
    s, ds, dds = space(q, rows[1], n), space(v, rows[1], n), space(a, rows[1], n)
    p, dp, ddp = space(q, rows[2], n), space(v, rows[2], n), space(a, rows[2], n)
    f, df, ddf = space(q, rows[3], n), space(v, rows[3], n), space(a, rows[3], n)
    c, dc, ddc = space(q, out, n), space(v, out, n), space(a, out, n)
    cond = conditioning[:n]
    for j in range(cond.size):
        slide, tilt, normal, dnormal = get(s, j), get(ds, j), get(f, j), get(df, j)
        cosine = dot(normal, slide)
        share = 1.0 / cosine
        reach = minus(get(p, j), get(o, j))
        e = dot(normal, reach) * share
        gap = axpy(-e, slide, reach)
        write(cond, j, math.fabs(cosine))
        put(c, j, axpy(e, slide, get(o, j)))

        reach = axpy(-e, tilt, minus(get(dp, j), get(do, j)))
        de = (dot(dnormal, gap) + dot(normal, reach)) * share
        dgap = axpy(-de, slide, reach)
        put(dc, j, plus(get(do, j), axpy(e, tilt, times(de, slide))))

        extra = axpy(e, get(dds, j), times(2.0 * de, tilt))
        reach = minus(minus(get(ddp, j), get(ddo, j)), extra)
        dde = (dot(get(ddf, j), gap) + 2.0 * dot(dnormal, dgap) + dot(normal, reach)) * share
        put(ddc, j, plus(get(ddo, j), axpy(dde, slide, extra)))
    report(q, v, a, rows, 4, out, 3, status, conditioning, n)


def measure_turning(g: ChainGeometry) -> Measured:
    """Constants and base of a body on R and SP."""
    origin, axis, solved, own = g.point(0, 1), g.axis(0, 1), g.point(1, 0), g.point(1, 1)
    plane = g.signs[1] > 0
    normal = g.axis(1, 0 if plane else 1)
    # of the moving body: the place of its ball, or the normal of its plane
    vector = own - origin if plane else normal
    radial = across(vector, axis)
    radius, u = length(radial), unit(radial)
    w = np.cross(axis, u)
    mode = sign(-inner(normal if plane else solved - origin, w))
    height = 0.0 if plane else inner(normal, own - origin)
    base = Base(("in", 0), (("in", 1), ("out", 0), ("out", 3)), origin, stack(axis, u, w))
    constants = stack(float(plane), mode, inner(vector, axis), radius, height)
    return Measured(constants, (base,), valid=g.long(radius) if plane else radius > DEGENERATE)


def measure_sliding(g: ChainGeometry) -> Measured:
    """Constants and base of a body on P and SP."""
    guide, own = g.frame(0, 1), g.point(1, 1)
    start = (0, True, in_frame(guide, own - g.point(0, 1)) * [1.0, 1.0, 0.0])
    solved = (1, False, np.array([0.0, 0.0, 1.0]))
    normal = solved if g.signs[1] > 0 else (0, False, in_frame(guide, g.axis(1, 1)))
    base = Base(("out", 0), (("in", 4), ("in", 5), ("in", 1)), own, guide)
    return Measured(np.zeros(1), (base,), (start, normal))
