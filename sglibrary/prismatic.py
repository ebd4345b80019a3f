"""A body driven by a displacement on a solved body (P), in the plane and in space.

The point p + s u moves along the direction u of the slide; the directions of the solved body are shared.
"""

import numpy as np

from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.report import known


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: point, direction of the slide, driver; written: the moved point.

    constants: sign of the displacement, dimension.
    """
    sign = constants[0]
    s, ds, dds = q[rows[2], :n], v[rows[2], :n], a[rows[2], :n]
    for i in range(int(constants[1])):
        p, dp, ddp = q[rows[0] + i, :n], v[rows[0] + i, :n], a[rows[0] + i, :n]
        u, du, ddu = q[rows[1] + i, :n], v[rows[1] + i, :n], a[rows[1] + i, :n]
        out, rate, gain = q[rows[3] + i, :n], v[rows[3] + i, :n], a[rows[3] + i, :n]
        for j in range(out.size):
            out[j] = p[j] + sign * s[j] * u[j]
            rate[j] = dp[j] + sign * (s[j] * du[j] + ds[j] * u[j])
            gain[j] = ddp[j] + sign * (s[j] * ddu[j] + 2.0 * ds[j] * du[j] + dds[j] * u[j])
    known(q, v, a, rows, 3, rows[3], int(constants[1]), status, conditioning, n)


def measure_in_plane(g: ChainGeometry) -> Measured:
    base = Base(("out", 0), (("in", 1),), g.points[0, 1], g.frames[0, 1])
    return Measured(np.array([g.signs[0], 2.0]), (base,))


def measure_in_space(g: ChainGeometry) -> Measured:
    base = Base(("out", 0), (("in", 2), ("in", 3), ("in", 1)), g.points[0, 1], g.frames[0, 1])
    return Measured(np.array([g.signs[0], 3.0]), (base,))
