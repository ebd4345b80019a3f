"""Curves of disk cams that are computed from the law of a follower, and give it back.

Between two angles of the cam the curve is the polynomial of degree five, by arc length, that has position, tangent and
curvature of the profile at both. The angles are those at which pieces of the law meet, and as many between as it takes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import Count, check_fields
from groupkin.errors import GeometryError
from groupkin.mechanism.cams.followers import Follower, Outline, outline, turn_of_law
from groupkin.mechanism.curves import DEGREE, Curve, Moving
from groupkin.mechanism.laws.laws import Law
from groupkin.mechanism.points import coordinates, direction
from groupkin.showing import brief
from groupkin.tolerances import CAM_CURVE, ROUNDING, SAME_TIME

if TYPE_CHECKING:
    from scipy.interpolate import BSpline

Array = NDArray[np.float64]

POINTS = 720
"""Default number of points of a profile."""

TURN = 2.0 * np.pi
"""Angle of a turn (rad)."""

WIDEST = TURN / 32
"""Widest piece of the curve of a cam (rad)."""

ROUNDS = 12
"""Number of times that pieces of a curve are halved, at most."""

MOST_PIECES = 20_000
"""Number of pieces from which on no more are halved."""

QUARTERS, NODES = 4, 8
"""Parts of a piece whose arc lengths are computed, and nodes of Gauss' rule in each."""

NEAR = ROUNDING * TURN
"""Distance of two angles (rad) that are the same."""


