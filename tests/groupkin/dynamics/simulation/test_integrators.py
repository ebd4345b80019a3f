"""Compiled integrators: their order, scipy's method as an oracle, and stiff problems."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import ellipj, ellipk

import groupkin as gk
from groupkin.dynamics.simulation.integration import Found, integrate, tableau
from groupkin.dynamics.simulation.simulation import free_motion
from sglibrary.dynamics import explicit, rosenbrock
from sglibrary.dynamics.steps import AT, ENERGIES, GROWTH, NEXT, NUMBERS, STEP, STEPS, Integration
from tests.support.mechanisms import crank_rocker

Array = NDArray[np.float64]
GRAVITY, SWING, LAST = 9.81, 1.5, 2.0


def pendulum(**changes: object) -> gk.Mechanism:
    arm = gk.Body("arm", mass=2.0, center=(0.0, -0.8))
    pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0.0, 0.0))
    return gk.Mechanism(2, ["frame", arm], [pin], gravity=(0.0, -GRAVITY), **changes)  # type: ignore[arg-type]


def exact(times: Array) -> Array:
    w, k = np.sqrt(GRAVITY / 0.8), np.sin(0.5 * SWING)
    return np.asarray(2 * np.arcsin(k * ellipj(w * times + ellipk(k**2), k**2)[0]))


def with_steps(mechanism: gk.Mechanism, method: str, count: int, times: Array) -> Array:
    """Angles of a pendulum at some times, by steps of one length and any error."""
    free = free_motion(mechanism)
    found = np.zeros((2, times.size))
    found[0, 0] = SWING
    huge = np.full(2, 1e9)
    numbers = np.zeros(NUMBERS)
    numbers[GROWTH], numbers[ENERGIES] = 1.0, np.inf  # of any error
    run = Integration(
        numbers,
        np.array([1, 0, 0, 0, 0, 0]),
        found[:, :1].copy(),
        np.zeros((2, 1)),
        1e-3,
        huge,
        0.0,
        times,
        found,
    )
    explicit.begin(free.problem, free.room(1), run)
    for _ in range(count):
        run.numbers[STEP] = times[-1] / count
        if method == "explicit":
            explicit.advance(free.problem, free.room(1), run, tableau(), 1, False)
        else:
            rosenbrock.advance(free.problem, free.room(1), free.room(7), run, free.units, 1)
    assert run.numbers[AT] == times[-1]
    assert run.counts[NEXT] == times.size
    assert run.counts[STEPS] == count
    return found[0]


@pytest.mark.parametrize(("method", "order", "count"), [("explicit", 8, 10), ("implicit", 4, 120)])
def test_order_of_convergence(method: str, order: int, count: int) -> None:
    """At the end, and between the steps, where dense output has one order less over a step but not over all."""
    times = np.concatenate([np.linspace(0.0, 0.99 * LAST, 40), [LAST]])
    errors = [np.abs(with_steps(pendulum(), method, n, times) - exact(times)) for n in (count, 2 * count)]
    assert errors[1][-1] < 1e-6
    assert order - 0.7 < np.log2(errors[0][-1] / errors[1][-1]) < order + 1.5
    assert np.log2(errors[0].max() / errors[1].max()) > order - 0.8


def test_order_of_the_implicit_method_where_forces_depend_on_time() -> None:
    push = gk.JointForce("push", "pin", 6.0, law=gk.Harmonic(amplitude=1.0, frequency=0.8))
    oil = gk.JointSpring("oil", "pin", damping=0.7)
    mechanism, times = pendulum(forces=[push, oil]), np.array([0.0, LAST])
    reference = gk.simulate(mechanism, times, {"pin": SWING}, method="explicit", rtol=1e-13).joint("pin")[0, -1]
    errors = [abs(with_steps(mechanism, "implicit", n, times)[-1] - reference) for n in (60, 120)]
    assert 3.3 < np.log2(errors[0] / errors[1]) < 5.5


def test_the_explicit_method_takes_the_steps_of_scipy() -> None:
    """The same formulas with other choices of steps: as many evaluations, and as small an error."""
    times = np.linspace(0.0, 6.0, 31)
    errors = []
    for method in ("explicit", "DOP853"):
        motion = gk.simulate(pendulum(), times, {"pin": SWING}, method=method, rtol=1e-10)  # type: ignore[arg-type]
        errors.append(np.abs(motion.joint("pin")[0] - exact(times)).max())
    assert errors[0] < 3 * errors[1]
    assert errors[1] < 1e-8


def stiff_four_bar() -> gk.Mechanism:
    """A four-bar whose crank is held by a spring in oil that slows it down at 1e7 /s."""
    links = ("crank", "coupler", "rocker")
    bodies = ["ground", *(gk.Body(name, mass=1.0, center="middle", inertia=0.1) for name in links)]
    free = free_motion(replace(crank_rocker(), drivers=[gk.Driver("A")], bodies=bodies))
    mass = free.equations(0.0, np.array([float(free.program.drivers[0].reference)]), np.zeros(1))[0][0, 0]
    hold = gk.JointSpring("hold", "A", stiffness=2e7 * mass, position=1.0, damping=1e7 * mass)
    return replace(crank_rocker(), drivers=[gk.Driver("A")], bodies=bodies, gravity=(0.0, -9.81), forces=[hold])


def test_stiffness_is_recognized() -> None:
    """Explicit steps would be 3e-7 s long; the implicit method needs some dozens."""
    mechanism, times = stiff_four_bar(), np.linspace(0.0, 0.5, 6)
    free = free_motion(mechanism)
    found = Found(times, np.zeros((2, 6)), [(0, free)])
    calls: list[float] = []
    integrate(found, "auto", 1e-8, calls.append)
    assert len(calls) < 30
    tight = gk.simulate(mechanism, times, method="implicit", rtol=1e-10)
    assert np.allclose(found.values[0], tight.driver(0)[0], rtol=0, atol=1e-7)
    radau = gk.simulate(mechanism, times, method="Radau", rtol=1e-8)
    assert np.allclose(found.values[0], radau.driver(0)[0], rtol=0, atol=1e-6)
