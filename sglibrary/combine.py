"""Points and directions fixed in solved bodies: linear combinations of their base vectors, one kernel for all."""

from sglibrary.convention import kernel
from sglibrary.vectors import fma, plane


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """Fill the attachments of solved bodies, with velocity and acceleration.

    `rows` holds the dimension d (2 or 3) and for every attachment: its row, the row of the base point (-1 for a
    direction) and the rows of the base vectors (1 in the plane, 3 in space). `constants` holds d coefficients each.
    """
    d = rows[0]
    width = 3 if d == 2 else 5
    for k in range((rows.size - 1) // width):
        row = rows[1 + k * width : 1 + (k + 1) * width]
        c = constants[k * d : (k + 1) * d]
        for x in (q, v, a):
            if d == 2:
                _in_plane(x, row, c, n)
            else:
                _in_space(x, row, c, n)


@kernel
def _in_plane(x, row, c, n):
    c0, c1 = c[0], c[1]
    out_x, out_y = plane(x, row[0], n)
    ux, uy = plane(x, row[2], n)
    if row[1] < 0:
        for j in range(out_x.size):
            out_x[j] = c0 * ux[j] - c1 * uy[j]
            out_y[j] = c0 * uy[j] + c1 * ux[j]
        return
    px, py = plane(x, row[1], n)
    for j in range(out_x.size):
        out_x[j] = px[j] + (c0 * ux[j] - c1 * uy[j])
        out_y[j] = py[j] + (c0 * uy[j] + c1 * ux[j])


@kernel
def _in_space(x, row, c, n):
    c0, c1, c2 = c[0], c[1], c[2]
    for i in range(3):
        out, e0, e1, e2 = x[row[0] + i, :n], x[row[2] + i, :n], x[row[3] + i, :n], x[row[4] + i, :n]
        if row[1] < 0:
            for j in range(out.size):
                out[j] = fma(c0, e0[j], fma(c1, e1[j], c2 * e2[j]))
        else:
            p = x[row[1] + i, :n]
            for j in range(out.size):
                out[j] = fma(c0, e0[j], fma(c1, e1[j], fma(c2, e2[j], p[j])))
