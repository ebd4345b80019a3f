"""Laws as numbers: the values of formulas and of scipy's splines, and what the state is loaded with."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.interpolate import BPoly, CubicSpline, make_interp_spline

import groupkin as gk
from groupkin.errors import LawError
from groupkin.kinematics.program.program import Driven
from groupkin.kinematics.solving.driver_values import drivers_at, drivers_of
from groupkin.mechanism.laws.laws import Law
from sglibrary.convention import kernel
from sglibrary.laws import OTHER
from sglibrary.run.calls import State, load
from sglibrary.trigonometry import cosine_sine

Array = NDArray[np.float64]
TIMES = np.linspace(-1.0, 3.0, 1001)

KNOTS = np.array([-1.0, -0.2, 0.1, 0.5, 1.7, 2.0, 3.0])
RNG = np.random.default_rng(5)
VALUES, RATES, GAINS = RNG.normal(size=(3, KNOTS.size))
SERIES = (0.3, (0.1, 0.2), (0.3, -0.1, 0.05, 0.2), 0.7)
ROUND = np.append(VALUES[:-1], VALUES[0])


def derivatives(curve: Callable[..., Array], times: Array = TIMES) -> Array:
    return np.stack([curve(times, order) for order in range(3)])


def polynomial(*rising: float) -> Array:
    found = np.polynomial.Polynomial(rising)
    return np.stack([found.deriv(k)(TIMES) if k else found(TIMES) for k in range(3)])


def fourier(f: float, cosine: tuple[float, ...], sine: tuple[float, ...], offset: float) -> Array:
    w = 2 * np.pi * f
    out = np.zeros((3, TIMES.size))
    out[0] = offset
    for amplitudes, phase in ((cosine, np.pi / 2), (sine, 0.0)):
        for k, a in enumerate(amplitudes, 1):
            for order in range(3):
                out[order] += a * (k * w) ** order * np.sin(k * w * TIMES + phase + order * np.pi / 2)
    return out


CASES: dict[str, tuple[Law, Array]] = {
    "constant": (gk.Constant(0.4), polynomial(0.4)),
    "ramp": (gk.Ramp(0.7, -0.2), polynomial(-0.2, 0.7)),
    "polynomial": (gk.Polynomial((0.1, -2.0, 0.5, 0.3, 0.01, -0.2)), polynomial(0.1, -2.0, 0.5, 0.3, 0.01, -0.2)),
    "polynomial of degree 0": (gk.Polynomial((0.1,)), polynomial(0.1)),
    "harmonic": (gk.Harmonic(0.3, 1.7, 0.2, 0.1), 0.3 * fourier(1.7, (np.sin(0.2),), (np.cos(0.2),), 1 / 3)),
    "fourier": (
        gk.Fourier(0.3, (0.1, 0.2), (0.3, -0.1, 0.05, 0.2), 0.7),
        fourier(0.3, (0.1, 0.2), (0.3, -0.1, 0.05, 0.2), 0.7),
    ),
    "no terms": (gk.Fourier(0.3, offset=0.7), polynomial(0.7)),
    "cubic": (gk.Spline(KNOTS, VALUES), derivatives(make_interp_spline(KNOTS, VALUES, k=3))),
    "quintic": (gk.Spline(KNOTS, VALUES, degree=5), derivatives(make_interp_spline(KNOTS, VALUES, k=5))),
    "periodic": (
        gk.Spline(KNOTS / 4, ROUND, periodic=True),
        derivatives(CubicSpline(KNOTS / 4, ROUND, bc_type="periodic")),
    ),
    "samples": (
        gk.Samples(KNOTS, VALUES, RATES, GAINS),
        derivatives(BPoly.from_derivatives(KNOTS, np.stack([VALUES, RATES, GAINS], axis=1))),
    ),
}


@pytest.mark.smoke
@pytest.mark.parametrize(("law", "expected"), CASES.values(), ids=CASES)
def test_values_rates_and_accelerations(law: Law, expected: Array) -> None:
    found = law.at(TIMES)
    for x, y in zip(found, expected, strict=True):
        assert np.abs(x - y).max() <= 1e-12 * max(1.0, np.abs(y).max())  # sums of some ten terms


@pytest.mark.parametrize("law", [law for law, _ in CASES.values()], ids=CASES)
def test_times_in_any_order_and_one_by_one_give_the_same_bits(law: Law) -> None:
    order = np.random.default_rng(0).permutation(TIMES.size)
    whole = law.at(TIMES)
    assert np.array_equal(law.at(TIMES[order]), whole[:, order])
    assert np.array_equal(np.concatenate([law.at(t) for t in TIMES[:50]], axis=1), whole[:, :50])


@pytest.mark.parametrize("name", ["cubic", "quintic", "samples"])
def test_splines_are_not_extrapolated_but_a_rounded_end_is_forgiven(name: str) -> None:
    law = CASES[name][0]
    assert np.isfinite(law.at([3.0 + 1e-13])).all()
    for t in (-1.001, 3.001):
        with pytest.raises(LawError, match="samples cover -1 s to 3 s"):
            law.at([0.0, t])
    with pytest.raises(LawError, match="times must be numbers in seconds"):
        law.at([0.0, np.nan])


def test_all_laws_are_loaded_as_they_are_evaluated() -> None:
    """Laws as numbers in one table, among them one that is evaluated elsewhere."""

    @kernel
    def loaded(times, drivers, state, first, n):  # type: ignore[no-untyped-def]
        load(times, drivers, state, first, n)

    class Own(Law):
        def at(self, times):  # type: ignore[no-untyped-def]
            t = np.atleast_1d(times)
            return np.stack([np.exp(t), np.exp(t), np.exp(t)])

    laws = [Own(), *(law for law, _ in CASES.values())]
    driven = [Driven(1 + 3 * k, "joint", 0, law, rotation=bool(k % 2), reference=0.0) for k, law in enumerate(laws)]

    class Program:
        drivers, calls = tuple(driven), ()
        ready: ClassVar[dict[object, object]] = {}

    drivers = drivers_of(Program)  # type: ignore[arg-type]
    assert (drivers.kinds == OTHER).tolist() == [True] + [False] * len(CASES)
    drivers = drivers_at(Program, TIMES, drivers)  # type: ignore[arg-type]
    q, v, a = np.full((3, 1 + 3 * len(laws), 64), 7.0)
    first, n = 40, 61
    loaded(TIMES, drivers, State(q, v, a, np.zeros((0, 64))), first, n)
    span = slice(first, first + n)
    assert np.array_equal(q[0, :n], TIMES[span])
    for one in driven:
        row = one.row
        assert np.array_equal([q[row, :n], v[row, :n], a[row, :n]], one.law.at(TIMES[span]))
        cosine, sine = np.empty(n), np.empty(n)
        cosine_sine(q[row, :n], cosine, sine)
        expected = [cosine, sine] if one.rotation else np.full((2, n), 7.0)
        assert np.array_equal(q[row + 1 : row + 3, :n], expected)
    assert (q[:, n:] == 7.0).all()
