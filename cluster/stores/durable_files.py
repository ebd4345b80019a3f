"""Files that survive a crash: fsync, atomic replacement, readable errors of the disk.

A file or folder that is not complete has a temporary name that tells which process writes it, so that what a killed
process has left is recognized.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import socket
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from groupkin.errors import OutputError

SYNC_THREADS = 8
"""Files that are synchronized with the disk at a time."""

REMEDIES = {
    errno.ENOSPC: "free some space on the disk",
    errno.EDQUOT: "free some space in your quota",
    errno.EACCES: "make it writable",
    errno.EPERM: "make it writable",
    errno.EROFS: "choose a file system that is not read-only",
}

PARTIAL_FILE = "partial"
"""Suffix of files that are being written, the same as that of zarr."""

WRITER = re.compile(r"\.(\d+)-[0-9a-f]+@([^@]+)\.\w+$")
"""Process and host in the names that `temporary_name` makes."""

PROCESS_REUSE = 3600.0
"""Seconds after which another process may have the number of the one that made a name."""


def write_atomically(file: Path, text: str) -> None:
    """Write a file so that it exists completely or not at all, whatever happens."""
    temporary = temporary_name(file, PARTIAL_FILE)
    try:
        with temporary.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(file)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync([file.parent])


def sync(paths: Iterable[Path]) -> None:
    """Return when files, and the names in folders, are on disk."""
    with ThreadPoolExecutor(SYNC_THREADS) as pool:  # the system merges waits for the disk
        list(pool.map(_sync, paths))


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


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


def temporary_name(path: Path, suffix: str) -> Path:
    """Make a unique name, beside a file or folder, for what will replace it; it contains process and host."""
    return path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}@{_host()}.{suffix}")


def is_abandoned(path: Path, timeout: float) -> bool:
    """Return True if no process works on what has a temporary name.

    That is so if its process has ended. Of a process on another host that is not known: then nothing must have been
    written for `timeout` seconds.
    """
    try:
        age = time.time() - path.stat().st_mtime
    except OSError:  # it was just completed or removed
        return False
    writer = WRITER.search(path.name)
    if writer is None or writer[2] != _host():
        return age > timeout
    return not _is_alive(int(writer[1])) or age > PROCESS_REUSE


def _host() -> str:
    """Name the host, or the container on it, within which numbers of processes are unique."""
    try:
        space = os.stat("/proc/self/ns/pid").st_ino  # noqa: PTH116  # not every system has it
    except OSError:
        space = 0
    return f"{socket.gethostname()}-{space}"


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except OSError as error:  # of another user, unless there is none
        return not isinstance(error, ProcessLookupError)
    return True
