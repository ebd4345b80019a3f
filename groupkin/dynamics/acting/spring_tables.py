"""Springs and dampers by table: the curve through the pairs of a table, and what it stores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.interpolate import PPoly

Array = NDArray[np.float64]
Pairs = Sequence[Sequence[float]]


@lru_cache(maxsize=256)
def curve(table: Pairs) -> PPoly:
    """Join the pairs of a table by cubics whose slopes are continuous, and lines beyond its ends.

    They are monotone where the pairs are (Fritsch and Butland 1984), for a stop or the valve of a damper is a corner,
    about which splines with continuous curvature swing: a damper would then drive for a while.

    Parameters
    ----------
    table : tuple of (float, float)
        Length, coordinate or rate, and force, in rising order of the first.
    """
    from scipy.interpolate import PchipInterpolator, PPoly

    x, y = np.array(table).T
    inner = PchipInterpolator(x, y)
    first, last = inner.derivative()(x[[0, -1]])
    span = x[-1] - x[0]
    before, after = [0.0, 0.0, first, y[0] - first * span], [0.0, 0.0, last, y[-1]]
    return PPoly(np.column_stack([before, inner.c, after]), [x[0] - span, *x, x[-1] + span])


def value(table: Pairs, at: Array) -> Array:
    """Compute forces (n,) of a table; zero of an empty one."""
    return curve(table)(at) if table else np.zeros_like(at)


def stored(table: Pairs, at: Array) -> Array:
    """Compute the integral (n,) of the force from the first pair of a table on, J; zero of an empty one."""
    if not table:
        return np.zeros_like(at)
    work = curve(table).antiderivative()
    return work(at) - work(table[0][0])
