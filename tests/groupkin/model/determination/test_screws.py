"""Screws in closed loops: their rows repeat others, and they move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from groupkin.analysis import analyze
from groupkin.kinematics.global_formulation.global_motion import solve_globally
from groupkin.kinematics.motion.residuals import max_residual
from groupkin.kinematics.program.solver_choice import BY_RANK
from groupkin.kinematics.solver import solve
from groupkin.mechanism.laws.laws import Harmonic
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from tests.groupkin.kinematics.test_random_agreement import screw_loop
from tests.support import oracle
from tests.support.random_mechanisms import Workshop
from tests.support.shares import in_part

TIMES = np.linspace(0.0, 1.0, 11)
PITCHES = (0.1, -0.03, 0.05)
TILTED = Rotation.from_rotvec([0.3, 1.1, -0.4]).as_matrix()
BALL = np.array([0.4, 0.0, 0.3])
"""Of a guide beside the axis, which keeps the nut from turning."""


def loop(kinds: Sequence[str], driven: str = "", freedom: str | None = None) -> Mechanism:
    """Coaxial joints one after another, from the frame back to it, on an axis in no special direction."""
    bodies = ["frame", *("screw", "nut")[: len(kinds) - 1]]
    joints = []
    for k, kind in enumerate(kinds):
        point = TILTED @ (BALL if kind == "SC" else [0.0, 0.0, 0.1 * k])
        more: dict[str, Any] = {"pitch": PITCHES[k]} if kind == "H" else {}
        ends = bodies[k], bodies[(k + 1) % len(bodies)]
        joints.append(Joint(f"{kind}{k}", kind, ends, point=tuple(point), axis=TILTED[:, 2], **more))
    drivers = [Driver(driven, Harmonic(0.3, 0.5), freedom)] if driven else []
    return Mechanism(3, bodies, joints, drivers)


LOOPS = ("RHP", "CH", "HHP", "HC", "HPR", "HHH", ("R", "H", "SC"))
DRIVEN = [
    pytest.param(kinds, f"{kind}{k}", freedom.name, id=f"{' '.join(kinds)}, {kind}{k} {freedom.name}")
    for kinds in LOOPS
    for k, kind in enumerate(kinds)
    for freedom in loop(kinds).freedoms(loop(kinds).joints[k])
    if kind != "SC" or not freedom.rotation  # the nut does not turn
]


@pytest.mark.parametrize(("kinds", "joint", "freedom"), in_part(DRIVEN, 12))
def test_screws_in_loops_move_whatever_joint_is_driven(kinds: Sequence[str], joint: str, freedom: str) -> None:
    mechanism = loop(kinds, joint, freedom)
    structure = analyze(mechanism)
    (found,) = structure.redundancies
    assert structure.mobility == 1
    assert found.rows == 1 - mechanism.mobility
    assert "moves by its special dimensions" in found.what
    assert {group.determined for group in structure.groups} == {BY_RANK}
    motion = solve(mechanism, TIMES)
    assert max_residual(motion) < 1e-12
    expected = solve_globally(mechanism, TIMES)  # of the joints as they are, none of them eased
    other = {
        body: (np.moveaxis(expected.origin[:, k], -1, 1), np.moveaxis(expected.rotation[:, k], -1, 1))
        for k, body in enumerate(mechanism.movable)
    }
    gaps = oracle.differences(oracle.of_motion(motion), other, motion.program.geometry.size)
    assert gaps.max() < 1e-11  # the global formulation stops at 1e-13


def test_a_screw_jack_rises_by_its_pitch_and_a_differential_screw_by_the_difference() -> None:
    """Also beyond a turn, which the displacement has to count."""
    turning = Driver("R0", Harmonic(40.0, 0.5))
    jack = loop("RHP")
    motion = solve(Mechanism(3, list(jack.body), jack.joints, [turning]), TIMES)
    angle = 40.0 * np.sin(np.pi * TIMES)
    # P leads from the nut to the frame; the nut goes back on the screw that turns ahead of it
    np.testing.assert_allclose(motion.joint("P2")[0] - motion.joint("P2")[0, 0], PITCHES[1] * angle, atol=1e-12)
    differential = loop("HHP", "H0")
    motion = solve(differential, TIMES)
    angle = 0.3 * np.sin(np.pi * TIMES)
    way = motion.joint("P2")[0] - motion.joint("P2")[0, 0]
    np.testing.assert_allclose(way, (PITCHES[1] - PITCHES[0]) * angle, atol=1e-13)


@pytest.mark.exhaustive
def test_planets_side_by_side_repeat_each_other() -> None:
    """A planetary gear train with three planets is over-constrained by two rows, and moves."""
    center, arm = np.array([0.1, -0.2]), 0.36
    joints = [Joint("S", "R", ("ground", "sun"), point=center), Joint("A", "R", ("ground", "arm"), point=center)]
    for k, angle in enumerate(0.3 + 2 * np.pi * np.arange(3) / 3):
        pin, planet = center + arm * np.array([np.cos(angle), np.sin(angle)]), f"planet_{k}"
        joints += [
            Joint(f"P{k}", "R", ("arm", planet), point=pin),
            Joint(f"SP{k}", "EO", ("sun", planet), points=(center, pin), radii=(20, 16)),
            Joint(f"RP{k}", "EPI", ("ground", planet), points=(center, pin), radii=(52, 16)),
        ]
    bodies = ["ground", "sun", "arm", *(f"planet_{k}" for k in range(3))]
    mechanism = Mechanism(2, bodies, joints, [Driver("S", Harmonic(2.0, 0.5))])
    structure = analyze(mechanism)
    assert (mechanism.mobility, structure.mobility) == (-1, 1)
    motion = solve(mechanism, TIMES)
    angle = 2.0 * np.sin(np.pi * TIMES)
    np.testing.assert_allclose(motion.angle("arm"), angle * 20 / 72, atol=1e-12)  # Willis 1841
    for k in range(3):
        planet = angle * 20 / 72 * (1 - 52 / 16)
        np.testing.assert_allclose(np.cos(motion.angle(f"planet_{k}") - planet), 1.0, atol=1e-12)


def test_a_wheel_beside_a_screw_keeps_its_frames() -> None:
    """Joints that are not eased are solved as they are, with the point of the line raised to the wheel's center."""
    jack = loop("RHP", "R0")
    joints = [
        Joint("axle", "R", ("nut", "wheel"), point=TILTED @ (0.0, 0.5, 0.3), axis=TILTED[:, 0]),
        Joint("rail", "RP", ("frame", "wheel"), points=(TILTED @ (0.0, 0.7, 0.0), TILTED @ (0.0, 0.5, 0.3)),
              axes=(TILTED[:, 2], TILTED[:, 0])),
    ]  # fmt: skip
    mechanism = Mechanism(3, [*jack.body, "wheel"], [*jack.joints, *joints], jack.drivers)
    motion = solve(mechanism, TIMES)
    assert max_residual(motion) < 1e-12
    rise = motion.joint("P2")[0] - motion.joint("P2")[0, 0]
    np.testing.assert_allclose(np.abs(motion.joint("axle")[0]), np.abs(rise) / 0.2, atol=1e-12)


def test_steps_are_judged_by_how_far_bodies_move() -> None:
    """Seen from the middle of the mechanism the screw moves mostly by its turn about an axis beside it."""
    shop = Workshop(3, np.random.default_rng(591), amplitude=0.1)
    shop.moving_body()
    screw_loop(shop)
    mechanism = shop.mechanism()
    assert [joint.type for joint in mechanism.joints] == ["F", "R", "H", "P"]
    assert analyze(mechanism).mobility == 7
