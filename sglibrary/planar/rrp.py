"""The dyad RRP: a body hinged at a known point A and, at C, to a body that slides on a known line.

The slide has the point B and the direction s; the sliding body keeps its angle to it, so C = B + e s + h s⊥ with a
fixed h. From |C - A| = l, with G = A - B - h s⊥:

    e = G·s ± √(l² - (G·s⊥)²)

(intersection of a circle and a line; the sign is the assembly mode). It writes u = (C - A) / l and C. Rates follow from
C' = A' + l ω u⊥ multiplied by u, which divides by s·u: the conditioning.
"""

import math

from sglibrary.arrays import inner, length, quarter, sign, stack, unit
from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.status import report
from sglibrary.vectors import plane_motion, sqrt


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: A, B, s; written: u, C. constants: l, h, sign of the mode."""
    length, h, mode = constants[0], constants[1], constants[2]
    follow(q, v, a, rows[0], rows[1], rows[2], rows[3], length, h, mode, conditioning, n)
    report(q, v, a, rows, 3, rows[3], 4, status, conditioning, n)


@kernel
def follow(q, v, a, first, second, line, out, length, h, mode, conditioning, n):
    """The direction u and the point C from row `out` on, from the rows of A, B and s."""
    (ax, ay), (dax, day), (ddax, dday) = plane_motion(q, v, a, first, n)
    (bx, by), (dbx, dby), (ddbx, ddby) = plane_motion(q, v, a, second, n)
    (sx, sy), (dsx, dsy), (ddsx, ddsy) = plane_motion(q, v, a, line, n)
    (ux, uy), (dux, duy), (ddux, dduy) = plane_motion(q, v, a, out, n)
    (cx, cy), (dcx, dcy), (ddcx, ddcy) = plane_motion(q, v, a, out + 2, n)
    cond = conditioning[:n]
    for j in range(cond.size):
        s0, s1 = sx[j], sy[j]
        gx, gy = ax[j] - bx[j] + h * s1, ay[j] - by[j] - h * s0
        aside = gy * s0 - gx * s1
        root = mode * sqrt(length * length - aside * aside)
        e = gx * s0 + gy * s1 + root
        u0, u1 = (e * s0 - gx) / length, (e * s1 - gy) / length
        cosine = u0 * s0 + u1 * s1
        ux[j], uy[j] = u0, u1
        cx[j], cy[j] = ax[j] + length * u0, ay[j] + length * u1
        cond[j] = math.fabs(cosine)

        share = 1.0 / cosine
        kx, ky = dbx[j] + e * dsx[j] - h * dsy[j], dby[j] + e * dsy[j] + h * dsx[j]
        de = ((dax[j] - kx) * u0 + (day[j] - ky) * u1) * share
        vx, vy = kx + de * s0, ky + de * s1
        turn = ((vy - day[j]) * u0 - (vx - dax[j]) * u1) / length
        dux[j], duy[j] = -turn * u1, turn * u0
        dcx[j], dcy[j] = vx, vy

        kx = ddbx[j] + e * ddsx[j] - h * ddsy[j] + 2.0 * de * dsx[j]
        ky = ddby[j] + e * ddsy[j] + h * ddsx[j] + 2.0 * de * dsy[j]
        square = turn * turn
        dde = ((ddax[j] - kx) * u0 + (dday[j] - ky) * u1 - length * square) * share
        vx, vy = kx + dde * s0, ky + dde * s1
        rise = ((vy - dday[j]) * u0 - (vx - ddax[j]) * u1) / length
        ddux[j], dduy[j] = -rise * u1 - square * u0, rise * u0 - square * u1
        ddcx[j], ddcy[j] = vx, vy


def measure(g: ChainGeometry) -> Measured:
    """Constants and bases of the chain R-R-P."""
    arm, slide = g.point(1, 0) - g.point(0, 1), g.frame(2, 0)
    distance, u = length(arm), unit(arm)
    height = inner(slide[..., 1], g.point(1, 1) - g.point(2, 0))
    bases = (
        Base(("in", 0), (("out", 0),), g.point(0, 1), stack(u, quarter(u))),
        Base(("out", 2), (("in", 2),), g.point(1, 1), slide),
    )
    constants = stack(distance, height, sign(inner(arm, g.frame(2, 1)[..., 0])))
    return Measured(constants, bases, valid=g.long(distance))


def measure_rod(g: ChainGeometry) -> Measured:
    """Constants and base of one body on a slide and on a rod, the first body, to A."""
    far, joint, slide = g.point(1, 0), g.point(1, 1), g.frame(0, 1)
    distance, height = g.values[1][..., 1], inner(slide[..., 1], joint - g.point(0, 1))
    base = Base(("out", 2), (("in", 2),), joint, slide)
    constants = stack(distance, height, sign(inner(joint - far, slide[..., 0])))
    return Measured(constants, (base,), valid=g.long(distance))
