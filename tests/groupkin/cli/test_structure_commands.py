"""The commands ``generate`` and ``transform``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import groupkin as gk
from groupkin.cli.main import main
from tests.support.paths import EXAMPLES

ROTOR, NINE = str(EXAMPLES / "rotor_control.toml"), str(EXAMPLES / "nine_bar.toml")


def run(*words: str) -> Result:
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    return result


def refused(*words: str) -> str:
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert result.stdout == ""
    return result.stderr


def test_data_of_all_structures() -> None:
    data = json.loads(run("transform", ROTOR, "--json").stdout)
    assert {key: data[key] for key in ("candidates", "valid", "distinct")} == {
        "candidates": 1576,
        "valid": 1031,
        "distinct": 546,
    }
    assert set(data) == {"candidates", "valid", "distinct", "structures"}
    assert len(data["structures"]) == 546
    best = data["structures"][0]
    assert best["drivers"] == {"left_slide": 1, "mast": 1, "roll": 1}  # the published one
    structure = gk.analyze(gk.load(EXAMPLES / "rotor_control_transformed.toml"))
    assert best["groups"] == [list(group.bodies) for group in structure.groups]
    assert best["symmetric"] == 2


def test_a_table_of_the_best() -> None:
    lines = run("transform", ROTOR, "--top", "3", "--sort", "depth,-groups").stdout.splitlines()
    assert lines[0] == "Rotor control: 1576 ways to drive 3 freedoms, 1031 valid, 546 distinct"
    assert lines[2].split() == [
        "driven",
        "joints",
        "groups",
        "largest",
        "closed",
        "depth",
        "width",
        "cost",
        "symmetric",
    ]
    assert len(lines) == 6
    assert len(run("transform", ROTOR).stdout.splitlines()) == 13  # ten, unless more are asked for


def test_restrictions() -> None:
    words = ("--only", "mast", "--only", "roll", "--only", "A3", "--fix", "B3=1", "--at-most", "1", "--all", "--json")
    data = json.loads(run("transform", ROTOR, *words).stdout)
    drivers = [entry["drivers"] for entry in data["structures"]]
    assert data["candidates"] == 3
    assert len(drivers) == data["valid"] > 0
    assert all(found["B3"] == 1 and set(found) <= {"mast", "roll", "A3", "B3"} for found in drivers)
    data = json.loads(run("transform", ROTOR, "--type", "P", "--at-frame", "--driven", "mast", "--json").stdout)
    assert data["candidates"] == 3
    refused = CliRunner().invoke(main, ["transform", str(NINE), "--type", "P"])
    assert refused.exit_code == 2
    assert "4 freedoms must be driven, but the restrictions leave 0; drop one" in refused.stderr


def test_a_search_says_that_it_is_one() -> None:
    result = run("transform", ROTOR, "--budget", "50", "--json")
    assert "1576 ways are too many to examine: a best-first search stopped after 50 valid ones" in result.stderr
    data = json.loads(result.stdout)
    assert (data["candidates"], data["valid"], data["complete"]) == (1576, 50, False)


def test_kept_and_asked_again(tmp_path: Path) -> None:
    path = str(tmp_path / "rotor.sqlite")
    assert "written" in run("transform", ROTOR, "--out", path, "--top", "1").stderr
    words = ("--where", "groups >= 8 and closed = 1", "--where", "driver = left_slide")
    data = json.loads(run("transform", "--from", path, *words, "--json").stdout)
    assert [entry["criteria"]["groups"] for entry in data["structures"]] == [9, 8]
    text = run("transform", "--from", path, *words, "--sort", "-groups").stdout.splitlines()
    assert text[0] == "Rotor control: 2 structures of 546"
    assert [line.split()[-1] for line in text[3:]] == ["2", "2"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((ROTOR, "--driven", "mats"), "there is no joint 'mats' (did you mean mast?)"),
        ((ROTOR, "--fix", "mast"), "--fix takes JOINT=NUMBER, as in --fix crank=1, not 'mast'"),
        ((ROTOR, "--sort", "size"), "there is no criterion 'size'"),
        ((ROTOR, "--out", "structures.txt"), "structures are written to a file that ends in .sqlite"),
        ((ROTOR, "--where", "groups = 9"), "use it with --from"),
        (("--from", "none.sqlite"), "none.sqlite: there is no such file"),
        (("--from", "none.sqlite", "--type", "P"), "restrictions belong to a search"),
        ((), "give a mechanism FILE, or structures kept before"),
        ((ROTOR, "--from", "none.sqlite"), "give a mechanism FILE, or structures kept before"),
    ],
)
def test_refusals(words: tuple[str, ...], message: str) -> None:
    assert message in refused("transform", *words)


def test_generated_files_are_read(tmp_path: Path) -> None:
    for name in ("b.toml", "b.json"):
        path = tmp_path / name
        words = ("--assur-class", "3", "--groups", "4", "--seed", "1", "--drive-last", "--out", str(path))
        assert "ASSUR III-4B, 25 movable bodies" in run("generate", *words).stdout
        assert gk.load(path) == gk.generate(3, 4, 1, drive_last=True)
    printed = tmp_path / "printed.toml"
    printed.write_text(run("generate", "--assur-class", "1", "--groups", "2").stdout)
    assert gk.load(printed) == gk.generate(1, 2)


def test_generate_refuses() -> None:
    assert "ends in .toml or .json" in refused("generate", "--assur-class", "1", "--groups", "1", "--out", "x.txt")
    assert "cannot be written" in refused("generate", "--assur-class", "1", "--groups", "1", "--out", "none/x.toml")
    assert "a class from 1" in refused("generate", "--assur-class", "0", "--groups", "1")
