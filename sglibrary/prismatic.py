"""A body driven by a displacement on a solved body (P), in the plane and in space.

The point p + s u moves along the direction u of the slide; the directions of the solved body are shared.
"""

import numpy as np

from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.status import report_determined


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: point, direction of the slide, driver; written: the moved point.

    constants: sign of the displacement, dimension.
    """
    dimension = int(constants[1])
    shift(q, v, a, rows[0], rows[1], rows[2], constants[0], rows[3], dimension, n)
    report_determined(q, v, a, rows, 3, rows[3], dimension, status, conditioning, n)


@kernel
def shift(q, v, a, point, direction, driver, factor, out, dimension, n):
    """The point moved along a direction by `factor` times the driver's value."""
    s, ds, dds = q[driver, :n], v[driver, :n], a[driver, :n]
    for i in range(dimension):
        p, dp, ddp = q[point + i, :n], v[point + i, :n], a[point + i, :n]
        u, du, ddu = q[direction + i, :n], v[direction + i, :n], a[direction + i, :n]
        x, dx, ddx = q[out + i, :n], v[out + i, :n], a[out + i, :n]
        for j in range(x.size):
            x[j] = p[j] + factor * s[j] * u[j]
            dx[j] = dp[j] + factor * (s[j] * du[j] + ds[j] * u[j])
            ddx[j] = ddp[j] + factor * (s[j] * ddu[j] + 2.0 * ds[j] * du[j] + dds[j] * u[j])


def measure_in_plane(g: ChainGeometry) -> Measured:
    base = Base(("out", 0), (("in", 1),), g.point(0, 1), g.frame(0, 1))
    return Measured(np.array([g.signs[0], 2.0]), (base,))


def measure_in_space(g: ChainGeometry) -> Measured:
    base = Base(("out", 0), (("in", 2), ("in", 3), ("in", 1)), g.point(0, 1), g.frame(0, 1))
    return Measured(np.array([g.signs[0], 3.0]), (base,))
