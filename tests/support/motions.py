"""Motions that tests share: right ones, one that fails, and wrong ones."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.solver import solve
from groupkin.mechanism.files.reading import load
from groupkin.mechanism.laws.laws import Ramp
from groupkin.mechanism.mechanism import Driver
from tests.support import mechanisms
from tests.support.paths import EXAMPLES

TIMES = np.linspace(0.0, 1.0, 41)


@cache
def four_bar() -> Motion:
    return solve(load(EXAMPLES / "four_bar.toml"), TIMES)


@cache
def spatial() -> Motion:
    return solve(load(EXAMPLES / "spatial_four_bar.toml"), TIMES)


def out_of_reach() -> Motion:
    """A crank too long for its rocker, which stops following after some steps."""
    points = {"A": (0.0, 0.0), "B": (1.0, 0.0), "C": (2.0, 1.0), "D": (3.0, 0.0)}
    mechanism = mechanisms.four_bar(points, [Driver("A", Ramp(3.0))])
    return solve(mechanism, TIMES, on_failure="nan")


def disturbed(
    motion: Motion, name: str, amount: float, step: int | slice = slice(None), row: int | np.integer[Any] = -1
) -> Motion:
    """The motion with a wrong row in q, v or a; the last one is part of a direction."""
    values = getattr(motion, name).copy()
    values[row, step] += amount
    return replace(motion, **{name: values})


def assert_same_bits(first: Motion, second: Motion) -> None:
    """Let two motions have the same numbers, and be lost at the same steps."""
    for name in ("q", "v", "a", "status", "conditioning"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
