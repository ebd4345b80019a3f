"""The command line: what it prints, what it writes, and how it refuses."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from click.testing import CliRunner, Result
from numpy.typing import NDArray

import groupkin
from groupkin.cli import structure_commands, terminal
from groupkin.cli.main import main
from groupkin.errors import GroupkinError
from groupkin.kinematics import solver
from groupkin.kinematics.motion import output
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.solver_choice import NEWTON, NO_SOLVER
from groupkin.mechanism import files
from sglibrary.catalog import GROUPS
from tests.support.paths import ROOT

Array = NDArray[np.float64]

EXAMPLES = sorted(path for path in (ROOT / "examples").glob("*.toml") if ".sweep" not in path.name)
SOLVED = [path for path in EXAMPLES if path.stem != "micro_manipulator"]
FOUR_BAR = ROOT / "examples" / "four_bar.toml"
PUBLISHED = json.loads((ROOT / "tests" / "data" / "published_structures.json").read_text())
SOLVERS = {known.name for known in GROUPS} | {NEWTON, NO_SOLVER}

LINKAGE = """
dimension = 2
bodies = ["ground", "crank", "coupler", "rocker"]
[points]
A = [0, 0]
B = [1, 0]
C = [2, 1]
D = [3, 0]
[[joints]]
name = "A"
type = "R"
bodies = ["ground", "crank"]
point = "A"
[[joints]]
name = "B"
type = "R"
bodies = ["crank", "coupler"]
point = "B"
[[joints]]
name = "C"
type = "R"
bodies = ["coupler", "rocker"]
point = "C"
[[joints]]
name = "D"
type = "R"
bodies = ["rocker", "ground"]
point = "D"
[[drivers]]
joint = "A"
law = { type = "ramp", rate = 3.0 }
[motion]
duration = 1
steps = 51
"""
"""A four-bar whose crank, turned far enough, is out of the rocker's reach."""


@pytest.fixture(autouse=True)
def no_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long kernels take to compile here, nothing is said about it."""
    monkeypatch.setattr(terminal, "NOTICE_AFTER", 1e6)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main.main, [str(argument) for argument in arguments], prog_name="groupkin")


def succeeded(*arguments: object) -> str:
    """Standard output of a command that works and says nothing else."""
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def refused(*arguments: object) -> str:
    """The one message of a command that refuses, on standard error alone."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    return the_message(result.stderr)


def the_message(text: str) -> str:
    assert text.startswith("groupkin: ")
    assert text.count("groupkin: ") == 1
    assert "Traceback" not in text
    return text.removeprefix("groupkin: ").rstrip("\n")


