"""The map from changes of drivers and of local geometry to what bodies and points do, along a motion as a series."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.rates.computed import computed_series
from groupkin.kinematics.rates.formulas import Formulas
from groupkin.kinematics.rates.rate_map import places_of, row_of
from groupkin.kinematics.rates.vectors import Computed
from sglibrary.code.graph import Expr
from sglibrary.code.linear_map import LinearMap
from sglibrary.code.passes.adjoint import adjoint
from sglibrary.code.schedule import Schedule, scheduled

Array = NDArray[np.float64]
NO_NUMBERS = np.zeros((0, 0))


@dataclass(frozen=True, eq=False)
class ChangedMap:
    """The map from changes to turns and shifts.

    Attributes
    ----------
    formulas : Formulas
    found : tuple of Expr
        The outputs. Its inputs are the rates of the drivers, and then the components of all changes.
    schedules : dict of (bool, int) to Schedule
        Of this map or its transpose, for a number of coefficients, as far as they have been needed.
    """

    formulas: Formulas
    found: tuple[Expr, ...]
    schedules: dict[tuple[bool, int], Schedule] = field(default_factory=dict)

    @property
    def computed(self) -> tuple[Computed, ...]:
        """What it takes beside positions."""
        return tuple(self.formulas.vectors.computed)

    @cached_property
    def inputs(self) -> tuple[Expr, ...]:
        """Rates of the drivers, and components of all changes."""
        return tuple(self.formulas.inputs)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Nodes, in the trace of a design, of the numbers that it depends on."""
        return tuple(self.formulas.vectors.numbers)

    def given(self, motion: Motion, orders: int) -> Array:
        """Series of what the map reads at every step of a motion (orders, rows, n)."""
        found = np.empty((orders, *motion.q.shape))
        for k, (rows, factor) in enumerate(zip((motion.q, motion.v, motion.a)[:orders], (1.0, 1.0, 0.5), strict=False)):
            np.multiply(rows, factor, out=found[k])
        if not self.computed:
            return found
        vectors = self.formulas.vectors
        length = motion.program.solved_geometry.size
        return np.concatenate([found, computed_series(motion, self.computed, vectors.center, length, orders)], axis=1)

    def apply(self, given: Array, x: Array, numbers: Array = NO_NUMBERS) -> Array:
        """What series of changes lead to.

        Parameters
        ----------
        given : (orders, rows, n) array
            Series of what the map reads.
        x : (orders, inputs, m, n or 1) array
            Changes.
        numbers : (k, n) array, optional
            Those that it depends on, in the order of `numbers`.

        Returns
        -------
        (orders, outputs, m, n) array
        """
        return self._apply(False, given, x, numbers)

    def apply_transposed(self, given: Array, weights: Array, numbers: Array = NO_NUMBERS) -> Array:
        """Weights of the coefficients of outputs (orders, outputs, m, n), carried back to those of the inputs."""
        return self._apply(True, given, weights[::-1], numbers)[::-1]

    def _apply(self, back: bool, given: Array, x: Array, numbers: Array) -> Array:
        orders, rows, n = given.shape
        inputs, outputs = (self.found, self.inputs) if back else (self.inputs, self.found)
        directions = x.shape[2]
        q = given.reshape(orders * rows, n)
        if self.numbers:
            q = np.concatenate([q, numbers])
        v, y = (np.empty((max(1, orders * len(ends) * directions), n)) for ends in (inputs, outputs))
        v[: x.shape[0] * x.shape[1] * directions].reshape(*x.shape[:3], n)[:] = x
        self._schedule(back, orders, rows).run(np.ascontiguousarray(q), v, y, directions, n)
        return y[: orders * len(outputs) * directions].reshape(orders, len(outputs), directions, n)

    def _schedule(self, back: bool, orders: int, rows: int) -> Schedule:
        """Return the lists of the map or its transpose."""
        if (back, orders) not in self.schedules:
            formulas, vectors = self.formulas, self.formulas.vectors
            inputs, outputs = list(self.inputs), list(self.found)
            if back:
                inputs = [vectors.symbol() for _ in outputs]
                weights: dict[Expr, Expr] = {}
                for x, weight in zip(self.found, inputs, strict=True):
                    weights[x] = weights[x] + weight if x in weights else weight
                outputs = adjoint(vectors.graph, weights, self.inputs)
            program = formulas.program
            every = program.rows + len(vectors.given)  # rows of a state, and behind them what is computed
            numbers = enumerate(vectors.numbers.values(), orders * every)
            written = LinearMap(
                vectors.graph,
                [(x, ("a", k)) for k, x in enumerate(outputs)],
                {x: ("v", k) for k, x in enumerate(inputs)},
                places_of(formulas) | {x.at: f"q {row} 0" for row, x in numbers},
                set(vectors.given),
                formulas.inverses,
                (every, len(inputs), len(outputs)),
            )
            steps, work = written.steps(orders)
            first, kept = row_of(program), rows

            def row(number: int) -> int:
                order, k = divmod(number, every)
                return orders * kept + number - orders * every if order >= orders else order * kept + first(k)

            self.schedules[back, orders] = scheduled(steps, work, row, True)
        return self.schedules[back, orders]
