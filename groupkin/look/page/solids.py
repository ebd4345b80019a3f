"""Solids as data for the script of a page: kinds of surfaces that it knows, with all their measures."""

from __future__ import annotations

from typing import Any

import numpy as np

from groupkin.look.outlines import rounded
from groupkin.look.scenes.scene import Solid, Tone
from groupkin.look.scenes.shapes import creased
from sglibrary.array_types import Array, Ints

WINDOW = 25.0
"""Area, in squares of r, from which on the inside of a plate is glass."""


def solid_data(solid: Solid, points: Array, r: float, size: float) -> dict[str, Any]:
    """Describe a solid whose points (k, 3) are in coordinates of its owner, in multiples of the size.

    Surfaces are "ball": center and radius; "lathe": a line and radii along it, from start to stop; "plate": a frame of
    axes, the outline and the window in it, and the thickness; "glass" and "surface": vertices and triangles; "tube":
    a line and its radius. Nothing is left of what a surface already shows.
    """
    r, wide, kind = r / size, solid.size / size, solid.kind
    tone = {"tone": [solid.tone.base, round(solid.tone.share, 4)]}
    if kind in ("hub", "ball", "socket", "dot"):  # the ball of a cross is not hidden in the ends of its bars
        light = {"tone": ["shell", 0.0]} if kind == "socket" else tone
        return {
            "form": "ball",
            "at": _list(points[0]),
            "radius": _list((1.3 if kind == "ball" else 1.0) * wide),
            **light,
        }
    if kind in ("bar", "rod", "stop"):
        return {**_lathe(points, [(0, wide), (1, wide)], caps=kind != "stop"), **tone}
    if kind == "rail":
        return {**_lathe(points if points[0, 2] <= points[1, 2] else points[::-1], _footed(points, wide)), **tone}
    if kind in ("barrel", "pin"):
        return {
            **_lathe(points, [(0, 0.86 * wide), (0.06, wide), (0.94, wide), (1, 0.86 * wide)]),
            **(tone if kind == "barrel" else {"tone": ["shell", 0.0]}),
        }
    if kind == "tube":
        return {**_lathe(points, _collared(points, wide)), **tone}
    if kind == "cone":
        profile = [(0, 0.62 * wide), (0.25, 0.5 * wide), (1, 0.42 * wide)]
        return {**_lathe(points, profile), "tone": ["ink", 0.3]}
    if kind == "disk":
        thick = 0.5 * r * (points[1] - points[0]) / np.linalg.norm(points[1] - points[0])
        ends = np.array([points[0] - 0.5 * thick, points[0] + 0.5 * thick])
        return {**_lathe(ends, [(0, wide), (0.6, wide), (1, 0.92 * wide)]), "hatched": True, "tone": ["frame", 0.55]}
    if kind == "wheel":
        x, y = points[1] - points[0], points[2] - points[0]
        z = np.cross(x, y) * 0.7 * r / np.linalg.norm(np.cross(x, y))
        around = float(np.linalg.norm(x))
        disk = _lathe(np.array([points[0] - z, points[0] + z]), [(0, around), (1, around)])
        return {**disk, "tone": [solid.tone.base, 0.35]}
    if kind == "pitch cone":
        around = float(np.linalg.norm(points[1] - points[0]))
        return {**_lathe(points[[3, 0]], [(0, 0), (1, around)]), "tone": [solid.tone.base, 0.35]}
    if kind in ("spoke", "line", "coil"):
        seen = (
            {"radius": _list(0.85 * r), "tone": ["paper", 0.0]} if kind == "spoke" else {"radius": _list(wide), **tone}
        )
        return {"form": "tube", "points": _list(points), **seen}
    if kind == "plate":
        return {**_plate(points, r), **tone}
    if kind in ("hull", "surface"):
        return {**(_hull(points) if solid.faces is None else _surface(points, solid.faces)), **tone}
    if kind.startswith("arrow"):
        return _arrow(solid, points, wide, r)
    return {}


def _list(values: Any) -> Any:
    return np.round(values, 6).tolist()


