"""C compilers, which make a shared library of C and object files."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from groupkin.errors import ExportError
from groupkin.export.targets import HERE, Machine

OPTIONS = ("-std=c99", "-O2", "-ffp-contract=off", "-fvisibility=hidden", "-shared", "-s")
"""Products and sums are not fused: a compiler that does would give other bits."""


def compiler(machine: Machine = HERE) -> list[str]:
    """Return the command of a C compiler for a machine.

    Raises
    ------
    ExportError
    """
    found = shutil.which("cc")
    if found and machine == HERE:
        here = ["-march=native"] if platform.machine() in ("x86_64", "AMD64") else []
        return [found, *here]
    if find_spec("ziglang"):
        other = ["-target", machine.linker] if machine.linker else []
        cpu = machine.code.cpu.replace("-", "_")
        return [sys.executable, "-P", "-m", "ziglang", "cc", *other, *([f"-mcpu={cpu}"] if other else [])]
    lacking = "cc is not on the PATH, and the" if machine == HERE else "other machines need the"
    raise ExportError(
        f"there is no C compiler: {lacking} package ziglang is not installed; install it, such as by "
        "`pip install ziglang`"
    )


def link(command: Sequence[str], sources: Sequence[Path], library: Path) -> None:
    """Make a shared library.

    Raises
    ------
    ExportError
    """
    position = () if library.suffix == ".dll" else ("-fPIC",)
    whole = [*command, *OPTIONS, *position, "-o", str(library), *map(str, sources)]
    whole += [] if library.suffix == ".dll" else ["-lm"]
    done = subprocess.run(whole, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ExportError(f"the C compiler failed: {' '.join(whole)}\n{done.stderr.strip()}")
