"""The command line as a whole: help, refusals, and the installed program."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import groupkin
from groupkin.cli.commands import structure_commands
from tests.support.command_line import (
    FOUR_BAR,
    LINKAGE,
    changed,
    process,
    refused,
    run,
    succeeded,
    the_message,
    written,
)
from tests.support.paths import ROOT

# --- files that are refused ------------------------------------------------------------------


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


# --- usage -----------------------------------------------------------------------------------


@pytest.mark.smoke
def test_version() -> None:
    assert succeeded("--version") == f"groupkin, version {version('groupkin')}\n"
    assert version("groupkin") == groupkin.__version__


@pytest.mark.smoke
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help(flag: str) -> None:
    text = succeeded(flag)
    for command in ("analyze", "solve", "check", "schema"):
        assert re.search(rf"^  {command} +\w", text, re.MULTILINE)
        assert succeeded(command, flag).startswith(f"Usage: groupkin {command}")
    assert all(option in succeeded("solve", flag) for option in ("--out", "--duration", "--steps", "--assemble"))


@pytest.mark.smoke
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


# --- as a process ----------------------------------------------------------------------------


def test_the_module_is_a_program() -> None:
    command = [sys.executable, "-m", "groupkin.cli.main", "--version"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.startswith("groupkin, version")


def test_a_refusal_as_a_process(tmp_path: Path) -> None:
    result = process("solve", changed(tmp_path, ("C = [2, 1]", "C = [2, 0]")))
    assert (result.returncode, result.stdout) == (2, "")
    assert the_message(result.stderr).startswith("group 2 (coupler, rocker; 3R2D)")


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
    assert "set NUMBA_CACHE_DIR to a writable folder" in the_message(result.stderr)
