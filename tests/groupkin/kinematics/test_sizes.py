"""Mechanisms of any size move as the same of unit size, or are refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import GeometryError, LawError
from groupkin.kinematics.solver import solve
from groupkin.mechanism.files.reading import load
from groupkin.mechanism.laws.laws import Constant, Spline
from groupkin.mechanism.mechanism import Driver
from tests.support import oracle
from tests.support.mechanisms import four_bar
from tests.support.paths import EXAMPLES
from tests.support.random_mechanisms import resized, unsized

TIMES = np.linspace(0.0, 0.2, 5)

NAMES = ("four_bar", "jansen_leg", "spatial_four_bar", "geared_press", "stephenson_six_bar", "cam_roller")


@pytest.mark.parametrize("size", [1e-45, 1e-14, 1e-12, 1e12, 1e45])
@pytest.mark.parametrize("name", NAMES)
def test_examples_of_any_size_move_alike(name: str, size: float) -> None:
    mechanism = load(Path(EXAMPLES / f"{name}.toml"))
    motion = solve(mechanism, TIMES)
    other = unsized(solve(resized(mechanism, size), TIMES), size)
    # the same operations on other numbers: some rounding errors
    assert oracle.differences(other, oracle.of_motion(motion), motion.program.geometry.size).max() < 1e-12


def test_what_is_too_small_for_products_of_lengths_is_refused() -> None:
    points = {"A": (0.0, 0.0), "B": (0.0, 1e-60), "C": (3e-60, 2e-60), "D": (3e-60, 0.0)}
    with pytest.raises(GeometryError, match=r"is only 3e-60 m large; .* Check its unit of length"):
        solve(four_bar(points, [Driver("A", Constant(0.0))]), TIMES)


def test_ends_of_a_tiny_periodic_law_have_to_meet() -> None:
    times, values = (0.0, 1.0, 2.0, 3.0), (0.0, 1e-14, 2e-14, 1e-14)
    with pytest.raises(LawError, match="the last value"):
        Spline(times, values, degree=3, periodic=True)


def test_a_short_body_beside_a_very_long_one_keeps_its_length() -> None:
    """A coupler of 2,000 m and a rocker of 0.6 m: squares of both lengths leave few digits of the shorter one."""
    points = {"A": (0.0, 0.0), "B": (0.0, 0.3), "C": (2000.0, 0.6), "D": (2000.0, 0.0)}
    motion = gk.solve(four_bar(points, [gk.Driver("A", gk.Harmonic(amplitude=0.3, frequency=1.0))]), TIMES)
    rocker = motion.rotation("rocker")
    error = rocker @ np.swapaxes(rocker, 1, 2) - np.eye(2)
    assert np.abs(error).max() < 1e-11  # a rounding of 2,000 m is 4e-13 of 0.6 m


def test_axes_that_are_nearly_parallel_are_two() -> None:
    first = gk.Joint("A", "R", ("ground", "link"), point=(0, 0, 0), axis=(0.0, 0.0, 1.0))
    second = gk.Joint("B", "R", ("link", "hand"), point=(1, 0, 0), axis=(2e-8, 0.0, 1.0))
    drivers = [gk.Driver("A", gk.Ramp(1.0)), gk.Driver("B", gk.Ramp(2.0))]
    motion = gk.solve(gk.Mechanism(3, ["ground", "link", "hand"], [first, second], drivers), TIMES)
    assert gk.max_residual(motion) < 1e-14


def test_points_unlike_each_other_are_refused_where_all_joints_are_in_one() -> None:
    pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0))
    arm = gk.Body("arm", mass=1.0, center=(0.25, 0.0), points={"tip": (0.0, 1e20)})
    driver = gk.Driver("pin", gk.Ramp(1.0))
    with pytest.raises(GeometryError, match=r"'tip' is 1e.20 m away from the joints .* another point 0.25 m"):
        gk.solve(gk.Mechanism(2, ["frame", arm], [pin], [driver]), [0.0])
    rounded = replace(arm, points={"tip": (0.0, 1.0)}, center=(3e-17, 0.0))
    assert gk.solve(gk.Mechanism(2, ["frame", rounded], [pin], [driver]), [0.0]).solved.all()
