"""Driving forces, reactions, power and energy against other code, closed formulas and published numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.dynamics.bodies import joint_freedoms
from groupkin.dynamics.bodies.coordinate_rows import freedom_rows
from groupkin.dynamics.bodies.joint_freedoms import unit_wrench
from groupkin.errors import (
    ArgumentError,
    DuplicateNameError,
    ForceError,
    GroupkinError,
    GroupkinWarning,
    LoadError,
    MassError,
    TimesError,
    UnknownNameError,
)
from tests.support.energy import rate_of_energy
from tests.support.examples import SOLVABLE, described
from tests.support.forces import check_reactions, unbalanced
from tests.support.loaded import loaded
from tests.support.mechanisms import crank_rocker
from tests.support.shares import in_part
from tests.support.squeezer import squeezer

Array = NDArray[np.float64]


@pytest.mark.parametrize("name", in_part(SOLVABLE, 3))
def test_power_is_the_rate_of_energy_and_every_body_is_in_equilibrium(name: str) -> None:
    file = described(name)
    motion = gk.solve(loaded(file.mechanism), np.linspace(0.0, file.motion.duration, 9))
    forces = gk.inverse_dynamics(motion)
    powers, rates = list(forces.power().values()), rate_of_energy(motion)
    largest = max(np.abs(x).max() for x in (*powers, *rates))
    # closed forms: rounding; Newton's method: what its last step leaves in accelerations
    bound = 1e-9 if motion.program.iterates else 1e-12 / motion.conditioning.min()
    assert np.abs(sum(powers) - sum(rates)).max() <= bound * largest
    check_reactions(motion)


def test_springs_and_gravity_keep_their_energy() -> None:
    """Without dampers and other forces the drivers' work is the change of all energy."""
    mechanism = loaded(crank_rocker())
    springs = [replace(x, damping=0.0) for x in mechanism.forces if isinstance(x, gk.Spring | gk.JointSpring)]
    times = np.linspace(0.0, 1.0, 4001)
    forces = gk.inverse_dynamics(replace(mechanism, forces=springs), times)
    power = forces.power()["A"]
    work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(times))])
    total = forces.energy().total
    assert np.abs(work - (total - total[0])).max() < 1e-5 * np.abs(power).max()  # of the trapezoidal rule


def slider_crank(**settings: float) -> gk.Mechanism:
    """A crank of 0.1 m, a rod of 0.4 m and a piston of 2 kg."""
    return gk.Mechanism(
        2,
        ["block", "crank", "rod", gk.Body("piston", mass=2.0, center=(0.5, 0.0))],
        [
            gk.Joint("main", "R", ("block", "crank"), point=(0.0, 0.0)),
            gk.Joint("big end", "R", ("crank", "rod"), point=(0.1, 0.0)),
            gk.Joint("pin", "R", ("rod", "piston"), point=(0.5, 0.0)),
            gk.Joint("bore", "P", ("block", "piston"), point=(0.5, 0.0), axis=(1.0, 0.0)),
        ],
        [gk.Driver("main", gk.Ramp(rate=30.0))],
    )


@pytest.mark.smoke
def test_slider_crank_by_its_closed_formulas() -> None:
    times = np.linspace(0.0, 0.3, 61)
    forces = gk.inverse_dynamics(slider_crank(), times)
    r, length, w, t = 0.1, 0.4, 30.0, 30.0 * times
    sine = r * np.sin(t) / length
    cosine = np.sqrt(1.0 - sine**2)
    rate = r * w * np.cos(t) / (length * cosine)  # of the rod's angle
    gain = (-r * w**2 * np.sin(t) + length * sine * rate**2) / (length * cosine)
    acceleration = -r * w**2 * np.cos(t) - length * (gain * sine + rate**2 * cosine)
    push = 2.0 * acceleration  # of the rod on the piston, along the bore
    side = -push * sine / cosine  # of the massless rod: along it
    assert np.allclose(forces.reaction("pin").force[:, 0], push, rtol=0, atol=1e-11 * np.abs(push).max())
    assert np.allclose(forces.reaction("pin").force[:, 1], side, rtol=0, atol=1e-11 * np.abs(push).max())
    assert np.allclose(forces.reaction("bore").force[:, 1], -side, rtol=0, atol=1e-11 * np.abs(push).max())
    torque = r * (np.cos(t) * side - np.sin(t) * push)
    assert np.allclose(forces.driver("main"), torque, rtol=0, atol=1e-11 * np.abs(torque).max())
    shaking = forces.shaking()
    assert np.allclose(shaking.force[:, 0], -push, rtol=0, atol=1e-11 * np.abs(push).max())
    assert np.allclose(shaking.moment, 0.0, atol=1e-11 * np.abs(push).max())


