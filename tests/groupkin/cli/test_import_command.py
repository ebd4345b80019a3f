"""The command ``import``: each option does what the argument of `groupkin.import_model` does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import groupkin as gk
from tests.support.command_line import refused, run
from tests.support.robot_models import LOOPS, MJCF, SDF

pytest.importorskip("mujoco")

OPTIONS: dict[str, tuple[str, list[str], dict[str, Any]]] = {
    "--plane": ("four-bar", ["--plane"], {"plane": True}),
    "--keyframe": ("leg", ["--keyframe", "home", "--fix", "pelvis"], {"keyframe": "home", "fix": "pelvis"}),
    "--start": ("four-bar", ["--start", "A=0.1"], {"start": {"A": 0.1}}),
    "--no-masses": ("four-bar", ["--no-masses"], {"masses": False}),
    "--no-friction": ("four-bar", ["--no-friction"], {"friction": False}),
}


@pytest.mark.complete
@pytest.mark.parametrize("option", OPTIONS)
def test_options(option: str, tmp_path: Path) -> None:
    name, options, arguments = OPTIONS[option]
    model = tmp_path / "model.xml"
    model.write_text(MJCF[name])
    told = run("import", model, "--out", tmp_path / "m.toml", *options)
    assert told.exit_code == 0, told.stderr
    gk.save(gk.import_model(model, **arguments).mechanism, tmp_path / "wanted.toml")
    assert (tmp_path / "m.toml").read_text() == (tmp_path / "wanted.toml").read_text()


def test_it_says_how_to_go_on(tmp_path: Path) -> None:
    (tmp_path / "model.xml").write_text(MJCF["four-bar"])
    told = run("import", tmp_path / "model.xml", "--out", tmp_path / "m.toml").stderr
    assert "next: give the driver of 'A' a law, such as `law = {" in told
    text = (
        (tmp_path / "m.toml")
        .read_text()
        .replace('{ joint = "A" }', '{ joint = "A", law = { type = "ramp", rate = 1 } }')
    )
    (tmp_path / "m.toml").write_text(text)
    assert run("solve", tmp_path / "m.toml", "--duration", 0.1, "--steps", 3).exit_code == 0


def test_loops_of_another_file(tmp_path: Path) -> None:
    name = next(name for name, text in SDF.items() if "rod end" in text)
    (tmp_path / "model.sdf").write_text(SDF[name])
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "model").mkdir()
    (tmp_path / "model.toml").write_text(LOOPS)
    done = run("import", tmp_path / "model.sdf", "--out", tmp_path / "m.toml", "--loops", tmp_path / "model.toml")
    assert done.exit_code == 0, done.stderr
    assert len(gk.load(tmp_path / "m.toml").joints) == 4


def test_files_elsewhere_are_read_when_asked_for(tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "model.xml").write_text('<mujoco><include file="../rest.xml"/></mujoco>')
    (tmp_path / "rest.xml").write_text(MJCF["four-bar"])
    message = refused("import", folder / "model.xml", "--out", folder / "m.toml")
    assert "rest.xml" in message
    assert run("import", folder / "model.xml", "--out", folder / "m.toml", "--files-anywhere").exit_code == 0
