"""Numbers of routes: published ones, closed formulas, and all routes of random diagrams tried one by one."""

from __future__ import annotations

from functools import cache
from itertools import islice
from math import comb
from random import Random

import pytest

from groupkin.errors import TooManyRoutesError
from routes.diagrams import route_counting
from routes.diagrams.diagram import Diagram
from routes.diagrams.route import Route
from routes.diagrams.route_counting import count_routes
from routes.diagrams.route_tree import Tree, tree
from tests.support.diagrams import (
    CHAINS,
    PUBLISHED,
    STAR,
    diagram,
    every_placement,
    every_symmetry,
    published,
    random_before,
    structure,
)

CASES = [pytest.param(case, id=case["name"]) for case in PUBLISHED]


@cache
def ordered_partitions(n: int) -> int:
    return 1 if n == 0 else sum(comb(n, k) * ordered_partitions(n - k) for k in range(1, n + 1))


def crown(size: int) -> Diagram:
    """Groups each of which depends on all first ones but its own: no twins, no parts, and size! symmetries."""
    late = [[j for j in range(size) if j != k] for k in range(size)]
    return diagram([[]] * size + late)


@pytest.mark.smoke
@pytest.mark.parametrize("case", CASES)
def test_published_numbers(case: dict) -> None:  # type: ignore[type-arg]
    found = tree(published(case))
    assert found.count() == case["routes"]
    assert found.distinct() == case.get("distinct_routes", len(set(found.routes(distinct=True))))
    assert found.distinct_is_exact


def test_each_published_route_is_listed_once() -> None:
    for case in PUBLISHED:
        found = tree(published(case))
        routes = list(found.routes())
        assert len(set(routes)) == len(routes) == case["routes"]
        assert (routes[0], routes[-1]) == (found.sequential, found.parallel)


@pytest.mark.parametrize("seed", range(60))
def test_random_diagrams_against_all_placements(seed: int) -> None:
    draw = Random(seed)
    size = draw.randint(1, 6)
    given = diagram(random_before(draw, size, draw.random()), [draw.choice("aaab") for _ in range(size)])
    found, placements, symmetries = Tree(given), every_placement(given), list(every_symmetry(given))
    orbits = {min(tuple(places[k] for k in images) for images in symmetries) for places in placements}
    listed = {placed(route) for route in found.routes()}
    some = [placed(route) for route in found.routes(distinct=True)]
    assert listed == placements
    assert found.count() == len(placements)
    assert found.distinct() == len(some) == len(orbits)
    assert {min(tuple(places[k] for k in images) for images in symmetries) for places in some} == orbits
    for n, number in enumerate(found.by_stages()):
        assert number == sum(max(places) + 1 == n for places in placements)


def placed(route: Route) -> tuple[int, ...]:
    place = {number: n for n, stage in enumerate(route.stages) for number in stage}
    return tuple(place[number] for number in sorted(place))


def test_a_group_with_59_interchangeable_followers() -> None:
    found = Tree(diagram(STAR))
    assert found.count() == ordered_partitions(59)
    assert found.distinct() == 2**58
    assert found.distinct_is_exact


@pytest.mark.exhaustive
def test_four_chains_in_two_ways() -> None:
    """From the parts, and over the sets of solved groups; up to exchange the first of these is the only one."""
    given = diagram(CHAINS)
    found = Tree(given)
    assert route_counting._count_by_sets(given, distinct=False).by_stages == found.by_stages()
    assert found.distinct_is_exact
    assert found.count() / 24 < found.distinct() < found.count() / 23.9  # nearly all routes differ under all exchanges


def test_two_chains_by_formula() -> None:
    """Routes of chains of a and b groups in n stages choose those of each chain, and leave none empty."""
    a, b = 4, 6
    found = Tree(diagram([(), *((k,) for k in range(a - 1)), (), *((k,) for k in range(a, a + b - 1))])).by_stages()
    for n in range(a + b + 1):
        both = comb(n, a) * comb(n, b)
        assert both == sum(comb(n, k) * found[k] for k in range(n + 1))


def test_symmetries_within_one_part() -> None:
    given = crown(3)
    symmetries = list(every_symmetry(given))
    orbits = {min(tuple(places[k] for k in images) for images in symmetries) for places in every_placement(given)}
    assert len(symmetries) == 6
    assert Tree(given).distinct() == len(orbits) == len(list(Tree(given).routes(distinct=True)))


def test_too_many_symmetries_are_said() -> None:
    few, many = Tree(crown(5)), Tree(crown(7))  # 120 and 5,040
    assert few.distinct_is_exact
    assert few.count() / 120 < few.distinct() < few.count()
    assert not many.distinct_is_exact
    assert many.distinct() == many.count()


@pytest.mark.exhaustive
def test_too_many_sets_are_refused() -> None:
    draw = Random(0)
    given = diagram(random_before(draw, 60, 0.05))
    with pytest.raises(TooManyRoutesError, match="too many to be counted"):
        Tree(given).count()
    assert len(list(Tree(given).routes(limit=10))) == 10  # enumeration does not need the number


def test_routes_are_made_as_they_are_asked_for() -> None:
    found = tree(structure(CHAINS))
    first = list(islice(found.routes(), 3))
    assert first == list(found.routes(limit=3))
    assert first[0] == found.sequential
    assert found.parallel.stages == tuple(tuple(range(4 * k + 1, 4 * k + 5)) for k in range(15))
    assert len(set(found.routes(limit=50, distinct=True))) == 50


def test_no_groups_and_one_group() -> None:
    assert count_routes(diagram([])).by_stages == (1,)
    assert list(Tree(diagram([])).routes()) == [Route(())]
    assert [str(route) for route in Tree(diagram([[]])).routes()] == ["1"]
