"""Numbers that remember how they were computed, as expressions, so that a computation becomes a list of operations.

Arrays of such numbers, of dtype object, go through the code that computes geometry and constants with numpy, as floats
do. Each has a sample value besides, by which comparisons are decided. A table is right as long as these have the same
outcome; those of inequality are noted with it. Of equality none is noted: what is the same at a sample of no special
values is the same always, and a divisor that happens to be zero gives a result that is not finite.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sglibrary.array_types import Array, Flags, Ints
from sglibrary.code.graph import Expr, Graph

if TYPE_CHECKING:
    from sglibrary.code.schedule import Schedule


LESS, NOT_LESS = 1, 0
"""Outcomes of comparisons."""


class NotTraceableError(TypeError):
    """A computation is no table of scalar operations, such as one that iterates until it has converged."""


@dataclass(frozen=True, eq=False)
class Table:
    """Numbers as functions of inputs, which an interpreted list computes (`sglibrary.scalar_tables`).

    Attributes
    ----------
    inputs : int
    values : tuple of Expr
        Of every row: inputs, fixed numbers, then what is computed.
    constants : (c,) array
        Fixed numbers: the rows after those of the inputs.
    list : Schedule
        Fills the last rows.
    comparisons : (m, 3) array of int
        LESS or NOT_LESS, and two rows.
    slopes : dict of tuple of int to Schedule
        Lists of derivatives of rows, as far as they have been needed.
    """

    inputs: int
    values: tuple[Expr, ...]
    constants: Array
    list: Schedule
    comparisons: Ints
    slopes: dict[tuple[int, ...], Schedule] = field(default_factory=dict)

    def changing(self, rows: Ints) -> Flags:
        """Tell which rows are no fixed numbers."""
        return np.asarray((rows < self.inputs) | (rows >= self.inputs + self.constants.size))

    def work(self, values: Array) -> Array:
        """Compute all rows (rows, n) for values (inputs, n) of the inputs."""
        work = np.empty((len(self.values), values.shape[1]))
        work[: self.inputs] = values
        work[self.inputs : self.inputs + self.constants.size] = self.constants[:, None]
        self.list.run(work, work, work, 1, values.shape[1])
        return work

    def derivatives(self, work: Array, rows: Ints) -> Array:
        """Differentiate some rows (k,) by all inputs, at all columns of `work`: (n, k, inputs)."""
        inputs, n = self.inputs, work.shape[1]
        found = np.empty((max(1, rows.size * inputs), n))
        work = np.ascontiguousarray(work)
        changes = np.repeat(np.eye(inputs).reshape(-1, 1), n, axis=1) if inputs else np.empty((1, n))
        self._slopes(tuple(rows.tolist())).run(work, changes, found, inputs, n)
        return found[: rows.size * inputs].reshape(rows.size, inputs, n).transpose(2, 0, 1)

    def _slopes(self, rows: tuple[int, ...]) -> Schedule:
        """The list of the derivatives of some rows along changes of the inputs, each of them a direction."""
        if rows in self.slopes:
            return self.slopes[rows]
        from sglibrary.code.passes.tangent import tangent
        from sglibrary.code.schedule import scheduled  # compiled code, which geometry alone does not need

        graph = self.values[0].graph
        changes = {x: graph.value("x", k) for k, x in enumerate(self.values[: self.inputs])}
        found = tangent(graph, [self.values[row] for row in rows], changes)
        places = {x.at: f"v {k} 0" for k, x in enumerate(changes.values())}
        text = graph.text([(x, f"a {k} 0") for k, x in enumerate(found)], stored=places, ahead=False)
        self.slopes[rows] = scheduled([text] if text else [], 0, int, True)
        return self.slopes[rows]


@dataclass(eq=False)
class Trace:
    """All values that were computed from some inputs, as expressions, and the comparisons that were decided.

    Attributes
    ----------
    graph : Graph
        Inputs are its rows of q.
    comparisons : dict of (int, int, int)
        LESS or NOT_LESS, and two values.
    wanted : dict of int to None
        Values that were asked for, by their numbers in the graph.
    """

    graph: Graph = field(default_factory=Graph)
    comparisons: dict[tuple[int, int, int], None] = field(default_factory=dict)
    wanted: dict[int, None] = field(default_factory=dict)

    def input(self, number: int, sample: float) -> Traced:
        return Traced(self, self.graph.value("q", number, 0).at, sample)

    def fixed(self, numbers: Any) -> NDArray[Any]:
        """Return an array of numbers, traced or not, as traced ones."""

        def number(x: Any) -> Traced:
            return x if isinstance(x, Traced) else Traced(self, self.node(x), float(x))

        return np.asarray(np.frompyfunc(number, 1, 1)(numbers), object)

    def node(self, x: Any) -> int:
        """Return the number of a value, traced or fixed."""
        return x.node if isinstance(x, Traced) else self.graph.number(float(x)).at

    def known(self, node: int) -> float | None:
        """The number that a value is, if it is fixed."""
        return self.graph.values[node].known

    def value(self, kind: str, sample: float, *operands: Any) -> Traced:
        """A value that an operation makes, of a kind that graphs have."""
        nodes = [self.node(x) for x in operands]
        fixed = all(self.known(node) is not None for node in nodes)
        return Traced(self, self.node(sample) if fixed else self.graph.value(kind, *nodes).at, sample)

    def compare(self, x: Any, y: Any) -> bool:
        """Decide whether x is less than y, and note it."""
        less, pair = _sample(x) < _sample(y), (self.node(x), self.node(y))
        if any(self.known(node) is None for node in pair):
            self.comparisons[(LESS if less else NOT_LESS, *pair)] = None
        return less

    def nodes(self, numbers: Any) -> Ints:
        """Return the numbers of values, traced or fixed, of an array of any shape, which the table will have."""
        found = np.asarray(np.frompyfunc(self.node, 1, 1)(numbers), np.int64)
        self.wanted.update(dict.fromkeys(found.ravel().tolist()))
        return found

    def table(self, inputs: int) -> tuple[Table, Ints]:
        """Make the table of all values that were asked for and of comparisons, and tell the row of each value in it."""
        from sglibrary.code.schedule import scheduled  # compiled code, which geometry alone does not need

        graph = self.graph
        fed = [graph.value("q", k, 0) for k in range(inputs)]
        compared = [node for _, *pair in self.comparisons for node in pair]
        asked = [x for x in map(graph.values.__getitem__, dict.fromkeys([*self.wanted, *compared])) if x not in fed]
        fixed, computed = ([x for x in asked if (x.known is None) == changes] for changes in (False, True))
        values = (*fed, *fixed, *computed)
        rows = np.full(len(graph.values), -1, np.int64)
        rows[[x.at for x in values]] = np.arange(len(values))
        first = inputs + len(fixed)
        text = graph.text([(x, f"q {row} 0") for row, x in enumerate(computed, first)], ahead=False)
        comparisons = np.array([(code, rows[x], rows[y]) for code, x, y in self.comparisons], np.int64)
        made = scheduled([text] if text else [], 0, int, False)
        constants = np.array([x.known for x in fixed], float)
        return Table(inputs, values, constants, made, comparisons.reshape(-1, 3)), rows


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
        return self.trace.known(self.node)

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
        kind, *operands = self.trace.graph.keys[self.node]
        if kind == "n":
            return Traced(self.trace, operands[0], -self.sample)
        return self.trace.value("n", -self.sample, self)

    def __abs__(self) -> Traced:
        return self.trace.value("|", abs(self.sample), self)

    def conjugate(self) -> Traced:
        return self

    def sqrt(self) -> Traced:
        return self.trace.value("s", math.sqrt(self.sample) if self.sample >= 0.0 else math.nan, self)

    def sin(self) -> Traced:
        return self.trace.value("sin", math.sin(self.sample), self)

    def cos(self) -> Traced:
        return self.trace.value("cos", math.cos(self.sample), self)

    def arctan2(self, other: Any) -> Traced:
        return self.trace.value("atan2", math.atan2(self.sample, _sample(other)), self, other)

    def sign(self) -> Traced:
        return self.trace.value("?", 1.0 if self.sample >= 0.0 else -1.0, self, 0.0, 1.0, -1.0)

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