def written(folder: Path, text: str, name: str = "linkage.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def changed(folder: Path, *changes: tuple[str, str]) -> Path:
    """The linkage with something else in it."""
    text = LINKAGE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return written(folder, text)


def adjacency(folder: Path, case: dict[str, Any]) -> Path:
    """A published mechanism as a JSON file in the published form."""
    count = max(body for joint in case["joints"] for body in joint["bodies"])
    matrix, known = [["-"] * count for _ in range(count)], [[0] * count for _ in range(count)]
    for joint in case["joints"]:
        for a, b in (joint["bodies"], joint["bodies"][::-1]):
            matrix[a - 1][b - 1], known[a - 1][b - 1] = joint["type"], joint["driven"]
    form = {"matrix": matrix, "known_inputs": known}
    data = {"name": case["name"], "dimension": case["dimension"], "adjacency": form}
    return written(folder, json.dumps(data), f"{case['name']}.json")


def published(name: str) -> dict[str, Any]:
    return next(case for case in PUBLISHED if case["name"] == name)


def tables_in(text: str) -> list[list[dict[str, str]]]:
    """The rows of every printed table, by column; cells that take several lines are joined."""
    found: list[list[dict[str, str]]] = []
    header = ""
    for line in text.splitlines():
        if line.startswith("group  "):
            header = line
            found.append([])
        elif header and re.match(r"[ \d]+\S", line):
            starts = [match.start() for match in re.finditer(r"\S+(?: \S+)*", header)]
            cells = [line[a:b].strip() for a, b in zip(starts, [*starts[1:], None], strict=True)]
            names = re.split(r"\s{2,}", header.strip())
            if cells[0]:
                found[-1].append(dict(zip(names, cells, strict=True)))
            else:
                row = found[-1][-1]
                row.update({name: f"{row[name]} {cell}".strip() for name, cell in zip(names, cells, strict=True)})
        else:
            header = ""
    return found


def table(text: str) -> list[dict[str, str]]:
    """The rows of the table of groups."""
    return tables_in(text)[0]


@cache
def moved() -> Motion:
    """The motion of the example that is written to files here."""
    described = files.read(FOUR_BAR)
    return solver.solve(described.mechanism, replace(described.motion, duration=0.5, steps=7).times)


# --- analyze ---------------------------------------------------------------------------------


def test_analyze_prints_the_published_table(tmp_path: Path) -> None:
    text = succeeded("analyze", adjacency(tmp_path, published("spatial_four_bar")))
    assert text.startswith(
        "spatial_four_bar: 3 movable bodies, 4 joints in space, mobility 1, 1 driven, 2 structural groups\n"
    )
    (crank, chain), joints = tables_in(text)
    assert list(crank) == list(chain) == ["group", "bodies", "type", "after", "level", "solver"]
    assert list(crank.values()) == ["1", "2", "1R3D", "–", "1", "driven R"]
    assert chain.pop("solver") in SOLVERS - {NO_SOLVER}
    assert list(chain.values()) == ["2", "3, 4", "1P1C1S3D", "1", "2"]
    # Fig. 11 of Celdran et al. (2022) for bodies 3 and 4: "3&2S.4&1P."
    assert joints == [
        {"group": "1", "external joints": "1-2(R*)", "internal joints": "–", "given on": "2-3(S)"},
        {"group": "2", "external joints": "1-4(P), 2-3(S)", "internal joints": "3-4(C)", "given on": "–"},
    ]
    assert text.endswith(
        "joints as name(type), * driven: with bodies solved before, within the group, with later groups\n"
    )


def test_analyze_prints_names_where_bodies_have_names() -> None:
    rows, joints = tables_in(succeeded("analyze", ROOT / "examples" / "rotor_control.toml"))
    assert [row["type"] for row in rows] == [group["type"] for group in published("rotor_control")["groups"]]
    assert rows[0]["bodies"] == "rocker, support_link, sleeve"
    assert joints[0]["external joints"] == "mast(P), L1(U)"
    assert joints[0]["internal joints"] == "rocker(R*), L2(S)"
    assert joints[6]["given on"] == "–"
    assert {row["solver"] for row in rows} <= SOLVERS


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_analyze_prints_and_returns_the_same(path: Path) -> None:
    text, data = succeeded("analyze", path), json.loads(succeeded("analyze", path, "--json"))
    assert f"mobility {data['mobility']}, {data['driven']} driven, {len(data['groups'])} structural group" in text
    assert max(len(line) for line in text.splitlines()[1:] if not line.startswith("note: ")) <= 100
    rows, joints = tables_in(text)
    for row, own, group in zip(rows, joints, data["groups"], strict=True):
        assert (row["group"], row["type"]) == (str(group["number"]), group["label"])
        assert (row["bodies"], row["solver"]) == (", ".join(group["bodies"]), group["solver"])
        assert (row["level"], row["after"]) == (str(group["level"]), ", ".join(map(str, group["depends_on"])) or "–")
        for column, key in (("external joints", "external"), ("internal joints", "internal"), ("given on", "given")):
            # name(type), where that of a pair of a multi-joint is itself pin(body, other)
            listed = re.findall(r"([^\s,(][^,(]*(?:\([^()]*, [^()]*\))?)\([A-Z]+[*0-9]*\)", own[column])
            assert listed == group[key]
        for note in group["notes"]:
            assert f"note: group {group['number']} ({row['bodies']}) {note}" in text


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case["name"])
def test_analyze_returns_the_published_structures(tmp_path: Path, case: dict[str, Any]) -> None:
    data = json.loads(succeeded("analyze", adjacency(tmp_path, case), "--json"))
    assert set(data) == {"mobility", "driven", "dimension", "groups", "redundancies"}
    assert data["mobility"] == data["driven"] == sum(joint["driven"] for joint in case["joints"])
    assert data["dimension"] == case["dimension"]
    found = [
        {"bodies": [int(body) for body in group["bodies"]], "type": group["label"], "depends_on": group["depends_on"]}
        for group in data["groups"]
    ]
    assert found == case["groups"]
    keys = {"number", "bodies", "label", "signature", "level", "depends_on", "external", "internal", "solver"}
    for number, group in enumerate(data["groups"], 1):
        assert set(group) == keys | {"given", "determined", "notes"}
        assert group["number"] == number
        assert group["solver"] in SOLVERS
        assert (group["solver"] == NO_SOLVER) == bool(group["notes"])


def test_analyze_adds_the_matrix(tmp_path: Path) -> None:
    expected = [[0, 1, 2, 2], [1, 0, 0, 0], [0, 2, 0, 0], [1, 0, 0, 0]]  # Eq. (11) of Celdran et al. (2022)
    path = adjacency(tmp_path, published("spatial_four_bar"))
    assert json.loads(succeeded("analyze", path, "--matrix", "--json"))["matrix"] == expected
    bare, text = succeeded("analyze", path), succeeded("analyze", path, "--matrix")
    assert text.startswith(bare)
    title, header, *rows = text.removeprefix(bare).strip().splitlines()
    assert title.startswith("Results_SA")
    assert header.split() == list("1234")
    assert [[int(cell) for cell in row.split()[1:]] for row in rows] == expected


def test_names_are_printed_as_they_are(tmp_path: Path) -> None:
    names = "rod:x:1", "[bold]link[/bold]", "Hebel č"
    old = "crank", "coupler", "rocker"
    path = changed(tmp_path, *((f'"{a}"', f'"{b}"') for a, b in zip(old, names, strict=True)))
    rows = table(succeeded("analyze", path))
    assert [row["bodies"] for row in rows] == [names[0], ", ".join(names[1:])]


DRIVER = '[[drivers]]\njoint = "A"'

