"""Orientation of a body that is held by a universal joint and by one more point.

The body sees the vector L from the U joint to the other point as c + t s: a fixed offset c and, where it slides, a
displacement t along s. Its axis n2 makes a fixed angle with the axis n1 of the U joint outside the body. In the
orthonormal directions n2, m, k = n2 × m of the body, m chosen so that s lies in the plane of n2 and m,

    L = d n2 + x m + c3 k,    d = c1 + t s1,    x = c2 + t s2.

Position: n2 = α n1 + β L + γ w with w = n1 × L follows from n1·n2 = cos δ, n2·L = d and |n2| = 1, the sign of γ being
the assembly mode. Rates: ω × L = L' - t' s gives ω up to a multiple of L, and n1·n2 = cos δ gives that multiple; it is
divided by n1·(n2 × L) = -γ w², which vanishes where n1, n2 and L are coplanar: the conditioning.
"""

import math

from sglibrary.convention import kernel
from sglibrary.spatial.frames import carry_gain, carry_rate
from sglibrary.vectors import cross, dot, get, minus, plus, put, space, sqrt, times


@kernel
def orient(q, work, n1_row, out_row, cos, c3, mode, conditioning, n):
    """Directions n2, m, k (nine rows of q) from L (work rows 0-2), d (row 3), x (row 4) and n1.

    `conditioning` is lowered to that of the orientation where it is higher; NaN stays.
    """
    _second_axis(q, work, n1_row, out_row, cos, mode, conditioning, n)
    vector, n2, m = space(work, 0, n), space(q, out_row, n), space(q, out_row + 3, n)
    d, x = work[3, :n], work[4, :n]
    for j in range(d.size):
        e = get(n2, j)
        across = minus(get(vector, j), times(d[j], e))
        aside = cross(e, across)
        square = x[j] * x[j] + c3 * c3
        put(m, j, minus(times(x[j] / square, across), times(c3 / square, aside)))
    k = space(q, out_row + 6, n)
    for j in range(d.size):
        put(k, j, cross(get(n2, j), get(m, j)))


@kernel
def _second_axis(q, work, n1_row, out_row, cos, mode, conditioning, n):
    vector, n1, n2 = space(work, 0, n), space(q, n1_row, n), space(q, out_row, n)
    d, cond = work[3, :n], conditioning[:n]
    for j in range(d.size):
        span, e = get(vector, j), get(n1, j)
        square, along = dot(span, span), dot(e, span)
        aside = cross(e, span)
        area = dot(aside, aside)
        alpha = (cos * square - d[j] * along) / area
        beta = (d[j] - cos * along) / area
        gamma = mode * sqrt((1.0 - alpha * cos - beta * d[j]) / area)
        put(n2, j, plus(plus(times(alpha, e), times(beta, span)), times(gamma, aside)))
        own = math.fabs(gamma) * area / math.sqrt(square)
        # NaN of either is kept: a comparison with NaN is false
        cond[j] = cond[j] if cond[j] <= own else own + 0.0 * cond[j]


@kernel
def orient_rate(q, v, work, n1_row, out_row, n):
    """Velocities of n2, m, k from L (work rows 0-2) and L' - t' s (rows 6-8); leaves ω in rows 9-11."""
    span, slip, w = space(work, 0, n), space(work, 6, n), space(work, 9, n)
    n1, dn1, n2 = space(q, n1_row, n), space(v, n1_row, n), space(q, out_row, n)
    for j in range(w[0].size):
        vector, axis, own = get(span, j), get(n1, j), get(n2, j)
        part = times(1.0 / dot(vector, vector), cross(vector, get(slip, j)))
        normal = cross(own, axis)
        more = -(dot(get(dn1, j), own) + dot(part, normal)) / dot(vector, normal)
        put(w, j, plus(part, times(more, vector)))
    for i in range(3):
        carry_rate(q, v, out_row + 3 * i, w, n)


@kernel
def orient_gain(q, v, a, work, n1_row, out_row, n):
    """Accelerations of n2, m, k from L (work rows 0-2), α × L (rows 6-8) and ω (rows 9-11); α goes to rows 12-14."""
    span, slip, w, g = space(work, 0, n), space(work, 6, n), space(work, 9, n), space(work, 12, n)
    n1, dn1, ddn1 = space(q, n1_row, n), space(v, n1_row, n), space(a, n1_row, n)
    n2, dn2 = space(q, out_row, n), space(v, out_row, n)
    for j in range(g[0].size):
        vector, axis, own = get(span, j), get(n1, j), get(n2, j)
        part = times(1.0 / dot(vector, vector), cross(vector, get(slip, j)))
        normal = cross(own, axis)
        known = dot(get(ddn1, j), own) + 2.0 * dot(get(dn1, j), get(dn2, j)) + dot(axis, cross(get(w, j), get(dn2, j)))
        more = -(known + dot(part, normal)) / dot(vector, normal)
        put(g, j, plus(part, times(more, vector)))
    for i in range(3):
        carry_gain(q, v, a, out_row + 3 * i, w, g, n)
