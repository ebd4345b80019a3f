"""Dyads with two slides on known lines: PRP, hinged to each other, and RPP, sliding on each other.

A point C of two bodies (PRP), or of the second one (RPP), keeps its distance h_k from two lines with the points B_k and
the normals n_k, the quarter turns of the directions s_k:

    n_k·(C - B_k) = h_k,   k = 1, 2

Two linear equations for C and, differentiated, for its rates; the determinant n_1 × n_2 is the conditioning, and there
is one assembly mode. In RPP the first line is fixed in the first body, which is hinged at B_1 and keeps the angle of
the slide of the second line.
"""

import math

from sglibrary.arrays import components, in_frame, inner, stack
from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.status import report
from sglibrary.vectors import plane_motion


@kernel
def prp(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: B1, s1, B2, s2; written: C. constants: h1, h2."""
    meet(q, v, a, rows[0], rows[1], rows[2], rows[3], rows[4], 1.0, 0.0, constants[0], constants[1], conditioning, n)
    report(q, v, a, rows, 4, rows[4], 2, status, conditioning, n)


@kernel
def rpp(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: B1, B2, s2; written: C. constants: h1, h2, cosine and sine of the angle from s2 to s1."""
    c, s = constants[2], constants[3]
    meet(q, v, a, rows[0], rows[2], rows[1], rows[2], rows[3], c, s, constants[0], constants[1], conditioning, n)
    report(q, v, a, rows, 3, rows[3], 2, status, conditioning, n)


@kernel
def meet(q, v, a, b1, s1, b2, s2, out, c, s, h1, h2, conditioning, n):
    """The first direction is that of row `s1` turned by the angle with cosine c and sine s."""
    (ax, ay), (dax, day), (ddax, dday) = plane_motion(q, v, a, b1, n)
    (ux, uy), (dux, duy), (ddux, dduy) = plane_motion(q, v, a, s1, n)
    (bx, by), (dbx, dby), (ddbx, ddby) = plane_motion(q, v, a, b2, n)
    (wx, wy), (dwx, dwy), (ddwx, ddwy) = plane_motion(q, v, a, s2, n)
    (x, y), (dx, dy), (ddx, ddy) = plane_motion(q, v, a, out, n)
    cond = conditioning[:n]
    for j in range(cond.size):
        # normals: quarter turns of the directions
        n0, n1 = -(c * uy[j] + s * ux[j]), c * ux[j] - s * uy[j]
        m0, m1 = -wy[j], wx[j]
        sine = n0 * m1 - n1 * m0
        share = 1.0 / sine
        p = n0 * ax[j] + n1 * ay[j] + h1
        r = m0 * bx[j] + m1 * by[j] + h2
        px, py = (p * m1 - r * n1) * share, (r * n0 - p * m0) * share
        x[j], y[j] = px, py
        cond[j] = math.fabs(sine)

        dn0, dn1 = -(c * duy[j] + s * dux[j]), c * dux[j] - s * duy[j]
        dm0, dm1 = -dwy[j], dwx[j]
        fx, fy, gx, gy = px - ax[j], py - ay[j], px - bx[j], py - by[j]
        p = n0 * dax[j] + n1 * day[j] - dn0 * fx - dn1 * fy
        r = m0 * dbx[j] + m1 * dby[j] - dm0 * gx - dm1 * gy
        vx, vy = (p * m1 - r * n1) * share, (r * n0 - p * m0) * share
        dx[j], dy[j] = vx, vy

        ddn0, ddn1 = -(c * dduy[j] + s * ddux[j]), c * ddux[j] - s * dduy[j]
        ddm0, ddm1 = -ddwy[j], ddwx[j]
        p = n0 * ddax[j] + n1 * dday[j] - 2.0 * (dn0 * (vx - dax[j]) + dn1 * (vy - day[j])) - ddn0 * fx - ddn1 * fy
        r = m0 * ddbx[j] + m1 * ddby[j] - 2.0 * (dm0 * (vx - dbx[j]) + dm1 * (vy - dby[j])) - ddm0 * gx - ddm1 * gy
        ddx[j], ddy[j] = (p * m1 - r * n1) * share, (r * n0 - p * m0) * share


def measure_prp(g: ChainGeometry) -> Measured:
    """Constants and bases of the chain P-R-P."""
    first, second = g.frame(0, 1), g.frame(2, 0)
    h1 = inner(first[..., 1], g.point(1, 0) - g.point(0, 1))
    h2 = inner(second[..., 1], g.point(1, 1) - g.point(2, 0))
    bases = (
        Base(("out", 0), (("in", 1),), g.point(1, 0), first),
        Base(("out", 0), (("in", 3),), g.point(1, 1), second),
    )
    return Measured(stack(h1, h2), bases)


def measure_rpp(g: ChainGeometry) -> Measured:
    """Constants and bases of the chain R-P-P."""
    near, far, slide = g.frame(1, 0), g.frame(1, 1), g.frame(2, 0)
    h1 = inner(near[..., 1], g.point(1, 0) - g.point(0, 1))
    h2 = inner(slide[..., 1], g.point(1, 1) - g.point(2, 0))
    shared = near @ far.swapaxes(-1, -2) @ slide  # the direction of the second slide in the coordinates of body 0
    bases = (
        Base(("in", 0), (("in", 2),), g.point(0, 1), shared),
        Base(("out", 0), (("in", 2),), g.point(1, 1), slide),
    )
    return Measured(stack(h1, h2, *components(in_frame(slide, far[..., 0]))), bases)
