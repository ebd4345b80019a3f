"""Numbers that remember how they were computed, so that a computation becomes a table of scalar operations.

Arrays of such numbers, of dtype object, go through the code that computes geometry and constants with numpy, as floats
do. Each has a sample value besides, by which comparisons are decided. A table is right as long as these have the same
outcome; those of inequality are noted with it. Of equality none is noted: what is the same at a sample of no special
values is the same always, and a divisor that happens to be zero gives a result that is not finite.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sglibrary import scalar_operations as codes

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

CODES = {
    "+": codes.PLUS,
    "-": codes.MINUS,
    "*": codes.TIMES,
    "/": codes.OVER,
    "n": codes.NEGATIVE,
    "sqrt": codes.SQRT,
    "sin": codes.SIN,
    "cos": codes.COS,
    "arctan2": codes.ATAN2,
    "abs": codes.ABS,
    "sign": codes.SIGN,
}
"""Codes of operations in a table, by kinds of values."""

INPUT, CONSTANT = "p", "c"

Key = tuple[Any, ...]
"""Kind of a value, and its number or operands."""


class NotTraceableError(TypeError):
    """A computation is no table of scalar operations, such as one that iterates until it has converged."""


@dataclass(frozen=True, eq=False)
class Table:
    """A table of scalar operations (`sglibrary.scalar_tables`).

    Attributes
    ----------
    inputs : int
    constants : (c,) array
        Fixed numbers: the rows after those of the inputs.
    operations, comparisons : (k, 3) and (m, 3) arrays of int
    """

    inputs: int
    constants: Array
    operations: Ints
    comparisons: Ints

    def changing(self, rows: Ints) -> NDArray[np.bool_]:
        """Tell which rows are no fixed numbers."""
        return np.asarray((rows < self.inputs) | (rows >= self.inputs + self.constants.size))

    def work(self, values: Array) -> Array:
        """Compute all rows (rows, n) for values (inputs, n) of the inputs."""
        work = np.empty((self.inputs + self.constants.size + len(self.operations), values.shape[1]))
        work[: self.inputs] = values
        work[self.inputs : self.inputs + self.constants.size] = self.constants[:, None]
        from sglibrary.scalar_tables import compute  # compiled code, which geometry alone does not need

        compute(self.operations, work)
        return work

    def derivatives(self, work: Array, rows: Ints) -> Array:
        """Differentiate some rows (k,) by all inputs, at all columns of `work`: (n, k, inputs)."""
        from sglibrary.scalar_tables import derivatives

        out = np.empty((work.shape[1], rows.size, self.inputs))
        derivatives(self.operations, work, self.inputs, rows, out)
        return out


@dataclass(eq=False)
class Trace:
    """All values that were computed from some inputs, equal ones once, and the comparisons that were decided.

    Attributes
    ----------
    keys : list of tuple
        Kind of every value, and its number, or the values before it that it is computed from.
    numbers : dict of tuple to int
        Numbers of the values.
    comparisons : dict of (int, int, int)
        LESS or NOT_LESS, and two values.
    """

    keys: list[Key] = field(default_factory=list)
    numbers: dict[Key, int] = field(default_factory=dict)
    comparisons: dict[tuple[int, int, int], None] = field(default_factory=dict)

    def number(self, *key: Any) -> int:
        """Return the number of a value."""
        if key not in self.numbers:
            self.numbers[key] = len(self.keys)
            self.keys.append(key)
        return self.numbers[key]

    def input(self, number: int, sample: float) -> Traced:
        return Traced(self, self.number(INPUT, number), sample)

    def fixed(self, numbers: Any) -> NDArray[Any]:
        """Return an array of numbers, traced or not, as traced ones."""

        def number(x: Any) -> Traced:
            return x if isinstance(x, Traced) else Traced(self, self.node(x), float(x))

        return np.asarray(np.frompyfunc(number, 1, 1)(numbers), object)

    def node(self, x: Any) -> int:
        """Return the number of a value, traced or fixed."""
        return x.node if isinstance(x, Traced) else self.number(CONSTANT, float(x))

    def value(self, kind: str, sample: float, *operands: Any) -> Traced:
        nodes = [self.node(x) for x in operands]
        fixed = all(self.keys[node][0] == CONSTANT for node in nodes)
        return Traced(self, self.node(sample) if fixed else self.number(kind, *nodes), sample)

    def compare(self, x: Any, y: Any) -> bool:
        """Decide whether x is less than y, and note it."""
        less, pair = _sample(x) < _sample(y), (self.node(x), self.node(y))
        if any(self.keys[node][0] != CONSTANT for node in pair):
            self.comparisons[(codes.LESS if less else codes.NOT_LESS, *pair)] = None
        return less

    def nodes(self, numbers: Any) -> Ints:
        """Return the numbers of values, traced or fixed, of an array of any shape."""
        return np.asarray(np.frompyfunc(self.node, 1, 1)(numbers), np.int64)

    def table(self, inputs: int) -> tuple[Table, Ints]:
        """Make the table of all values and comparisons, and tell the row of each value in it."""
        kinds = np.array([kind for kind, *_ in self.keys])
        constants, fed = np.flatnonzero(kinds == CONSTANT), np.flatnonzero(kinds == INPUT)
        computed = np.flatnonzero((kinds != CONSTANT) & (kinds != INPUT))
        rows = np.empty(len(self.keys), np.int64)
        rows[fed] = [self.keys[node][1] for node in fed]
        rows[constants] = inputs + np.arange(constants.size)
        rows[computed] = inputs + constants.size + np.arange(computed.size)
        operations = [(CODES[kind], rows[of[0]], rows[of[-1]]) for kind, *of in (self.keys[node] for node in computed)]
        table = Table(
            inputs,
            np.array([self.keys[node][1] for node in constants], float),
            np.array(operations, np.int64).reshape(-1, 3),
            np.array([(code, rows[x], rows[y]) for code, x, y in self.comparisons], np.int64).reshape(-1, 3),
        )
        return table, rows


def _sample(x: Any) -> float:
    return x.sample if isinstance(x, Traced) else float(x)


def samples(numbers: Any) -> Any:
    """Return numbers, or traced ones at the sample: where a choice among rows is made that is the same for all."""
    array = np.asarray(numbers)
    return np.vectorize(_sample, otypes=[float])(array) if array.dtype == object else numbers


def plain(x: Any) -> Any:
    """Return a number as a float, unless it is traced and depends on inputs."""
    number = x[()] if isinstance(x, np.ndarray) else x
    if isinstance(number, Traced):
        return number if number.known is None else number.known
    return float(number)


def fixed_numbers(numbers: Any) -> Any:
    """Return numbers (...) as they are, or those that are traced and depend on no input as floats.

    Raises
    ------
    NotTraceableError
        If some depend on inputs.
    """
    array = np.asarray(numbers)
    return np.vectorize(plain, otypes=[float])(array) if array.dtype == object else numbers


def array_of(numbers: Sequence[Any]) -> NDArray[Any]:
    """Make an array of numbers (n,), of objects if some are traced."""
    return np.array(numbers, object if any(isinstance(x, Traced) for x in numbers) else float)


class Traced:
    """A number that remembers how it was computed; operations with fixed numbers that change nothing leave it."""

    __slots__ = ("node", "sample", "trace")

    def __init__(self, trace: Trace, node: int, sample: float) -> None:
        self.trace, self.node, self.sample = trace, node, sample

    def __repr__(self) -> str:
        return f"<traced {self.sample:g}>"

    def __float__(self) -> float:
        raise NotTraceableError("a number that depends on parameters is stored as a float")

    @property
    def known(self) -> float | None:
        """The number, if it is fixed."""
        return self.sample if self.trace.keys[self.node][0] == CONSTANT else None

    def __hash__(self) -> int:
        return hash((id(self.trace), self.node))

    # --- arithmetic ---------------------------------------------------------------------------

    def __add__(self, other: Any) -> Any:
        return self if _is(other, 0.0) else self.trace.value("+", self.sample + _sample(other), self, other)

    def __radd__(self, other: Any) -> Any:
        return self if _is(other, 0.0) else self.trace.value("+", _sample(other) + self.sample, other, self)

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, Traced) and other.node == self.node:
            return Traced(self.trace, self.trace.node(0.0), 0.0)
        return self if _is(other, 0.0) else self.trace.value("-", self.sample - _sample(other), self, other)

    def __rsub__(self, other: Any) -> Any:
        return -self if _is(other, 0.0) else self.trace.value("-", _sample(other) - self.sample, other, self)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Traced) and other.known is not None and self.known is None:
            return self * other.known
        if isinstance(other, Traced) and other.known is None and self.known is not None:
            return other * self.known
        if _is(other, 1.0):
            return self
        if _is(other, -1.0):
            return -self
        if _is(other, 0.0):
            return Traced(self.trace, self.trace.node(0.0), 0.0)
        return self.trace.value("*", self.sample * _sample(other), self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if _is(other, 1.0):
            return self
        divisor = _sample(other)
        return self.trace.value("/", self.sample / divisor if divisor else math.nan, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self.trace.value("/", _sample(other) / self.sample if self.sample else math.nan, other, self)

    def __pow__(self, power: Any) -> Any:
        if power in (0.5, 2):
            return self.sqrt() if power == 0.5 else self * self
        raise NotTraceableError(f"a number that depends on parameters is raised to the power of {power}")

    def __neg__(self) -> Any:
        kind, *operands = self.trace.keys[self.node]
        if kind == "n":
            return Traced(self.trace, operands[0], -self.sample)
        return self.trace.value("n", -self.sample, self)

    def __abs__(self) -> Traced:
        return self.trace.value("abs", abs(self.sample), self)

    def conjugate(self) -> Traced:
        return self

    def sqrt(self) -> Traced:
        return self.trace.value("sqrt", math.sqrt(self.sample) if self.sample >= 0.0 else math.nan, self)

    def sin(self) -> Traced:
        return self.trace.value("sin", math.sin(self.sample), self)

    def cos(self) -> Traced:
        return self.trace.value("cos", math.cos(self.sample), self)

    def arctan2(self, other: Any) -> Traced:
        return self.trace.value("arctan2", math.atan2(self.sample, _sample(other)), self, other)

    def sign(self) -> Traced:
        return self.trace.value("sign", 1.0 if self.sample >= 0.0 else -1.0, self)

    # --- comparisons --------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        return self.sample == _sample(other)

    def __ne__(self, other: object) -> bool:
        return self.sample != _sample(other)

    def __lt__(self, other: Any) -> bool:
        return self.trace.compare(self, other)

    def __gt__(self, other: Any) -> bool:
        return self.trace.compare(other, self)

    def __le__(self, other: Any) -> bool:
        return not self.trace.compare(other, self)

    def __ge__(self, other: Any) -> bool:
        return not self.trace.compare(self, other)


def _is(other: Any, number: float) -> bool:
    return (other.known if isinstance(other, Traced) else other) == number
