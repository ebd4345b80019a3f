"""The published decompositions, exactly, and the case that counting alone gets wrong."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import networkx as nx
import numpy as np
import pytest

from groupkin.errors import NotDeterminedError
from groupkin.mechanism.mechanism import Mechanism
from groupkin.structure.decomposition import Structure, decompose
from tests.support.paths import DATA

PUBLISHED = json.loads((DATA / "published_structures.json").read_text())
COUNTS = json.loads((DATA / "classical_counts.json").read_text())
CASES = [pytest.param(case, id=case["name"]) for case in PUBLISHED]


def from_pairs(case: dict[str, Any]) -> Mechanism:
    """The published form of a mechanism: matrices of pairs and of known inputs."""
    count = max(body for joint in case["joints"] for body in joint["bodies"])
    matrix, known = [["-"] * count for _ in range(count)], [[0] * count for _ in range(count)]
    for joint in case["joints"]:
        for a, b in (joint["bodies"], joint["bodies"][::-1]):
            matrix[a - 1][b - 1], known[a - 1][b - 1] = joint["type"], joint["driven"]
    return Mechanism.from_adjacency(matrix, known, case["dimension"], case["name"])


def test_there_are_seven() -> None:
    assert len(PUBLISHED) == 7


@pytest.mark.smoke
@pytest.mark.parametrize("case", CASES)
def test_published_groups(case: dict[str, Any]) -> None:
    structure = decompose(from_pairs(case))
    found = [
        {"bodies": [int(b) for b in g.bodies], "type": g.label, "depends_on": list(g.depends_on)}
        for g in structure.groups
    ]
    assert found == case["groups"]
    assert [group.number for group in structure.groups] == list(range(1, len(found) + 1))
    assert structure.driven == structure.mobility == sum(joint["driven"] for joint in case["joints"])


@pytest.mark.parametrize("case", CASES)
def test_levels_graph_and_joints_are_consistent(case: dict[str, Any]) -> None:
    structure = decompose(from_pairs(case))
    graph = structure.graph
    assert nx.is_directed_acyclic_graph(graph)
    for group in structure.groups:
        assert all(number < group.number for number in group.depends_on)
        assert set(graph.predecessors(group.number)) - {0} == set(group.depends_on)
        assert group.level == 1 + max((structure.groups[k - 1].level for k in group.depends_on), default=0)
        check_joints(structure, group.number)
    # the longest way from the frame, not through it, has as many groups as there are levels
    longest = nx.dag_longest_path_length(graph.subgraph(range(1, len(structure.groups) + 1)), default_weight=1)
    assert longest + 1 == max(group.level for group in structure.groups)


def check_joints(structure: Structure, number: int) -> None:
    """Each joint of a group is external, internal or given on, by where its bodies are."""
    group = structure.groups[number - 1]
    order = {structure.mechanism.frame: 0} | {b: g.number for g in structure.groups for b in g.bodies}
    kinds: dict[str, set[str]] = {"external": set(), "internal": set(), "given": set()}
    for joint in structure.mechanism.joints:
        a, b = sorted(order[body] for body in joint.bodies)
        if a == b == number:
            kinds["internal"].add(joint.name)
        elif b == number:
            kinds["external"].add(joint.name)
        elif a == number:
            kinds["given"].add(joint.name)
    for kind, names in kinds.items():
        assert set(getattr(group, kind)) == names


def test_order_is_by_size_then_declaration_among_those_ready() -> None:
    """Every group is, when its turn comes, the smallest of those whose predecessors are solved."""
    for case in PUBLISHED:
        structure = decompose(from_pairs(case))
        place = {body: k for k, body in enumerate(structure.mechanism.body)}
        for k, group in enumerate(structure.groups):
            done = set(range(1, k + 1))
            ready = [g for g in structure.groups[k:] if done.issuperset(g.depends_on)]
            assert group == min(ready, key=lambda g: (len(g.bodies), place[g.bodies[0]]))


def test_results_sa_of_the_spatial_four_bar() -> None:
    case = next(case for case in PUBLISHED if case["name"] == "spatial_four_bar")
    expected = [[0, 1, 2, 2], [1, 0, 0, 0], [0, 2, 0, 0], [1, 0, 0, 0]]  # Eq. (11) of Celdran et al. (2022)
    np.testing.assert_array_equal(decompose(from_pairs(case)).matrix, expected)


@pytest.mark.parametrize("case", CASES)
def test_results_sa_holds_the_groups_and_who_gives_to_whom(case: dict[str, Any]) -> None:
    structure = decompose(from_pairs(case))
    matrix, bodies = structure.matrix, list(structure.mechanism.body)
    number = {body: structure.group_of[body].number if body in structure.group_of else 0 for body in bodies}
    assert matrix[0].tolist() == [number[body] for body in bodies]
    joined = {frozenset(joint.bodies) for joint in structure.mechanism.joints}
    for (i, late), (j, early) in product(enumerate(bodies), enumerate(bodies)):
        if i == 0:
            continue
        gives = frozenset((late, early)) in joined and number[early] < number[late]
        assert matrix[i, j] == (number[early] + 1 if gives else 0)


def trap() -> Mechanism:
    case = COUNTS["equality_only_trap"]
    count = 1 + max(max(joint) for joint in case["joints"])
    matrix = [["-"] * count for _ in range(count)]
    for a, b in case["joints"]:
        matrix[a][b] = matrix[b][a] = "R"
    return Mechanism.from_adjacency(matrix, [[0] * count for _ in range(count)], case["dimension"], "trap")


def test_an_over_constrained_part_with_a_dangling_body_is_refused() -> None:
    mechanism = trap()
    assert mechanism.mobility == len(mechanism.drivers) == 0  # the count of the whole is right
    with pytest.raises(NotDeterminedError) as caught:
        decompose(mechanism)
    error = caught.value  # bodies are named from 1: 0 in the data is "1" here
    assert (error.excess, error.lack) == (1, 1)
    assert set(error.over_driven) == {"2", "3", "4", "5", "6"}
    assert set(error.under_driven) == {"7"}
    assert "over-driven by 1 equation: bodies 2, 3, 4, 5, 6" in str(error)
    assert "under-driven by 1 equation: bodies 7" in str(error)
