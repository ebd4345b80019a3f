"""Many simulations side by side: the bits of single ones, whatever is beside them; those that are refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.dynamics.simulation import many_simulations
from groupkin.dynamics.simulation.integration import Found, integrate
from groupkin.dynamics.simulation.simulation import free_motion
from groupkin.errors import ArgumentError, SimulationError, UnknownNameError
from tests.support.mechanisms import four_bar

Array = NDArray[np.float64]


def double_pendulum() -> gk.Mechanism:
    """Two free coordinates, on a slider that a law moves, with a spring and a force that depends on time."""
    slider = gk.Body("slider", mass=1.0, center=(0.0, 0.0))
    arms = [gk.Body(name, mass=1.0, center=(0.0, y), inertia=0.1) for name, y in (("upper", -0.5), ("lower", -1.5))]
    joints = [
        gk.Joint("guide", "P", ("frame", "slider"), point=(0.0, 0.0), axis=(1.0, 0.0)),
        gk.Joint("A", "R", ("slider", "upper"), point=(0.0, 0.0)),
        gk.Joint("B", "R", ("upper", "lower"), point=(0.0, -1.0)),
    ]
    moved = gk.Driver("guide", gk.Harmonic(amplitude=0.1, frequency=0.7))
    push = gk.Force("push", "lower", (0.0, -2.0), (3.0, 0.0), law=gk.Harmonic(amplitude=1.0, frequency=1.1))
    spring = gk.Spring("spring", ("frame", "lower"), ((1.0, 1.0), (0.0, -1.5)), 5.0, length=1.0, damping=0.3)
    drivers = [moved, gk.Driver("A"), gk.Driver("B")]
    return gk.Mechanism(
        2, ["frame", slider, *arms], joints, drivers, gravity=(0.0, -9.81), forces=[push, spring], name="double"
    )


def swinging(points: dict[str, tuple[float, float]], free: str = "A") -> gk.Mechanism:
    links = ("crank", "coupler", "rocker")
    bodies = ["ground", *(gk.Body(name, mass=1.0, center="middle", inertia=0.1) for name in links)]
    return replace(four_bar(points, [gk.Driver(free)]), bodies=bodies, gravity=(0.0, -9.81))


CRANK_ROCKER = {"A": (0.0, 0.0), "B": (1.0, 0.0), "C": (3.0, 2.5), "D": (4.0, 0.0)}
NO_LINK_TURNS = {"A": (0.0, 0.0), "B": (0.0, 2.0), "C": (1.8, 3.0), "D": (3.0, 0.0)}


def singly(mechanism: gk.Mechanism, times: Array, start: Array) -> Array:
    """Integrate from one state (2 f,): coordinates and rates (2 f, t)."""
    found = Found(times, np.zeros((start.size, times.size)), [(0, free_motion(mechanism))])
    found.values[:, 0] = start
    integrate(found, "auto", 1e-9, None)
    return found.values


@pytest.mark.parametrize("mechanism", [double_pendulum(), swinging(CRANK_ROCKER)], ids=["double pendulum", "four-bar"])
def test_bits_are_those_of_single_simulations(mechanism: gk.Mechanism, monkeypatch: pytest.MonkeyPatch) -> None:
    times, rng, names = np.linspace(0.0, 2.0, 7), np.random.default_rng(1), free_motion(mechanism).names
    starts = {name: rng.uniform(-0.7, 0.7, (11, 2)) for name in names}
    found = gk.simulate_many(mechanism, times, starts, rtol=1e-9)
    assert found.solved.all()
    assert found.coordinates == tuple(names)
    for k in range(11):
        start = np.concatenate([[starts[name][k, i] for name in names] for i in (0, 1)])
        assert np.array_equal(np.concatenate([found.values[k], found.rates[k]]), singly(mechanism, times, start))
    for lanes in (1, 3):
        monkeypatch.setattr(many_simulations, "LANES", lanes)
        assert np.array_equal(gk.simulate_many(mechanism, times, starts, rtol=1e-9).values, found.values)
    motion = gk.simulate(mechanism, times, {name: starts[name][4] for name in names}, rtol=1e-9)
    assert np.array_equal(found.motion(4).q, motion.q)
    body = mechanism.movable[-1]
    assert np.array_equal(found.read(f"position {body}")[4], motion.position(body))


def test_those_that_need_more_are_simulated_singly() -> None:
    """No hinge of this four-bar turns around, so that its coordinates change on the way."""
    mechanism, times = swinging(NO_LINK_TURNS), np.linspace(0.0, 2.0, 5)
    found = gk.simulate_many(mechanism, times, {"A": [[0.1, 0.0], [0.0, 2.0]]})
    expected = gk.simulate(mechanism, times, {"A": (0.0, 2.0)})
    assert 1 in found._singly
    assert np.array_equal(found.motion(1).q, expected.q)
    assert np.allclose(found.values[1], expected.joint("A"), rtol=0, atol=1e-12)


def test_a_start_that_cannot_be_assembled_has_a_message() -> None:
    mechanism = swinging(CRANK_ROCKER, "D")
    found = gk.simulate_many(mechanism, [0.0, 0.1], {"D": [0.0, 1.2, 0.05]})
    assert found.solved.tolist() == [True, False, True]
    assert "cannot be assembled with D = 1.2" in found.messages[1]
    assert np.isnan(found.values[1, :, 1:]).all()
    assert np.isnan(found.read("angle crank")[1]).all()
    assert np.isfinite(found.read("angle crank")[[0, 2]]).all()
    with pytest.raises(SimulationError, match=r"cannot be assembled with D = 1.2"):
        found.motion(1)


def test_starts_are_checked() -> None:
    mechanism = double_pendulum()
    for starts in ({}, {"A": 1.0}, {"A": [[1.0, 2.0, 3.0]]}, {"A": [1.0], "B": [1.0, 2.0]}, {"A": [np.nan]}, {"A": []}):
        with pytest.raises(ArgumentError, match="starts must name free coordinates"):
            gk.simulate_many(mechanism, [0.0, 1.0], starts)
    with pytest.raises(UnknownNameError, match="no freedom 'C'"):
        gk.simulate_many(mechanism, [0.0, 1.0], {"C": [1.0]})
    with pytest.raises(ArgumentError, match="start names 'guide', which is not free"):
        gk.simulate_many(mechanism, [0.0, 1.0], {"guide": [1.0]})
