"""The command ``solve``, and what ``check`` refuses like it."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import xarray as xr
from numpy.typing import NDArray

import routes.choosing
from groupkin import durable_files
from groupkin.cli.commands import motion_commands
from groupkin.errors import RouteError
from groupkin.kinematics import solver
from groupkin.kinematics.motion import motion_files
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.solver_choice import NO_SOLVER
from groupkin.mechanism.files import reading
from tests.support.command_line import (
    FOUR_BAR,
    LINKAGE,
    SCRIPT,
    SOLVED,
    adjacency,
    changed,
    published,
    refused,
    run,
    succeeded,
    table,
    the_message,
    written,
)
from tests.support.paths import EXAMPLES

Array = NDArray[np.float64]

IN_SI = ", in meters and radians (--units file: in mm and degrees)"
"""What is said of motions that are written of files in mm and degrees."""


# --- solve -----------------------------------------------------------------------------------


@cache
def moved() -> Motion:
    """The motion of the example that is written to files here."""
    described = reading.read(FOUR_BAR)
    return solver.solve(described.mechanism, replace(described.motion, duration=0.5, steps=7).times)


@pytest.mark.smoke
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
    keys = {"steps", "solved_steps", "steps_not_tried", "seconds", "microseconds_per_step", "max_residual", "failures"}
    assert set(found) == keys
    assert (found["steps_not_tried"], found["failures"]) == (0, [])
    assert found["steps"] == found["solved_steps"] == reading.read(path).motion.steps
    assert found["microseconds_per_step"] == pytest.approx(1e6 * found["seconds"] / found["steps"])
    assert 0 < found["seconds"] < 60
    assert 0 <= found["max_residual"] < 1e-11  # Newton ends at 1e-12 of the mechanism's size or less


def test_solve_names_the_solvers_that_it_uses() -> None:
    path = EXAMPLES / "rotor_control.toml"
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
        (["--steps", 1, "--duration", 0], [0]),
    ],
)
def test_duration_and_steps(tmp_path: Path, arguments: list[object], times: Any) -> None:
    path = changed(tmp_path, ("rate = 3.0", "rate = 1.0"))
    result = run("solve", path, "--out", tmp_path / "motion.csv", *arguments)
    assert result.exit_code == 0
    np.testing.assert_allclose(columns(tmp_path / "motion.csv")["time [s]"], times, rtol=0, atol=1e-15)


@pytest.mark.smoke
@pytest.mark.parametrize("suffix", [".nc", ".zarr", ".csv", ".npz"])
def test_the_motion_is_written(tmp_path: Path, suffix: str) -> None:
    path, expected = tmp_path / f"motion{suffix}", moved()
    result = run("solve", FOUR_BAR, "--duration", 0.5, "--steps", 7, "--out", path, "--json")
    assert (result.exit_code, result.stderr) == (0, f"written: {path}{IN_SI}\n")
    assert json.loads(result.stdout)["solved_steps"] == 7
    if suffix in (".csv", ".npz"):
        if suffix == ".csv":
            names, values = path.read_text().splitlines()[0].split(","), np.loadtxt(path, delimiter=",", skiprows=1)
        else:
            with np.load(path) as found:
                names, values = found["names"].tolist(), found["values"]
        assert (names, values.shape) == (motion_files.table(expected)[0], (7, len(names)))
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
    def read_only(*_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(solver, "program", lambda *_, **__: pytest.fail("it was prepared"))
    monkeypatch.setattr(durable_files, "create_temporary", read_only)
    message = refused("solve", FOUR_BAR, "--out", tmp_path / "motion.nc")
    assert "motion.nc cannot be written: Read-only file system; choose a file system that is not read-only" in message


def test_on_a_full_disk_the_older_file_stays_and_the_motion_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Motion, path: Path, units: str) -> None:
        path.write_text("half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path, temporary = written(tmp_path, "older", "motion.csv"), tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setattr(motion_files, "_csv", full)
    result = run("solve", FOUR_BAR, "--out", path)
    assert result.exit_code == 2
    (kept,) = temporary.iterdir()
    assert the_message(result.stderr) == (
        f"{path} cannot be written: No space left on device; free some space on the disk. The motion is kept in {kept}"
    )
    assert "361 of 361 steps solved" in result.stdout
    assert path.read_text() == "older"
    assert sorted(found.name for found in tmp_path.iterdir()) == ["motion.csv", "temporary"]
    with np.load(kept) as data:
        assert data["values"].shape == (361, len(data["names"]))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_motion_is_written_before_its_report_which_may_be_impossible(tmp_path: Path) -> None:
    path = tmp_path / "motion.csv"
    with Path("/dev/full").open("w") as full:
        command = [str(SCRIPT), "solve", str(FOUR_BAR), "--json", "--out", str(path)]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr.endswith("groupkin: standard output cannot be written: No space left on device\n")
    assert len(path.read_text().splitlines()) == 1 + 361


def test_samples_that_end_too_early_name_driver_file_time_and_range(tmp_path: Path) -> None:
    written(tmp_path, "t,s\n0,0\n0.2,0.1\n0.4,0\n0.6,0.1\n", "lift.csv")
    path = changed(tmp_path, ('type = "ramp", rate = 3.0', 'type = "spline", csv = "lift.csv"'))
    result = run("solve", path, "--steps", 11)
    assert result.exit_code == 2
    assert the_message(result.stderr) == (
        "linkage.toml: driver of joint 'A' (angle), spline of lift.csv: samples cover 0 s to 0.6 s, but the motion "
        "is requested at t = 1 s; shorten the motion or add samples"
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
    text = run("solve", path, "--on-failure", "nan", "--keep", "position C").stdout
    assert "smallest conditioning unknown" in text
    assert not re.search("least +largest", text)  # no table of ranges


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


def test_a_driver_that_turns_much_from_step_to_step_is_noted() -> None:
    note = "note: A turns by up to 60° from one step to the next"
    assert note in succeeded("solve", FOUR_BAR, "--duration", 4, "--steps", 25)
    assert "note: A turns" not in succeeded("solve", FOUR_BAR, "--duration", 4, "--steps", 250)
    assert "note: A turns" not in succeeded("solve", FOUR_BAR, "--steps", 5)


def test_warnings_are_messages(tmp_path: Path) -> None:
    result = run("solve", FOUR_BAR, "--steps", 2, "--duration", 1e6, "--out", tmp_path / "motion.csv")
    first, *_, last = (line for line in result.stderr.splitlines() if not line.startswith("note: "))
    assert re.match("groupkin: warning: the angle of body '[a-z]+' changes so much", first)
    assert last == f"written: {tmp_path / 'motion.csv'}{IN_SI}"


def test_it_says_in_which_units_a_motion_is_written(tmp_path: Path) -> None:
    file = tmp_path / "motion.csv"
    for units, said in (("file", ", in mm and degrees"), ("SI", ", in meters and radians")):
        result = run("solve", FOUR_BAR, "--steps", 7, "--units", units, "--out", file)
        assert result.stderr == f"written: {file}{said}\n"
    result = run("solve", changed(tmp_path, ("rate = 3.0", "rate = 1.0")), "--steps", 7, "--out", file)
    assert result.stderr == f"written: {file}\n"  # the file is in meters and radians


def test_of_few_steps_no_time_per_step_is_told() -> None:
    assert "99 of 99 steps solved in" in (text := succeeded("solve", FOUR_BAR, "--steps", 99))
    assert "µs per step" not in text
    assert "µs per step" in succeeded("solve", FOUR_BAR, "--steps", 100)


@pytest.mark.parametrize(
    ("runs", "fastest"),
    [
        ([0.2, 0.05, 0.02, 0.03], 0.02),
        ([0.528, 0.05, 0.02, 0.03], 0.02),  # loading took most of the first run
        ([1.0, 0.9], 0.9),
        ([3.5], 3.5),
    ],
)
def test_the_time_per_step_is_that_of_a_run_which_loads_nothing(
    monkeypatch: pytest.MonkeyPatch, runs: list[float], fastest: float
) -> None:
    """The first run also loads kernels, so it is repeated unless it is long; short motions are repeated more often."""
    clock = iter([time for k, seconds in enumerate(runs) for time in (10.0 * k, 10.0 * k + seconds)])
    monkeypatch.setattr(motion_commands, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    found = json.loads(succeeded("solve", FOUR_BAR, "--steps", 200, "--json"))
    assert found["microseconds_per_step"] == pytest.approx(1e6 * fastest / 200)
    assert list(clock) == []


def test_steps_that_were_not_tried_are_told_from_those_that_failed(tmp_path: Path) -> None:
    path = written(tmp_path, LINKAGE)
    stopped = run("solve", path).stdout
    found = json.loads(run("solve", path, "--json").stdout)
    solved, untried = found["solved_steps"], found["steps_not_tried"]
    assert solved + 1 + untried == found["steps"] == 51
    assert f"1 step failed, and the {untried} after it were not tried" in stopped
    went_on = json.loads(run("solve", path, "--on-failure", "nan", "--json").stdout)
    assert went_on["steps_not_tried"] == 0
    assert f"{51 - went_on['solved_steps']} steps failed" in run("solve", path, "--on-failure", "nan").stdout


# --- settings and mechanisms that cannot be solved -------------------------------------------


@pytest.mark.parametrize("command", ["solve", "check"])
@pytest.mark.parametrize("value", ["inf", "nan", "-inf", "-1", "0"])
def test_durations_must_be_positive(command: str, value: str) -> None:
    message = refused(command, FOUR_BAR, "--duration", value)
    still = "; for one position take --steps 1" if value == "0" else ""
    assert message == f"--duration must be a positive number of seconds, not {value}{still}"


@pytest.mark.parametrize("command", ["solve", "check"])
@pytest.mark.parametrize("value", [0, -3])
def test_one_step_is_the_least(command: str, value: int) -> None:
    message = refused(command, FOUR_BAR, "--steps", value)
    assert message == f"--steps must be at least 1, which is the first time alone, not {value}"


@pytest.mark.parametrize("command", ["solve", "check"])
@pytest.mark.parametrize("steps", [10**15, 10**30])
def test_more_steps_than_fit_are_refused(command: str, steps: int) -> None:
    message = refused(command, FOUR_BAR, "--steps", steps)
    assert re.fullmatch(r"10+ times take .* GB, and this machine has .* GB of memory; take fewer steps", message)


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
    note = "group 2 (coupler, rocker) is at a singular position in the reference configuration, such as a dead center"
    assert f"note: {note}" in text
    assert [row["solver"] for row in table(text)] == ["driven R", NO_SOLVER]
    message = refused(command, path)
    assert message.startswith(note.replace("rocker)", "rocker; 3R2D)"))
    assert "coupler, rocker can move while A stands still, as constraints of B, D and C are redundant" in message
    assert message.endswith("Give points or reference values away from this position, or drive another freedom")


@pytest.mark.parametrize(
    ("route", "message"),
    [
        ("2>1", "group 2 depends on group 1, which is solved later; move 1 to an earlier stage than 2"),
        ("1", "1 group missing: 2"),
        ("fastest", "there is no route 'fastest'"),
    ],
)
def test_impossible_routes_are_refused_before_anything_is_compiled_or_measured(
    monkeypatch: pytest.MonkeyPatch, route: str, message: str
) -> None:
    monkeypatch.setattr(solver, "warm_up", lambda *_: pytest.fail("it was compiled"))
    assert message in refused("solve", FOUR_BAR, "--route", route)
    assert message in refused("routes", FOUR_BAR, "--measure", "--route", route)
    monkeypatch.setattr(routes.choosing, "program_costs", lambda *_: pytest.fail("it was measured"))
    with pytest.raises(RouteError, match=re.escape(message)):
        routes.solve(reading.load(FOUR_BAR), [0.0], route=route)


# --- what is kept ----------------------------------------------------------------------------

LEANING = '\n[outputs]\nlean = "atan2({P.x} - {C.x}, {P.y} - {C.y})"\nroot = "sqrt({P.x} - {P.x} - 1 mm)"\n'


def leaning(folder: Path) -> Path:
    """The example, with outputs: its units are mm and degrees."""
    path = folder / "leaning.toml"
    path.write_text(FOUR_BAR.read_text() + LEANING)
    return path


@pytest.mark.parametrize(
    ("units", "scales"),
    [((), (1.0, 1.0)), (("--units", "SI"), (1.0, 1.0)), (("--units", "file"), (1e3, 180.0 / np.pi))],
)
def test_solve_writes_what_is_kept_in_the_units_asked_for(
    tmp_path: Path, units: tuple[str, ...], scales: tuple[float, float]
) -> None:
    arguments = ("--keep", "position P.x", "--keep", "lean", *units)
    result = run("solve", leaning(tmp_path), "--steps", "7", "--out", tmp_path / "motion.nc", *arguments)
    assert result.exit_code == 0
    text = result.stdout
    described = reading.read(leaning(tmp_path))
    expected = solver.solve(described.mechanism, replace(described.motion, steps=7).times)
    with xr.open_dataset(tmp_path / "motion.nc") as data:
        assert set(data.data_vars) == {"P.position.x", "lean"}
        names = ("mm", "deg") if scales[0] > 1.0 else ("m", "rad")
        assert (data["P.position.x"].units, data["lean"].units) == names
        np.testing.assert_allclose(data["lean"], scales[1] * expected.read("lean"), rtol=1e-15)
        np.testing.assert_allclose(data["P.position.x"], scales[0] * expected.read("P.x"), rtol=1e-15)
    size, printed = (r"size 150 × 200 mm", 1e3) if units != ("--units", "SI") else (r"size 0.15 × 0.2 m", 1.0)
    assert size in text
    least, largest = (f"{printed * x:.6g}" for x in (expected.read("P.x").min(), expected.read("P.x").max()))
    assert re.search(rf"P.position.x \[{'mm' if printed > 1.0 else 'm'}\] +{least} +{largest}\s", text)
    as_json = json.loads(succeeded("solve", leaning(tmp_path), "--steps", "7", "--json", *arguments))
    label = f"lean [{'deg' if scales[0] > 1.0 else 'rad'}]"
    lean = scales[1] * expected.read("lean")
    assert as_json["ranges"][label] == pytest.approx([lean.min(), lean.max()], rel=1e-14)


def test_what_cannot_be_kept_is_refused_before_solving(tmp_path: Path) -> None:
    assert "there is no body or point 'Q'" in refused("solve", leaning(tmp_path), "--keep", "position Q")
    assert "'inch' is not one of 'file', 'SI'" in run("solve", FOUR_BAR, "--units", "inch").stderr


def test_an_output_without_a_value_is_an_error_and_the_motion_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    result = run("solve", leaning(tmp_path), "--keep", "root", "--out", tmp_path / "motion.csv")
    assert result.exit_code == 2
    message = the_message(result.stderr)
    assert "361 of 361 steps solved" in result.stdout
    (kept,) = tmp_path.glob("groupkin-motion-*.npz")
    assert message.startswith("`output root` is not a finite number at t = 0 s: output 'root', `sqrt(")
    assert message.endswith(f"The motion is kept in {kept}")
    assert not (tmp_path / "motion.csv").exists()


def test_analyze_in_meters(tmp_path: Path) -> None:
    assert "A 180 … 540°" in succeeded("analyze", FOUR_BAR)
    assert "A 3.142 … 9.425 rad" in succeeded("analyze", FOUR_BAR, "--units", "SI")
