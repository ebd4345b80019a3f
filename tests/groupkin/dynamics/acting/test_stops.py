"""Stops at the ends of ranges: falls, rebounds and rests against closed formulas, damped ones against scipy."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import groupkin as gk
from groupkin.dynamics.acting.acting import acting
from groupkin.errors import ForceError, LoadError
from groupkin.mechanism.files.reading import parse
from groupkin.mechanism.forces.force_checks import is_loose
from tests.groupkin.dynamics.simulation.test_coordinate_changes import NO_LINK_TURNS, swinging
from tests.support import dae
from tests.support.force_laws import amount
from tests.support.line_by_line import line_by_line
from tests.support.random_loads import moved

MASS, G, K, FALL = 2.0, 9.81, 3000.0, 0.4
W = np.sqrt(K / MASS)
"""Of a block on a stop, rad/s."""
HIT = np.sqrt(2.0 * G * FALL)
"""Speed of a block that has fallen, m/s."""


def block(stop: gk.Stop | None, ends: tuple[float, float] = (0.0, np.inf), gravity: float = G) -> gk.Mechanism:
    """A block on a vertical slide."""
    body = gk.Body("block", mass=MASS, center=(0.0, 0.0))
    bore = gk.Joint("bore", "P", ("frame", "block"), point=(0.0, 0.0), axis=(0.0, 1.0), range=ends)
    return gk.Mechanism(2, ["frame", body], [bore], gravity=(0.0, -gravity), forces=[stop] if stop else [])


@pytest.mark.parametrize("method", ["explicit", "implicit", "DOP853"])
def test_a_block_falls_on_an_elastic_stop(method: Any) -> None:
    """In contact δ'' = g - w² δ: depth, duration of the contact and rebound."""
    bottom = gk.Event("bottom", "joint_rate bore", direction="up")
    motion = gk.simulate(
        block(gk.Stop("bump", "bore", stiffness=K)),
        [0.0, 0.9],
        {"bore": FALL},
        method=method,
        rtol=1e-11,
        events=[bottom, gk.Event("off", "joint bore", direction="up")],
        ranges="event",
    )
    error = 1e-9 if method == "implicit" else 2e-11
    hit, lowest, off = motion.events[:3]
    assert [each.name for each in motion.events[:3]] == ["bore at its lower end", "bottom", "off"]
    depth = (MASS * G + np.sqrt((MASS * G) ** 2 + 2 * K * MASS * G * FALL)) / K
    assert abs(hit.time - np.sqrt(2 * FALL / G)) < error
    assert abs(lowest.motion.joint("bore")[0, 0] + depth) < error
    assert abs(off.time - hit.time - 2.0 * (np.pi - np.arctan(HIT * W / G)) / W) < error
    assert abs(off.motion.joint_rate("bore")[0, 0] - HIT) < 10 * error


@pytest.mark.parametrize("damping", [0.0, 0.4, 30.0])
def test_a_block_between_two_stops_moves_as_scipy_computes_it(damping: float) -> None:
    """It falls back and forth; a damped push never pulls."""
    times, state = np.linspace(0.0, 1.5, 151), (0.1, 2.5)
    stop = gk.Stop("bump", "bore", stiffness=K, damping=damping)

    def law(_: float, y: Any) -> list[float]:
        under, over = max(0.0, -0.05 - y[0]), max(0.0, y[0] - 0.12)
        push = K * under * max(0.0, 1.0 - damping * y[1]) - K * over * max(0.0, 1.0 + damping * y[1])
        return [y[1], -G + push / MASS]

    motion = gk.simulate(block(stop, (-0.05, 0.12)), times, {"bore": state}, rtol=1e-12)
    expected = solve_ivp(law, (0.0, 1.5), state, "DOP853", times, rtol=3e-14, atol=1e-14, max_step=1e-3).y
    assert (expected[0] < -0.05).any()
    assert (expected[0] > 0.12).any()
    assert np.abs(motion.joint("bore")[0] - expected[0]).max() < 1e-8
    forces = gk.inverse_dynamics(motion)
    pushed = np.array([MASS * (law(0.0, y)[1] + G) for y in expected.T])
    assert np.abs(forces.force("bump") - pushed).max() < 1e-8 * K
    assert np.abs(forces.driver("bore")).max() < 1e-7  # nothing else drives it
    energy = forces.energy()
    outside = np.maximum(0.0, np.maximum(-0.05 - expected[0], expected[0] - 0.12))
    assert np.abs(energy.springs - 0.5 * K * outside**2).max() < 1e-6
    assert bool(np.ptp(energy.total) < 1e-8 * energy.total[0]) == (damping == 0.0)
    bare = gk.inverse_dynamics(replace(motion, program=gk.program(replace(motion.program.mechanism, forces=()))))
    assert np.abs(bare.driver("bore") - pushed).max() < 1e-8 * K


def test_a_pendulum_between_two_stops_keeps_its_energy() -> None:
    arm = gk.Body("arm", mass=1.0, center=(0.3, 0.0), inertia=0.02)
    pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0.0, 0.0), range=(-2.0, -1.0))
    stop = gk.Stop("bump", "pin", stiffness=200.0)
    mechanism = gk.Mechanism(2, ["frame", arm], [pin], gravity=(0.0, -G), forces=[stop])
    motion = gk.simulate(mechanism, np.linspace(0.0, 4.0, 401), {"pin": (-1.5, 4.0)}, rtol=1e-11)
    assert motion.joint("pin").min() < -2.01
    assert motion.joint("pin").max() > -0.99
    total = gk.inverse_dynamics(motion).energy().total
    assert np.ptp(total) < 1e-8 * np.ptp(gk.inverse_dynamics(motion).energy().springs)


def test_a_weight_rests_on_a_stop() -> None:
    mechanism = block(gk.Stop("bump", "bore", stiffness=K, damping=3.0))
    rest = gk.equilibrium(mechanism, {"bore": 0.2})
    assert rest.stable
    assert abs(rest.position[0] + MASS * G / K) < 1e-9
    assert np.allclose(rest.stiffness, K, rtol=1e-6)
    assert np.allclose(rest.damping, 3.0 * MASS * G, rtol=1e-6)  # stiffness · depth · damping
    assert np.allclose(rest.vibration_modes().frequencies, np.sqrt(W**2 - (1.5 * G) ** 2) / (2 * np.pi), rtol=1e-6)
    response = rest.frequency_response("bore", "joint bore", [3.0])
    s = 2j * np.pi * 3.0
    assert np.allclose(response, 1.0 / (MASS * s**2 + 3.0 * MASS * G * s + K), rtol=1e-6)


def test_starts_side_by_side_have_the_bits_of_single_ones() -> None:
    mechanism, times = block(gk.Stop("bump", "bore", stiffness=K, damping=0.2)), np.linspace(0.0, 1.0, 21)
    starts = np.array([[0.1, 0.0], [0.4, -1.0], [0.01, 0.0]])
    many = gk.simulate_many(mechanism, times, {"bore": starts})
    assert many.values.min() < -0.005
    for k, start in enumerate(starts):
        single = gk.simulate(mechanism, times, {"bore": start})
        assert (many.values[k] == single.joint("bore")).all()


@pytest.mark.parametrize("mirror", ["", "x", "y"])
def test_stops_of_mirrored_parts_are_mirrored(mirror: str) -> None:
    """The ends of the range change their places where the coordinate is reversed; the force is the mirrored one."""
    bar = gk.Body("bar", mass=1.0, center=(0.4, 0.1), inertia=0.1)
    car = gk.Body("car", mass=1.0, center=(0.0, 0.0))
    joints = [
        gk.Joint("rail", "P", ("frame", "car"), point=(0.0, 0.0), axis=(1.0, 0.0), range=(-0.3, 0.1)),
        gk.Joint("pin", "R", ("car", "bar"), point=(0.0, 0.0), range=(-0.7, 0.4)),
    ]
    stops = [gk.Stop("s", "rail", stiffness=400.0, damping=0.3), gk.Stop("p", "pin", stiffness=30.0, damping=0.1)]
    own = gk.Mechanism(2, ["frame", car, bar], joints, forces=stops)
    part = gk.Part(own, "r", at=(1.0, 2.0), turn=0.5, mirror=mirror)
    whole = gk.Mechanism(2, ["frame"], [], parts=[part])
    names = ["r/rail", "r/pin"]
    signs = [1.0 if whole.joint[name].range == own.joint[name[2:]].range else -1.0 for name in names]
    times = np.linspace(0.0, 1.5, 31)
    expected = gk.simulate(own, times, {"rail": (0.0, 1.0), "pin": (0.0, -3.0)}, rtol=1e-11)
    start = {name: (0.0, sign * rate) for name, sign, rate in zip(names, signs, (1.0, -3.0), strict=True)}
    motion = gk.simulate(whole, times, start, rtol=1e-11)
    assert (signs != [1.0, 1.0]) == bool(mirror)
    for name, sign in zip(names, signs, strict=True):
        assert np.allclose(sign * motion.joint(name), expected.joint(name[2:]), rtol=0, atol=1e-7)
    assert expected.joint("rail").max() > 0.11
    assert expected.joint("pin").min() < -0.71


@pytest.mark.parametrize("free", ["A", "D"])
def test_a_four_bar_bumps_against_its_stops_as_all_bodies_at_once_do(free: str) -> None:
    """Stops in the crank's bearing, up to its dead centers, and between coupler and rocker; coordinates change."""
    bare, places = swinging(NO_LINK_TURNS, free), [np.array(NO_LINK_TURNS[name]) for name in "ABCD"]
    middles = [tuple(0.5 * (one + other)) for one, other in itertools.pairwise(places)]
    links = [replace(body, center=at) for body, at in zip(list(bare.body.values())[1:], middles, strict=True)]
    ranges = {"A": (-1.0, 0.4), "C": (-0.3, 0.5)}
    joints = [replace(joint, range=ranges.get(joint.name)) for joint in bare.joints]
    stops = [gk.Stop(f"bump {name}", name, stiffness=300.0, damping=0.2) for name in ranges]
    mechanism = replace(bare, bodies=["ground", *links], joints=joints, forces=stops)
    times, start = np.linspace(0.0, 3.0, 31), {free: (0.0, 1.0)}
    motion = gk.simulate(mechanism, times, start, rtol=1e-11)
    path = dae.integrate(mechanism, times, start)
    own = list(mechanism.joint).index(free)
    assert np.abs(motion.driver(0)[0] - [values[own] for values in path.coordinates]).max() < 1e-7
    loads = gk.inverse_dynamics(motion)
    for stop in stops:
        assert np.abs(loads.force(stop.name)).max() > 1.0
    assert np.abs(loads.driver(free)).max() < 1e-6 * np.abs(loads.force("bump A")).max()


