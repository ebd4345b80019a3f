"""Groups with more rows than unknowns: over-constrained mechanisms, regular wherever the mechanism itself is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import (
    CannotAssembleError,
    NotConvergedError,
    NotDeterminedError,
    OpenJointError,
    SingularPositionError,
)
from groupkin.kinematics.motion.residuals import max_residual, residuals
from sglibrary.status import JOINT_OPEN, SOLVED
from tests.support import oracle
from tests.support.energy import rate_of_energy
from tests.support.equilibrium import unbalanced
from tests.support.over_constrained import FAMILIES, heavy, over_constrained, placed
from tests.support.over_constrained.parallel import shafts

Array = NDArray[np.float64]

TIMES = np.linspace(0.0, 1.0, 11)


def conditioned(mechanism: gk.Mechanism) -> float:
    """The smallest conditioning of all equations by the oracle, in fine steps; 0 where it finds no way."""
    try:
        return float(oracle.solve(mechanism, np.linspace(0.0, 1.0, 201)).conditioning.min())
    except oracle.OracleError:
        return 0.0


def agrees(name: str, seed: int) -> None:
    """Compare a random mechanism with the oracle, as far as both get."""
    mechanism = over_constrained(name, seed)
    try:
        motion = gk.solve(mechanism, TIMES)
    except OpenJointError:
        raise
    except (CannotAssembleError, NotConvergedError, SingularPositionError):
        assert conditioned(mechanism) < 1e-3
        return
    size = motion.program.geometry.size
    assert max_residual(motion) < 1e-12
    if mechanism.couplings:
        first, other = motion.joint("A")[0], motion.joint("D")[0]
        np.testing.assert_allclose(other - other[0], -0.5 * (first - first[0]), rtol=0.0, atol=1e-12)
        return
    right = oracle.solve(mechanism, TIMES)
    bound = 1e-13 / float(right.conditioning.min())
    away = oracle.differences(oracle.of_motion(motion), oracle.of_poses(right), size)
    # rates share the conditioning with positions, accelerations have its square
    assert (away < bound * np.array([1.0, 1.0, max(1.0, bound * 1e13)])).all(), away


@pytest.mark.parametrize("name", FAMILIES)
def test_families_move_as_all_equations_say_together(name: str) -> None:
    agrees(name, 0)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(1, 19))
@pytest.mark.parametrize("name", FAMILIES)
def test_many_of_each_family_move_so(name: str, seed: int) -> None:
    agrees(name, seed)


# --- loads -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FAMILIES)
def test_bodies_are_in_equilibrium(name: str) -> None:
    forces = gk.inverse_dynamics(heavy(over_constrained(name, 2)), TIMES[:3])
    left, largest = unbalanced(forces)
    assert np.abs(left).max() < 1e-9 * largest


@pytest.mark.parametrize("name", ["Bennett", "plane five-bar, geared", "spherical 3-RRR"])
def test_they_move_under_their_weights_and_keep_their_energy(name: str) -> None:
    free = replace(heavy(over_constrained(name, 0)), drivers=())
    motion = gk.simulate(free, np.linspace(0.0, 0.2, 21))
    assert max_residual(motion) < 1e-9
    terms = rate_of_energy(motion)
    assert np.abs(np.sum(terms, axis=0)).max() < 1e-9 * max(np.abs(term).max() for term in terms)


# --- Schatz ----------------------------------------------------------------------------------

SCHATZ = (
    ("J1", ("frame", "b1"), (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    ("J2", ("b1", "b2"), (0.0, 0.0, 0.7), (0.7833269096274834, -0.6216099682706644, 0.0)),
    ("J3", ("b2", "b3"), (-0.33463130899359356, -0.4216883938779038, -0.14273411317562557),
     (-0.5238519253517071, -0.6601363085115206, 0.538330023768034)),
    ("J4", ("b3", "b4"), (-0.9838200175827521, 0.2968797011222267, 0.10669305753403097),
     (0.5514827113751166, 0.21881486931345845, 0.8049763176775351)),
    ("J5", ("b4", "b5"), (-1.7320508075688774, 0.0, 0.7), (-0.3688055096810358, 0.929506587404797, 0.0)),
    ("J6", ("frame", "b5"), (-1.7320508075688774, 0.0, 0.7), (0.0, 0.0, 1.0)),
)  # fmt: skip
"""The invertible linkage of Schatz, which mixers have: hinges, ends, points, axes."""

TURNED = {1.0: -0.5469083728, 2.0: -1.4906402229, 3.0: -3.0337186722, 2 * np.pi: -2 * np.pi}
"""J6 by J1, rad."""


def schatz(away: float = 0.0, driven: str = "J1", rate: float = 1.0) -> gk.Mechanism:
    """Schatz' linkage, the hinge J4 of which may be moved along its normal by some length."""
    joints = [
        gk.Joint(name, "R", ends, point=tuple(np.add(point, [0.0, 0.0, away * (name == "J4")])), axis=axis)
        for name, ends, point, axis in SCHATZ
    ]
    bodies = ["frame", "b1", "b2", "b3", "b4", "b5"]
    return gk.Mechanism(3, bodies, joints, [gk.Driver(driven, gk.Ramp(rate=rate))])


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_the_linkage_of_schatz_turns_fully(way: float) -> None:
    times = np.linspace(0.0, 2 * np.pi, 361)
    motion = gk.solve(schatz(rate=way), times)
    assert max_residual(motion) < 1e-12
    assert motion.conditioning.min() > 0.13
    assert abs(motion.joint("J6")[0, -1]) == pytest.approx(2 * np.pi, abs=1e-9)


