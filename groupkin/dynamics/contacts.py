"""Contacts of circles with curves along a motion: where they touch, how deep, and how fast they slide."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import factorial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.masses import local_point
from groupkin.errors import ForceError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.curves import Curve
from groupkin.mechanism.forces import SLOW, Contact

if TYPE_CHECKING:
    from scipy.interpolate import PPoly
    from scipy.spatial import KDTree

Array = NDArray[np.float64]

ITERATIONS = 20
"""Of Newton's method for the nearest point of a curve; it starts within a piece of it."""

ON = 1e-9
"""Distance from a curve, in sizes of the mechanism, at which the side of it is not told."""


@dataclass(frozen=True, eq=False)
class Outline:
    """A curve in the axes of its body, as pieces of polynomials of a parameter.

    Attributes
    ----------
    ends : (m + 1,) array
        Of the pieces.
    coefficients : (m, w, 2) array
        Of the pieces in falling powers of the parameter since the piece began, m.
    closed : bool
    side : float
        1 if what touches it is free on its left as it runs, else -1.
    """

    ends: Array
    coefficients: Array
    closed: bool
    side: float = 1.0

    @cached_property
    def pieces(self) -> PPoly:
        from scipy.interpolate import PPoly

        return PPoly(np.swapaxes(self.coefficients, 0, 1), self.ends)

    @cached_property
    def derivatives(self) -> tuple[PPoly, PPoly]:
        return self.pieces.derivative(), self.pieces.derivative(2)

    @cached_property
    def nodes(self) -> KDTree:
        from scipy.spatial import KDTree

        return KDTree(self.pieces(self.ends))

    def nearest(self, points: Array) -> tuple[Array, Array, Array]:
        """Find the nearest points of the curve.

        Parameters
        ----------
        points : (n, 2) array
            m.

        Returns
        -------
        (n, 2) array
            They, m.
        (n, 2) array
            Unit normals to the side that is free; at an end of the curve toward the given points.
        (n,) array
            How far the given points are from there along these, m.
        """
        known = np.asarray(np.isfinite(points).all(axis=1))
        at = np.where(known[:, None], points, 0.0)
        k = self.nodes.query(at)[1]
        lengths = np.diff(self.ends)
        before, after = np.append(lengths[-1] * self.closed, lengths), np.append(lengths, lengths[0] * self.closed)
        u, low, high = self.ends[k], self.ends[k] - before[k], self.ends[k] + after[k]
        for _ in range(ITERATIONS):
            there, slope, bend = (curve(self._inside(u)) for curve in (self.pieces, *self.derivatives))
            square = (slope * slope).sum(axis=1)
            falling = square + ((there - at) * bend).sum(axis=1)
            step = ((there - at) * slope).sum(axis=1) / np.where(falling > 0.1 * square, falling, square)
            u = np.clip(u - step, low, high)
        there, slope = self.pieces(self._inside(u)), self.derivatives[0](self._inside(u))
        normal = self.side * np.stack([-slope[:, 1], slope[:, 0]], axis=1) / np.linalg.norm(slope, axis=1)[:, None]
        away = at - there
        far = np.linalg.norm(away, axis=1)
        if not self.closed:
            beyond = ((u <= self.ends[0]) | (u >= self.ends[-1])) & (far > 0.0)
            normal = np.where(beyond[:, None], away / np.where(far, far, 1.0)[:, None], normal)
        distance = np.where(known, (normal * away).sum(axis=1), np.nan)
        return there, normal, distance

    def _inside(self, u: Array) -> Array:
        first, last = self.ends[0], self.ends[-1]
        return first + np.mod(u - first, last - first) if self.closed else u


@lru_cache(maxsize=64)
def outline(program: Program, load: Contact) -> Outline:
    """Make the curve of a contact, and tell on which side of it the circle is free.

    Raises
    ------
    ForceError
        If the circle's center is on the curve in the reference configuration, so that its side is not told.
    """
    body, other = load.between
    if load.line is not None:
        start, end = (local_point(program, body, point) for point in load.line)
        length = float(np.linalg.norm(end - start))
        found = Outline(np.array([0.0, length]), np.stack([(end - start) / length, start])[None], False)
    else:
        assert load.curve is not None
        found = _of_curve(load.curve)
    if load.side:
        side = 1.0 if load.side == "left" else -1.0
    else:
        side = float(found.nearest(local_point(program, other, load.point)[None])[2][0])
        if abs(side) <= ON * program.geometry.size:
            raise ForceError(
                f"force {load.name!r}: the center of its circle is on the curve at the start; say on which `side`, "
                '"left" or "right" of the curve as it runs, it is free'
            )
    return Outline(found.ends, found.coefficients, found.closed, float(np.sign(side)))


def _of_curve(curve: Curve) -> Outline:
    """Take a spline as polynomials between its knots."""
    spline = curve.spline
    first, last = spline.t[spline.k], spline.t[-spline.k - 1]
    ends = np.unique(spline.t[(spline.t >= first) & (spline.t <= last)])
    orders = range(spline.k, -1, -1)
    return Outline(ends, np.stack([spline(ends[:-1], k) / factorial(k) for k in orders], axis=1), curve.closed)


class Touch(NamedTuple):
    """A contact along a motion.

    Attributes
    ----------
    point : (n, 2) array
        Of the curve, m.
    ways : (2, 2, n) array
        Unit vectors along which the second body is pushed: the normal, and the tangent to its right.
    rates : (2, n) array
        Velocity of the second body on the first along these, m/s.
    amounts : (2, n) array
        Forces on the second body along these, N.
    energy : (n,) array
        J.
    gap : (n,) array
        Negative where they touch, m.
    """

    point: Array
    ways: Array
    rates: Array
    amounts: Array
    energy: Array
    gap: Array


def touching(motion: Motion, load: Contact, velocities: bool) -> Touch:
    """Compute a contact along a motion; without velocities it has no damping."""
    found, (body, other) = outline(motion.program, load), load.between
    axes, origin = motion.rotation(body), motion.point_on(body, np.zeros(2))
    center, moving = (motion.point_on(other, local_point(motion.program, other, load.point), k) for k in (0, 1))
    at, normal, distance = found.nearest(np.einsum("nij,ni->nj", axes, center - origin))
    point, normal = origin + np.einsum("nij,nj->ni", axes, at), np.einsum("nij,nj->ni", axes, normal).T
    ways = np.stack([normal, np.stack([normal[1], -normal[0]])])
    under = motion.point_on(body, np.zeros(2), 1) + np.einsum("nij,nj->ni", motion.rotation_rate(body, 1), at)
    arm, spin = point - center, motion.angular_velocity(other)[:, None]
    over = moving + spin * np.stack([-arm[:, 1], arm[:, 0]], axis=1)
    rates = (ways * (over - under).T).sum(axis=1)
    gap = distance - load.radius
    depth = np.maximum(-gap, 0.0)
    elastic = load.stiffness * depth**load.exponent
    damped = 1.0 - (load.damping * rates[0] if velocities else 0.0)
    push = elastic * np.maximum(damped, 0.0)
    rub = -load.coefficient * push * rates[1] / np.hypot(rates[1], load.speed or SLOW)
    return Touch(point, ways, rates, np.stack([push, rub]), elastic * depth / (load.exponent + 1.0), gap)
