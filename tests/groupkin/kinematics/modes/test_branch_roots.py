"""Roots of functions of one variable that exist in parts of an interval only."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from groupkin.kinematics.modes.branch_roots import branch_roots

Array = NDArray[np.float64]


def apart(found: Array | None, digits: float = 1e-7) -> Array:
    """Sort roots, those closer than rounding makes of double ones taken for one."""
    assert found is not None
    found = np.sort(found)
    return found[np.append(True, np.diff(found) > digits)] if found.size else found


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: np.sin(5 * x), np.pi / 5 * np.arange(-4, 5)),
        (lambda x: (np.cos(x) - np.cos(1.0)) ** 2 - 1e-8, [-1.00011884, -0.99988116, 0.99988116, 1.00011884]),
        (lambda x: np.sqrt(0.3 - x * x) - 0.001, [-np.sqrt(0.3 - 1e-6), np.sqrt(0.3 - 1e-6)]),
        (lambda x: np.sqrt(0.3 - x * x) - x, [np.sqrt(0.15)]),
        (lambda x: np.sqrt((x - 0.5) ** 2 + 1e-12) - 0.01, [0.49, 0.51]),
        (lambda x: 2.0 + np.cos(x), []),
        (lambda x: np.full(x.shape, np.nan), []),
    ],
    ids=["simple", "close", "at the ends", "on one branch", "after a sharp bend", "none", "nowhere"],
)
def test_all_roots_are_found(function: Callable[[Array], Array], expected: list[float]) -> None:
    with np.errstate(invalid="ignore"):
        found = branch_roots(function, -3.0, 3.0)
        assert found is not None
        found = apart(found[np.abs(function(found)) < 1e-6])  # ends where the function nearly is zero are listed, too
    # the close ones are double to 1e-4, so that errors of 1e-10 of the function move them by 1e-6
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_a_function_that_touches_zero_has_a_root_there() -> None:
    found = branch_roots(lambda x: (np.cos(x) - np.cos(1.0)) ** 2, -3.0, 3.0)
    np.testing.assert_allclose(apart(found, 1e-3), [-1.0, 1.0], atol=1e-4)  # square root of the errors


def test_roots_of_random_branches_are_those_of_their_squares() -> None:
    """sqrt(p) - q = 0 and -sqrt(p) - q = 0 together are p = q², a trigonometric polynomial."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        a, b = rng.uniform(-1, 1, (2, 3))

        def p(x: Array, a: Array = a) -> Array:
            return np.asarray(a[0] + a[1] * np.cos(x) + a[2] * np.sin(x))

        def q(x: Array, b: Array = b) -> Array:
            return np.asarray(0.5 * (b[0] + b[1] * np.cos(x) + b[2] * np.sin(x)))

        with np.errstate(invalid="ignore"):
            found = [branch_roots(lambda x, s=s: s * np.sqrt(p(x)) - q(x), -np.pi, np.pi) for s in (1.0, -1.0)]
        places = np.linspace(-np.pi, np.pi, 200_001)
        signs = np.sign(p(places) - q(places) ** 2)
        crossings = places[:-1][signs[:-1] != signs[1:]]
        both = np.concatenate([x for x in found if x is not None])
        real = apart(both[np.abs(p(both) - q(both) ** 2) < 1e-8], 1e-5)
        np.testing.assert_allclose(real, crossings, atol=4e-5)  # one sample


def test_what_has_no_isolated_roots_is_told() -> None:
    assert branch_roots(lambda x: np.sign(x - 0.1234), -3.0, 3.0) is None
    with np.errstate(invalid="ignore"):
        assert branch_roots(lambda x: 0.0 * np.sqrt(x), -3.0, 3.0) is None
