"""A body on a solved revolute axis, one point of which keeps its distance from a solved point.

The point is at C = O + h e + ρ u, u turning about the axis e, and |D - C| = l. With G = D - O this reads G·u = K, and

    u = (K g + r e × G) / g²,    g = G - (G·e) e,    r = ± √(g² - K²),

(intersection of a circle and a sphere; the sign is the assembly mode). The rate of u along w = e × u is the only
unknown: E·E' = 0 and E·E'' + E'² = 0 with E = D - C, divided by E·w = -r, whose share of g is the conditioning.
"""

import math

import numpy as np

from sglibrary.chain import DEGENERATE, Array, ChainGeometry
from sglibrary.convention import kernel
from sglibrary.vectors import cross, dot, get, minus, plus, put, space, sqrt, times


@kernel
def meet(q, v, a, rows, out, constants, conditioning, n):
    """rows: O, e, D; written from row `out`: u, w. constants: h, ρ, l, sign of the mode."""
    h, radius, length, mode = constants[0], constants[1], constants[2], constants[3]
    fixed = h * h + radius * radius - length * length
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
        aside = minus(span, times(along, axis))
        square = dot(aside, aside)
        k = 0.5 * (square + along * along - 2.0 * h * along + fixed) / radius
        r = mode * sqrt(square - k * k)
        u = times(1.0 / square, plus(times(k, aside), times(r, cross(axis, aside))))
        w = cross(axis, u)
        cond[j] = math.fabs(r) / math.sqrt(square)
        put(x, j, u)
        put(y, j, w)

        rod = minus(minus(span, times(h, axis)), times(radius, u))
        share = 1.0 / (radius * dot(rod, w))
        fall = -dot(u, tilt)
        moved = minus(minus(get(dd, j), get(do, j)), times(h, tilt))
        turn = dot(rod, minus(moved, times(radius * fall, axis))) * share
        du = plus(times(turn, w), times(fall, axis))
        dw = minus(times(-turn, u), times(dot(w, tilt), axis))
        put(dx, j, du)
        put(dy, j, dw)

        # what of u'' follows from |u| = 1 and u·e = 0
        known = minus(times(-(2.0 * dot(du, tilt) + dot(u, bend)), axis), times(dot(du, du), u))
        slip = minus(moved, times(radius, du))
        rest = minus(minus(get(ddd, j), get(ddo, j)), plus(times(h, bend), times(radius, known)))
        ddu = plus(known, times((dot(rod, rest) + dot(slip, slip)) * share, w))
        put(ddx, j, ddu)
        put(ddy, j, plus(cross(bend, u), plus(times(2.0, cross(tilt, du)), cross(axis, ddu))))


def turning_body(g: ChainGeometry, joint: Array, far: Array, length: float) -> tuple[list[float], Array] | None:
    """Constants h, ρ, l and mode of a body on a revolute axis, and its directions e, u, w.

    `joint` is the body's point C, `far` the solved point D.
    """
    origin, axis = g.points[0, 1], g.frames[0, 1][:, 2]
    h = (joint - origin) @ axis
    radial = joint - origin - h * axis
    radius = float(np.linalg.norm(radial))
    if radius <= DEGENERATE * (radius + length):
        return None
    u = radial / radius
    w = np.cross(axis, u)
    mode = 1.0 if (far - origin) @ w <= 0 else -1.0
    return [float(h), radius, length, mode], np.array([axis, u, w]).T
