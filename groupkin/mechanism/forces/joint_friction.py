"""Friction of a known size at freedoms of joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from groupkin.arguments import Name
from groupkin.mechanism.forces.part import SLOW, InJoint
from groupkin.mechanism.forces.pull import Pull

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism


@dataclass(frozen=True)
class JointFriction(InJoint):
    """Friction of a known size at a freedom of a joint, such as that of a seal.

    It moves the second body by -force · rate / √(rate² + speed²) - damping · rate.

    Parameters
    ----------
    name : str
    joint : str
    force : float
        Dry friction, N m about an axis, N along one.
    freedom : str, optional
        Needed where the joint has several.
    damping : float
        N m s/rad or N s/m.
    speed : float, optional
        Rate at which dry friction has 1/√2 of its size, rad/s or m/s. Default: 0.001.
    """

    name: Name
    joint: str
    force: float = 0.0
    freedom: str | None = None
    damping: float = 0.0
    speed: float | None = None

    UNITS: ClassVar = {"force": "F", "damping": "F*s/x", "speed": "x/s"}
    SIZES: ClassVar = ("force", "damping")
    POSITIVE: ClassVar = ("speed",)

    def pull(self, mechanism: Mechanism) -> Pull:
        return Pull(damping=self.damping, dry=self.force, speed=self.speed or SLOW)
