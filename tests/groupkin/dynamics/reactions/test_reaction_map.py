"""The compiled pass: inertia against other formulas, and the same bits whatever is computed with them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import groupkin as gk
from groupkin.dynamics.acting.loads import Loads, with_masses
from groupkin.dynamics.reactions.reaction_map import reaction_map
from groupkin.errors import ArgumentError
from tests.support.examples import described
from tests.support.loaded import loaded

NAMES = ("four_bar", "slider_crank", "spatial_four_bar", "stewart_inverse", "planar_3rrr")


def motion_of(name: str, steps: int = 21) -> gk.Motion:
    file = described(name)
    return gk.solve(replace(loaded(file.mechanism), forces=()), np.linspace(0.0, file.motion.duration, steps))


@pytest.mark.parametrize("velocities", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_inertia_and_weights_are_those_of_the_rows(name: str, velocities: bool) -> None:
    motion = motion_of(name)
    total = with_masses(Loads(motion), velocities)
    expected = reaction_map(motion.program).at(motion, total)
    found = reaction_map(motion.program, None, (), masses=True, moving=velocities).at(motion, {})
    largest = max(np.abs(x).max() for x in expected[1].values())
    for x, y in zip((found[0], *found[1].values()), (expected[0], *expected[1].values()), strict=True):
        assert np.abs(x - y).max() <= 1e-12 * largest


def test_results_do_not_depend_on_the_other_steps() -> None:
    motion = motion_of("stewart_inverse", 1001)
    whole = gk.inverse_dynamics(motion)
    for chosen in (np.arange(130, 407), np.array([0, 1000]), np.array([512])):
        part = gk.inverse_dynamics(motion.at(chosen))
        for joint, rows in whole.reactions.items():
            assert np.array_equal(rows[:, chosen], part.reactions[joint])


def test_results_written_past_the_caches_are_the_same() -> None:
    motion = motion_of("four_bar", 400_003)
    whole = gk.inverse_dynamics(motion)
    assert whole.memory is not None
    assert whole.memory.nbytes > 2**25
    part = gk.inverse_dynamics(motion.at(np.arange(399_990, 400_003)))
    assert np.array_equal(whole.reactions["D"][:, 399_990:], part.reactions["D"])


def test_memory_is_used_again() -> None:
    motion = motion_of("four_bar")
    first = gk.inverse_dynamics(motion)
    expected = {joint: rows.copy() for joint, rows in first.reactions.items()}
    still = gk.inverse_dynamics(motion, velocities=False, out=first)
    assert not np.array_equal(still.reactions["D"], expected["D"])
    again = gk.inverse_dynamics(motion, out=still)
    assert again.memory is first.memory
    for joint, rows in expected.items():
        assert np.array_equal(again.reactions[joint], rows)
    without = replace(motion.program.mechanism, gravity=(0.0, 0.0))
    light = gk.inverse_dynamics(gk.solve(without, motion.times), velocities=False)
    assert all(not rows.any() for rows in light.reactions.values())
    for other in (gk.inverse_dynamics(motion, keep=["D"]), gk.inverse_dynamics(motion_of("four_bar", 7)), light):
        with pytest.raises(ArgumentError, match="same program"):
            gk.inverse_dynamics(motion, out=other)
