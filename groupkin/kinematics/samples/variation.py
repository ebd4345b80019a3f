"""What samples of a mechanism have in common: which parameters vary, at which times, and what is read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.parameters.parameters import Target
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.run import run


@dataclass(frozen=True, eq=False)
class Variation:
    """What samples of a mechanism have in common.

    Attributes
    ----------
    program : Program
        The nominal one.
    targets : tuple of Target
        What varies.
    times : (t,) or (n, t) array
        s; the same for all samples.
    quantities : tuple of Quantity
        What is read of every sample, each once.
    orders : int
        Of the whole state and its derivatives by time, how many are kept beside what is read.
    """

    program: Program
    targets: tuple[Target, ...]
    times: NDArray[np.float64]
    quantities: tuple[Quantity, ...]
    orders: int = 0

    @cached_property
    def nominal_start(self) -> Motion:
        """The nominal motion at the first time; NaN where it cannot be solved."""
        return run(self.program, self.times.flat[:1], on_failure="nan")

    def nominal_reading(self, kind: str, name: str) -> NDArray[np.float64]:
        """Read a quantity of the nominal motion at the first time, once."""
        if (kind, name) not in self._nominal_readings:
            self._nominal_readings[kind, name] = np.asarray(getattr(self.nominal_start, kind)(name))
        return self._nominal_readings[kind, name]

    @cached_property
    def _nominal_readings(self) -> dict[tuple[str, str], NDArray[np.float64]]:
        return {}