def pendulum(**changes: object) -> gk.Mechanism:
    """An arm of 3 kg whose center is 0.5 m from its hinge, driven harmonically."""
    arm = gk.Body("arm", mass=3.0, center=(0.5, 0.0), inertia=0.2, points={"tip": (1.0, 0.0)})
    pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0.0, 0.0))
    driver = gk.Driver("pin", gk.Harmonic(amplitude=0.7, frequency=1.0))
    return gk.Mechanism(2, ["frame", arm], [pin], [driver], gravity=(0.0, -9.81), **changes)  # type: ignore[arg-type]


@pytest.mark.smoke
def test_a_pendulum_by_hand() -> None:
    times = np.linspace(0.0, 1.0, 21)
    forces = gk.inverse_dynamics(pendulum(), times)
    angle, _, gain = forces.motion.driver(0)
    assert np.allclose(forces.driver("pin"), (0.2 + 3 * 0.25) * gain + 3 * 9.81 * 0.5 * np.cos(angle), atol=1e-12)
    still = gk.inverse_dynamics(pendulum(), times, velocities=False)
    assert np.allclose(still.driver("pin"), 3 * 9.81 * 0.5 * np.cos(angle), atol=1e-12)
    assert np.allclose(still.reaction("pin").force, [0.0, 3 * 9.81])
    assert np.allclose(still.shaking("arm").force, [0.0, -3 * 9.81])
    own = still.reaction("pin", axes="arm")
    assert np.allclose(own.force, 3 * 9.81 * np.stack([np.sin(angle), np.cos(angle)], axis=1))
    about_tip = still.reaction("pin", at="tip").moment
    assert np.allclose(about_tip, still.driver("pin") - np.cos(angle) * 3 * 9.81)


def test_each_kind_of_force_by_hand() -> None:
    angle = 0.4
    at_rest = replace(pendulum(), drivers=[gk.Driver("pin", gk.Constant(angle))], gravity=())
    tip = np.array([np.cos(angle), np.sin(angle)])

    def torque(load: object) -> float:
        return float(gk.inverse_dynamics(replace(at_rest, forces=[load]), [0.0]).driver("pin")[0])  # type: ignore[list-item]

    way = np.array([0.0, 2.0]) - tip
    distance = np.linalg.norm(way)
    pull = 100.0 * (distance - 1.5) + 7.0
    spring = gk.Spring("s", ("arm", "frame"), ("tip", (0.0, 2.0)), 100.0, 1.5, preload=7.0)
    assert torque(spring) == pytest.approx(-pull * (tip[0] * way[1] - tip[1] * way[0]) / distance, rel=1e-13)
    free = replace(spring, length=None)
    pull = 100.0 * (distance - np.hypot(1.0, 2.0)) + 7.0
    assert torque(free) == pytest.approx(-pull * (tip[0] * way[1] - tip[1] * way[0]) / distance, rel=1e-13)
    assert torque(gk.JointSpring("t", "pin", None, 5.0, 0.1, preload=2.0)) == pytest.approx(5.0 * 0.3 + 2.0)
    assert torque(gk.JointForce("m", "pin", 3.0)) == pytest.approx(-3.0)
    assert torque(gk.JointForce("m", "pin", 3.0, law=gk.Constant(2.0))) == pytest.approx(-6.0)
    assert torque(gk.Torque("m", "arm", 3.0)) == pytest.approx(-3.0)
    assert torque(gk.Force("f", "arm", "tip", (0.0, 10.0))) == pytest.approx(-10.0 * tip[0])
    assert torque(gk.Force("f", "arm", "tip", (0.0, 10.0), axes="arm")) == pytest.approx(-10.0)
    with pytest.warns(GroupkinWarning, match="acts on the frame 'frame', where it moves nothing"):
        assert torque(gk.Force("f", "frame", (5.0, 0.0), (0.0, 10.0))) == 0.0


