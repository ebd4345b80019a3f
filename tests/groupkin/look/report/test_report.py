"""What is in a report, and what it says where something is missing."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import groupkin as gk
from groupkin.cli.main import main
from groupkin.errors import OutputError
from groupkin.look.palette import DARK_INK, DARK_PAPER, FRAME, GRAY, GROUPS, INK, LIGHTER, PAPER, dark, mixed
from groupkin.look.report import forces_section
from groupkin.look.report.motion_section import output_joints
from groupkin.look.report.report import SECTIONS
from groupkin.look.report.subject import Subject
from tests.groupkin.look.test_notebook import HOSTILE, hostile
from tests.support.browser import browser
from tests.support.joint_ranges import piston, ranged
from tests.support.paths import EXAMPLES


@cache
def four_bar() -> gk.Mechanism:
    mechanism = gk.load(EXAMPLES / "four_bar.toml")
    return replace(mechanism, outputs={"lean": "{angle coupler} + 2 deg", "arm": "{position P} - {position C}"})


def text_of(what: gk.Motion | gk.Mechanism, folder: Path) -> str:
    gk.report(what, folder / "r.html")
    return (folder / "r.html").read_text()


def words(page: str) -> str:
    """What a reader sees, without the contents of tables and the pictures being told apart."""
    body = page.split("<main>")[1]
    return " ".join(unescape(re.sub("<[^>]*>", " ", body)).split())


def headings(page: str, level: int) -> list[str]:
    found = re.findall(f"<h{level}>(.*?)</h{level}>", page)
    return [unescape(re.sub('<span class="count">.*?</span>|<[^>]*>', "", each)) for each in found]


@pytest.mark.smoke
def test_every_section_is_there(tmp_path: Path) -> None:
    motion = gk.solve(four_bar(), np.linspace(0.0, 1.0, 101))
    page = text_of(motion, tmp_path)
    assert headings(page, 2) == ["Mechanism", "Structure", "Motion", "Limits", "Routes", "Origin"]
    assert len(SECTIONS) == 7
    text = words(page)
    assert "crank A–B 50 mm" in text  # a dimension
    assert "A ramp: rate 360, start 180 180 … 540° 360°/s" in text  # the driver
    assert "101 of 101 steps solved from t = 0 s to 1 s" in text
    assert f"{np.nanmin(motion.conditioning):.3g}" in text
    lean = np.degrees(motion.read("lean"))
    assert f"output lean {lean.min():.5g} {motion.times[lean.argmin()]:.4g} s {lean.max():.5g}" in text
    assert f"groupkin {gk.__version__}" in text
    assert "circuit 1: A turns fully, without a limit." in text
    assert "Joint D over A, by branches" in text
    assert 'name = "Four-bar linkage"' in text  # the description of the mechanism
    assert len(page) < 400_000


def test_what_moves_at_the_frame_and_what_was_asked_for_is_plotted(tmp_path: Path) -> None:
    gk.report(four_bar(), tmp_path / "r.html", plot=["angle coupler", "velocity P"], against="joint A")
    page = (tmp_path / "r.html").read_text()
    assert "Chosen quantities over joint A" in words(page)
    assert "Joints at the frame that are not driven, over time" in words(page)
    joints = [joint.name for joint in output_joints(four_bar())]
    assert joints == ["D"]
    with pytest.raises(gk.GroupkinError, match="'Q'"):
        gk.report(four_bar(), tmp_path / "none.html", plot=["position Q"])
    with pytest.raises(gk.GroupkinError, match="plot against one of them"):
        gk.report(four_bar(), tmp_path / "none.html", plot=["angle rocker"], against="position P")
    assert not (tmp_path / "none.html").exists()


def test_the_command_plots_what_is_asked_for(tmp_path: Path) -> None:
    call = ["report", str(EXAMPLES / "four_bar.toml"), "--steps", "21", "--out", str(tmp_path / "r.html")]
    result = CliRunner().invoke(main, [*call, "--plot", "joint D", "--against", "joint A"])
    assert result.exit_code == 0, result.output
    assert "Chosen quantities over joint A" in words((tmp_path / "r.html").read_text())
    result = CliRunner().invoke(main, [*call, "--against", "joint A"])
    assert (result.exit_code, "--against belongs to --plot" in result.output) == (2, True)


def test_the_page_runs_nothing_and_asks_nobody(tmp_path: Path) -> None:
    page = text_of(four_bar(), tmp_path)
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src 'none'; ")
    assert "script-src" not in policy
    assert "<script" not in page
    links = set(re.findall(r'(?:href|src)="([^"]*)"', page))
    assert all(link.startswith(("#", "data:image/png")) for link in links)
    ids = re.findall(r' id="([^"]*)"', page)
    assert {link[1:] for link in links if link.startswith("#")} <= set(ids)


def test_colors_of_pictures_follow_the_system_into_the_dark(tmp_path: Path) -> None:
    page = text_of(four_bar(), tmp_path)
    used = set(re.findall(r"var\(--x([0-9a-f]{6}),#([0-9a-f]{6})\)", page))
    assert all(name == color for name, color in used)
    (rules,) = re.findall(r"@media screen and \(prefers-color-scheme: dark\) \{(.*?)\n\}\n", page, re.DOTALL)
    stated = dict(re.findall(r"--x([0-9a-f]{6}):(#[0-9A-F]{6})", rules))
    assert set(stated) == {name for name, _ in used}
    assert stated["1b2430"] == DARK_INK
    assert stated["ffffff"] == DARK_PAPER
    assert not re.findall(r'style="[^"]*(?:fill|stroke): ?#', page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_shows_texts_and_lines_on_paper_of_the_other_lightness(scheme: str, tmp_path: Path) -> None:
    text_of(four_bar(), tmp_path)
    with browser() as started:
        page = started.new_page(color_scheme=scheme, offline=True)
        page.goto((tmp_path / "r.html").as_uri())
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        shown = page.evaluate("[...document.querySelectorAll('figure svg text')].map(t => getComputedStyle(t).fill)")
    lightness = [sum(map(int, re.findall(r"\d+", color)[:3])) / 765 for color in (paper, *shown)]
    assert len(shown) > 20
    assert (lightness[0] > 0.9) is (scheme == "light")
    assert min(abs(text - lightness[0]) for text in lightness[1:]) > 0.25


def test_colors_on_dark_paper() -> None:
    assert dark(PAPER) == DARK_PAPER
    assert dark(INK) == DARK_INK
    assert dark("#000000") == DARK_INK
    for gray in (FRAME, GRAY, "#EEF0F3", mixed(INK, 0.4)):
        channels = [int(dark(gray)[k : k + 2], 16) for k in (1, 3, 5)]
        assert max(channels) - min(channels) <= 14
    for color in GROUPS:
        own, tint = dark(color), dark(mixed(color, 0.8))
        assert own == mixed(color, LIGHTER, DARK_INK)
        expected = mixed(own, 0.8, DARK_PAPER)
        channels = [[int(c[k : k + 2], 16) for k in (1, 3, 5)] for c in (tint, expected)]
        assert np.abs(np.subtract(*channels)).max() <= 8  # channels of a tint are rounded, which its share amplifies


def test_names_are_never_markup(tmp_path: Path) -> None:
    page = text_of(hostile(), tmp_path)
    assert "<script" not in page
    assert "<!--" not in page
    assert page.count("</style>") == 1
    for name in HOSTILE:
        assert " ".join(name.split()) in words(page)


def test_steps_that_fail_are_reported(tmp_path: Path) -> None:
    rod = gk.Mechanism(
        2,
        ["ground", "crank", "rod", "rocker"],
        [
            gk.Joint("A", "R", ("ground", "crank"), point=(0, 0)),
            gk.Joint("B", "R", ("crank", "rod"), point=(0, 1)),
            gk.Joint("C", "R", ("rod", "rocker"), point=(2.0, 1.2)),
            gk.Joint("D", "R", ("rocker", "ground"), point=(2.5, 0)),
        ],
        [gk.Driver("A", gk.Ramp(rate=2 * np.pi))],
    )
    motion = gk.solve(rod, np.linspace(0.0, 1.0, 101), on_failure="nan")
    assert 0 < (~motion.solved).sum() < 101  # the crank cannot turn all around
    text = words(text_of(motion, tmp_path))
    assert f"{int(motion.solved.sum())} of 101 steps solved" in text
    assert "group 2 (rod, rocker): " in text
    assert "conditioning of group 2" in text


def test_without_geometry_the_structure_is_reported(tmp_path: Path) -> None:
    page = text_of(gk.load(EXAMPLES / "micro_manipulator.toml"), tmp_path)
    assert headings(page, 2) == ["Mechanism", "Structure", "Motion", "Routes", "Origin"]
    assert "No motion: Micro-manipulator can be analyzed but not solved" in words(page)
    assert "<th>point</th>" not in page  # which no joint has


def test_without_a_law_the_structure_is_reported(tmp_path: Path) -> None:
    text = words(text_of(replace(four_bar(), drivers=[gk.Driver("A")], outputs={}), tmp_path))
    assert "No motion: the driver of joint 'A' (angle) has no motion law" in text


def test_a_motion_without_laws_or_steps_is_reported(tmp_path: Path) -> None:
    program = gk.program(four_bar())
    evaluated = program.evaluate(np.linspace(0.0, 1.0, 5)[None], path=True)
    assert "5 of 5 steps solved;" in words(text_of(evaluated, tmp_path))
    assert "The motion has no steps." in words(text_of(evaluated.at(np.array([], np.int64)), tmp_path))


def test_the_command_quotes_the_file(tmp_path: Path) -> None:
    out = tmp_path / "r.html"
    result = CliRunner().invoke(main, ["report", str(EXAMPLES / "four_bar.toml"), "--steps", "21", "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert f"written: {out}" in result.output
    first = (EXAMPLES / "four_bar.toml").read_text().splitlines()[0]
    assert first in words(out.read_text())
    assert "21 of 21 steps solved" in words(out.read_text())


def test_files_that_cannot_be_written_or_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"ends in \.html"):
        gk.report(four_bar(), tmp_path / "r.pdf")
    with pytest.raises(OutputError, match="does not exist"):
        gk.report(four_bar(), tmp_path / "none" / "r.html")
    with pytest.raises(OutputError, match="cannot be read"):
        gk.report(four_bar(), tmp_path / "r.html", file=tmp_path / "none.toml")
    assert not list(tmp_path.iterdir())


def test_a_mechanism_with_masses_has_its_forces_in_the_report(tmp_path: Path) -> None:
    press = gk.load(EXAMPLES / "eccentric_press.toml")
    gk.report(gk.solve(press, np.linspace(0.0, 0.5, 51)), tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text()
    for expected in ("Forces", "Total mass of the moving bodies: 107 kg", "Joint slide at the frame", "balancer"):
        assert expected in text
    for expected in ("What drives A, over the angle of A", "Driver A: torque over speed", "Harmonics over the motion"):
        assert expected in text
    gk.report(four_bar(), tmp_path / "r.html")
    assert "Total mass" not in (tmp_path / "r.html").read_text()


def test_forces_of_an_engine_and_of_a_cam_that_jumps() -> None:
    """Bearings in space across their axes, and when contacts would be lost."""
    engine = forces_of(gk.solve(gk.load(EXAMPLES / "three_cylinder.toml"), np.linspace(0.0, 0.02, 25)))
    assert "Joint main at the frame: tip of the force over the motion, across its axis" in engine
    assert "What contacts cannot do" not in engine
    cam = gk.load(EXAMPLES / "cam_roller.toml")
    bodies = [replace(body, mass=0.3, center="middle") if body.name == "tappet" else body for body in cam.body.values()]
    fast = [gk.Driver("camshaft", gk.Ramp(-60.0))]
    jumping = forces_of(gk.solve(replace(cam, bodies=bodies, drivers=fast), np.linspace(0.0, 0.08, 81)))
    assert "What contacts cannot do" in jumping
    assert "flank would have to pull" in jumping
    assert "Harmonics" not in jumping  # as this is no period


def forces_of(motion: gk.Motion) -> str:
    found = forces_section.section(Subject(motion.program.structure, motion, "", None, "", ""))
    assert found is not None
    return str(found.content)


def test_limits_of_several_drivers_are_found_where_asked_for(tmp_path: Path) -> None:
    """One after another, the others held; by default only of one driver."""
    mechanism = gk.load(EXAMPLES / "nine_bar.toml")
    motion = gk.solve(mechanism, [0.0])
    assert "Limits" not in headings(text_of(motion, tmp_path), 2)
    gk.report(motion, tmp_path / "r.html", limits=True)
    page = (tmp_path / "r.html").read_text()
    names = [mechanism.driver_name(joint, k) for joint, driven in mechanism.driven.items() for k in driven]
    found = [title for title in headings(page, 3) if title.startswith("Driver ")]
    assert found == [f"Driver {name}, other drivers held at t = 0 s" for name in names]


@pytest.mark.filterwarnings("ignore::groupkin.errors.RangeWarning")
def test_ranges_are_listed_with_what_is_reached_and_when_they_are_left(tmp_path: Path) -> None:
    times = np.linspace(0.0, 0.1, 41)
    stated = ranged("slider_crank", cylinder=(0.085, 0.175))
    motion = gk.solve(replace(stated, ranges={"distance A-C": (0.0, np.inf)}), times)
    gk.report(motion, tmp_path / "r.html", limits=False)
    text, x = words((tmp_path / "r.html").read_text()), piston(times)
    below, above = (times[np.flatnonzero(found)[[0, -1]]] for found in (x < 0.085, x > 0.175))
    spans = ", ".join(f"{start:.4g} s to {stop:.4g} s" for start, stop in (below, above))
    assert f"joint cylinder 85 mm 175 mm 80 mm 0.025 s 180 mm 0.075 s {spans}" in text
    assert "distance A-C 0 mm – 80 mm 0.025 s 180 mm 0.075 s never" in text
    assert "Ranges are left: joint cylinder." in text
    kept = gk.solve(ranged("slider_crank", cylinder=(0.07, 0.19)), times)
    gk.report(kept, tmp_path / "k.html", limits=False)
    assert "All ranges are kept." in words((tmp_path / "k.html").read_text())
    assert "Ranges" not in headings(text_of(gk.solve(four_bar(), [0.0, 0.1]), tmp_path), 3)


def test_pictures_have_the_colors_and_names_of_bodies(tmp_path: Path) -> None:
    out = tmp_path / "bodies.html"
    options = ["--colors", "bodies", "--names", "bodies", "--steps", "11", "--no-limits", "--out", str(out)]
    result = CliRunner().invoke(main, ["report", str(EXAMPLES / "four_bar.toml"), *options])
    assert result.exit_code == 0, result.output
    picture = out.read_text().split("Reference configuration")[0].split("<svg")[-1]
    for body in ("crank", "coupler", "rocker"):
        assert len(re.findall(rf">{body}<", picture)) == 2  # in the legend, and beside the body


def test_points_at_rest_and_roundings_are_no_values(tmp_path: Path) -> None:
    file = gk.read(EXAMPLES / "double_wishbone.toml")
    page = text_of(gk.solve(file.mechanism, np.linspace(0.0, 1.0, 11)), tmp_path)
    assert "position W.z" in page
    assert "position LR.x" not in page  # it is on the axis of a hinge at the frame
    assert not re.search(r"\de-1\d", words(page).split("Values of outputs and points")[1].split("Conditioning")[0])
