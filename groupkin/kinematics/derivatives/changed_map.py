"""The map from changes of drivers and of local geometry to what bodies and points do, along a motion as a series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.derivatives.computed_series import computed_series
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.changes import Change, shifted, turned
from groupkin.kinematics.rates.sheet_builder import Term, needed_sheet
from groupkin.kinematics.rates.tables import grown, linear_map, transposed, velocities
from sglibrary.rates.linear_map import Map, Sheet
from sglibrary.rates.operations import INVERT
from sglibrary.rates.series import apply_series

Array = NDArray[np.float64]


@dataclass
class Outputs:
    """Registers of the map while they are collected: turns of bodies, and shifts of points of them.

    Attributes
    ----------
    program : Program
        Of the design.
    changes : sequence of Change
    found : list of int
        Registers, one each.
    """

    program: Program
    changes: Sequence[Change]
    found: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.builder, self.twists = grown(self.program, changes=self.changes)

    def shift(self, body: str, local: Array, change: Change) -> list[int]:
        """Add the shift of a point (d,), m, of a body, and of the point on it; return the numbers of the outputs."""
        b, d = self.builder, self.builder.dimension
        return self._add(velocities(b, body, local, self.twists[body])[-d:], shifted(b, body, change))

    def turn(self, body: str, change: Change | None = None) -> list[int]:
        """Add the turn of a body, and of a frame on it; return the numbers of the outputs."""
        b, d = self.builder, self.builder.dimension
        of_body = [self.twists[body].get(k, -1) for k in range(b.components - d)]
        return self._add(of_body, turned(b, body, change) if change else [[] for _ in of_body])

    def _add(self, registers: list[int], own: list[list[Term]]) -> list[int]:
        first = len(self.found)
        for register, terms in zip(registers, own, strict=True):
            whole: list[Term] = ([(self.builder.one, register, 1.0)] if register >= 0 else []) + terms
            self.found.append(self.builder.register(whole) if whole else -1)
        return list(range(first, len(self.found)))

    def made(self) -> ChangedMap:
        """Make the tables."""
        b = self.builder
        inputs = len(self.program.drivers) + sum(change.count(b.dimension) for change in self.changes)
        back, ends = transposed(b, inputs, self.found)
        sheet, computed, (there, back) = needed_sheet(b, b.registers, back)
        forward = linear_map(there, inputs, self.found)
        return ChangedMap(sheet, _varying(sheet), forward, linear_map(back, len(self.found), ends), computed, b.center)


@dataclass(frozen=True)
class ChangedMap:
    """The map from changes to turns and shifts.

    Attributes
    ----------
    sheet : Sheet
    varies : (rows,) array of bool
        Rows of the sheet that change with time.
    forward, transposed : Map
        From the drivers, and then the components of all changes, to the outputs; and back.
    computed, center : tuple of (str, int, int), and (d,) array
        See `groupkin.kinematics.rates.tables.RateMap`.
    """

    sheet: Sheet
    varies: NDArray[np.bool_]
    forward: Map
    transposed: Map
    computed: tuple[tuple[str, int, int], ...]
    center: Array

    def given(self, motion: Motion, orders: int) -> Array:
        """Series of what the map reads at every step of a motion (orders, rows, n)."""
        found = np.empty((orders, *motion.q.shape))
        for k, (rows, factor) in enumerate(zip((motion.q, motion.v, motion.a)[:orders], (1.0, 1.0, 0.5), strict=False)):
            np.multiply(rows, factor, out=found[k])
        if not self.computed:
            return found
        more = computed_series(motion, self.computed, self.center, motion.program.solved_geometry.size, orders)
        return np.concatenate([found, more], axis=1)

    def apply(self, given: Array, x: Array) -> Array:
        """What series of changes (orders, inputs, m, n or 1) lead to: series (orders, outputs, m, n)."""
        numbers = [each[None] for each in (self.sheet.constants, self.sheet.factors, self.forward.factors)]
        return self.apply_each(numbers, given, x[None])

    def apply_each(self, numbers: Sequence[Array], given: Array, x: Array) -> Array:
        """What changes of samples (samples, orders, inputs, m, n or 1) lead to: series (orders, outputs, m, samples n).

        `given` are series of what the map reads, (orders, rows, samples n), and `numbers` the constants and factors of
        the sheet and the factors of the map, (samples, k) each.
        """
        return self._apply(self.forward, self.transposed.inputs, numbers, given, x)

    def apply_transposed(self, given: Array, weights: Array) -> Array:
        """Weights of the coefficients of outputs (orders, outputs, m, n), carried back to those of the inputs."""
        numbers = [each[None] for each in (self.sheet.constants, self.sheet.factors, self.transposed.factors)]
        return self._apply(self.transposed, self.forward.inputs, numbers, given, weights[None, ::-1])[::-1]

    def _apply(self, linear: Map, outputs: int, numbers: Sequence[Array], given: Array, x: Array) -> Array:
        y = np.empty((given.shape[0], outputs, x.shape[3], given.shape[2]))
        each = map(np.ascontiguousarray, (*numbers, given, x))
        apply_series(tuple(self.sheet), tuple(linear), self.varies, *each, y)
        return y


def _varying(sheet: Sheet) -> NDArray[np.bool_]:
    """Find the rows of a sheet that change with time: those that are read, and what is computed from them."""
    varies = np.zeros(sheet.constants.size, bool)
    varies[sheet.read] = True
    for code, out, first, count in sheet.operations.tolist():
        size = count if code == INVERT else 1
        varies[out : out + size] |= varies[sheet.terms[first : first + count]].any()
    return varies
