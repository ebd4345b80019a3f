"""Files beyond all measure are refused with a message, whatever is in them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import cluster
from groupkin.errors import FileError, GroupkinError, MechanismError, TimesError
from groupkin.mechanism.files import reading
from groupkin.mechanism.files.decoding import DEEPEST, LARGEST_FILE
from tests.support.command_line import LINKAGE, refused, run, written
from tests.support.paths import EXAMPLES


def changed(folder: Path, old: str, new: str) -> Path:
    assert old in LINKAGE
    return written(folder, LINKAGE.replace(old, new, 1))


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("A = [0, 0]", f"A = [{'9' * 400}, 0]", r"points.A\[0\]: must be a number of at most 18 digits"),
        ("A = [0, 0]", f"A = [{'9' * 5000}, 0]", "a number has too many digits"),
        ("steps = 51", f"steps = {'9' * 400}", "motion.steps: must be a number of at most 18 digits"),
        ("A = [0, 0]", ".".join(["a"] * 3000) + " = 1", "nested too deeply"),
        ("A = [0, 0]", "A = " + "[" * 3000 + "]" * 3000, "nested too deeply"),
        ("[points]", "[points]\n" + '"\\u001b[2J" = [0, 0]', "the key .* must have at most 500 printable characters"),
        ('name = "B"', 'name = "B\\u001b[2J"', "without control characters, not 'B.x1b"),
        ('name = "B"', 'name = "B\\nC"', r"joints\[1\]\.name.*none of them a line break"),
        ('name = "B"', f'name = "{"B" * 501}"', "must have at most 500 characters"),
        ('point = "A"', f'point = "{"A" * 501}"', "must have at most 500 characters"),
        ("rate = 3.0", "rate = 1e308", "rate must not be larger than"),
        ('bodies = ["crank", "coupler"]', 'bodies = ["crank", "coupler"]\nreference = 1e308', "finite angle up to"),
        ('{ type = "ramp", rate = 3.0 }', '{ type = "spline", csv = "nul\\u0000.csv" }', "without control characters"),
        (
            '{ type = "ramp", rate = 3.0 }',
            '{ type = "spline", csv = "/dev/zero" }',
            "is not in the folder of the",
        ),
    ],
)
def test_what_no_file_says_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(MechanismError, match=message) as caught:
        reading.load(changed(tmp_path, old, new))
    assert all(line.isprintable() for line in str(caught.value).split("\n"))


@pytest.mark.parametrize("digits", [400, 5000])
def test_numbers_of_many_digits_in_json(tmp_path: Path, digits: int) -> None:
    with pytest.raises(FileError, match="digits"):
        reading.load(written(tmp_path, f'{{"dimension": {"9" * digits}}}', "a.json"))


def test_data_in_python_have_the_same_limits() -> None:
    deep: Any = 1
    for _ in range(DEEPEST + 1):
        deep = [deep]
    for data in ({"a": deep}, {"a": 10**400}, {"a\x1b": 1}, {"a": "\x1b"}, {5: 1}):
        with pytest.raises(GroupkinError):
            reading.parse(data)


def test_large_and_special_files_are_not_read(tmp_path: Path) -> None:
    large = tmp_path / "large.toml"
    with large.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(FileError, match=r"large\.toml: has 33554433 bytes, and at most 33554432 are read"):
        reading.load(large)
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(FileError, match="it is a folder or a device"):
        reading.load(tmp_path / "pipe.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("t,s\n0,1\n" + "9" * 200_000 + ",2\n", "law.csv, line 3: field larger than field limit"),
        ("t,s\n0,1\n" + "9" * 5000 + ",2\n", r"line 3, column 1: must be a finite number$"),
        ("t,s\n0,1\n1,\x1b[2J\n", r"line 3, column 2: must be a finite number$"),
    ],
)
def test_cells_that_no_table_has(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "law.csv").write_text(text)
    path = changed(tmp_path, '{ type = "ramp", rate = 3.0 }', '{ type = "spline", csv = "law.csv" }')
    with pytest.raises(MechanismError, match=message):
        reading.load(path)


def test_steps_that_no_memory_holds(tmp_path: Path) -> None:
    path = changed(tmp_path, "steps = 51", "steps = 1000000000000")
    with pytest.raises(TimesError, match=r"1000000000000 times take 8e\+03 GB, and this machine has .* fewer steps"):
        _ = reading.read(path).motion.times
    assert "1000000000000 times take 8e+03 GB" in refused("solve", path)


def test_a_sweep_of_steps_that_no_memory_holds(tmp_path: Path) -> None:
    data = {
        "mechanism": "four_bar.toml",
        "times": {"steps": 10**12},
        "parameters": [],
        "keep": [{"path_length": "P"}],
    }
    written(tmp_path, (EXAMPLES / "four_bar.toml").read_text(), "four_bar.toml")
    path = written(tmp_path, json.dumps(data), "long.sweep.json")
    with pytest.raises(TimesError, match=r"1000000000000 times take 8e\+03 GB.* take fewer steps"):
        cluster.read_sweep(path)


@pytest.mark.parametrize(
    ("command", "option", "message"),
    [
        ("solve", ("--modes", "rocker="), "--modes takes BODY=NUMBER"),
        ("solve", ("--modes", "rocker=" + "9" * 5000), "--modes takes BODY=NUMBER"),
        ("transform", ("--fix", "A="), "--fix takes JOINT=NUMBER"),
        ("transform", ("--fix", "A=" + "9" * 5000), "--fix takes JOINT=NUMBER"),
        ("solve", ("--route", "9" * 5000), "cannot read '999"),
        ("solve", ("--route", "1 > " + "(" * 5000), "cannot read '((("),
    ],
)
def test_options_beyond_all_measure(tmp_path: Path, command: str, option: tuple[str, str], message: str) -> None:
    result = run(command, written(tmp_path, LINKAGE), *option)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr) < 500


def test_names_of_files_are_printed_escaped(tmp_path: Path) -> None:
    assert "\\x1b[2J.toml: there is no such file" in refused("solve", tmp_path / "\x1b[2J.toml")
