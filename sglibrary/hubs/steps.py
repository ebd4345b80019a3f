"""Newton's steps of a hub at many steps of a motion, rates and second derivatives, and what is written of them.

The three or six equations of a step are written out, so that a loop takes steps side by side.
"""

import math

from sglibrary.convention import formula, inlined, kernel
from sglibrary.hubs.elimination import factors_of_six, factors_of_three, solve_six, solve_three
from sglibrary.hubs.equations import (
    constants_of,
    gain_in_plane,
    gain_in_space,
    in_plane,
    in_space,
    rate_in_plane,
    rate_in_space,
    turned,
)
from sglibrary.trigonometry import cosine_sine
from sglibrary.vectors import carried, cross, fma, get, put, put_triad, read, write


@kernel
def newton_step(hub, work, coordinates):
    """Newton's step at x, and its length."""
    if len(coordinates) == 2:
        cosine_sine(work.x[2], work.turn[0], work.turn[1])
        _step_in_plane(hub, work, work.order)
    else:
        _step_in_space(hub, work, work.order)


@kernel
def finish(hub, work, coordinates):
    """Newton's step at x, with its length, the rates and second derivatives there, and what tells the conditioning."""
    if len(coordinates) == 2:
        cosine_sine(work.x[2], work.turn[0], work.turn[1])
        _finish_in_plane(hub, work, work.order)
    else:
        _finish_in_space(hub, work, work.order)


@inlined
def _pair(rows, row, j):
    return read((rows, row), j), read((rows, row + 1), j)


@inlined
def _plane_given(work, k, order, j):
    """Point, normal and goal of an equation in the plane, or a derivative of them."""
    return (
        _pair(work.points, 6 * order + k[4], j),
        _pair(work.normals, 8 * order + k[5], j),
        read((work.goals, 3 * order + k[6]), j),
    )


@inlined
def _space_given(work, k, order, j):
    """Point, normal and goal of an equation in space, or a derivative of them."""
    return (
        get((work.points, 18 * order + k[4]), j),
        get((work.normals, 21 * order + k[5]), j),
        read((work.goals, 6 * order + k[6]), j),
    )


@inlined
def _put_three(rows, j, x):
    write(rows[0], j, x[0])
    write(rows[1], j, x[1])
    write(rows[2], j, x[2])


@inlined
def _put_six(rows, j, x):
    put((rows, 0), j, (x[0], x[1], x[2]))
    put((rows, 3), j, (x[3], x[4], x[5]))


@formula
def _length_of_three(x):
    return math.sqrt(fma(x[0], x[0], fma(x[1], x[1], x[2] * x[2])))


@formula
def _length_of_six(x):
    squares = fma(x[0], x[0], fma(x[1], x[1], x[2] * x[2])), fma(x[3], x[3], fma(x[4], x[4], x[5] * x[5]))
    return math.sqrt(squares[0] + squares[1])


@inlined
def _quaternion(x, j):
    return read((x, 3), j), read((x, 4), j), read((x, 5), j), read((x, 6), j)


@kernel
def _step_in_plane(hub, work, order):
    length, growth = work.length, work.growth
    k0, k1, k2 = constants_of(hub, order[0]), constants_of(hub, order[1]), constants_of(hub, order[2])
    for j in range(length.size):
        turn, here = _pair(work.turn, 0, j), _pair(work.x, 0, j)
        e0, f0, _, _ = in_plane(turn, here, k0, _plane_given(work, k0, 0, j))
        e1, f1, _, _ = in_plane(turn, here, k1, _plane_given(work, k1, 0, j))
        e2, f2, _, _ = in_plane(turn, here, k2, _plane_given(work, k2, 0, j))
        factors = factors_of_three(e0, e1, e2)
        step = solve_three(factors, (-f0, -f1, -f2))
        _put_three(work.step, j, step)
        write(length, j, _length_of_three(step))
        write(growth, j, factors[3])


