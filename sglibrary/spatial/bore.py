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

from sglibrary.chain import DEGENERATE, Array, Base, ChainGeometry, Measured
from sglibrary.convention import formula, kernel
from sglibrary.report import report
from sglibrary.vectors import axpy, carried, cross, dot, get, minus, plus, put, space, sqrt, times


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
        cond[j] = math.fabs(cosine)
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


def measure_pcs(g: ChainGeometry) -> Measured | None:
    """Constants and bases of the chain P-C-S."""
    axis, end = g.frames[1, 1][:, 2], g.points[2, 0]
    found = rod(axis, g.points[1, 1] - end, g.frames[0, 1][:, 2])
    if found is None:
        return None
    constants, directions = found
    base = Base(("in", 2), (("in", 3), ("out", 3), ("out", 6)), end, directions)
    bore = (0, False, g.frames[0, 1].T @ g.frames[1, 0][:, 2])
    return Measured(constants, (_slider_base(g), base), (_start(g), bore))


def measure_psc(g: ChainGeometry) -> Measured | None:
    """Constants and bases of the chain P-S-C."""
    axis, ball = g.frames[2, 0][:, 2], g.points[1, 1]
    found = rod(axis, ball - g.points[2, 0], g.frames[0, 1][:, 2])
    if found is None:
        return None
    constants, directions = found
    base = Base(("out", 0), (("in", 3), ("out", 3), ("out", 6)), ball, directions)
    return Measured(constants, (_slider_base(g), base), (_start(g),))


def rod(axis: Array, arm: Array, slide: Array) -> tuple[Array, Array] | None:
    """Constants of `reach_line`, and directions a, u, w of the rod; `arm` leads from the axis to the point C."""
    radial = arm - (arm @ axis) * axis
    radius, across = np.linalg.norm(radial), np.linalg.norm(np.cross(axis, slide))
    if radius <= DEGENERATE * (1.0 + np.linalg.norm(arm)) or across <= DEGENERATE:
        return None
    u = radial / radius
    return np.array([1.0 if u @ slide >= 0 else -1.0, radius]), np.array([axis, u, np.cross(axis, u)]).T


def _slider_base(g: ChainGeometry) -> Base:
    return Base(("out", 0), (("in", 4), ("in", 5), ("in", 1)), g.points[1, 0], g.frames[0, 1])


def _start(g: ChainGeometry) -> tuple[int, bool, Array]:
    """The slider's point without its displacement, fixed in the guide."""
    start = g.frames[0, 1].T @ (g.points[1, 0] - g.points[0, 1])
    return 0, True, np.array([start[0], start[1], 0.0])


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
        cond[j] = math.fabs(e) / math.sqrt(square)
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


def measure_cps(g: ChainGeometry) -> Measured | None:
    """Constants and bases of the chain C-P-S."""
    found = sleeve(g.frames[0, 1][:, 2], g.points[2, 0] - g.points[0, 1], g.frames[1, 0][:, 2])
    if found is None:
        return None
    constants, directions = found
    vectors = (("in", 1), ("out", 3), ("out", 6))
    bases = (
        Base(("out", 0), vectors, g.points[0, 1], directions),
        Base(("in", 2), vectors, g.points[2, 0], directions),
    )
    return Measured(constants, bases)


def sleeve(axis: Array, span: Array, slide: Array) -> tuple[Array, Array] | None:
    """Constants of `reach_point`, and directions a, x, y; `span` leads from the first body's point to D."""
    along, across = axis @ slide, slide - (axis @ slide) * axis
    sine = np.linalg.norm(across)
    if sine <= DEGENERATE:
        return None
    directions = np.array([axis, across / sine, np.cross(axis, across / sine)]).T
    arm, slope = directions.T @ span, along / sine
    return np.array([1.0 if arm[1] >= 0 else -1.0, arm[2], arm[0] - slope * arm[1], slope]), directions
