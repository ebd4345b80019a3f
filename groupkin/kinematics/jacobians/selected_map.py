"""Rates of some quantities by all drivers, as one map: what no quantity needs is left out.

Each quantity is a register of the map of rates (`groupkin.kinematics.rates.tables`). It is followed back to the drivers
once, when the map is made, so that the new map has one input, which is 1, and an output for each quantity and driver:
zeros and factors of 1 cost nothing, nor do groups that the quantities do not depend on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.rates.rates import given_rows
from groupkin.kinematics.rates.sheet_builder import Builder, Term, needed_sheet
from groupkin.kinematics.rates.tables import RateMap, linear_map
from sglibrary.rates.linear_map import apply

Array = NDArray[np.float64]
Rows = list[int]


@dataclass(frozen=True)
class SelectedMap:
    """Rates of some quantities by the drivers.

    Attributes
    ----------
    map : RateMap
        Whose forward map has the input 1 and an output for each quantity and driver; both ways it is the same.
    quantities, drivers : int
    """

    map: RateMap
    quantities: int
    drivers: int

    def at(self, motion: Motion) -> Array:
        """Compute the rates (quantities, drivers, n) at the positions of a motion; NaN where it is not solved."""
        n = motion.times.size
        y = np.empty((self.quantities * self.drivers, 1, n))
        given = given_rows(motion, self.map)
        apply(tuple(self.map.sheet), tuple(self.map.forward), given, np.ones((1, 1, n)), y, n)
        found = y.reshape(self.quantities, self.drivers, n)
        if motion.status.any():
            found[..., ~motion.placed] = np.nan
        return found


def selected_map(b: Builder, quantities: list[int], drivers: int) -> SelectedMap:
    """Make the map of some registers, -1 for zero, by the drivers, which are the first registers."""
    made: list[list[Term]] = [[]]
    outputs = [output for register in quantities for output in _followed_back(b, register, drivers, made)]
    sheet, computed, (made,) = needed_sheet(b, made)
    linear = linear_map(made, 1, outputs)
    return SelectedMap(RateMap(sheet, linear, linear, computed, b.center), len(quantities), drivers)


def _followed_back(b: Builder, quantity: int, drivers: int, made: list[list[Term]]) -> Rows:
    """Add the registers of the derivatives of one register by all that it is made of; those by the drivers."""
    uses: dict[int, list[Term]] = {quantity: [(b.one, 0, 1.0)]} if quantity >= 0 else {}
    outputs = [-1] * drivers
    while uses:
        register = max(uses)
        terms = uses.pop(register)
        whole = len(terms) == 1 and terms[0][0] == b.one and (terms[0][2] == 1.0 or register >= drivers)
        if not whole:
            made.append(terms)
        found, factor = terms[0][1:] if whole else (len(made) - 1, 1.0)
        if register < drivers:
            outputs[register] = found
            continue
        for row, other, share in b.registers[register]:
            uses.setdefault(other, []).append((row, found, factor * share))
    return outputs
