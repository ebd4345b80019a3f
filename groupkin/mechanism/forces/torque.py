"""Torques on bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from groupkin.arguments import Name
from groupkin.mechanism.forces.on_body import OnBody
from groupkin.mechanism.forces.part import Factors
from groupkin.mechanism.laws import Law
from groupkin.mechanism.units import Units

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism


@dataclass(frozen=True)
class Torque(OnBody):
    """A torque on a body.

    Parameters
    ----------
    name : str
    body : str
    torque : float or (3,) sequence of float
        N m: one number in the plane, components in space.
    law : Law, optional
        What it is multiplied by at every time. Default: 1.
    axes : str
        In which the components are: a body's, or a joint's on its first body. Default: the global axes.
    function : callable, optional
        Instead of torque and law: ``function(t, x)`` gives the components, N m. The numbers x
        are the angular velocity of the body, and then those of the quantities `of`; see
        `groupkin.mechanism.forces.force_functions`.
    of : sequence of str
        As of a `Spring`.
    """

    name: Name
    body: str
    torque: float | Sequence[float] = ()
    law: Law | None = None
    axes: str = ""

    AMOUNT: ClassVar[str] = "torque"

    def check(self, mechanism: Mechanism, where: str) -> None:
        self.check_body(mechanism, where)
        self.check_components(mechanism, where)

    def factors(self, mechanism: Mechanism, units: Units) -> Factors:
        return {"torque": units.newtons * units.meters}

    def unit(self, mechanism: Mechanism) -> str:
        return "N*m"

    def components(self, mechanism: Mechanism) -> int:
        return 1 if mechanism.dimension == 2 else 3
