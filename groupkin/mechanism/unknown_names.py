"""Messages about names that do not exist."""

from __future__ import annotations

from collections.abc import Sequence

from groupkin.errors import UnknownNameError, shown
from groupkin.mechanism.pairs import nearest

FEW = 12
"""Names that a message about an unknown one lists, at most."""


def suggestion(name: str, names: Sequence[str]) -> str:
    """Make the end of a message about an unknown name: similar names, or all names if they are few."""
    near = nearest(name, names)
    there = f"; there are {', '.join(names)}" if 0 < len(names) <= FEW else ""
    return f"; did you mean {near}?" if near else there


def unknown(kind: str, name: str, names: Sequence[str]) -> UnknownNameError:
    """Make the error for a name that does not exist."""
    return UnknownNameError(f"there is no {kind} {shown(name)}{suggestion(name, names)}")
