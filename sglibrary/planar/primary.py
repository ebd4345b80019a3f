"""A body driven by an angle on a solved body in the plane (R).

With n the x axis of the joint frame on the solved body and ⊥ a quarter turn, u = cos θ n + sin θ n⊥.
"""

from sglibrary.convention import kernel
from sglibrary.report import known


@kernel
def revolute_position(q, v, a, work, memory, rows, constants, status, conditioning, n):
    """rows: point, normal, driver; written: direction u. constants: sign of the angle."""
    nx, ny = q[rows[1], :n], q[rows[1] + 1, :n]
    c, s = q[rows[2] + 1, :n], q[rows[2] + 2, :n]
    ux, uy = q[rows[3], :n], q[rows[3] + 1, :n]
    sign = constants[0]
    for j in range(ux.size):
        ux[j] = c[j] * nx[j] - sign * s[j] * ny[j]
        uy[j] = c[j] * ny[j] + sign * s[j] * nx[j]
    known(q, rows, 3, status, conditioning, n)


@kernel
def revolute_velocity(q, v, a, work, memory, rows, constants, status, conditioning, n):
    nx, ny = q[rows[1], :n], q[rows[1] + 1, :n]
    mx, my = v[rows[1], :n], v[rows[1] + 1, :n]
    ux, uy = q[rows[3], :n], q[rows[3] + 1, :n]
    rate = v[rows[2], :n]
    wx, wy = v[rows[3], :n], v[rows[3] + 1, :n]
    sign = constants[0]
    for j in range(wx.size):
        turn = nx[j] * my[j] - ny[j] * mx[j] + sign * rate[j]
        wx[j] = -turn * uy[j]
        wy[j] = turn * ux[j]


@kernel
def revolute_acceleration(q, v, a, work, memory, rows, constants, status, conditioning, n):
    nx, ny = q[rows[1], :n], q[rows[1] + 1, :n]
    kx, ky = a[rows[1], :n], a[rows[1] + 1, :n]
    ux, uy = q[rows[3], :n], q[rows[3] + 1, :n]
    wx, wy = v[rows[3], :n], v[rows[3] + 1, :n]
    rate = a[rows[2], :n]
    bx, by = a[rows[3], :n], a[rows[3] + 1, :n]
    sign = constants[0]
    for j in range(bx.size):
        turn = ux[j] * wy[j] - uy[j] * wx[j]
        gain = nx[j] * ky[j] - ny[j] * kx[j] + sign * rate[j]
        bx[j] = -gain * uy[j] - turn * turn * ux[j]
        by[j] = gain * ux[j] - turn * turn * uy[j]
