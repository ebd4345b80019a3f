"""Taylor coefficients x₀, x₁, x₂ of expressions x(t) = x₀ + x₁ t + x₂ t² in one variable, such as time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sglibrary.code.graph import Expr, Graph, fma, select
from sglibrary.code.passes.slopes import needed, operands_of, slopes

Series = list[Expr]
"""Coefficients, lowest first."""

DIRECT = frozenset("*f+-n?|l")
"""Operations whose coefficients are written out."""


def taylor(graph: Graph, outputs: Sequence[Expr], given: Mapping[Expr, Sequence[Expr]], order: int) -> list[Series]:
    """Compute the coefficients of some expressions.

    Those of products and sums are products and sums of coefficients. Of other operations y = f(x) they follow from
    y' = f'(x) x', one order after another, as the slope f'(x) is known up to the order before.

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
    zero, one = graph.number(0.0), graph.number(1.0)
    found, last = dict[Expr, Series](), dict[Expr, int]()
    factors = dict[Expr, list[Expr | None]]()  # slopes of what is neither a sum nor a product

    def prepare(outputs: Iterable[Expr], order: int) -> None:
        """Note up to which order expressions and slopes are needed."""
        for x in needed(graph, outputs, given):
            if last.get(x, -1) >= order:
                continue
            found[x], last[x] = [x], order
            if order and not x.is_leaf and x not in given and operands_of(x)[0] not in DIRECT:
                factors[x] = [None if slope is None else slope(one, zero) for slope in slopes(x)]
                prepare((factor for factor in factors[x] if factor is not None), order - 1)

    def coefficient(x: Expr, n: int) -> Expr:
        """Compute coefficient n, those before being known, and those of operands."""
        if x.is_leaf or x in given:
            return given[x][n] if x in given and n < len(given[x]) else zero
        kind, operands = operands_of(x)
        if x not in factors:
            return _direct(kind, [found[each][: n + 1] for each in operands])
        total = zero
        for operand, factor in zip(operands, factors[x], strict=True):
            for i in range(1, n + 1) if factor is not None else ():
                total = fma(found[operand][i] * float(i), found[factor][n - i], total)  # type: ignore[index]
        return total * (1.0 / n)

    prepare(outputs, order)
    for n in range(1, order + 1):
        for x in sorted((x for x in found if last[x] >= n), key=lambda x: x.at):
            found[x].append(coefficient(x, n))
    return [found[x] for x in outputs]


def _direct(kind: str, of: list[Series]) -> Expr:
    """The last coefficient of a sum, product or choice from all those of its operands."""
    match kind, of:
        case "*", [x, y]:
            return _convolved(x, y, x[0].graph.number(0.0))
        case "f", [x, y, z]:
            return _convolved(x, y, z[-1])
        case "+", [x, y]:
            return x[-1] + y[-1]
        case "-", [x, y]:
            return x[-1] - y[-1]
        case "n", [x]:
            return -x[-1]
        case "?", [x, y, first, second]:
            return select(x[0], y[0], first[-1], second[-1])
    x, zero = of[0], of[0][0].graph.number(0.0)
    return zero if kind == "l" else select(x[0], zero, x[-1], -x[-1])


def _convolved(x: Sequence[Expr], y: Sequence[Expr], start: Expr) -> Expr:
    """start + Σ xᵢ y₋₁₋ᵢ."""
    total = start
    for a, b in zip(x, reversed(y), strict=True):
        total = fma(a, b, total)
    return total
