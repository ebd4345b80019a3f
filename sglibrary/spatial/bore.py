"""The chains P-C-S, P-S-C and C-P-S between two solved bodies: a slider and a rod in a bore.

In P-C-S and P-S-C the slider's point C = O + e s keeps its distance ρ from a line with a point A and the direction a:
the solved axis of the C joint in P-S-C; in P-C-S the line through the S joint along the bore, whose direction is fixed
in the guide. Across a, with G = O - A,

    |G⊥ + e s⊥| = ρ,    s⊥² e = -G⊥·s⊥ ± √(s⊥² ρ² - (a·(s⊥ × G⊥))²)

(intersection of a line and a cylinder; the sign is the assembly mode). With C - A = ζ a + ρ u, the directions of the
rod are a, u and w = a × u, its angular velocity is ω a + a × a'. Multiplied by u, the derivatives of this give those of
e, divided by s·u: the conditioning.

In C-P-S the two bodies share their directions, of which x is that of the slide across the axis a. They see the S joint
at D = A + ζ a + c y + e x with y = a × x, so across a this is the plane dyad RPR: e = ± √(d² - c²), d = D⊥ - A⊥ (the
sign is the assembly mode, e / d the conditioning). The first body has moved along a by ζ - k0 - k1 e.
"""

import math

import numpy as np

from sglibrary.array_types import Array, Flags
from sglibrary.arrays import across, in_frame, inner, length, over, sign, stack, unit
from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import formula, kernel
from sglibrary.status import report
from sglibrary.tolerances import DEGENERATE
from sglibrary.vectors import axpy, carried, cross, dot, get, minus, plus, put, space, sqrt, times, write


@formula
def _spin(omega, axis, tilt):
    """Angular velocity ω a + a × a' of directions that turn with an axis and about it."""
    return axpy(omega, axis, cross(axis, tilt))


@formula
def _gain(omega, axis, tilt, bend):
    """Its derivative, without ω' a."""
    return axpy(omega, tilt, cross(axis, bend))


