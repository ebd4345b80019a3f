"""Curves of configurations, followed by their length, and where the driver turns back or curves cross.

The n unknowns, among them the driver's value, meet equations whose Jacobian has rank n - 1 on a curve; its null vector
is the tangent. A step goes along the tangent and its change, and least squares lead back to the curve (Allgower and
Georg 1990, chapters 6 and 9). Where the tangent has no component along the driver, the driver turns back; where the
rank is lower still, curves cross.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from groupkin.kinematics.limits.released import Released
from groupkin.tolerances import (
    CLOSED_CURVE,
    CROSSED,
    CURVE_ROUNDING,
    ROOT_PLACE,
    ROUNDING,
    SAME_POSE,
    SHORTEST_CURVE_STEP,
    STILL,
)
from sglibrary.array_types import Array

LONGEST = 0.05
"""Longest step along a curve, in unit vectors, sizes of the mechanism and rad."""

BENT = 0.2
"""Largest angle, rad, between the tangents at both ends of a step."""

MISSED = 0.05
"""Largest distance of a step's end from where it was predicted, as a share of the step."""

NEAR = 0.3
"""Longest step, as a share of the least singular value, which changes at a rate of 1 to 3 at most as the unknowns do:
so that no step leads across the gap between two curves that pass each other closely."""

MOST_STEPS, TOLD = 20_000, 100
"""Steps along a curve, and those after which it is told that it goes on."""

FARTHEST = 100.0
"""Sizes of the mechanism or rad, 16 turns, that a driver may go from the start of a curve without returning."""

NODES, WINDOW = 12, 0.1
"""Points through which a curve is interpolated at a crossing, and how far on both sides they are."""


@dataclass(frozen=True, eq=False)
class Point:
    """A configuration on a curve.

    Attributes
    ----------
    z : (n,) array
    tangent : (n,) array
        Of length 1, in the direction in which the curve is followed.
    values : (n - 1,) array
        Singular values of the Jacobian, the largest first, without the one that is zero on a curve.
    """

    z: Array
    tangent: Array
    values: Array


@dataclass(frozen=True, eq=False)
class Event:
    """Where a curve comes to a limit: at a point, after `after` of the points that were followed.

    `kind` is "turn", "change", or at an end of the curve "range", "far" or "lost".
    """

    kind: str
    after: int
    z: Array


@dataclass(eq=False)
class Curve:
    """A curve of configurations, as points that were followed; `turns` is how often a closed one turns the driver."""

    released: Released
    points: list[Point]
    events: list[Event] = field(default_factory=list)
    closed: bool = False
    turns: int = 0


def point(released: Released, z: Array, along: Array) -> Point:
    """Compute the tangent at a configuration on a curve, in a direction.

    Next to a crossing, where it would be inexact, it is the part of the direction that all curves there span.
    """
    _, jacobian = released.linearized(z)
    _, values, right = np.linalg.svd(jacobian)
    values = np.concatenate([values, np.zeros(max(0, z.size - values.size))])
    null = right[min(z.size - 1, int((values >= CROSSED).sum())) :]
    tangent = null.T @ (null @ along)
    return Point(z, tangent / np.linalg.norm(tangent), values[:-1])


def corrected(released: Released, guess: Array, normal: Array) -> Array | None:
    """Find the configuration in the plane through a guess with a normal; None if least squares do not converge."""
    from scipy.linalg import lstsq

    z, before = guess, np.inf
    for _ in range(10):
        residual, jacobian = released.linearized(z)
        rows = np.vstack([jacobian, normal])
        step = lstsq(rows, np.append(residual, normal @ (z - guess)), cond=0.1 * CROSSED, lapack_driver="gelsy")[0]
        z, length = z - step, float(np.abs(step).max())
        if not length < 1.0:
            return None
        if length < CURVE_ROUNDING or (length < CLOSED_CURVE and length > 0.1 * before):  # only roundings are left
            return z if np.abs(released.linearized(z)[0]).max() < CLOSED_CURVE else None
        before = length
    return None