SEEDS = [*range(8), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(8, 164))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("velocities", [True, False])
def test_stops_in_all_joints_of_random_mechanisms_have_the_force_of_their_law(seed: int, velocities: bool) -> None:
    with line_by_line():
        motion = moved(seed)
    if motion is None:
        pytest.skip("no geometry of this seed moves")
    mechanism, joints, stops = motion.program.mechanism, [], []
    for joint in mechanism.joints:
        ends = {}
        if not is_loose(mechanism, joint) and joint.of is None:
            for freedom, x in zip(mechanism.freedoms(joint), np.atleast_2d(motion.joint(joint.name)), strict=False):
                middle, half = float(np.median(x)), 0.3 * float(np.ptp(x)) + 0.01
                if abs(x).max() < 3.0:  # less than half a turn from any middle
                    ends[freedom.name] = (middle - half, np.inf if seed % 3 == 0 else middle + 0.1 * half)
                    stops.append(gk.Stop(f"{joint.name} {freedom.name}", joint.name, freedom.name, 50.0, 0.4))
        joints.append(replace(joint, range=ends or None))
    with_stops = replace(motion, program=gk.program(replace(mechanism, joints=joints, forces=stops)))
    for load in stops:
        found, expected = acting(with_stops, load, velocities), amount(with_stops, load, velocities)
        size = max(1.0, float(np.abs(expected).max()))
        assert np.abs(found.amount - expected).max() <= 1e-11 * size / motion.conditioning.min(), load
        if not velocities:  # the energy is that of a spring
            assert np.allclose(found.energy, 0.5 * expected**2 / 50.0, rtol=0, atol=1e-10 * size**2)


