"""Fits as text: the parameters before and after."""

from __future__ import annotations

from groupkin.kinematics.parameters.nominal_values import unit
from groupkin.mechanism.units import conversion
from groupkin.synthesis.fit import Fit

COLUMNS = ("parameter", "nominal", "found", "unit")


def rows(found: Fit) -> list[tuple[str, ...]]:
    """List one row of cells per parameter, in the order of `COLUMNS`, in the units of the mechanism."""
    design = found.design
    table: list[tuple[str, ...]] = []
    for target, before, after in zip(design.parameters, design.nominal, found.values, strict=True):
        factor, name = conversion(unit(target, design.program), design.program.mechanism.units)
        table.append((str(target), f"{factor * before:.6g}", f"{factor * after:.6g}", name))
    return table
