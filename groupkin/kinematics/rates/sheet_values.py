"""The sheet of a map of rates as a graph of values (`Expressions`)."""

from __future__ import annotations

from dataclasses import dataclass, field

from groupkin.kinematics.rates.expressions import Expressions
from groupkin.kinematics.rates.sheet_builder import Builder, Operation
from sglibrary.rates.operations import INVERT, RECIPROCAL, SUM


@dataclass
class SheetValues:
    """Values of the rows of a sheet.

    Attributes
    ----------
    b : Builder
    made : Expressions
        Its rows are those of the state, and behind them others.
    rows : int
        How many there are.
    computed : dict of int to int
        Rows of the sheet that are given beside the state, and where they are.
    inversions : list of (list of int, list of int)
        Entries of every matrix that is inverted by elimination, and the rows of its inverse.
    """

    b: Builder
    made: Expressions = field(default_factory=Expressions)
    rows: int = -1
    computed: dict[int, int] = field(default_factory=dict)
    inversions: list[tuple[list[int], list[int]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        b = self.b
        self.rows = b.program.rows
        self._values = {b.zero: self.made.constant(0.0), b.one: self.made.constant(1.0)}
        self._operations: dict[int, Operation] = {}
        self._seen = 0
        self._values |= {row: self.made.value("q", row) for row in b.program.kept.tolist()}
        for row in b.read[len(b.program.kept) :]:
            self.computed[row] = self.allocate()
            self._values[row] = self.made.value("q", self.computed[row])

    def allocate(self) -> int:
        """A row that is not yet in use."""
        self.rows += 1
        return self.rows - 1

    def value(self, row: int) -> int:
        """The value of a row of the sheet."""
        if row not in self._values:
            self._see_operations()
            if row in self._operations:
                self._operate(*self._operations[row])
            else:
                self._values[row] = self.made.constant(self.b.constants[row])
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
            self._values[out] = self.made.total((self.value(x), self.value(y), factor) for x, y, factor in terms)
        elif code == INVERT:
            entries = [self.value(x) for x, _, _ in terms]
            rows = [self.allocate() for _ in terms]
            self.inversions.append((entries, rows))
            self._values |= {out + k: self.made.value("q", row) for k, row in enumerate(rows)}
        else:
            self._values[out] = self.made.reciprocal(first) if code == RECIPROCAL else self.made.reciprocal_root(first)
