"""Forces and torques in joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from groupkin.arguments import Name
from groupkin.mechanism.forces.part import InJoint, WithFunction
from groupkin.mechanism.forces.pull import Pull
from groupkin.mechanism.laws.laws import Law

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism


@dataclass(frozen=True)
class JointForce(WithFunction, InJoint):
    """A force or torque in a joint: the first body moves the second along or about a freedom, and is pushed back.

    Parameters
    ----------
    name : str
    joint : str
    force : float, optional
        N m about an axis, N along one.
    freedom : str, optional
        Needed where the joint has several.
    law : Law, optional
        What it is multiplied by at every time. Default: 1.
    function : callable, optional
        Instead of force and law: ``function(t, x)`` gives it. The numbers x are coordinate and rate of the freedom, and
        then those of the quantities `of`; see `groupkin.mechanism.forces.force_functions`.
    of : sequence of str
        As of a `Spring`.
    """

    name: Name
    joint: str
    force: float | None = None
    freedom: str | None = None
    law: Law | None = None

    AMOUNT: ClassVar[str] = "force"
    UNITS: ClassVar = {"force": "F"}

    def pull(self, mechanism: Mechanism) -> Pull:
        return Pull(push=1.0 if self.force is None else self.force)
