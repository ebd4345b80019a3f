"""Random cams: ovals, what touches them, and groups that they make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.curves import Curve

Array = NDArray[np.float64]

FOLLOWERS = ("point", "roller", "inside", "face", "curve")
"""What touches the curve of a cam; a roller "inside" runs on the hollow side."""

CAMS: dict[str, Sequence[tuple[int, int, str]]] = {
    "hinge": [(-1, 0, "R"), (0, -1, "L")],
    "slide": [(-1, 0, "P"), (0, -1, "L")],
    "on rods": [(-1, 0, "L"), (-1, 0, "SPSP"), (-1, 0, "SPSP")],
    "two cams": [(-1, 0, "L"), (-1, 0, "L"), (-1, 0, "SPSP")],
    "contact driven": [(-1, 0, "R"), (0, 1, "R"), (1, -1, "L*1")],
    "second freedom driven": [(-1, 0, "R"), (0, 1, "R"), (1, -1, "L*2")],
    "both driven": [(-1, 0, "L*12")],
}
"""Groups with cams, as `tests.support.random_mechanisms.CHAINS`."""


def oval(rng: np.random.Generator, size: float) -> Array:
    """Points of a convex curve around zero, counterclockwise."""
    turns = np.linspace(0.0, 2 * np.pi, 40, endpoint=False)
    one, two = rng.uniform(0, 6, 2)
    radius = size * (1 + 0.08 * np.cos(2 * turns + one) + 0.04 * np.cos(3 * turns + two))
    return np.stack([radius * np.cos(turns), radius * np.sin(turns)], axis=1)


def touching(follower: str, rng: np.random.Generator) -> dict[str, Any]:
    """Geometry of a cam that touches, somewhere on a random oval; a hidden roller runs on its inside."""
    points = rng.uniform(-0.3, 0.3, 2) + oval(rng, rng.uniform(0.4, 0.8))
    curve = Curve(points, closed=True)
    u = rng.uniform(0.0, curve.spline.t[-6])
    place, tangent = curve.spline(u), curve.spline(u, 1) / np.linalg.norm(curve.spline(u, 1))
    out = np.array([tangent[1], -tangent[0]])
    if follower == "point":
        return {"curve": curve, "point": place, "reference": rng.uniform(-2, 2)}
    if follower in ("roller", "inside"):
        radius = 0.2 if follower == "roller" else -0.1
        return {"curve": curve, "point": place + radius * out, "radius": abs(radius), "reference": rng.uniform(-2, 2)}
    if follower == "face":
        return {"curve": curve, "point": place + rng.uniform(-0.5, 0.5) * tangent, "axis": out * rng.choice([-1, 1])}
    other = Curve(oval(rng, 0.3), closed=True)
    w = rng.uniform(0.0, other.spline.t[-6])
    x, y = other.spline(w, 1) / np.linalg.norm(other.spline(w, 1))
    turn = np.array([-tangent, out]).T @ np.array([[x, y], [-y, x]])  # its tangent becomes the opposite one
    return {"curves": (curve, Curve(place + (np.array(other.points) - other.spline(w)) @ turn.T, closed=True))}
