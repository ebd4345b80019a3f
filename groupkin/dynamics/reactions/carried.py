"""Loads carried from the bodies of a mechanism back through its groups, as formulas: the transposed map of rates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from groupkin.kinematics.rates.sheet_values import SheetValues
from sglibrary.code.graph import Expr, total

Product = tuple[Expr, Expr, float]
"""Two values and a factor."""

LAST = -1
"""In place of a group: after all of them."""


@dataclass
class Carried:
    """The values that the registers of a map of rates have in the transposed map.

    A value is computed in a group. What another one needs of it, wrenches on the bodies that both groups share, is
    stored in a row.

    Attributes
    ----------
    sheet : SheetValues
    groups : list of int
        The group that each register belongs to; that of an input, of which there are `inputs`, is found.
    inputs : int
    values : list of Expr
        Of every register.
    stored : list of dict of Expr to int
        Of every group: values that others need, and their rows.
    outputs : list of (Expr, int)
        Value and group of every output; `LAST` are those that are computed after all groups.
    """

    sheet: SheetValues
    groups: list[int]
    inputs: int
    values: list[Expr] = field(default_factory=list)
    stored: list[dict[Expr, int]] = field(default_factory=list)
    outputs: list[tuple[Expr, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._uses: list[list[tuple[Product, int]]] = [[] for _ in self.groups]
        self.values = [self.sheet.graph.number(0.0)] * len(self.groups)
        self.stored = self.stored or [{} for _ in self.sheet.b.groups]

    def use(self, register: int, term: Product, group: int) -> None:
        """Say that a group uses a register."""
        if register >= 0 and term[1].known != 0.0:
            self._uses[register].append((term, group))

    def carry(self) -> None:
        """Compute the values of all registers, from the last to the first."""
        graph, registers = self.sheet.graph, self.sheet.b.registers
        for register in range(len(registers) - 1, -1, -1):
            uses = self._uses[register]
            if register < self.inputs:
                self.groups[register] = min((group for _, group in uses), default=0)
            own = self.groups[register]
            terms = [term for term, group in uses if group == own]
            for other in sorted({group for _, group in uses} - {own}):
                part = total(graph, (term for term, group in uses if group == other))
                self._store(part, other)
                terms.append((graph.number(1.0), part, 1.0))
            self.values[register] = total(graph, terms)
            for row, before, factor in registers[register]:
                self.use(before, (self.sheet.value(row), self.values[register], factor), own)

    def meet(self, registers: Iterable[int]) -> int:
        """Return the group in which the values of some registers are known, all after it having stored theirs."""
        group = min(self.groups[register] for register in registers)
        for register in registers:
            if self.groups[register] != group:
                self._store(self.values[register], self.groups[register])
        return group

    def at_last(self, registers: Sequence[int]) -> list[Expr]:
        """Return the values of some registers, known after all groups."""
        for register in registers:
            self._store(self.values[register], self.groups[register])
        return [self.values[register] for register in registers]

    def put_out(self, terms: list[Product], group: int) -> None:
        """Add the sum of some terms to the outputs."""
        self.outputs.append((total(self.sheet.graph, terms, positive=True), group))

    def _store(self, value: Expr, group: int) -> None:
        if value.known is None and value not in self.stored[group]:
            self.stored[group][value] = self.sheet.allocate()
