"""Pictures of mechanisms: all bodies, joints and drivers, in their colors and places."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.path import Path as MplPath
from matplotlib.text import Text

import groupkin as gk
from groupkin.errors import ArgumentError, NoGeometryError, OutputError, TimesError
from groupkin.look.palette import GROUPS, group_color
from groupkin.look.scenes.configurations import FREE, Configuration, configuration_at, reference_configuration
from groupkin.look.scenes.plane import draw_plane
from groupkin.look.scenes.plane_scene import PlaneScene, plane_scene
from groupkin.look.scenes.scene import owner, pitch_cones
from groupkin.look.scenes.sight import SCREEN
from groupkin.look.scenes.space import draw_space
from groupkin.structure.generation import generate
from tests.support.made_cams import FOLLOWERS, made, turn
from tests.support.paths import EXAMPLES
from tests.support.shares import in_part

NAMES = sorted(p.stem for p in EXAMPLES.glob("*.toml") if p.suffixes == [".toml"] and p.stem != "micro_manipulator")
HOSTILE = ("$\\frac{$", "<script>&", "'\"\\n", "µ→日")


@cache
def view(name: str) -> Configuration:
    return reference_configuration(gk.load(EXAMPLES / f"{name}.toml"))


def drawn(configuration: Configuration) -> Figure:
    draw = draw_plane if configuration.mechanism.dimension == 2 else draw_space
    figure = draw(configuration)
    figure.canvas.draw()
    return figure


@cache
def picture(name: str) -> Figure:
    return drawn(view(name))


@cache
def four_bar() -> gk.Motion:
    return gk.solve(gk.load(EXAMPLES / "four_bar.toml"), np.linspace(0.0, 1.0, 41))


def flat(points: Any) -> Any:
    """Points on the sheet."""
    return points @ SCREEN if np.shape(points)[-1] == 3 else points


def found(figure: Figure, kind: type, gid: str) -> list[Any]:
    return [artist for artist in figure.findobj(kind) if artist.get_gid() == gid]


def nearest_color(color: Any) -> str:
    """The color of a group of which one is a tint: its direction from white."""
    way = 1.0 - np.array(to_rgb(color))
    ways = [1.0 - np.array(to_rgb(group)) for group in GROUPS]
    return GROUPS[int(np.argmax([way @ w / np.linalg.norm(w) for w in ways]))]


@pytest.mark.parametrize("name", in_part(NAMES, 4))
def test_bodies_cover_their_points_in_the_color_of_their_group(name: str) -> None:
    figure, structure = picture(name), view(name).structure
    for body, group in structure.group_of.items():
        areas = found(figure, Polygon, f"body {body}")
        assert nearest_color(areas[0].get_facecolor()) == group_color(group.number)
        for joint in structure.mechanism.joints_of[body]:  # a rod ends in the tube that it slides in
            areas += found(figure, Polygon, f"joint {joint.name}") if joint.type in ("P", "C") else []
        for point in flat(view(name).points(body)):
            assert any(area.get_path().contains_point(point) for area in areas)


@pytest.mark.parametrize("name", in_part(NAMES, 4))
def test_every_body_in_a_color_of_its_own_with_its_name(name: str) -> None:
    figure = drawn(replace(view(name), colors="bodies", names="bodies"))
    texts = {text.get_text() for text in figure.findobj(Text)}
    bodies = view(name).mechanism.movable
    for number, body in enumerate(bodies, 1):
        (area, *_) = found(figure, Polygon, f"body {body}")
        assert nearest_color(area.get_facecolor()) == group_color(number)
        if number <= 12:
            assert str(number) in texts
    shown = {text for name in texts for text in name.split(", ")}
    assert not shown & {joint.name for joint in view(name).mechanism.joints} - set(bodies)
    assert shown & set(bodies)


@pytest.mark.parametrize("name", NAMES)
def test_joints_are_where_they_are(name: str) -> None:
    figure, mechanism = picture(name), view(name).mechanism
    for joint in mechanism.joints:
        shapes = [p.get_xy() for p in found(figure, Polygon, f"joint {joint.name}")]
        shapes += [line.get_xydata() for line in found(figure, Line2D, f"joint {joint.name}")]
        assert bool(shapes) == (joint.type not in FREE)
        if shapes:
            at = flat(view(name).ends(joint)[1])
            reach = 0.15 * view(name).geometry.size
            assert np.nanmin(np.linalg.norm(np.concatenate(shapes) - at, axis=1)) < reach  # NaN between lines


@pytest.mark.parametrize("name", NAMES)
def test_driven_joints_and_no_others_are_bold(name: str) -> None:
    figure, driven = picture(name), view(name).mechanism.driven
    bold = [line for line in figure.findobj(Line2D) if line.get_linewidth() > 2.2]
    assert {line.get_gid() for line in bold} == {f"driver {joint}" for joint in driven}
    for joint, freedoms in driven.items():
        assert len(found(figure, Line2D, f"driver {joint}")) == len(freedoms)
        assert len(found(figure, Polygon, f"driver {joint}")) == len(freedoms)


@pytest.mark.parametrize("name", NAMES)
def test_the_legend_tells_numbers_and_bodies(name: str) -> None:
    for group in view(name).structure.groups:
        number, text = (text.get_text() for text in found(picture(name), Text, f"legend {group.number}"))
        assert number == str(group.number)
        assert text.startswith(group.bodies[0])
        swatches = found(picture(name), Polygon, f"legend {group.number}")
        colors = {swatch.get_facecolor() for swatch in swatches}
        bodies = [area for body in group.bodies for area in found(picture(name), Polygon, f"body {body}")]
        assert colors <= {area.get_facecolor() for area in bodies}
        assert len(colors) == len(swatches) >= 1


@pytest.mark.parametrize("name", NAMES)
def test_names_are_apart_and_all_is_inside(name: str) -> None:
    figure = picture(name)
    texts = [text for text in figure.findobj(Text) if text.get_text()]
    boxes = [text.get_window_extent() for text in texts]
    for k, box in enumerate(boxes):
        assert figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0 <= box.y1 <= figure.bbox.y1
        for text, other in zip(texts[:k], boxes[:k], strict=True):
            apart = box.x0 >= other.x1 or other.x0 >= box.x1 or box.y0 >= other.y1 or other.y0 >= box.y1
            assert apart, (texts[k].get_text(), text.get_text())
    low, high = (np.array(ends) for ends in zip(*(figure.axes[0].get_xlim(), figure.axes[0].get_ylim()), strict=True))
    for area in figure.findobj(Polygon):
        assert (area.get_xy() >= low).all()
        assert (area.get_xy() <= high).all()


def test_most_joints_are_named() -> None:
    """Joints of the same place in one name."""
    for name in NAMES:
        named = ", ".join(t.get_text() for t in picture(name).findobj(Text) if str(t.get_gid()).startswith("name"))
        joints = {(joint.of or joint).name for joint in view(name).mechanism.joints}
        assert sum(joint in named.split(", ") for joint in joints) >= 0.7 * len(joints)


def test_gears_have_pitch_circles_that_touch() -> None:
    circles = [area.get_xy() for area in found(picture("geared_press"), Polygon, "joint teeth")]
    widths = sorted(np.ptp(points[:, 0]) for points in circles)
    np.testing.assert_allclose(widths, [0.06, 0.12], rtol=1e-2)
    axes = ((0, 0, 1), (0, 0, 1))
    joints = [
        gk.Joint("A", "R", ("ground", "a"), point=(0, 0, 0), axis=(0, 0, 1)),
        gk.Joint("B", "R", ("ground", "b"), point=(0.5, 0, 0), axis=(0, 0, 1)),
        gk.Joint("teeth", "EO", ("a", "b"), points=((0, 0, 0.2), (0.5, 0, 0.2)), axes=axes, radii=(20, 30)),
    ]
    figure = drawn(reference_configuration(gk.Mechanism(3, ["ground", "a", "b"], joints, [gk.Driver("A")])))
    contact = np.array([0.2, 0.0, 0.2]) @ SCREEN
    areas = [area.get_xy() for area in found(figure, Polygon, "joint teeth")]
    assert sum(np.linalg.norm(area - contact, axis=1).min() < 0.03 for area in areas) >= 2


def bevel_gears(second: tuple[float, float, float] = (1, 0, 0)) -> gk.Mechanism:
    """Gears of 20 and 30 teeth about the z axis and a second one, their pitch circles 0.2 and 0.3 in radius."""
    joints = [
        gk.Joint("A", "R", ("ground", "a"), point=(0, 0, 0.3), axis=(0, 0, 1)),
        gk.Joint("B", "R", ("ground", "b"), point=(0.2, 0, 0), axis=second),
        gk.Joint(
            "teeth", "EO", ("a", "b"), points=((0, 0, 0.3), (0.2, 0, 0)), axes=((0, 0, 1), second), radii=(20, 30)
        ),
    ]
    return gk.Mechanism(3, ["ground", "a", "b"], joints, [gk.Driver("A", gk.Ramp(rate=1.0))])


def test_bevel_gears_have_pitch_cones_with_a_common_apex() -> None:
    placed = reference_configuration(bevel_gears())
    found_cones = pitch_cones(placed, placed.mechanism.joint["teeth"])
    assert found_cones is not None
    apex, circles = found_cones
    np.testing.assert_allclose(apex, 0.0, atol=1e-12)
    np.testing.assert_allclose(circles[0][0], [0, 0, 0.3], atol=1e-12)
    np.testing.assert_allclose(circles[1][0], [0.2, 0, 0], atol=1e-12)
    np.testing.assert_allclose([radius for _, radius in circles], [0.2, 0.3])
    contact = np.array([0.2, 0.0, 0.3]) @ SCREEN
    areas = [area.get_path() for area in found(drawn(placed), Polygon, "joint teeth")]
    for share in (0.2, 0.6, 0.99):  # cones touch along a line
        assert sum(area.contains_point(share * contact, radius=0.01) for area in areas) >= 2


def test_gears_of_other_axes_have_no_pitch_cones() -> None:
    for second in ((0, 1, 0), (-1, 0, 0), (0, 0, 1)):  # skew, turning the other way, parallel
        placed = reference_configuration(bevel_gears(second))
        assert pitch_cones(placed, placed.mechanism.joint["teeth"]) is None


# --- at a time -------------------------------------------------------------------------------


def test_a_motion_is_drawn_at_a_time_with_paths() -> None:
    motion = four_bar()
    placed = configuration_at(motion, 13)
    figure = drawn(placed)
    for point, body in (("P", "coupler"), ("C", "rocker"), ("B", "crank")):
        (area,) = found(figure, Polygon, f"body {body}")
        assert area.get_path().contains_point(motion.position(point)[13])
    (path,) = found(figure, Line2D, "path P")
    np.testing.assert_array_equal(path.get_xydata(), motion.position("P"))
    (border,) = found(figure, Line2D, "border P")
    bodies = [area for name in ("coupler", "rocker", "crank") for area in found(figure, Polygon, f"body {name}")]
    pins = found(figure, Polygon, "joint C")
    assert max(area.get_zorder() for area in bodies) < border.get_zorder() <= path.get_zorder()
    assert path.get_zorder() < max(pin.get_zorder() for pin in pins)
    assert [text.get_text() for text in found(figure, Text, "caption")] == ["t = 0.325 s"]


def test_guides_are_as_long_as_the_travel() -> None:
    motion = gk.solve(gk.load(EXAMPLES / "slider_crank.toml"), np.linspace(0.0, 0.1, 41))
    figure = drawn(configuration_at(motion, 0))
    lines = np.concatenate([line.get_xydata() for line in found(figure, Line2D, "joint cylinder")])
    assert np.nanmin(lines[:, 0]) < 0.08 < 0.18 < np.nanmax(lines[:, 0])


def test_times_out_of_reach_and_steps_without_solution(tmp_path: Path) -> None:
    out = tmp_path / "x.svg"
    with pytest.raises(TimesError, match=r"from t = 0 s to 1 s, and does not reach 2 s"):
        gk.draw(four_bar(), out, time=2.0)
    with pytest.raises(ArgumentError, match=r"give a motion, as of gk\.solve"):
        gk.draw(four_bar().program.mechanism, out, time=0.0)
    lost = gk.solve(four_bar().program, [0.0, 0.1], on_failure="nan")
    lost.status[-1, 1] = 1
    with pytest.raises(TimesError, match=r"not solved at t = 0\.1 s"):
        gk.draw(lost, out, time=0.1)
    with pytest.raises(TimesError, match="no steps"):
        gk.draw(four_bar().at(np.array([], int)), out)
    assert not out.exists()


# --- what cannot be drawn, and names ---------------------------------------------------------


def test_what_cannot_be_drawn(tmp_path: Path) -> None:
    out = tmp_path / "x.svg"
    with pytest.raises(NoGeometryError, match="Give it as it is in the reference configuration"):
        gk.draw(gk.load(EXAMPLES / "micro_manipulator.toml"), out)
    with pytest.raises(ArgumentError, match="kind is one of mechanism, graph, diagram, not 'tree'"):
        gk.draw(four_bar(), out, "tree")
    with pytest.raises(OutputError, match="a picture ends in"):
        gk.draw(four_bar(), tmp_path / "x.gif")
    with pytest.raises(OutputError, match=r"401 movable bodies, too many .* draw its structural diagram"):
        gk.draw(_placed(generate(1, 200, seed=1)), out)
    assert not out.exists()


def _placed(mechanism: gk.Mechanism) -> gk.Mechanism:
    """A mechanism with some geometry."""
    rng = np.random.default_rng(0)
    joints = [gk.Joint(j.name, j.type, j.bodies, point=tuple(rng.random(2))) for j in mechanism.joints]
    return gk.Mechanism(2, mechanism.bodies, joints, mechanism.drivers)


@pytest.mark.smoke
def test_names_are_never_interpreted_and_pictures_are_reproducible(tmp_path: Path) -> None:
    ground, crank, rod, slider = HOSTILE
    joints = [
        gk.Joint(ground, "R", (ground, crank), point=(0, 0)),
        gk.Joint(crank, "R", (crank, rod), point=(0, 1)),
        gk.Joint(rod, "R", (rod, slider), point=(3, 0)),
        gk.Joint(slider, "P", (ground, slider), point=(3, 0), axis=(1, 0)),
    ]
    mechanism = gk.Mechanism(2, HOSTILE, joints, [gk.Driver(ground)], name=HOSTILE[0])
    for suffix in ("svg", "png", "pdf"):
        for name in ("one", "two"):
            gk.draw(mechanism, tmp_path / f"{name}.{suffix}")
        assert (tmp_path / f"one.{suffix}").read_bytes() == (tmp_path / f"two.{suffix}").read_bytes()
    svg = (tmp_path / "one.svg").read_text(encoding="utf-8")
    assert "<script>" not in svg
    assert "$\\frac{$" in svg


# --- cams ----------------------------------------------------------------------------------------


def cam_scenes(name: str, angle: float = 0.0) -> list[tuple[PlaneScene, Any]]:
    """A cam with a follower at some places of a turn, and where they touch."""
    follower, base, stroke = FOLLOWERS[name]
    mechanism, _ = made(gk.cam_profile(turn("cycloid", stroke), follower, base))
    joints = [replace(joint, reference=angle) if joint.name == "flank" else joint for joint in mechanism.joints]
    motion = gk.solve(replace(mechanism, joints=joints), np.linspace(0.0, 6.2, 20))
    curve = motion.program.mechanism.joint["flank"].curve
    assert curve is not None
    views = [configuration_at(motion, step) for step in range(motion.times.size)]
    along = np.mod(motion.joint("flank")[0], curve.breaks[-1])
    return [(plane_scene(view), view.at("cam", curve.spline(u))) for view, u in zip(views, along, strict=True)]


@pytest.mark.parametrize("name", ["face", "swinging face"])
def test_flat_faces_reach_wherever_a_cam_touches_them(name: str) -> None:
    scenes = cam_scenes(name)
    for k, (scene, touched) in [*enumerate(scenes), *((0, each) for each in scenes)]:  # of pages the first one moves
        shapes = scenes[k][0].shapes
        (line,) = (shape for shape in shapes if shape.gid == "joint flank" and shape.owner == owner("follower"))
        turned, shift = scenes[k][0].view.poses["follower"]
        first, last = scene.view.at("follower", (line.points - shift) @ turned)
        along = (last - first) / np.linalg.norm(last - first)
        assert abs(along[0] * (touched - first)[1] - along[1] * (touched - first)[0]) < 1e-9
        assert 0.0 < (touched - first) @ along < np.linalg.norm(last - first)


@pytest.mark.parametrize(("name", "angle"), [("edge", 0.0), ("edge", 2.0), ("swinging edge", 0.0)])
def test_knife_edges_touch_their_cam_and_nothing_else_does(name: str, angle: float) -> None:
    for scene, touched in cam_scenes(name, angle):
        areas = [shape for shape in scene.shapes if shape.owner == owner("follower") and shape.fill is not None]
        (edge,) = (shape for shape in areas if shape.gid == "joint flank")
        assert np.abs(edge.points[0] - touched).max() < 1e-9
        (cam,) = (shape for shape in scene.shapes if shape.gid == "joint flank" and shape.owner == owner("cam"))
        bodies = [shape for shape in areas if shape.gid == "body follower"]
        assert bodies
        assert not MplPath(cam.points).contains_points(edge.points[1:]).any()
        assert not any(MplPath(cam.points).contains_points(shape.points).any() for shape in bodies)


def test_colors_and_names_that_there_are(tmp_path: Path) -> None:
    mechanism = four_bar().program.mechanism
    gk.draw(four_bar(), tmp_path / "x.svg", colors="bodies", names="bodies", time=0.3)
    text = (tmp_path / "x.svg").read_text()
    assert 'id="name coupler"' in text
    assert 'id="name A"' not in text
    for more in ({"colors": "joints"}, {"names": "groups"}):
        with pytest.raises(ArgumentError, match=r"(colors is groups or bodies|names is joints or bodies), not"):
            gk.draw(mechanism, tmp_path / "x.svg", **more)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="colors belong to the picture of a mechanism, not to its graph"):
        gk.draw(mechanism, tmp_path / "x.svg", "graph", colors="bodies")
    shown = mechanism.draw(colors="bodies", names="bodies")
    assert shown is not None
    assert ">coupler<" in shown.html  # where the legend of groups has it with others


def test_a_slim_mechanism_in_space_leaves_room_for_its_legend() -> None:
    guide = gk.Joint("guide", "P", ("frame", "load"), point=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0))
    lift = gk.Mechanism(3, ["frame", "load"], [guide], [gk.Driver("guide", gk.Ramp(rate=1.0))])
    figure = draw_space(configuration_at(gk.solve(lift, np.linspace(0.0, 1.0, 11)), 0))
    assert "load (1P3D)" in {text.get_text() for text in figure.findobj(Text)}  # not cut off
