"""Labels and signatures: equal exactly for groups that differ by names only."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupkin.structure.signature import CANONICAL_UP_TO, GroupGraph, joint_code, label, signature

CODES = ("R", "P", "S", "C*1", "R*1")


@st.composite
def graphs(draw: st.DrawFn, most: int = 6) -> GroupGraph:
    bodies = draw(st.integers(1, most))
    body = st.integers(-1, bodies - 1)
    edge = st.tuples(body, body, st.sampled_from(CODES)).filter(lambda e: e[0] != e[1])
    return GroupGraph(draw(st.sampled_from([2, 3])), bodies, tuple(draw(st.lists(edge, min_size=1, max_size=10))))


def permuted(graph: GroupGraph, rng: np.random.Generator) -> tuple[GroupGraph, list[int]]:
    """Bodies renumbered, joints in another order and from the other end; with the new number of every body."""
    place = [int(k) for k in rng.permutation(graph.bodies)]
    new = {body: place[body] for body in range(graph.bodies)} | {-1: -1}
    edges = [(new[a], new[b], code) for a, b, code in graph.edges]
    edges = [edge if rng.random() < 0.5 else (edge[1], edge[0], edge[2]) for edge in edges]
    return GroupGraph(graph.dimension, graph.bodies, tuple(edges[k] for k in rng.permutation(len(edges)))), place


def encoded(graph: GroupGraph, order: tuple[int, ...]) -> tuple[object, ...]:
    """The joints of a graph when its bodies are numbered in the given order."""
    place = {body: k for k, body in enumerate(order)} | {-1: -1}
    return tuple(sorted((*sorted((place[a], place[b])), code) for a, b, code in graph.edges))


@pytest.mark.smoke
@given(graphs(), st.integers(0, 2**32 - 1))
def test_names_and_order_do_not_matter(graph: GroupGraph, seed: int) -> None:
    other, _ = permuted(graph, np.random.default_rng(seed))
    (text, order), (other_text, other_order) = signature(graph), signature(other)
    assert text == other_text
    assert sorted(order) == list(range(graph.bodies))
    # the two orders match bodies that play the same part
    assert encoded(graph, order) == encoded(other, other_order)


def isomorphic(first: GroupGraph, second: GroupGraph) -> bool:
    def as_graph(graph: GroupGraph) -> nx.Graph:
        out = nx.Graph()
        out.add_nodes_from(range(graph.bodies), kind="body")
        out.add_node("out", kind="outside")
        for k, (a, b, code) in enumerate(graph.edges):
            out.add_node(("joint", k), kind=code)
            out.add_edges_from((("joint", k), "out" if body < 0 else body) for body in (a, b))
        return out

    return nx.is_isomorphic(as_graph(first), as_graph(second), node_match=lambda u, w: u["kind"] == w["kind"])


@given(graphs(most=4), graphs(most=4))
def test_equal_signatures_are_isomorphic_groups(first: GroupGraph, second: GroupGraph) -> None:
    second = GroupGraph(first.dimension, second.bodies, second.edges)
    assert (signature(first)[0] == signature(second)[0]) == isomorphic(first, second)


def test_pairs_of_graphs_that_differ_little_are_told_apart() -> None:
    """Random graphs are rarely alike; here the second differs from the first by one joint moved, or not at all."""
    rng, equal = np.random.default_rng(0), 0
    for _ in range(300):
        bodies = int(rng.integers(2, 6))
        edges = [
            (*(int(x) for x in rng.choice(np.arange(-1, bodies), 2, replace=False)), str(rng.choice(["R", "S"])))
            for _ in range(int(rng.integers(2, 8)))
        ]
        first = GroupGraph(3, bodies, tuple(edges))
        k = int(rng.integers(len(edges)))
        edges[k] = (*(int(x) for x in rng.choice(np.arange(-1, bodies), 2, replace=False)), edges[k][2])
        second, _ = permuted(GroupGraph(3, bodies, tuple(edges)), rng)
        alike = isomorphic(first, second)
        assert (signature(first)[0] == signature(second)[0]) == alike
        equal += alike
    assert 20 < equal < 280  # both answers occur


def test_bodies_that_only_look_alike_do_not_confuse_the_canonical_form() -> None:
    """In a ring of three and a ring of four every body has two neighbors; still they are not interchangeable."""
    rings = [(k, (k + 1) % 3, "S") for k in range(3)] + [(3 + k, 3 + (k + 1) % 4, "S") for k in range(4)]
    graph = GroupGraph(3, 7, tuple(rings))
    texts = {signature(permuted(graph, np.random.default_rng(seed))[0])[0] for seed in range(10)}
    assert len(texts) == 1
    one_ring = GroupGraph(3, 7, tuple((k, (k + 1) % 7, "S") for k in range(7)))
    assert signature(one_ring)[0] not in texts


def chain(*codes: str) -> GroupGraph:
    return GroupGraph(3, 2, ((-1, 0, codes[0]), (0, 1, codes[1]), (1, -1, codes[2])))


def test_chains_that_share_a_label_have_different_signatures() -> None:
    chains = [chain("P", "U", "S"), chain("P", "S", "U"), chain("U", "P", "S")]
    labels = {label((code for _, _, code in graph.edges), 3) for graph in chains}
    assert labels == {"1P1U1S3D"}
    assert len({signature(graph)[0] for graph in chains}) == 3
    assert signature(chain("U", "P", "S"))[0] == signature(chain("S", "P", "U"))[0]  # the same from its other end


def test_which_freedoms_are_driven_matters() -> None:
    texts = {signature(GroupGraph(3, 1, ((-1, 0, code),)))[0] for code in ("C", "C*1", "C*2", "C*12")}
    assert len(texts) == 4


def test_dimension_matters() -> None:
    assert signature(GroupGraph(2, 1, ((-1, 0, "R*1"),)))[0] != signature(GroupGraph(3, 1, ((-1, 0, "R*1"),)))[0]


@pytest.mark.parametrize(
    ("symbols", "dimension", "expected"),
    [("R", 2, "1R2D"), ("RRR", 2, "3R2D"), ("SCP", 3, "1P1C1S3D"), ("SURP", 3, "1R1P1U1S3D"), (["FP"], 2, "1FP2D")],
)
def test_labels_follow_the_table_of_pairs(symbols: str, dimension: int, expected: str) -> None:
    assert label(symbols, dimension) == expected


def test_codes_count_driven_freedoms_from_one() -> None:
    assert joint_code("F", [5, 0, 3]) == "F*146"
    assert joint_code("S", ()) == "S"


def test_large_groups_carry_a_digest_that_does_not_depend_on_names() -> None:
    bodies = CANONICAL_UP_TO + 1
    ring = (*((k, (k + 1) % bodies, "S" if k else "R") for k in range(bodies)), (-1, 0, "R"))
    graph = GroupGraph(3, bodies, ring)
    texts = {signature(permuted(graph, np.random.default_rng(seed))[0])[0] for seed in range(5)}
    assert texts == {signature(graph)[0]}
    changed = GroupGraph(3, bodies, (*ring[:-1], (-1, 3, "R")))
    assert signature(changed)[0] not in texts
