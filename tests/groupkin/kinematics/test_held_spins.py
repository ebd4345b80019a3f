"""Mechanisms whose idle spins are held: linkages with rods on two balls, against the oracle."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from groupkin.analysis import analyze
from groupkin.errors import CannotAssembleError, NotDeterminedError
from groupkin.kinematics.global_formulation.comparison import compare
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.residuals import max_residual
from groupkin.kinematics.program.solver_choice import NO_SOLVER
from groupkin.kinematics.solver import solve
from groupkin.mechanism.laws.laws import Harmonic, Ramp
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from groupkin.model.determination.hold_spins import solved_geometry
from groupkin.model.geometry.geometry import resolve
from groupkin.model.rank.mobility import loose_freedoms
from tests.support import oracle
from tests.support.random_mechanisms import Workshop
from tests.support.shares import in_part

Array = NDArray[np.float64]

TIMES = np.linspace(0.0, 1.0, 31)
TURN = Ramp(rate=2 * np.pi)

A, B, C, D = np.array([[0.0, 0.0, 0.0], [0.0, 0.04, 0.0], [0.15, 0.02, 0.08], [0.15, 0.0, 0.0]])
CRANK_AXIS, ROCKER_AXIS = np.array([1.0, 0.0, 0.2]), np.array([0.0, 1.0, 0.0])


def rssr(*driven: str) -> Mechanism:
    joints = [
        Joint("A", "R", ("ground", "crank"), point=A, axis=CRANK_AXIS),
        Joint("B", "S", ("crank", "coupler"), point=B, reference={"angle_x": 0.3, "angle_z": -0.2}),
        Joint("C", "S", ("coupler", "rocker"), point=C),
        Joint("D", "R", ("ground", "rocker"), point=D, axis=ROCKER_AXIS),
    ]
    return Mechanism(3, ["ground", "crank", "coupler", "rocker"], joints, [Driver(name, TURN) for name in driven])


def platform(inner: str, driven: bool, upper: str = "S") -> Mechanism:
    """Six legs of two bodies between two balls; the platform is driven, or the slides of the legs are."""
    angles = np.deg2rad([[10, 50], [110, 70], [130, 170], [230, 190], [250, 290], [350, 310]])
    bodies, joints, drivers = ["ground", "platform"], [], []
    for k, (low, high) in enumerate(angles):
        foot, head = [np.cos(low), np.sin(low), 0.0], [0.6 * np.cos(high), 0.6 * np.sin(high), 1.1]
        axis = np.subtract(head, foot) if inner in "PC" else np.cross(foot, head)
        middle = np.add(foot, head) / 2 + (0.0 if inner in "PC" else 0.6) * np.array([np.cos(low), np.sin(low), 0.0])
        bodies += [f"lower_{k}", f"upper_{k}"]
        joints += [
            Joint(f"foot_{k}", "S", ("ground", f"lower_{k}"), point=foot),
            Joint(f"middle_{k}", inner, (f"lower_{k}", f"upper_{k}"), point=middle, axis=axis),
            Joint(f"head_{k}", upper, (f"upper_{k}", "platform"), point=head),
        ]
        if driven:
            law = Harmonic(0.05, 1.0, phase=1.0 * k, offset=-0.05 * np.sin(k))
            drivers.append(Driver(f"middle_{k}", law, "displacement"))
    if not driven:
        joints.append(Joint("pose", "F", ("ground", "platform"), point=(0, 0, 1.1)))
        names = ("x", "y", "z", "angle_x", "angle_y", "angle_z")
        drivers += [Driver("pose", Harmonic(0.05, 1.0 + 0.1 * k), name) for k, name in enumerate(names)]
    return Mechanism(3, bodies, joints, drivers)


def suspension() -> Mechanism:
    """A carrier on five rods, its height driven."""
    inner = np.array([[0, 0.35, 0.1], [0, 0.4, -0.1], [0.2, 0.35, 0.0], [-0.25, 0.38, -0.08], [-0.2, 0.36, 0.12]])
    outer = np.array([[0.03, 0.7, 0.13], [0, 0.72, -0.12], [0.12, 0.68, -0.01], [-0.04, 0.7, -0.1], [-0.05, 0.69, 0.1]])
    joints = [Joint("travel", "F", ("ground", "carrier"), point=(0, 0.75, 0))]
    for k in range(5):
        joints += [
            Joint(f"in_{k}", "S", ("ground", f"rod_{k}"), point=inner[k]),
            Joint(f"out_{k}", "S", (f"rod_{k}", "carrier"), point=outer[k]),
        ]
    bodies = ["ground", "carrier", *(f"rod_{k}" for k in range(5))]
    return Mechanism(3, bodies, joints, [Driver("travel", Harmonic(0.06, 1.0), "z")])


def explicit(motion: Motion) -> Mechanism:
    """The mechanism as a user would hold its spins: with U joints, here about the axes that were chosen."""
    structure = motion.program.structure
    solved = solved_geometry(structure, motion.program.geometry)
    axes = {spin.joints[0]: solved.joints[spin.joints[0]].frames[:, :, 2] for spin in structure.spins}
    joints = []
    for joint in structure.mechanism.joints:
        if joint.name in axes:
            joint = replace(joint, type="U", axes=tuple(axes[joint.name]), reference=0.0)
        joints.append(replace(joint, type="P") if joint.type == "C" else joint)
    return replace(structure.mechanism, joints=joints)


MECHANISMS = {
    "RSSR": rssr("A"),
    "RSSR, the rocker driven": replace(rssr("D"), drivers=[Driver("D", Harmonic(0.1, 1.0, phase=1.6, offset=-0.1))]),
    "suspension": suspension(),
    "S-P-S legs": platform("P", driven=False),
    "S-P-S legs, driven": platform("P", driven=True),
    "S-R-S legs": platform("R", driven=False),
    "S-C-S legs": platform("C", driven=False),
    "S-C-S legs, driven": platform("C", driven=True),
}


@pytest.mark.parametrize("name", in_part(MECHANISMS, 4))
def test_held_spins_against_the_oracle(name: str) -> None:
    mechanism = MECHANISMS[name]
    motion = solve(mechanism, TIMES)
    assert motion.program.structure.spins
    assert max_residual(motion) < 1e-12
    found, expected = oracle.of_motion(motion), oracle.of_poses(oracle.solve(explicit(motion), TIMES))
    worst = oracle.differences(found, expected, motion.program.geometry.size)
    assert (worst < 1e-11 / motion.conditioning.min()).all()


@pytest.mark.parametrize("name", in_part(MECHANISMS, 2))
def test_held_spins_against_the_global_formulation(name: str) -> None:
    assert compare(solve(MECHANISMS[name], TIMES)).agree


@pytest.mark.parametrize("name", MECHANISMS)
def test_the_line_stays_away_from_the_axis_it_is_held_by(name: str) -> None:
    """sin 30°: the part turns at most twice as fast as the line it turns with."""
    assert smallest_sine(solve(MECHANISMS[name], TIMES)) > 0.5


def test_the_line_stays_away_over_turns_of_random_cranks() -> None:
    """Axes and lengths at random: wherever the rod points, the axis by which it is held was chosen for it."""
    rng, solved = np.random.default_rng(0), 0
    for _ in range(60):
        start = rng.normal(size=(3, 3)) * [[0.3], [1.5], [1.0]]
        places = {"B": start[0], "C": start[1] + start[2], "D": start[1]}
        axes = {"A": rng.normal(size=3), "D": rng.normal(size=3)}
        joints = [
            replace(joint, point=places.get(joint.name, A), axis=axes.get(joint.name), reference=0.0)
            for joint in rssr().joints
        ]
        try:
            motion = solve(replace(rssr("A"), joints=joints), TIMES)
        except CannotAssembleError:  # the crank does not turn all the way
            continue
        assert smallest_sine(motion) > 0.7
        solved += 1
    assert solved > 15


def smallest_sine(motion: Motion) -> float:
    """Of the angles between lines and the axes, fixed in the neighbors, by which their spins are held."""
    structure, geometry = motion.program.structure, motion.program.geometry
    solved = solved_geometry(structure, geometry)
    found = []
    for spin in structure.spins:
        first, second = (structure.joint(joint) for joint in spin.joints)
        side = int(first.bodies[0] in spin.bodies)
        axis = motion.rotation(first.bodies[side]) @ solved.joints[first.name].frames[side, :, 2]
        ends = [motion.point_on(joint.bodies[0], geometry.joints[joint.name].points[0], 0) for joint in (first, second)]
        line = ends[1] - ends[0]
        found.append((np.linalg.norm(np.cross(line, axis), axis=1) / np.linalg.norm(line, axis=1)).min())
    return float(min(found))


def test_angles_of_the_ball_are_those_of_its_bodies() -> None:
    """The joint at which the spin is held is read as the S joint it is, by three angles."""
    motion = solve(rssr("A"), TIMES)
    name = motion.program.structure.spins[0].joints[0]
    first, second = motion.program.structure.joint(name).bodies
    x, y, z = motion.joint(name)
    start = motion.program.geometry.joints[name].frames
    relative = np.swapaxes(motion.rotation(first) @ start[0], 1, 2) @ motion.rotation(second) @ start[1]
    # first row and last column of intrinsic rotations about x, y and z
    row = np.array([np.cos(y) * np.cos(z), -np.cos(y) * np.sin(z), np.sin(y)])
    np.testing.assert_allclose(relative[:, 0], row.T, rtol=0, atol=1e-13)
    np.testing.assert_allclose(relative[:, 1, 2], -np.sin(x) * np.cos(y), rtol=0, atol=1e-13)
    np.testing.assert_allclose(relative[:, 2, 2], np.cos(x) * np.cos(y), rtol=0, atol=1e-13)
    np.testing.assert_allclose(motion.joint("B")[:, 0], [0.3, 0.0, -0.2], rtol=0, atol=1e-13)


def test_a_part_may_be_declared_in_any_direction() -> None:
    """Joints declared from the other end give the same motion."""
    for name in ("RSSR", "S-P-S legs"):
        mechanism = MECHANISMS[name]
        turned = [replace(j, bodies=j.bodies[::-1], reference=0.0) if j.type == "S" else j for j in mechanism.joints]
        found = [oracle.of_motion(solve(m, TIMES)) for m in (mechanism, replace(mechanism, joints=turned))]
        assert (oracle.differences(*found, 1.0) < 1e-11).all()


def test_a_swivel_on_the_line_is_not_determined() -> None:
    """S-R-S with the axis of R through both centers: two spins and a fixed length; counting cannot tell, rank does."""
    mechanism = platform("R", driven=False)
    place = {joint.name: np.array(joint.point) for joint in mechanism.joints}
    joints = []
    for joint in mechanism.joints:
        if joint.type == "R":
            foot, head = (place[joint.name.replace("middle", end)] for end in ("foot", "head"))
            joint = replace(joint, point=(foot + head) / 2, axis=head - foot)
        joints.append(joint)
    groups = analyze(replace(mechanism, joints=joints)).groups
    assert [group.solver for group in groups] == ["floating body", *[NO_SOLVER] * 6]
    assert groups[1].notes[0] == "holds the spin of lower_0, upper_0 about the line of foot_0 and head_0"
    assert "but rank" in groups[1].notes[1]


def test_two_spins_of_a_leg_are_held_only_where_its_slide_is_on_the_line() -> None:
    straight = platform("C", driven=False)
    structure = analyze(straight)
    assert [group.solver for group in structure.groups] == ["floating body", *["U-P-S"] * 6]
    assert structure.groups[1].label == "1C2S3D"
    assert structure.groups[1].notes == (
        "holds the spin of lower_0, upper_0 about the line of foot_0 and head_0, each by itself",
    )
    motion = solve(straight, TIMES)
    np.testing.assert_allclose(motion.joint("middle_0")[1], 0.0, rtol=0, atol=1e-13)
    aside = [replace(joint, point=(0, 0, 0)) if joint.name == "middle_3" else joint for joint in straight.joints]
    with pytest.raises(NotDeterminedError, match=r"under-driven by 1 equation: bodies lower_3, upper_3; joints "):
        analyze(replace(straight, joints=aside))


# --- remedies --------------------------------------------------------------------------------


def test_drivers_that_are_suggested_determine_the_motion_by_rank() -> None:
    """Without its driver an RSSR lacks one equation and a spin; each driver that is suggested mends it."""
    with pytest.raises(NotDeterminedError) as caught:
        analyze(rssr())
    assert "add a driver at one of: A, D\n" in str(caught.value)
    for name in ("A", "D"):
        assert NO_SOLVER not in {group.solver for group in analyze(rssr(name)).groups}


def test_a_driver_that_would_not_help_by_rank_is_not_suggested() -> None:
    """A loop of slides along x, y and x, the last one a C joint, and U: only the two slides along x move, together."""
    joints = [
        Joint("a", "P", ("ground", "1"), point=(0, 0, 0), axis=(1, 0, 0)),
        Joint("b", "P", ("1", "2"), point=(0, 0, 0), axis=(0, 1, 0)),
        Joint("c", "C", ("2", "3"), point=(0, 0, 0), axis=(1, 0, 0)),
        Joint("d", "U", ("3", "ground"), point=(0, 0, 0), axes=((0, 0, 1), (0, 1, 0))),
    ]
    mechanism = Mechanism(3, ["ground", "1", "2", "3"], joints)
    assert loose_freedoms(mechanism, resolve(mechanism)) == (
        1,
        {("a", "displacement"), ("c", "displacement")},
        set(),
    )


def test_a_driver_that_repeats_nothing_by_rank_is_not_to_be_dropped() -> None:
    """A cross slide led by a link that is upright: its height is given, and without the other driver it could move."""
    joints = [
        Joint("across", "P", ("ground", "1"), point=(0, 0), axis=(1, 0)),
        Joint("up", "P", ("1", "2"), point=(0, 0), axis=(0, 1)),
        Joint("pin", "R", ("2", "link"), point=(0, 0)),
        Joint("pivot", "R", ("link", "ground"), point=(0, 1)),
    ]
    mechanism = Mechanism(2, ["ground", "1", "2", "link"], joints, [Driver("across", TURN), Driver("up", TURN)])
    assert loose_freedoms(mechanism, resolve(mechanism)) == (0, set(), {("up", "displacement")})
    with pytest.raises(NotDeterminedError, match=r"drop a driver at one of: up$"):
        analyze(mechanism)
    tilted = replace(mechanism, joints=[*joints[:-1], replace(joints[-1], point=(0.1, 1))])
    with pytest.raises(NotDeterminedError, match=r"drop a driver at one of: across, up$"):
        analyze(tilted)


def slider(joint: str) -> Mechanism:
    """A crank, a rod and a piston that may turn in its bore; the plane of the crank is one of symmetry."""
    joints = [
        Joint("shaft", "R", ("ground", "crank"), point=(0, 0, 0), axis=(0, 0, 1)),
        Joint("big", joint, ("crank", "rod"), point=(0, 1, 0), axis=None if joint == "S" else (0, 0, 1)),
        Joint("small", "U", ("rod", "piston"), point=(3, 0, 0), axes=((0, 0, 1), (0, 1, 0))),
        Joint("bore", "C", ("ground", "piston"), point=(3, 0, 0), axis=(1, 0, 0)),
    ]
    return Mechanism(3, ["ground", "crank", "rod", "piston"], joints, [Driver("shaft", TURN)])


def test_of_a_joint_of_several_freedoms_the_useful_ones_are_named() -> None:
    with pytest.raises(NotDeterminedError) as caught:
        analyze(slider("S"))
    assert "bore (angle)" in str(caught.value)
    assert "motions are free" not in str(caught.value)


def test_more_motions_than_are_counted_are_reported() -> None:
    """The axes of a plane slider-crank are parallel: by count a driver is missing, by rank the piston turns too."""
    mechanism = replace(slider("R"), drivers=[])
    joints = [replace(j, type="S", axes=None) if j.name == "small" else j for j in mechanism.joints]
    with pytest.raises(NotDeterminedError) as caught:
        analyze(replace(mechanism, joints=joints))
    assert caught.value.lack == 1
    assert "by rank 2 motions are free in the reference configuration" in str(caught.value)


@pytest.mark.parametrize("seed", range(5))
def test_what_is_loose_is_what_the_drivers_move(seed: int) -> None:
    """With all drivers nothing is loose; without one of them, its own freedom is."""
    shop = Workshop(3, np.random.default_rng(seed))
    for chain in ([(-1, 0, "R*1")], [(-1, 0, "U"), (0, 1, "P"), (1, -1, "S")], [(-1, 0, "C*12")]):
        shop.make_tree(chain)
    mechanism = shop.mechanism()
    assert loose_freedoms(mechanism, resolve(mechanism)) == (0, set(), set())
    for left in mechanism.drivers:
        fewer = replace(mechanism, drivers=[driver for driver in mechanism.drivers if driver is not left])
        count, loose, _ = loose_freedoms(fewer, resolve(fewer))
        assert count == 1
        assert (left.joint, left.freedom) in loose
