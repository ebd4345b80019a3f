"""What follows from solved bodies: points and directions fixed in them, which are linear combinations of their base
vectors, and inner products of these; one kernel each for all.
"""

from sglibrary.convention import formula, kernel
from sglibrary.vectors import fma, plane, read, write

NOWHERE = -0.0
"""Where directions start from: to add it changes no number, not even 0."""


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """Fill the attachments of solved bodies, with velocity and acceleration.

    `rows` holds the dimension d (2 or 3) and for every attachment: its row, the row of the base point (-1 for a
    direction) and the rows of the base vectors (1 in the plane, 3 in space). `constants` holds d coefficients each.
    """
    if rows[0] == 2:
        for k in range((rows.size - 1) // 3):
            for x in (q, v, a):
                if rows[2 + 3 * k] < 0:
                    _direction_in_plane(x, rows, 1 + 3 * k, constants[2 * k], constants[2 * k + 1], n)
                else:
                    _point_in_plane(x, rows, 1 + 3 * k, constants[2 * k], constants[2 * k + 1], n)
        return
    for x in (q, v, a):
        k = 0
        while k < (rows.size - 1) // 5:
            count, direction = _alike(rows, k), rows[2 + 5 * k] < 0
            for i in range(3):
                if count == 3 and direction:
                    _three_directions_in_space(x, rows, 1 + 5 * k, constants, 3 * k, i, n)
                elif count == 3:
                    _three_points_in_space(x, rows, 1 + 5 * k, constants, 3 * k, i, n)
                elif count == 2:
                    _two_points_in_space(x, rows, 1 + 5 * k, constants, 3 * k, i, n)
                elif direction:
                    _direction_in_space(x, rows, 1 + 5 * k, constants, 3 * k, i, n)
                else:
                    _point_in_space(x, rows, 1 + 5 * k, constants, 3 * k, i, n)
            k += count


@kernel
def _alike(rows, k):
    """How many, from number k on, are filled together: three from one point along the same vectors, or two points."""
    first, count, alike = 1 + 5 * k, 1, True
    while alike and count < 3 and first + 5 * count < rows.size:
        for i in range(first + 1, first + 5):
            alike &= rows[i] == rows[i + 5 * count]
        count += 1 if alike else 0
    return 1 if count == 2 and rows[first + 1] < 0 else count


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
def _direction_in_space(x, rows, k, constants, at, i, n):
    """Fill component i of one direction."""
    out, e0, e1, e2 = x[rows[k] + i, :n], (x, rows[k + 2] + i), (x, rows[k + 3] + i), (x, rows[k + 4] + i)
    c = constants[at], constants[at + 1], constants[at + 2]
    for j in range(out.size):
        write(out, j, _sum(c, read(e0, j), read(e1, j), read(e2, j), NOWHERE))


@kernel
def _point_in_space(x, rows, k, constants, at, i, n):
    """Fill component i of one point."""
    out, p = x[rows[k] + i, :n], (x, rows[k + 1] + i)
    e0, e1, e2 = (x, rows[k + 2] + i), (x, rows[k + 3] + i), (x, rows[k + 4] + i)
    c = constants[at], constants[at + 1], constants[at + 2]
    for j in range(out.size):
        write(out, j, _sum(c, read(e0, j), read(e1, j), read(e2, j), read(p, j)))


@kernel
def _three_directions_in_space(x, rows, k, constants, at, i, n):
    """Fill component i of three directions, which `_alike` has found: what they share is read once."""
    out0, out1, out2 = x[rows[k] + i, :n], (x, rows[k + 5] + i), (x, rows[k + 10] + i)
    e0, e1, e2 = (x, rows[k + 2] + i), (x, rows[k + 3] + i), (x, rows[k + 4] + i)
    c0, c1, c2 = _three_constants(constants, at)
    for j in range(out0.size):
        x0, x1, x2 = read(e0, j), read(e1, j), read(e2, j)
        write(out0, j, _sum(c0, x0, x1, x2, NOWHERE))
        write(out1, j, _sum(c1, x0, x1, x2, NOWHERE))
        write(out2, j, _sum(c2, x0, x1, x2, NOWHERE))


@kernel
def _two_points_in_space(x, rows, k, constants, at, i, n):
    """Fill component i of two points."""
    out0, out1 = x[rows[k] + i, :n], (x, rows[k + 5] + i)
    p, e0, e1, e2 = (x, rows[k + 1] + i), (x, rows[k + 2] + i), (x, rows[k + 3] + i), (x, rows[k + 4] + i)
    c0 = constants[at], constants[at + 1], constants[at + 2]
    c1 = constants[at + 3], constants[at + 4], constants[at + 5]
    for j in range(out0.size):
        x0, x1, x2, start = read(e0, j), read(e1, j), read(e2, j), read(p, j)
        write(out0, j, _sum(c0, x0, x1, x2, start))
        write(out1, j, _sum(c1, x0, x1, x2, start))


@kernel
def _three_points_in_space(x, rows, k, constants, at, i, n):
    """Fill component i of three points."""
    out0, out1, out2 = x[rows[k] + i, :n], (x, rows[k + 5] + i), (x, rows[k + 10] + i)
    p, e0, e1, e2 = (x, rows[k + 1] + i), (x, rows[k + 2] + i), (x, rows[k + 3] + i), (x, rows[k + 4] + i)
    c0, c1, c2 = _three_constants(constants, at)
    for j in range(out0.size):
        x0, x1, x2, start = read(e0, j), read(e1, j), read(e2, j), read(p, j)
        write(out0, j, _sum(c0, x0, x1, x2, start))
        write(out1, j, _sum(c1, x0, x1, x2, start))
        write(out2, j, _sum(c2, x0, x1, x2, start))


@formula
def _three_constants(constants, at):
    return (
        (constants[at], constants[at + 1], constants[at + 2]),
        (constants[at + 3], constants[at + 4], constants[at + 5]),
        (constants[at + 6], constants[at + 7], constants[at + 8]),
    )


@formula
def _sum(c, x0, x1, x2, start):
    return fma(c[0], x0, fma(c[1], x1, fma(c[2], x2, start)))


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
