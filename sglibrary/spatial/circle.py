"""A body on a solved revolute axis, one point of which keeps its distance from a solved point.

The point is at C = O + h e + ρ u, u turning about the axis e, and |D - C| = l. With G = D - O this reads G·u = K, and

    u = (K g + r e × G) / g²,    g = G - (G·e) e,    r = ± √(g² - K²),

(intersection of a circle and a sphere; the sign is the assembly mode). The rate of u along w = e × u is the only
unknown, divided by G·w = r, whose share of g is the conditioning.
"""

import math

from sglibrary.convention import kernel
from sglibrary.vectors import cross, dot, get, minus, plus, put, space, sqrt, times


@kernel
def meet(q, o_row, e_row, d_row, out_row, h, radius, length, mode, conditioning, n):
    """Directions u and w (six rows of q) from O, e and D; sets the conditioning."""
    o, e, d = space(q, o_row, n), space(q, e_row, n), space(q, d_row, n)
    u = space(q, out_row, n)
    cond = conditioning[:n]
    fixed = h * h + radius * radius - length * length
    for j in range(cond.size):
        axis = get(e, j)
        span = minus(get(d, j), get(o, j))
        along = dot(span, axis)
        aside = minus(span, times(along, axis))
        square = dot(aside, aside)
        k = 0.5 * (square + along * along - 2.0 * h * along + fixed) / radius
        r = mode * sqrt(square - k * k)
        put(u, j, plus(times(k / square, aside), times(r / square, cross(axis, aside))))
        cond[j] = math.fabs(r) / math.sqrt(square)
    w = space(q, out_row + 3, n)
    for j in range(cond.size):
        put(w, j, cross(get(e, j), get(u, j)))


@kernel
def meet_rate(q, v, o_row, e_row, d_row, out_row, h, radius, n):
    """Velocities of u and w: E·(D' - C') = 0 with E = D - C."""
    o, e, d, u = space(q, o_row, n), space(q, e_row, n), space(q, d_row, n), space(q, out_row, n)
    do, de, dd, du = space(v, o_row, n), space(v, e_row, n), space(v, d_row, n), space(v, out_row, n)
    for j in range(du[0].size):
        axis, arm, tilt = get(e, j), get(u, j), get(de, j)
        side = cross(axis, arm)
        rod = minus(minus(minus(get(d, j), get(o, j)), times(h, axis)), times(radius, arm))
        along = -dot(arm, tilt)
        known = minus(minus(minus(get(dd, j), get(do, j)), times(h, tilt)), times(radius * along, axis))
        turn = dot(rod, known) / (radius * dot(rod, side))
        put(du, j, plus(times(turn, side), times(along, axis)))
    w, dw = space(q, out_row + 3, n), space(v, out_row + 3, n)
    for j in range(dw[0].size):
        side, axis = get(w, j), get(e, j)
        put(dw, j, plus(times(-dot(get(du, j), side), get(u, j)), times(-dot(side, get(de, j)), axis)))


@kernel
def meet_gain(q, v, a, work, o_row, e_row, d_row, out_row, h, radius, n):
    """Accelerations of u and w: E·E'' + E'² = 0; uses work rows 0-5."""
    _known_gain(q, v, a, work, o_row, e_row, d_row, out_row, h, radius, n)
    ddu, w, side_gain = space(a, out_row, n), space(q, out_row + 3, n), work[6, :n]
    fixed = space(work, 3, n)
    for j in range(side_gain.size):
        put(ddu, j, plus(get(fixed, j), times(side_gain[j], get(w, j))))
    e, de, dde = space(q, e_row, n), space(v, e_row, n), space(a, e_row, n)
    u, du, ddw = space(q, out_row, n), space(v, out_row, n), space(a, out_row + 3, n)
    for j in range(side_gain.size):
        first = plus(cross(get(dde, j), get(u, j)), times(2.0, cross(get(de, j), get(du, j))))
        put(ddw, j, plus(first, cross(get(e, j), get(ddu, j))))


@kernel
def _known_gain(q, v, a, work, o_row, e_row, d_row, out_row, h, radius, n):
    """What of u'' follows from |u| = 1 and u·e = 0 (work rows 3-5), and its component along w (row 6)."""
    e, de, dde = space(q, e_row, n), space(v, e_row, n), space(a, e_row, n)
    u, du, fixed = space(q, out_row, n), space(v, out_row, n), space(work, 3, n)
    for j in range(fixed[0].size):
        along = -(2.0 * dot(get(du, j), get(de, j)) + dot(get(u, j), get(dde, j)))
        put(fixed, j, minus(times(along, get(e, j)), times(dot(get(du, j), get(du, j)), get(u, j))))
    _rod(q, work, o_row, e_row, d_row, out_row, h, radius, 0, n)
    _rod(v, work, o_row, e_row, d_row, out_row, h, radius, 7, n)
    rod, drod, side_gain = space(work, 0, n), space(work, 7, n), work[6, :n]
    o, d = space(a, o_row, n), space(a, d_row, n)
    for j in range(side_gain.size):
        rest = minus(minus(get(d, j), get(o, j)), plus(times(h, get(dde, j)), times(radius, get(fixed, j))))
        side_gain[j] = dot(get(rod, j), rest) + dot(get(drod, j), get(drod, j))
    w = space(q, out_row + 3, n)
    for j in range(side_gain.size):
        side_gain[j] = side_gain[j] / (radius * dot(get(rod, j), get(w, j)))


@kernel
def _rod(x, work, o_row, e_row, d_row, out_row, h, radius, row, n):
    """D - C, or a derivative of it, into three work rows."""
    o, e, d, u, out = space(x, o_row, n), space(x, e_row, n), space(x, d_row, n), space(x, out_row, n), space(work, row, n)
    for j in range(out[0].size):
        arm = plus(times(h, get(e, j)), times(radius, get(u, j)))
        put(out, j, minus(minus(get(d, j), get(o, j)), arm))


@kernel
def rod(x, work, o_row, e_row, d_row, out_row, h, radius, sign, row, n):
    """sign · (D - C), or a derivative of it, into three work rows."""
    _rod(x, work, o_row, e_row, d_row, out_row, h, radius, row, n)
    out = space(work, row, n)
    for j in range(out[0].size):
        put(out, j, times(sign, get(out, j)))
