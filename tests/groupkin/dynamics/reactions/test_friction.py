"""Friction in joints against closed formulas, balances of power, and what the joints carry in the end."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.dynamics.acting.coulomb import solve
from groupkin.errors import ForceError, JammingError, LoadError, UnknownNameError
from tests.support.energy import rate_of_energy
from tests.support.loaded import loaded
from tests.support.mechanisms import crank_rocker

Array = NDArray[np.float64]

SHARP = 1e-9
"""Speed, m/s, beside which all others are so large that friction has its full size."""


def check_balance(forces: gk.Forces) -> None:
    powers, rates = list(forces.power().values()), rate_of_energy(forces.motion)
    largest = max(np.abs(x).max() for x in (*powers, *rates))
    bound = 1e-9 if forces.motion.program.iterates else 1e-12 / forces.motion.conditioning.min()
    assert np.abs(sum(powers) - sum(rates)).max() <= bound * largest


def jack(friction: gk.Friction, up: bool, drive: str = "screw") -> gk.Mechanism:
    """A screw of 2 mm pitch per radian that lifts 1000 N."""
    screw = gk.Joint("screw", "H", ("frame", "load"), point=(0, 0, 0), axis=(0, 0, 1), pitch=0.002)
    load = gk.Body("load", mass=100.0, center=(0, 0, 0))
    driver = gk.Driver(drive, gk.Ramp(rate=3.0 if up else -3.0))
    return gk.Mechanism(3, ["frame", load], [screw], [driver], gravity=(0, 0, -10.0), forces=[friction])


@pytest.mark.parametrize("up", [True, False])
@pytest.mark.parametrize("coefficient", [0.05, 0.3])
def test_a_screw_jack_by_its_closed_formula(coefficient: float, up: bool) -> None:
    friction = gk.Friction("thread", "screw", coefficient, radius=0.01, speed=SHARP)
    torque = gk.inverse_dynamics(jack(friction, up), [0.0, 0.1]).driver("screw")
    lead, angle = np.arctan(0.2), np.arctan(coefficient)
    assert np.allclose(torque, 10.0 * np.tan(lead + angle if up else lead - angle), rtol=1e-13)
    assert bool((torque < 0).all()) == (not up and angle > lead)  # self-locking


def test_the_efficiency_of_a_screw_is_that_of_lifting() -> None:
    found = gk.inverse_dynamics(
        jack(gk.Friction("thread", "screw", radius=0.01, efficiency=0.4, speed=SHARP), True), [0]
    )
    assert found.driver("screw")[0] == pytest.approx(1000.0 * 0.002 / 0.4, rel=1e-13)
    check_balance(found)


def pushed_nut(coefficient: float) -> gk.Mechanism:
    """A nut that is pushed along and turns a wheel against a torque of 1 N m: the lead angle is 11.3°."""
    bodies = ["frame", "nut", gk.Body("wheel", inertia=0.1)]
    joints = [
        gk.Joint("slide", "P", ("frame", "nut"), point=(0, 0, 0), axis=(0, 0, 1)),
        gk.Joint("screw", "H", ("nut", "wheel"), point=(0, 0, 0), axis=(0, 0, 1), pitch=0.002),
        gk.Joint("bearing", "R", ("frame", "wheel"), point=(0, 0, 0), axis=(0, 0, 1)),
    ]
    forces = [
        gk.Torque("load", "wheel", (0, 0, 1.0)),
        gk.Friction("thread", "screw", coefficient, radius=0.01, speed=SHARP),
    ]
    return gk.Mechanism(3, bodies, joints, [gk.Driver("slide", gk.Ramp(rate=0.01))], forces=forces)


@pytest.mark.exhaustive
def test_a_screw_that_locks_itself_cannot_be_pushed() -> None:
    lead = np.arctan(0.2)
    for coefficient in (0.05, 0.19):
        push = gk.inverse_dynamics(pushed_nut(coefficient), [0.0]).driver("slide")
        assert push[0] == pytest.approx(1.0 / (0.01 * np.tan(lead - np.arctan(coefficient))), rel=1e-11)
    with pytest.raises(JammingError, match=r"joint 'screw' jams at t = 0 s") as caught:
        gk.inverse_dynamics(pushed_nut(0.25), [0.0])
    assert caught.value.joint == "screw"
    assert caught.value.share == pytest.approx(0.2 / 0.25, rel=1e-5)


def crank_press(coefficient: float, load: float) -> gk.Mechanism:
    joints = [
        gk.Joint("main", "R", ("block", "crank"), point=(0.0, 0.0)),
        gk.Joint("big end", "R", ("crank", "rod"), point=(0.1, 0.0)),
        gk.Joint("pin", "R", ("rod", "piston"), point=(0.4, 0.0)),
        gk.Joint("bore", "P", ("block", "piston"), point=(0.4, 0.0), axis=(1.0, 0.0)),
    ]
    return gk.Mechanism(
        2,
        ["block", "crank", "rod", "piston"],
        joints,
        [gk.Driver("main", gk.Ramp(rate=2 * np.pi))],
        forces=[
            gk.Force("load", "piston", (0.4, 0.0), (load, 0.0)),
            gk.Friction("wall", "bore", coefficient, speed=SHARP),
        ],
    )


@pytest.mark.parametrize("load", [-1.0, 1.0])
def test_a_slider_crank_with_friction_at_the_slider(load: float) -> None:
    times = np.linspace(0.013, 0.987, 41)
    forces = gk.inverse_dynamics(crank_press(0.2, load), times)
    angle = 2 * np.pi * times
    tangent = np.tan(np.arcsin(0.1 * np.sin(angle) / 0.3))
    inward = np.where(np.sin(angle) > 0, -1.0, 1.0)  # the way the piston moves
    # of the rod on the piston along the bore, F: F + load - 0.2 |F tan ψ| sign = 0
    push = -load / (1.0 + 0.2 * np.abs(tangent) * np.sign(load) * inward)
    assert np.allclose(forces.reaction("pin").force[:, 0], push, rtol=1e-11)
    check_balance(forces)


def test_a_toggle_jams_where_its_rod_is_steeper_than_the_friction_angle() -> None:
    """It is pushed apart by the load: with μ tan ψ = 1 the reaction would be infinite."""
    times = np.linspace(0.25, 0.26, 3)
    tangent = 0.1 / np.sqrt(0.3**2 - 0.1**2)
    with pytest.raises(JammingError, match=r"'wall': joint 'bore' jams at t = 0.25 s") as caught:
        gk.inverse_dynamics(crank_press(4.0, 1.0), times)
    assert caught.value.share == pytest.approx(1.0 / tangent / 4.0, rel=1e-5)
    assert caught.value.time == 0.25
    gk.inverse_dynamics(crank_press(4.0, -1.0), times)  # the load pushes it on: no more than it drags


def wedge(coefficient: float) -> gk.Mechanism:
    """A wedge of 15° that lifts 100 N in an upright guide."""
    way = (np.cos(np.radians(15.0)), np.sin(np.radians(15.0)))
    joints = [
        gk.Joint("floor", "P", ("frame", "wedge"), point=(0.0, 0.0), axis=(1.0, 0.0)),
        gk.Joint("face", "P", ("wedge", "block"), point=(0.0, 1.0), axis=way),
        gk.Joint("guide", "P", ("frame", "block"), point=(0.0, 1.0), axis=(0.0, 1.0)),
    ]
    forces = [gk.Force("load", "block", (0.0, 1.0), (0.0, -100.0))]
    forces += [gk.Friction(f"at {joint.name}", joint.name, coefficient, speed=SHARP) for joint in joints]
    driver = gk.Driver("floor", gk.Ramp(rate=-0.1))
    return gk.Mechanism(2, ["frame", "wedge", "block"], joints, [driver], forces=forces)


def test_a_wedge_with_friction_on_three_faces() -> None:
    """Their forces depend on each other."""
    for degrees in (1.0, 10.0, 37.0):
        found = gk.inverse_dynamics(wedge(np.tan(np.radians(degrees))), [0.0, 0.1])
        assert np.allclose(found.driver("floor"), -100.0 * np.tan(np.radians(15.0 + 2 * degrees)), rtol=1e-9)
        check_balance(found)
    coefficient = np.tan(np.radians(40.0))
    with pytest.raises(JammingError, match="all coefficients") as caught:
        gk.inverse_dynamics(wedge(coefficient), [0.0])
    assert caught.value.share == pytest.approx(np.tan(np.radians(37.5)) / coefficient, rel=1e-5)


def drawer(offset: float, **guide: float) -> gk.Mechanism:
    """A drawer that a hand pulls beside its guide, against 10 N."""
    joints = [
        gk.Joint("hand's way", "P", ("frame", "hand"), point=(0.0, offset), axis=(1.0, 0.0)),
        gk.Joint("grip", "CR", ("hand", "drawer"), point=(0.0, offset), axis=(0.0, 1.0)),
        gk.Joint("guide", "P", ("frame", "drawer"), point=(0.0, 0.0), axis=(1.0, 0.0)),
    ]
    forces = [
        gk.Force("load", "drawer", (0.0, 0.0), (-10.0, 0.0)),
        gk.Friction("wood", "guide", 0.3, speed=SHARP, **guide),  # type: ignore[arg-type]
    ]
    driver = gk.Driver("hand's way", gk.Ramp(rate=0.1))
    return gk.Mechanism(2, ["frame", "hand", "drawer"], joints, [driver], forces=forces)


def test_a_drawer_jams_where_it_is_pulled_too_far_aside() -> None:
    pull = gk.inverse_dynamics(drawer(0.2, length=0.5), [0.0]).driver("hand's way")
    assert pull[0] == pytest.approx(10.0 / (1.0 - 2 * 0.3 * 0.2 / 0.5), rel=1e-12)
    assert gk.inverse_dynamics(drawer(0.2), [0.0]).driver("hand's way")[0] == pytest.approx(10.0, rel=1e-12)
    with pytest.raises(JammingError, match="guide it longer") as caught:
        gk.inverse_dynamics(drawer(1.0, length=0.5), [0.0])
    assert caught.value.share == pytest.approx(0.5 / (2 * 0.3), rel=1e-5)


def arm(kind: str, *forces: gk.Friction, load: tuple[float, float, float] = (3.0, 4.0, 12.0)) -> gk.Mechanism:
    joint = gk.Joint("a", kind, ("frame", "arm"), point=(0, 0, 0), **({} if kind == "S" else {"axis": (0, 0, 1)}))
    freedoms = {"S": ("angle_x", "angle_y", "angle_z"), "C": ("displacement", "angle")}.get(kind, (None,))
    rates = {"S": (0.0, 0.0, 2.0), "C": (0.3, 4.0)}.get(kind, (2.0,))
    drivers = [gk.Driver("a", gk.Ramp(rate=rate), name) for name, rate in zip(freedoms, rates, strict=True)]
    pull = gk.Force("load", "arm", (0, 0, 0.4), load)
    return gk.Mechanism(3, ["frame", "arm"], [joint], drivers, forces=[pull, *forces])


def test_bearings_in_space_by_hand() -> None:
    """A journal of 10 mm with 5 N across, a shoulder with 12 N along; two bearings 0.2 m apart; a ball."""
    journal = gk.Friction("journal", "a", 0.1, radius=0.01, speed=SHARP)
    shoulder = gk.Friction("shoulder", "a", 0.2, radius=0.02, axial=True, speed=SHARP)
    torque = gk.inverse_dynamics(arm("R", journal, shoulder), [0.0]).driver("a")
    assert torque[0] == pytest.approx(0.1 * 0.01 * 5.0 + 0.2 * 0.02 * 12.0, rel=1e-12)
    pair = replace(journal, length=0.2)  # the moment 5 N · 0.4 m is a pair of 10 N
    torque = gk.inverse_dynamics(arm("R", pair), [0.0]).driver("a")
    assert torque[0] == pytest.approx(0.1 * 0.01 * (12.5 + 7.5), rel=1e-12)
    torque = gk.inverse_dynamics(arm("S", journal, load=(0.0, 0.0, 13.0)), [0.0]).driver("a.angle_z")
    assert torque[0] == pytest.approx(0.1 * 0.01 * 13.0, rel=1e-12)
    bush = gk.inverse_dynamics(arm("C", journal), [0.0])
    speed = np.hypot(0.3, 0.01 * 4.0)  # it slides along a helix
    assert bush.driver("a.displacement")[0] == pytest.approx(-12.0 + 0.1 * 5.0 * 0.3 / speed, rel=1e-12)
    assert bush.driver("a.angle")[0] == pytest.approx(0.1 * 5.0 * 0.01 * 0.04 / speed, rel=1e-12)
    check_balance(bush)


def everywhere(mechanism: gk.Mechanism, coefficient: float) -> gk.Mechanism:
    """Friction in all joints that may have it, whatever else acts."""
    size = gk.program(mechanism).geometry.size
    more = [
        gk.Friction(
            f"at {joint.name}",
            joint.name,
            coefficient,
            radius=0.02 * size,
            length=0.3 * size if joint.type == "P" else None,
            speed=0.01 * size,
        )
        for joint in mechanism.joints
        if joint.type in ("R", "P", "S", "C", "H")
    ]
    return replace(mechanism, forces=[*mechanism.forces, *more])


def four_bar_in_space() -> gk.Mechanism:
    from tests.support.examples import described

    return described("spatial_four_bar").mechanism


@pytest.mark.parametrize(
    "make",
    [crank_rocker, lambda: crank_press(0.2, 1.0), pytest.param(four_bar_in_space, marks=pytest.mark.exhaustive)],
)
def test_friction_fits_what_joints_carry_and_takes_power(make: object) -> None:
    mechanism = everywhere(loaded(make()), 0.15)  # type: ignore[operator]
    forces = gk.inverse_dynamics(mechanism, np.linspace(0.0, 0.4, 7))
    check_balance(forces)
    for load in mechanism.forces:
        if not isinstance(load, gk.Friction):
            continue
        assert (forces.power()[load.name] <= 0.0).all()
        acting, joint = forces.acting[load.name], mechanism.joint[load.joint]
        if joint.type == "R":
            axis = forces.motion.rotation(joint.bodies[0]) @ np.eye(mechanism.dimension)[-1]
            force = forces.reaction(joint.name).force
            if mechanism.dimension == 3:
                frame = forces.motion.program.geometry.joints[joint.name].frames[0]
                axis = forces.motion.rotation(joint.bodies[0]) @ frame[:, 2]
                force = force - (force * axis).sum(axis=1, keepdims=True) * axis
            normal = np.linalg.norm(force, axis=1)
            v = acting.rate
            expected = -load.coefficient * normal * v / np.hypot(v, load.speed)
            assert np.allclose(acting.amount, expected, rtol=0, atol=1e-11 * np.abs(normal).max())


@pytest.mark.exhaustive
def test_actuators_elsewhere_overcome_friction_too() -> None:
    """The piston's slide pushes instead of the crank: its power is what the crank's was."""
    mechanism = everywhere(crank_press(0.1, 0.0), 0.1)
    mechanism = replace(mechanism, forces=[*mechanism.forces, gk.JointForce("brake", "main", -1.0)])
    mechanism = replace(mechanism, forces=[x for x in mechanism.forces if x.name != "at bore"])
    found = gk.inverse_dynamics(mechanism, [0.1, 0.2], actuators=["bore"])
    check_balance(found)
    frictionless = replace(mechanism, forces=[x for x in mechanism.forces if not isinstance(x, gk.Friction)])
    ideal = gk.inverse_dynamics(frictionless, [0.1, 0.2], actuators=["bore"])
    assert (found.power()["bore"] > ideal.power()["bore"] + 1e-3).all()


def test_bearings_of_gears_feel_teeth_and_friction() -> None:
    teeth = gk.Joint("teeth", "EO", ("first", "second"), points=((0, 0), (0.5, 0)), radii=(0.2, 0.3))
    joints = [
        gk.Joint("a", "R", ("frame", "first"), point=(0, 0)),
        gk.Joint("b", "R", ("frame", "second"), point=(0.5, 0)),
        teeth,
    ]
    forces = [
        gk.Torque("load", "second", 6.0),
        gk.Friction("at a", "a", 0.3, radius=0.05, speed=SHARP),
        gk.Friction("at b", "b", 0.3, radius=0.05, speed=SHARP),
    ]
    gears = gk.Mechanism(2, ["frame", "first", "second"], joints, [gk.Driver("a", gk.Ramp(rate=1.0))], forces=forces)
    found = gk.inverse_dynamics(gears, [0.0, 0.1])
    tangent = (6.0 - 0.3 * 0.05 * np.linalg.norm(found.reaction("b").force, axis=1) * -1.0) / 0.3
    assert np.allclose(np.linalg.norm(found.reaction("b").force, axis=1), tangent / np.cos(np.radians(20)), rtol=1e-12)
    check_balance(found)


@pytest.mark.parametrize(
    ("coefficient", "radius", "torque", "push"),
    [(0.3, 0.2, -1.0, (10.0, 0.0)), (1.0, 0.2, -1.0, (0.0, 10.0)), (3.0, 0.05, -0.1, (0.0, -10.0))],
)
def test_friction_that_never_agrees_with_the_forces_on_teeth_is_refused(
    coefficient: float, radius: float, torque: float, push: tuple[float, float]
) -> None:
    """Teeth of 69° push the bearing to the same side, whichever way they are loaded: friction turns them to and fro."""
    joints = [
        gk.Joint("a", "R", ("frame", "first"), point=(0, 0)),
        gk.Joint("b", "R", ("frame", "second"), point=(0.5, 0)),
        gk.Joint("teeth", "EO", ("first", "second"), points=((0, 0), (0.5, 0)), radii=(0.2, 0.3), pressure_angle=1.2),
    ]
    forces = [
        gk.Torque("torque", "second", torque),
        gk.Force("push", "second", (0.5, 0), push),
        gk.Friction("rub", "b", coefficient, radius=radius),
    ]
    gears = gk.Mechanism(2, ["frame", "first", "second"], joints, [gk.Driver("a", gk.Ramp(rate=1.0))], forces=forces)
    with pytest.raises(LoadError, match=r"force 'rub': friction in joint 'b'.* do not agree at t = 0 s: .* changes by"):
        gk.inverse_dynamics(gears, [0.0])
    weak = [*forces[:2], replace(forces[2], coefficient=0.02, speed=SHARP)]  # type: ignore[type-var]
    found = gk.inverse_dynamics(replace(gears, forces=weak), [0.0])
    turning = found.acting["rub"].amount * radius
    assert abs(turning[0]) == pytest.approx(0.02 * radius * np.linalg.norm(found.reaction("b").force), rel=1e-9)


def test_friction_of_a_known_size() -> None:
    driver = gk.Driver("a", gk.Harmonic(amplitude=0.5, frequency=1.0))
    joint = gk.Joint("a", "R", ("frame", "arm"), point=(0.0, 0.0))
    seal = gk.JointFriction("seal", "a", 3.0, damping=0.7, speed=0.1)
    mechanism = gk.Mechanism(2, ["frame", "arm"], [joint], [driver], forces=[seal])
    forces = gk.inverse_dynamics(mechanism, np.linspace(0.0, 1.0, 9))
    rate = forces.motion.driver(0)[1]
    assert np.allclose(forces.driver("a"), 3.0 * rate / np.hypot(rate, 0.1) + 0.7 * rate, rtol=1e-13)
    slow = gk.inverse_dynamics(forces.motion, velocities=False)  # dry friction has its direction without inertia
    assert np.allclose(slow.driver("a"), 3.0 * rate / np.hypot(rate, 0.1), rtol=1e-13)
    check_balance(forces)


WRONG = [
    (gk.Friction("f", "b", 0.1, radius=0.1), UnknownNameError, "names joint 'b', which does not exist"),
    (gk.Friction("f", "a", 0.1), ForceError, "needs the radius"),
    (gk.Friction("f", "a", -0.1, radius=0.1), ForceError, "coefficient must not be negative"),
    (gk.Friction("f", "a", 0.1, radius=0.0), ForceError, "radius must be positive"),
    (gk.Friction("f", "a", 0.1, radius=0.1, axial=True), ForceError, "only hinges in space"),
    (gk.Friction("f", "a", 0.1, radius=0.1, length=0.1), ForceError, "takes no length"),
    (gk.Friction("f", "a", radius=0.1, efficiency=0.5), ForceError, r"that of a screw \(H\)"),
    (gk.JointFriction("f", "a", -1.0), ForceError, "force must not be negative"),
    (gk.JointFriction("f", "a", 1.0, speed=0.0), ForceError, "speed must be positive"),
]


@pytest.mark.parametrize(("load", "error", "message"), WRONG)
def test_friction_that_is_none_is_refused(load: gk.Friction, error: type[Exception], message: str) -> None:
    joint = gk.Joint("a", "R", ("frame", "arm"), point=(0.0, 0.0))
    with pytest.raises(error, match=message):
        gk.Mechanism(2, ["frame", "arm"], [joint], forces=[load])


def test_friction_is_refused_where_reactions_are_not_determined() -> None:
    bodies, joints = ["frame", gk.Body("coupler", mass=6.0, center=(0.7, 1.0))], []
    for name, x in (("p", 0.0), ("q", 2.0), ("r", 1.0)):
        bodies.append(name)
        joints.append(gk.Joint(f"{name}1", "R", ("frame", name), point=(x, 0.0)))
        joints.append(gk.Joint(f"{name}2", "R", (name, "coupler"), point=(x, 1.0)))
    friction = gk.Friction("f", "q1", 0.1, radius=0.1)
    driver = gk.Driver("p1", gk.Ramp(rate=0.3))
    with pytest.raises(ForceError, match=r"force 'f': Fx and Fy of joint 'q1' depend on the stiffness and fit"):
        gk.inverse_dynamics(gk.Mechanism(2, bodies, joints, [driver], forces=[friction]), [0.1])


def test_solutions_at_many_steps_are_the_roots_of_a_quadratic() -> None:
    """One surface, T = μ |n + a T|: the smaller positive root, if both roots are not complex or negative."""
    rng = np.random.default_rng(0)
    n, a = rng.normal(size=(2, 3, 400))
    found = solve([n[None]], [[a[None]]], [np.zeros(400)], np.array([0.7]))
    square, linear, constant = 0.49 * (a * a).sum(0) - 1.0, 0.98 * (a * n).sum(0), 0.49 * (n * n).sum(0)
    for k in range(400):
        roots = np.roots([square[k], linear[k], constant[k]])
        real = sorted(float(x.real) for x in roots if abs(x.imag) < 1e-9 and x.real > 0)
        assert bool(real) == (found.shares[k] == 1.0)
        if real:
            assert found.amounts[0, k] == pytest.approx(real[0], rel=1e-9)
    assert 0 < (found.shares < 1.0).sum() < 400


def test_jamming_errors_are_errors_of_loads() -> None:
    assert issubclass(JammingError, LoadError)


def test_a_sliding_block_stops_by_dry_friction() -> None:
    """From 2 m/s with 3 m/s²: after 2/3 m and 2/3 s, and it stays there."""
    block = gk.Body("block", mass=4.0, center=(0.0, 0.0))
    way = gk.Joint("way", "P", ("frame", "block"), point=(0.0, 0.0), axis=(1.0, 0.0))
    dry = gk.JointFriction("dry", "way", 12.0, speed=1e-5)
    motion = gk.simulate(
        gk.Mechanism(2, ["frame", block], [way], forces=[dry]), [0.0, 0.3, 2.0], start={"way": (0.0, 2.0)}
    )
    # below the speed it still creeps: by about speed · (speed · mass / force) meters
    assert np.allclose(motion.joint("way")[0], [0.0, 2.0 * 0.3 - 1.5 * 0.09, 2.0 / 3.0], rtol=0, atol=1e-7)
    # the stiffness of the friction law, 12 N / 1e-5 m/s, times what the tolerance leaves of the rate
    assert np.allclose(gk.inverse_dynamics(motion).driver("way"), 0.0, atol=1e-7 * 12.0)


def test_friction_of_what_joints_carry_is_not_simulated() -> None:
    mechanism = replace(crank_press(0.1, 1.0), drivers=[])
    with pytest.raises(ForceError, match=r"force 'wall': friction by what joint 'bore' carries is not simulated"):
        gk.simulate(mechanism, [0.0, 1.0])


def test_friction_in_files(tmp_path: object) -> None:
    loads = [
        gk.JointFriction("seal", "main", 3.0, damping=0.5, speed=0.02),
        gk.Friction("wall", "bore", 0.1, length=0.25, speed=0.002),
        gk.Friction("pins", "big end", 0.1, radius=0.0125),
    ]
    mechanism = replace(crank_press(0.1, 1.0), forces=loads, units=gk.Units("mm", "deg", force="kN"))
    path = f"{tmp_path}/friction.toml"
    gk.save(mechanism, path)
    read = gk.load(path).forces
    for load, again in zip(loads, read, strict=True):
        for name in ("force", "damping", "speed", "coefficient", "radius", "length"):
            stated = getattr(load, name, None)
            assert getattr(again, name, None) == (None if stated is None else pytest.approx(stated, rel=1e-12))
