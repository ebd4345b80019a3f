"""All kinematic chains of revolute joints and one freedom up to ten bars, grounded and driven in every way.

A chain is a graph of bars and joints. Without its binary bars it is a multigraph of bars with three joints or more:
those are enumerated first, and binary bars are then put on their edges.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product

import networkx as nx
import numpy as np
import pytest

from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from groupkin.structure.decomposition import decompose
from tests.support.paths import DATA

COUNTS = json.loads((DATA / "classical_counts.json").read_text())
BARS = {6: "six_bars", 8: "eight_bars", 10: "ten_bars"}

Skeleton = tuple[int, ...]
"""Number of edges between each pair of vertices, in the order of `combinations`."""


def skeletons(loops: int) -> Iterator[tuple[int, Skeleton]]:
    """Multigraphs with this many independent loops whose vertices have three edges or more, one of each kind."""
    for vertices in range(2, 2 * loops - 1):
        seen: set[Skeleton] = set()
        for skeleton in multigraphs(vertices, vertices + loops - 1):
            if skeleton not in seen:
                seen.update(tuple(renamed(skeleton, p)) for p in permutations(range(vertices)))
                yield vertices, skeleton


def multigraphs(vertices: int, edges: int) -> Iterator[Skeleton]:
    pairs, most = list(combinations(range(vertices), 2)), 2 * edges - 3 * (vertices - 1)
    degrees = [0] * vertices

    def extend(chosen: Skeleton, left: int) -> Iterator[Skeleton]:
        if len(chosen) == len(pairs):
            if not left and min(degrees) >= 3:
                yield chosen
            return
        a, b = pairs[len(chosen)]
        if a and degrees[a - 1] < 3:  # all edges of the vertex before are chosen
            return
        for count in range(min(left, most - max(degrees[a], degrees[b])) + 1):
            degrees[a] += count
            degrees[b] += count
            yield from extend((*chosen, count), left - count)
            degrees[a] -= count
            degrees[b] -= count

    yield from extend((), edges)


def renamed(items: tuple, order: tuple[int, ...]) -> list:
    """What belongs to pairs of vertices, when the vertices are renamed."""
    place = {pair: k for k, pair in enumerate(combinations(range(len(order)), 2))}
    return [items[place[min(order[a], order[b]), max(order[a], order[b])]] for a, b in place]


@cache
def chains(bars: int) -> list[nx.Graph]:
    loops = (3 * bars - 4) // 2 - bars + 1
    found = []
    for vertices, skeleton in skeletons(loops):
        same = [p for p in permutations(range(vertices)) if tuple(renamed(skeleton, p)) == skeleton]
        seen = set()
        for binaries in on_edges(skeleton, bars - vertices):
            if binaries not in seen:
                seen.update(tuple(renamed(binaries, p)) for p in same)
                graph = subdivided(vertices, binaries)
                if graph is not None and moves_as_one(graph):
                    found.append(graph)
    return found


def on_edges(skeleton: Skeleton, binaries: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Ways to put binary bars on edges; parallel edges are not told apart."""
    if not skeleton:
        if not binaries:
            yield ()
        return
    for counts in combinations_with_replacement(range(binaries + 1), skeleton[0]):
        if sum(counts) <= binaries:
            for rest in on_edges(skeleton[1:], binaries - sum(counts)):
                yield (counts, *rest)


def subdivided(vertices: int, binaries: tuple[tuple[int, ...], ...]) -> nx.Graph | None:
    """The chain; None if two bars would have two joints in common."""
    graph = nx.Graph()
    for (a, b), counts in zip(combinations(range(vertices), 2), binaries, strict=True):
        for count in counts:
            first = max(vertices, graph.number_of_nodes() + 10)
            path = [a, *range(first, first + count), b]
            if any(graph.has_edge(*edge) for edge in pairwise(path)):
                return None
            nx.add_path(graph, path)
    return nx.convert_node_labels_to_integers(graph)


def moves_as_one(graph: nx.Graph) -> bool:
    """No part of the chain is rigid: among any k of its bars there are 3 (k - 1) - 1 equations at most."""
    masks = np.arange(1 << len(graph))
    bars = sum((masks >> v & 1) for v in graph)
    joints = sum((masks >> a & 1) * (masks >> b & 1) for a, b in graph.edges)
    return bool((2 * joints <= 3 * bars - 4)[bars >= 2].all())


def cases(graph: nx.Graph) -> list[tuple[int, int]]:
    """Frame, and neighbor that is driven from it: one of those that differ by a symmetry of the chain."""
    arcs = {arc for a, b in graph.edges for arc in ((a, b), (b, a))}
    mappings = list(nx.isomorphism.GraphMatcher(graph, graph).isomorphisms_iter())
    return sorted({min((m[a], m[b]) for m in mappings) for a, b in arcs})


def mechanism(graph: nx.Graph, frame: int, crank: int) -> Mechanism:
    joints = [Joint(f"{a}-{b}", "R", (str(a), str(b))) for a, b in graph.edges]
    driven = next(joint.name for joint in joints if set(joint.bodies) == {str(frame), str(crank)})
    return Mechanism(2, [str(bar) for bar in graph], joints, [Driver(driven)], frame=str(frame))


@pytest.mark.parametrize("bars", BARS)
def test_there_are_as_many_chains_and_linkages_as_are_known(bars: int) -> None:
    known = COUNTS["kinematic_chains_one_dof_revolute"]
    assert len(chains(bars)) == dict(zip(known["bars"], known["chains"], strict=True))[bars]
    assert not any(nx.is_isomorphic(a, b) for a, b in product(chains(min(bars, 8)), repeat=2) if a is not b)
    frames = COUNTS["inversions_one_dof_revolute"]
    orbits = 0
    for graph in chains(bars):
        mappings = list(nx.isomorphism.GraphMatcher(graph, graph).isomorphisms_iter())
        orbits += len({min(m[v] for m in mappings) for v in graph})
    assert orbits == dict(zip(frames["bars"], frames["linkages"], strict=True))[bars]


@pytest.mark.parametrize("bars", [6, 8, pytest.param(10, marks=pytest.mark.exhaustive)])
def test_groups_of_every_chain_grounded_and_driven_anywhere(bars: int) -> None:
    found: Counter[str] = Counter()
    for graph in chains(bars):
        for frame, crank in cases(graph):
            sizes = sorted(len(group.bodies) for group in decompose(mechanism(graph, frame, crank)).groups)
            found[",".join(map(str, sizes))] += 1
    known = COUNTS["groups_per_chain"]
    assert found.total() == known["cases"][BARS[bars]]
    assert found == known[BARS[bars]]
