"""The first use of compiled code: a second process compiles a part of what is needed.

Loops over steps do not depend on the mechanism. So a process of its own compiles them, and then the kernels of a
program, while this one compiles what it needs first, and kernels from the last one on. All is left in the cache, where
this process waits for what the other one has begun (`sglibrary.kernel_cache`). If the process fails, only time is
lost: what is not in the cache is compiled here.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NamedTuple, NoReturn

from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]

from groupkin.child_processes import python_command
from groupkin.kinematics.program.program import Call
from sglibrary import kernel_cache, written_out
from sglibrary.iterative.knot_loop import advance
from sglibrary.kernel_cache import is_kept
from sglibrary.run.motion_loop import solve_steps

Task = list[Any]
"""Module, function and arguments of a call that compiles something."""

LOOPS = "groupkin.kinematics.solving.shared_loops"

IDLE = 20.0
"""Time without a task after which the second process ends, s."""


class _SecondProcess(NamedTuple):
    """The process, the tasks that wait for it, and the file in which the process tells what it compiles."""

    process: subprocess.Popen[bytes]
    tasks: queue.SimpleQueue[str]
    told: IO[bytes]


_running: list[_SecondProcess] = []
"""The second process, while it runs."""

_given = set[str]()
"""All tasks that a second process was ever given."""

NO_MORE = "GROUPKIN_COMPILES_AHEAD"
"""Environment variable of a process that compiles ahead, which starts none itself."""


def ahead(function: Any, *tasks: Task) -> bool:
    """Let a second process do tasks that compile a function and others, unless the function was ever compiled.

    Parameters
    ----------
    function : compiled function
    *tasks : Task

    Returns
    -------
    bool
        Whether a second process does them.
    """
    if DISABLE_JIT or function.signatures or is_kept(function):
        return False
    return _give(tasks)


def begin(calls: Sequence[Call]) -> None:
    """Compile what some calls need before their kernels are compiled; a second process compiles the rest."""
    iterates = any(call.knot is not None for call in calls)
    begun = ahead(solve_steps, [LOOPS, "compile_steps"])
    if iterates:
        begun = ahead(advance, [LOOPS, "compile_knots"]) or begun
    if begun:
        _give([[LOOPS, "compile_kernel", made_of(kernel)] for kernel in in_order(calls)])
    if iterates:
        written_out.compile_loop()
        for name in {name for call in calls for name in getattr(call.kernel, "prepared", ())}:
            written_out.compile_prepared(name)


def in_order(calls: Sequence[Call]) -> list[Any]:
    """List the kernels of some calls in the order in which the second process compiles them."""
    return list(dict.fromkeys(call.kernel for call in sorted(calls, key=lambda call: call.knot is None)))


def made_of(kernel: Any) -> Any:
    """Name a kernel for the second process: by its texts, or by a module and a function."""
    return getattr(kernel, "texts", (kernel.__module__, kernel.__name__))


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _give(tasks: Sequence[Task]) -> bool:
    """Give tasks to the second process, which is started if need be and if there is a processor for it."""
    while _running and _running[-1].process.poll() is not None:
        _running.pop()
    if not _running:
        if processors() < 2 or "mpi4py.MPI" in sys.modules or not Path(sys.executable or "").stem.startswith("python"):
            return False
        if NO_MORE in os.environ:
            return False
        with suppress(OSError, RuntimeError):  # if no more processes, files or threads are allowed, it does not help
            _start()
    for second in _running:
        for task in map(json.dumps, tasks):
            if task not in _given:
                _given.add(task)
                second.tasks.put(task)
    return bool(_running)


def _start() -> None:
    with ExitStack() as opened:
        told = opened.enter_context(tempfile.TemporaryFile("ab+"))
        process = subprocess.Popen(
            python_command(__name__),
            stdin=subprocess.PIPE,
            stdout=told,
            stderr=subprocess.DEVNULL,
            env=os.environ | {NO_MORE: "1"},
        )
        second = _SecondProcess(process, queue.SimpleQueue(), told)
        opened.callback(_end, second)
        threading.Thread(target=_hand_on, args=(second,), daemon=True).start()
        opened.pop_all()
    _running.append(second)
    atexit.register(_end, second)
    if _wait not in kernel_cache.ON_MISSING:
        kernel_cache.ON_MISSING.append(_wait)


def _hand_on(second: _SecondProcess) -> None:
    """Write tasks to the process as it takes them; without tasks its input is closed, and the process ends."""
    given = second.process.stdin
    assert given is not None
    with suppress(queue.Empty, OSError, ValueError), given:
        while True:
            given.write(second.tasks.get(timeout=IDLE).encode() + b"\n")
            given.flush()


def _wait(name: str) -> None:
    """Wait while the second process compiles what goes to a file of some name."""
    for second in _running:
        if second.process.poll() is None and _last_told(second.told) == f"+{name}":
            kernel_cache.LOG.info("compiling %s in a second process", name.partition("-")[0])
        while second.process.poll() is None and _last_told(second.told) == f"+{name}":
            time.sleep(0.005)


def _last_told(told: IO[bytes]) -> str:
    """Return what a process has told last; it appends, wherever the position is, which both have."""
    told.seek(0)
    return told.read().decode().rstrip("\n").rpartition("\n")[2]


def _end(second: _SecondProcess) -> None:
    """Do not leave a process behind."""
    second.process.terminate()
    second.process.wait()
    second.told.close()


# --- the second process ------------------------------------------------------------------------------


def main() -> NoReturn:
    """Do what standard input asks for, line by line; tell what is begun to be compiled (+) and what is kept (-)."""
    gc.disable()  # this process ends before what it makes needs room
    kernel_cache.ON_MISSING.append(lambda name: print(f"+{name}", flush=True))
    kernel_cache.ON_KEPT.append(lambda name: print(f"-{name}", flush=True))
    for line in sys.stdin:
        module, function, *arguments = json.loads(line)
        getattr(import_module(module), function)(*arguments)
    os._exit(0)  # at once: to take down what was compiled costs half a second
