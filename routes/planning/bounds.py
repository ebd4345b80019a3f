"""Lower bounds: what no route or schedule can beat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from routes.diagrams.diagram import Diagram, members


def longest_after(diagram: Diagram, loads: Sequence[float], waits: Sequence[float] | None = None) -> list[float]:
    """For every group the longest path after it.

    Parameters
    ----------
    diagram : Diagram
    loads : sequence of float
        Seconds of every group.
    waits : sequence of float, optional
        Seconds from the end of every group to the start of its followers; by default 0.
    """
    after = [0.0] * diagram.size
    for k in range(diagram.size - 1, -1, -1):
        longest = max((loads[j] + after[j] for j in members(diagram.after[k])), default=None)
        if longest is not None:
            after[k] = (waits[k] if waits else 0.0) + longest
    return after


def longest_before(diagram: Diagram, loads: Sequence[float]) -> list[float]:
    """For every group the longest path before it, given the seconds of every group."""
    before = [0.0] * diagram.size
    for k, bits in enumerate(diagram.before):
        before[k] = max((before[j] + loads[j] for j in members(bits)), default=0.0)
    return before


def lower_bound(diagram: Diagram, loads: Sequence[float], lanes: int, overhead: float = 0.0) -> float:
    """Seconds that the groups take at least.

    Parameters
    ----------
    diagram : Diagram
    loads : sequence of float
        Seconds of every group.
    lanes : int
        Number of workers that solve different groups.
    overhead : float
        Seconds that every stage costs in addition.

    Notes
    -----
    Groups before which at least x and after which at least y must pass share the time between (Fernandez and Bussell
    1973): x + y + the sum of their loads over the lanes. The longest path is one such set, all groups are another, and
    they take as many overheads as there are levels.
    """
    if not loads:
        return 0.0
    with_overhead = [load + overhead for load in loads]
    heads = np.array(longest_before(diagram, with_overhead))
    tails = np.array(longest_after(diagram, with_overhead))
    work = np.array(loads)
    bound = float((heads + tails + with_overhead).max())
    bound = max(bound, (1 + max(diagram.levels)) * overhead + float(work.sum()) / lanes)
    order = np.argsort(-tails, kind="stable")
    for x in np.unique(heads):
        inside = order[heads[order] >= x]
        bound = max(bound, float((x + tails[inside] + np.cumsum(work[inside]) / lanes).max()))
    return bound