@pytest.mark.parametrize("steps", [8, 100])
def test_it_turns_by_the_values_that_are_known(steps: int) -> None:
    times = np.unique([*np.linspace(0.0, 2 * np.pi, steps), *TURNED])
    motion = gk.solve(schatz(), times)
    found = motion.joint("J6")[0, np.searchsorted(times, list(TURNED))]
    np.testing.assert_allclose(found, list(TURNED.values()), rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("path", [False, True])
def test_positions_in_any_order_are_closed(path: bool) -> None:
    program = gk.program(schatz())
    angles = np.random.default_rng(3).permutation(np.linspace(0.1, 6.2, 24))
    motion = program.evaluate(angles[None], path=path)
    assert motion.solved.all()
    assert residuals(motion).max() < 1e-12


def test_it_is_driven_at_another_hinge() -> None:
    """By the last hinge, and by the first one through what was found, to the same positions."""
    last = gk.solve(schatz(driven="J6", rate=-0.5), TIMES)
    first = gk.program(schatz()).evaluate(last.joint("J1"))
    np.testing.assert_allclose(first.joint("J6")[0], -0.5 * TIMES, rtol=0.0, atol=1e-12)


# --- rods on both sides ----------------------------------------------------------------------


def locomotive(dimension: int) -> gk.Mechanism:
    """Two wheels with rods on both sides, a quarter turn apart: one rod leads where the other is at a dead center."""
    joints, up = [], (0.0,) * (dimension - 2)
    for name, wheel, x in (("A", "front", 0.0), ("B", "rear", 2.0)):
        joints.append(gk.Joint(name, "R", ("frame", wheel), point=(x, 0.0, *up)))
        for rod, turn in (("left", 0.4), ("right", 0.4 + np.pi / 2)):
            at = (x + 0.3 * np.cos(turn), 0.3 * np.sin(turn), *up)
            joints.append(gk.Joint(f"{rod} {wheel}", "R", (wheel, rod), point=at))
    if dimension == 3:
        joints = [replace(joint, axis=(0.0, 0.0, 1.0)) for joint in joints]
    bodies = ["frame", "front", "rear", "left", "right"]
    return gk.Mechanism(dimension, bodies, joints, [gk.Driver("A", gk.Ramp(4.0 * np.pi))])


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_locomotive_drives_on_over_all_dead_centers(dimension: int) -> None:
    motion = gk.solve(locomotive(dimension), np.linspace(0.0, 1.0, 721))
    assert max_residual(motion) < 1e-12
    assert motion.conditioning.min() > 0.1
    np.testing.assert_allclose(motion.joint("B"), motion.joint("A"), rtol=0.0, atol=1e-12)
    angles = np.random.default_rng(1).uniform(-6.0, 6.0, 25)
    assert motion.program.evaluate(angles[None]).solved.all()


def test_closed_forms_stay_where_the_mechanism_is_singular_as_well() -> None:
    """Three cranks on a line are singular where they are flat: no choice of rows is better than another."""
    joints = [
        joint
        for name, x in (("x", 0.0), ("y", 1.0), ("z", 2.5))
        for joint in (
            gk.Joint(f"foot {name}", "R", ("frame", name), point=(x, 0.0)),
            gk.Joint(f"head {name}", "R", (name, "bar"), point=(x, 1.0)),
        )
    ]
    cranks = gk.Mechanism(2, ["frame", *"xyz", "bar"], joints, [gk.Driver("foot x", gk.Ramp(1.0))])
    assert "Newton" not in gk.program(cranks).solvers


# --- shafts ----------------------------------------------------------------------------------


@pytest.mark.exhaustive
@pytest.mark.parametrize("part", range(4))
def test_cardan_shafts_in_parallel_turn_alike_at_any_angle(part: int) -> None:
    rng = np.random.default_rng(part)
    for degrees in np.linspace(1.0, 65.0, 200)[part::4]:
        motion = gk.solve(placed(shafts(np.radians(degrees) / 2), rng), TIMES)
        assert max_residual(motion) < 1e-12
        rates = [np.abs(motion.joint_rate(name)[0]) for name in ("in", "out")]
        np.testing.assert_allclose(*rates, rtol=1e-9)


# --- near misses -----------------------------------------------------------------------------


@pytest.mark.parametrize("away", [1e-3, 1e-4, 1e-5, 1e-6])
def test_dimensions_with_few_digits_are_refused_with_what_they_miss(away: float) -> None:
    with pytest.raises(NotDeterminedError, match=r"repeat each other, but agree to \d") as caught:
        gk.analyze(schatz(away))
    assert "'J" in str(caught.value)


@pytest.mark.parametrize("away", [3e-8, 1e-8, 3e-9])
def test_joints_that_open_are_not_called_solved(away: float) -> None:
    """Either refused, or solved where all joints are closed to the bound and no farther."""
    times = np.linspace(0.0, 6.0, 121)
    try:
        motion = gk.solve(schatz(away), times, on_failure="nan")
    except NotDeterminedError:
        return
    assert residuals(motion)[motion.solved].max(initial=0.0) < 2e-9
    assert set(np.unique(motion.status)) <= {SOLVED, JOINT_OPEN, 4}


def test_the_message_says_which_joint_opens() -> None:
    times = np.linspace(0.0, 6.0, 121)
    with pytest.raises(OpenJointError, match=r"joint 'J\d' is open by \S+") as caught:
        gk.solve(schatz(1e-8), times)
    assert caught.value.motion is not None


@pytest.mark.parametrize("away", [0.0, 1e-11, 1e-10])
def test_rounded_dimensions_are_solved(away: float) -> None:
    motion = gk.solve(schatz(away), np.linspace(0.0, 6.0, 121))
    assert max_residual(motion) < 1e-9


def test_forces_are_nan_where_a_joint_opens_and_only_there() -> None:
    motion = gk.solve(heavy(schatz(1e-8)), np.linspace(0.0, 6.0, 121), on_failure="nan")
    forces = gk.inverse_dynamics(motion)
    assert 0 < motion.solved.sum() < motion.times.size
    found = np.isfinite(forces.reaction("J3").force).all(axis=1)
    assert (found == motion.solved).all()


@pytest.mark.parametrize("driven", [True, False])
def test_a_body_without_a_joint_is_not_determined(driven: bool) -> None:
    whole = over_constrained("Bennett", 0)
    lone = replace(whole, bodies=[*whole.bodies, "lone"], drivers=whole.drivers if driven else ())
    with pytest.raises(NotDeterminedError, match="lone"):
        gk.program(lone)


# --- what a decision must not depend on -------------------------------------------------------


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("far", [0.0, 1000.0])
def test_groups_do_not_depend_on_size_place_or_order(size: float, far: float) -> None:
    found = set()
    for name in ("Bennett", "spherical 3-RRR", "Sarrus"):
        own = over_constrained(name, 0)
        groups = {group.bodies for group in gk.analyze(own).groups}
        joints = [
            gk.Joint(
                joint.name, joint.type, joint.bodies, axis=joint.axis,
                point=tuple(size * (np.array(joint.point) + far * np.array([1.0, -1.0, 1.0]))),
            )
            for joint in own.joints[::-1]
        ]  # fmt: skip
        other = gk.Mechanism(3, own.bodies, joints, own.drivers)
        assert {group.bodies for group in gk.analyze(other).groups} == groups
        found.add(max_residual(gk.solve(other, TIMES)))
    assert max(found) < 1e-12 * (1.0 + far)