@pytest.mark.parametrize("name", ["slider_crank", "spatial_four_bar"])
def test_wrenches_of_joints_with_one_axis_are_those_of_all_joints(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = described(name)
    motion = gk.solve(file.mechanism, np.linspace(0.1, 0.4, 5))
    freedoms = [(x.name, k) for x in file.mechanism.joints if x.type in "RPC" for k in range(1 + (x.type == "C"))]
    found = [unit_wrench(motion, *each) for each in freedoms]
    monkeypatch.setattr(joint_freedoms, "ONE_AXIS", ())
    expected = [unit_wrench(motion, *each) for each in freedoms]
    for each, of_each in zip(found, expected, strict=True):
        for x, y in zip(each, of_each, strict=True):
            assert np.abs(x - y).max() <= 1e-12 * (1.0 + np.abs(y).max())


@pytest.mark.parametrize("name", ["slider_crank", "spatial_four_bar", "stewart_forward", "delta_robot", "screw"])
def test_coordinates_of_joints_by_rows_are_those_of_the_motion(name: str) -> None:
    """Turning several times, which whole turns are told from as elsewhere; of screws by their displacement."""
    if name == "screw":
        nut = gk.Joint("nut", "H", ("frame", "load"), point=(0, 0, 0), axis=(0.6, 0, 0.8), pitch=0.01)
        mechanism = gk.Mechanism(3, ["frame", "load"], [nut], [gk.Driver("nut", gk.Ramp(rate=9.0))])
        motion = gk.solve(mechanism, np.linspace(0.0, 3.0, 20))
    else:
        file = described(name)
        motion = gk.solve(file.mechanism, np.linspace(0.0, 3.1 * (file.motion.duration or 1.0), 200))
    for joint in motion.program.mechanism.joints:
        form = motion.program.mechanism.form(joint)
        if form.held is not None:
            continue
        values, rates = motion.joint(joint.name), motion.joint_rate(joint.name)
        for k in range(len(form.places)):
            rows = freedom_rows(motion.program, joint.name, k)
            assert np.abs(rows.value(motion) - values[k]).max() <= 1e-12 * (1.0 + np.abs(values[k]).max())
            assert np.abs(rows.rate(motion) - rates[k]).max() <= 1e-10 * (1.0 + np.abs(rates[k]).max()), (joint, k)


def test_dampers_resist_motion_only() -> None:
    loads = [
        gk.Spring("s", ("arm", "frame"), ("tip", (0.0, 2.0)), damping=4.0),
        gk.JointSpring("t", "pin", damping=2.0),
    ]
    moving = gk.inverse_dynamics(pendulum(forces=loads), np.linspace(0.0, 1.0, 11))
    assert (moving.power()["s"] <= 0).all()
    assert np.allclose(moving.power()["t"], -2.0 * moving.motion.driver(0)[1] ** 2)
    still = gk.inverse_dynamics(moving.motion, velocities=False)
    assert not still.force("s").any()
    assert not still.force("t").any()


def test_actuators_elsewhere_do_the_work_of_the_drivers() -> None:
    """The pose is driven and the legs push: the legs' forces are those of the platform driven by its legs."""
    inverse = described("stewart_inverse").mechanism
    legs = [joint.name for joint in inverse.joints if joint.type == "P"]
    heavy = [
        body if body.name == inverse.frame else replace(body, mass=2.0, center="middle", inertia=0.01)
        for body in inverse.bodies
    ]
    gravity = (0.0, 0.0, -9.81)
    platform = replace(inverse, bodies=heavy, gravity=gravity)
    motion = gk.solve(platform, np.linspace(0.0, 2.0, 201))
    found = gk.inverse_dynamics(motion, actuators=legs)
    laws = [gk.Driver(leg, gk.Samples(*_samples(motion, leg))) for leg in legs]
    expected = gk.inverse_dynamics(replace(platform, drivers=laws), motion.times)
    for leg in legs:
        scale = np.abs(expected.driver(leg)).max()
        assert np.allclose(found.driver(leg), expected.driver(leg), rtol=0, atol=1e-8 * scale)
    for joint in found.reactions:
        scale = max(np.abs(x).max() for x in expected.reactions.values())
        assert np.allclose(found.reactions[joint], expected.reactions[joint], rtol=0, atol=1e-8 * scale)
    direct = gk.inverse_dynamics(motion)
    powers = [sum(x for name, x in each.power().items()) for each in (found, direct)]
    assert np.allclose(*powers, atol=1e-10 * np.abs(powers[1]).max())


def _samples(motion: gk.Motion, joint: str) -> tuple[Array, Array, Array, Array]:
    value, rate = motion.joint(joint)[0], motion.joint_rate(joint)[0]
    first, second = motion.program.mechanism.joint[joint].bodies
    geometry = motion.program.geometry.joints[joint]
    # the distance of the points of the slide, whose direction turns: its second derivative from the placements
    axis = [motion.rotation_rate(first, k) @ geometry.frames[0][:, 2] for k in range(3)]
    ends = [[motion.point_on(b, x, k) for k in range(3)] for b, x in zip((first, second), geometry.points, strict=True)]
    way = [end - start for start, end in zip(*ends, strict=True)]
    gain = (way[2] * axis[0] + 2 * way[1] * axis[1] + way[0] * axis[2]).sum(axis=1)
    return motion.times, value, rate, gain


def test_more_actuators_than_needed_share_the_load() -> None:
    mechanism = loaded(crank_rocker())
    times = np.linspace(0.0, 1.0, 11)
    one = gk.inverse_dynamics(mechanism, times).driver("A")
    both = gk.inverse_dynamics(mechanism, times, actuators=["A", "D"])
    rate = both.motion.joint_rate("D")[0] / (2 * np.pi)
    assert np.allclose(both.driver("A") + rate * both.driver("D"), one, atol=1e-10 * np.abs(one).max())
    assert np.allclose(both.driver("D"), rate * both.driver("A"), atol=1e-10 * np.abs(one).max())  # of least norm
    weighted = gk.inverse_dynamics(mechanism, times, actuators=["A", "D"], weights=[1.0, 4.0])
    assert np.allclose(4 * weighted.driver("D"), rate * weighted.driver("A"), atol=1e-10 * np.abs(one).max())


def test_what_actuators_cannot_carry_is_refused_with_its_time() -> None:
    """In its dead center a crank cannot be turned by its piston."""
    with pytest.raises(LoadError, match=r"actuators bore cannot carry the load at t = 0 s"):
        gk.inverse_dynamics(slider_crank(), [0.0, 0.01], actuators=["bore"])
    with pytest.raises(LoadError, match="1 actuator cannot hold a mechanism with 6 drivers"):
        gk.inverse_dynamics(described("stewart_inverse").mechanism, [0.0], actuators=["leg_1"])


def parallelogram(extra: bool) -> gk.Mechanism:
    """A crank, a coupler and two or three parallel rods of the same length, of which one is too many."""
    at = {"a": 0.0, "b": 2.0, "c": 1.0}
    bodies, joints = ["frame", gk.Body("coupler", mass=6.0, center=(0.7, 1.0), inertia=1.0)], []
    for name in ("a", "b", "c") if extra else ("a", "b"):
        bodies.append(name)
        joints.append(gk.Joint(f"{name}1", "R", ("frame", name), point=(at[name], 0.0)))
        joints.append(gk.Joint(f"{name}2", "R", (name, "coupler"), point=(at[name], 1.0)))
    driver = gk.Driver("a1", gk.Harmonic(amplitude=0.3, frequency=1.0))
    return gk.Mechanism(2, bodies, joints, [driver], gravity=(0.0, -9.81))


def test_reactions_of_redundant_joints_are_told_apart() -> None:
    times = np.linspace(0.0, 1.0, 7)
    plain, stressed = (gk.inverse_dynamics(parallelogram(extra), times) for extra in (False, True))
    assert all(plain.determined(joint).all() for joint in plain.reactions)
    # three parallel rods can be stressed along themselves, a driven crank is one of them
    assert not stressed.determined("b1").all()
    assert not stressed.determined("c2").all()
    assert stressed.determined("c2")[0]  # no moment
    assert np.allclose(plain.driver("a1"), stressed.driver("a1"), atol=1e-9 * np.abs(plain.driver("a1")).max())
    check_reactions(stressed.motion)
    loads = np.zeros((len(stressed.motion.program.mechanism.movable), 3, times.size))
    assert np.abs(unbalanced(stressed.motion, stressed.outer + loads, stressed.reactions)).max() < 1e-10


def test_a_component_is_the_force_of_a_driver_that_holds_it() -> None:
    """Each reaction is what a driver at rest exerts where the component is freed."""
    base = loaded(slider_crank())
    times = np.linspace(0.0, 0.2, 5)
    stiff = gk.inverse_dynamics(base, times)
    free = replace(base.joint["pin"], type="CR", axis=(1.0, 0.0))  # a slot along x of the rod
    joints = [free if joint.name == "pin" else joint for joint in base.joints]
    drivers = [*base.drivers, gk.Driver("pin", gk.Constant(0.0), "displacement")]
    loads = [x for x in base.forces if getattr(x, "joint", "") != "pin"]
    stiff = gk.inverse_dynamics(replace(base, forces=loads), times)
    held = gk.inverse_dynamics(replace(base, joints=joints, drivers=drivers, forces=loads), times)
    along = stiff.reaction("pin", axes="rod").force[:, 0]
    assert np.allclose(held.driver("pin.displacement"), along, rtol=0, atol=1e-10 * np.abs(along).max())


def test_further_loads_and_functions() -> None:
    times = np.linspace(0.0, 1.0, 5)
    plain = gk.inverse_dynamics(pendulum(), times).driver("pin")
    pushed = gk.inverse_dynamics(pendulum(), times, loads=[[2.0, 0.0, 5.0]]).driver("pin")
    assert np.allclose(pushed, plain - 2.0)
    spin = gk.solve(pendulum(), times).angular_velocity("arm")
    drag = gk.inverse_dynamics(pendulum(), times, loads=[np.stack([-0.5 * spin, 0.0 * spin, 0.0 * spin])])
    assert np.allclose(drag.driver("pin"), plain + 0.5 * spin)


def test_what_is_not_solved_has_no_forces() -> None:
    mechanism = loaded(crank_rocker(gk.Ramp(rate=2 * np.pi), rocker=1.8))
    motion = gk.solve(mechanism, np.linspace(0.0, 1.0, 21), on_failure="nan")
    assert not motion.solved.all()
    forces = gk.inverse_dynamics(motion)
    assert np.isnan(forces.driver("A")[~motion.placed]).all()
    assert np.isfinite(forces.driver("A")[motion.solved]).all()


BAD_BODIES = [
    ({"mass": 1.0}, MassError, "has a mass but no center"),
    ({"mass": -1.0, "center": (0, 0)}, MassError, "must be 0 or a finite number"),
    ({"mass": float("nan"), "center": (0, 0)}, MassError, "must be 0 or a finite number"),
    ({"mass": 1.0, "center": "G"}, UnknownNameError, "'G', which is no named point"),
    ({"inertia": -1.0}, MassError, "negative principal moment"),
    ({"inertia": (1.0, 2.0, 3.0)}, MassError, "one number in the plane"),
]


@pytest.mark.parametrize(("changes", "error", "message"), BAD_BODIES)
def test_masses_that_no_body_has_are_refused(changes: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        gk.Mechanism(2, ["frame", gk.Body("arm", **changes)], [])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("inertia", "message"),
    [
        ((1.0, 1.0, 3.0), "no body has the principal moments"),
        ({"xx": 1.0, "yz": 2.0}, "negative principal moment"),
        ({"xx": 1.0, "zx": 2.0}, "no component 'zx'"),
        ([[1.0, 0.1, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], "symmetric"),
        ((1.0, 2.0), "one number, three"),
    ],
)
def test_tensors_that_no_body_has_are_refused(inertia: object, message: str) -> None:
    with pytest.raises(MassError, match=message):
        gk.Mechanism(3, ["frame", gk.Body("arm", inertia=inertia)], [])  # type: ignore[arg-type]


def test_gravity_in_other_units_is_warned_of() -> None:
    with pytest.warns(GroupkinWarning, match="gravity is 9810 m/s"):
        gk.Mechanism(2, ["frame"], [], gravity=(0.0, -9810.0))
    with pytest.raises(MassError, match="2 finite numbers"):
        gk.Mechanism(2, ["frame"], [], gravity=(0.0, -1e308))
    with pytest.raises(MassError, match="2 finite numbers"):
        gk.Mechanism(2, ["frame"], [], gravity=(0.0, 0.0, -9.81))


BAD_FORCES = [
    ([gk.Force("f", "leg", "tip", (0, 1))], UnknownNameError, "names body 'leg', which does not exist"),
    ([gk.Force("f", "arm", "top", (0, 1))], UnknownNameError, "'top', which is no named point"),
    ([gk.Force("f", "arm", "tip", (0, 1, 2))], ForceError, "its force must be 2 finite numbers"),
    ([gk.Torque("f", "arm", (1, 2, 3))], ForceError, "its torque must be one finite number"),
    ([gk.Torque("f", "arm", 1.0), gk.Torque("f", "arm", 1.0)], DuplicateNameError, "two forces are named 'f'"),
    ([gk.JointSpring("f", "bin")], UnknownNameError, r"names joint 'bin', which does not exist \(did you mean pin\?\)"),
    ([gk.JointForce("f", "pin", 1.0, "displacement")], UnknownNameError, "no freedom 'displacement'"),
    ([gk.Spring("f", ("arm", "arm"), ("tip", (0, 0)))], ForceError, "between two different bodies"),
    ([gk.Spring("f", ("arm", "frame"), ("tip", (0, 0)), float("inf"))], ForceError, "its stiffness must be a finite"),
    ([gk.Spring("f", ("arm", "frame"), ("tip", (0, 0)), length=-1.0)], ForceError, "must not be negative"),
]


@pytest.mark.parametrize(("loads", "error", "message"), BAD_FORCES)
def test_forces_at_what_does_not_exist_are_refused(loads: list[object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        pendulum(forces=loads)


def test_wrong_arguments_are_refused_with_their_remedy() -> None:
    mechanism = pendulum(forces=[gk.Spring("s", ("arm", "frame"), ("tip", (1.0, 0.0)), 3.0, 0.1)])
    with pytest.raises(LoadError, match="two ends of the spring meet at t = 0 s"):
        gk.inverse_dynamics(mechanism, [0.0])
    with pytest.raises(TimesError, match="times are needed"):
        gk.inverse_dynamics(pendulum())
    motion = gk.solve(pendulum(), [0.0, 0.1])
    with pytest.raises(ArgumentError, match="times are those of the motion"):
        gk.inverse_dynamics(motion, [0.0])
    with pytest.raises(UnknownNameError, match=r"no freedom 'pint' of a joint \(did you mean pin\?\)"):
        gk.inverse_dynamics(motion, actuators=["pint"])
    with pytest.raises(ArgumentError, match="twice"):
        gk.inverse_dynamics(motion, actuators=["pin", "pin"])
    with pytest.raises(UnknownNameError, match="keep names joint 'pit'"):
        gk.inverse_dynamics(motion, keep=["pit"])
    with pytest.raises(ArgumentError, match=r"loads must have the shape \(1, 3\) or \(1, 3, 2\)"):
        gk.inverse_dynamics(motion, loads=[1.0])
    with pytest.raises(ArgumentError, match="loads must be finite"):
        gk.inverse_dynamics(motion, loads=[[np.nan, 0.0, 0.0]])
    found = gk.inverse_dynamics(motion)
    for read in (found.driver, found.reaction, found.determined, found.force):
        with pytest.raises(UnknownNameError, match="'nobody'"):
            read("nobody")


def test_a_joint_of_several_bodies_has_a_reaction_for_each_pair() -> None:
    found = gk.inverse_dynamics(gk.simulate(squeezer(), [0.0, 0.001]))
    with pytest.raises(UnknownNameError, match=r"'A' \(did you mean A\(frame, K5\) or A\(frame, K7\)\?\)"):
        found.reaction("A")
    assert found.reaction("A(frame, K5)").force.shape == (2, 2)


def test_kept_reactions_are_those_of_all() -> None:
    motion = gk.solve(loaded(described("stewart_inverse").mechanism), np.linspace(0.0, 2.0, 5))
    every, some = gk.inverse_dynamics(motion), gk.inverse_dynamics(motion, keep=["leg_1"])
    assert list(some.reactions) == ["leg_1"]
    assert np.array_equal(some.reactions["leg_1"], every.reactions["leg_1"])


def gear_pair(kind: str, radii: tuple[float, float], dimension: int, **teeth: float) -> gk.Mechanism:
    """Two gears on the frame, a torque of 6 N m on the second."""
    distance = radii[0] + radii[1] if kind == "EO" else abs(radii[0] - radii[1])
    zero, other = (0.0,) * dimension, (distance, *(0.0,) * (dimension - 1))
    space = {"axis": (0.0, 0.0, 1.0)} if dimension == 3 else {}
    axes = {"axes": ((0.0, 0.0, 1.0), (0.0, 0.0, 1.0))} if dimension == 3 else {}
    joints = [
        gk.Joint("a", "R", ("frame", "first"), point=zero, **space),  # type: ignore[arg-type]
        gk.Joint("b", "R", ("frame", "second"), point=other, **space),  # type: ignore[arg-type]
        gk.Joint("teeth", kind, ("first", "second"), points=(zero, other), radii=radii, **axes, **teeth),  # type: ignore[arg-type]
    ]
    torque = gk.Torque("load", "second", 6.0 if dimension == 2 else (0.0, 0.0, 6.0))
    driver = gk.Driver("a", gk.Harmonic(amplitude=0.3, frequency=1.0))
    return gk.Mechanism(dimension, ["frame", "first", "second"], joints, [driver], forces=[torque])


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize(("kind", "radii"), [("EO", (0.2, 0.3)), ("EPI", (0.5, 0.2)), ("EPI", (0.2, 0.5))])
def test_teeth_push_gears_apart(kind: str, radii: tuple[float, float], dimension: int) -> None:
    times = np.linspace(0.0, 1.0, 5)
    straight = gk.inverse_dynamics(gear_pair(kind, radii, dimension, pressure_angle=0.0), times)
    found = gk.inverse_dynamics(gear_pair(kind, radii, dimension), times)
    tangential = 6.0 / radii[1]
    assert np.allclose(found.driver("a"), straight.driver("a"))
    bearing = straight.reaction("b").force
    assert np.allclose(np.abs(bearing[:, 1]), tangential)
    assert np.allclose(bearing[:, 0], 0.0, atol=1e-12)
    more = found.reaction("b").force - bearing
    # outer gears, and a pinion in a ring, are pushed along the line of centers away from the teeth
    away = {"EO": 1.0, "EPI": -1.0}[kind]
    assert np.allclose(more[:, 0], -away * tangential * np.tan(np.deg2rad(20.0)))
    assert np.allclose(more[:, 1:], 0.0, atol=1e-12)
    assert np.allclose(
        found.reaction("a").force + found.reaction("b").force, straight.shaking().force * -1.0, atol=1e-12
    )
    check_reactions(found.motion)


def test_helical_gears_push_along_their_axes() -> None:
    teeth = {"pressure_angle": np.deg2rad(20.0), "helix_angle": np.deg2rad(15.0)}
    times = np.linspace(0.0, 1.0, 5)
    found = gk.inverse_dynamics(gear_pair("EO", (0.2, 0.3), 3, **teeth), times)
    mirrored = gk.inverse_dynamics(gear_pair("EO", (0.2, 0.3), 3, **{**teeth, "helix_angle": -np.deg2rad(15.0)}), times)
    tangential = 6.0 / 0.3
    axial = found.reaction("b").force[:, 2]
    assert np.allclose(np.abs(axial), tangential * np.tan(np.deg2rad(15.0)))
    assert np.allclose(mirrored.reaction("b").force[:, 2], -axial)
    # the load turns the second gear to the left, so it pushes the right-handed first gear up and is pushed down
    radial = tangential * np.tan(np.deg2rad(20.0)) / np.cos(np.deg2rad(15.0))
    assert np.allclose(found.reaction("b").force[:, 0], -radial)
    assert np.allclose(found.reaction("a").force + found.reaction("b").force, -found.shaking().force, atol=1e-12)


def test_only_gears_have_teeth() -> None:
    with pytest.raises(GroupkinError, match="only gears have a pressure_angle"):
        gk.Mechanism(2, ["frame", "arm"], [gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0), pressure_angle=0.3)])
    with pytest.raises(GroupkinError, match="less than a right angle"):
        gear_pair("EO", (0.2, 0.3), 2, pressure_angle=2.0)
