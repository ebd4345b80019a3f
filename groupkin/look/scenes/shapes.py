"""Shapes of bodies for pictures: their triangles, fewer than in their files, and the outlines of their projections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from groupkin.look.scenes.configurations import Configuration
from groupkin.mechanism.masses.surfaces import library, surface
from sglibrary.array_types import Array, Ints

if TYPE_CHECKING:
    from groupkin.look.scenes.plane_scene import PlaneScene
    from groupkin.look.scenes.space_scene import SpaceScene

FACETS = 1500
"""Triangles of a body at most."""

CREASE = np.radians(30.0)
"""Angle between triangles from which on their edge is sharp."""

DETAIL = 0.02
"""How far an outline in the plane may be from that of the shape (r)."""


FLAT = 1e-9
"""Area of a projected triangle, relative to the largest, below which it is seen from its edge."""


class Outline(NamedTuple):
    """The outline of an area, and those of holes in it: closed rings (k, 2), of which the last point is the first."""

    around: Array
    holes: list[Array]

    @property
    def filled(self) -> Array:
        """One ring (k, 2) around the area, which goes to each hole and back on the same line."""
        ring = self.around
        for hole in self.holes:
            gaps = np.linalg.norm(ring[:, None] - hole, axis=2)
            i, j = np.unravel_index(gaps.argmin(), gaps.shape)
            ring = np.concatenate([ring[: i + 1], hole[j:], hole[1 : j + 1], ring[i:]])
        return ring

    @property
    def edges(self) -> Array:
        """All rings (k, 2), with NaN between them."""
        gap = np.full((1, 2), np.nan)
        return np.concatenate([part for ring in (self.around, *self.holes) for part in (ring, gap)])[:-1]


def triangles_of(view: Configuration, body: str) -> tuple[Array, Ints]:
    """Corners (n, 3) of the shape of a body in its coordinates, m, and its triangles (m, 3) of them.

    Raises
    ------
    ShapeError
    """
    what, shape = f"shape of body {body!r}", view.mechanism.body[body].shape
    assert shape is not None
    at = np.zeros(view.mechanism.dimension) if shape.at is None else view.mechanism.locate(shape.at, what)
    made = surface(shape, at, f"body {body!r}")
    if len(made.faces) > FACETS:
        made = made.simplify_quadric_decimation(face_count=FACETS)
    return np.asarray(made.vertices), np.asarray(made.faces)


def creased(corners: Array, faces: Ints) -> tuple[Array, Ints]:
    """Split corners (n, 3) at sharp edges, so that surfaces between these can be shaded as smooth ones."""
    trimesh = library()
    made = trimesh.graph.smooth_shade(trimesh.Trimesh(corners, faces, process=False), angle=CREASE, facet_minarea=None)
    return np.asarray(made.vertices), np.asarray(made.faces)


def outlines(triangles: Array, detail: float = 0.0) -> list[Outline]:
    """Outlines of all that triangles (m, 3, 2) cover, each point off by a detail at most."""
    import shapely

    sides = triangles[:, 1:] - triangles[:, :1]
    twice = np.abs(sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0])
    seen = triangles[twice > FLAT * twice.max(initial=0.0)]
    whole = shapely.simplify(shapely.union_all(shapely.polygons(seen)), detail)
    return [
        Outline(np.array(part.exterior.coords), [np.array(ring.coords) for ring in part.interiors])
        for part in _parts(whole)
    ]


def _parts(whole: Any) -> Iterable[Any]:
    return [part for part in getattr(whole, "geoms", [whole]) if part.geom_type == "Polygon" and not part.is_empty]


def add_outline(scene: PlaneScene, body: str, level: float) -> None:
    """Add the projection of the shape of a body onto the plane."""
    view = scene.view
    corners, faces = triangles_of(view, body)
    for outline in outlines(view.at(body, corners[:, :2])[faces], DETAIL * scene.r):
        scene.area(body, outline.filled, f"body {body}", scene.tones(body)[0], level, edge=None)
        scene.line(body, outline.edges, f"shape {body}", level=level)
        scene.outlines.append(outline.around)


def add_surface(scene: SpaceScene, body: str) -> None:
    """Add the surface of the shape of a body."""
    corners, faces = triangles_of(scene.view, body)
    scene.add(body, f"body {body}", "surface", scene.view.at(body, corners), 0.0, scene.tone(body), faces=faces)
