"""The chains R-U-S and R-S-U between two solved bodies.

Body 1 turns on a solved axis; its joint with body 2, at C = O + h e + ρ u, keeps its distance from the solved point D
at the other end of body 2 (`sglibrary.spatial.circle`, first assembly mode). Body 2 then is held by its U joint and its
S joint (`sglibrary.spatial.orientation`, second mode). In R-U-S the U joint is between the bodies and its axis n1 is
fixed in body 1; in R-S-U it is at D, its axis n1 fixed in the solved body. The constants are

    h, ρ, l, first mode, c1, c2, c3, cos δ, second mode, and for R-U-S n1 in the directions e, u, w of body 1.

Written are u, w of body 1 and n2, m, k of body 2.
"""

import math

import numpy as np

from sglibrary.array_types import Array
from sglibrary.arrays import components, in_frame, length, stack
from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import formula, kernel
from sglibrary.spatial.circle import meet, turning_body
from sglibrary.spatial.orientation import bent, bowed, held_by, hold, orientation, seen, turned, turning
from sglibrary.status import report
from sglibrary.vectors import axpy, cross, dot, fma, get, lessen, minus, put_triad, space, times, triad


@kernel
def rus(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: O, e, D; then u, w, n2, m, k."""
    meet(q, v, a, rows, rows[3], constants, conditioning, n)
    inside = constants[9], constants[10], constants[11]
    _second(q, v, a, rows, rows[3], rows[1], 1.0, inside, constants, conditioning, n)
    report(q, v, a, rows, 3, rows[3], 15, status, conditioning, n)


@kernel
def rsu(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: O, e, D, n1; then u, w, n2, m, k."""
    meet(q, v, a, rows, rows[4], constants, conditioning, n)
    _second(q, v, a, rows, rows[4], rows[3], -1.0, (1.0, 0.0, 0.0), constants, conditioning, n)
    report(q, v, a, rows, 4, rows[4], 15, status, conditioning, n)


@formula
def _rod(h, radius, o, e, d, u):
    """Vector E = D - C from the joint between the bodies to the far one, or a derivative of it."""
    return axpy(-radius, u, axpy(-h, e, minus(d, o)))


@formula
def _axis(local, e, u, w):
    """Vector with the `local` components in the directions of body 1, or a derivative of it."""
    return axpy(local[0], e, axpy(local[1], u, times(local[2], w)))


@kernel
def _second(q, v, a, rows, out, axis, sign, local, constants, conditioning, n):
    """Body 2; n1 has the components `local` in what `axis` is the row of and the directions u and w of body 1.

    `sign`: of the vector L from U to S along D - C.
    """
    h, radius, length, cos = constants[0], constants[1], constants[2], constants[7]
    # -L, with -c and the other mode, gives the same directions
    c1, c2, c3, mode = sign * constants[4], sign * constants[5], sign * constants[6], sign * constants[8]
    square, short = length * length, 1.0 / length
    o, do, ddo = space(q, rows[0], n), space(v, rows[0], n), space(a, rows[0], n)
    e, de, dde = space(q, rows[1], n), space(v, rows[1], n), space(a, rows[1], n)
    d, dd, ddd = space(q, rows[2], n), space(v, rows[2], n), space(a, rows[2], n)
    f, df, ddf = space(q, axis, n), space(v, axis, n), space(a, axis, n)
    u, du, ddu = space(q, out, n), space(v, out, n), space(a, out, n)
    w, dw, ddw = space(q, out + 3, n), space(v, out + 3, n), space(a, out + 3, n)
    x, dx, ddx = triad(q, out + 6, n), triad(v, out + 6, n), triad(a, out + 6, n)
    cond = conditioning[:n]
    for j in range(cond.size):
        rod = _rod(h, radius, get(o, j), get(e, j), get(d, j), get(u, j))
        n1 = _axis(local, get(f, j), get(u, j), get(w, j))
        frame, held, lever = hold(rod, square, c1, c2, c3, n1, cos, mode)
        n2, inverse = frame[0], 1.0 / lever
        lessen(cond, j, math.fabs(lever) * short)
        put_triad(x, j, frame)

        moved = seen(frame, _rod(h, radius, get(do, j), get(de, j), get(dd, j), get(du, j)))
        dn1 = _axis(local, get(df, j), get(du, j), get(dw, j))
        turn = turning(held, inverse, moved, dot(dn1, n2))
        rates = turned(frame, turn)
        put_triad(dx, j, rates)

        second = seen(frame, _rod(h, radius, get(ddo, j), get(dde, j), get(ddd, j), get(ddu, j)))
        ddn1 = _axis(local, get(ddf, j), get(ddu, j), get(ddw, j))
        # ω × (ω × L) = ω × L', for L is fixed in body 2
        slip = minus(second, cross(turn, moved))
        rise = turning(held, inverse, slip, dot(ddn1, n2) + fma(2.0, dot(dn1, rates[0]), bent(held, turn)))
        put_triad(ddx, j, bowed(frame, turn, rise))


def _measure(g: ChainGeometry, span: Array, n1: Array, n2: Array, cross_angle: Array, axis_on_first: bool) -> Measured:
    """What R-U-S and R-S-U share; `span` is the vector from U to S in body 1 of the chain."""
    far = g.point(2, 0)
    constants, directions = turning_body(g, g.point(1, 0), far, length(span))
    frame, mode = orientation(span, n1, n2, span)
    constants = (*constants, *components(in_frame(frame, span)), np.cos(cross_angle), mode)
    if axis_on_first:
        constants += components(in_frame(directions, n1))
    bases = (
        Base(("in", 0), (("in", 1), ("out", 0), ("out", 3)), g.point(0, 1), directions),
        Base(("in", 2), (("out", 6), ("out", 9), ("out", 12)), far, frame),
    )
    return Measured(stack(*constants), bases, valid=g.long(constants[1]) & held_by(g, span, n2))


def measure_rus(g: ChainGeometry) -> Measured:
    span = g.point(2, 0) - g.point(1, 1)
    return _measure(g, span, g.axis(1, 0), g.axis(1, 1), g.cross_angles[..., 1], axis_on_first=True)


def measure_rsu(g: ChainGeometry) -> Measured:
    span = g.point(1, 1) - g.point(2, 0)
    return _measure(g, span, g.axis(2, 1), g.axis(2, 0), g.cross_angles[..., 2], axis_on_first=False)