def follow(released: Released, start: Point, low: float, high: float, tell: Callable[[], None] | None = None) -> Curve:
    """Follow the curve through a point both ways: until it closes, or the driver leaves a range (rad, or sizes).

    On the way it tells from time to time that it goes on.
    """
    curve = _half(released, start, low, high, tell)
    other = Point(start.z, -start.tangent, start.values)
    back = curve if curve.closed else _half(released, other, low, high, tell)
    if back.closed:  # it may do so on the one side on which the range is wide enough
        curve = back
    else:
        count = len(back.points)
        curve.points = [Point(p.z, -p.tangent, p.values) for p in back.points[:0:-1]] + curve.points
        curve.events = [Event(each.kind, each.after + count - 1, each.z) for each in curve.events]
        curve.events += [Event(each.kind, count - 2 - each.after, each.z) for each in back.events]
    curve.events += _crossings(curve)
    curve.events.sort(key=lambda event: event.after)
    return curve


def _half(released: Released, start: Point, low: float, high: float, tell: Callable[[], None] | None) -> Curve:
    """Follow a curve from a point in the direction of its tangent."""
    curve, here, step, home = Curve(released, [start]), start, LONGEST / 4, _home(released, start)
    for number in range(1, MOST_STEPS + 1):
        if tell is not None and number % TOLD == 0:
            tell()
        step = min(step, LONGEST, max(NEAR * here.values[-1], CROSSED))
        there, length = _next(released, curve.points, step)
        if there is None:
            break
        end = home(here, there)
        if end is not None:
            curve.closed, curve.turns = True, round((end[-1] - start.z[-1]) / (2 * np.pi)) if released.whole else 0
            there = Point(end, start.tangent, start.values)
        bound = low if there.z[-1] < low else high if there.z[-1] > high else None
        if bound is not None and not curve.closed:
            end = _at_value(released, here, there, bound)
            curve.events.append(Event("range", len(curve.points) - 1, end))
            curve.points.append(Point(end, there.tangent, there.values))
            return curve
        curve.points.append(there)
        _turned(curve)
        if curve.closed:
            return curve
        if abs(there.z[-1] - start.z[-1]) > FARTHEST:
            curve.events.append(Event("far", len(curve.points) - 1, there.z))
            return curve
        here, step = there, 1.5 * length
    curve.events.append(Event("lost", len(curve.points) - 1, here.z))
    return curve


def _next(released: Released, points: list[Point], step: float) -> tuple[Point | None, float]:
    """Go one step from the last of some points; the point reached, None if there is none, and the step's length."""
    here = points[-1]
    bend = np.zeros(here.z.size)
    if len(points) > 1:
        length = float(np.linalg.norm(here.z - points[-2].z))
        bend = (here.tangent - points[-2].tangent) / max(length, SHORTEST_CURVE_STEP)
    while step >= SHORTEST_CURVE_STEP:
        guess = here.z + step * here.tangent + 0.5 * step**2 * bend
        z = corrected(released, guess, here.tangent)
        if z is not None and np.linalg.norm(z - guess) < MISSED * step:
            there = point(released, z, here.tangent)
            cosine = float(here.tangent @ there.tangent)
            if cosine > np.cos(BENT) and not _turns_twice(here, there):
                return there, step if cosine > np.cos(BENT / 2) else step / 1.5
        step /= 2
    return None, step


def _turns_twice(here: Point, there: Point) -> bool:
    """Tell whether the cubic between two points turns the driver back and forth between them."""
    length, first, last = np.linalg.norm(there.z - here.z), here.tangent[-1], there.tangent[-1]
    mean = (there.z[-1] - here.z[-1]) / length
    if first * last <= 0.0:
        return False
    # the slope of the cubic is a parabola with these ends and this mean; its middle is the least where it dips
    middle = 1.5 * mean - 0.25 * (first + last)
    return bool(middle * first < 0.0)


def _home(released: Released, start: Point) -> Callable[[Point, Point], Array | None]:
    """Make a function that tells where a step passes the pose of the start again; None where it does not."""
    home, linear = released.pose(start.z), released.placing[released.determined, 1:]
    normal = np.append((linear @ start.tangent[:-1]) @ linear, 0.0)
    size = float(np.linalg.norm(normal))
    if size < SAME_POSE:  # nothing but the driver moves
        return lambda here, there: None
    normal /= size
    constant = float(normal @ start.z)

    def passed(here: Point, there: Point) -> Array | None:
        before, after = (float(normal @ p.z) - constant for p in (here, there))
        far = np.abs(released.pose(there.z) - home).max()
        if not (before < 0.0 <= after + ROUNDING and far < 2 * LONGEST):
            return None
        guess = here.z + (there.z - here.z) * before / (before - after)
        guess += (constant - normal @ guess) * normal
        end = corrected(released, guess, normal)
        if end is None or np.abs(released.pose(end) - home).max() > SAME_POSE:
            return None
        way = (end[-1] - start.z[-1]) / (2 * np.pi if released.whole else 1.0)
        return end if abs(way - (round(way) if released.whole else 0)) < SAME_POSE else None

    return passed


