"""One body driven on a solved body in space: by an angle (R), or by six coordinates (the floating body F).

R: with the axis e, x axis n and y axis b of the joint frame on the solved body, u = cos θ n + sin θ b and
w = e × u = -sin θ n + cos θ b are directions of the driven one.
F: the point p + x n + y b + z e, and the directions [n b e] Rx(α) Ry(β) Rz(γ), intrinsic rotations.
"""

from sglibrary.convention import kernel
from sglibrary.report import known
from sglibrary.spatial.frames import carry_gain, carry_rate, gain, spin
from sglibrary.vectors import cross, get, plus, put, space, times


@kernel
def revolute_position(q, v, a, work, memory, rows, constants, status, conditioning, n):
    """rows: point, normal n, binormal b, driver; written: u, w. constants: sign of the angle."""
    sign = constants[0]
    c, s = q[rows[3] + 1, :n], q[rows[3] + 2, :n]
    for i in range(3):
        x, y = q[rows[1] + i, :n], q[rows[2] + i, :n]
        u, w = q[rows[4] + i, :n], q[rows[4] + 3 + i, :n]
        for j in range(u.size):
            u[j] = c[j] * x[j] + sign * s[j] * y[j]
            w[j] = c[j] * y[j] - sign * s[j] * x[j]
    known(q, rows, 4, status, conditioning, n)


@kernel
def revolute_velocity(q, v, a, work, memory, rows, constants, status, conditioning, n):
    sign = constants[0]
    c, s, rate = q[rows[3] + 1, :n], q[rows[3] + 2, :n], v[rows[3], :n]
    for i in range(3):
        dx, dy = v[rows[1] + i, :n], v[rows[2] + i, :n]
        u, w = q[rows[4] + i, :n], q[rows[4] + 3 + i, :n]
        du, dw = v[rows[4] + i, :n], v[rows[4] + 3 + i, :n]
        for j in range(du.size):
            du[j] = c[j] * dx[j] + sign * (s[j] * dy[j] + rate[j] * w[j])
            dw[j] = c[j] * dy[j] - sign * (s[j] * dx[j] + rate[j] * u[j])


@kernel
def revolute_acceleration(q, v, a, work, memory, rows, constants, status, conditioning, n):
    sign = constants[0]
    c, s, rate, gain = q[rows[3] + 1, :n], q[rows[3] + 2, :n], v[rows[3], :n], a[rows[3], :n]
    for i in range(3):
        dx, dy, ddx, ddy = v[rows[1] + i, :n], v[rows[2] + i, :n], a[rows[1] + i, :n], a[rows[2] + i, :n]
        u, w = q[rows[4] + i, :n], q[rows[4] + 3 + i, :n]
        ddu, ddw = a[rows[4] + i, :n], a[rows[4] + 3 + i, :n]
        for j in range(ddu.size):
            turn_u = c[j] * dy[j] - sign * s[j] * dx[j]
            turn_w = c[j] * dx[j] + sign * s[j] * dy[j]
            square = rate[j] * rate[j]
            ddu[j] = (
                c[j] * ddx[j] + sign * (s[j] * ddy[j] + 2.0 * rate[j] * turn_u + gain[j] * w[j]) - square * u[j]
            )
            ddw[j] = (
                c[j] * ddy[j] - sign * (s[j] * ddx[j] + 2.0 * rate[j] * turn_w + gain[j] * u[j]) - square * w[j]
            )


@kernel
def floating_position(q, v, a, work, memory, rows, constants, status, conditioning, n):
    """rows: point, n, b, e, drivers x, y, z, α, β, γ; written: point, then three directions."""
    tx, ty, tz = q[rows[4], :n], q[rows[5], :n], q[rows[6], :n]
    ca, sa = q[rows[7] + 1, :n], q[rows[7] + 2, :n]
    cb, sb = q[rows[8] + 1, :n], q[rows[8] + 2, :n]
    cg, sg = q[rows[9] + 1, :n], q[rows[9] + 2, :n]
    for i in range(3):
        p, x, y, z = q[rows[0] + i, :n], q[rows[1] + i, :n], q[rows[2] + i, :n], q[rows[3] + i, :n]
        out, e0, e1, e2 = (
            q[rows[10] + i, :n],
            q[rows[10] + 3 + i, :n],
            q[rows[10] + 6 + i, :n],
            q[rows[10] + 9 + i, :n],
        )
        for j in range(out.size):
            out[j] = p[j] + tx[j] * x[j] + ty[j] * y[j] + tz[j] * z[j]
        for j in range(e2.size):
            # columns of [n b e] Rx(α): x, then y and z turned about x by α
            y1 = ca[j] * y[j] + sa[j] * z[j]
            z1 = ca[j] * z[j] - sa[j] * y[j]
            x1 = cb[j] * x[j] - sb[j] * z1
            e2[j] = sb[j] * x[j] + cb[j] * z1
            e0[j] = cg[j] * x1 + sg[j] * y1
            e1[j] = cg[j] * y1 - sg[j] * x1
    known(q, rows, 10, status, conditioning, n)


