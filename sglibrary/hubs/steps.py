"""Newton's steps of a hub at many steps of a motion, and at the end all that is written of them.

The three or six equations of a step are written out, so that a loop takes steps side by side. `work` is working memory
whose rows are named in `sglibrary.hubs.tables`; step j of it is step ``first + j`` of the state.
"""

import math

from sglibrary.convention import formula, inlined, kernel
from sglibrary.hubs.elimination import factors_of_six, factors_of_three, solve_six, solve_three
from sglibrary.hubs.equations import (
    derivatives_of,
    gain_in_plane,
    gain_in_space,
    in_plane,
    in_plane_given,
    in_space,
    in_space_given,
    numbers_of,
    pair,
    rate_in_plane,
    rate_in_space,
    reach_of,
    turned,
    value_of,
)
from sglibrary.hubs.tables import GAIN, GROWTH, LENGTH, LOW, NEXT, RATE, REACH, SIZE, STEP, TURN, X
from sglibrary.trigonometry import cosine_sine
from sglibrary.vectors import axpy, carried, cross, fma, get, put, put_triad, read, write


@kernel
def newton_step(state, first, n, hub, work, order, coordinates):
    """Newton's step at `X`, its length, and what `X` becomes, into `NEXT`."""
    if len(coordinates) == 2:
        cosine_sine(work[X + 2, :n], work[TURN], work[TURN + 1])
        _step_in_plane(state[0], first, n, hub, work, order)
    else:
        _step_in_space(state[0], first, n, hub, work, order)


@kernel
def finish(state, first, n, hub, work, order, coordinates):
    """Newton's step at `NEXT`, with rates and second derivatives there, what tells the conditioning, and the pose."""
    if len(coordinates) == 2:
        cosine_sine(work[NEXT + 2, :n], work[TURN], work[TURN + 1])
        _finish_in_plane(state, first, n, hub, work, order)
    else:
        _finish_in_space(state, first, n, hub, work, order)


@kernel
def advance(n, work, coordinates):
    """What `X` becomes by Newton's step, into `NEXT`."""
    for j in range(n):
        step = get((work, STEP), j)
        if len(coordinates) == 2:
            put((work, NEXT), j, _sum(get((work, X), j), step))
        else:
            put((work, NEXT), j, _sum(get((work, X), j), step))
            _put_four(work, NEXT + 3, j, _turned_by(_four(work, X + 3, j), get((work, STEP + 3), j)))


# --- formulas of one step --------------------------------------------------------------------


@formula
def _sum(x, step):
    return x[0] + step[0], x[1] + step[1], x[2] + step[2]


@formula
def _turned_by(x, step):
    """A unit quaternion turned by a rotation vector, but for its third power, about the axes of the base."""
    p, q, r, s = x
    e, f, g = 0.5 * step[0], 0.5 * step[1], 0.5 * step[2]
    p1 = p - (e * q + f * r + g * s)
    q1 = q + (e * p + f * s - g * r)
    r1 = r + (f * p + g * q - e * s)
    s1 = s + (g * p + e * r - f * q)
    share = 1.0 / math.sqrt(p1 * p1 + q1 * q1 + r1 * r1 + s1 * s1)
    return share * p1, share * q1, share * r1, share * s1


@formula
def _length_of_three(x):
    return math.sqrt(fma(x[0], x[0], fma(x[1], x[1], x[2] * x[2])))


@formula
def _length_of_six(x):
    squares = fma(x[0], x[0], fma(x[1], x[1], x[2] * x[2])), fma(x[3], x[3], fma(x[4], x[4], x[5] * x[5]))
    return math.sqrt(squares[0] + squares[1])


@formula
def _less(a, b):
    return a if a < b else b


@inlined
def _four(x, row, j):
    return read((x, row), j), read((x, row + 1), j), read((x, row + 2), j), read((x, row + 3), j)


@inlined
def _put_four(x, row, j, w):
    put((x, row), j, (w[0], w[1], w[2]))
    write(x[row + 3], j, w[3])


@inlined
def _put_pair(x, row, j, w):
    write(x[row], j, w[0])
    write(x[row + 1], j, w[1])


@inlined
def _put_six(x, row, j, w):
    put((x, row), j, (w[0], w[1], w[2]))
    put((x, row + 3), j, (w[3], w[4], w[5]))


# --- in the plane ----------------------------------------------------------------------------


