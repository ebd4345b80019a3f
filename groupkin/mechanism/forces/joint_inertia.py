"""Inertia along freedoms of joints: rotors of motors behind gears."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from groupkin.arguments import Name
from groupkin.mechanism.forces.part import InJoint
from groupkin.mechanism.forces.pull import Pull

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism


@dataclass(frozen=True)
class JointInertia(InJoint):
    """Inertia along a freedom of a joint: the rotor of a motor, seen through its gear.

    It resists the acceleration of the coordinate by -inertia · acceleration, on the second body and against it on the
    first. A rotor with the moment of inertia J that turns n times as fast as the joint has the inertia n² J; its weight
    and the gyroscopic effect of its spin belong to the bodies.

    Parameters
    ----------
    name : str
    joint : str
    inertia : float
        kg m² about an axis, kg along one.
    freedom : str, optional
        Needed where the joint has several.
    """

    name: Name
    joint: str
    inertia: float = 0.0
    freedom: str | None = None

    UNITS: ClassVar = {"inertia": "J"}
    POSITIVE: ClassVar = ("inertia",)

    def pull(self, mechanism: Mechanism) -> Pull:
        return Pull()  # it depends on the acceleration alone
