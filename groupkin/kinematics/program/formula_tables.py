"""Couplings as tables of operations, as `sglibrary.iterative.formulas` reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from groupkin.mechanism.couplings.relations import Relation
from groupkin.mechanism.formulas.syntax import Node, Number, Reading
from sglibrary.iterative import kinds as codes

OF_ONE = {
    "minus": codes.NEGATIVE,
    "sin": codes.SIN,
    "cos": codes.COS,
    "tan": codes.TAN,
    "asin": codes.ASIN,
    "acos": codes.ACOS,
    "atan": codes.ATAN,
    "sqrt": codes.SQRT,
    "abs": codes.ABS,
    "exp": codes.EXP,
    "log": codes.LOG,
}
OF_TWO = {
    "+": codes.PLUS,
    "-": codes.MINUS,
    "*": codes.TIMES,
    "/": codes.OVER,
    "**": codes.POWER,
    "atan2": codes.ATAN2,
    "min": codes.LEAST,
    "max": codes.MOST,
}
"""Codes of operations on numbers, by their names in formulas."""

Vector = tuple[int, ...]
"""Numbers of the operations that give the components."""


@dataclass
class Tape:
    """Operations of a formula while they are written.

    Attributes
    ----------
    relation : Relation
    operations : list of (int, int, int)
    constants : list of float
    """

    relation: Relation
    operations: list[tuple[int, int, int]] = field(default_factory=list)
    constants: list[float] = field(default_factory=list)

    def add(self, code: int, first: int = 0, second: int = 0) -> int:
        """Write an operation, once; its number."""
        operation = (code, first, second)
        if operation not in self.operations:
            self.operations.append(operation)
        return self.operations.index(operation)

    def constant(self, value: float) -> int:
        if value not in self.constants:
            self.constants.append(value)
        return self.add(codes.CONSTANT, self.constants.index(value))

    def write(self, node: Node) -> Vector:
        """Write the operations of a part of the formula; the numbers of those that give its components."""
        if isinstance(node, Number):
            return (self.constant(node.value),)
        if isinstance(node, Reading):
            return tuple(self.add(codes.COORDINATE, k) for k in self.relation.places[node.text])
        operands = [self.write(operand) for operand in node.operands]
        name, first = node.name, operands[0]
        if name in "xyz":
            return (first["xyz".index(name)],)
        if name == "plus":
            return first
        if name in OF_ONE:
            return tuple(self.add(OF_ONE[name], x) for x in first)
        if name in ("norm", "hypot"):
            parts = first if name == "norm" else [operand[0] for operand in operands]
            return (self.add(codes.SQRT, self.total([self.add(codes.TIMES, x, x) for x in parts])),)
        if name == "dot":
            return (self.total([self.add(codes.TIMES, x, y) for x, y in zip(*operands, strict=True)]),)
        if name == "cross":
            return self.cross(*operands)
        result = first
        for operand in operands[1:]:
            width = max(len(result), len(operand))
            pairs = zip(_repeated(result, width), _repeated(operand, width), strict=True)
            result = tuple(self.add(OF_TWO[name], x, y) for x, y in pairs)
        return result

    def total(self, parts: Sequence[int]) -> int:
        first, *others = parts
        for other in others:
            first = self.add(codes.PLUS, first, other)
        return first

    def cross(self, first: Vector, second: Vector) -> Vector:
        def part(i: int, j: int) -> int:
            ahead, behind = (self.add(codes.TIMES, first[k], second[m]) for k, m in ((i, j), (j, i)))
            return self.add(codes.MINUS, ahead, behind)

        return (part(0, 1),) if len(first) == 2 else (part(1, 2), part(2, 0), part(0, 1))


def _repeated(vector: Vector, width: int) -> Vector:
    return vector * width if len(vector) == 1 else vector


def tape(relation: Relation) -> Tape:
    """Write the operations of a coupling, the last of which gives the left minus the right side of its equation."""
    written, coupling = Tape(relation), relation.coupling
    if coupling.function is not None:
        for k in range(len(relation.coordinates)):
            written.add(codes.COORDINATE, k)
        written.add(codes.CALL, 0, coupling.compiled.address)
    elif coupling.tree is None:
        x, y = (written.add(codes.COORDINATE, k) for k in range(2))
        at, spline = len(written.constants), coupling.spline
        pieces = np.ascontiguousarray(spline.c[::-1].T).ravel()
        written.constants += [len(spline.x) - 1, float(coupling.closed), *spline.x, *pieces]
        written.add(codes.MINUS, y, written.add(codes.SPLINE, x, at))
    else:
        (last,) = written.write(coupling.tree)
        if last != len(written.operations) - 1:  # the last one gives the value
            written.operations.append(written.operations[last])
    return written
