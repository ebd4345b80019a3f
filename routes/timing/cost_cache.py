"""Measured costs of this machine, kept in a file of the user's cache directory.

The file is an SQLite database, one for each machine and version: seconds by what was measured, block size and backend.
Measurements of a group are named after its signature and solver, so that a mechanism made of known groups needs no new
measurement.
"""

from __future__ import annotations

import math
import os
import platform
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

import numba

import groupkin
from groupkin.cache_directory import DIRECTORY_VARIABLE, cache_directory
from groupkin.errors import OutputError

Key = tuple[str, int, str]
"""What was measured, steps per block (0 where they do not matter), and the name of the backend."""

_TABLE = """create table if not exists cost (
    what text not null, block integer not null, backend text not null, seconds real not null, measured text not null,
    primary key (what, block, backend))"""


def cache_file() -> Path:
    """The file of measurements of this machine and version."""
    machine = f"{platform.node()}-{platform.machine()}-{os.cpu_count()}"
    return cache_directory() / f"tuning-{machine}-groupkin{groupkin.__version__}-numba{numba.__version__}.sqlite"


def read_costs(path: Path, keys: Iterable[Key]) -> dict[Key, float]:
    """Read the seconds of those keys that have been measured; none if there is no file, or it cannot be read."""
    if not path.exists():
        return {}
    costs: dict[Key, float] = {}
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5.0)) as database:
            for key in set(keys):
                row = database.execute(
                    "select seconds from cost where what=? and block=? and backend=?", key
                ).fetchone()
                if row is not None and 0.0 <= float(row[0]) < math.inf:  # 0: too short to be measured
                    costs[key] = float(row[0])
    except (sqlite3.Error, TypeError, ValueError):  # damaged, or of another program: measure again
        return {}
    return costs


def write_costs(path: Path, measured: Mapping[Key, float]) -> None:
    """Write measurements, in place of earlier ones.

    Raises
    ------
    OutputError
        If the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, timeout=5.0)) as database, database:
            database.execute(_TABLE)
            rows = [(*key, seconds) for key, seconds in measured.items()]
            database.executemany("insert or replace into cost values (?, ?, ?, ?, datetime('now'))", rows)
    except (OSError, sqlite3.Error) as error:
        raise OutputError(
            f"{path}: measurements cannot be written: {error}. Delete the file if it is damaged, set "
            f"{DIRECTORY_VARIABLE} to another directory, or use --no-cache"
        ) from None
