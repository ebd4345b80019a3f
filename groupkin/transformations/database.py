"""A file that keeps structural transformations, in SQLite, and questions to it.

Tables: ``about`` (what the search found), ``structure`` (drivers and groups as JSON), ``driver``, ``block`` (one row
per group) and ``measure`` (values of the criteria). A question is data: it is taken apart here, its words become
parameters of the query, and the file is opened for reading only.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from groupkin.durable_files import check_place, disk_errors, remove_abandoned, replacing_file, resolved
from groupkin.errors import FileError, OutputError, QueryError, shown
from groupkin.transformations.criteria import check_order, sort_key

SUFFIXES = (".sqlite", ".sqlite3", ".db")

FORMAT = "groupkin transformations 1"

TABLES = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE structure (id INTEGER PRIMARY KEY, drivers TEXT, groups TEXT, types TEXT, symmetric INTEGER);
CREATE TABLE driver (structure INTEGER REFERENCES structure, joint TEXT, freedoms INTEGER);
CREATE TABLE block (structure INTEGER REFERENCES structure, number INTEGER, bodies TEXT, size INTEGER, type TEXT);
CREATE TABLE measure (structure INTEGER REFERENCES structure, criterion TEXT, value REAL);
CREATE INDEX driver_joint ON driver (structure, joint);
CREATE INDEX block_type ON block (structure, type);
CREATE UNIQUE INDEX measure_criterion ON measure (structure, criterion);
"""

CONDITION = re.compile(r"""\s*(\w+)\s*(<=|>=|!=|==|=|<|>)\s*("[^"]*"|'[^']*'|[^\s"']+)\s*(\band\b|$)""", re.IGNORECASE)

SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"

WRITE_ONE = "groupkin transform FILE --out structures.sqlite writes them"
CONDITIONS, LONGEST = 100, 10_000
"""Conditions of a question, and characters of one of its texts, at most."""

NAMES = {"driver": "SELECT structure FROM driver WHERE joint = ?", "type": "SELECT structure FROM block WHERE type = ?"}
"""Conditions on names: a joint that is driven, the type of one of the groups."""


def save(path: Path, name: str, data: Mapping[str, Any]) -> None:
    """Write transformations to a file; one that is there and holds such data is replaced.

    Parameters
    ----------
    path : Path
    name : str
        Of the mechanism.
    data : mapping
        As from `groupkin.transformations.exploration.Transformations.as_data`.

    Raises
    ------
    OutputError
        If the file has another suffix, holds something else or cannot be written.
    """
    check_target(path)
    with disk_errors(path, begun=False):
        remove_abandoned(resolved(path))
        with replacing_file(path) as draft:
            try:
                with closing(sqlite3.connect(draft)) as base, base:
                    base.execute("PRAGMA journal_mode = MEMORY")  # a draft needs no file beside it
                    base.executescript(TABLES)
                    _fill(base, name, data)
            except sqlite3.Error as error:
                raise OutputError(f"{path} cannot be written: {error}") from None


def check_target(path: Path) -> None:
    """Refuse a file that structures cannot be written to; see `save`."""
    if path.suffix not in SUFFIXES:
        raise OutputError(f"{path.name}: structures are written to a file that ends in {' or '.join(SUFFIXES)}")
    check_place(path)
    if path.exists() and path.stat().st_size:
        try:
            _about(path)
        except FileError:
            raise OutputError(f"{path}: holds something else; name another file, or remove it") from None


def _fill(base: sqlite3.Connection, name: str, data: Mapping[str, Any]) -> None:
    about = {key: value for key, value in data.items() if key != "structures"}
    about = {"format": FORMAT, "mechanism": name, **about}
    base.executemany("INSERT INTO about VALUES (?, ?)", [(key, json.dumps(value)) for key, value in about.items()])
    for k, entry in enumerate(data["structures"], 1):
        texts = [json.dumps(entry[key]) for key in ("drivers", "groups", "types")]
        base.execute("INSERT INTO structure VALUES (?, ?, ?, ?, ?)", (k, *texts, entry["symmetric"]))
        base.executemany("INSERT INTO driver VALUES (?, ?, ?)", [(k, *item) for item in entry["drivers"].items()])
        blocks = zip(entry["groups"], entry["types"], strict=True)
        base.executemany(
            "INSERT INTO block VALUES (?, ?, ?, ?, ?)",
            [(k, number, ", ".join(own), len(own), kind) for number, (own, kind) in enumerate(blocks, 1)],
        )
        base.executemany("INSERT INTO measure VALUES (?, ?, ?)", [(k, *item) for item in entry["criteria"].items()])


