"""Linear maps whose coefficients are computed: expressions that are linear in some inputs, as interpreted lists.

They may be written for Taylor coefficients in time as well.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from math import isqrt

from sglibrary.code.graph import Expr, Graph
from sglibrary.code.passes.slopes import needed
from sglibrary.code.passes.taylor import taylor
from sglibrary.code.schedule import Inversion

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
    stored : dict of int to str
        Places of other expressions that have one, by number; those of inputs are added.
    given : collection of Expr
        Of these, leaves that change with time.
    inverses : list of (list of Expr, list of Expr)
        Entries of matrices, and of their inverses, which are leaves.
    rows : tuple of int
        By how many rows of q, of inputs and of outputs the next Taylor coefficients lie behind the last ones.
    """

    graph: Graph
    outputs: list[tuple[Expr, Place]]
    inputs: dict[Expr, Place]
    stored: dict[int, str]
    given: Collection[Expr] = ()
    inverses: Sequence[tuple[list[Expr], list[Expr]]] = ()
    rows: tuple[int, int, int] = (0, 0, 0)

    def steps(self, orders: int = 1) -> tuple[list[str | Inversion], int]:
        """Write the lists, and matrices between them; and tell how many rows of working memory they take."""
        written = _Lists(self, orders)
        return written.steps(), written.work


@dataclass(eq=False)
class _Lists:
    """A map while its lists are written: places of what is given, or computed before, and Taylor coefficients."""

    of: LinearMap
    orders: int
    work: int = 0
    series: dict[Expr, list[Expr]] = field(default_factory=dict)

    def steps(self) -> list[str | Inversion]:
        of, found = self.of, list[str | Inversion]()
        for x, (array, row) in of.inputs.items():
            self._leaves(x, [f"{array} {row + k * of.rows[1]} 0" for k in range(self.orders)])
        every = [x for x, _ in of.outputs]
        read = set(needed(of.graph, every, of.inputs)) if of.inverses else set()
        for entries, inverse in of.inverses:
            if read.isdisjoint(inverse):
                continue
            self._series_of_rows(entries)
            first, count = self.work, len(entries)
            found.append(self._list(entries, [("w", first + k) for k in range(count)], count))
            found.append(Inversion(first, isqrt(count), self.orders))
            for k, x in enumerate(inverse):
                self._leaves(x, [f"w {first + (self.orders + i) * count + k}" for i in range(self.orders)])
            self.work = first + (2 * self.orders + 1) * count
        self._series_of_rows(every)
        found.append(self._list(every, [place for _, place in of.outputs], of.rows[2]))
        return [step for step in found if step]

    def _list(self, expressions: Sequence[Expr], places: Sequence[Place], ahead: int) -> str:
        """Write the list of the coefficients of expressions; each but the first goes so many rows behind the last."""
        series = [[x] for x in expressions]
        if self.orders > 1:
            series = taylor(self.of.graph, expressions, self.series, self.orders - 1)
        placed = [
            (x, f"{array} {row + i * ahead}" + (" 0" if array != "w" else ""))
            for of_one, (array, row) in zip(series, places, strict=True)
            for i, x in enumerate(of_one)
        ]
        return self.of.graph.text(placed, stored=self.of.stored, ahead=False)

    def _leaves(self, x: Expr, places: list[str]) -> None:
        """Say where the coefficients of an expression are."""
        coefficients = [x, *(self.of.graph.value("x", x.at, k) for k in range(1, self.orders))]
        self.series[x] = coefficients
        self.of.stored.update((y.at, place) for y, place in zip(coefficients, places, strict=True))

    def _series_of_rows(self, expressions: Sequence[Expr]) -> None:
        """Say where the further coefficients of what is given are."""
        graph = self.of.graph
        for x in needed(graph, expressions, self.of.inputs) if self.orders > 1 else ():
            if graph.keys[x.at][0] == "q" or x in self.of.given:
                place = self.of.stored.get(x.at) or " ".join(map(str, graph.keys[x.at]))
                row = sum(map(int, place.split()[1:]))
                self.series[x] = [x, *(graph.value("q", row + k * self.of.rows[0], 0) for k in range(1, self.orders))]
