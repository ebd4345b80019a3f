"""Graphs of values against the sums and products that they stand for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.rates.expressions import Expressions
from sglibrary.rates.straight_line import straight_line

Array = NDArray[np.float64]


def run(made: Expressions, targets: list[int], q: Array) -> Array:
    """Values of some targets where rows of q (rows, 8) are given."""
    code = made.code([(x, len(q) + k) for k, x in enumerate(targets)], {})
    state = np.concatenate([q, np.zeros((len(targets), q.shape[1]))])
    rows = np.array([row for _, row in code.rows], np.int64)
    unused = np.zeros(8, np.uint8), np.zeros(8)
    straight_line(code.text)(state, state, state, np.zeros(0), rows, np.array(code.constants), *unused, 8)
    return state[len(q) :]


def test_random_sums() -> None:
    rng = np.random.default_rng(3)
    q = rng.normal(size=(4, 8))
    made = Expressions()
    values = [(made.value("q", k), q[k]) for k in range(4)]
    values += [(made.constant(x), np.full(8, x)) for x in (0.0, 1.0, -1.0, 0.3, -2.5)]
    bounds = [np.abs(x) for _, x in values]  # sums of absolute values
    for _ in range(60):
        terms = [(*rng.integers(0, len(values), 2), float(rng.choice([1.0, -1.0, 0.7, -3.0]))) for _ in range(4)]
        total = made.total((values[i][0], values[k][0], factor) for i, k, factor in terms)
        values.append((total, sum(factor * values[i][1] * values[k][1] for i, k, factor in terms)))
        bounds.append(sum(abs(factor) * bounds[i] * bounds[k] for i, k, factor in terms))
        if np.max(bounds[-1]) > 1e6:
            values.pop()
            bounds.pop()
    targets = [x for x, _ in values]
    found = run(made, targets, q)
    for x, (_, expected), bound in zip(found, values, bounds, strict=True):
        assert (np.abs(x - expected) <= 1e-13 * bound).all()  # of a few hundred roundings


def test_equal_values_are_one() -> None:
    made = Expressions()
    x, y, one = made.value("q", 0), made.value("q", 1), made.constant(1.0)
    assert made.product(x, y) == made.product(x, y)
    assert made.opposite(made.opposite(x)) == x
    assert made.total([(x, one, 1.0)]) == x
    assert made.known(made.total([(x, made.constant(0.0), 1.0)])) == 0.0
    assert made.known(made.reciprocal(made.constant(4.0))) == 0.25
    assert made.known(made.reciprocal_root(made.constant(4.0))) == 0.5


def test_zero_is_never_negative_where_it_must_not_be() -> None:
    made = Expressions()
    x, one = made.value("q", 0), made.constant(1.0)
    targets = [made.total([(x, one, -1.0)], positive=positive) for positive in (False, True)]
    plain, positive = run(made, targets, np.zeros((1, 8)))
    assert np.signbit(plain).all()
    assert not np.signbit(positive).any()


def test_stored_values_are_read() -> None:
    made = Expressions()
    x = made.value("q", 0)
    square = made.product(x, x)
    code = made.code([(made.product(square, x), 2)], {square: 1})
    assert code.rows == [("q", 1), ("q", 0), ("q", 2)]
    assert code.text == "q 0;q 1;* 0 1;= 2 2"
