"""The chains R-U-S and R-S-U between two solved bodies.

Body 1 turns on a solved axis; its joint with body 2, at C = O + h e + ρ u, keeps its distance from the solved point D
at the other end of body 2 (`sglibrary.spatial.circle`, first assembly mode). Body 2 then is held by its U joint and its
S joint (`sglibrary.spatial.orientation`, second mode). In R-U-S the U joint is between the bodies and its axis n1 is
fixed in body 1; in R-S-U it is at D, its axis n1 fixed in the solved body. The constants are

    h, ρ, l, first mode, c1, c2, c3, cos δ, second mode, and for R-U-S n1 in the directions e, u, w of body 1.

Written are u, w of body 1 and n2, m, k of body 2.
"""

import numpy as np

from sglibrary.chain import Array, Base, ChainGeometry, Measured
from sglibrary.convention import formula, kernel
from sglibrary.report import report
from sglibrary.spatial.circle import meet, turning_body
from sglibrary.spatial.orientation import orient, orient_gain, orient_rate, orientation
from sglibrary.vectors import carried, cross, dot, get, lower, minus, plus, put, space, times


@kernel
def rus(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: O, e, D; then u, w, n2, m, k."""
    meet(q, v, a, rows, rows[3], constants, conditioning, n)
    _second(q, v, a, rows, rows[3], rows[1], 1.0, True, constants, conditioning, n)
    report(q, v, a, rows, 3, rows[3], 15, status, conditioning, n)


@kernel
def rsu(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: O, e, D, n1; then u, w, n2, m, k."""
    meet(q, v, a, rows, rows[4], constants, conditioning, n)
    _second(q, v, a, rows, rows[4], rows[3], -1.0, False, constants, conditioning, n)
    report(q, v, a, rows, 4, rows[4], 15, status, conditioning, n)


@formula
def _rod(sign, h, radius, o, e, d, u):
    """Vector from the U joint to the S joint, or a derivative of it."""
    return times(sign, minus(minus(d, o), plus(times(h, e), times(radius, u))))


@formula
def _axis(inside, k0, k1, k2, e, u, w):
    """The axis n1: fixed in body 1 with components k, or the solved one itself."""
    return plus(times(k0, e), plus(times(k1, u), times(k2, w))) if inside else e


@kernel
def _second(q, v, a, rows, out, axis, sign, inside, constants, conditioning, n):
    """Body 2; `axis` is the row of n1, or of the axis e of body 1 if n1 is fixed `inside` body 1."""
    h, radius = constants[0], constants[1]
    c1, c2, c3, cos, mode = constants[4], constants[5], constants[6], constants[7], constants[8]
    k0, k1, k2 = (constants[9], constants[10], constants[11]) if inside else (0.0, 0.0, 0.0)
    o, do, ddo = space(q, rows[0], n), space(v, rows[0], n), space(a, rows[0], n)
    e, de, dde = space(q, rows[1], n), space(v, rows[1], n), space(a, rows[1], n)
    d, dd, ddd = space(q, rows[2], n), space(v, rows[2], n), space(a, rows[2], n)
    f, df, ddf = space(q, axis, n), space(v, axis, n), space(a, axis, n)
    u, du, ddu = space(q, out, n), space(v, out, n), space(a, out, n)
    w, dw, ddw = space(q, out + 3, n), space(v, out + 3, n), space(a, out + 3, n)
    x, dx, ddx = space(q, out + 6, n), space(v, out + 6, n), space(a, out + 6, n)
    y, dy, ddy = space(q, out + 9, n), space(v, out + 9, n), space(a, out + 9, n)
    z, dz, ddz = space(q, out + 12, n), space(v, out + 12, n), space(a, out + 12, n)
    cond = conditioning[:n]
    for j in range(cond.size):
        span = _rod(sign, h, radius, get(o, j), get(e, j), get(d, j), get(u, j))
        n1 = _axis(inside, k0, k1, k2, get(f, j), get(u, j), get(w, j))
        square = dot(span, span)
        n2, m, k, share = orient(span, square, c1, c2, c3, n1, cos, mode)
        cond[j] = lower(cond[j], share)
        put(x, j, n2)
        put(y, j, m)
        put(z, j, k)

        moved = _rod(sign, h, radius, get(do, j), get(de, j), get(dd, j), get(du, j))
        dn1 = _axis(inside, k0, k1, k2, get(df, j), get(du, j), get(dw, j))
        turn = orient_rate(span, square, moved, n1, dn1, n2)
        dn2, dm, dk = cross(turn, n2), cross(turn, m), cross(turn, k)
        put(dx, j, dn2)
        put(dy, j, dm)
        put(dz, j, dk)

        second = _rod(sign, h, radius, get(ddo, j), get(dde, j), get(ddd, j), get(ddu, j))
        ddn1 = _axis(inside, k0, k1, k2, get(ddf, j), get(ddu, j), get(ddw, j))
        # ω × (ω × L) = ω × L', for L is fixed in body 2
        slip = minus(second, cross(turn, moved))
        rise = orient_gain(span, square, slip, n1, dn1, ddn1, n2, dn2, turn)
        put(ddx, j, carried(turn, rise, n2, dn2))
        put(ddy, j, carried(turn, rise, m, dm))
        put(ddz, j, carried(turn, rise, k, dk))


def _measure(
    g: ChainGeometry, span: Array, n1: Array, n2: Array, cross_angle: float, far: Array, axis_on_first: bool
) -> Measured | None:
    """What R-U-S and R-S-U share; `span` is the vector from U to S in body 1 of the chain."""
    first = turning_body(g, g.points[1, 0], far, float(np.linalg.norm(span)))
    second = orientation(span, n1, n2, span)
    if first is None or second is None:
        return None
    constants, directions = first
    frame, mode = second
    constants = [*constants, *(frame.T @ span), np.cos(cross_angle), mode]
    if axis_on_first:
        constants += [*(directions.T @ n1)]
    bases = (
        Base(("in", 0), (("in", 1), ("out", 0), ("out", 3)), g.points[0, 1], directions),
        Base(("in", 2), (("out", 6), ("out", 9), ("out", 12)), far, frame),
    )
    return Measured(np.array(constants), bases)


def measure_rus(g: ChainGeometry) -> Measured | None:
    far, center = g.points[2, 0], g.points[1, 1]
    n1, n2 = g.frames[1, 0][:, 2], g.frames[1, 1][:, 2]
    return _measure(g, far - center, n1, n2, g.cross_angles[1], far, axis_on_first=True)


def measure_rsu(g: ChainGeometry) -> Measured | None:
    far, ball = g.points[2, 0], g.points[1, 1]
    n1, n2 = g.frames[2, 1][:, 2], g.frames[2, 0][:, 2]
    return _measure(g, ball - far, n1, n2, g.cross_angles[2], far, axis_on_first=False)