@kernel
def _step_in_plane(q, first, n, hub, work, order):
    share, base, planes = 1.0 / hub.size, hub.base, hub.planes
    k0, k1, k2 = numbers_of(hub, order[0]), numbers_of(hub, order[1]), numbers_of(hub, order[2])
    length = work[LENGTH]
    for j in range(n):
        at = first + j
        turn, x, origin = pair(work, TURN, j), get((work, X), j), pair(q, base, at)
        e0, f0, _, _ = in_plane(
            turn, x, k0, in_plane_given(q, k0, at, origin, share, value_of(q, k0, at), planes), planes
        )
        e1, f1, _, _ = in_plane(
            turn, x, k1, in_plane_given(q, k1, at, origin, share, value_of(q, k1, at), planes), planes
        )
        e2, f2, _, _ = in_plane(
            turn, x, k2, in_plane_given(q, k2, at, origin, share, value_of(q, k2, at), planes), planes
        )
        step = solve_three(factors_of_three(e0, e1, e2), (-f0, -f1, -f2))
        put((work, STEP), j, step)
        put((work, NEXT), j, _sum(x, step))
        write(length, j, _length_of_three(step))


@kernel
def _finish_in_plane(state, first, n, hub, work, order):
    q, v, a = state
    share, scale, base, out, planes = 1.0 / hub.size, hub.size, hub.base, hub.out, hub.planes
    k0, k1, k2 = numbers_of(hub, order[0]), numbers_of(hub, order[1]), numbers_of(hub, order[2])
    i0, i1, i2 = LOW + order[0], LOW + order[1], LOW + order[2]
    length, growth, size, reach = work[LENGTH], work[GROWTH], work[SIZE], work[REACH]
    for j in range(n):
        at = first + j
        turn, x, origin = pair(work, TURN, j), get((work, NEXT), j), pair(q, base, at)
        e0, f0, d0, r0 = in_plane(
            turn, x, k0, in_plane_given(q, k0, at, origin, share, value_of(q, k0, at), planes), planes
        )
        e1, f1, d1, r1 = in_plane(
            turn, x, k1, in_plane_given(q, k1, at, origin, share, value_of(q, k1, at), planes), planes
        )
        e2, f2, d2, r2 = in_plane(
            turn, x, k2, in_plane_given(q, k2, at, origin, share, value_of(q, k2, at), planes), planes
        )
        factors = factors_of_three(e0, e1, e2)
        step = solve_three(factors, (-f0, -f1, -f2))
        put((work, STEP), j, step)
        write(length, j, _length_of_three(step))
        write(growth, j, factors[3])
        low = read((work, i0), j), read((work, i1), j), read((work, i2), j)
        write(size, j, _length_of_three(solve_three(factors, low)))
        write(reach, j, _less(reach_of(q, k0, at), _less(reach_of(q, k1, at), reach_of(q, k2, at))))

        start = pair(v, base, at)
        (h0, c0), (h1, c1), (h2, c2) = (
            derivatives_of(q, v, a, k0, at),
            derivatives_of(q, v, a, k1, at),
            derivatives_of(q, v, a, k2, at),
        )
        u0 = in_plane_given(v, k0, at, start, share, h0, planes)
        u1 = in_plane_given(v, k1, at, start, share, h1, planes)
        u2 = in_plane_given(v, k2, at, start, share, h2, planes)
        right = rate_in_plane(e0, d0, u0, planes), rate_in_plane(e1, d1, u1, planes), rate_in_plane(e2, d2, u2, planes)
        rate = solve_three(factors, right)
        put((work, RATE), j, rate)

        back = pair(a, base, at)
        g0 = gain_in_plane(k0, e0, d0, r0, rate, u0, in_plane_given(a, k0, at, back, share, c0, planes), planes)
        g1 = gain_in_plane(k1, e1, d1, r1, rate, u1, in_plane_given(a, k1, at, back, share, c1, planes), planes)
        g2 = gain_in_plane(k2, e2, d2, r2, rate, u2, in_plane_given(a, k2, at, back, share, c2, planes), planes)
        gain = solve_three(factors, (g0, g1, g2))
        put((work, GAIN), j, gain)

        (cos, sin), spin, rise = turn, rate[2], gain[2]
        _put_pair(q, out, at, (fma(scale, x[0], origin[0]), fma(scale, x[1], origin[1])))
        _put_pair(v, out, at, (fma(scale, rate[0], start[0]), fma(scale, rate[1], start[1])))
        _put_pair(a, out, at, (fma(scale, gain[0], back[0]), fma(scale, gain[1], back[1])))
        _put_pair(q, out + 2, at, (cos, sin))
        _put_pair(v, out + 2, at, (-spin * sin, spin * cos))
        _put_pair(a, out + 2, at, (fma(-rise, sin, -spin * spin * cos), fma(rise, cos, -spin * spin * sin)))


