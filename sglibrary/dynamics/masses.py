"""Weights and inertia of bodies in the equations of motion, by rates of poses that free coordinates and loads give.

The loops are over lanes, or over all columns of the state; each is a kernel of its own (`sglibrary.vectors`).
"""

from sglibrary.convention import formula, inlined, kernel, merged
from sglibrary.vectors import add, axpy, dot, get, put, read, write
from sglibrary.vectors import times as scaled


@inlined
def add_masses(equations, room, lanes):
    """M, and what weights and inertia at z'' = 0 do for the free coordinates."""
    mass, force, v, a = room.mass, room.force, room.state.v, room.state.a
    poses, inertia, gravity = equations.poses, equations.inertia, equations.gravity
    if lanes.size == 1 and force.shape[0] == 1:
        _add_alone(poses, inertia, gravity, v, a, lanes, mass, force)
        return
    for i in range(force.shape[0]):
        for m in range(i + 1):
            _clear(mass[i, m])
        _clear(force[i])
    for k in range(poses.shape[0]):
        if force.shape[0] == 1:
            _add_both(poses[k], inertia[k], gravity, v, a, lanes, mass[0, 0], force[0])
        else:
            _find_momenta(poses[k], inertia[k], gravity, v, a, lanes, room.moved)
            _add_all(room.moved, lanes.size, mass, force)


@kernel
def _add_alone(poses, inertia, gravity, v, a, lanes, mass, force):
    """Do it for one coordinate of one lane, whose sums stay in registers."""
    square, total, driving = lanes.scale[0] * lanes.scale[0], 0.0, 0.0
    for k in range(poses.shape[0]):
        if poses.shape[1] == 2:
            body, down = _plane_body(poses[k], inertia[k]), (gravity[0], gravity[1])
            more = _of_plane_body(body, down, v, a, 0, lanes.actual, square)
        else:
            rows, center, moments = _body(poses[k], inertia[k])
            fall = gravity[0], gravity[1], gravity[2]
            more = _of_body(rows, center, moments, fall, v, a, 0, lanes.actual, square)
        total += more[0]
        driving += more[1]
    mass[0, 0, 0], force[0, 0] = total, driving


@kernel
def _add_both(pose, inertia, gravity, v, a, lanes, mass, force):
    """Do it for one coordinate and one body, in one loop over the lanes."""
    if pose.size == 2:
        _add_in_plane(_plane_body(pose, inertia), (gravity[0], gravity[1]), v, a, lanes, mass, force)
    else:
        _add_in_space(_body(pose, inertia), (gravity[0], gravity[1], gravity[2]), v, a, lanes, mass, force)


@kernel
def _add_in_plane(body, down, v, a, lanes, mass, force):
    scale, actual = lanes.scale, lanes.actual
    for j in range(mass.size):
        more = _of_plane_body(body, down, v, a, j, actual + j, read(scale, j) * read(scale, j))
        add(mass, j, more[0])
        add(force, j, more[1])


@kernel
def _add_in_space(body, down, v, a, lanes, mass, force):
    scale, actual = lanes.scale, lanes.actual
    rows, center, moments = body
    for j in range(mass.size):
        more = _of_body(rows, center, moments, down, v, a, j, actual + j, read(scale, j) * read(scale, j))
        add(mass, j, more[0])
        add(force, j, more[1])


@formula
def _plane_body(pose, inertia):
    """Rows, place of the center, mass and moment of inertia, read before a loop."""
    return pose[0], pose[1], inertia[0], inertia[1], inertia[2], inertia[3]


@formula
def _body(pose, inertia):
    """Rows, place of the center and mass, and second moments of mass, read before a loop."""
    return (
        (pose[0], pose[1], pose[2], pose[3]),
        (inertia[0], inertia[1], inertia[2], inertia[3]),
        (inertia[4], inertia[5], inertia[6], inertia[7], inertia[8], inertia[9]),
    )


@formula
def _of_plane_body(body, gravity, v, a, j, actual, square):
    """What a body adds to M and F of one coordinate, given the columns of unit and actual rates."""
    return _plane_sums(body, gravity, _plane_rates(body, v, j), _plane_rates(body, a, actual), square)


@formula
def _plane_rates(body, v, j):
    """Center of mass and direction of a body in a column, or their rates or accelerations."""
    p, e, x, y, _, _ = body
    ex, ey = read((v, e), j), read((v, e + 1), j)
    return read((v, p), j) + (x * ex - y * ey), read((v, p + 1), j) + (x * ey + y * ex), ex, ey


