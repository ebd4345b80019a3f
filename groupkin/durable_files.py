"""Files that survive a crash: private temporary names, fsync, atomic replacement, readable errors of the disk.

A file or folder that is not complete has a temporary name that nobody else uses and that tells which process writes it,
so that what a killed process has left is recognized. A path that is a link stays one: what it points to is written.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from groupkin.errors import OutputError

WINDOWS = os.name == "nt"

SYNC_THREADS = 8
"""Files that are synchronized with the disk at a time."""

REMEDIES = {
    errno.ENOSPC: "free some space on the disk",
    errno.EDQUOT: "free some space in your quota",
    errno.EACCES: "make it writable",
    errno.EPERM: "make it writable",
    errno.EROFS: "choose a file system that is not read-only",
    errno.ENAMETOOLONG: "choose a shorter name",
}

PARTIAL_FILE = "partial"
"""Suffix of what is being written, the same as that of zarr."""

REPLACED = "replaced"
"""Suffix of folders that were moved aside for others of their name."""

NAME_BYTES = 80
"""Of the name of a file, the bytes that are part of its temporary name; file systems allow 255 with all the rest."""

WRITER = re.compile(r"\.(\d+)-[0-9a-f]+@([^@]+)\.\w+$")
"""Process and host in the names that `temporary_name` makes."""

PROCESS_REUSE = 3600.0
"""Seconds after which another process may have the number of the one that made a name, where it is not known how long
processes run."""

CLOCKS = 0.1
"""Seconds by which the clocks of processes and files may differ."""

ABANDONED = 3600.0
"""Seconds after which what a process on another host has begun, and written nothing to since, is abandoned."""


# --- writing ---------------------------------------------------------------------------------


def write_atomically(file: Path, text: str) -> None:
    """Write a file so that it exists completely or not at all, whatever happens."""
    with replacing_file(file) as temporary:
        temporary.write_text(text, encoding="utf-8")


@contextmanager
def replacing_file(file: Path) -> Iterator[Path]:
    """Give an empty file to write to, which then takes the place of `file`, or is removed after an error."""
    target = resolved(file)
    temporary = create_temporary(target)
    try:
        yield temporary
        sync([temporary])
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync([target.parent])


@contextmanager
def replacing_folder(folder: Path, replaceable: Callable[[Path], bool]) -> Iterator[Path]:
    """Give an empty folder to fill, which then takes the place of `folder`, or is removed after an error.

    Parameters
    ----------
    folder : Path
    replaceable : callable
        Returns True for a folder that may be removed; asked again for what was moved aside, which nobody else writes.

    Raises
    ------
    OutputError
        If what is there may not be removed.
    """
    target = resolved(folder)
    temporary = create_temporary(target, folder=True)
    moved: list[Path] = []
    try:
        yield temporary
        sync(contents(temporary))
        while not _renamed(temporary, target):  # again if another process was faster
            aside = temporary_name(target, REPLACED)
            with suppress(FileNotFoundError):
                target.rename(aside)
                moved.append(aside)
                if not replaceable(aside):
                    raise OutputError(f"{folder} exists and has just been changed; choose another name")
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        if moved:
            with suppress(OSError):  # another process has put its own there
                moved.pop().rename(target)
        raise
    finally:
        for aside in moved:
            shutil.rmtree(aside, ignore_errors=True)
    sync([target.parent])


def _renamed(folder: Path, target: Path) -> bool:
    """Rename a folder, which replaces an empty one; returns False if there is one that is not empty."""
    try:
        folder.rename(target)
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
            return False
        raise
    return True


def sync(paths: Iterable[Path]) -> None:
    """Return when files, and the names in folders, are on disk."""
    with ThreadPoolExecutor(SYNC_THREADS) as pool:  # the system merges waits for the disk
        list(pool.map(_sync, paths))


def _sync(path: Path) -> None:
    if WINDOWS and path.is_dir():  # Windows cannot, and writes names in order
        return
    handle = os.open(path, os.O_RDWR if WINDOWS else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def contents(folder: Path) -> list[Path]:
    """List a folder and all files and folders in it."""
    return [Path(place, name) for place, _, files in os.walk(folder) for name in (*files, ".")]


# --- places ----------------------------------------------------------------------------------


def check_place(path: Path, folder: bool = False) -> None:
    """Refuse, before anything is computed, a path to which no file or folder can be written.

    What will be done is tried: something with a temporary name is created beside it.

    Raises
    ------
    OutputError
    """
    with disk_errors(path, begun=False):
        target = resolved(path)
        if not target.parent.is_dir():
            raise OutputError(f"{path}: the folder {path.parent} does not exist; create it first")
        if exists(target) and not (target.is_dir() if folder else target.is_file()):
            raise OutputError(f"{path} exists and is no {'folder' if folder else 'file'}; choose another name")
        temporary = create_temporary(target, folder)
        temporary.rmdir() if folder else temporary.unlink()


def resolved(path: Path) -> Path:
    """Follow links to the place that is written.

    Raises
    ------
    OSError
        If links lead in a circle, or the name is none that a file can have.
    """
    try:
        target = Path(os.path.realpath(path))  # pathlib raises various errors for circles
        if target.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    except ValueError as error:  # a NUL, or a letter that the file system cannot write
        raise OSError(errno.EINVAL, str(error)) from None
    return target


def exists(path: Path) -> bool:
    """Return True if there is anything of this name, also a dangling link.

    Raises
    ------
    OutputError
        If the file system does not tell.
    """
    with disk_errors(path, begun=False):
        try:
            path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        except ValueError as error:  # a NUL
            raise OSError(errno.EINVAL, str(error)) from None
        return True


@contextmanager
def disk_errors(path: Path, begun: bool = True) -> Iterator[None]:
    """Raise errors of the disk as `OutputError` that says what to do.

    Parameters
    ----------
    path : Path
        What is written.
    begun : bool, optional
        Say that results already written are kept.
    """
    try:
        yield
    except OSError as error:
        remedy = REMEDIES.get(error.errno or 0, "choose another place")
        kept = ". Complete chunks are kept: continue with --resume (resume=True)" if begun else ""
        raise OutputError(f"{path} cannot be written: {error.strerror or error}; {remedy}{kept}") from error


# --- what is not complete --------------------------------------------------------------------


def create_temporary(path: Path, folder: bool = False, suffix: str = PARTIAL_FILE) -> Path:
    """Create an empty file or folder beside `path`, of a name that nothing had before.

    Raises
    ------
    OSError
    """
    temporary = temporary_name(path, suffix)
    if folder:
        temporary.mkdir()
    else:
        temporary.touch(exist_ok=False)
    return temporary


def temporary_name(path: Path, suffix: str) -> Path:
    """Make a unique name, beside a file or folder, for what will replace it; it contains process and host."""
    return path.with_name(f"{_begin(path)}{os.getpid()}-{secrets.token_hex(8)}@{_host()}.{suffix}")


def _begin(path: Path) -> str:
    return f".{os.fsencode(path.name)[:NAME_BYTES].decode(errors='ignore')}."


def remove_abandoned(path: Path, suffix: str = PARTIAL_FILE) -> None:
    """Remove files and folders with temporary names that killed processes have left beside a path."""
    with suppress(OSError):
        for left in path.parent.iterdir():
            own = left.name.startswith(_begin(path)) and WRITER.search(left.name) and left.suffix == f".{suffix}"
            if own and is_abandoned(left, ABANDONED):
                shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink(missing_ok=True)


def is_abandoned(path: Path, timeout: float) -> bool:
    """Return True if no process works on what has a temporary name.

    That is so if its process has ended, also where a later one has its number. Of a process on another host, or on
    Windows, that is not known: then nothing must have been written for `timeout` seconds.
    """
    try:
        age = time.time() - path.stat().st_mtime
    except OSError:  # it was just completed or removed
        return False
    writer = WRITER.search(path.name)
    if writer is None or writer[2] != _host() or WINDOWS:  # there a signal to ask for it would end it
        return age > timeout
    process = int(writer[1])
    return not _is_alive(process) or _runs_for(process) < age - CLOCKS or age > PROCESS_REUSE


def _host() -> str:
    """Name the host, or the container on it, within which numbers of processes are unique."""
    try:
        space = os.stat("/proc/self/ns/pid").st_ino  # noqa: PTH116  # not every system has it
    except OSError:
        space = 0
    return f"{socket.gethostname()}-{space}"


def _runs_for(process: int) -> float:
    """Return for how many seconds a process has run; infinity where the system does not tell."""
    try:
        started = int(_stated(process)[19]) / os.sysconf("SC_CLK_TCK")
        return time.clock_gettime(time.CLOCK_BOOTTIME) - started
    except (OSError, AttributeError, ValueError, IndexError):
        return float("inf")


def _is_alive(process: int) -> bool:
    """Return False if a process has ended, also if it is still listed because nothing has asked how it ended."""
    try:
        os.kill(process, 0)
    except OSError as error:  # of another user, unless there is none
        return not isinstance(error, ProcessLookupError)
    try:
        return _stated(process)[0] not in {"Z", "X"}
    except (OSError, IndexError):
        return True


def _stated(process: int) -> list[str]:
    """Read what Linux tells of a process, from its state on (the third field of proc_pid_stat)."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()  # its name may have blanks
