"""What follows from solved bodies: points and directions fixed in them, which are linear combinations of their base
vectors, and inner products of these; one kernel each for all.
"""

from sglibrary.convention import kernel
from sglibrary.vectors import fma, plane, read, write


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """Fill the attachments of solved bodies, with velocity and acceleration.

    `rows` holds the dimension d (2 or 3) and for every attachment: its row, the row of the base point (-1 for a
    direction) and the rows of the base vectors (1 in the plane, 3 in space). `constants` holds d coefficients each.
    """
    d = rows[0]
    width = 3 if d == 2 else 5
    for k in range((rows.size - 1) // width):
        first = 1 + k * width
        for x in (q, v, a):
            if d == 2 and rows[first + 1] < 0:
                _direction_in_plane(x, rows, first, constants[2 * k], constants[2 * k + 1], n)
            elif d == 2:
                _point_in_plane(x, rows, first, constants[2 * k], constants[2 * k + 1], n)
            else:
                _in_space(x, rows, first, constants, 3 * k, n)


@kernel
def _direction_in_plane(x, rows, k, c, s, n):
    out_x, out_y = plane(x, rows[k], n)
    ux, uy = (x, rows[k + 2]), (x, rows[k + 2] + 1)
    for j in range(out_x.size):
        write(out_x, j, c * read(ux, j) - s * read(uy, j))
        write(out_y, j, c * read(uy, j) + s * read(ux, j))


@kernel
def _point_in_plane(x, rows, k, c, s, n):
    out_x, out_y = plane(x, rows[k], n)
    px, py = (x, rows[k + 1]), (x, rows[k + 1] + 1)
    ux, uy = (x, rows[k + 2]), (x, rows[k + 2] + 1)
    for j in range(out_x.size):
        write(out_x, j, read(px, j) + (c * read(ux, j) - s * read(uy, j)))
        write(out_y, j, read(py, j) + (c * read(uy, j) + s * read(ux, j)))


@kernel
def _in_space(x, rows, k, constants, at, n):
    c0, c1, c2 = constants[at], constants[at + 1], constants[at + 2]
    for i in range(3):
        out, e0, e1, e2 = x[rows[k] + i, :n], x[rows[k + 2] + i, :n], x[rows[k + 3] + i, :n], x[rows[k + 4] + i, :n]
        if rows[k + 1] < 0:
            for j in range(out.size):
                out[j] = fma(c0, e0[j], fma(c1, e1[j], c2 * e2[j]))
        else:
            p = x[rows[k + 1] + i, :n]
            for j in range(out.size):
                out[j] = fma(c0, e0[j], fma(c1, e1[j], fma(c2, e2[j], p[j])))


@kernel
def inner(q, v, a, memory, rows, constants, status, conditioning, n):
    """Fill inner products, without their rates.

    `rows` holds the dimension d (2 or 3) and for every product: its row, the row of a direction, that of the vector it
    is multiplied with, and that of what is subtracted from the vector before, or -1.
    """
    d = rows[0]
    for k in range((rows.size - 1) // 4):
        first = 1 + 4 * k
        for i in range(d):
            _add(q, rows, first, i, n)


@kernel
def _add(q, rows, k, i, n):
    """Add what component i contributes to a product."""
    out, u, w = q[rows[k], :n], q[rows[k + 1] + i, :n], q[rows[k + 2] + i, :n]
    if rows[k + 3] < 0:
        for j in range(out.size):
            before = 0.0 if i == 0 else out[j]
            out[j] = before + u[j] * w[j]
    else:
        start = q[rows[k + 3] + i, :n]
        for j in range(out.size):
            before = 0.0 if i == 0 else out[j]
            out[j] = before + u[j] * (w[j] - start[j])