REFUSALS = {
    "unknown joint type": ([('type = "R"\nbodies = ["crank"', 'type = "Q"\nbodies = ["crank"')], ["'B'", "'Q'", "R ("]),
    "joint of space": ([('type = "R"\nbodies = ["crank"', 'type = "S"\nbodies = ["crank"')], ["'B'", "S (spherical)"]),
    "body that is absent": ([('["coupler", "rocker"]\npoint', '["coupler", "roker"]\npoint')], ["'C'", "did you mean"]),
    "point that is absent": ([('point = "C"', 'point = "E"')], ["'C'", "'E'"]),
    "two positions": (
        [('"coupler", "rocker"]\n[points]', '{ name = "coupler", points = { A = [1, 1] } }, "rocker"]\n[points]')],
        ["'A'", "two positions"],
    ),
    "axis of no length": (
        [('type = "R"\nbodies = ["rocker"', 'type = "P"\naxis = [0, 0]\nbodies = ["rocker"')],
        ["'D'"],
    ),
    "no driver": (
        [(LINKAGE[LINKAGE.index(DRIVER) : LINKAGE.index("[motion]")], "")],
        ["under-driven", "crank", "A, B"],
    ),
    "a driver too many": ([(DRIVER, '[[drivers]]\njoint = "D"\n' + DRIVER)], ["over-driven by 1", "one of: A, D"]),
    "two drivers on one freedom": ([(DRIVER, '[[drivers]]\njoint = "A"\n' + DRIVER)], ["'A'", "two drivers"]),
    "freedom that does not exist": ([(DRIVER, DRIVER + '\nfreedom = "x"')], ["'A'", "'x'", "angle"]),
    "driver of no joint": ([(DRIVER, '[[drivers]]\njoint = "Z"')], ["'Z'"]),
    "unknown key": ([('point = "C"', 'pont = "C"')], ["joints[2]", "'pont'", "did you mean point"]),
    "no numbers": ([("C = [2, 1]", 'C = [2, "one"]')], ["points.C"]),
    "no TOML": ([("C = [2, 1]", "C = [2, 1")], ["no valid TOML", "line"]),
}


@pytest.mark.parametrize("command", ["analyze", "solve", "check"])
@pytest.mark.parametrize("name", REFUSALS)
def test_wrong_files_are_refused(tmp_path: Path, command: str, name: str) -> None:
    changes, words = REFUSALS[name]
    message = refused(command, changed(tmp_path, *changes))
    for word in words:
        assert word in message


@pytest.mark.parametrize("command", ["analyze", "solve", "check"])
def test_files_that_cannot_be_read_are_refused(tmp_path: Path, command: str) -> None:
    assert "nowhere.toml: there is no such file" in refused(command, tmp_path / "nowhere.toml")
    assert "ends in .toml or .json, not '.txt'" in refused(command, tmp_path / "mechanism.txt")
    (tmp_path / "folder.toml").mkdir()
    assert "folder.toml: cannot be read" in refused(command, tmp_path / "folder.toml")


@pytest.mark.parametrize("command", ["solve", "check"])
def test_what_can_only_be_analyzed_is_not_solved(tmp_path: Path, command: str) -> None:
    path = adjacency(tmp_path, published("spatial_four_bar"))
    message = refused(command, path)
    assert message.startswith(
        "spatial_four_bar.json: spatial_four_bar can be analyzed but not solved, for joints lack "
    )
    assert "no `point` and `axis` at 1-2, 1-4, 3-4; no `point` at 2-3. Give it" in message


@pytest.mark.parametrize("command", ["solve", "check"])
def test_a_driver_needs_a_law(tmp_path: Path, command: str) -> None:
    path = changed(tmp_path, ('law = { type = "ramp", rate = 3.0 }', ""))
    assert "the driver of joint 'A' (angle) has no motion law" in refused(command, path)


@pytest.mark.parametrize("command", ["solve", "check"])
def test_a_group_determined_by_count_only_is_noted_and_not_solved(tmp_path: Path, command: str) -> None:
    # the coupler and the rocker on one line: a dead center
    path = changed(tmp_path, ("C = [2, 1]", "C = [2, 0]"))
    text = succeeded("analyze", path)
    note = "group 2 (coupler, rocker) has 2 equations for 2 unknowns but rank 1 in the reference configuration"
    assert f"note: {note}" in text
    assert [row["solver"] for row in table(text)] == ["driven R", NO_SOLVER]
    assert refused(command, path).startswith(note.replace("rocker)", "rocker; 3R2D)"))


# --- solve -----------------------------------------------------------------------------------


def test_solve_prints_groups_cost_and_residual() -> None:
    text = succeeded("solve", FOUR_BAR)
    assert table(text) == [
        {"group": "1", "bodies": "crank", "type": "1R2D", "after": "–", "level": "1", "solver": "driven R"},
        {"group": "2", "bodies": "coupler, rocker", "type": "3R2D", "after": "1", "level": "2", "solver": "RRR"},
    ]
    cost = re.search(r"361 of 361 steps solved in (\S+) s: (\S+) µs per step", text)
    assert cost
    assert float(cost[2]) == pytest.approx(1e6 * float(cost[1]) / 361, rel=0.01)  # both to three digits
    residual = re.search(r"largest residual (\S+); smallest conditioning (\S+) \(1 at best\), of group 2 at t = ", text)
    assert residual
    assert 0 <= float(residual[1]) < 1e-13
    assert 0.3 < float(residual[2]) < 0.5


@pytest.mark.parametrize("path", SOLVED, ids=lambda path: path.stem)
def test_solve_returns_cost_and_residual(path: Path) -> None:
    found = json.loads(succeeded("solve", path, "--json"))
    assert set(found) == {"steps", "solved_steps", "seconds", "microseconds_per_step", "max_residual", "failures"}
    assert found["failures"] == []
    assert found["steps"] == found["solved_steps"] == files.read(path).motion.steps
    assert found["microseconds_per_step"] == pytest.approx(1e6 * found["seconds"] / found["steps"])
    assert 0 < found["seconds"] < 60
    assert 0 <= found["max_residual"] < 1e-11  # Newton ends at 1e-12 of the mechanism's size or less


