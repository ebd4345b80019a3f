"""Routes as text, and what is refused."""

from __future__ import annotations

import pytest

from groupkin.errors import GroupkinError, RouteError
from routes.diagrams.route import Route, parse_route
from routes.diagrams.route_tree import tree
from tests.support.diagrams import PUBLISHED, published, structure

PLATFORM = structure([[], [0], [0], [0], [1, 2]])


@pytest.mark.parametrize(
    "text",
    [
        "1 → (2 ‖ 3 ‖ 4) → 5",
        "1 > (2|3|4) > 5",
        "1->2,4,3->5",
        " 1 → ( 4 ‖ 3 ‖ 2 ) → (5) ",
        "1>2||3||4>5",
    ],
)
def test_all_ways_to_write_a_route(text: str) -> None:
    route = parse_route(text, PLATFORM)
    assert route == Route(((1,), (2, 3, 4), (5,)))
    assert str(route) == "1 → (2 ‖ 3 ‖ 4) → 5"
    assert route.order == (1, 2, 3, 4, 5)


def test_what_is_written_is_read_again() -> None:
    for case in PUBLISHED:
        given = published(case)
        for route in tree(given).routes(limit=100):
            assert parse_route(str(route), given) == route


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 → (2 ‖ 3) → 5", "1 group missing: 4; every group is solved once"),
        ("1 → 2", "3 groups missing: 3, 4, 5"),
        ("1 → 2 → 3 → 4 → 5 → 6", "there is no group 6; there are groups 1 to 5"),
        ("1 → 2 → 3 → 4 → 2 → 5", "group 2 is listed twice"),
        ("(1 ‖ 2) → 3 → 4 → 5", "group 2 depends on group 1, which is solved in the same stage; move 1 to an earlier"),
        ("1 → 2 → 5 → 3 → 4", "group 5 depends on group 3, which is solved later; move 3 to an earlier stage"),
        ("1 → → 2", "a stage has no groups"),
        ("", "a stage has no groups"),
        ("1 → (2 ‖ legs) → 5", "cannot read '(2 ‖ legs)'; write numbers of groups, as in 1 → (2 ‖ 3) → 4"),
        ("1 → (2 ‖ 3 → 4", "cannot read '(2 ‖ 3'"),
        ("1 → -2", "cannot read '-2'"),
    ],
)
def test_routes_that_are_refused_say_why(text: str, said: str) -> None:
    with pytest.raises(RouteError, match=r"^route ") as caught:
        parse_route(text, PLATFORM)
    assert said in str(caught.value)
    assert isinstance(caught.value, GroupkinError)
