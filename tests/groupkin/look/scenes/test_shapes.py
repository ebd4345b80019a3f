"""Shapes of bodies in pictures: outlines of their projections, facets that are seen, and surfaces in pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.path import Path as MplPath

import groupkin as gk
from groupkin.look.drawing import mechanism_picture
from groupkin.look.page.page import page
from groupkin.look.scenes.configurations import configuration_at, reference_configuration
from groupkin.look.scenes.plane_scene import plane_scene
from groupkin.look.scenes.scene import local, poses_during, poses_in
from groupkin.look.scenes.shapes import FACETS, outlines, triangles_of
from groupkin.look.scenes.sight import SCREEN, TOWARD
from groupkin.look.scenes.space import sketched
from groupkin.look.scenes.space_scene import space_scene
from tests.groupkin.look.page.test_page import data_of
from tests.support.surfaces import ball, box, prism, stl

ANGLE = 0.4


def mechanism(folder: Path, dimension: int, triangles: Any, frame: Any = None) -> gk.Mechanism:
    """An arm with a shape, turned and shifted, that turns about the z axis."""
    c, s = np.cos(ANGLE), np.sin(ANGLE)
    axes = ((c, s, 0.0), (-s, c, 0.0), (0.0, 0.0, 1.0))
    shape = gk.Shape(stl(folder / "arm.stl", triangles), (0.3, 0.1, 0.2)[:dimension], axes=axes)
    body = gk.Body("arm", points={"P": (1.0, 0.0, 0.1)[:dimension]}, shape=shape)
    ground = gk.Body("ground", shape=None if frame is None else gk.Shape(stl(folder / "frame.stl", frame)))
    more: Any = {} if dimension == 2 else {"axis": (0.0, 0.0, 1.0)}
    hinge = gk.Joint("A", "R", ("ground", "arm"), point=(0.0,) * dimension, **more)
    return gk.Mechanism(dimension, [ground, body], [hinge], [gk.Driver("A", gk.Ramp(rate=1.0))])


def area(ring: Any) -> float:
    """Signed area of a closed ring, by Gauss."""
    x, y = np.asarray(ring).T
    return float(0.5 * (x @ np.roll(y, -1) - y @ np.roll(x, -1)))


def frame_of_bars() -> Any:
    """A window: a square of four bars, of which each overlaps two others, around an empty square with the side 2."""
    return np.concatenate(
        [box((4, 1, 1), (0, y, 0)) for y in (-1.5, 1.5)] + [box((1, 4, 1), (x, 0, 0)) for x in (-1.5, 1.5)]
    )


@pytest.mark.parametrize("step", [0, 2])
def test_in_the_plane_the_outline_is_that_of_the_turned_rectangle(tmp_path: Path, step: int) -> None:
    motion = gk.solve(mechanism(tmp_path, 2, box((0.6, 0.2, 0.5))), [0.0, 0.5, 1.0])
    scene = plane_scene(configuration_at(motion, step))
    turns = ANGLE + motion.times[step]
    corners = np.array([[0.3, 0.1], [-0.3, 0.1], [-0.3, -0.1], [0.3, -0.1]])
    spin = [np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) for a in (turns, motion.times[step])]
    wanted = corners @ spin[0].T + spin[1] @ [0.3, 0.1]
    (line,) = [shape for shape in scene.shapes if shape.gid == "shape arm"]
    (fill,) = [shape for shape in scene.shapes if shape.gid == "body arm"]
    for points in (line.points, fill.points):
        gaps = np.linalg.norm(points[:, None] - wanted, axis=2)
        assert gaps.min(axis=1).max() < 1e-7
        assert gaps.min(axis=0).max() < 1e-7
    assert fill.edge is None
    assert line.fill is None


def test_holes_stay_open(tmp_path: Path) -> None:
    corners, faces = triangles_of(reference_configuration(mechanism(tmp_path, 2, frame_of_bars())), "arm")
    (outline,) = outlines(corners[:, :2][faces], 0.0)
    (hole,) = outline.holes
    assert abs(area(outline.around)) == pytest.approx(16.0)
    assert abs(area(hole)) == pytest.approx(4.0)
    assert abs(area(outline.filled)) == pytest.approx(12.0)
    assert not np.isnan(outline.filled).any()
    assert np.isnan(outline.edges).all(axis=1).sum() == 1
    filled, middle = MplPath(outline.filled), np.array([0.3, 0.1])
    for at, inside in (((0.0, 0.0), False), ((0.9, -0.9), False), ((1.5, 0.3), True), ((-1.2, -1.8), True)):
        spin = np.array([[np.cos(ANGLE), -np.sin(ANGLE)], [np.sin(ANGLE), np.cos(ANGLE)]])
        assert bool(filled.contains_point(middle + spin @ at)) is inside


def test_two_holes_and_separate_parts() -> None:
    """A ladder with two openings, and a square apart from it."""
    bars = [box((3, 0.2, 1), (1.5, y, 0)) for y in (0.1, 0.9)] + [
        box((0.2, 1, 1), (x, 0.5, 0)) for x in (0.1, 1.5, 2.9)
    ]
    whole = outlines(np.concatenate([*bars, box((1, 1, 1), (5.5, 0.5, 0))])[:, :, :2])
    assert sorted(len(each.holes) for each in whole) == [0, 2]
    assert sorted(abs(area(each.filled)) for each in whole) == pytest.approx([1.0, 3.0 - 2 * 1.2 * 0.6])


@pytest.mark.parametrize("make", [lambda: box((0.6, 0.3, 0.2)), lambda: prism(12, 0.2, 0.5)])
def test_in_space_facets_cover_the_silhouette_of_a_convex_shape(tmp_path: Path, make: Any) -> None:
    """Of a convex surface they do not overlap, so that their areas add up to that of the hull of all corners."""
    from scipy.spatial import ConvexHull

    scene = space_scene(reference_configuration(mechanism(tmp_path, 3, make())))
    (solid,) = [solid for solid in scene.solids if solid.gid == "body arm"]
    (sketch,) = [
        each
        for each in sketched(scene.solids, [s.points for s in scene.solids], scene.r, scene.ground)
        if each.gid == "body arm"
    ]
    seen = [each for each in sketch.outlines if np.isfinite(each[0])]
    silhouette, facets = seen[0], seen[1:]
    hull = ConvexHull(solid.points @ SCREEN).volume
    assert abs(area(silhouette[1])) == pytest.approx(hull)
    assert sum(abs(area(outline)) for _, outline, _ in facets) == pytest.approx(hull)
    assert silhouette[0] <= min(depth for depth, *_ in facets)
    assert max(depth for depth, *_ in facets) <= (solid.points @ TOWARD).max()


def test_facets_in_the_light_are_lighter(tmp_path: Path) -> None:
    scene = space_scene(reference_configuration(mechanism(tmp_path, 3, box((0.5, 0.5, 0.5)))))
    (sketch,) = [
        each
        for each in sketched(scene.solids, [s.points for s in scene.solids], scene.r, scene.ground)
        if each.gid == "body arm"
    ]
    colors: dict[str, list[float]] = {}
    for far, outline, style in sketch.outlines[1:]:
        if np.isfinite(far):
            colors.setdefault(style["facecolor"], []).append(float(outline[:, 1].mean()))
    assert len(colors) == 3  # sides of the cube that are seen
    highest = max(colors, key=lambda color: np.mean(colors[color]))
    assert int(highest[1:3], 16) == max(int(color[1:3], 16) for color in colors)


@pytest.mark.parametrize("dimension", [2, 3])
def test_fine_surfaces_are_thinned_and_stay_where_they_are(tmp_path: Path, dimension: int) -> None:
    fine = ball(0.25, 48)
    assert len(fine) > 2 * FACETS
    corners, faces = triangles_of(reference_configuration(mechanism(tmp_path, dimension, fine)), "arm")
    assert len(faces) <= FACETS
    middle = np.array([0.3, 0.1, 0.0 if dimension == 2 else 0.2])
    radii = np.linalg.norm(corners - middle, axis=1)
    np.testing.assert_allclose(radii, 0.25, rtol=0.02)
    angles = np.linalg.norm(corners[faces].mean(axis=1) - middle, axis=1)
    assert angles.min() > 0.25 * 0.97  # no facet cuts deep


@pytest.mark.parametrize("dimension", [2, 3])
def test_the_frame_is_drawn_where_it_has_a_shape(tmp_path: Path, dimension: int) -> None:
    for frame in (None, box((2.0, 2.0, 0.1))):
        view = reference_configuration(mechanism(tmp_path, dimension, box((0.6, 0.2, 0.5)), frame))
        shown = plane_scene(view).shapes if dimension == 2 else space_scene(view).solids
        assert ("body ground" in {part.gid for part in shown}) is (frame is not None)
        assert mechanism_picture(view.mechanism, None, "bodies", "bodies") is not None


@pytest.mark.parametrize("dimension", [2, 3])
def test_films_and_pages_move_shapes_with_their_bodies(tmp_path: Path, dimension: int) -> None:
    motion = gk.solve(mechanism(tmp_path, dimension, box((0.6, 0.2, 0.5))), np.linspace(0.0, 1.0, 5))
    view = configuration_at(motion, 3)
    scene: Any = plane_scene(view) if dimension == 2 else space_scene(view)
    (part, *_) = [part for part in getattr(scene, "shapes", getattr(scene, "solids", [])) if part.gid == "body arm"]
    points = local(part, poses_in(view, [part.owner], {}))
    turn, shift = poses_during(motion, [part.owner], {})[part.owner]
    corners, _ = triangles_of(view, "arm")
    for k in range(5):
        placed = points @ turn[k].T + shift[k]
        wanted = motion.point_on("arm", np.zeros(dimension))[k] + corners[:, :dimension] @ motion.rotation("arm")[k].T
        gaps = np.linalg.norm(placed[:, None] - wanted, axis=2)
        assert gaps.min(axis=1).max() < 1e-7
    assert gk.animate(motion, tmp_path / "arm.gif", seconds=0.2) == ""
    data = data_of(page(motion).text)
    (shown, *_) = [part for part in data["parts"] if part["gid"] == "body arm"]
    if dimension == 3:
        assert shown["form"] == "surface"
        places, triangles = np.array(shown["points"]), np.array(shown["triangles"])
        assert len(places) == 24  # each side of a box has corners of its own, as its edges are sharp
        sides = places[triangles]
        volume = np.einsum("ij,ij->i", sides[:, 0], np.cross(sides[:, 1], sides[:, 2])).sum() / 6.0
        assert volume * data["size"] ** 3 == pytest.approx(0.6 * 0.2 * 0.5, rel=1e-4)
