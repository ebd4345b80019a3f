"""Files that survive: private names, atomic replacement, what killed processes have left."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from groupkin import durable_files
from groupkin.errors import OutputError


def listed(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_temporary_name_that_is_taken_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    monkeypatch.setattr(durable_files, "temporary_name", lambda path, suffix: tmp_path / "guessed")
    (tmp_path / "guessed").symlink_to(victim)
    with pytest.raises(FileExistsError):
        durable_files.write_atomically(tmp_path / "file", "text")
    assert victim.read_text() == "precious"
    assert listed(tmp_path) == ["guessed", "victim"]


@pytest.mark.smoke
def test_files_have_the_permissions_that_the_user_gives_to_new_files(tmp_path: Path) -> None:
    durable_files.write_atomically(tmp_path / "file", "text")
    (tmp_path / "ordinary").write_text("text")
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("file", "ordinary")}
    assert len(modes) == 1


def test_of_many_that_replace_a_folder_at_once_one_is_left_whole(tmp_path: Path) -> None:
    folder = tmp_path / "folder"

    def replace(k: int) -> None:
        with durable_files.replacing_folder(folder, lambda other: True) as temporary:
            for name in "abc":
                (temporary / name).write_text(str(k))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(replace, range(100)))
    assert listed(folder) == ["a", "b", "c"]
    assert len({file.read_text() for file in folder.iterdir()}) == 1
    assert listed(tmp_path) == ["folder"]


def test_a_folder_that_may_not_be_removed_is_put_back(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "precious").touch()
    with (
        pytest.raises(OutputError, match="folder exists and has just been changed"),
        durable_files.replacing_folder(tmp_path / "folder", lambda other: False) as temporary,
    ):
        (temporary / "new").touch()
    assert listed(tmp_path) == ["folder"]
    assert listed(tmp_path / "folder") == ["precious"]


def test_what_killed_processes_have_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "motion.csv"
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    own = durable_files.temporary_name(path, "partial")
    here = own.name.rpartition("@")[2]
    begin = f".motion.csv.{gone.pid}-12@"
    ages = {
        own.name: 0,
        f"{begin}{here}": 0,
        f"{begin}elsewhere-0.partial": 600,
        f".motion.csv.{gone.pid}-34@elsewhere-0.partial": 7200,
        ".motion.csv.mine.partial": 7200,
        f".other.csv.{gone.pid}-12@{here}": 0,
    }
    for name, age in ages.items():
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    durable_files.remove_abandoned(path)
    assert [(tmp_path / name).exists() for name in ages] == [True, False, True, False, True, True]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it is not known here how long processes run")
def test_a_later_process_with_the_number_of_the_writer_keeps_nothing(tmp_path: Path) -> None:
    mine = durable_files.temporary_name(tmp_path / "store", "creating")
    mine.mkdir()
    assert not durable_files.is_abandoned(mine, timeout=60.0)
    before = time.time() - durable_files._runs_for(os.getpid()) - 10.0
    os.utime(mine, (before, before))
    assert durable_files.is_abandoned(mine, timeout=7200.0)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it is not known here what state processes are in")
def test_a_killed_writer_that_nothing_has_waited_for_keeps_nothing(tmp_path: Path) -> None:
    """As in a container whose first process waits for none of those that are left to it."""
    path = tmp_path / "motion.csv"
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as writer:
        left = tmp_path / durable_files.temporary_name(path, "partial").name.replace(
            f".{os.getpid()}-", f".{writer.pid}-"
        )
        left.touch()
        durable_files.remove_abandoned(path)
        assert left.exists()
        writer.kill()
        os.waitid(os.P_PID, writer.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and stays listed
        durable_files.remove_abandoned(path)
        assert not left.exists()


def test_temporary_names_are_short_enough_for_any_file(tmp_path: Path) -> None:
    for letter in "aü€":
        name = durable_files.temporary_name(tmp_path / (letter * (255 // len(letter.encode()))), "creating").name
        assert len(name.encode()) <= 255
        (tmp_path / name).touch()


def test_windows_is_asked_for_nothing_that_it_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders cannot be opened there, a file is synchronized by who may write it, and signal 0 is Ctrl-C."""
    opened: list[int] = []
    real = os.open

    def checked(path: Path, flags: int, *others: int) -> int:
        assert not os.path.isdir(path)  # noqa: PTH112
        opened.append(flags & (os.O_RDWR | os.O_WRONLY))
        return real(path, flags, *others)

    monkeypatch.setattr(durable_files, "WINDOWS", True)
    monkeypatch.setattr(os, "open", checked)
    monkeypatch.setattr(os, "kill", lambda *arguments: pytest.fail("this would end the process"))
    durable_files.write_atomically(tmp_path / "record.json", "{}")
    durable_files.sync([tmp_path / "record.json", tmp_path])
    assert all(opened)
    mine = durable_files.temporary_name(tmp_path / "store", "creating")
    mine.mkdir()
    assert not durable_files.is_abandoned(mine, timeout=60.0)
    assert durable_files.is_abandoned(mine, timeout=-1.0)
