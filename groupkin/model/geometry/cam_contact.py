"""Contact of a curve on one body with a point, a roller, a flat face or a curve on another: the pair L.

The tangent frame at arc length u of the curve c has its origin at c(u) and its x axis along the tangent. In this frame
the center of a roller stays at (0, ρ), where ρ is its radius, negative to the right of the curve; a flat face keeps the
direction of x; a second curve has the same origin, and the same or the opposite tangent.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from groupkin.errors import GeometryError
from groupkin.mechanism.curves import Curve
from groupkin.mechanism.mechanism import Joint
from groupkin.mechanism.points import direction
from sglibrary.array_types import Array

PER_PIECE, TOGETHER = 12, 500
"""Samples per piece of a curve, the best of which starts the iteration for a contact; placements compared at a time."""


@dataclass(frozen=True)
class Flank:
    """A curve in coordinates of its joint frame, which is the body's moved to `origin` (2,), m."""

    curve: Curve
    origin: Array

    @property
    def length(self) -> float:
        return float(self.breaks[-1])

    @property
    def breaks(self) -> Array:
        """Arc lengths (pieces + 1,) at which the pieces of the spline meet, m."""
        return self.curve.breaks

    @cached_property
    def samples(self) -> Array:
        parts = self.breaks[:-1, None] + np.diff(self.breaks)[:, None] * np.arange(PER_PIECE) / PER_PIECE
        return np.append(parts, [] if self.curve.closed else self.length)

    def at(self, u: Array, order: int = 0) -> Array:
        """Compute points (..., 2) of the curve at arc lengths u (...), m, or derivatives of that order."""
        u = np.mod(u, self.length) if self.curve.closed else np.asarray(u)
        return np.asarray(self.curve.spline(u, order)) - (self.origin if order == 0 else 0.0)

    def tangent(self, u: Array) -> Array:
        """Compute unit tangents (..., 2)."""
        along = self.at(u, 1)
        return np.asarray(along / np.linalg.norm(along, axis=-1, keepdims=True))

    def kept(self, u: Array) -> Array:
        """Bring arc lengths into the curve, modulo its length if it is closed."""
        return np.mod(u, self.length) if self.curve.closed else np.clip(u, 0.0, self.length)

    def stepped(self, u: Array, step: Array) -> Array:
        """Step along the curve, at most two samples far."""
        most = 2.0 * self.length / self.samples.size
        return self.kept(u + np.clip(np.where(np.isfinite(step), step, 0.0), -most, most))


@dataclass(frozen=True)
class Contact:
    """The curve of a cam's first body, and what touches it.

    Attributes
    ----------
    follower : str
        "" for a point or roller, "face" or "curve".
    flanks : tuple of Flank
        The curve, and the second one for a "curve".
    offset : float
        Radius of the roller, m, positive to the left of the curve.
    opposed : bool
        The tangents of the two curves are opposite.
    """

    follower: str
    flanks: tuple[Flank, ...]
    offset: float = 0.0
    opposed: bool = False

    def periods(self) -> tuple[float | None, float | None]:
        """Return the periods of the two coordinates, rad or m; None where there is none."""
        lengths = [flank.length if flank.curve.closed else None for flank in self.flanks]
        return lengths[0], {"": 2 * np.pi, "face": None}.get(self.follower, lengths[-1])

    def placement(self, values: Array) -> tuple[Array, Array]:
        """Place the second frame in the first, by coordinates (2, ...): rotation (..., 2, 2) and shift (..., 2), m."""
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
        """Find the coordinates (2, ...) nearest to a rotation (..., 2, 2) and shift (..., 2), m; NaN stays NaN."""
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

    def _on_face(self, rotation: Array, shift: Array) -> Array:
        flank, x, y = self.flanks[0], rotation[:, :, 0], rotation[:, :, 1]
        points, tangents = flank.at(flank.samples), flank.tangent(flank.samples)
        u = np.empty(len(shift))
        for first in range(0, len(shift), TOGETHER):
            part = slice(first, first + TOGETHER)
            height = y[part] @ points.T - (y[part] * shift[part]).sum(-1)[:, None]
            miss = np.arctan2(y[part] @ tangents.T, x[part] @ tangents.T) * flank.length / (2 * np.pi)
            u[part] = flank.samples[np.argmin(height**2 + miss**2, axis=1)]
        for _ in range(20):
            u = flank.stepped(u, -(flank.at(u, 1) * y).sum(-1) / (flank.at(u, 2) * y).sum(-1))
        return np.array([u, ((shift - flank.at(u)) * flank.tangent(u)).sum(-1)])

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
    """Find the contact of a cam in the reference configuration.

    Parameters
    ----------
    joint : Joint
    point : (2,) array
        The point of the joint on its second body, m.

    Returns
    -------
    Contact
    (2,) array
        Where it is, m.
    (2, 2) array
        The tangent frame there; columns are its axes.
    """
    curves = joint.curves if joint.curves is not None else (joint.curve,)
    stated = tuple(Flank(curve, np.zeros(2)) for curve in curves if curve is not None)
    options = [Contact(joint.follower, stated, opposed=opposed) for opposed in (False, True)]
    if joint.follower == "face":
        assert joint.axis is not None
        y = direction(joint.axis, 2, f"axis of joint {joint.name!r}")
        turns = [np.array([[y[1], y[0]], [-y[0], y[1]]]) * sign for sign in (1.0, -1.0)]
        values = [options[0].coordinates(turn, point)[0] for turn in turns]
        misses = [abs(float(y @ (stated[0].at(u) - point))) for u in values]
        u = values[int(np.argmin(misses))]
        contact = options[0]
    elif joint.follower == "curve":
        starts = [option.coordinates(np.eye(2), np.zeros(2)) for option in options]
        misses = [float(np.linalg.norm(stated[0].at(u) - stated[1].at(w))) for u, w in starts]
        contact, u = options[int(np.argmin(misses))], starts[int(np.argmin(misses))][0]
    else:
        u = options[0].coordinates(np.eye(2), point)[0]
        left = float(_left(stated[0].tangent(u)) @ (point - stated[0].at(u)))
        contact = Contact("", stated, float(np.copysign(joint.radius or 0.0, left)))
    origin, tangents = stated[0].at(u), _columns(stated[0].tangent(u))
    if not np.isfinite(origin).all():
        raise GeometryError(f"joint {joint.name!r}: no contact was found in the reference configuration")
    flanks = tuple(Flank(flank.curve, origin) for flank in stated)
    return Contact(contact.follower, flanks, contact.offset, contact.opposed), origin, tangents


def _left(t: Array) -> Array:
    """Turn vectors (..., 2) by a right angle to the left."""
    return np.stack([-t[..., 1], t[..., 0]], axis=-1)


def _columns(t: Array) -> Array:
    """Make rotations (..., 2, 2) whose first columns are unit vectors (..., 2)."""
    return np.stack([t, _left(t)], axis=-1)


def _cross(a: Array, b: Array) -> Array:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])
