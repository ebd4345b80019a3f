"""Versions of numba: what was tried is what is stated, and others are refused."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import sglibrary
from tests.support.command_line import FOUR_BAR, the_message
from tests.support.paths import ROOT


def test_versions_are_those_of_the_package() -> None:
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    (a, b), (c, d) = sglibrary.OLDEST, sglibrary.NEWEST
    assert f"numba>={a}.{b},<{c}.{d + 1}" in stated


@pytest.mark.parametrize("found", ["0.59.1", "0.69.0", "0.69.0rc1", "0.100.0", "1.0", "0.7"])
def test_others_are_refused_with_what_to_install(found: str) -> None:
    with pytest.raises(ImportError, match=rf"and this is {found}: pip install \"numba>="):
        sglibrary.check_numba(found)


@pytest.mark.parametrize("found", ["0.60.0", "0.63.0rc1", "0.68.1", "0.68.0+local"])
def test_tried_ones_are_taken(found: str) -> None:
    sglibrary.check_numba(found)


@pytest.mark.smoke
def test_commands_refuse_them_in_one_line(tmp_path: Path) -> None:
    information = tmp_path / "numba-0.99.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: numba\nVersion: 0.99.0\n")
    run = subprocess.run(
        [sys.executable, "-m", "groupkin", "solve", str(FOUR_BAR)],
        env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert the_message(run.stderr).startswith("groupkin was tried with numba 0.60 to 0.68, and this is 0.99.0")