# --- in space --------------------------------------------------------------------------------


@kernel
def _step_in_space(q, first, n, hub, work, order):
    share, base, planes = 1.0 / hub.size, hub.base, hub.planes
    k0, k1, k2 = numbers_of(hub, order[0]), numbers_of(hub, order[1]), numbers_of(hub, order[2])
    k3, k4, k5 = numbers_of(hub, order[3]), numbers_of(hub, order[4]), numbers_of(hub, order[5])
    length = work[LENGTH]
    for j in range(n):
        at = first + j
        x, whole, origin = get((work, X), j), _four(work, X + 3, j), get((q, base), at)
        axes = turned(whole)
        e0, f0, _, _ = in_space(
            axes, x, k0, in_space_given(q, k0, at, origin, share, value_of(q, k0, at), planes), planes
        )
        e1, f1, _, _ = in_space(
            axes, x, k1, in_space_given(q, k1, at, origin, share, value_of(q, k1, at), planes), planes
        )
        e2, f2, _, _ = in_space(
            axes, x, k2, in_space_given(q, k2, at, origin, share, value_of(q, k2, at), planes), planes
        )
        e3, f3, _, _ = in_space(
            axes, x, k3, in_space_given(q, k3, at, origin, share, value_of(q, k3, at), planes), planes
        )
        e4, f4, _, _ = in_space(
            axes, x, k4, in_space_given(q, k4, at, origin, share, value_of(q, k4, at), planes), planes
        )
        e5, f5, _, _ = in_space(
            axes, x, k5, in_space_given(q, k5, at, origin, share, value_of(q, k5, at), planes), planes
        )
        step = solve_six(factors_of_six(e0, e1, e2, e3, e4, e5), (-f0, -f1, -f2, -f3, -f4, -f5))
        _put_six(work, STEP, j, step)
        put((work, NEXT), j, _sum(x, step))
        _put_four(work, NEXT + 3, j, _turned_by(whole, (step[3], step[4], step[5])))
        write(length, j, _length_of_six(step))


