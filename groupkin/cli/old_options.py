"""Options by the names that they had before: they still work, and a note says their new name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from groupkin.picture_files import SUFFIXES

RENAMED = {
    "batch-report": {"--html": "--out", "--plot": "--picture", "--variable": "--plot"},
    "export": {"--csv": "--out", "--dxf": "--out"},
    "fit": {"--draw": "--picture"},
    "generate": {"--draw": "--picture"},
    "limits": {"--draw": "--picture", "--output": "--plot"},
    "modes": {"--draw": "--picture"},
    "routes": {"--draw": "--picture"},
    "workspace": {"--draw": "--picture"},
}
"""For each command the names that options had before, and those that they have now."""


def renamed(command: str, arguments: Sequence[str]) -> list[str]:
    """Replace old names of options by the new ones, and say so on standard error, once for each name.

    A name that has another meaning now, as ``--plot`` of a report on a batch, is the old one before a picture file.
    """
    names, found, told = RENAMED.get(command, {}), list(arguments), set[str]()
    for k, word in enumerate(arguments):
        if word == "--":
            break
        old, equals, value = word.partition("=")
        if old not in names or (old in names.values() and not _is_picture(value or "".join(arguments[k + 1 : k + 2]))):
            continue
        found[k] = f"{names[old]}{equals}{value}"
        if old not in told:
            click.echo(f"groupkin: note: {old} of {command} is called {names[old]} now", err=True)
            told.add(old)
    return found


def _is_picture(text: str) -> bool:
    return Path(text).suffix.lower() in SUFFIXES
