"""The solver of a group, found by its signature."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from groupkin.structure.decomposition import Group
from groupkin.structure.signature import GroupGraph, signature

if TYPE_CHECKING:
    from sglibrary.chain import Solver


@cache
def closed_forms() -> dict[str, tuple[Solver, tuple[int, ...]]]:
    """For every signature in the catalog: its solver, and the chain's bodies in the order of the signature."""
    from sglibrary.catalog import GROUPS

    table = {}
    for solver in GROUPS:
        bodies = 1 + max(body for a, b, _ in solver.chain for body in (a, b))
        text, order = signature(GroupGraph(solver.dimension, bodies, solver.chain))
        if text in table:
            raise ValueError(f"the catalog lists the group {text} twice")
        table[text] = (solver, order)
    return table


def roles(group: Group) -> tuple[Solver, dict[str, int]] | None:
    """Closed-form solver of a group and the chain's number of each of its bodies, if there is one."""
    found = closed_forms().get(group.signature)
    if found is None:
        return None
    solver, order = found
    return solver, {body: order[k] for k, body in enumerate(group.order)}