@dataclass(frozen=True)
class CamCurve(Curve):
    """The closed profile of a disk cam, which moves a follower by a law.

    Its `points` are those of the profile at equal angles of the cam. Where the profile is undercut, or the velocity of
    the law jumps, no curve gives the law back, and the spline through the points stands for it.

    Parameters
    ----------
    law : Law
        Lift (m) or swing (rad) of the follower over the angle (rad) of the cam, from 0 through one turn; zero on the
        base circle.
    follower : Follower
    base : float
        Radius of the base circle, m.
    clockwise : bool
        Whether the cam turns clockwise.
    center : (float, float)
        Axis of the cam, global coordinates in the reference configuration, m.
    axis : (float, float)
        Direction of the x axis to which positions of the follower refer.
    mirrored : bool
        Whether the y axis of the follower is to the right of its x axis. The cam is mirrored with it, and turns the
        other way.
    count : int
        Number of points.

    Raises
    ------
    GeometryError
        If the follower does not reach the base circle, or the law is not periodic over one turn.
    """

    points: Sequence[Sequence[float]] = field(init=False, repr=False, compare=False)
    closed: bool = field(init=False, repr=False, default=True)
    law: Law
    follower: Follower
    base: float
    clockwise: bool = False
    center: Sequence[float] = (0.0, 0.0)
    axis: Sequence[float] = (1.0, 0.0)
    mirrored: bool = False
    count: Count = POINTS

    __repr__ = brief

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", ())
        check_fields(self, GeometryError)
        for name in ("center", "axis"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        if not np.abs(coordinates(self.center, 2, "center of a cam")).max() * ROUNDING < self.base:
            raise GeometryError("the center of a cam is so far from the origin that its profile is lost in roundings")
        points = self._placed(self.outline(self.angles, turn_of_law(self.law, self.angles)).profile)
        object.__setattr__(self, "points", points.tolist())
        super().__post_init__()

    @property
    def angles(self) -> Array:
        """Angles (count,) of the cam at its points, rad."""
        return np.linspace(0.0, TURN, self.count, endpoint=False)

    def outline(self, angles: Array, lift: Array | None = None) -> Outline:
        """Compute the outline at angles (n,) of the cam, about the origin, by the law (3, n) there."""
        lift = self.law.at(angles) if lift is None else lift
        return outline(self.follower, self.base, self.clockwise, angles, lift)

    def moved(self, move: Moving) -> CamCurve:
        """Move the cam."""
        x_axis, y_axis = (move.vector(along) for along in (self.axis, self._y_axis))
        mirrored = bool(x_axis[0] * y_axis[1] - x_axis[1] * y_axis[0] < 0.0)
        return replace(self, center=move.point(self.center), axis=x_axis, mirrored=mirrored)

    @property
    def _y_axis(self) -> tuple[float, float]:
        x, y = self.axis
        return (y, -x) if self.mirrored else (-y, x)

    def _placed(self, points: Array) -> Array:
        """Place points (n, 2) that are stated about the origin."""
        axes = [direction(along, 2, "axis of a cam's follower") for along in (self.axis, self._y_axis)]
        return np.asarray(points @ np.array(axes) + np.array(self.center, float))

    @cached_property
    def spline(self) -> BSpline:
        """Coordinates (m) as functions of the arc length (m) from the first point on."""
        from scipy.interpolate import BSpline

        pieces = None if speed_jumps(self.law).size else _refined(self)
        if pieces is None:
            return super().spline
        ends = np.concatenate([[0.0], np.cumsum(pieces.lengths)])
        knots = np.repeat(ends, [DEGREE + 1, *[DEGREE] * (ends.size - 2), DEGREE + 1])
        controls = pieces.controls[:, :-1].reshape(-1, 2)
        return BSpline(knots, self._placed(np.concatenate([controls, controls[:1]])), DEGREE)


class _Pieces(NamedTuple):
    """Polynomials of a curve between successive angles of a cam.

    Attributes
    ----------
    controls : (n, 6, 2) array
        Control points of each polynomial, m, about the origin.
    lengths : (n,) array
        Arc lengths, m.
    error : (n,) array
        Distance from the profile at angles between, m, at most.
    """

    controls: Array
    lengths: Array
    error: Array


def _refined(curve: CamCurve) -> _Pieces | None:
    """Compute the pieces of a curve, as narrow as it takes; None where the profile is undercut."""
    angles = _meetings(curve.law)
    parts = np.ceil(np.diff(angles) / WIDEST).astype(int)
    angles = np.concatenate([*map(partial(np.linspace, endpoint=False), angles[:-1], angles[1:], parts), [TURN]])
    for _ in range(ROUNDS):
        pieces = _pieces(curve, angles)
        if pieces is None:
            return None
        coarse = np.flatnonzero(pieces.error > CAM_CURVE * curve.base)
        if not coarse.size or angles.size > MOST_PIECES:
            break
        angles = np.insert(angles, coarse + 1, 0.5 * (angles[coarse] + angles[coarse + 1]))
    return pieces


def _pieces(curve: CamCurve, angles: Array) -> _Pieces | None:
    """Compute the pieces of a curve between increasing angles (n + 1,); None where the profile is undercut."""
    count, share = angles.size - 1, np.arange(1, QUARTERS) / QUARTERS
    start, width = angles[:-1, None], np.diff(angles)[:, None]
    points, weights = np.polynomial.legendre.leggauss(NODES)
    inside = start + width * ((np.arange(QUARTERS)[:, None] + 0.5 + 0.5 * points) / QUARTERS).ravel()
    speed = curve.outline(inside.ravel()).speed.reshape(count, QUARTERS, NODES)
    lengths = np.cumsum(speed @ weights, axis=1) * width * (0.5 / QUARTERS)

    sides = np.stack([angles[:-1], angles[1:]])
    lift = curve.law.at(sides.ravel())
    lift[2] = curve.law.at(_inside(angles).ravel())[2]  # accelerations of this side, where they jump
    ends = curve.outline(sides.ravel(), lift)
    if not min(speed.min(), ends.speed.min()) > 0.0:
        return None
    at, out = (x.reshape(2, count, 2) for x in (ends.profile, ends.normals))
    along = np.stack([-out[..., 1], out[..., 0]], axis=-1) * (1.0 if curve.clockwise else -1.0)
    bend = -out / ends.curvature_radius.reshape(2, count, 1)
    h = lengths[:, -1:]
    controls = np.stack(
        [
            at[0],
            at[0] + h / 5 * along[0],
            at[0] + 2 * h / 5 * along[0] + h**2 / 20 * bend[0],
            at[1] - 2 * h / 5 * along[1] + h**2 / 20 * bend[1],
            at[1] - h / 5 * along[1],
            at[1],
        ],
        axis=1,
    )

    x = lengths[:, :-1] / h
    shape = np.stack([math.comb(DEGREE, k) * x**k * (1.0 - x) ** (DEGREE - k) for k in range(DEGREE + 1)], axis=-1)
    exact = curve.outline((start + width * share).ravel()).profile.reshape(count, -1, 2)
    error = np.linalg.norm(shape @ controls - exact, axis=-1).max(axis=1)
    return _Pieces(controls, h[:, 0], error)


def speed_jumps(law: Law) -> Array:
    """Find the angles (k,) of a turn, rad, at which the velocity of a law jumps."""
    angles = _meetings(law)
    inside = _inside(angles)
    _, slope, bend = law.at(inside.ravel()).reshape(3, *inside.shape)
    after, before = slope + (np.stack([angles[:-1], angles[1:]]) - inside) * bend
    largest = np.abs(law.at(np.linspace(0.0, TURN, 100))[1]).max()
    return angles[:-1][np.abs(after - np.roll(before, 1)) > SAME_TIME * largest]


def _meetings(law: Law) -> Array:
    """Angles (n,) at which pieces of a law over a turn meet, rad, and both ends of the turn."""
    from sglibrary.laws import PIECES

    ends = np.zeros(0)
    if law.coded is not None and law.coded[0] == PIECES:
        _, (count, _, period), table = law.coded
        ends = table[: int(count) + 1]
        if period > 0.0:
            turns = np.arange(np.floor(-ends[0] / period), np.ceil((TURN - ends[0]) / period))
            most = turns[: MOST_PIECES // ends.size + 1]
            ends = (ends + period * most[:, None]).ravel()
    inside = np.sort(ends[(ends > NEAR) & (ends < TURN - NEAR)])
    apart = np.diff(inside, prepend=0.0) > NEAR
    return np.concatenate([[0.0], inside[apart], [TURN]])


def _inside(angles: Array) -> Array:
    """Angles (2, n) beside the ends of the intervals between angles (n + 1,), inside of them."""
    aside = np.minimum(2.0 * NEAR, 0.25 * np.diff(angles))
    return np.stack([angles[:-1] + aside, angles[1:] - aside])
