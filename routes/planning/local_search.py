"""Improve stages by moving groups between them."""

from __future__ import annotations

from collections.abc import Sequence

from routes.diagrams.diagram import members
from routes.planning.search_problem import Problem

PASSES = 30
"""Largest number of passes over all groups."""


def improve(problem: Problem, stages: Sequence[Sequence[int]]) -> list[list[int]]:
    """Move single groups, exchange two, and dissolve stages as long as that saves time.

    Parameters
    ----------
    problem : Problem
    stages : sequence of sequence of int
        Groups, from 0, each after those it depends on.
    """
    improved = [list(stage) for stage in stages]
    for _ in range(PASSES):
        changed = False
        for k in range(problem.diagram.size):
            changed |= _move(problem, improved, k)
        for n in range(len(improved) - 1, -1, -1):
            changed |= _dissolve(problem, improved, n)
        if not changed:
            for k in range(problem.diagram.size):
                changed |= _exchange(problem, improved, k)
        if not changed:
            break
    return improved


def _stage_of(stages: Sequence[Sequence[int]]) -> dict[int, int]:
    return {k: n for n, stage in enumerate(stages) for k in stage}


def _allowed(problem: Problem, stage_of: dict[int, int], k: int, count: int) -> range:
    """Stages, of so many, that a group may be in while all others stay."""
    first = max((stage_of[j] for j in members(problem.diagram.before[k])), default=-1) + 1
    last = min((stage_of[j] for j in members(problem.diagram.after[k])), default=count)
    return range(first, last)


def _without(stage: Sequence[int], k: int) -> list[int]:
    return [j for j in stage if j != k]


def _cost(problem: Problem, stage: Sequence[int]) -> float:
    return problem.overhead + problem.length(stage) if stage else 0.0


def _move(problem: Problem, stages: list[list[int]], k: int) -> bool:
    """Move a group to the stage where it saves most. True if it was moved."""
    stage_of = _stage_of(stages)
    source = stage_of[k]
    rest = _without(stages[source], k)
    saved = _cost(problem, stages[source]) - _cost(problem, rest)
    if saved <= 0:
        return False
    others = [n for n in _allowed(problem, stage_of, k, len(stages)) if n != source]
    added = {n: _cost(problem, [*stages[n], k]) - _cost(problem, stages[n]) for n in others}
    target = min(added, key=added.__getitem__, default=source)
    if target == source or added[target] >= saved * (1 - 1e-9):
        return False
    stages[target].append(k)
    stages[source] = rest
    if not rest:
        del stages[source]
    return True


def _dissolve(problem: Problem, stages: list[list[int]], n: int) -> bool:
    """Spread the groups of a stage over the others, if that saves time. True if it does."""
    if n >= len(stages):
        return False
    stage_of = _stage_of(stages)
    trial = [list(stage) for stage in stages]
    touched = {n}
    for k in sorted(stages[n], key=lambda k: -problem.length([k])):
        others = [m for m in _allowed(problem, stage_of, k, len(stages)) if m != n]
        if not others:
            return False
        m = min(others, key=lambda m: _cost(problem, [*trial[m], k]) - _cost(problem, trial[m]))
        trial[m].append(k)
        touched.add(m)
    trial[n] = []
    before = sum(_cost(problem, stages[m]) for m in touched)
    if sum(_cost(problem, trial[m]) for m in touched) >= before * (1 - 1e-9):
        return False
    stages[:] = [stage for stage in trial if stage]
    return True


def _exchange(problem: Problem, stages: list[list[int]], k: int) -> bool:
    """Exchange a group with one of another stage, if that saves time. True if it does."""
    stage_of = _stage_of(stages)
    source = stage_of[k]
    for target in _allowed(problem, stage_of, k, len(stages)):
        if target == source:
            continue
        before = _cost(problem, stages[source]) + _cost(problem, stages[target])
        for other in stages[target]:
            if source not in _allowed(problem, stage_of, other, len(stages)):
                continue
            first, second = [*_without(stages[source], k), other], [*_without(stages[target], other), k]
            if _cost(problem, first) + _cost(problem, second) < before * (1 - 1e-9):
                stages[source], stages[target] = first, second
                return True
    return False
