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

from sglibrary.array_types import Array, Ints

PASSING = 0.45
"""Width that an edge takes in a layer which it passes."""

STRAIGHT = np.array([1.0, 2.0, 8.0])
"""How much parts of an edge are to be vertical, by how many of their ends pass a layer."""

STEEP = 0.42
"""Least slope of an edge from layer to layer, with which it passes the neighbors of its ends."""

MOST_PASSING = 1500
"""Places at which edges pass layers, above which the edges from one vertex share theirs: about a chain of 55 groups."""

SWEEPS, SWAPS, ROUNDS = 16, 4000, 24
"""Sweeps by barycenters, swaps after which no further pass begins, and rounds that place vertices."""

MOST_SWAPS = 2 * SWAPS
"""Swaps that are tried at most; only passes through some thousands of vertices reach it."""


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
    rows_of: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    def members(self, block: int) -> list[int]:
        """The vertices of a block, row by row."""
        return [k for key in self.rows_of[block] for k in self.rows[key]]

    def add(self, name: Hashable, layer: int, block: int, width: float) -> int:
        self.names.append(name)
        self.layer.append(layer)
        self.block.append(block)
        self.width.append(width)
        if (block, layer) not in self.rows:
            self.rows[block, layer] = []
            self.rows_of.setdefault(block, []).append((block, layer))
        self.rows[block, layer].append(len(self.names) - 1)
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
    segments = _segments(layers)
    if len(segments):
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


def _segments(layers: _Layers) -> Ints:
    """List the parts (k, 2) of edges between neighboring layers; those that edges share, once."""
    found: dict[tuple[int, ...], None] = {}
    for k, way in enumerate(layers.ways):
        for upper, lower in pairwise(way):
            passing = layers.names[upper] is None or layers.names[lower] is None
            found[(upper, lower) if passing else (upper, lower, k)] = None
    return np.array([ends[:2] for ends in found], int).reshape(-1, 2)


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
    ways = [sorted((number[name] for name in ends), key=layers.layer.__getitem__) for ends in edges]
    passing = sum(max(0, layers.layer[lower] - layers.layer[upper] - 1) for upper, lower in ways)
    shared: dict[tuple[int, int, int], int] = {}
    for upper, lower in ways:
        way: list[int] = [upper]
        passed: dict[int, int] = {}
        for layer in range(layers.layer[upper] + 1, layers.layer[lower]):
            level = level_of[layer]
            near = [layers.block[end] for end in (upper, lower) if level_of[layers.layer[end]] == level]
            trunk = (upper, layer, near[0] if near else -1)
            if passing > MOST_PASSING and trunk in shared:
                way.append(shared[trunk])
                continue
            if not near and level not in passed:
                passed[level] = count
                layers.bands[level].append(count)
                count += 1
            shared[trunk] = layers.add(None, layer, near[0] if near else passed[level], PASSING)
            way.append(shared[trunk])
        layers.ways.append([*way, lower])
    return layers, heights


