"""Layered layout of a directed diagram: rows of vertices in blocks, and ways of edges that pass no vertex.

Blocks lie on levels, and each has one or more rows of vertices, which lie in one layer each. An edge that passes a
layer has a place of its own there. Orders come from barycenters and swaps of neighbors, positions from isotonic
regression.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

PASSING = 0.45
"""Width that an edge takes in a layer which it passes."""

STRAIGHT = np.array([1.0, 2.0, 8.0])
"""How much parts of an edge are to be vertical, by how many of their ends pass a layer."""

STEEP = 0.42
"""Least slope of an edge from layer to layer, with which it passes the neighbors of its ends."""

SWEEPS, SWAPS, ROUNDS = 16, 4000, 24
"""Sweeps by barycenters, swaps that are tried, and rounds that place vertices."""


@dataclass(frozen=True)
class Block:
    """Vertices that stay together, such as the bodies of a group."""

    level: int
    rows: Sequence[Sequence[Hashable]]


@dataclass(frozen=True)
class Layout:
    """Where vertices are, with y pointing up, and through which points edges go, both ends included."""

    places: dict[Hashable, tuple[float, float]]
    ways: list[Array]


@dataclass(frozen=True)
class _Layers:
    """Vertices by number, with those where edges pass a layer; the order of blocks and rows is changed in place."""

    names: list[Hashable]
    layer: list[int]
    block: list[int]
    width: list[float]
    ways: list[list[int]] = field(default_factory=list)
    bands: dict[int, list[int]] = field(default_factory=dict)
    rows: dict[tuple[int, int], list[int]] = field(default_factory=dict)

    def add(self, name: Hashable, layer: int, block: int, width: float) -> int:
        self.names.append(name)
        self.layer.append(layer)
        self.block.append(block)
        self.width.append(width)
        self.rows.setdefault((block, layer), []).append(len(self.names) - 1)
        return len(self.names) - 1


def layout(
    blocks: Sequence[Block],
    edges: Sequence[tuple[Hashable, Hashable]],
    widths: Mapping[Any, float],
    gap: float,
    margin: float = 0.0,
) -> Layout:
    """Place vertices and edges.

    Parameters
    ----------
    blocks : sequence of Block
    edges : sequence of (vertex, vertex)
        Within a block, or between blocks of different levels.
    widths : mapping of vertex to float
        Room that vertices need; layers are 1 apart, or more.
    gap : float
        Additional distance between levels.
    margin : float
        Room at both sides of a block.
    """
    layers, heights = _layers(blocks, edges, widths, gap)
    segments = np.array([pair for way in layers.ways for pair in pairwise(way)]).reshape(-1, 2)
    _order(layers, segments)
    x = _positions(layers, segments, np.where(np.arange(1 + max(layers.block)) < len(blocks), margin, 0.0))
    steps = np.abs(np.diff(x[segments], axis=1))[:, 0]
    of_layer = np.array(layers.layer)
    for layer in range(1, len(heights)):  # further apart where edges are flat
        flattest = steps[(of_layer[segments] == (layer - 1, layer)).all(axis=1)].max(initial=0.0)
        heights[layer] = heights[layer - 1] + max(heights[layer], STEEP * float(flattest))
    points = np.stack([x, -np.array(heights)[of_layer]], axis=1)
    places = {name: (float(a), float(b)) for name, (a, b) in zip(layers.names, points, strict=True) if name is not None}
    return Layout(places, [points[way] for way in layers.ways])


def _layers(
    blocks: Sequence[Block], edges: Sequence[tuple[Hashable, Hashable]], widths: Mapping[Any, float], gap: float
) -> tuple[_Layers, list[float]]:
    """Number vertices and the places where edges pass layers; and how far each layer is below the one before."""
    layers = _Layers([], [], [], [])
    levels = sorted({block.level for block in blocks})
    first: dict[int, int] = {}
    heights: list[float] = []
    level_of: list[int] = []
    for level in levels:
        first[level] = len(heights)
        for _ in range(max(len(block.rows) for block in blocks if block.level == level)):
            heights.append((1.0 + gap * (len(heights) == first[level])) if heights else 0.0)
            level_of.append(level)
    number = {}
    for k, block in enumerate(blocks):
        layers.bands.setdefault(block.level, []).append(k)
        for row, names in enumerate(block.rows):
            for name in names:
                number[name] = layers.add(name, first[block.level] + row, k, widths[name])
    count = len(blocks)
    for ends in edges:
        upper, lower = sorted((number[name] for name in ends), key=layers.layer.__getitem__)
        way: list[int] = [upper]
        passed: dict[int, int] = {}
        for layer in range(layers.layer[upper] + 1, layers.layer[lower]):
            level = level_of[layer]
            near = [layers.block[end] for end in (upper, lower) if level_of[layers.layer[end]] == level]
            if not near and level not in passed:
                passed[level] = count
                layers.bands[level].append(count)
                count += 1
            way.append(layers.add(None, layer, near[0] if near else passed[level], PASSING))
        layers.ways.append([*way, lower])
    return layers, heights


# --- order -----------------------------------------------------------------------------------


def _columns(layers: _Layers) -> Array:
    """Position of every vertex in its layer, 0 in the middle."""
    columns = np.zeros(len(layers.names))
    rows: dict[int, list[int]] = {}
    for band in layers.bands.values():
        for block in band:
            for key in _rows_of(layers, block):
                rows.setdefault(key[1], []).extend(layers.rows[key])
    for row in rows.values():
        columns[row] = np.arange(len(row)) - 0.5 * (len(row) - 1)
    return columns


def _rows_of(layers: _Layers, block: int) -> list[tuple[int, int]]:
    return [key for key in layers.rows if key[0] == block]


def _cost(layers: _Layers, segments: NDArray[np.int64], columns: Array) -> float:
    """Crossings of edges, vertices between the ends of an edge in one layer, and a little for lengths."""
    if not len(segments):
        return 0.0
    upper, lower = columns[segments[:, 0]], columns[segments[:, 1]]
    layer = np.array(layers.layer)[segments]
    flat = layer[:, 0] == layer[:, 1]
    same = (layer[:, None, 0] == layer[None, :, 0]) & ~(flat[:, None] | flat[None, :])
    crossed = ((upper[:, None] - upper) * (lower[:, None] - lower) < 0) & same
    lengths = np.abs(upper - lower)
    return float(0.5 * crossed.sum() + 3.0 * (lengths[flat] - 1.0).sum() + 1e-3 * lengths.sum())


def _order(layers: _Layers, segments: NDArray[np.int64]) -> None:
    """Order blocks and rows so that few edges cross."""
    best, kept = np.inf, _copied(layers)
    for sweep in range(SWEEPS):
        cost = _cost(layers, segments, _columns(layers))
        if cost < best:
            best, kept = cost, _copied(layers)
        _sort_by_barycenter(layers, segments, down=sweep % 2 == 0)
    layers.bands.update(kept[0])
    layers.rows.update(kept[1])
    _swap_neighbors(layers, segments)


def _copied(layers: _Layers) -> tuple[dict[int, list[int]], dict[tuple[int, int], list[int]]]:
    return {k: list(v) for k, v in layers.bands.items()}, {k: list(v) for k, v in layers.rows.items()}


def _sort_by_barycenter(layers: _Layers, segments: NDArray[np.int64], down: bool) -> None:
    """Sort the blocks of each level, and the vertices of each row, by the middle of their neighbors."""
    for level in sorted(layers.bands, reverse=not down):
        band = layers.bands[level]
        middles = _middles(segments, _columns(layers))
        keys = {b: np.mean([middles[k] for key in _rows_of(layers, b) for k in layers.rows[key]]) for b in band}
        band.sort(key=lambda b: float(keys[b]))
        for block in band:
            for key in sorted(_rows_of(layers, block), reverse=not down):
                middles = _middles(segments, _columns(layers))
                layers.rows[key].sort(key=lambda k: float(middles[k]))


def _middles(segments: NDArray[np.int64], x: Array, weights: Array | float = 1.0) -> Array:
    """Mean position of the neighbors of every vertex; its own where it has none."""
    total, count = np.zeros_like(x), np.zeros_like(x)
    for here, there in (segments.T, segments.T[::-1]):
        np.add.at(total, here, weights * x[there])
        np.add.at(count, here, weights)
    return np.where(count > 0, total / np.maximum(count, 1.0), x)


def _swap_neighbors(layers: _Layers, segments: NDArray[np.int64]) -> None:
    """Swap neighboring blocks and vertices while edges cross less."""
    best, tried, improved = _cost(layers, segments, _columns(layers)), 0, True
    while improved and tried < SWAPS:
        improved = False
        for items in (*layers.bands.values(), *layers.rows.values()):
            for k in range(len(items) - 1):
                items[k], items[k + 1] = items[k + 1], items[k]
                cost, tried = _cost(layers, segments, _columns(layers)), tried + 1
                if cost < best - 1e-9:
                    best, improved = cost, True
                else:
                    items[k], items[k + 1] = items[k + 1], items[k]


# --- positions -------------------------------------------------------------------------------


def _positions(layers: _Layers, segments: NDArray[np.int64], margins: Array) -> Array:
    """Place vertices near the middle of their neighbors, blocks beside each other and rows within their blocks."""
    passing = np.array([name is None for name in layers.names])
    weights = STRAIGHT[passing[segments].sum(axis=1)]
    width = np.array(layers.width)
    size = {
        block: max(width[layers.rows[key]].sum() for key in _rows_of(layers, block))
        for band in layers.bands.values()
        for block in band
    }
    x = np.zeros(len(width))
    for turn in range(ROUNDS):
        for level in sorted(layers.bands, reverse=bool(turn % 2)):
            band = layers.bands[level]
            middles = _middles(segments, x, weights)
            members = [[k for key in _rows_of(layers, block) for k in layers.rows[key]] for block in band]
            targets = np.array([np.mean(middles[list(own)]) for own in members])
            sizes = np.array([size[block] + 2.0 * margins[block] for block in band])
            centers = apart(targets, sizes, -np.inf, np.inf)
            for block, center in zip(band, centers, strict=True):
                half = 0.5 * size[block]
                for key in _rows_of(layers, block):
                    row = layers.rows[key]
                    x[row] = apart(middles[row], width[row], center - half, center + half)
    return x


def apart(targets: Array, widths: Array, low: float, high: float) -> Array:
    """Positions next to targets, in the order given, that leave each its width, between two limits."""
    from scipy.optimize import isotonic_regression

    offsets = np.concatenate([[0.0], np.cumsum(0.5 * (widths[:-1] + widths[1:]))])
    placed = isotonic_regression(targets - offsets).x
    return np.clip(placed, low + 0.5 * widths[0], high - 0.5 * widths[-1] - offsets[-1]) + offsets
