"""Files that are on disk when we say so: brought there, replaced as a whole, and refusals of the disk in words."""

from __future__ import annotations

import errno
import os
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


def replace(file: Path, text: str) -> None:
    """Write a file so that it exists as a whole or not at all, whatever happens."""
    aside = file.with_name(f".{file.name}.{os.getpid()}.partial")
    with aside.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    aside.replace(file)
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


@contextmanager
def writing(path: Path, begun: bool = True) -> Iterator[None]:
    """Say what the disk refused, and what to do; `begun`: results are there already."""
    try:
        yield
    except OSError as error:
        remedy = REMEDIES.get(error.errno or 0, "choose another place")
        kept = ". Chunks that are complete are kept: go on with --resume (resume=True)" if begun else ""
        raise OutputError(f"{path} cannot be written: {error.strerror or error}; {remedy}{kept}") from error