# --- order -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Order:
    """Positions of all vertices in their layers, 0 in the middle, which follow the order of blocks and rows."""

    layers: _Layers
    segments: Ints
    layer: Ints
    alike: list[Ints]
    incident: list[list[int]]
    neighbors: list[list[int]]
    columns: Array

    def place(self, level: int) -> None:
        """Take over the order of the blocks of a level and of their rows."""
        rows: dict[int, list[int]] = {}
        for block in self.layers.bands[level]:
            for key in self.layers.rows_of[block]:
                rows.setdefault(key[1], []).extend(self.layers.rows[key])
        for row in rows.values():
            self.columns[row] = np.arange(len(row)) - 0.5 * (len(row) - 1)

    def cost(self) -> float:
        """Crossings of edges, vertices between the ends of an edge in one layer, and a little for lengths."""
        every = np.arange(len(self.segments))
        return self._weighed(every, sum(self._crossings(segments) for segments in self.alike))

    def cost_of(self, vertices: Sequence[int]) -> float:
        """The share of the cost that depends on how vertices beside each other are ordered."""
        segments = np.array(sorted({k for vertex in vertices for k in self.incident[vertex]}), int)
        return self._weighed(segments, self._crossings(segments))

    def _crossings(self, which: Ints) -> int:
        """Count the crossings among some segments, each twice."""
        layer, (upper, lower) = self.layer[which], self.columns[self.segments[which]].T
        steep = layer[:, 0] != layer[:, 1]
        same = (layer[:, None, 0] == layer[None, :, 0]) & steep[:, None] & steep
        return int((((upper[:, None] - upper) * (lower[:, None] - lower) < 0) & same).sum())

    def _weighed(self, which: Ints, crossings: int) -> float:
        layer, (upper, lower) = self.layer[which], self.columns[self.segments[which]].T
        lengths, flat = np.abs(upper - lower), layer[:, 0] == layer[:, 1]
        return float(0.5 * crossings + 3.0 * (lengths[flat] - 1.0).sum() + 1e-3 * lengths.sum())

    def middle(self, vertex: int) -> float:
        """Mean position of the neighbors of a vertex; its own where it has none."""
        near = self.neighbors[vertex]
        return float(sum(self.columns[k] for k in near) / len(near) if near else self.columns[vertex])


def _ordered(layers: _Layers, segments: Ints) -> _Order:
    """Prepare the order of blocks and rows as they are."""
    count, layer = len(layers.names), np.array(layers.layer)[segments]
    alike: dict[tuple[int, int], list[int]] = {}
    incident: list[list[int]] = [[] for _ in range(count)]
    lower: list[list[int]] = [[] for _ in range(count)]
    upper: list[list[int]] = [[] for _ in range(count)]
    for k, (first, second) in enumerate(segments.tolist()):
        alike.setdefault((int(layer[k, 0]), int(layer[k, 1])), []).append(k)
        lower[first].append(second)
        upper[second].append(first)
        incident[first].append(k)
        incident[second].append(k)
    neighbors = [below + above for below, above in zip(lower, upper, strict=True)]
    runs = [np.array(run) for run in alike.values()]
    order = _Order(layers, segments, layer, runs, incident, neighbors, np.zeros(count))
    for level in layers.bands:
        order.place(level)
    return order


def _order(layers: _Layers, segments: Ints) -> None:
    """Order blocks and rows so that few edges cross."""
    order = _ordered(layers, segments)
    best, kept = np.inf, _copied(layers)
    for sweep in range(SWEEPS):
        cost = order.cost()
        if cost < best:
            best, kept = cost, _copied(layers)
        _sort_by_barycenter(order, down=sweep % 2 == 0)
    layers.bands.update(kept[0])
    layers.rows.update(kept[1])
    for level in layers.bands:
        order.place(level)
    _swap_neighbors(order)


def _copied(layers: _Layers) -> tuple[dict[int, list[int]], dict[tuple[int, int], list[int]]]:
    return {k: list(v) for k, v in layers.bands.items()}, {k: list(v) for k, v in layers.rows.items()}


def _sort_by_barycenter(order: _Order, down: bool) -> None:
    """Sort the blocks of each level, and the vertices of each row, by the middle of their neighbors."""
    layers = order.layers
    for level in sorted(layers.bands, reverse=not down):
        band = layers.bands[level]
        keys = {block: float(np.mean([order.middle(k) for k in layers.members(block)])) for block in band}
        band.sort(key=keys.__getitem__)
        order.place(level)
        for block in band:
            for key in sorted(layers.rows_of[block], reverse=not down):
                if len(layers.rows[key]) > 1:
                    layers.rows[key].sort(key=order.middle)
                    order.place(level)


