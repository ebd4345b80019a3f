"""Structures kept in a file: what is asked for, what comes back, and questions that are no questions."""

from __future__ import annotations

import operator
import sqlite3
from functools import cache
from pathlib import Path

import pytest

import groupkin as gk
from groupkin.errors import FileError, OutputError, QueryError
from groupkin.transformations import database
from tests.support.paths import EXAMPLES


@cache
def found() -> gk.Transformations:
    return gk.transform(gk.load(EXAMPLES / "nine_bar.toml"))


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    path = tmp_path / "nine bar #1?.sqlite"
    database.save(path, found().name, found().as_data())
    return path


def test_what_is_kept_comes_back(kept: Path) -> None:
    assert database.load(kept) == (found().name, found().as_data())


OPERATORS = {"=": operator.eq, "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le}
OPERATORS |= {">": operator.gt, ">=": operator.ge}


@pytest.mark.parametrize("sign", OPERATORS)
def test_comparisons(kept: Path, sign: str) -> None:
    for criterion, value in (("groups", 5.0), ("closed", 0.8), ("depth", 3.0)):
        asked = database.load(kept, [f"{criterion} {sign} {value}"])[1]["structures"]
        every = found().as_data()["structures"]
        expected = [entry for entry in every if OPERATORS[sign](entry["criteria"][criterion], value)]
        assert asked == expected
        assert len(expected) < len(every)


def test_names_and_several_conditions(kept: Path) -> None:
    every = found().as_data()["structures"]
    for where in (["groups>=5 AND driver = elbow", "type != '6R2D'"], ['groups>=5 and driver="elbow" and type!=6R2D']):
        expected = [
            entry
            for entry in every
            if entry["criteria"]["groups"] >= 5 and "elbow" in entry["drivers"] and "6R2D" not in entry["types"]
        ]
        assert database.load(kept, where)[1]["structures"] == expected
        assert 0 < len(expected) < len(every)


def test_sorted_by_other_criteria(kept: Path) -> None:
    asked = database.load(kept, sort=["depth", "-groups"])[1]["structures"]
    keys = [(entry["criteria"]["depth"], entry["criteria"]["groups"]) for entry in asked]
    assert keys == sorted(keys)
    assert len(asked) == found().distinct


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("", "cannot read the condition ''"),
        ("groups", "cannot read the condition 'groups'"),
        ("groups >= 3 and", "cannot read"),
        ("groups >= 3 or groups < 2", "cannot read"),
        ("groups >= 3; DROP TABLE structure", "cannot read"),
        ("1 = 1", "there is no criterion '1'"),
        ("goups = 3", r"there is no criterion 'goups' \(did you mean groups\?\); .*, cost, driver, type"),
        ("groups > many", "groups is compared with a number, not 'many'"),
        ("driver < elbow", "driver is a name: ask for driver = elbow or driver != elbow"),
    ],
)
def test_a_condition_that_cannot_be_read_is_refused(kept: Path, where: str, message: str) -> None:
    before = kept.read_bytes()
    with pytest.raises(QueryError, match=message):
        database.load(kept, [where])
    assert kept.read_bytes() == before


def test_words_of_a_condition_are_never_part_of_the_query(kept: Path) -> None:
    for word in ("x') OR 1=1 --", "x; DROP TABLE structure", "%"):
        assert database.load(kept, [f'driver = "{word}"'])[1]["structures"] == []
    assert len(database.load(kept)[1]["structures"]) == found().distinct


def test_a_criterion_that_is_not_there_is_refused(kept: Path) -> None:
    with pytest.raises(QueryError, match="there is no criterion 'price'"):
        database.load(kept, sort=["price"])


def test_files_that_hold_something_else_are_left_alone(tmp_path: Path) -> None:
    other, text = tmp_path / "other.db", tmp_path / "text.sqlite"
    with sqlite3.connect(other) as base:
        base.execute("CREATE TABLE about (key, value)")
    base.close()
    text.write_text("not a database")
    for path in (other, text):
        before = path.read_bytes()
        with pytest.raises(FileError, match=f"{path.name}: holds no structures"):
            database.load(path)
        with pytest.raises(OutputError, match="holds something else"):
            database.save(path, "x", found().as_data())
        assert path.read_bytes() == before
    with pytest.raises(FileError, match="there is no such file"):
        database.load(tmp_path / "none.sqlite")
    with pytest.raises(OutputError, match=r"a file that ends in .sqlite"):
        database.save(tmp_path / "x.txt", "x", {})
    with pytest.raises(OutputError, match="there is no such folder"):
        database.save(tmp_path / "none" / "x.sqlite", "x", {})


def test_structures_are_replaced_by_structures(kept: Path) -> None:
    fewer = gk.transform(gk.load(EXAMPLES / "four_bar.toml"))
    database.save(kept, fewer.name, fewer.as_data())
    assert database.load(kept) == (fewer.name, fewer.as_data())
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]
