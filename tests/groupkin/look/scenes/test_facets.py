"""Facets that pass through each other, against areas and depths by closed formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from groupkin.look.scenes.facets import apart, crossings, normals, split
from groupkin.look.scenes.sight import SCREEN, TOWARD


def area(polygon: Any) -> float:
    fan = np.stack([np.broadcast_to(polygon[0], polygon[1:-1].shape), polygon[1:-1], polygon[2:]], axis=1)
    return float(np.linalg.norm(normals(fan), axis=1).sum() / 2)


def square(one: Any, other: Any) -> Any:
    """Two triangles of a square about the origin, along two unit vectors."""
    corners = np.array([x * np.asarray(one) + y * np.asarray(other) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    return corners[np.array([(0, 1, 2), (0, 2, 3)])]


def test_split_triangles_are_short_and_cover_the_same_area() -> None:
    triangles = np.random.default_rng(3).normal(size=(20, 3, 3))
    parts, whole = split(triangles, 0.3)
    sides = np.linalg.norm(np.roll(parts, -1, axis=1) - parts, axis=2)
    assert sides.max() <= 0.3
    for k, triangle in enumerate(triangles):
        covered = sum(area(part) for part in parts[whole == k])
        assert covered == pytest.approx(area(triangle), rel=1e-12)  # sums of hundreds of roundings


def test_crossings_are_those_by_the_intersections_of_sides_with_triangles() -> None:
    random = np.random.default_rng(5)
    one, other = random.normal(size=(2, 60, 3, 3))
    one *= 0.6
    pairs = {tuple(pair) for pair in crossings(one, other).tolist()}

    def pierces(triangle: Any, start: Any, stop: Any) -> bool:
        matrix = np.stack([triangle[1] - triangle[0], triangle[2] - triangle[0], start - stop], axis=1)
        u, v, t = np.linalg.solve(matrix, start - triangle[0])
        return bool(u > 0 and v > 0 and u + v < 1 and 0 < t < 1)

    def meet(a: Any, b: Any) -> bool:
        both = ((a, b), (b, a))
        return any(pierces(x, y[k], y[(k + 1) % 3]) for x, y in both for k in range(3))

    wanted = {(i, j) for i, a in enumerate(one) for j, b in enumerate(other) if meet(a, b)}
    assert len(wanted) > 50
    assert pairs == wanted


def test_no_part_is_on_both_sides_of_what_it_passes_through() -> None:
    level, upright = square((1, 0, 0), (0, 1, 0)), square((1, 0, 0), (0, 0, 1))
    (flat, wall) = apart([level, upright], [0.5, 0.5], 0.1)
    for parts, axis in ((flat, 1), (wall, 2)):
        assert sum(area(polygon) for polygon, _ in parts) == pytest.approx(4.0, rel=1e-12)
        for polygon, _ in parts:
            heights = polygon[:, axis]
            assert heights.min() > -1e-12 or heights.max() < 1e-12


def test_far_parts_come_first_where_squares_pass_through_each_other() -> None:
    surfaces = [square((1, 0, 0), (0, 1, 0)), square((0.8, 0, 0.6), (0, 1, 0))]
    parts = [(polygon, number) for number, found in enumerate(apart(surfaces, [0.5] * 2, 0.05)) for polygon, _ in found]
    parts.sort(key=lambda part: float((part[0] @ TOWARD).mean()))
    wrong, rays = 0, 400
    for x, y in np.random.default_rng(7).uniform(-0.7, 0.7, (rays, 2)):
        at = np.array([x, y, 0.0])
        eye = at @ SCREEN
        hits = [number for polygon, number in parts if _covers(polygon @ SCREEN, eye)]
        depths = []
        for normal in ((0.0, 0.0, 1.0), (-0.6, 0.0, 0.8)):
            depths.append(-(at @ np.array(normal)) / (TOWARD @ np.array(normal)))
        if len(set(hits)) == 2:
            wrong += hits[-1] != int(np.argmax(depths))
    assert wrong <= 0.02 * rays  # on the seam, whose parts are 2.5 % of the squares


def _covers(polygon: Any, at: Any) -> bool:
    edges, away = np.roll(polygon, -1, axis=0) - polygon, at - polygon
    turns = edges[:, 0] * away[:, 1] - edges[:, 1] * away[:, 0]
    return bool((turns >= 0).all() or (turns <= 0).all())
