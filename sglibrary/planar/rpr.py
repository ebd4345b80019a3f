"""The dyad RPR: two bodies hinged at known points A and B that slide along each other.

They share their directions, of which s is that of the slide; d = B - A = e s + c s⊥ with a fixed c, so

    e = ± √(d² - c²),   s = (e d - c d⊥) / d²

(the sign is the assembly mode). Rates follow from d' = e' s + ω (e s⊥ - c s) multiplied by s⊥, which divides by e; its
share of |d| is the conditioning.
"""

import math

from sglibrary.arrays import inner, sign, stack
from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.status import report
from sglibrary.vectors import plane_motion, sqrt


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: A, B; written: s. constants: c, sign of the mode."""
    follow(q, v, a, rows[0], rows[1], rows[2], constants[0], constants[1], conditioning, n)
    report(q, v, a, rows, 2, rows[2], 2, status, conditioning, n)


@kernel
def follow(q, v, a, first, second, out, c, mode, conditioning, n):
    """The direction s at row `out`, from the rows of A and B."""
    (ax, ay), (dax, day), (ddax, dday) = plane_motion(q, v, a, first, n)
    (bx, by), (dbx, dby), (ddbx, ddby) = plane_motion(q, v, a, second, n)
    (sx, sy), (dsx, dsy), (ddsx, ddsy) = plane_motion(q, v, a, out, n)
    cond = conditioning[:n]
    for j in range(cond.size):
        dx, dy = bx[j] - ax[j], by[j] - ay[j]
        square = dx * dx + dy * dy
        e = mode * sqrt(square - c * c)
        s0, s1 = (e * dx + c * dy) / square, (e * dy - c * dx) / square
        sx[j], sy[j] = s0, s1
        cond[j] = math.fabs(e) / math.sqrt(square)

        dx, dy = dbx[j] - dax[j], dby[j] - day[j]
        turn = (dy * s0 - dx * s1) / e
        de = dx * s0 + dy * s1 + turn * c
        dsx[j], dsy[j] = -turn * s1, turn * s0

        dx, dy = ddbx[j] - ddax[j], ddby[j] - dday[j]
        rise = (dy * s0 - dx * s1 - 2.0 * de * turn + turn * turn * c) / e
        ddsx[j], ddsy[j] = -rise * s1 - turn * turn * s0, rise * s0 - turn * turn * s1


def measure(g: ChainGeometry) -> Measured:
    """Constants and bases of the chain R-P-R."""
    first, second, a, b = g.frame(1, 0), g.frame(1, 1), g.point(0, 1), g.point(2, 0)
    offset = inner(first[..., 1], g.point(1, 0) - a) + inner(second[..., 1], b - g.point(1, 1))
    bases = (
        Base(("in", 0), (("out", 0),), a, first),
        Base(("in", 1), (("out", 0),), b, second),
    )
    return Measured(stack(offset, sign(inner(b - a, first[..., 0]))), bases)