@kernel
def slider(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: O, s, A, a; written: C, u, w. constants: sign of the mode, ρ."""
    reach_line(q, v, a, rows[0], rows[1], rows[2], rows[3], rows[4], constants, conditioning, n)
    report(q, v, a, rows, 4, rows[4], 9, status, conditioning, n)


@kernel
def reach_line(q, v, a, start, line, center, pivot, out, constants, conditioning, n):
    """From the rows of O, s, A and a."""
    mode, radius = constants[0], constants[1]
    o, do, ddo = space(q, start, n), space(v, start, n), space(a, start, n)
    s, ds, dds = space(q, line, n), space(v, line, n), space(a, line, n)
    p, dp, ddp = space(q, center, n), space(v, center, n), space(a, center, n)
    k, dk, ddk = space(q, pivot, n), space(v, pivot, n), space(a, pivot, n)
    c, dc, ddc = space(q, out, n), space(v, out, n), space(a, out, n)
    x, dx, ddx = space(q, out + 3, n), space(v, out + 3, n), space(a, out + 3, n)
    y, dy, ddy = space(q, out + 6, n), space(v, out + 6, n), space(a, out + 6, n)
    cond = conditioning[:n]
    for j in range(cond.size):
        slide, axis, tilt = get(s, j), get(k, j), get(dk, j)
        aside = cross(axis, minus(get(o, j), get(p, j)))
        across = cross(axis, slide)
        square, miss = dot(across, across), dot(axis, cross(across, aside))
        root = mode * sqrt(square * radius * radius - miss * miss)
        e = (root - dot(aside, across)) / square
        # quarter turns of G⊥ and s⊥ about a were added: this is w
        w = times(1.0 / radius, axpy(e, across, aside))
        u = cross(w, axis)
        cosine = dot(slide, u)
        write(cond, j, math.fabs(cosine))
        place = axpy(e, slide, get(o, j))
        zeta = dot(minus(place, get(p, j)), axis)
        put(c, j, place)
        put(x, j, u)
        put(y, j, w)

        share = 1.0 / cosine
        drift = axpy(e, get(ds, j), minus(get(do, j), get(dp, j)))
        known = axpy(zeta, tilt, times(-1.0, drift))
        de = dot(known, u) * share
        omega = (de * dot(slide, w) - dot(known, w)) / radius
        dzeta = de * dot(slide, axis) + dot(drift, axis) + radius * dot(tilt, u)
        spin = _spin(omega, axis, tilt)
        du, dw = cross(spin, u), cross(spin, w)
        put(dc, j, plus(get(do, j), plus(times(e, get(ds, j)), times(de, slide))))
        put(dx, j, du)
        put(dy, j, dw)

        bend = get(ddk, j)
        gain = _gain(omega, axis, tilt, bend)
        extra = axpy(e, get(dds, j), times(2.0 * de, get(ds, j)))
        drift = plus(extra, minus(get(ddo, j), get(ddp, j)))
        known = minus(axpy(zeta, bend, times(2.0 * dzeta, tilt)), drift)
        known = axpy(radius, carried(spin, gain, u, du), known)
        dde = dot(known, u) * share
        rise = (dde * dot(slide, w) - dot(known, w)) / radius
        gain = axpy(rise, axis, gain)
        put(ddc, j, plus(get(ddo, j), axpy(dde, slide, extra)))
        put(ddx, j, carried(spin, gain, u, du))
        put(ddy, j, carried(spin, gain, w, dw))


def measure_pcs(g: ChainGeometry) -> Measured:
    """Constants and bases of the chain P-C-S."""
    guide, end = g.frame(0, 1), g.point(2, 0)
    constants, directions = rod(g.axis(1, 1), g.point(1, 1) - end, guide[..., 2])
    base = Base(("in", 2), (("in", 3), ("out", 3), ("out", 6)), end, directions)
    bore = (0, False, in_frame(guide, g.axis(1, 0)))
    return Measured(stack(*constants), (_slider_base(g), base), (_start(g), bore), g.long(constants[1]))


def measure_psc(g: ChainGeometry) -> Measured:
    """Constants and bases of the chain P-S-C."""
    ball = g.point(1, 1)
    constants, directions = rod(g.axis(2, 0), ball - g.point(2, 0), g.axis(0, 1))
    base = Base(("out", 0), (("in", 3), ("out", 3), ("out", 6)), ball, directions)
    return Measured(stack(*constants), (_slider_base(g), base), (_start(g),), g.long(constants[1]))


def rod(axis: Array, arm: Array, slide: Array) -> tuple[tuple[Array, Array], Array]:
    """Constants of `reach_line`, and directions a, u, w of the rod; `arm` leads from the axis to the point C."""
    radial = across(arm, axis)
    u = unit(radial)
    return (sign(inner(u, slide)), length(radial)), stack(axis, u, np.cross(axis, u))


def _slider_base(g: ChainGeometry) -> Base:
    return Base(("out", 0), (("in", 4), ("in", 5), ("in", 1)), g.point(1, 0), g.frame(0, 1))


def _start(g: ChainGeometry) -> tuple[int, bool, Array]:
    """The slider's point without its displacement, fixed in the guide."""
    return 0, True, in_frame(g.frame(0, 1), g.point(1, 0) - g.point(0, 1)) * [1.0, 1.0, 0.0]


@kernel
def cps(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: A, a, D; written: point of body 1 on its axis, x, y. constants: sign of the mode, c, k0, k1."""
    reach_point(q, v, a, rows[0], rows[1], rows[2], rows[3], constants, conditioning, n)
    report(q, v, a, rows, 3, rows[3], 9, status, conditioning, n)


@kernel
def reach_point(q, v, a, center, pivot, far, out, constants, conditioning, n):
    """From the rows of A, a and D."""
    mode, offset, k0, k1 = constants[0], constants[1], constants[2], constants[3]
    p, dp, ddp = space(q, center, n), space(v, center, n), space(a, center, n)
    k, dk, ddk = space(q, pivot, n), space(v, pivot, n), space(a, pivot, n)
    d, dd, ddd = space(q, far, n), space(v, far, n), space(a, far, n)
    c, dc, ddc = space(q, out, n), space(v, out, n), space(a, out, n)
    x, dx, ddx = space(q, out + 3, n), space(v, out + 3, n), space(a, out + 3, n)
    y, dy, ddy = space(q, out + 6, n), space(v, out + 6, n), space(a, out + 6, n)
    cond = conditioning[:n]
    for j in range(cond.size):
        axis, tilt = get(k, j), get(dk, j)
        reach = minus(get(d, j), get(p, j))
        zeta = dot(reach, axis)
        turned = cross(axis, reach)
        square = dot(turned, turned)
        e = mode * sqrt(square - offset * offset)
        # the quarter turn of x = (e d - c a × d) / d²
        w = times(1.0 / square, axpy(e, turned, times(offset, axpy(-zeta, axis, reach))))
        u = cross(w, axis)
        write(cond, j, math.fabs(e) / math.sqrt(square))
        z = zeta - k0 - k1 * e
        put(c, j, axpy(z, axis, get(p, j)))
        put(x, j, u)
        put(y, j, w)

        share = 1.0 / e
        known = axpy(-zeta, tilt, minus(get(dd, j), get(dp, j)))
        omega = dot(known, w) * share
        de = dot(known, u) + offset * omega
        spin = _spin(omega, axis, tilt)
        du, dw = cross(spin, u), cross(spin, w)
        dzeta = dot(minus(known, axpy(e, du, times(offset, dw))), axis)
        dz = dzeta - k1 * de
        put(dc, j, plus(get(dp, j), axpy(z, tilt, times(dz, axis))))
        put(dx, j, du)
        put(dy, j, dw)

        bend = get(ddk, j)
        gain = _gain(omega, axis, tilt, bend)
        known = axpy(-zeta, bend, minus(get(ddd, j), get(ddp, j)))
        known = minus(known, times(2.0, axpy(dzeta, tilt, times(de, du))))
        part = axpy(e, carried(spin, gain, u, du), times(offset, carried(spin, gain, w, dw)))
        known = minus(known, part)
        rise = dot(known, w) * share
        dde = dot(known, u) + offset * rise
        ddz = dot(known, axis) - k1 * dde
        gain = axpy(rise, axis, gain)
        moved = axpy(z, bend, axpy(2.0 * dz, tilt, times(ddz, axis)))
        put(ddc, j, plus(get(ddp, j), moved))
        put(ddx, j, carried(spin, gain, u, du))
        put(ddy, j, carried(spin, gain, w, dw))


def measure_cps(g: ChainGeometry) -> Measured:
    """Constants and bases of the chain C-P-S."""
    center, end, back = g.point(0, 1), g.point(2, 0), sharing(g, 1)
    span = g.point(1, 0) - center + in_frame(back, end - g.point(1, 1))
    constants, directions, valid = sleeve(g.axis(0, 1), span, g.axis(1, 0), end - center)
    vectors = (("in", 1), ("out", 3), ("out", 6))
    bases = (Base(("out", 0), vectors, center, directions), Base(("in", 2), vectors, end, back @ directions))
    return Measured(stack(*constants), bases, valid=valid)


def sharing(g: ChainGeometry, joint: int) -> Array:
    """Rotation (..., d, d) from the coordinates of the first body of a P joint to those of the second."""
    return g.frame(joint, 1) @ g.frame(joint, 0).swapaxes(-1, -2)


def sleeve(axis: Array, span: Array, slide: Array, reach: Array) -> tuple[tuple[Array, ...], Array, Flags]:
    """Constants of `reach_point`, directions a, x, y, and whether there are any.

    `span` leads from the first body's point to D, up to a displacement along the slide; `reach` does so in the
    reference configuration, and gives the mode.
    """
    radial = across(slide, axis)
    sine, x = length(radial), unit(radial)
    directions = stack(axis, x, np.cross(axis, x))
    arm, slope = in_frame(directions, span), over(inner(axis, slide), sine)
    constants = sign(inner(reach, x)), arm[..., 2], arm[..., 0] - slope * arm[..., 1], slope
    return constants, directions, sine > DEGENERATE
