"""Progress of a batch: a line that is updated on a terminal, and a line from time to time in a log file."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

Show = Callable[[int, int, int], None]
"""Called with the samples that are done, all samples, and those that failed; first with what was done before."""
Line = Callable[[int, int, int, float], None]
"""The same, and also the samples per second of this run."""

FIRST_LINE, LINE_INTERVAL = 10.0, 60.0
"""Seconds until the first line in a log file, and between two of them."""

LAUNCHERS = ("mpiexec", "mpirun", "orterun", "prterun", "hydra", "prun", "srun")
"""Programs that pass on the output of their processes."""


@contextmanager
def progress_line() -> Iterator[Show]:
    """Show on standard error how many samples are done and have failed, the rate of this run, and the time left."""
    begin: tuple[int, float] | None = None
    with (_live if _at_terminal() else _logged)() as line:

        def show(done: int, samples: int, failed: int) -> None:
            nonlocal begin
            now = time.monotonic()
            before, start = begin = begin or (done, now)
            line(done, samples, failed, (done - before) / max(now - start, 1e-9))

        yield show


@contextmanager
def _live() -> Iterator[Line]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        TextColumn("{task.completed:.0f} of {task.total:.0f} samples, {task.fields[failed]} failed"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    bar = Progress(*columns, console=Console(file=sys.stderr, force_terminal=True), transient=True)

    def line(done: int, samples: int, failed: int, rate: float) -> None:
        if not bar.task_ids:
            bar.add_task("", total=samples, completed=done, failed=failed, rate="")
            bar.start()
        bar.update(bar.task_ids[0], completed=done, failed=failed, rate=format_rate(rate) if rate else "")

    try:
        yield line
    finally:
        if bar.task_ids:
            bar.stop()


@contextmanager
def _logged() -> Iterator[Line]:
    due = 0.0

    def line(done: int, samples: int, failed: int, rate: float) -> None:
        nonlocal due
        now = time.monotonic()
        if not due:
            due = now + FIRST_LINE
        elif now >= due and done < samples:
            due = now + LINE_INTERVAL
            text = f"{done} of {samples} samples, {failed} failed, {format_rate(rate)}"
            print(f"groupkin: {text}, {format_duration((samples - done) / rate)} left", file=sys.stderr, flush=True)

    yield line


def format_duration(seconds: float) -> str:
    """Format a time, such as 2.5 s, 3 min 20 s or 5 h 12 min."""
    if seconds < 60:
        return f"{seconds:.2g} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"


def format_rate(rate: float) -> str:
    """Format a rate, such as 0.123 per second or 12345 per second."""
    return f"{rate:.0f} per second" if rate >= 100 else f"{rate:.3g} per second"


def _at_terminal() -> bool:
    """Return True if standard error ends at a terminal; under mpiexec it is a pipe, and that of mpiexec counts."""
    if sys.stderr.isatty():
        return True
    pid = os.getppid()
    try:
        while pid > 1:
            process = Path(f"/proc/{pid}")
            if not (process / "comm").read_text(encoding="ascii", errors="replace").startswith(LAUNCHERS):
                return False
            if (process / "fd" / "2").readlink().is_relative_to("/dev/pts"):
                return True
            # the name of the program, in parentheses, may contain blanks
            status = (process / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2]
            pid = int(status.split()[1])
    except (OSError, ValueError):
        pass
    return False
