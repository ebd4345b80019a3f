"""Solids beside shapes on the sheet, in pieces, of which the far ones can be painted first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from groupkin.look.outlines import ROUND, rounded
from groupkin.look.scenes.facets import apart, normals
from groupkin.look.scenes.scene import INKED, Solid
from groupkin.look.scenes.shapes import outlines
from groupkin.look.scenes.sight import LIGHT, SCREEN, TOWARD
from sglibrary.array_types import Array, Ints

Shapes = list[tuple[float, Array, Mapping[str, Any]]]

COARSE, FLAT, FINE, SLICE = 5.0, 2.0, 1.0, 2.5
"""Sides of facets of shapes and of plates at most, and where surfaces meet; length of a piece of a bar (r)."""

BORDER = 0.12
"""Width of the line around a bar (r)."""

SEAM = {"linewidth": 0.6}
"""Style of the edges of pieces, in their own color, by which no gap is seen between them."""

BARS = ("bar", "rail", "rim", "rod", "tube")
"""Kinds of solids that are drawn in slices."""


def surface_pieces(solids: Sequence[Solid], places: Sequence[Array], r: float) -> dict[int, Shapes]:
    """Areas of shapes and plates, by the number of the solid, cut where they pass through each other.

    Of a shape the facets that are seen, in the light from the upper left, within the outline of all of them.
    """
    owners, triangles, colors = [], [], []
    found: dict[int, Shapes] = {}
    for k, (solid, points) in enumerate(zip(solids, places, strict=True)):
        if solid.faces is None and solid.kind != "plate":
            continue
        corners = points[_fan(points) if solid.faces is None else solid.faces]
        way = normals(corners)
        bright = (way @ LIGHT) / np.maximum(np.linalg.norm(way, axis=1), 1e-300)
        seen = np.ones(len(way), bool) if solid.faces is None else way @ TOWARD > 0.0
        flat = corners[seen] @ SCREEN
        around = [rounded(points @ SCREEN, solid.size)] if solid.faces is None else [o.around for o in outlines(flat)]
        whole = {"facecolor": _lit(solid, 0.0) if solid.faces is None else solid.tone.hex, "linewidth": 1.6}
        found[k] = [(float((points @ TOWARD).min()), outline, whole) for outline in around]
        for part in [seen] if solid.faces is None else _separate(solid.faces, seen):
            owners.append(k)
            triangles.append(corners[part])
            colors.append([_lit(solid, float(each)) for each in bright[part]])
    sides = [r * (FLAT if solids[k].faces is None else COARSE) for k in owners]
    for k, parts, color in zip(owners, apart(triangles, sides, FINE * r), colors, strict=True):
        for polygon, of in parts:
            style = {"facecolor": color[of], "edgecolor": color[of], **SEAM}
            depths = polygon @ TOWARD
            far = (
                depths.mean() if solids[k].faces is not None else depths.min() - 2.0 * r
            )  # plates are within their rims
            found[k].append((float(far), polygon @ SCREEN, style))
    return found


def _lit(solid: Solid, bright: float) -> str:
    return solid.tone.lighter(0.6 if solid.faces is None else 0.3 * (1.0 + bright)).hex


def _fan(points: Array) -> Ints:
    """Triangles of a convex polygon."""
    k = np.arange(1, len(points) - 1)
    return np.stack([0 * k, k, k + 1], axis=1)


def _separate(faces: Ints, seen: Array) -> Iterator[Array]:
    """Select the triangles (m,) that are seen, of every part of a surface that hangs together."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    ends = np.concatenate([faces[:, :2], faces[:, 1:]])
    count = int(faces.max()) + 1
    _, label = connected_components(coo_matrix((np.ones(len(ends)), ends.T), shape=(count, count)), directed=False)
    for part in np.unique(label[faces[:, 0]]):
        yield seen & (label[faces[:, 0]] == part)


def bar_pieces(solid: Solid, points: Array, r: float) -> Shapes:
    """Slices of a round bar between two points, with its light and its border, within the outline of all of it."""
    lift = solid.lift - (SLICE * r if solid.at is not None else 0.0)  # a rod is hidden by the tube around it
    flat, depths = points @ SCREEN, points @ TOWARD + lift
    along = (flat[1] - flat[0]) / max(float(np.linalg.norm(flat[1] - flat[0])), 1e-9 * r)
    across = np.array([-along[1], along[0]]) * (1.0 if along[0] > 0 else -1.0)
    whole = {"facecolor": solid.tone.hex, "linewidth": 1.0}
    found: Shapes = [(float(depths.min()) - solid.size, rounded(flat, solid.size), whole)]
    count = max(1, int(np.ceil(float(np.linalg.norm(points[1] - points[0])) / (SLICE * r))))
    layers = (
        (-solid.size - BORDER * r, solid.size + BORDER * r, INKED),
        (-solid.size, solid.size, solid.tone),
        (0.26 * solid.size, 0.58 * solid.size, solid.tone.lighter(0.45)),
    )
    for k in range(count):
        ends = flat[0] + np.array([[k], [k + 1]]) / count * (flat[1] - flat[0])
        depth = float(depths[0] + (k + 0.5) / count * (depths[1] - depths[0]))
        capped = [at for at, end in zip(ends, (k == 0, k == count - 1), strict=True) if end]
        for step, (low, high, tone) in enumerate(layers):
            outline = np.array(
                [ends[0] + low * across, ends[0] + high * across, ends[1] + high * across, ends[1] + low * across]
            )
            if capped and step < 2:  # round at the ends of the bar
                outline = rounded(np.concatenate([outline, *(at + high * ROUND for at in capped)]), 1e-6 * r)
            style = {"facecolor": tone.hex, "edgecolor": tone.hex, "linewidth": SEAM["linewidth"] if step else 0.0}
            found.append((depth + 1e-6 * step * r, outline, style))
    return found
