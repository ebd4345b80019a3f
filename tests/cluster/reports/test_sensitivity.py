"""Sobol indices: of functions with known ones, against SciPy's estimates, and of sweeps of a mechanism."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import cluster
import groupkin as gk
from cluster.reports.columns import extents, list_columns
from cluster.reports.sensitivity import correlation_ratio, sensitivities, sobol_indices
from cluster.reports.summary import report
from cluster.stores.store import open_store
from cluster.sweeps.sampling import Plan, Uniform, sample_values
from groupkin.errors import GroupkinError, SweepError
from tests.support.command_line import run

# Ishigami and Homma (1990): sin a + 7 sin² b + 0.1 c⁴ sin a, all from -π to π
FIRST, TOTAL = (0.31390519, 0.44241114, 0.0), (0.55758886, 0.44241114, 0.24368366)
FORMULA = "sin({joint A}) + 7 * sin({joint B})**2 + 0.1 * ({joint C} / 1 rad)**4 * sin({joint A})"
N = 2048


def ishigami(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    return np.sin(a) + 7 * np.sin(b) ** 2 + 0.1 * c**4 * np.sin(a)


def drawn(method: str, draws: int) -> tuple[np.ndarray, ...]:
    plan = Plan((Uniform(-np.pi, np.pi),) * 3, (0,) * 3, draws, method, 1)
    return sample_values(plan, [np.array(0.0)] * 3, 0, draws)


@pytest.mark.smoke
def test_indices_and_intervals_are_those_of_scipy() -> None:
    values = ishigami(*drawn("saltelli", 5 * N))
    found = sobol_indices(values, 3)
    a, b, *ab = values.reshape(N, 5).T
    other = stats.sobol_indices(func={"f_A": a[None], "f_B": b[None], "f_AB": np.array(ab)[:, None]}, n=N)
    np.testing.assert_allclose(found.first, other.first_order, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.total, other.total_order, rtol=0, atol=1e-12)
    wide = other.bootstrap(n_resamples=999)
    for ours, theirs in ((found.first_interval, wide.first_order), (found.total_interval, wide.total_order)):
        ends = np.stack(theirs.confidence_interval, axis=1)
        # other resamples, and corrected for skewness there: ends differ by a fifth of the width
        assert (np.abs(ours - ends) < 0.2 * np.diff(ends)).all()


def test_indices_do_not_depend_on_mean_and_scale() -> None:
    values = ishigami(*drawn("saltelli", 5 * N))
    found, moved = sobol_indices(values, 3), sobol_indices(1e6 + 1e-3 * values, 3)
    np.testing.assert_allclose(moved.total, found.total, rtol=1e-6)
    np.testing.assert_allclose(moved.first, found.first, rtol=0, atol=1e-6)


def test_blocks_with_failures_are_left_out() -> None:
    values = ishigami(*drawn("saltelli", 5 * N))
    values[7 * 5 + 3] = values[9 * 5] = np.nan
    kept = np.delete(values.reshape(N, 5), [7, 9], axis=0).ravel()
    found, other = sobol_indices(values, 3), sobol_indices(kept, 3)
    assert found.blocks == other.blocks == N - 2
    np.testing.assert_array_equal(found.first, other.first)
    for few in (np.full(10, np.nan), np.ones(10), np.arange(5.0)):
        assert np.isnan(sobol_indices(few, 3).first).all()
    with pytest.raises(SweepError, match="blocks of 3 parameters have 5 samples"):
        sobol_indices(np.ones(11), 3)


@pytest.mark.parametrize("method", ["random", "sobol", "latin hypercube"])
def test_first_orders_from_any_samples(method: str) -> None:
    inputs = drawn(method, 20_000)
    values = ishigami(*inputs)
    for one, exact in zip(inputs, FIRST, strict=True):
        # standard error of a correlation ratio of 20,000 samples: below 0.007; classes hide a hundredth of the share
        assert correlation_ratio(one, values) == pytest.approx(exact, abs=0.02)


def test_correlation_ratios_of_few_values() -> None:
    x = np.repeat([1.0, 2.0, 3.0], 4)
    assert correlation_ratio(x, x**2) == 1.0
    noise = np.tile([1.0, -1.0], 6)
    assert correlation_ratio(x, noise) == pytest.approx(-2 / 9)  # what chance explains is subtracted: 0 - 2 * 12/9 / 12
    assert np.isnan(correlation_ratio(x, np.ones(12)))
    assert np.isnan(correlation_ratio(np.full(12, np.nan), x))
    assert correlation_ratio(np.arange(60.0), np.arange(60.0)) > 0.8  # three classes
    tied = np.r_[np.zeros(900), np.arange(100.0)]
    assert correlation_ratio(tied, tied) == pytest.approx(1.0, abs=0.02)
    with pytest.raises(SweepError, match="one value of the parameter"):
        correlation_ratio(x, x[1:])


# --- of sweeps -------------------------------------------------------------------------------


def cranks() -> gk.Mechanism:
    """Three cranks, whose angles are drawn, and a formula of these."""
    names = "ABC"
    joints = [gk.Joint(name, "R", ("frame", f"crank {name}"), point=(k, 0.0)) for k, name in enumerate(names)]
    drivers = [gk.Driver(name, gk.Constant(0.0)) for name in names]
    bodies = ["frame", *(f"crank {name}" for name in names)]
    return gk.Mechanism(2, bodies, joints, drivers, outputs={"ishigami": FORMULA})


def sweep(method: str, draws: int) -> cluster.Sweep:
    varied = [cluster.Parameter(f"value {name}", cluster.Uniform(-np.pi, np.pi)) for name in "ABC"]
    keep = [cluster.At("ishigami", time=0.0, name="f"), cluster.At("joint A", time=0.0, name="a")]
    return cluster.sweep(cranks(), varied, [0.0], keep, draws=draws, method=method, seed=1)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sensitivity") / "cranks.zarr"
    cluster.batch(sweep("saltelli", 5 * N), path)
    return path


def test_indices_of_a_sweep_are_the_known_ones(store: Path) -> None:
    found = {(one.of, one.parameter): one for one in report(store, sensitivity=True).sensitivities}
    names = [one.name for one in report(store).ranges if one.parameter]
    for name, first, total in zip(names, FIRST, TOTAL, strict=True):
        one = found["f", name]
        assert one.known == N
        assert one.first_interval[0] <= first <= one.first_interval[1]
        assert one.total_interval[0] <= total <= one.total_interval[1]
        # 2048 blocks: twice the standard error, a quarter of the interval each
        assert one.total == pytest.approx(total, abs=0.5 * np.diff(one.total_interval)[0])
    assert found["a", names[0]].total == pytest.approx(1.0, abs=0.01)
    assert found["a", names[1]].total == 0.0
    assert not report(store).sensitivities


def test_the_same_from_a_dataset(store: Path) -> None:
    values = cluster.solve(sweep("saltelli", 5 * N))["f"].values
    indices = cluster.sobol_indices(values, 3)
    found = [one.first for one in report(store, sensitivity=True).sensitivities if one.of == "f"]
    assert sorted(indices.first) == sorted(found)


def test_few_samples_of_many_and_incomplete_stores(store: Path) -> None:
    opened = open_store(store)
    listed = list_columns(opened)
    few = sensitivities(opened, listed, extents(opened), most=5 * 512 + 3)
    assert {one.known for one in few} == {512}
    part = sensitivities(opened, listed, [(0, 333), (1000, opened.samples)])
    assert {one.known for one in part} == {N - 200 + 66}


def test_tables_data_and_pages(store: Path, tmp_path: Path) -> None:
    text = run("batch-report", str(store), "--sensitivity").stdout
    lines = text[text.index("variance of  by") :].splitlines()
    assert lines[0].split() == ["variance", "of", "by", "first", "95", "%", "total", "95", "%", "blocks"]
    assert lines[1].split()[0] == "f"
    assert float(lines[1].split()[6]) == pytest.approx(TOTAL[0], abs=0.05)  # the largest first
    assert len(lines) == 7
    data = json.loads(run("batch-report", str(store), "--sensitivity", "--json").stdout)
    assert len(data["sensitivities"]) == 6
    page = tmp_path / "page.html"
    assert run("batch-report", str(store), "--sensitivity", "--out", str(page)).exit_code == 0
    assert "Sensitivities" in page.read_text()


def test_other_samples_give_first_orders(tmp_path: Path) -> None:
    cluster.batch(sweep("random", 4000), tmp_path / "random.zarr")
    found = report(tmp_path / "random.zarr", sensitivity=True).sensitivities
    assert [one.of for one in found] == ["f"] * 3 + ["a"] * 3
    assert all(np.isnan(one.total) and one.known == 4000 for one in found)
    assert found[0].first == pytest.approx(FIRST[1], abs=0.05)  # the largest first
    text = run("batch-report", str(tmp_path / "random.zarr"), "--sensitivity").stdout
    assert "total" not in text


def test_draws_that_are_no_blocks_are_refused() -> None:
    with pytest.raises(GroupkinError, match="blocks of 5 samples, 2 more than there are parameters: take 95 or 100"):
        sweep("saltelli", 99)
