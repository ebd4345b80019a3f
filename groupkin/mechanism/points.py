"""Points and directions that users give, as arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import GeometryError

Array = NDArray[np.float64]

LARGEST = 1e50
"""Of any number that users give: its powers, and products with others, stay finite."""


def coordinates(given: Sequence[float] | Array, dimension: int, what: str) -> Array:
    """A point or direction as an array of `dimension` finite numbers."""
    try:
        array = np.array(given, float)
    except (TypeError, ValueError):
        raise GeometryError(f"{what} must be {dimension} numbers, not {given!r}") from None
    if array.shape != (dimension,) or not (np.abs(array) <= LARGEST).all():
        raise GeometryError(f"{what} must be {dimension} finite numbers, not {given!r}")
    return array


def direction(given: Sequence[float], dimension: int, what: str) -> Array:
    """A unit vector along the given direction."""
    array = coordinates(given, dimension, what)
    length = float(np.linalg.norm(array))
    if length == 0.0:
        raise GeometryError(f"{what} has zero length; give a direction")
    return array / length
