"""Whole turns of angles that no driver gives, in steps so long that positions alone do not tell them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import GroupkinWarning
from tests.support.mechanisms import four_bar


def drag_link() -> gk.Mechanism:
    """Ground 1, crank 3, coupler 2.6, follower 2.8: crank and follower turn fully."""
    b, d = 3.0 * np.array([np.cos(0.5), np.sin(0.5)]), np.array([1.0, 0.0])
    away = np.linalg.norm(d - b)
    along = (2.6**2 - 2.8**2 + away**2) / (2 * away)
    x, y = (d - b) / away
    c = b + along * np.array([x, y]) + np.sqrt(2.6**2 - along**2) * np.array([-y, x])
    points = {"A": (0.0, 0.0), "B": tuple(b), "C": tuple(c), "D": (1.0, 0.0)}
    return four_bar(points, [gk.Driver("A", gk.Ramp(1.0))])


STEPS = {
    "4 rad": np.arange(0.0, 60.0, 4.0),
    "whole turns": 2 * np.pi * np.arange(10.0),
    "uneven": np.array([0.0, 1.0, 2.0, 3.0, 2 * np.pi, 20.0, 20.1, 50.0]),
    "backward": np.array([50.0, 46.0, 3.0, 0.0]),
}
HINGES = ("A", "B", "C", "D")
"""Joints of a four-bar."""


@pytest.mark.complete
@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("evaluated", [False, True])
def test_long_steps_lose_no_turns(name, evaluated):
    mechanism, times = drag_link(), STEPS[name]
    every = np.unique(np.concatenate([np.arange(0.0, 60.0, 0.05), times]))
    fine, at = gk.solve(mechanism, every), np.searchsorted(every, times)
    with warnings.catch_warnings():
        warnings.simplefilter("error", GroupkinWarning)
        coarse = gk.program(mechanism).evaluate([times], path=True) if evaluated else gk.solve(mechanism, times)
        for read in [f"joint {joint}" for joint in HINGES] + ["angle rocker", "angle coupler"]:
            expected = fine.read(read)[at]
            # the first of the times is read next to the reference
            expected = expected - 2 * np.pi * np.round((expected[0] - coarse.read(read)[0]) / (2 * np.pi))
            np.testing.assert_allclose(coarse.read(read), expected, rtol=0, atol=1e-12)


def test_turns_that_cannot_be_told_are_said():
    """Of many designs at once nothing is solved between the times."""
    mechanism = drag_link()
    design = gk.design(mechanism, ["C@coupler"])
    with pytest.warns(GroupkinWarning, match="joint 'D'"):
        design.solve(design.nominal[None], STEPS["4 rad"], keep=["joint D"])
    with warnings.catch_warnings():
        warnings.simplefilter("error", GroupkinWarning)
        many = design.solve(design.nominal[None], np.arange(0.0, 60.0, 0.5), keep=["joint D"])
    one = gk.solve(mechanism, np.arange(0.0, 60.0, 0.5))
    np.testing.assert_allclose(many.read("joint D")[0].ravel(), one.joint("D")[0], rtol=0, atol=1e-11)


def test_a_joint_spring_on_a_follower_counts_its_turns():
    mechanism = drag_link()
    spring = gk.JointSpring("spring", joint="D", stiffness=2.0)
    loaded = gk.Mechanism(
        2, mechanism.bodies, mechanism.joints, mechanism.drivers, points=mechanism.points, forces=[spring]
    )
    times = STEPS["4 rad"]
    every = np.unique(np.concatenate([np.arange(0.0, 60.0, 0.1), times]))
    torque = gk.inverse_dynamics(gk.solve(loaded, times)).driving("A")
    finer = gk.inverse_dynamics(gk.solve(loaded, every)).driving("A")[np.searchsorted(every, times)]
    np.testing.assert_allclose(torque, finer, rtol=0, atol=1e-9)
