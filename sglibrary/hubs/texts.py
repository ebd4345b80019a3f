"""Equations of a hub and its legs as instruction lists, from its scheme (`sglibrary.hubs.scheme`).

Where x, r, p and d are those of `sglibrary.hubs.hub`, the first derivative of d is x' + ω × r - p', and the second
x'' + ω' × r + ω × (ω × r) - p''. Lines are those of `sglibrary.straight.texts`.
"""

from __future__ import annotations

from functools import lru_cache

from sglibrary.code.graph import Expr, Vector, cross, dot, fma, inverse, minus, plus
from sglibrary.code.systems import factored, length_of, solved
from sglibrary.hubs.hub import Hub, Pose, Seen
from sglibrary.hubs.legs import placed
from sglibrary.hubs.scheme import Scheme
from sglibrary.straight.frames import column, turned
from sglibrary.straight.places import FARTHEST, LENGTH, SHARE, SINE
from sglibrary.straight.quaternions import Turn
from sglibrary.straight.texts import conditioning, measured, stored


def step(scheme: Scheme) -> str:
    """Newton's step, its length, and the variables after it."""
    hub = Hub(scheme)
    at, (here, turn) = hub.places, hub.pose(hub.places.x)
    every = [hub.seen(k, here, turn) for k in range(hub.unknowns)]
    found = solved(factored([hub.row(k, x, turn) for k, x in enumerate(every)]), [-x.value for x in every])
    after = hub.advanced(at.x, found)
    return hub.graph.text(
        [*stored(at.step, found), *stored(at.after, after), (length_of(hub.graph, found), f"w {LENGTH}")]
    )


def measures(scheme: Scheme) -> str:
    """What is measured of the Jacobian after Newton's step."""
    hub = Hub(scheme)
    here, turn = hub.pose(hub.places.after)
    matrix = [hub.row(k, hub.seen(k, here, turn), turn) for k in range(hub.unknowns)]
    return hub.graph.text([*measured(hub.graph, hub.places, matrix), (hub.graph.number(0.0), f"w {FARTHEST}")])


def finish(scheme: Scheme) -> str:
    """Newton's step after the last one, with rates and second derivatives, the pose, and the legs."""
    hub = Hub(scheme)
    at, n = hub.places, range(hub.unknowns)
    here, turn = hub.pose(at.after)
    every = [hub.seen(k, here, turn) for k in n]
    factors = factored([hub.row(k, x, turn) for k, x in enumerate(every)])
    found = solved(factors, [-x.value for x in every])
    low = [hub.graph.value("w", at.low + u) for u in n]
    sized = solved(factors, low)
    rates = solved(factors, [_rate(hub, k, every[k]) for k in n])
    spin, zero = _global(hub, turn, rates), hub.graph.number(0.0)
    speed = rates[0], rates[1], zero if hub.dimension == 2 else rates[2]
    gains = solved(factors, [_gain(hub, k, every[k], speed, spin) for k in n])
    gain = gains[0], gains[1], zero if hub.dimension == 2 else gains[2]
    pose = Pose(here, turn, speed, spin, gain, _global(hub, turn, gains))
    legs, reach = placed(hub, pose, every)
    targets = [
        *stored(at.step, found),
        *stored(at.x, hub.advanced(at.after, found)),
        *stored(at.rate, rates),
        *stored(at.gain, gains),
        (length_of(hub.graph, found), f"w {LENGTH}"),
        *_pose(hub, pose),
    ]
    shares = [(conditioning(sized, low, reach), f"w {SHARE}"), (reach, f"w {SINE}")]
    return hub.graph.text(targets, *legs, shares)


def _global(hub: Hub, turn: Turn, x: list[Expr]) -> Vector:
    """An angular velocity, or acceleration, of which the last unknowns are the components in the hub."""
    if hub.dimension == 2:
        return hub.graph.number(0.0), hub.graph.number(0.0), x[2]
    return turned(turn, (x[3], x[4], x[5]))


def _rate(hub: Hub, k: int, seen: Seen) -> Expr:
    """Right-hand side for the rates."""
    right = dot(seen.gradient, hub.given(k, "v")) + hub.goal(k, 1)
    return right if hub.is_distance(k) else right - dot(hub.normal(k, "v"), seen.way)


def _gain(hub: Hub, k: int, seen: Seen, speed: Vector, spin: Vector) -> Expr:
    """Right-hand side for the second derivatives."""
    whirl = cross(spin, seen.arm)
    rate = minus(plus(speed, whirl), hub.given(k, "v"))
    right = dot(seen.gradient, minus(hub.given(k, "a"), cross(spin, whirl))) + hub.goal(k, 2)
    if hub.is_distance(k):
        return fma(-inverse(hub.constant(k, 3)), dot(rate, rate), right)
    tilting, bending = dot(hub.normal(k, "v"), rate), dot(hub.normal(k, "a"), seen.way)
    return right - fma(hub.graph.number(2.0), tilting, bending)


def _pose(hub: Hub, pose: Pose) -> list[tuple[Expr, str]]:
    """Point and directions of the hub, with derivatives, and where they go."""
    zero = (hub.graph.number(0.0),) * 3
    found = hub.put(0, hub.absolute(pose.point(zero)))
    for m in range(3 if hub.dimension == 3 else 1):
        found += hub.put(1 + m, pose.carried(column(pose.turn, m)))
    return found


@lru_cache(maxsize=256)
def texts(scheme: Scheme) -> tuple[str, str, str]:
    """The texts of a hub: `step`, `finish` and `measures`."""
    return step(scheme), finish(scheme), measures(scheme)
