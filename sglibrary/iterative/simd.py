"""Vectors of many steps at once: arrays (3, width), rotations (9, width) row by row; inner loops run over the steps.

Outer loops run over `out.shape[0]`, not over 3, so that the compiler does not write each inner loop out three times.
"""

from sglibrary.convention import kernel
from sglibrary.vectors import fma


@kernel
def copy(x, out):
    """Copy rows."""
    for i in range(x.shape[0]):
        copy_row(x[i], out[i])


@kernel
def copy_row(x, out):
    """Copy one row."""
    for j in range(out.size):
        out[j] = x[j]


@kernel
def scale(out, share):
    """Multiply all rows by a number."""
    for i in range(out.shape[0]):
        o = out[i]
        for j in range(o.size):
            o[j] *= share


@kernel
def fixed(turn, local, out):
    """A direction with components `local` (3,) in a frame, in global components."""
    c0, c1, c2 = local[0], local[1], local[2]
    for i in range(out.shape[0]):
        x, y, z, o = turn[3 * i], turn[3 * i + 1], turn[3 * i + 2], out[i]
        for j in range(o.size):
            o[j] = fma(x[j], c0, fma(y[j], c1, z[j] * c2))


@kernel
def carried(origin, turn, local, out):
    """A point with coordinates `local` (3,) in a frame."""
    c0, c1, c2 = local[0], local[1], local[2]
    for i in range(out.shape[0]):
        p, x, y, z, o = origin[i], turn[3 * i], turn[3 * i + 1], turn[3 * i + 2], out[i]
        for j in range(o.size):
            o[j] = fma(x[j], c0, fma(y[j], c1, fma(z[j], c2, p[j])))


@kernel
def column(turn, k, out):
    """Column k of a rotation."""
    for i in range(out.shape[0]):
        x, o = turn[3 * i + k], out[i]
        for j in range(o.size):
            o[j] = x[j]


@kernel
def cross(u, w, out):
    """u × w."""
    for i in range(out.shape[0]):
        k, m = (i + 1) % 3, (i + 2) % 3
        a, b, c, d, o = u[k], w[m], u[m], w[k], out[i]
        for j in range(o.size):
            o[j] = fma(a[j], b[j], -c[j] * d[j])


@kernel
def add_cross(u, w, out):
    """out += u × w."""
    for i in range(out.shape[0]):
        k, m = (i + 1) % 3, (i + 2) % 3
        a, b, c, d, o = u[k], w[m], u[m], w[k], out[i]
        for j in range(o.size):
            o[j] += fma(a[j], b[j], -c[j] * d[j])


@kernel
def dot(u, w, out):
    """u · w."""
    a, b, c, x, y, z = u[0], u[1], u[2], w[0], w[1], w[2]
    for j in range(out.size):
        out[j] = fma(a[j], x[j], fma(b[j], y[j], c[j] * z[j]))


@kernel
def minus(u, w, out):
    """u - w."""
    for i in range(out.shape[0]):
        a, b, o = u[i], w[i], out[i]
        for j in range(o.size):
            o[j] = a[j] - b[j]


@kernel
def add_times(c, u, out):
    """out += c u, with one number c per step."""
    for i in range(u.shape[0]):
        a, o = u[i], out[i]
        for j in range(o.size):
            o[j] = fma(c[j], a[j], o[j])


@kernel
def product(left, right, out):
    """Product of two rotations."""
    size = out.shape[0] // 3
    for i in range(size):
        a, b, c = left[3 * i], left[3 * i + 1], left[3 * i + 2]
        for k in range(size):
            x, y, z, o = right[k], right[3 + k], right[6 + k], out[3 * i + k]
            for j in range(o.size):
                o[j] = fma(a[j], x[j], fma(b[j], y[j], c[j] * z[j]))


@kernel
def turned(turn, fixed_turn, out):
    """Product of a rotation and one that is the same at all steps, (9,)."""
    size = out.shape[0] // 3
    for i in range(size):
        a, b, c = turn[3 * i], turn[3 * i + 1], turn[3 * i + 2]
        for k in range(size):
            x, y, z, o = fixed_turn[k], fixed_turn[3 + k], fixed_turn[6 + k], out[3 * i + k]
            for j in range(o.size):
                o[j] = fma(a[j], x, fma(b[j], y, c[j] * z))


@kernel
def zero(out):
    """Zero in one row."""
    for j in range(out.size):
        out[j] = 0.0


@kernel
def clear(out):
    """Zero in all rows."""
    for i in range(out.shape[0]):
        zero(out[i])
