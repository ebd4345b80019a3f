"""Where the numbers of a report are from: versions, machine, and the description of the mechanism."""

from __future__ import annotations

import os
import platform
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version

from groupkin.look.markup import Html, element, joined, table
from groupkin.look.report.layout import titled
from groupkin.look.report.subject import Section, Subject

PACKAGES = ("numpy", "numba", "scipy", "matplotlib")


def section(subject: Subject) -> Section:
    """Report what made a report, and quote the mechanism's file."""
    quoted = element("pre", element("code", subject.text))
    source = f"Description of the mechanism, {subject.source}" if subject.source else "Description of the mechanism"
    return Section("Origin", joined([made_with(), titled(source, quoted)]))


def made_with() -> Html:
    """When, with which versions and on which machine a report is made."""
    rows = [
        ("made", f"{datetime.now().astimezone():%Y-%m-%d %H:%M %Z}"),
        ("groupkin", _version("groupkin")),
        ("Python", platform.python_version()),
        *((name, _version(name)) for name in PACKAGES),
        ("machine", f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"),
    ]
    return table(("", ""), rows)


def _version(package: str) -> str:
    if package == "groupkin":
        from groupkin import __version__

        return __version__
    try:
        return version(package)
    except PackageNotFoundError:
        return "–"
