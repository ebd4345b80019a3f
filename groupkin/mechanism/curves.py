"""Plane curves through points: the flanks of cams."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import check_fields, floats
from groupkin.errors import GeometryError
from groupkin.mechanism.points import LARGEST
from groupkin.showing import brief
from groupkin.tolerances import COINCIDENT

if TYPE_CHECKING:
    from scipy.interpolate import BSpline

Array = NDArray[np.float64]

DEGREE = 5
"""Degree of the splines: smooth accelerations need continuous third derivatives of the curve."""

ROUNDS = 4
"""Number of corrections that make the parameter of the spline its arc length."""


class Moving(Protocol):
    """Moves points and directions of the plane."""

    def point(self, at: Any) -> Any: ...
    def vector(self, x: Any, /) -> Any: ...


@dataclass(frozen=True)
class Curve:
    """The quintic spline through points of a body, four times continuously differentiable, by its arc length.

    Parameters
    ----------
    points : sequence of (float, float)
        Global coordinates in the reference configuration, m, in the order in which the curve runs; at least six.
    closed : bool
        The curve continues smoothly from the last point to the first, which is not repeated.

    Raises
    ------
    GeometryError
        If these are no six different points of the plane, one after another.
    """

    points: Sequence[Sequence[float]]
    closed: bool = False

    __repr__ = brief

    def __post_init__(self) -> None:
        check_fields(self, GeometryError)
        points = floats(self.points)
        if points.ndim != 2 or points.shape[1] != 2 or not (np.abs(points) <= LARGEST).all():
            raise GeometryError(f"a curve needs points of two finite coordinates each, up to {LARGEST:g}")
        if len(points) <= DEGREE:
            raise GeometryError(f"a curve needs at least {DEGREE + 1} points, got {len(points)}")
        object.__setattr__(self, "points", tuple(map(tuple, points.tolist())))
        if self.closed and np.array_equal(points[0], points[-1]):
            raise GeometryError("a closed curve returns to its first point by itself; remove the last point")
        steps = np.linalg.norm(np.diff(self._nodes, axis=0), axis=1)
        if steps.min() <= COINCIDENT * steps.max():
            raise GeometryError(f"two successive points of a curve coincide: {self.points[int(steps.argmin())]}")

    @property
    def _nodes(self) -> Array:
        points = np.array(self.points)
        return np.concatenate([points, points[:1]]) if self.closed else points

    def moved(self, move: Moving) -> Self:
        """Move the curve."""
        return replace(self, points=[move.point(at) for at in self.points])

    @cached_property
    def breaks(self) -> Array:
        """Arc lengths (pieces + 1,) at which the pieces of the spline meet, m."""
        return np.unique(self.spline.t[DEGREE:-DEGREE])

    @cached_property
    def spline(self) -> BSpline:
        """Coordinates (m) as functions of the arc length (m) from the first point on."""
        nodes = self._nodes
        at = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(nodes, axis=0), axis=1))])
        nodes_of_rule, weights = np.polynomial.legendre.leggauss(12)
        for left in range(ROUNDS, -1, -1):
            spline = _through(at, nodes, self.closed)
            if left:
                half = 0.5 * np.diff(at)
                inside = at[:-1, None] + half[:, None] * (1.0 + nodes_of_rule)
                speed = np.linalg.norm(spline.derivative()(inside), axis=-1)
                at = np.concatenate([[0.0], np.cumsum(half * (speed @ weights))])
        return spline


def _through(at: Array, nodes: Array, closed: bool) -> BSpline:
    """Interpolate points (n, 2) at increasing parameters (n,).

    Raises
    ------
    GeometryError
        If the parameters do not increase, or differ too much.
    """
    from scipy.interpolate import make_interp_spline
    from scipy.linalg import LinAlgWarning

    try:
        if (np.diff(at) > 0.0).all():
            with warnings.catch_warnings():
                warnings.simplefilter("error", LinAlgWarning)
                return make_interp_spline(at, nodes, k=DEGREE, bc_type="periodic" if closed else None)
    except (LinAlgWarning, np.linalg.LinAlgError):
        pass
    raise GeometryError(
        "the steps between the points of a curve differ so much that no smooth curve runs through them; look for a "
        "point with a misplaced decimal sign"
    )
