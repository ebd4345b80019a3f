"""Machines that a library is made for."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from groupkin.errors import ExportError
from groupkin.messages import nearest
from sglibrary.exported.objects import Target


@dataclass(frozen=True)
class Machine:
    """A machine that a library is made for.

    Attributes
    ----------
    code : Target
        As LLVM names it.
    linker : str
        As ziglang names it; "" for this machine.
    library : str
        Name of a library file, with the name of the mechanism in braces.
    """

    code: Target
    linker: str
    library: str


HERE = Machine(Target(), "", {"win32": "{}.dll", "darwin": "lib{}.dylib"}.get(sys.platform, "lib{}.so"))
"""This machine, with all instructions that its processor has."""

_LINUX = "x86_64-unknown-linux-gnu"

TARGETS = {
    "x86-64": Machine(Target(_LINUX, "x86-64"), "x86_64-linux-gnu", "lib{}.so"),
    "x86-64-v3": Machine(Target(_LINUX, "x86-64-v3"), "x86_64-linux-gnu", "lib{}.so"),
    "aarch64-linux": Machine(Target("aarch64-unknown-linux-gnu", "generic"), "aarch64-linux-gnu", "lib{}.so"),
    "windows": Machine(Target("x86_64-w64-windows-gnu", "x86-64"), "x86_64-windows-gnu", "{}.dll"),
    "macos-arm64": Machine(Target("arm64-apple-macosx11.0.0", "apple-m1"), "aarch64-macos", "lib{}.dylib"),
}
"""Other machines, by name. All have 64 bits: integers of compiled code are addresses as well."""


def machine(target: str | None) -> Machine:
    """Return a machine by its name; this one by default.

    Raises
    ------
    ExportError
    """
    if target is None:
        return HERE
    if target not in TARGETS:
        near = nearest(target, list(TARGETS))
        meant = f"; did you mean {near}?" if near else "."
        raise ExportError(f"there is no target {target!r}{meant} Targets are {', '.join(TARGETS)}")
    return TARGETS[target]
