"""A body on a solved revolute axis, one point of which keeps its distance from a solved point.

The point is at C = O + h e + ρ u, u turning about the axis e, and |D - C| = l. With G = D - O this reads G·u = K, and

    u = (K g + r e × G) / g²,    g = G - (G·e) e,    r = ± √(g² - K²),

(intersection of a circle and a sphere; the sign is the assembly mode). The rate of u along w = e × u is the only
unknown: E·E' = 0 and E·E'' + E'² = 0 with E = D - C, divided by E·w = -r, whose share of g is the conditioning.
"""

import math

import numpy as np

from sglibrary.array_types import Array
from sglibrary.arrays import across, inner, length, sign, stack, unit
from sglibrary.chain import ChainGeometry
from sglibrary.convention import kernel
from sglibrary.vectors import axpy, cross, dot, fma, get, minus, put, space, sqrt, times, write


@kernel
def meet(q, v, a, rows, out, constants, conditioning, n):
    """rows: O, e, D; written from row `out`: u, w. constants: h, ρ, l, sign of the mode."""
    h, radius, length, mode = constants[0], constants[1], constants[2], constants[3]
    # without squares of h: a joint far away along the axis would cost digits
    fixed, half = (radius - length) * (radius + length), 0.5 / radius
    o, do, ddo = space(q, rows[0], n), space(v, rows[0], n), space(a, rows[0], n)
    e, de, dde = space(q, rows[1], n), space(v, rows[1], n), space(a, rows[1], n)
    d, dd, ddd = space(q, rows[2], n), space(v, rows[2], n), space(a, rows[2], n)
    x, dx, ddx = space(q, out, n), space(v, out, n), space(a, out, n)
    y, dy, ddy = space(q, out + 3, n), space(v, out + 3, n), space(a, out + 3, n)
    cond = conditioning[:n]
    for j in range(cond.size):
        axis, tilt, bend = get(e, j), get(de, j), get(dde, j)
        span = minus(get(d, j), get(o, j))
        along = dot(span, axis)
        height = along - h
        aside = axpy(-along, axis, span)
        across = cross(axis, aside)
        square = dot(aside, aside)
        k = half * (fma(height, height, square) + fixed)
        r = mode * sqrt(fma(-k, k, square))
        inverse = 1.0 / square
        k_share, r_share = k * inverse, r * inverse
        u = axpy(k_share, aside, times(r_share, across))
        w = axpy(k_share, across, times(-r_share, aside))
        write(cond, j, math.fabs(r) * math.sqrt(inverse))
        put(x, j, u)
        put(y, j, w)

        # E·w = -r, E·e = G·e - h and E·u = K - ρ
        rod = axpy(-radius, u, axpy(-h, axis, span))
        share, depth = -1.0 / (radius * r), k - radius
        fall, drift = -dot(u, tilt), dot(w, tilt)
        moved = axpy(-h, tilt, minus(get(dd, j), get(do, j)))
        turn = fma(-radius * fall, height, dot(rod, moved)) * share
        du = axpy(turn, w, times(fall, axis))
        put(dx, j, du)
        put(dy, j, axpy(-turn, u, times(-drift, axis)))

        # u'' = `down` e - u'² u + `rise` w and w'' along the same: e, u and w stay orthonormal
        down, square = fma(-2.0 * turn, drift, -dot(u, bend)), fma(turn, turn, fall * fall)
        slip = axpy(-radius, du, moved)
        second = axpy(-h, bend, minus(get(ddd, j), get(ddo, j)))
        known = fma(down, height, -square * depth)
        rise = (fma(-radius, known, dot(rod, second)) + dot(slip, slip)) * share
        put(ddx, j, axpy(down, axis, axpy(-square, u, times(rise, w))))
        down = fma(-2.0 * turn, fall, -dot(w, bend))
        square = fma(turn, turn, drift * drift)
        put(ddy, j, axpy(down, axis, axpy(fma(2.0 * drift, fall, -rise), u, times(-square, w))))


def turning_body(g: ChainGeometry, joint: Array, far: Array, rod: Array) -> tuple[tuple[Array, ...], Array]:
    """Constants h, ρ, l and mode of a body on a revolute axis, and its directions e, u, w.

    `joint` is the body's point C, `far` the solved point D (for the mode), `rod` their distance l.
    """
    origin, axis = g.point(0, 1), g.axis(0, 1)
    radial = across(joint - origin, axis)
    u = unit(radial)
    w = np.cross(axis, u)
    mode = sign(inner(origin - far, w))
    return (inner(joint - origin, axis), length(radial), rod, mode), stack(axis, u, w)
