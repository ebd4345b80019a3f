"""Forces along motions of random mechanisms, and in the equations of motion, against their laws written once more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import groupkin as gk
from groupkin.dynamics.acting.acting import acting
from groupkin.dynamics.acting.contacts import touching
from tests.support.force_laws import amount, contact
from tests.support.line_by_line import line_by_line
from tests.support.random_loads import moved

SEEDS = [*range(6), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(6, 164))]
MATRIX = ((9.0, 2.0, -1.0), (2.0, 7.0, 0.5), (-1.0, 0.5, 4.0))
"""Stiffness (N/m), damping (N s/m) or torsion (N m/rad) whose principal axes are not the global ones."""


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("velocities", [True, False])
def test_forces_of_random_mechanisms_are_those_of_their_laws(seed: int, velocities: bool) -> None:
    with line_by_line():
        motion = moved(seed)
    if motion is None:
        pytest.skip("no geometry of this seed moves")
    for load in motion.program.mechanism.forces:
        if isinstance(load, gk.Friction):
            continue
        found, expected = acting(motion, load, velocities).amount, amount(motion, load, velocities)
        assert found.shape == expected.shape
        size = max(1.0, float(np.abs(expected).max()))
        assert np.abs(found - expected).max() <= 1e-11 * size / motion.conditioning.min(), load


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("velocities", [True, False])
def test_bushings_with_any_principal_axes_have_the_forces_of_their_matrices(dimension: int, velocities: bool) -> None:
    matrix, d = np.array(MATRIX), dimension
    turning = (3.0, 0.2) if d == 2 else (MATRIX, (0.1, 0.0, 0.3))
    linear = matrix[:d, :d].tolist(), (0.1 * matrix[:d, :d]).tolist()
    load = gk.Bushing("mount", ("frame", "arm"), (0.3, 0.1, 0.2)[:d], *linear, *turning)
    more = {"axis": (1.0, 2.0, 2.0)} if d == 3 else {}
    pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0.0,) * d, **more)  # type: ignore[arg-type]
    driver = gk.Driver("pin", gk.Harmonic(amplitude=0.7, frequency=0.5))
    motion = gk.solve(gk.Mechanism(d, ["frame", "arm"], [pin], [driver], forces=[load]), np.linspace(0.0, 2.0, 21))
    found = acting(motion, load, velocities)
    assert np.allclose(found.amount, amount(motion, load, velocities), rtol=0, atol=1e-12)
    if not velocities:  # energies are the work of elastic forces
        work = np.gradient(found.energy, motion.times)[2:-2]
        assert np.allclose(-found.power[2:-2], work, rtol=0, atol=0.1 * np.abs(work).max())


@pytest.mark.parametrize("velocities", [True, False])
def test_contacts_have_the_force_of_their_law(velocities: bool) -> None:
    floor = gk.Curve([(x, -1.0) for x in np.linspace(-5.0, 5.0, 20)])
    load = gk.Contact(
        "floor", ("frame", "ball"), (0.0, 0.0), 1.02, floor, stiffness=1e4, damping=0.5, coefficient=0.3, side="left"
    )
    joints = [
        gk.Joint("rail", "P", ("frame", "slider"), point=(0.0, 0.0), axis=(1.0, 0.1)),
        gk.Joint("pin", "R", ("slider", "ball"), point=(0.0, 0.0)),
    ]
    drivers = [gk.Driver("rail", gk.Harmonic(amplitude=0.3, frequency=1.0)), gk.Driver("pin", gk.Ramp(rate=2.0))]
    mechanism = gk.Mechanism(2, ["frame", "slider", "ball"], joints, drivers, forces=[load])
    motion = gk.solve(mechanism, np.linspace(0.0, 1.0, 41))
    touch = touching(motion, load, velocities)
    assert touch.gap.min() < 0.0 < touch.gap.max()
    expected = contact(load, touch.gap, touch.rates, velocities)
    assert np.allclose(touch.amounts, expected, rtol=1e-12, atol=1e-12)
    without = acting(motion, replace(load, coefficient=0.0), velocities)
    assert np.allclose(without.amount[0], expected[0], rtol=1e-12, atol=1e-12)
