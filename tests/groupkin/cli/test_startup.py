"""What commands find wrong, and what needs no kernels, comes before kernels are loaded, which takes seconds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command_line import FOUR_BAR, run

CALL = """
import json, sys
from groupkin.cli.main import main

codes = []
for arguments in json.loads(sys.argv[1]):
    try:
        main(arguments)
    except SystemExit as end:
        codes.append(end.code)
    if "numba" in sys.modules:
        sys.exit(f"{arguments} loads numba")
print(codes)
"""


def codes(arguments: list[list[str]], folder: Path) -> list[int]:
    """Exit codes of commands that are called one after another in a process of their own, without numba."""
    call = [sys.executable, "-c", CALL, json.dumps(arguments)]
    done = subprocess.run(call, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: list[int] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_mistakes_are_found_before_kernels_are_loaded(tmp_path: Path) -> None:
    file, mistakes = str(FOUR_BAR), tmp_path / "wrong.toml"
    mistakes.write_text("dimension = 2\nbodies = 3\n")
    arguments = [
        ["solve", "none.toml"],
        ["solve", str(mistakes)],
        ["solve", file, "--out", "motion.doc"],
        ["solve", file, "--keep", "position Q"],
        ["solve", file, "--steps", "0"],
        ["solve", file, "--modes", "rocker"],
        ["plot", file, "position Q", "--out", "x.svg"],
        ["plot", file, "joint D", "--against", "position P", "--out", "x.svg"],
        ["plot", file, "joint D", "--out", "x.doc"],
        ["plot", file, "joint D", "--width", "3", "--out", "x.svg"],
        ["draw", file, "--out", "x.doc"],
        ["animate", file, "--trace", "Q", "--out", "x.html"],
        ["animate", file, "--plot", "speed P", "--out", "x.html"],
        ["animate", file, "--seconds", "-1", "--out", "x.gif"],
        ["animate", file, "--plot", "joint D", "--out", "x.gif"],
        ["report", file, "--out", "x.doc"],
        ["report", file, "--plot", "position Q", "--out", "x.html"],
        ["modes", file, "--picture", "x.doc"],
    ]
    assert codes(arguments, tmp_path) == [2] * len(arguments)
    assert [path.name for path in tmp_path.iterdir()] == ["wrong.toml"]


def test_structures_and_stored_motions_are_drawn_without_kernels(tmp_path: Path) -> None:
    pytest.importorskip("h5netcdf")
    assert run("solve", FOUR_BAR, "--steps", 11, "--out", tmp_path / "motion.nc").exit_code == 0
    arguments = [
        ["plot", "motion.nc", "joint D", "position P", "--out", "plot.svg"],
        ["draw", str(FOUR_BAR), "--graph", "--out", "graph.svg"],
        ["draw", str(FOUR_BAR), "--diagram", "--out", "diagram.svg"],
    ]
    assert codes(arguments, tmp_path) == [0, 0, 0]
    assert {path.suffix for path in tmp_path.iterdir()} == {".nc", ".svg"}