@kernel
def _finish_in_plane(hub, work, order):
    length, growth, size = work.length, work.growth, work.size
    k0, k1, k2 = constants_of(hub, order[0]), constants_of(hub, order[1]), constants_of(hub, order[2])
    for j in range(length.size):
        turn, here = _pair(work.turn, 0, j), _pair(work.x, 0, j)
        e0, f0, d0, r0 = in_plane(turn, here, k0, _plane_given(work, k0, 0, j))
        e1, f1, d1, r1 = in_plane(turn, here, k1, _plane_given(work, k1, 0, j))
        e2, f2, d2, r2 = in_plane(turn, here, k2, _plane_given(work, k2, 0, j))
        factors = factors_of_three(e0, e1, e2)
        step = solve_three(factors, (-f0, -f1, -f2))
        _put_three(work.step, j, step)
        write(length, j, _length_of_three(step))
        write(growth, j, factors[3])
        low = (
            read((work.low, k0[6]), j),
            read((work.low, k1[6]), j),
            read((work.low, k2[6]), j),
        )
        write(size, j, _length_of_three(solve_three(factors, low)))
        u0 = _plane_given(work, k0, 1, j)
        u1 = _plane_given(work, k1, 1, j)
        u2 = _plane_given(work, k2, 1, j)
        g0 = rate_in_plane(e0, d0, u0)
        g1 = rate_in_plane(e1, d1, u1)
        g2 = rate_in_plane(e2, d2, u2)
        rate = solve_three(factors, (g0, g1, g2))
        _put_three(work.rate, j, rate)
        g0 = gain_in_plane(k0, e0, d0, r0, rate, u0, _plane_given(work, k0, 2, j))
        g1 = gain_in_plane(k1, e1, d1, r1, rate, u1, _plane_given(work, k1, 2, j))
        g2 = gain_in_plane(k2, e2, d2, r2, rate, u2, _plane_given(work, k2, 2, j))
        _put_three(work.gain, j, solve_three(factors, (g0, g1, g2)))


@kernel
def _step_in_space(hub, work, order):
    length, growth = work.length, work.growth
    k0, k1, k2 = constants_of(hub, order[0]), constants_of(hub, order[1]), constants_of(hub, order[2])
    k3, k4, k5 = constants_of(hub, order[3]), constants_of(hub, order[4]), constants_of(hub, order[5])
    for j in range(length.size):
        here, axes = get((work.x, 0), j), turned(_quaternion(work.x, j))
        e0, f0, _, _ = in_space(axes, here, k0, _space_given(work, k0, 0, j))
        e1, f1, _, _ = in_space(axes, here, k1, _space_given(work, k1, 0, j))
        e2, f2, _, _ = in_space(axes, here, k2, _space_given(work, k2, 0, j))
        e3, f3, _, _ = in_space(axes, here, k3, _space_given(work, k3, 0, j))
        e4, f4, _, _ = in_space(axes, here, k4, _space_given(work, k4, 0, j))
        e5, f5, _, _ = in_space(axes, here, k5, _space_given(work, k5, 0, j))
        factors = factors_of_six(e0, e1, e2, e3, e4, e5)
        step = solve_six(factors, (-f0, -f1, -f2, -f3, -f4, -f5))
        _put_six(work.step, j, step)
        write(length, j, _length_of_six(step))
        write(growth, j, factors[3])


