"""Profiles of disk cams from the laws of their followers.

The cam turns about the origin, and the profile is stated where it stands at angle zero of the law. Seen from the cam
the follower turns about it the other way: a roller leaves the curve at its radius from the path of its center, and a
face the envelope of its lines (Norton, Cam Design and Manufacturing Handbook, 2009, chapters 7 and 8).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import Count, check_fields, checked
from groupkin.errors import GeometryError, GroupkinWarning
from groupkin.mechanism.curves import Curve
from groupkin.mechanism.laws.laws import Law
from groupkin.tolerances import COINCIDENT

Array = NDArray[np.float64]

POINTS = 720
"""Points of a profile by default: the spline through them gives smooth laws back to 1e-6 of the stroke."""


@dataclass(frozen=True)
class Follower:
    """What a cam moves.

    A translating follower moves along y, its roller or edge at x = `offset`; a swinging one turns about the point
    (`pivot`, 0), and a positive law moves it away from the cam.

    Parameters
    ----------
    kind : {"roller", "edge", "face"}
        A roller, a knife edge, or a flat face, which is normal to y or passes its pivot at a distance of `offset`.
    motion : {"translating", "swinging"}
    radius : float
        Of the roller, m.
    offset : float
        m; see above.
    pivot : float
        Distance of the pivot of a swinging follower from the axis of the cam, m.
    arm : float
        Distance of its roller or edge from the pivot, m.
    """

    kind: Literal["roller", "edge", "face"] = "roller"
    motion: Literal["translating", "swinging"] = "translating"
    radius: float = 0.0
    offset: float = 0.0
    pivot: float = 0.0
    arm: float = 0.0

    def __post_init__(self) -> None:
        check_fields(self, GeometryError)
        if (self.radius > 0.0) != (self.kind == "roller"):
            raise GeometryError("a roller has a positive radius, edges and faces have none")
        if self.motion == "swinging" and not self.pivot > 0.0:
            raise GeometryError("a swinging follower has the distance of its pivot from the axis of the cam")
        if self.motion == "swinging" and self.kind != "face" and not self.arm > 0.0:
            raise GeometryError("a swinging roller or edge has the length of its arm")


@dataclass(frozen=True, eq=False)
class CamProfile:
    """The profile of a disk cam.

    Attributes
    ----------
    law : Law
        Of the follower over the angle of the cam, rad.
    follower : Follower
    base : float
        Radius of the base circle, m: the least distance of the profile from the axis where the law is zero.
    clockwise : bool
        Whether the cam turns clockwise.
    angles : (n,) array
        Of the cam, rad, of all below.
    profile : (n, 2) array
        m, where the cam stands at angle zero.
    pitch : (n, 2) array
        Path of the center of a roller or of an edge on the cam, m; of a face the profile.
    pressure_angle : (n,) array
        Between the normal of the profile and the way of the point of the follower that it pushes, rad.
    curvature_radius : (n,) array
        Radius of curvature of the profile, m; negative where it is hollow.
    """

    law: Law
    follower: Follower
    base: float
    clockwise: bool
    angles: Array
    profile: Array
    pitch: Array
    pressure_angle: Array
    curvature_radius: Array

    def __repr__(self) -> str:
        pressure, least = np.abs(self.pressure_angle), self._least
        worst = int(pressure.argmax())
        at = f" at {np.degrees(self.angles[least]):.4g}°"
        return (
            f"<Cam for a {self.follower.motion} {self.follower.kind}: pressure angle up to "
            f"{np.degrees(pressure[worst]):.4g}° at {np.degrees(self.angles[worst]):.4g}°, least radius of curvature "
            f"{self.curvature_radius[least]:.4g} m{at}>"
        )

    @property
    def _least(self) -> int:
        """Number of the angle with the least radius of curvature of all that are not hollow, or undercut."""
        convex = np.where(self._undercut, -np.inf, np.where(self.curvature_radius > 0.0, self.curvature_radius, np.inf))
        return int(convex.argmin())

    @cached_property
    def _undercut(self) -> NDArray[np.bool_]:
        if self.follower.kind == "face":
            return np.asarray(self.curvature_radius <= 0.0)
        pitch = self.curvature_radius + self.follower.radius
        return np.asarray((pitch > 0.0) & (self.curvature_radius <= 0.0) & (self.follower.radius > 0.0))

    @property
    def undercut(self) -> Array:
        """Angles (k,) of the cam, rad, at which the follower cuts away what it has touched before."""
        return self.angles[self._undercut]

    @property
    def curve(self) -> Curve:
        """The closed curve through the profile, for a joint L."""
        return Curve(self.profile.tolist(), closed=True)


@checked
def cam_profile(
    law: Law, follower: Follower, base: float, *, clockwise: bool = False, points: Count = POINTS
) -> CamProfile:
    """Compute the profile of a disk cam that moves a follower by a law.

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
    points : int
        Number of points of the profile.

    Returns
    -------
    CamProfile

    Raises
    ------
    GeometryError
        If the follower does not reach the base circle, or the law is no law of a whole turn.

    Warns
    -----
    GroupkinWarning
        Where the profile is undercut: with the angles and the radius that it would need.
    """
    if not base > 0.0:
        raise GeometryError(f"the base circle needs a positive radius, not {base:g} m")
    angles = np.linspace(0.0, 2.0 * np.pi, points, endpoint=False)
    lift, ends = law.at(angles), law.at(np.array([0.0, 2.0 * np.pi]))
    if not np.abs(ends[0, 1] - ends[0, 0]) <= COINCIDENT * max(np.ptp(lift[0]), 1e-300):
        raise GeometryError(
            f"the law of a cam is the same after one turn; it is {ends[0, 0]:.6g} at 0° and {ends[0, 1]:.6g} at 360°"
        )
    way = _faces if follower.kind == "face" else _centers
    profile, pitch, pressure, radius = way(follower, base, -1.0 if not clockwise else 1.0, angles, lift)
    found = CamProfile(law, follower, base, clockwise, angles, profile, pitch, pressure, radius)
    if found.undercut.size:
        first, last = np.degrees(found.undercut[[0, -1]])
        more = "radius of the base circle" + (" or a smaller roller" if follower.kind == "roller" else "")
        warnings.warn(
            f"the profile is undercut between {first:.4g}° and {last:.4g}° of the cam, where its radius of curvature "
            f"would be {radius[found._undercut].min():.4g} m: take a larger {more}, or a softer law",
            GroupkinWarning,
            stacklevel=3,
        )
    return found


def _turned(angle: Array, x: Array, y: Array) -> Array:
    """Turn vectors, as (n, 2)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * x - s * y, s * x + c * y], axis=1)


