"""What readings of the motions of many samples are, and the variables that hold what is kept of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.samples.sample_ranges import Excesses
from groupkin.kinematics.samples.sources import Components
from sglibrary.array_types import Array


@dataclass(frozen=True)
class Variable:
    """What is kept of every sample.

    Attributes
    ----------
    name : str
    dims, shape : tuple
        Beyond the leading "sample".
    dtype : str
    attrs : dict
        Units and meaning.
    coords : dict of str to list
        Labels along dimensions.
    parameter : bool
        True if it is the value of a parameter.
    total : bool
        True if it is a sum of integers over samples, without their axis.
    """

    name: str
    dims: tuple[str, ...] = ()
    shape: tuple[int, ...] = ()
    dtype: str = "float64"
    attrs: dict[str, Any] = field(default_factory=dict)
    coords: dict[str, list[Any]] = field(default_factory=dict)
    parameter: bool = False
    total: bool = False


def label_attributes(variable: Variable, dim: str) -> dict[str, Any]:
    """Return the attributes of the labels of one of a variable's dimensions."""
    unit = "s" if dim == "time" else "m" if variable.total else ""  # of totals they are centers of cells
    return {"units": unit} if unit else {}


@dataclass(frozen=True)
class Readings:
    """What is read of the motions of some samples.

    `times` (t,), s; `count` samples; `components` of every quantity that is needed, and where they are wanted
    `slopes`, its derivatives (n, parameters, t, ...); of those that have ranges `excesses`, how far they are beyond.
    """

    times: Array
    count: int
    components: dict[Quantity, Components]
    slopes: dict[Quantity, Array] = field(default_factory=dict)
    excesses: Excesses = field(default_factory=dict)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of samples and times."""
        return self.count, self.times.size

    def select(self, needs: Sequence[Quantity], samples: slice) -> Readings:
        """Return some of the samples, and what one reduction needs of them."""
        components = {
            quantity: tuple(x[samples] if len(x) > 1 else x for x in self.components[quantity]) for quantity in needs
        }
        return Readings(self.times, samples.stop - samples.start, components)

    def slopes_by(self, quantity: Quantity, parameter: int) -> list[Array]:
        """Return the derivatives (samples, times) of all components of a quantity by a parameter."""
        slopes = self.slopes[quantity][:, parameter].reshape(*self.shape, -1)
        return list(np.moveaxis(slopes, -1, 0))

    def each(self, quantity: Quantity) -> list[Array]:
        """Return all components (samples, times) of a quantity."""
        return [np.broadcast_to(x, self.shape) for x in self.components[quantity]]
