"""The sheet of a map of rates as a graph of values ."""

from __future__ import annotations

from dataclasses import dataclass, field

from groupkin.kinematics.rates.sheet_builder import Builder, Operation
from sglibrary.code.graph import Expr, Graph, inverse, inverse_root, total
from sglibrary.rates.operations import INVERT, RECIPROCAL, SUM


@dataclass
class SheetValues:
    """Values of the rows of a sheet.

    Attributes
    ----------
    b : Builder
    graph : Graph
        Its rows are those of the state, and behind them others.
    rows : int
        How many there are.
    computed : dict of int to int
        Rows of the sheet that are given beside the state, and where they are.
    inversions : list of (list of Expr, list of int)
        Entries of every matrix that is inverted by elimination, and the rows of its inverse.
    """

    b: Builder
    graph: Graph = field(default_factory=Graph)
    rows: int = -1
    computed: dict[int, int] = field(default_factory=dict)
    inversions: list[tuple[list[Expr], list[int]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        b = self.b
        self.rows = b.program.rows
        self._values = {b.zero: self.graph.number(0.0), b.one: self.graph.number(1.0)}
        self._operations: dict[int, Operation] = {}
        self._seen = 0
        self._values |= {row: self.of_row(row) for row in b.program.kept.tolist()}
        for row in b.read[len(b.program.kept) :]:
            self.computed[row] = self.allocate()
            self._values[row] = self.of_row(self.computed[row])

    def of_row(self, row: int) -> Expr:
        """What is in a row of q."""
        return self.graph.value("q", row, 0)

    def allocate(self) -> int:
        """A row that is not yet in use."""
        self.rows += 1
        return self.rows - 1

    def value(self, row: int) -> Expr:
        """The value of a row of the sheet."""
        if row not in self._values:
            self._see_operations()
            if row in self._operations:
                self._operate(*self._operations[row])
            else:
                self._values[row] = self.graph.number(self.b.constants[row])
        return self._values[row]

    def _see_operations(self) -> None:
        """Find what writes which row; the builder may have got more operations."""
        for operation in self.b.operations[self._seen :]:
            code, out, terms = operation
            for row in range(out, out + (len(terms) if code == INVERT else 1)):
                self._operations[row] = operation
        self._seen = len(self.b.operations)

    def _operate(self, code: int, out: int, terms: list[tuple[int, int, float]]) -> None:
        first = self.value(terms[0][0])
        if code == SUM:
            self._values[out] = total(self.graph, ((self.value(x), self.value(y), factor) for x, y, factor in terms))
        elif code == INVERT:
            entries = [self.value(x) for x, _, _ in terms]
            rows = [self.allocate() for _ in terms]
            self.inversions.append((entries, rows))
            self._values |= {out + k: self.of_row(row) for k, row in enumerate(rows)}
        else:
            self._values[out] = inverse(first) if code == RECIPROCAL else inverse_root(first)
