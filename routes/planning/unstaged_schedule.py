"""Schedules without stages: every group has a lane and starts when what it depends on is solved.

List scheduling in the manner of Topcuoglu, Hariri and Wu (2002): the group from which most remains to the end comes
first, and goes to the lane where it ends earliest. As it never looks ahead it is run with several orders, on every
number of lanes, and the best is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from groupkin.structure.decomposition import Structure
from routes.diagrams.diagram import Diagram, diagram_of, members
from routes.planning import bounds
from routes.planning.costs import Costs, on_lanes, outside

SHUFFLED = 30
"""Orders that are tried besides that of the longest paths."""


@dataclass(frozen=True)
class Schedule:
    """Lanes and times of all groups in one block.

    Attributes
    ----------
    order : tuple of int
        Numbers of the groups as they start: each after those it depends on.
    lanes : tuple of int
        The lane, from 0, of every group in this order.
    starts, ends : tuple of float
        Seconds from the beginning of the block, in this order.
    seconds : float
        Per step, predicted.
    bound : float
        Seconds per step that every schedule takes at least under the same costs.
    """

    order: tuple[int, ...]
    lanes: tuple[int, ...]
    starts: tuple[float, ...]
    ends: tuple[float, ...]
    seconds: float
    bound: float

    @property
    def gap(self) -> float:
        """By what share the schedule may be worse than the best."""
        return self.seconds / self.bound - 1 if self.bound else 0.0

    def __str__(self) -> str:
        rows = [[str(n) for n, lane in zip(self.order, self.lanes, strict=True) if lane == k] for k in self._used]
        return "lanes " + " ‖ ".join(", ".join(row) for row in rows)

    @property
    def _used(self) -> list[int]:
        return sorted(set(self.lanes))


def unstaged(structure: Structure, costs: Costs, workers: int | None = None) -> Schedule:
    """A schedule in which no group waits for others than those it depends on.

    A group that reads what another lane has solved waits for a signal, as long as a barrier, and for the bytes.

    Parameters
    ----------
    structure : Structure
    costs : Costs
    workers : int, optional
        Default: those of the costs.
    """
    costs = on_lanes(costs, workers) if workers else costs
    diagram = diagram_of(structure)
    loads = [costs.block * costs.seconds[group.number] for group in structure.groups]
    waits = [costs.overhead + costs.handing_on([group.number]) for group in structure.groups]
    lanes = range(1, max(1, min(costs.workers, diagram.size)) + 1)
    tried = (_listed(diagram, loads, waits, rank, n) for rank in _ranks(diagram, loads, waits) for n in lanes)
    found = min(tried, key=lambda slots: max((slot[1] for slot in slots), default=0.0))
    order = sorted(range(diagram.size), key=lambda k: (found[k][0], k))
    least = bounds.least(diagram, loads, costs.workers)
    around = outside(costs, {k + 1: slot[2] for k, slot in enumerate(found)}) if costs.around else 0.0
    same = costs.common + costs.besides + around
    return Schedule(
        order=tuple(k + 1 for k in order),
        lanes=tuple(found[k][2] for k in order),
        starts=tuple(found[k][0] for k in order),
        ends=tuple(found[k][1] for k in order),
        seconds=same + max((slot[1] for slot in found), default=0.0) / costs.block,
        bound=same + least / costs.block,
    )


def _remaining(diagram: Diagram, loads: Sequence[float], waits: Sequence[float]) -> list[float]:
    """Seconds from the start of every group to the end of all that depend on it."""
    found = [0.0] * diagram.size
    for k in range(diagram.size - 1, -1, -1):
        found[k] = loads[k] + max((waits[k] + found[j] for j in members(diagram.after[k])), default=0.0)
    return found


def _ranks(diagram: Diagram, loads: Sequence[float], waits: Sequence[float]) -> Iterator[list[float]]:
    """Priorities: the time that remains, with and without waits, and the same shuffled a little."""
    plain = _remaining(diagram, loads, [0.0] * diagram.size)
    yield plain
    yield _remaining(diagram, loads, waits)
    draw = Random(diagram.size)
    for _ in range(SHUFFLED):
        yield [value * draw.uniform(0.8, 1.2) for value in plain]


def _listed(
    diagram: Diagram, loads: Sequence[float], waits: Sequence[float], rank: Sequence[float], lanes: int
) -> list[tuple[float, float, int]]:
    """Start, end and lane of every group."""
    free = [0.0] * lanes
    slots: list[tuple[float, float, int]] = [(0.0, 0.0, 0)] * diagram.size
    missing = [bits.bit_count() for bits in diagram.before]
    ready = [k for k in range(diagram.size) if not missing[k]]
    while ready:
        k = max(ready, key=lambda k: (rank[k], -k))
        ready.remove(k)
        before = members(diagram.before[k])
        starts = [
            max([free[lane], *(slots[j][1] + waits[j] * (slots[j][2] != lane) for j in before)])
            for lane in range(lanes)
        ]
        lane = min(range(lanes), key=starts.__getitem__)
        free[lane] = starts[lane] + loads[k]
        slots[k] = starts[lane], free[lane], lane
        for j in members(diagram.after[k]):
            missing[j] -= 1
            if not missing[j]:
                ready.append(j)
    return slots