@kernel
def _finish_in_space(hub, work, order):
    length, growth, size = work.length, work.growth, work.size
    k0, k1, k2 = constants_of(hub, order[0]), constants_of(hub, order[1]), constants_of(hub, order[2])
    k3, k4, k5 = constants_of(hub, order[3]), constants_of(hub, order[4]), constants_of(hub, order[5])
    for j in range(length.size):
        here, axes = get((work.x, 0), j), turned(_quaternion(work.x, j))
        e0, f0, d0, r0 = in_space(axes, here, k0, _space_given(work, k0, 0, j))
        e1, f1, d1, r1 = in_space(axes, here, k1, _space_given(work, k1, 0, j))
        e2, f2, d2, r2 = in_space(axes, here, k2, _space_given(work, k2, 0, j))
        e3, f3, d3, r3 = in_space(axes, here, k3, _space_given(work, k3, 0, j))
        e4, f4, d4, r4 = in_space(axes, here, k4, _space_given(work, k4, 0, j))
        e5, f5, d5, r5 = in_space(axes, here, k5, _space_given(work, k5, 0, j))
        factors = factors_of_six(e0, e1, e2, e3, e4, e5)
        step = solve_six(factors, (-f0, -f1, -f2, -f3, -f4, -f5))
        _put_six(work.step, j, step)
        write(length, j, _length_of_six(step))
        write(growth, j, factors[3])
        low = (
            read((work.low, k0[6]), j),
            read((work.low, k1[6]), j),
            read((work.low, k2[6]), j),
            read((work.low, k3[6]), j),
            read((work.low, k4[6]), j),
            read((work.low, k5[6]), j),
        )
        write(size, j, _length_of_six(solve_six(factors, low)))
        u0 = _space_given(work, k0, 1, j)
        u1 = _space_given(work, k1, 1, j)
        u2 = _space_given(work, k2, 1, j)
        u3 = _space_given(work, k3, 1, j)
        u4 = _space_given(work, k4, 1, j)
        u5 = _space_given(work, k5, 1, j)
        g0 = rate_in_space(e0, d0, u0)
        g1 = rate_in_space(e1, d1, u1)
        g2 = rate_in_space(e2, d2, u2)
        g3 = rate_in_space(e3, d3, u3)
        g4 = rate_in_space(e4, d4, u4)
        g5 = rate_in_space(e5, d5, u5)
        rate = solve_six(factors, (g0, g1, g2, g3, g4, g5))
        _put_six(work.rate, j, rate)
        g0 = gain_in_space(k0, e0, d0, r0, rate, u0, _space_given(work, k0, 2, j))
        g1 = gain_in_space(k1, e1, d1, r1, rate, u1, _space_given(work, k1, 2, j))
        g2 = gain_in_space(k2, e2, d2, r2, rate, u2, _space_given(work, k2, 2, j))
        g3 = gain_in_space(k3, e3, d3, r3, rate, u3, _space_given(work, k3, 2, j))
        g4 = gain_in_space(k4, e4, d4, r4, rate, u4, _space_given(work, k4, 2, j))
        g5 = gain_in_space(k5, e5, d5, r5, rate, u5, _space_given(work, k5, 2, j))
        _put_six(work.gain, j, solve_six(factors, (g0, g1, g2, g3, g4, g5)))


@kernel
def advance(work, coordinates):
    """Move the variables by Newton's step."""
    for i in coordinates:
        x, step = work.x[i], work.step[i]
        for j in range(x.size):
            x[j] += step[j]
    if len(coordinates) == 2:
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
def store(state, first, hub, work, coordinates):
    """Point and axes of the hub with their derivatives, from step `first` of the state on."""
    q, v, a = state
    width, rate, gain = work.length.size, work.rate, work.gain
    for order in range(3):
        x, unknown = state[order], work.x if order == 0 else rate if order == 1 else gain
        for i in coordinates:
            base, relative = x[hub.base + i, first : first + width], unknown[i]
            out = x[hub.out + i, first : first + width]
            for j in range(out.size):
                out[j] = fma(hub.size, relative[j], base[j])
    if len(coordinates) == 2:
        _store_in_plane(q, v, a, hub.out + 2, first, work.turn, rate, gain)
    else:
        _store_in_space(q, v, a, hub.out + 3, first, work.x, rate, gain)


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
def _store_in_space(q, v, a, row, first, x, rate, gain):
    for j in range(rate.shape[1]):
        axes, spin, rise = turned(_quaternion(x, j)), get((rate, 3), j), get((gain, 3), j)
        e0 = axes[0][0], axes[1][0], axes[2][0]
        e1 = axes[0][1], axes[1][1], axes[2][1]
        e2 = axes[0][2], axes[1][2], axes[2][2]
        d0, d1, d2 = cross(spin, e0), cross(spin, e1), cross(spin, e2)
        put_triad(((q, row), (q, row + 3), (q, row + 6)), first + j, (e0, e1, e2))
        put_triad(((v, row), (v, row + 3), (v, row + 6)), first + j, (d0, d1, d2))
        gains = carried(spin, rise, e0, d0), carried(spin, rise, e1, d1), carried(spin, rise, e2, d2)
        put_triad(((a, row), (a, row + 3), (a, row + 6)), first + j, gains)
