"""Forces and simulations of random mechanisms against all bodies at once; thousands: ``python -m tests.oracles``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import ellipj, ellipk

import groupkin as gk
from groupkin.errors import CouplingError, DeterminedByCountOnlyError, SolveError
from tests.oracles.inverse import compare
from tests.oracles.running import run
from tests.support import dae, random_loads, saddle
from tests.support.line_by_line import line_by_line
from tests.support.mechanisms import crank_rocker
from tests.support.oracle import _State
from tests.support.platforms import platform
from tests.support.random_cams import FOLLOWERS
from tests.support.random_mechanisms import Workshop
from tests.support.whole import Whole

Array = NDArray[np.float64]


@pytest.fixture(autouse=True, scope="module")
def lines() -> Iterator[None]:
    """Compile nothing of the single mechanisms."""
    with line_by_line():
        yield


@pytest.mark.parametrize("first", [43])
def test_forces_of_a_few_random_mechanisms(first: int) -> None:
    assert not run("inverse", 6, first).findings


def test_radial_forces_go_with_the_tangential_part_of_what_a_mesh_transmits() -> None:
    """A mesh that transmits a force along its axes as well: its radial force was too large by 4e-7."""
    assert not run("inverse", 1, 1912).findings


@pytest.mark.exhaustive
@pytest.mark.parametrize("first", range(0, 164, 41))
def test_forces_of_random_mechanisms_of_every_family(first: int) -> None:
    assert not run("inverse", 41, first).findings


@pytest.mark.long
@pytest.mark.timeout(10800)
def test_forces_of_2000_random_mechanisms() -> None:
    assert not run("inverse", 2000, show=print).findings


@pytest.mark.parametrize(
    "first", [3, *(pytest.param(first, marks=pytest.mark.exhaustive) for first in (0, 25, 62, 71, 198, 202))]
)
def test_a_few_random_mechanisms_fall_as_all_bodies_at_once_do(first: int) -> None:
    found = run("simulations", 1, first)
    assert not found.findings
    assert found.outcomes == {"agree": 1}


def test_a_motion_does_not_depend_on_the_times_asked_for() -> None:
    """Free coordinates change between two times far apart; groups by Newton's method must be followed up to there."""
    drawn = random_loads.falling(62)
    assert drawn is not None
    mechanism, start = drawn
    dense = gk.simulate(mechanism, np.linspace(0.0, 0.9, 37), start, rtol=1e-9)
    sparse = gk.simulate(mechanism, np.linspace(0.0, 0.9, 10), start, rtol=1e-9)
    for body in mechanism.movable:
        np.testing.assert_allclose(sparse.position(body), dense.position(body)[::4], atol=1e-9)


@pytest.mark.long
@pytest.mark.timeout(10800)
def test_300_random_mechanisms_fall_as_all_bodies_at_once_do() -> None:
    assert not run("simulations", 300, show=print).findings


# --- the oracles themselves ------------------------------------------------------------------


@pytest.mark.parametrize("seed", [11, 55, 89])
def test_equations_as_sums_of_twists_are_those_of_the_oracle(seed: int) -> None:
    """Accelerations of both, at poses and rates of a motion."""
    motion = random_loads.moved(seed)
    assert motion is not None
    mechanism = motion.program.mechanism
    forces = [load for load in mechanism.forces if not isinstance(load, gk.Friction)]
    whole = Whole(replace(mechanism, forces=forces))
    answer, state = saddle.solve(whole, motion), whole.of_motion(motion)
    equations = dae.Equations(whole)
    for k, time in enumerate(motion.times):
        here = _State(state.rotations[k : k + 1], state.places[k : k + 1], state.coordinates[k : k + 1])
        found = equations.rate(time, equations.packed(here, answer.rates[k : k + 1]))[-whole.unknowns :]
        assert np.abs(found - answer.gains[k]).max() < 1e-12 / answer.smallest[k] * (1 + np.abs(found).max())


def test_the_integration_of_all_bodies_by_elliptic_functions() -> None:
    arm = gk.Body("arm", mass=2.0, center=(0.0, -0.8))
    pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0.0, 0.0))
    pendulum = gk.Mechanism(2, ["frame", arm], [pin], [gk.Driver("pin")], gravity=(0.0, -9.81))
    swing, times = 1.5, np.linspace(0.0, 2.0, 11)
    path = dae.integrate(pendulum, times, {"pin": (swing, 0.0)})
    w, k = np.sqrt(9.81 / 0.8), np.sin(0.5 * swing)
    expected = 2 * np.arcsin(k * ellipj(w * times + ellipk(k**2), k**2)[0])
    assert np.allclose([values[0] for values in path.coordinates], expected, rtol=0, atol=1e-10)


def test_a_gear_that_holds_a_lever_by_hand() -> None:
    """The force at the pitch point is at 20° and has the moment of the weight about the lever's hinge."""
    pin, center = (0.25, -0.15), (0.3, 0.0)
    gears = gk.Mechanism(
        2,
        ["f", gk.Body("a"), gk.Body("b", mass=10.0, center=(0.5, 0.0))],
        [
            gk.Joint("A", "R", ("f", "a"), point=(0.0, 0.0)),
            gk.Joint("B", "R", ("f", "b"), point=pin),
            gk.Joint("G", "EO", ("a", "b"), points=((0.0, 0.0), center), radii=(0.1, 0.2)),
        ],
        [gk.Driver("A", gk.Constant(0.0))],
        gravity=(0.0, -10.0),
    )
    answer = saddle.solve(Whole(gears), gk.solve(gears, [0.0]))
    up = -100.0 * 0.25 / (0.15 - 0.15 * np.tan(np.pi / 9))  # of the teeth, at 0.1 m; arms about B
    assert answer.reactions["G"][0, 3:5] == pytest.approx([-up * np.tan(np.pi / 9), up], rel=1e-12)
    assert answer.drivers[0, 0] == pytest.approx(0.1 * up, rel=1e-12)


