"""What fits into the memory of this machine, so that work that does not is refused before it begins."""

from __future__ import annotations

import math
import os
from functools import cache

from groupkin.errors import GroupkinError


def require_memory(needed: float, what: str, remedy: str, error: type[GroupkinError]) -> None:
    """Refuse what takes more bytes than this machine has memory, where that is known.

    Parameters
    ----------
    needed : float
        Bytes.
    what, remedy : str
        What takes them, and what to do instead, for the message.
    error : type
        Of the error.
    """
    memory = _of_this_machine()
    if needed > memory:
        raise error(
            f"{what} take {needed / 1e9:.3g} GB, and this machine has {memory / 1e9:.3g} GB of memory; {remedy}"
        )


@cache
def _of_this_machine() -> float:
    """Bytes of memory; infinite where it is not known."""
    known = "SC_PHYS_PAGES" in getattr(os, "sysconf_names", {})
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if known else math.inf