def test_solve_names_the_solvers_that_it_uses() -> None:
    path = ROOT / "examples" / "rotor_control.toml"
    used = [row["solver"] for row in table(succeeded("solve", path))]
    assert used == [row["solver"] for row in table(succeeded("analyze", path))]


def columns(path: Path) -> dict[str, Array]:
    names = path.read_text().splitlines()[0].split(",")
    return dict(zip(names, np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2).T, strict=True))


@pytest.mark.parametrize(
    ("arguments", "times"),
    [
        ([], np.linspace(0, 1, 51)),
        (["--duration", 0.5], np.linspace(0, 0.5, 51)),
        (["--steps", 7], np.linspace(0, 1, 7)),
        (["--duration", 0.1, "--steps", 3], [0, 0.05, 0.1]),
        (["--steps", 1], [0]),
    ],
)
def test_duration_and_steps(tmp_path: Path, arguments: list[object], times: Any) -> None:
    path = changed(tmp_path, ("rate = 3.0", "rate = 1.0"))
    result = run("solve", path, "--out", tmp_path / "motion.csv", *arguments)
    assert result.exit_code == 0
    np.testing.assert_allclose(columns(tmp_path / "motion.csv")["time [s]"], times, rtol=0, atol=1e-15)


@pytest.mark.parametrize("suffix", [".nc", ".zarr", ".csv", ".npz"])
def test_the_motion_is_written(tmp_path: Path, suffix: str) -> None:
    path, expected = tmp_path / f"motion{suffix}", moved()
    result = run("solve", FOUR_BAR, "--duration", 0.5, "--steps", 7, "--out", path, "--json")
    assert (result.exit_code, result.stderr) == (0, f"written: {path}\n")
    assert json.loads(result.stdout)["solved_steps"] == 7
    if suffix in (".csv", ".npz"):
        if suffix == ".csv":
            names, values = path.read_text().splitlines()[0].split(","), np.loadtxt(path, delimiter=",", skiprows=1)
        else:
            with np.load(path) as found:
                names, values = found["names"].tolist(), found["values"]
        assert (names, values.shape) == (output.table(expected)[0], (7, len(names)))
        np.testing.assert_array_equal(values[:, names.index("time [s]")], expected.times)
        np.testing.assert_array_equal(
            values[:, names.index("rocker.ay [m/s^2]")], expected.acceleration("rocker")[:, 1]
        )
        np.testing.assert_array_equal(values[:, names.index("coupler.angle [rad]")], expected.angle("coupler"))
        return
    with xr.open_zarr(path, consolidated=False) if suffix == ".zarr" else xr.open_dataset(path) as data:
        np.testing.assert_array_equal(data.time, expected.times)
        for name, unit in (("position", "m"), ("velocity", "m/s"), ("acceleration", "m/s^2")):
            assert data[name].units == unit
            np.testing.assert_array_equal(data[name].sel(body="rocker"), getattr(expected, name)("rocker"))
            np.testing.assert_array_equal(data[f"point_{name}"].sel(point="P"), getattr(expected, name)("P"))
        np.testing.assert_array_equal(data.joint_coordinate.sel(coordinate="C.angle"), expected.joint("C")[0])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("motion.txt", "unknown format .txt; use .nc, .zarr, .csv or .npz"),
        ("nowhere/motion.nc", "the folder {folder}/nowhere does not exist; create it first"),
        ("taken.csv", "taken.csv exists and is no file; choose another name"),
    ],
)
def test_impossible_targets_are_refused_before_anything_is_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str
) -> None:
    monkeypatch.setattr(solver, "program", lambda *_, **__: pytest.fail("it was prepared"))
    (tmp_path / "taken.csv").mkdir()
    assert message.format(folder=tmp_path) in refused("solve", FOUR_BAR, "--out", tmp_path / name)


