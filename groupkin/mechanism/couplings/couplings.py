"""Couplings: equations of the user's own between joint coordinates, points and angles of bodies.

A coupling is one equation, between all bodies that it touches. It is stated as a formula of quantities, or as a table
by which one coordinate follows another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from groupkin.arguments import Name, check_fields, floats
from groupkin.errors import CouplingError, FormulaError
from groupkin.mechanism.couplings.coupling_functions import CompiledFunction, compiled
from groupkin.mechanism.formulas.syntax import Node, Operation, parse_formula, sides
from groupkin.mechanism.points import LARGEST

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline


@dataclass(frozen=True)
class Coupling:
    """An equation between joint coordinates, points and angles of bodies.

    Parameters
    ----------
    name : str
    equation : str
        A formula of quantities such as ``{joint left} + {joint right} = 2 * {joint cage}``, in m and rad: of ``joint``
        coordinates, of ``position`` of points and, in the plane, of ``angle`` of bodies. Without an equals sign the
        formula keeps the value that it has in the reference configuration, such as ``{joint B} - 3 * {joint A}``.
    of : (str, str), optional
        Two such quantities, instead of an equation: the second follows the first by a table.
    table : (n, 2) sequence of float
        Values of both, m or rad, the first increasing; between them a cubic spline.
    closed : bool
        Whether the table repeats after its last row, which states the values of the first again.
    function : callable, optional
        Instead of equation and table, of one to six such quantities, a function that stays zero: ``function(x)`` of
        their values (k,), m and rad, in Python that numba compiles. It cannot be saved or sent to other processes.
    derivatives : callable, optional
        Of the function: ``derivatives(x, first, second)`` writes its first (k,) and second (k, k) ones.

    Raises
    ------
    CouplingError
        If not one of equation, table and function is given, or that is none.
    FormulaError
        If the equation cannot be read.
    """

    name: Name
    equation: str = ""
    of: tuple[str, ...] = ()
    table: Sequence[Sequence[float]] = ()
    closed: bool = False
    function: Callable[..., float] | None = None
    derivatives: Callable[..., None] | None = None

    def __post_init__(self) -> None:
        check_fields(self, CouplingError)
        what = f"coupling {self.name!r}"
        object.__setattr__(self, "of", tuple(self.of))
        if bool(self.equation) == bool(self.of):
            raise CouplingError(
                f"{what} has either an `equation`, or with a `table` or a `function` the quantities `of` which it is"
            )
        if bool(self.equation) + bool(len(self.table)) + (self.function is not None) != 1:
            raise CouplingError(f"{what} has one of `equation`, `table` and `function`")
        if self.equation:
            _ = self.tree
            return
        if (self.function is None) != (self.derivatives is None):
            raise CouplingError(f"{what} has a `function` with its `derivatives`, or neither")
        if self.function is not None:
            _ = self.compiled
            return
        if len(self.of) != 2:
            raise CouplingError(f"{what}: a table is of two quantities, not {len(self.of)}")
        rows = floats(self.table)
        if rows.ndim != 2 or rows.shape[1] != 2 or len(rows) < 3 or not np.isfinite(rows).all():
            raise CouplingError(f"{what}: its table has at least three rows of two finite numbers")
        if not (np.diff(rows[:, 0]) > 0).all():
            raise CouplingError(f"{what}: the first numbers in the rows of its table must increase")
        if self.closed and rows[0, 1] != rows[-1, 1]:
            raise CouplingError(f"{what}: a closed table ends with the second number that it begins with")
        object.__setattr__(self, "table", tuple(map(tuple, rows.tolist())))
        if np.abs(rows).max() > LARGEST or not self._is_smooth():
            raise CouplingError(f"{what}: no spline goes through its table, whose numbers differ too much in size")

    def _is_smooth(self) -> bool:
        """Whether the spline of a table is finite."""
        try:
            with np.errstate(all="ignore"):
                return bool(np.isfinite(self.spline.c).all())
        except ValueError:
            return False

    @cached_property
    def tree(self) -> Node | None:
        """The formula that stays zero, or as it is where the equation has no equals sign; None of a table."""
        if not self.equation:
            return None
        parts = sides(self.equation)
        try:
            if len(parts) > 2:
                raise FormulaError("an equation has one equals sign")
            trees = tuple(parse_formula(side) for side in parts)
        except FormulaError as error:
            raise FormulaError(f"coupling {self.name!r}: {error}") from None
        return trees[0] if len(trees) == 1 else Operation("-", trees)

    @property
    def keeps(self) -> bool:
        """Whether the formula keeps the value that it has in the reference configuration."""
        return bool(self.equation) and len(sides(self.equation)) == 1

    @cached_property
    def compiled(self) -> CompiledFunction:
        """The function, compiled; it is kept as long as the coupling."""
        assert self.function is not None
        assert self.derivatives is not None
        return compiled(self.name, len(self.of), self.function, self.derivatives)

    def __reduce__(self) -> Any:
        if self.function is not None:
            raise CouplingError(
                f"coupling {self.name!r} is a function in Python, which cannot be saved or sent to other processes"
            )
        return Coupling, (self.name, self.equation, self.of, self.table, self.closed)

    @cached_property
    def spline(self) -> CubicSpline:
        """The function of a table."""
        from scipy.interpolate import CubicSpline

        x, y = np.array(self.table).T
        return CubicSpline(x, y, bc_type="periodic" if self.closed else "not-a-knot")
