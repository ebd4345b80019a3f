"""Tangents: how expressions change with leaves (forward mode, JVP)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sglibrary.code.graph import Expr, Graph, select
from sglibrary.code.passes.slopes import needed, operands_of, slopes


def tangent(graph: Graph, outputs: Sequence[Expr], seeds: Mapping[Expr, Expr]) -> list[Expr]:
    """Compute the changes of some expressions.

    Parameters
    ----------
    graph : Graph
    outputs : sequence of Expr
    seeds : mapping of Expr to Expr
        Changes of leaves, and of any expressions whose own operands then do not matter; those of others are 0.

    Returns
    -------
    list of Expr
        Changes of the outputs.
    """
    zero, changes = graph.number(0.0), dict[Expr, Expr]()
    for x in needed(graph, outputs, seeds):
        if x in seeds:
            changes[x] = seeds[x]
        elif x.is_leaf:
            changes[x] = zero
        else:
            changes[x] = _change(x, changes)
    return [changes[x] for x in outputs]


def _change(x: Expr, changes: Mapping[Expr, Expr]) -> Expr:
    kind, operands = operands_of(x)
    if kind == "?":
        a, b, first, second = operands
        return select(a, b, changes[first], changes[second])
    total = x.graph.number(0.0)
    for operand, slope in zip(operands, slopes(x), strict=True):
        if slope is not None and changes[operand].known != 0.0:
            total = slope(changes[operand], total)
    return total
