"""Contacts of circles and curves with curves: where they touch along a motion, what they do, and the same coded."""

from __future__ import annotations

from dataclasses import replace
from math import factorial
from typing import NamedTuple

import numpy as np

from groupkin.dynamics.acting.loads import Acting, Coded, Loads
from groupkin.dynamics.bodies.masses import local_point
from groupkin.errors import ForceError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.building import Layout
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.curves import Curve
from groupkin.mechanism.forces.contact import Contact
from groupkin.mechanism.forces.part import SLOW
from groupkin.mechanism.parts import Point
from groupkin.tolerances import COINCIDENT
from sglibrary.array_types import Array, Ints
from sglibrary.convention import of_arrays
from sglibrary.dynamics.contacts import MOST, contacts_along, elastic, push_and_rub
from sglibrary.dynamics.curves import COUNT, HEADER, RADIUS, SIDE, foot
from sglibrary.dynamics.forces import CONTACT

PER_PIECE = 8
"""Points of each piece of a curve by which its size is told."""


class Outlines(NamedTuple):
    """The shapes of a contact.

    Attributes
    ----------
    bodies : (str, str)
        Along the curve of the second one places are looked for, or it has the circle.
    point : (2,) array
        Center of the circle in the axes of the second body, else its origin, m.
    curves : list of (m,) array
        As `sglibrary.dynamics.curves` takes them.
    """

    bodies: tuple[str, str]
    point: Array
    curves: list[Array]


@once_per_program
def outlines(program: Program, load: Contact) -> Outlines:
    """Make the curves of a contact, and tell on which side of each it is free.

    Raises
    ------
    ForceError
        If what touches a curve is on it in the reference configuration, so that its side is not told.
    """
    bodies, shapes = list(load.between), load.shapes
    if len(shapes) == 1:
        center, (curve,) = local_point(program, bodies[1], load.point), (_shape(program, bodies[0], shapes[0]),)
        return Outlines(load.between, center, [_on_side(program, load, curve, center[None], load.side)])
    made = [_shape(program, body, shape) for body, shape in zip(bodies, shapes, strict=True)]
    points, sides = [_nodes(curve)[:, :2] for curve in made], (load.side, "")
    curves = [_on_side(program, load, made[k], points[1 - k], sides[k]) for k in (0, 1)]
    # the second is the smaller one, unless that is a line, which is one piece
    first, second = sorted((0, 1), key=lambda k: (curves[k][COUNT] > 1.0, -curves[k][RADIUS]))
    return Outlines((bodies[first], bodies[second]), np.zeros(2), [curves[first], curves[second]])


def _shape(program: Program, body: str, shape: Curve | tuple[Point, Point]) -> Array:
    """Code a curve or line in the axes of its body, free on its left."""
    if isinstance(shape, Curve):
        spline, ends = shape.spline, shape.breaks
        orders = range(spline.k, -1, -1)
        pieces, closed = np.stack([spline(ends[:-1], k) / factorial(k) for k in orders], axis=1), shape.closed
    else:
        start, end = (local_point(program, body, point) for point in shape)
        length = float(np.linalg.norm(end - start))
        ends, pieces, closed = np.array([0.0, length]), np.stack([(end - start) / length, start])[None], False
    points, tangents = (_on_pieces(ends, pieces, order) for order in (0, 1))
    tangents /= np.linalg.norm(tangents, axis=2, keepdims=True)
    nodes = [np.concatenate([x[:, 0], x[-1:, -1]]) for x in (points, tangents)]
    every = points.reshape(-1, 2)
    middle, longest = 0.5 * (every.min(axis=0) + every.max(axis=0)), np.diff(ends).max()
    radius = np.linalg.norm(every - middle, axis=1).max() + longest / PER_PIECE
    header = [len(pieces), pieces.shape[1], closed, 1.0, *middle, radius, longest, _sag(points, tangents)]
    return np.concatenate([header, ends, np.concatenate(nodes, axis=1).ravel(), pieces.ravel()])


