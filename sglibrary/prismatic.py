"""A body driven by a displacement on a solved body (P), in the plane and in space.

The point p + s u moves along the direction u of the slide; the directions of the solved body are shared.
"""

from sglibrary.convention import kernel
from sglibrary.report import known


@kernel
def position(q, v, a, work, memory, rows, constants, status, conditioning, n):
    """rows: point, direction of the slide, driver; written: the moved point. constants: sign of the displacement,
    dimension."""
    sign = constants[0]
    d = q[rows[2], :n]
    for i in range(int(constants[1])):
        p, u, out = q[rows[0] + i, :n], q[rows[1] + i, :n], q[rows[3] + i, :n]
        for j in range(out.size):
            out[j] = p[j] + sign * d[j] * u[j]
    known(q, rows, 3, status, conditioning, n)


@kernel
def velocity(q, v, a, work, memory, rows, constants, status, conditioning, n):
    sign = constants[0]
    d, rate = q[rows[2], :n], v[rows[2], :n]
    for i in range(int(constants[1])):
        p, u, w, out = v[rows[0] + i, :n], q[rows[1] + i, :n], v[rows[1] + i, :n], v[rows[3] + i, :n]
        for j in range(out.size):
            out[j] = p[j] + sign * (d[j] * w[j] + rate[j] * u[j])


@kernel
def acceleration(q, v, a, work, memory, rows, constants, status, conditioning, n):
    sign = constants[0]
    d, rate, gain = q[rows[2], :n], v[rows[2], :n], a[rows[2], :n]
    for i in range(int(constants[1])):
        p, u, w, b = a[rows[0] + i, :n], q[rows[1] + i, :n], v[rows[1] + i, :n], a[rows[1] + i, :n]
        out = a[rows[3] + i, :n]
        for j in range(out.size):
            out[j] = p[j] + sign * (d[j] * b[j] + 2.0 * rate[j] * w[j] + gain[j] * u[j])
