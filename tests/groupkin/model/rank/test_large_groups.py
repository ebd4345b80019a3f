"""Rank from the twists of bodies: the same as from joint variables and dense matrices, at any size."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from groupkin.analysis import analyze
from groupkin.kinematics.program.solver_choice import BY_RANK, NO_SOLVER, NOT_HERE
from groupkin.mechanism.files.reading import load
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from groupkin.model.determination.determine import determine
from groupkin.model.determination.hold_spins import solved_geometry
from groupkin.model.geometry.geometry import Geometry, resolve
from groupkin.model.rank import reasons
from groupkin.model.rank.large_groups import LARGE, constraints, nearly_singular
from groupkin.structure.decomposition import Group, Structure
from groupkin.structure.generation import generate
from tests.support.paths import EXAMPLES
from tests.support.random_mechanisms import CHAINS, HIGHER, Chain, Workshop

SOLVED = sorted(
    path
    for path in EXAMPLES.glob("*.toml")
    if path.suffixes == [".toml"] and path.stem != "micro_manipulator"  # which has a group without rank
)


def decomposed(mechanism: Mechanism) -> tuple[Structure, Geometry]:
    geometry = resolve(mechanism)
    structure = determine(mechanism, geometry)
    return structure, solved_geometry(structure, geometry)


def least(structure: Structure, geometry: Geometry, group: Group):  # type: ignore[no-untyped-def]
    return nearly_singular(
        structure.solved_as, geometry, reasons.group_joints(structure.solved_as, group), group.bodies
    )


@pytest.fixture
def all_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reasons, "LARGE", 0)


@pytest.mark.parametrize("path", SOLVED, ids=lambda path: path.stem)
def test_examples_have_full_rank(path: Path, all_are_large: None) -> None:
    assert {group.determined for group in analyze(load(path)).groups} == {BY_RANK}


@pytest.mark.parametrize(
    ("dimension", "chain"),
    [
        pytest.param(d, chain, id=f"{d}D {n}")
        for kinds in (CHAINS, HIGHER)
        for d in kinds
        for n, chain in kinds[d].items()
    ],
)
def test_chains_have_full_rank_with_and_without_geometry(dimension: int, chain: Chain, all_are_large: None) -> None:
    shop = Workshop(dimension, np.random.default_rng(0))
    shop.make_tree(chain, [shop.moving_body(), "ground"])
    mechanism = shop.mechanism()
    bare = [Joint(joint.name, joint.type, joint.bodies) for joint in mechanism.joints]
    for joints in (mechanism.joints, bare):
        again = Mechanism(dimension, list(mechanism.body), list(joints), mechanism.drivers, mechanism.frame)
        assert {group.determined for group in analyze(again).groups} == {BY_RANK}


@pytest.mark.parametrize("seed", range(5))
def test_least_singular_values_are_those_of_the_dense_matrix(seed: int) -> None:
    structure, geometry = decomposed(generate(3, 20, seed, True))
    group = max(structure.groups, key=lambda group: len(group.bodies))
    found = least(structure, geometry, group)
    matrix, _ = constraints(
        structure.solved_as, geometry, reasons.group_joints(structure.solved_as, group), group.bodies
    )
    _, values, right = np.linalg.svd(matrix.toarray())
    assert found.unknowns == found.equations == len(values)
    # the iteration ends at a thousandth
    assert found.values == pytest.approx(values[: -found.values.size - 1 : -1] / values[0], rel=3e-3)
    alike = found.motions[:, :, 0].ravel() @ right[-1]
    assert abs(alike) == pytest.approx(1.0, abs=1e-3)


def shrunk(mechanism: Mechanism, group: Group) -> tuple[Mechanism, str]:
    """A mechanism in which both joints of one bar of a group are at the same point, and the name of that bar."""
    joints = {joint.name: joint for joint in mechanism.joints}
    ends = {body: [joint for joint in joints.values() if body in joint.bodies] for body in group.bodies}
    bar = next(body for body, own in ends.items() if len(own) == 2)
    first, second = ends[bar]
    joints[second.name] = replace(second, point=first.point)
    return Mechanism(2, list(mechanism.body), list(joints.values()), mechanism.drivers, mechanism.frame), bar


def test_a_large_group_with_a_bar_of_no_length_is_not_determined_here() -> None:
    mechanism = generate(3, 60, 1, True)
    sound = max(analyze(mechanism).groups, key=lambda group: len(group.bodies))
    assert len(sound.bodies) > LARGE
    assert (sound.determined, sound.notes) == (BY_RANK, ())
    mechanism, bar = shrunk(mechanism, sound)
    found = max(analyze(mechanism).groups, key=lambda group: len(group.bodies))
    assert (found.determined, found.solver) == (NOT_HERE, NO_SOLVER)
    (note,) = found.notes
    unknowns = 3 * len(sound.bodies)
    assert note.startswith("is at a singular position in the reference configuration")
    assert f"has {unknowns} equations for {unknowns} unknowns but rank {unknowns - 1}" in note
    assert f" {bar} can move" in note or f" {bar}, " in note
    assert len(note) < 500


@pytest.mark.exhaustive
def test_a_long_chain_that_is_nearly_singular_says_how_near() -> None:
    group = max(analyze(generate(3, 300, 1, True)).groups, key=lambda group: len(group.bodies))
    assert (len(group.bodies), group.determined) == (913, NOT_HERE)
    assert re.search(r"\(its least singular value is \de-10 of the largest\)", group.notes[0])


def test_without_geometry_rounding_does_not_refuse_a_large_group() -> None:
    mechanism = generate(3, 300, 1, True)
    joints = [Joint(joint.name, joint.type, joint.bodies) for joint in mechanism.joints]
    drivers = [Driver(driver.joint, None, driver.freedom) for driver in mechanism.drivers]
    group = max(
        analyze(Mechanism(2, list(mechanism.body), joints, drivers, mechanism.frame)).groups,
        key=lambda group: len(group.bodies),
    )
    assert group.determined == BY_RANK
