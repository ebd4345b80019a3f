"""Names of C for what users name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence


def identifiers(prefix: str, names: Sequence[str]) -> list[str]:
    """Make identifiers of C of names, no two alike: letters without accents, digits, and underscores for all others."""
    found: list[str] = []
    for name in names:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
        own = first = f"{prefix}_{re.sub(r'[^A-Za-z0-9]+', '_', plain).strip('_') or 'unnamed'}"
        k = 2
        while own in found:
            own, k = f"{first}_{k}", k + 1
        found.append(own)
    return found


def text(name: str) -> str:
    """A string of C, in UTF-8; question marks cannot begin a trigraph."""
    plain = (chr(x) if 32 <= x < 127 and chr(x) not in '"\\?' else f"\\{x:03o}" for x in name.encode())
    return '"' + "".join(plain) + '"'


def comment(words: str) -> str:
    """Words within a comment of C."""
    return " ".join(words.replace("*/", "* /").split())


def enumeration(names: Sequence[str], values: Sequence[str], indent: str = "    ") -> str:
    """Enumerators, each with what it stands for behind it."""
    return "\n".join(f"{indent}{name}, /* {comment(value)} */" for name, value in zip(names, values, strict=True))


def number(x: float) -> str:
    """A number of C99 with all its bits."""
    x = float(x)
    if x != x:
        return "NAN"
    if abs(x) == float("inf"):
        return "INFINITY" if x > 0 else "-INFINITY"
    return repr(x) if x == int(x) and abs(x) < 1e6 else x.hex()


def file_name(name: str) -> str:
    """The name of a file: small letters, digits and underscores."""
    return identifiers("x", [name])[0][2:].lower()


def table(kind: str, name: str, entries: Sequence[str]) -> str:
    """A constant array of C."""
    return f"static const {kind} {name}[] = {{\n    " + ",\n    ".join(entries) + "\n};"
