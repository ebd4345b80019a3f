"""The first use of groups that are solved by iteration, which takes long to compile: a second process helps.

The loops over knots and over blocks of steps do not depend on the mechanism. A process of its own compiles them
(`groupkin.kinematics.solving.shared_loops`) while this one compiles the loop over steps of groups that are written out,
and leaves them in the cache. If it fails, only time is lost: what is not in the cache is compiled here.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from pathlib import Path

from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]

from sglibrary.iterative.knot_loop import advance
from sglibrary.kernel_cache import is_kept

_helpers: list[subprocess.Popen[bytes]] = []
"""The process that compiles, if there is one."""


def begin() -> None:
    """Let a second process compile what is shared, unless that was ever done, or there is no processor for it."""
    if DISABLE_JIT or _helpers or advance.signatures or is_kept(advance):
        return
    python = Path(sys.executable or "")
    if processors() < 2 or "mpi4py.MPI" in sys.modules or not python.stem.startswith("python"):
        return
    command = [str(python), "-m", "groupkin.kinematics.solving.shared_loops"]
    nothing = subprocess.DEVNULL
    try:
        _helpers.append(subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing))
    except OSError:  # no more processes are allowed
        return
    atexit.register(_end)


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def wait() -> None:
    """Wait until what is shared is in the cache."""
    if _helpers:
        _helpers[0].wait()
        _helpers.clear()


def _end() -> None:
    """Do not leave a process behind."""
    for helper in _helpers:
        helper.terminate()
        helper.wait()
