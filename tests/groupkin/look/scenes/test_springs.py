"""Springs, dampers and bushings in pictures: they reach from point to point at every step, and nothing else changes."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.look.page.page import page
from groupkin.look.scenes.configurations import Configuration, configuration_at, reference_configuration
from groupkin.look.scenes.plane_scene import plane_scene
from groupkin.look.scenes.scene import local, poses_during, poses_in
from groupkin.look.scenes.space_scene import space_scene
from groupkin.look.scenes.springs import struts
from groupkin.mechanism.forces.forces import Load
from tests.groupkin.look.page.test_page import data_of, numbers
from tests.support.paths import EXAMPLES

DIMENSIONS = [2, 3]


def at(dimension: int, *numbers: float) -> tuple[float, ...]:
    return numbers[:dimension]


@cache
def mechanism(dimension: int) -> gk.Mechanism:
    """An arm that turns on the ground, and a sledge that slides on it."""
    turn: dict[str, Any] = {} if dimension == 2 else {"axis": (0, 0.6, 0.8)}
    arm = gk.Body("arm", points={"M": at(dimension, 0.6, 0.1, 0.2)})
    joints = [
        gk.Joint("hinge", "R", ("ground", "arm"), point=at(dimension, 0, 0, 0), **turn),
        gk.Joint("slide", "P", ("ground", "sledge"), point=at(dimension, 1.5, 0.2, 0), axis=at(dimension, 1, 0, 0)),
    ]
    drivers = [gk.Driver("hinge", gk.Ramp(rate=1.2)), gk.Driver("slide", gk.Ramp(rate=0.3))]
    return gk.Mechanism(dimension, ["ground", arm, "sledge"], joints, drivers)


def moved(dimension: int, *forces: Load) -> gk.Motion:
    return gk.solve(replace(mechanism(dimension), forces=forces), np.linspace(0.0, 1.0, 6))


def spring(dimension: int, **more: Any) -> gk.Spring:
    return gk.Spring("strut", ("ground", "arm"), (at(dimension, 0.4, -0.7, 0.3), "M"), **(more or {"stiffness": 1e3}))


def scene_of(view: Configuration) -> Any:
    return plane_scene(view) if view.mechanism.dimension == 2 else space_scene(view)


def parts(scene: Any) -> list[Any]:
    return list(scene.shapes if scene.view.mechanism.dimension == 2 else scene.solids)


def ends(motion: gk.Motion, step: int) -> Any:
    """The ends of the strut, by the motion alone."""
    return np.array([at(motion.position("M").shape[1], 0.4, -0.7, 0.3), motion.position("M")[step]])


@pytest.mark.parametrize("dimension", DIMENSIONS)
@pytest.mark.parametrize("step", [0, 3, 5])
def test_a_spring_reaches_from_point_to_point(dimension: int, step: int) -> None:
    motion = moved(dimension, spring(dimension))
    (coil,) = [part for part in parts(scene_of(configuration_at(motion, step))) if part.owner == "spring strut"]
    np.testing.assert_allclose(coil.points[[0, -1]], ends(motion, step), atol=1e-12)


@pytest.mark.parametrize("dimension", DIMENSIONS)
@pytest.mark.parametrize("start", [0, 4])
def test_films_stretch_it_to_where_its_points_go(dimension: int, start: int) -> None:
    """The same shapes, made at any step, are moved to all others; their sides do not grow with the length."""
    motion = moved(dimension, spring(dimension))
    scene = scene_of(configuration_at(motion, start))
    (coil,) = [part for part in parts(scene) if part.owner == "spring strut"]
    points = local(coil, poses_in(scene.view, [coil.owner], scene.ends))
    turn, shift = poses_during(motion, [coil.owner], scene.ends)[coil.owner]
    for step in range(6):
        placed = points @ turn[step].T + shift[step]
        one, other = ends(motion, step)
        np.testing.assert_allclose(placed[[0, -1]], [one, other], atol=1e-12)
        away, way = placed - one, (other - one) / np.linalg.norm(other - one)
        sides = np.linalg.norm(away - np.outer(away @ way, way), axis=1)
        np.testing.assert_allclose(sides, np.linalg.norm(points[:, 1:], axis=1), atol=1e-12)


def test_a_coil_in_space_does_not_spin_about_itself() -> None:
    """The angular velocity of its axes relative to the first body has no component along it."""
    motion = gk.solve(replace(mechanism(3), forces=[spring(3)]), np.linspace(0.0, 1.0, 20001))
    scene = scene_of(configuration_at(motion, 0))
    turn, _ = poses_during(motion, ["spring strut"], scene.ends)["spring strut"]
    axes = turn / np.linalg.norm(turn, axis=1, keepdims=True)
    np.testing.assert_allclose(axes.swapaxes(1, 2) @ axes, np.broadcast_to(np.eye(3), axes.shape), atol=1e-12)
    steps = np.linalg.norm(np.diff(axes, axis=0), axis=(1, 2))
    directions = np.linalg.norm(np.diff(axes[:, :, 0], axis=0), axis=1)
    assert (steps < 3.0 * directions + 1e-12).all()  # all axes move about as little as the direction does


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_a_damper_has_its_piston_in_its_tube(dimension: int) -> None:
    motion = moved(dimension, spring(dimension, damping=10.0))
    scene = scene_of(configuration_at(motion, 0))
    (strut,) = struts(scene.view, scene.r)
    lengths = [np.linalg.norm(np.diff(ends(motion, step), axis=0)) for step in range(6)]
    assert (strut.low, strut.high) == pytest.approx((min(lengths), max(lengths)))
    start, tube, rod = strut.damper(scene.r)
    for length in lengths:
        assert start < length - rod < start + tube <= strut.low
    owners = {part.owner for part in parts(scene) if part.gid == "spring strut" and not part.owner.startswith("body ")}
    assert owners == {"tube strut", "piston strut"}


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_what_is_shown_follows_what_acts(dimension: int) -> None:
    both = {"stiffness": 1.0, "damping": 1.0}
    table = ((0.0, -1.0), (1.0, 1.0))
    for more, drawn in (
        (both, {"spring", "tube", "piston"}),
        ({"damping_table": table}, {"tube", "piston"}),
        ({"table": table}, {"spring"}),
        ({"preload": 5.0}, {"spring"}),
        ({"preload": 5.0, "damping": 1.0}, {"spring", "tube", "piston"}),
    ):
        scene = scene_of(configuration_at(moved(dimension, spring(dimension, **more)), 0))
        assert {key.split(" ")[0] for key in scene.ends} == drawn
    loads: list[Load] = [
        gk.JointSpring("at hinge", "hinge", stiffness=1.0),
        gk.JointSpring("at slide", "slide", stiffness=1.0),
        gk.Bushing("block", ("arm", "sledge"), at(dimension, 1.0, 0.2, 0.1), stiffness=1e4),
    ]
    view = configuration_at(moved(dimension, *loads), 0)
    gids = {part.gid for part in parts(scene_of(view))}
    without = {part.gid for part in parts(scene_of(configuration_at(moved(dimension), 0)))}
    assert gids - without == {"spring at hinge", "spring at slide", "bushing block"}
    assert without <= gids


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_a_spring_on_a_guide_holds_at_the_block_at_all_steps(dimension: int) -> None:
    motion = moved(dimension, gk.JointSpring("at slide", "slide", stiffness=1.0, damping=1.0))
    scene = scene_of(configuration_at(motion, 2))
    (strut,) = struts(scene.view, scene.r)
    turn, shift = poses_during(motion, ["spring at slide"], scene.ends)["spring at slide"]
    far = shift + turn[:, :, 0] * strut.length
    block = np.array([[1.5 + 0.3 * t, 0.2, 0.0][:dimension] for t in motion.times])
    np.testing.assert_allclose(
        block - far, [np.eye(dimension)[0] * {2: 2.2, 3: 1.5}[dimension] * scene.r] * 6, atol=1e-12
    )
    np.testing.assert_allclose(np.ptp(shift, axis=0), 0.0, atol=1e-12)
    assert np.linalg.norm(far - shift, axis=1).min() == pytest.approx(strut.low)
    start, tube, rod = strut.damper(scene.r)
    assert start < strut.low - rod < strut.high - rod < start + tube


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_coincident_ends_have_a_finite_spring(dimension: int) -> None:
    load = gk.Spring("strut", ("ground", "arm"), (at(dimension, 0.6, 0.1, 0.2), "M"), stiffness=1.0)
    motion = moved(dimension, load)
    for step in (0, 3):
        scene = scene_of(configuration_at(motion, step))
        assert all(np.isfinite(part.points[~np.isnan(part.points).any(axis=1)]).all() for part in parts(scene))
        (coil,) = [part for part in parts(scene) if part.owner == "spring strut"]
        np.testing.assert_allclose(coil.points[-1], motion.position("M")[step], atol=1e-5 * scene.view.geometry.size)


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_pages_have_the_stretch_beside_the_pose(dimension: int) -> None:
    motion = moved(dimension, spring(dimension, stiffness=1.0, damping=1.0))
    data = data_of(page(motion).text)
    keys = [entry["key"] for entry in data["owners"]]
    assert [entry["key"] for entry in data["owners"] if entry["stretched"]] == ["spring strut"]
    rows = numbers(data["poses"][keys.index("spring strut")]).reshape(6, -1)
    assert rows.shape[1] == {2: 5, 3: 8}[dimension]
    (coil,) = [part for part in data["parts"] if data["owners"][part["owner"]]["key"] == "spring strut"]
    length = coil["points"][-1][0] * data["size"]
    wanted = [np.linalg.norm(np.diff(ends(motion, step), axis=0)) for step in range(6)]
    np.testing.assert_allclose(rows[:, -1] * length, wanted, rtol=1e-5)


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_a_rope_is_a_line_and_a_rod_is_not(dimension: int) -> None:
    for rope in (False, True):
        joint = gk.Joint("tie", "SPSP", ("ground", "arm"), points=(at(dimension, 0, 1, 0), "M"), rope=rope)
        hinge = mechanism(dimension).joints[0]
        arm = mechanism(dimension).body["arm"]
        still = gk.Mechanism(dimension, ["ground", arm], [hinge, joint])
        from groupkin.look.scenes.configurations import reference_configuration

        scene = scene_of(reference_configuration(still))
        (tie,) = [part for part in parts(scene) if part.owner == "rod tie"]
        kind = tie.fill is None if dimension == 2 else tie.kind == "line"
        assert kind is rope


def test_a_damper_on_a_telescope_is_not_drawn_twice() -> None:
    """Its bodies look like a damper already; what is elastic is around them."""
    wheel = gk.load(EXAMPLES / "double_wishbone.toml")
    ends = {"between": ("lower", "chassis"), "points": ("SL", "SU")}
    shock = gk.Spring("shock", **ends, stiffness=3e4, damping=2e3)
    damper = gk.Spring("damper alone", **ends, damping=2e3)
    beside = gk.Spring("beside", ("lower", "chassis"), points=("SL", (0.0, 0.4, 0.56)), stiffness=3e4, damping=2e3)
    view = reference_configuration(replace(wheel, forces=[shock, damper, beside]))
    kinds = {}
    for solid in space_scene(view).solids:
        kinds.setdefault(solid.gid, set()).add(solid.kind)
    assert "tube" not in kinds["spring shock"]
    assert "coil" in kinds["spring shock"]
    assert "spring damper alone" not in kinds
    assert {"coil", "tube"} <= kinds["spring beside"]


def test_a_wheel_is_a_circle_through_its_contact_about_its_axis() -> None:
    wheel = gk.load(EXAMPLES / "double_wishbone.toml")
    view = reference_configuration(wheel)
    (circle,) = (solid.points for solid in space_scene(view).solids if solid.gid == "wheel W")
    center, outward, contact = (wheel.locate(name, "") for name in ("W", "N", "T"))
    axis = (outward - center) / np.linalg.norm(outward - center)
    away = circle - center
    radius = np.linalg.norm(contact - center - ((contact - center) @ axis) * axis)
    assert np.abs(away @ axis).max() < 1e-12
    assert np.allclose(np.linalg.norm(away, axis=1), radius, rtol=1e-12)
