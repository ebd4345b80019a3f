"""Geometry of variants of a mechanism, one after another: the plain way to get what is computed for all at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.mechanism import Body, Mechanism
from groupkin.model.geometry.geometry import Geometry, gather, resolve


def moved(mechanism: Mechanism, points: Mapping[str, NDArray[np.float64]]) -> Mechanism:
    """A mechanism with named points elsewhere; coordinates (d,) are global ones in the reference configuration, m."""

    def at(stated: object) -> object:
        return {name: points.get(name, at) for name, at in stated.items()} if isinstance(stated, Mapping) else stated

    bodies = [replace(body, points=at(body.points)) if isinstance(body, Body) else body for body in mechanism.bodies]
    return replace(mechanism, points=at(mechanism.points), bodies=bodies)


def varied(mechanism: Mechanism, points: Mapping[str, NDArray[np.float64]]) -> Geometry:
    """Geometry of n variants with named points at coordinates (n, d); its size is that of the mechanism itself."""
    count = len(next(iter(points.values())))
    each = [resolve(moved(mechanism, {name: x[k] for name, x in points.items()})) for k in range(count)]
    return replace(gather(each), size=resolve(mechanism).size)
