"""Ends of ranges in pictures: they are where the moving part is when the joint is at them."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

import groupkin as gk
from groupkin.look.scenes.configurations import Configuration, configuration_at, reference_configuration
from groupkin.look.scenes.plane_scene import plane_scene
from groupkin.look.scenes.scene import local, owner, poses_in
from groupkin.look.scenes.space_scene import space_scene
from groupkin.look.scenes.stops import THICK, Mark, arc, span, stroke
from tests.groupkin.look.scenes.test_mechanism_pictures import NAMES, drawn, found
from tests.support.joint_ranges import about_the_reference, piston, ranged, with_ranges
from tests.support.paths import EXAMPLES
from tests.support.shares import in_part

pytestmark = pytest.mark.filterwarnings("ignore::groupkin.errors.RangeWarning")

LOW, HIGH = -0.5, 0.9
PAIRS = [("arm", "hand"), ("hand", "arm"), ("ground", "hand"), ("hand", "ground")]
"""Bodies that a joint connects, in both orders: of two that move, and of one on the ground."""


@cache
def motion(dimension: int, symbol: str, between: tuple[str, str], ends: tuple[float, float] = (LOW, HIGH)) -> gk.Motion:
    """A hand that turns or slides from one end of its range to the other, on the ground or on an arm that turns."""
    at, along, up = (np.array(x)[:dimension] for x in ((1.0, 0.2, 0.1), (0.6, 0.8, 0.0), (0.0, 0.6, 0.8)))
    turns = {"axis": up} if dimension == 3 else {}
    hand = gk.Body("hand", points={"H": at + 0.7 * along})
    bodies, joints = (
        ["ground", hand],
        [gk.Joint("J", symbol, between, point=at, **(turns if symbol == "R" else {"axis": along}))],
    )
    first = "displacement" if symbol in ("C", "CR") else None
    drivers = [gk.Driver("J", gk.Ramp(start=LOW, rate=HIGH - LOW), first)]
    if symbol in ("C", "CR"):
        drivers.append(gk.Driver("J", gk.Ramp(rate=0.3), "angle"))
    if "arm" in between:
        bodies.append(gk.Body("arm", points={"A": at - 2.5 * along}))
        joints.append(gk.Joint("base", "R", ("ground", "arm"), point=0.0 * at, **turns))
        drivers.append(gk.Driver("base", gk.Ramp(rate=0.8)))
    stated = ends if symbol in ("R", "P") else {"displacement": ends}
    return gk.solve(with_ranges(gk.Mechanism(dimension, bodies, joints, drivers), {"J": stated}), [0.0, 0.4, 1.0])


def views(dimension: int, symbol: str, between: tuple[str, str]) -> list[Configuration]:
    """At the lower end, inside, and at the upper end."""
    return [configuration_at(motion(dimension, symbol, between), step) for step in range(3)]


def on_body(view: Configuration, mark: Mark) -> Any:
    """Points of a mark in the coordinates of its body."""
    turn, shift = view.poses[mark.body]
    return (mark.points - shift) @ turn


@pytest.mark.parametrize(("dimension", "between"), [*product((2, 3), PAIRS)])
def test_the_dot_of_a_hinge_is_at_an_end_of_the_arc_when_the_joint_is(dimension: int, between: tuple[str, str]) -> None:
    placed = views(dimension, "R", between)
    shown = [
        arc(view, view.mechanism.joint["J"], view.frame(view.mechanism.joint["J"])[:, -1], 0.01) for view in placed
    ]
    base = "ground" if "ground" in between else between[0]
    for view, marks in zip(placed, shown, strict=True):
        assert [mark.kind for mark in marks] == ["line", "line", "line", "dot"]
        assert [mark.body for mark in marks[:3]] == [base] * 3
        for mark, first in zip(marks, shown[0], strict=True):  # they are fixed in their bodies
            np.testing.assert_allclose(on_body(view, mark), on_body(placed[0], first), atol=1e-12)
    for step, end, k in ((0, 0, 1), (2, -1, 2)):
        around, dot = shown[step][0].points, shown[step][3].points[0]
        np.testing.assert_allclose(around[end], dot, atol=1e-12)
        np.testing.assert_allclose(shown[step][k].points.mean(axis=0), dot, atol=1e-12)
        pin = placed[step].ends(placed[step].mechanism.joint["J"])[1]
        tip = next(iter(placed[step].free_points.values())) if base == "ground" else None
        if tip is not None and dimension == 2:  # it points to the farthest point of the hand
            np.testing.assert_allclose((dot - pin) / np.linalg.norm(dot - pin), (tip - pin) / np.linalg.norm(tip - pin))
    assert np.linalg.norm(shown[1][3].points[0] - shown[1][1].points.mean(axis=0)) > 0.01  # and not inside


@pytest.mark.parametrize(
    ("dimension", "symbol", "between"), [*product((2, 3), "P", PAIRS[:2]), *product((3,), "C", PAIRS[:2])]
)
def test_the_end_of_a_rod_is_at_a_bar_when_the_joint_is_at_an_end(
    dimension: int, symbol: str, between: tuple[str, str]
) -> None:
    placed = views(dimension, symbol, between)
    for step, k in ((0, 1), (2, 2)):
        view = placed[step]
        joint = view.mechanism.joint["J"]
        axis = view.frame(joint)[:, 0 if dimension == 2 else 2]
        line, *bars = stroke(view, joint, axis, 0.01)
        assert {mark.body for mark in (line, *bars)} == {between[0]}
        end = view.far_end(joint, 1, axis)
        assert np.linalg.norm(bars[k - 1].points - end, axis=1).min() < 1e-12
        np.testing.assert_allclose(line.points[k - 1], end, atol=1e-12)
        np.testing.assert_allclose(np.linalg.norm(np.diff(line.points, axis=0)), HIGH - LOW)


@pytest.mark.parametrize(
    ("dimension", "symbol", "between"), [*product((2, 3), "P", PAIRS[2:]), (3, "C", PAIRS[2]), (2, "CR", PAIRS[0])]
)
def test_a_block_touches_a_stop_when_the_joint_is_at_an_end(
    dimension: int, symbol: str, between: tuple[str, str]
) -> None:
    """Along the axis the middle of a stop is half its thickness from the block, sleeve or pin."""
    base = "ground" if "ground" in between else between[0]
    gaps, fixed = [], []
    for view in views(dimension, symbol, between):
        scene = plane_scene(view) if dimension == 2 else space_scene(view)
        axis = view.frame(view.mechanism.joint["J"])[:, 0 if dimension == 2 else 2]
        parts = scene.shapes if dimension == 2 else scene.solids  # type: ignore[union-attr]
        stops = [part.points.mean(axis=0) @ axis for part in parts if part.gid == "range J"]
        assert {part.owner for part in parts if part.gid == "range J"} == {owner(base)}
        assert len(stops) == 2
        poses = poses_in(view, [owner(base)], {})
        fixed.append([local(part, poses) for part in parts if part.gid == "range J"])
        moving = [part.points @ axis for part in parts if part.gid == "joint J" and part.owner != owner(base)]
        block = moving[-1]
        gaps.append([min(stop - block.max(), block.min() - stop, key=abs) / scene.r for stop in stops])
    np.testing.assert_allclose(fixed, [fixed[0]] * 3, atol=1e-9)
    for step in (0, 2):
        assert min(map(abs, gaps[step])) == pytest.approx(0.5 * THICK, abs=2e-3)  # circles have 48 corners
    assert min(map(abs, gaps[1])) > 3.0


def test_stops_of_a_piston_are_its_stroke_apart_at_any_time() -> None:
    solved = gk.solve(ranged("slider_crank", cylinder=(0.085, 0.175)), np.linspace(0.0, 0.1, 41))
    for step in (0, 10, 30):
        view = configuration_at(solved, step)
        bars = [line.get_xydata().mean(axis=0) for line in found(drawn(view), Line2D, "range cylinder")]
        low, high = sorted(bars, key=lambda bar: bar[0])
        apart = 2 * 2.2 + THICK  # of the block, r
        assert high[0] - low[0] == pytest.approx(0.09 + apart * plane_scene(view).r)
        assert 0.5 * (high[0] + low[0]) == pytest.approx(0.13)


@pytest.mark.parametrize(
    ("ends", "count"), [((0.085, np.inf), 1), ((-np.inf, 0.175), 1), ((0.085, 0.175), 2), ((-9.0, 0.175), 1)]
)
def test_ends_that_are_infinite_or_far_away_have_no_stop(ends: tuple[float, float], count: int) -> None:
    figure = drawn(reference_configuration(ranged("slider_crank", cylinder=ends)))
    assert len(found(figure, Line2D, "range cylinder")) == count


@pytest.mark.parametrize(("ends", "lines"), [((-1.0, np.inf), 2), ((-1.0, 1.0), 3), ((-3.2, 3.2), 0)])
def test_an_arc_has_the_ends_that_exist_and_is_no_whole_turn(ends: tuple[float, float], lines: int) -> None:
    figure = drawn(reference_configuration(ranged("slider_crank", crank_pin=ends)))
    assert len(found(figure, Line2D, "range crank pin")) == lines


def test_a_ring_is_about_a_joint_at_an_end_or_beyond_in_plane_and_space() -> None:
    times = np.linspace(0.0, 0.1, 41)
    x = piston(times)
    solved = gk.solve(ranged("slider_crank", cylinder=(0.085, float(x[33]))), times)
    for step in (0, 5, 6, 11, 32, 33, 34):
        (ring,) = found(drawn(configuration_at(solved, step)), Line2D, "at end cylinder")
        assert ring.get_visible() == (x[step] <= 0.085 or x[step] >= x[33] - 1e-12), step
        np.testing.assert_allclose(ring.get_xydata()[:-1].mean(axis=0), [x[step], 0.0], atol=1e-9)
    for between, step in product(PAIRS, range(3)):
        (ring,) = found(drawn(configuration_at(motion(3, "P", between), step)), Line2D, "at end J")
        assert ring.get_visible() == (step != 1)


def test_turns_that_a_motion_makes_count_though_the_position_is_the_same() -> None:
    """After a whole turn a hinge is where it was, and outside."""
    arm = gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0), range=(-0.5, 0.5))
    turning = gk.Mechanism(
        2, ["frame", gk.Body("arm", points={"P": (1, 0)})], [arm], [gk.Driver("pin", gk.Ramp(rate=2 * np.pi))]
    )
    solved = gk.solve(turning, np.linspace(0.0, 1.0, 9))
    for step, seen in ((0, False), (8, True)):
        (ring,) = found(drawn(configuration_at(solved, step)), Line2D, "at end pin")
        assert ring.get_visible() is seen
    (ring,) = found(drawn(reference_configuration(turning)), Line2D, "at end pin")
    assert not ring.get_visible()


@pytest.mark.parametrize("name", in_part(NAMES, 4))
def test_what_shows_ranges_is_inside_and_about_the_joint(name: str) -> None:
    mechanism = about_the_reference(gk.load(EXAMPLES / f"{name}.toml"))
    view = reference_configuration(mechanism)
    figure = drawn(view)
    low, high = (np.array(ends) for ends in zip(figure.axes[0].get_xlim(), figure.axes[0].get_ylim(), strict=True))
    for kind in (Line2D, Polygon):
        for artist in figure.findobj(kind):
            if str(artist.get_gid()).startswith(("range ", "joint ")):
                points = artist.get_xydata() if kind is Line2D else artist.get_xy()
                points = points[np.isfinite(points).all(axis=1)]
                assert (points >= low).all(), artist.get_gid()
                assert (points <= high).all(), artist.get_gid()
    shown = [joint for joint in mechanism.joints if joint.range is not None]
    for joint in shown:
        assert found(figure, Line2D, f"range {joint.name}") or found(figure, Polygon, f"range {joint.name}"), joint.name
        ((seen),) = [ring.get_visible() for ring in found(figure, Line2D, f"at end {joint.name}")]
        assert not seen
        ends = span(view, joint, rotation=mechanism.form(joint).hinge)
        assert ends is not None
        wanted = (-0.6, 0.9) if mechanism.form(joint).hinge else view.geometry.size * np.array([-0.1, 0.2])
        np.testing.assert_allclose(ends, wanted, atol=1e-9)


def test_modes_are_drawn_with_their_ends() -> None:
    """A picture of assembly modes has no motion: coordinates follow from the places of the bodies."""
    from groupkin.look.mode_pictures import view_in

    program = gk.program(ranged("four_bar", D=(-1.0, 1.0)))
    one, other = (view_in(program, 0.0, modes) for modes in ({}, {2: 2}))
    for view in (one, other):
        turn = {body: np.arctan2(rotation[1, 0], rotation[0, 0]) for body, (rotation, _) in view.poses.items()}
        first, second = view.mechanism.joint["D"].bodies
        (angle,) = view.values.values()
        assert np.exp(1j * angle) == pytest.approx(np.exp(1j * (turn[second] - turn[first])))
        assert poses_in(view, [owner("rocker")], {})[owner("rocker")][0][1, 0] == pytest.approx(np.sin(turn["rocker"]))
    assert list(one.values.values()) != list(other.values.values())
