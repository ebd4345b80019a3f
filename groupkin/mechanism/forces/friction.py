"""Friction of bearings, guides, balls and screws by a coefficient."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from groupkin.arguments import Name
from groupkin.errors import ForceError
from groupkin.mechanism.forces.force_checks import joint_of
from groupkin.mechanism.forces.part import ForcePart

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism

RUBBING = ("R", "P", "C", "S", "H")
"""Types of joints with friction by a coefficient."""


@dataclass(frozen=True)
class Friction(ForcePart):
    """Friction of a bearing, guide, ball or screw by a coefficient, from what the joint carries.

    The surfaces slide on each other with the velocity v, and are pushed back by coefficient · N · v / √(v² + speed²)
    with the normal force N: the radial or axial force of a hinge or cylindrical joint, the force across a slide, the
    force in a ball, the force normal to the thread of a screw.

    Parameters
    ----------
    name : str
    joint : str
        Of type R, P, C, S or H.
    coefficient : float
        Of friction.
    radius : float, optional
        Of the bearing, the ball or, as the mean one, the thread, m. All need it but slides.
    length : float, optional
        Of a guide, or distance of two bearings, m: they carry moments by a pair of forces, half of it on either side of
        the joint's point on its second body. Default: moments are not considered.
    axial : bool
        A thrust bearing: friction by the force along the axis.
    efficiency : float, optional
        Of a screw that moves a load, instead of the coefficient: tan(lead angle) / tan(lead angle + friction angle).
    speed : float, optional
        Velocity at which friction has 1/√2 of its size, m/s. Default: 0.001.
    """

    name: Name
    joint: str
    coefficient: float = 0.0
    radius: float | None = None
    length: float | None = None
    axial: bool = False
    efficiency: float | None = None
    speed: float | None = None

    UNITS: ClassVar = {"coefficient": "1", "radius": "m", "length": "m", "efficiency": "1", "speed": "m/s"}
    SIZES: ClassVar = ("coefficient",)
    POSITIVE: ClassVar = ("radius", "length", "efficiency", "speed")

    def check(self, mechanism: Mechanism, where: str) -> None:
        joint = joint_of(mechanism, self.joint, where)
        at = f"{where} (joint {joint.name!r} of type {joint.type})"
        if joint.type not in RUBBING:
            raise ForceError(
                f"{at}: friction by a coefficient is in joints of types {', '.join(RUBBING)}; use a joint_friction of "
                "a given force, or a contact"
            )
        super().check(mechanism, where)
        plane_hinge = joint.type == "R" and mechanism.dimension == 2
        if self.radius is None and joint.type != "P":
            raise ForceError(f"{at} needs the radius at which the surfaces slide")
        if self.axial and (joint.type != "R" or plane_hinge):
            raise ForceError(f"{at} cannot be axial: only hinges in space have a thrust bearing")
        if self.length is not None and (joint.type in ("S", "H") or plane_hinge):
            raise ForceError(f"{at} takes no length: no moment across its axis is carried by two of its places")
        if self.efficiency is not None and (joint.type != "H" or self.coefficient or self.efficiency > 1):
            raise ForceError(f"{at}: an efficiency, at most 1, is that of a screw (H) without a coefficient")
