"""A body driven by both angles of a universal joint on a solved body (U).

With the axes n, b, e of the joint frame on the solved body: the directions [n b e] Rz(θ1) Rx(δ) Rz(θ2), δ being the
angle between the axes. The angular velocity is that of the frame, θ1' about e and θ2' about the last axis. Seen from
the second body the same holds with the angles exchanged, and all three negative.
"""

import numpy as np

from sglibrary.arrays import stack
from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.status import report_determined
from sglibrary.vectors import axpy, carried, cross, get, put_triad, read, space, spin, spin_gain, times, triad


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: point, n, b, e, drivers; written: three directions.

    constants: sign of the drivers, cos δ, sin δ with that sign.
    """
    sign, cos, sin = constants[0], constants[1], constants[2]
    first, second = (rows[4], rows[5]) if sign > 0.0 else (rows[5], rows[4])
    x, y, z = space(q, rows[1], n), space(q, rows[2], n), space(q, rows[3], n)
    dx, dy, dz = space(v, rows[1], n), space(v, rows[2], n), space(v, rows[3], n)
    ddx, ddy, ddz = space(a, rows[1], n), space(a, rows[2], n), space(a, rows[3], n)
    row = rows[6]
    e, de, dde = triad(q, row, n), triad(v, row, n), triad(a, row, n)
    cond = conditioning[:n]
    for j in range(cond.size):
        c1, s1 = read((q, first + 1), j), sign * read((q, first + 2), j)
        c2, s2 = read((q, second + 1), j), sign * read((q, second + 2), j)
        frame = get(x, j), get(y, j), get(z, j)
        normal = axpy(c1, frame[0], times(s1, frame[1]))
        across = axpy(c1, frame[1], times(-s1, frame[0]))
        upright = axpy(cos, across, times(sin, frame[2]))
        last = axpy(cos, frame[2], times(-sin, across))
        u0 = axpy(c2, normal, times(s2, upright))
        u1 = axpy(c2, upright, times(-s2, normal))
        put_triad(e, j, (u0, u1, last))

        turn1, turn2 = sign * read((v, first), j), sign * read((v, second), j)
        w0 = spin(frame[0], frame[1], frame[2], get(dx, j), get(dy, j), get(dz, j))
        w1 = axpy(turn1, frame[2], w0)
        w = axpy(turn2, last, w1)
        du0, du1, du2 = cross(w, u0), cross(w, u1), cross(w, last)
        put_triad(de, j, (du0, du1, du2))

        g0 = spin_gain(frame[0], frame[1], frame[2], get(ddx, j), get(ddy, j), get(ddz, j), w0)
        g1 = axpy(sign * read((a, first), j), frame[2], axpy(turn1, cross(w0, frame[2]), g0))
        g = axpy(sign * read((a, second), j), last, axpy(turn2, cross(w1, last), g1))
        put_triad(dde, j, (carried(w, g, u0, du0), carried(w, g, u1, du1), carried(w, g, last, du2)))
    report_determined(q, v, a, rows, 6, row, 9, status, conditioning, n)


def measure(g: ChainGeometry) -> Measured:
    sign, angle = g.signs[0], g.cross_angles[..., 0]
    base = Base(("in", 0), (("out", 0), ("out", 3), ("out", 6)), g.point(0, 1), g.frame(0, 1))
    return Measured(stack(sign, np.cos(angle), sign * np.sin(angle)), (base,))
