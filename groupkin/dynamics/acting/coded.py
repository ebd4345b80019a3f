"""Forces as compiled code takes them, and the curves among their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Coded(NamedTuple):
    """A force as compiled code takes it.

    Attributes
    ----------
    rows : list of int
        Kind and rows.
    numbers : list of float
    curves : sequence of (int, array)
        Place among the numbers of where each begins, and the curve.
    component : int
        Component of the result of a function of the user; -1 where there is none.
    """

    rows: list[int]
    numbers: list[float]
    curves: Sequence[tuple[int, Array]] = ()
    component: int = -1


def placed(numbers: Sequence[float], curves: Sequence[tuple[int, Array]], begin: int = 0) -> tuple[list[float], Array]:
    """Numbers of a force that say where its curves begin, the first at `begin`, and the curves, one after another."""
    found = list(numbers)
    for place, curve in curves:
        found[place] = float(begin)
        begin += curve.size
    return found, np.concatenate([np.zeros(0), *(curve for _, curve in curves)])