@kernel
def _finish_in_space(state, first, n, hub, work, order):
    q, v, a = state
    share, scale, base, out, planes = 1.0 / hub.size, hub.size, hub.base, hub.out, hub.planes
    k0, k1, k2 = numbers_of(hub, order[0]), numbers_of(hub, order[1]), numbers_of(hub, order[2])
    k3, k4, k5 = numbers_of(hub, order[3]), numbers_of(hub, order[4]), numbers_of(hub, order[5])
    i0, i1, i2 = LOW + order[0], LOW + order[1], LOW + order[2]
    i3, i4, i5 = LOW + order[3], LOW + order[4], LOW + order[5]
    length, growth, size, reach = work[LENGTH], work[GROWTH], work[SIZE], work[REACH]
    for j in range(n):
        at = first + j
        x, axes, origin = get((work, NEXT), j), turned(_four(work, NEXT + 3, j)), get((q, base), at)
        e0, f0, d0, r0 = in_space(
            axes, x, k0, in_space_given(q, k0, at, origin, share, value_of(q, k0, at), planes), planes
        )
        e1, f1, d1, r1 = in_space(
            axes, x, k1, in_space_given(q, k1, at, origin, share, value_of(q, k1, at), planes), planes
        )
        e2, f2, d2, r2 = in_space(
            axes, x, k2, in_space_given(q, k2, at, origin, share, value_of(q, k2, at), planes), planes
        )
        e3, f3, d3, r3 = in_space(
            axes, x, k3, in_space_given(q, k3, at, origin, share, value_of(q, k3, at), planes), planes
        )
        e4, f4, d4, r4 = in_space(
            axes, x, k4, in_space_given(q, k4, at, origin, share, value_of(q, k4, at), planes), planes
        )
        e5, f5, d5, r5 = in_space(
            axes, x, k5, in_space_given(q, k5, at, origin, share, value_of(q, k5, at), planes), planes
        )
        factors = factors_of_six(e0, e1, e2, e3, e4, e5)
        step = solve_six(factors, (-f0, -f1, -f2, -f3, -f4, -f5))
        _put_six(work, STEP, j, step)
        write(length, j, _length_of_six(step))
        write(growth, j, factors[3])
        low = (
            read((work, i0), j),
            read((work, i1), j),
            read((work, i2), j),
            read((work, i3), j),
            read((work, i4), j),
            read((work, i5), j),
        )
        write(size, j, _length_of_six(solve_six(factors, low)))
        least = _less(reach_of(q, k0, at), _less(reach_of(q, k1, at), reach_of(q, k2, at)))
        least = _less(least, _less(reach_of(q, k3, at), _less(reach_of(q, k4, at), reach_of(q, k5, at))))
        write(reach, j, least)

        start = get((v, base), at)
        h0, c0 = derivatives_of(q, v, a, k0, at)
        h1, c1 = derivatives_of(q, v, a, k1, at)
        h2, c2 = derivatives_of(q, v, a, k2, at)
        h3, c3 = derivatives_of(q, v, a, k3, at)
        h4, c4 = derivatives_of(q, v, a, k4, at)
        h5, c5 = derivatives_of(q, v, a, k5, at)
        u0 = in_space_given(v, k0, at, start, share, h0, planes)
        u1 = in_space_given(v, k1, at, start, share, h1, planes)
        u2 = in_space_given(v, k2, at, start, share, h2, planes)
        u3 = in_space_given(v, k3, at, start, share, h3, planes)
        u4 = in_space_given(v, k4, at, start, share, h4, planes)
        u5 = in_space_given(v, k5, at, start, share, h5, planes)
        right = (
            rate_in_space(e0, d0, u0, planes),
            rate_in_space(e1, d1, u1, planes),
            rate_in_space(e2, d2, u2, planes),
            rate_in_space(e3, d3, u3, planes),
            rate_in_space(e4, d4, u4, planes),
            rate_in_space(e5, d5, u5, planes),
        )
        rate = solve_six(factors, right)
        _put_six(work, RATE, j, rate)

        back = get((a, base), at)
        g0 = gain_in_space(k0, e0, d0, r0, rate, u0, in_space_given(a, k0, at, back, share, c0, planes), planes)
        g1 = gain_in_space(k1, e1, d1, r1, rate, u1, in_space_given(a, k1, at, back, share, c1, planes), planes)
        g2 = gain_in_space(k2, e2, d2, r2, rate, u2, in_space_given(a, k2, at, back, share, c2, planes), planes)
        g3 = gain_in_space(k3, e3, d3, r3, rate, u3, in_space_given(a, k3, at, back, share, c3, planes), planes)
        g4 = gain_in_space(k4, e4, d4, r4, rate, u4, in_space_given(a, k4, at, back, share, c4, planes), planes)
        g5 = gain_in_space(k5, e5, d5, r5, rate, u5, in_space_given(a, k5, at, back, share, c5, planes), planes)
        gain = solve_six(factors, (g0, g1, g2, g3, g4, g5))
        _put_six(work, GAIN, j, gain)

        put((q, out), at, axpy(scale, x, origin))
        put((v, out), at, axpy(scale, (rate[0], rate[1], rate[2]), start))
        put((a, out), at, axpy(scale, (gain[0], gain[1], gain[2]), back))
        spin, rise = (rate[3], rate[4], rate[5]), (gain[3], gain[4], gain[5])
        m0 = axes[0][0], axes[1][0], axes[2][0]
        m1 = axes[0][1], axes[1][1], axes[2][1]
        m2 = axes[0][2], axes[1][2], axes[2][2]
        s0, s1, s2 = cross(spin, m0), cross(spin, m1), cross(spin, m2)
        put_triad(((q, out + 3), (q, out + 6), (q, out + 9)), at, (m0, m1, m2))
        put_triad(((v, out + 3), (v, out + 6), (v, out + 9)), at, (s0, s1, s2))
        gains = carried(spin, rise, m0, s0), carried(spin, rise, m1, s1), carried(spin, rise, m2, s2)
        put_triad(((a, out + 3), (a, out + 6), (a, out + 9)), at, gains)
