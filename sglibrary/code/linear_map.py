"""Linear maps whose coefficients are computed: expressions that are linear in some inputs, as interpreted lists.

They may be written for Taylor coefficients in time as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import isqrt

from sglibrary.code.graph import Expr, Graph
from sglibrary.code.interpreted import Inversion
from sglibrary.code.passes.slopes import needed
from sglibrary.code.passes.taylor import taylor

Place = tuple[str, int]
"""An array, and a row of it."""


@dataclass(frozen=True, eq=False)
class LinearMap:
    """A linear map.

    Attributes
    ----------
    graph : Graph
    outputs : list of (Expr, Place)
        What is computed, and where the value goes.
    inputs : dict of Expr to Place
        Where inputs are.
    given : dict of Expr to int
        Rows of q where other leaves are that have no place of their own.
    fixed : dict of Expr to int
        The same of numbers, which have no further coefficients.
    inverses : list of (list of Expr, list of Expr)
        Entries of matrices, and of their inverses, which are leaves.
    rows : tuple of int
        By how many rows of q, of inputs and of outputs the next Taylor coefficients lie behind the last ones.
    """

    graph: Graph
    outputs: list[tuple[Expr, Place]]
    inputs: dict[Expr, Place]
    given: dict[Expr, int]
    fixed: dict[Expr, int] = field(default_factory=dict)
    inverses: Sequence[tuple[list[Expr], list[Expr]]] = ()
    rows: tuple[int, int, int] = (0, 0, 0)

    def steps(self, orders: int = 1) -> tuple[list[str | Inversion], int]:
        """Write the lists, and matrices between them; and tell how many rows of working memory they take."""
        written = _Written(self, orders)
        return written.steps(), written.work


@dataclass(eq=False)
class _Written:
    """A map while its lists are written: places of what is given, or computed before, and Taylor coefficients."""

    of: LinearMap
    orders: int
    work: int = 0
    stored: dict[int, str] = field(default_factory=dict)
    series: dict[Expr, list[Expr]] = field(default_factory=dict)

    def steps(self) -> list[str | Inversion]:
        of, order, found = self.of, needed(self.of.graph, [x for x, _ in self.of.outputs]), list[str | Inversion]()
        for x, row in [*of.given.items(), *of.fixed.items()]:
            self.stored[x.at] = f"q {row} 0"
        for x, (array, row) in of.inputs.items():
            self._leaves(x, [f"{array} {row + k * of.rows[1]} 0" for k in range(self.orders)])
        read = set(order)
        for entries, inverse in of.inverses:
            if read.isdisjoint(inverse):
                continue
            self._series_of_rows(needed(of.graph, entries))
            first, count = self.work, len(entries)
            found.append(self._list(entries, lambda k, i: f"w {first + i * count + k}"))
            found.append(Inversion(first, isqrt(count), self.orders))
            for k, x in enumerate(inverse):
                self._leaves(x, [f"w {first + (self.orders + i) * count + k}" for i in range(self.orders)])
            self.work = first + (2 * self.orders + 1) * count
        self._series_of_rows(order)

        def place(k: int, i: int) -> str:
            array, row = of.outputs[k][1]
            return f"{array} {row + i * of.rows[2]} 0"

        found.append(self._list([x for x, _ in of.outputs], place))
        return [step for step in found if step]

    def _list(self, expressions: Sequence[Expr], place: Callable[[int, int], str]) -> str:
        """Write the list of the coefficients of expressions; the place of the i-th of number k is known."""
        series = [[x] for x in expressions]
        if self.orders > 1:
            series = taylor(self.of.graph, expressions, self.series, self.orders - 1)
        placed = [(x, place(k, i)) for k, of_one in enumerate(series) for i, x in enumerate(of_one)]
        return self.of.graph.text(placed, stored=self.stored)

    def _leaves(self, x: Expr, places: list[str]) -> None:
        """Say where the coefficients of an expression are."""
        coefficients = [x, *(self.of.graph.value("x", x.at, k) for k in range(1, self.orders))]
        self.series[x] = coefficients
        self.stored |= {y.at: place for y, place in zip(coefficients, places, strict=True)}

    def _series_of_rows(self, order: Sequence[Expr]) -> None:
        """Say where the further coefficients of what is given are."""
        graph = self.of.graph
        for x in order if self.orders > 1 else ():
            kind, *numbers = graph.keys[x.at]
            if kind == "q" or x in self.of.given:
                row = numbers[0] + numbers[1] if kind == "q" else self.of.given[x]
                self.series[x] = [x, *(graph.value("q", row + k * self.of.rows[0], 0) for k in range(1, self.orders))]