def _on_pieces(ends: Array, pieces: Array, order: int) -> Array:
    """Some points (m, PER_PIECE + 1, 2) of m pieces of a curve, m, or their first derivatives."""
    powers = np.arange(pieces.shape[1] - 1, -1, -1)
    at = np.linspace(0.0, 1.0, PER_PIECE + 1) * np.diff(ends)[:, None]
    factors = at[..., None] ** powers if order == 0 else powers * at[..., None] ** np.maximum(powers - 1, 0)
    return np.einsum("mpw,mwd->mpd", factors, pieces)


def _sag(points: Array, tangents: Array) -> float:
    """How far the points of a piece are at most from the tangents at its ends, with some reserve, m."""
    away = [np.abs(_across(tangents[:, k, None], points - points[:, k, None])).max() for k in (0, -1)]
    return 1.5 * float(max(away))


def _across(way: Array, others: Array) -> Array:
    return np.asarray(way[..., 0] * others[..., 1] - way[..., 1] * others[..., 0])


def _nodes(curve: Array) -> Array:
    """Positions and unit tangents (n, 4) at the ends of the pieces of a coded curve."""
    first, count = HEADER + int(curve[COUNT]) + 1, int(curve[COUNT]) + 1
    return curve[first : first + 4 * count].reshape(count, 4)


def _on_side(program: Program, load: Contact, curve: Array, points: Array, side: str) -> Array:
    """The curve, free on the side that is stated, or on which the farthest of some points (n, 2) is."""
    found = curve.copy()
    if side:
        found[SIDE] = 1.0 if side == "left" else -1.0
        return found
    away = [_sideways(curve, *point) for point in points]
    farthest = max(away, key=abs)
    if abs(farthest) <= COINCIDENT * program.geometry.size:
        raise ForceError(
            f"force {load.name!r}: what touches its curve is on it at the start; say on which `side`, "
            '"left" or "right" of the curve as it runs, it is free'
        )
    found[SIDE] = float(np.sign(farthest))
    return found


def _sideways(curve: Array, x: float, y: float) -> float:
    """How far a point is to the left of the tangent at the nearest point of a curve, m."""
    u, sx, sy, _, _, far, beyond = foot(curve, 0, x, y)
    if not beyond:
        return float(far)
    tangent = _nodes(curve)[0 if u == curve[HEADER] else -1, 2:]
    return float(_across(tangent, np.array([x - sx, y - sy])))


class Touch(NamedTuple):
    """A contact along a motion, at m places at most.

    Attributes
    ----------
    bodies : (str, str)
        The second one is pushed along the ways, the first one against them.
    points : (m, n, 2) array
        The places, m.
    ways : (2 m, 2, n) array
        Unit vectors along which the second body is pushed: at each place the normal, and the tangent to its right.
    rates : (2 m, n) array
        Velocity of the second body on the first along these, m/s.
    amounts : (2 m, n) array
        Forces on the second body along these, N.
    energy : (n,) array
        J.
    gap : (n,) array
        The smallest, negative where they touch, m.
    """

    bodies: tuple[str, str]
    points: Array
    ways: Array
    rates: Array
    amounts: Array
    energy: Array
    gap: Array

    def forces(self, amounts: Array) -> Array:
        """Forces (m, 2, n) of amounts (2 m, n) on the second body at the places, N."""
        along = amounts[:, None] * self.ways
        return along[0::2] + along[1::2]

    @property
    def parts(self) -> tuple[str, ...]:
        """What the amounts are, of a second place on with its number."""
        numbers = ["", *(f" {k}" for k in range(2, len(self.points) + 1))]
        return tuple(f"{name}{number}" for number in numbers for name in ("normal", "tangential"))


