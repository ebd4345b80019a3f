"""Harmonics, and the orders of engines by superposition and as one mechanism."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import ArgumentError
from tests.support.examples import described

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


A = CRANK / ROD
ORDERS = {1: 1.0, 2: A + A**3 / 4 + 15 * A**5 / 128, 4: -(A**3) / 4 - 3 * A**5 / 16}
"""Of the acceleration of a piston by r ω², to the fifth power of the ratio of crank and rod."""

AXIAL = {
    "inline_four": ("z", [(0.135, 0.0, 1), (0.045, np.pi, 1), (-0.045, np.pi, 1), (-0.135, 0.0, 1)]),
    "three_cylinder": ("z", [(0.09, 0.0, 1), (0.0, 2 * np.pi / 3, 1), (-0.09, 4 * np.pi / 3, 1)]),
    "boxer_four": ("y", [(0.075, 0.0, 1), (0.045, 0.0, -1), (-0.045, np.pi, 1), (-0.075, np.pi, -1)]),
}
"""Direction of the cylinders; places along the crankshaft, angles of the cranks from their cylinders, and senses."""

TEXTBOOK = {  # by m r ω², and with the spacing of the cylinders by its product: orders 1, 2 and 4
    "inline_four": ({2: 4.0, 4: 4.0}, {}),
    "three_cylinder": ({}, {1: np.sqrt(3) * 0.09, 2: np.sqrt(3) * 0.09, 4: np.sqrt(3) * 0.09}),
    "boxer_four": ({}, {2: 2 * 0.03, 4: 2 * 0.03}),
}
"""Free forces and rocking couples of engines, as shares of those of a single cylinder."""


@pytest.mark.parametrize("name", AXIAL)
def test_engines_have_their_textbook_forces_and_couples(name: str) -> None:
    """As one mechanism, and as one cylinder at the angles of all: F = Σ s f(φ + δ), couples Σ x s f(φ + δ)."""
    file = described(name)
    forces = gk.inverse_dynamics(file.mechanism, file.motion.times)
    whole, unit = forces.shaking(), MASS * CRANK * SPEED**2
    along, cylinders = AXIAL[name]
    axis = "xyz".index(along)
    couple = whole.moment[:, 1] * -1 if along == "z" else whole.moment[:, 2]  # x F about the transverse axis
    for k in range(3):
        if k != axis:
            assert np.abs(whole.force[:, k]).max() < 1e-9 * unit
    one = shaking([0.0])[:-1]
    each = [sense * np.roll(one, -round(np.degrees(angle))) for _, angle, sense in cylinders]
    assert np.allclose(np.sum(each, axis=0), whole.force[:-1, axis], rtol=0, atol=1e-7 * unit)
    arms = [x for x, _, _ in cylinders]
    assert np.allclose(np.sum([x * f for x, f in zip(arms, each, strict=True)], axis=0), couple[:-1], atol=1e-7 * unit)
    for values, wanted in zip((whole.force[:, axis], couple), TEXTBOOK[name], strict=True):
        found = gk.harmonics(values, 4)
        for order in range(1, 5):
            expected = wanted.get(order, 0.0) * ORDERS.get(order, 0.0) * unit
            assert found.amplitudes[order] == pytest.approx(abs(expected), abs=0.2 * A**7 * len(cylinders) * unit), (
                order
            )
            if name != "three_cylinder" and expected:
                assert np.cos(found.phases[order]) == pytest.approx(np.sign(expected))


def test_the_torque_of_inertia_is_that_of_textbooks() -> None:
    """½ m r² ω² (a/2 sin φ - sin 2φ - 3a/2 sin 3φ - a²/2 sin 4φ) turns the shaft: an inline-four keeps even orders."""
    file = described("inline_four")
    torque = -gk.inverse_dynamics(file.mechanism, file.motion.times).driver("main")
    found = gk.harmonics(torque, 4)
    unit = 0.5 * MASS * CRANK**2 * SPEED**2
    wanted = np.array([0.0, 0.0, 4.0, 0.0, 2 * A**2])  # up to a⁴, which is 0.007
    assert found.amplitudes / unit == pytest.approx(wanted, abs=0.01)
    assert found.phases[2] == pytest.approx(np.pi / 2)  # - sin 2φ


@pytest.mark.smoke
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
