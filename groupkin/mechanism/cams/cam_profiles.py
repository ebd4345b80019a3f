"""Profiles of disk cams from the laws of their followers: pressure angle, curvature and undercut."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import Count, checked
from groupkin.errors import GroupkinWarning
from groupkin.mechanism.cams.cam_curves import POINTS, CamCurve, speed_jumps
from groupkin.mechanism.cams.followers import Follower, outline, turn_of_law
from groupkin.mechanism.laws.laws import Law
from groupkin.mechanism.units import SI, Units
from groupkin.showing import InNotebooks

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CamProfile(InNotebooks):
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
        return f"<Cam for a {self.follower.motion} {self.follower.kind}: {self.text()}>"

    def text(self, units: Units = SI) -> str:
        """Write the largest pressure angle and the least radius of curvature, and where they are on the cam."""
        pressure, least = np.abs(self.pressure_angle), self._least
        worst = int(pressure.argmax())
        at = f" at {np.degrees(self.angles[least]):.4g}°"
        return (
            f"pressure angle up to {np.degrees(pressure[worst]):.4g}° at {np.degrees(self.angles[worst]):.4g}°, least "
            f"radius of curvature {units.text(self.curvature_radius[least], digits=4)}{at}"
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
    def curve(self) -> CamCurve:
        """The curve of the profile, for a joint L."""
        return CamCurve(self.law, self.follower, self.base, self.clockwise, count=self.angles.size)


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
        Where the profile is undercut, with the angles and the radius that it would need, or the velocity of the law
        jumps.
    """
    angles = np.linspace(0.0, 2.0 * np.pi, points, endpoint=False)
    made = outline(follower, base, clockwise, angles, turn_of_law(law, angles))
    found = CamProfile(
        law, follower, base, clockwise, angles, made.profile, made.pitch, made.pressure_angle, made.curvature_radius
    )
    jumps = speed_jumps(law)
    if jumps.size:
        warnings.warn(
            f"the velocity of the law jumps at {np.degrees(jumps[0]):.4g}° of the cam, which no follower does: the "
            "profile is rounded there; let the pieces of the law, and both ends of the turn, meet with one velocity",
            GroupkinWarning,
            stacklevel=3,
        )
    if found.undercut.size:
        first, last = np.degrees(found.undercut[[0, -1]])
        more = "radius of the base circle" + (" or a smaller roller" if follower.kind == "roller" else "")
        warnings.warn(
            f"the profile is undercut between {first:.4g}° and {last:.4g}° of the cam, where its radius of curvature "
            f"would be {made.curvature_radius[found._undercut].min():.4g} m: take a larger {more}, or a softer law",
            GroupkinWarning,
            stacklevel=3,
        )
    return found