def load(path: Path, where: Sequence[str] = (), sort: Sequence[str] = ()) -> tuple[str, dict[str, Any]]:
    """The mechanism's name and the structures of a file that meet all conditions.

    Parameters
    ----------
    path : Path
    where : sequence of str
        Conditions such as ``groups >= 8 and closed = 1``, ``driver = crank``, ``type != 3R2D``.
    sort : sequence of str
        Criteria, as in `groupkin.transformations.exploration.transform`; by default the order of the file.

    Returns
    -------
    name, data
        As given to `save`; the counts are those of the search, whatever is asked for.

    Raises
    ------
    FileError
        If the file cannot be read or is no such file.
    QueryError
        If a condition or a criterion cannot be understood.
    """
    about = _about(path)
    try:
        with closing(_opened(path)) as base:
            known = [row[0] for row in base.execute("SELECT DISTINCT criterion FROM measure ORDER BY rowid")]
            clauses, words = _conditions(where, known)
            query = "SELECT id, drivers, groups, types, symmetric FROM structure"
            rows = base.execute(query + "".join(clauses) + " ORDER BY id", words).fetchall()
            values: dict[int, dict[str, float]] = {}
            measures = base.execute("SELECT structure, criterion, value FROM measure ORDER BY rowid")
            for number, criterion, value in measures:
                values.setdefault(number, {})[criterion] = value
        structures = [_entry(texts, symmetric, values.get(number, {}), known) for number, *texts, symmetric in rows]
    except (sqlite3.Error, ValueError, TypeError, RecursionError) as error:
        if isinstance(error, QueryError):
            raise
        raise FileError(f"{path.name}: was altered or damaged: {error}; {WRITE_ONE}") from None
    check_order(sort, known)
    structures.sort(key=lambda entry: sort_key(entry["criteria"], sort))
    name = about.pop("mechanism")
    return name, {**{key: value for key, value in about.items() if key != "format"}, "structures": structures}


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def _entry(texts: Sequence[str], symmetric: Any, values: dict[str, Any], known: Sequence[str]) -> dict[str, Any]:
    """One structure, as it was given to `save`; raises ValueError if it cannot have been."""
    drivers, groups, types = map(json.loads, texts)
    sound = (
        isinstance(drivers, dict)
        and all(type(freedoms) is int for freedoms in drivers.values())
        and isinstance(groups, list)
        and all(isinstance(group, list) and all(isinstance(body, str) for body in group) for group in groups)
        and isinstance(types, list)
        and all(isinstance(kind, str) for kind in types)
        and len(groups) == len(types)
        and type(symmetric) is int
        and list(values) == list(known)
        and all(isinstance(value, float) for value in values.values())
    )
    if not sound:
        raise ValueError(f"a structure driven at {texts[0]} is none")
    return {"drivers": drivers, "groups": groups, "types": types, "symmetric": symmetric, "criteria": values}


def _about(path: Path) -> dict[str, Any]:
    """What a file says of its search; refused are files whose tables are not those of `save`."""
    if not path.is_file():
        raise FileError(f"{path}: there is no such file; check its name and folder")
    try:
        with closing(_opened(path)) as base, closing(sqlite3.connect(":memory:")) as model:
            model.executescript(TABLES)
            # no views either, which may have more rows than ever end
            if not base.execute(SCHEMA).fetchall() == model.execute(SCHEMA).fetchall():
                raise ValueError("other tables")
            about = {key: json.loads(value) for key, value in base.execute("SELECT key, value FROM about")}
            count = base.execute("SELECT count(*) FROM structure").fetchone()[0]
    except (sqlite3.Error, ValueError, TypeError, RecursionError):
        about = {}
    if about.get("format") != FORMAT or not isinstance(about.get("mechanism"), str):
        raise FileError(f"{path.name}: holds no structures; {WRITE_ONE}")
    distinct = about.get("distinct")
    if type(distinct) is not int or distinct < count:
        raise FileError(f"{path.name}: was altered: {count} structures of {distinct} that were found; {WRITE_ONE}")
    return about


def _conditions(where: Sequence[str], known: Sequence[str]) -> tuple[list[str], list[str | float]]:
    """Conditions as clauses of a query in which every word of theirs is a parameter."""
    clauses: list[str] = []
    words: list[str | float] = []
    for text in where:
        if len(text) > LONGEST:
            raise QueryError(f"the condition {shown(text)} has {len(text)} characters, and at most {LONGEST} are read")
        place = 0
        while place < len(text) or not text:
            found = CONDITION.match(text, place)
            if found is None or (found[4] and found.end() == len(text)):
                raise QueryError(
                    f"cannot read the condition {shown(text)}: write KEY OPERATOR VALUE, more of them joined by and, "
                    "as in 'groups >= 8 and driver = crank'"
                )
            clause, word = _condition(found[1], "=" if found[2] == "==" else found[2], found[3].strip("\"'"), known)
            clauses.append(f" {'AND' if clauses else 'WHERE'} {clause}")
            words += word
            place = found.end()
    if len(clauses) > CONDITIONS:
        raise QueryError(f"{len(clauses)} conditions are too many; join at most {CONDITIONS}")
    return clauses, words


def _condition(key: str, operator: str, word: str, known: Sequence[str]) -> tuple[str, list[str | float]]:
    if key in NAMES:
        if operator not in ("=", "!="):
            raise QueryError(f"{key} is a name: ask for {key} = {word} or {key} != {word}")
        return f"id {'IN' if operator == '=' else 'NOT IN'} ({NAMES[key]})", [word]
    check_order([key], [*known, *NAMES])
    try:
        value = float(word)
    except ValueError:
        raise QueryError(f"{key} is compared with a number, not {word!r}") from None
    return f"id IN (SELECT structure FROM measure WHERE criterion = ? AND value {operator} ?)", [key, value]