def _swap_neighbors(order: _Order) -> None:
    """Swap neighboring blocks and vertices while edges cross less."""
    layers = order.layers
    of_level = {block: level for level, band in layers.bands.items() for block in band}
    whole = [(level, band, layers.members) for level, band in layers.bands.items()]
    single = [(of_level[key[0]], row, lambda vertex: [vertex]) for key, row in layers.rows.items()]
    tried, improved = 0, True
    while improved and tried < SWAPS:
        improved = False
        for level, items, vertices in (*whole, *single):
            for k in range(min(len(items) - 1, MOST_SWAPS - tried)):
                moved = [*vertices(items[k]), *vertices(items[k + 1])]
                before, tried = order.cost_of(moved), tried + 1
                items[k], items[k + 1] = items[k + 1], items[k]
                order.place(level)
                if order.cost_of(moved) < before - 1e-9:
                    improved = True
                else:
                    items[k], items[k + 1] = items[k + 1], items[k]
                    order.place(level)


# --- positions -------------------------------------------------------------------------------


def _positions(layers: _Layers, segments: Ints, margins: Array) -> Array:
    """Place vertices near the middle of their neighbors, blocks beside each other and rows within their blocks."""
    passing = np.array([name is None for name in layers.names])
    weights = STRAIGHT[passing[segments].sum(axis=1)]
    width = np.array(layers.width)
    size = {block: max(width[layers.rows[key]].sum() for key in keys) for block, keys in layers.rows_of.items()}
    near = _neighbors_by_level(layers, segments, weights)
    x = np.zeros(len(width))
    for turn in range(ROUNDS):
        for level in sorted(layers.bands, reverse=bool(turn % 2)):
            band = layers.bands[level]
            members = [layers.members(block) for block in band]
            middles = _middles(*near[level], x)
            targets = np.array([middles[own[0]] if len(own) == 1 else np.mean(middles[own]) for own in members])
            sizes = np.array([size[block] + 2.0 * margins[block] for block in band])
            centers = apart(targets, sizes, -np.inf, np.inf)
            alone = np.array([len(own) == 1 for own in members])
            only = np.array([own[0] for own in members if len(own) == 1], int)
            half = 0.5 * width[only]
            x[only] = np.clip(middles[only], (centers[alone] - half) + half, (centers[alone] + half) - half)
            for block, center in zip(band, centers, strict=True):
                half_size = 0.5 * size[block]
                for key in layers.rows_of[block] if len(layers.members(block)) > 1 else ():
                    row = layers.rows[key]
                    x[row] = apart(middles[row], width[row], center - half_size, center + half_size)
    return x


Near = tuple[Ints, Ints, Array]
"""Vertices, a neighbor of each, and how much it counts."""


def _neighbors_by_level(layers: _Layers, segments: Ints, weights: Array) -> dict[int, Near]:
    """List the neighbors of the vertices of each level, those below first."""
    level_of = np.zeros(len(layers.names), int)
    for level, band in layers.bands.items():
        for block in band:
            level_of[layers.members(block)] = level
    here, there = np.concatenate([segments, segments[:, ::-1]]).T
    order = np.argsort(level_of[here], kind="stable")
    ends = np.searchsorted(level_of[here][order], sorted(layers.bands), side="right")
    both = np.concatenate([weights, weights])
    parts = np.split(order, ends[:-1])
    return {level: (here[k], there[k], both[k]) for level, k in zip(sorted(layers.bands), parts, strict=True)}


def _middles(here: Ints, there: Ints, weights: Array, x: Array) -> Array:
    """Mean position of the neighbors of some vertices; their own where they have none."""
    total, count = np.zeros_like(x), np.zeros_like(x)
    np.add.at(total, here, weights * x[there])
    np.add.at(count, here, weights)
    return np.where(count > 0, total / np.maximum(count, 1.0), x)


def apart(targets: Array, widths: Array, low: float, high: float) -> Array:
    """Positions next to targets, in the order given, that leave each its width, between two limits."""
    from scipy.optimize import isotonic_regression

    offsets = np.concatenate([[0.0], np.cumsum(0.5 * (widths[:-1] + widths[1:]))])
    placed = isotonic_regression(targets - offsets).x
    return np.clip(placed, low + 0.5 * widths[0], high - 0.5 * widths[-1] - offsets[-1]) + offsets
