"""The chains P-U-S and P-S-U between two solved bodies: a slider and a rod.

Body 1 slides on a solved line and keeps the directions of its solved body; its joint with body 2, at C = O + e s, keeps
its distance l from the solved point D at the other end of body 2. With G = D - O

    e = G·s ± √(l² - (G - (G·s) s)²)

(intersection of a line and a sphere; the sign is the first assembly mode), conditioned by E·s / l with E = D - C.
Body 2 then is held by its U joint and its S joint (`sglibrary.spatial.orientation`, second mode). In P-U-S the U joint
is between the bodies, in P-S-U at D; its axis n1 is fixed in a solved body either way.
"""

import math

import numpy as np

from sglibrary.array_types import Array
from sglibrary.arrays import components, in_frame, inner, length, sign, stack
from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.spatial.orientation import bent, bowed, held_by, hold, orientation, seen, turned, turning
from sglibrary.status import report
from sglibrary.vectors import (
    axpy,
    cross,
    dot,
    fma,
    get,
    lower,
    minus,
    plus,
    put,
    put_triad,
    space,
    sqrt,
    times,
    triad,
    write,
)


@kernel
def pus(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: O, s, D, n1; written: C, then n2, m, k of body 2."""
    slide_and_turn(q, v, a, rows[0], rows[1], rows[2], rows[3], rows[4], constants, 1.0, conditioning, n)
    report(q, v, a, rows, 4, rows[4], 12, status, conditioning, n)


@kernel
def psu(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: O, s, D, n1; written: C, then n2, m, k of body 2."""
    slide_and_turn(q, v, a, rows[0], rows[1], rows[2], rows[3], rows[4], constants, -1.0, conditioning, n)
    report(q, v, a, rows, 4, rows[4], 12, status, conditioning, n)


@kernel
def slide_and_turn(q, v, a, start, line, far, fixed, out, constants, sign, conditioning, n):
    """From the rows of O, s, D and n1; `sign` is that of the vector L from U to S along D - C.

    constants: first mode, second mode, l, c1, c2, c3, cos δ.
    """
    side, length, cos = constants[0], constants[2], constants[6]
    # -L, with -c and the other mode, gives the same directions
    c1, c2, c3, mode = sign * constants[3], sign * constants[4], sign * constants[5], sign * constants[1]
    o, do, ddo = space(q, start, n), space(v, start, n), space(a, start, n)
    s, ds, dds = space(q, line, n), space(v, line, n), space(a, line, n)
    d, dd, ddd = space(q, far, n), space(v, far, n), space(a, far, n)
    f, df, ddf = space(q, fixed, n), space(v, fixed, n), space(a, fixed, n)
    c, dc, ddc = space(q, out, n), space(v, out, n), space(a, out, n)
    x, dx, ddx = triad(q, out + 3, n), triad(v, out + 3, n), triad(a, out + 3, n)
    cond = conditioning[:n]
    square, short = length * length, 1.0 / length
    for j in range(cond.size):
        slide, dslide, n1, dn1 = get(s, j), get(ds, j), get(f, j), get(df, j)
        reach = minus(get(d, j), get(o, j))
        along = dot(reach, slide)
        aside = axpy(-along, slide, reach)
        root = side * sqrt(square - dot(aside, aside))
        e = along + root
        rod = axpy(-root, slide, aside)
        frame, held, lever = hold(rod, square, c1, c2, c3, n1, cos, mode)
        n2 = frame[0]
        write(cond, j, lower(math.fabs(root), math.fabs(lever)) * short)
        put(c, j, axpy(e, slide, get(o, j)))
        put_triad(x, j, frame)

        share = 1.0 / (root * lever)  # E·s = -root
        inverse, relative = share * root, -share * lever
        reach = axpy(-e, dslide, minus(get(dd, j), get(do, j)))
        de = dot(rod, reach) * relative
        moved = seen(frame, axpy(-de, slide, reach))
        w = turning(held, inverse, moved, dot(dn1, n2))
        rates = turned(frame, w)
        put(dc, j, axpy(e, dslide, axpy(de, slide, get(do, j))))
        put_triad(dx, j, rates)

        extra = axpy(e, get(dds, j), times(2.0 * de, dslide))
        reach = minus(minus(get(ddd, j), get(ddo, j)), extra)
        dde = (dot(rod, reach) + dot(moved, moved)) * relative
        slip = minus(seen(frame, axpy(-dde, slide, reach)), cross(w, moved))
        g = turning(held, inverse, slip, dot(get(ddf, j), n2) + fma(2.0, dot(dn1, rates[0]), bent(held, w)))
        gains = bowed(frame, w, g)
        put(ddc, j, plus(get(ddo, j), axpy(dde, slide, extra)))
        put_triad(ddx, j, gains)


def measure_pus(g: ChainGeometry) -> Measured:
    """Constants and bases of the chain P-U-S."""
    span, n1 = g.point(2, 0) - g.point(1, 1), g.axis(1, 0)
    along = (0, False, in_frame(g.frame(0, 1), n1))
    return _measure(g, span, 1.0, n1, g.axis(1, 1), g.cross_angles[..., 1], (along,))


def measure_psu(g: ChainGeometry) -> Measured:
    """Constants and bases of the chain P-S-U."""
    span = g.point(1, 1) - g.point(2, 0)
    return _measure(g, span, -1.0, g.axis(2, 1), g.axis(2, 0), g.cross_angles[..., 2], ())


def _measure(
    g: ChainGeometry,
    span: Array,
    sense: float,
    n1: Array,
    n2: Array,
    cross_angle: Array,
    attached: tuple[tuple[int, bool, Array], ...],
) -> Measured:
    """What both share; `span` is the vector from U to S in body 1, `sense` its sense along D - C."""
    constants, frame = slide_and_turn_constants(g.axis(0, 0), span, sense, n1, n2, cross_angle)
    slide = g.frame(0, 1)
    start = in_frame(slide, g.point(1, 0) - g.point(0, 1)) * [1.0, 1.0, 0.0]
    bases = (
        Base(("out", 0), (("in", 4), ("in", 5), ("in", 1)), g.point(1, 0), slide),
        Base(("in", 2), (("out", 3), ("out", 6), ("out", 9)), g.point(2, 0), frame),
    )
    return Measured(stack(*constants), bases, ((0, True, start), *attached), held_by(g, span, n2))


def slide_and_turn_constants(
    slide: Array, span: Array, sense: float, n1: Array, n2: Array, cross_angle: Array
) -> tuple[tuple[Array, ...], Array]:
    """Constants of `slide_and_turn`, and the directions n2, m, k of body 2; NaN where `span` and n2 are parallel."""
    frame, mode = orientation(span, n1, n2, span)
    side = sign(-sense * inner(span, slide))
    return (side, mode, length(span), *components(in_frame(frame, span)), np.cos(cross_angle)), frame
