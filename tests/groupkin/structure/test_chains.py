"""All kinematic chains of revolute joints up to ten bars, grounded and driven in every way.

A chain is a graph of bars and joints. Without its binary bars it is a multigraph of bars with three joints or more:
those are enumerated here by trying all numbers of edges, binary bars are then put on their edges, and rigid parts are
searched among all sets of bars.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product

import networkx as nx
import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import MechanismError, NotDeterminedError
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from groupkin.structure.decomposition import decompose
from tests.support.paths import DATA

COUNTS = json.loads((DATA / "classical_counts.json").read_text())
LONG = pytest.param(10, 1, marks=pytest.mark.exhaustive)
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
def chains(bars: int, mobility: int = 1) -> list[nx.Graph]:
    loops = (bars - 1 - mobility) // 2
    found = []
    for vertices, skeleton in skeletons(loops):
        same = [p for p in permutations(range(vertices)) if tuple(renamed(skeleton, p)) == skeleton]
        seen = set()
        for binaries in on_edges(skeleton, bars - vertices):
            if binaries not in seen:
                seen.update(tuple(renamed(binaries, p)) for p in same)
                graph = subdivided(vertices, binaries)
                if graph is not None and nx.is_biconnected(graph) and has_no_rigid_part(graph):
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


def has_no_rigid_part(graph: nx.Graph) -> bool:
    """Among any k of its bars there are 3 (k - 1) - 1 equations at most."""
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


# --- generated chains ------------------------------------------------------------------------


@pytest.mark.parametrize("bars", [4, 6, 8, 10, 12])
def test_as_many_chains_are_generated_as_are_known(bars: int) -> None:
    known = COUNTS["kinematic_chains_one_dof_revolute"]
    found = list(gk.generate_chains(bars))
    assert len(found) == dict(zip(known["bars"], known["chains"], strict=True))[bars]
    assert [chain.number for chain in found] == list(range(1, len(found) + 1))


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_chains_of_fourteen_bars() -> None:
    """Butcher and Hartman (2005), Mech. Mach. Theory 40, 1030-1050, found 318,162."""
    assert sum(1 for _ in gk.generate_chains(14)) == 318_162


@pytest.mark.parametrize(("bars", "mobility"), [(6, 1), (8, 1), LONG, (7, 2), (9, 2), (8, 3), (10, 3), (9, 4)])
def test_generated_chains_are_those_found_by_trying(bars: int, mobility: int) -> None:
    left = list(chains(bars, mobility))
    for chain in gk.generate_chains(bars, mobility):
        assert (chain.links, chain.mobility) == (bars, mobility)
        graph = nx.Graph(chain.joints)
        same = [k for k, other in enumerate(left) if nx.is_isomorphic(graph, other)]
        assert len(same) == 1  # and none of them twice
        left.pop(same[0])
    assert not left


def test_a_loop() -> None:
    (loop,) = gk.generate_chains(9, 6)
    assert loop.assortment == {2: 9}
    assert len(loop.symmetries) == 18
    assert loop.frames == [1]


@pytest.mark.smoke
@pytest.mark.parametrize("bars", [6, 8])
def test_symmetries_of_chains(bars: int) -> None:
    for chain in gk.generate_chains(bars):
        graph = nx.Graph((a - 1, b - 1) for a, b in chain.joints)
        mappings = nx.isomorphism.GraphMatcher(graph, graph).isomorphisms_iter()
        assert sorted(chain.symmetries) == sorted(tuple(m[k] for k in range(bars)) for m in mappings)


def test_chains_as_mechanisms() -> None:
    watt, _ = gk.generate_chains(6)
    linkage = watt.linkage(3, ["1-3"])
    assert (linkage.name, linkage.frame, linkage.mobility) == ("chain 1 of 6 bars", "3", 1)
    assert [group.label for group in gk.analyze(linkage).groups] == ["1R2D", "3R2D", "3R2D"]
    sketch = watt.linkage(3, ["1-3"], placed=True)
    assert np.isfinite(gk.solve(sketch, [0.0, 0.01]).position("5")).all()


@pytest.mark.parametrize("bars", [6, 8])
def test_sketches_have_the_groups_that_counting_finds(bars: int) -> None:
    """None has special dimensions that lock it, or let it move more freely."""
    found = gk.atlas(bars)
    for case in found.structures[:: 1 if bars == 6 else 10]:
        chain = found.chains[int(case.values["chain"]) - 1]
        linkage = chain.linkage(int(case.values["frame"]), tuple(case.drivers), placed=True)
        assert sorted(group.label for group in gk.analyze(linkage).groups) == sorted(case.types)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: gk.generate_chains(7), "no closed chain of revolute joints with 7 links has mobility 1: it has 4, 6,"),
        (lambda: gk.generate_chains(4, 3), "has mobility 3: it has 6, 8, 10, "),
        (lambda: gk.generate_chains(16), "have 7 loops; they are listed up to 16 links and 6 loops"),
        (lambda: gk.generate_chains(10**9, 10**9 - 3), "have 1 loops; they are listed up to 16 links"),
        (lambda: gk.Chain(1, 3, ((1, 2), (2, 1))), "joint 2-1 joins no two links"),
        (lambda: gk.Chain(1, 3, ((1, 2), (1, 2))), "joint 1-2 joins no two links"),
        (lambda: gk.Chain(1, 2, ((1, 4),)), "numbered from 1 to 2"),
        (lambda: gk.Chain(1, 2, ((1, 2, 3),)), "joints are pairs of numbers of links"),
        (lambda: gk.Chain(1, 2, ((1, 2),)).linkage(3), "the frame is one of links 1 to 2, not 3"),
        (lambda: gk.Chain(1, 10**12, ((1, 4),)), "joints do not connect all"),
        (lambda: gk.Chain(1, 3, ((1, 2),)), "joints do not connect all of its 3 links"),
        (lambda: gk.Chain(1, 5, ((1, 2), (1, 3), (2, 3), (4, 5))), "joints do not connect all of its 5 links"),
    ],
)
def test_refused_chains(wrong: Callable[[], object], message: str) -> None:
    with pytest.raises(MechanismError, match=message):
        wrong()


# --- atlases ---------------------------------------------------------------------------------


@pytest.mark.parametrize("bars", [4, 6, 8, pytest.param(10, marks=pytest.mark.exhaustive)])
def test_linkages_and_groups_are_those_that_are_known(bars: int) -> None:
    found = gk.atlas(bars)
    frames = COUNTS["inversions_one_dof_revolute"]
    assert found.linkages == dict(zip(frames["bars"], frames["linkages"], strict=True))[bars]
    known = COUNTS["groups_per_chain"]
    assert len(found.structures) == known["cases"][{4: "four_bars", **BARS}[bars]]
    sizes = Counter(",".join(map(str, sorted(map(len, case.groups)))) for case in found.structures)
    assert sizes == (known[BARS[bars]] if bars in BARS else {"1,2": 1})


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_linkages_of_twelve_bars() -> None:
    """Every link as the frame and each of its joints driven: 32 ways for each chain, by symmetries or not."""
    found = gk.atlas(12)
    ways: Counter[int] = Counter()
    for case in found.structures:
        chain = found.chains[int(case.values["chain"]) - 1]
        frame = int(case.values["frame"]) - 1
        ways[chain.number] += case.symmetric * len({image[frame] for image in chain.symmetries})
    assert ways == dict.fromkeys(range(1, 6857), 32)


@pytest.mark.parametrize(("bars", "mobility", "at_frame"), [(8, 1, True), (6, 1, False), (7, 2, True), (7, 2, False)])
def test_driven_linkages_are_what_transform_finds(bars: int, mobility: int, at_frame: bool) -> None:
    for chain in gk.generate_chains(bars, mobility):
        listed = gk.driven_linkages(chain, at_frame)
        for frame in chain.frames:
            own = [case for case in listed if case.values["frame"] == frame]
            other = gk.transform(chain.linkage(frame), at_frame=at_frame) if own or not at_frame else None
            assert len(own) == (other.distinct if other else 0)
            for case in own:
                structure = decompose(case.of(chain.linkage(frame)))
                assert case.groups == tuple(group.bodies for group in structure.groups)
                assert case.types == tuple(group.label for group in structure.groups)
                assert case.values["depth"] == max(group.level for group in structure.groups)


def test_the_best_linkages_come_first() -> None:
    found = gk.atlas(8, sort=["largest", "-chain"])
    keys = [(case.values["largest"], -case.values["chain"]) for case in found.structures]
    assert keys == sorted(keys)
    assert {case.values["closed"] for case in found.structures if case.values["largest"] == 2} == {1.0}
    done = []
    gk.atlas(6, progress=lambda *numbers: done.append(numbers))
    assert done == [(1, 2), (2, 2)]


def test_a_chain_with_a_rigid_part_is_refused() -> None:
    with pytest.raises(NotDeterminedError):
        gk.driven_linkages(gk.Chain(1, 5, ((1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (4, 5))))
