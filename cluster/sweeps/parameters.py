"""What varies from sample to sample, and how."""

from __future__ import annotations

from dataclasses import dataclass

from cluster.sweeps.sampling import Variation
from groupkin.kinematics.parameters.parameters import AssemblyMode as AssemblyMode
from groupkin.kinematics.parameters.parameters import Axis as Axis
from groupkin.kinematics.parameters.parameters import JointPoint as JointPoint
from groupkin.kinematics.parameters.parameters import LawValue as LawValue
from groupkin.kinematics.parameters.parameters import Length as Length
from groupkin.kinematics.parameters.parameters import LoadNumber as LoadNumber
from groupkin.kinematics.parameters.parameters import Point as Point
from groupkin.kinematics.parameters.parameters import Target, parse


@dataclass(frozen=True)
class Parameter:
    """One thing that varies.

    Parameters
    ----------
    of : Target or str
        Such as ``C@coupler.x``; see `groupkin.parameter`.
    varies : Variation
    name : str
        In results and messages; default: made of what varies.
    relative : bool
        Add the values to the nominal one.
    """

    of: Target | str
    varies: Variation
    name: str = ""
    relative: bool = False

    @property
    def target(self) -> Target:
        """What varies, of which `of` may be the text form."""
        return parse(self.of)
