"""Samples from columns of CSV files: points of curves, values of laws, parameters of sweeps."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from groupkin.errors import FileError, LawError


def read_samples(path: Path, columns: Sequence[str] | None, count: int = 2) -> list[tuple[Any, ...]]:
    """Samples from columns of a CSV file, each with its line before it; it has `count` columns if they are not named.

    Comma, semicolon or tab is between columns, # before comments.

    Raises
    ------
    LawError, FileError
    """
    rows = _rows(path)
    header = [] if not rows or all(_number(cell) is not None for cell in rows[0][1]) else rows.pop(0)[1]
    if not rows:
        raise LawError(f"{path.name} has no samples")
    width = len(header or rows[0][1])
    chosen = _all(path, len(rows[0][1]), count) if columns is None else _named(path, header, columns)
    for line, row in rows:
        if any(row[width:]):
            raise LawError(f"{path.name}, line {line}: there are {len(row)} cells, but columns: {width}")
    return [(line, *(_cell(path, line, row, column) for column in chosen)) for line, row in rows]


def _all(path: Path, found: int, count: int) -> Sequence[int]:
    """All columns, of which there must be so many."""
    if found != count:
        words = {1: "one", 2: "two", 3: "three"}[count]
        example = ", ".join(f'"{name}"' for name in "tsu"[:count])
        raise LawError(
            f"{path.name} has {found} columns, not {words}; name the columns that are meant, as in "
            f"columns = [{example}]"
        )
    return range(count)


def _named(path: Path, header: Sequence[str], columns: Sequence[str]) -> Sequence[int]:
    from groupkin.mechanism.schema import hint

    for name in columns:
        if name not in header:
            listed = f"its columns are {', '.join(header)}" if header else "its first row holds no names"
            raise LawError(f"{path.name} has no column {name!r}{hint(name, header)}; {listed}")
        if header.count(name) > 1:
            raise LawError(f"{path.name} has more than one column {name!r}")
    return [header.index(name) for name in columns]


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """Rows of stripped cells with their line numbers, without blank lines and comments."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        raise FileError(f"there is no file {path}; its path is relative to the file that names it") from None
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"{path} cannot be read: {error}") from None
    numbered = [(k, line) for k, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")]
    first = numbered[0][1] if numbered else ""
    delimiter = next((sign for sign in ";\t" if sign in first), ",")
    cells = csv.reader([line for _, line in numbered], delimiter=delimiter)
    return [(k, [cell.strip() for cell in row]) for (k, _), row in zip(numbered, cells, strict=False)]


def _cell(path: Path, line: int, row: Sequence[str], column: int) -> float:
    number = _number(row[column]) if column < len(row) else None
    if number is None or not math.isfinite(number):
        given = repr(row[column]) if column < len(row) else "missing"
        raise LawError(f"{path.name}, line {line}, column {column + 1}: must be a finite number, not {given}")
    return number


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None
