"""Which body a named point is of: read, coupled, traced and drawn, it is the one that is meant."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import CouplingError, GroupkinError, UnknownNameError
from groupkin.look.animation_checks import check_trace
from groupkin.look.scenes.configurations import reference_configuration
from groupkin.mechanism.carriers import PINS
from groupkin.mechanism.couplings.relations import quantity as coordinates_of
from groupkin.mechanism.pairs import PAIRS, freedoms
from groupkin.model.geometry.geometry import missing_geometry, random_geometry, resolve

POINTS = {"O2": (0.0, 0.2), "O4": (0.0, 0.0), "B": (0.1, 0.2)}
BEARINGS = (gk.Joint("O2", "R", ("frame", "crank"), point="O2"), gk.Joint("O4", "R", ("frame", "rocker"), point="O4"))
PIN = gk.Joint("B", "R", ("crank", "block"), point="B")
SLOTS = {
    "slot of the rocker": (gk.Joint("slot", "CR", ("rocker", "crank"), point="B", axis=("O4", "B")),),
    "slide of a block": (PIN, gk.Joint("slot", "P", ("rocker", "block"), axis=("O4", "B"))),
    "slide on a rocker": (PIN, gk.Joint("slot", "P", ("block", "rocker"), point="B", axis=("O4", "B"))),
}


def quick_return(slot: str, order: tuple[str, ...] = ("crank", "block", "rocker")) -> gk.Mechanism:
    joints = (*BEARINGS, *SLOTS[slot])
    used = {body for joint in joints for body in joint.bodies}
    bodies = ["frame", *(body for body in order if body in used)]
    return gk.Mechanism(2, bodies, joints, [gk.Driver("O2", gk.Ramp(1.0))], points=POINTS)


@pytest.mark.parametrize("slot", list(SLOTS))
@pytest.mark.parametrize("order", list(permutations(("crank", "block", "rocker"))), ids="-".join)
def test_an_axis_through_a_bearing_puts_it_on_no_other_body(slot: str, order: tuple[str, ...]) -> None:
    """The bearing stays where it is, and the pin turns about the other bearing, in whatever order bodies are stated."""
    motion = gk.solve(quick_return(slot, order), np.linspace(0.0, 1.0, 5))
    np.testing.assert_allclose(motion.position("O4"), [POINTS["O4"]] * 5, atol=1e-15)
    angles = np.linspace(0.0, 1.0, 5)
    pin = np.stack([0.1 * np.cos(angles), 0.2 + 0.1 * np.sin(angles)], axis=1)
    np.testing.assert_allclose(motion.position("B"), pin, atol=1e-14)
    assert np.abs(motion.velocity("O4")).max() < 1e-15


@pytest.mark.parametrize("slot", list(SLOTS))
def test_what_is_coupled_and_drawn_is_the_same_point(slot: str) -> None:
    mechanism = quick_return(slot)
    assert {each.joint.bodies[1] for each in coordinates_of("position O4", mechanism)} == {"rocker"}
    with pytest.raises(CouplingError, match=r"'O4' is on frame and .*rocker, not on 'crank'"):
        coordinates_of("position O4@crank", mechanism)
    drawn = reference_configuration(mechanism).points("crank")
    np.testing.assert_allclose(drawn, sorted([POINTS["O2"], POINTS["B"]]), atol=1e-9)  # a bar, no triangle


CYLINDER = gk.Mechanism(
    2,
    ["frame", "tube", "rod", "arm"],
    [
        gk.Joint("A", "R", ("frame", "tube"), point="A"),
        gk.Joint("C", "R", ("rod", "arm"), point="C"),
        gk.Joint("D", "R", ("frame", "arm"), point="D"),
        gk.Joint("slide", "P", ("tube", "rod"), point="E", axis=(1.0, 0.0)),
    ],
    [gk.Driver("D", gk.Ramp(0.2))],
    points={"A": (0.0, 0.0), "C": (2.0, 0.0), "D": (2.0, -1.0), "E": (1.0, 0.0)},
)


def test_a_point_of_two_bodies_that_move_apart_is_refused_with_both() -> None:
    both = "point 'E' is on 'tube' and on 'rod', which move apart .by joint slide.: name it in the `points` of"
    motion = gk.solve(CYLINDER, [0.0, 1.0])
    for read in (
        lambda: motion.position("E"),
        lambda: motion.read("velocity E.x"),
        lambda: gk.quantity("transmission_angle A-E-C", CYLINDER),
        lambda: gk.jacobian(motion, "twist E", "joint D"),
        lambda: check_trace(["E"], CYLINDER),
    ):
        with pytest.raises(UnknownNameError, match=both):
            read()
    with pytest.raises(CouplingError, match=rf"{both}.* or take E@tube or E@rod"):
        coordinates_of("position E", CYLINDER)
    assert coordinates_of("position E@rod", CYLINDER)[0].joint.bodies == ("frame", "rod")
    assert "E" not in motion.to_xarray().point.values


@pytest.mark.parametrize("body", ["tube", "rod"])
def test_the_list_of_a_body_decides(body: str) -> None:
    bodies = [gk.Body(each.name, points=["E"]) if each.name == body else each for each in CYLINDER.body.values()]
    motion = gk.solve(replace(CYLINDER, bodies=bodies), [0.0, 1.0])
    np.testing.assert_array_equal(motion.position("E"), motion.point_on(body, (1.0, 0.0)))


def test_loads_and_masses_put_points_only_on_bodies_that_nothing_else_does() -> None:
    bodies = ["frame", gk.Body("crank", mass=1.0, center="O4"), gk.Body("rocker", mass=1.0, center="G")]
    spring = gk.Spring("spring", ("crank", "frame"), ("O4", "W"), stiffness=1.0)
    slot = replace(quick_return("slot of the rocker"), bodies=bodies, points=POINTS | {"G": (0, 0.1), "W": (1, 1)})
    found = {name: on for name, (on, _) in resolve(replace(slot, forces=[spring])).points.items()}
    assert (found["O4"], found["G"], found["W"]) == ("rocker", "rocker", "frame")


PAIRED = [
    (symbol, d)
    for symbol, pair in PAIRS.items()
    for d, form in ((2, pair.plane), (3, pair.space))
    if form is not None and pair.modeled and "point" in form.needs and not form.curved
]


@pytest.mark.parametrize(("symbol", "dimension"), PAIRED)
def test_what_a_joint_holds_together_stays_together(symbol: str, dimension: int) -> None:
    """All freedoms are driven: the points of both bodies coincide later exactly for the joints that hold them."""
    stated = gk.Joint("pair", symbol, ("first", "second"), point="X")
    made = random_geometry(stated, dimension, np.random.default_rng(0))
    joint = replace(made, point="X", points=None)
    assert not missing_geometry(joint, dimension)
    axis = {"axis": (0.3, 0.4, 0.5)} if dimension == 3 else {}
    base = gk.Joint("base", "R", ("frame", "first"), point=(0.1,) * dimension, **axis)
    names = [freedom.name for freedom in freedoms(symbol, dimension)]
    drivers = [gk.Driver("base", gk.Ramp(0.3)), *(gk.Driver("pair", gk.Ramp(0.2), name) for name in names)]
    points = {"X": (0.4, -0.2, 0.3)[:dimension]}
    mechanism = gk.Mechanism(dimension, ["frame", "first", "second"], [base, joint], drivers, points=points)
    motion = gk.solve(mechanism, [0.0, 1.0])
    apart = np.linalg.norm(np.diff([motion.point_on(body, points["X"])[1] for body in ("first", "second")], axis=0))
    if symbol in PINS:
        np.testing.assert_array_equal(motion.position("X"), motion.point_on("second", points["X"]))
    elif apart < 1e-12:
        np.testing.assert_array_equal(motion.position("X"), motion.point_on("first", points["X"]))
    else:
        with pytest.raises(GroupkinError, match="on 'first' and on 'second', which move apart"):
            motion.position("X")
