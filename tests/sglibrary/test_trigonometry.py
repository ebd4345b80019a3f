"""Cosine and sine of many angles against numpy's."""

from __future__ import annotations

import numpy as np
import pytest

from sglibrary.trigonometry import REDUCIBLE, cosine_sine


@pytest.mark.parametrize("most", [1.0, 100.0, REDUCIBLE, 1e9])
def test_cosine_and_sine(most: float) -> None:
    quarters = np.pi / 4 * np.arange(-20, 21)
    angles = np.concatenate([np.linspace(-most, most, 999), quarters, np.nextafter(quarters, 9), [0.0]])
    cosine, sine = np.empty_like(angles), np.empty_like(angles)
    cosine_sine(angles, cosine, sine)
    # one unit in the last place of 1
    np.testing.assert_allclose(cosine, np.cos(angles), rtol=0, atol=2.3e-16)
    np.testing.assert_allclose(sine, np.sin(angles), rtol=0, atol=2.3e-16)


def test_what_is_not_finite_has_no_sine() -> None:
    angles = np.array([np.nan, np.inf, 1.0])
    cosine, sine = np.empty(3), np.empty(3)
    cosine_sine(angles, cosine, sine)
    assert np.isnan([cosine[:2], sine[:2]]).all()
    assert sine[2] == pytest.approx(np.sin(1.0))