@formula
def _plane_sums(body, gravity, rates, gains, square):
    """Sums over rates times rates, and rates times loads less inertia, of a body."""
    mass, moment = body[4], body[5]
    vx, vy, ex, ey = rates
    ax, ay, gx, gy = gains
    push = (gravity[0] - square * ax) * vx + (gravity[1] - square * ay) * vy
    return (
        mass * (vx * vx + vy * vy) + moment * (ex * ex + ey * ey),
        mass * push - moment * (square * (ex * gx + ey * gy)),
    )


@formula
def _of_body(rows, center, moments, gravity, v, a, j, actual, square):
    """Do it in space."""
    return _sums(center, moments, gravity, _rates(rows, center, v, j), _rates(rows, center, a, actual), square)


@formula
def _rates(rows, center, v, j):
    """Center of mass and three directions of a body in a column, or their rates or accelerations."""
    x, y, z = get((v, rows[1]), j), get((v, rows[2]), j), get((v, rows[3]), j)
    return _place(get((v, rows[0]), j), x, y, z, center), x, y, z


@formula
def _sums(center, moments, gravity, rates, gains, square):
    """Do what `_plane_sums` does in space."""
    speed, x, y, z = rates
    gain, gx, gy, gz = gains
    rest = axpy(-square, gain, gravity)
    hx, hy, hz = _turned(x, y, z, moments)
    return (
        center[3] * dot(speed, speed) + (dot(x, hx) + dot(y, hy) + dot(z, hz)),
        center[3] * dot(rest, speed) - square * (dot(gx, hx) + dot(gy, hy) + dot(gz, hz)),
    )


@formula
def _place(point, x, y, z, center):
    """Rate or acceleration of a center of mass."""
    return axpy(center[0], x, axpy(center[1], y, axpy(center[2], z, point)))


@formula
def _turned(x, y, z, moments):
    """Second moments of mass times the rates or accelerations of three directions."""
    xx, yy, zz, xy, xz, yz = moments
    return (
        axpy(xx, x, axpy(xy, y, scaled(xz, z))),
        axpy(xy, x, axpy(yy, y, scaled(yz, z))),
        axpy(xz, x, axpy(yz, y, scaled(zz, z))),
    )


@inlined
def kinetic_of(pose, inertia, v, column):
    """Twice the kinetic energy of a body, J, given the rates in a column."""
    if pose.size == 2:
        return _of_plane_body(_plane_body(pose, inertia), (0.0, 0.0), v, v, column, column, 0.0)[0]
    rows, center, moments = _body(pose, inertia)
    return _of_body(rows, center, moments, (0.0, 0.0, 0.0), v, v, column, column, 0.0)[0]


@inlined
def weight_of(pose, inertia, gravity, q, column):
    """Weight of a body times the place of its center, J."""
    if pose.size == 2:
        body = _plane_body(pose, inertia)
        at = _plane_rates(body, q, column)
        return body[4] * (gravity[0] * at[0] + gravity[1] * at[1])
    rows, center, _ = _body(pose, inertia)
    return center[3] * dot(_rates(rows, center, q, column)[0], (gravity[0], gravity[1], gravity[2]))


@kernel
def find_power(equations, state, lanes, out, power):
    """Compute the power, W, that drivers with laws and forces of the user supply: Σ m (a - g) · v.

    The accelerations of the free coordinates are the second half of `out` (2 f, n).
    """
    _clear(power)
    for k in range(equations.poses.shape[0]):
        if equations.dimension == 2:
            body = _plane_body(equations.poses[k], equations.inertia[k])
            _add_plane_power(body, equations.gravity, state.v, state.a, lanes.actual, out, power)
        else:
            body = _body(equations.poses[k], equations.inertia[k])
            _add_power(body, equations.gravity, state.v, state.a, lanes.actual, out, power)


@merged
def _add_plane_power(body, gravity, v, a, actual, out, power):
    n, free, down = power.size, out.shape[0] // 2, (gravity[0], gravity[1])
    for j in range(n):
        x, y, ex, ey = _plane_rates(body, a, actual + j)
        for i in range(free):
            share, unit = out[free + i, j], _plane_rates(body, v, i * n + j)
            x, y, ex, ey = x + share * unit[0], y + share * unit[1], ex + share * unit[2], ey + share * unit[3]
        power[j] -= _plane_sums(body, down, _plane_rates(body, v, actual + j), (x, y, ex, ey), 1.0)[1]


