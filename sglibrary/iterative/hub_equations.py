"""Equations of a hub at many steps: their values and Jacobian, and what gives rates and accelerations.

With x the hub's point relative to the base, r the way from there to a point of the hub, and p a solved point relative
to the base, d = x + r - p. A distance of value l is kept by (d² - l²) / 2 l₀ = 0, a plane of normal u by u·d = h; their
gradients are e = d / l₀, or u, for x, and r × e for the rotation. The first derivative of d is x' + ω × r - p', and
the second x'' + ω' × r + ω × (ω × r) - p''.

For the tables and `Work` see `sglibrary.iterative.hub_tables`.
"""

import math

import numpy as np

from sglibrary.convention import allocating, inlined, kernel
from sglibrary.iterative.hub_tables import DISTANCE, find_pivots, in_order
from sglibrary.iterative.linear import factor, solve
from sglibrary.iterative.simd import copy
from sglibrary.trigonometry import cosine_sine
from sglibrary.vectors import carried, cross, dot, fma, get, minus, plus, put, read, times, write

# --- what is given ---------------------------------------------------------------------------


@kernel
def load(state, first, hub, work):
    """Solved points relative to the base, and what depends on drivers, from step `first` on."""
    width, share = work.length.size, 1.0 / hub.size
    for j in range(width):
        work.reach[j] = 1.0
    for k in range(hub.unknowns):
        row, data = hub.equations[k], hub.data[k]
        for order in range(3):
            x = state[order]
            for i in range(hub.dimension):
                point, base = x[row[1] + i, first : first + width], x[hub.base + i, first : first + width]
                out = work.points[(order * hub.unknowns + k) * hub.dimension + i]
                for j in range(out.size):
                    out[j] = share * (point[j] - base[j])
        if row[3] < 0:
            _stay(work.goals, k, 0.5 * data[3] if row[0] == DISTANCE else data[3])
        else:
            value, rate, gain = (
                state[0][row[3], first : first + width],
                state[1][row[3], first : first + width],
                state[2][row[3], first : first + width],
            )
            if row[0] == DISTANCE:
                _stretch(value, rate, gain, data, work.goals, k, work.reach)
            else:
                _shift(value, rate, gain, data, work.goals, k)


@kernel
def _stay(goals, k, value):
    n = goals.shape[0] // 3
    goal, first, second = goals[k], goals[n + k], goals[2 * n + k]
    for j in range(goal.size):
        goal[j] = value
        first[j] = second[j] = 0.0


@kernel
def _stretch(value, rate, gain, data, goals, k, reach):
    """l² / 2 l₀ of a telescope, and how far it is out."""
    n = goals.shape[0] // 3
    goal, first, second = goals[k], goals[n + k], goals[2 * n + k]
    square, shift, slope, side, share = data[4], data[5], data[6], data[7], 1.0 / data[3]
    for j in range(goal.size):
        s, ds, dds = slope * value[j], slope * rate[j], slope * gain[j]
        t = s + shift
        goal[j] = 0.5 * share * fma(s, t + shift, square)
        first[j] = share * (t * ds)
        second[j] = share * fma(ds, ds, t * dds)
        out = side * share * t
        reach[j] = out if not out >= reach[j] else reach[j]


@kernel
def _shift(value, rate, gain, data, goals, k):
    n = goals.shape[0] // 3
    goal, first, second = goals[k], goals[n + k], goals[2 * n + k]
    offset, slope = data[3], data[4]
    for j in range(goal.size):
        goal[j] = fma(slope, value[j], offset)
        first[j] = slope * rate[j]
        second[j] = slope * gain[j]


@kernel
def turn_hub(hub, work):
    """The rotation of the hub from its variables."""
    if hub.dimension == 2:
        cosine_sine(work.x[2], work.turn[0], work.turn[1])
    else:
        _from_quaternion(work.x, work.turn)


