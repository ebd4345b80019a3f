"""Tables and trees on a terminal or in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

ONE_LINE = 1_000_000
"""Width of a table each of whose rows is one line."""


def console(wide: bool = False) -> Console:
    """Standard output as wide as the terminal; in a pipe `tables.WIDTH`, or if it is `wide` one line per row."""
    from rich.console import Console

    from groupkin.structure.tables import WIDTH

    width = None if sys.stdout.isatty() else ONE_LINE if wide else WIDTH
    return Console(highlight=False, markup=False, emoji=False, width=width)


def print_table(columns: Sequence[str], rows: Sequence[tuple[str, ...]], wrapped: set[str], wide: bool = False) -> None:
    """A table as wide as the `console`; the columns that are `wrapped` may take several lines."""
    from rich.table import Table

    grid = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for name in columns:
        grid.add_column(name, overflow="fold", no_wrap=name not in wrapped)
    for row in rows:
        grid.add_row(*row)
    console(wide).print(grid)