def touching(motion: Motion, load: Contact, velocities: bool) -> Touch:
    """Compute a contact along a motion; without velocities it has no damping."""
    bodies, point, curves = outlines(motion.program, load)
    axes, origin = motion.rotation(bodies[0]), motion.point_on(bodies[0], np.zeros(2))
    other, center = motion.rotation(bodies[1]), motion.point_on(bodies[1], point)
    turn = np.einsum("nij,ni->jn", axes, other[:, :, 0])
    pose = np.concatenate([turn, np.einsum("nij,ni->jn", axes, center - origin)])
    places, counts = np.zeros((motion.times.size, MOST + 1, 5)), np.zeros(motion.times.size, np.int64)
    second = -1 if len(curves) == 1 else curves[0].size
    contacts_along(np.concatenate(curves), 0, second, load.radius, pose, places, counts)
    gap, most = places[:, MOST, 4], max(1, int(counts.max(initial=0)))
    alone = counts == 0  # then the nearest place is shown, at which nothing acts
    places[alone, 0] = places[alone, MOST]
    places = places[:, :most]
    places[np.isnan(center[:, 0])] = np.nan
    at, normals = places[:, :, :2], places[:, :, 2:4]
    points = origin[:, None] + np.einsum("nij,nkj->nki", axes, at)
    normal = np.einsum("nij,nkj->nki", axes, normals)
    ways = np.stack([normal, np.stack([normal[..., 1], -normal[..., 0]], axis=-1)], axis=2)
    under = motion.point_on(bodies[0], np.zeros(2), 1)[:, None]
    under = under + np.einsum("nij,nkj->nki", motion.rotation_rate(bodies[0], 1), at)
    arm, spin = points - center[:, None], motion.angular_velocity(bodies[1])[:, None, None]
    over = motion.point_on(bodies[1], point, 1)[:, None] + spin * np.stack([-arm[..., 1], arm[..., 0]], axis=-1)
    rates = (ways * (over - under)[:, :, None]).sum(axis=-1)
    depth = np.maximum(-places[:, :, 4], 0.0)
    numbers = _numbers(load if velocities else replace(load, damping=0.0))
    undamped = of_arrays(elastic)(numbers, depth)
    push, rub = of_arrays(push_and_rub)(numbers, undamped, rates[:, :, 0], rates[:, :, 1])
    stored = (undamped * depth).sum(axis=1) / (load.exponent + 1.0)
    rows = 2 * most
    return Touch(
        bodies,
        points.swapaxes(0, 1),
        ways.reshape(-1, rows, 2).transpose(1, 2, 0),
        rates.reshape(-1, rows).T,
        np.stack([push, rub], axis=2).reshape(-1, rows).T,
        stored,
        gap,
    )


def acting(motion: Motion, load: Contact, velocities: bool) -> Acting:
    """Compute what a contact does along a motion; without velocities it has no damping."""
    touch = touching(motion, load, velocities)
    return Acting(touch.amounts, touch.rates, touch.energy, touch.gap, touch.parts)


def add(loads: Loads, load: Contact, amount: Array) -> None:
    """Add a contact, given its forces (2 m, n)."""
    touch = touching(loads.motion, load, True)
    for point, force in zip(touch.points, touch.forces(amount), strict=True):
        loads.add_between(touch.bodies, point, 0.0, force)


def coded(program: Program, layout: Layout, load: Contact, free: Ints) -> list[Coded]:
    """Code a contact."""
    found = outlines(program, load)
    x, (first, second) = np.array([1.0, 0.0]), found.bodies
    rows = [
        layout.attach(second, found.point, True),
        layout.attach(second, x, False),
        layout.attach(first, np.zeros(2), True),
        layout.attach(first, x, False),
    ]
    return [Coded([CONTACT, *rows], _numbers(load), list(zip((6, 7), found.curves, strict=False)))]


def _numbers(load: Contact) -> list[float]:
    """Constants for `sglibrary.dynamics.contacts`, of a single curve."""
    friction = [load.coefficient, load.speed or SLOW]
    return [load.stiffness, load.exponent, load.damping, load.radius, *friction, 0.0, -1.0]
