"""Several bodies on one pin or at one center: any pairs will do, and the best are found without trying them."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from groupkin.analysis import analyze
from groupkin.errors import DuplicateNameError, GeometryError, MechanismError, NotDeterminedError, UnknownNameError
from groupkin.kinematics.global_formulation.comparison import compare
from groupkin.kinematics.motion.residuals import max_residual
from groupkin.kinematics.solver import solve
from groupkin.mechanism.files.reading import load
from groupkin.mechanism.laws.laws import Ramp
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from groupkin.mechanism.multi_joints import with_trees
from groupkin.structure.decomposition import decompose
from groupkin.structure.multi_joints import arranged
from groupkin.structure.tables import summary
from tests.support.shares import in_part

TIMES = np.linspace(0.0, 1.0, 41)
TURN = Ramp(rate=2 * np.pi)


def pinned(order: tuple[str, ...] = ("link", "coupler", "rocker")) -> Mechanism:
    """A four-bar with a second dyad on the pin between its coupler and rocker."""
    places = {"A": (0, 0), "B": (0, 1), "C": (3, 2.5), "D": (3, 0), "E": (6, 0), "F": (5.5, 2.5)}
    ends = {
        "A": ("ground", "crank"),
        "B": ("crank", "coupler"),
        "C": order,
        "D": ("rocker", "ground"),
        "E": ("arm", "ground"),
        "F": ("link", "arm"),
    }
    joints = [Joint(name, "R", ends[name], point=place) for name, place in places.items()]
    return Mechanism(2, ["ground", "crank", "coupler", "rocker", "link", "arm"], joints, [Driver("A", TURN)])


# --- the best pairs --------------------------------------------------------------------------


def random_mechanism(rng: np.random.Generator) -> Mechanism:
    """Bodies hung on shared pins in twos, one of the pairs driven; without geometry."""
    bodies = ["0", "1"]
    pins = [["0", "1"]]
    for _ in range(rng.integers(2, 4)):
        new = [str(len(bodies) + k) for k in range(2)]
        pins.append(list(new))
        for body in new:
            shared = [pin for pin in pins[:-1] if len(pin) < 4 and body not in pin]
            if rng.random() < 0.6 and shared:
                shared[rng.integers(len(shared))].append(body)
            else:
                pins.append([bodies[rng.integers(len(bodies))], body])
        bodies += new
    joints = [Joint(f"j{k}", "R", tuple(map(str, rng.permutation(pin)))) for k, pin in enumerate(pins)]
    joint = joints[rng.integers(len(joints))]
    between = tuple(joint.bodies[k] for k in rng.permutation(len(joint.bodies))[:2])
    driver = Driver(joint.name, between=(between[0], between[1]) if len(joint.bodies) > 2 else None)
    return Mechanism(2, bodies, joints, [driver])


def trees(bodies: tuple[str, ...]) -> list[list[tuple[str, str]]]:
    pairs = list(itertools.combinations(bodies, 2))
    chosen = itertools.combinations(pairs, len(bodies) - 1)
    return [list(edges) for edges in chosen if nx.is_connected(nx.Graph(edges)) and len(nx.Graph(edges)) == len(bodies)]


def sizes(mechanism: Mechanism) -> list[int] | None:
    try:
        return sorted(len(group.bodies) for group in decompose(mechanism).groups)
    except NotDeterminedError:
        return None


@pytest.mark.exhaustive
@pytest.mark.parametrize("count", [*in_part([20, 80], 2), pytest.param(400, marks=pytest.mark.long)])
def test_the_pairs_chosen_are_the_best_of_all(count: int) -> None:
    """Against every combination of trees: as many groups as any has, and the largest as small as in any."""
    rng, compared, better = np.random.default_rng(1), 0, 0
    for _ in range(count):
        mechanism = random_mechanism(rng)
        own = sizes(arranged(mechanism))
        if own is None or not mechanism.shared:
            continue
        driven = {joint.name: joint.bodies for joint in mechanism.joints if joint.name in mechanism.driven}
        options = []
        for name, joint in mechanism.shared.items():
            forced = {ends for pair, ends in driven.items() if pair.startswith(f"{name}(")}
            found = []
            for tree in trees(joint.bodies):
                turned = [edge[::-1] if edge[::-1] in forced else edge for edge in tree]
                found += [turned] if forced <= set(turned) else []
            options.append([(name, tree) for tree in found])
        every = [
            sizes(replace(mechanism, joints=with_trees(mechanism.joints, dict(choice))))
            for choice in itertools.product(*options)
        ]
        # pairs in an unlucky tree may count out where one body has too much and another too little; hubs tell
        assert all(found is None or sum(found) == sum(own) for found in every)
        assert len(own) == max(len(found) for found in every if found)
        assert max(own) == min(max(found) for found in every if found)
        compared += 1
        better += len({len(found) for found in every if found}) > 1
    assert compared > count / 4
    assert better > count / 20  # in so many the choice matters


@pytest.mark.parametrize("order", list(itertools.permutations(("link", "coupler", "rocker"))))
def test_the_order_of_declaration_does_not_matter(order: tuple[str, ...]) -> None:
    structure = analyze(pinned(order))
    assert [group.bodies for group in structure.groups] == [("crank",), ("coupler", "rocker"), ("link", "arm")]
    assert [group.label for group in structure.groups] == ["1R2D", "3R2D", "3R2D"]


# --- results ---------------------------------------------------------------------------------


def test_a_pin_of_three_bodies_against_its_pairs() -> None:
    motion = solve(pinned(), TIMES)
    joints = [joint for joint in pinned().joints if joint.of is None]
    pairs = [Joint(f"C{k}", "R", ("rocker", body), point=(3, 2.5)) for k, body in enumerate(("coupler", "link"))]
    other = solve(replace(pinned(), joints=[*joints, *pairs]), TIMES)
    for body in motion.program.mechanism.movable:
        here, there = (found.point_on(body, (1.0, 2.0)) for found in (motion, other))
        np.testing.assert_allclose(here, there, rtol=0, atol=1e-12)
        np.testing.assert_allclose(motion.angular_velocity(body), other.angular_velocity(body), rtol=0, atol=1e-10)
    assert max_residual(motion) < 1e-12
    assert compare(motion).agree


def test_coordinates_of_a_multi_joint_are_read_by_its_name() -> None:
    motion = solve(pinned(), TIMES)
    angle = {body: motion.angle(body) for body in ("link", "coupler", "rocker")}
    expected = [angle["coupler"] - angle["link"], angle["rocker"] - angle["link"]]
    np.testing.assert_allclose(motion.joint("C"), expected, rtol=0, atol=1e-12)
    between = motion.joint("C", between=("rocker", "coupler"))
    np.testing.assert_allclose(between, [angle["coupler"] - angle["rocker"]], rtol=0, atol=1e-12)
    with pytest.raises(
        UnknownNameError, match="joint 'C' joins link, coupler, rocker; `between` must name two of them"
    ):
        motion.joint("C", between=("rocker", "arm"))
    assert "6 joints in the plane" in summary(motion.program.structure)


def test_drivers_name_the_pair_they_act_between() -> None:
    pin = Joint("pin", "R", ("ground", "a", "b", "c"), point=(0, 0))
    rates = {("ground", "b"): 1.0, ("b", "a"): 1.0, ("a", "c"): 2.0}
    drivers = [Driver("pin", Ramp(rate=rate), between=ends) for ends, rate in rates.items()]
    motion = solve(Mechanism(2, ["ground", "a", "b", "c"], [pin], drivers), TIMES)
    for body, rate in (("a", 2.0), ("b", 1.0), ("c", 4.0)):
        np.testing.assert_allclose(motion.angle(body), rate * TIMES, rtol=0, atol=1e-12)


def test_balls_at_one_center() -> None:
    """Two rods and a leg at one point of space: as the same mechanism with pairs."""
    tip = (0.1, 0.2, 1.0)
    feet = {"a": (1.0, 0.0, 0.0), "b": (-0.6, 0.9, 0.0), "c": (-0.5, -0.8, 0.0)}
    joints = [Joint("tip", "S", tuple(feet), point=tip)]
    axes = ((0, 0, 1), (0, 1, 0))
    for name, foot in feet.items():
        joints += [
            Joint(f"foot_{name}", "U", ("ground", f"low_{name}"), point=foot, axes=axes),
            Joint(f"slide_{name}", "P", (f"low_{name}", name), point=foot, axis=np.subtract(tip, foot)),
        ]
    bodies = ["ground", *feet, *(f"low_{name}" for name in feet)]
    drivers = [Driver(f"slide_{name}", Ramp(rate=0.1 * (k + 1))) for k, name in enumerate(feet)]
    mechanism = Mechanism(3, bodies, joints, drivers)
    motion = solve(mechanism, TIMES)
    for k, (name, foot) in enumerate(feet.items()):
        ends = motion.point_on(name, tip)
        np.testing.assert_allclose(ends, motion.point_on("a", tip), rtol=0, atol=1e-12)
        length = np.linalg.norm(np.subtract(tip, foot)) + 0.1 * (k + 1) * TIMES
        np.testing.assert_allclose(np.linalg.norm(ends - foot, axis=1), length, rtol=1e-12)
    assert compare(motion).agree


def test_multi_joints_in_files(tmp_path: Path) -> None:
    path = tmp_path / "pin.toml"
    path.write_text(
        """
        dimension = 2
        units = { angle = "deg" }
        bodies = ["ground", "a", "b"]
        joints = [{ name = "pin", type = "R", bodies = ["ground", "a", "b"], point = [0, 0] }]
        drivers = [
          { joint = "pin", between = ["ground", "a"], law = { type = "ramp", rate = 90 } },
          { joint = "pin", between = ["a", "b"], law = { type = "ramp", rate = 45 } },
        ]
        """
    )
    motion = solve(load(path), TIMES)
    np.testing.assert_allclose(motion.angle("b"), np.deg2rad(135) * TIMES, rtol=0, atol=1e-12)


# --- refusals --------------------------------------------------------------------------------

BODIES = ["ground", "a", "b"]


@pytest.mark.parametrize(
    ("joint", "drivers", "error", "message"),
    [
        ({"type": "P"}, [], MechanismError, "possible for R (revolute), C (cylindrical), S (spherical), but not for P"),
        ({"bodies": ("ground", "a", "a")}, [], DuplicateNameError, "joint 'pin' names body 'a' twice"),
        ({"reference": 0.3}, [], GeometryError, "remove `reference`"),
        ({"points": ((0, 0), (0, 0))}, [], GeometryError, "remove `points`"),
        ({}, [Driver("pin")], UnknownNameError, 'as in between = ["ground", "a"]'),
        (
            {},
            [Driver("pin", between=("a", "c"))],
            UnknownNameError,
            "acts between a and c, but the joint joins ground, a, b",
        ),
        ({}, [Driver("pin", between=("a", "a"))], MechanismError, "must act between two different bodies"),
        (
            {},
            [Driver("pin", between=("a", "b")), Driver("pin", between=("b", "a"))],
            MechanismError,
            "act between b and a in both directions; choose one",
        ),
        (
            {},
            [
                Driver("pin", between=("a", "b")),
                Driver("pin", between=("b", "ground")),
                Driver("pin", between=("ground", "a")),
            ],
            MechanismError,
            "in a ring, one too many: a-b, b-ground, ground-a; drop a driver",
        ),
    ],
)
def test_what_a_multi_joint_cannot_be(
    joint: dict[str, Any], drivers: list[Driver], error: type[Exception], message: str
) -> None:
    pin = Joint("pin", **({"type": "R", "bodies": ("ground", "a", "b")} | joint))
    with pytest.raises(error) as caught:
        Mechanism(2, BODIES, [pin], drivers)
    assert message in str(caught.value)


def test_a_joint_of_two_bodies_may_name_them() -> None:
    joint = Joint("A", "R", ("ground", "a"))
    assert Mechanism(2, ["ground", "a"], [joint], [Driver("A", between=("ground", "a"))]).drivers == (Driver("A"),)
    with pytest.raises(UnknownNameError, match="acts between ground and a, in this order; not a and ground"):
        Mechanism(2, ["ground", "a"], [joint], [Driver("A", between=("a", "ground"))])


def test_two_joints_of_one_name() -> None:
    with pytest.raises(DuplicateNameError, match="two joints are named 'pin'"):
        Mechanism(2, BODIES, [Joint("pin", "R", ("ground", "a", "b")), Joint("pin", "R", ("a", "b"))])


def test_a_refusal_names_the_joint_of_the_user() -> None:
    with pytest.raises(NotDeterminedError, match=r"add a driver at one of: pin\(ground, [ab]\)\n") as caught:
        analyze(Mechanism(2, BODIES, [Joint("pin", "R", ("ground", "a", "b"))], [Driver("pin", between=("a", "b"))]))
    assert caught.value.lack == 1
