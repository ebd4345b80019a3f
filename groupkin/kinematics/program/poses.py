"""Poses of bodies as rows of the state, and which row a point or direction fixed in a body has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sglibrary.arrays import in_frame

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Pose:
    """Rows of the state that place a body.

    Attributes
    ----------
    point : int
        First row of a point of the body.
    vectors : tuple of int
        First rows of orthonormal directions: three in space, one in the plane, where a quarter turn gives the other.
    origin : (..., d) array
        Local coordinates of the point, m.
    directions : (..., d, d) array
        Local components of the directions, as columns.
    """

    point: int
    vectors: tuple[int, ...]
    origin: Array
    directions: Array

    def coefficients(self, local: Array, point: bool) -> Array:
        """Components (..., d) along the directions: of a direction, or of the way from the pose's point to a point.

        Parameters
        ----------
        local : (..., d) array
            Local coordinates, m, or components of a direction.
        point : bool
            Whether they are those of a point.
        """
        return in_frame(self.directions, local - self.origin if point else local)

    def row(self, coefficients: Array, point: bool, tolerance: float = 0.0) -> int | None:
        """Find the first row of the pose that already holds a point or direction of the body; None if none does.

        Parameters
        ----------
        coefficients : (..., d) array
            See `coefficients`; of variants, all of them must agree with the row.
        point : bool
            Whether they are those of a point.
        tolerance : float
            Distance from the pose's point, m, or what a unit vector's component along a direction may miss of 1.
        """
        if point:
            return self.point if np.all(np.abs(coefficients) <= tolerance) else None
        for k, row in enumerate(self.vectors):
            miss = np.abs(coefficients - np.eye(coefficients.shape[-1])[k])
            # what is within the tolerance along a direction may be as far as this beside it
            if np.all(miss[..., k] <= tolerance) and np.all(miss <= np.sqrt(2.5 * tolerance)):
                return row
        return None


@dataclass(frozen=True)
class Attached:
    """A point or direction fixed in a solved body, which has rows of its own.

    Attributes
    ----------
    point : int
        First row of the point it is measured from; -1 for a direction.
    vectors : tuple of int
        First rows of the body's directions.
    coefficients : (..., d) array
        Components along these directions.
    """

    point: int
    vectors: tuple[int, ...]
    coefficients: Array
