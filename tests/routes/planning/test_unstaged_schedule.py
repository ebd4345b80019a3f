"""Schedules without stages: that they are right, and how good."""

from __future__ import annotations

from itertools import permutations, product
from random import Random
from statistics import median

import pytest

from groupkin.structure.decomposition import Structure
from routes.planning.costs import Costs
from routes.planning.unstaged_schedule import Schedule, unstaged
from tests.support.diagrams import random_before, random_costs, structure

ROUNDING = 1e-9


def case(seed: int, largest: int) -> tuple[Structure, Costs]:
    draw = Random(seed)
    size = draw.randint(1, largest)
    given = structure(random_before(draw, size, draw.uniform(0, 0.6)))
    return given, random_costs(draw, size, draw.randint(1, 3), draw.choice([0.0, 0.1, 1.0]))


def check(given: Structure, costs: Costs, found: Schedule) -> None:
    """Every group runs once, on one lane, alone there, and after what it depends on has reached it."""
    at = {number: k for k, number in enumerate(found.order)}
    assert sorted(found.order) == [group.number for group in given.groups]
    for group in given.groups:
        k = at[group.number]
        assert found.ends[k] - found.starts[k] == pytest.approx(costs.block * costs.seconds[group.number])
        for before in group.depends_on:
            j = at[before]
            assert j < k
            wait = 0.0 if found.lanes[j] == found.lanes[k] else costs.overhead + costs.transfer([before])
            assert found.starts[k] >= found.ends[j] + wait - ROUNDING
    for j, k in product(range(len(at)), repeat=2):
        if j < k and found.lanes[j] == found.lanes[k]:
            assert found.starts[k] >= found.ends[j] - ROUNDING
    assert set(found.lanes) <= set(range(costs.workers))
    last = max(found.ends, default=0.0) / costs.block
    assert found.seconds == pytest.approx(costs.fixed + costs.unassigned_io + last)
    assert found.bound <= found.seconds * (1 + ROUNDING)


@pytest.mark.parametrize("seed", range(40))
def test_schedules_are_right(seed: int) -> None:
    given, costs = case(seed, 15)
    found = unstaged(given, costs)
    check(given, costs, found)
    assert found.seconds <= costs.fixed + costs.unassigned_io + sum(costs.seconds.values()) + ROUNDING


def best_by_trying(given: Structure, costs: Costs) -> float:
    """The shortest of all orders on all lanes."""
    groups = {group.number: group for group in given.groups}
    best = float("inf")
    for order in permutations(groups):
        place = {number: n for n, number in enumerate(order)}
        if any(place[j] > place[k] for k in groups for j in groups[k].depends_on):
            continue
        for chosen in product(range(costs.workers), repeat=len(order)):
            lane, ends, free = dict(zip(order, chosen, strict=True)), {}, [0.0] * costs.workers
            for k in order:
                reached = [
                    ends[j] + (costs.overhead + costs.transfer([j])) * (lane[j] != lane[k])
                    for j in groups[k].depends_on
                ]
                ends[k] = max([free[lane[k]], *reached]) + costs.block * costs.seconds[k]
                free[lane[k]] = ends[k]
            best = min(best, max(ends.values()))
    return costs.fixed + costs.unassigned_io + best / costs.block


def test_schedules_are_close_to_the_best() -> None:
    excess, below = [], []
    for seed in range(40):
        given, costs = case(seed, 5)
        found, best = unstaged(given, costs), best_by_trying(given, costs)
        excess.append(found.seconds / best - 1)
        below.append(found.bound / best - 1)
    assert min(excess) >= -ROUNDING
    assert max(below) <= ROUNDING
    assert median(excess) < 0.05


def test_two_hundred_groups_have_a_gap() -> None:
    draw = Random(1)
    given = structure(random_before(draw, 200, 0.02))
    costs = random_costs(draw, 200, 4, 0.05)
    found = unstaged(given, costs)
    check(given, costs, found)
    assert 0 <= found.gap < 1


def test_lanes_are_written_one_after_another() -> None:
    given = structure([[], [], [0], [1]])
    costs = Costs({1: 1.0, 2: 1.5, 3: 1.0, 4: 1.0}, dict.fromkeys(range(1, 5), 1.0), barrier=9.0, block=1)
    found = unstaged(given, costs)
    assert str(found) == "lanes 2, 4 ‖ 1, 3"
    assert found.seconds == 2.5
