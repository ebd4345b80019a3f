"""A body on a hinge or a slide whose freedom is a linear function of driven ones, as a gear on its bearing turns.

The kernels make a driver of the freedom, three rows as those of any other, and place the body as if it were driven.
"""

from sglibrary import prismatic
from sglibrary.convention import kernel
from sglibrary.planar import revolute
from sglibrary.spatial import revolute as spatial_revolute
from sglibrary.trigonometry import cosine_sine


@kernel
def turned_in_plane(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: those of `sglibrary.planar.revolute.motion`, then the drivers. constants: its own, then `combine`'s."""
    combine(q, v, a, rows[2], rows[4:], constants[1:], n)
    revolute.motion(q, v, a, memory, rows, constants, status, conditioning, n)


@kernel
def turned_in_space(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: those of `sglibrary.spatial.revolute.motion`, then the drivers. constants: its own, then `combine`'s."""
    combine(q, v, a, rows[3], rows[6:], constants[1:], n)
    spatial_revolute.motion(q, v, a, memory, rows, constants, status, conditioning, n)


@kernel
def shifted_in_plane(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: those of `sglibrary.prismatic.motion`, then the drivers. constants: its own, then those of `combine`."""
    combine(q, v, a, rows[2], rows[4:], constants[2:], n)
    prismatic.motion(q, v, a, memory, rows, constants, status, conditioning, n)


@kernel
def shifted_in_space(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: as in the plane, with two shared ones before the drivers. constants: as in the plane."""
    combine(q, v, a, rows[2], rows[6:], constants[2:], n)
    prismatic.motion(q, v, a, memory, rows, constants, status, conditioning, n)


@kernel
def combine(q, v, a, value, drivers, constants, n):
    """Fill the rows of a driver from row `value` on: a constant, plus a coefficient times each of some drivers."""
    x, dx, ddx = q[value, :n], v[value, :n], a[value, :n]
    for j in range(x.size):
        x[j], dx[j], ddx[j] = constants[0], 0.0, 0.0
    for k in range(drivers.size):
        factor, row = constants[1 + k], drivers[k]
        y, dy, ddy = q[row, :n], v[row, :n], a[row, :n]
        for j in range(x.size):
            x[j] += factor * y[j]
            dx[j] += factor * dy[j]
            ddx[j] += factor * ddy[j]
    cosine_sine(x, q[value + 1, :n], q[value + 2, :n])
