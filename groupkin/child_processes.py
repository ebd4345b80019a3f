"""Python processes that this one starts: they import what this one would, and nothing from the working directory.

Without more ado Python searches the working directory first for what ``-m`` and ``-c`` import, where a mechanism that
somebody sent may lie beside a file ``groupkin.py``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SAFE_PATH = "PYTHONSAFEPATH"
"""Environment variable by which Python leaves the working directory out."""


def python_command(module: str) -> list[str]:
    """Return the command of a Python process that calls ``main()`` of a module of this project.

    It finds modules where this process does, wherever these folders come from (an editable installation, PYTHONPATH, a
    script), and the project where it was imported from; folders relative to the working directory are left out.
    """
    project = str(Path(__file__).resolve().parents[1])
    places = [*(place for place in sys.path if Path(place).is_absolute()), project]
    code = f"import sys; sys.path[:] = {places!r}; from {module} import main; main()"
    return [sys.executable, "-P", "-c", code]


@contextmanager
def safe_path() -> Iterator[None]:
    """Let Python processes that `multiprocessing` starts meanwhile leave the working directory out.

    They take over the search path of this process before they import anything else than `multiprocessing` itself.
    """
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        restore_path(before)


def restore_path(before: str | None) -> None:
    """Undo `safe_path`; in a process that was started meanwhile, for those that it starts itself."""
    if before is None:
        os.environ.pop(SAFE_PATH, None)
    else:
        os.environ[SAFE_PATH] = before
