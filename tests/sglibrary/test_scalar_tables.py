"""Tables of scalar operations: numbers that remember how they were computed, and derivatives by complex steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sglibrary import scalar_tables as tables
from sglibrary.traced import NotTraceableError, Table, Trace, samples

Array = NDArray[np.float64]

FEEDS = np.random.default_rng(0).uniform(0.3, 0.9, (4, 5))


def formula(x: Any) -> Any:
    """Every operation but those that are not differentiable, on arrays of floats, complex or traced numbers."""
    a, b, c, d = x
    total = a + b * c - d / a + np.sqrt(a * a + b * b) + 2.0 * np.sin(c) - np.cos(d) / 3.0
    return np.stack([total, 1.0 - total * b, -((total / d) ** 2), (a - 1.0) * (1.0 + c), 1.0 / (a + d)])


def traced(function: Any) -> tuple[Table, NDArray[np.int64]]:
    trace = Trace()
    inputs = [trace.fixed([trace.input(k, 0.5 + 0.1 * k)]) for k in range(4)]
    nodes = trace.nodes(function(inputs))
    table, rows = trace.table(4)
    return table, rows[nodes[:, 0]]


def test_a_traced_computation_has_the_bits_of_the_one_with_floats() -> None:
    table, rows = traced(formula)
    np.testing.assert_array_equal(table.work(FEEDS)[rows], formula(FEEDS))


def test_a_column_has_the_same_bits_alone() -> None:
    table, rows = traced(formula)
    together = table.work(FEEDS)
    for k in range(FEEDS.shape[1]):
        np.testing.assert_array_equal(table.work(FEEDS[:, k : k + 1])[rows, 0], together[rows, k])


def test_derivatives_are_those_of_complex_steps() -> None:
    table, rows = traced(formula)
    found, step = table.derivatives(table.work(FEEDS), rows), 1e-100
    for values, own in zip(FEEDS.T, found, strict=True):
        exact = np.stack([formula(values + 1j * step * direction).imag / step for direction in np.eye(4)], axis=1)
        np.testing.assert_allclose(own, exact, rtol=1e-13, atol=1e-13)  # some ten roundings


def test_angles_signs_and_sizes() -> None:
    def odd(x: Any) -> Any:
        return np.stack([np.arctan2(x[0], x[1]), np.abs(x[2] - 2.0), (x[3] - 2.0)])

    table, rows = traced(odd)
    work = table.work(FEEDS)
    np.testing.assert_allclose(work[rows], odd(FEEDS), rtol=1e-15)
    changes = table.derivatives(work[:, :1], rows)[0]
    y, x = FEEDS[:2, 0]
    np.testing.assert_allclose(changes[0, :2], [x / (x * x + y * y), -y / (x * x + y * y)], rtol=1e-14)
    np.testing.assert_array_equal(changes[1], [0.0, 0.0, -1.0, 0.0])


def test_equal_values_are_computed_once_and_what_changes_nothing_not_at_all() -> None:
    table, _ = traced(lambda x: np.stack([x[0] * x[1] + 0.0, 1.0 * (x[0] * x[1]), 0.0 - (0.0 - x[2]), x[3] - x[3]]))
    operations = [x for x in table.values[0].graph.values if not x.is_leaf]
    assert len(operations) == 2  # a product and an opposite


@pytest.mark.smoke
def test_comparisons_hold_where_they_come_out_as_they_did() -> None:
    trace = Trace()
    x, y = trace.fixed([trace.input(0, 1.0)]), trace.fixed([trace.input(1, 2.0)])
    chosen = np.where(x < y, x, y)
    assert chosen[0].node == x[0].node
    assert not (x[0] >= y[0])
    table, _ = trace.table(2)
    work, valid = table.work(np.array([[1.0, 3.0, 2.0], [2.0, 1.0, 2.0]])), np.empty(3, bool)
    tables.relied_on(table.comparisons, np.zeros(0, np.int64), work, valid)
    assert valid.tolist() == [True, False, False]
    work[0, 0] = np.nan
    tables.relied_on(np.zeros((0, 3), np.int64), np.array([0]), work, valid)
    assert valid.tolist() == [False, True, True]


def test_what_cannot_be_traced_says_so() -> None:
    trace = Trace()
    x = trace.input(0, 0.5)
    with pytest.raises(NotTraceableError):
        np.zeros(1)[:] = x
    with pytest.raises(NotTraceableError):
        x**3
    assert samples([x, 2.0]).tolist() == [0.5, 2.0]
    assert samples(FEEDS) is FEEDS