# --- what they found -------------------------------------------------------------------------


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_hinge_bears_the_torque_of_its_coupling(dimension: int) -> None:
    """A torque of 3 N m on a lever that follows another one, twice as fast: by its driver 6 N m."""
    axis = {"axis": (0.0, 0.0, 1.0)} if dimension == 3 else {}
    joints = [
        gk.Joint(name, "R", ("f", name), point=(x, 0.0, 0.0)[:dimension], **axis)
        for name, x in (("a", 0.0), ("b", 1.0))
    ]  # type: ignore[arg-type]
    mechanism = gk.Mechanism(
        dimension,
        ["f", "a", "b"],
        joints,
        [gk.Driver("a", gk.Ramp(1.0))],
        couplings=[gk.Coupling("belt", "{joint b} - 2 * {joint a}")],
        forces=[gk.Torque("load", "b", 3.0 if dimension == 2 else (0.0, 0.0, 3.0))],
    )
    found = gk.inverse_dynamics(mechanism, [0.0, 0.3])
    turning = [found.reaction(name).moment.reshape(2, -1)[:, -1] for name in "ab"]
    assert np.allclose(found.driver("a"), -6.0, rtol=1e-12)
    assert np.allclose(turning, [[0.0, 0.0], [-3.0, -3.0]], rtol=0, atol=1e-12)


@pytest.mark.parametrize("hinge", ["B", "C", "D"])
def test_a_hinge_of_another_group_bears_the_torque_of_a_coupling(hinge: str) -> None:
    """A wheel on which 3 N m act follows a hinge of a four-bar twice as fast, of its tree or where it is cut."""
    linkage = crank_rocker()
    mechanism = replace(
        linkage,
        bodies=[*linkage.bodies, "wheel"],
        joints=[*linkage.joints, gk.Joint("W", "R", (linkage.frame, "wheel"), point=(5.0, 0.0))],
        couplings=[gk.Coupling("belt", f"{{joint W}} - 2 * {{joint {hinge}}}")],
        forces=[gk.Torque("load", "wheel", 3.0)],
    )
    found = gk.inverse_dynamics(mechanism, [0.0, 0.3])
    for name in {"B", "C", "D"}:
        assert np.allclose(found.reaction(name).moment, 6.0 if name == hinge else 0.0, rtol=0, atol=1e-12)


CAMS_COUPLED = [(follower, second) for follower in FOLLOWERS for second in (0, 1)]


@pytest.mark.parametrize(("follower", "second"), CAMS_COUPLED)
def test_couplings_of_cams(follower: str, second: int) -> None:
    """Of both freedoms in the cam's own group; where another one solves it they are refused by name."""
    for seed in range(20):
        shop = Workshop(2, np.random.default_rng(seed), amplitude=0.1, follower=follower)
        cam = shop.make_tree([(-1, 0, "R*1")], ["ground"], reverse=0.0)[0]
        shop.make_tree([(-1, 0, "R"), (0, 1, "R"), (1, -1, "L")], ["ground", cam], reverse=0.0)
        mechanism = shop.mechanism()
        freedom = mechanism.freedoms(mechanism.joints[-1])[second]
        taken = f"{{joint {mechanism.joints[-1].name}.{freedom.name}}}"
        coupling = gk.Coupling("k", f"{taken} - 0.3 {freedom.unit} * {{joint j1}} / 1 rad")
        try:
            motion = gk.solve(replace(mechanism, couplings=[coupling]), random_loads.TIMES)
        except (DeterminedByCountOnlyError, SolveError):
            continue
        if motion.conditioning.min() > 0.01:
            break
    heavy = random_loads.with_forces(motion.program.mechanism, np.random.default_rng(0))
    assert compare(gk.solve(heavy, random_loads.TIMES)).kind == "agree"
    elsewhere = Workshop(2, np.random.default_rng(0), amplitude=0.1, follower=follower)
    cam = elsewhere.make_tree([(-1, 0, "R*1")], ["ground"], reverse=0.0)[0]
    elsewhere.make_tree([(-1, 0, "R"), (0, -1, "L")], ["ground", cam], reverse=0.0)
    elsewhere.make_tree([(-1, 0, "R")], ["ground"], reverse=0.0)
    taken = f"{{joint j3.{freedom.name}}}"
    wheel = gk.Coupling("k", f"{{joint j4}} - 0.7 rad * {taken} / 1 {freedom.unit}")
    with pytest.raises(
        CouplingError, match=f"'j3' .L. is in another group than the coupling that takes its {freedom.name}, "
    ):
        gk.program(elsewhere.mechanism(couplings=[wheel]))


@pytest.mark.parametrize("kind", ["telescopes", "legs"])
def test_a_leg_that_follows_a_joint_of_another_group(kind: str) -> None:
    """The other legs are rods that are placed after all else, what the coupling measures included."""
    legs = platform(kind, 4)
    drivers = [driver for driver in legs.drivers if driver.joint != "P0"]
    coupling = gk.Coupling("leg", "{joint P0} + 0.1 m * sin({joint rock})")
    heavy = random_loads.with_forces(replace(legs, drivers=drivers, couplings=[coupling]), np.random.default_rng(0))
    assert compare(gk.solve(heavy, random_loads.TIMES)).kind == "agree"
