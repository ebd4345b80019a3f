"""The chains P-R-U-S and P-R-S-U, the R joint driven, between two solved bodies: a slider, a rocker on it, and a rod.

The slider keeps the directions of its guide, so the driven angle turns the rocker in known directions, of which x and y
are across its axis r: u = cos θ x + sin θ y and w = r × u. The rocker's joint with the rod, at O + ρ u where the
slider's displacement is zero, then moves on a known line as the slider of the chains P-U-S and P-S-U does
(`sglibrary.spatial.sliding`). In P-R-U-S the axis n1 of the U joint is fixed in the rocker.

Written are u, w of the rocker, n1, the place O + ρ u, then C, n2, m, k as by `sliding`, and the slider's point C - ρ u.
"""

import numpy as np

from sglibrary.array_types import Array
from sglibrary.arrays import across, components, in_frame, inner, length, stack, unit
from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.spatial.orientation import held_by
from sglibrary.spatial.revolute import turn
from sglibrary.spatial.sliding import slide_and_turn, slide_and_turn_constants
from sglibrary.status import report

WRITTEN = 27


@kernel
def prus(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: O, s, D, x, y, r, driver; constants: those of `sliding`, sign of the driver, ρ, n1 in r, u, w."""
    out, sign, radius = rows[7], constants[7], constants[8]
    turn(q, v, a, rows[3], rows[4], rows[6], sign, out, n)
    _fixed(q, v, a, rows[5], out, constants[9], constants[10], constants[11], out + 6, n)
    _shifted(q, v, a, rows[0], out, radius, out + 9, n)
    slide_and_turn(q, v, a, out + 9, rows[1], rows[2], out + 6, out + 12, constants, 1.0, conditioning, n)
    _shifted(q, v, a, out + 12, out, -radius, out + 24, n)
    report(q, v, a, rows, 7, out, WRITTEN, status, conditioning, n)


@kernel
def prsu(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: O, s, D, x, y, n1, driver; constants: those of `sliding`, sign of the driver, ρ."""
    out, sign, radius = rows[7], constants[7], constants[8]
    turn(q, v, a, rows[3], rows[4], rows[6], sign, out, n)
    _shifted(q, v, a, rows[0], out, radius, out + 9, n)
    slide_and_turn(q, v, a, out + 9, rows[1], rows[2], rows[5], out + 12, constants, -1.0, conditioning, n)
    _shifted(q, v, a, out + 12, out, -radius, out + 24, n)
    report(q, v, a, rows, 7, out, WRITTEN, status, conditioning, n)


@kernel
def _shifted(q, v, a, point, direction, length, out, n):
    """The point moved along a direction by a length."""
    for i in range(3):
        for state in (q, v, a):
            p, u, x = state[point + i, :n], state[direction + i, :n], state[out + i, :n]
            for j in range(x.size):
                x[j] = p[j] + length * u[j]


@kernel
def _fixed(q, v, a, axis, turning, k0, k1, k2, out, n):
    """The direction with the components k along the axis, u and w."""
    for i in range(3):
        for state in (q, v, a):
            r, u, w = state[axis + i, :n], state[turning + i, :n], state[turning + 3 + i, :n]
            x = state[out + i, :n]
            for j in range(x.size):
                x[j] = k0 * r[j] + (k1 * u[j] + k2 * w[j])


def measure_prus(g: ChainGeometry) -> Measured:
    """Constants and bases of the chain P-R-U-S."""
    span = g.point(3, 0) - g.point(2, 1)
    return _measure(g, span, 1.0, g.axis(2, 0), g.axis(2, 1), g.cross_angles[..., 2], inside=True)


def measure_prsu(g: ChainGeometry) -> Measured:
    """Constants and bases of the chain P-R-S-U."""
    span = g.point(2, 1) - g.point(3, 0)
    return _measure(g, span, -1.0, g.axis(3, 1), g.axis(3, 0), g.cross_angles[..., 3], inside=False)


def _measure(
    g: ChainGeometry, span: Array, sense: float, n1: Array, n2: Array, cross_angle: Array, inside: bool
) -> Measured:
    guide, hinge, axis = g.frame(0, 1), g.frame(1, 0), g.axis(1, 1)
    arm = g.point(2, 0) - g.point(1, 1)
    radial = across(arm, axis)
    radius, u = length(radial), unit(radial)
    directions = stack(axis, u, np.cross(axis, u))
    constants, frame = slide_and_turn_constants(guide[..., 2], span, sense, n1, n2, cross_angle)
    constants += (g.signs[1], radius, *(components(in_frame(directions, n1)) if inside else ()))
    center = g.point(1, 0) + inner(arm, axis)[..., None] * hinge[..., 2]
    start = in_frame(guide, center - g.point(0, 1)) * [1.0, 1.0, 0.0]
    # u and w as they are in the guide where the driven angle is zero
    zero = guide.swapaxes(-1, -2) @ hinge @ g.frame(1, 1).swapaxes(-1, -2) @ directions
    bases = (
        Base(("out", 24), (("in", 6), ("in", 7), ("in", 1)), center, guide),
        Base(("out", 12), (("in", 8), ("out", 0), ("out", 3)), g.point(2, 0), directions),
        Base(("in", 2), (("out", 15), ("out", 18), ("out", 21)), g.point(3, 0), frame),
    )
    turning = ((0, False, zero[..., 1]), (0, False, zero[..., 2]), (0, False, in_frame(guide, hinge[..., 2])))
    return Measured(stack(*constants), bases, ((0, True, start), *turning), g.long(radius) & held_by(g, span, n2))
