"""Areas from a grid of places that are inside or not: rings along their boundaries, refined to any precision."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from groupkin.tolerances import FLAT_PART
from sglibrary.array_types import Array, Flags

Reach = Callable[[Array], Flags]
"""Tells which of some places (n, 2) are inside."""


@dataclass(frozen=True)
class Precision:
    """How closely boundaries are followed.

    Attributes
    ----------
    halvings : int
        Of the distance between a place that is inside and one that is not.
    rounds : int
        How often a part of a ring is divided at most.
    """

    halvings: int
    rounds: int


FINE, FAIR = Precision(40, 14), Precision(18, 3)
"""Of one section: to rounding, and corners to 1e-4 of a mesh; and of many, which give a volume."""

SPIKES = (0.25, 1.0, 2.0, 4.0)
"""How far beside a part the boundary is looked for, by its length: a corner may stick out farther than it is wide."""

FARTHEST = 1.5
"""How far it is looked for at most, in meshes: a corner is in the same mesh."""

LEFT = {
    1: [(0, 3)], 2: [(1, 0)], 3: [(1, 3)], 4: [(2, 1)], 5: [(0, 3), (2, 1)], 6: [(2, 0)], 7: [(2, 3)],
    8: [(3, 2)], 9: [(0, 2)], 10: [(1, 0), (3, 2)], 11: [(1, 2)], 12: [(3, 1)], 13: [(0, 1)], 14: [(3, 0)],
}  # fmt: skip
"""Parts of rings in a cell, by which of its corners are inside, as bits from the lower left one counterclockwise: the
edges from which to which they go, numbered from the lower one likewise, with the inside on the left."""


def on_grid(x: Array, y: Array, reach: Reach, stride: int) -> Flags:
    """Tell which places (ny, nx) of a grid are inside: first at each `stride` of them, then where these differ."""
    known = np.zeros((y.size, x.size), bool)
    asked, found = known.copy(), known.copy()
    rows, columns = (np.unique([*range(0, side.size, stride), side.size - 1]) for side in (y, x))
    asked[np.ix_(rows, columns)] = True
    while (asked & ~known).any():
        j, i = np.nonzero(asked & ~known)
        found[j, i] = reach(np.stack([x[i], y[j]], axis=1))
        known[j, i] = True
        if stride == 1:
            break
        for low, high in pairwise(rows):
            for left, right in pairwise(columns):
                corners = found[[low, low, high, high], [left, right, left, right]]
                if corners.any() != corners.all():
                    asked[low : high + 1, left : right + 1] = True
                elif corners.all():
                    found[low : high + 1, left : right + 1] |= ~known[low : high + 1, left : right + 1]
        stride = 1
    return found


def rings(x: Array, y: Array, inside: Flags, reach: Reach, precision: Precision) -> list[Array]:
    """Follow the boundaries of what is inside.

    Parameters
    ----------
    x, y : (nx,) and (ny,) arrays
        Of the grid.
    inside : (ny, nx) array of bool
        Not at its border.
    reach : callable
    precision : Precision

    Returns
    -------
    list of (n, 2) array
        Closed rings, without the first place again at their ends: counterclockwise around what is inside, clockwise
        around holes. All places are inside, next to the boundary.
    """
    ends, after = _edges(x, y, inside)
    keys = list(ends)
    if not keys:
        return []
    table = np.array([ends[key] for key in keys])
    found = bisected(table[:, 0], table[:, 1], reach, precision)
    at = dict(zip(keys, found, strict=True))
    farthest = FARTHEST * max(x[1] - x[0], y[1] - y[0])
    return [_divided(np.array([at[key] for key in ring]), farthest, reach, precision) for ring in _closed(after)]


Edge = tuple[int, int, int]
"""Row and column of a corner, and 0 along x or 1 along y from there."""


def _edges(x: Array, y: Array, inside: Flags) -> tuple[dict[Edge, tuple[Array, Array]], dict[Edge, Edge]]:
    """List the edges that a boundary passes, with their ends, that inside first, and the edges that follow each."""
    ends: dict[Edge, tuple[Array, Array]] = {}
    after: dict[Edge, Edge] = {}
    code = inside[:-1, :-1] + 2 * inside[:-1, 1:] + 4 * inside[1:, 1:] + 8 * inside[1:, :-1].astype(int)
    for j, i in np.argwhere((code > 0) & (code < 15)):
        edges: list[Edge] = [(j, i, 0), (j, i + 1, 1), (j + 1, i, 0), (j, i, 1)]
        for first, last in LEFT[int(code[j, i])]:
            after[edges[first]] = edges[last]
            for row, column, along in (edges[first], edges[last]):
                other = (row, column + 1) if along == 0 else (row + 1, column)
                one, two = np.array([x[column], y[row]]), np.array([x[other[1]], y[other[0]]])
                ends[row, column, along] = (one, two) if inside[row, column] else (two, one)
    return ends, after


def _closed(after: dict[Edge, Edge]) -> Iterator[list[Edge]]:
    """Yield rings of edges; each edge is passed once."""
    left = dict(after)
    while left:
        start = next(iter(left))
        ring, here = [start], left.pop(start)
        while here != start:
            ring.append(here)
            here = left.pop(here)
        yield ring


def bisected(within: Array, without: Array, reach: Reach, precision: Precision) -> Array:
    """Find the last places (n, 2) that are inside on the ways from some that are to others that are not."""
    for _ in range(precision.halvings):
        middle = 0.5 * (within + without)
        found = reach(middle)[:, None]
        within, without = np.where(found, middle, within), np.where(found, without, middle)
    return within


def _divided(ring: Array, farthest: float, reach: Reach, precision: Precision) -> Array:
    """Divide a ring, from the middle of each part to the boundary beside it, until it lies on the boundary."""
    wanted = np.ones(len(ring), bool)  # parts that are to be divided, from each place to the next
    for _ in range(precision.rounds):
        at = np.flatnonzero(wanted)
        if not at.size:
            break
        here, there = ring[at], np.roll(ring, -1, axis=0)[at]
        placed, moved = _beside(here, there, farthest, reach, precision)
        bent = moved > FLAT_PART * float(np.ptp(ring, axis=0).max())
        keep = moved >= 0.0
        ring = np.insert(ring, at[keep] + 1, placed[keep], axis=0)
        wanted[at] = bent
        wanted = np.insert(wanted, at[keep] + 1, bent[keep])
    return ring


def _beside(here: Array, there: Array, farthest: float, reach: Reach, precision: Precision) -> tuple[Array, Array]:
    """Find the boundary beside the middle of parts of a ring, and how far it is, -1 where it is not near."""
    way, middle = there - here, 0.5 * (here + there)
    length = np.linalg.norm(way, axis=1)
    normal = np.stack([way[:, 1], -way[:, 0]], axis=1) / np.where(length > 0.0, length, 1.0)[:, None]  # outward
    inner = reach(middle)
    side, beyond, passed = np.where(inner, 1.0, -1.0)[:, None] * normal, middle, np.zeros(len(here), bool)
    for far in SPIKES:
        beyond = np.where(passed[:, None], beyond, middle + np.minimum(far * length, farthest)[:, None] * side)
        passed = reach(beyond) != inner
    within, without = np.where(inner[:, None], middle, beyond), np.where(inner[:, None], beyond, middle)
    found = middle.copy()
    found[passed] = bisected(within[passed], without[passed], reach, precision)
    return found, np.where(passed & (length > 0.0), np.linalg.norm(found - middle, axis=1), -1.0)


def area(ring: Array) -> float:
    """Signed area of a ring, negative where it goes clockwise."""
    x, y = (ring - ring.mean(axis=0)).T
    return float(0.5 * (x @ np.roll(y, -1) - y @ np.roll(x, -1)))


def around(ring: Array, place: Array) -> bool:
    """Tell whether a ring goes around a place (2,)."""
    (x, y), (u, v) = (ring - place).T, (np.roll(ring, -1, axis=0) - place).T
    passes = (y > 0.0) != (v > 0.0)
    with np.errstate(all="ignore"):
        right = x - y * (u - x) / (v - y) > 0.0
    return bool(np.count_nonzero(passes & right) % 2)


def grouped(every: Sequence[Array]) -> list[list[Array]]:
    """Put every hole to the smallest ring around it: lists of an outer ring and its holes, the largest first."""
    outer = sorted((ring for ring in every if area(ring) > 0.0), key=area)
    found = [[ring] for ring in outer]
    for hole in every:
        if area(hole) < 0.0:
            holder = next((one for one in found if around(one[0], hole[0])), None)
            if holder is not None:
                holder.append(hole)
    return found[::-1]
