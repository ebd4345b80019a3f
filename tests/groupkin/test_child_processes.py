"""Python processes that the program starts run nothing from the working directory."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from groupkin.child_processes import SAFE_PATH, python_command, safe_path
from groupkin.errors import OutputError
from groupkin.look import film
from tests.support.command_line import FOUR_BAR, SCRIPT
from tests.support.paths import EXAMPLES, ROOT
from tests.support.processes import FAKE, mpiexec

PROJECT = ("groupkin", "sglibrary", "routes", "cluster")
OTHERS = (
    "click",
    "lazy_loader",
    "llvmlite",
    "matplotlib",
    "mpi4py",
    "numba",
    "numpy",
    "pydantic",
    "rich",
    "scipy",
    "zarr",
)
HOSTILE = (
    "import os\nopen(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'EXECUTED'), 'a').write(__name__ + ' ')\n"
)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder with a file in the place of each module of Python, of the project and of what it uses."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    for name in (*sys.stdlib_module_names, *PROJECT, *OTHERS):
        (folder / f"{name}.py").write_text("" if name == "os" else HOSTILE, encoding="utf-8")
    return folder


def executed(folder: Path) -> str:
    found = folder / "EXECUTED"
    return found.read_text() if found.exists() else ""


def run(folder: Path, *command: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, with nothing on standard input."""
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", SAFE_PATH)}
    return subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=variables | {"OMP_NUM_THREADS": "1"} | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_folder_is_hostile(hostile: Path) -> None:
    run(hostile, sys.executable, "-c", "import groupkin, zarr, pickle")
    assert executed(hostile).split() == ["groupkin", "zarr", "pickle"]


@pytest.mark.smoke
def test_a_module_is_found_where_this_process_finds_it(
    hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "only_there.py").write_text(
        "def main():\n    import json, groupkin; print(groupkin.__file__)"
    )
    (hostile / "only_here.py").write_text(HOSTILE)
    monkeypatch.setattr(sys, "path", ["", ".", *(x for x in sys.path if x != str(ROOT)), str(tmp_path / "elsewhere")])
    found = run(hostile, *python_command("only_there"))
    assert (found.stdout.strip(), found.stderr) == (str(ROOT / "groupkin" / "__init__.py"), "")
    assert "No module named 'only_here'" in run(hostile, *python_command("only_here")).stderr
    assert executed(hostile) == ""


@pytest.mark.smoke
@pytest.mark.parametrize("places", ["", str(ROOT)], ids=["as it is installed", "PYTHONPATH"])
def test_the_second_process_of_the_first_use(hostile: Path, places: str) -> None:
    """It imports all that it needs, is told nothing, and ends."""
    found = run(hostile, *python_command("groupkin.kinematics.program.first_use"), PYTHONPATH=places)
    assert (found.returncode, found.stderr) == (0, "")
    assert executed(hostile) == ""


@pytest.mark.exhaustive
def test_the_first_use_from_a_cold_cache(hostile: Path, tmp_path: Path) -> None:
    found = run(
        hostile, SCRIPT, "solve", EXAMPLES / "planar_3rrr.toml", "--steps", 3, NUMBA_CACHE_DIR=str(tmp_path / "n")
    )
    assert found.returncode == 0, found.stderr
    assert executed(hostile) == ""


@pytest.mark.smoke
def test_processes_of_a_batch(hostile: Path, tmp_path: Path) -> None:
    """Also the process of Python's that watches over their semaphores."""
    found = run(hostile, sys.executable, FAKE, tmp_path / "results.zarr", "samples=8", "chunk=4", "workers=2")
    assert found.returncode == 0, found.stderr
    assert executed(hostile) == ""


@pytest.mark.exhaustive
@pytest.mark.parametrize("ranks", [0, 2])
def test_a_batch(hostile: Path, tmp_path: Path, ranks: int) -> None:
    launcher = (mpiexec(), "-n", ranks) if ranks else ()
    file = tmp_path / "four_bar.sweep.toml"
    shutil.copy(FOUR_BAR, tmp_path)
    text = (EXAMPLES / "four_bar_tolerance.sweep.toml").read_text(encoding="utf-8")
    file.write_text(text.replace("samples = 10000", "samples = 64"), encoding="utf-8")
    workers = () if ranks else ("--workers", 2)
    found = run(hostile, *launcher, SCRIPT, "batch", file, "--out", tmp_path / "results.zarr", *workers)
    assert found.returncode == 0, found.stdout + found.stderr
    assert executed(hostile) == ""


def test_films_are_not_made_by_a_program_of_the_working_directory(
    hostile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (hostile / "ffmpeg").write_text("#!/bin/sh\necho x > EXECUTED\n")
    (hostile / "ffmpeg").chmod(0o755)
    monkeypatch.chdir(hostile)
    monkeypatch.setenv("PATH", ".")
    assert shutil.which("ffmpeg") == "./ffmpeg"
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(OutputError, match="videos need ffmpeg"):
        film.ffmpeg()


@pytest.mark.parametrize("before", [None, "1"])
def test_the_environment_is_as_before(before: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SAFE_PATH, raising=False)
    if before:
        monkeypatch.setenv(SAFE_PATH, before)
    with safe_path():
        assert os.environ[SAFE_PATH] == "1"
    assert os.environ.get(SAFE_PATH) == before
