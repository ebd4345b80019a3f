"""Linear systems of many steps against numpy's."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sglibrary.iterative.linear import (
    choose_order,
    clear_entries,
    factor,
    fill,
    largest,
    smallest,
    solve,
    solve_transposed,
)

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
WIDTH = 5


class Factored:
    """Factors of matrices (width, n, n) with a pattern, in the order chosen for the first."""

    def __init__(self, matrices: Array, pattern: Ints | None = None) -> None:
        n = matrices.shape[1]
        pattern = np.ones((n, n), np.int64) if pattern is None else pattern
        self.rows, self.columns = np.zeros(n, np.int64), np.zeros(n, np.int64)
        choose_order(matrices[0], pattern, self.rows, self.columns)
        self.entries = fill(pattern, self.rows, self.columns)
        self.lu, self.growth = np.full((n, n, len(matrices)), np.nan), np.zeros(len(matrices))
        clear_entries(self.lu, self.entries)
        for r, c in np.argwhere(pattern):
            self.lu[self.rows[r], self.columns[c]] = matrices[:, r, c]
        factor(self.lu, self.entries, self.growth)

    def solve(self, b: Array) -> Array:
        work = np.empty_like(b)
        work[self.rows] = b
        solve(self.lu, self.entries, work)
        return work[self.columns]

    def solve_transposed(self, b: Array) -> Array:
        work = np.empty_like(b)
        work[self.columns] = b
        solve_transposed(self.lu, self.entries, work)
        return work[self.rows]


def random(n: int, rng: np.random.Generator, pattern: Ints | None = None) -> Array:
    """Matrices that differ little, as those of neighboring steps do."""
    matrices = rng.normal(size=(n, n)) + 0.02 * rng.normal(size=(WIDTH, n, n))
    return matrices if pattern is None else matrices * pattern


@pytest.mark.parametrize("n", [1, 2, 3, 6, 15])
def test_systems_and_their_transposes_are_solved(n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(10):
        matrices, x = random(n, rng), rng.normal(size=(n, WIDTH))
        worst = np.linalg.cond(matrices).max()
        found = Factored(matrices)
        np.testing.assert_allclose(found.solve(np.einsum("lij,jl->il", matrices, x)), x, atol=1e-13 * worst)
        transposed = found.solve_transposed(np.einsum("lji,jl->il", matrices, x))
        np.testing.assert_allclose(transposed, x, atol=1e-13 * worst)


@pytest.mark.parametrize("n", [4, 10, 30])
def test_entries_that_stay_zero_are_not_touched(n: int) -> None:
    """An arrow: eliminated from its tip it fills in completely, from its feathers not at all."""
    pattern = np.eye(n, dtype=np.int64)
    pattern[0] = pattern[:, 0] = 1
    rng = np.random.default_rng(n)
    matrices = random(n, rng, pattern) + 3.0 * np.eye(n)
    found = Factored(matrices, pattern)
    assert np.isfinite(found.lu).sum() == WIDTH * pattern.sum()
    x = rng.normal(size=(n, WIDTH))
    np.testing.assert_allclose(found.solve(np.einsum("lij,jl->il", matrices, x)), x, atol=1e-12)


def test_rows_are_exchanged_where_a_pivot_vanishes() -> None:
    found = Factored(np.array([[[0.0, 2.0], [3.0, 1.0]]]))
    np.testing.assert_allclose(found.solve(np.array([[4.0], [5.0]]))[:, 0], [1.0, 2.0])


def test_a_small_pivot_is_not_used() -> None:
    found = Factored(np.array([[[1e-20, 1.0], [1.0, 1.0]]]))
    np.testing.assert_allclose(found.solve(np.array([[1.0], [2.0]]))[:, 0], [1.0, 1.0])


def test_an_order_that_has_become_unstable_is_noticed() -> None:
    matrices = np.array([[[2.0, 1.0], [1.0, 1.0]], [[1e-8, 1.0], [1.0, 1.0]]])
    growth = Factored(matrices).growth
    assert growth[0] < 10
    assert growth[1] > 1e6


def singular_values(matrix: Array) -> tuple[float, float]:
    n = len(matrix)
    found = Factored(matrix[None])
    low, high = 1.0 + 0.1 * (np.arange(n) % 3), 1.0 + 0.1 * (np.arange(n) % 3)
    return float(smallest(found.lu, found.entries, low)), float(largest(matrix, high, np.empty(len(high))))


def test_singular_values_are_found() -> None:
    rng = np.random.default_rng(0)
    for n in (1, 2, 3, 6, 15):
        for _ in range(20):
            u, _ = np.linalg.qr(rng.normal(size=(n, n)))
            w, _ = np.linalg.qr(rng.normal(size=(n, n)))
            values = np.geomspace(1.0, rng.uniform(1e-4, 0.9), n)
            low, high = singular_values(u * values @ w)
            # values close to each other are told apart slowly: the iteration stops when they change by 1e-3
            assert low == pytest.approx(values[-1], rel=0.1)
            assert high == pytest.approx(1.0, rel=0.1)


def test_a_singular_matrix_has_the_singular_value_zero() -> None:
    assert singular_values(np.array([[1.0, 2.0], [2.0, 4.0]]))[0] == 0.0