@kernel
def _from_quaternion(x, out):
    for j in range(x.shape[1]):
        w, a, b, c = read((x, 3), j), read((x, 4), j), read((x, 5), j), read((x, 6), j)
        put((out, 0), j, (1.0 - 2.0 * (b * b + c * c), 2.0 * (a * b - w * c), 2.0 * (a * c + w * b)))
        put((out, 3), j, (2.0 * (a * b + w * c), 1.0 - 2.0 * (a * a + c * c), 2.0 * (b * c - w * a)))
        put((out, 6), j, (2.0 * (a * c - w * b), 2.0 * (b * c + w * a), 1.0 - 2.0 * (a * a + b * b)))


# --- values and gradients --------------------------------------------------------------------


@allocating
def own_order(state, first, hub, work):
    """The best order of elimination for one step, at x; over what was factored."""
    order = in_order(np.full(hub.unknowns, -1.0))
    jacobian(state, first, hub, work, order.rows)
    find_pivots(work.lu, order.rows)
    return order


@kernel
def evaluate(state, first, hub, work, order):
    """Factors of the Jacobian at x, and values, in the order of elimination."""
    turn_hub(hub, work)
    jacobian(state, first, hub, work, order.rows)
    factor(work.lu, order.entries, work.growth)


@kernel
def jacobian(state, first, hub, work, rows):
    """The Jacobian and values, each row at its place."""
    for k in range(hub.unknowns):
        out, value, direction = work.lu[rows[k]], work.b[rows[k]], hub.equations[k, 2]
        if hub.dimension == 2:
            _in_plane(state[0], direction, first, work, k, hub.data[k], out, value)
        else:
            _in_space(state[0], direction, first, work, k, hub.data[k], out, value)


@inlined
def _arm(turn, local, j):
    """A direction of the hub in space."""
    return dot(get((turn, 0), j), local), dot(get((turn, 3), j), local), dot(get((turn, 6), j), local)


@kernel
def _in_space(q, direction, first, work, k, data, row, value):
    x, turn, points, goals = work.x, work.turn, work.points, work.goals
    local, share, half = (
        (data[0], data[1], data[2]),
        1.0 if direction >= 0 else 1.0 / data[3],
        1.0 if direction >= 0 else 0.5,
    )
    for j in range(value.size):
        arm = _arm(turn, local, j)
        d = minus(plus(get((x, 0), j), arm), get((points, 3 * k), j))
        e = times(share, d)
        if direction >= 0:
            e = get((q, direction), first + j)
        put((row, 0), j, e)
        put((row, 3), j, cross(arm, e))
        write(value, j, fma(half, dot(d, e), -read((goals, k), j)))


@kernel
def _in_plane(q, direction, first, work, k, data, row, value):
    x, turn, points, goals = work.x, work.turn, work.points, work.goals
    c0, c1, share, half = data[0], data[1], 1.0 if direction >= 0 else 1.0 / data[3], 1.0 if direction >= 0 else 0.5
    a, b, c = row[0], row[1], row[2]
    for j in range(value.size):
        rx, ry, dx, dy = _way_in_plane(x, turn, points, k, c0, c1, j)
        ex, ey = share * dx, share * dy
        if direction >= 0:
            ex, ey = read((q, direction), first + j), read((q, direction + 1), first + j)
        write(a, j, ex)
        write(b, j, ey)
        write(c, j, fma(rx, ey, -ry * ex))
        write(value, j, fma(half, fma(dx, ex, dy * ey), -read((goals, k), j)))


@inlined
def _way_in_plane(x, turn, points, k, c0, c1, j):
    cos, sin = read((turn, 0), j), read((turn, 1), j)
    rx, ry = fma(cos, c0, -sin * c1), fma(sin, c0, cos * c1)
    return rx, ry, read((x, 0), j) + rx - read((points, 2 * k), j), read((x, 1), j) + ry - read((points, 2 * k + 1), j)


# --- rates and accelerations -----------------------------------------------------------------


@kernel
def derive(state, first, hub, work, order):
    """Rates and second derivatives of the unknowns, from the factors at x."""
    for degree in range(1, 3):
        for k in range(hub.unknowns):
            out, direction = work.b[order.rows[k]], hub.equations[k, 2]
            if hub.dimension == 2 and degree == 1:
                _rate_in_plane(state, direction, first, work, k, hub.data[k], out)
            elif hub.dimension == 2:
                _gain_in_plane(state, direction, first, work, k, hub.data[k], out)
            elif degree == 1:
                _rate_in_space(state, direction, first, work, k, hub.data[k], out)
            else:
                _gain_in_space(state, direction, first, work, k, hub.data[k], out)
        solve(work.lu, order.entries, work.b)
        copy(work.b, work.rate if degree == 1 else work.gain)


