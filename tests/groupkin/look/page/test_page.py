"""What is in a page, and how large it is."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import ArgumentError, OutputError, QuantityError, TimesError, UnknownNameError
from groupkin.look.page.content import thinned
from groupkin.look.page.page import MOST_BYTES, Page, page
from tests.support.examples import SOLVABLE
from tests.support.joint_ranges import about_the_reference, piston, ranged
from tests.support.paths import EXAMPLES

HOSTILE = ("<script>alert(1)</script>", "$\\frac{$", "'\"&amp;\\u003c", "]]>--><!--")


@cache
def four_bar(steps: int = 41) -> gk.Motion:
    return gk.solve(gk.load(EXAMPLES / "four_bar.toml"), np.linspace(0.0, 1.0, steps))


@cache
def made() -> Page:
    return page(four_bar())


def data_of(text: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def numbers(text: str, kind: type = np.float32) -> Any:
    return np.frombuffer(base64.b64decode(text), kind)


def poses(data: dict[str, Any], key: str) -> tuple[Any, Any]:
    """Positions and cosines and sines, or quaternions, of an owner."""
    owner = [entry["key"] for entry in data["owners"]].index(key)
    rows = numbers(data["poses"][owner]).reshape(-1, 4 if data["dimension"] == 2 else 7)
    d = data["dimension"]
    return rows[:, :d] * data["size"] + data["center"], rows[:, d:]


def hostile_mechanism() -> gk.Mechanism:
    ground, arm, pin, point = HOSTILE
    joint = gk.Joint(pin, "R", (ground, arm), point=(0, 0))
    bodies = [ground, gk.Body(arm, points={point: (1.0, 0.5)})]
    return gk.Mechanism(2, bodies, [joint], [gk.Driver(pin, gk.Ramp(rate=1.0))], name=HOSTILE[0])


def test_the_policy_allows_exactly_the_script_and_the_style_of_the_page() -> None:
    text = made().text
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy.startswith("default-src 'none'; ")
    for tag in ("script", "style"):
        (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert not re.search(r"unsafe|https?:", policy)


@pytest.mark.smoke
def test_names_are_never_markup() -> None:
    text = page(gk.solve(hostile_mechanism(), [0.0, 1.0])).text
    assert text.count("<script") == 2
    assert "<!--" not in text.split("</style>")[1].split("<script>")[0]
    data = data_of(text)
    assert data["title"] == HOSTILE[0]
    assert {entry["name"] for entry in data["owners"]} == {HOSTILE[0], HOSTILE[1]}
    assert data["points"][0]["name"] == HOSTILE[3]


@pytest.mark.smoke
def test_poses_are_those_of_the_motion() -> None:
    data, motion = data_of(made().text), four_bar()
    for body in motion.program.mechanism.movable:
        owner = next(entry for entry in data["owners"] if entry["key"] == f"body {body}")
        place, turn = poses(data, f"body {body}")
        # half a unit in the last place of float32, of coordinates up to the size
        near = {"atol": 6e-8 * data["size"], "rtol": 0}
        np.testing.assert_allclose(place, motion.point_on(body, owner["origin"]), **near)
        np.testing.assert_allclose(turn, motion.rotation(body)[:, :, 0], atol=6e-8)
    np.testing.assert_array_equal(numbers(data["times"], np.float64), motion.times)


def test_far_from_the_global_origin_poses_are_as_exact() -> None:
    x, y = 3e6, -2e6
    joints = [
        gk.Joint("A", "R", ("ground", "crank"), point=(x, y)),
        gk.Joint("B", "R", ("crank", "coupler"), point=(x, y + 1)),
        gk.Joint("C", "R", ("coupler", "rocker"), point=(x + 3, y + 2.5)),
        gk.Joint("D", "R", ("rocker", "ground"), point=(x + 3, y)),
    ]
    mechanism = gk.Mechanism(2, ["ground", "crank", "coupler", "rocker"], joints, [gk.Driver("A", gk.Ramp(rate=1.0))])
    motion = gk.solve(mechanism, np.linspace(0.0, 1.0, 5))
    data = data_of(page(motion).text)
    owner = next(entry for entry in data["owners"] if entry["key"] == "body coupler")
    place, _ = poses(data, "body coupler")
    # coordinates of 3e6 m have 4e-10 m, which the difference of two of them doubles
    np.testing.assert_allclose(place, motion.point_on("coupler", owner["origin"]), atol=6e-8 * data["size"] + 1e-9)


def test_a_page_of_13_bodies_and_1000_steps_is_small() -> None:
    described = gk.read(EXAMPLES / "stewart_inverse.toml")
    motion = gk.solve(described.mechanism, np.linspace(0.0, 2.0, 1000))
    found = page(motion)
    assert found.frames == 1000
    assert not found.note
    assert len(found.text.encode()) < 1_400_000


def test_long_motions_are_thinned_and_it_is_said() -> None:
    motion = four_bar(60_001)
    found = page(motion)
    assert 0.9 * MOST_BYTES < len(found.text.encode()) <= MOST_BYTES
    assert found.frames < 60_001
    assert f"{found.frames} of 60001 steps" in found.note
    data = data_of(found.text)
    assert data["note"] == found.note
    times = numbers(data["times"], np.float64)
    assert len(times) == found.frames
    assert (times[0], times[-1]) == (0.0, 1.0)
    assert page(motion, most_frames=300).frames == 300


def test_the_time_bar_shows_the_worst_of_the_steps_left_out() -> None:
    motion = four_bar()
    data = data_of(page(motion, most_frames=5).text)
    worst = motion.conditioning.min(axis=0)
    assert numbers(data["worst"]).min() == np.float32(worst.min())
    assert data["least"]["value"] == worst.min()
    assert data["least"]["time"] == motion.times[worst.argmin()]


def test_every_step_belongs_to_one_frame() -> None:
    for count in (1, 2, 3, 7, 100, 101):
        for most in (2, 3, 50, 200):
            frames = thinned(count, most)
            assert len(frames.steps) == min(count, most)
            assert {frames.steps[0], frames.steps[-1]} == {0, count - 1}
            ends = [*frames.parts[1:], count]
            assert frames.parts[0] == 0
            assert all(a <= step < b for a, step, b in zip(frames.parts, frames.steps, ends, strict=True))


def test_failed_steps_are_marked_and_stand_where_the_last_one_was() -> None:
    links = {"A": (0.0, 0.0), "B": (1.0, 0.0), "C": (1.5, 1.0), "D": (2.0, 0.0)}
    joints = [
        gk.Joint(name, "R", pair, point=links[name])
        for name, pair in zip("ABCD", (("g", "a"), ("a", "b"), ("b", "c"), ("c", "g")), strict=True)
    ]
    stuck = gk.Mechanism(2, ["g", "a", "b", "c"], joints, [gk.Driver("A", gk.Ramp(rate=1.0))])
    motion = gk.solve(stuck, np.linspace(0.0, 3.0, 31), on_failure="nan")
    data = data_of(page(motion).text)
    failed = np.flatnonzero(~motion.solved)
    assert failed.size
    assert data["failed"] == data["missing"] == data["lost"] == failed.tolist()
    place, _ = poses(data, "body b")
    assert np.isfinite(place).all()
    np.testing.assert_array_equal(place[failed[0]], place[failed[0] - 1])


def test_a_motion_without_any_solved_step_is_refused() -> None:
    mechanism = gk.load(EXAMPLES / "four_bar.toml")
    motion = gk.solve(mechanism, [0.0, 0.1])
    motion.status[:] = 1
    with pytest.raises(TimesError, match="nothing to show"):
        page(motion)


def test_plots_are_in_the_units_of_the_file() -> None:
    motion = four_bar()
    data = data_of(page(motion, plot=["position P", "angle crank", "conditioning"]).text)
    point, angle, conditioning = data["plots"]
    assert (point["title"], point["unit"]) == ("position P", "mm")
    assert [series["label"] for series in point["series"]] == ["x", "y"]
    for k, series in enumerate(point["series"]):
        expected = (1e3 * motion.position("P")[:, k]).astype(np.float32)
        expected[np.abs(expected) < 1e-10] = 0.0  # roundings are shown as zero
        np.testing.assert_array_equal(numbers(series["values"]), expected)
    assert angle["unit"] == "°"
    expected = np.degrees(motion.angle("crank"))
    np.testing.assert_allclose(numbers(angle["series"][0]["values"]), expected, rtol=1e-6, atol=1e-6)
    assert conditioning["unit"] == ""


def test_by_default_driven_joints_and_free_points_are_plotted_and_traced() -> None:
    data = data_of(made().text)
    assert [plot["title"] for plot in data["plots"]] == ["A", "position P"]
    assert [point["name"] for point in data["points"] if point["traced"]] == ["P"]
    chosen = data_of(page(four_bar(), trace=["C"]).text)
    assert [point["name"] for point in chosen["points"] if point["traced"]] == ["C"]


def test_unknown_points_and_quantities() -> None:
    with pytest.raises(UnknownNameError, match="'Q'"):
        page(four_bar(), trace=["Q"])
    with pytest.raises(QuantityError):
        page(four_bar(), plot=["speed of P"])


@pytest.mark.parametrize("name", SOLVABLE)
def test_all_shapes_of_the_examples_have_an_owner_and_finite_places(name: str) -> None:
    from groupkin.look.page.content import make_scene, scene_data
    from groupkin.look.scenes.configurations import reference_configuration

    view = reference_configuration(gk.load(EXAMPLES / f"{name}.toml"))
    data = scene_data(view, make_scene(view))
    shown = {part["gid"] for part in data["parts"]}
    assert {f"body {body}" for body in view.mechanism.movable} <= shown
    assert {f"driver {joint}" for joint in view.mechanism.driven} <= shown
    for part in data["parts"]:
        assert 0 <= part["owner"] < len(data["owners"])
    json.dumps(data, allow_nan=False)


def test_the_front_door(tmp_path: Any) -> None:
    out = tmp_path / "motion.html"
    assert gk.animate(four_bar(), out) == ""
    assert out.read_text(encoding="utf-8") == made().text
    with pytest.raises(OutputError, match=r"a page ends in \.html, a film in \.gif"):
        gk.animate(four_bar(), tmp_path / "motion.avi")
    with pytest.raises(ArgumentError, match="belong to a film"):
        gk.animate(four_bar(), out, seconds=2.0)
    with pytest.raises(ArgumentError, match=r"plots are for pages \(\.html\) only"):
        gk.animate(four_bar(), tmp_path / "x.gif", plot=["joint D"])
    with pytest.raises(ArgumentError, match="positive"):
        gk.animate(four_bar(), tmp_path / "motion.gif", seconds=float("nan"))


def test_pages_need_no_matplotlib() -> None:
    import subprocess
    import sys

    code = (
        "import sys, groupkin as gk; from groupkin.look.page.page import page; import groupkin.look.animation; "
        "sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.filterwarnings("ignore::groupkin.errors.RangeWarning")
@pytest.mark.parametrize("most", [None, 11])
def test_ranges_are_in_the_page_with_values_and_states(most: int | None) -> None:
    times = np.linspace(0.0, 0.1, 41)
    stated = ranged("slider_crank", cylinder=(0.085, float(piston(times[32]))))
    solved = gk.solve(replace(stated, ranges={"distance A-C": (0.0, np.inf)}), times)
    data = data_of(page(solved, most_frames=most).text)
    cylinder, distance = data["ranges"]
    x = 1e3 * piston(numbers(data["times"], np.float64))
    assert (cylinder["name"], cylinder["unit"], distance["name"]) == ("cylinder", "mm", "distance A-C")
    np.testing.assert_allclose(cylinder["ends"], [85.0, 1e3 * piston(times[32])])
    assert distance["ends"] == [0.0, None]
    np.testing.assert_allclose(numbers(cylinder["values"]), x, rtol=1e-6)
    states = np.select([x < 85.0, np.abs(x - cylinder["ends"][1]) < 1e-9, x > cylinder["ends"][1]], [-2, 1, 2], 0)
    assert numbers(cylinder["states"], np.int8).tolist() == states.tolist()
    assert {1, -2, *([] if most else [2])} <= set(states.tolist())
    assert not numbers(distance["states"], np.int8).any()
    assert data["points"][cylinder["point"]]["name"] == "piston pin, cylinder"
    assert distance["point"] is None
    assert cylinder["left"][0] == "lower end passed at 0.0175 s, at worst 80 mm"  # of all steps
    assert any(part["gid"] == "range cylinder" for part in data["parts"])


def test_a_page_without_ranges_has_none() -> None:
    data = data_of(made().text)
    assert data["ranges"] == []
    assert not any(part["gid"].startswith("range ") for part in data["parts"])


def test_ends_in_space_are_disks_lines_and_dots() -> None:
    mechanism = about_the_reference(gk.load(EXAMPLES / "spatial_3prs.toml"))
    data = data_of(page(gk.solve(mechanism, [0.0, 0.01])).text)
    forms = {
        joint.name: [part["form"] for part in data["parts"] if part["gid"] == f"range {joint.name}"]
        for joint in mechanism.joints
    }
    assert forms["rail_1"] == ["lathe", "lathe"]
    assert forms["B1"] == ["tube", "tube", "tube", "ball"]
    assert forms["M1"] == []


@pytest.mark.parametrize("name", ["four_bar", "stewart_inverse"])
def test_bodies_have_their_colors_and_names(name: str) -> None:
    described = gk.read(EXAMPLES / f"{name}.toml")
    motion = gk.solve(described.mechanism, described.motion.times[:11])
    data = data_of(page(motion, colors="bodies", names="bodies").text)
    movable = described.mechanism.movable
    assert (data["colors"], data["named"]) == ("bodies", "bodies")
    assert [body["name"] for body in data["bodies"]] == list(movable)
    for number, body in enumerate(data["bodies"], 1):
        entry = data["owners"][body["owner"]]
        assert (entry["name"], entry["color"]) == (body["name"], number)
        tones = {part["tone"][0] for part in data["parts"] if part["gid"] == f"body {body['name']}" and "tone" in part}
        assert tones <= {number}
    bare = data_of(page(motion).text)
    assert (bare["colors"], bare["named"]) == ("groups", "traced")
    assert all(entry["color"] == entry["group"] for entry in bare["owners"])
