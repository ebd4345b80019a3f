"""Contact of a curve on one body with a point, a roller, a flat face or a curve on another: the pair L.

The tangent frame at a place u of the curve c has its origin at c(u) and its x axis along the tangent. In it the center
of a roller stays at (0, ρ), with ρ the radius to the left of the curve and negative to the right, a flat face keeps the
direction of x, and a second curve has the same origin and tangent, or the opposite one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import GeometryError
from groupkin.mechanism.curves import Curve
from groupkin.mechanism.mechanism import Joint
from groupkin.mechanism.points import direction

Array = NDArray[np.float64]

PER_PIECE, TOGETHER = 12, 500
"""Samples per piece of a curve, from the best of which a contact is refined; placements that are compared at a time."""


@dataclass(frozen=True)
class Flank:
    """A curve in coordinates of its joint frame, whose origin is at `origin` (2,), m."""

    curve: Curve
    origin: Array

    @property
    def length(self) -> float:
        return float(self.breaks[-1])

    @cached_property
    def breaks(self) -> Array:
        """Arc lengths (pieces + 1,) at which the pieces of the spline meet, m."""
        k = self.curve.spline.k
        return np.array(self.curve.spline.t[k:-k])

    @cached_property
    def samples(self) -> Array:
        parts = self.breaks[:-1, None] + np.diff(self.breaks)[:, None] * np.arange(PER_PIECE) / PER_PIECE
        return np.append(parts, [] if self.curve.closed else self.length)

    def at(self, u: Array, order: int = 0) -> Array:
        """Points (..., 2) of the curve, or their derivatives by the arc length."""
        u = np.mod(u, self.length) if self.curve.closed else np.asarray(u)
        return np.asarray(self.curve.spline(u, order)) - (self.origin if order == 0 else 0.0)

    def tangent(self, u: Array) -> Array:
        """Unit tangents (..., 2)."""
        along = self.at(u, 1)
        return np.asarray(along / np.linalg.norm(along, axis=-1, keepdims=True))

    def kept(self, u: Array) -> Array:
        """Places within the curve: modulo its length if it is closed."""
        return np.mod(u, self.length) if self.curve.closed else np.clip(u, 0.0, self.length)

    def stepped(self, u: Array, step: Array) -> Array:
        """Places after a step, which may not be much longer than the distance of samples."""
        most = 2.0 * self.length / self.samples.size
        return self.kept(u + np.clip(np.where(np.isfinite(step), step, 0.0), -most, most))


@dataclass(frozen=True)
class Contact:
    """What touches the curve of the first body: `follower` is "" (a point or roller), "face" or "curve".

    `offset` is the radius of the roller, m, positive to the left of the curve; `opposed` says whether the tangents of
    two curves are opposite.
    """

    follower: str
    flanks: tuple[Flank, ...]
    offset: float = 0.0
    opposed: bool = False

    def periods(self) -> tuple[float | None, float | None]:
        """What the two coordinates are counted modulo: rad or m, None where they are not."""
        lengths = [flank.length if flank.curve.closed else None for flank in self.flanks]
        return lengths[0], {"": 2 * np.pi, "face": None}.get(self.follower, lengths[-1])

    def placement(self, values: Array) -> tuple[Array, Array]:
        """Rotation (..., 2, 2) and shift (..., 2) of the second frame in the first at coordinates (2, ...)."""
        first, t = self.flanks[0].at(values[0]), self.flanks[0].tangent(values[0])
        if self.follower == "face":
            return _columns(t), first + np.asarray(values[1])[..., None] * t
        if self.follower == "curve":
            other = self.flanks[1].tangent(values[1]) * (-1.0 if self.opposed else 1.0)
            rotation = _columns(t) @ np.swapaxes(_columns(other), -1, -2)
            return rotation, first - np.einsum("...ij,...j->...i", rotation, self.flanks[1].at(values[1]))
        c, s = np.cos(values[1]), np.sin(values[1])
        return _columns(t) @ _columns(np.stack([c, s], axis=-1)), first + self.offset * _left(t)

    def coordinates(self, rotation: Array, shift: Array) -> Array:
        """Coordinates (2, ...) that come nearest to a rotation (..., 2, 2) and shift (..., 2); NaN where these are."""
        rotations, shifts = rotation.reshape(-1, 2, 2), shift.reshape(-1, 2)
        out = np.full((2, len(shifts)), np.nan)
        good = np.isfinite(shifts).all(axis=1) & np.isfinite(rotations).all(axis=(1, 2))
        if good.any():
            find = {"face": self._on_face, "curve": self._on_curve}.get(self.follower, self._on_roller)
            out[:, good] = find(rotations[good], shifts[good])
        return out.reshape(2, *shift.shape[:-1])

    def _on_roller(self, rotation: Array, center: Array) -> Array:
        from scipy.spatial import cKDTree

        flank = self.flanks[0]
        centers = flank.at(flank.samples) + self.offset * _left(flank.tangent(flank.samples))
        u = flank.samples[cKDTree(centers).query(center)[1]]
        for _ in range(20):
            gap, along = flank.at(u) - center, flank.at(u, 1)
            slope = (along * along).sum(-1) + (gap * flank.at(u, 2)).sum(-1)
            u = flank.stepped(u, -(gap * along).sum(-1) / slope)
        t, x = flank.tangent(u), rotation[:, :, 0]
        return np.array([u, np.arctan2(_cross(t, x), (t * x).sum(-1))])

    def _on_face(self, rotation: Array, place: Array) -> Array:
        flank, x, y = self.flanks[0], rotation[:, :, 0], rotation[:, :, 1]
        points, tangents = flank.at(flank.samples), flank.tangent(flank.samples)
        u = np.empty(len(place))
        for first in range(0, len(place), TOGETHER):
            part = slice(first, first + TOGETHER)
            height = y[part] @ points.T - (y[part] * place[part]).sum(-1)[:, None]
            miss = np.arctan2(y[part] @ tangents.T, x[part] @ tangents.T) * flank.length / (2 * np.pi)
            u[part] = flank.samples[np.argmin(height**2 + miss**2, axis=1)]
        for _ in range(20):
            u = flank.stepped(u, -(flank.at(u, 1) * y).sum(-1) / (flank.at(u, 2) * y).sum(-1))
        return np.array([u, ((place - flank.at(u)) * flank.tangent(u)).sum(-1)])

    def _on_curve(self, rotation: Array, shift: Array) -> Array:
        from scipy.spatial import cKDTree

        one, two = self.flanks
        sign, unit = -1.0 if self.opposed else 1.0, one.length / (2 * np.pi)
        tree = cKDTree(np.concatenate([one.at(one.samples), unit * one.tangent(one.samples)], axis=1))
        points, tangents = two.at(two.samples), sign * unit * two.tangent(two.samples)
        u, w = np.empty(len(shift)), np.empty(len(shift))
        for k, (turn, move) in enumerate(zip(rotation, shift, strict=True)):
            distance, nearest = tree.query(np.concatenate([move + points @ turn.T, tangents @ turn.T], axis=1))
            best = int(distance.argmin())
            u[k], w[k] = one.samples[nearest[best]], two.samples[best]

        def turned(order: int) -> Array:
            return np.asarray(np.einsum("nij,nj->ni", rotation, two.at(w, order)))

        for _ in range(20):
            gap, d1, dd1 = one.at(u) - shift - turned(0), one.at(u, 1), one.at(u, 2)
            d2, dd2 = turned(1), turned(2)
            f, g = (gap * d1).sum(-1), _cross(d1, d2)
            fu, fw = (d1 * d1).sum(-1) + (gap * dd1).sum(-1), -(d1 * d2).sum(-1)
            gu, gw = _cross(dd1, d2), _cross(d1, dd2)
            determinant = fu * gw - fw * gu
            u = one.stepped(u, (fw * g - gw * f) / determinant)
            w = two.stepped(w, (gu * f - fu * g) / determinant)
        return np.array([u, w])


def touching(joint: Joint, point: Array) -> tuple[Contact, Array, Array]:
    """Contact of a joint in the reference configuration: with its place (2,) there, m, and its tangent frame (2, 2).

    Parameters
    ----------
    point : (2,) array
        The point of the joint on its second body, m.
    """
    curves = joint.curves if joint.curves is not None else (joint.curve,)
    found = tuple(Flank(curve, np.zeros(2)) for curve in curves if curve is not None)
    options = [Contact(joint.follower, found, opposed=opposed) for opposed in (False, True)]
    if joint.follower == "face":
        assert joint.axis is not None
        y = direction(joint.axis, 2, f"axis of joint {joint.name!r}")
        turns = [np.array([[y[1], y[0]], [-y[0], y[1]]]) * sign for sign in (1.0, -1.0)]
        values = [options[0].coordinates(turn, point)[0] for turn in turns]
        misses = [abs(float(y @ (found[0].at(u) - point))) for u in values]
        u = values[int(np.argmin(misses))]
        contact = options[0]
    elif joint.follower == "curve":
        starts = [option.coordinates(np.eye(2), np.zeros(2)) for option in options]
        misses = [float(np.linalg.norm(found[0].at(u) - found[1].at(w))) for u, w in starts]
        contact, u = options[int(np.argmin(misses))], starts[int(np.argmin(misses))][0]
    else:
        u = options[0].coordinates(np.eye(2), point)[0]
        left = float(_left(found[0].tangent(u)) @ (point - found[0].at(u)))
        contact = Contact("", found, float(np.copysign(joint.radius or 0.0, left)))
    place, tangents = found[0].at(u), _columns(found[0].tangent(u))
    if not np.isfinite(place).all():
        raise GeometryError(f"joint {joint.name!r}: no contact is found in the reference configuration")
    flanks = tuple(Flank(flank.curve, place) for flank in found)
    return Contact(contact.follower, flanks, contact.offset, contact.opposed), place, tangents


def _left(t: Array) -> Array:
    """Vectors (..., 2) turned by a right angle to the left."""
    return np.stack([-t[..., 1], t[..., 0]], axis=-1)


def _columns(t: Array) -> Array:
    """Rotations (..., 2, 2) whose first columns are unit vectors (..., 2)."""
    return np.stack([t, _left(t)], axis=-1)


def _cross(a: Array, b: Array) -> Array:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])