@merged
def _add_power(body, gravity, v, a, actual, out, power):
    rows, center, moments = body
    n, free, down = power.size, out.shape[0] // 2, (gravity[0], gravity[1], gravity[2])
    for j in range(n):
        place, x, y, z = _rates(rows, center, a, actual + j)
        for i in range(free):
            share, (speed, ex, ey, ez) = out[free + i, j], _rates(rows, center, v, i * n + j)
            place, x, y, z = axpy(share, speed, place), axpy(share, ex, x), axpy(share, ey, y), axpy(share, ez, z)
        power[j] -= _sums(center, moments, down, _rates(rows, center, v, actual + j), (place, x, y, z), 1.0)[1]


@kernel
def _find_momenta(pose, inertia, gravity, v, a, lanes, moved):
    """Fill what a body moves by: rates of center and directions, momenta at these, and what is left of its loads."""
    if pose.size == 2:
        body = _plane_body(pose, inertia)
        for c in range(2):
            _find_plane_momenta(body, c, v, moved)
            _find_plane_pulls(body, c, gravity[c], a, lanes, moved)
        return
    body = _body(pose, inertia)
    _find_space_momenta(body, v, moved)
    _find_space_pulls(body, (gravity[0], gravity[1], gravity[2]), a, lanes, moved)


@kernel
def _find_plane_momenta(body, c, v, moved):
    p, e, x, y, mass, moment = body
    rates, momenta, _ = moved
    turned, sign = e + 1 - c, (2.0 * c - 1.0) * y
    for j in range(rates.shape[1]):
        turn = read((v, e + c), j)
        speed = read((v, p + c), j) + (x * turn + sign * read((v, turned), j))
        write((rates, c), j, speed)
        write((rates, 2 + c), j, turn)
        write((momenta, c), j, mass * speed)
        write((momenta, 2 + c), j, moment * turn)


@kernel
def _find_plane_pulls(body, c, fall, a, lanes, moved):
    p, e, x, y, mass, moment = body
    pulls, actual, scale = moved[2], lanes.actual, lanes.scale
    turned, sign = e + 1 - c, (2.0 * c - 1.0) * y
    for j in range(lanes.size):
        at, square = actual + j, read(scale, j) * read(scale, j)
        turn = read((a, e + c), at)
        gain = read((a, p + c), at) + (x * turn + sign * read((a, turned), at))
        write((pulls, c), j, mass * (fall - square * gain))
        write((pulls, 2 + c), j, -moment * (square * turn))


@kernel
def _find_space_momenta(body, v, moved):
    rows, center, moments = body
    rates, momenta, _ = moved
    for j in range(rates.shape[1]):
        x, y, z = get((v, rows[1]), j), get((v, rows[2]), j), get((v, rows[3]), j)
        speed = _place(get((v, rows[0]), j), x, y, z, center)
        hx, hy, hz = _turned(x, y, z, moments)
        put((rates, 0), j, speed)
        put((rates, 3), j, x)
        put((rates, 6), j, y)
        put((rates, 9), j, z)
        put((momenta, 0), j, scaled(center[3], speed))
        put((momenta, 3), j, hx)
        put((momenta, 6), j, hy)
        put((momenta, 9), j, hz)


@kernel
def _find_space_pulls(body, fall, a, lanes, moved):
    rows, center, moments = body
    pulls, actual, scale = moved[2], lanes.actual, lanes.scale
    for j in range(lanes.size):
        at, square = actual + j, -(read(scale, j) * read(scale, j))
        x, y, z = get((a, rows[1]), at), get((a, rows[2]), at), get((a, rows[3]), at)
        hx, hy, hz = _turned(x, y, z, moments)
        rest = axpy(square, _place(get((a, rows[0]), at), x, y, z, center), fall)
        put((pulls, 0), j, scaled(center[3], rest))
        put((pulls, 3), j, scaled(square, hx))
        put((pulls, 6), j, scaled(square, hy))
        put((pulls, 9), j, scaled(square, hz))


@kernel
def _add_all(moved, n, mass, force):
    """Add rates times momenta and pulls, for all coordinates."""
    rates, momenta, pulls = moved
    for r in range(rates.shape[0]):
        for i in range(force.shape[0]):
            if n == 1:
                force[i, 0] += pulls[r, 0] * rates[r, i]
                for m in range(i + 1):
                    mass[i, m, 0] += rates[r, i] * momenta[r, m]
                continue
            _add_product(pulls[r, :n], rates[r, i * n : (i + 1) * n], force[i])
            for m in range(i + 1):
                _add_product(rates[r, i * n : (i + 1) * n], momenta[r, m * n : (m + 1) * n], mass[i, m])


@kernel
def _add_product(first, second, out):
    for j in range(out.size):
        add(out, j, read(first, j) * read(second, j))


@kernel
def _clear(x):
    for j in range(x.size):
        x[j] = 0.0
