"""Which lane solves which groups, in which order, and what it waits for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from groupkin.kinematics.program.dataflow import Flow
from groupkin.structure.decomposition import Structure
from sglibrary.array_types import Ints


@dataclass(frozen=True)
class Lane:
    """What one lane does in every block.

    Attributes
    ----------
    groups : tuple of int
        Numbers of the groups it solves, in this order. Behind those of all groups are the numbers of their ways back
        (`there_and_back`).
    waits : tuple of tuple of (int, int)
        For each of them, what has to be finished before: a lane, and how many groups there.
    """

    groups: tuple[int, ...]
    waits: tuple[tuple[tuple[int, int], ...], ...]

    def packed(self) -> tuple[Ints, Ints]:
        """Waits one after another (w, 2), and where those of each group begin (g + 1,)."""
        starts = np.cumsum([0, *map(len, self.waits)])
        return np.array([pair for waits in self.waits for pair in waits], np.int64).reshape(-1, 2), starts


Lanes = tuple[Lane, ...]

Message = tuple[int, int, Ints]
"""A lane, how many groups the sender has finished, and the rows of the state that are sent."""

Exchange = tuple[list[list[Message]], list[list[Message]]]
"""Of every lane: what it sends, and what it receives, in this order."""


def staged(stages: Sequence[Sequence[int]], lane_of: Mapping[int, int], lanes: int) -> Lanes:
    """The schedule of a route: no group of a stage is begun before all groups of the stages before are finished.

    Parameters
    ----------
    stages : sequence of sequence of int
        Numbers of groups.
    lane_of : mapping of int to int
        The lane of every group.
    lanes : int
    """
    before: dict[int, Sequence[int]] = {}
    last: dict[int, int] = {}
    for stage in stages:
        before |= dict.fromkeys(stage, tuple(last.values()))
        last |= {lane_of[number]: number for number in stage}
    return _schedule(before, lane_of, lanes)


def unstaged(structure: Structure, order: Sequence[int], lane_of: Mapping[int, int], lanes: int) -> Lanes:
    """A schedule in which a group is begun as soon as those it depends on are finished.

    Parameters
    ----------
    order : sequence of int
        Numbers of the groups as their lanes take them, each after those it depends on.
    """
    return _schedule({number: structure.groups[number - 1].depends_on for number in order}, lane_of, lanes)


def there_and_back(lanes: Lanes, flows: Sequence[Flow]) -> Lanes:
    """Lanes that carry loads back through their groups when these are solved, in reverse order.

    Each way back is begun as soon as what it reads has been written, by groups or other ways back, on any lane.

    Parameters
    ----------
    lanes : tuple of Lane
        For the groups.
    flows : sequence of Flow
        Of all groups, of their ways back in reverse order, and of what follows after all of them.
    """
    lane_of = {number: k for k, lane in enumerate(lanes) for number in lane.groups}
    count = len(lane_of)
    writer = {int(row): number for number, flow in enumerate(flows, start=1) for row in flow.writes}
    before: dict[int, Sequence[int]] = {}
    for number in range(count + 1, len(flows) + 1):
        first, last = flows[number - 1].calls
        if first < last:
            lane_of[number] = lane_of[max(1, 2 * count + 1 - number)]
            read = (int(row) for row in flows[number - 1].reads)
            before[number] = sorted({writer[row] for row in read if row in writer})
    return _schedule(before, lane_of, len(lanes), lanes)


def there(lanes: Lanes, groups: int) -> Lanes:
    """Lanes without their ways back."""
    counts = [sum(number <= groups for number in lane.groups) for lane in lanes]
    return tuple(Lane(lane.groups[:k], lane.waits[:k]) for lane, k in zip(lanes, counts, strict=True))


def _schedule(before: Mapping[int, Sequence[int]], lane_of: Mapping[int, int], lanes: int, begun: Lanes = ()) -> Lanes:
    """Lanes that take groups in the order of `before`, which says what each waits for, after what they have begun."""
    begun = begun or (Lane((), ()),) * lanes
    groups, waits = [list(lane.groups) for lane in begun], [list(lane.waits) for lane in begun]
    waited = [[0] * lanes for _ in range(lanes)]  # how many groups of every lane each lane has waited for
    for lane, pairs in enumerate(waits):
        for other, number in (pair for of_group in pairs for pair in of_group):
            waited[lane][other] = max(waited[lane][other], number)
    finished = {number: k for lane in groups for k, number in enumerate(lane, start=1)}
    for number, earlier in before.items():
        lane = lane_of[number]
        needed: dict[int, int] = {}
        for other in earlier:
            if lane_of[other] != lane and finished[other] > waited[lane][lane_of[other]]:
                waited[lane][lane_of[other]] = needed[lane_of[other]] = finished[other]
        waits[lane].append(tuple(sorted(needed.items())))
        groups[lane].append(number)
        finished[number] = len(groups[lane])
    return tuple(Lane(tuple(numbers), tuple(pairs)) for numbers, pairs in zip(groups, waits, strict=True))


def messages(lanes: Lanes, flows: Sequence[Flow]) -> Exchange:
    """What lanes that do not see each other's memory send: for every wait, the rows that are read and not yet known."""
    reads = [_rows([flows[number - 1].reads for number in lane.groups]) for lane in lanes]
    sent: list[list[Message]] = [[] for _ in lanes]
    received: list[list[Message]] = [[] for _ in lanes]
    known: dict[tuple[int, int], int] = {}
    for to, lane in enumerate(lanes):
        for origin, count in (pair for waits in lane.waits for pair in waits):
            new = lanes[origin].groups[known.get((origin, to), 0) : count]
            rows = np.intersect1d(_rows([flows[number - 1].writes for number in new]), reads[to])
            known[origin, to] = count
            sent[origin].append((to, count, rows))
            received[to].append((origin, count, rows))
    for own in sent:
        own.sort(key=lambda message: message[1])  # in the order in which they are ready
    return sent, received


def _rows(parts: Sequence[Ints]) -> Ints:
    return np.unique(np.concatenate([np.zeros(0, np.int64), *parts]))
