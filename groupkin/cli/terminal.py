"""Output of commands to a terminal or a pipe: tables, progress bars, notices and warnings."""

from __future__ import annotations

import errno
import logging
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from groupkin.errors import GroupkinWarning, OutputError

if TYPE_CHECKING:
    from rich.console import Console

ONE_LINE = 1_000_000
"""Width at which every row of a table fits on one line."""

CANNOT_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""What writing to a stream may end with; that its reader has ended, as ``head`` does, is left to click."""

NOTICE_AFTER, NOTICE_EVERY = 4.0, 15.0
"""Seconds of preparation after which a notice tells what is being done, and between those that it still is."""

COMPILES = "compiling kernels for this machine, which takes 4 to 20 s or more, once: later starts take about a second"
"""What a command says when the first kernel is not in the cache."""


def console(wide: bool = False) -> Console:
    """Standard output, as wide as the terminal; in a pipe `tables.WIDTH`, or if `wide` without wrapping."""
    from rich.console import Console

    from groupkin.structure.tables import WIDTH

    width = None if sys.stdout.isatty() else ONE_LINE if wide else WIDTH
    return Console(highlight=False, markup=False, emoji=False, width=width)


def print_table(columns: Sequence[str], rows: Sequence[tuple[str, ...]], wrapped: set[str], wide: bool = False) -> None:
    """Print a table as wide as the `console`; columns that are `wrapped` may take several lines."""
    from rich.table import Table

    grid = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for name in columns:
        grid.add_column(name, overflow="fold", no_wrap=name not in wrapped)
    for row in rows:
        grid.add_row(*row)
    console(wide).print(grid)


@contextmanager
def notice(message: str) -> Iterator[None]:
    """Tell on standard error what is being done, if it takes longer than `NOTICE_AFTER`, and how long it has taken."""
    done, began = threading.Event(), time.monotonic()

    def tell() -> None:
        wait, elapsed = NOTICE_AFTER, ""
        while not done.wait(wait):
            click.echo(f"groupkin: {message} …{elapsed}", err=True)
            wait, elapsed = NOTICE_EVERY, f" {time.monotonic() - began + NOTICE_EVERY:.0f} s"

    threading.Thread(target=tell, daemon=True).start()
    try:
        yield
    finally:
        done.set()


@contextmanager
def compilation_told() -> Iterator[None]:
    """Tell on standard error that kernels are compiled, if a command takes `NOTICE_AFTER` longer with it, and which.

    A command that goes on compiling tells so again every `NOTICE_EVERY`.
    """
    log = logging.getLogger("sglibrary.kernel_cache")  # which imports the compiler: not here
    last, done = [""], threading.Event()

    def tell() -> None:
        wait, message = NOTICE_AFTER, COMPILES
        while not done.wait(wait):
            if last[0]:
                click.echo(f"groupkin: {message}; now {last[0].removeprefix('compiling ')}", err=True)
            last[0], wait, message = "", NOTICE_EVERY, "still compiling"

    told = threading.Thread(target=tell, daemon=True)

    def begin(record: logging.LogRecord) -> bool:
        last[0] = record.getMessage()
        if told.ident is None:
            told.start()
        return False

    level = log.level
    log.addFilter(begin)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        done.set()
        log.setLevel(level)
        log.removeFilter(begin)


@contextmanager
def progress(total: int, doing: str = "solving") -> Iterator[Callable[[int, int], None] | None]:
    """Show a progress bar on a terminal, and nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=total)
        yield lambda done, all_of_them: bar.update(task, completed=done, total=all_of_them)


@contextmanager
def shown_warnings() -> Iterator[None]:
    """Print warnings of the project as messages, each once, without the line of source that Python would add.

    Those of numbers that overflow are not shown: what they lead to is reported as NaN, or as an error.
    """
    others, shown = warnings.showwarning, set[str]()

    def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if issubclass(category, GroupkinWarning):
            if str(message) in shown:
                return
            shown.add(str(message))
            click.echo(f"groupkin: warning: {message}", err=True)
        else:
            others(message, category, *place, **more)

    with warnings.catch_warnings():
        warnings.simplefilter("always", GroupkinWarning)
        warnings.simplefilter("ignore", RuntimeWarning)
        warnings.showwarning = show
        yield


@contextmanager
def standard_output() -> Iterator[None]:
    """Raise as `OutputError` that standard output cannot be written, such as to a full disk; then it is given up."""
    if sys.stdout is None:  # closed by who has started the program
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  # until the process ends
    try:
        yield
    except OSError as error:
        if error.filename is not None or error.errno not in CANNOT_WRITE:  # errors of files name the file
            raise
        # what is left in the buffer would be written when the process ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise OutputError(f"standard output cannot be written: {error.strerror}") from None
