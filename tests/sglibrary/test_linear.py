"""Small dense linear systems against numpy's."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sglibrary.linear import conditioning, factor, solve, solve_transposed

Array = NDArray[np.float64]


def factored(matrix: Array) -> tuple[Array, NDArray[np.int64]]:
    lu, pivots = matrix.copy(), np.zeros(len(matrix), np.int64)
    factor(lu, pivots)
    return lu, pivots


def estimated(matrix: Array) -> float:
    scratch = np.zeros((2, len(matrix)))
    return float(conditioning(matrix, *factored(matrix), *scratch))


@pytest.mark.parametrize("n", [1, 2, 3, 6, 15])
def test_systems_and_their_transposes_are_solved(n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(20):
        matrix, x = rng.normal(size=(n, n)), rng.normal(size=n)
        lu, pivots = factored(matrix)
        for solver, product in ((solve, matrix @ x), (solve_transposed, matrix.T @ x)):
            solver(lu, pivots, product)
            np.testing.assert_allclose(product, x, atol=1e-13 * np.linalg.cond(matrix))


def test_rows_are_exchanged_where_a_pivot_vanishes() -> None:
    matrix, b = np.array([[0.0, 2.0], [3.0, 1.0]]), np.array([4.0, 5.0])
    solve(*factored(matrix), b)
    np.testing.assert_allclose(b, [1.0, 2.0])


def test_a_small_pivot_is_not_used() -> None:
    matrix, b = np.array([[1e-20, 1.0], [1.0, 1.0]]), np.array([1.0, 2.0])
    solve(*factored(matrix), b)
    np.testing.assert_allclose(b, [1.0, 1.0])


def test_conditioning_is_the_share_of_the_singular_values() -> None:
    rng = np.random.default_rng(0)
    for n in (1, 2, 3, 6, 15):
        for _ in range(20):
            u, _ = np.linalg.qr(rng.normal(size=(n, n)))
            w, _ = np.linalg.qr(rng.normal(size=(n, n)))
            values = np.geomspace(1.0, rng.uniform(1e-4, 0.9), n)
            # singular values close to each other take more iterations than four
            assert estimated(u * values @ w) == pytest.approx(values[-1] / values[0], rel=0.35)


def test_a_singular_matrix_has_conditioning_zero() -> None:
    assert estimated(np.array([[1.0, 2.0], [2.0, 4.0]])) == 0.0
    assert estimated(np.zeros((3, 3))) == 0.0


def test_conditioning_does_not_exceed_one() -> None:
    assert estimated(np.eye(4)) == pytest.approx(1.0)
    assert estimated(-2.0 * np.eye(1)) <= 1.0
