"""The command ``draw``."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.command_line import FOUR_BAR, changed, refused, run
from tests.support.paths import EXAMPLES
from tests.support.shares import in_part

KINDS = ["--mechanism", "--graph", "--diagram", "--routes"]


@pytest.mark.smoke
@pytest.mark.parametrize(("suffix", "start"), [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")])
@pytest.mark.parametrize("kind", in_part(KINDS, 4))
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


def test_bodies_in_colors_by_name(tmp_path: Path) -> None:
    for more in ((), ("--time", "0.3"), ("--assemble",)):
        result = run("draw", FOUR_BAR, "--colors", "bodies", "--names", "bodies", *more, "--out", tmp_path / "x.svg")
        assert result.exit_code == 0, result.stderr
        assert 'id="name rocker"' in (tmp_path / "x.svg").read_text()


def test_times_out_of_reach(tmp_path: Path) -> None:
    message = refused("draw", FOUR_BAR, "--time", "3", "--out", tmp_path / "x.svg")
    assert "--time: the motion goes from 0 s to 1 s, not to 3 s" in message
    assert "--time: the motion" in refused("draw", FOUR_BAR, "--time", "nan", "--out", tmp_path / "x.svg")


@pytest.mark.parametrize(
    "options",
    [
        ("--graph", "--time", "0.1"),
        ("--diagram", "--assemble"),
        ("--routes", "--modes", "rocker=2"),
        ("--graph", "--colors", "bodies"),
    ],
)
def test_options_that_do_not_go_together(tmp_path: Path, options: tuple[str, ...]) -> None:
    result = run("draw", FOUR_BAR, *options, "--out", tmp_path / "x.svg")
    assert result.exit_code == 2
    assert "belong to" in result.stderr


def test_the_reference_configuration_is_assembled_on_request_and_in_other_modes(tmp_path: Path) -> None:
    body = '{ name = "coupler", lengths = [{ between = ["B", "C"], value = 1.5 }] }'
    path = changed(tmp_path, ('"coupler", "rocker"]\n[points]', f'{body}, "rocker"]\n[points]'), ("3.0", "0.1"))
    files = [tmp_path / f"{name}.svg" for name in ("open", "closed", "other")]
    told = run("draw", path, "--out", files[0])
    assert "note: drawn with open joints, as it is described" in told.stderr
    assert "B by 0.0429 m" in told.stderr
    closed = run("draw", path, "--assemble", "--out", files[1])
    assert (closed.exit_code, "note:" in closed.stderr) == (0, False)
    assert run("draw", path, "--assemble", "--modes", "rocker=2", "--out", files[2]).exit_code == 0
    pictures = [file.read_text() for file in files]
    assert len(set(pictures)) == 3
    assert not any("t = " in picture for picture in pictures)


@pytest.mark.parametrize("kind", KINDS)
def test_what_cannot_be_written(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "a picture ends in .svg, .png, .pdf" in refused("draw", FOUR_BAR, kind, "--out", tmp_path / "x.gif")
    folder = tmp_path / "no" / "x.svg"
    assert "does not exist; create it first" in refused("draw", FOUR_BAR, kind, "--out", folder)
    (tmp_path / "x.svg").mkdir()
    assert "exists and is no file" in refused("draw", FOUR_BAR, kind, "--out", tmp_path / "x.svg")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "pip install 'groupkin[look]'" in refused("draw", FOUR_BAR, kind, "--out", tmp_path / "y.svg")
