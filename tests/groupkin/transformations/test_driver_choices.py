"""Ways to drive mechanisms: published counts, the decomposition itself and plain enumeration as references."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, product
from math import comb
from typing import Any

import networkx as nx
import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import MechanismError, NotDeterminedError, QueryError, UnknownNameError
from groupkin.kinematics.program.solver_choice import ITERATED
from groupkin.structure.decomposition import decompose
from groupkin.structure.signature import signature
from groupkin.transformations.driver_choices import (
    Restrictions,
    best_first,
    drive,
    outline,
    placed,
    space,
    valid_choices,
)
from groupkin.transformations.exploration import Transformations
from groupkin.transformations.outline import order_of
from tests.groupkin.model.determination.test_screws import loop
from tests.groupkin.structure.test_decomposition import random_mechanism
from tests.groupkin.structure.test_published import PUBLISHED, from_pairs
from tests.support.over_constrained import FAMILIES, over_constrained
from tests.support.paths import EXAMPLES
from tests.support.shares import in_part


def published(name: str) -> gk.Mechanism:
    return from_pairs(next(case for case in PUBLISHED if case["name"] == name))


def example(name: str) -> gk.Mechanism:
    return gk.load(EXAMPLES / f"{name}.toml")


def groups(found: Transformations) -> Counter[int]:
    """Number of valid ways by the number of groups they lead to."""
    counted: Counter[int] = Counter()
    for structure in found.structures:
        counted[len(structure.groups)] += structure.symmetric
    return counted


# --- published counts ------------------------------------------------------------------------


@pytest.mark.parametrize("merge", [True, False])
@pytest.mark.parametrize("mechanism", [published("rotor_control"), example("rotor_control")], ids=["pairs", "example"])
def test_rotor_control_has_1031_ways_of_1576(mechanism: gk.Mechanism, merge: bool) -> None:
    found = gk.transform(mechanism, merge=merge)
    assert (found.candidates, found.valid, found.number, found.complete) == (1576, 1031, 3, True)
    assert groups(found).total() == 1031
    assert groups(found)[9] == 5
    assert max(groups(found)) == 9
    assert len(found.structures) == (found.distinct if merge else 1031)


def test_the_published_transformation_is_among_those_with_nine_groups() -> None:
    found = gk.transform(published("rotor_control"), merge=False)
    nine = [structure for structure in found.structures if len(structure.groups) == 9]
    assert found.structures[:5] == tuple(nine)  # by default most groups come first
    chosen = next(structure for structure in nine if structure.drivers == {"1-2": 1, "1-13": 1, "13-15": 1})
    expected = decompose(published("rotor_control_transformed"))
    assert list(chosen.groups) == [group.bodies for group in expected.groups]
    assert list(chosen.types) == [group.label for group in expected.groups]


def test_nine_bar_has_180_ways_of_210() -> None:
    for mechanism in (published("nine_bar"), example("nine_bar")):
        found = gk.transform(mechanism)
        assert (found.candidates, found.valid, groups(found)[6]) == (210, 180, 12)


# --- over-constrained mechanisms ---------------------------------------------------------------


@pytest.mark.exhaustive
def test_over_constrained_mechanisms_may_be_driven_wherever_they_can_be_solved() -> None:
    for mechanism in (loop("RHP", "R0"), loop(("R", "H", "SC"), "R0", "angle")):
        found = gk.transform(mechanism, merge=False)
        assert found.number == 1
        valid = {name for structure in found.structures for name in structure.drivers}
        for joint in mechanism.joints:
            driven = drive(mechanism, {joint.name: 1})
            try:
                structure = gk.analyze(driven)
            except NotDeterminedError:
                assert joint.name not in valid
                continue
            chosen = next(structure for structure in found.structures if structure.drivers == {joint.name: 1})
            assert chosen.groups == tuple(group.bodies for group in structure.groups)
            assert chosen.types == tuple(group.label for group in structure.groups)
        assert len(valid) == len(mechanism.joints)


@pytest.mark.parametrize("name", [name for name in FAMILIES if "geared" not in name])
def test_their_ways_by_rank_are_those_that_are_determined(name: str) -> None:
    """Some ways, valid or not, of random over-constrained mechanisms, analyzed one by one."""
    mechanism, rng = over_constrained(name, 1), np.random.default_rng(7)
    found = gk.transform(mechanism, merge=False)
    valid = {tuple(structure.drivers.items()): structure for structure in found.structures}
    every = [tuple((joint, 1) for joint in chosen) for chosen in combinations(mechanism.joint, found.number)]
    assert valid.keys() & set(every)
    for k in rng.permutation(len(every))[:4]:
        try:
            structure = gk.analyze(drive(mechanism, dict(every[k])))
        except NotDeterminedError:
            assert every[k] not in valid
            continue
        assert valid[every[k]].groups == tuple(group.bodies for group in structure.groups)


def test_a_spherical_robot_may_be_driven_at_any_three_joints() -> None:
    found = gk.transform(over_constrained("spherical 3-RRR", 0), merge=False)
    assert (found.number, found.candidates, found.valid) == (3, 84, 84)


def test_what_the_frame_does_not_hold_has_no_ways() -> None:
    triangle = gk.Mechanism.from_adjacency(["----", "--RR", "-R-R", "-RR-"], [[0] * 4] * 4, dimension=2)
    with pytest.raises(NotDeterminedError, match="no chain of joints connects 2, 3, 4 to the frame '1'"):
        gk.transform(triangle)


# --- against the decomposition and plain enumeration -------------------------------------------


SEVERAL = ("nine_bar", "rotor_control", "planar_3rrr", "delta_robot", "five_rod_suspension")


@pytest.mark.parametrize(
    "mechanism", in_part([*map(example, SEVERAL), gk.generate(3, 18, 1)], 6), ids=[*SEVERAL, "110 bodies"]
)
def test_every_outline_is_what_the_decomposition_finds(mechanism: gk.Mechanism) -> None:
    ways = space(mechanism)
    for choice, placement in valid_choices(ways):
        found = outline(ways, choice, placement)
        structure = decompose(drive(mechanism, ways.as_drivers(choice)))
        assert [tuple(mechanism.movable[b] for b in own) for own in found.members] == [
            g.bodies for g in structure.groups
        ]
        assert found.levels == tuple(group.level for group in structure.groups)
        assert [signature(graph)[0] for graph in found.graphs] == [group.signature for group in structure.groups]
        for group, own in zip(structure.groups, found.joints, strict=True):
            assert {mechanism.joints[joint].name for joint in own} == {*group.external, *group.internal}


def by_trying_all(mechanism: gk.Mechanism, number: int) -> set[tuple[int, ...]]:
    """All ways to drive so many freedoms that the decomposition accepts."""
    ranges = [range(len(mechanism.freedoms(joint)) + 1) for joint in mechanism.joints]
    names, accepted = [joint.name for joint in mechanism.joints], set()
    for choice in product(*ranges):
        if sum(choice) == number:
            try:
                decompose(drive(mechanism, dict(zip(names, choice, strict=True))))
            except NotDeterminedError:
                continue
            accepted.add(choice)
    return accepted


@pytest.mark.exhaustive
def test_valid_ways_of_random_mechanisms_are_those_that_can_be_decomposed() -> None:
    rng, tried, several = np.random.default_rng(4), 0, 0
    while tried < 60:
        mechanism = replace(random_mechanism(rng), drivers=())
        try:
            ways = space(mechanism)
        except NotDeterminedError:
            continue
        if ways.balanced.spins or not 2 <= ways.size <= 300:
            continue
        tried += 1
        expected = by_trying_all(mechanism, ways.number)
        assert {choice for choice, _ in valid_choices(ways)} == expected
        # moving one driver at a time leads to all of them, whatever the order
        walked = [choice for choice, _ in best_first(ways, lambda choice, _: (hash(choice),), 10_000)]
        assert len(walked) == len(set(walked))
        assert set(walked) == expected
        several += len(expected) > 1
    assert several > 30


def test_number_of_ways_is_that_of_bounded_sums() -> None:
    ways = space(example("nine_bar"))
    assert ways.size == comb(10, 4)
    ways = space(example("rotor_control"), Restrictions(at_most=1))
    assert ways.size == comb(21, 3)


def test_idle_spins_are_held_and_not_driven() -> None:
    """RSSR: its coupler may spin, so one freedom is driven, and none at the two S joints."""
    joints = [("A", "R", "ac"), ("B", "S", "cd"), ("C", "S", "de"), ("D", "R", "ea")]
    mechanism = gk.Mechanism(3, list("acde"), [gk.Joint(name, kind, tuple(ends)) for name, kind, ends in joints])
    found = gk.transform(mechanism)
    assert (found.candidates, found.valid, found.distinct) == (2, 2, 1)
    structure = decompose(found.structures[0].of(mechanism))
    assert [group.bodies for group in structure.groups] == list(found.structures[0].groups)
    assert [group.label for group in structure.groups] == list(found.structures[0].types)
    assert len(structure.spins) == 1


# --- restrictions ----------------------------------------------------------------------------


def test_restrictions_keep_what_they_say() -> None:
    mechanism = example("rotor_control")
    every = gk.transform(mechanism, merge=False).structures
    types = {joint.name: joint.type for joint in mechanism.joints}
    ground = {joint.name for joint in mechanism.joints if mechanism.frame in joint.bodies}
    cases = [
        ({"driven": ["mast"]}, lambda d: "mast" in d),
        ({"forbid": ["mast", "roll"]}, lambda d: not {"mast", "roll"} & set(d)),
        ({"only": ["mast", "roll", "A3", "B3"]}, lambda d: set(d) <= {"mast", "roll", "A3", "B3"}),
        ({"at_frame": True}, lambda d: set(d) <= ground),
        ({"types": ["P"]}, lambda d: {types[name] for name in d} == {"P"}),
        ({"at_most": 1}, lambda d: max(d.values()) == 1),
        ({"fixed": {"A3": 2}}, lambda d: d.get("A3") == 2),
        (
            {"fixed": {"A3": 1}, "types": ["P"]},
            lambda d: d.get("A3") == 1 and {types[n] for n in d if n != "A3"} == {"P"},
        ),
    ]
    for restrictions, holds in cases:
        found = gk.transform(mechanism, merge=False, **restrictions)  # type: ignore[arg-type]
        expected = [structure.drivers for structure in every if holds(structure.drivers)]
        assert expected
        assert {str(s.drivers) for s in found.structures} == {str(drivers) for drivers in expected}
        assert found.valid == len(expected) <= found.candidates < 1576


def test_what_cannot_be_chosen_is_refused() -> None:
    mechanism = example("rotor_control")
    with pytest.raises(UnknownNameError, match=r"there is no joint 'mats' \(did you mean mast\?\)"):
        gk.transform(mechanism, driven=["mats"])
    with pytest.raises(MechanismError, match=r"3 freedoms of joint 'A3' are to be driven; it has 2"):
        gk.transform(mechanism, fixed={"A3": 3})
    with pytest.raises(MechanismError, match="joint 'mast' is both to be driven and not to be driven"):
        gk.transform(mechanism, driven=["mast"], forbid=["mast"])
    with pytest.raises(QueryError, match=r"no criterion 'dept' \(did you mean depth\?\); there are groups, largest"):
        gk.transform(mechanism, sort=["dept"])
    truss = gk.Mechanism(2, list("abc"), [gk.Joint(n, "R", tuple(n)) for n in ("ab", "bc", "ca")])
    assert gk.transform(truss).valid == 1  # nothing to drive is one way
    double = replace(truss, joints=[*truss.joints, gk.Joint("again", "R", ("a", "b"))])
    with pytest.raises(NotDeterminedError, match="over-driven by 2 equations"):
        gk.transform(double)


def test_a_part_that_must_be_driven_twice_has_no_valid_way() -> None:
    found = gk.transform(example("four_bar"), fixed={"A": 1, "B": 1})
    assert (found.valid, found.distinct, found.structures) == (0, 0, ())


# --- criteria --------------------------------------------------------------------------------


def test_criteria_are_what_analysis_says() -> None:
    mechanism = example("nine_bar")
    for structure in gk.transform(mechanism).structures:
        found = gk.analyze(structure.of(mechanism))
        levels = Counter(group.level for group in found.groups)
        values = structure.values
        assert values["groups"] == len(found.groups)
        assert values["largest"] == max(len(group.bodies) for group in found.groups)
        assert values["depth"] == max(levels)
        assert values["width"] == max(levels.values())
        assert values["closed"] == sum(group.solver not in ITERATED for group in found.groups) / len(found.groups)


def test_order_is_by_the_criteria_named() -> None:
    found = gk.transform(example("nine_bar"), sort=["-groups", "depth"])
    keys = [(s.values["groups"], s.values["depth"]) for s in found.structures]
    assert keys == sorted(keys)
    assert len(set(keys)) > 5


def test_structures_are_ranked_by_what_forces_cost() -> None:
    found = gk.transform(example("nine_bar"), sort=["forces"])
    values = [structure.values["forces"] for structure in found.structures]
    assert values == sorted(values)
    assert values[0] < values[-1]


def test_a_criterion_may_be_handed_in() -> None:
    def lonely(found: object) -> float:
        return sum(len(own) == 1 for own in found.members)  # type: ignore[attr-defined]

    found = gk.transform(example("nine_bar"), measures={"lonely": lonely}, sort=["lonely"])
    values = [structure.values["lonely"] for structure in found.structures]
    assert values == sorted(values) == [sum(len(g) == 1 for g in s.groups) for s in found.structures]
    assert values[0] < values[-1]


def test_newton_costs_more_than_closed_forms_and_larger_groups_more_than_smaller_ones() -> None:
    found = gk.transform(example("nine_bar"))
    closed = [s for s in found.structures if s.values["closed"] == 1]
    others = [s for s in found.structures if s.values["closed"] < 1]
    assert max(s.values["cost"] for s in closed) < min(s.values["cost"] for s in others)
    larger = [gk.transform(gk.generate(k, 1), fixed={"1-2": 1}).structures[0].values["cost"] for k in (2, 3, 4, 5)]
    assert larger == sorted(set(larger))
    # the triad: 4 unknowns, one for each body of the tree; beside it the crank
    assert larger[0] == 75 + 5 * 150 * 4 + 3 * 2 * 4**3 / 3 + 4 * 4**2


# --- too many to examine ---------------------------------------------------------------------


def test_where_there_are_too_many_the_best_are_searched_for() -> None:
    mechanism = example("rotor_control")
    found = gk.transform(mechanism, budget=250)
    assert (found.candidates, found.valid, found.complete) == (1576, 250, False)
    assert found.as_data(0)["complete"] is False
    assert len(found.structures[0].groups) == 9  # 5 of 1,031 have nine; a quarter was examined
    for structure in found.structures[:20]:
        groups = decompose(structure.of(mechanism)).groups
        assert [group.bodies for group in groups] == list(structure.groups)


@pytest.mark.parametrize(
    ("restrictions", "words"),
    [
        ({"fixed": {"mast": 1}, "forbid": ["mast"]}, "joint 'mast' is both to be driven and not to be driven"),
        ({"at_most": 0}, "3 freedoms must be driven, but the restrictions leave 0"),
        ({"only": ["mast", "roll"]}, "3 freedoms must be driven, but the restrictions leave 2"),
        ({"types": ["Q"]}, "Q"),
    ],
)
def test_restrictions_that_leave_nothing_are_refused(restrictions: dict[str, Any], words: str) -> None:
    with pytest.raises(MechanismError, match=words):
        gk.transform(example("rotor_control"), **restrictions)


def test_the_size_of_a_large_space_is_known_without_listing_it() -> None:
    found = gk.transform(gk.generate(3, 12), budget=1)
    assert found.candidates == 1 + 9 * 12  # mobility one: any joint
    chain = [gk.Joint(f"{k}", "F", ("0", f"{k + 1}")) for k in range(30)]
    ways = space(gk.Mechanism(3, [str(k) for k in range(31)], chain), Restrictions(fixed={"0": 5}))
    assert ways.size == 0  # every body needs all six
    assert placed(space(gk.Mechanism(3, [str(k) for k in range(31)], chain)), (6,) * 30) is not None


# --- symmetry --------------------------------------------------------------------------------


def all_symmetries(mechanism: gk.Mechanism) -> list[dict]:
    """Every automorphism of the graph of bodies and joints, by networkx."""
    graph = nx.Graph()
    for body in mechanism.body:
        graph.add_node(("body", body), kind="frame" if body == mechanism.frame else "body")
    for joint in mechanism.joints:
        graph.add_node(("joint", joint.name), kind=joint.type)
        graph.add_edges_from((("joint", joint.name), ("body", body)) for body in joint.bodies)
    same = nx.isomorphism.categorical_node_match("kind", "")
    return list(nx.isomorphism.GraphMatcher(graph, graph, node_match=same).isomorphisms_iter())


def doubled(mechanism: gk.Mechanism) -> gk.Mechanism:
    """The mechanism and its mirror image on one frame."""

    def image(body: str) -> str:
        return body if body == mechanism.frame else f"{body}'"

    joints = [gk.Joint(f"{j.name}'", j.type, (image(j.bodies[1]), image(j.bodies[0]))) for j in mechanism.joints]
    bodies = [*mechanism.body, *map(image, mechanism.movable)]
    return replace(mechanism, bodies=bodies, joints=[*mechanism.joints, *joints])


@pytest.mark.exhaustive
def test_merged_ways_are_those_that_some_symmetry_turns_into_each_other() -> None:
    rng = np.random.default_rng(5)
    mechanisms = [example(name) for name in ("rotor_control", "nine_bar", "planar_3rrr", "stephenson_six_bar")]
    while len(mechanisms) < 40:
        mechanism = doubled(replace(random_mechanism(rng), drivers=()))
        try:
            small = 2 <= space(mechanism).size <= 2000
        except NotDeterminedError:
            continue
        if small:
            mechanisms.append(mechanism)
    merged = 0
    for mechanism in mechanisms:
        maps = all_symmetries(mechanism)
        if len(maps) > 1000:
            continue
        images = set()
        for structure in gk.transform(mechanism, merge=False).structures:
            moved = [{m["joint", name][1]: w for name, w in structure.drivers.items()} for m in maps]
            images.add(min(tuple(sorted(drivers.items())) for drivers in moved))
        found = gk.transform(mechanism)
        assert found.distinct == len(found.structures) == len(images)
        assert sum(structure.symmetric for structure in found.structures) == found.valid
        merged += found.distinct < found.valid
    assert merged > 10


def test_six_equal_legs_are_exchanged() -> None:
    """Stewart platform driven at its legs' slides and universal joints: only how many of each counts."""
    mechanism = example("stewart_inverse")
    legs = [joint.name for joint in mechanism.joints if joint.type == "P"]
    found = gk.transform(mechanism, only=[*legs, "pose"])
    assert found.valid == sum(comb(6, k) for k in range(7))  # the rest is driven at the platform
    assert found.distinct == 7


# --- order ------------------------------------------------------------------------------------


def test_order_of_bodies_that_depend_on_each_other() -> None:
    rng = np.random.default_rng(6)
    for _ in range(200):
        n = int(rng.integers(1, 12))
        arrows = rng.random((n, n)) < 1.5 / n
        np.fill_diagonal(arrows, True)
        members, levels = order_of([sum(1 << int(k) for k in np.flatnonzero(row)) for row in arrows])
        graph = nx.from_numpy_array(arrows, create_using=nx.DiGraph)
        assert sorted(map(sorted, nx.strongly_connected_components(graph))) == sorted(map(list, members))
        place = {body: k for k, own in enumerate(members) for body in own}
        assert all(place[b] <= place[a] for a, b in graph.edges)
        level = {body: levels[k] for body, k in place.items()}
        assert all(level[b] < level[a] or place[a] == place[b] for a, b in graph.edges)
