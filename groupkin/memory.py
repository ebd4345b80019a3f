"""Work that would take more memory than there is, refused before it begins."""

from __future__ import annotations

import gc
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from groupkin.errors import GroupkinError

SMALL = 2**20
"""Bytes that need no question."""


def require_memory(needed: float, what: str, remedy: str, error: type[GroupkinError]) -> None:
    """Refuse what takes more bytes than this machine has memory or this process may still take, where that is known.

    Parameters
    ----------
    needed : float
        Bytes.
    what, remedy : str
        What takes them, and what to do instead, for the message.
    error : type
        Of the error.
    """
    if needed < SMALL:
        return
    for memory, whose in (
        (_of_this_machine(), "this machine has"),
        (_left_to_process(), "the limit of this process leaves"),
    ):
        if needed > memory:
            raise error(f"{what} take {needed / 1e9:.3g} GB, and {whose} {memory / 1e9:.3g} GB of memory; {remedy}")


@cache
def _of_this_machine() -> float:
    """Bytes of memory; infinite where it is not known."""
    known = "SC_PHYS_PAGES" in getattr(os, "sysconf_names", {})
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if known else math.inf


def _left_to_process() -> float:
    """Bytes of address space that the limit of the process (``ulimit -v``) leaves to it; infinite without one."""
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return math.inf
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return math.inf
    taken = Path("/proc/self/statm")  # on Linux; its first number is of pages
    return limit - (int(taken.read_text().split()[0]) * resource.getpagesize() if taken.exists() else 0)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Suspend garbage collection, which would go through what a large mechanism is made of again and again."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