def test_folders_that_cannot_be_written_are_refused_before_anything_is_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(**_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(solver, "program", lambda *_, **__: pytest.fail("it was prepared"))
    monkeypatch.setattr(output.tempfile, "TemporaryFile", read_only)
    message = refused("solve", FOUR_BAR, "--out", tmp_path / "motion.nc")
    assert "motion.nc cannot be written: Read-only file system; choose another place" in message


def test_a_full_disk_is_reported_and_leaves_the_older_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: Motion, path: Path) -> None:
        path.write_text("half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = written(tmp_path, "older", "motion.csv")
    monkeypatch.setattr(output, "_csv", full)
    result = run("solve", FOUR_BAR, "--out", path)
    assert result.exit_code == 2
    assert the_message(result.stderr) == f"{path} cannot be written: No space left on device; choose another place"
    assert "361 of 361 steps solved" in result.stdout
    assert path.read_text() == "older"
    assert [found.name for found in tmp_path.iterdir()] == ["motion.csv"]


def test_samples_that_end_too_early_name_driver_file_time_and_range(tmp_path: Path) -> None:
    written(tmp_path, "t,s\n0,0\n0.2,0.1\n0.4,0\n0.6,0.1\n", "lift.csv")
    path = changed(tmp_path, ('type = "ramp", rate = 3.0', 'type = "spline", csv = "lift.csv"'))
    result = run("solve", path, "--steps", 11)
    assert result.exit_code == 2
    assert the_message(result.stderr) == (
        "linkage.toml: driver of joint 'A' (angle), spline of lift.csv: samples cover 0 s to 0.6 s, but the motion is "
        "asked for at t = 1 s; shorten the motion or add samples"
    )


# --- motions that fail -----------------------------------------------------------------------


def test_a_motion_out_of_reach_is_written_as_far_as_it_goes(tmp_path: Path) -> None:
    path = written(tmp_path, LINKAGE)
    result = run("solve", path, "--out", tmp_path / "motion.csv")
    assert result.exit_code == 2
    first, _, message = result.stderr.partition("\n")
    assert first == f"written: {tmp_path / 'motion.csv'}"
    found = re.match(r"group 2 \(coupler, rocker; 3R2D\) at t = (\S+) s cannot be assembled", the_message(message))
    assert found
    data = columns(tmp_path / "motion.csv")
    solved = int((data["time [s]"] < float(found[1]) - 1e-9).sum())
    assert 0 < solved < 51
    assert f"{solved} of 51 steps solved" in result.stdout
    np.testing.assert_array_equal(data["group 2.status [code]"], [0.0] * solved + [1.0] + [4.0] * (50 - solved))
    for name, values in data.items():
        if name != "time [s]" and not name.endswith("[code]"):
            assert np.isfinite(values[:solved]).all()
            assert np.isnan(values[solved:]).all()


def test_a_motion_out_of_reach_as_data(tmp_path: Path) -> None:
    result = run("solve", written(tmp_path, LINKAGE), "--json")
    assert result.exit_code == 2
    assert "cannot be assembled" in the_message(result.stderr)
    found = json.loads(result.stdout)
    assert 0 < found["solved_steps"] < found["steps"] == 51
    assert found["max_residual"] < 1e-13


def test_a_motion_may_go_on_with_nan(tmp_path: Path) -> None:
    path = written(tmp_path, LINKAGE)
    found = json.loads(succeeded("solve", path, "--on-failure", "nan", "--json"))
    assert 0 < found["solved_steps"] < found["steps"] == 51
    result = run("solve", path, "--on-failure", "nan", "--out", tmp_path / "motion.nc")
    assert result.exit_code == 0
    assert f"{found['solved_steps']} of 51 steps solved" in result.stdout
    with xr.open_dataset(tmp_path / "motion.nc") as data:
        solved = (data.status == 0).all("group")
        assert int(solved.sum()) == found["solved_steps"]
        assert np.isnan(data.position.sel(body="rocker")[~solved]).all()
        assert np.isfinite(data.position.sel(body="crank")).all()  # the first group is solved throughout


def test_what_failed_is_listed(tmp_path: Path) -> None:
    """The crank goes out of the rocker's reach twice, and at the same times for any program that solves it."""
    law = 'type = "harmonic", amplitude = 2.5, frequency = 1.0'
    path = changed(tmp_path, ('type = "ramp", rate = 3.0', law))
    out = tmp_path / "motion.csv"
    result = run("solve", path, "--on-failure", "nan", "--json", "--out", out)
    found = json.loads(result.stdout)
    data = columns(out)
    # the span from B to D is at most the sum of the two bars, and at least their difference
    crank = 2.5 * np.sin(2 * np.pi * data["time [s]"])
    span = np.hypot(3 - np.cos(crank), np.sin(crank))
    lost = (span > 2 * np.sqrt(2)) | (span < 0)
    np.testing.assert_array_equal(data["group 2.status [code]"], lost.astype(float))
    np.testing.assert_array_equal(data["group 1.status [code]"], 0.0)
    ends = np.flatnonzero(np.diff(lost.astype(int), prepend=0, append=0)).reshape(-1, 2)
    assert len(ends) == 2
    assert found["failures"] == [
        {
            "group": 2,
            "reason": "cannot assemble",
            "start": pytest.approx(data["time [s]"][first]),
            "stop": pytest.approx(data["time [s]"][end - 1]),
            "steps": end - first,
        }
        for first, end in ends
    ]
    text = run("solve", path, "--on-failure", "nan").stdout
    lines = [line for line in text.splitlines() if line.startswith("failed: ")]
    assert len(lines) == 2
    first = found["failures"][0]
    assert lines[0] == (
        f"failed: group 2 (coupler, rocker): cannot assemble from t = {first['start']:.6g} s to {first['stop']:.6g} s "
        f"({first['steps']} steps)"
    )


def test_of_many_failures_the_first_are_listed(tmp_path: Path) -> None:
    law = 'type = "harmonic", amplitude = 2.5, frequency = 10.0'
    path = changed(tmp_path, ('type = "ramp", rate = 3.0', law))
    text = succeeded("solve", path, "--on-failure", "nan", "--steps", 2001)
    lines = [line for line in text.splitlines() if line.startswith("failed: ")]
    assert len(lines) == 11
    assert lines[-1] == "failed: and 10 more intervals; --json lists all"


def test_a_failure_that_stops_the_motion_is_listed(tmp_path: Path) -> None:
    result = run("solve", written(tmp_path, LINKAGE), "--json")
    (failure,) = json.loads(result.stdout)["failures"]
    assert failure["steps"] == 1
    assert f"at t = {failure['start']:.6g} s cannot be assembled" in result.stderr
    assert f"cannot assemble at t = {failure['start']:.6g} s (1 step)" in run("solve", tmp_path / "linkage.toml").stdout


def test_a_motion_that_never_starts_has_no_residual(tmp_path: Path) -> None:
    path = changed(tmp_path, ("rate = 3.0", "start = 3.0, rate = 0.0"))
    result = run("solve", path, "--json")
    assert result.exit_code == 2
    assert "no step was solved" in the_message(result.stderr)
    found = json.loads(result.stdout)
    assert (found["solved_steps"], found["max_residual"]) == (0, None)
    assert "smallest conditioning unknown" in run("solve", path, "--on-failure", "nan").stdout


def test_an_open_mechanism_is_closed_on_request(tmp_path: Path) -> None:
    body = '{ name = "coupler", lengths = [{ between = ["B", "C"], value = 1.5 }] }'
    path = changed(tmp_path, ('"coupler", "rocker"]\n[points]', f'{body}, "rocker"]\n[points]'), ("3.0", "0.1"))
    message = refused("solve", path)
    assert message.startswith("linkage.toml: linkage: the reference configuration is not assembled")
    # the length is met by moving both ends of the coupler alike
    assert re.search(r"joints are open: B by 0\.0429 m, C by 0\.0429 m\. .*--assemble", message)
    assert refused("check", path) == message
    result = run("solve", path, "--assemble", "--json", "--out", tmp_path / "motion.csv")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["max_residual"] < 1e-10
    data = columns(tmp_path / "motion.csv")
    span = [data[f"C.{axis} [m]"] - data[f"B.{axis} [m]"] for axis in "xy"]
    np.testing.assert_allclose(np.hypot(*span), 1.5, rtol=1e-9)  # the tolerance of closed joints is 1e-8
    assert "they agree" in succeeded("check", path, "--assemble", "--steps", 5)


def test_warnings_are_messages(tmp_path: Path) -> None:
    result = run("solve", FOUR_BAR, "--steps", 2, "--duration", 0.9, "--out", tmp_path / "motion.csv")
    first, *_, last = result.stderr.splitlines()
    assert first.startswith("groupkin: warning: the angular velocity of body 'coupler' changes so much")
    assert last == f"written: {tmp_path / 'motion.csv'}"


# --- settings that cannot be used ------------------------------------------------------------


@pytest.mark.parametrize("command", ["solve", "check"])
@pytest.mark.parametrize("value", ["inf", "nan", "-inf", "-1", "0"])
def test_durations_must_be_positive(command: str, value: str) -> None:
    message = refused(command, FOUR_BAR, "--duration", value)
    assert message == f"--duration must be a positive number of seconds, not {value}"


@pytest.mark.parametrize("command", ["solve", "check"])
@pytest.mark.parametrize("value", [0, -3])
def test_one_step_is_the_least(command: str, value: int) -> None:
    message = refused(command, FOUR_BAR, "--steps", value)
    assert message == f"--steps must be at least 1, which is the first time alone, not {value}"


@pytest.mark.parametrize("command", ["solve", "check"])
@pytest.mark.parametrize(("steps", "words"), [(10**15, "not enough memory"), (10**30, "steps are too many")])
def test_more_steps_than_fit_are_refused(command: str, steps: int, words: str) -> None:
    assert words in refused(command, FOUR_BAR, "--steps", steps)


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", FOUR_BAR, "--steps", "many"],
        ["solve", FOUR_BAR, "--duration", "long"],
        ["solve", FOUR_BAR, "--on-failure", "ignore"],
        ["solve"],
        ["analyze"],
        ["sing", FOUR_BAR],
        ["--sing"],
    ],
)
def test_wrong_usage(arguments: list[str]) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Usage: ")


