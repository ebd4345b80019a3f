"""What random loops are made of: joints in a row, and chains that close."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

Array = NDArray[np.float64]
Rng = np.random.Generator

Joints = list[tuple[str, str, tuple[str, str], Array, Array]]
"""Names, pairs, bodies, points (m), and axes (3,) or (2, 3)."""

Family = tuple[list[str], Joints, list[str]]
"""Bodies, the first of which is the frame, joints, and those with motors."""

Link = tuple[float, float, float]
"""Length (m), twist (rad) and offset (m) by Denavit and Hartenberg."""

Z = np.array([0.0, 0.0, 1.0])
LETTERS = "ABCDEFGHIJKL"


def loop(points: Sequence[Array], axes: Sequence[Array], motors: str = "A", kinds: str = "") -> Family:
    """A loop of joints A, B, … from the frame back to it; hinges unless `kinds` says otherwise."""
    bodies = ["frame", *(f"b{k}" for k in range(1, len(points)))]
    kinds = kinds or "R" * len(points)
    ends = zip(bodies, [*bodies[1:], "frame"], strict=True)
    each = zip(LETTERS, kinds, ends, points, axes, strict=False)
    return (
        bodies,
        [(n, kind, pair, np.asarray(p, float), np.asarray(a, float)) for n, kind, pair, p, a in each],
        [*motors],
    )


def screw(angle: float, length: float, twist: float, offset: float) -> Array:
    """From one hinge of a chain to the next, by Denavit and Hartenberg (4, 4)."""
    c, s, ca, sa = np.cos(angle), np.sin(angle), np.cos(twist), np.sin(twist)
    rows = [[c, -s * ca, s * sa, length * c], [s, c * ca, -c * sa, length * s], [0, sa, ca, offset], [0, 0, 0, 1]]
    return np.array(rows)


def chain(*links: tuple[float, float, float, float]) -> tuple[list[Array], list[Array]]:
    """Points and axes of a closed chain by Denavit and Hartenberg: angle, length, twist, offset."""
    frame, points, axes = np.eye(4), [], []
    for angle, length, twist, offset in links:
        points.append(frame[:3, 3])
        axes.append(frame[:3, 2])
        frame = frame @ screw(angle, length, twist, offset)
    np.testing.assert_allclose(frame, np.eye(4), rtol=0.0, atol=1e-11)
    return points, axes


def turns(rng: Rng, *links: Link) -> list[float]:
    """Find angles (rad) of a chain of hinges, the first one at random, with which it closes."""

    def gap(angles: Array, first: float) -> Array:
        frame = np.eye(4)
        for angle, link in zip([first, *angles], links, strict=True):
            frame = frame @ screw(angle, *link)
        return np.concatenate([frame[:3, 3], (frame[:3, :3] - np.eye(3)).ravel()])

    while True:
        first = rng.uniform(0.4, 2.0)
        start = rng.uniform(-np.pi, np.pi, len(links) - 1)
        found = least_squares(gap, start, args=(first,), xtol=1e-15, ftol=1e-15, gtol=1e-15)
        values = np.linalg.svd(found.jac, compute_uv=False)
        if np.abs(found.fun).max() < 1e-13 and values[-1] > 0.1:
            return [first, *found.x]
