"""Ranges of columns, against numpy on all numbers at once."""

from __future__ import annotations

import numpy as np
import pytest

from cluster.reports.columns import Column
from cluster.reports.statistics import Range, ranges

WIDE = np.random.default_rng(5).normal(size=(500, 40, 2))


def range_of(values: np.ndarray, chunk: int, most: int = 10**6) -> Range:
    column = Column("x", "x", "m", False, values.ndim == 1, values, ())
    extents = [(start, min(start + chunk, len(values))) for start in range(0, len(values), chunk)]
    return ranges([column], extents, most)[0]


@pytest.mark.parametrize("chunk", [1, 7, 500])
def test_chunks_do_not_show(chunk: int) -> None:
    values = WIDE[:, 0, 0].copy()
    values[::9] = np.nan
    found = range_of(values, chunk)
    assert (found.known, found.least, found.largest) == (444, np.nanmin(values), np.nanmax(values))
    assert found.mean == pytest.approx(np.nanmean(values), rel=1e-12)
    assert found.deviation == pytest.approx(np.nanstd(values, ddof=1), rel=1e-12)
    assert list(found.quantiles) == ["1%", "50%", "99%"]
    assert list(found.quantiles.values()) == np.nanquantile(values, [0.01, 0.5, 0.99]).tolist()


def test_small_deviations_of_large_numbers_are_not_lost() -> None:
    found = range_of(1e6 + 1e-6 * np.tile([-1.0, 1.0], 200), 3)
    assert found.deviation == pytest.approx(1e-6, rel=0.01)


def test_what_is_not_known_has_no_range() -> None:
    found = range_of(np.full(5, np.nan), 2)
    assert (found.known, found.sampled) == (0, 0)
    assert np.isnan([found.mean, found.deviation, *found.quantiles.values()]).all()
    one = range_of(np.array([np.nan, 3.0]), 2)
    assert (one.known, one.mean, one.quantiles["50%"]) == (1, 3.0, 3.0)
    assert np.isnan(one.deviation)
    assert range_of(np.zeros(0), 2).known == 0


def test_quantiles_of_very_many_numbers_are_those_of_a_sample() -> None:
    found = range_of(WIDE, 50, most=10_000)
    assert found.known == WIDE.size == 40_000
    assert 9_500 < found.sampled < 10_500
    assert (found.least, found.largest) == (WIDE.min(), WIDE.max())
    assert found.deviation == pytest.approx(WIDE.std(ddof=1), rel=1e-12)
    assert found.quantiles["50%"] == pytest.approx(0.0, abs=0.05)
    assert found.quantiles["99%"] == pytest.approx(np.quantile(WIDE, 0.99), abs=0.15)
    assert found == range_of(WIDE, 50, most=10_000)


def test_components_have_their_own_ranges() -> None:
    columns = [Column(f"x.{k}", "x", "m", False, False, WIDE, (k,)) for k in range(2)]
    found = ranges(columns, [(0, 300), (300, 500)])
    assert [one.name for one in found] == ["x.0", "x.1"]
    assert [one.largest for one in found] == WIDE.max(axis=(0, 1)).tolist()
