"""Limits of mechanisms whose parts move independently: combinations, and gears that are one configuration."""

from __future__ import annotations

import time
from math import lcm

import numpy as np
import pytest

import groupkin as gk
from groupkin.kinematics.limits import limits as module
from groupkin.kinematics.limits.independent_parts import parts_of, whole
from tests.support.paths import DATA

COARSE = 1e-9
"""Difference of limits that were followed in the whole mechanism and in parts of it: rad, and relative to the size."""


def dyad(name: str, on: str, pin: tuple[float, float], foot: tuple[float, float], lengths: tuple[float, float]):
    """A coupler and a rocker between a pin and a foot on the frame: bodies and joints."""
    a, d = np.array(pin), np.array(foot)
    away = np.linalg.norm(d - a)
    along = (lengths[0] ** 2 - lengths[1] ** 2 + away**2) / (2 * away)
    x, y = (d - a) / away
    knee = a + along * np.array([x, y]) + np.sqrt(lengths[0] ** 2 - along**2) * np.array([-y, x])
    bodies = [f"{name} coupler", f"{name} rocker"]
    joints = [
        gk.Joint(f"{name} pin", "R", (on, bodies[0]), point=pin),
        gk.Joint(f"{name} knee", "R", (bodies[0], bodies[1]), point=tuple(knee)),
        gk.Joint(f"{name} foot", "R", (bodies[1], "frame"), point=foot),
    ]
    return bodies, joints


def machine(wheels: dict[str, int], dyads: dict[str, tuple]) -> gk.Mechanism:
    """A crank with wheels that turn once in so many of its turns, and dyads on crank and wheels."""
    bodies, joints = ["frame", "crank"], [gk.Joint("crank", "R", ("frame", "crank"), point=(0.0, 0.0))]
    for k, (name, ratio) in enumerate(wheels.items()):
        center = (0.0, -(k + 1.0) * (1.0 + ratio))
        bodies.append(name)
        joints.append(gk.Joint(name, "R", ("frame", name), point=center))
        mesh = {"points": ((0.0, 0.0), center), "radii": (1.0, float(ratio))}
        joints.append(gk.Joint(f"{name} mesh", "EO", ("crank", name), **mesh))
    centers = {joint.bodies[1]: np.array(joint.point) for joint in joints if joint.type == "R"}
    for name, (on, arm, foot, lengths) in dyads.items():
        more = dyad(name, on, tuple(centers[on] + arm), tuple(centers[on] + foot), lengths)
        bodies, joints = bodies + more[0], joints + more[1]
    return gk.Mechanism(2, bodies, joints, [gk.Driver("crank", gk.Ramp(1.0))])


TURNS = ((1.0, 0.2), (4.0, 0.0), (3.2, 3.0))
"""Arm, foot and lengths of a crank-rocker."""

STOPS = ((3.0, 0.4), (4.0, 0.3), (2.5, 2.6))
"""Of a four-bar whose crank does not turn fully."""

OTHERS = ((2.0, -1.5), (3.5, 0.5), (1.5, 2.7))
"""Of another one."""

FLAT = ((0.6, 0.8), (3.0, 0.0), (3.0, 1.0))
"""Of a parallelogram."""

CASES = {
    "two that turn": machine({}, {"a": ("crank", *TURNS), "b": ("crank", *OTHERS[:1], (4.5, 0.0), (4.4, 4.0))}),
    "one that stops": machine({}, {"a": ("crank", *TURNS), "b": ("crank", *STOPS)}),
    "two that stop": machine({}, {"a": ("crank", *STOPS), "b": ("crank", *OTHERS)}),
    "a parallelogram": machine({}, {"a": ("crank", *FLAT), "b": ("crank", *STOPS)}),
    "a wheel that stops": machine({"wheel": 2}, {"a": ("crank", *STOPS), "b": ("wheel", *OTHERS)}),
}


@pytest.mark.parametrize("name", CASES)
def test_combinations_are_what_is_followed_in_the_whole_mechanism(name, monkeypatch):
    mechanism = CASES[name]
    assert len(parts_of(gk.program(mechanism), ("crank", 0))) == 2
    combined = gk.limits(mechanism)
    monkeypatch.setattr(module, "parts_of", lambda program, driver: (whole(program, driver),))
    followed = gk.limits(mechanism)
    for number in ("circuits", "branches", "limits"):
        assert len(getattr(combined, number)) == len(getattr(followed, number))
    period = 2 * np.pi * max(part.turns for part in parts_of(gk.program(mechanism), ("crank", 0)))
    values = [np.sort(np.mod(found.values, period)) for found in (combined, followed)]
    np.testing.assert_allclose(*values, rtol=0, atol=COARSE)
    kinds = [sorted((x.kind, x.groups) for x in found.limits) for found in (combined, followed)]
    assert kinds[0] == kinds[1]
    for key in (lambda x: (x.turns, len(x.branches), len(x.limits)), lambda x: round(x.high - x.low, 7)):
        assert sorted(map(key, combined.circuits)) == sorted(map(key, followed.circuits))
    assert combined.turns_fully == followed.turns_fully
    # the first is that of the reference configuration
    first = [(found.circuits[0].low, found.circuits[0].high) for found in (combined, followed)]
    np.testing.assert_allclose(*first, rtol=0, atol=COARSE)
    passing = [
        branch for branch in combined.branches if branch.circuit == 1 and branch.start < 1e-9 and branch.stop > -1e-9
    ]
    assert passing
    for branch in combined.branches[:4]:
        assert gk.max_residual(branch.motion) < 1e-10
        np.testing.assert_allclose(branch.values[[0, -1]], [branch.start, branch.stop], rtol=0, atol=1e-12)