def _at_value(released: Released, here: Point, there: Point, value: float) -> Array:
    """Find the configuration between two points at which the driver has a value."""
    share = (value - here.z[-1]) / (there.z[-1] - here.z[-1])
    guess = here.z + share * (there.z - here.z)
    guess[-1] = value
    found = corrected(released, guess, np.eye(guess.size)[-1])
    return guess if found is None else np.append(found[:-1], value)


# --- where the driver turns back, and where curves cross ---------------------------------------


def _turned(curve: Curve) -> None:
    """Add where the driver turns back between the last point and the last one before at which it moved."""
    from scipy.optimize import brentq

    last = len(curve.points) - 1
    there = curve.points[last]
    first = next((k for k in range(last - 1, -1, -1) if abs(curve.points[k].tangent[-1]) > STILL), None)
    if first is None or abs(there.tangent[-1]) <= STILL:
        return
    here = curve.points[first]
    if here.tangent[-1] * there.tangent[-1] > 0.0:
        return
    found: dict[float, Point] = {}

    def component(way: float) -> float:
        guess = here.z + way * here.tangent
        z = corrected(curve.released, guess, here.tangent)
        found[way] = point(curve.released, guess if z is None else z, here.tangent)
        return float(found[way].tangent[-1])

    way = brentq(component, 0.0, float(here.tangent @ (there.z - here.z)), xtol=ROOT_PLACE)
    component(way)
    curve.events.append(Event("turn", first, found[way].z))


def _crossings(curve: Curve) -> list[Event]:
    """List where the curve crosses another: where the least singular value goes down to zero and up again."""
    least = np.array([p.values[-1] for p in curve.points])
    small = np.flatnonzero(least < 3 * CROSSED)
    runs = np.split(small, np.flatnonzero(np.diff(small) > 1) + 1) if small.size else []
    return [_crossing(curve, int(run[least[run].argmin()])) for run in runs]


def _crossing(curve: Curve, center: int) -> Event:
    """Locate a crossing next to a point: the singular values that vanish there, with a sign, are a smooth function.

    Next to it least squares are inexact, so the curve is interpolated between points on both sides.
    """
    from scipy.interpolate import BarycentricInterpolator
    from scipy.optimize import brentq

    middle, (around, shift) = curve.points[center], _around(curve)
    center += shift
    ways = np.array([middle.tangent @ (z - middle.z) for z in around])
    rise = np.diff(ways) > 0.0  # as long as the curve goes on forward
    first = next((k + 1 for k in range(center - 1, -1, -1) if not rise[k] or ways[k + 1] < -WINDOW), 0)
    last = next((k for k in range(center, len(rise)) if not rise[k] or ways[k] > WINDOW), len(rise))
    reach = min(WINDOW, 0.5 * min(-ways[first], ways[last]))
    count = int((middle.values < 1e2 * CROSSED).sum())
    nodes = reach * np.cos(np.pi * (np.arange(NODES) + 0.5) / NODES)
    found, signed = [], []
    for way in nodes:
        guess = np.array([np.interp(way, ways[first : last + 1], column) for column in around[first : last + 1].T])
        z = corrected(curve.released, guess, middle.tangent)
        here = point(curve.released, guess if z is None else z, middle.tangent)
        found.append(here.z)
        signed.append(np.sign(way) * np.exp(np.log(here.values[-count:]).mean()))
    value, place = BarycentricInterpolator(nodes, signed), BarycentricInterpolator(nodes, np.array(found))
    way = float(brentq(value, -reach / 2, reach / 2, xtol=CURVE_ROUNDING))
    return Event("change", center - shift - (way < 0.0), np.asarray(place(way)))


def _around(curve: Curve) -> tuple[Array, int]:
    """List the points of a curve (k, n), a closed one three times; and the number of the first of the second time."""
    z = np.array([p.z for p in curve.points])
    if not curve.closed:
        return z, 0
    round_trip = z[-1] - z[0]
    return np.concatenate([z[:-1] - round_trip, z, z[1:] + round_trip]), len(z) - 1
