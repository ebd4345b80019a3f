"""Idle spins: which parts have one, where counting holds it, and where it does not."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from groupkin.errors import NotDeterminedError
from groupkin.mechanism.files.reading import load
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from groupkin.structure.decomposition import decompose
from groupkin.structure.idle_spins import Spin, balance, idle_spins
from groupkin.structure.tables import as_data, joint_rows, summary
from tests.support.paths import ROOT


def linkage(*types: str, drivers: tuple[Driver, ...] = (Driver("J0"),)) -> Mechanism:
    """One loop: joint Jk of the given type between bodies k and k + 1, the last one back to the frame, 0."""
    count = len(types)
    joints = [Joint(f"J{k}", symbol, (str(k), str((k + 1) % count))) for k, symbol in enumerate(types)]
    return Mechanism(3, [str(k) for k in range(count)], joints, drivers)


def test_the_coupler_of_an_rssr_is_held() -> None:
    structure = decompose(linkage("R", "S", "S", "R"))
    assert structure.spins == (Spin(("2",), ("J1", "J2")),)
    assert [(group.bodies, group.label) for group in structure.groups] == [(("1",), "1R3D"), (("2", "3"), "1R2S3D")]
    assert structure.groups[1].signature == decompose(linkage("R", "U", "S", "R")).groups[1].signature
    assert [group.notes for group in structure.groups] == [(), ("holds the spin of 2 about the line of J1 and J2",)]
    assert [joint.type for joint in structure.solved_as.joints] == ["R", "U", "S", "R"]
    assert [joint.type for joint in structure.mechanism.joints] == ["R", "S", "S", "R"]
    assert "mobility 2, 1 driven, 2 structural groups; 1 idle spin held" in summary(structure)
    assert joint_rows(structure)[1] == ("2", "J1(S), J3(R)", "J2(S)", "–")
    assert as_data(structure)["groups"][1]["notes"] == list(structure.groups[1].notes)


def test_it_can_be_held_at_the_other_end() -> None:
    structure = decompose(linkage("R", "S", "S", "R"), {"J2"})
    assert structure.spins == (Spin(("2",), ("J2", "J1")),)
    assert [joint.type for joint in structure.solved_as.joints] == ["R", "S", "U", "R"]


def test_it_is_held_at_the_end_nearer_to_the_frame() -> None:
    assert decompose(linkage("R", "R", "S", "S", "R", drivers=(Driver("J0"), Driver("J1")))).spins[0].joints[0] == "J3"


@pytest.mark.parametrize("inside", ["P", "R"])
def test_a_leg_of_two_bodies_spins_as_a_whole(inside: str) -> None:
    drivers = (Driver("J0"), Driver("J4"))
    structure = decompose(linkage("R", "S", inside, "S", "R", drivers=drivers))
    assert structure.spins == (Spin(("2", "3"), ("J1", "J3")),)
    assert structure.groups[-1].notes == ("holds the spin of 2, 3 about the line of J1 and J3",)


@pytest.mark.parametrize(
    "mechanism",
    [
        linkage("R", "S", "U", "R"),
        linkage("R", "S", "S", "R", drivers=(Driver("J0"), Driver("J1", None, "angle_x"))),
        replace(
            linkage("R", "S", "S", "R"),
            joints=[*linkage("R", "S", "S", "R").joints, Joint("third", "S", ("0", "2"))],
        ),
        Mechanism(3, ["0", "door"], [Joint("above", "S", ("0", "door")), Joint("below", "S", ("0", "door"))]),
        Mechanism(3, ["0", "bob"], [Joint("string", "S", ("0", "bob"))]),
    ],
    ids=["one S only", "driven", "a third joint", "a hinge", "a pendulum"],
)
def test_what_does_not_spin_idly(mechanism: Mechanism) -> None:
    assert idle_spins(mechanism) == []


def test_the_parts_are_those_that_two_joints_cut_off() -> None:
    """Every pair of S joints of random mechanisms is removed; where that, and nothing less, cuts, the part spins."""
    rng, several = np.random.default_rng(5), 0
    for _ in range(200):
        bodies = [str(k) for k in range(rng.integers(3, 9))]
        ends = [(k, int(rng.integers(k))) for k in range(1, len(bodies))]
        ends += [tuple(rng.choice(len(bodies), 2, replace=False)) for _ in range(rng.integers(1, 4))]
        joints = [Joint(f"J{k}", str(rng.choice(["S", "R"])), (bodies[a], bodies[b])) for k, (a, b) in enumerate(ends)]
        found = {(frozenset(spin.bodies), frozenset(spin.joints)) for spin in idle_spins(Mechanism(3, bodies, joints))}
        assert found == cut_off(joints)
        several += len(found) > 1
    assert several > 20


def cut_off(joints: list[Joint]) -> set[tuple[frozenset[str], frozenset[str]]]:
    graph = nx.MultiGraph((*joint.bodies, joint.name) for joint in joints)
    balls = [joint for joint in joints if joint.type == "S" and len(without(graph, joint)) == 1]
    found = {}
    for a, b in combinations(balls, 2):
        parts = without(graph, a, b)
        if len(parts) == 2:
            part = next(part for part in parts if "0" not in part)
            outside = [body for joint in (a, b) for body in joint.bodies if body not in part]
            found[frozenset((a.name, b.name))] = (frozenset(part), len(set(outside)) == 2)
    in_a_row = {
        names
        for names, (part, _) in found.items()
        for other, (inner, _) in found.items()
        if names & other and inner < part
    }
    return {(part, names) for names, (part, between) in found.items() if between and names not in in_a_row}


def without(graph: nx.MultiGraph, *joints: Joint) -> list[set[str]]:
    rest = graph.copy()
    rest.remove_edges_from((*joint.bodies, joint.name) for joint in joints)
    return list(nx.connected_components(rest))


# --- what is accepted ------------------------------------------------------------------------


def test_what_counting_accepts_stays_as_it_is() -> None:
    """Body 21 of the micro-manipulator of Celdran et al. (2022) could spin, but lacks no equation by count."""
    structure = decompose(load(ROOT / "examples" / "micro_manipulator.toml"))
    assert structure.spins == ()
    assert (structure.groups[3].bodies, structure.groups[3].label) == (("21",), "2S3D")
    published = json.loads((ROOT / "tests" / "data" / "published_structures.json").read_text())
    case = next(case for case in published if case["name"] == "micro_manipulator")
    assert [group.label for group in structure.groups] == [group["type"] for group in case["groups"]]


def test_an_rssr_driven_at_both_cranks_is_determined_by_count() -> None:
    assert decompose(linkage("R", "S", "S", "R", drivers=(Driver("J0"), Driver("J3")))).spins == ()


def test_what_lacks_more_is_refused() -> None:
    with pytest.raises(NotDeterminedError) as caught:
        decompose(linkage("R", "S", "S", "R", drivers=()))
    assert (caught.value.excess, caught.value.lack) == (0, 1)
    message = str(caught.value)
    assert "not counted, as nothing depends on it: the spin of 2 about the line of J1 and J2" in message
    assert "under-driven by 1 equation: bodies 1, 2, 3" in message
    assert "add a driver at one of: J0, J3\n" in message  # at J1 or J2 it would take the place of what is held


def test_two_rods_in_a_row_spin_each_but_still_swing() -> None:
    mechanism = linkage("R", "S", "S", "S", "R", drivers=(Driver("J0"), Driver("J4")))
    assert [spin.bodies for spin in idle_spins(mechanism)] == [("2",), ("3",)]
    with pytest.raises(NotDeterminedError) as caught:
        decompose(mechanism)
    assert (caught.value.excess, caught.value.lack) == (0, 1)


def test_a_second_rod_is_too_much_though_counting_alone_would_lack_equations() -> None:
    """Two rods in parallel: 1 equation too many and 2 spins, which counting would have set off against each other."""
    single = linkage("R", "S", "S", "R")
    second = [Joint("K1", "S", ("1", "twin")), Joint("K2", "S", ("twin", "3"))]
    mechanism = replace(single, bodies=[*single.body, "twin"], joints=[*single.joints, *second])
    found = balance(mechanism)
    assert (found.shares.excess.sum(), found.shares.lack.sum(), len(found.spins)) == (1, 0, 2)
