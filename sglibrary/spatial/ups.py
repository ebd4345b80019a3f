"""The chain U-P-S between two solved bodies: a leg of a Stewart platform.

Both bodies share their directions. From the U joint at P to the S joint at S the leg sees L = c + t s with c ⟂ s, so
t = ± √(L² - c²): the first assembly mode, conditioned by t / |L|. The orientation follows from L and the axis n1 of
the U joint (`sglibrary.spatial.orientation`): the second mode. Rates: t t' = L·L' and t t'' = L·L'' + L'² - t'².
"""

import math

import numpy as np

from sglibrary.array_types import Array
from sglibrary.arrays import across, components, in_frame, inner, sign, stack
from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.spatial.bore import sharing
from sglibrary.spatial.orientation import bent, bowed, hold, orientation, seen, turned, turning
from sglibrary.status import report
from sglibrary.tolerances import DEGENERATE
from sglibrary.vectors import cross, dot, fma, get, lower, minus, put_triad, space, sqrt, triad, write


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: P, n1, S; written: n2, m, k."""
    stretch(q, v, a, rows[0], rows[1], rows[2], rows[3], constants, conditioning, n)
    report(q, v, a, rows, 3, rows[3], 9, status, conditioning, n)


@kernel
def stretch(q, v, a, start, axis, end, out, constants, conditioning, n):
    """From the rows of P, n1 and S. constants: sign of t, sign of the orientation, c1, c2, c3, s1, s2, cos δ."""
    side, mode, c1, c2, c3 = constants[0], constants[1], constants[2], constants[3], constants[4]
    s1, s2, cos = constants[5], constants[6], constants[7]
    offset = c1 * c1 + c2 * c2 + c3 * c3
    p, dp, ddp = space(q, start, n), space(v, start, n), space(a, start, n)
    s, ds, dds = space(q, end, n), space(v, end, n), space(a, end, n)
    e, de, dde = space(q, axis, n), space(v, axis, n), space(a, axis, n)
    x, dx, ddx = triad(q, out, n), triad(v, out, n), triad(a, out, n)
    cond = conditioning[:n]
    for j in range(cond.size):
        n1, dn1 = get(e, j), get(de, j)
        span = minus(get(s, j), get(p, j))
        square = dot(span, span)
        t = side * sqrt(square - offset)
        frame, held, lever = hold(span, square, fma(t, s1, c1), fma(t, s2, c2), c3, n1, cos, mode)
        write(cond, j, lower(math.fabs(t), math.fabs(lever)) / math.sqrt(square))
        put_triad(x, j, frame)

        share = 1.0 / (t * lever)
        inverse, relative = share * t, share * lever
        n2 = frame[0]
        moved = minus(get(ds, j), get(dp, j))
        rate = dot(span, moved) * relative
        ahead = seen(frame, moved)
        slip = fma(-rate, s1, ahead[0]), fma(-rate, s2, ahead[1]), ahead[2]
        w = turning(held, inverse, slip, dot(dn1, n2))
        rates = turned(frame, w)
        put_triad(dx, j, rates)

        second = minus(get(dds, j), get(ddp, j))
        gain = (dot(span, second) + fma(-rate, rate, dot(moved, moved))) * relative
        # ω × (ω × L + 2 t' s) = ω × (L' + t' s)
        carried = cross(w, (fma(rate, s1, ahead[0]), fma(rate, s2, ahead[1]), ahead[2]))
        rest = seen(frame, second)
        slip = fma(-gain, s1, rest[0]) - carried[0], fma(-gain, s2, rest[1]) - carried[1], rest[2] - carried[2]
        g = turning(held, inverse, slip, dot(get(dde, j), n2) + fma(2.0, dot(dn1, rates[0]), bent(held, w)))
        put_triad(ddx, j, bowed(frame, w, g))


def measure(g: ChainGeometry) -> Measured:
    center, end, back = g.point(0, 1), g.point(2, 0), sharing(g, 1)
    span = g.point(1, 0) - center + in_frame(back, end - g.point(1, 1))
    constants, directions = stretched(g, span, g.axis(1, 0), end - center)
    vectors = (("out", 0), ("out", 3), ("out", 6))
    bases = (Base(("in", 0), vectors, center, directions), Base(("in", 2), vectors, end, back @ directions))
    return Measured(constants, bases)


def stretched(g: ChainGeometry, span: Array, slide: Array, reach: Array) -> tuple[Array, Array]:
    """Constants of `stretch`, and directions n2, m, k.

    `span` is L up to a displacement along the slide; `reach` is L in the reference configuration, and gives the modes.
    """
    hinge = g.frame(0, 1)
    n2 = hinge[..., 2]
    # a slide along n2 defines no plane with it: any other will do
    toward = np.where(np.linalg.norm(np.cross(n2, slide), axis=-1)[..., None] > DEGENERATE, slide, hinge[..., 0])
    directions, mode = orientation(reach, g.axis(0, 0), n2, toward)
    offset, along = in_frame(directions, across(span, slide)), in_frame(directions, slide)
    side = sign(inner(reach, slide))
    cosine = np.cos(g.cross_angles[..., 0])
    return stack(side, mode, *components(offset), along[..., 0], along[..., 1], cosine), directions
