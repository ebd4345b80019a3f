"""Positions of rest: where slow motions come to, by closed formulas and by simulations in thick oil."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import groupkin as gk
from groupkin.dynamics.vibrations.downhill import downhill
from groupkin.errors import SimulationError


def lever() -> gk.Mechanism:
    """A lever over a spring whose upright rest is unstable, and which rests at ±1.252973 rad."""
    bar = gk.Body("bar", mass=0.2, center=(0, 0.1), inertia=1e-3)
    spring = gk.Spring("s", ("frame", "bar"), ((0, -0.1), (0, 0.2)), stiffness=500.0, length=0.25)
    return gk.Mechanism(2, ["frame", bar], [gk.Joint("h", "R", ("frame", "bar"), point=(0, 0))], forces=[spring])


@pytest.mark.parametrize("start", [1e-6, 0.05, 0.3, 0.6, 1.0, 2.0, 3.0])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_lever_falls_to_the_side_where_it_is(start: float, side: float) -> None:
    """The spring is as long as it is without force: 0.05 + 0.04 cos z = 0.0625."""
    rest = gk.equilibrium(lever(), {"h": side * start})
    assert rest.stable
    assert rest.position[0] == pytest.approx(side * np.arccos((0.0625 - 0.05) / 0.04), abs=1e-6)


def test_a_start_at_rest_stays_and_says_that_it_is_not_stable() -> None:
    rest = gk.equilibrium(lever())
    assert rest.position[0] == 0.0
    assert not rest.stable
    assert "not stable" in rest.text()


def test_what_falls_without_end_has_no_rest() -> None:
    stone = gk.Body("stone", mass=1.0, center=(0.0, 0.0))
    shaft = gk.Joint("shaft", "P", ("frame", "stone"), point=(0, 0), axis=(0, 1))
    with pytest.raises(SimulationError, match="no position of rest"):
        gk.equilibrium(gk.Mechanism(2, ["frame", stone], [shaft], gravity=(0.0, -9.81)))


def test_two_arms_rest_where_they_come_to_rest_in_oil() -> None:
    bodies = [gk.Body("a", mass=1.2, center=(0.3, -0.25), inertia=0.02), gk.Body("b", mass=0.7, center=(0.6, -0.6))]
    joints = [gk.Joint("A", "R", ("frame", "a"), point=(0, 0)), gk.Joint("B", "R", ("a", "b"), point=(0.3, -0.5))]
    springs = [gk.JointSpring(f"oil {name}", name, stiffness=0.5, damping=20.0) for name in "AB"]
    arms = gk.Mechanism(2, ["frame", *bodies], joints, gravity=(0.0, -9.81), forces=springs)
    for start in ({"A": 1.5, "B": 0.5}, {"A": -1.2, "B": 2.0}, {"A": 2.2, "B": -2.0}):
        slow = gk.simulate(arms, [0.0, 400.0], start, method="implicit", rtol=1e-6)
        rest = gk.equilibrium(replace(arms, drivers=[gk.Driver("A"), gk.Driver("B")]), start)
        assert rest.stable
        assert np.allclose(rest.position, [slow.joint("A")[0, -1], slow.joint("B")[0, -1]], atol=1e-4)


@pytest.mark.parametrize("seed", range(12))
def test_no_ridge_is_crossed(seed: int) -> None:
    """Of V = (x² + y - 11)² + (x + y² - 7)² (Himmelblau 1972), in lengths of which steps are small, as a slow flow."""
    unit = 20.0

    def force(z: np.ndarray) -> np.ndarray:
        x, y = unit * z
        a, b = x * x + y - 11.0, x + y * y - 7.0
        return -unit * np.array([4.0 * x * a + 2.0 * b, 2.0 * a + 4.0 * y * b])

    start = np.random.default_rng(seed).uniform(-0.25, 0.25, 2)
    flow = solve_ivp(lambda _, z: force(z) / unit**2, (0.0, 50.0), start, "LSODA", rtol=1e-8, atol=1e-10)
    found = downhill(force, start)
    assert found is not None
    assert np.abs(force(found)).max() < 1e-3
    assert np.allclose(found, flow.y[:, -1], rtol=0, atol=1e-5)


def test_gears_are_drawn_past_each_other() -> None:
    """The distance of two gears' centers, drawn beyond each other by a spring, is negative at rest."""
    bodies = ["frame", gk.Body("gear", mass=1.0, center=(0.3, 0.1), inertia=0.1)]
    mesh = gk.Joint("mesh", "EO", ("frame", "gear"), points=((0, 0), (0.3, 0)), radii=(0.1, 0.2))
    pull = gk.Spring(name="pull", between=("frame", "gear"), points=((-0.3, 0), (0.3, 0)), stiffness=100.0, length=0.0)
    rest = gk.equilibrium(gk.Mechanism(2, bodies, [mesh], forces=[pull]), {"mesh.angle": 0.1}).motion
    np.testing.assert_allclose(rest.joint("mesh")[:, 0], [0.0, -0.3], rtol=0, atol=1e-9)
    np.testing.assert_allclose(rest.position("gear"), [[-0.3, 0.0]], rtol=0, atol=1e-9)
