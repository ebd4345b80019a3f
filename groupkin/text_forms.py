"""Text forms: how quantities and parameters of a mechanism are written and read, such as ``velocity P.norm``.

A text form consists of words between blanks. A word consists of names with ``@``, ``-`` or ``.`` between them. A name
with one of these signs, a blank, a bracket or a quote stands in single quotes; quotes inside are doubled.
"""

from __future__ import annotations

import re
from collections.abc import Collection

# possessive, so that no text takes longer to refuse than to read
NAME = r"(?:[^\s\-@.'\[\]]++|'(?:[^']|'')*+')"
"""Pattern of a name in a text form."""

_BARE = re.compile(r"[^\s\-@.'\[\]]+")
_WORD = r"(?:[^\s']++|'(?:[^']|'')*+')++"
_WORDS = re.compile(rf"\s*+(?:{_WORD}\s*+)*+")


def written(name: str, reserved: Collection[str] = ()) -> str:
    """Write a name as it stands in a text form; in quotes too if it is one of some reserved words.

    Examples
    --------
    >>> print(written("crank"), written("main bearing"), written("Watt's"))
    crank 'main bearing' 'Watt''s'
    """
    if _BARE.fullmatch(name) and name not in reserved:
        return name
    return "'" + name.replace("'", "''") + "'"


def plain(name: str | None) -> str:
    """Return the name that a part of a text form stands for, empty where there is none."""
    return name[1:-1].replace("''", "'") if name and name.startswith("'") else name or ""


def bare(text: str) -> str:
    """Leave out the quotes of a name, or of a name and a component, where a name alone is wanted.

    Examples
    --------
    >>> print(bare("'main bearing'.x"), bare("main bearing"), bare("Watt's"))
    main bearing.x main bearing Watt's
    """
    found = re.fullmatch(rf"({NAME})(?:\.({NAME}))?", text)
    return ".".join(plain(part) for part in found.groups() if part) if found else text


def requoted(text: str, kinds: Collection[str]) -> str:
    """Propose how a text may be meant whose names have blanks and stand without quotes; empty if there is nothing.

    Examples
    --------
    >>> print(requoted("UB@upper arm.x", ()), requoted("joint main bearing", ["joint"]))
    UB@'upper arm'.x joint 'main bearing'
    """
    first, _, rest = text.strip().partition(" ")
    kind = first + " " if first in kinds and rest else ""
    found = re.fullmatch(r"([^@']+?)(?:@([^@']+?))?(?:\.(\w+))?", rest if kind else text.strip())
    if found is None or not re.search(r"\s", found[1] + (found[2] or "")):
        return ""
    name, body, component = found.groups()
    return kind + written(name) + (f"@{written(body)}" if body else "") + (f".{component}" if component else "")


def words(text: str) -> list[str]:
    """Split a text form into words, which keep their quotes; none if a quote is not closed.

    Examples
    --------
    >>> words("joint 'main bearing'"), words("joint 'main")
    (['joint', "'main bearing'"], [])
    """
    return re.findall(_WORD, text) if _WORDS.fullmatch(text) else []
