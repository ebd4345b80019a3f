"""Derivatives of quantities of many samples by their parameters: by one compiled loop where all share a table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import LawError, ParameterError
from groupkin.kinematics.changed.changed_program import changed_program
from groupkin.kinematics.derivatives.derivatives import Derivatives
from groupkin.kinematics.derivatives.map_of_design import TracedMap, layout_of_rows, traced_map
from groupkin.kinematics.motion.quantities import Quantity, components
from groupkin.kinematics.parameters.named_values import changes_laws
from groupkin.kinematics.parameters.parameters import Target
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.quantity_changes import Reading
from groupkin.kinematics.solving.run import run

Array = NDArray[np.float64]

TOGETHER = 2**20
"""Numbers of the outputs of a map that are computed together, about, so that they stay in the caches."""


@dataclass(frozen=True, eq=False)
class SampleDerivatives:
    """What is differentiated of samples.

    Attributes
    ----------
    program : Program
        The nominal one.
    targets : tuple of Target
        One number each.
    wanted : tuple of Quantity
    drivers : bool
        Whether the values of all drivers come after the parameters.
    """

    program: Program
    targets: tuple[Target, ...]
    wanted: tuple[Quantity, ...]
    drivers: bool = False

    @property
    def count(self) -> int:
        """Number of parameters, with those of the drivers."""
        return len(self.targets) + self.drivers * len(self.program.drivers)

    @cached_property
    def orders(self) -> int:
        """Of the state and its derivatives by time, how many are read; 0 where samples are differentiated singly."""
        return max((len(reader.matrices) for reader in self._readings), default=0) if self._shared else 0

    @cached_property
    def _shared(self) -> TracedMap | None:
        """The map of all samples; None where more than their states and numbers enters it."""
        if changes_laws(self.program, self.targets):
            return None
        found = traced_map(self.program, self.targets, self.wanted)
        known = found is not None and not found.made.computed
        return found if known and len(self._of(found)) == len(self.wanted) else None

    @cached_property
    def _readings(self) -> list[Reading]:
        return self._of(self._shared)

    @staticmethod
    def _of(found: TracedMap | None) -> list[Reading]:
        return [] if found is None else [reader for reader in found.readers if isinstance(reader, Reading)]

    def of(self, values: Array, times: Array, family: Program, states: Array) -> list[Array]:
        """Differentiate all quantities.

        Parameters
        ----------
        values : (n, parameters) array
        times : (t,) or (n, t) array
            s.
        family : Program
            Of the samples that were solved.
        states : (orders, rows, n, t) array
            The rows `family.kept` of the state, and their derivatives by time.

        Returns
        -------
        list of (n, parameters, t, ...) array
            NaN where a sample is not solved.
        """
        shapes = [tuple(map(len, components(each, self.program.mechanism)[1])) for each in self.wanted]
        steps = times.shape[-1]
        found = [np.empty((len(values), self.count, steps, *shape)) for shape in shapes]
        left = np.arange(len(values))
        if self._shared is not None and self._shared.layout == layout_of_rows(family):
            width = max(1, TOGETHER // (steps * self.count * len(self._shared.made.found)))
            left = np.concatenate(
                [self._together(values, states, slice(low, low + width), found) for low in left[::width].tolist()]
            )
        for k in left.tolist():
            self._singly(values, np.broadcast_to(times, (len(values), steps)), k, found)
        return found

    def _together(self, values: Array, states: Array, some: slice, out: list[Array]) -> NDArray[np.int64]:
        """Differentiate samples that share a table; those for which it does not hold are returned."""
        assert self._shared is not None
        shared, (work, matrix, valid) = self._shared, self._shared.at(values[some])
        count, (orders, _, _, steps) = len(matrix), states.shape
        drivers, parameters = len(self.program.drivers), len(self.targets)
        changes = np.zeros((orders, len(shared.made.inputs), self.count, count, steps))
        changes[0, drivers:, :parameters] = np.moveaxis(matrix, 0, -1)[..., None]
        changes[0, :drivers, parameters:] = np.eye(drivers)[:, : self.count - parameters, None, None]
        given = states[:, :, some].reshape(orders, -1, count * steps) * np.array([1.0, 1.0, 0.5])[:orders, None, None]
        numbers = np.repeat(work[shared.numbers], steps, axis=1)
        series = shared.made.apply(given, changes.reshape(*changes.shape[:3], -1), numbers)
        for reading, target in zip(self._readings, out, strict=True):
            slopes = reading.of(series).reshape(-1, self.count, count, steps)
            target[some] = np.moveaxis(slopes, (0, 2), (-1, 0)).reshape(target[some].shape)
        return some.start + np.flatnonzero(~valid)

    def _singly(self, values: Array, times: Array, k: int, out: list[Array]) -> None:
        """Differentiate the motion of one sample."""
        try:
            motion = run(changed_program(self.program, self.targets, values[k]), times[k], on_failure="nan")
        except (ParameterError, LawError):
            for target in out:
                target[k] = np.nan
            return
        found = Derivatives(motion, self.program, self.targets, values[k]).read_all(self.wanted, self.drivers)
        for target, slopes in zip(out, found, strict=True):
            target[k] = slopes
