"""Simulations in steps of one length, as real-time simulators take them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import ArgumentError, EnergyError
from groupkin.kinematics.motion.residuals import max_residual
from tests.support.loaded import loaded
from tests.support.paths import EXAMPLES

Array = NDArray[np.float64]

METHODS = ("explicit", "implicit")
TIMES = np.linspace(0.0, 1.0, 41)


def pendulum(**more: object) -> gk.Mechanism:
    arm = gk.Body("arm", mass=1.0, center=(1.0, 0.0), inertia=0.1)
    pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0.0, 0.0))
    return gk.Mechanism(2, ["frame", arm], [pin], gravity=(0.0, -9.81), **more)  # type: ignore[arg-type]


def shaken() -> gk.Mechanism:
    """A pendulum on a slide that a law moves, with a spring."""
    joints = [
        gk.Joint("rail", "P", ("frame", "slide"), point=(0.0, 0.0), axis=(1.0, 0.0)),
        gk.Joint("pin", "R", ("slide", "arm"), point=(0.0, 0.0)),
    ]
    arm = gk.Body("arm", mass=1.0, center=(1.0, 0.0), inertia=0.1)
    spring = gk.JointSpring("spring", "pin", stiffness=5.0, damping=0.3)
    rail = gk.Driver("rail", gk.Harmonic(0.2, 7.0))
    return gk.Mechanism(
        2, ["frame", gk.Body("slide", mass=0.5, center=(0.0, 0.0), inertia=0.1), arm], joints, [rail],
        gravity=(0.0, -9.81), forces=[spring],
    )  # fmt: skip


def four_bar() -> gk.Mechanism:
    return replace(loaded(gk.load(EXAMPLES / "four_bar.toml")), forces=(), drivers=())


MECHANISMS = {"pendulum": (pendulum, 0.02), "shaken": (shaken, 0.01), "four-bar": (four_bar, 0.004)}
"""With the longest step of three."""


def coordinates(motion: gk.Motion) -> Array:
    return np.concatenate([motion.q, motion.v])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", MECHANISMS)
def test_the_error_falls_with_the_fourth_power_of_the_step(name: str, method: str) -> None:
    make, longest = MECHANISMS[name]
    mechanism = make()
    right = coordinates(gk.simulate(mechanism, TIMES, rtol=1e-13))
    errors = []
    for step in (longest, longest / 2.0, longest / 4.0):
        motion = gk.simulate(mechanism, TIMES, method=method, step=step)  # type: ignore[arg-type]
        assert max_residual(motion) < 1e-12
        errors.append(np.abs(coordinates(motion) - right).max() / np.abs(right).max())
    assert errors[0] < 1e-3
    assert np.log2(errors[0] / errors[2]) / 2.0 > 3.6


@pytest.mark.parametrize("method", METHODS)
def test_samples_between_steps_and_a_last_one_that_is_shorter(method: str) -> None:
    right = gk.simulate(pendulum(), TIMES, rtol=1e-12).joint("pin")
    found = gk.simulate(pendulum(), TIMES, method=method, step=0.013).joint("pin")  # type: ignore[arg-type]
    np.testing.assert_allclose(found, right, rtol=0.0, atol=2e-6)


@pytest.mark.parametrize("method", METHODS)
def test_the_bits_are_the_same_for_any_samples(method: str) -> None:
    """The steps do not depend on what is written down."""
    few, many = (
        gk.simulate(pendulum(), np.linspace(0.0, 1.0, n), method=method, step=0.01)  # type: ignore[arg-type]
        for n in (2, 101)
    )
    np.testing.assert_array_equal(few.joint("pin")[:, -1], many.joint("pin")[:, -1])


@pytest.mark.parametrize("method", METHODS)
def test_events_are_those_of_finer_steps(method: str) -> None:
    low = [gk.Event("low", "joint pin", -np.pi / 2, terminal=True)]
    exact = gk.simulate(pendulum(), TIMES, rtol=1e-12, events=low)
    found = gk.simulate(pendulum(), TIMES, method=method, step=0.01, events=low)  # type: ignore[arg-type]
    assert found.events[0].time == pytest.approx(exact.events[0].time, abs=1e-6)
    assert found.times[-1] == found.events[0].time


def test_a_stiff_spring_needs_the_implicit_method() -> None:
    stiff = replace(pendulum(), forces=[gk.JointSpring("spring", "pin", stiffness=1e6, damping=1e5)])
    motion = gk.simulate(stiff, TIMES, method="implicit", step=0.02)
    assert np.abs(motion.joint("pin")).max() < 1e-4
    with pytest.raises(gk.GroupkinError):
        gk.simulate(stiff, TIMES, method="explicit", step=0.02)


def test_an_interrupted_simulation_goes_on_with_the_same_bits(tmp_path) -> None:  # type: ignore[no-untyped-def]
    whole = gk.simulate(pendulum(), TIMES, step=0.01)

    def interrupt(time: float) -> None:
        if time > 0.4:
            raise KeyboardInterrupt

    low = [gk.Event("low", "joint pin", -1.0)]  # so that single steps are looked at
    file = tmp_path / "kept.checkpoint"
    with pytest.raises(KeyboardInterrupt):
        gk.simulate(pendulum(), TIMES, step=0.01, events=low, checkpoint=file, progress=interrupt)
    again = gk.simulate(pendulum(), TIMES, step=0.01, events=low, checkpoint=file, resume=True)
    np.testing.assert_array_equal(again.joint("pin"), whole.joint("pin"))
    with pytest.raises(gk.GroupkinError, match="checkpoint"):
        gk.simulate(pendulum(), TIMES, step=0.005, events=low, checkpoint=file, resume=True)


def test_steps_that_are_too_long_are_told_by_their_energy() -> None:
    with pytest.raises(EnergyError, match="Take shorter steps"):
        gk.simulate(pendulum(), TIMES, step=0.4)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"step": 0.0}, "step must be a time"),
        ({"step": -1.0}, "step must be a time"),
        ({"step": np.nan}, "step must be a time"),
        ({"step": 1e-12}, "step must be a time"),
        ({"step": 1.01}, "step must be a time"),
        ({"step": "1"}, "step must be a number"),
        ({"step": 0.01, "rtol": 1e-5}, "no tolerances"),
        ({"step": 0.01, "atol": 1e-5}, "no tolerances"),
        ({"step": 0.01, "method": "RK45"}, '"explicit" or "implicit"'),
    ],
)
def test_what_is_no_step_is_refused(given: dict[str, object], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        gk.simulate(pendulum(), TIMES, **given)  # type: ignore[arg-type]


def test_iterated_groups_are_refused() -> None:
    triad = replace(loaded(gk.load(EXAMPLES / "planar_3rrr.toml")), forces=(), drivers=())
    with pytest.raises(ArgumentError, match="closed forms"):
        gk.simulate(triad, TIMES, step=0.01)
