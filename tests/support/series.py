"""Values with their rates and accelerations, and the equations of couplings in them: a slow reference."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from groupkin.mechanism.couplings.couplings import Coupling
from groupkin.mechanism.mechanism import Mechanism

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Series:
    """A quantity and its derivatives by time: value, rate and, in the second order, acceleration."""

    parts: tuple[Any, ...]

    def __add__(self, other: Any) -> Series:
        return Series(tuple(x + y for x, y in zip(self.parts, self._like(other), strict=True)))

    def __neg__(self) -> Series:
        return Series(tuple(-x for x in self.parts))

    def __sub__(self, other: Any) -> Series:
        return self + -(other if isinstance(other, Series) else Series(self._like(other)))

    def __mul__(self, other: Any) -> Series:
        x, y = self.parts, self._like(other)
        first = (x[0] * y[0], x[1] * y[0] + x[0] * y[1])
        return Series(first if len(x) == 2 else (*first, x[2] * y[0] + 2 * x[1] * y[1] + x[0] * y[2]))

    def __truediv__(self, other: Any) -> Series:
        return self * (of(other, lambda x: (1 / x, -1 / x**2, 2 / x**3)) if isinstance(other, Series) else 1 / other)

    def __pow__(self, k: int) -> Series:
        return of(self, lambda x: (x**k, k * x ** (k - 1), k * (k - 1) * x ** (k - 2)))

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: Any) -> Series:
        return -self + other

    def _like(self, other: Any) -> tuple[Any, ...]:
        return other.parts if isinstance(other, Series) else (other, *(0.0 for _ in self.parts[1:]))


def of(x: Series, function: Callable[[Any], tuple[Any, Any, Any]]) -> Series:
    """A function of a series, given with its first and second derivative."""
    value, slope, bend = function(x.parts[0])
    found = (value, slope * x.parts[1])
    return Series(found if len(x.parts) == 2 else (*found, slope * x.parts[2] + bend * x.parts[1] ** 2))


def sin(x: Series) -> Series:
    return of(x, lambda v: (np.sin(v), np.cos(v), -np.sin(v)))


def cos(x: Series) -> Series:
    return of(x, lambda v: (np.cos(v), -np.sin(v), -np.cos(v)))


def sqrt(x: Series) -> Series:
    return of(x, lambda v: (np.sqrt(v), 0.5 / np.sqrt(v), -0.25 / v**1.5))


class Vector(tuple[Series, ...]):
    def __sub__(self, other: Any) -> Vector:
        return Vector(x - y for x, y in zip(self, other, strict=True))


def norm(x: Vector) -> Series:
    return sqrt(sum((each**2 for each in x[1:]), x[0] ** 2))


Read = Callable[[str], Series | Vector]
"""Gives a quantity, such as ``joint A.angle``, by its text."""


def equations(mechanism: Mechanism) -> list[Callable[[Read], Series]]:
    """What couplings keep at zero, or constant; formulas in the notation of Python with units m and rad."""
    return [_spline(coupling) if coupling.of else _formula(coupling.equation) for coupling in mechanism.couplings]


def _spline(coupling: Coupling) -> Callable[[Read], Series]:
    table = CubicSpline(*np.array(coupling.table).T, bc_type="periodic" if coupling.closed else "not-a-knot")
    first, second = coupling.of

    def row(read: Read) -> Series:
        x, y = read(first), read(second)
        assert isinstance(x, Series)
        assert isinstance(y, Series)
        return y - of(x, lambda v: (table(v), table(v, 1), table(v, 2)))

    return row


def _formula(text: str) -> Callable[[Read], Series]:
    names = re.findall(r"\{([^}]*)\}", text)
    code = re.sub(r"\{[^}]*\}", lambda found: f"read[{names.index(found.group()[1:-1])}]", text)
    left, _, right = re.sub(r"(\d) (m|rad)\b", r"\1", code).partition("=")
    whole = compile(f"({left}) - ({right or 0.0})", text, "eval")
    known = {"sin": sin, "cos": cos, "sqrt": sqrt, "norm": norm}
    return lambda read: eval(whole, {**known, "read": [read(name) for name in names]})
