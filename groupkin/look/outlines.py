"""Points of outlines and lines: circles, rounded hulls, heads of arrows, hatching."""

from __future__ import annotations

import numpy as np

from sglibrary.array_types import Array

ROUND = np.stack([np.cos(t := np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)), np.sin(t)], axis=1)
"""Points of the unit circle."""


def rounded(points: Array, radius: float) -> Array:
    """Outline (k, 2) of the convex hull of points (n, 2) with so much around it: a disk, a bar, a plate.

    Examples
    --------
    >>> float(np.abs(rounded(np.zeros((1, 2)), 2.0)).max())
    2.0
    """
    from scipy.spatial import ConvexHull

    around = (np.asarray(points)[:, None] + radius * ROUND).reshape(-1, 2)
    return np.asarray(around[ConvexHull(around).vertices])


def arrow(tip: Array, direction: Array, length: float) -> Array:
    """Corners (3, 2) of a triangle that points along a unit vector."""
    across = np.array([-direction[1], direction[0]])
    back = tip - length * direction
    return np.array([tip, back + 0.42 * length * across, back - 0.42 * length * across])


def hatching(start: Array, stop: Array, depth: float) -> Array:
    """Strokes (k, 2), with NaN between them, on the right side of a line as seen from start to stop."""
    along = (stop - start) / np.linalg.norm(stop - start)
    right = np.array([along[1], -along[0]])
    count = max(2, round(float(np.linalg.norm(stop - start)) / (0.7 * depth)))
    tops = start + (np.arange(count)[:, None] + 0.75) / count * (stop - start)
    strokes = np.stack([tops, tops + depth * (right - 0.7 * along), np.full((count, 2), np.nan)], axis=1)
    return strokes.reshape(-1, 2)[:-1]
