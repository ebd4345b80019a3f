"""What forces and torques on bodies have in common: a body, components, and the axes of these."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from groupkin.arguments import floats
from groupkin.errors import DuplicateNameError, ForceError, GroupkinWarning, UnknownNameError, shown
from groupkin.mechanism.forces.force_checks import check_body, joint_of
from groupkin.mechanism.forces.part import WithFunction
from groupkin.mechanism.laws import Law
from groupkin.mechanism.points import LARGEST
from groupkin.messages import hint

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism


class OnBody(WithFunction):
    """A force or torque on a body, in the axes of a body or a joint."""

    body: str
    axes: str
    law: Law | None

    def on(self, mechanism: Mechanism) -> str:
        return self.body

    def check_body(self, mechanism: Mechanism, where: str) -> None:
        """Refuse bodies and axes that do not exist, and warn of forces on the frame."""
        check_body(mechanism, self.body, where)
        if self.body == mechanism.frame:
            warnings.warn(
                f"{where} acts on the frame {self.body!r}, where it moves nothing: give the body that it pushes",
                GroupkinWarning,
                stacklevel=6,
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

    def check_components(self, mechanism: Mechanism, where: str) -> None:
        """Refuse components that are invalid, unless a function gives them."""
        if self.check_function(where):
            return
        stated, wanted = getattr(self, self.AMOUNT), self.components(mechanism)
        numbers = np.atleast_1d(floats(stated))
        if numbers.shape != (wanted,) or not np.all(np.abs(numbers) <= LARGEST):
            components = "one finite number" if wanted == 1 else f"{wanted} finite numbers"
            raise ForceError(f"{where}: its {self.AMOUNT} must be {components}, not {shown(stated)}")
