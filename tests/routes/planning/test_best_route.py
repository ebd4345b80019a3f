"""The best route against all routes, the heuristic against the best, and bounds below both."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from statistics import median

import pytest

from routes.diagrams.route import validated
from routes.diagrams.route_tree import tree
from routes.planning.beam_search import beam_search
from routes.planning.best_route import EXAMINED, best
from routes.planning.bounds import lower_bound
from routes.planning.costs import Costs, predicted_cost, stage_cost
from routes.planning.search_problem import problem_of
from routes.planning.shortest_path import shortest_path
from tests.support.diagrams import PUBLISHED, STAR, published, random_before, random_costs, structure

OVERHEADS = (0.0, 0.05, 0.3, 1.0, 10.0)
TIGHT = 1e-9  # rounding of sums of some ten terms


def least_of_all(given, costs: Costs) -> float:  # type: ignore[no-untyped-def]
    """Seconds per step of the best of all routes."""
    known: dict[tuple[int, ...], float] = {}
    found = float("inf")
    for route in tree(given).routes():
        for stage in route.stages:
            if stage not in known:
                known[stage] = stage_cost(costs, stage)
        found = min(found, sum(known[stage] for stage in route.stages))
    return costs.fixed + costs.unassigned_io + found / costs.block


@pytest.mark.smoke
@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in PUBLISHED])
@pytest.mark.parametrize("lanes", [2, 3])
def test_best_of_all_routes_of_published_mechanisms(case: dict, lanes: int) -> None:  # type: ignore[type-arg]
    given = published(case)
    draw = Random(lanes)
    costs = random_costs(draw, len(given.groups), lanes, draw.choice(OVERHEADS))
    alike = {group.signature: costs.seconds[group.number] for group in given.groups}
    same = replace(costs, seconds={group.number: alike[group.signature] for group in given.groups})
    for one in (costs, same):
        found = best(given, one)
        assert found.seconds == pytest.approx(least_of_all(given, one), rel=TIGHT)
        assert found.gap == 0
        assert found.how.startswith("exact")


@pytest.mark.parametrize("seed", range(60))
def test_best_of_all_routes_of_random_diagrams(seed: int) -> None:
    draw = Random(seed)
    size = draw.randint(1, 6)
    given = structure(random_before(draw, size, draw.uniform(0, 0.7)))
    costs = random_costs(draw, size, draw.randint(2, 4), draw.choice(OVERHEADS))
    least = least_of_all(given, costs)
    found, problem = best(given, costs), problem_of(given, costs)
    assert found.seconds == pytest.approx(least, rel=TIGHT)
    assert found.seconds == pytest.approx(predicted_cost(costs, validated(found.route, given)), rel=TIGHT)
    shortest = shortest_path(problem, EXAMINED, float("inf"))  # whatever the heuristic finds
    assert shortest is not None
    from_path = problem.cost(shortest.stages)
    assert from_path == pytest.approx(problem.cost([[k - 1 for k in s] for s in found.route.stages]), rel=TIGHT)
    bound = lower_bound(problem.diagram, problem.loads, problem.lanes, problem.overhead)
    assert problem.lower_bound(0, sum(problem.loads)) <= bound * (1 + TIGHT)
    assert bound <= from_path * (1 + TIGHT)
    by_hand = best(given, costs, limit=0)
    assert by_hand.bound <= least * (1 + TIGHT)
    assert by_hand.seconds >= least * (1 - TIGHT)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(3))
def test_best_of_all_routes_of_seven_groups(seed: int) -> None:
    draw = Random(seed)
    given = structure(random_before(draw, 7, 0.25))
    costs = random_costs(draw, 7, 2, OVERHEADS[seed])
    assert best(given, costs).seconds == pytest.approx(least_of_all(given, costs), rel=TIGHT)


@pytest.mark.exhaustive
def test_the_heuristic_is_close_to_the_best() -> None:
    excess = []
    for seed in range(60):
        draw = Random(seed)
        size = draw.randint(8, 16)
        given = structure(random_before(draw, size, draw.uniform(0.05, 0.5)))
        problem = problem_of(given, random_costs(draw, size, draw.randint(2, 4), draw.choice(OVERHEADS)))
        shortest = shortest_path(problem, EXAMINED, float("inf"))
        if shortest is not None:
            excess.append(problem.cost(beam_search(problem)) / problem.cost(shortest.stages) - 1)
    assert len(excess) >= 50
    assert min(excess) >= -TIGHT
    assert median(excess) < 0.05


def test_interchangeable_groups_are_counted_once() -> None:
    """Of 59 interchangeable groups only their number matters: without that 2^59 stages could come next."""
    given = structure(STAR)
    costs = Costs(dict.fromkeys(range(1, 61), 1.0), {}, barrier=0.5, block=1, workers=4)
    shortest = shortest_path(problem_of(given, costs), 10_000, float("inf"))
    assert shortest is not None
    assert shortest.stages == ((0,), tuple(range(1, 60)))
    assert shortest.examined < 1_000
    found = best(given, costs)
    assert found.seconds == 1 + 15 + 2 * 0.5
    assert found.gap == 0


def test_groups_of_one_signature_that_cost_differently_are_told_apart() -> None:
    given = structure([[], [], [], []])
    costs = Costs({1: 1.0, 2: 1.0, 3: 3.0, 4: 3.0}, {}, barrier=0.0, block=1, workers=2)
    assert len(problem_of(given, costs).diagram.twins) == 2
    assert best(given, costs).seconds == 4


def test_one_worker_has_nothing_to_choose() -> None:
    given = structure([[], [], [0]])
    costs = random_costs(Random(0), 3, 2, 1.0)
    found = best(given, costs, workers=1)
    assert str(found.route) == "1 → 2 → 3"
    assert found.seconds == predicted_cost(costs.with_workers(1), found.route)
    assert (found.how, found.gap) == ("one worker: every route costs the same", 0)


@pytest.mark.exhaustive
def test_two_hundred_groups_have_a_gap() -> None:
    draw = Random(1)
    given = structure(random_before(draw, 200, 0.02))
    costs = random_costs(draw, 200, 4, 0.05)
    found = best(given, costs, limit=0)
    validated(found.route, given)
    assert found.how == "heuristic (as asked): stages laid by list scheduling, then improved"
    assert 0 < found.bound <= found.seconds
    assert found.seconds == predicted_cost(costs, found.route)
    assert found.seconds < min(
        predicted_cost(costs, tree(given).parallel), predicted_cost(costs, tree(given).sequential)
    )


def test_what_is_too_much_for_the_exact_search_is_said() -> None:
    draw = Random(7)
    given = structure(random_before(draw, 14, 0.1))
    costs = random_costs(draw, 14, 3, 0.3)
    found = best(given, costs, limit=5)
    assert found.how.startswith("heuristic (more than 5 stages to look at)")
    assert found.gap > 0
