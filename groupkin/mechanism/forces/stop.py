"""Elastic stops at the ends of the ranges of joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from groupkin.arguments import Name
from groupkin.errors import ForceError
from groupkin.mechanism.forces.part import InJoint
from groupkin.mechanism.forces.pull import Pull

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism


@dataclass(frozen=True)
class Stop(InJoint):
    """An elastic stop at each end of the range of a joint: a buffer, a bump stop, an end stop.

    Within the `range` of its joint it does nothing. Where the coordinate is beyond an end by δ, it pushes the second
    body back by stiffness · δ · (1 + damping · δ'), and never pulls (Hunt and Crossley 1975): the damping begins at the
    end with the push.

    Parameters
    ----------
    name : str
    joint : str
        With a `range`.
    freedom : str, optional
        Needed where the joint has several.
    stiffness : float
        N m/rad, or N/m for a displacement.
    damping : float
        s/rad or s/m.
    """

    name: Name
    joint: str
    freedom: str | None = None
    stiffness: float = 0.0
    damping: float = 0.0

    UNITS: ClassVar = {"stiffness": "F/x", "damping": "s/x"}
    SIZES: ClassVar = ("damping",)
    POSITIVE: ClassVar = ("stiffness",)

    def check(self, mechanism: Mechanism, where: str) -> None:
        super().check(mechanism, where)
        name, freedom = self.stopped(mechanism)
        if freedom not in mechanism.joint_ranges(mechanism.joint[name]):
            raise ForceError(
                f"{where} stops {self.on(mechanism)} at the ends of its range, but joint {name!r} states none"
                f"{'' if len(mechanism.freedoms(mechanism.joint[name])) == 1 else f' for {freedom!r}'}; give the joint "
                "a `range`"
            )

    def pull(self, mechanism: Mechanism) -> Pull:
        name, freedom = self.stopped(mechanism)
        ends = mechanism.joint_ranges(mechanism.joint[name])[freedom]
        return Pull(stop=self.stiffness, stop_damping=self.damping, ends=ends)

    @property
    def counts_turns(self) -> bool:
        return True

    def stopped(self, mechanism: Mechanism) -> tuple[str, str]:
        """Names of the joint, and of its freedom."""
        name, k = self.freedom_of(mechanism)
        return name, mechanism.freedoms(mechanism.joint[name])[k].name
