"""Random mechanisms of Assur groups: their numbers, and that each family is what its name says."""

from __future__ import annotations

import tomllib
from collections import Counter

import networkx as nx
import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import MechanismError
from groupkin.mechanism.files.reading import parse
from groupkin.mechanism.files.writing import as_data, as_toml
from groupkin.structure.decomposition import decompose
from groupkin.structure.generation import generate, roman

# Table 16 of Celdran, Saura and Dopico (2022): bodies and groups; joints as a mobility of one needs them
TABLE = {
    ("I", 2): (6, 7, 3),
    ("I", 4): (10, 13, 5),
    ("I", 8): (18, 25, 9),
    ("II", 2): (10, 13, 3),
    ("II", 4): (18, 25, 5),
    ("II", 8): (34, 49, 9),
    ("III", 2): (14, 19, 3),
    ("III", 4): (26, 37, 5),
}


@pytest.mark.parametrize(("name", "expected"), TABLE.items(), ids=[f"{k}-{n}" for k, n in TABLE])
def test_published_families(name: tuple[str, int], expected: tuple[int, int, int]) -> None:
    k, n = len(name[0]), name[1]
    for seed in range(5):
        mechanism = generate(k, n, seed)
        assert mechanism.name == f"ASSUR {name[0]}-{n}"
        structure = decompose(mechanism)
        assert (len(mechanism.bodies), len(mechanism.joints), len(structure.groups)) == expected
        assert mechanism.mobility == 1
        assert structure.groups[0].label == "1R2D"
        assert {(len(group.bodies), group.label) for group in structure.groups[1:]} == {(2 * k, f"{3 * k}R2D")}


@pytest.mark.parametrize("assur_class", range(1, 8))
def test_groups_are_ternary_bodies_in_a_chain_with_legs(assur_class: int) -> None:
    mechanism = generate(assur_class, 3, seed=4)
    for group in decompose(mechanism).groups[1:]:
        inside = nx.Graph(
            [mechanism.joints[k].bodies for k, j in enumerate(mechanism.joints) if j.name in group.internal]
        )
        joints = Counter(b for j in mechanism.joints if j.name in {*group.internal, *group.external} for b in j.bodies)
        ternary = [body for body in group.bodies if joints[body] == 3]
        assert len(ternary) == assur_class - 1
        assert len(group.external) == assur_class + 1
        assert nx.is_tree(inside)
        if ternary:
            chain = inside.subgraph(ternary)
            assert nx.is_connected(chain)
            assert max(dict(chain.degree).values()) <= 2
        for leg in set(group.bodies) - set(ternary):
            assert joints[leg] == 2
        assert len({b for name in group.external for j in mechanism.joints if j.name == name for b in j.bodies}) > 2


def test_the_family_b_is_the_same_linkage_driven_at_its_last_two_bodies() -> None:
    sizes = set()
    for k, n in ((1, 4), (1, 8), (2, 4), (2, 8), (3, 2), (3, 4), (5, 3)):
        for seed in range(6):
            crank, last = generate(k, n, seed), generate(k, n, seed, drive_last=True)
            assert (last.joints, last.name) == (crank.joints, crank.name + "B")
            bodies = list(last.body)
            driven = next(joint for joint in last.joints if joint.name == last.drivers[0].joint)
            assert set(driven.bodies) == set(bodies[-2:])
            structure = decompose(last)  # is determined whichever bodies the groups are joined to
            sizes.add(max(len(group.bodies) for group in structure.groups))
    assert 25 in sizes  # ASSUR III-4B is one group of all bodies, as published, where every group leads on to the next


def test_another_seed_is_another_mechanism() -> None:
    assert len({tuple(j.bodies for j in generate(2, 5, seed).joints) for seed in range(10)}) == 10
    assert generate(2, 5, 3) == generate(2, 5, 3)


def test_points_are_spread_so_that_a_linkage_can_be_assembled_and_moved() -> None:
    mechanism = generate(1, 2, seed=1)
    motion = gk.solve(mechanism, times=[0.0, 0.001])
    assert motion.solved.all()


def test_written_and_read_again() -> None:
    for mechanism in (generate(3, 2, 7), generate(1, 0), generate(2, 1, drive_last=True)):
        assert parse(as_data(mechanism)) == mechanism
        assert parse(tomllib.loads(as_toml(as_data(mechanism)))) == mechanism


def test_what_does_not_exist_is_refused() -> None:
    for wrong in ((0, 1, 0), (1, -1, 0), (1, 1, -1)):
        with pytest.raises(MechanismError, match="a class from 1"):
            generate(*wrong)


def test_roman_numerals() -> None:
    assert [roman(n) for n in (3, 8, 19, 40, 90, 444, 2026)] == ["III", "VIII", "XIX", "XL", "XC", "CDXLIV", "MMXXVI"]


def test_truth_values_of_numpy_are_truth_values() -> None:
    assert generate(2, 2, 1, drive_last=np.True_) == generate(2, 2, 1, drive_last=True)
