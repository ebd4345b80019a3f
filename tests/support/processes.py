"""Programs that the tests start, alone or under mpiexec."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.paths import ROOT, SUPPORT

FAKE = SUPPORT / "fake_sweep.py"
TIMEOUT = 150.0
"""Seconds after which something hangs."""


SIGNALS = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
"""Signals by which tests end programs, and what a process does at them that was started in a terminal."""


@contextmanager
def usual_signals() -> Iterator[None]:
    """Let this process and those that it starts receive signals, also if they are ignored or blocked.

    A shell lets programs in the background ignore interrupts, and all programs inherit this.
    """
    before = {number: signal.signal(number, handler) for number, handler in SIGNALS.items()}
    blocked = signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS) if hasattr(signal, "pthread_sigmask") else None
    try:
        yield
    finally:
        if blocked is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        for number, handler in before.items():
            signal.signal(number, handler)


def mpiexec() -> str:
    """Return the path of mpiexec, or skip the test."""
    beside = Path(sys.executable).with_name("mpiexec")
    path = str(beside) if beside.exists() else shutil.which("mpiexec")
    if path is None or subprocess.run([sys.executable, "-c", "import mpi4py.MPI"], check=False).returncode:
        pytest.skip("there is no MPI")
    return path


def start(ranks: int, *command: str | Path, **variables: str) -> subprocess.Popen[str]:
    """Start a Python program on some ranks, or without mpiexec if `ranks` is 0; `variables` are of its environment."""
    launcher = [mpiexec(), "-n", str(ranks)] if ranks else []
    return subprocess.Popen(
        [*launcher, sys.executable, *map(str, command)],
        # one thread: a rank that waits for compute on a machine with fewer cores than ranks must not wait for long
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def start_each(*commands: Sequence[str | Path]) -> subprocess.Popen[str]:
    """Start the command line once for each of some lists of arguments, as the ranks of one job."""
    ranks = [["-n", "1", sys.executable, "-m", "groupkin", *map(str, command)] for command in commands]
    separated = [word for k, rank in enumerate(ranks) for word in ([":"] * (k > 0) + rank)]
    return subprocess.Popen(
        [mpiexec(), *separated],
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def output(process: subprocess.Popen[str]) -> str:
    """Wait until a process ends by itself; returns what it has printed."""
    try:
        return process.communicate(timeout=TIMEOUT)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        pytest.fail(f"this hangs: {process.args}\n{process.communicate()[0]}")


def run(ranks: int, *command: str | Path, **variables: str) -> str:
    """Run a Python program as `start` does; returns what it has printed, after success."""
    process = start(ranks, *command, **variables)
    printed = output(process)
    assert process.returncode == 0, printed
    return printed


def wait_until(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait until something is true, while a process runs."""
    end = time.monotonic() + TIMEOUT
    while not condition():
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < end
        time.sleep(0.002)


def descendants(pid: int) -> list[int]:
    """List the processes that a process has started, and those that they have started; none of one that has ended."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid for child in map(int, children) for pid in (child, *descendants(child))]


def command_line(pid: int) -> str:
    """Return the command line of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""
