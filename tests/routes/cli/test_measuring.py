"""``groupkin routes --measure``, ``groupkin tune`` and ``groupkin solve --route``."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import groupkin as gk
from groupkin.cli import terminal
from groupkin.cli.main import main
from sglibrary.catalog import GROUPS
from tests.support.loaded import loaded
from tests.support.paths import EXAMPLES

FOUR_BAR, ROTOR, AXLE, PRESS = (
    EXAMPLES / f"{name}.toml" for name in ("four_bar", "rotor_control", "rear_axle", "eccentric_press")
)


@pytest.fixture(autouse=True)
def _settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(terminal, "NOTICE_AFTER", 1e6)
    monkeypatch.setenv("GROUPKIN_CACHE_DIR", str(tmp_path / "cache"))


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(x) for x in arguments], prog_name="groupkin")


def test_measured_routes_as_data(tmp_path: Path) -> None:
    result = run("routes", FOUR_BAR, "--measure", "--workers", 2, "--block", 64, "--rounds", 1, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    assert (found["routes"], found["distinct"], found["best"]) == (1, 1, "1 → 2")
    needed = {"route", "split", "block", "workers", "backend", "predicted_us_per_step", "measured_us_per_step"}
    for row in found["table"]:
        assert needed <= set(row)
        assert (row["backend"], row["workers"], row["block"], row["difference"]) == ("threads", 2, 64, 0.0)
        assert row["measured_us_per_step"] > 0.0
    assert {row["split"] for row in found["table"]} == {"groups", "time"}
    assert len(list((tmp_path / "cache").glob("*.sqlite"))) == 1


def test_measured_routes_as_a_table(tmp_path: Path) -> None:
    result = run("routes", ROTOR, "--measure", "--workers", 2, "--block", 64, "--rounds", 1, "--no-cache", "--work", 2)
    assert result.exit_code == 0
    assert "SYNTHETIC LOAD: every group is solved 2 times" in result.stdout
    assert "1 → (2 ‖ 3) → 4 → (5 ‖ 6) → 7" in result.stdout
    assert "no:" not in result.stdout  # every answer is the sequential one
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("example", [AXLE, PRESS])
def test_routes_are_measured_with_their_forces(tmp_path: Path, example: Path) -> None:
    """Of a mechanism with masses; the bits of forces are compared as well, and costs are kept by the code's length."""
    file = tmp_path / "heavy.toml"
    if example == AXLE:
        gk.save(replace(loaded(gk.load(example)), forces=()), file)
    else:
        shutil.copy(example, file)
    ways = ("--workers", 2, "--block", 64, "--rounds", 1, "--forces")
    found = json.loads(run("routes", file, "--measure", "--json", *ways).stdout)
    assert {row["difference"] for row in found["table"]} == {0.0}
    assert "with driving forces and reactions" in run("routes", file, "--measure", *ways).stdout
    assert "recommended: groupkin forces" in run("routes", file, "--forces", "--workers", 2).stdout
    plain, both = (
        json.loads(run("routes", file, "--workers", 2, "--json", *option).stdout)["table"][0]["predicted_us_per_step"]
        for option in ((), ("--forces",))
    )
    assert both > plain


def test_forces_of_what_has_no_mass_are_refused() -> None:
    result = run("routes", ROTOR, "--measure", "--forces", "--workers", 2)
    assert result.exit_code == 2
    assert "no body has a mass" in result.stderr


def test_forces_on_workers_are_those_of_one(tmp_path: Path) -> None:
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    alone = run("forces", PRESS, "--out", one)
    shared = run("forces", PRESS, "--workers", 2, "--route", "parallel", "--split", "groups", "--out", two)
    assert (shared.exit_code, shared.stdout) == (0, alone.stdout)
    assert one.read_text() == two.read_text()
    refused = run("forces", PRESS, "--workers", 2, "--route", "9")
    assert refused.exit_code == 2
    assert "group" in refused.stderr


