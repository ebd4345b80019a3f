"""Files that are on disk when we say so: brought there, replaced as a whole, and refusals of the disk in words.

What is not whole yet has a name that tells who makes it, so that it is recognized when its process was killed.
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

SYNCS = 8
"""Files that are brought to disk at a time."""

REMEDIES = {
    errno.ENOSPC: "make room on the disk",
    errno.EDQUOT: "make room in your quota",
    errno.EACCES: "make it writable",
    errno.EPERM: "make it writable",
    errno.EROFS: "choose a file system that can be written",
}

PARTIAL_FILE = "partial"
"""How names of files end that are being written, as those of zarr do."""

WRITER = re.compile(r"\.(\d+)-[0-9a-f]+@([^@]+)\.\w+$")
"""Process and host in the names that `aside` gives."""

REUSED = 3600.0
"""Seconds after which a process is no longer believed to be the one that made a name: numbers are used again."""


def replace(file: Path, text: str) -> None:
    """Write a file so that it exists as a whole or not at all, whatever happens."""
    own = aside(file, PARTIAL_FILE)
    try:
        with own.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        own.replace(file)
    except BaseException:
        own.unlink(missing_ok=True)
        raise
    sync([file.parent])


def sync(paths: Iterable[Path]) -> None:
    """Return when files, and the names in folders, have reached the disk."""
    with ThreadPoolExecutor(SYNCS) as pool:  # waits for the disk are merged
        list(pool.map(_sync, paths))


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def exists(path: Path) -> bool:
    """Whether there is anything of this name.

    Raises
    ------
    OutputError
        If that cannot be known.
    """
    with writing(path, begun=False):
        try:
            path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        return True


@contextmanager
def writing(path: Path, begun: bool = True) -> Iterator[None]:
    """Say what the disk refused, and what to do; `begun`: results are there already."""
    try:
        yield
    except OSError as error:
        remedy = REMEDIES.get(error.errno or 0, "choose another place")
        kept = ". Chunks that are complete are kept: go on with --resume (resume=True)" if begun else ""
        raise OutputError(f"{path} cannot be written: {error.strerror or error}; {remedy}{kept}") from error


# --- what is not whole yet -------------------------------------------------------------------


def aside(path: Path, kind: str) -> Path:
    """A name beside a file or folder for what is to become it, which nobody else uses; it tells who does."""
    return path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}@{_here()}.{kind}")


def forsaken(path: Path, silent: float) -> bool:
    """Whether nobody works on what is not whole yet.

    Its process is gone; or, where that cannot be known, as on another host, nothing was written for so many seconds.
    """
    try:
        age = time.time() - path.stat().st_mtime
    except OSError:  # it has just become whole, or was removed
        return False
    writer = WRITER.search(path.name)
    if writer is None or writer[2] != _here():
        return age > silent
    return not _alive(int(writer[1])) or age > REUSED


def _here() -> str:
    """Where numbers of processes mean what they do for this one: a host, or a container on it."""
    try:
        space = os.stat("/proc/self/ns/pid").st_ino  # noqa: PTH116  # not of this system everywhere
    except OSError:
        space = 0
    return f"{socket.gethostname()}-{space}"


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # of somebody else
        return True
    return True
