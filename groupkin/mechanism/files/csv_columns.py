"""Samples in columns of CSV files: points of curves, values of laws, parameters of sweeps.

Messages on them say where, and never what is there: it may be the wrong file.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from groupkin.errors import FileError, LawError
from groupkin.mechanism.files.decoding import read_text
from groupkin.messages import counted


def read_samples(path: Path, columns: Sequence[str] | None, count: int = 2) -> list[tuple[Any, ...]]:
    """Read samples from columns of a CSV file.

    Columns are separated by commas, semicolons or tabs; lines that begin with # are comments.

    Parameters
    ----------
    path : Path
    columns : sequence of str, optional
        Names of the columns in the first row; without them the file must have just `count` columns.
    count : int

    Returns
    -------
    list of tuple
        For every sample the number of its line, and its values.

    Raises
    ------
    LawError, FileError
    """
    rows = _rows(path)
    named = bool(rows) and any(_number(cell) is None for cell in rows[0][1])
    chosen, rows = _chosen(path, rows, named, columns, count)
    return [(line, *(_cell(path, line, row, column) for column in chosen)) for line, row in rows]


def read_pieces(path: Path, columns: Sequence[str] | None) -> list[tuple[int, float, float, str]]:
    """Read a timing table: for every piece of a sequence its line, duration, rise and type.

    Parameters
    ----------
    path : Path
    columns : sequence of str, optional
        Names of the columns in the first row; without them the file must have just these three.

    Raises
    ------
    LawError, FileError
    """
    rows = _rows(path)
    named = bool(rows) and all(_number(cell) is None for cell in rows[0][1])
    (duration, rise, kind), rows = _chosen(path, rows, named, columns, 3)
    return [
        (line, _cell(path, line, row, duration), _cell(path, line, row, rise), row[kind] if kind < len(row) else "")
        for line, row in rows
    ]


def _chosen(
    path: Path, rows: list[tuple[int, list[str]]], named: bool, columns: Sequence[str] | None, count: int
) -> tuple[Sequence[int], list[tuple[int, list[str]]]]:
    """Numbers of the columns that are read, and the rows below their names, if the first row has these."""
    header, rows = (rows[0][1], rows[1:]) if named else ([], rows)
    if not rows:
        raise LawError(f"{path.name} has no samples")
    width = len(header or rows[0][1])
    for line, row in rows:
        if any(row[width:]):
            raise LawError(f"{path.name}, line {line}: there are {len(row)} cells for {width} columns")
    return _all(path, len(rows[0][1]), count) if columns is None else _named(path, header, columns), rows


def _all(path: Path, width: int, count: int) -> Sequence[int]:
    """Choose all columns of a file, which must be `count`."""
    if width != count:
        example = ", ".join(f'"{name}"' for name in "tsu"[:count])
        raise LawError(
            f"{path.name} has {width} columns, not {count}; choose columns by name, as in columns = [{example}]"
        )
    return range(count)


def _named(path: Path, header: Sequence[str], columns: Sequence[str]) -> Sequence[int]:
    """Choose columns by their names in the first row."""
    for name in columns:
        if name not in header:
            known = f"its first row names {counted(len(header), 'other')}" if header else "its first row has no names"
            raise LawError(f"{path.name} has no column {name!r}; {known}")
        if header.count(name) > 1:
            raise LawError(f"{path.name} has more than one column {name!r}")
    return [header.index(name) for name in columns]


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """Read rows of stripped cells with their line numbers, without blank lines and comments."""
    try:
        lines = read_text(path).splitlines()
    except FileNotFoundError:
        raise FileError(f"there is no file {path}; its path is relative to the file that names it") from None
    numbered = [(k, line) for k, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")]
    first = numbered[0][1] if numbered else ""
    delimiter = next((sign for sign in ";\t" if sign in first), ",")
    cells = csv.reader([line for _, line in numbered], delimiter=delimiter)
    try:
        return [(k, [cell.strip() for cell in row]) for (k, _), row in zip(numbered, cells, strict=False)]
    except csv.Error as error:
        line = numbered[min(cells.line_num, len(numbered)) - 1][0]
        raise FileError(f"{path.name}, line {line}: {error}") from None


def _cell(path: Path, line: int, row: Sequence[str], column: int) -> float:
    number = _number(row[column]) if column < len(row) else None
    if number is None or not math.isfinite(number):
        missing = "" if column < len(row) else ", and is missing"
        raise LawError(f"{path.name}, line {line}, column {column + 1}: must be a finite number{missing}")
    return number


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None
