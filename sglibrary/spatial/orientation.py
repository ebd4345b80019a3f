"""Orientation of a body that is held by a universal joint and by one more point.

The body sees the vector L from the U joint to the other point as c + t s: a fixed offset c and, where it slides, a
displacement t along s. Its axis n2 makes a fixed angle with the axis n1 of the U joint outside the body. In the
orthonormal directions n2, m, k = n2 × m of the body, m chosen so that s lies in the plane of n2 and m,

    L = d n2 + x m + c3 k,    d = c1 + t s1,    x = c2 + t s2.

Position: n2 = α n1 + β L + γ w with w = n1 × L follows from n1·n2 = cos δ, n2·L = d and |n2| = 1, the sign of γ being
the assembly mode. With the lever D = n2·(n1 × L) = γ w², D / |L| is the conditioning: it vanishes where n1, n2 and L
are coplanar.

Rates are solved in the body's directions, where L = (d, x, c3) and n1 = (cos δ, b, c). What turns L, σ = ω × L, and
what tilts n1 against n2, n1·(ω × n2) = -r, read

    c3 ω2 - x ω3 = σ1,    b ω3 - c ω2 = -r,    d ω3 - c3 ω1 = σ2,    x ω1 - d ω2 = σ3.

The first two give ω2 and ω3, their determinant being b c3 - c x = D; the last two agree and give ω1 (x² + c3²).

`hold`, `turning`, `turned` and `bowed` go together; `orient`, `orient_rate` and `orient_gain` do the same in global
components, for bodies whose L turns in them.
"""

import math

import numpy as np

from sglibrary.array_types import Array, Flags
from sglibrary.arrays import across, inner, length, sign, stack, unit
from sglibrary.chain import ChainGeometry
from sglibrary.convention import formula
from sglibrary.vectors import axpy, cross, dot, fma, sqrt, times


@formula
def hold(span, square, d, x, c3, n1, cos, mode):
    """Directions (n2, m, k), what `turning` needs of the position, and the lever D; from L = `span` and its square."""
    along, aside = dot(n1, span), cross(n1, span)
    area = dot(aside, aside)
    share = 1.0 / area
    alpha, beta = fma(cos, square, -d * along) * share, fma(-cos, along, d) * share
    lever = mode * sqrt(fma(-alpha, cos, fma(-beta, d, 1.0)) * area)
    n2 = axpy(alpha, n1, axpy(beta, span, times(lever * share, aside)))
    across = axpy(-d, n2, span)
    upright = cross(n2, span)
    scale = 1.0 / fma(x, x, c3 * c3)
    x_share, c_share = x * scale, c3 * scale
    m = axpy(x_share, across, times(-c_share, upright))
    k = axpy(c_share, across, times(x_share, upright))
    rest = fma(-d, cos, along)
    b, c = fma(x_share, rest, c_share * lever), fma(c_share, rest, -x_share * lever)
    return (n2, m, k), (d, x, c3, x_share, c_share, cos, b, c), lever


@formula
def seen(frame, u):
    """Components of a vector in the directions of the body."""
    return dot(frame[0], u), dot(frame[1], u), dot(frame[2], u)


@formula
def turning(held, inverse, slip, rest):
    """Angular velocity (or acceleration) in the body's directions from σ = `slip`, r = `rest` and `inverse` = 1 / D."""
    d, x, c3, x_share, c_share, _, b, c = held
    slip0, tilt = slip[0] * inverse, rest * inverse
    second, third = fma(b, slip0, -x * tilt), fma(c, slip0, -c3 * tilt)
    first = fma(x_share, fma(d, second, slip[2]), c_share * fma(d, third, -slip[1]))
    return first, second, third


@formula
def bent(held, w):
    """What ω × (ω × n2) adds to r."""
    return fma(w[0], fma(w[1], held[6], w[2] * held[7]), -held[5] * fma(w[1], w[1], w[2] * w[2]))


@formula
def turned(frame, w):
    """Rates of the directions of a body with the angular velocity w in these directions."""
    n2, m, k = frame
    return (
        axpy(w[2], m, times(-w[1], k)),
        axpy(w[0], k, times(-w[2], n2)),
        axpy(w[1], n2, times(-w[0], m)),
    )


@formula
def bowed(frame, w, g):
    """Second derivatives of the directions, with the angular acceleration g in these directions."""
    n2, m, k = frame
    xx, yy, zz = w[0] * w[0], w[1] * w[1], w[2] * w[2]
    return (
        axpy(fma(w[0], w[1], g[2]), m, axpy(fma(w[0], w[2], -g[1]), k, times(-(yy + zz), n2))),
        axpy(fma(w[1], w[2], g[0]), k, axpy(fma(w[1], w[0], -g[2]), n2, times(-(zz + xx), m))),
        axpy(fma(w[2], w[0], g[1]), n2, axpy(fma(w[2], w[1], -g[0]), m, times(-(xx + yy), k))),
    )


@formula
def orient(span, square, d, x, c3, n1, cos, mode):
    """Directions n2, m, k and the conditioning."""
    frame, _, lever = hold(span, square, d, x, c3, n1, cos, mode)
    return frame[0], frame[1], frame[2], math.fabs(lever) * math.sqrt(1.0 / square)


@formula
def _turn(span, square, slip, n1, n2, rest):
    """Angular velocity (or acceleration) w with w × L = `slip` and n1·(w × n2) = -`rest`."""
    normal, share, inverse = cross(n2, n1), 1.0 / square, 1.0 / dot(span, cross(n2, n1))
    part = cross(span, slip)
    return axpy(-fma(dot(part, normal), share, rest) * inverse, span, times(share, part))


@formula
def orient_rate(span, square, slip, n1, dn1, n2):
    """Angular velocity, in global components, from `slip` = L' without what the body itself does to L."""
    return _turn(span, square, slip, n1, n2, dot(dn1, n2))


@formula
def orient_gain(span, square, slip, n1, dn1, ddn1, n2, dn2, w):
    """Angular acceleration, in global components, from `slip` = α × L."""
    rest = dot(ddn1, n2) + 2.0 * dot(dn1, dn2) + dot(n1, cross(w, dn2))
    return _turn(span, square, slip, n1, n2, rest)


def orientation(span: Array, n1: Array, n2: Array, toward: Array) -> tuple[Array, Array]:
    """Directions n2, m, k of a body (columns), m in the plane of n2 and `toward`, and the mode of its orientation.

    The directions follow from n2 and `toward`, both of the body; they are NaN where these are parallel.
    """
    m = unit(across(toward, n2))
    return stack(n2, m, np.cross(n2, m)), sign(inner(n2, np.cross(n1, span)))


def held_by(g: ChainGeometry, span: Array, n2: Array) -> Flags:
    """Whether the S joint of a body, at `span` from its U joint, is off the axis n2."""
    return g.long(length(across(span, n2)))
