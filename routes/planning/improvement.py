"""Stages made better by moving groups between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from routes.diagrams.diagram import Diagram, members

PASSES = 30


class Staged(Protocol):
    """What is needed of a search problem."""

    @property
    def diagram(self) -> Diagram: ...

    @property
    def overhead(self) -> float: ...

    def length(self, stage: Sequence[int]) -> float: ...


def improved(problem: Staged, stages: Sequence[Sequence[int]]) -> list[list[int]]:
    """Move single groups, exchange two, and dissolve stages as long as that helps.

    Parameters
    ----------
    problem : Staged
    stages : sequence of sequence of int
        Groups, from 0, each after those it depends on.
    """
    found = [list(stage) for stage in stages]
    for _ in range(PASSES):
        changed = False
        for k in range(problem.diagram.size):
            changed |= _moved(problem, found, k)
        for n in range(len(found) - 1, -1, -1):
            changed |= _dissolved(problem, found, n)
        if not changed:
            for k in range(problem.diagram.size):
                changed |= _exchanged(problem, found, k)
        if not changed:
            break
    return found


def _places(problem: Staged, stages: Sequence[Sequence[int]]) -> dict[int, int]:
    return {k: n for n, stage in enumerate(stages) for k in stage}


def _range(problem: Staged, place: dict[int, int], k: int, count: int) -> range:
    """Stages that a group may be in while all others stay."""
    first = max((place[j] for j in members(problem.diagram.before[k])), default=-1) + 1
    last = min((place[j] for j in members(problem.diagram.after[k])), default=count)
    return range(first, last)


def _without(stage: Sequence[int], k: int) -> list[int]:
    return [j for j in stage if j != k]


def _cost(problem: Staged, stage: Sequence[int]) -> float:
    return problem.overhead + problem.length(stage) if stage else 0.0


def _moved(problem: Staged, stages: list[list[int]], k: int) -> bool:
    """Move a group to the stage where it saves most."""
    place = _places(problem, stages)
    here = place[k]
    left = _without(stages[here], k)
    saved = _cost(problem, stages[here]) - _cost(problem, left)
    if saved <= 0:
        return False
    options = [n for n in _range(problem, place, k, len(stages)) if n != here]
    more = {n: _cost(problem, [*stages[n], k]) - _cost(problem, stages[n]) for n in options}
    there = min(more, key=more.__getitem__, default=here)
    if there == here or more[there] >= saved * (1 - 1e-9):
        return False
    stages[there].append(k)
    stages[here] = left
    if not left:
        del stages[here]
    return True


def _dissolved(problem: Staged, stages: list[list[int]], n: int) -> bool:
    """Spread the groups of a stage over the others, if that saves time."""
    if n >= len(stages):
        return False
    place = _places(problem, stages)
    trial = [list(stage) for stage in stages]
    touched = {n}
    for k in sorted(stages[n], key=lambda k: -problem.length([k])):
        options = [m for m in _range(problem, place, k, len(stages)) if m != n]
        if not options:
            return False
        m = min(options, key=lambda m: _cost(problem, [*trial[m], k]) - _cost(problem, trial[m]))
        trial[m].append(k)
        touched.add(m)
    trial[n] = []
    before = sum(_cost(problem, stages[m]) for m in touched)
    if sum(_cost(problem, trial[m]) for m in touched) >= before * (1 - 1e-9):
        return False
    stages[:] = [stage for stage in trial if stage]
    return True


def _exchanged(problem: Staged, stages: list[list[int]], k: int) -> bool:
    """Exchange a group with one of another stage, if that saves time."""
    place = _places(problem, stages)
    here = place[k]
    for there in _range(problem, place, k, len(stages)):
        if there == here:
            continue
        before = _cost(problem, stages[here]) + _cost(problem, stages[there])
        for other in stages[there]:
            if here not in _range(problem, place, other, len(stages)):
                continue
            first, second = [*_without(stages[here], k), other], [*_without(stages[there], other), k]
            if _cost(problem, first) + _cost(problem, second) < before * (1 - 1e-9):
                stages[here], stages[there] = first, second
                return True
    return False
