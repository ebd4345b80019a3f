"""The dyad RRR: two bodies between two known points A and B, hinged to each other at C.

With d = B - A, body 1 of length l1 from A and body 2 of length l2 from B:

    C - A = p d + h d⊥,   p = (l1² - l2² + d²) / (2 d²),   h = ± √(((l1 + l2)² - d²) (d² - (l1 - l2)²)) / (2 d²)

(intersection of two circles; the sign is the assembly mode; by Heron's formula, which loses no digits where one body is
much longer than the other). It writes the unit vectors u1 = (C - A) / l1 and
u2 = (C - B) / l2. Rates follow from d' = l1 ω1 u1⊥ - l2 ω2 u2⊥ multiplied by u2 and by u1, so that the sine u1 × u2
of the angle between the bodies is the only divisor: the conditioning.
"""

import math

from sglibrary.array_types import Array
from sglibrary.arrays import inner, length, quarter, sign, stack, unit
from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.status import report
from sglibrary.vectors import fma, plane, read, sqrt, write


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: A, B; written: u1, u2. constants: l1, l2, sign of the mode."""
    l1, l2, mode = constants[0], constants[1], constants[2]
    half, least, most = 0.5 * (l1 - l2) * (l1 + l2), (l1 - l2) * (l1 - l2), (l1 + l2) * (l1 + l2)
    short1, short2 = 1.0 / l1, 1.0 / l2
    ax, ay, bx, by = (q, rows[0]), (q, rows[0] + 1), (q, rows[1]), (q, rows[1] + 1)
    dax, day, dbx, dby = (v, rows[0]), (v, rows[0] + 1), (v, rows[1]), (v, rows[1] + 1)
    ddax, dday, ddbx, ddby = (a, rows[0]), (a, rows[0] + 1), (a, rows[1]), (a, rows[1] + 1)
    ux, uy = plane(q, rows[2], n)
    wx, wy = plane(q, rows[2] + 2, n)
    dux, duy = plane(v, rows[2], n)
    dwx, dwy = plane(v, rows[2] + 2, n)
    ddux, dduy = plane(a, rows[2], n)
    ddwx, ddwy = plane(a, rows[2] + 2, n)
    cond = conditioning[:n]
    for j in range(cond.size):
        dx, dy = read(bx, j) - read(ax, j), read(by, j) - read(ay, j)
        span = fma(dx, dx, dy * dy)
        along = fma(0.5, span, half)
        area = 0.5 * mode * sqrt((most - span) * (span - least))
        inverse = 1.0 / span
        p, h = along * inverse, area * inverse
        p1, h1, p2, h2 = p * short1, h * short1, (p - 1.0) * short2, h * short2
        u0, u1 = fma(p1, dx, -h1 * dy), fma(p1, dy, h1 * dx)
        w0, w1 = fma(p2, dx, -h2 * dy), fma(p2, dy, h2 * dx)
        write(ux, j, u0)
        write(uy, j, u1)
        write(wx, j, w0)
        write(wy, j, w1)
        write(cond, j, math.fabs(area) * (short1 * short2))

        share = 1.0 / area
        share1, share2 = l2 * share, l1 * share
        dx, dy = read(dbx, j) - read(dax, j), read(dby, j) - read(day, j)
        turn1, turn2 = fma(dx, w0, dy * w1) * share1, fma(dx, u0, dy * u1) * share2
        write(dux, j, -turn1 * u1)
        write(duy, j, turn1 * u0)
        write(dwx, j, -turn2 * w1)
        write(dwy, j, turn2 * w0)

        square1, square2 = turn1 * turn1, turn2 * turn2
        pull1, pull2 = l1 * square1, l2 * square2
        dx, dy = read(ddbx, j) - read(ddax, j), read(ddby, j) - read(dday, j)
        dx, dy = fma(pull1, u0, fma(-pull2, w0, dx)), fma(pull1, u1, fma(-pull2, w1, dy))
        rise1, rise2 = fma(dx, w0, dy * w1) * share1, fma(dx, u0, dy * u1) * share2
        write(ddux, j, fma(-rise1, u1, -square1 * u0))
        write(dduy, j, fma(rise1, u0, -square1 * u1))
        write(ddwx, j, fma(-rise2, w1, -square2 * w0))
        write(ddwy, j, fma(rise2, w0, -square2 * w1))
    report(q, v, a, rows, 2, rows[2], 4, status, conditioning, n)


def measure(g: ChainGeometry) -> Measured:
    """Constants and bases of the chain R-R-R."""
    first, second = g.point(1, 0) - g.point(0, 1), g.point(1, 1) - g.point(2, 0)
    l1, l2 = length(first), length(second)
    bases = (_base(0, g.point(0, 1), unit(first)), _base(1, g.point(2, 0), unit(second)))
    return Measured(stack(l1, l2, _mode(first, second)), bases, valid=g.long(l1) & g.long(l2))


def measure_rod(g: ChainGeometry) -> Measured:
    """Constants and base of one body on a hinge A and on a rod, the second body, to B."""
    first, second = g.point(1, 1) - g.point(0, 1), g.point(1, 1) - g.point(1, 0)
    l1, l2 = length(first), g.values[1][..., 1]
    base = _base(0, g.point(0, 1), unit(first))
    return Measured(stack(l1, l2, _mode(first, second)), (base,), valid=g.long(l1) & g.long(l2))


def _mode(first: Array, second: Array) -> Array:
    """The sign of u1 × u2."""
    return sign(inner(quarter(first), second))


def _base(body: int, hinge: Array, u: Array) -> Base:
    return Base(("in", body), (("out", 2 * body),), hinge, stack(u, quarter(u)))
