"""Torques on bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from groupkin.arguments import Name
from groupkin.mechanism.forces.force import OnBody
from groupkin.mechanism.laws.laws import Law


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
    UNITS: ClassVar = {"torque": "N*m"}