@kernel
def floating_velocity(q, v, a, work, memory, rows, constants, status, conditioning, n):
    _point_rate(q, v, rows, n)
    _turn_rate(q, v, work, rows, n)
    w = space(work, 0, n)
    for k in range(3):
        carry_rate(q, v, rows[10] + 3 + 3 * k, w, n)


@kernel
def _point_rate(q, v, rows, n):
    for i in range(3):
        out, p = v[rows[10] + i, :n], v[rows[0] + i, :n]
        for j in range(out.size):
            out[j] = p[j]
        for k in range(3):
            t, dt = q[rows[4 + k], :n], v[rows[4 + k], :n]
            e, de = q[rows[1 + k] + i, :n], v[rows[1 + k] + i, :n]
            for j in range(out.size):
                out[j] += dt[j] * e[j] + t[j] * de[j]


@kernel
def _turn_rate(q, v, work, rows, n):
    """Angular velocity: that of the joint frame, plus α' about n, β' about the turned b, γ' about the last axis."""
    w, e2 = space(work, 0, n), space(q, rows[10] + 9, n)
    x, y, z = space(q, rows[1], n), space(q, rows[2], n), space(q, rows[3], n)
    spin(q, v, rows[1], rows[2], rows[3], w, n)
    ca, sa = q[rows[7] + 1, :n], q[rows[7] + 2, :n]
    da, db, dg = v[rows[7], :n], v[rows[8], :n], v[rows[9], :n]
    for j in range(ca.size):
        turned = plus(times(ca[j], get(y, j)), times(sa[j], get(z, j)))
        own = plus(times(da[j], get(x, j)), plus(times(db[j], turned), times(dg[j], get(e2, j))))
        put(w, j, plus(get(w, j), own))


@kernel
def floating_acceleration(q, v, a, work, memory, rows, constants, status, conditioning, n):
    _point_gain(q, v, a, rows, n)
    _turn_gain(q, v, a, work, rows, n)
    w, g = space(work, 0, n), space(work, 3, n)
    for k in range(3):
        carry_gain(q, v, a, rows[10] + 3 + 3 * k, w, g, n)


@kernel
def _point_gain(q, v, a, rows, n):
    for i in range(3):
        out, p = a[rows[10] + i, :n], a[rows[0] + i, :n]
        for j in range(out.size):
            out[j] = p[j]
        for k in range(3):
            t, dt, ddt = q[rows[4 + k], :n], v[rows[4 + k], :n], a[rows[4 + k], :n]
            e, de, dde = q[rows[1 + k] + i, :n], v[rows[1 + k] + i, :n], a[rows[1 + k] + i, :n]
            for j in range(out.size):
                out[j] += ddt[j] * e[j] + 2.0 * dt[j] * de[j] + t[j] * dde[j]


@kernel
def _turn_gain(q, v, a, work, rows, n):
    """Angular velocity (work rows 0-2) and acceleration (rows 3-5); an axis k turning with Ω has k' = Ω × k."""
    w, g, w0, turned = space(work, 0, n), space(work, 3, n), space(work, 6, n), space(work, 9, n)
    x, y, z = space(q, rows[1], n), space(q, rows[2], n), space(q, rows[3], n)
    e2 = space(q, rows[10] + 9, n)
    spin(q, v, rows[1], rows[2], rows[3], w0, n)
    gain(q, v, a, rows[1], rows[2], rows[3], g, n)
    ca, sa = q[rows[7] + 1, :n], q[rows[7] + 2, :n]
    da, db, dg = v[rows[7], :n], v[rows[8], :n], v[rows[9], :n]
    dda, ddb, ddg = a[rows[7], :n], a[rows[8], :n], a[rows[9], :n]
    for j in range(ca.size):
        put(turned, j, plus(times(ca[j], get(y, j)), times(sa[j], get(z, j))))
    for j in range(ca.size):
        first = plus(get(w0, j), times(da[j], get(x, j)))
        second = plus(first, times(db[j], get(turned, j)))
        put(w, j, plus(second, times(dg[j], get(e2, j))))
        by_x = times(da[j], cross(get(w0, j), get(x, j)))
        by_y = times(db[j], cross(first, get(turned, j)))
        by_z = times(dg[j], cross(second, get(e2, j)))
        put(g, j, plus(get(g, j), plus(by_x, plus(by_y, by_z))))
    for j in range(dda.size):
        own = plus(times(dda[j], get(x, j)), plus(times(ddb[j], get(turned, j)), times(ddg[j], get(e2, j))))
        put(g, j, plus(get(g, j), own))
