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

import numpy as np

from sglibrary.chain import Array, unit
from sglibrary.convention import formula
from sglibrary.vectors import axpy, cross, dot, sqrt, times


@formula
def orient(span, square, d, x, c3, n1, cos, mode):
    """Directions n2, m, k and the conditioning, from L = `span` and its square."""
    along, aside = dot(n1, span), cross(n1, span)
    area = dot(aside, aside)
    share = 1.0 / area
    alpha, beta = (cos * square - d * along) * share, (d - cos * along) * share
    gamma = mode * sqrt((1.0 - alpha * cos - beta * d) * share)
    n2 = axpy(alpha, n1, axpy(beta, span, times(gamma, aside)))
    across = axpy(-d, n2, span)
    scale = 1.0 / (x * x + c3 * c3)
    m = axpy(x * scale, across, times(-c3 * scale, cross(n2, across)))
    return n2, m, cross(n2, m), math.fabs(gamma) * area / math.sqrt(square)


@formula
def turning(span, square, slip, n1, n2, rest):
    """Angular velocity (or acceleration) w with w × L = `slip` and n1·(w × n2) = -`rest`."""
    part = times(1.0 / square, cross(span, slip))
    normal = cross(n2, n1)
    return axpy(-(rest + dot(part, normal)) / dot(span, normal), span, part)


@formula
def orient_rate(span, square, slip, n1, dn1, n2):
    """Angular velocity from `slip` = L' - t' s."""
    return turning(span, square, slip, n1, n2, dot(dn1, n2))


@formula
def orient_gain(span, square, slip, n1, dn1, ddn1, n2, dn2, w):
    """Angular acceleration from `slip` = L'' - t'' s - ω × (ω × L + 2 t' s)."""
    rest = dot(ddn1, n2) + 2.0 * dot(dn1, dn2) + dot(n1, cross(w, dn2))
    return turning(span, square, slip, n1, n2, rest)


def orientation(span: Array, n1: Array, n2: Array, toward: Array) -> tuple[Array, float] | None:
    """Directions n2, m, k of a body (columns), m in the plane of n2 and `toward`, and the mode of its orientation."""
    m = unit(toward - (toward @ n2) * n2)
    if m is None:
        return None
    return np.array([n2, m, np.cross(n2, m)]).T, 1.0 if n2 @ np.cross(n1, span) >= 0 else -1.0
