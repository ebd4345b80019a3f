"""The first use of groups that are solved by iteration, which takes long to compile: a second process helps.

The loops over knots and over blocks of steps do not depend on the mechanism. A process of its own compiles them, and
then the kernels of a program (`groupkin.kinematics.solving.shared_loops`), while this one compiles the loop over steps
of groups that are written out and, from the last one on, kernels that the other has not begun. All is left in the
cache. If the process fails, only time is lost: what is not in the cache is compiled here.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]

from groupkin.child_processes import python_command
from groupkin.kinematics.program.program import Call
from sglibrary import written_out
from sglibrary.iterative.knot_loop import advance
from sglibrary.kernel_cache import is_kept
from sglibrary.run.calls import handle


class _SecondProcess(NamedTuple):
    """A process that compiles the loops and then kernels, the file to which it writes a byte before each, and last."""

    process: subprocess.Popen[bytes]
    kernels: list[Any]
    begun: IO[bytes]


_running: list[_SecondProcess] = []
"""It, while what it compiles is waited for."""


def begin(calls: Sequence[Call]) -> None:
    """Compile the loop over steps, and what goes before, if one of some calls needs it; a second process the rest."""
    if all(call.knot is None for call in calls):
        return
    _start_second(calls)
    written_out.compile_loop()
    for name in {name for call in calls for name in getattr(call.kernel, "prepared", ())}:
        written_out.compile_prepared(name)


def _start_second(calls: Sequence[Call]) -> None:
    """Let a second process compile the rest, unless that was ever done, or there is no processor for it."""
    if DISABLE_JIT or _running or advance.signatures or is_kept(advance):
        return
    if processors() < 2 or "mpi4py.MPI" in sys.modules or not Path(sys.executable or "").stem.startswith("python"):
        return
    command = python_command("groupkin.kinematics.solving.shared_loops")
    kernels = list(dict.fromkeys(call.kernel for call in sorted(calls, key=lambda call: call.knot is None)))
    with suppress(OSError), ExitStack() as opened:  # if no more processes are allowed, or no files, it does not help
        begun = opened.enter_context(tempfile.TemporaryFile())
        with tempfile.TemporaryFile() as made_of:  # a pipe would be full until the other process reads it
            # texts, or the names of a module and of a function
            texts = [getattr(kernel, "texts", (kernel.__module__, kernel.__name__)) for kernel in kernels]
            made_of.write(json.dumps(texts).encode())
            made_of.seek(0)
            process = subprocess.Popen(command, stdin=made_of, stdout=begun, stderr=subprocess.DEVNULL)
        second = _SecondProcess(process, kernels, begun)
        _running.append(second)
        atexit.register(_end, second)
        opened.pop_all()


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def finish() -> None:
    """Compile kernels that the second process has not begun, from the last one on, and wait for the others."""
    if not _running:
        return
    process, kernels, begun = _running.pop()
    while kernels and os.fstat(begun.fileno()).st_size < len(kernels):
        handle(kernels.pop())
    with begun:
        while os.fstat(begun.fileno()).st_size <= len(kernels) and process.poll() is None:
            time.sleep(0.005)


def _end(second: _SecondProcess) -> None:
    """Do not leave a process behind."""
    second.process.terminate()
    second.process.wait()
    second.begun.close()
