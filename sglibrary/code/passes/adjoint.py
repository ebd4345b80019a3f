"""Adjoints: how a sum of expressions changes with each leaf (reverse mode, VJP)."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from sglibrary.code.graph import Expr, Graph
from sglibrary.code.passes.slopes import depending, needed, operands_of, slopes


def adjoint(
    graph: Graph, weights: Mapping[Expr, Expr], inputs: Sequence[Expr], fixed: Container[Expr] = ()
) -> list[Expr]:
    """Carry weights of some expressions back to others.

    Parameters
    ----------
    graph : Graph
    weights : mapping of Expr to Expr
        Of outputs.
    inputs : sequence of Expr
        Mostly leaves; what they are computed from is left out.
    fixed : container of Expr
        Some that depend on no input, which then need not be looked into.

    Returns
    -------
    list of Expr
        For every input the derivative of the weighted sum of the outputs by it.
    """
    zero, ends = graph.number(0.0), set(inputs)
    back, order = dict(weights), needed(graph, weights, ends, fixed)
    moved = depending(order, ends)
    for x in reversed(order):
        weight = back.get(x, zero)
        if x in ends or x not in moved or weight.known == 0.0:
            continue
        for operand, slope in zip(operands_of(x)[1], slopes(x), strict=True):
            if slope is not None and operand in moved:
                back[operand] = slope(weight, back.get(operand, zero))
    return [back.get(x, zero) for x in inputs]
