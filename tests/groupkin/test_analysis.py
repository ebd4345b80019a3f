"""Analysis as users see it: the solver of each group, and what rank says beyond the count."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from groupkin.analysis import analyze
from groupkin.errors import DeterminedByCountOnlyError, NotDeterminedError, NotModeledError, UnknownJointTypeError
from groupkin.kinematics.program.building import build
from groupkin.kinematics.program.solver_choice import BY_COUNT, BY_RANK, HUB, NEWTON, NO_SOLVER, NOT_HERE
from groupkin.kinematics.solver import solve
from groupkin.mechanism.files.reading import load
from groupkin.mechanism.laws.laws import Constant, Harmonic
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from groupkin.mechanism.pairs import PAIRS
from groupkin.structure.decomposition import decompose
from sglibrary.catalog import COUPLED, GROUPS, REPEATING
from tests.support.paths import ROOT
from tests.support.random_mechanisms import CHAINS, HIGHER, Chain, Workshop

EXAMPLES = sorted(path for path in (ROOT / "examples").glob("*.toml") if path.suffixes == [".toml"])
PUBLISHED = json.loads((ROOT / "tests" / "data" / "published_structures.json").read_text())
KNOWN = {solver.name for solver in (*GROUPS, *REPEATING, *COUPLED)} | {HUB, NEWTON, NO_SOLVER}


def without_geometry(mechanism: Mechanism) -> Mechanism:
    joints = [Joint(joint.name, joint.type, joint.bodies) for joint in mechanism.joints]
    drivers = [Driver(driver.joint, None, driver.freedom) for driver in mechanism.drivers]
    return Mechanism(mechanism.dimension, list(mechanism.body), joints, drivers, mechanism.frame)


def published(name: str) -> Mechanism:
    case = next(case for case in PUBLISHED if case["name"] == name)
    count = max(body for joint in case["joints"] for body in joint["bodies"])
    matrix, known = [["-"] * count for _ in range(count)], [[0] * count for _ in range(count)]
    for joint in case["joints"]:
        for a, b in (joint["bodies"], joint["bodies"][::-1]):
            matrix[a - 1][b - 1], known[a - 1][b - 1] = joint["type"], joint["driven"]
    return Mechanism.from_adjacency(matrix, known, case["dimension"], name)


# --- the solvers -----------------------------------------------------------------------------


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_name_solvers_that_exist(path: Path) -> None:
    solvers = {group.solver for group in analyze(load(path)).groups}
    assert solvers <= KNOWN
    assert (NO_SOLVER in solvers) == (path.stem == "micro_manipulator")


@pytest.mark.smoke
@pytest.mark.parametrize("path", [path for path in EXAMPLES if path.stem != "micro_manipulator"], ids=lambda p: p.stem)
def test_the_solvers_named_are_those_that_solve(path: Path) -> None:
    mechanism = load(path)
    assert tuple(group.solver for group in analyze(mechanism).groups) == build(mechanism).solvers


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case["name"])
def test_published_mechanisms_name_solvers_that_exist(case: dict[str, Any]) -> None:
    structure = analyze(published(case["name"]))
    assert {group.solver for group in structure.groups} <= KNOWN
    assert [group.label for group in structure.groups] == [group["type"] for group in case["groups"]]


def test_nothing_but_solvers_and_notes_is_added_to_the_decomposition() -> None:
    mechanism = load(ROOT / "examples" / "rotor_control.toml")
    bare = [replace(group, solver="", determined="", notes=(), why="") for group in analyze(mechanism).groups]
    assert bare == list(decompose(mechanism).groups)


@pytest.mark.parametrize("ends", [("ground", "platform"), ("platform", "ground")])
def test_a_floating_body_may_be_declared_from_either_end(ends: tuple[str, str]) -> None:
    freedoms = ("x", "y", "z", "angle_x", "angle_y", "angle_z")
    drivers = [Driver("pose", Harmonic(0.1, 1.0), name) for name in freedoms]
    mechanism = Mechanism(3, ["ground", "platform"], [Joint("pose", "F", ends)], drivers)
    assert [group.solver for group in analyze(mechanism).groups] == ["floating body"] == list(build(mechanism).solvers)


# --- rank ------------------------------------------------------------------------------------


def triangle_of_slides() -> Mechanism:
    """Three slides in the plane: determined by count, but they leave a motion and fix the rotation twice."""
    ends = [("ground", "a"), ("a", "b"), ("b", "ground")]
    axes = [(1, 0), (0, 1), (1, 1)]
    joints = [Joint(str(k), "P", e, point=(k, 0), axis=x) for k, (e, x) in enumerate(zip(ends, axes, strict=True))]
    return Mechanism(2, ["ground", "a", "b"], joints)


def dead_center(reach: float = 1.0) -> Mechanism:
    """A dyad whose bars are stretched out in the reference configuration if the reach is 1."""
    tip = (1.0, float(np.sqrt(1.0 - reach**2)))
    joints = [
        Joint("slide", "P", ("ground", "cart"), point=(2 * reach, 0), axis=(1, 0)),
        Joint("a", "R", ("ground", "near"), point=(1 - reach, 0)),
        Joint("b", "R", ("near", "far"), point=tip),
        Joint("c", "R", ("far", "cart"), point=(1 + reach, 0)),
    ]
    law = Harmonic(0.01, 1.0)
    return Mechanism(2, ["ground", "cart", "near", "far"], joints, [Driver("slide", law)])


@pytest.mark.parametrize(
    ("mechanism", "number", "rank"),
    [(triangle_of_slides(), 1, "2 equations for 2 unknowns but rank 1"), (dead_center(), 2, "but rank 1")],
    ids=["never determined", "not determined here"],
)
def test_a_group_that_lacks_rank_carries_a_note_and_is_not_solved(mechanism: Mechanism, number: int, rank: str) -> None:
    group = analyze(mechanism).groups[number - 1]
    assert group.solver == NO_SOLVER
    (note,) = group.notes
    assert rank in note
    assert "in the reference configuration" in note
    with pytest.raises(DeterminedByCountOnlyError) as caught:
        solve(mechanism, [0.0])
    assert str(caught.value).startswith(f"group {number} ({', '.join(group.bodies)}; {group.label}) {note}")


def test_the_same_group_elsewhere_carries_none() -> None:
    structure = analyze(dead_center(0.8))
    assert [(group.solver, group.notes) for group in structure.groups] == [("driven P", ()), ("RRR", ())]


def test_without_geometry_a_group_that_never_has_rank_carries_a_note() -> None:
    group = analyze(without_geometry(triangle_of_slides())).groups[0]
    assert (group.solver, len(group.notes)) == (NO_SOLVER, 1)
    assert "2 equations for 2 unknowns but rank 1: determined by count only" in group.notes[0]


def test_the_body_between_two_balls_is_accepted_with_a_note() -> None:
    """Group 4 of the micro-manipulator can spin about the line through its two balls, whatever its dimensions are."""
    groups = analyze(load(ROOT / "examples" / "micro_manipulator.toml")).groups
    assert (groups[3].bodies, groups[3].label, groups[3].solver) == (("21",), "2S3D", NO_SOLVER)
    assert "determined by count only" in groups[3].notes[0]
    assert groups[6].label == "3R1S3D"
    assert (groups[6].solver != NO_SOLVER, groups[6].notes) == (True, ())


@pytest.mark.parametrize(
    ("dimension", "chain"),
    [
        pytest.param(d, chain, id=f"{d}D {n}")
        for kinds in (CHAINS, HIGHER)
        for d in kinds
        for n, chain in kinds[d].items()
    ],
)
def test_groups_that_can_be_solved_carry_no_note(dimension: int, chain: Chain) -> None:
    shop = Workshop(dimension, np.random.default_rng(0))
    shop.make_tree(chain, [shop.moving_body(), "ground"])
    mechanism = shop.mechanism()
    for structure in (analyze(mechanism), analyze(without_geometry(mechanism))):
        assert {group.notes for group in structure.groups} == {()}
        assert NO_SOLVER not in {group.solver for group in structure.groups}


def test_a_pair_without_equations_is_noted() -> None:
    joints = [
        Joint("slot", "CTEP", ("ground", "a")),
        Joint("axle", "R", ("ground", "b"), point=(0, 0, 0), axis=(0, 0, 1)),
    ]
    drivers = [
        Driver("slot", Constant(), "freedom_1"),
        Driver("slot", Constant(), "freedom_2"),
        Driver("axle", Constant()),
    ]
    mechanism = Mechanism(3, ["ground", "a", "b"], joints, drivers)
    groups = analyze(mechanism).groups
    assert [group.solver for group in groups] == [NO_SOLVER, "driven R"]
    assert [group.notes for group in groups] == [("the pair CTEP has no equations",), ()]
    with pytest.raises(NotModeledError, match="'slot': the pair CTEP"):
        solve(mechanism, [0.0])


def test_refusals_come_before_geometry_is_looked_at() -> None:
    with pytest.raises(NotDeterminedError, match="mobility 1, 0 driven"):
        analyze(Mechanism(2, ["ground", "arm"], [Joint("A", "R", ("ground", "arm"))]))


# --- what rank says, and why -----------------------------------------------------------------


@pytest.mark.smoke
def test_reasons_are_named() -> None:
    """A spin between two balls, slides that keep one turn, and bars that are stretched out."""
    group = analyze(load(ROOT / "examples" / "micro_manipulator.toml")).groups[3]
    assert group.determined == BY_COUNT
    assert group.notes[0].endswith(
        "determined by count only; 21 can spin about the line through the centers of 5-21 and 10-21, whose distance is "
        "given twice instead"
    )
    slides = analyze(triangle_of_slides()).groups[0]
    assert slides.determined == BY_COUNT
    assert (
        "determined by count only, whatever its dimensions are: the prismatic pairs 0, 2 and 1 keep the same turn more"
        in (slides.notes[0])
    )
    center = analyze(dead_center()).groups[1]
    assert center.determined == NOT_HERE
    assert "near, far can move while slide stands still, as constraints of a, c and b are redundant" in center.notes[0]
    assert {group.determined for group in analyze(dead_center(0.8)).groups} == {BY_RANK}


@pytest.mark.parametrize("symbol", [symbol for symbol, pair in PAIRS.items() if pair.plane or pair.space])
@pytest.mark.parametrize("dimension", [2, 3])
def test_every_pair_of_the_table_can_be_analyzed(symbol: str, dimension: int) -> None:
    """A body on one joint, all of whose freedoms are driven, is one group with the label of the pair."""
    pair = PAIRS[symbol]
    form = pair.plane if dimension == 2 else pair.space
    joint = Joint("a", symbol, ("ground", "body"))
    if form is None:
        where = "the plane" if dimension == 2 else "space"
        with pytest.raises(UnknownJointTypeError, match=rf"'a': .*{symbol} \({pair.name}\) does not exist in {where}"):
            Mechanism(dimension, ["ground", "body"], [joint])
        return
    drivers = [Driver("a", None, freedom.name) for freedom in form.freedoms]
    (group,) = analyze(Mechanism(dimension, ["ground", "body"], [joint], drivers)).groups
    assert group.label == f"1{symbol}{dimension}D"
    assert group.determined == (BY_RANK if pair.modeled else "")
