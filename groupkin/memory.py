"""Work that would take more memory than there is, refused before it begins."""

from __future__ import annotations

import os
from pathlib import Path

from groupkin.errors import GroupkinError


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
    for memory, whose in (
        (_of_machine(), "this machine has"),
        (_left_to_process(), "the limit of this process leaves"),
    ):
        if memory is not None and needed > memory:
            raise error(f"{what} take {needed / 1e9:.3g} GB, and {whose} {memory / 1e9:.3g} GB of memory; {remedy}")


def _of_machine() -> int | None:
    sizes = getattr(os, "sysconf_names", {})
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if "SC_PHYS_PAGES" in sizes else None


def _left_to_process() -> int | None:
    """Bytes of address space that the limit of the process (``ulimit -v``) leaves to it."""
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return None
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return None
    taken = Path("/proc/self/statm")  # on Linux; its first number is of pages
    return limit - (int(taken.read_text().split()[0]) * resource.getpagesize() if taken.exists() else 0)
