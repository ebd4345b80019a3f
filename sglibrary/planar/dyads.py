"""The dyad RRR: two bodies between two known points A and B, hinged to each other at C.

With d = B - A, body 1 of length l1 from A and body 2 of length l2 from B:

    C - A = p d + h d⊥,   p = (l1² - l2² + d²) / (2 d²),   h = ± √(l1²/d² - p²)

(intersection of two circles; the sign is the assembly mode). It writes the unit vectors u1 = (C - A) / l1 and
u2 = (C - B) / l2. Rates follow from d' = l1 ω1 u1⊥ - l2 ω2 u2⊥ multiplied by u2 and by u1, so that the sine u1 × u2
of the angle between the bodies is the only divisor: the conditioning.
"""

import math

from sglibrary.convention import kernel
from sglibrary.report import report
from sglibrary.vectors import sqrt


@kernel
def rrr_position(q, v, a, work, memory, rows, constants, status, conditioning, n):
    """rows: A, B; written: u1, u2. constants: l1, l2, sign of the mode."""
    l1, l2, mode = constants[0], constants[1], constants[2]
    ax, ay, bx, by = q[rows[0], :n], q[rows[0] + 1, :n], q[rows[1], :n], q[rows[1] + 1, :n]
    ux, uy, wx, wy = q[rows[2], :n], q[rows[2] + 1, :n], q[rows[2] + 2, :n], q[rows[2] + 3, :n]
    cond = conditioning[:n]
    for j in range(cond.size):
        dx, dy = bx[j] - ax[j], by[j] - ay[j]
        square = dx * dx + dy * dy
        p = 0.5 + 0.5 * (l1 - l2) * (l1 + l2) / square
        h = mode * sqrt(l1 * l1 / square - p * p)
        ux[j] = (p * dx - h * dy) / l1
        uy[j] = (p * dy + h * dx) / l1
        wx[j] = ((p - 1.0) * dx - h * dy) / l2
        wy[j] = ((p - 1.0) * dy + h * dx) / l2
        cond[j] = math.fabs(h) * square / (l1 * l2)
    report(q, rows, 0, 2, status, conditioning, n)


@kernel
def rrr_velocity(q, v, a, work, memory, rows, constants, status, conditioning, n):
    l1, l2 = constants[0], constants[1]
    ax, ay, bx, by = v[rows[0], :n], v[rows[0] + 1, :n], v[rows[1], :n], v[rows[1] + 1, :n]
    ux, uy, wx, wy = q[rows[2], :n], q[rows[2] + 1, :n], q[rows[2] + 2, :n], q[rows[2] + 3, :n]
    out_ux, out_uy = v[rows[2], :n], v[rows[2] + 1, :n]
    out_wx, out_wy = v[rows[2] + 2, :n], v[rows[2] + 3, :n]
    for j in range(out_ux.size):
        dx, dy = bx[j] - ax[j], by[j] - ay[j]
        sine = ux[j] * wy[j] - uy[j] * wx[j]
        turn1 = (dx * wx[j] + dy * wy[j]) / (l1 * sine)
        turn2 = (dx * ux[j] + dy * uy[j]) / (l2 * sine)
        out_ux[j] = -turn1 * uy[j]
        out_uy[j] = turn1 * ux[j]
        out_wx[j] = -turn2 * wy[j]
        out_wy[j] = turn2 * wx[j]


@kernel
def rrr_acceleration(q, v, a, work, memory, rows, constants, status, conditioning, n):
    l1, l2 = constants[0], constants[1]
    ax, ay, bx, by = a[rows[0], :n], a[rows[0] + 1, :n], a[rows[1], :n], a[rows[1] + 1, :n]
    ux, uy, wx, wy = q[rows[2], :n], q[rows[2] + 1, :n], q[rows[2] + 2, :n], q[rows[2] + 3, :n]
    rate_ux, rate_uy = v[rows[2], :n], v[rows[2] + 1, :n]
    rate_wx, rate_wy = v[rows[2] + 2, :n], v[rows[2] + 3, :n]
    out_ux, out_uy = a[rows[2], :n], a[rows[2] + 1, :n]
    out_wx, out_wy = a[rows[2] + 2, :n], a[rows[2] + 3, :n]
    for j in range(out_ux.size):
        square1 = rate_ux[j] * rate_ux[j] + rate_uy[j] * rate_uy[j]
        square2 = rate_wx[j] * rate_wx[j] + rate_wy[j] * rate_wy[j]
        fx = bx[j] - ax[j] + l1 * square1 * ux[j] - l2 * square2 * wx[j]
        fy = by[j] - ay[j] + l1 * square1 * uy[j] - l2 * square2 * wy[j]
        sine = ux[j] * wy[j] - uy[j] * wx[j]
        gain1 = (fx * wx[j] + fy * wy[j]) / (l1 * sine)
        gain2 = (fx * ux[j] + fy * uy[j]) / (l2 * sine)
        out_ux[j] = -gain1 * uy[j] - square1 * ux[j]
        out_uy[j] = gain1 * ux[j] - square1 * uy[j]
        out_wx[j] = -gain2 * wy[j] - square2 * wx[j]
        out_wy[j] = gain2 * wx[j] - square2 * wy[j]
