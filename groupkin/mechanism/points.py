"""Points and directions of a description as arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import floats
from groupkin.errors import GeometryError, shown

Array = NDArray[np.float64]

LARGEST = 1e50
"""Largest number allowed in a description, so that powers and products stay finite."""

SMALLEST = 1e-50
"""Smallest size of a mechanism, m, so that powers and products of lengths do not vanish."""


def coordinates(values: Sequence[float] | Sequence[str] | Array, dimension: int, what: str) -> Array:
    """Convert a point or direction to an array of `dimension` finite numbers; `what` names it in messages."""
    array = floats(values)
    if array.shape != (dimension,) or not (np.abs(array) <= LARGEST).all():
        raise GeometryError(f"{what} must be {dimension} finite numbers, not {shown(values)}")
    return array.copy()


def direction(values: Sequence[float] | Sequence[str] | Array, dimension: int, what: str) -> Array:
    """Convert a direction to a unit vector; `what` names it in messages."""
    array = coordinates(values, dimension, what)
    length = float(np.linalg.norm(array))
    if length == 0.0:
        raise GeometryError(f"{what} has zero length; give a direction")
    return array / length
