"""Instruction lists in NumPy, and expressions that are read back from them."""

from __future__ import annotations

import numpy as np
import pytest

from sglibrary.code.graph import Graph, function, larger, power, read, smaller
from sglibrary.code.instructions import BLOCK, compute_rows


def test_long_rows_have_the_numbers_of_short_ones() -> None:
    graph = Graph()
    x, y = (graph.value("w", k) for k in range(2))
    text = graph.text([(function("sin", x) / y, "w 2"), (graph.number(2.5), "w 3")])
    rows = np.random.default_rng(0).uniform(1.0, 2.0, (2, 2 * BLOCK + 7, 2))
    for whole, at in zip(compute_rows(text, list(rows)), compute_rows(text, list(rows[:, -20:])), strict=True):
        assert whole.shape == rows.shape[1:]
        np.testing.assert_array_equal(whole[-20:], np.broadcast_to(at, (20, 2)))


def test_expressions_are_read_back() -> None:
    graph, other = Graph(), Graph()
    x, y = (graph.value("w", k) for k in range(2))
    text = graph.text([(function("exp", x * y) / (x + 2.0), "w 2"), (-y, "w 3")])
    found = read(other, text, lambda kind, numbers: other.value(kind, int(numbers[0])))
    again = other.text(list(zip(found, ("w 2", "w 3"), strict=True)))
    rows = [0.3, 1.7]
    assert compute_rows(again, rows) == compute_rows(text, rows)


def test_smaller_and_larger_numbers_and_powers() -> None:
    graph = Graph()
    x, y = (graph.value("w", k) for k in range(2))
    parts = [smaller(x, y), larger(x, y), *(power(x, graph.number(n)) for n in (0.0, 1.0, 2.0, -1.5)), power(x, y)]
    a, b = np.array([[1.0, 2.0, np.inf, np.nan, 0.5], [2.0, 1.0, 3.0, 1.0, np.nan]])
    found = compute_rows(graph.text([(part, f"w {2 + k}") for k, part in enumerate(parts)]), [a, b])
    expected = [np.minimum(a, b), np.maximum(a, b), 1.0, a, a * a, a**-1.5, a**b]
    for x_found, x_expected in zip(found, expected, strict=True):
        np.testing.assert_array_equal(x_found, x_expected)


def test_functions_of_numbers_are_numbers() -> None:
    graph = Graph()
    assert function("log", graph.number(2.0)).known == pytest.approx(np.log(2.0))
    assert (graph.number(1.0) / graph.number(0.0)).known == np.inf
