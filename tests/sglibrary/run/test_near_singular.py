"""Conditioning that may touch zero between two steps: found wherever it does, in any blocks."""

from __future__ import annotations

import numpy as np
import pytest

from sglibrary.run.near_singular import ends_touch, touches, touching

TIMES = np.linspace(0.0, 1.0, 41)
GROUPS = np.array([1])


def found(c: np.ndarray) -> bool:
    return bool(touching(np.stack([np.ones_like(c), c]), GROUPS))


@pytest.mark.parametrize("zero", np.linspace(0.001, 0.999, 57))
@pytest.mark.parametrize("slopes", [(1.0, 1.0), (0.3, 0.3), (0.5, 0.8)])
def test_zeros_are_found_between_all_steps(zero: float, slopes: tuple[float, float]) -> None:
    c = np.where(zero > TIMES, slopes[0] * (zero - TIMES), slopes[1] * (TIMES - zero))
    assert found(c)
    assert found(c[::-1])


@pytest.mark.parametrize("least", [0.2, 0.5])
def test_what_stays_away_is_not(least: float) -> None:
    assert not found(np.sqrt(least**2 + (TIMES - 0.51) ** 2))
    assert not found(np.ones(2))


def test_steps_come_in_blocks() -> None:
    """Whatever is cut where, the same least values are found."""
    rng = np.random.default_rng(3)
    c = rng.uniform(0.0, 1.0, 60)
    whole = touches(c, np.full(2, np.nan))
    assert whole > 5
    for block in (1, 2, 3, 7, 59):
        last = np.full(2, np.nan)
        assert sum(touches(c[k : k + block], last) for k in range(0, 60, block)) == whole
        np.testing.assert_array_equal(last, c[-2:])


def test_ends() -> None:
    rise = np.abs(TIMES - 0.01) + 1e-9
    assert ends_touch(rise)
    assert ends_touch(rise[::-1].copy())
    assert not ends_touch(TIMES + 0.5)
