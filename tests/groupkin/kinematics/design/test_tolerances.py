"""Tolerances: against the closed formula of a slider-crank, and against random designs of a four-bar."""

from __future__ import annotations

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import CannotAssembleError, GroupkinError, ParameterError, QuantityError, UnknownNameError
from tests.groupkin.kinematics.design.test_design import parallelogram
from tests.groupkin.model.determination.test_ease_joints import bennett
from tests.support.paths import EXAMPLES

TIMES = np.linspace(0.0, 0.1, 25)


def slider_crank() -> gk.Design:
    return gk.design(gk.load(EXAMPLES / "slider_crank.toml"), ["length crank A-B", "length rod B-C"])


def test_a_slider_crank_follows_its_formula() -> None:
    """x = r cos φ + √(l² - r² sin² φ) of the piston, derived by r and l."""
    of, deviations = slider_crank(), np.array([2e-5, 3e-5])
    found = of.tolerance(deviations, TIMES, keep=["joint cylinder"])
    r, length = of.nominal
    phi = of.solve(of.nominal, TIMES).driven[0, 0]  # from top dead center
    root = np.sqrt(length**2 - (r * np.sin(phi)) ** 2)
    parts = np.array([np.cos(phi) - r * np.sin(phi) ** 2 / root, length / root]) * deviations[:, None]
    # central differences are right to some ten digits
    np.testing.assert_allclose(found.standard("joint cylinder"), np.sqrt(np.sum(parts**2, axis=0)), rtol=1e-9)
    np.testing.assert_allclose(found.worst("joint cylinder"), np.sum(np.abs(parts), axis=0), rtol=1e-9)
    shares = parts**2 / np.sum(parts**2, axis=0)
    np.testing.assert_allclose(found.shares("joint cylinder"), shares, atol=1e-9)
    assert "length rod B-C" in repr(found)
    data = found.to_xarray()
    np.testing.assert_array_equal(
        data["share joint cylinder"].sum("parameter"), found.shares("joint cylinder").sum(axis=0)
    )


def test_random_designs_deviate_as_much() -> None:
    of, times = gk.design(gk.load(EXAMPLES / "four_bar.toml"), ["C@coupler", "P"]), np.linspace(0.0, 1.0, 12)
    found = of.tolerance({"C@coupler": 1e-5, "P.x": 2e-5}, times, keep=["position P", "angle rocker"])
    rows = np.random.default_rng(0).normal(of.nominal, found.deviations, (20_000, 4))
    sampled = of.solve(rows, times, keep=["position P", "angle rocker"])
    for each in ("position P", "angle rocker"):
        # the standard deviation of n samples is known to 1 / √(2 n), here 0.5 %, of which four are allowed
        np.testing.assert_allclose(found.standard(each), sampled.read(each).std(axis=0), rtol=0.02)
    assert not found.shares("position P")[3].any()


def test_dimensions_that_must_change_together_have_no_tolerances_of_their_own() -> None:
    """A crank that has become longer opens a pin of a parallelogram with three, or an axis of a Bennett linkage."""
    of, times = gk.design(parallelogram(), ["B2@crank2.y", "A0@frame.x", "B0@crank0.y"]), np.array([0.0, 0.2])
    with pytest.raises(ParameterError, match=r"^`B2@crank2.y`, `B0@crank0.y` open joints .* must change together"):
        of.tolerance({"B2@crank2.y": 1e-4, "B0@crank0.y": 1e-4}, times, keep=["angle bar"])
    assert not of.tolerance({}, times, keep=["angle bar"]).standard("angle bar").any()
    linkage = bennett()
    name = linkage.joints[1].name
    of = gk.design(linkage, [f"joint {name}@{linkage.joints[1].bodies[0]}"])
    with pytest.raises(ParameterError, match=r"a Bennett linkage.* must change together"):
        of.tolerance(1e-3, times, keep=[f"joint {linkage.joints[2].name}"])
    with pytest.raises(CannotAssembleError, match="must change together"):
        of.solve(of.nominal + 0.01, times)


def test_what_is_no_tolerance_is_refused() -> None:
    of = slider_crank()
    with pytest.raises(ParameterError, match="not negative"):
        of.tolerance([1e-5, -1e-5], TIMES, keep=["joint cylinder"])
    with pytest.raises(ParameterError, match="for each"):
        of.tolerance([1e-5], TIMES, keep=["joint cylinder"])
    with pytest.raises(UnknownNameError):
        of.tolerance({"length crank": 1e-5}, TIMES, keep=["joint cylinder"])
    with pytest.raises(QuantityError, match="not kept"):
        of.tolerance(1e-5, TIMES, keep=["joint cylinder"]).worst("position B")
    with pytest.raises(GroupkinError, match="cannot be assembled"):
        of.tolerance(1e-5, TIMES, keep=["joint cylinder"], values=[0.2, 0.15])
