"""Rods: left out of the iteration and placed after it, they move as with all joints in tree and cuts."""

from __future__ import annotations

import numpy as np
import pytest

import groupkin as gk
from groupkin.kinematics.modes.mode_search import group_calls
from groupkin.model import tree_making
from tests.support.paths import EXAMPLES

WITH_RODS = {
    "assur_class_three": [(3, 3)],
    "delta_robot": [(5, 5)],
    "five_rod_suspension": [(5, 5)],
    "planar_3rrr": [(2, 2)],
    "rear_axle": [(5, 5), (5, 5)],
    "rotor_control": [(2, 1)],
    "spatial_3prs": [(4, 2)],
    "stephenson_six_bar": [(2, 2)],
    "stewart_forward": [(6, 6)],
}
"""Unknowns and rods of the groups by Newton's method in examples."""


@pytest.mark.parametrize("name", WITH_RODS)
def test_few_unknowns_are_left(name: str) -> None:
    program = gk.program(gk.load(EXAMPLES / f"{name}.toml"), solver="newton")
    found = [(part.tree.unknowns, len(part.tree.rods)) for part in group_calls(program) if part.tree is not None]
    assert found == WITH_RODS[name]


@pytest.mark.parametrize("name", WITH_RODS)
def test_they_move_as_with_all_joints_in_tree_and_cuts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism, times = gk.load(EXAMPLES / f"{name}.toml"), np.linspace(0.0, 1.0, 301)
    motion = gk.solve(mechanism, times, solver="newton")
    monkeypatch.setattr(tree_making, "_left_out", lambda *_: [])
    full = gk.solve(mechanism, times, solver="newton")
    assert motion.solved.all()
    assert full.solved.all()
    conditioning = min(motion.conditioning.min(), full.conditioning.min())
    # roundings, of which positions keep a dozen, and what is left of Newton's steps, 2e-11 of the size
    roundings, worst = max(1e-13, 5e-15 / conditioning), 2e-11 / conditioning
    for ours, theirs, least in ((motion.q, full.q, roundings), (motion.v, full.v, worst), (motion.a, full.a, worst)):
        np.testing.assert_allclose(ours, theirs, rtol=0.0, atol=least * np.abs(theirs).max())


@pytest.mark.parametrize("solver", ["substitute", "newton"])
def test_conditioning_tells_how_near_a_leg_is_to_turning_over(solver: str) -> None:
    """A leg along the first axis of its universal joint could turn to either side."""
    mechanism = gk.load(EXAMPLES / "stewart_forward.toml")
    motion = gk.solve(mechanism, np.linspace(0.0, 1.0, 101), solver=solver)
    for k in range(1, 7):
        first, second = (np.asarray(axis) / np.linalg.norm(axis) for axis in mechanism.joint[f"B{k}"].axes)
        leg = motion.position(f"P{k}") - motion.position(f"B{k}")
        across = np.cross(first, leg / np.linalg.norm(leg, axis=1)[:, None])
        volume = across * (motion.rotation(f"cylinder_{k}") @ second)
        assert (motion.conditioning[-1] <= np.abs(volume.sum(axis=1)) * (1 + 1e-12)).all()
