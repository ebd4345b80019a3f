"""Pairs beyond R, P, C, U and S: in the tree of a group, as a cut and driven; and textbook cases of them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from groupkin.errors import DeterminedByCountOnlyError, SolveError
from groupkin.kinematics.check import max_residual
from groupkin.kinematics.motion import Motion
from groupkin.kinematics.solver import solve
from tests import oracle
from tests.mechanisms import HIGHER, JIT, Workshop

Array = NDArray[np.float64]

TIMES = np.linspace(0.0, 0.4, 41 if JIT else 5)
EVERY = [pytest.param(d, name, id=f"{name} {d}D") for d in HIGHER for name in HIGHER[d]]


def moved(dimension: int, name: str, times: Array = TIMES) -> Motion:
    """A group between two moving bodies, with the first random geometry that lets it move."""
    enough = 0.02 if "rods" in name else 0.1  # lines of five or six rods are often nearly dependent
    for seed in range(40):
        shop = Workshop(dimension, np.random.default_rng(seed), amplitude=0.1)
        shop.grow(HIGHER[dimension][name], [shop.moving_body(), shop.moving_body(), "ground"])
        try:
            motion = solve(shop.mechanism(), times)
        except (DeterminedByCountOnlyError, SolveError):
            continue
        if motion.conditioning.min() > enough:
            return motion
    raise AssertionError(f"{name} cannot be moved")


@pytest.mark.parametrize(("dimension", "name"), EVERY)
def test_every_pair_moves_as_the_oracle_says(dimension: int, name: str) -> None:
    motion = moved(dimension, name)
    assert max_residual(motion) < 1e-10
    chosen = [0, TIMES.size // 2, TIMES.size - 1]
    expected = oracle.of_poses(oracle.solve(motion.program.mechanism, TIMES[chosen]))
    found = {b: (o[:, chosen], r[:, chosen]) for b, (o, r) in oracle.of_motion(motion).items()}
    gaps = oracle.differences(found, expected, motion.program.geometry.size)
    # rounding errors are divided by the conditioning, in velocities and accelerations once more
    assert gaps[0] < 1e-10 / motion.conditioning.min()
    assert gaps[1:].max() < 1e-9 / motion.conditioning.min() ** 2


@pytest.mark.parametrize(("dimension", "name"), EVERY)
def test_rates_are_the_derivatives(dimension: int, name: str) -> None:
    """By central differences of fourth order; their error is that of rounding, over h, and of the fifth derivative."""
    h = 3e-4
    motion = moved(dimension, name, h * np.arange(5.0))

    def slope(values: Array) -> Array:
        return np.asarray((values[0] - 8 * values[1] + 8 * values[3] - values[4]) / (12 * h))

    for body in motion.program.mechanism.movable:
        points = motion.position(body), motion.velocity(body), motion.acceleration(body)
        turns = tuple(motion.rotation_rate(body, order) for order in range(3))
        for values in (points, turns):
            for lower, higher in pairwise(values):
                np.testing.assert_allclose(slope(lower), higher[2], atol=1e-6 * (1.0 + np.abs(values[2]).max()))