@pytest.mark.parametrize("ratios", [(2,), (3, 2), (2, 2)])
def test_gears_are_one_configuration_whatever_teeth_mesh(ratios):
    wheels = {f"wheel {ratio} {k}": ratio for k, ratio in enumerate(ratios)}
    dyads = {f"dyad {k}": (name, *TURNS) for k, name in enumerate(wheels)}
    found = gk.limits(machine(wheels, dyads))
    assert found.limits == ()
    # each dyad has two modes, which turn fully; all wheels are where they were after the same number of turns
    assert len(found.circuits) == 2 ** len(ratios)
    assert {circuit.turns for circuit in found.circuits} == {lcm(*ratios)}
    assert found.complete


def test_a_packaging_machine():
    machine = gk.load(DATA / "packaging_machine.toml")
    gk.solve(machine, [0.0, 0.1])  # kernels are compiled
    before = time.process_time()
    found = gk.limits(machine)
    assert time.process_time() - before < 60.0  # 8 to 15 s; 520 s where every mesh of teeth is followed
    # pusher, jaw and feed have 2, 4 and 2 circuits; wheels of 1/2, 4/3 and 2/3 turns are back after six
    assert (len(found.circuits), len(found.branches), len(found.limits)) == (16, 16, 0)
    assert {circuit.turns for circuit in found.circuits} == {6}
    motion = found.branches[0].motion
    assert gk.max_residual(motion) < 1e-10
    own = gk.solve(machine, found.branches[0].values / (4 * np.pi))
    for body in ("pusher", "jaw", "slide"):
        np.testing.assert_allclose(motion.position(body), own.position(body), rtol=0, atol=1e-9)


def test_what_was_followed_is_not_followed_again():
    """Three parallel cranks: with one hinge left out, dyads have modes in which it is open."""
    points = {"A": (0, 0), "B": (0, 1), "C": (1, 0), "D": (1, 1), "E": (2.5, 0), "F": (2.5, 1)}
    cranks = ("x", "y", "z")
    ends = [pair for crank in cranks for pair in (("frame", crank), (crank, "bar"))]
    joints = [gk.Joint(name, "R", pair, point=name) for name, pair in zip(points, ends, strict=True)]
    mechanism = gk.Mechanism(2, ["frame", *cranks, "bar"], joints, [gk.Driver("A", gk.Ramp(1.0))], points=points)
    found = gk.limits(mechanism)
    assert (len(found.limits), len(found.branches), len(found.circuits)) == (2, 2, 1)


def test_progress_tells_how_many_values_are_looked_at():
    told = []
    gk.limits(CASES["one that stops"], progress=lambda done, total: told.append((done, total)))
    assert (1, 1) in told
    assert all(done <= total for done, total in told)
    assert sum(done == total for done, total in told) >= 4  # two parts, each with further values after the first


def test_progress_goes_on_along_a_curve_that_never_returns():
    """A planet whose teeth are never back where they were is followed for minutes."""
    joints = [
        gk.Joint("O", "R", ("ring", "carrier"), point=(0.0, 0.0)),
        gk.Joint("P", "R", ("carrier", "planet"), point=(0.13, 0.0)),
        gk.Joint(
            "mesh", "EPI", ("ring", "planet"), points=((0.0, 0.0), (0.235, 0.0)), radii=(72.49570932, 19.06816207)
        ),
    ]
    told = []

    def stop_soon(done, total):
        told.append(done)
        if len(told) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        gk.limits(
            gk.Mechanism(2, ["ring", "carrier", "planet"], joints, [gk.Driver("O", gk.Constant(0.3))]),
            progress=stop_soon,
        )
    assert told == [0, 0, 0]


def test_a_wheel_on_a_rocker_is_one_configuration():
    """Its turns do not follow from the driver, so it is iterated; at half the rocker's angle two teeth would mesh."""
    mechanism = machine({}, {"a": ("crank", *TURNS)})
    joints = [*mechanism.joints, gk.Joint("wheel", "R", ("frame", "wheel"), point=(6.0, 0.0))]
    mesh = gk.Joint("mesh", "EO", ("a rocker", "wheel"), points=((4.0, 0.0), (6.0, 0.0)), radii=(1.0, 2.0))
    bodies = [*(body.name for body in mechanism.bodies), "wheel"]
    geared = gk.Mechanism(2, bodies, [*joints, mesh], mechanism.drivers)
    program = gk.program(geared)
    assert program.solvers[-1] == "Newton"
    modes = gk.assembly_modes(program)
    assert [len(modes.of(k + 1)) for k in range(3)] == [1, 2, 1]
    assert (modes.count, modes.complete) == (2, True)
    found = gk.limits(program)
    assert (len(found.circuits), len(found.limits), found.turns_fully) == (2, 0, True)