def _centers(
    follower: Follower, base: float, sense: float, angles: Array, lift: Array
) -> tuple[Array, Array, Array, Array]:
    """Profile, path of the center, pressure angle and radius of curvature for a roller or an edge.

    `sense` is the rate at which the follower turns about the cam.
    """
    reach, zero = base + follower.radius, np.zeros_like(angles)
    s, ds, dds = lift
    if follower.motion == "translating":
        if not abs(follower.offset) < reach:
            raise GeometryError(f"an offset of {follower.offset:g} m does not meet the base circle of {base:g} m")
        height = np.sqrt(reach**2 - follower.offset**2)
        center, rate, bend = (zero + follower.offset, height + s), (zero, ds), (zero, dds)
        along = (zero, zero + 1.0)
    else:
        cosine = (follower.pivot**2 + follower.arm**2 - reach**2) / (2.0 * follower.pivot * follower.arm)
        if not abs(cosine) < 1.0:
            raise GeometryError(
                f"an arm of {follower.arm:g} m on a pivot at {follower.pivot:g} m does not reach the base circle"
            )
        psi = np.arccos(cosine) + s
        along = (np.sin(psi), np.cos(psi))
        center = (follower.pivot - follower.arm * along[1], follower.arm * along[0])
        rate = (follower.arm * along[0] * ds, follower.arm * along[1] * ds)
        bend = (
            follower.arm * (along[0] * dds + along[1] * ds**2),
            follower.arm * (along[1] * dds - along[0] * ds**2),
        )
    # in the frame that turns with the follower: p' = w J c + c', p'' = -w² c + 2 w J c' + c''
    first = (rate[0] - sense * center[1], rate[1] + sense * center[0])
    second = (bend[0] - center[0] - 2.0 * sense * rate[1], bend[1] - center[1] + 2.0 * sense * rate[0])
    speed = np.hypot(*first)
    if not speed.min() > 0.0:
        raise GeometryError("the follower stands still on the cam: take a larger base circle")
    out = (sense * first[1] / speed, -sense * first[0] / speed)
    curvature = sense * (first[0] * second[1] - first[1] * second[0]) / speed**3
    pressure = np.arctan2(out[0] * along[1] - out[1] * along[0], out[0] * along[0] + out[1] * along[1])
    with np.errstate(divide="ignore"):
        radius = 1.0 / curvature - follower.radius
    turn = sense * angles
    edge = (center[0] - follower.radius * out[0], center[1] - follower.radius * out[1])
    return _turned(turn, *edge), _turned(turn, *center), pressure, radius


def _faces(
    follower: Follower, base: float, sense: float, angles: Array, lift: Array
) -> tuple[Array, Array, Array, Array]:
    """Profile (twice), pressure angle and radius of curvature for a flat face, as the envelope of its lines.

    The line at distance h from the axis, whose normal has the angle α, touches the envelope at h' / α' along it.
    """
    s, ds, dds = lift
    if follower.motion == "translating":
        normal, height, slope, bend = np.full_like(s, 0.5 * np.pi), base + s, ds, dds
        rate, change = np.full_like(s, sense), np.zeros_like(s)
    else:
        sine = (base - follower.offset) / follower.pivot
        if not abs(sine) < 1.0:
            raise GeometryError(
                f"a face at {follower.offset:g} m from a pivot at {follower.pivot:g} m does not reach the base circle"
            )
        psi = np.arcsin(sine) + s
        normal, height = 0.5 * np.pi - psi, follower.pivot * np.sin(psi) + follower.offset
        slope = follower.pivot * np.cos(psi) * ds
        bend = follower.pivot * (np.cos(psi) * dds - np.sin(psi) * ds**2)
        rate, change = sense - ds, -dds
    if not (sense * rate).min() > 0.0:
        raise GeometryError("the face turns as fast as the cam: take a softer law")
    along = slope / rate
    radius = height + (bend * rate - slope * change) / rate**3
    c, s_ = np.cos(normal), np.sin(normal)
    contact = (height * c - along * s_, height * s_ + along * c)
    profile = _turned(sense * angles, *contact)
    if follower.motion == "translating":
        return profile, profile, np.zeros_like(s), radius
    arm = (contact[0] - follower.pivot, contact[1])
    # the contact moves normal to its arm; away from the cam
    pressure = np.arctan2(c * arm[0] + s_ * arm[1], c * arm[1] - s_ * arm[0])
    return profile, profile, pressure, radius