@kernel
def _rate_in_space(state, direction, first, work, k, data, out):
    q, v, _ = state
    x, turn, points, goals, n = work.x, work.turn, work.points, work.goals, work.goals.shape[0] // 3
    local, share = (data[0], data[1], data[2]), 1.0 if direction >= 0 else 1.0 / data[3]
    for j in range(out.size):
        d = minus(plus(get((x, 0), j), _arm(turn, local, j)), get((points, 3 * k), j))
        e, tilting = times(share, d), 0.0
        if direction >= 0:
            e, tilting = get((q, direction), first + j), dot(get((v, direction), first + j), d)
        write(out, j, dot(e, get((points, 3 * (n + k)), j)) - tilting + read((goals, n + k), j))


@kernel
def _gain_in_space(state, direction, first, work, k, data, out):
    q, v, a = state
    x, turn, points, goals, n = work.x, work.turn, work.points, work.goals, work.goals.shape[0] // 3
    local, share, rate = (data[0], data[1], data[2]), 1.0 if direction >= 0 else 1.0 / data[3], work.rate
    for j in range(out.size):
        arm, spin = _arm(turn, local, j), get((rate, 3), j)
        whirl = cross(spin, arm)
        d = minus(plus(get((x, 0), j), arm), get((points, 3 * k), j))
        speed = minus(plus(get((rate, 0), j), whirl), get((points, 3 * (n + k)), j))
        rest = minus(get((points, 3 * (2 * n + k)), j), cross(spin, whirl))
        e, turning = times(share, d), share * dot(speed, speed)
        if direction >= 0:
            e = get((q, direction), first + j)
            turning = fma(2.0, dot(get((v, direction), first + j), speed), dot(get((a, direction), first + j), d))
        write(out, j, dot(e, rest) - turning + read((goals, 2 * n + k), j))


@kernel
def _rate_in_plane(state, direction, first, work, k, data, out):
    q, v, _ = state
    x, turn, n = work.x, work.turn, work.goals.shape[0] // 3
    points, goals = work.points, work.goals
    c0, c1, share, at = data[0], data[1], 1.0 if direction >= 0 else 1.0 / data[3], 2 * (n + k)
    for j in range(out.size):
        _, _, dx, dy = _way_in_plane(x, turn, points, k, c0, c1, j)
        vx, vy = read((points, at), j), read((points, at + 1), j)
        if direction < 0:
            moved = share * fma(dx, vx, dy * vy)
        else:
            ux, uy = read((q, direction), first + j), read((q, direction + 1), first + j)
            wx, wy = read((v, direction), first + j), read((v, direction + 1), first + j)
            moved = fma(ux, vx, uy * vy) - fma(wx, dx, wy * dy)
        write(out, j, moved + read((goals, n + k), j))


@kernel
def _gain_in_plane(state, direction, first, work, k, data, out):
    q, v, a = state
    x, turn, rate, n = work.x, work.turn, work.rate, work.goals.shape[0] // 3
    points, goals = work.points, work.goals
    c0, c1, share = data[0], data[1], 1.0 if direction >= 0 else 1.0 / data[3]
    at, after = 2 * (n + k), 2 * (2 * n + k)
    for j in range(out.size):
        rx, ry, dx, dy = _way_in_plane(x, turn, points, k, c0, c1, j)
        spin = read((rate, 2), j)
        sx = fma(-spin, ry, read((rate, 0), j)) - read((points, at), j)
        sy = fma(spin, rx, read((rate, 1), j)) - read((points, at + 1), j)
        bx = fma(spin * spin, rx, read((points, after), j))
        by = fma(spin * spin, ry, read((points, after + 1), j))
        if direction < 0:
            moved = share * (fma(dx, bx, dy * by) - fma(sx, sx, sy * sy))
        else:
            ux, uy = read((q, direction), first + j), read((q, direction + 1), first + j)
            wx, wy = read((v, direction), first + j), read((v, direction + 1), first + j)
            zx, zy = read((a, direction), first + j), read((a, direction + 1), first + j)
            moved = fma(ux, bx, uy * by) - fma(2.0, fma(wx, sx, wy * sy), fma(zx, dx, zy * dy))
        write(out, j, moved + read((goals, 2 * n + k), j))