def test_a_route_of_ones_own_is_measured() -> None:
    result = run(
        "routes", ROTOR, "--measure", "--workers", 2, "--block", 1, "--rounds", 1, "--split", "groups",
        "--route", "1 > (2|3) > (4|5) > (6|7)", "--route", "sequential",
    )  # fmt: skip
    assert result.exit_code == 2
    assert "group 5 depends on group 4" in result.stderr
    result = run(
        "routes", ROTOR, "--measure", "--workers", 2, "--block", 1, "--rounds", 1, "--route", "1>2>3>4>(5|6)>7"
    )
    assert result.exit_code == 0
    assert "1 → 2 → 3 → 4 → (5 ‖ 6) → 7" in result.stdout
    assert "step by step, a stage of several lanes costs at least" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["routes", FOUR_BAR, "--rounds", 2], "--rounds belongs to --measure"),
        (["routes", FOUR_BAR, "--measure", "--no-window"], "--no-window is for the ranks of an MPI job"),
        (["solve", FOUR_BAR, "--backend", "serial", "--workers", 2], "--backend serial is one worker, not 2"),
        (["solve", FOUR_BAR, "--route", "fast"], "there is no route 'fast'; write best"),
        (["solve", FOUR_BAR, "--backend", "mpi", "--workers", 3], "there are 1 ranks, not 3; start them with mpiexec"),
        (["routes", EXAMPLES / "micro_manipulator.toml", "--measure"], "can be analyzed but not solved"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: list[object], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


@pytest.mark.parametrize("route", ["best", "parallel", "1 > 2"])
def test_solve_by_a_route_writes_the_same_motion(tmp_path: Path, route: str) -> None:
    plain, routed = tmp_path / "plain.npz", tmp_path / "routed.npz"
    assert run("solve", FOUR_BAR, "--out", plain).exit_code == 0
    result = run("solve", FOUR_BAR, "--route", route, "--workers", 2, "--out", routed)
    assert result.exit_code == 0, result.stderr
    assert "1 → 2" in result.stdout
    with np.load(plain) as expected, np.load(routed) as found:
        assert set(expected) == set(found)
        assert all(np.array_equal(expected[key], found[key]) for key in expected)


def test_a_prediction_says_how_good_the_model_is_here() -> None:
    result = run("routes", ROTOR, "--predict", "--workers", 64, "--nodes", 8, "--block", 64)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "predicted for 64 workers on 8 nodes" in result.stdout
    line = result.stdout.splitlines()[-1]
    assert line.startswith("the model's error, measured here: ")
    assert [words.split("% on ")[1] for words in line.split(": ")[1].split(", ")] == [
        "1 worker", "2 workers split by time", "2 workers split by groups"
    ]  # fmt: skip


def test_tune_fills_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routes.timing.library_costs.GROUPS", GROUPS[:2])  # all of them: test_cost_cache.py
    result = run("tune", "--block", 64)
    assert (result.exit_code, result.stderr) == (0, "")
    assert str(tmp_path / "cache") in result.stdout
    result = run("tune", "--block", 0)
    assert result.exit_code == 2


@pytest.mark.skipif(shutil.which("mpiexec", path=str(Path(sys.executable).parent)) is None, reason="no mpiexec")
@pytest.mark.exhaustive
def test_under_mpiexec_the_first_rank_writes(tmp_path: Path) -> None:
    mpiexec = Path(sys.executable).parent / "mpiexec"
    out, plain = tmp_path / "ranks.npz", tmp_path / "plain.npz"
    command = [mpiexec, "-n", "2", sys.executable, "-m", "groupkin.cli.main"]
    result = subprocess.run(
        [*command, "solve", AXLE, "--out", out], capture_output=True, text=True, timeout=150, check=False
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("201 of 201 steps solved") == 1
    assert "by 2 MPI ranks" in result.stdout
    assert run("solve", AXLE, "--out", plain).exit_code == 0
    with np.load(plain) as expected, np.load(out) as found:
        assert all(np.array_equal(expected[key], found[key]) for key in expected)
    refused = subprocess.run(
        [*command, "solve", "missing.toml"], capture_output=True, text=True, timeout=150, check=False
    )
    assert refused.returncode != 0
    assert "missing.toml" in refused.stderr
