"""Harmonics, and the orders of engines by superposition and as one mechanism."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import ArgumentError

Array = NDArray[np.float64]

MASS, CRANK, ROD, SPEED = 0.5, 0.04, 0.14, 2 * np.pi * 50
TURN = np.linspace(0.0, 1 / 50, 361)


def engine(cranks: list[float]) -> gk.Mechanism:
    """Cylinders in line, whose cranks stand at these angles, all along x; the pistons have the only masses."""
    bodies: list[gk.Body | str] = ["block", "shaft"]
    joints = [gk.Joint("main", "R", ("block", "shaft"), point=(0.0, 0.0))]
    for k, angle in enumerate(cranks):
        pin = CRANK * np.array([np.cos(angle), np.sin(angle)])
        wrist = pin[0] + np.sqrt(ROD**2 - pin[1] ** 2)
        bodies += [f"rod {k}", gk.Body(f"piston {k}", mass=MASS, center=(wrist, 0.0))]
        joints += [
            gk.Joint(f"big end {k}", "R", ("shaft", f"rod {k}"), point=tuple(pin)),
            gk.Joint(f"pin {k}", "R", (f"rod {k}", f"piston {k}"), point=(wrist, 0.0)),
            gk.Joint(f"bore {k}", "P", ("block", f"piston {k}"), point=(wrist, 0.0), axis=(1.0, 0.0)),
        ]
    return gk.Mechanism(2, bodies, joints, [gk.Driver("main", gk.Ramp(rate=SPEED))])


def shaking(cranks: list[float]) -> Array:
    return gk.inverse_dynamics(engine(cranks), TURN).shaking().force[:, 0]


def superposed(cranks: list[float]) -> Array:
    one = shaking([0.0])[:-1]
    total = np.sum([np.roll(one, -round(np.degrees(angle))) for angle in cranks], axis=0)
    return np.append(total, total[0])


ENGINES = {
    "single": [0.0],
    "twin": [0.0, np.pi],
    "three": [0.0, 2 * np.pi / 3, 4 * np.pi / 3],
    "inline four": [0.0, np.pi, np.pi, 0.0],
}


@pytest.mark.parametrize("name", ENGINES)
def test_orders_of_engines(name: str) -> None:
    """With ratio a = crank / rod, orders of one cylinder are 1, a + a³/4 + ..., 0, -a³/4 - ... times m r w²."""
    cranks = ENGINES[name]
    force = shaking(cranks)
    unit, a = MASS * CRANK * SPEED**2, CRANK / ROD
    assert np.allclose(force, superposed(cranks), rtol=0, atol=1e-9 * unit)
    found = gk.harmonics(force, 6).amplitudes / unit
    orders = {1: 1.0, 2: a + a**3 / 4 + 15 * a**5 / 128, 4: a**3 / 4 + 3 * a**5 / 16}
    for order in range(1, 7):
        times = abs(sum(np.exp(1j * order * angle) for angle in cranks))
        if order in orders:
            assert found[order] == pytest.approx(times * orders[order], abs=2e-4)
        elif order % 2:
            assert found[order] < 1e-9


def test_phases_and_vectors() -> None:
    t = np.linspace(0.0, 2 * np.pi, 61)
    values = np.stack([1.0 + 2.0 * np.cos(3 * t + 0.4), 0.5 * np.sin(t)], axis=1)
    found = gk.harmonics(values, 4)
    assert np.allclose(found.amplitudes, [[1, 0], [0, 0.5], [0, 0], [2, 0], [0, 0]], atol=1e-12)
    assert found.phases[3, 0] == pytest.approx(0.4)
    assert found.phases[1, 1] == pytest.approx(-np.pi / 2)


@pytest.mark.parametrize(
    ("values", "orders", "message"),
    [
        ([1.0, 2.0], 1, "at least four"),
        ([0.0, 1.0, 2.0, 3.0, 4.0], 1, "last value must be the first again"),
        ([0.0, 1.0, 0.0, -1.0, 0.0], 2, "orders below 2"),
        ([0.0, np.nan, 0.0, -1.0, 0.0], 1, "finite"),
    ],
)
def test_what_is_no_period_is_refused(values: list[float], orders: int, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        gk.harmonics(values, orders)
