"""Angular velocity and acceleration of three orthonormal directions, and what they do to directions of the body."""

from sglibrary.convention import kernel
from sglibrary.vectors import cross, get, minus, plus, put, space, times


@kernel
def spin(q, v, x_row, y_row, z_row, out, n):
    """Angular velocity (y'·z) x + (z'·x) y + (x'·y) z of three orthonormal directions, given by their rows."""
    x, y, z = space(q, x_row, n), space(q, y_row, n), space(q, z_row, n)
    dx, dy, dz = space(v, x_row, n), space(v, y_row, n), space(v, z_row, n)
    for j in range(out[0].size):
        about_x = dy[0][j] * z[0][j] + dy[1][j] * z[1][j] + dy[2][j] * z[2][j]
        about_y = dz[0][j] * x[0][j] + dz[1][j] * x[1][j] + dz[2][j] * x[2][j]
        about_z = dx[0][j] * y[0][j] + dx[1][j] * y[1][j] + dx[2][j] * y[2][j]
        put(
            out,
            j,
            plus(times(about_x, get(x, j)), plus(times(about_y, get(y, j)), times(about_z, get(z, j)))),
        )


@kernel
def gain(q, v, a, x_row, y_row, z_row, out, n):
    """Angular acceleration of three orthonormal directions, given by their rows: y''·z is α_x + ω_y ω_z, and so on."""
    spin(q, a, x_row, y_row, z_row, out, n)
    x, y, z = space(q, x_row, n), space(q, y_row, n), space(q, z_row, n)
    w, u = space(v, x_row, n), space(v, y_row, n)  # x' = ω_z y - ω_y z, y' = ω_x z - ω_z x
    for j in range(out[0].size):
        wz = w[0][j] * y[0][j] + w[1][j] * y[1][j] + w[2][j] * y[2][j]
        wy = -(w[0][j] * z[0][j] + w[1][j] * z[1][j] + w[2][j] * z[2][j])
        wx = u[0][j] * z[0][j] + u[1][j] * z[1][j] + u[2][j] * z[2][j]
        squares = plus(
            times(wy * wz, get(x, j)), plus(times(wz * wx, get(y, j)), times(wx * wy, get(z, j)))
        )
        put(out, j, minus(get(out, j), squares))


@kernel
def carry_rate(q, v, row, w, n):
    """e' = ω × e for the direction in a row and the angular velocity w."""
    e, out = space(q, row, n), space(v, row, n)
    for j in range(out[0].size):
        put(out, j, cross(get(w, j), get(e, j)))


@kernel
def carry_gain(q, v, a, row, w, g, n):
    """e'' = α × e + ω × e' for the direction in a row, angular velocity w and acceleration g."""
    e, de, out = space(q, row, n), space(v, row, n), space(a, row, n)
    for j in range(out[0].size):
        put(out, j, plus(cross(get(g, j), get(e, j)), cross(get(w, j), get(de, j))))
