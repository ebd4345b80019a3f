"""Cams: points, rollers, flat faces and curves that touch a curve; eccentric circles, and ovals on moving bodies."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from groupkin.analysis import analyze
from groupkin.errors import (
    DeterminedByCountOnlyError,
    NotAssembledError,
    NotDeterminedError,
    NotModeledError,
    SolveError,
)
from groupkin.kinematics.global_formulation.comparison import compare
from groupkin.kinematics.modes.modes import assembly_modes
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.residuals import max_residual
from groupkin.kinematics.program.building import build
from groupkin.kinematics.program.variants import constants_of
from groupkin.kinematics.solver import solve
from groupkin.mechanism.curves import Curve
from groupkin.mechanism.files import reading
from groupkin.mechanism.laws.laws import Ramp
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from groupkin.model.geometry.coordinates import reference_coordinates
from groupkin.model.geometry.geometry import resolve
from groupkin.model.rank.rank import rank
from groupkin.model.tree_making import make_tree
from sglibrary.status import CANNOT_ASSEMBLE, SOLVED
from tests.support import oracle
from tests.support.paths import ROOT
from tests.support.random_cams import CAMS, FOLLOWERS
from tests.support.random_mechanisms import JIT, Workshop
from tests.support.shares import in_part

Array = NDArray[np.float64]

OUTSIDE = ("point", "roller", "face", "curve")
ECCENTRIC, RADIUS, ROLLER, ASIDE, SPEED = 0.012, 0.03, 0.008, 0.004, 7.0


def circle(center: tuple[float, float], radius: float, points: int = 144) -> Curve:
    turns = 0.3 + 2 * np.pi * np.arange(points) / points
    return Curve(np.array(center) + radius * np.stack([np.cos(turns), np.sin(turns)], axis=1), closed=True)


def valve(follower: str, lift: float = 0.0) -> Mechanism:
    """An eccentric circle under a follower that slides upright, a little aside; its height is off by `lift`."""
    cam = circle((ECCENTRIC, 0.0), RADIUS)
    height = eccentric(follower, np.zeros(1))[0, 0] + lift
    foot = (ASIDE, height)
    given: dict[str, dict[str, Any]] = {
        "point": {"curve": cam, "point": foot},
        "roller": {"curve": cam, "point": foot, "radius": ROLLER},
        "face": {"curve": cam, "point": foot, "axis": (0, -2)},
        "curve": {"curves": (cam, circle(foot, ROLLER))},
    }
    joints = [
        Joint("bearing", "R", ("frame", "cam"), point=(0, 0)),
        Joint("guide", "P", ("frame", "valve"), point=foot, axis=(0, 1)),
        Joint("touch", "L", ("cam", "valve"), **given[follower]),
    ]
    return Mechanism(2, ["frame", "cam", "valve"], joints, [Driver("bearing", Ramp(SPEED))])


def eccentric(follower: str, times: Array) -> Array:
    """Height of the follower and two derivatives, (3, n): y = e sin φ + √(R² - (x - e cos φ)²), or e sin φ + R."""
    phi = SPEED * times
    center, up = ECCENTRIC * np.cos(phi), ECCENTRIC * np.sin(phi)
    found = np.array([up, SPEED * center, -(SPEED**2) * up])
    if follower == "face":
        return found + np.array([[RADIUS], [0.0], [0.0]])
    across = np.array([ASIDE - center, SPEED * up, SPEED**2 * center])
    root = np.sqrt((RADIUS + ROLLER * (follower != "point")) ** 2 - across[0] ** 2)
    slope = -across[0] * across[1] / root
    return found + np.array([root, slope, -(slope**2 + across[1] ** 2 + across[0] * across[2]) / root])


@pytest.mark.parametrize("follower", in_part(OUTSIDE, 2))
def test_an_eccentric_circle_lifts_as_the_formula_says(follower: str) -> None:
    times = np.linspace(0.0, 2.0, 401 if JIT else 9)
    motion = solve(valve(follower), times)
    found = np.stack([read("valve")[:, 1] for read in (motion.position, motion.velocity, motion.acceleration)])
    expected = eccentric(follower, times)
    # of a quintic spline with steps of h = 2 π / 144 the error is of order h⁶, that of its second derivative h⁴ (4e-6)
    for order, tolerance in enumerate((1e-12, 1e-9, 1e-7)):
        np.testing.assert_allclose(found[order], expected[order], atol=tolerance * np.abs(expected[order]).max())
    assert motion.program.solvers == ("driven R", "Newton")
    assert max_residual(motion) < 1e-12


@pytest.mark.parametrize("follower", OUTSIDE)
def test_the_contact_runs_once_around_in_each_turn(follower: str) -> None:
    turn = 2 * np.pi / SPEED
    motion = solve(valve(follower), np.linspace(0.0, 3 * turn, 40 if JIT else 16))
    contact = motion.joint("touch")[0]
    assert contact[-1] - contact[0] == pytest.approx(-3 * 2 * np.pi * RADIUS, rel=1e-10)
    start = reference_coordinates(
        motion.program.mechanism.form(motion.program.mechanism.joints[2]), resolve(valve(follower)).joints["touch"]
    )
    np.testing.assert_allclose(motion.joint("touch")[:, 0], start, atol=1e-10)


def test_two_circles_that_touch_are_a_bar_between_their_centers() -> None:
    """A rocker with a round pad on an eccentric: the four-bar linkage of the centers."""
    pad, pivot, reach = 0.015, (0.09, 0.02), 0.08
    center = np.array([ECCENTRIC, 0.0])
    # the pad's center, from the triangle of the two centers and the rocker's pivot
    far = np.array(pivot) - center
    a, b, c = RADIUS + pad, reach, float(np.linalg.norm(far))
    along = (a * a - b * b + c * c) / (2 * c)
    place = center + (along * far + np.sqrt(a * a - along * along) * np.array([-far[1], far[0]])) / c
    joints = [
        Joint("bearing", "R", ("frame", "cam"), point=(0, 0)),
        Joint("pivot", "R", ("frame", "rocker"), point=pivot),
    ]
    touch = Joint("touch", "L", ("cam", "rocker"), curves=(circle((ECCENTRIC, 0), RADIUS), circle(tuple(place), pad)))
    bar = Joint("touch", "RD", ("cam", "rocker"), points=(center, place))
    times = np.linspace(0.0, 1.0, 101 if JIT else 6)
    cam, linkage = (
        solve(Mechanism(2, ["frame", "cam", "rocker"], [*joints, last], [Driver("bearing", Ramp(SPEED))]), times)
        for last in (touch, bar)
    )
    np.testing.assert_allclose(cam.angle("rocker"), linkage.angle("rocker"), atol=1e-11)
    np.testing.assert_allclose(cam.angular_velocity("rocker"), linkage.angular_velocity("rocker"), atol=1e-8)
    np.testing.assert_allclose(cam.angular_acceleration("rocker"), linkage.angular_acceleration("rocker"), atol=1e-5)


# --- ovals between moving bodies ---------------------------------------------------------------


TIMES = np.linspace(0.0, 0.4, 41 if JIT else 5)
EVERY = [
    pytest.param(chain, follower, id=f"{follower}, {chain}")
    for k, chain in enumerate(CAMS)
    for j, follower in enumerate(FOLLOWERS)
    if JIT or (j + k) % 5 == 0
]


def grown(chain: str, follower: str, seed: int) -> Mechanism:
    """A group with cams between two moving bodies."""
    shop = Workshop(2, np.random.default_rng(seed), amplitude=0.1, follower=follower)
    shop.make_tree(CAMS[chain], [shop.moving_body(), shop.moving_body(), "ground"])
    return shop.mechanism()


def moved(chain: str, follower: str, times: Array = TIMES) -> Motion:
    """The first random geometry that lets the group move."""
    enough = 0.015 if follower == "curve" else 0.03  # the contact of two ovals runs far
    for seed in range(40):
        try:
            motion = solve(grown(chain, follower, seed), times)
        except (DeterminedByCountOnlyError, SolveError):
            continue
        if motion.conditioning.min() > enough:
            return motion
    raise AssertionError(f"{follower}, {chain} cannot be moved")


@pytest.mark.parametrize(("chain", "follower"), in_part(EVERY, 4))
def test_every_cam_moves_as_the_oracle_says(chain: str, follower: str) -> None:
    motion = moved(chain, follower)
    assert max_residual(motion) < 1e-10
    chosen = [0, TIMES.size // 2, TIMES.size - 1]
    expected = oracle.of_poses(oracle.solve(motion.program.mechanism, TIMES[chosen]))
    found = {b: (o[:, chosen], r[:, chosen]) for b, (o, r) in oracle.of_motion(motion).items()}
    gaps = oracle.differences(found, expected, motion.program.geometry.size)
    assert gaps[0] < 1e-10 / motion.conditioning.min()
    assert gaps[1:].max() < 1e-9 / motion.conditioning.min() ** 2
    for driven in motion.program.drivers:
        np.testing.assert_allclose(motion.joint(driven.joint)[driven.freedom], driven.law.at(TIMES)[0], atol=1e-10)


@pytest.mark.parametrize(("chain", "follower"), in_part(EVERY, 4))
def test_every_cam_moves_as_the_whole_mechanism_does(chain: str, follower: str) -> None:
    motion = moved(chain, follower)
    gaps = compare(motion)
    assert gaps.position < 1e-10 / motion.conditioning.min()
    assert max(gaps.velocity, gaps.acceleration) < 1e-9 / motion.conditioning.min() ** 2


@pytest.mark.parametrize(("chain", "follower"), in_part(EVERY, 3))
def test_rates_are_the_derivatives(chain: str, follower: str) -> None:
    """By central differences of fourth order; their error is that of rounding, over h, and of the fifth derivative."""
    h = 3e-4
    motion = moved(chain, follower, h * np.arange(5.0))
    for body in motion.program.mechanism.movable:
        points = motion.position(body), motion.velocity(body), motion.acceleration(body)
        for values in (points, tuple(motion.rotation_rate(body, order) for order in range(3))):
            for lower, higher in pairwise(values):
                slope = (lower[0] - 8 * lower[1] + 8 * lower[3] - lower[4]) / (12 * h)
                np.testing.assert_allclose(slope, higher[2], atol=1e-6 * (1.0 + np.abs(higher[2]).max()))


@pytest.mark.parametrize("follower", FOLLOWERS)
def test_the_rank_is_that_of_the_equations_that_are_solved(follower: str) -> None:
    mechanism = grown("hinge", follower, 3)
    motion = solve(mechanism, [0.0])
    group, geometry = motion.program.structure.groups[-1], motion.program.geometry
    found = rank(make_tree(mechanism, geometry, group), geometry.size)
    assert found.full
    assert found.conditioning == pytest.approx(motion.conditioning[-1, 0], rel=1e-6)


@pytest.mark.smoke
def test_the_cam_of_the_example_lifts_as_it_was_designed() -> None:
    """By 35 x⁴ - 84 x⁵ + 70 x⁶ - 20 x⁷ over 120°, as far as points at every 5° given to 0.1 µm say."""
    example = reading.read(ROOT / "examples" / "cam_roller.toml")
    motion = solve(example.mechanism, example.motion.times[:: 1 if JIT else 40])
    turned = np.degrees(-motion.angle("cam")) if JIT else 720 * motion.times
    lifting, falling = np.clip((turned - 60) / 120, 0, 1), np.clip((330 - turned) / 120, 0, 1)
    x = np.minimum(lifting, falling)
    lift = 0.01 * x**4 * (35 - 84 * x + 70 * x**2 - 20 * x**3)
    np.testing.assert_allclose(motion.position("tappet")[:, 1] - 0.03, lift, atol=1e-6)


# --- limits and errors -------------------------------------------------------------------------


def groove(open_end: bool = True) -> Mechanism:
    """A pin on a slide, pushed at 1 m/s, in the groove y = x² / 2 of a plate that sinks; it ends at x = 0.505."""
    x = np.linspace(-0.2, 0.505 if open_end else 2.0, 29)
    joints = [
        Joint("push", "P", ("frame", "pin"), point=(0, 0), axis=(1, 0)),
        Joint("guide", "P", ("frame", "plate"), point=(0, 0), axis=(0, 1)),
        Joint("groove", "L", ("plate", "pin"), curve=Curve(np.stack([x, 0.5 * x * x], axis=1)), point=(0, 0)),
    ]
    return Mechanism(2, ["frame", "pin", "plate"], joints, [Driver("push", Ramp(1.0))])


def test_a_curve_that_is_not_closed_ends() -> None:
    """The spline through points of a parabola is off by 1e-9 between them; its second derivative by 1e-5."""
    times = np.linspace(0.0, 1.0, 101 if JIT else 11)
    motion = solve(groove(), times, on_failure="nan")
    inside = times <= 0.5
    np.testing.assert_array_equal(motion.solved, inside)
    np.testing.assert_allclose(motion.position("plate")[inside, 1], -0.5 * times[inside] ** 2, atol=1e-8)
    np.testing.assert_allclose(motion.acceleration("plate")[inside, 1], -1.0, atol=1e-4)
    with pytest.raises(SolveError, match=r"group 2 \(plate; 1P1L2D\) at t = 0.(51|6) s cannot be assembled"):
        solve(groove(), times)
    assert solve(groove(open_end=False), times).solved.all()


def test_a_driver_may_not_leave_a_curve() -> None:
    x = np.linspace(0.0, 1.0, 8)
    line = Joint("groove", "L", ("frame", "pin"), curve=Curve(np.stack([x, 0 * x], axis=1)), point=(0, 0))
    drivers = [Driver("groove", Ramp(1.0), "contact"), Driver("groove", Ramp(2.0), "angle")]
    times = np.array([0.0, 0.25, 0.5, 0.75, 0.99, 1.01, 1.5])
    motion = solve(Mechanism(2, ["frame", "pin"], [line], drivers), times, on_failure="nan")
    np.testing.assert_array_equal(motion.status[0], np.where(times <= 1.0, SOLVED, CANNOT_ASSEMBLE))
    np.testing.assert_allclose(motion.position("pin")[:5, 0], times[:5], atol=1e-12)
    np.testing.assert_allclose(motion.angle("pin")[:5], 2 * times[:5], atol=1e-12)


def test_a_follower_that_is_off_its_curve_leaves_the_joint_open() -> None:
    for follower in OUTSIDE:
        with pytest.raises(NotAssembledError, match=r"joints are open: touch by (0.0001|9.64e-05|9.78e-05) m"):
            solve(valve(follower, lift=1e-4), [0.0])
        motion = solve(valve(follower, lift=1e-4), [0.0], assemble=True)
        assert max_residual(motion) < 1e-9


def test_variants_of_cams_are_refused() -> None:
    mechanism = valve("roller")
    program = build(mechanism)
    with pytest.raises(NotModeledError, match=r"joint 'touch': variants .* pair L \(cam\) .* one by one"):
        constants_of(program, [program.geometry] * 2)


def test_a_follower_may_be_on_either_side_of_its_cam() -> None:
    found = assembly_modes(valve("roller"))
    heights = sorted(mode.poses["valve"][0][1] for mode in found.of(2))
    up = eccentric("roller", np.zeros(1))[0, 0]
    np.testing.assert_allclose(heights, [-up, up], atol=1e-12)
    below = solve(valve("roller"), np.linspace(0.0, 1.0, 21), modes={"valve": 2})
    assert below.position("valve")[0, 1] == pytest.approx(-up, rel=1e-12)
    assert compare(below).agree


def test_drivers_that_would_move_a_cam_are_suggested() -> None:
    with pytest.raises(NotDeterminedError, match=r"add a driver at one of: bearing, guide, touch"):
        analyze(replace(valve("roller"), drivers=[]))


def test_cams_without_geometry_are_analyzed() -> None:
    bare = Mechanism.from_adjacency(["-RP", "R-L", "PL-"], [[0, 1, 0], [1, 0, 0], [0, 0, 0]], dimension=2)
    assert [(group.label, group.solver, group.notes) for group in analyze(bare).groups][1] == ("1P1L2D", "Newton", ())
