"""Triangles in space, split and cut where they pass through each other, so that the far ones can be painted first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sglibrary.array_types import Array, Flags, Ints

Parts = list[tuple[Array, int]]
"""Convex polygons (k, 3), and the number of the triangle that each is a part of."""


def split(triangles: Array, most: float) -> tuple[Array, Ints]:
    """Halve triangles (n, 3, 3) at their longest sides until no side is longer.

    Returns
    -------
    (m, 3, 3) array
    (m,) array of int
        The triangle that each is a part of.

    Examples
    --------
    >>> parts, whole = split(np.array([[[0.0, 0, 0], [2, 0, 0], [0, 1, 0]]]), 1.5)
    >>> len(parts), whole
    (3, array([0, 0, 0]))
    """
    parts, whole = np.asarray(triangles, float), np.arange(len(triangles))
    while True:
        sides = np.linalg.norm(np.roll(parts, -1, axis=1) - parts, axis=2)
        long = sides.max(axis=1, initial=0.0) > most
        if not long.any():
            return parts, whole
        rows, k = np.arange(int(long.sum())), sides[long].argmax(axis=1)
        a, b, c = (parts[long][rows, (k + j) % 3] for j in range(3))
        middle = 0.5 * (a + b)
        halves = [np.stack(corners, axis=1) for corners in ((a, middle, c), (middle, b, c))]
        parts = np.concatenate([parts[~long], *halves])
        whole = np.concatenate([whole[~long], whole[long], whole[long]])


def crossings(one: Array, other: Array) -> Ints:
    """Find pairs (k, 2), by number, of triangles (n, 3, 3) and (m, 3, 3) that pass through each other."""
    near = [np.arange(len(each)) for each in (one, other)]
    for k, (mine, its) in enumerate(((one, other), (other, one))):
        low, high = its.min(axis=(0, 1)), its.max(axis=(0, 1))
        near[k] = np.flatnonzero(((mine.max(axis=1) >= low) & (mine.min(axis=1) <= high)).all(axis=1))
    (a, b), (first, second) = near, (one[near[0]], other[near[1]])
    overlap = np.ones((len(a), len(b)), bool)
    for axis in range(3):
        lows, highs = first[:, :, axis].min(axis=1), first[:, :, axis].max(axis=1)
        overlap &= lows[:, None] <= second[:, :, axis].max(axis=1)
        overlap &= highs[:, None] >= second[:, :, axis].min(axis=1)
    i, j = np.nonzero(overlap)
    both = _meet(first[i], second[j])
    return np.stack([a[i[both]], b[j[both]]], axis=1)


def _meet(one: Array, other: Array) -> Flags:
    """Whether triangles (n, 3, 3) pass through others (n, 3, 3): on the line of both planes they share a part."""
    ways = normals(one), normals(other)
    line = np.cross(*ways)
    spans = [_span(mine, its[:, :1], way, line) for mine, its, way in ((one, other, ways[1]), (other, one, ways[0]))]
    (low, high, crossed), (bottom, top, crossing) = spans
    return np.asarray(crossed & crossing & (np.maximum(low, bottom) < np.minimum(high, top)))


def _span(triangles: Array, at: Array, way: Array, line: Array) -> tuple[Array, Array, Flags]:
    """Where triangles (n, 3, 3) pass through planes, along lines of these, and whether they do.

    A plane is given by a point (n, 1, 3) and its normal (n, 3). The span lies between the two sides from the corner
    that is alone on its side of the plane.
    """
    heights = ((triangles - at) * way[:, None]).sum(axis=2)
    crossed = (heights.min(axis=1) < 0.0) & (heights.max(axis=1) > 0.0)
    alone = np.where((heights > 0.0).sum(axis=1) == 1, heights.argmax(axis=1), heights.argmin(axis=1))
    rows, ends = np.arange(len(triangles)), []
    for k in (1, 2):
        other = (alone + k) % 3
        first, second = heights[rows, alone], heights[rows, other]
        share = first / np.where(crossed & (first != second), first - second, 1.0)
        corner = triangles[rows, alone]
        place = corner + share[:, None] * (triangles[rows, other] - corner)
        ends.append((place * line).sum(axis=1))
    return np.minimum(*ends), np.maximum(*ends), crossed


def normals(triangles: Array) -> Array:
    """Normals (n, 3) of triangles (n, 3, 3), as long as twice their areas."""
    return np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])


def cut(polygon: Array, at: Array, normal: Array) -> list[Array]:
    """Cut a convex polygon (k, 3) by the plane through a point (3,) with a normal (3,), into one or two.

    Examples
    --------
    >>> square = np.array([[0.0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0]])
    >>> [len(part) for part in cut(square, np.array([1.0, 0, 0]), np.array([1.0, 0, 0]))]
    [4, 4]
    """
    heights = (polygon - at) @ normal
    if not heights.min() < 0.0 < heights.max():
        return [polygon]
    sides: tuple[list[Array], list[Array]] = ([], [])
    for k, (at, height) in enumerate(zip(polygon, heights, strict=True)):
        before = heights[k - 1]
        if before * height < 0.0:
            between = polygon[k - 1] + before / (before - height) * (at - polygon[k - 1])
            for side in sides:
                side.append(between)
        for side, sign in zip(sides, (1.0, -1.0), strict=True):
            if sign * height >= 0.0:
                side.append(at)
    return [np.array(side) for side in sides]


def apart(surfaces: Sequence[Array], coarse: Sequence[float], fine: float) -> list[Parts]:
    """Split surfaces of triangles (n, 3, 3), and cut them where they pass through each other.

    Sides are no longer than `coarse`, of each surface, or than `fine` where surfaces meet, m. Of two parts of which one
    hides the other, the nearer one then has the nearer middle, but for errors of about their size.
    """
    pieces = [split(*each) for each in zip(surfaces, coarse, strict=True)]
    for number, others in enumerate(_met(surfaces, [parts for parts, _ in pieces])):
        parts, whole = pieces[number]
        met = np.unique(np.concatenate([pairs[:, 0] for _, pairs in others])) if others else np.empty(0, np.int64)
        if met.size:
            finer, of = split(parts[met], fine)
            left = np.delete(np.arange(len(parts)), met)
            pieces[number] = np.concatenate([parts[left], finer]), np.concatenate([whole[left], whole[met][of]])
    done: list[Parts] = []
    for number, others in enumerate(_met(surfaces, [parts for parts, _ in pieces])):
        parts, whole = pieces[number]
        polygons = {k: [part] for k, part in enumerate(parts)}
        for other, pairs in others:
            planes = pieces[other][0][pairs[:, 1]]
            for k, at, way in zip(pairs[:, 0].tolist(), planes[:, 0], normals(planes), strict=True):
                polygons[k] = [half for each in polygons[k] for half in cut(each, at, way)]
        done.append([(each, int(whole[k])) for k, found in polygons.items() for each in found])
    return done


def _met(surfaces: Sequence[Array], pieces: Sequence[Array]) -> list[list[tuple[int, Ints]]]:
    """Which surfaces each one meets, by number, with the pairs of their pieces that cross each other."""
    boxes = [(each.min(axis=(0, 1)), each.max(axis=(0, 1))) if len(each) else None for each in surfaces]
    found: list[list[tuple[int, Ints]]] = [[] for _ in surfaces]
    for k, box in enumerate(boxes):
        for j, other in enumerate(boxes[:k]):
            if box and other and (box[0] <= other[1]).all() and (other[0] <= box[1]).all():
                pairs = crossings(pieces[k], pieces[j])
                found[k] += [(j, pairs)] if len(pairs) else []
                found[j] += [(k, pairs[:, ::-1])] if len(pairs) else []
    return found
