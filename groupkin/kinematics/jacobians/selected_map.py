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
from groupkin.kinematics.rates.sheet_builder import Builder, Term
from groupkin.kinematics.rates.tables import RateMap, linear_map
from sglibrary.rates.linear_map import Sheet, apply
from sglibrary.rates.operations import FIXED, INVERT, MOMENT, PRODUCT, RELATIVE, UNIT

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
    needed = {row for terms in made for row, _, _ in terms} | {b.zero, b.one}
    sheet, numbers, computed = _needed_sheet(b, needed)
    made = [[(numbers[row], register, factor) for row, register, factor in terms] for terms in made]
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


# --- what of the sheet is needed -------------------------------------------------------------


def _needed_sheet(b: Builder, needed: set[int]) -> tuple[Sheet, dict[int, int], tuple[tuple[str, int, int], ...]]:
    """Leave out the rows that nothing needs; returns new numbers of rows, and the moves that have to be computed."""
    kept: list[tuple[list[int], list[float]]] = []
    for operation, factors in zip(reversed(b.operations), reversed(b.numbers), strict=True):
        written, read = _rows(operation, b)
        if needed.intersection(written):
            needed.update(written, read)
            kept.insert(0, (operation, factors))
    stated = len(b.program.kept)
    computed = tuple(b.computed) if needed.intersection(b.read[stated:]) else ()
    numbers = {row: k for k, row in enumerate(sorted(needed))}
    unused = len(numbers)  # a row that nothing needs, for what is given and not needed
    pairs: list[tuple[int, int]] = []
    operations = [_renumbered(operation, b, numbers, pairs) for operation, _ in kept]
    constants = [*(b.constants[row] for row in numbers), 0.0]
    sheet = Sheet(
        b.dimension,
        np.array(constants),
        np.array([numbers.get(row, unused) for row in b.read[: None if computed else stated]], np.int64),
        np.array(operations, np.int64).reshape(-1, 6),
        np.array([factors for _, factors in kept]).reshape(-1, 4),
        np.array(pairs, np.int64).reshape(-1, 2),
    )
    return sheet, numbers, computed


def _rows(operation: list[int], b: Builder) -> tuple[Rows, Rows]:
    """List the rows that an operation writes and those that it reads."""
    code, out, _, size = operation[:4]
    d = b.dimension
    if code in (PRODUCT, INVERT):
        written = [out] if code == PRODUCT else list(range(out, out + size * size))
        return written, [row for pair in _pairs(operation, b) for row in pair]
    long, wide = {FIXED: (d, d), RELATIVE: (2 * d, d), UNIT: (d, d), MOMENT: (1, 2)}.get(code, (3, 3))
    starts = [row for row in operation[2 : 2 + _count(code, d)] if row >= 0]
    return list(range(out, out + long)), [row + i for row in starts for i in range(wide)]


def _count(code: int, dimension: int) -> int:
    """How many vectors an operation reads."""
    return {FIXED: 2 if dimension == 2 else 4, RELATIVE: 1}.get(code, 2)


def _pairs(operation: list[int], b: Builder) -> list[tuple[int, ...]]:
    """List the pairs of rows of a product, or the rows of a matrix."""
    code, _, first, count = operation[:4]
    if code == PRODUCT:
        return [tuple(pair) for pair in b.pairs[first : first + count]]
    return [(row,) for row, _ in b.pairs[first : first + count * count]]


def _renumbered(operation: list[int], b: Builder, numbers: dict[int, int], pairs: list[tuple[int, int]]) -> list[int]:
    """Write an operation with new numbers of rows, and add its pairs."""
    code, out, *rest = operation
    if code in (PRODUCT, INVERT):
        first = len(pairs)
        found = [[numbers[row] for row in pair] for pair in _pairs(operation, b)]
        pairs += [(pair[0], pair[-1]) for pair in found]
        return [code, numbers[out], first, *rest[1:]]
    count = _count(code, b.dimension)
    return [code, numbers[out], *(numbers.get(row, row) for row in rest[:count]), *rest[count:]]
