"""The command ``groupkin export`` for other programs; for curves of cams see `test_cam_profiles`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.command_line import FOUR_BAR, refused, run


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_library_and_its_header(tmp_path: Path) -> None:
    done = run("export", FOUR_BAR, "--library", tmp_path / "out")
    assert done.exit_code == 0
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"four_bar.h", "libfour_bar.so"}
    assert done.stderr.splitlines()[-1] == f"written: {tmp_path / 'out' / 'libfour_bar.so'}"


def test_source_of_c(tmp_path: Path) -> None:
    done = run("export", FOUR_BAR, "--c", tmp_path)
    assert done.exit_code == 0
    files = {path.name for path in tmp_path.iterdir()}
    assert files == {"four_bar.h", "four_bar.c", "CMakeLists.txt", "example.c", "example.cpp"}


@pytest.mark.exhaustive
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_library_with_equations_of_motion(tmp_path: Path) -> None:
    assert run("export", FOUR_BAR, "--library", tmp_path, "--dynamics").exit_code == 0
    assert "gk_driving_forces" in (tmp_path / "four_bar.h").read_text()


def test_refusals(tmp_path: Path) -> None:
    assert "say what is written: a compiled library by --library" in refused("export", FOUR_BAR)
    message = refused("export", FOUR_BAR, "--library", tmp_path, "--target", "mips")
    assert "there is no target 'mips'" in message
