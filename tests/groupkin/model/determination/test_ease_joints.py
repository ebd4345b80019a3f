"""Joints that repeat each other: loops of a plane or sphere in space, and linkages that move by special dimensions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

from groupkin.analysis import analyze
from groupkin.errors import NotDeterminedError
from groupkin.kinematics.global_formulation.comparison import compare
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.residuals import max_residual
from groupkin.kinematics.program.solver_choice import BY_RANK, NO_SOLVER
from groupkin.kinematics.solver import solve
from groupkin.mechanism.laws.laws import Ramp
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from groupkin.structure import tables
from tests.support.shares import in_part

Array = NDArray[np.float64]

TIMES = np.linspace(0.0, 1.0, 41)
TURN = Ramp(rate=1.5)
Z = (0.0, 0.0, 1.0)
TILTED = Rotation.from_rotvec([0.3, 1.1, -0.4]).as_matrix()

LOOP = (("ground", "crank"), ("crank", "coupler"), ("coupler", "rocker"), ("rocker", "ground"))
PLACES = ((0.0, 0.0), (0.0, 1.0), (3.0, 2.5), (3.0, 0.0))


def hinged(points: Array, axes: Array, *driven: str) -> Mechanism:
    """A loop of hinges A, B, … of which the last leads back to the frame."""
    bodies = ["ground", *("crank", "coupler", "rocker", "fourth", "fifth")[: len(points) - 1]]
    ends = zip(bodies, [*bodies[1:], bodies[0]], strict=True)
    joints = [Joint(n, "R", e, point=p, axis=a) for n, e, p, a in zip("ABCDEF", ends, points, axes, strict=False)]
    return Mechanism(3, bodies, joints, [Driver(name, TURN) for name in driven])


def planar(turn: Array | None = None, *driven: str) -> Mechanism:
    turn = np.eye(3) if turn is None else turn
    points = np.array([(*place, 0.2 * k) for k, place in enumerate(PLACES)])
    return hinged(points @ turn.T, np.tile(turn[:, 2], (4, 1)), *(driven or ("A",)))


def spherical() -> Mechanism:
    axes = np.array([(0, 0, 1), (0.2, 0, 1), (0.5, 0.8, 0.5), (1, 0.2, 0.1)])
    return hinged(0.7 * axes + [0.1, 0.2, 0.3], axes, "A")


def _link(angle: float, length: float, twist: float) -> Array:
    """Denavit-Hartenberg transformation (4, 4)."""
    c, s, ca, sa = np.cos(angle), np.sin(angle), np.cos(twist), np.sin(twist)
    return np.array([[c, -s * ca, s * sa, length * c], [s, c * ca, -c * sa, length * s], [0, sa, ca, 0], [0, 0, 0, 1]])


def _chained(*links: tuple[float, float, float]) -> Mechanism:
    frame, points, axes = np.eye(4), [], []
    for link in links:
        points.append(frame[:3, 3])
        axes.append(frame[:3, 2])
        frame = frame @ _link(*link)
    np.testing.assert_allclose(frame, np.eye(4), rtol=0, atol=1e-12)
    return hinged(np.array(points), np.array(axes), "B")


A_, B_, ALPHA = 1.0, 1.3, 0.6
BETA = float(np.arcsin(B_ / A_ * np.sin(ALPHA)))
RATIO = float(np.sin((BETA + ALPHA) / 2) / np.sin((BETA - ALPHA) / 2))
"""tan(θ1/2) tan(θ2/2) of a Bennett linkage (Bennett 1914)."""


def bennett(angle: float = 0.9) -> Mechanism:
    other = float(2 * np.arctan(RATIO / np.tan(angle / 2)))
    return _chained((angle, A_, ALPHA), (other, B_, BETA), (-angle, A_, ALPHA), (-other, B_, BETA))


def bricard(angle: float = 1.2) -> Mechanism:
    """The threefold symmetric six-hinge loop of Bricard (1927): equal links, twists of 90° back and forth."""

    def gap(other: float) -> float:  # cos of both, and their product, sum to -1 (Chen, You and Tarnai 2005)
        return float(np.cos(angle) + np.cos(other) + np.cos(angle) * np.cos(other))

    other = -brentq(gap, 1.0, 3.1)
    return _chained(*[(angle, 1.0, np.pi / 2), (other, 1.0, -np.pi / 2)] * 3)


def parallelogram(dimension: int) -> Mechanism:
    """A bar on three equal parallel cranks."""
    feet, crank = np.array([(0.0, 0.0), (2.0, 0.0), (3.1, 0.2)]), np.array([0.3, 0.9])
    more = {"axis": Z} if dimension == 3 else {}
    joints = []
    for k, foot in enumerate(feet):
        low, high = (np.pad(point, (0, dimension - 2)) for point in (foot, foot + crank))
        joints += [
            Joint(f"foot_{k}", "R", ("ground", f"crank_{k}"), point=low, **more),
            Joint(f"head_{k}", "R", (f"crank_{k}", "bar"), point=high, **more),
        ]
    return Mechanism(dimension, ["ground", *(f"crank_{k}" for k in range(3)), "bar"], joints, [Driver("foot_0", TURN)])


def slider_crank() -> Mechanism:
    joints = [
        Joint("shaft", "R", ("ground", "crank"), point=(0, 0, 0), axis=Z),
        Joint("big", "R", ("crank", "rod"), point=(0, 1, 0), axis=Z),
        Joint("small", "R", ("rod", "piston"), point=(3, 0, 0), axis=Z),
        Joint("bore", "P", ("ground", "piston"), point=(3, 0, 0), axis=(1, 0, 0)),
    ]
    return Mechanism(3, ["ground", "crank", "rod", "piston"], joints, [Driver("shaft", TURN)])


def two_loops(turn: Array) -> Mechanism:
    """Two plane four-bars in a row, in space: the rocker of the first drives the second."""
    names = ["ground", "crank", "coupler", "rocker", "link", "arm"]
    ends = [(0, 1), (0, 3), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]
    places = [(0, 0, 0), (3, 0, 0), (0, 1, 0), (3, 2.5, 0), (3.6, 1.5, 0), (7, 2, 0), (6.5, 0, 0)]
    joints = [
        Joint(name, "R", (names[a], names[b]), point=turn @ place, axis=turn[:, 2])
        for name, (a, b), place in zip("ADBCEFG", ends, places, strict=True)
    ]
    return Mechanism(3, names, joints, [Driver("A", TURN)])


def door() -> Mechanism:
    joints = [Joint(n, "R", ("wall", "door"), point=(0, 0, z), axis=Z) for n, z in (("low", 0.0), ("high", 2.0))]
    return Mechanism(3, ["wall", "door"], joints, [Driver("low", TURN)])


CASES = {
    "planar": (planar(), "a planar loop with the normal (0, 0, 1) (its axes are parallel), counted with 3", 3),
    "planar, tilted": (planar(TILTED), "a planar loop with the normal (0.7982, -0.4267, 0.4253)", 3),
    "spherical": (spherical(), "a spherical loop about (0.1, 0.2, 0.3) m (its axes meet there), counted with 3", 3),
    "Bennett": (bennett(), "a Bennett linkage", 3),
    "Bricard": (bricard(), "an over-constrained loop of six hinges that moves, as those of Bricard do", 1),
    "parallelogram": (parallelogram(2), "an over-constrained part that moves by its special dimensions", 1),
    "parallelogram in space": (parallelogram(3), "per body, that moves by its special dimensions", 7),
    "slider-crank": (slider_crank(), "a planar loop with the normal (0, 0, 1)", 3),
    "two loops": (two_loops(TILTED), "a planar part", 6),
    "door": (door(), "that moves by its special dimensions", 5),
}


@pytest.mark.parametrize("name", in_part(CASES, 4))
def test_what_repeats_is_described_and_solved(name: str) -> None:
    mechanism, words, rows = CASES[name]
    structure = analyze(mechanism)
    (found,) = structure.redundancies
    assert words in found.what
    assert found.rows == rows
    assert set(found.joints) == {joint.name for joint in mechanism.joints} == set(found.repeated)
    assert structure.mobility == 1 == mechanism.mobility + rows
    assert {group.determined for group in structure.groups} == {BY_RANK}
    motion = solve(mechanism, TIMES)
    assert max_residual(motion) < 1e-11  # of the user's joints, the rows left out among them
    assert compare(motion).agree


def in_plane(mechanism: Mechanism, turn: Array) -> Mechanism:
    joints = [replace(joint, point=(np.array(joint.point) @ turn)[:2], axis=None) for joint in mechanism.joints]
    return Mechanism(2, list(mechanism.body), joints, mechanism.drivers)


@pytest.mark.exhaustive
@pytest.mark.parametrize("mechanism", in_part([planar(TILTED), two_loops(TILTED)], 2))
def test_a_planar_mechanism_in_space_moves_as_in_the_plane(mechanism: Mechanism) -> None:
    flat = in_plane(mechanism, TILTED)
    assert [group.bodies for group in analyze(mechanism).groups] == [group.bodies for group in analyze(flat).groups]
    spatial, plane = solve(mechanism, TIMES), solve(flat, TIMES)
    for body in mechanism.movable:
        turned = TILTED.T @ spatial.rotation(body) @ TILTED
        np.testing.assert_allclose(turned[:, :2, :2], plane.rotation(body), rtol=0, atol=1e-12)
        for read in (Motion.position, Motion.velocity, Motion.acceleration):
            here, there = read(spatial, body) @ TILTED, read(plane, body)
            np.testing.assert_allclose(here[:, :2] - here[0, :2], there - there[0], rtol=0, atol=1e-10)


@pytest.mark.smoke
def test_angles_of_a_bennett_linkage() -> None:
    motion = solve(bennett(), TIMES)
    start = np.array([0.9, 2 * np.arctan(RATIO / np.tan(0.45))])
    # the angle of hinge B turns by the second joint angle, that of A by the first, measured about their axes
    first, second = start[:, None] - [motion.joint("A")[0], -motion.joint("B")[0]]
    products = np.tan((start[0] + np.array([[1], [-1]]) * motion.joint("A")[0]) / 2)[:, None] * np.tan(
        (start[1] + np.array([[1], [-1]]) * motion.joint("B")[0]) / 2
    )
    assert np.abs(products - RATIO).max(axis=2).min() < 1e-10
    assert np.ptp(first) > 0.1
    assert np.ptp(second) > 0.1


@pytest.mark.exhaustive
@pytest.mark.parametrize("dimension", [2, 3])
def test_the_bar_of_a_parallelogram_does_not_turn(dimension: int) -> None:
    motion = solve(parallelogram(dimension), TIMES)
    np.testing.assert_allclose(motion.rotation("bar"), np.tile(np.eye(dimension), (41, 1, 1)), rtol=0, atol=1e-12)
    turns = [motion.joint(f"foot_{k}")[0] for k in range(3)]
    np.testing.assert_allclose(turns, [turns[0]] * 3, rtol=0, atol=1e-12)


@pytest.mark.parametrize("make", in_part([planar, parallelogram], 2))
def test_points_may_have_names(make: Callable[..., Mechanism]) -> None:
    """Those at joints that are solved as others above all."""
    mechanism = make() if make is planar else make(3)
    names = {joint.name: tuple(map(float, joint.point)) for joint in mechanism.joints}  # type: ignore[union-attr,arg-type]
    joints = [replace(joint, point=f"at {joint.name}") for joint in mechanism.joints]
    named = replace(mechanism, joints=joints, points={f"at {name}": place for name, place in names.items()})
    np.testing.assert_array_equal(solve(named, TIMES).q, solve(mechanism, TIMES).q)


def test_results_speak_of_the_joints_of_the_user() -> None:
    motion = solve(planar(), TIMES)
    structure = motion.program.structure
    assert [joint.type for joint in structure.mechanism.joints] == ["R"] * 4
    assert structure.groups[1].label == "3R3D"
    assert {motion.joint(name).shape for name in "ABCD"} == {(1, 41)}
    assert tables.joint_rows(structure)[1] == ("2", "B(R), D(R)", "C(R)", "–")
    (data,) = tables.as_data(structure)["redundancies"]
    assert data["repeated"] == {name: ["shift_z", "tilt_x", "tilt_y"] for name in "ABCD"}
    assert data["solved_as"] == {}
    assert analyze(planar()).groups[1].solver == "RRR, plane or sphere"


# --- refusals --------------------------------------------------------------------------------


def test_two_drivers_on_a_planar_loop_are_one_too_many() -> None:
    with pytest.raises(NotDeterminedError) as caught:
        analyze(planar(None, "A", "D"))
    assert str(caught.value) == (
        "mechanism is not determined: mobility 1, 2 driven\n"
        "  A, B, C, D are a planar loop with the normal (0, 0, 1) (its axes are parallel), counted with 3 equations "
        "per body: 3 rows repeat others (of each, shift_z, tilt_x, tilt_y take part)\n"
        "  over-driven by 1 equation: bodies crank, rocker\n"
        "  drop a driver at one of: A, D"
    )
    assert caught.value.excess == 1


def test_without_a_driver_every_joint_of_a_planar_loop_may_have_one() -> None:
    with pytest.raises(NotDeterminedError, match="add a driver at one of: A, B, C, D"):
        analyze(replace(planar(), drivers=[]))


def concurrent(driven: bool) -> Mechanism:
    """A plate on three bars whose lines meet: locked, but for an instant."""
    joints, bodies = [], ["ground", "plate"]
    for k, angle in enumerate((0.3, 2.2, 4.5)):
        line = np.array([np.cos(angle), np.sin(angle)])
        bodies.append(f"bar_{k}")
        joints.append(Joint(f"in_{k}", "R", ("plate", f"bar_{k}"), point=line))
        joints.append(Joint(f"out_{k}", "R", (f"bar_{k}", "ground"), point=(2 + 0.3 * k) * line))
    return Mechanism(2, bodies, joints, [Driver("out_0", TURN)] if driven else [])


def test_what_gives_way_for_an_instant_is_not_taken_for_a_mechanism() -> None:
    with pytest.raises(NotDeterminedError) as caught:
        analyze(concurrent(driven=True))
    assert "give way only for an instant: their constraints are redundant here, not elsewhere" in str(caught.value)
    assert "mobility 0, 1 driven" in str(caught.value)
    (group,) = analyze(concurrent(driven=False)).groups
    assert (group.solver, "can move, as " in group.notes[0]) == (NO_SOLVER, True)


def test_a_loop_of_skew_hinges_is_locked() -> None:
    """The same four hinges, skewed a little: they lock each other, two rows more than it takes."""
    skew = np.random.default_rng(0).normal(size=(4, 3))
    mechanism = planar()
    joints = [replace(j, axis=np.array(Z) + 0.05 * s) for j, s in zip(mechanism.joints, skew, strict=True)]
    with pytest.raises(NotDeterminedError, match=r"mobility 0, 1 driven\n  .* locked .*: 2 rows repeat"):
        analyze(replace(mechanism, joints=joints))
