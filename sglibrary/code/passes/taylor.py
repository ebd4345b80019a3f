"""Taylor coefficients x₀, x₁, x₂ of expressions x(t) = x₀ + x₁ t + x₂ t² in one variable, such as time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sglibrary.code.graph import Expr, Graph, fma, inverse, root, select
from sglibrary.code.passes.slopes import needed, operands_of

Series = list[Expr]
"""Coefficients, lowest first."""


def taylor(graph: Graph, outputs: Sequence[Expr], given: Mapping[Expr, Sequence[Expr]], order: int) -> list[Series]:
    """Compute the coefficients of some expressions.

    Parameters
    ----------
    graph : Graph
    outputs : sequence of Expr
    given : mapping of Expr to sequence of Expr
        Coefficients of leaves, the first being the leaf itself; missing ones are 0, and other leaves are constant.
    order : int
        Power of the last coefficient.

    Returns
    -------
    list of list of Expr
        order + 1 coefficients of each output.
    """
    zero, found = graph.number(0.0), dict[Expr, Series]()
    for x in needed(graph, outputs):
        if x in given or x.is_leaf:
            own = [x, *given.get(x, [x])[1:]]
            found[x] = [*own, *[zero] * (order + 1 - len(own))]
        else:
            kind, operands = operands_of(x)
            found[x] = _series(kind, x, [found[each] for each in operands])
    return [found[x] for x in outputs]


def _series(kind: str, x: Expr, of: list[Series]) -> Series:
    """Coefficients of an operation from those of its operands; the first is the expression itself."""
    orders, zero = range(1, len(of[0])), x.graph.number(0.0)
    found = [x]
    if kind == "?":
        return found + [select(of[0][0], of[1][0], of[2][k], of[3][k]) for k in orders]
    if kind == "|":
        return found + [select(of[0][0], zero, of[0][k], -of[0][k]) for k in orders]
    if kind == "l":
        return found + [zero for _ in orders]
    if kind in "+-":
        return found + [of[0][k] + of[1][k] if kind == "+" else of[0][k] - of[1][k] for k in orders]
    if kind == "n":
        return found + [-of[0][k] for k in orders]
    if kind in "*f":
        rest = of[2] if kind == "f" else [zero] * len(of[0])
        return found + [_convolved(of[0][: k + 1], of[1][: k + 1], rest[k]) for k in orders]
    if kind == "r":  # x r = 1
        for k in orders:
            found.append(-(x * _convolved(of[0][1 : k + 1], found, zero)))
        return found
    size = root(of[0][0]) if kind == "i" else x
    half, roots = inverse(size) * 0.5, [size]
    for k in orders:  # s² = x
        roots.append(half * (of[0][k] - _convolved(roots[1:], roots[1:], zero)))
    return roots if kind == "s" else _series("r", x, [roots])


def _convolved(x: Sequence[Expr], y: Sequence[Expr], start: Expr) -> Expr:
    """start + Σ xᵢ y₋₁₋ᵢ."""
    total = start
    for a, b in zip(x, reversed(y), strict=True):
        total = fma(a, b, total)
    return total
