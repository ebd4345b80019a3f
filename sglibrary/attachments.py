"""What follows from solved bodies: points and directions fixed in them, which are linear combinations of their base
vectors, and inner products of these; one kernel each for all.
"""

from sglibrary.convention import kernel
from sglibrary.vectors import axpy, get, plane, put, read, times, write


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
            elif rows[first + 1] < 0:
                _direction_in_space(x, rows, first, constants[3 * k], constants[3 * k + 1], constants[3 * k + 2], n)
            else:
                _point_in_space(x, rows, first, constants[3 * k], constants[3 * k + 1], constants[3 * k + 2], n)


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
def _direction_in_space(x, rows, k, c0, c1, c2, n):
    out, first, second, third = (x, rows[k]), (x, rows[k + 2]), (x, rows[k + 3]), (x, rows[k + 4])
    for j in range(n):
        put(out, j, axpy(c0, get(first, j), axpy(c1, get(second, j), times(c2, get(third, j)))))


@kernel
def _point_in_space(x, rows, k, c0, c1, c2, n):
    out, start, first, second, third = (
        (x, rows[k]),
        (x, rows[k + 1]),
        (x, rows[k + 2]),
        (x, rows[k + 3]),
        (x, rows[k + 4]),
    )
    for j in range(n):
        put(out, j, axpy(c0, get(first, j), axpy(c1, get(second, j), axpy(c2, get(third, j), get(start, j)))))


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
