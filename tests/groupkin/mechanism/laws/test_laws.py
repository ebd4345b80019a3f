"""Motion laws: rates and accelerations belong to the values, and what cannot be a law is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from groupkin.errors import LawError
from groupkin.mechanism.laws import laws
from groupkin.mechanism.laws.rises import JUMPING, KINDS, Rise
from groupkin.mechanism.laws.sequences import ConstantVelocity, Dwell, Sequence

GRID = np.linspace(0.0, 2.0, 9)
LAWS = [
    laws.Constant(0.7),
    laws.Ramp(-3.0, 0.5),
    laws.Polynomial((0.1, -2.0, 0.3, 0.5)),
    laws.Polynomial((0.1,)),
    laws.Harmonic(0.4, 1.5, 0.3, -0.2),
    laws.Fourier(0.5, (0.2, -0.1, 0.05), (0.3,), 0.7),
    laws.Spline(GRID, np.sin(GRID)),
    laws.Spline(GRID, np.sin(GRID), degree=5),
    laws.Spline(GRID, np.sin(np.pi * GRID), periodic=True),
    laws.Spline(GRID, np.sin(np.pi * GRID), degree=5, periodic=True),
    laws.Samples(GRID, np.sin(GRID), np.cos(GRID), -np.sin(GRID)),
    *(Rise(kind, -0.8, 1.9, start=0.3, begin=0.07) for kind in KINDS if kind not in JUMPING),
    Rise("s-curve", 0.7, speed=0.5, acceleration=1.1, jerk=5.0, begin=0.11),
    Sequence([Rise("cycloid", 0.4, 0.5), Dwell(0.1), Rise("3-4-5", 0.3, 0.55)], start=0.1, periodic=True),
    Sequence([Rise("3-4-5", 0.4, 0.7), ConstantVelocity(0.3, 0.4), Rise("4-5-6-7", 0.1, 0.5)], begin=0.2),
]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_rate_and_acceleration_are_derivatives(law: laws.Law) -> None:
    times, step = np.linspace(0.113, 1.87, 23), 1e-5
    before, here, after = law.at(times - step), law.at(times), law.at(times + step)
    assert here.shape == (3, 23)
    np.testing.assert_allclose(here[1:], (after - before)[:2] / (2 * step), atol=2e-7 * (1 + np.abs(here).max()))


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_scaling_scales_value_rate_and_acceleration(law: laws.Law) -> None:
    times = np.linspace(0.0, 2.0, 7)
    np.testing.assert_allclose(law.scaled(0.25).at(times), 0.25 * law.at(times), atol=1e-12)


def test_exact_values() -> None:
    t = np.array([0.0, 0.5, 2.0])
    np.testing.assert_array_equal(laws.Constant(2.0).at(t), [[2, 2, 2], [0, 0, 0], [0, 0, 0]])
    np.testing.assert_allclose(laws.Ramp(4.0, 1.0).at(t), [[1, 3, 9], [4, 4, 4], [0, 0, 0]])
    np.testing.assert_allclose(laws.Polynomial((1, 2, 3)).at(t), [1 + 2 * t + 3 * t**2, 2 + 6 * t, [6, 6, 6]])
    turns = 2 * np.pi * 3
    np.testing.assert_allclose(
        laws.Harmonic(0.5, 3.0, 0.1, 2.0).at(t),
        [
            2 + 0.5 * np.sin(turns * t + 0.1),
            0.5 * turns * np.cos(turns * t + 0.1),
            -0.5 * turns**2 * np.sin(turns * t + 0.1),
        ],
    )


def test_a_fourier_series_is_a_sum_of_cosines_and_sines() -> None:
    t = np.linspace(-1, 1, 11)
    found = laws.Fourier(0.5, (1.0, 2.0), (0.0, 3.0), 4.0).at(t)
    expected = 4 + np.cos(np.pi * t) + 2 * np.cos(2 * np.pi * t) + 3 * np.sin(2 * np.pi * t)
    np.testing.assert_allclose(found[0], expected, atol=1e-14)


@pytest.mark.smoke
@pytest.mark.parametrize(("degree", "power"), [(3, 3), (5, 5)])
def test_splines_reproduce_polynomials_of_their_degree(degree: int, power: int) -> None:
    t = np.linspace(0, 2, 21)
    found = laws.Spline(GRID, GRID**power, degree=degree).at(t)
    expected = [t**power, power * t ** (power - 1), power * (power - 1) * t ** (power - 2)]
    np.testing.assert_allclose(found, expected, atol=1e-10)


def test_a_periodic_spline_goes_on() -> None:
    law = laws.Spline(GRID, np.sin(np.pi * GRID), periodic=True)
    t = np.linspace(0, 2, 15)
    np.testing.assert_allclose(law.at(t + 20), law.at(t), atol=1e-10)
    np.testing.assert_allclose(law.at([2 - 1e-9]), law.at([1e-9]), atol=1e-6)


def test_samples_are_met_exactly() -> None:
    samples = np.random.default_rng(1).normal(size=(3, GRID.size))
    far = 1e9 * samples  # a sample computed by the piece before it would be rounded
    assert (laws.Samples(GRID, *far).at(GRID) == far).all()


def test_a_spline_through_very_uneven_times_is_refused() -> None:
    uneven = laws.Spline([-1e50, 0, 1, 2, 3, 4], [0, 0, 0.2, 0.2, 0.4, 0], degree=5)
    with pytest.raises(LawError, match=r"so uneven that values between .* s and .* s may be larger than 1e\+50"):
        uneven.at([0.0])


def test_a_periodic_quintic_spline_repeats_smoothly() -> None:
    """Through a turn of a sine, with four continuous derivatives at every sample and at the seam; no even steps."""
    times = np.linspace(0.0, 1.0, 25) ** 1.2 * 2.0
    law = laws.Spline(times, np.sin(np.pi * times), degree=5, periodic=True)
    np.testing.assert_allclose(law.at(times)[0], np.sin(np.pi * times), atol=1e-14)
    t = np.linspace(-3.0, 7.0, 401)
    value, rate, gain = law.at(t)
    np.testing.assert_allclose(value, np.sin(np.pi * t), atol=2e-6)
    np.testing.assert_allclose(rate, np.pi * np.cos(np.pi * t), atol=1e-4)
    np.testing.assert_allclose(gain, -(np.pi**2) * np.sin(np.pi * t), atol=5e-3)
    h = 1e-3
    for seam in (0.0, times[7], 2.0):
        left, right = (law.at(seam + sign * h * np.arange(1, 4))[2] for sign in (-1.0, 1.0))
        # the acceleration is one cubic on either side, with equal values, slopes and curvatures where these meet
        ends = [np.polyfit(sign * h * np.arange(1, 4), x, 2) for sign, x in ((-1.0, left), (1.0, right))]
        for one, other, near in zip(*ends, (1.0, 0.05, 1e-4), strict=True):
            assert abs(one - other) < near


@pytest.mark.parametrize(
    "law", [laws.Spline(GRID, GRID), laws.Samples(GRID, GRID, np.ones(9), np.zeros(9))], ids=["spline", "samples"]
)
@pytest.mark.parametrize("time", [-0.1, 2.1])
def test_samples_are_not_extrapolated(law: laws.Law, time: float) -> None:
    with pytest.raises(
        LawError, match=rf"samples cover 0 s to 2 s, but the motion is requested at t = {time} s; .*add samples"
    ):
        law.at([1.0, time])


def test_a_rounded_last_time_is_in_range() -> None:
    law = laws.Spline((0, 0.1, 0.2, 0.3), (0, 0.1, 0.2, 0.3))
    np.testing.assert_allclose(law.at([0.1 + 0.2])[0], 0.3)


def test_samples_are_copied() -> None:
    values = GRID.copy()
    law = laws.Spline(GRID, values)
    values[:] = 0.0
    assert law == laws.Spline(tuple(GRID), tuple(GRID))
    assert law.at([2.0])[0, 0] == pytest.approx(2.0)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_one_time_and_no_time(law: laws.Law) -> None:
    assert law.at([1.0]).shape == (3, 1)
    assert law.at(np.empty(0)).shape == (3, 0)
    np.testing.assert_array_equal(law.at(1), law.at([1.0]))


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
@pytest.mark.parametrize("times", ["now", [[0.0, 1.0]], [0.0, [1.0]]], ids=str)
def test_times_that_are_none_are_refused(law: laws.Law, times: object) -> None:
    with pytest.raises(LawError, match=r"times must be numbers in seconds, not"):
        law.at(times)  # type: ignore[arg-type]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_a_label_is_for_messages_only(law: laws.Law) -> None:
    labeled = law.labeled("lift").labeled("driver")
    assert labeled.label == "driver, lift"
    assert (labeled, hash(labeled), repr(labeled)) == (law, hash(law), repr(law))
    assert labeled.scaled(2.0).label == "driver, lift"
    np.testing.assert_array_equal(labeled.at(GRID), law.at(GRID))


def test_a_law_out_of_its_range_says_its_label() -> None:
    with pytest.raises(LawError, match=r"^lift: samples cover 0 s to 2 s, .* at t = 3 s"):
        laws.Spline(GRID, GRID, label="lift").at([1.0, 3.0, 4.0])


@pytest.mark.parametrize(
    ("kind", "fields", "message"),
    [
        (laws.Constant, {"value": np.nan}, "Constant: value must be finite numbers, not nan"),
        (laws.Ramp, {"rate": np.inf}, "Ramp: rate must be finite numbers, not inf"),
        (laws.Ramp, {"rate": "fast"}, "Ramp: rate must be a number, not 'fast'"),
        (laws.Polynomial, {"coefficients": (1.0, np.nan)}, "Polynomial: coefficients must be finite"),
        (laws.Polynomial, {"coefficients": ((1.0,), (1.0, 2.0))}, "Polynomial: coefficients must be finite"),
        (laws.Polynomial, {"coefficients": ()}, "Polynomial: needs at least one coefficient"),
        (laws.Spline, {"times": (0, 1, 2), "values": (0, 1)}, "Spline: 3 times but 2 values"),
        (laws.Spline, {"times": (0, 2, 1, 3), "values": (0, 1, 2, 3)}, "Spline: times must be .* strictly increasing"),
        (
            laws.Spline,
            {"times": (0, 1e-300, 1, 3), "values": (0, 1, 2, 3)},
            "Spline: the times 0 s and 1e-300 s",
        ),
        (laws.Spline, {"times": (0, 1, 2), "values": (0, 1, 2)}, "degree 3 needs at least 4 samples, got 3"),
        (laws.Spline, {"times": range(5), "values": range(5), "degree": 5}, "needs at least 6 samples, got 5"),
        (laws.Spline, {"times": range(5), "values": range(5), "degree": 4}, "degree must be 3 or 5, not 4"),
        (
            laws.Spline,
            {"times": range(5), "values": range(5), "periodic": True},
            r"last value \(4.0\) is not the first",
        ),
        (
            laws.Samples,
            {"times": (0, 1), "values": (0, 1), "rates": (0,), "accelerations": (0, 0)},
            "Samples: 2 times but 1 values",
        ),
    ],
)
def test_what_cannot_be_a_law_is_refused(kind: type[laws.Law], fields: dict[str, object], message: str) -> None:
    with pytest.raises(LawError, match=message):
        kind(**fields)


@pytest.mark.parametrize("values", ["12", "nul\x00", b"12"])
def test_texts_are_no_numbers_of_laws(values: Any) -> None:
    for made in (
        lambda: laws.Samples((0.0, 1.0), values, (0.0, 0.0), (0.0, 0.0)),
        lambda: laws.Spline((0.0, 1.0), values),
        lambda: laws.Polynomial(values),
        lambda: laws.Ramp(values),
    ):
        with pytest.raises(LawError):
            made()