def test_errors_of_the_program_itself_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a mistake in the program")

    monkeypatch.setattr(structure_commands, "read_file", broken)
    result = run("analyze", FOUR_BAR)
    assert isinstance(result.exception, RuntimeError)
    assert result.exit_code == 1


# --- check -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [path for path in SOLVED if path.stem != "cam_roller"], ids=lambda path: path.stem)
def test_examples_agree_with_the_global_formulation(path: Path) -> None:
    found = json.loads(succeeded("check", path, "--json"))
    assert set(found) == {"position", "velocity", "acceleration"}
    assert 0 <= found["position"] < 1e-9
    assert 0 <= found["velocity"] < 1e-7
    assert 0 <= found["acceleration"] < 1e-7


def test_check_prints_what_it_found() -> None:
    text = succeeded("check", FOUR_BAR, "--steps", 11)
    assert text.startswith("Four-bar linkage: groups against the global formulation at 11 steps\n")
    numbers = re.findall(r"^  (position|velocity|acceleration) +(\S+)$", text, re.MULTILINE)
    assert [name for name, _ in numbers] == ["position", "velocity", "acceleration"]
    assert max(float(number) for _, number in numbers) < 1e-9
    assert text.endswith("  they agree\n")


@pytest.mark.parametrize("json_too", [[], ["--json"]])
def test_a_wrong_motion_fails_the_check(monkeypatch: pytest.MonkeyPatch, json_too: list[str]) -> None:
    right = solver.solve

    def wrong(*arguments: Any, **settings: Any) -> Motion:
        motion = right(*arguments, **settings)
        motion.v[-1] += 1e-5
        return motion

    monkeypatch.setattr(solver, "solve", wrong)
    result = run("check", FOUR_BAR, "--steps", 11, *json_too)
    assert (result.exit_code, result.stderr) == (1, "")
    if json_too:
        found = json.loads(result.stdout)
        assert found["position"] < 1e-9
        assert found["velocity"] > 1e-7
    else:
        assert "they DIFFER" in result.stdout


def test_a_motion_out_of_reach_is_not_checked(tmp_path: Path) -> None:
    assert "cannot be assembled" in refused("check", written(tmp_path, LINKAGE))


# --- schema, version, help -------------------------------------------------------------------


KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "number": (int, float), "integer": int}
RULES: dict[str, Any] = {
    "$ref": lambda rule, value, _, root: accepts(root["$defs"][rule.removeprefix("#/$defs/")], value, root),
    "anyOf": lambda rule, value, _, root: any(accepts(option, value, root) for option in rule),
    "allOf": lambda rule, value, _, root: all(accepts(part, value, root) for part in rule),
    "oneOf": lambda rule, value, _, root: sum(accepts(option, value, root) for option in rule) == 1,
    "type": lambda rule, value, *_: (value is None) if rule == "null" else isinstance(value, KINDS[rule]),
    "const": lambda rule, value, *_: value == rule,
    "enum": lambda rule, value, *_: value in rule,
    "required": lambda rule, value, *_: set(rule) <= set(value),
    "properties": lambda rule, value, _, root: all(
        accepts(rule[key], value[key], root) for key in set(rule) & set(value)
    ),
    "additionalProperties": lambda rule, value, schema, root: all(
        rule and accepts(rule, value[key], root) for key in set(value) - set(schema.get("properties", {}))
    ),
    "propertyNames": lambda rule, value, _, root: all(accepts(rule, key, root) for key in value),
    "items": lambda rule, value, _, root: all(accepts(rule, item, root) for item in value),
    "minItems": lambda rule, value, *_: len(value) >= rule,
    "maxItems": lambda rule, value, *_: len(value) <= rule,
    "minLength": lambda rule, value, *_: len(value) >= rule,
    "minimum": lambda rule, value, *_: value >= rule,
    "exclusiveMinimum": lambda rule, value, *_: value > rule,
    **dict.fromkeys(("$schema", "$defs", "title", "description", "default", "discriminator"), lambda *_: True),
}
"""As much of JSON Schema as the schemas of mechanism and sweep files use; another keyword is a `KeyError`."""


def accepts(schema: dict[str, Any], value: Any, root: dict[str, Any]) -> bool:
    """Whether a JSON Schema, a part of `root`, accepts a value."""
    # the type first: the other rules hold for values of that type
    keywords = sorted(schema, key=lambda keyword: keyword != "type")
    return all(RULES[keyword](schema[keyword], value, schema, root) for keyword in keywords)


@cache
def printed_schema(*kind: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(succeeded("schema", *kind))
    return found


def test_the_schema_is_one_for_editors() -> None:
    schema = printed_schema()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert (schema["title"], schema["type"]) == ("groupkin mechanism", "object")
    assert {"dimension", "bodies", "joints", "drivers", "units", "motion", "adjacency"} <= set(schema["properties"])
    for name, part in schema["properties"].items():
        assert part.get("description"), name  # shown while one types


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_schema_accepts_the_examples(path: Path) -> None:
    assert accepts(printed_schema(), tomllib.loads(path.read_text()), printed_schema())


@pytest.mark.parametrize(
    "changes",
    [
        [("dimension = 2", "dimension = 4")],
        [("dimension = 2", "")],
        [('point = "C"', 'pont = "C"')],
        [("C = [2, 1]", 'C = [2, "one"]')],
        [("C = [2, 1]", "C = [2]")],
        [('["coupler", "rocker"]\npoint', '["coupler"]\npoint')],
        [('type = "ramp"', 'type = "rampp"')],
        [("steps = 51", "steps = 0")],
        [("steps = 51", "steps = 5.5")],
        [("duration = 1", "duration = 0")],
        [("[motion]", '[units]\nlength = "mile"\n[motion]')],
    ],
)
def test_the_schema_refuses_what_is_refused(tmp_path: Path, changes: list[tuple[str, str]]) -> None:
    assert accepts(printed_schema(), tomllib.loads(LINKAGE), printed_schema())
    path = changed(tmp_path, *changes)
    assert not accepts(printed_schema(), tomllib.loads(path.read_text()), printed_schema())
    refused("analyze", path)


def test_there_is_a_schema_of_either_kind_of_file() -> None:
    assert printed_schema("mechanism") == printed_schema()
    assert printed_schema("sweep")["title"] == "groupkin sweep"
    refused = CliRunner().invoke(main.main, ["schema", "sweeps"])
    assert refused.exit_code == 2
    assert "'mechanism', 'sweep'" in refused.output


SWEEPS = sorted((ROOT / "examples").glob("*.sweep.toml"))
TOLERANCE = ROOT / "examples" / "four_bar_tolerance.sweep.toml"


@pytest.mark.parametrize("path", SWEEPS, ids=lambda path: path.stem)
def test_the_schema_of_sweeps_accepts_the_examples(path: Path) -> None:
    schema = printed_schema("sweep")
    assert accepts(schema, tomllib.loads(path.read_text()), schema)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("samples = 10000", "sampels = 10000"),
        ("samples = 10000", "samples = 0"),
        ("samples = 10000", 'method = "sobel"'),
        ('mechanism = "four_bar.toml"', ""),
        ('length = ["A", "B"]', 'length = ["A"]'),
        ('length = ["A", "B"]', ""),
        ('length = ["A", "B"]', 'length = ["A", "B"]\npoint = "A"'),
        ("normal = {", "grid = [1, 2]\nnormal = {"),
        ("deviation = 0.05,", ""),
        ('range = { position = "P", component = "x" }', 'range = { component = "x" }'),
        ('path_length = "P"', 'path_length = "P"\nconditioning = true'),
    ],
)
def test_the_schema_of_sweeps_refuses_what_is_refused(tmp_path: Path, old: str, new: str) -> None:
    from cluster import read_sweep

    text = TOLERANCE.read_text()
    assert old in text
    path = written(tmp_path, text.replace(old, new, 1), "a.sweep.toml")
    shutil.copy(FOUR_BAR, tmp_path)
    schema = printed_schema("sweep")
    assert not accepts(schema, tomllib.loads(path.read_text()), schema)
    with pytest.raises(GroupkinError):
        read_sweep(path)


