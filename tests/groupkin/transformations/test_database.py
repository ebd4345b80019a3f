"""Structures kept in a file: what is asked for, what comes back, and questions that are no questions."""

from __future__ import annotations

import operator
import random
import sqlite3
from contextlib import closing
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


@pytest.mark.smoke
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
        ("goups = 3", r"there is no criterion 'goups' \(did you mean groups\?\); .*, cost, forces, driver, type"),
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
    with pytest.raises(OutputError, match="does not exist; create it first"):
        database.save(tmp_path / "none" / "x.sqlite", "x", {})


def test_structures_are_replaced_by_structures(kept: Path) -> None:
    fewer = gk.transform(gk.load(EXAMPLES / "four_bar.toml"))
    database.save(kept, fewer.name, fewer.as_data())
    assert database.load(kept) == (fewer.name, fewer.as_data())
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000)"
VIEW = f"""DROP TABLE structure; CREATE VIEW structure AS {ENDLESS}
SELECT i AS id, '{{}}' AS drivers, '[]' AS groups, '[]' AS types, 1 AS symmetric FROM n"""
NESTED = "[" * 100_000


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (VIEW, "holds no structures"),
        ("DROP TABLE measure", "holds no structures"),
        ("DELETE FROM about WHERE key = 'mechanism'", "holds no structures"),
        (f"UPDATE about SET value = '{NESTED}'", "holds no structures"),
        ("DELETE FROM about WHERE key = 'distinct'", "was altered: .* structures of None that were found"),
        ("UPDATE about SET value = '2' WHERE key = 'distinct'", "was altered: .* structures of 2 that were found"),
        ("UPDATE structure SET drivers = '[1]' WHERE id = 3", "was altered or damaged"),
        ("UPDATE structure SET drivers = NULL WHERE id = 3", "was altered or damaged"),
        ('UPDATE structure SET drivers = \'{"crank": "x"}\' WHERE id = 3', "was altered or damaged"),
        (f"UPDATE structure SET groups = '{NESTED}'", "was altered or damaged"),
        ("UPDATE structure SET groups = '[5]' WHERE id = 3", "was altered or damaged"),
        ("UPDATE structure SET types = '[]' WHERE id = 3", "was altered or damaged"),
        ("UPDATE structure SET symmetric = 'many' WHERE id = 3", "was altered or damaged"),
        ("UPDATE measure SET value = 'much' WHERE structure = 3", "was altered or damaged"),
        ("DELETE FROM measure WHERE structure = 3 AND criterion = 'groups'", "was altered or damaged"),
    ],
)
def test_what_was_altered_is_refused(kept: Path, change: str, message: str) -> None:
    with closing(sqlite3.connect(kept)) as base:
        base.executescript(change)
    with pytest.raises(FileError, match=message):
        database.load(kept, sort=["groups"])


def test_damage_anywhere_is_no_other_error(kept: Path) -> None:
    """Bytes flipped all over the file: it is refused, or a value is another one of its kind."""
    sound, draw = kept.read_bytes(), random.Random(5)
    refused = 0
    for _ in range(100):
        damaged = bytearray(sound)
        for place in draw.sample(range(len(sound)), 20):
            damaged[place] ^= 1 << draw.randrange(8)
        kept.write_bytes(damaged[: draw.choice([None, draw.randrange(len(sound))])])
        try:
            database.load(kept, sort=["groups"])
        except FileError:
            refused += 1
    assert refused > 50


def test_a_draft_has_a_name_of_its_own(tmp_path: Path) -> None:
    other, path = tmp_path / "found.sqlite.part", tmp_path / "found.sqlite"
    other.write_text("precious")
    database.save(path, found().name, found().as_data())
    assert other.read_text() == "precious"
    other.unlink()
    other.symlink_to(tmp_path / "victim")
    database.save(path, found().name, found().as_data())
    assert sorted(file.name for file in tmp_path.iterdir()) == ["found.sqlite", "found.sqlite.part"]


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    path, target = tmp_path / "found.sqlite", tmp_path / "disk" / "kept.sqlite"
    path.symlink_to(target)
    for _ in range(2):
        database.save(path, found().name, found().as_data())
        assert path.is_symlink()
        assert database.load(target) == (found().name, found().as_data())
    assert [file.name for file in target.parent.iterdir()] == ["kept.sqlite"]


@pytest.mark.parametrize("where", [["groups >= 1"] * 1100, [" and ".join(["groups >= 1"] * 700)], ["x" * 20_000]])
def test_questions_of_any_length_are_refused(kept: Path, where: list[str]) -> None:
    with pytest.raises(QueryError, match=r"conditions are too many; join at most 100|and at most 10000 are read"):
        database.load(kept, where)
