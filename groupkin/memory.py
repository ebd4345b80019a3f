"""What fits into the memory of this machine, so that work that does not is refused before it begins."""

from __future__ import annotations

import os

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
    sizes = getattr(os, "sysconf_names", {})
    if "SC_PHYS_PAGES" not in sizes:
        return
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if needed > memory:
        raise error(
            f"{what} take {needed / 1e9:.3g} GB, and this machine has {memory / 1e9:.3g} GB of memory; {remedy}"
        )
