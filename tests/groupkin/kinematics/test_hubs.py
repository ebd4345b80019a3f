"""Groups around a hub: they move as by Newton's method for any group, and as the whole mechanism does."""

from __future__ import annotations

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import ArgumentError
from sglibrary import status as codes
from tests.support import oracle
from tests.support.paths import EXAMPLES
from tests.support.platforms import KINDS, platform

WITH_HUBS = {
    "delta_robot": 1,
    "five_rod_suspension": 1,
    "planar_3rrr": 1,
    "rear_axle": 2,
    "spatial_3prs": 1,
    "stephenson_six_bar": 1,
    "stewart_forward": 1,
}
"""Groups around a hub in examples."""


def assert_same(hub: gk.Motion, other: gk.Motion) -> None:
    """Poses, twists and their rates agree to the share of the motion's size that Newton's last steps leave."""
    worst = 1.0 / min(hub.conditioning[:, hub.solved].min(), other.conditioning[:, hub.solved].min())
    size = hub.program.geometry.size
    for body in hub.program.mechanism.movable:
        for of_points, of_axes, share in (
            ("position", "rotation", 1e-12),
            ("velocity", "angular_velocity", 2e-11),
            ("acceleration", "angular_acceleration", 1e-10),
        ):
            for name, unit in ((of_points, size), (of_axes, 1.0)):
                ours, theirs = (getattr(motion, name)(body)[hub.solved] for motion in (hub, other))
                largest = max(unit, np.abs(theirs).max())
                np.testing.assert_allclose(ours, theirs, rtol=0.0, atol=share * worst * largest)


@pytest.mark.parametrize("name", WITH_HUBS)
def test_examples_move_as_by_the_method_for_any_group(name: str) -> None:
    mechanism, times = gk.load(EXAMPLES / f"{name}.toml"), np.linspace(0.0, 1.0, 201)
    motion, direct = (gk.solve(mechanism, times, solver=solver) for solver in ("substitute", "newton"))
    assert motion.program.solvers.count("hub") == WITH_HUBS[name]
    assert "hub" not in direct.program.solvers
    assert motion.solved.all()
    assert_same(motion, direct)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_random_platforms_move_as_the_whole_mechanism(kind: str, seed: int) -> None:
    mechanism, times = platform(kind, seed), np.linspace(0.0, 2.0, 41)
    program = gk.program(mechanism)
    assert program.solvers[-1] == "hub"
    motion = gk.solve(program, times, on_failure="nan")
    assert motion.solved[:10].all()
    reached = motion.solved.argmin() if not motion.solved.all() else times.size
    poses = oracle.of_poses(oracle.solve(mechanism, times[:reached]))
    ours = oracle.of_motion(gk.solve(program, times[:reached]))
    worst = 1.0 / motion.conditioning[:, :reached].min()
    assert (oracle.differences(ours, poses, program.geometry.size) <= 1e-11 * worst**2).all()


@pytest.mark.parametrize("name", ["stephenson_six_bar", "stewart_forward"])
def test_no_step_depends_on_others(name: str) -> None:
    """On its knots alone: neither on the size of blocks, nor on how fine the times are between its first and last."""
    program = gk.program(gk.load(EXAMPLES / f"{name}.toml"))
    times = np.linspace(0.0, 1.0, 601)
    motion, coarse = gk.solve(program, times), gk.solve(program, times[::7][:86])
    for block in (8, 40, 512):
        other = gk.solve(program, times, block=block)
        for ours, theirs in zip((motion.q, motion.v, motion.a), (other.q, other.v, other.a), strict=True):
            np.testing.assert_array_equal(ours, theirs)
    same_span = gk.solve(program, times[[0, 5, 131, 132, 600]])
    np.testing.assert_array_equal(same_span.a, motion.a[:, [0, 5, 131, 132, 600]])
    assert coarse.solved.all()


def test_a_telescope_that_would_pass_its_foot_ends_the_motion() -> None:
    mechanism = platform("telescopes", 0)
    short = [gk.Driver(d.joint, gk.Ramp(rate=-4.0) if d.joint == "P0" else d.law, d.freedom) for d in mechanism.drivers]
    short_of = gk.Mechanism(2, mechanism.bodies, mechanism.joints, short)
    times = np.linspace(0.0, 1.0, 201)
    hub, direct = (gk.solve(short_of, times, on_failure="nan", solver=solver) for solver in ("substitute", "newton"))
    assert not hub.solved.all()
    last = int(hub.solved.argmin())
    assert abs(last - int(direct.solved.argmin())) <= 1
    assert hub.status[-1, last] in (codes.SINGULAR, codes.CANNOT_ASSEMBLE)


@pytest.mark.parametrize("seed", [5, 14, 31])
def test_behind_a_singular_position_hubs_are_found_again_where_others_are(seed: int) -> None:
    """Newton's method leads from the last position to another mode there, unless other starts are tried."""
    mechanism, times = platform("telescopes", seed), np.linspace(0.0, 2.0, 61)
    hub, direct = (gk.solve(mechanism, times, on_failure="nan", solver=x) for x in ("substitute", "newton"))
    assert not direct.solved.all()
    assert direct.solved[direct.solved.argmin() :].any()
    assert hub.solved[direct.solved].all()
    both = hub.solved & direct.solved
    found, wanted = hub.position("platform")[both], direct.position("platform")[both]
    np.testing.assert_allclose(found, wanted, rtol=0.0, atol=1e-9)


def test_what_is_wanted_is_checked_and_kept() -> None:
    mechanism = gk.load(EXAMPLES / "planar_3rrr.toml")
    with pytest.raises(ArgumentError, match='"substitute" or "newton"'):
        gk.program(mechanism, solver="hub")
    program = gk.program(mechanism, solver="newton", modes={"platform": 2})
    assert program.solvers[-1] == "Newton"
    assert gk.program(program.mechanism, modes={"platform": 2}).solvers[-1] == "hub"
    with pytest.raises(ArgumentError, match="when a program is made"):
        gk.solve(program, [0.0], solver="newton")


def test_modes_are_those_of_the_method_for_any_group() -> None:
    mechanism, times = gk.load(EXAMPLES / "planar_3rrr.toml"), np.linspace(0.0, 0.3, 31)
    for number in (1, 2):
        hub, direct = (
            gk.solve(mechanism, times, modes={"platform": number}, solver=solver) for solver in ("substitute", "newton")
        )
        assert_same(hub, direct)


def test_reasons_are_told() -> None:
    why = {group.label: group.why for group in gk.analyze(gk.load(EXAMPLES / "assur_class_three.toml")).groups}
    assert "left, right are neither rod nor telescope" in why["9R2D"]
    [group] = gk.analyze(gk.load(EXAMPLES / "stewart_forward.toml")).groups
    assert group.solver == "hub"
    assert "hold platform" in group.why
