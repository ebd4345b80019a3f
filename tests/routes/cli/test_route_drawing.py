"""Pictures of trees: what is in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from groupkin.errors import OutputError
from routes.cli.route_drawing import draw
from routes.diagrams.route_tree import tree
from routes.planning.best_route import best
from routes.planning.costs import Costs
from tests.support.diagrams import PUBLISHED, STAR, published, random_before, structure

pytest.importorskip("matplotlib")


def drawn(given, path: Path) -> tuple[int, str]:  # type: ignore[no-untyped-def]
    """Number of routes in the picture, and the file, in which text is text."""
    costs = Costs({group.number: 1.0 for group in given.groups}, {}, barrier=0.1, block=1)
    count = draw(given, tree(given), costs, best(given, costs), path)
    return count, path.read_text(encoding="utf-8")


def texts(svg: str) -> list[str]:
    return [text.strip() for text in re.findall(r"<text[^>]*>(.*?)</text>", svg)]


def test_a_small_tree_is_drawn_whole(tmp_path: Path) -> None:
    given = published(next(case for case in PUBLISHED if case["name"] == "nine_bar"))
    count, svg = drawn(given, tmp_path / "tree.svg")
    found = texts(svg)
    assert count == 9
    assert "nothing: 9 routes" in found
    assert found.count("6") == 9  # every route ends with group 6
    assert {"(1 ‖ 4)", "(2 ‖ 4)", "(3 ‖ 4)", "(4 ‖ 5)"} <= set(found)


def test_of_interchangeable_groups_one_is_drawn(tmp_path: Path) -> None:
    given = published(next(case for case in PUBLISHED if case["name"] == "stewart_inverse"))
    count, svg = drawn(given, tmp_path / "tree.svg")
    assert count == 32
    assert "nothing: 32 routes up to exchange of interchangeable groups" in texts(svg)


def test_a_large_tree_by_its_ends_the_best_and_how_the_rest_spreads(tmp_path: Path) -> None:
    given = published(next(case for case in PUBLISHED if case["name"] == "micro_manipulator"))
    count, svg = drawn(given, tmp_path / "tree.svg")
    found = texts(svg)
    assert count == 3
    assert "nothing: 1989 routes, 1094 up to exchange; 2 workers" in found
    for name in ("sequential: 8 stages, 8.8e+06", "best: ", "parallel: 4 stages, "):
        assert any(text.startswith(name) for text in found)
    assert {"stages", "µs per step, predicted"} <= set(found)


@pytest.mark.exhaustive
def test_trees_with_too_many_routes_to_predict(tmp_path: Path) -> None:
    _, svg = drawn(structure(STAR), tmp_path / "star.svg")
    assert "too many to predict" in texts(svg)
    from random import Random

    _, svg = drawn(structure(random_before(Random(0), 60, 0.05)), tmp_path / "random.svg")
    assert {"too many to count", "nothing: too many routes to count; 2 workers"} <= set(texts(svg))


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"a picture ends in \.svg, \.png, \.pdf"):
        drawn(structure([[]]), tmp_path / "tree.txt")
    with pytest.raises(OutputError, match="does not exist; create it first"):
        drawn(structure([[]]), tmp_path / "nowhere" / "tree.svg")
