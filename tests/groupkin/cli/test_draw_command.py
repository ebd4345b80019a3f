"""The command ``draw``."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.command_line import FOUR_BAR, refused, run
from tests.support.paths import EXAMPLES

KINDS = ["--mechanism", "--graph", "--diagram", "--routes"]


@pytest.mark.parametrize(("suffix", "start"), [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")])
@pytest.mark.parametrize("kind", KINDS)
def test_every_picture_in_every_format(tmp_path: Path, kind: str, suffix: str, start: bytes) -> None:
    file = tmp_path / f"picture{suffix}"
    result = run("draw", EXAMPLES / "jansen_leg.toml", kind, "--out", file)
    assert result.exit_code == 0, result.stderr
    assert f"written: {file}" in result.stderr
    assert file.read_bytes().startswith(start)
    assert list(tmp_path.iterdir()) == [file]


def test_the_mechanism_at_a_time_with_the_path_of_its_point(tmp_path: Path) -> None:
    result = run("draw", FOUR_BAR, "--time", "0.3", "--out", tmp_path / "x.svg")
    assert result.exit_code == 0, result.stderr
    svg = (tmp_path / "x.svg").read_text()
    assert "t = 0.3 s" in svg
    assert 'id="path P"' in svg


def test_times_out_of_reach(tmp_path: Path) -> None:
    message = refused("draw", FOUR_BAR, "--time", "3", "--out", tmp_path / "x.svg")
    assert "--time: the motion goes from 0 s to 1 s, not to 3 s" in message
    assert "--time: the motion" in refused("draw", FOUR_BAR, "--time", "nan", "--out", tmp_path / "x.svg")


@pytest.mark.parametrize("options", [("--graph", "--time", "0.1"), ("--assemble",), ("--modes", "rocker=2")])
def test_options_that_do_not_go_together(tmp_path: Path, options: tuple[str, ...]) -> None:
    result = run("draw", FOUR_BAR, *options, "--out", tmp_path / "x.svg")
    assert result.exit_code == 2
    assert "belong to" in result.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_what_cannot_be_written(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "a picture ends in .svg, .png, .pdf" in refused("draw", FOUR_BAR, kind, "--out", tmp_path / "x.gif")
    folder = tmp_path / "no" / "x.svg"
    assert "does not exist; create it first" in refused("draw", FOUR_BAR, kind, "--out", folder)
    (tmp_path / "x.svg").mkdir()
    assert "exists and is no file" in refused("draw", FOUR_BAR, kind, "--out", tmp_path / "x.svg")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "pip install 'groupkin[look]'" in refused("draw", FOUR_BAR, kind, "--out", tmp_path / "y.svg")
