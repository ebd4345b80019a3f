"""Options by the names that they had before do the same, and a note says their new name."""

from __future__ import annotations

from pathlib import Path

import pytest

from groupkin.cli.old_options import RENAMED, renamed
from tests.groupkin.cli.test_every_option import commands
from tests.support.command_line import FOUR_BAR, run

OPTIONS = {name: {text for option in command.params for text in option.opts} for name, command in commands()}


@pytest.mark.complete
@pytest.mark.parametrize("command", RENAMED)
def test_new_names_are_options_and_old_ones_are_hidden(command: str) -> None:
    names = RENAMED[command]
    assert set(names.values()) <= OPTIONS[command]
    assert names.keys() & OPTIONS[command] <= set(names.values())
    assert not any(f"{old} " in run(command, "--help").stdout for old in names.keys() - set(names.values()))


@pytest.mark.complete
@pytest.mark.parametrize(
    ("command", "words", "expected"),
    [
        ("limits", "f.toml --draw a.svg --output=x", "f.toml --picture a.svg --plot=x"),
        ("limits", "f.toml --plot x -- --draw", "f.toml --plot x -- --draw"),
        ("batch-report", "s --plot a.SVG --variable b --html r.html", "s --picture a.SVG --plot b --out r.html"),
        ("batch-report", "s --plot=a.pdf --plot height --by a.svg", "s --picture=a.pdf --plot height --by a.svg"),
        ("batch-report", "s --plot", "s --plot"),
        ("solve", "f.toml --draw a.svg", "f.toml --draw a.svg"),
    ],
)  # fmt: skip
def test_old_names_are_replaced(command: str, words: str, expected: str) -> None:
    assert renamed(command, words.split()) == expected.split()


def test_a_picture_by_the_old_names_is_the_same(tmp_path: Path) -> None:
    old, new = tmp_path / "old.svg", tmp_path / "new.svg"
    noted = run("limits", FOUR_BAR, "--draw", old, "--output", "joint D")
    silent = run("limits", FOUR_BAR, "--plot", "joint D", "--picture", new)
    assert (noted.exit_code, silent.exit_code, noted.stdout) == (0, 0, silent.stdout)
    assert old.read_bytes() == new.read_bytes()
    assert noted.stderr.splitlines()[:2] == [
        "groupkin: note: --draw of limits is called --picture now",
        "groupkin: note: --output of limits is called --plot now",
    ]
    assert "note" not in silent.stderr


def test_a_note_is_given_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert renamed("export", ["--csv", "a.csv", "--csv", "b.csv"]) == ["--out", "a.csv", "--out", "b.csv"]
    assert capsys.readouterr().err == "groupkin: note: --csv of export is called --out now\n"


@pytest.mark.complete
@pytest.mark.parametrize(
    "words", [["draw", FOUR_BAR], ["plot", FOUR_BAR, "joint D"], ["solve", FOUR_BAR, "--plot", "joint D"]]
)
def test_a_picture_goes_to_picture_everywhere(words: list[str], tmp_path: Path) -> None:
    assert run(*words, "--picture", tmp_path / "a.svg").exit_code == 0
    assert "<svg" in (tmp_path / "a.svg").read_text()


def test_a_plot_beside_data_is_that_of_the_data(tmp_path: Path) -> None:
    """A motion is plotted by `solve` as `plot` does."""
    beside, alone = tmp_path / "beside.svg", tmp_path / "alone.svg"
    run("solve", FOUR_BAR, "--plot", "velocity P.norm", "--against", "joint A", "--picture", beside)
    run("plot", FOUR_BAR, "velocity P.norm", "--against", "joint A", "--out", alone)
    assert beside.read_bytes() == alone.read_bytes()
    refused = run("solve", FOUR_BAR, "--plot", "speed P", "--picture", beside)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "no quantity" in refused.stderr