def turned(ends: tuple[float, float], reference: float = 0.0, free: bool = True) -> gk.Mechanism:
    """An arm that hangs to the right, its angle free or that of a joint behind a free slide."""
    arm = gk.Body("arm", mass=1.0, center=(0.5, 0.0), inertia=0.1)
    pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0.0, 0.0), range=ends, reference=reference)
    stop = gk.Stop("bump", "pin", stiffness=100.0)
    bodies: list[gk.Body | str] = ["frame", arm]
    joints, drivers = [pin], []
    if not free:
        bodies += ["rod", "slider"]
        joints += [
            gk.Joint("crank", "R", ("arm", "rod"), point=(1.0, 0.0)),
            gk.Joint("wrist", "R", ("rod", "slider"), point=(1.0, 2.0)),
            gk.Joint("rail", "P", ("frame", "slider"), point=(1.0, 2.0), axis=(0.0, 1.0)),
        ]
        drivers = [gk.Driver("rail")]
    return gk.Mechanism(2, bodies, joints, drivers, forces=[stop])


@pytest.mark.parametrize("free", [True, False])
@pytest.mark.parametrize("turns", [-1, 0, 1])
def test_ranges_of_angles_are_up_to_whole_turns(free: bool, turns: int) -> None:
    """The arm begins 0.2 rad beyond the upper end, or would if no whole turns were added."""
    ends = (2 * np.pi * turns - 0.7, 2 * np.pi * turns - 0.2)
    mechanism = turned(ends, free=free)
    motion = gk.simulate(mechanism, [0.0, 1e-3])
    assert gk.inverse_dynamics(motion).force("bump")[0] == pytest.approx(-20.0, abs=1e-9)
    inertia = 0.1 + 0.25
    assert motion.joint("pin")[0, -1] == pytest.approx(0.2 * (np.cos(np.sqrt(100 / inertia) * 1e-3) - 1), abs=1e-9)
    assert [each.stop.end for each in motion.outside] == ["upper"]


