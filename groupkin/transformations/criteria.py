"""Criteria by which structures are compared: functions of an `Outline`, and their order.

A criterion is any function of an outline that returns a number. Those that are here count; what is known of solvers is
handed in, since solvers are chosen elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache

import networkx as nx

from groupkin.errors import QueryError
from groupkin.mechanism.pairs import EQUATIONS_PER_BODY, freedoms
from groupkin.messages import hint
from groupkin.structure.signature import GroupGraph
from groupkin.transformations.outline import Outline

Criterion = Callable[[Outline], float]

MOST = ("groups", "closed", "width")
"""Criteria of which more is better; of all others less is."""

DEFAULT_ORDER = ("groups", "largest", "closed", "cost")

CLOSED = 25
"""Operations of a closed form for every equation: position, velocity and acceleration."""

ITERATIONS, EVALUATION = 3, 150
"""Of Newton's method: iterations of a step, and operations for every unknown to set up the equations."""

LOAD = {2: 27, 3: 100}
"""Operations to compute the inertia and weight of a body, and to carry the loads on it to another point."""


def criteria(has_closed_form: Callable[[GroupGraph], bool]) -> dict[str, Criterion]:
    """The criteria that there are, by name.

    ``groups``: number of groups; ``largest``: bodies of the largest; ``closed``: share of groups with a closed form;
    ``depth``: number of levels of the structural diagram; ``width``: most groups on one level, which can be solved
    side by side; ``cost``: operations per step, predicted by `operations`; ``forces``: those of driving forces and
    reactions, by `force_operations`.
    """
    return {
        "groups": lambda outline: len(outline.members),
        "largest": lambda outline: max(map(len, outline.members), default=0),
        "closed": lambda outline: sum(map(has_closed_form, outline.graphs)) / max(len(outline.graphs), 1),
        "depth": lambda outline: max(outline.levels, default=0),
        "width": lambda outline: max(Counter(outline.levels).values(), default=0),
        "cost": lambda outline: sum(operations(graph, has_closed_form(graph)) for graph in outline.graphs),
        "forces": lambda outline: sum(map(force_operations, outline.graphs)),
    }


@lru_cache(10_000)
def operations(graph: GroupGraph, closed: bool) -> float:
    """Rough number of operations to solve a group at one step.

    Newton's method has as many unknowns m as undriven freedoms are in a minimum spanning tree of the group's joints;
    every iteration sets up m equations and solves them, velocity and acceleration take one solution each.
    """
    if closed:
        return float(CLOSED * EQUATIONS_PER_BODY[graph.dimension] * graph.bodies)
    m = _core(graph)
    return float(round((ITERATIONS + 2) * EVALUATION * m + ITERATIONS * 2 * m**3 / 3 + 4 * m**2))


@lru_cache(10_000)
def force_operations(graph: GroupGraph) -> float:
    """Rough number of operations to carry loads back through a group at one step, with the reactions of its joints.

    The group's core has a row for each of the m undriven freedoms of its tree: its entries are products of twists and
    wrenches, it is inverted, and applied once. Loads of bodies, and reactions of joints, are carried to other points.
    """
    m, moved = _core(graph), graph.bodies + len(graph.edges)
    return float(round(2 * EQUATIONS_PER_BODY[graph.dimension] * m**2 + 2 * m**3 + LOAD[graph.dimension] * moved))


def _core(graph: GroupGraph) -> int:
    """Undriven freedoms in a minimum spanning tree of the joints of a group."""
    joined = nx.MultiGraph()
    for a, b, code in graph.edges:
        symbol, _, driven = code.partition("*")
        joined.add_edge(a, b, weight=len(freedoms(symbol, graph.dimension)) - len(driven))
    return sum(data["weight"] for *_, data in nx.minimum_spanning_edges(joined, data=True, keys=False))


def check_order(order: Sequence[str], known: Collection[str]) -> None:
    """Refuse criteria to sort by that are not known.

    Raises
    ------
    QueryError
    """
    for name in order:
        if name.removeprefix("-") not in known:
            near = hint(name.removeprefix("-"), known)
            raise QueryError(f"there is no criterion {name!r}{near}; there are {', '.join(known)}")


def sort_key(values: Mapping[str, float], order: Sequence[str]) -> tuple[float, ...]:
    """What to sort by so that the best comes first; a name that begins with - turns its order around.

    Examples
    --------
    >>> sort_key({"groups": 5, "depth": 3}, ["groups", "-depth"])
    (-5, -3)
    """
    key = []
    for name in order:
        plain = name.removeprefix("-")
        sign = -1 if plain in MOST else 1
        key.append((sign if plain == name else -sign) * values[plain])
    return tuple(key)