def _lathe(points: Array, profile: list[tuple[float, Any]], caps: bool = False) -> dict[str, Any]:
    """A surface of revolution about the line between two points, by (place along it from 0 to 1, radius)."""
    listed = [[round(float(x), 4), round(float(y), 6)] for x, y in profile]
    return {"form": "lathe", "ends": _list(points), "profile": listed, "caps": caps}


def _collared(points: Array, wide: float) -> list[tuple[float, Any]]:
    """Profile of a tube with a collar at its open end."""
    collar = min(1.6 * wide / max(float(np.linalg.norm(points[1] - points[0])), 1e-12), 0.4)
    return [(0, 0.9 * wide), (0.02, wide), (1 - collar, wide), (1 - collar, 1.32 * wide), (1, 1.32 * wide)]


def _footed(points: Array, wide: float) -> list[tuple[float, Any]]:
    """Profile of a rail with a flange at its lower end."""
    flange = min(1.2 * wide / max(float(np.linalg.norm(points[1] - points[0])), 1e-12), 0.4)
    return [(0, 3.2 * wide), (flange, 3.2 * wide), (flange, wide), (1, wide)]


def _plate(points: Array, r: float) -> dict[str, Any]:
    """A flat plate around points, with a window where there is room for one."""
    middle = points.mean(axis=0)
    _, _, axes = np.linalg.svd(points - middle)
    axes[2] = np.cross(axes[0], axes[1])
    flat = (points - middle) @ axes[:2].T
    inner = inset(flat, 0.95 * r)
    window = _list(inner) if inner is not None and polygon_area(inner) > WINDOW * r * r else None
    outline = rounded(flat, 1.05 * r)
    return {
        "form": "plate",
        "middle": _list(middle),
        "axes": _list(axes),
        "outline": _list(outline),
        "window": window,
        "thick": _list(1.1 * r),
    }


def polygon_area(corners: Array) -> float:
    """Area of a polygon.

    Examples
    --------
    >>> polygon_area(np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]]))
    2.0
    """
    x, y = corners.T
    return float(0.5 * abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)))


def inset(points: Array, by: float) -> Array | None:
    """Corners (k, 2) of the convex hull of points, moved inward; None if nothing is left."""
    from scipy.spatial import ConvexHull, HalfspaceIntersection, QhullError

    walls = ConvexHull(points).equations
    walls = walls + np.array([0.0, 0.0, by])
    inside = points.mean(axis=0)
    if (walls[:, :2] @ inside + walls[:, 2] >= -1e-9).any():
        return None
    try:
        corners = HalfspaceIntersection(walls, inside).intersections
        return np.asarray(corners[ConvexHull(corners).vertices])
    except QhullError:
        return None


def _hull(points: Array) -> dict[str, Any]:
    """Glass around points."""
    from scipy.spatial import ConvexHull

    hull = ConvexHull(points)
    triangles = hull.simplices.copy()
    corners = points[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    inward = np.einsum("ij,ij->i", normals, hull.equations[:, :3]) < 0
    triangles[inward] = triangles[inward][:, ::-1]
    return {"form": "glass", "points": _list(points), "triangles": triangles.tolist()}


def _surface(points: Array, faces: Ints) -> dict[str, Any]:
    """A surface of triangles, with corners of their own at sharp edges."""
    corners, split = creased(points, faces)
    return {"form": "surface", "points": _list(corners), "triangles": split.tolist()}


def _arrow(solid: Solid, points: Array, wide: float, r: float) -> dict[str, Any]:
    """A line in bold ink with a head."""
    along = points[-1] - points[-2]
    along /= max(float(np.linalg.norm(along)), 1e-12)
    if solid.kind == "arrow beside":
        least = np.eye(3)[int(np.abs(along).argmin())]
        across = np.cross(along, least)
        points = points + 3.0 * r * across / np.linalg.norm(across)
    thick = 0.22 * wide
    head = np.array([points[-1] - 0.1 * wide * along, points[-1] + wide * along])
    return {
        "form": "arrow",
        "points": _list(points),
        "radius": _list(thick),
        "head": _list(head),
        "wide": _list(0.44 * wide),
        "tone": [Tone("ink").base, 0.0],
    }
