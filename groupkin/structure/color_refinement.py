"""Color refinement: nodes of a graph are told apart by their neighbors, those by theirs, and so on.

Two nodes that a symmetry of the graph exchanges keep the same color; most others get different ones. This is the
one-dimensional Weisfeiler-Leman method.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

Keys = list[tuple[Any, ...]]


def hashed(keys: Keys) -> list[int]:
    """Colors that mean the same in every graph of this process, so that graphs can be compared; without an order."""
    return [hash(key) for key in keys]


def ranked(keys: Keys) -> list[int]:
    """Colors 0, 1, … in the order of their keys, which are the same in every process, for canonical forms."""
    ranks = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    return [ranks[key] for key in keys]


def refine(
    colors: Sequence[int],
    keys: Callable[[Sequence[int]], Keys],
    recolored: Callable[[Keys], list[int]] = hashed,
    rounds: int = sys.maxsize,
) -> list[int]:
    """Colors of nodes, refined by those of their neighbors until no more nodes can be told apart.

    Parameters
    ----------
    colors : sequence of int
        The color that each node starts with.
    keys : callable
        From the colors of all nodes to one key per node: its own color, and the sorted colors of its neighbors.
    recolored : callable
        `hashed` or `ranked`: from keys to colors, equal ones for equal keys.
    rounds : int
        Largest number of rounds.

    Examples
    --------
    >>> path = [[1], [0, 2], [1, 3], [2]]
    >>> refine([0] * 4, lambda at: [(at[k], *sorted(at[n] for n in path[k])) for k in range(4)], ranked)
    [0, 1, 1, 0]
    """
    refined, count = list(colors), len(set(colors))
    for _ in range(rounds):
        refined = recolored(keys(refined))
        before, count = count, len(set(refined))
        if count <= before:
            break
    return refined
