"""Structures with couplings against a matching of single equations with single unknowns."""

from __future__ import annotations

import random

import networkx as nx
import pytest

import groupkin as gk
from groupkin.errors import NotDeterminedError
from groupkin.mechanism.pairs import EQUATIONS_PER_BODY, freedoms
from tests.support.shares import in_part

TYPES = {2: ["R", "R", "P", "CR"], 3: ["R", "C", "S", "U", "P", "SC"]}


def drawn(seed: int) -> gk.Mechanism:
    """Draw a mechanism without geometry, often with as many equations as unknowns, with one to three couplings."""
    chance = random.Random(seed)
    dimension = chance.choice([2, 2, 3])
    names = [f"b{k}" for k in range(chance.randint(2, 6))]
    joints = [
        gk.Joint(f"j{k}", chance.choice(TYPES[dimension]), (chance.choice(["frame", *names[:k]]), name))
        for k, name in enumerate(names)
    ]
    for k in range(chance.randint(0, 2)):
        first, second = chance.sample(["frame", *names], 2)
        joints.append(gk.Joint(f"k{k}", chance.choice(TYPES[dimension]), (first, second)))
    places = [(joint, freedom) for joint in joints for freedom in freedoms(joint.type, dimension)]
    couplings = []
    for k in range(chance.randint(1, 3)):
        chosen = chance.sample(places, min(len(places), chance.randint(1, 5)))
        terms = [
            f"{{joint {joint.name}.{freedom.name}}}" + ("" if freedom.rotation else " / 1 m * 1 rad")
            for joint, freedom in chosen
        ]
        couplings.append(gk.Coupling(f"c{k}", " + ".join(terms)))
    need = EQUATIONS_PER_BODY[dimension]
    missing = need * len(names) - sum(need - len(freedoms(j.type, dimension)) for j in joints) - len(couplings)
    driven = chance.sample(places, min(len(places), max(missing + chance.choice([0, 0, 0, 0, 1, -1]), 0)))
    drivers = [gk.Driver(joint.name, freedom=freedom.name) for joint, freedom in driven]
    return gk.Mechanism(dimension, ["frame", *names], joints, drivers, couplings=couplings)


def matched(mechanism: gk.Mechanism) -> list[set[str]] | None:
    """The groups by a perfect matching of equations with unknowns, in an order of solving; None without one."""
    need = EQUATIONS_PER_BODY[mechanism.dimension]
    equations: list[set[str]] = []
    for joint in mechanism.joints:
        count = need - len(mechanism.freedoms(joint)) + len(mechanism.driven.get(joint.name, ()))
        equations += [set(joint.bodies)] * count
    equations += [set(relation.bodies) for relation in mechanism.relations.values()]
    graph = nx.Graph()
    left = [("equation", k) for k in range(len(equations))]
    right = [(body, k) for body in mechanism.movable for k in range(need)]
    graph.add_nodes_from(left + right)
    for node, bodies in zip(left, equations, strict=True):
        graph.add_edges_from((node, unknown) for unknown in right if unknown[0] in bodies)
    matching = nx.bipartite.hopcroft_karp_matching(graph, left)
    if len(left) != len(right) or any(unknown not in matching for unknown in right):
        return None
    depends = nx.DiGraph()
    depends.add_nodes_from(mechanism.movable)
    for node, bodies in zip(left, equations, strict=True):
        taker = matching[node][0]
        depends.add_edges_from((other, taker) for other in bodies - {taker, mechanism.frame})
    whole = nx.condensation(depends)
    return [set(whole.nodes[k]["members"]) for k in nx.topological_sort(whole)]


def held(mechanism: gk.Mechanism) -> bool:
    """Whether joints or couplings connect all bodies to the frame."""
    graph = nx.Graph()
    graph.add_nodes_from(mechanism.body)
    for bodies in (*(j.bodies for j in mechanism.joints), *(r.bodies for r in mechanism.relations.values())):
        nx.add_path(graph, bodies)
    return nx.is_connected(graph)


@pytest.mark.parametrize("start", in_part(range(0, 2000, 100), 3))
def test_groups_are_those_of_a_matching(start: int) -> None:
    for seed in range(start, start + 100):
        mechanism = drawn(seed)
        assert held(mechanism)
        expected = matched(mechanism)
        try:
            structure = gk.analyze(mechanism)
        except NotDeterminedError:
            # spins between balls that no coupling touches are held, which a matching does not know
            assert expected is None, seed
            continue
        if structure.spins:
            continue
        assert expected is not None, seed
        assert {frozenset(group.bodies) for group in structure.groups} == {frozenset(group) for group in expected}
        number = {body: group.number for group in structure.groups for body in group.bodies}
        for group in structure.groups:
            for name in group.couplings:
                touched = set(mechanism.relations[name].bodies) - {"frame"}
                assert max(number[body] for body in touched) == group.number
            before = {
                number[body] for name in group.couplings for body in mechanism.relations[name].bodies if body != "frame"
            }
            assert before <= {group.number, *group.depends_on}
