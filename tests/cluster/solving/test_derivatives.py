"""Sweeps with derivatives: against designs that are differentiated, and differences of sweeps."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cluster
import groupkin as gk
from cluster.sweeps.reductions import Derivative
from groupkin.errors import GroupkinError, NotModeledError, SweepError
from tests.support.examples import described
from tests.support.paths import EXAMPLES

TIMES = np.linspace(0.0, 0.3, 7)


def swept(parameters: Any, keep: Any, name: str = "four_bar", **settings: Any) -> cluster.Sweep:
    return cluster.sweep(described(name).mechanism, parameters, TIMES, keep, derivatives=True, **settings)


@pytest.mark.parametrize(
    ("name", "parameters", "kept"),
    [
        ("four_bar", ["C@coupler", "length crank A-B"], ["position P", "transmission_angle B-C-D"]),
        ("four_bar", ["C@coupler", "rate A"], ["velocity P", "angle rocker"]),
        ("spatial_four_bar", [gk.JointPoint("A", "crank")], ["position slider"]),
        ("planar_3rrr", [gk.JointPoint("E1", "link_1")], ["rotation platform"]),
    ],
)
def test_derivatives_are_those_of_designs(name: str, parameters: list[Any], kept: list[str]) -> None:
    """In another order of sums; whichever chunks the samples are solved in, with the same bits."""
    varied = [cluster.Parameter(each, cluster.Normal(1e-4), relative=True) for each in parameters]
    sweep = swept(varied, [cluster.TimeHistory(each) for each in kept], name, draws=3)
    found, design = cluster.solve(sweep), gk.design(described(name).mechanism, parameters)
    assert not found.status.any()
    for k in range(sweep.samples):
        row = np.concatenate([np.atleast_1d(found[each][k].values) for each in sweep.names])
        alone = design.solve(row, TIMES, derivatives=True)
        for part in sweep.keep:
            if isinstance(part, Derivative):
                expected = alone.read(part.needs[0])
                slopes = found[part.label][k].values
                np.testing.assert_allclose(slopes, expected[part.number], atol=1e-10 * np.abs(expected).max())
    chunks = cluster.solve(sweep, chunk=1)
    assert all(np.array_equal(chunks[each], found[each], equal_nan=True) for each in found.data_vars)


def test_derivatives_of_extremes_and_values_are_differences_of_sweeps() -> None:
    of, step = "joint D", 1e-6
    keep = [cluster.Minimum(of), cluster.Maximum(of), cluster.Range(of), cluster.At(of, time=0.07)]
    lengths = [0.05, 0.05 + step, 0.05 - step]
    sweep = swept([cluster.Parameter("length crank A-B", cluster.Listed(lengths))], keep)
    found = cluster.solve(sweep)
    for part in sweep.keep[:4]:
        values, slopes = found[part.label].values, found[f"{part.label}.by.{sweep.names[0]}"]
        assert slopes.attrs["units"] == "rad/m"
        # central differences: the square of the step, and roundings over it
        np.testing.assert_allclose(slopes[0], (values[1] - values[2]) / (2 * step), rtol=1e-7)


def test_samples_that_fail_have_derivatives_up_to_there() -> None:
    sweep = swept([cluster.Parameter("C@coupler.x", cluster.Listed([0.2, 0.225, 5.0]))], [cluster.TimeHistory("P")])
    found = cluster.solve(sweep)
    slopes = found[f"{sweep.keep[0].label}.by.{sweep.names[0]}"].values
    assert np.array_equal(np.isnan(slopes), np.isnan(found[sweep.keep[0].label]))
    assert np.isnan(slopes[2]).all()


def test_a_file_asks_for_derivatives(tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "four_bar.toml", tmp_path)
    text = """mechanism = "four_bar.toml"
derivatives = true
[[parameters]]
parameter = "C@coupler.x"
range = { low = 224, high = 226, count = 2 }
[[keep]]
motion = "angle rocker"
"""
    (tmp_path / "slopes.sweep.toml").write_text(text, encoding="utf-8")
    sweep = cluster.read_sweep(tmp_path / "slopes.sweep.toml")
    slopes = cluster.solve(sweep, units="file")[sweep.keep[-1].label]
    assert slopes.attrs["units"] == "deg/mm"
    si = cluster.solve(sweep)[sweep.keep[-1].label]
    np.testing.assert_allclose(slopes, np.degrees(si) / 1000.0, rtol=1e-12)


@pytest.mark.parametrize(
    ("parameter", "keep", "error", "message"),
    [
        ("C@coupler.x", cluster.PathLength("P"), SweepError, "derivatives of 'path_length.P' are not computed"),
        ("C@coupler.x", cluster.Minimum("conditioning"), NotModeledError, "conditioning` by parameters are not"),
        ("mode rocker", cluster.Minimum("angle rocker"), SweepError, "nothing can be differentiated by an assembly"),
    ],
)
def test_what_has_no_derivatives(parameter: str, keep: Any, error: type[GroupkinError], message: str) -> None:
    with pytest.raises(error, match=message):
        swept([cluster.Parameter(parameter, cluster.Listed([1.0, 2.0]))], [keep])
