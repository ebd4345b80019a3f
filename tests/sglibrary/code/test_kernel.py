"""Kernels of instruction lists against the formulas that they say."""

from __future__ import annotations

import numpy as np
import pytest

from sglibrary.code.kernel import kernel_of
from sglibrary.inverses import inverse, room

UNUSED = np.zeros(0), np.zeros(24, np.uint8), np.zeros(24)


def test_every_kind_of_line() -> None:
    rng = np.random.default_rng(0)
    q, a = rng.uniform(0.5, 2.0, (16, 24)), rng.uniform(0.5, 2.0, (4, 24))
    before = q.copy()
    code = "q 0 0;q 1 0;a 2 0;c 0;* 0 1;+ 0 1;- 0 1;f 0 1 2;n 0;r 0;i 0;* 2 3;" + ";".join(
        f"= {value} q {3 + k} 0" for k, value in enumerate(range(4, 12))
    )
    rows = np.array([5, 1, 3, *range(6, 14)])
    memory, status, conditioning = UNUSED
    kernel_of(code)(q, q, a, memory, rows, np.array([0.3]), status, conditioning, 20)
    x, y, z = before[5, :20], before[1, :20], a[3, :20]
    expected = np.array([x * y, x + y, x - y, x * y + z, -x, 1.0 / x, 1.0 / np.sqrt(x), 0.3 * z])
    # a few roundings: the product within a sum is not rounded, a square root and a division are
    assert np.allclose(q[6:14, :20], expected, rtol=1e-15, atol=1e-15)
    assert np.array_equal(q[:6], before[:6])


def test_roots_sizes_and_choices() -> None:
    rng = np.random.default_rng(2)
    q = rng.uniform(-2.0, 2.0, (7, 16))
    q[0, 3] = q[1, 3]
    code = "q 0 0;q 1 0;| 0;s 2;l 0;? 0 1 0 4;# 0.25;* 6 1;= 3 q 2 0;= 4 q 3 0;= 5 q 3 1;= 7 q 5 0"
    memory, status, conditioning = UNUSED
    x, y = q[0].copy(), q[1].copy()
    kernel_of(code)(q, q, q, memory, np.arange(7), np.zeros(0), status, conditioning, 16)
    assert np.array_equal(q[2:6], [np.sqrt(np.abs(x)), np.floor(x), np.where(x >= y, x, np.floor(x)), 0.25 * y])


def test_steps_of_a_block_do_not_depend_on_its_end() -> None:
    rng = np.random.default_rng(1)
    q = rng.normal(size=(3, 24))
    kernel, rows, (memory, status, conditioning) = kernel_of("q 0 0;q 1 0;f 0 1 0;= 2 q 2 0"), np.arange(3), UNUSED
    kernel(q, q, q, memory, rows, np.zeros(0), status, conditioning, 24)
    whole = q[2].copy()
    for n in (1, 7, 8, 13):
        q[2] = 0.0
        kernel(q, q, q, memory, rows, np.zeros(0), status, conditioning, n)
        assert np.array_equal(q[2, :n], whole[:n])


@pytest.mark.parametrize("size", [4, 6, 15])
def test_inverse(size: int) -> None:
    rng, count = np.random.default_rng(size), size * size
    q = rng.normal(size=(2 * count, 24))
    q[[0, size + 1]] = 0.0  # needs pivots
    _, status, conditioning = UNUSED
    inverse(q, q, q, np.zeros(room(size)).ravel(), np.arange(2 * count), np.zeros(0), status, conditioning, 19)
    matrices = np.moveaxis(q[:count, :19].reshape(size, size, 19), -1, 0)
    found = np.moveaxis(q[count:, :19].reshape(size, size, 19), -1, 0)
    bound = 1e-14 * np.linalg.cond(matrices)
    assert (np.abs(found @ matrices - np.eye(size)).max(axis=(1, 2)) < bound).all()
