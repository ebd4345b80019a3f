"""Bushings: elastic bearings between two bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import Name, floats
from groupkin.errors import ForceError, shown
from groupkin.mechanism.forces.force_checks import check_ends
from groupkin.mechanism.forces.part import ForcePart
from groupkin.mechanism.forces.pull import Pull
from groupkin.mechanism.parts import Point
from groupkin.mechanism.points import LARGEST
from groupkin.tolerances import INERTIA_ROUNDING

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism

Array = NDArray[np.float64]

Stiffness = float | Sequence[float] | Sequence[Sequence[float]]
"""One number for all axes, one for each, or a symmetric matrix."""


@dataclass(frozen=True)
class Bushing(ForcePart):
    """An elastic bearing between two bodies: a stiffness and damping in all directions.

    At rest its points coincide. With the shift u of the point on the second body in the axes of the first and its
    rotation a, it moves the second body by -stiffness u - damping u' and turns it by -torsion a - torsion_damping a'.
    In the plane a is the angle; in space it is the vector along the axis of the rotation with the sine of its angle.

    Parameters
    ----------
    name : str
    between : (str, str)
        The two bodies.
    point : point
        Its middle: a name, or global coordinates in the reference configuration, m.
    stiffness, damping : float, (d,) sequence of float or (d, d) matrix
        N/m and N s/m, in global axes of the reference configuration, which are fixed in the first body.
    torsion, torsion_damping : float, (3,) sequence of float or (3, 3) matrix
        N m/rad and N m s/rad; in the plane one number.
    """

    name: Name
    between: tuple[str, str]
    point: Point
    stiffness: Stiffness = 0.0
    damping: Stiffness = 0.0
    torsion: Stiffness = 0.0
    torsion_damping: Stiffness = 0.0

    UNITS: ClassVar = {
        "stiffness": "N/m",
        "damping": "N*s/m",
        "torsion": "N*m/rad",
        "torsion_damping": "N*m*s/rad",
    }

    def check(self, mechanism: Mechanism, where: str) -> None:
        check_ends(mechanism, self.between, where)
        mechanism.locate(self.point, where)
        self.matrices(mechanism.dimension, where)

    def ends(self) -> list[tuple[str, Point]]:
        return [(body, self.point) for body in self.between]

    def matrices(self, dimension: int, where: str) -> list[Array]:
        """Stiffness, damping, torsion and torsion damping as symmetric matrices.

        Raises
        ------
        ForceError
            If one is invalid.
        """
        sizes = (dimension, 1 if dimension == 2 else 3)
        return [
            _symmetric(getattr(self, name), sizes[name.startswith("torsion")], f"{where}: its {name}")
            for name in ("stiffness", "damping", "torsion", "torsion_damping")
        ]

    def pulls(self, dimension: int) -> tuple[list[tuple[Pull, Array]], list[tuple[Pull, Array]]]:
        """Laws along, and about, principal axes (d,) of the matrices, in the axes of the first body."""
        stiffness, damping, torsion, damped = self.matrices(dimension, f"force {self.name!r}")
        shifts, turns = (
            [(Pull(stiffness=k), axis) for k, axis in _principal(elastic)]
            + [(Pull(damping=c), axis) for c, axis in _principal(viscous)]
            for elastic, viscous in ((stiffness, damping), (torsion, damped))
        )
        return shifts, turns


def _symmetric(given: Stiffness, size: int, what: str) -> Array:
    """Read a symmetric matrix (size, size) that is given as one, by its diagonal, or as one number for all.

    Raises
    ------
    ForceError
        If it is invalid, or has negative eigenvalues.
    """
    numbers = floats(given)
    if numbers.shape not in ((), (size,), (size, size)) or not (np.abs(numbers) <= LARGEST).all():
        raise ForceError(
            f"{what} must be one finite number, {size}, or a matrix of {size} by {size}, not {shown(given)}"
        )
    matrix = numbers if numbers.ndim == 2 else numbers * np.eye(size)
    if not np.allclose(matrix, matrix.T, rtol=INERTIA_ROUNDING, atol=0.0):
        raise ForceError(f"{what} must be a symmetric matrix, not {shown(given)}")
    least = float(np.linalg.eigvalsh(matrix)[0])
    if least < -INERTIA_ROUNDING * np.abs(matrix).max():
        raise ForceError(f"{what} has the negative eigenvalue {least:.4g}, so that it would drive the bodies")
    return 0.5 * (matrix + matrix.T)


def _principal(matrix: Array) -> list[tuple[float, Array]]:
    """Values of a symmetric matrix that are not zero, and principal axes (d,)."""
    if np.array_equal(matrix, np.diag(np.diag(matrix))):
        values, axes = np.diag(matrix), np.eye(len(matrix))
    else:
        values, axes = np.linalg.eigh(matrix)
    return [(float(x), axis) for x, axis in zip(values, axes.T, strict=True) if x]
