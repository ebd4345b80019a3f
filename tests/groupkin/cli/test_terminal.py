"""What commands show on a terminal and in a pipe."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import NoReturn

import pytest

import cluster.cli
from groupkin.cli import terminal
from groupkin.errors import SweepError
from sglibrary.kernel_cache import _Files
from tests.support.command_line import FOUR_BAR, KERNELS, SCRIPT, process, run, succeeded, table
from tests.support.paths import EXAMPLES
from tests.support.shares import in_part


def test_in_a_pipe_there_is_no_progress_bar_and_no_line_is_broken(tmp_path: Path) -> None:
    path = EXAMPLES / "stewart_inverse.toml"
    succeeded("solve", path)  # its kernels are compiled from here on
    result = process("solve", path, "--out", tmp_path / "motion.npz", COLUMNS="40")
    assert (result.returncode, result.stderr) == (
        0,
        f"written: {tmp_path / 'motion.npz'}, in meters and radians (--units file: in mm and degrees)\n",
    )
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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("--version",),
        ("solve", "--help"),
        ("analyze", FOUR_BAR),
        ("analyze", FOUR_BAR, "--json"),
        ("solve", FOUR_BAR),
        ("library",),
        ("schema",),
    ],
)
@pytest.mark.parametrize("unbuffered", in_part(["", "1"], 2))
def test_output_that_cannot_be_written_is_one_line(arguments: tuple[object, ...], unbuffered: str) -> None:
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [str(SCRIPT), *map(str, arguments)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
            check=False,
        )
    said = [line for line in result.stderr.splitlines() if not line.startswith(KERNELS)]
    assert said == ["groupkin: standard output cannot be written: No space left on device"]
    assert result.returncode == 2


@pytest.mark.exhaustive
def test_output_that_nobody_wants_is_not_written(tmp_path: Path) -> None:
    command = f'exec "{SCRIPT}" analyze "{FOUR_BAR}" >&-'
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")


def test_only_what_takes_long_is_announced(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(terminal, "NOTICE_AFTER", 0.1)
    with terminal.notice("compiling"):
        pass
    time.sleep(0.3)
    assert capsys.readouterr() == ("", "")
    with terminal.notice("compiling"):
        time.sleep(0.3)
    assert capsys.readouterr() == ("", "groupkin: compiling …\n")
    monkeypatch.setattr(terminal, "NOTICE_EVERY", 0.1)
    with terminal.notice("compiling"):
        time.sleep(0.5)
    first, *later = capsys.readouterr().err.splitlines()
    assert first == "groupkin: compiling …"
    assert later
    assert all(re.fullmatch(r"groupkin: compiling … \d+ s", line) for line in later)


def test_compilation_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(terminal, "NOTICE_AFTER", 0.01)
    kept = _Files(tmp_path, "kernel", b"sources")
    kept.save("float", "compiled")
    with terminal.compilation_told():
        assert kept.load("float") == "compiled"
        time.sleep(0.1)
    assert capsys.readouterr().err == ""
    with terminal.compilation_told():
        assert kept.load("double") is kept.load("int") is None
        time.sleep(0.1)
    assert capsys.readouterr().err == f"groupkin: {terminal.COMPILES}; now kernel\n"


def test_it_is_told_how_long_a_kernel_took(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """When its formulas change, it is compiled anew."""
    monkeypatch.setattr(terminal, "NOTICE_AFTER", 0.01)
    before, after = (_Files(tmp_path, "kernel-1", sources) for sources in (b"before", b"after"))
    assert before.load("float") is None
    time.sleep(0.2)
    before.save("float", "compiled")
    with terminal.compilation_told():
        assert after.load("float") is None
        time.sleep(0.1)
    took = re.fullmatch(r".*; now kernel, (0\.\d) s last time\n", capsys.readouterr().err)
    assert took is not None
    assert float(took[1]) >= 0.2


def test_every_command_tells_that_it_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    def compiling(_: object) -> NoReturn:
        logging.getLogger("sglibrary.kernel_cache").info("compiling arms")
        time.sleep(0.1)
        raise SweepError("that was all")

    monkeypatch.setattr(terminal, "NOTICE_AFTER", 0.01)
    monkeypatch.setattr(cluster.cli, "_read", compiling)
    said = run("batch", "four_bar.sweep.toml", "--dry-run").stderr
    assert said == f"groupkin: {terminal.COMPILES}; now arms\ngroupkin: that was all\n"


@pytest.mark.exhaustive
def test_from_a_cold_cache_it_says_that_it_compiles(tmp_path: Path) -> None:
    # the notice is timed; here it comes early, that a fast machine does not miss it
    early = "from groupkin.cli import main, terminal; terminal.NOTICE_AFTER = 0.1; main.main()"
    command = [sys.executable, "-c", early, "solve", str(FOUR_BAR), "--json"]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    cold = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert cold.returncode == 0
    notices = cold.stderr.splitlines()
    assert sum(terminal.COMPILES in notice for notice in notices) == 1
    others = [notice for notice in notices if "compiling" not in notice]
    assert all(re.fullmatch(r"groupkin: loading kernels …( \d+ s)?", notice) for notice in others)
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.nbc")}
    assert kept
    warm = process("solve", FOUR_BAR, "--json", NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert (warm.returncode, warm.stderr) == (0, "")
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.nbc")} == kept
