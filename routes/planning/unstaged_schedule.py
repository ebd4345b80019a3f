"""Schedules without stages: every group has a lane and starts as soon as the groups it depends on are solved.

List scheduling in the manner of Topcuoglu, Hariri and Wu (2002): the group with the longest path to the end comes
first, and goes to the lane where it ends earliest. As it never looks ahead it is run with several priorities, on every
number of lanes, and the best schedule is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from groupkin.arguments import Count, checked
from groupkin.structure.decomposition import Structure
from routes.diagrams.diagram import Diagram, diagram_of, members
from routes.planning.bounds import longest_after, lower_bound
from routes.planning.costs import Costs, io_of_busiest

SHUFFLED = 30
"""Random changes of the priorities that are tried."""

Slot = tuple[float, float, int]
"""Start (s), end (s) and lane of a group."""


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
        groups: dict[int, list[str]] = {}
        for number, lane in zip(self.order, self.lanes, strict=True):
            groups.setdefault(lane, []).append(str(number))
        return "lanes " + " ‖ ".join(", ".join(groups[lane]) for lane in sorted(groups))


@checked
def unstaged(structure: Structure, costs: Costs, workers: Count | None = None) -> Schedule:
    """Find a schedule in which a group waits only for the groups it depends on.

    A group that reads what another lane has solved waits for a signal, as long as a barrier, and for the transfer.

    Parameters
    ----------
    structure : Structure
    costs : Costs
    workers : int, optional
        By default those of the costs.
    """
    costs = costs.with_workers(workers) if workers else costs
    diagram = diagram_of(structure)
    loads = [costs.block * costs.seconds[group.number] for group in structure.groups]
    waits = [costs.overhead + costs.transfer([group.number]) for group in structure.groups]
    lanes = range(1, max(1, min(costs.workers, diagram.size)) + 1)
    priorities = _priorities(diagram, loads, waits)
    schedules = (_list_schedule(diagram, loads, waits, priority, n) for priority in priorities for n in lanes)
    slots = min(schedules, key=_end)
    order = sorted(range(diagram.size), key=lambda k: (slots[k][0], k))
    io = io_of_busiest(costs, {k + 1: lane for k, (_, _, lane) in enumerate(slots)}) if costs.io else 0.0
    same = costs.fixed + costs.unassigned_io + io
    return Schedule(
        order=tuple(k + 1 for k in order),
        lanes=tuple(slots[k][2] for k in order),
        starts=tuple(slots[k][0] for k in order),
        ends=tuple(slots[k][1] for k in order),
        seconds=same + _end(slots) / costs.block,
        bound=same + lower_bound(diagram, loads, costs.workers) / costs.block,
    )


def _end(slots: Sequence[Slot]) -> float:
    return max((end for _, end, _ in slots), default=0.0)


def _priorities(diagram: Diagram, loads: Sequence[float], waits: Sequence[float]) -> Iterator[list[float]]:
    """The longest path from the start of every group, without and with waits, and changed at random."""
    plain = [load + after for load, after in zip(loads, longest_after(diagram, loads), strict=True)]
    yield plain
    yield [load + after for load, after in zip(loads, longest_after(diagram, loads, waits), strict=True)]
    draw = Random(diagram.size)
    for _ in range(SHUFFLED):
        yield [value * draw.uniform(0.8, 1.2) for value in plain]


def _list_schedule(
    diagram: Diagram, loads: Sequence[float], waits: Sequence[float], priority: Sequence[float], lanes: int
) -> list[Slot]:
    """The slot of every group."""
    free = [0.0] * lanes
    slots: list[Slot] = [(0.0, 0.0, 0)] * diagram.size
    missing = [bits.bit_count() for bits in diagram.before]
    ready = [k for k in range(diagram.size) if not missing[k]]
    while ready:
        k = max(ready, key=lambda k: (priority[k], -k))
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
