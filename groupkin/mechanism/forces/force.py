"""Forces on points of bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from groupkin.arguments import Name
from groupkin.mechanism.forces.on_body import OnBody
from groupkin.mechanism.forces.part import Factors
from groupkin.mechanism.laws import Law
from groupkin.mechanism.parts import Point
from groupkin.mechanism.units import Units

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism


@dataclass(frozen=True)
class Force(OnBody):
    """A force on a point of a body.

    Parameters
    ----------
    name : str
    body : str
    point : point
        A name, or global coordinates in the reference configuration, m.
    force : (d,) sequence of float
        Components, N.
    law : Law, optional
        What the components are multiplied by at every time. Default: 1.
    axes : str
        In which the components are: a body's, or a joint's on its first body. Default: the global axes.
    function : callable, optional
        Instead of force and law: ``function(t, x)`` gives the components, N. The numbers x are
        position and velocity of the point, and then those of the quantities `of`; see
        `groupkin.mechanism.forces.force_functions`.
    of : sequence of str
        As of a `Spring`.
    """

    name: Name
    body: str
    point: Point
    force: Sequence[float] = ()
    law: Law | None = None
    axes: str = ""

    AMOUNT: ClassVar[str] = "force"

    def check(self, mechanism: Mechanism, where: str) -> None:
        self.check_body(mechanism, where)
        mechanism.locate(self.point, where)
        self.check_components(mechanism, where)

    def factors(self, mechanism: Mechanism, units: Units) -> Factors:
        return {"force": units.newtons}

    def ends(self) -> list[tuple[str, Point]]:
        return [(self.body, self.point)]

    def components(self, mechanism: Mechanism) -> int:
        return mechanism.dimension
