"""Derivatives of operations: the one place that knows them.

Where an operation has no derivative, one side counts: of a size at 0 that of positive numbers, of a floor 0, and of a
choice that of what is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import pi, sqrt

from sglibrary.code.graph import Expr, Graph, fma, function, inverse, inverse_root, power, select

Slope = Callable[[Expr], Expr]
"""What the change of an operand is multiplied by; the same for what is carried back, as each step has its own."""


def operands_of(x: Expr) -> tuple[str, list[Expr]]:
    """Kind of an expression that is no leaf, and what it is computed from."""
    kind, *operands = x.graph.keys[x.at]
    return kind, [Expr(x.graph, k) for k in operands]


def slopes(x: Expr) -> list[Slope | None]:
    """Return the slope of an expression along each of its operands; None where it is always 0."""
    kind, operands = operands_of(x)
    zero = x.graph.number(0.0)
    match kind, operands:
        case "*", [a, b]:
            return [lambda change: b * change, lambda change: a * change]
        case "+", _:
            return [_same, _same]
        case "-", _:
            return [_same, _opposite]
        case "/", [_, b]:
            return [lambda change: change / b, lambda change: -(x / b) * change]
        case "f", [a, b, _]:
            return [lambda change: b * change, lambda change: a * change, _same]
        case "n", _:
            return [_opposite]
        case "r", _:
            return [lambda change: -(x * x) * change]
        case "i", _:
            return [lambda change: x * x * (x * -0.5) * change]
        case "s", _:
            return [lambda change: inverse(x) * 0.5 * change]
        case "|", [a]:
            return [lambda change: select(a, zero, change, -change)]
        case "l", _:
            return [None]
        case "sin", [a]:
            return [lambda change: function("cos", a) * change]
        case "cos", [a]:
            return [lambda change: -function("sin", a) * change]
        case "tan", _:
            return [lambda change: (x * x + 1.0) * change]
        case "asin", [a]:
            return [lambda change: inverse_root(1.0 - a * a) * change]
        case "acos", [a]:
            return [lambda change: -inverse_root(1.0 - a * a) * change]
        case "atan", [a]:
            return [lambda change: inverse(a * a + 1.0) * change]
        case "exp", _:
            return [lambda change: x * change]
        case "log", [a]:
            return [lambda change: inverse(a) * change]
        case "erf", [a]:
            return [lambda change: function("exp", -(a * a)) * (2.0 / sqrt(pi)) * change]
        case "atan2", [a, b]:
            share = inverse(fma(a, a, b * b))
            return [lambda change: share * b * change, lambda change: -(share * a) * change]
        case "pow", [a, b]:
            by_base = b * power(a, b - 1.0)
            return [
                lambda change: by_base * change,
                None if b.known is not None else lambda change: x * function("log", a) * change,
            ]
        case "?", [a, b, _, _]:
            return [None, None, lambda change: select(a, b, change, zero), lambda change: select(a, b, zero, change)]
    raise ValueError(f"operation {kind!r} has no derivative")


def _same(change: Expr) -> Expr:
    return change


def _opposite(change: Expr) -> Expr:
    return -change


def needed(graph: Graph, outputs: Iterable[Expr]) -> list[Expr]:
    """List all expressions that some are computed from, and these, each after its operands."""
    found = {x.at for x in outputs}
    waiting = list(found)
    while waiting:
        x = Expr(graph, waiting.pop())
        for operand in () if x.is_leaf else graph.keys[x.at][1:]:
            if operand not in found:
                found.add(operand)
                waiting.append(operand)
    return [Expr(graph, k) for k in sorted(found)]
