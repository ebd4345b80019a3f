"""The first use of groups that are solved by iteration, which takes long to compile: a second process helps.

The loops over knots and over blocks of steps do not depend on the mechanism. A process of its own compiles them, and
then the kernels of a program (`groupkin.kinematics.solving.shared_loops`), while this one compiles the loop over steps
of groups that are written out and, from the last one on, kernels of closed forms. All is left in the cache. If the
process fails, only time is lost: what is not in the cache is compiled here.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]

from groupkin.kinematics.program.program import Call
from sglibrary import written_out
from sglibrary.iterative.knot_loop import advance
from sglibrary.kernel_cache import is_kept
from sglibrary.run.calls import handle

_helpers: list[subprocess.Popen[bytes]] = []
"""The process that compiles, if there is one."""


def begin(calls: Sequence[Call]) -> None:
    """Compile the loop over steps if one of some calls needs it; a second process compiles the rest meanwhile."""
    if all(call.knot is None for call in calls):
        return
    _let_help(calls)
    if any(hasattr(call.kernel, "texts") for call in calls):
        written_out.compile_loop()


def _let_help(calls: Sequence[Call]) -> None:
    """Let a second process compile what is shared, unless that was ever done, or there is no processor for it."""
    if DISABLE_JIT or _helpers or advance.signatures or is_kept(advance):
        return
    python = Path(sys.executable or "")
    if processors() < 2 or "mpi4py.MPI" in sys.modules or not python.stem.startswith("python"):
        return
    command = [str(python), "-m", "groupkin.kinematics.solving.shared_loops"]
    nothing = subprocess.DEVNULL
    try:
        helper = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=nothing, stderr=nothing)
        _helpers.append(helper)
        assert helper.stdin is not None
        with helper.stdin as line:
            line.write(json.dumps(_kernels(calls)).encode())
    except OSError:  # no more processes are allowed, or it has ended
        return
    atexit.register(_end)


def _kernels(calls: Sequence[Call]) -> list[tuple[object, ...]]:
    """What kernels are made of: texts, or the names of a module and of a function; those of texts first."""
    iterated = [call.kernel.texts for call in calls if hasattr(call.kernel, "texts")]
    closed = [(call.kernel.__module__, call.kernel.__name__) for call in calls if call.knot is None]
    return list(dict.fromkeys([*iterated, *closed]))


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def finish(calls: Sequence[Call]) -> None:
    """Wait until what is shared is in the cache, and compile kernels of closed forms until then."""
    for call in reversed(calls):
        if _helpers and call.knot is None:
            handle(call.kernel)
    if _helpers:
        _helpers[0].wait()
        _helpers.clear()


def _end() -> None:
    """Do not leave a process behind."""
    for helper in _helpers:
        helper.terminate()
        helper.wait()
