"""Formulas as a graph of numbered values, equal ones being one, and their straight-line code.

A value is a row of positions or accelerations, a number, or computed from values before it
(`sglibrary.rates.straight_line`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

Key = tuple[str, *tuple[float, ...]]
"""Kind of a value, and its row, its number, or the values that it is computed from."""

LEAVES = "qac"


class Code(NamedTuple):
    """Straight-line code, and the rows, of q or a, and numbers that it refers to, in the order of their numbers."""

    text: str
    rows: list[tuple[str, int]]
    constants: list[float]


@dataclass
class Expressions:
    """A graph of values, which come after those that they are computed from."""

    keys: list[Key] = field(default_factory=list)
    numbers: dict[Key, int] = field(default_factory=dict)

    def value(self, kind: str, *operands: float) -> int:
        """The number of a value."""
        key: Key = (kind, *operands)
        if key not in self.numbers:
            self.numbers[key] = len(self.keys)
            self.keys.append(key)
        return self.numbers[key]

    def constant(self, number: float) -> int:
        return self.value("c", float(number))

    def known(self, x: int) -> float | None:
        """The number that a value always is, if it is one."""
        kind, *operands = self.keys[x]
        return operands[0] if kind == "c" else None

    def product(self, x: int, y: int) -> int:
        a, b = self.known(x), self.known(y)
        if a is not None and b is not None:
            return self.constant(a * b)
        if b is not None:
            x, y, a = y, x, b
        if a in (1.0, -1.0):
            return y if a == 1.0 else self.opposite(y)
        return self.value("*", x, y)

    def opposite(self, x: int) -> int:
        kind, *operands = self.keys[x]
        if kind == "c":
            return self.constant(-operands[0])
        return int(operands[0]) if kind == "n" else self.value("n", x)

    def reciprocal(self, x: int) -> int:
        number = self.known(x)
        return self.constant(1.0 / number) if number else self.value("r", x)

    def reciprocal_root(self, x: int) -> int:
        number = self.known(x)
        return self.constant(number**-0.5) if number else self.value("i", x)

    def chosen(self, x: int, y: int, first: int, second: int) -> int:
        """The first of two values where x is larger in size than y, else the second."""
        return first if first == second else self.value("?", self.value("|", y), self.value("|", x), second, first)

    def total(self, terms: Iterable[tuple[int, int, float]], positive: bool = False) -> int:
        """The sum of products of two values and a factor; perhaps such that zero is never negative."""
        every = [(*term, self.known(term[0]), self.known(term[1])) for term in terms]
        number = sum(factor * (a * b) for _, _, factor, a, b in every if a is not None and b is not None)
        found = self.constant(number) if number or positive else -1
        for x, y, factor, a, b in every:
            if a is not None and b is not None:
                continue
            if a is not None or b is not None:
                share, y = (factor * a, y) if a is not None else (factor * (b or 0.0), x)
                if not share:
                    continue
                x, factor = (self.constant(1.0), share) if abs(share) == 1.0 else (self.constant(share), 1.0)
            elif abs(factor) != 1.0:
                x, factor = self.product(self.constant(factor), x), 1.0
            found = self._added(found, x, y, factor)
        return self.constant(number) if found < 0 else found

    def _added(self, total: int, x: int, y: int, sign: float) -> int:
        """A sum with one more product, or its opposite."""
        if total < 0:
            made = self.product(x, y)
            return made if sign > 0.0 else self.opposite(made)
        if self.known(x) == 1.0:
            return self.value("+" if sign > 0.0 else "-", total, y)
        return self.value("f", self.opposite(x) if sign < 0.0 else x, y, total)

    def code(self, targets: Iterable[tuple[int, int]], stored: dict[int, int]) -> Code:
        """Write the code that computes values and stores them in rows.

        Parameters
        ----------
        targets : pairs of int
            Values, and rows.
        stored : dict of int to int
            Values that other codes have stored, and their rows.
        """
        lines: list[str] = []
        made: dict[int, int] = {}
        rows: list[tuple[str, int]] = []
        constants: list[float] = []

        def line(text: str) -> int:
            lines.append(text)
            return len(lines) - 1

        def row(number: float, kind: str = "q") -> int:
            rows.append((kind, int(number)))
            return len(rows) - 1

        for target, to in targets:
            waiting = [target]
            while waiting:
                x = waiting[-1]
                kind, *operands = self.keys[x]
                if x in made:
                    waiting.pop()
                elif x in stored:
                    made[x] = line(f"q {row(stored[x])}")
                elif kind == "c":
                    constants.append(operands[0])
                    made[x] = line(f"c {len(constants) - 1}")
                elif kind in "qa":
                    made[x] = line(f"{kind} {row(operands[0], kind)}")
                elif missing := [int(k) for k in operands if k not in made]:
                    waiting += reversed(missing)
                else:
                    made[x] = line(f"{kind} {' '.join(str(made[int(k)]) for k in operands)}")
            line(f"= {made[target]} {row(to)}")
        return Code(";".join(lines), rows, constants)
