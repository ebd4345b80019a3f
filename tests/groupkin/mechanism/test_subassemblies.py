"""Parts: mechanisms that are moved, turned and mirrored into others move and bear loads as they did."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import FileError, GroupkinError, MechanismError, NotModeledError, UnknownNameError
from groupkin.mechanism.subassemblies.move import CHOSEN, GLOBAL
from sglibrary.chain import Solver
from tests.sglibrary.test_catalog import ALL, draw
from tests.support.paths import EXAMPLES
from tests.support.random_mechanisms import JIT

Array = NDArray[np.float64]

pytestmark = pytest.mark.filterwarnings("ignore::groupkin.errors.RangeWarning")
"""Motions go beyond the ranges at which stops act."""

TIMES = np.linspace(0.0, 1.0, 13 if JIT else 3)


def matrix(part: gk.Part) -> Array:
    """The matrix by which points of a part are moved."""
    d, c, s = part.mechanism.dimension, math.cos(part.turn), math.sin(part.turn)
    turn, mirror = np.eye(3), np.eye(3)
    k = "xyz".index(part.axis)
    i, j = (k + 1) % 3, (k + 2) % 3
    turn[[i, i, j, j], [i, j, i, j]] = c, -s, s, c
    if part.mirror:
        mirror["xyz".index(part.mirror), "xyz".index(part.mirror)] = -1.0
    return (turn @ mirror)[:d, :d]


PLACES: list[dict[str, Any]] = [
    {},
    {"turn": 0.7, "axis": "z"},
    {"turn": -1.1, "axis": "x"},
    {"mirror": "x"},
    {"mirror": "y", "turn": 0.4},
    {"mirror": "z", "turn": 2.0, "axis": "y"},
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("solver", ALL)
def test_a_part_moves_as_the_mechanism_does(solver: Solver, place: dict[str, Any]) -> None:
    """Mechanisms with every group of the catalog, wherever they are."""
    d = solver.dimension
    mechanism = draw(solver, 5, times=TIMES).mechanism
    place = {"axis": "z"} | place
    if d == 2 and (place["axis"] != "z" or place.get("mirror") == "z"):
        place = {"mirror": "y", "turn": -2.0}
    part = gk.Part(mechanism, "part", at=[0.3, -0.2, 0.1][:d], **place)
    held = CHOSEN if part.mirror and not part.turn else (*GLOBAL, *CHOSEN)
    driven = {mechanism.joint[driver.joint].type for driver in mechanism.drivers}
    if driven & {*held} and (part.turn or part.mirror):
        with pytest.raises(NotModeledError, match="has coordinates along the global axes"):
            gk.Mechanism(d, ["world"], [], parts=[part])
        return
    whole = gk.Mechanism(d, ["world"], [], parts=[part])
    before, after = gk.solve(mechanism, TIMES), gk.solve(whole, TIMES)
    turn, shift = matrix(part), np.array([0.3, -0.2, 0.1][:d])
    size = before.program.geometry.size
    for body in mechanism.movable:
        gap = after.position(f"part/{body}") - before.position(body) @ turn.T - shift
        assert np.abs(gap).max() < 1e-11 * size / before.conditioning.min()
        rotation = turn @ before.rotation(body) @ turn.T
        assert np.abs(after.rotation(f"part/{body}") - rotation).max() < 1e-11 / before.conditioning.min()


def loaded(d: int) -> gk.Mechanism:
    """Two arms with masses and all forces that parts keep wherever they are."""
    axis = None if d == 2 else (0.0, 0.2, 1.0)

    def at(x: float, y: float, z: float) -> tuple[float, ...]:
        return (x, y, z)[:d]

    inertia: Any = 0.02 if d == 2 else {"xx": 0.02, "yy": 0.03, "zz": 0.04, "xy": 0.004, "xz": -0.003, "yz": 0.002}
    bodies = [
        "base",
        gk.Body("first", mass=1.0, center=at(0.2, 0.1, 0.05), inertia=inertia),
        gk.Body("second", mass=0.5, center=at(0.5, 0.3, -0.05), inertia=inertia, points={"tip": at(0.6, 0.4, 0.1)}),
    ]
    joints = [
        gk.Joint("A", "R", ("base", "first"), point=at(0.0, 0.0, 0.0), axis=axis),
        gk.Joint("B", "R", ("first", "second"), point=at(0.4, 0.1, 0.0), axis=axis, range=(-0.1, 0.2)),
    ]
    drivers = [gk.Driver("A", gk.Harmonic(0.5, 1.0)), gk.Driver("B", gk.Harmonic(0.3, 2.0, 0.4))]
    stiffness: Any = ((500.0, 20.0), (20.0, 300.0)) if d == 2 else (500.0, 300.0, 200.0)
    forces: list[Any] = [
        gk.Spring("spring", ("base", "second"), (at(0.1, 0.5, 0.0), "tip"), stiffness=200.0, length=0.3, damping=5.0),
        gk.JointSpring("bend", "B", stiffness=3.0, position=0.2, damping=0.1, preload=0.5),
        gk.Stop("bump", "B", stiffness=30.0, damping=0.5),
        gk.JointForce("motor", "A", force=2.0),
        gk.Force("push", "second", "tip", at(3.0, -2.0, 1.0)),
        gk.Force("thrust", "first", at(0.1, 0.1, 0.0), at(1.0, 4.0, 2.0), axes="first"),
        gk.Torque("twist", "second", 0.4 if d == 2 else (0.1, -0.2, 0.4)),
        gk.JointFriction("drag", "A", force=0.3, damping=0.05),
        gk.Bushing("mount", ("base", "first"), at(0.1, 0.0, 0.0), stiffness=stiffness, damping=3.0),
    ]
    return gk.Mechanism(d, bodies, joints, drivers, forces=forces)


@pytest.mark.complete
@pytest.mark.parametrize(("d", "place"), list(itertools.product([2, 3], PLACES)))
def test_a_part_bears_what_the_mechanism_does(d: int, place: dict[str, Any]) -> None:
    if d == 2 and (place.get("axis", "z") != "z" or place.get("mirror") == "z"):
        place = {"mirror": "x", "turn": 0.9}
    mechanism = loaded(d)
    part = gk.Part(mechanism, "part", at=[0.3, -0.2, 0.1][:d], **place)
    whole = gk.Mechanism(d, ["world"], [], parts=[part])
    before, after = (gk.inverse_dynamics(gk.solve(each, TIMES)) for each in (mechanism, whole))
    turn = matrix(part)
    for joint in ("A", "B"):
        expected = before.reaction(joint).force @ turn.T
        assert np.abs(after.reaction(f"part/{joint}").force - expected).max() < 1e-11 * np.abs(expected).max()
    for own, other in zip(before.power().items(), after.power().items(), strict=True):
        assert other[0].endswith(own[0].split()[-1])
        assert np.abs(own[1] - other[1]).max() < 1e-10


# --- examples -----------------------------------------------------------------------------------

CYLINDER = """
dimension = 3
units = { length = "mm", angle = "deg" }
values = { up = 1 }
points = { big = [0, 0, "40 * up"], wrist = [0, 0, "140 + 40 * up"] }
bodies = ["block", "crankshaft", "rod", { name = "piston", mass = 0.5, center = "wrist" }]
joints = [
  { name = "main", type = "R", bodies = ["block", "crankshaft"], point = [0, 0, 0], axis = [1, 0, 0] },
  { name = "bore", type = "P", bodies = ["block", "piston"], point = "wrist", axis = [0, 0, 1] },
  { name = "wrist_pin", type = "C", bodies = ["piston", "rod"], point = "wrist", axis = [1, 0, 0] },
  { name = "big_end", type = "S", bodies = ["crankshaft", "rod"], point = "big" },
]
drivers = [{ joint = "main", law = { type = "ramp", rate = 18000 } }]
"""

ENGINE = """
dimension = 3
units = { length = "mm", angle = "deg" }
values = { inner = -1 }
bodies = ["block", "crankshaft"]
joints = [{ name = "main", type = "R", bodies = ["block", "crankshaft"], point = [0, 0, 0], axis = [1, 0, 0] }]
drivers = [{ joint = "main", law = { type = "ramp", rate = 18000 } }]
parts = [
  { file = "cyl.toml", name = "1", at = [135, 0, 0], same = { crankshaft = "crankshaft" } },
  { file = "cyl.toml", name = "2", at = [45, 0, 0], values = { up = "inner" }, same = { crankshaft = "crankshaft" } },
  { file = "cyl.toml", name = "3", at = [-45, 0, 0], same = { crankshaft = "crankshaft" }, values = { up = "inner" } },
  { file = "cyl.toml", name = "4", at = [-135, 0, 0], same = { crankshaft = "crankshaft" } },
]
"""


def engine(folder: Path, text: str = ENGINE) -> gk.Mechanism:
    (folder / "cyl.toml").write_text(CYLINDER)
    (folder / "engine.toml").write_text(text)
    return gk.load(folder / "engine.toml")


def test_an_engine_of_cylinders(tmp_path: Path) -> None:
    """The bits of the example that states all four."""
    stated, times = gk.read(EXAMPLES / "inline_four.toml"), np.linspace(0.0, 0.02, 61)
    made = engine(tmp_path)
    one, other = gk.solve(made, times), gk.solve(stated.mechanism, times)
    for k in "1234":
        for of in ("position", "velocity", "acceleration"):
            for body in ("rod", "piston"):
                assert np.array_equal(getattr(one, of)(f"{k}/{body}"), getattr(other, of)(f"{body}_{k}"))
    assert set(made.values) == {"1/up", "inner", "4/up"}
    design = gk.design(made, ["number inner", "number 1/up"])
    assert design.solve([-1.0, 1.0], times).solved.all()
    gk.save(made, tmp_path / "whole.toml")
    assert gk.load(tmp_path / "whole.toml") == made


def test_a_row_of_cylinders(tmp_path: Path) -> None:
    row = ENGINE[: ENGINE.index("parts")] + (
        'parts = [{ file = "cyl.toml", name = "c", count = 3, at = [10, 0, 0], step = [90, 0, 0], '
        'same = { crankshaft = "crankshaft" } }]\n'
    )
    made = engine(tmp_path, row)
    assert [1e3 * made.positions[f"c{k}/big"][0] for k in (1, 2, 3)] == pytest.approx([10.0, 100.0, 190.0])


def test_an_axle_of_two_corners() -> None:
    """The bits of the example that states both sides."""
    stated = gk.read(EXAMPLES / "rear_axle.toml")
    axle = stated.mechanism
    left = [joint for joint in axle.joints if joint.name.endswith(("l", "left"))]
    bodies = dict.fromkeys(body for joint in left for body in joint.bodies)
    names = {point for joint in left for point in joint.named}
    corner = gk.Mechanism(
        3,
        list(bodies),
        left,
        [driver for driver in axle.drivers if driver.joint == "travel_left"],
        points={name: at for name, at in axle.points.items() if name in names},
    )
    parts = [gk.Part(corner, "left"), gk.Part(corner, "right", mirror="y")]
    made = gk.Mechanism(3, ["chassis"], [], parts=parts)
    for driver in made.drivers:
        other = next(each for each in axle.drivers if each.joint.endswith(driver.joint.partition("/")[0]))
        assert type(other.law) is type(driver.law)
    times = np.linspace(0.0, 1.0, 31)
    one, other_motion = gk.solve(made, times), gk.solve(axle, times)
    for body in corner.movable:
        for of in ("position", "velocity", "acceleration"):
            assert np.array_equal(getattr(one, of)(f"left/{body}"), getattr(other_motion, of)(body))
    if all(driver.law == axle.drivers[0].law for driver in axle.drivers):
        flip = np.array([1.0, -1.0, 1.0])
        assert np.abs(one.position("right/left") - one.position("left/left") * flip).max() < 1e-12


# --- what is wrong -------------------------------------------------------------------------------

WRONG = [
    ('file = "cyl.toml", name = "1"', 'file = "cil.toml", name = "1"', FileError, "cil.toml"),
    ('file = "cyl.toml", name = "1"', 'file = "../cyl.toml", name = "1"', FileError, "not in the folder"),
    ('file = "cyl.toml", name = "1"', 'file = "engine.toml", name = "1"', FileError, "more than 5 deep"),
    ("at = [135, 0, 0], same", 'at = "X", same', UnknownNameError, "part '1' is at 'X', which is no named point"),
    ("at = [135, 0, 0], same", "at = [135, 0], same", MechanismError, "3 coordinates"),
    ('same = { crankshaft = "crankshaft" }', 'same = { shaft = "crankshaft" }', UnknownNameError, "no body 'shaft'"),
    ('= "crankshaft" } },', '= "shaft" } },', UnknownNameError, "the whole has no body 'shaft'"),
    ('values = { up = "inner" }', "values = { upp = 1 }", FileError, "has no value 'upp'"),
    ('values = { up = "inner" }', 'values = { up = "iner" }', GroupkinError, "there is no value 'iner'"),
    ('name = "2"', 'name = "1"', GroupkinError, "two bodies are named|named '1/"),
    ('name = "2", at = [45, 0, 0]', 'name = "2", count = 2', FileError, "2 parts need a `step` of 3 components"),
]  # fmt: skip


@pytest.mark.complete
@pytest.mark.parametrize(("old", "new", "kind", "message"), WRONG)
def test_what_is_wrong_with_parts(tmp_path: Path, old: str, new: str, kind: type[Exception], message: str) -> None:
    assert old in ENGINE
    with pytest.raises(kind, match=message):
        engine(tmp_path, ENGINE.replace(old, new, 1))


def test_parts_that_the_whole_cannot_keep() -> None:
    arm = loaded(2)
    with pytest.raises(MechanismError, match="2 dimensions, the whole in 3"):
        gk.Mechanism(3, ["world"], [], parts=[gk.Part(arm, "arm")])
    with pytest.raises(MechanismError, match="axis and mirror must be one of x, y"):
        gk.Part(arm, "arm", mirror="z")
    spun = gk.Mechanism(2, ["base", "arm"], [arm.joints[0].__class__("A", "R", ("base", "arm"), point=(0.0, 0.0))],
                        outputs={"o": "{angle arm}"})  # fmt: skip
    with pytest.raises(MechanismError, match="has outputs, which a part cannot bring along"):
        gk.Mechanism(2, ["world"], [], parts=[gk.Part(spun, "arm")])
    with pytest.raises(MechanismError, match="force 'motor' acts in joint 'A', which belongs to the whole"):
        gk.Mechanism(2, ["world", "first"], [], parts=[gk.Part(arm, "arm", same={"first": "first"})])
