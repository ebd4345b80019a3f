"""Numbers by which kernels find rows at any place of an array, not only at multiples of its pitch.

For a kernel row r begins r times the pitch after the first number of an array, and the next component of a vector one
pitch further. Integers of 64 bits are remainders: if the pitch is an odd number of cache lines, there is for every line
of the memory just one r below `COUNT` whose product with the pitch is its place. So a vector may begin at any line, and
kernels need not know: those of a motion write where its results belong (`groupkin.kinematics.solving.placing`).
"""

import numpy as np

from sglibrary.array_types import Ints
from sglibrary.convention import kernel

LINE = 8
"""Numbers per cache line."""

COUNT = 2**58
"""How many numbers there are: as many as cache lines of 64 bytes in 64 bits."""


def inverse(pitch: int) -> int:
    """The number of the row that begins one cache line after the first, by which all others are multiplied.

    `pitch` is an odd number of lines.
    """
    return pow(pitch // LINE, -1, COUNT)


def row_numbers(lines: Ints, pitch: int) -> Ints:
    """Numbers of the rows that begin so many cache lines after the first; arrays of any shape."""
    return np.asarray(lines * np.int64(inverse(pitch))) & (COUNT - 1)


@kernel
def move(rows, entries, numbers, inverse, step):
    """Write the numbers of some rows as they are from a step on.

    Parameters
    ----------
    rows : (k,) array of int
        Rows of kernels.
    entries, numbers : (m,) arrays of int
        Which of them move with the steps, and their numbers at step 0.
    inverse : int
        That of the pitch.
    step : int
        A multiple of `LINE`.
    """
    ahead = inverse * (step // LINE)
    for k in range(entries.size):
        rows[entries[k]] = (numbers[k] + ahead) & (COUNT - 1)
