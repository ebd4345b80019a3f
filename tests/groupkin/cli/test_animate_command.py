"""The command ``animate``."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.support.command_line import FOUR_BAR, refused, run
from tests.support.paths import EXAMPLES


def test_a_page(tmp_path: Path) -> None:
    file = tmp_path / "motion.html"
    result = run("animate", FOUR_BAR, "--steps", "21", "--plot", "velocity P.norm", "--trace", "C", "--out", file)
    assert result.exit_code == 0, result.stderr
    assert f"written: {file}" in result.stderr
    text = file.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert '"title":"velocity P"' in text
    assert list(tmp_path.iterdir()) == [file]


def test_it_says_what_was_left_out_and_what_failed(tmp_path: Path) -> None:
    result = run("animate", FOUR_BAR, "--steps", "60001", "--out", tmp_path / "x.html")
    assert result.exit_code == 0, result.stderr
    assert "of 60001 steps, evenly chosen, to stay small" in result.stderr
    stuck = tmp_path / "stuck.toml"
    stuck.write_text(
        """
name = "Stuck"
dimension = 2
bodies = ["g", "a", "b", "c"]
joints = [
  { name = "A", type = "R", bodies = ["g", "a"], point = [0, 0] },
  { name = "B", type = "R", bodies = ["a", "b"], point = [1, 0] },
  { name = "C", type = "R", bodies = ["b", "c"], point = [1.5, 1] },
  { name = "D", type = "R", bodies = ["c", "g"], point = [2, 0] },
]
drivers = [{ joint = "A", law = { type = "ramp", rate = 3 } }]
"""
    )
    result = run("animate", stuck, "--steps", "21", "--out", tmp_path / "x.html")
    assert result.exit_code == 0, result.stderr
    assert "of 21 steps are not solved" in result.stderr


def test_a_film(tmp_path: Path) -> None:
    from PIL import Image

    file = tmp_path / "motion.gif"
    result = run("animate", FOUR_BAR, "--steps", "21", "--seconds", "0.4", "--trace", "C", "--out", file)
    assert result.exit_code == 0, result.stderr
    with Image.open(file) as film:
        assert film.n_frames == 10  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "x.png"], "a page ends in .html"),
        (["--out", "nowhere/x.html"], "does not exist"),
        (["--out", "x.html", "--seconds", "3"], "seconds belong to a film"),
        (["--out", "x.gif", "--seconds", "-1"], "positive"),
        (["--out", "x.gif", "--plot", "joint D"], "plots are for pages (.html) only"),
        (["--out", "x.gif", "--trace", "Q"], "'Q'"),
        (["--out", "x.html", "--plot", "speed of P"], "no quantity"),
        (["--out", "x.html", "--trace", "Q"], "'Q'"),
        (["--out", "x.html", "--steps", "0"], "--steps"),
    ],
)
def test_refusals(arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in refused("animate", FOUR_BAR, *arguments)
    assert not list(tmp_path.iterdir())


def test_a_video_without_ffmpeg_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    message = refused("animate", FOUR_BAR, "--out", tmp_path / "x.mp4")
    assert "pip install 'groupkin[video]'" in message


def test_a_mechanism_without_geometry(tmp_path: Path) -> None:
    message = refused("animate", EXAMPLES / "micro_manipulator.toml", "--out", tmp_path / "x.html")
    assert "can be analyzed but not solved" in message
