"""The command ``modes``, and assembly modes chosen for other commands."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.kinematics.modes import mode_listing
from groupkin.kinematics.modes.modes import Linked
from groupkin.look import mode_pictures
from groupkin.look.scenes.configurations import Configuration
from tests.support.command_line import FOUR_BAR, LINKAGE, refused, run, succeeded, written
from tests.support.paths import EXAMPLES
from tests.support.random_mechanisms import JIT

NINE_BAR = EXAMPLES / "nine_bar.toml"


# --- modes -----------------------------------------------------------------------------------


def test_modes_as_a_table() -> None:
    text = succeeded("modes", FOUR_BAR)
    title, _, header, *rows = [line.split() for line in text.splitlines()]
    assert title[-2:] == ["2", "configurations"]
    assert header[:4] == ["group", "bodies", "mode", "conditioning"]
    assert rows[0] == ["1", "crank", "1", "1", "crank", "turned", "0.0°"]
    assert rows[1][:5] == ["2", "coupler,", "rocker", "1", "0.96"]
    # Hoecken's linkage with its crank to the left: C goes to its mirror image below the frame
    assert rows[2] == [
        "2",
        "0.96",
        "coupler",
        "turned",
        "-106.3°;",
        "rocker",
        "turned",
        "106.3°,",
        "C",
        "moved",
        "200",
        "mm",
    ]


def test_modes_in_units() -> None:
    told = succeeded("modes", FOUR_BAR, "--units", "SI")
    assert "coupler turned -1.855 rad; rocker turned 1.855 rad, C moved 0.2 m" in told
    in_meters, in_file = (
        json.loads(succeeded("modes", FOUR_BAR, "--json", *chosen))["groups"][1]["modes"][1]["poses"]["rocker"]
        for chosen in ((), ("--units", "file"))
    )
    np.testing.assert_allclose(in_file["origin"], 1e3 * np.array(in_meters["origin"]), rtol=1e-15)
    assert in_file["rotation"] == in_meters["rotation"]


@pytest.mark.parametrize("instant", [None, 0.1])
def test_modes_as_data(instant: float | None) -> None:
    data = json.loads(succeeded("modes", FOUR_BAR, "--json", *(() if instant is None else ("--time", instant))))
    assert (data["time"], data["configurations"], data["complete"]) == (instant, 2, True)
    assert [(g["number"], g["bodies"], g["all_modes"]) for g in data["groups"]] == [
        (1, ["crank"], True),
        (2, ["coupler", "rocker"], True),
    ]
    assert data["combinations"] == [
        {"groups": [1], "modes": [[1]], "complete": True},
        {"groups": [2], "modes": [[1], [2]], "complete": True},
    ]
    listed = data["groups"][1]["modes"]
    assert [mode["mode"] for mode in listed] == [1, 2]
    motion = gk.solve(gk.load(FOUR_BAR), [instant or 0.0], modes={2: 2})
    pose = listed[1]["poses"]["coupler"]
    np.testing.assert_allclose(pose["origin"], motion.position("coupler")[0], atol=1e-15)
    np.testing.assert_allclose(pose["rotation"], motion.rotation("coupler")[0], atol=1e-13)


def test_combinations_that_do_not_assemble_are_told(tmp_path: Path) -> None:
    """A second dyad hangs on the rocker and is out of reach when that is below the frame."""
    text = FOUR_BAR.read_text().replace('"rocker"]', '"rocker", "link", "lever"]', 1)
    joints = [("E", "rocker", "link", [30, 90]), ("F", "link", "lever", [60, 100]), ("G", "lever", "ground", [70, 60])]
    for name, first, second, point in joints:
        text += f'\n[[joints]]\nname = "{name}"\ntype = "R"\nbodies = ["{first}", "{second}"]\npoint = {point}\n'
    path = tmp_path / "six_bar.toml"
    path.write_text(text)
    assert "note: groups 2, 3: 2 of 4 combinations can be assembled: 1-1, 1-2" in succeeded("modes", path)


@pytest.mark.skipif(not JIT, reason="a search takes thousands of iterations")
@pytest.mark.exhaustive
def test_all_positions_of_the_platform_are_listed() -> None:
    text = succeeded("modes", EXAMPLES / "stewart_forward.toml")
    assert "8 configurations found" in text
    assert "note: group 1: found by a search, there may be more modes" in text
    assert len(text.split("mode  conditioning")[1].split("note:")[0].strip().splitlines()) == 1 + 8


def test_many_modes_are_listed_by_the_body_that_tells_them_apart_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """A leg has four modes; a table of three lists them by the body with the fewest positions."""
    monkeypatch.setattr(mode_listing, "LISTED", 3)
    found = gk.assembly_modes(gk.load(EXAMPLES / "stewart_inverse.toml"))
    notes = mode_listing.notes(found)
    for group in found.structure.groups[1:]:
        shown, body = mode_listing.shown_modes(found, group)
        assert body in group.bodies
        start = (
            f"group {group.number} has 4 modes: listed is the first for each of the {len(shown)} positions of {body}"
        )
        assert any(note.startswith(start) for note in notes)


def test_a_list_that_was_cut_off_says_so() -> None:
    found = gk.assembly_modes(gk.load(NINE_BAR))
    assert mode_listing.notes(found) == []
    cut = Linked(found.linked[-1].groups, found.linked[-1].combinations[:3], complete=False)
    changed = gk.AssemblyModes(found.structure, found.geometry, None, found.modes, found.searched, (cut,))
    assert mode_listing.notes(changed) == ["groups 5, 6: more than 3 combinations; the listing stopped there"]
    assert not changed.complete


def test_a_chosen_mode_is_solved_and_checked() -> None:
    data = json.loads(succeeded("solve", FOUR_BAR, "--steps", 11, "--modes", "rocker=2", "--json"))
    assert data["solved_steps"] == 11
    assert data["max_residual"] < 1e-13
    assert "they agree" in succeeded("check", NINE_BAR, "--steps", 11, "--modes", "rocker=2", "--modes", "6=2")


@pytest.mark.parametrize("given", ["rocker", "rocker=", "=2", "rocker=two", "rocker=-1"])
def test_modes_that_cannot_be_read(given: str) -> None:
    message = f"--modes takes BODY=NUMBER or GROUP=NUMBER, as in --modes rocker=2, not {given!r}"
    assert message in refused("solve", FOUR_BAR, "--modes", given)


def test_modes_that_do_not_exist() -> None:
    assert "has 2 assembly modes, no mode 3" in refused("check", FOUR_BAR, "--modes", "rocker=3")
    assert "the time must be a finite number" in refused("modes", FOUR_BAR, "--time", "nan")


# --- pictures --------------------------------------------------------------------------------


@pytest.mark.parametrize(("suffix", "start"), [(".svg", b"<?xml"), (".png", b"\x89PNG")])
def test_modes_are_drawn(tmp_path: Path, suffix: str, start: bytes) -> None:
    path = tmp_path / f"modes{suffix}"
    result = run("modes", NINE_BAR, "--picture", path, "--time", 0.1)
    assert (result.exit_code, result.stderr) == (0, f"written: {path}, 4 of 4 configurations\n")
    assert path.read_bytes().startswith(start)


@pytest.mark.parametrize("name", ["four_bar", "spatial_four_bar"])
@pytest.mark.parametrize("time", [None, 0.05])
def test_what_is_drawn_is_where_the_bodies_are(
    name: str, time: float | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the plane and in space: each configuration is another one, and joints are closed in each."""
    views, draw_view = list[Configuration](), mode_pictures.draw_view

    def drawn(panel: Any, view: Configuration) -> Any:
        views.append(view)
        return draw_view(panel, view)

    monkeypatch.setattr(mode_pictures, "draw_view", drawn)
    program = gk.program(gk.load(EXAMPLES / f"{name}.toml"))
    listing = gk.assembly_modes(program, time)
    assert mode_pictures.draw(program, listing, tmp_path / "x.svg") == listing.count == len(views)
    assert listing.count >= 2
    size, last = program.geometry.size, program.structure.groups[-1]
    for number, view in enumerate(views, 1):
        expected = listing.of(last.number)[number - 1].poses
        for body, (at, turn) in expected.items():
            np.testing.assert_allclose(view.at(body, program.geometry.origins[body]), at, atol=1e-12 * size)
            np.testing.assert_allclose(view.poses[body][0], turn, atol=1e-12)
        for joint in program.mechanism.joints:
            if program.mechanism.form(joint).hinge:
                first, second = view.ends(joint)
                np.testing.assert_allclose(first, second, atol=1e-12 * size)


def test_names_are_drawn_as_they_are(tmp_path: Path) -> None:
    names = {"coupler": "$\\\\frac{$", "rocker": "rocker_𝕏"}
    text = LINKAGE
    for old, new in names.items():
        text = text.replace(f'"{old}"', f'"{new}"')
    run("modes", written(tmp_path, 'name = "$\\\\frac{$"\n' + text), "--picture", tmp_path / "modes.svg")
    assert "</svg>" in (tmp_path / "modes.svg").read_text()


def test_pictures_that_cannot_be_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "a picture ends in .svg, .png, .pdf" in refused("modes", FOUR_BAR, "--picture", tmp_path / "x.txt")
    assert "does not exist; create it first" in refused("modes", FOUR_BAR, "--picture", tmp_path / "no" / "x.svg")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "pip install 'groupkin[look]'" in refused("modes", FOUR_BAR, "--picture", tmp_path / "x.svg")
