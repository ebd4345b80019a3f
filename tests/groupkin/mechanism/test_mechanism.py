"""What is no mechanism is refused, with the names of what is wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from groupkin.errors import (
    ArgumentError,
    ConflictingPointError,
    DuplicateNameError,
    FileError,
    GeometryError,
    MechanismError,
    UnknownJointTypeError,
    UnknownNameError,
)
from groupkin.kinematics.solver import solve
from groupkin.mechanism.laws.laws import Constant
from groupkin.mechanism.mechanism import Body, Driver, Joint, Mechanism
from groupkin.mechanism.pairs import PAIRS, freedom_index, freedoms

ARM = Joint("A", "R", ("ground", "arm"), point="P", axis=(0, 0, 1))
HAND = Joint("B", "U", ("arm", "hand"), point=(1, 0, 0), axes=((1, 0, 0), (0, 2, 0)))


def robot(**changes: Any) -> Mechanism:
    """A revolute and a universal joint in space, with changes."""
    fields: dict[str, Any] = {
        "dimension": 3,
        "bodies": ["ground", "arm", "hand"],
        "joints": [ARM, HAND],
        "drivers": [Driver("A", Constant()), Driver("B", freedom="angle_2")],
        "points": {"P": (0, 0, 0)},
    }
    return Mechanism(**(fields | changes))


def test_a_mechanism_is_checked_data() -> None:
    mechanism = robot()
    assert mechanism.frame == "ground"
    assert mechanism.movable == ("arm", "hand")
    assert list(mechanism.body) == ["ground", "arm", "hand"]
    assert mechanism.mobility == 3
    assert {joint: list(driven) for joint, driven in mechanism.driven.items()} == {"A": [0], "B": [1]}
    np.testing.assert_array_equal(mechanism.positions["P"], [0, 0, 0])


def test_the_frame_may_be_any_body() -> None:
    assert robot(frame="hand").movable == ("ground", "arm")


@pytest.mark.parametrize(
    ("dimension", "movable", "freedom_count"), [(2, 3, 1), (3, 3, 3)], ids=["four-bar", "spatial loop"]
)
def test_mobility_by_count(dimension: int, movable: int, freedom_count: int) -> None:
    names = [str(k) for k in range(movable + 1)]
    pairs = zip(names, [*names[1:], names[0]], strict=True)
    symbol = {1: "R", 3: "S"}[freedom_count]
    joints = [Joint(a + b, symbol, (a, b)) for a, b in pairs]
    unit = {2: 3, 3: 6}[dimension]
    assert Mechanism(dimension, names, joints).mobility == unit * movable - 4 * (unit - freedom_count)


REFUSALS: list[tuple[dict[str, Any], type[MechanismError], str]] = [
    ({"dimension": 4}, MechanismError, r"dimension must be 2 \(plane\) or 3 \(space\), not 4"),
    ({"bodies": []}, MechanismError, "needs at least one body, the frame"),
    ({"frame": "floor"}, UnknownNameError, "the frame 'floor' is not among the bodies"),
    ({"bodies": ["ground", "arm", "hand", "arm"]}, DuplicateNameError, "two bodies are named 'arm'"),
    ({"joints": [ARM, replace(HAND, name="A")]}, DuplicateNameError, "two joints are named 'A'"),
    ({"points": {"P": (0, 0, np.nan)}}, GeometryError, "point 'P' must be 3 finite numbers"),
    ({"points": {"P": (0, 0, 0), "unused": (0, np.inf, 0)}}, GeometryError, "point 'unused' must be 3 finite"),
    ({"points": {"P": (0, 0)}}, GeometryError, "point 'P' must be 3 finite numbers"),
    ({"points": {"P": "here"}}, GeometryError, "point 'P' must be 3 finite numbers, not 'here'"),
    (
        {"bodies": ["ground", "arm", Body("hand", points={"P": (0, 0, 1)})]},
        ConflictingPointError,
        r"point 'P' has two positions, \(0, 0, 0\) m and \(0, 0, 1\) m",
    ),
    ({"bodies": ["ground", "arm", Body("hand", points=("Q",))]}, UnknownNameError, "body 'hand' refers to 'Q'"),
    ({"bodies": ["ground", "arm", Body("hand", origin="Q")]}, UnknownNameError, "origin of body 'hand' refers to 'Q'"),
    (
        {"bodies": ["ground", "arm", Body("hand", lengths={("P", "Q"): 1.0})]},
        UnknownNameError,
        "a length of body 'hand' refers to 'Q'",
    ),
    (
        {"bodies": ["ground", "arm", Body("hand", points={"Q": (1, 0, 0)}, lengths={("P", "Q"): 0.0})]},
        GeometryError,
        "body 'hand': the length P-Q must be positive, not 0.0",
    ),
    (
        {"bodies": ["ground", "arm", Body("hand", points={"Q": (1, 0, 0)}, lengths={("P", "Q"): np.nan})]},
        GeometryError,
        "the length P-Q must be positive, not nan",
    ),
    (
        {"bodies": ["ground", "arm", Body("hand", points={"arm": (0, 0, 1)})]},
        DuplicateNameError,
        "point 'arm' has the name of a body, and results could not tell",
    ),
    (
        {"drivers": [Driver("C")]},
        UnknownNameError,
        "names joint 'C', which does not exist; the joints are A, B",
    ),
    ({"drivers": [Driver("a")]}, UnknownNameError, r"joint 'a', which does not exist \(did you mean A\?\)"),
    (
        {"drivers": [Driver("arm")]},
        UnknownNameError,
        "which does not exist: arm is a body, with the joints A, B",
    ),
    ({"drivers": [Driver("B")]}, UnknownNameError, "driver of joint 'B': .* several freedoms: choose one of angle_1"),
    ({"drivers": [Driver("B", freedom="angle_3")]}, UnknownNameError, "no freedom 'angle_3'; it has angle_1, angle_2"),
    (
        {"drivers": [Driver("A"), Driver("A", freedom="angle")]},
        DuplicateNameError,
        "joint 'A' has two drivers on one freedom",
    ),
]


@pytest.mark.parametrize(("changes", "error", "message"), REFUSALS)
def test_what_is_no_mechanism_is_refused(changes: dict[str, Any], error: type[MechanismError], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        robot(**changes)
    assert type(caught.value) is error


JOINT_REFUSALS: list[tuple[Joint, dict[str, Any], type[MechanismError], str]] = [
    (
        ARM,
        {"type": "universl"},
        UnknownJointTypeError,
        r"joint 'A': .* type 'universl' \(did you mean U \(universal\)\?",
    ),
    (ARM, {"type": "Revolute"}, UnknownJointTypeError, r"joint type 'Revolute' \(did you mean R \(revolute\)\?"),
    (ARM, {"type": "FP"}, UnknownJointTypeError, r"joint 'A': joint type FP .* does not exist in space"),
    (ARM, {"bodies": ("ground", "amr")}, UnknownNameError, "joint 'A' names body 'amr', .*did you mean arm"),
    (ARM, {"bodies": ("arm", "arm")}, MechanismError, "joint 'A' must connect two different bodies"),
    (ARM, {"bodies": ("arm",)}, MechanismError, "joint 'A' must connect two different bodies"),
    (ARM, {"point": "Q"}, UnknownNameError, "joint 'A' refers to 'Q', which is no named point"),
    (ARM, {"point": (0, 0)}, GeometryError, "joint 'A' must be 3 finite numbers"),
    (ARM, {"point": (0, 0, np.nan)}, GeometryError, "joint 'A' must be 3 finite numbers"),
    (ARM, {"points": ("P", "P")}, GeometryError, "joint 'A' has `point`, common to both bodies, and `points`"),
    (ARM, {"point": None, "points": ("P",)}, GeometryError, "joint 'A': `points` must be two"),
    (ARM, {"axis": (0, 0, 0)}, GeometryError, "axis of joint 'A' has zero length"),
    (ARM, {"axis": (0, 1)}, GeometryError, "axis of joint 'A' must be 3 finite numbers"),
    (ARM, {"axis": (0, np.nan, 1)}, GeometryError, "axis of joint 'A' must be 3 finite numbers"),
    (ARM, {"axes": ((1, 0, 0), (0, 1, 0))}, GeometryError, r"joint 'A': .* R \(revolute\) takes `axis`, not `axes`"),
    (ARM, {"type": "S"}, GeometryError, r"joint 'A': a joint of type S \(spherical\) has no axis; remove `axis`"),
    (ARM, {"type": "F"}, GeometryError, r"joint 'A': a joint of type F \(free body in space\) has no axis"),
    (HAND, {"axis": (0, 0, 1)}, GeometryError, r"joint 'B': .* U \(universal\) takes `axes`, not `axis`"),
    (HAND, {"axes": ((1, 0, 0), (-2, 0, 0))}, GeometryError, "joint 'B': its two axes are parallel"),
    (HAND, {"axes": ((1, 0, 0), (0, 0, 0))}, GeometryError, "axis 2 of joint 'B' has zero length"),
    (HAND, {"axes": ((1, 0, 0),)}, GeometryError, "joint 'B': `axes` must be two directions"),
    (HAND, {"axes": "9" * 4000}, GeometryError, r"joint 'B': `axes` must be two directions.{0,90}$"),
    (HAND, {"reference": 1.0}, GeometryError, "reference of joint 'B': name its angles: angle_1, angle_2"),
    (HAND, {"reference": {"angle": 1.0}}, UnknownNameError, "reference of joint 'B': .* no freedom 'angle'"),
    (HAND, {"reference": {"angle_1": np.nan}}, GeometryError, "reference of joint 'B': 'angle_1' must be a finite"),
    (ARM, {"reference": np.inf}, GeometryError, "reference of joint 'A' must be a finite angle"),
    (ARM, {"type": "P", "reference": 1.0}, GeometryError, "reference of joint 'A': it has no angle"),
    (ARM, {"type": "C", "reference": {"displacement": 1.0}}, GeometryError, "follows from `points`"),
    (ARM, {"pitch": 0.1}, GeometryError, r"joint 'A': .* R \(revolute\) has no pitch; remove `pitch`"),
    (ARM, {"type": "H", "pitch": 0.0}, GeometryError, "joint 'A': its pitch must be a finite number other than zero"),
    (ARM, {"type": "H", "pitch": np.nan}, GeometryError, "joint 'A': its pitch must be a finite number"),
    (
        ARM,
        {"type": "H", "radii": (1.0, 2.0)},
        GeometryError,
        r"joint 'A': .* H \(helical\) has no radii; remove `radii`",
    ),
    (ARM, {"type": "EO", "radii": (1.0, 0.0)}, GeometryError, "joint 'A': its radii must be two positive numbers"),
    (ARM, {"type": "EO", "radii": (1.0,)}, GeometryError, "joint 'A': its radii must be two positive numbers"),
    (ARM, {"type": "EO", "radii": (1.0, 1e-320)}, GeometryError, "joint 'A': its radii must be two positive numbers"),
    (ARM, {"type": "EO", "radii": (1.0, 1e-12)}, GeometryError, "joint 'A': its radii .* differ by a factor"),
    (ARM, {"type": "H", "pitch": 1e-320}, GeometryError, "joint 'A': its pitch must be a finite number"),
    (ARM, {"type": "EPI", "reference": 0.5}, GeometryError, "joint 'A': name its angles: angle, tilt_x, tilt_y"),
    (
        HAND,
        {"type": "PC", "axes": ((1, 0, 0), (1, 1, 0))},
        GeometryError,
        "must be perpendicular, but they are 45° apart",
    ),
    (HAND, {"type": "ER", "axes": ((1, 0, 0), (-2, 0, 0))}, GeometryError, "joint 'B': its two axes are parallel"),
]


@pytest.mark.parametrize(("joint", "changes", "error", "message"), JOINT_REFUSALS)
def test_wrong_joints_are_refused(
    joint: Joint, changes: dict[str, Any], error: type[MechanismError], message: str
) -> None:
    wrong = replace(joint, **changes)
    with pytest.raises(error, match=message) as caught:
        robot(joints=[wrong if own is joint else own for own in (ARM, HAND)], drivers=[])
    assert type(caught.value) is error


def test_a_revolute_joint_of_the_plane_has_no_axis() -> None:
    joint = Joint("A", "R", ("ground", "arm"), point=(0, 0), axis=(0, 1))
    with pytest.raises(GeometryError, match=r"joint 'A': .* R \(revolute\) in the plane has no axis; remove `axis`"):
        Mechanism(2, ["ground", "arm"], [joint])


@pytest.mark.parametrize(
    "named", [{"origin": "Q"}, {"points": ("Q",)}, {"points": ("R", "Q"), "lengths": {("R", "Q"): 1.0}}]
)
def test_a_point_that_a_body_names_is_used(named: dict[str, Any]) -> None:
    points = {name: at for name, at in (("Q", (1, 0, 0)), ("R", (0, 0, 0))) if name in str(named)}
    bodies = ["ground", "arm", Body("hand", **named)]
    assert "Q" in robot(points={"P": (0, 0, 0), **points}, bodies=bodies).positions


def test_equal_mechanisms_are_one_key() -> None:
    assert robot() == robot()
    assert {robot(): 1}[robot()] == 1
    assert hash(robot(name="one")) != hash(robot(name="other"))


def test_a_mechanism_is_printed_in_one_line() -> None:
    assert repr(robot(name="Robot")) == "<Mechanism Robot in space: 3 bodies, 2 joints, 2 driven>"
    assert repr(Mechanism(2, ["ground"], [])) == "<Mechanism mechanism in the plane: 1 body, 0 joints, 0 driven>"


@pytest.mark.parametrize("dimension", [2, 3])
def test_of_the_types_that_are_offered_those_without_equations_are_set_apart(dimension: int) -> None:
    with pytest.raises(UnknownJointTypeError) as caught:
        freedoms("X", dimension)
    offered, _, others = str(caught.value).partition("; the types in ")[2].partition("; for analysis only: ")
    symbols = re.findall(r"([A-Z]+) \(", offered)
    assert symbols == [s for s, p in PAIRS.items() if p.modeled and (p.plane if dimension == 2 else p.space)]
    assert others == ("" if dimension == 2 else "CPEP, CTEP, CTRP, CBIP")


def test_freedoms_are_as_many_as_published() -> None:
    """Table 3; of pairs that exist in the plane and in space it tells one number. RW and HF are not in it."""
    published = "R1 P1 H1 CPEP1 C2 ER2 U2 L2 EO2 EPI2 CTEP2 RP2 RD2 S3 PL3 CR3 CTRP3 FP3 SC4 PC4 CBIP4 SP5 SPSP5 F6"
    counts = {symbol: int(number) for symbol, number in re.findall(r"([A-Z]+)(\d)", published)}
    assert [symbol for symbol in PAIRS if symbol not in ("RW", "HF")] == list(counts)
    only_plane = {"L": 2, "RD": 2, "FP": 3}
    in_plane = only_plane | {"R": 1, "P": 1, "RW": 1, "EO": 2, "EPI": 2, "RP": 2, "CR": 2, "SPSP": 2}
    in_space = {symbol: count for symbol, count in counts.items() if symbol not in only_plane}
    in_space |= {"RW": 1, "HF": 5, "EO": 5, "EPI": 5, "RP": 5}
    for dimension, counts in ((2, in_plane), (3, in_space)):
        for symbol, count in counts.items():
            names = [freedom.name for freedom in freedoms(symbol, dimension)]
            assert len(set(names)) == count
            assert [freedom_index(symbol, dimension, name) for name in names] == list(range(count))
    assert set(PAIRS) == set(in_space) | set(in_plane)


FOUR_BAR = [["-", "R", "-", "R"], ["R", "-", "R", "-"], ["-", "R", "-", "R"], ["R", "-", "R", "-"]]


def inputs(count: int) -> list[list[int]]:
    return [[0, count, 0, 0], [count, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]


def test_the_published_form_is_a_mechanism() -> None:
    mechanism = Mechanism.from_adjacency(FOUR_BAR, inputs(1), dimension=2, name="four-bar")
    assert (mechanism.name, mechanism.frame, mechanism.mobility) == ("four-bar", "1", 1)
    assert [joint.bodies for joint in mechanism.joints] == [("1", "2"), ("1", "4"), ("2", "3"), ("3", "4")]
    assert mechanism.driven["1-2"][0].freedom == "angle"


@pytest.mark.parametrize(
    ("matrix", "known", "message"),
    [
        (FOUR_BAR[:3], inputs(1), "must be square"),
        (FOUR_BAR, inputs(1)[:3], "must be 4 x 4"),
        ([*FOUR_BAR[:3], ["-"] * 4], inputs(0), "must be symmetric; they differ at 1-4 and 4-1"),
        (FOUR_BAR, inputs(2), "2 freedoms of pair 1-2 are driven; R has 1"),
        (["RR-R", *FOUR_BAR[1:]], inputs(1), "body 1 is joined to itself: .* at 1-1 they are 'R' and 0"),
        (FOUR_BAR, [[1, 1, 0, 0], *inputs(1)[1:]], "body 1 is joined to itself: .* at 1-1 they are '-' and 1"),
        (FOUR_BAR, [[0, 0, 1, 0], [0] * 4, [1, 0, 0, 0], [0] * 4], "bodies 1-3 are driven but not joined"),
        ([[x.replace("R", "V") for x in row] for row in FOUR_BAR], inputs(1), "unknown joint type 'V'"),
    ],
)
def test_wrong_matrices_are_refused(matrix: list[list[str]], known: list[list[int]], message: str) -> None:
    with pytest.raises(MechanismError, match=message):
        Mechanism.from_adjacency(matrix, known, dimension=2)


@pytest.mark.parametrize(
    ("wrong", "needed"),
    [({"joints": [{"name": "A"}]}, "Joint"), ({"drivers": ["A"]}, "Driver"), ({"bodies": ["g", 1]}, "Body")],
)
def test_entries_of_another_kind_are_refused(wrong: dict, needed: str) -> None:
    with pytest.raises(MechanismError, match=f"must be a {needed}"):
        Mechanism(**{"dimension": 2, "bodies": ["g", "c"], "joints": [], **wrong})


def test_a_number_is_not_a_law() -> None:
    joint = Joint("A", "R", ("g", "c"), point=(0, 0))
    with pytest.raises(MechanismError, match=r"law must be a Law, not 3\.0, such as Constant"):
        Mechanism(2, ["g", "c"], [joint], [Driver("A", 3.0)])  # type: ignore[arg-type]


@pytest.mark.parametrize("given", ["no_such.toml", Path("no_such.toml")])
def test_the_name_of_a_file_is_that_of_its_mechanism(given: object) -> None:
    with pytest.raises(FileError, match=r"no_such\.toml: there is no such file"):
        solve(given, [0.0])  # type: ignore[arg-type]


def test_another_text_is_no_mechanism() -> None:
    with pytest.raises(ArgumentError, match="be a Mechanism or a MechanismFile or a Program, not 'four_bar'"):
        solve("four_bar", [0.0])  # type: ignore[arg-type]
