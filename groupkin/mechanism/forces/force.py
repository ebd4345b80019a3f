"""Forces on points of bodies, and what torques on bodies have in common with them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from groupkin.arguments import Name, floats
from groupkin.errors import DuplicateNameError, ForceError, GroupkinWarning, UnknownNameError, shown
from groupkin.mechanism.forces.force_checks import check_body, joint_of
from groupkin.mechanism.forces.part import WithFunction
from groupkin.mechanism.laws.laws import Law
from groupkin.mechanism.parts import Point
from groupkin.mechanism.points import LARGEST
from groupkin.messages import hint

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism


class OnBody(WithFunction):
    """A force or torque on a body, in the axes of a body or a joint."""

    body: str
    axes: str
    law: Law | None

    def check(self, mechanism: Mechanism, where: str) -> None:
        check_body(mechanism, self.body, where)
        if self.body == mechanism.frame:
            warnings.warn(
                f"{where} acts on the frame {self.body!r}, where it moves nothing: give the body that it pushes",
                GroupkinWarning,
                stacklevel=5,
            )
        if self.axes in mechanism.body and self.axes in mechanism.joint:
            raise DuplicateNameError(
                f"{where} is in the axes of {self.axes!r}, which is the name of a body and of a joint; rename one of "
                "them"
            )
        if self.axes and self.axes not in mechanism.body:
            if self.axes not in mechanism.joint and self.axes not in mechanism.shared:
                near = hint(self.axes, [*mechanism.body, *mechanism.joint])
                raise UnknownNameError(f"{where} is in the axes of {self.axes!r}, which is no body and no joint{near}")
            joint_of(mechanism, self.axes, where)
        for _, point in self.ends():
            mechanism.locate(point, where)
        if self.check_function(where):
            return
        stated, wanted = getattr(self, self.AMOUNT), self.components(mechanism)
        numbers = np.atleast_1d(floats(stated))
        if numbers.shape != (wanted,) or not np.all(np.abs(numbers) <= LARGEST):
            components = "one finite number" if wanted == 1 else f"{wanted} finite numbers"
            raise ForceError(f"{where}: its {self.AMOUNT} must be {components}, not {shown(stated)}")

    def components(self, mechanism: Mechanism) -> int:
        return 1 if self.AMOUNT == "torque" and mechanism.dimension == 2 else mechanism.dimension

    def unit(self, mechanism: Mechanism) -> str:
        return "N*m" if self.AMOUNT == "torque" else "N"


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
    UNITS: ClassVar = {"force": "N"}

    def ends(self) -> list[tuple[str, Point]]:
        return [(self.body, self.point)]
