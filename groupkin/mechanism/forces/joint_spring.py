"""Springs and dampers at freedoms of joints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from groupkin.arguments import Name
from groupkin.mechanism.forces.part import InJoint
from groupkin.mechanism.forces.pull import ELASTIC, Pull, elastic

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism


@dataclass(frozen=True)
class JointSpring(InJoint):
    """A spring and damper at a freedom of a joint, such as a torsion spring on a hinge.

    It moves the second body by -stiffness · (coordinate - position) - damping · rate - preload, and against what tables
    tell, as those of a `Spring`.

    Parameters
    ----------
    name : str
    joint : str
    freedom : str, optional
        Needed where the joint has several.
    stiffness : float
        N m/rad, or N/m for a displacement.
    position : float
        Coordinate of the freedom at which the spring is free, rad or m.
    damping : float
        N m s/rad or N s/m.
    preload : float
        N m or N.
    table : (k, 2) sequence of float
        Coordinates, rad or m, in rising order, and torques or forces against the freedom, N m or N.
    damping_table : (k, 2) sequence of float
        Rates, rad/s or m/s, in rising order, and torques or forces against them, N m or N.
    """

    name: Name
    joint: str
    freedom: str | None = None
    stiffness: float = 0.0
    position: float = 0.0
    damping: float = 0.0
    preload: float = 0.0
    table: Sequence[Sequence[float]] = ()
    damping_table: Sequence[Sequence[float]] = ()

    UNITS: ClassVar = ELASTIC | {"position": "x"}

    def pull(self, mechanism: Mechanism) -> Pull:
        return elastic(self, self.position)

    @property
    def counts_turns(self) -> bool:
        return bool(self.stiffness or self.table)
