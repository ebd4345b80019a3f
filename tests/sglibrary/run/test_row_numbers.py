"""Rows at any cache line of an array: kernels find them by their numbers."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core.config import DISABLE_JIT

from sglibrary.convention import kernel
from sglibrary.run.row_numbers import COUNT, LINE, inverse, move, row_numbers
from sglibrary.vectors import plane, put, read, space, write

pytestmark = pytest.mark.skipif(bool(DISABLE_JIT), reason="Python's integers are no remainders")


@kernel
def _copy(x, source, target, n):
    """A vector of the plane, then one of space, by all means by which kernels reach rows."""
    first, second = plane(x, target, n)
    along, aside = (x, source), (x, source + 1)
    for j in range(first.size):
        write(first, j, read(along, j))
        write(second, j, read(aside, j))
        put(space(x, target + 2, n), j, (x[source + 2, j], x[source + 3, j], x[source + 4, j]))


@pytest.mark.parametrize("lines", [1, 3, 17, 129, 4095])
def test_every_line_has_one_number(lines: int) -> None:
    pitch = LINE * lines
    places = np.arange(5 * lines)
    numbers = row_numbers(places, pitch)
    assert ((numbers >= 0) & (numbers < COUNT)).all()
    assert all(int(number) * lines % COUNT == place for number, place in zip(numbers, places, strict=True))
    # the next row is one pitch further
    np.testing.assert_array_equal((numbers[:-lines] + 1) % COUNT, numbers[lines:])


def test_kernels_find_them_and_they_move_on() -> None:
    pitch, n = 5 * LINE, 6
    x = np.random.default_rng(0).normal(size=(9, pitch))
    before = x.copy()
    rows = row_numbers(np.array([1, 2]), pitch)  # from columns 8 and 16 on
    _copy(x, rows[0], rows[1], n)
    np.testing.assert_array_equal(x[:5, 16:22], before[:5, 8:14])
    home = row_numbers(np.array([2]), pitch)
    move(rows, np.array([1]), home, inverse(pitch), 2 * LINE)
    _copy(x, rows[0], rows[1], n)
    np.testing.assert_array_equal(x[:5, 32:38], before[:5, 8:14])
    x[:5, 16:22] = before[:5, 16:22]
    x[:5, 32:38] = before[:5, 32:38]
    np.testing.assert_array_equal(x, before)
