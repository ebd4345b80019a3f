"""Progress of a batch: one line that moves on a terminal, and now and then a line in a log file."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cluster.workers.work import Seen

FIRST, EVERY = 10.0, 60.0
"""Seconds until the first line in a log file, and between two of them."""

LAUNCHERS = ("mpiexec", "mpirun", "orterun", "prterun", "hydra", "prun", "srun")
"""Programs that pass on what their processes say."""


@contextmanager
def shown(samples: int, done: int, failed: int) -> Iterator[Seen]:
    """Show on standard error how many samples are done and have failed, the rate of this run, and the time left."""
    with (_live if _at_terminal() else _logged)(samples, done, failed) as seen:
        yield seen


@contextmanager
def _live(samples: int, done: int, failed: int) -> Iterator[Seen]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        TextColumn("{task.completed:.0f} of {task.total:.0f} samples, {task.fields[failed]} failed"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    console = Console(file=sys.stderr, force_terminal=True)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=samples, completed=done, failed=failed, rate="")
        tally = _Tally(samples, done, failed)

        def seen(more: int, failures: int) -> None:
            tally.add(more, failures)
            bar.update(task, completed=tally.done, failed=tally.failed, rate=per_second(tally.rate))

        yield seen


@contextmanager
def _logged(samples: int, done: int, failed: int) -> Iterator[Seen]:
    tally = _Tally(samples, done, failed)
    due = time.monotonic() + FIRST

    def seen(more: int, failures: int) -> None:
        nonlocal due
        tally.add(more, failures)
        if time.monotonic() >= due and tally.done < samples:
            due = time.monotonic() + EVERY
            print(f"groupkin: {tally}", file=sys.stderr, flush=True)

    yield seen


class _Tally:
    def __init__(self, samples: int, done: int, failed: int):
        self.samples, self.done, self.failed = samples, done, failed
        self._before, self._start = done, time.monotonic()

    def add(self, more: int, failures: int) -> None:
        self.done += more
        self.failed += failures

    @property
    def rate(self) -> float:
        """Samples per second of this run."""
        return (self.done - self._before) / max(time.monotonic() - self._start, 1e-9)

    def __str__(self) -> str:
        left = (self.samples - self.done) / self.rate if self.rate else float("inf")
        return (
            f"{self.done} of {self.samples} samples, {self.failed} failed, {per_second(self.rate)}, "
            f"{duration(left)} left"
        )


def duration(seconds: float) -> str:
    """Such as 2.5 s, 3 min 20 s or 5 h 12 min."""
    if seconds < 60:
        return f"{seconds:.2g} s"
    if seconds == float("inf"):
        return "unknown time"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"


def per_second(rate: float) -> str:
    """Such as 0.123 per second or 12345 per second."""
    return f"{rate:.0f} per second" if rate >= 100 else f"{rate:.3g} per second"


def amount(size: float) -> str:
    """Such as 1.23 MB."""
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} TB"


def _at_terminal() -> bool:
    """Whether standard error ends at a terminal; under mpiexec it is a pipe, and that of mpiexec counts."""
    if sys.stderr.isatty():
        return True
    pid = os.getppid()
    try:
        while pid > 1:
            name = Path(f"/proc/{pid}/comm").read_text(encoding="ascii", errors="replace").strip()
            if not name.startswith(LAUNCHERS):
                return False
            if Path(f"/proc/{pid}/fd/2").readlink().is_relative_to("/dev/pts"):
                return True
            # the name of the program, in parentheses, may hold blanks
            pid = int(
                Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[1]
            )
    except (OSError, ValueError):
        pass
    return False
