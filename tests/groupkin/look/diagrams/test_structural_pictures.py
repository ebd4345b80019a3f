"""Structural graphs and diagrams: all bodies, freedoms, groups and arrows, in their colors and places."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.text import Text

import groupkin as gk
from groupkin.errors import OutputError
from groupkin.look.diagrams import structural_diagram, structural_graph
from groupkin.look.diagrams.signs import dense
from groupkin.look.drawing import structure_picture
from groupkin.look.palette import group_color
from groupkin.structure.generation import generate
from tests.support.coupled import differential
from tests.support.paths import EXAMPLES
from tests.support.shares import in_part

NAMES = sorted(path.stem for path in EXAMPLES.glob("*.toml") if path.suffixes == [".toml"])
HOSTILE = ("$\\frac{$", "<script>&", "'\"\\n", "µ→日")


@cache
def structure(name: str) -> gk.Structure:
    return gk.analyze(gk.load(EXAMPLES / f"{name}.toml"))


@cache
def picture(name: str, kind: str) -> Figure:
    figure = structure_picture(structure(name), kind)
    figure.canvas.draw()
    return figure


def found(figure: Figure, kind: type, gid: str) -> list[Any]:
    return [artist for artist in figure.findobj(kind) if artist.get_gid() == gid]


def middle(figure: Figure, gid: str) -> Any:
    """Middle of the smallest area of something."""
    boxes = [artist.get_xy() for artist in found(figure, Polygon, gid)]
    smallest = min(boxes, key=lambda points: np.ptp(points, axis=0).prod())
    return 0.5 * (smallest.min(axis=0) + smallest.max(axis=0))


def distance(points: Any, at: Any) -> float:
    return float(np.linalg.norm(np.asarray(points) - at, axis=1).min())


# --- structural graph ------------------------------------------------------------------------


@pytest.mark.parametrize("name", in_part(NAMES, 3))
def test_graph_has_every_freedom_once_and_driven_ones_bold(name: str) -> None:
    figure, mechanism = picture(name, "graph"), structure(name).mechanism
    for joint in mechanism.joints:
        lines = found(figure, Line2D, f"joint {joint.name}")
        assert len(lines) == len(mechanism.freedoms(joint))
        bold = [line.get_linewidth() > 2 for line in lines]
        assert bold == [k in mechanism.driven.get(joint.name, {}) for k in range(len(lines))]
        assert [text.get_text() for text in found(figure, Text, f"joint {joint.name}")] == [joint.type]
        for body in joint.bodies:
            end = middle(figure, f"{'frame' if body == mechanism.frame else 'body'} {body}")
            assert min(distance(line.get_xydata(), end) for line in lines) < structural_graph.RADIUS


@pytest.mark.parametrize("name", in_part(NAMES, 4))
def test_graph_encircles_the_bodies_of_a_group_and_no_others(name: str) -> None:
    figure = picture(name, "graph")
    for group in structure(name).groups:
        (hull,) = found(figure, Polygon, f"group {group.number}")
        assert to_hex(hull.get_edgecolor()).upper() == group_color(group.number)
        inside = {
            body
            for body in structure(name).mechanism.movable
            if hull.get_path().contains_point(middle(figure, f"body {body}"))
        }
        assert inside == set(group.bodies)
        assert [text.get_text() for text in found(figure, Text, f"group {group.number}")] == [
            str(group.number),
            group.label,
        ]


@pytest.mark.parametrize("name", in_part(NAMES, 3))
def test_lines_of_the_graph_pass_no_vertex(name: str) -> None:
    figure, mechanism = picture(name, "graph"), structure(name).mechanism
    for joint in mechanism.joints:
        for body in set(mechanism.movable) - set(joint.bodies):
            at = middle(figure, f"body {body}")
            for line in found(figure, Line2D, f"joint {joint.name}"):
                assert distance(line.get_xydata(), at) > structural_graph.RADIUS


@pytest.mark.parametrize("name", in_part(NAMES, 3))
@pytest.mark.parametrize("kind", ["graph", "diagram"])
def test_names_are_apart_and_inside(name: str, kind: str) -> None:
    figure = picture(name, kind)
    texts = [t for t in figure.findobj(Text) if t.get_text() and not str(t.get_gid()).startswith("joint")]
    boxes = [text.get_window_extent() for text in texts]
    for k, box in enumerate(boxes):
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= figure.bbox.x1
        assert box.y1 <= figure.bbox.y1
        for other in boxes[:k]:
            apart = box.x0 >= other.x1 or other.x0 >= box.x1 or box.y0 >= other.y1 or other.y0 >= box.y1
            assert apart, (texts[k].get_text(), texts[boxes.index(other)].get_text())


@pytest.mark.parametrize("name", in_part(NAMES, 4))
@pytest.mark.parametrize("kind", ["graph", "diagram"])
def test_labels_are_crossed_by_no_line(name: str, kind: str) -> None:
    figure, labels = picture(name, kind), {group.label for group in structure(name).groups}
    texts = [t for t in figure.findobj(Text) if t.get_text() in labels or str(t.get_gid()).startswith("name ")]
    crossed = set()
    for line in figure.findobj(Line2D):
        if str(line.get_gid()).startswith(("joint ", "arrow ")):
            points = line.get_transform().transform(dense(line.get_xydata(), 0.02))
            for text in texts:
                box = text.get_window_extent()
                if ((points > box.min) & (points < box.max)).all(axis=1).any():
                    crossed.add((text.get_text(), line.get_gid()))
    assert len({text for text, _ in crossed}) <= 2, crossed  # where arrows leave no room at all


@pytest.mark.parametrize("kind", ["graph", "diagram"])
def test_a_caption_explains_the_picture_and_the_frame_has_its_name(kind: str) -> None:
    figure = picture("nine_bar", kind)
    (note,) = found(figure, Text, "note")
    assert {"graph": "bodies, numbered as in the file", "diagram": "(bodies, driven freedoms)"}[kind] in note.get_text()
    (frame,) = (text for text in figure.findobj(Text) if str(text.get_gid()).startswith("frame"))
    assert frame.get_text() == "ground"


def test_joints_have_names_where_there_is_room() -> None:
    for name in ("four_bar", "nine_bar"):
        names = {str(t.get_gid()).removeprefix("name ") for t in picture(name, "graph").findobj(Text)}
        assert {joint.name for joint in structure(name).mechanism.joints} <= names


def test_many_bodies_are_collapsed_by_group_and_the_picture_says_so() -> None:
    large = gk.analyze(generate(1, 20, seed=1))
    figure = structure_picture(large, "graph")
    (note,) = found(figure, Text, "note")
    assert "41 movable bodies: each vertex is a group" in note.get_text()
    for group in large.groups:
        assert found(figure, Polygon, f"body group {group.number}")


def test_too_many_groups_are_refused() -> None:
    with pytest.raises(OutputError, match=r"401 structural groups.*groupkin analyze"):
        structure_picture(gk.analyze(generate(1, 400, seed=1)), "diagram")


# --- structural diagram ----------------------------------------------------------------------


@pytest.mark.smoke
@pytest.mark.parametrize("name", in_part(NAMES, 4))
def test_diagram_has_every_group_on_its_level_with_its_numbers(name: str) -> None:
    figure, heights = picture(name, "diagram"), {}
    for group in structure(name).groups:
        gid = f"group {group.number}"
        (circle,) = found(figure, Polygon, gid)
        assert to_hex(circle.get_edgecolor()).upper() == group_color(group.number)
        number, counts, label = (text.get_text() for text in found(figure, Text, gid))
        assert (number, label) == (str(group.number), group.label)
        assert counts.startswith(f"({len(group.bodies)}, ")
        heights.setdefault(group.level, set()).add(round(float(middle(figure, gid)[1]), 9))
    assert all(len(height) == 1 for height in heights.values())
    assert sorted(heights, key=lambda level: -heights[level].copy().pop()) == sorted(heights)


def test_counts_of_driven_freedoms_add_up_to_the_drivers() -> None:
    for name in NAMES:
        counts = [structural_diagram.driven_freedoms(structure(name), group) for group in structure(name).groups]
        assert sum(counts) == structure(name).driven


@pytest.mark.parametrize("name", in_part(NAMES, 4))
def test_arrows_of_the_diagram_lead_from_group_to_group_and_pass_none(name: str) -> None:
    figure, graph = picture(name, "diagram"), structure(name).graph
    arrows = {line.get_gid() for line in figure.findobj(Line2D) if str(line.get_gid()).startswith("arrow")}
    assert arrows == {f"arrow {start}-{stop}" for start, stop in graph.edges}
    places = {number: middle(figure, f"group {number}" if number else "frame") for number in graph.nodes}
    for start, stop in graph.edges:
        (line,) = found(figure, Line2D, f"arrow {start}-{stop}")
        (head,) = found(figure, Polygon, f"arrow {start}-{stop}")
        assert distance(line.get_xydata(), places[start]) < 1e-9
        assert abs(distance(head.get_xy(), places[stop]) - structural_diagram.RADIUS) < 1e-9
        for number in set(places) - {start, stop}:
            assert distance(line.get_xydata(), places[number]) > structural_diagram.RADIUS


# --- names -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["graph", "diagram"])
def test_names_are_never_interpreted(kind: str, tmp_path: Any) -> None:
    ground, crank, rod, slider = HOSTILE
    joints = [
        gk.Joint("A", "R", (ground, crank)),
        gk.Joint("B", "R", (crank, rod)),
        gk.Joint("C", "R", (rod, slider)),
        gk.Joint("D", "P", (ground, slider)),
    ]
    mechanism = gk.Mechanism(2, HOSTILE, joints, [gk.Driver("A")], name=HOSTILE[0])
    for suffix in ("svg", "png", "pdf"):
        gk.draw(mechanism, tmp_path / f"picture.{suffix}", kind)
    svg = (tmp_path / "picture.svg").read_text(encoding="utf-8")
    assert "<script>" not in svg
    assert "$\\frac{$" in svg
    gk.draw(mechanism, tmp_path / "again.svg", kind)
    assert svg == (tmp_path / "again.svg").read_text(encoding="utf-8")


def test_couplings_are_dotted_between_the_bodies_that_they_touch() -> None:
    structure = gk.analyze(differential().mechanism)
    figure = structural_graph.draw_graph(structure)
    lines = found(figure, Line2D, "coupling differential")
    at = {tuple(np.round(each.get_xydata()[-1], 6)) for each in lines}
    assert len(lines) == 3
    assert len(at) == 1
    assert any(text.get_text() == "K differential" for text in figure.findobj(Text))
    assert not [a for a in picture("four_bar", "graph").findobj(Line2D) if str(a.get_gid()).startswith("coupling")]
