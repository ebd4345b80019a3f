"""Layouts in layers: work grows with the size of a picture, edges go down from vertex to vertex and do not cross."""

from __future__ import annotations

import sys
from itertools import combinations, pairwise
from types import FrameType

import numpy as np
import pytest

from groupkin.look.diagrams.layers import MOST_PASSING, Block, Layout, layout

Edges = list[tuple[int, int]]


def chain(groups: int) -> tuple[Layout, Edges]:
    """Groups one after another, each also on the frame."""
    edges = [(0, k) for k in range(1, groups + 1)] + list(pairwise(range(1, groups + 1)))
    return layout(
        [Block(k, [[k]]) for k in range(groups + 1)], edges, dict.fromkeys(range(groups + 1), 1.0), 0.25
    ), edges


def calls(groups: int) -> int:
    """How many functions are called while a chain is laid out, which does not depend on the machine."""
    count = 0

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        chain(groups)
    finally:
        sys.setprofile(None)
    return count


def test_the_work_for_a_chain_grows_no_faster_than_its_picture() -> None:
    """Vertices and places where edges pass are n²/2 up to some 50 groups, and grow with n beyond."""
    chain(5)  # what is imported once
    few, some, many, most = (calls(groups) for groups in (10, 40, 80, 320))
    assert some < 20 * few
    assert many < 2 * some
    assert most < 6 * many


@pytest.mark.parametrize("groups", [3, 20, 80])
def test_edges_go_down_from_vertex_to_vertex(groups: int) -> None:
    found, edges = chain(groups)
    for (first, second), way in zip(edges, found.ways, strict=True):
        np.testing.assert_array_equal(way[[0, -1]], [found.places[first], found.places[second]])
        assert (np.diff(way[:, 1]) < 0).all()


@pytest.mark.parametrize("groups", [5, 12])
def test_edges_of_a_chain_do_not_cross(groups: int) -> None:
    found, _ = chain(groups)
    segments = [(a, b) for way in found.ways for a, b in pairwise(way.tolist())]
    for (a, b), (c, d) in combinations(segments, 2):
        if [a[1], b[1]] == [c[1], d[1]] and len({tuple(point) for point in (a, b, c, d)}) == 4:
            assert (a[0] - c[0]) * (b[0] - d[0]) > 0


def test_edges_from_one_vertex_share_their_places_in_large_pictures_only() -> None:
    for groups, shared in ((20, False), (80, True)):
        found, _ = chain(groups)
        passing = [tuple(point) for way in found.ways for point in way[1:-1].tolist()]
        assert (len(set(passing)) < len(passing)) == shared == (len(passing) > MOST_PASSING)
