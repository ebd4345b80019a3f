"""What no route or schedule can beat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from routes.diagrams.diagram import Diagram, members


def paths(diagram: Diagram, loads: Sequence[float]) -> tuple[list[float], list[float]]:
    """For every group the longest sum of loads before it, and after it."""
    heads, tails = [0.0] * diagram.size, [0.0] * diagram.size
    for k, bits in enumerate(diagram.before):
        heads[k] = max((heads[j] + loads[j] for j in members(bits)), default=0.0)
    for k in range(diagram.size - 1, -1, -1):
        tails[k] = max((tails[j] + loads[j] for j in members(diagram.after[k])), default=0.0)
    return heads, tails


def least(diagram: Diagram, loads: Sequence[float], lanes: int, overhead: float = 0.0) -> float:
    """Seconds that the groups take at least.

    Parameters
    ----------
    diagram : Diagram
    loads : sequence of float
        Seconds of every group.
    lanes : int
    overhead : float
        Seconds that every stage costs besides.

    Notes
    -----
    Groups before which at least x and after which at least y must pass share the time between (Fernandez and Bussell
    1973): x + y + the sum of their loads over the lanes. The longest path is one such set, all groups are another, and
    they take as many overheads as there are levels.
    """
    if not loads:
        return 0.0
    longer = [load + overhead for load in loads]
    heads, tails = map(np.array, paths(diagram, longer))
    work = np.array(loads)
    found = float((heads + tails + longer).max())
    found = max(found, (1 + max(diagram.levels)) * overhead + float(work.sum()) / lanes)
    order = np.argsort(-tails, kind="stable")
    for x in np.unique(heads):
        inside = order[heads[order] >= x]
        found = max(found, float((x + tails[inside] + np.cumsum(work[inside]) / lanes).max()))
    return found
