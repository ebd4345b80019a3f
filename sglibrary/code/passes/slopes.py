"""Derivatives of operations: the one place that knows them.

Where an operation has no derivative, one side counts: of a size at 0 that of positive numbers, of a floor 0, and of a
choice that of what is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from math import pi, sqrt

from sglibrary.code.graph import Expr, Graph, fma, function, inverse, inverse_root, power, select

Slope = Callable[[Expr, Expr], Expr]
"""Adds to an expression what a change of an operand makes of it; the same for what is carried back, as each step has
its own."""


def operands_of(x: Expr) -> tuple[str, list[Expr]]:
    """Kind of an expression that is no leaf, and what it is computed from."""
    kind, *operands = x.graph.keys[x.at]
    return kind, [x.graph.values[k] for k in operands]


def slopes(x: Expr) -> list[Slope | None]:
    """Return the slope of an expression along each of its operands; None where it is always 0."""
    kind, operands = operands_of(x)
    zero = x.graph.number(0.0)
    match kind, operands:
        case "*", [a, b]:
            return [_times(b), _times(a)]
        case "+", _:
            return [_plus, _plus]
        case "-", _:
            return [_plus, _minus]
        case "/", [_, b]:
            return [lambda change, onto: onto + change / b, _times(-(x / b))]
        case "f", [a, b, _]:
            return [_times(b), _times(a), _plus]
        case "n", _:
            return [_minus]
        case "|", [a]:
            return [lambda change, onto: onto + select(a, zero, change, -change)]
        case "?", [a, b, _, _]:
            first: Slope = lambda change, onto: onto + select(a, b, change, zero)  # noqa: E731
            return [None, None, first, lambda change, onto: onto + select(a, b, zero, change)]
    return [None if factor is None else _times(factor) for factor in _factors(x, kind, operands)]


def _factors(x: Expr, kind: str, operands: list[Expr]) -> list[Expr | None]:
    """What changes of the operands of a function are multiplied by."""
    match kind, operands:
        case "r", _:
            return [-(x * x)]
        case "i", _:
            return [x * x * (x * -0.5)]
        case "s", _:
            return [inverse(x) * 0.5]
        case "l", _:
            return [None]
        case "sin", [a]:
            return [function("cos", a)]
        case "cos", [a]:
            return [-function("sin", a)]
        case "tan", _:
            return [x * x + 1.0]
        case "asin", [a]:
            return [inverse_root(1.0 - a * a)]
        case "acos", [a]:
            return [-inverse_root(1.0 - a * a)]
        case "atan", [a]:
            return [inverse(a * a + 1.0)]
        case "exp", _:
            return [x]
        case "log", [a]:
            return [inverse(a)]
        case "erf", [a]:
            return [function("exp", -(a * a)) * (2.0 / sqrt(pi))]
        case "atan2", [a, b]:
            share = inverse(fma(a, a, b * b))
            return [share * b, -(share * a)]
        case "pow", [a, b]:
            by_base = b * power(a, b - 1.0)
            return [by_base, None if b.known is not None else x * function("log", a)]
    raise ValueError(f"operation {kind!r} has no derivative")


def _times(factor: Expr) -> Slope:
    return lambda change, onto: fma(factor, change, onto)


def _plus(change: Expr, onto: Expr) -> Expr:
    return onto + change


def _minus(change: Expr, onto: Expr) -> Expr:
    return onto - change


def needed(
    graph: Graph, outputs: Iterable[Expr], ends: Container[Expr] = (), fixed: Container[Expr] = ()
) -> list[Expr]:
    """List all expressions that some are computed from, and these, each after its operands; none before the ends."""
    found = {x.at for x in outputs}
    waiting = list(found)
    while waiting:
        x = graph.values[waiting.pop()]
        for operand in () if x.is_leaf or x in ends or x in fixed else graph.keys[x.at][1:]:
            if operand not in found:
                found.add(operand)
                waiting.append(operand)
    return [graph.values[k] for k in sorted(found)]


def depending(expressions: Iterable[Expr], inputs: Container[Expr]) -> set[Expr]:
    """Choose the expressions, each after its operands, that depend on inputs, and these."""
    found = set[Expr]()
    for x in expressions:
        if x in inputs or (not x.is_leaf and any(operand in found for operand in operands_of(x)[1])):
            found.add(x)
    return found
