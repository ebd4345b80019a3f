"""Couplings that repeat each other, as a closed train of gears states them: in the plane and in space."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import groupkin as gk
import routes
from groupkin.errors import MisfitError, NotDeterminedError
from groupkin.kinematics.motion.residuals import max_residual

TIMES = np.linspace(0.0, 1.0, 51)
TRAIN = ("{joint B} = -2 * {joint A}", "{joint C} = 3 * {joint B}", "{joint C} = -6 * {joint A}")


def shafts(dimension: int, *equations: str) -> gk.Mechanism:
    """Three shafts with weights, the first of which is driven."""
    up, inertia = (0.0,) * (dimension - 2), 0.2 if dimension == 2 else (0.2, 0.3, 0.4)
    axis = {} if dimension == 2 else {"axis": (0.0, 0.0, 1.0)}
    bodies = [
        gk.Body(name, mass=1.0 + k, center=(2.0 * k + 0.3, 0.2, *up), inertia=inertia) for k, name in enumerate("abc")
    ]
    joints = [gk.Joint(x, "R", ("frame", x.lower()), point=(2.0 * k, 0.0, *up), **axis) for k, x in enumerate("ABC")]
    couplings = [gk.Coupling(f"k{k}", equation) for k, equation in enumerate(equations, start=1)]
    drivers = [gk.Driver("A", gk.Harmonic(1.0, 3.0))]
    return gk.Mechanism(
        dimension, ["frame", *bodies], joints, drivers, couplings=couplings, gravity=(0.0, -9.81, *up)
    )  # fmt: skip


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("more", [TRAIN[2:], TRAIN[:1], (TRAIN[0], TRAIN[1])])
def test_what_is_stated_twice_changes_nothing(dimension: int, more: tuple[str, ...]) -> None:
    once, twice = shafts(dimension, *TRAIN[:2]), shafts(dimension, *TRAIN[:2], *more)
    found, expected = gk.solve(twice, TIMES), gk.solve(once, TIMES)
    assert max_residual(found) < 1e-14
    for name in "ABC":
        np.testing.assert_allclose(found.joint(name), expected.joint(name), rtol=0.0, atol=1e-13)
        np.testing.assert_allclose(found.joint_rate(name), expected.joint_rate(name), rtol=0.0, atol=1e-12)
    forces, known = gk.inverse_dynamics(found), gk.inverse_dynamics(expected)
    np.testing.assert_allclose(forces.driver("A"), known.driver("A"), rtol=1e-12, atol=1e-9)
    shared = routes.solve(found.program, TIMES, workers=2, split="time")
    assert shared is not None
    np.testing.assert_array_equal(shared.q, found.q)
    free, right = (gk.simulate(replace(each, drivers=()), TIMES[:11], {"A": 0.1}) for each in (twice, once))
    np.testing.assert_allclose(free.joint("C"), right.joint("C"), rtol=0.0, atol=1e-6)
    text = gk.analyze(twice).redundancies[0].text
    assert "couplings" in text
    assert "repeat each other" in text


@pytest.mark.parametrize("dimension", [2, 3])
def test_what_disagrees_is_refused_with_what_it_misses(dimension: int) -> None:
    with pytest.raises(NotDeterminedError):
        gk.solve(shafts(dimension, *TRAIN[:2], "{joint C} = -7 * {joint A}"), TIMES)
    nearly = shafts(dimension, *TRAIN[:2], "{joint C} = -6.00001 * {joint A}")
    with pytest.raises(MisfitError, match="agree to") as caught:
        gk.solve(nearly, TIMES)
    assert 1e-8 < caught.value.misfit < 1e-4
    motion = gk.solve(replace(nearly, misfit=1e-3), TIMES)
    assert motion.solved.all()
    assert max_residual(motion) < 1e-3
