"""The legs of a hub as values: bodies between a point of it and a solved one.

They are those of closed forms (`sglibrary.planar.rpr`, `sglibrary.spatial.ups` and `sglibrary.spatial.bore`, which
see), a rod counting as a telescope that slides along itself. But the distance of the points is known here, and what a
driver makes of it, so that few roots and quotients are left; of a rod even its conditioning is known in part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sglibrary.code.graph import (
    Expr,
    Vector,
    axpy,
    cross,
    dot,
    fma,
    inverse,
    least,
    minus,
    plus,
    root,
    select,
    times,
)
from sglibrary.hubs.hub import Hub, Pose, Seen
from sglibrary.hubs.scheme import Leg
from sglibrary.iterative.kinds import CPS, RPR, UPS
from sglibrary.straight.frames import Moving, column, turned
from sglibrary.straight.scheme import pose_vectors

Targets = list[tuple[Expr, str]]
"""Values and where they go."""

Placed = tuple[tuple[Moving, ...], Expr]
"""What a leg writes, and its conditioning: negative where a telescope has passed its foot, NaN where none fits."""


def placed(hub: Hub, pose: Pose, every: Sequence[Seen]) -> tuple[list[Targets], Expr]:
    """Points and axes of the hub that legs hang on, and each leg; and the least conditioning."""
    number, share, found = pose_vectors(hub.dimension), hub.graph.number(1.0), [Targets()]
    for k, equation in enumerate(hub.scheme.attached):
        if equation < 0:
            found[0] += hub.put(number + k, pose.carried(turned(pose.turn, hub.attached(k))))
        else:
            found[0] += hub.put(number + k, hub.absolute(pose.point(every[equation].arm)))
    number += len(hub.scheme.attached)
    for leg in hub.scheme.legs:
        vectors, own = PLACES[leg.kind](hub, pose, leg, every[leg.equation])
        found.append([target for m, vector in enumerate(vectors, number) for target in hub.put(m, vector)])
        number += len(vectors)
        share = share if own.known == 1.0 else least(own, share)
    return found, share


def _span(hub: Hub, pose: Pose, leg: Leg, seen: Seen) -> Moving:
    """From foot to tip, relative to the mechanism's size."""
    k = leg.equation
    x, rate, gain = pose.point(seen.arm)
    way = minus(x, hub.given(k, "q")), minus(rate, hub.given(k, "v")), minus(gain, hub.given(k, "a"))
    back = hub.graph.number(-1.0)
    return (times(back, way[0]), times(back, way[1]), times(back, way[2])) if leg.on_hub else way


def _axis(hub: Hub, pose: Pose, leg: Leg) -> Moving:
    """The axis at the foot of a leg."""
    if not leg.on_hub:
        return hub.moving(leg.axis)
    own = pose_vectors(hub.dimension)
    arm = column(pose.turn, leg.axis - 1) if leg.axis < own else turned(pose.turn, hub.attached(leg.axis - own))
    return pose.carried(arm)


def _numbers(hub: Hub, leg: Leg, first: int, last: int) -> list[Expr]:
    """Constants of a leg."""
    return [hub.graph.value("c", leg.constants + i) for i in range(first, last)]


def _is_rod(hub: Hub, leg: Leg) -> bool:
    return hub.driver(leg.equation, "q") is None


def _ahead(hub: Hub, leg: Leg, t: Expr) -> Expr:
    """How far a tip is ahead of its foot, on the side of it where it was."""
    return t if _is_rod(hub, leg) else hub.constant(leg.equation, 7) * t


def _rpr(hub: Hub, pose: Pose, leg: Leg, seen: Seen) -> Placed:
    """The direction of a leg in the plane."""
    way, rate, gain = _span(hub, pose, leg, seen)
    t, dt, _ = hub.stretch(leg.equation)
    c = hub.graph.number(0.0) if _is_rod(hub, leg) else hub.share * _numbers(hub, leg, 0, 1)[0]
    share, upright = inverse(fma(t, t, c * c)), (way[1], -way[0], way[2])
    s, back = times(share, axpy(c, upright, times(t, way))), inverse(t)
    turn = cross(s, rate)[2] * back
    rise = (cross(s, gain)[2] - fma(dt + dt, turn, -(turn * turn * c))) * back
    across, square = (-s[1], s[0], s[2]), turn * turn
    moved = s, times(turn, across), axpy(rise, across, times(-square, s))
    own = hub.graph.number(1.0) if _is_rod(hub, leg) else _ahead(hub, leg, t) * root(share)
    return (moved,), own


