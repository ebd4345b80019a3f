"""Surfaces of triangles as files, made without the library that reads them."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np

CUBE = [
    (0, 2, 1),
    (1, 2, 3),
    (4, 5, 6),
    (5, 7, 6),
    (0, 1, 4),
    (1, 5, 4),
    (2, 6, 3),
    (3, 6, 7),
    (0, 4, 2),
    (2, 4, 6),
    (1, 3, 5),
    (3, 7, 5),
]
"""Triangles of a box, of corners that are counted by x, then y, then z."""


def box(size: Any, center: Any = (0.0, 0.0, 0.0)) -> Any:
    """Triangles (12, 3, 3) of a box."""
    corners = np.array([[x, y, z] for z in (-0.5, 0.5) for y in (-0.5, 0.5) for x in (-0.5, 0.5)])
    return (corners * size + center)[np.array(CUBE)]


def prism(sides: int, radius: float, height: float) -> Any:
    """Triangles of a regular prism about the z axis."""
    angles = 2.0 * np.pi * np.arange(sides + 1) / sides
    ring = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    ring[-1] = ring[0]  # to the last bit
    low, high = (np.column_stack([ring, np.full(sides + 1, z * height)]) for z in (-0.5, 0.5))
    down, up = (np.array([0.0, 0.0, z * height]) for z in (-0.5, 0.5))
    found = []
    for a, b, c, d in zip(low, low[1:], high, high[1:], strict=False):
        found += [(down, b, a), (up, c, d), (a, b, d), (a, d, c)]
    return np.array(found)


def ball(radius: float, rows: int) -> Any:
    """Triangles of a ball, between circles of latitude."""
    polar, around = np.linspace(0.0, np.pi, rows + 1), np.linspace(0.0, 2.0 * np.pi, 2 * rows + 1)
    around[-1] = 0.0
    sines = np.sin(polar)
    sines[[0, -1]] = 0.0
    at = radius * np.stack(
        [
            np.outer(sines, np.cos(around)),
            np.outer(sines, np.sin(around)),
            np.outer(np.cos(polar), np.ones(2 * rows + 1)),
        ],
        axis=2,
    )
    found = []
    for i in range(rows):
        for j in range(2 * rows):
            a, b, c, d = at[i, j], at[i + 1, j], at[i + 1, j + 1], at[i, j + 1]
            found += [(a, b, c)] if i < rows - 1 else []
            found += [(a, c, d)] if i else []
    return np.array(found)


def stl(path: Path, triangles: Any) -> Path:
    """Write a binary STL file."""
    rows = [struct.pack("<12fH", 0.0, 0.0, 0.0, *np.ravel(each), 0) for each in triangles]
    path.write_bytes(bytes(80) + struct.pack("<I", len(rows)) + b"".join(rows))
    return path


def obj(path: Path, triangles: Any, head: str = "") -> Path:
    """Write an OBJ file, in which every triangle has corners of its own."""
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in np.reshape(triangles, (-1, 3)).tolist()]
    lines += [f"f {3 * k + 1} {3 * k + 2} {3 * k + 3}" for k in range(len(triangles))]
    path.write_text(head + "\n".join(lines))
    return path
