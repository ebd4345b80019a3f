"""Workspaces against closed formulas."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import ArgumentError, WorkspaceError
from groupkin.kinematics.workspace.workspace_listing import as_data, causes
from tests.support.command_line import run as run_cli

STILL = gk.Constant(0.0)
UPPER, FORE = 0.3, 0.2
AREA = 1e-6
"""Relative error of areas: boundaries are followed until they are flat to 1e-6 of their extent."""


def arm(shoulder: Any = None, elbow: Any = None, **ranges: Any) -> gk.Mechanism:
    """An arm of two bars; the elbow is at a right angle in the reference configuration."""
    joints = [
        gk.Joint("shoulder", "R", ("frame", "upper"), point=(0, 0), range=shoulder),
        gk.Joint("elbow", "R", ("upper", "fore"), point=(UPPER, 0), range=elbow),
    ]
    bodies = ["frame", "upper", gk.Body("fore", points={"P": (UPPER, FORE)})]
    drivers = [gk.Driver("shoulder", STILL), gk.Driver("elbow", STILL)]
    return gk.Mechanism(2, bodies, joints, drivers, ranges=ranges, name="Arm")


def sector(shoulder: tuple[float, float], elbow: tuple[float, float]) -> float:
    """Area that an arm sweeps whose elbow stays on one side."""
    inner = UPPER**2 + FORE**2 + 2 * UPPER * FORE * np.cos(np.pi / 2 + np.array(elbow))
    return float(0.5 * (shoulder[1] - shoulder[0]) * abs(inner[0] - inner[1]))


def test_a_free_arm_reaches_a_ring():
    found = gk.workspace(arm(), "position P")
    assert found.area == pytest.approx(np.pi * ((UPPER + FORE) ** 2 - (UPPER - FORE) ** 2), rel=AREA)
    (region,) = found.regions
    assert len(region.rings) == 2
    assert region.own
    assert causes(region) == "upper, fore singular"
    radii = [np.linalg.norm(ring, axis=1) for ring in region.rings]
    np.testing.assert_allclose(radii[0], UPPER + FORE, rtol=1e-11)
    np.testing.assert_allclose(radii[1], UPPER - FORE, rtol=1e-11)


@pytest.mark.parametrize("modes", ["all", "own"])
def test_an_arm_with_ranges_reaches_a_sector_whose_sides_are_named(modes: Any):
    shoulder, elbow = (-0.5, 1.0), (-0.3, 1.2)
    found = gk.workspace(arm(shoulder, elbow), "position P", modes=modes)
    assert found.area == pytest.approx(sector(shoulder, elbow), rel=AREA)
    (region,) = found.regions
    assert {cause.split(",")[0] for cause in region.causes[0]} == {
        f"the {end} end of the range of {joint}" for end in ("lower", "upper") for joint in ("shoulder", "elbow")
    }


def swept(places: np.ndarray, shoulder: tuple[float, float], bend: tuple[float, float]) -> np.ndarray:
    """Which places (n, 2) an arm reaches, the fore arm bent from the upper one by an angle; both ways are tried."""
    x, y = places.T
    cosine = (x * x + y * y - UPPER**2 - FORE**2) / (2 * UPPER * FORE)
    found = np.zeros(len(places), bool)
    for side in (1.0, -1.0):
        bent = side * np.arccos(np.clip(cosine, -1.0, 1.0))
        turned = np.arctan2(y, x) - np.arctan2(FORE * np.sin(bent), UPPER + FORE * np.cos(bent))
        turned -= 2 * np.pi * np.round(turned / (2 * np.pi))
        within = (turned >= shoulder[0]) & (turned <= shoulder[1]) & (bent >= bend[0]) & (bent <= bend[1])
        found |= within & (np.abs(cosine) <= 1.0)
    return found


def test_both_ways_of_an_elbow_count_or_that_of_the_reference_configuration_alone():
    shoulder, bend = (-0.5, 0.5), (-1.3, 1.9)
    both = gk.workspace(arm(shoulder, (bend[0] - np.pi / 2, bend[1] - np.pi / 2)), "position P", steps=601)
    left = gk.workspace(arm(shoulder, (bend[0] - np.pi / 2, bend[1] - np.pi / 2)), "position P", modes="own", steps=601)
    side = (np.arange(1400) + 0.5) / 1400 * 1.2 - 0.6
    places = np.stack([each.ravel() for each in np.meshgrid(side, side)], axis=1)
    for found, limits in ((both, bend), (left, (0.0, bend[1]))):
        wanted = np.count_nonzero(swept(places, shoulder, limits)) * (side[1] - side[0]) ** 2
        assert found.area == pytest.approx(wanted, rel=3e-3)  # of the raster, and of cusps
    assert left.area < 0.8 * both.area


def test_the_range_of_a_distance_bounds_a_workspace():
    found = gk.workspace(arm(**{"position P.y": (0.1, 1.0)}), "position P")
    outer, cut = UPPER + FORE, 0.1  # the circle within is tangent to the cut
    segment = outer**2 * np.arccos(cut / outer) - cut * np.sqrt(outer**2 - cut**2)
    assert found.area == pytest.approx(segment, rel=AREA)
    assert "the lower end of the range of position P.y, 0.1 m" in causes(found.regions[0])


def slides(x: tuple[float, float], y: tuple[float, float]) -> gk.Mechanism:
    joints = [
        gk.Joint("x", "P", ("frame", "a"), point=(0, 0), axis=(1, 0), range=x),
        gk.Joint("y", "P", ("a", "b"), point=(0, 0), axis=(0, 1), range=y),
    ]
    return gk.Mechanism(2, ["frame", "a", "b"], joints, [gk.Driver("x", STILL), gk.Driver("y", STILL)])


def test_slides_reach_a_rectangle_to_its_corners():
    found = gk.workspace(slides((-0.1, 0.25), (0.0, 0.13)), "position b")
    assert found.area == pytest.approx(0.35 * 0.13, rel=AREA)


def test_a_point_that_goes_on_forever_and_one_that_is_nowhere_are_refused():
    with pytest.raises(WorkspaceError, match="goes on beyond"):
        gk.workspace(slides((0.0, np.inf), (0.0, 1.0)), "position b")
    with pytest.raises(WorkspaceError, match="has no place that was found"):
        gk.workspace(arm(elbow=(0.1, 0.2), **{"position P.y": (0.6, 1.0)}), "position P")


PLATFORM = {"A": (0.0, 0.0), "B": (1.0, 0.0), "C": (0.5, 1.0)}


def platform(first: Any, second: Any, third: Any = None) -> gk.Mechanism:
    """A plate of one point on three cylinders from A, B and C: 3-RPR, its pins 0.1 about the middle of the plate."""
    middle = np.array([0.5, 0.4])
    pins = {
        name: middle + 0.1 * np.array([np.cos(k), np.sin(k)]) for name, k in zip("abc", (3.5, 5.7, 1.57), strict=True)
    }
    joints, bodies = [], ["frame", gk.Body("plate", points={"M": tuple(middle)})]
    for foot, pin, ends in zip("ABC", "abc", (first, second, third), strict=True):
        barrel, rod = f"barrel {foot}", f"rod {foot}"
        at, eye = np.array(PLATFORM[foot]), pins[pin]
        bodies += [barrel, rod]
        joints += [
            gk.Joint(f"foot {foot}", "R", ("frame", barrel), point=tuple(at)),
            gk.Joint(
                f"leg {foot}", "P", (barrel, rod), points=(tuple(at), tuple(eye)), axis=tuple(eye - at), range=ends
            ),
            gk.Joint(f"eye {foot}", "R", (rod, "plate"), point=tuple(eye)),
        ]
    return gk.Mechanism(2, bodies, joints, [gk.Driver(f"leg {foot}", STILL) for foot in "ABC"])


def lens(first: float, second: float, apart: float) -> float:
    """Area that two circles share."""
    a, b = ((apart**2 + r**2 - s**2) / (2 * apart * r) for r, s in ((first, second), (second, first)))
    kite = 0.5 * np.sqrt(
        (-apart + first + second) * (apart + first - second) * (apart - first + second) * (apart + first + second)
    )
    return float(first**2 * np.arccos(a) + second**2 * np.arccos(b) - kite)


def test_a_platform_that_keeps_its_direction_reaches_what_circles_share():
    found = gk.workspace(platform((0.0, 0.7), (0.0, 0.8)), "position M")
    middle = np.array([0.5, 0.4])
    pins = [middle + 0.1 * np.array([np.cos(k), np.sin(k)]) for k in (3.5, 5.7)]
    centers = [np.array(PLATFORM[foot]) - (pin - middle) for foot, pin in zip("AB", pins, strict=True)]
    wanted = lens(0.7, 0.8, float(np.linalg.norm(centers[0] - centers[1])))
    assert not found.turned
    assert found.area == pytest.approx(wanted, rel=AREA)
    names = {cause.split(" of ")[-1] for region in found.regions for told in region.causes for cause in told}
    assert names == {"'leg A', 0.7 m", "'leg B', 0.8 m"}


def five_bar() -> gk.Mechanism:
    points = {"A": (0.0, 0.0), "B": (-0.2, 0.3), "C": (0.35, 0.7), "D": (0.9, 0.3), "E": (0.7, 0.0)}
    pairs = {
        "A": ("frame", "left"),
        "B": ("left", "up"),
        "C": ("up", "down"),
        "D": ("down", "right"),
        "E": ("right", "frame"),
    }
    joints = [gk.Joint(name, "R", bodies, point=name) for name, bodies in pairs.items()]
    bodies = ["frame", "left", "up", "down", "right"]
    return gk.Mechanism(2, bodies, joints, [gk.Driver("A", STILL), gk.Driver("E", STILL)], points=points)


def test_a_five_bar_in_its_own_mode_is_bounded_where_its_drivers_lose_control():
    every = gk.workspace(five_bar(), "position C")
    own = gk.workspace(five_bar(), "position C", modes="own")
    a, b = np.hypot(0.2, 0.3), np.hypot(0.55, 0.4)
    reach = a + b
    assert every.area == pytest.approx(lens(reach, reach, 0.7) - 2 * np.pi * (b - a) ** 2, rel=AREA)
    assert 0.2 * every.area < own.area < every.area
    assert any("the drivers lose control" in causes(region) for region in own.regions)
    for region in own.regions:  # at places on the boundary the two outer bars are in line
        for ring, told in zip(region.rings, region.causes, strict=True):
            lost = np.array(["lose control" in cause for cause in told])
            assert _height(ring[lost]).max(initial=0.0) < 1e-6
    assert sum(region.own for region in own.regions) == 1


def _height(places: np.ndarray) -> np.ndarray:
    """Sine of the angle between the outer bars of the five-bar, in the mode of its reference configuration."""
    a, b = np.hypot(0.2, 0.3), np.hypot(0.55, 0.4)
    directions = []
    for foot, side in ((np.zeros(2), 1.0), (np.array([0.7, 0.0]), -1.0)):
        away = places - foot
        r = np.linalg.norm(away, axis=1)
        along = (a**2 - b**2 + r**2) / (2 * r)
        across = side * np.sqrt(np.maximum(a**2 - along**2, 0.0))
        u = away / r[:, None]
        knee = along[:, None] * u + across[:, None] * np.stack([-u[:, 1], u[:, 0]], axis=1)
        directions.append((away - knee) / b)
    return np.abs(directions[0][:, 0] * directions[1][:, 1] - directions[0][:, 1] * directions[1][:, 0])


def test_a_box_ends_a_workspace_and_says_so():
    found = gk.workspace(arm(), "position P", box=[(0.0, 1.0), (-1.0, 1.0)])
    assert found.area == pytest.approx(np.pi / 2 * ((UPPER + FORE) ** 2 - (UPPER - FORE) ** 2), rel=1e-5)
    assert {cause for region in found.regions for told in region.causes for cause in told} == {
        "upper, fore singular",
        "the box that was looked in",
    }
    with pytest.raises(WorkspaceError, match="no place was found"):
        gk.workspace(arm(), "position P", box=[(1.0, 2.0), (1.0, 2.0)])
    with pytest.raises(WorkspaceError, match="no place was found in the box"):
        gk.workspace(gantry((0.0, 0.3), (0.0, 0.3), (0.0, 0.3)), "position c", box=[(1, 2), (1, 2), (1, 2)])


def test_modes_of_the_program_do_not_shift_what_is_led():
    """Slides count from where the point is stated, not from where a chosen mode has it."""
    own = gk.program(five_bar())
    group = next(group.number for group in own.structure.groups if "up" in group.bodies)
    other = gk.program(five_bar(), modes={group: 2})
    areas = [gk.workspace(each, "position C", steps=61).area for each in (own, other)]
    assert areas[0] == areas[1]


def test_a_reference_configuration_that_is_approximate():
    exact = five_bar()
    rough = replace(exact, points={**exact.points, "C": (0.352, 0.699)})
    joints = [replace(each, point=each.name) for each in exact.joints]
    lengths = {"up": ("B", "C"), "down": ("C", "D")}
    bodies = [
        replace(body, lengths={lengths[name]: float(np.hypot(0.55, 0.4))}) if name in lengths else body
        for name, body in exact.body.items()
    ]
    found = gk.workspace(replace(rough, joints=joints, bodies=bodies), "position C", assemble=True)
    assert found.area == pytest.approx(gk.workspace(exact, "position C").area, rel=AREA)


# --- in space --------------------------------------------------------------------------------


def gantry(*ends: Any) -> gk.Mechanism:
    bodies = ["frame", "a", "b", "c"]
    joints = [
        gk.Joint(
            f"slide {k}", "P", (bodies[k], bodies[k + 1]), point=(0, 0, 0), axis=tuple(np.eye(3)[k]), range=ends[k]
        )
        for k in range(3)
    ]
    return gk.Mechanism(3, bodies, joints, [gk.Driver(joint.name, STILL) for joint in joints])


def test_a_gantry_reaches_a_box():
    found = gk.workspace(gantry((0.0, 0.3), (-0.1, 0.1), (0.0, 0.5)), "position c", steps=21, sections=24)
    assert found.volume == pytest.approx(0.3 * 0.2 * 0.5, rel=0.01)
    section = gk.workspace(gantry((0.0, 0.3), (-0.1, 0.1), (0.0, 0.5)), "position c", section={"z": 0.2}, steps=21)
    assert section.area == pytest.approx(0.06, rel=1e-5)  # by Newton's method, less closely at corners
    assert section.sections[0].at == 0.2


def crane(turn: Any, lift: Any, reach: Any) -> gk.Mechanism:
    """A boom that turns about z, lifts about y and goes out along itself, 1 m in the reference configuration."""
    joints = [
        gk.Joint("turn", "R", ("frame", "column"), point=(0, 0, 0), axis=(0, 0, 1), range=turn),
        gk.Joint("lift", "R", ("column", "boom"), point=(0, 0, 0), axis=(0, -1, 0), range=lift),
        gk.Joint("reach", "P", ("boom", "tip"), points=((0, 0, 0), (1, 0, 0)), axis=(1, 0, 0), range=reach),
    ]
    bodies = ["frame", "column", "boom", gk.Body("tip", points={"P": (1.0, 0.0, 0.0)})]
    return gk.Mechanism(3, bodies, joints, [gk.Driver(name, STILL) for name in ("turn", "lift", "reach")])


def test_a_crane_reaches_a_part_of_a_shell():
    turn, lift, reach = (-0.8, 0.8), (-0.5, 0.6), (0.7, 1.4)
    found = gk.workspace(crane(turn, lift, reach), "position P", steps=31, sections=16)
    wanted = (reach[1] ** 3 - reach[0] ** 3) / 3 * (turn[1] - turn[0]) * (np.sin(lift[1]) - np.sin(lift[0]))
    assert found.volume == pytest.approx(wanted, rel=2e-2)
    section = gk.workspace(crane(turn, lift, reach), "position P", section={"z": 0.0}, steps=61)
    assert section.area == pytest.approx(0.5 * 1.6 * (1.4**2 - 0.7**2), rel=1e-5)  # by Newton's method less closely
    assert section.regions[0].own


# --- what is refused, and the command line ---------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"of": "angle fore"}, "a workspace is that of a position"),
        ({"of": "position P.x"}, "a workspace is that of a position"),
        ({"of": "position frame"}, "is on the frame 'frame', and goes nowhere"),
        ({"instead_of": ["joint elbow"]}, "is led instead of 2 drivers, or of 3 where its body keeps its directions"),
        ({"at": {"joint elbow": 0.1}}, "name those that are released"),
        ({"section": {"z": 0.1}}, "a section is that of a workspace in space"),
        ({"box": [(0, 1)]}, "box has a least and a larger value of each of 2 coordinates"),
        ({"steps": 1}, "steps are from 3"),
    ],
)
def test_what_is_no_workspace_is_refused(options: dict[str, Any], said: str):
    with pytest.raises(ArgumentError, match=said):
        gk.workspace(arm(), **{"of": "position P", **options})


def test_the_command_line_prints_draws_and_writes(tmp_path: Any):
    path = tmp_path / "arm.toml"
    gk.save(arm((-0.5, 1.0), (-0.3, 1.2)), path, units=gk.Units("mm", "deg"))
    shown = run_cli("workspace", path, "--of", "position P", "--picture", tmp_path / "arm.svg")
    assert shown.exit_code == 0
    assert "Arm: workspace of position P by shoulder, elbow: area 110480 mm^2" in shown.stdout
    assert "the upper end of the range of shoulder, 57.2958°" in " ".join(shown.stdout.split())
    assert (tmp_path / "arm.svg").read_text().count("<path") > 4
    data = json.loads(run_cli("workspace", path, "--of", "P", "--json", "--steps", "51").stdout)
    assert data["sections"][0]["area"] == pytest.approx(sector((-0.5, 1.0), (-0.3, 1.2)), rel=AREA)
    refused = run_cli("workspace", path, "--of", "angle fore")
    assert refused.exit_code == 2
    assert "a workspace is that of a position" in refused.stderr


def test_a_volume_is_data_and_a_picture(tmp_path: Any):
    found = gk.workspace(gantry((0.0, 0.3), (-0.1, 0.1), (0.0, 0.5)), "position c", steps=11, sections=4)
    assert as_data(found)["volume"] == found.volume
    assert "volume" in repr(found)
    found.plot(tmp_path / "gantry.png")
    assert (tmp_path / "gantry.png").stat().st_size > 1000