def test_a_range_of_many_turns_is_that_of_the_angle_itself() -> None:
    spun = gk.simulate(turned((-1.0, 20.0)), np.linspace(0.0, 8.0, 81), {"pin": (0.0, 4.0)}, rtol=1e-11)
    depth = 4.0 * np.sqrt((0.1 + 0.25) / 100.0)
    assert spun.joint("pin").max() == pytest.approx(20.0 + depth, abs=0.02 * depth)
    assert spun.joint_rate("pin")[0, -1] == pytest.approx(-4.0, abs=1e-8)


def test_a_start_by_other_whole_turns_is_refused() -> None:
    with pytest.raises(LoadError, match=r"force 'bump': pin starts at 6\.38.* rad, whole turns away .* at 0\.1 rad"):
        gk.simulate(turned((-0.5, 0.5)), [0.0, 1.0], {"pin": 0.1 + 2 * np.pi})
    with pytest.raises(LoadError, match="whole turns away"):
        gk.equilibrium(turned((-0.5, 0.5)), {"pin": 0.1 + 2 * np.pi})
    many = gk.simulate_many(turned((-0.5, 0.5)), [0.0, 0.1], {"pin": [0.1, 0.1 + 2 * np.pi]})
    assert many.solved.tolist() == [True, False]
    assert "whole turns away" in many.messages[1]


def test_what_has_no_range_has_no_stop() -> None:
    bare = replace(block(None), joints=[replace(block(None).joints[0], range=None)])
    with pytest.raises(ForceError, match="force 'bump' stops bore at the ends of its range, but joint 'bore' states"):
        replace(bare, forces=[gk.Stop("bump", "bore", stiffness=1.0)])
    ball = gk.Joint("ball", "C", ("frame", "arm"), point=(0, 0, 0), axis=(0, 0, 1), range={"displacement": (0, 1)})
    both = gk.Mechanism(3, ["frame", "arm"], [ball], [gk.Driver("ball", freedom="displacement")])
    with pytest.raises(ForceError, match="states none for 'angle'; give the joint a `range`"):
        replace(both, forces=[gk.Stop("bump", "ball", "angle", 1.0)])
    with pytest.raises(ForceError, match="its stiffness must be positive"):
        block(gk.Stop("bump", "bore"))
    with pytest.raises(ForceError, match="its damping must not be negative"):
        block(gk.Stop("bump", "bore", stiffness=1.0, damping=-1.0))


FILE = {
    "name": "door",
    "dimension": 2,
    "units": {"length": "mm", "angle": "deg", "force": "N"},
    "values": {"open": 30, "hard": 2.0},
    "bodies": ["frame", {"name": "door", "mass": 1, "center": [500, 0], "inertia": 1e5}],
    "joints": [{"name": "hinge", "type": "R", "bodies": ["frame", "door"], "point": [0, 0], "range": [-5, "open"]}],
    "forces": [{"name": "bump", "type": "stop", "joint": "hinge", "stiffness": "10 * hard", "damping": 0.1}],
}


def test_stops_are_stated_in_files(tmp_path: Any) -> None:
    """In N mm/deg and s/deg, by values of the file."""
    mechanism = parse(FILE)
    degree = np.pi / 180
    (stop,) = mechanism.forces
    assert isinstance(stop, gk.Stop)
    assert stop.stiffness == pytest.approx(0.02 / degree, rel=1e-15)
    assert stop.damping == pytest.approx(0.1 / degree, rel=1e-15)
    assert mechanism.joint["hinge"].range == pytest.approx((-5 * degree, 30 * degree), rel=1e-15)
    gk.save(mechanism, tmp_path / "door.toml")
    again = gk.load(tmp_path / "door.toml")
    (kept,) = again.forces
    assert replace(kept, stiffness=1.0) == replace(stop, stiffness=1.0)
    assert kept.stiffness == pytest.approx(stop.stiffness, rel=1e-15)  # of the formula of a value
    assert again.joint["hinge"].range == mechanism.joint["hinge"].range