# --- steps and results -----------------------------------------------------------------------


@kernel
def newton_step(work, order):
    """Newton's step from the factors and values."""
    solve(work.lu, order.entries, work.b)
    for u in range(work.step.shape[0]):
        x, out = work.b[u], work.step[u]
        for j in range(out.size):
            out[j] = -x[j]


@kernel
def advance(hub, work):
    """Move the variables by Newton's step."""
    d = hub.dimension
    for i in range(d):
        x, step = work.x[i], work.step[i]
        for j in range(x.size):
            x[j] += step[j]
    if d == 2:
        x, step = work.x[2], work.step[2]
        for j in range(x.size):
            x[j] += step[j]
    else:
        _turn_by(work.x[3], work.x[4], work.x[5], work.x[6], work.step)


@kernel
def _turn_by(w, a, b, c, step):
    """Turn unit quaternions by rotation vectors, but for their third power, about the axes of the base."""
    x, y, z = step[3], step[4], step[5]
    for j in range(w.size):
        p, q, r, s = w[j], a[j], b[j], c[j]
        e, f, g = 0.5 * x[j], 0.5 * y[j], 0.5 * z[j]
        p1 = p - (e * q + f * r + g * s)
        q1 = q + (e * p + f * s - g * r)
        r1 = r + (f * p + g * q - e * s)
        s1 = s + (g * p + e * r - f * q)
        share = 1.0 / math.sqrt(p1 * p1 + q1 * q1 + r1 * r1 + s1 * s1)
        w[j], a[j], b[j], c[j] = share * p1, share * q1, share * r1, share * s1


@kernel
def store(state, first, hub, work):
    """Point and axes of the hub with their derivatives, from step `first` of the state on."""
    q, v, a = state
    d, width, rate, gain = hub.dimension, work.length.size, work.rate, work.gain
    for order in range(3):
        x, unknown = state[order], work.x if order == 0 else rate if order == 1 else gain
        for i in range(d):
            base, relative = x[hub.base + i, first : first + width], unknown[i]
            out = x[hub.out + i, first : first + width]
            for j in range(out.size):
                out[j] = fma(hub.size, relative[j], base[j])
    if d == 2:
        _store_in_plane(q, v, a, hub.out + 2, first, work.turn, rate, gain)
    else:
        _store_in_space(q, v, a, hub.out + 3, first, work.turn, rate, gain)


@kernel
def _store_in_plane(q, v, a, row, first, turn, rate, gain):
    width = rate.shape[1]
    span = slice(first, first + width)
    (x, y), (dx, dy), (ddx, ddy) = (
        (q[row, span], q[row + 1, span]),
        (v[row, span], v[row + 1, span]),
        (a[row, span], a[row + 1, span]),
    )
    for j in range(width):
        cos, sin, spin, rise = read((turn, 0), j), read((turn, 1), j), read((rate, 2), j), read((gain, 2), j)
        write(x, j, cos)
        write(y, j, sin)
        write(dx, j, -spin * sin)
        write(dy, j, spin * cos)
        write(ddx, j, fma(-rise, sin, -spin * spin * cos))
        write(ddy, j, fma(rise, cos, -spin * spin * sin))


@kernel
def _store_in_space(q, v, a, row, first, turn, rate, gain):
    for i in range(3):
        for j in range(rate.shape[1]):
            e = read((turn, i), j), read((turn, 3 + i), j), read((turn, 6 + i), j)
            spin, rise = get((rate, 3), j), get((gain, 3), j)
            speed = cross(spin, e)
            put((q, row + 3 * i), first + j, e)
            put((v, row + 3 * i), first + j, speed)
            put((a, row + 3 * i), first + j, carried(spin, rise, e, speed))
