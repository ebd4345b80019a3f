"""Dimensions of few digits on the command line: ``--misfit``, and `misfit` in files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import groupkin as gk
from tests.support.command_line import refused, run, succeeded
from tests.support.over_constrained import over_constrained

TIMES = ("--duration", 0.5, "--steps", 11)


def rounded(name: str, folder: Path) -> Path:
    """The file of a linkage whose dimensions are stated with five digits."""
    exact = over_constrained(name, 0)
    joints = [
        gk.Joint(x.name, x.type, x.bodies, point=np.round(x.point, 5), axis=np.round(x.axis, 5))  # type: ignore[arg-type]
        for x in exact.joints
    ]
    bodies = [gk.Body(x, mass=1.0, center="middle", inertia=(1.0, 1.0, 1.0)) for x in exact.movable]
    path = folder / "rounded.toml"
    gk.save(gk.Mechanism(3, ["frame", *bodies], joints, exact.drivers), path, motion={"duration": 0.5, "steps": 11})
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return rounded("Bennett", tmp_path)


def test_the_refusal_says_what_to_state(file: Path) -> None:
    for command in ("analyze", "solve"):
        text = refused(command, file)
        assert "its joints repeat each other, but agree to" in text
        assert "--misfit 1e-05)" in text


@pytest.mark.parametrize(
    "command",
    [
        ("analyze",),
        ("solve", *TIMES),
        ("forces", *TIMES),
        ("modes",),
        ("draw",),
        ("report",),
        ("routes",),
        ("field", "conditioning", "--over", "A", -0.1, 0.1, "--over", "E", -0.1, 0.1, "--steps", 3),
        ("simulate",),
        ("equilibrium",),
        ("animate",),
    ],
    ids=lambda words: str(words[0]),
)
def test_every_command_accepts_it(command: tuple[object, ...], file: Path, tmp_path: Path) -> None:
    if command[0] == "field":
        file = rounded("spherical five-bar", tmp_path)
    if command[0] in ("simulate", "equilibrium"):
        file.write_text(re.sub(", law = .* }", " }", file.read_text()))
    out = {"draw": "a.svg", "report": "a.html", "animate": "a.gif", "field": "f.svg"}.get(str(command[0]))
    result = run(command[0], file, *command[1:], "--misfit", 1e-4, *(("--out", tmp_path / out) if out else ()))
    assert result.exit_code == 0, result.output


def test_what_compares_with_closed_joints_refuses_it(file: Path) -> None:
    assert "the equations of all bodies at once allow no misfit" in refused("check", file, "--misfit", 1e-4)
    assert "limits follow configurations in which all joints are closed" in refused("limits", file, "--misfit", 1e-4)


def test_results_say_it(file: Path, tmp_path: Path) -> None:
    note = "redundant joints may be open by 0.0001 of the size or rad (misfit)"
    assert note in succeeded("analyze", file, "--misfit", 1e-4)
    out = tmp_path / "motion.nc"
    assert note in run("solve", file, "--misfit", 1e-4, "--out", out).stdout
    with xr.open_dataset(out) as data:
        assert data.attrs["misfit"] == 1e-4
    found = json.loads(succeeded("solve", file, "--misfit", 1e-4, "--json"))
    assert 1e-9 < found["max_residual"] < 1e-4
    assert found["solved_steps"] == 11


def test_the_file_states_it(file: Path, tmp_path: Path) -> None:
    loose = tmp_path / "loose.toml"
    loose.write_text("misfit = 1e-4\n" + file.read_text())
    assert gk.load(loose).misfit == 1e-4
    assert "(misfit)" in succeeded("solve", loose)
    gk.save(gk.load(loose), tmp_path / "again.toml")
    assert gk.load(tmp_path / "again.toml") == gk.load(loose)
    assert "agree to" in refused("solve", loose, "--misfit", 0)


@pytest.mark.parametrize("value", [-1e-3, 0.1, "nan"])
def test_what_is_no_misfit_is_refused(value: object, file: Path) -> None:
    assert "misfit must be a fraction of the size from 0 to 0.01" in refused("solve", file, "--misfit", value)