def test_version() -> None:
    assert succeeded("--version") == f"groupkin, version {version('groupkin')}\n"
    assert version("groupkin") == groupkin.__version__


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help(flag: str) -> None:
    text = succeeded(flag)
    for command in ("analyze", "solve", "check", "schema"):
        assert re.search(rf"^  {command} +\w", text, re.MULTILINE)
        assert succeeded(command, flag).startswith(f"Usage: groupkin {command}")
    assert all(option in succeeded("solve", flag) for option in ("--out", "--duration", "--steps", "--assemble"))


# --- as a process ----------------------------------------------------------------------------

SCRIPT = Path(sys.executable).parent / "groupkin"


def process(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the installed program; left out is that it compiles, which on a busy machine it may say of warm kernels."""
    command = [str(SCRIPT), *map(str, arguments)]
    result = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", env=os.environ | environment, check=False
    )
    lines = result.stderr.splitlines(keepends=True)
    result.stderr = "".join(line for line in lines if not line.startswith("groupkin: compiling"))
    return result


def test_the_module_is_a_program() -> None:
    command = [sys.executable, "-m", "groupkin.cli.main", "--version"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.startswith("groupkin, version")


def test_a_refusal_as_a_process(tmp_path: Path) -> None:
    result = process("solve", changed(tmp_path, ("C = [2, 1]", "C = [2, 0]")))
    assert (result.returncode, result.stdout) == (2, "")
    assert the_message(result.stderr).startswith("group 2 (coupler, rocker; 3R2D)")


def test_in_a_pipe_there_is_no_progress_bar_and_no_line_is_broken(tmp_path: Path) -> None:
    path = ROOT / "examples" / "stewart_inverse.toml"
    succeeded("solve", path)  # its kernels are compiled from here on
    result = process("solve", path, "--out", tmp_path / "motion.npz", COLUMNS="40")
    assert (result.returncode, result.stderr) == (0, f"written: {tmp_path / 'motion.npz'}\n")
    assert "\x1b" not in result.stdout
    assert [row["bodies"] for row in table(result.stdout)][1] == "cylinder_1, rod_1"


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no terminals here")
def test_on_a_terminal_there_is_a_progress_bar() -> None:
    ours, theirs = os.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    try:
        command = [str(SCRIPT), "solve", str(FOUR_BAR), "--json"]
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, env=environment, check=False)
        os.set_blocking(ours, False)
        shown = os.read(ours, 10_000).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert result.returncode == 0
    assert json.loads(result.stdout)["solved_steps"] == 361
    assert "solving" in shown


def test_a_terminal_without_all_characters_gets_question_marks() -> None:
    succeeded("solve", FOUR_BAR)  # its kernels are compiled from here on
    result = process("solve", FOUR_BAR, PYTHONIOENCODING="ascii")
    assert (result.returncode, result.stderr) == (0, "")
    assert [row["after"] for row in table(result.stdout)] == ["?", "1"]


def test_only_what_takes_long_is_announced(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(terminal, "NOTICE_AFTER", 0.1)
    with terminal.notice("compiling"):
        pass
    time.sleep(0.3)
    assert capsys.readouterr() == ("", "")
    with terminal.notice("compiling"):
        time.sleep(0.3)
    assert capsys.readouterr() == ("", "groupkin: compiling …\n")


def test_from_a_cold_cache_it_says_that_it_compiles(tmp_path: Path) -> None:
    # the notice is timed; here it comes early, that a fast machine does not miss it
    early = "from groupkin import cli, terminal; terminal.NOTICE_AFTER = 0.1; cli.main()"
    command = [sys.executable, "-c", early, "solve", str(FOUR_BAR), "--json"]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    cold = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert cold.returncode == 0
    assert cold.stderr == "groupkin: compiling kernels (first use of these groups; cached afterwards) …\n"
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.nbc")}
    assert kept
    warm = process("solve", FOUR_BAR, "--json", NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert (warm.returncode, warm.stderr) == (0, "")
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.nbc")} == kept


def test_without_a_place_for_kernels_the_variable_is_named(tmp_path: Path) -> None:
    """An installation that cannot be written, without a home: files stand where folders would have to be made."""
    packages = tmp_path / "packages"
    for name in ("groupkin", "sglibrary"):
        shutil.copytree(ROOT / name, packages / name, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [path for path in packages.rglob("*") if path.is_dir()]:
        (folder / "__pycache__").touch()
    blocked = written(tmp_path, "", "blocked")
    places = {name: str(blocked / "cache") for name in ("NUMBA_CACHE_DIR", "HOME", "XDG_CACHE_HOME")}
    command = [sys.executable, "-c", "from groupkin.cli.main import main; main()", "solve", str(FOUR_BAR)]
    environment = os.environ | places | {"PYTHONPATH": str(packages), "PYTHONDONTWRITEBYTECODE": "1"}
    result = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert (result.returncode, result.stdout) == (2, "")
    assert "set NUMBA_CACHE_DIR to a folder that can be written" in the_message(result.stderr)