def _ups(hub: Hub, pose: Pose, leg: Leg, seen: Seen) -> Placed:
    """The directions n2, m, k of a leg at a universal joint."""
    span, rate, gain = _span(hub, pose, leg, seen)
    n1, dn1, ddn1 = _axis(hub, pose, leg)
    t, dt, ddt = hub.stretch(leg.equation)
    mode, *offset = _numbers(hub, leg, 1, 5)
    c1, c2, c3 = (hub.graph.number(0.0) if _is_rod(hub, leg) else hub.share * x for x in offset)
    s1, s2, cos = _numbers(hub, leg, 5, 8)
    d, x, one, two = fma(t, s1, c1), fma(t, s2, c2), hub.graph.number(1.0), hub.graph.number(2.0)

    along, aside, square = dot(n1, span), cross(n1, span), dot(span, span)
    area = dot(aside, aside)
    share = inverse(area)
    alpha, beta = fma(cos, square, -(d * along)) * share, fma(-cos, along, d) * share
    size = root(fma(-alpha, cos, fma(-beta, d, one)) * area)
    lever = mode * size
    n2 = axpy(alpha, n1, axpy(beta, span, times(lever * share, aside)))
    across, upright = axpy(-d, n2, span), cross(n2, span)
    scale = inverse(fma(x, x, c3 * c3))
    x_share, c_share = x * scale, c3 * scale
    m, k = axpy(x_share, across, times(-c_share, upright)), axpy(c_share, across, times(x_share, upright))
    rest = fma(-d, cos, along)
    b, c, back = fma(x_share, rest, c_share * lever), fma(c_share, rest, -(x_share * lever)), inverse(lever)

    def turning(slip: Vector, tilt: Expr) -> Vector:
        slip0, tilt = slip[0] * back, tilt * back
        second, third = fma(b, slip0, -(x * tilt)), fma(c, slip0, -(c3 * tilt))
        return fma(x_share, fma(d, second, slip[2]), c_share * fma(d, third, -slip[1])), second, third

    def within(u: Vector, slide: Expr) -> Vector:
        return fma(-slide, s1, dot(n2, u)), fma(-slide, s2, dot(m, u)), dot(k, u)

    slip = within(rate, dt)
    w = turning(slip, dot(dn1, n2))
    xx, yy, zz = w[0] * w[0], w[1] * w[1], w[2] * w[2]
    rates = (
        axpy(w[2], m, times(-w[1], k)),
        axpy(w[0], k, times(-w[2], n2)),
        axpy(w[1], n2, times(-w[0], m)),
    )
    # ω × (ω × L + 2 t' s) = ω × (L' + t' s)
    slip = minus(within(gain, ddt), cross(w, (fma(two * dt, s1, slip[0]), fma(two * dt, s2, slip[1]), slip[2])))
    bent = fma(w[0], fma(w[1], b, w[2] * c), -(cos * (yy + zz)))
    g = turning(slip, dot(ddn1, n2) + fma(two, dot(dn1, rates[0]), bent))
    gains = (
        axpy(fma(w[0], w[1], g[2]), m, axpy(fma(w[0], w[2], -g[1]), k, times(-(yy + zz), n2))),
        axpy(fma(w[1], w[2], g[0]), k, axpy(fma(w[1], w[0], -g[2]), n2, times(-(zz + xx), m))),
        axpy(fma(w[2], w[0], g[1]), n2, axpy(fma(w[2], w[1], -g[0]), m, times(-(xx + yy), k))),
    )
    vectors = (n2, rates[0], gains[0]), (m, rates[1], gains[1]), (k, rates[2], gains[2])
    if _is_rod(hub, leg):
        return vectors, size * inverse(t)
    return vectors, least(_ahead(hub, leg, t), size) * root(inverse(square))


def _cps(hub: Hub, pose: Pose, leg: Leg, seen: Seen) -> Placed:
    """The point on its axis, and the directions x and y, of a leg at a hinge: unlike a bore, it does not slide."""
    way, rate, gain = _span(hub, pose, leg, seen)
    axis, tilt, bend = _axis(hub, pose, leg)
    (mode, c, _, slope), two, one = _numbers(hub, leg, 0, 4), hub.graph.number(2.0), hub.graph.number(1.0)
    height = dot(way, axis)
    aside = cross(axis, way)
    square = dot(aside, aside)
    c = hub.graph.number(0.0) if _is_rod(hub, leg) else hub.share * c
    share, e = inverse(square), mode * root(square - c * c)
    y = times(share, axpy(e, aside, times(c, axpy(-height, axis, way))))
    x, back = cross(y, axis), inverse(e)

    known = axpy(-height, tilt, rate)
    turn = dot(known, y) * back
    de = fma(c, turn, dot(known, x))
    spin = axpy(turn, axis, cross(axis, tilt))
    dx, dy = cross(spin, x), cross(spin, y)

    rising = axpy(turn, tilt, cross(axis, bend))
    known = minus(axpy(-height, bend, gain), times(two, axpy(slope * de, tilt, times(de, dx))))
    part = axpy(e, _bowed(spin, rising, x, dx), times(c, _bowed(spin, rising, y, dy)))
    rising = axpy(dot(minus(known, part), y) * back, axis, rising)
    vectors = (x, dx, _bowed(spin, rising, x, dx)), (y, dy, _bowed(spin, rising, y, dy))
    foot = hub.absolute(pose.point(seen.arm)) if leg.on_hub else hub.moving(leg.equation)
    if _is_rod(hub, leg):
        return (foot, *vectors), one
    ahead = _ahead(hub, leg, hub.stretch(leg.equation)[0])
    return (foot, *vectors), select(hub.graph.number(0.0), ahead, -one, root(e * e * share))


def _bowed(spin: Vector, rise: Vector, e: Vector, rate: Vector) -> Vector:
    """Second derivative of a direction."""
    return plus(cross(rise, e), cross(spin, rate))


PLACES: dict[int, Callable[[Hub, Pose, Leg, Seen], Placed]] = {RPR: _rpr, UPS: _ups, CPS: _cps}
"""What places a leg, by its kind."""
