"""Derivatives of a motion by the parameters of a design: of quantities, and of a number computed from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.arguments import checked, floats
from groupkin.errors import ArgumentError
from groupkin.kinematics.derivatives.local_changes import law_changes
from groupkin.kinematics.derivatives.map_of_design import DesignMap, map_of_design
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity, components, quantity
from groupkin.kinematics.parameters.parameters import Target
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.quantity_changes import Reading, along

Array = NDArray[np.float64]

STEPS = 1024
"""Steps at which weights are carried back together, so that they stay in the caches."""


@dataclass(frozen=True, eq=False)
class Derivatives:
    """The motion of a design and its derivatives by all parameters, exact to rounding.

    Attributes
    ----------
    motion : Motion
        Of the design.
    nominal : Program
        That all designs share.
    parameters : tuple of Target
    values : (parameters,) array
        m, rad and the units of laws.
    """

    motion: Motion
    nominal: Program
    parameters: tuple[Target, ...]
    values: Array

    def __repr__(self) -> str:
        return f"<Derivatives of {self.motion!r} by {', '.join(self.names)}>"

    @property
    def names(self) -> tuple[str, ...]:
        """The text form of every parameter, in the order of values."""
        return tuple(map(str, self.parameters))

    @checked
    def read(self, of: str | Quantity) -> Array:
        """Compute the derivatives (parameters, n, ...) of a quantity, shaped as a motion has it after the first axis.

        Raises
        ------
        QuantityError, UnknownNameError
        NotModeledError
            If derivatives of this quantity, or by one of the parameters, are not computed.
        """
        return self.read_all([quantity(of, self.nominal)])[0]

    def read_all(self, wanted: Sequence[Quantity], drivers: bool = False) -> list[Array]:
        """Compute the derivatives of several quantities, see `read`; after the parameters by the values of drivers."""
        found_map, readings, orders = self._map(wanted)
        given = found_map.made.given(self.motion, orders)
        series = found_map.apply(given, self._inputs(found_map.matrix, orders, drivers))
        found = []
        for each, read in zip(wanted, readings, strict=True):
            slopes = np.moveaxis(read.of(series), 0, -1)
            slopes[:, ~self.motion.solved] = np.nan
            found.append(slopes.reshape(len(slopes), *self.motion.read(each).shape))
        return found

    @checked
    def gradient(self, weights: Mapping[str, ArrayLike]) -> Array:
        """Compute the gradient (parameters,) of a number that is computed from quantities, in one backward pass.

        Its time does not depend on how many parameters there are.

        Parameters
        ----------
        weights : mapping of str to array_like
            For every quantity the derivatives of the number by it, shaped as the quantity of the motion.

        Returns
        -------
        (parameters,) array
            NaN if anything at a step that is not solved has a weight.

        Raises
        ------
        ArgumentError, QuantityError, UnknownNameError, NotModeledError
        """
        if not weights:
            raise ArgumentError("weights of one quantity at least are needed")
        motion = self.motion
        given = {quantity(of, self.nominal): floats(x) for of, x in weights.items()}
        found_map, readings, orders = self._map(list(given))
        series, parts = found_map.made.given(motion, orders), list[tuple[Reading, Array]]()
        for read, (of, x) in zip(readings, given.items(), strict=True):
            shape = motion.times.size, *map(len, components(of, self.nominal.mechanism)[1])
            if x.shape != shape:
                raise ArgumentError(f"weights of `{of}` must have the shape {shape} of the quantity, not {x.shape}")
            parts.append((read, x.reshape(len(x), -1).T))
        drivers, found = len(self.nominal.drivers), np.zeros(self.values.size)
        for low in range(0, motion.times.size, STEPS):
            some = slice(low, low + STEPS)
            back = self._carried_back(found_map, series[:, :, some], parts, some)
            found += found_map.matrix.T @ back[0, drivers:].sum(axis=1)
            if self._laws is not None:
                found += np.einsum("kdn,kdpn->p", back[:, :drivers], self._laws[:orders, ..., some])
        return found

    def _carried_back(self, of: DesignMap, given: Array, parts: list[tuple[Reading, Array]], some: slice) -> Array:
        """Carry weights of quantities (components, n) at some steps back to the inputs (orders, inputs, steps)."""
        solved = self.motion.solved[some]
        total = np.zeros((len(given), len(of.made.found), solved.size))
        for read, weights in parts:
            read.at(some).carried(weights[:, some], total)
        back = of.apply_transposed(given, total[:, :, None])[:, :, 0]
        if not solved.all():
            back[:, :, ~solved] = np.nan if (total[..., ~solved] != 0.0).any() else 0.0
        return back

    # --- what the parameters change

    def _map(self, wanted: Sequence[Quantity]) -> tuple[DesignMap, list[Reading], int]:
        """The map of changes, the readings of quantities, and how many coefficients of series they take."""
        found = map_of_design(self.nominal, self.parameters, self.values, self.motion, wanted)
        readings = [along(self.motion, reader) for reader in found.readers]
        return found, readings, max(len(each.matrices) for each in readings)

    @cached_property
    def _laws(self) -> Array | None:
        return law_changes(self.motion.program, self.parameters, self.values, self.motion.times)

    def _inputs(self, matrix: Array, orders: int, by_drivers: bool) -> Array:
        """The series of all inputs (orders, inputs, parameters, n or 1)."""
        drivers, laws, parameters = len(self.nominal.drivers), self._laws, self.values.size
        n = 1 if laws is None else laws.shape[-1]
        found = np.zeros((orders, drivers + len(matrix), parameters + by_drivers * drivers, n))
        found[0, drivers:, :parameters] = matrix[..., None]
        found[0, :drivers, parameters:] = np.eye(drivers)[:, : by_drivers * drivers, None]
        if laws is not None:
            found[:, :drivers, :parameters] = laws[:orders]
        return found
