"""Followers of disk cams, and the outlines that move them by a law.

The cam turns about the origin, and its outline is stated where it stands at angle zero of the law. Seen from the cam
the follower turns about it the other way: a roller leaves the curve at its radius from the path of its center, and a
face the envelope of its lines (Norton, Cam Design and Manufacturing Handbook, 2009, chapters 7 and 8).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import check_fields
from groupkin.errors import GeometryError
from groupkin.mechanism.laws.laws import Law
from groupkin.tolerances import COINCIDENT

Array = NDArray[np.float64]


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


class Outline(NamedTuple):
    """A part of the outline of a cam, at n angles of the cam.

    Attributes
    ----------
    profile : (n, 2) array
        m.
    pitch : (n, 2) array
        Path of the center of a roller or of an edge on the cam, m; of a face the profile.
    normals : (n, 2) array
        Unit normals of the profile, out of the cam.
    speed : (n,) array
        Arc length of the profile per angle of the cam, m/rad; negative where the profile is undercut.
    pressure_angle : (n,) array
        rad.
    curvature_radius : (n,) array
        m; negative where the profile is hollow.
    """

    profile: Array
    pitch: Array
    normals: Array
    speed: Array
    pressure_angle: Array
    curvature_radius: Array


def turn_of_law(law: Law, angles: Array) -> Array:
    """Compute the law of a follower at angles (n,) of the cam, rad: (3, n), m or rad.

    Raises
    ------
    GeometryError
        If it is no law of a whole turn.
    """
    lift, ends = law.at(angles), law.at(np.array([0.0, 2.0 * np.pi]))
    if not np.abs(ends[0, 1] - ends[0, 0]) <= COINCIDENT * max(np.ptp(lift[0]), 1e-300):
        raise GeometryError(
            f"the law of a cam is the same after one turn; it is {ends[0, 0]:.6g} at 0° and {ends[0, 1]:.6g} at 360°"
        )
    return lift


def outline(follower: Follower, base: float, clockwise: bool, angles: Array, lift: Array) -> Outline:
    """Compute the outline of a cam that moves a follower by a law.

    Parameters
    ----------
    follower : Follower
    base : float
        Radius of the base circle, m.
    clockwise : bool
        Whether the cam turns clockwise.
    angles : (n,) array
        Angles of the cam, rad.
    lift : (3, n) array
        The law there, m or rad, and its derivatives by the angle.

    Raises
    ------
    GeometryError
        If the follower does not reach the base circle, or stands still on the cam.
    """
    if not base > 0.0:
        raise GeometryError(f"the base circle needs a positive radius, not {base:g} m")
    way = _faces if follower.kind == "face" else _centers
    return way(follower, base, 1.0 if clockwise else -1.0, angles, lift)  # the rate of the follower about the cam


def _turned(angle: Array, x: Array, y: Array) -> Array:
    """Turn vectors, as (n, 2)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * x - s * y, s * x + c * y], axis=1)


def _centers(follower: Follower, base: float, sense: float, angles: Array, lift: Array) -> Outline:
    """Outline for a roller or an edge."""
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
    along_profile = speed * (1.0 - follower.radius * curvature)
    return Outline(_turned(turn, *edge), _turned(turn, *center), _turned(turn, *out), along_profile, pressure, radius)


def _faces(follower: Follower, base: float, sense: float, angles: Array, lift: Array) -> Outline:
    """Outline for a flat face, as the envelope of its lines.

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
    profile, normals = _turned(sense * angles, *contact), _turned(sense * angles, c, s_)
    pressure = np.zeros_like(s)
    if follower.motion == "swinging":  # the contact moves normal to its arm, away from the cam
        arm = (contact[0] - follower.pivot, contact[1])
        pressure = np.arctan2(c * arm[0] + s_ * arm[1], c * arm[1] - s_ * arm[0])
    return Outline(profile, profile, normals, sense * rate * radius, pressure, radius)
