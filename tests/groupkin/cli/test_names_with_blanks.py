"""Names with blanks where options take names and where they take text forms, and what is said where they are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

import groupkin as gk
from groupkin.errors import GeometryError, ParameterError, UnknownNameError
from tests.support.command_line import refused, run, succeeded, written
from tests.support.paths import EXAMPLES

ARMS = """
name = "Two arms"
dimension = 2
units = { length = "mm", angle = "deg" }
gravity = [0, -9.81]
points = { "pin one" = [100, 0], tip = [180, 0] }
bodies = [
  "frame",
  { name = "upper arm", mass = 1, center = "middle", inertia = 900 },
  { name = "fore arm", mass = 1, center = "tip", inertia = 900, points = ["tip"] },
]
joints = [
  { name = "main bearing", type = "R", bodies = ["frame", "upper arm"], point = [0, 0] },
  { name = "elbow",        type = "R", bodies = ["upper arm", "fore arm"], point = "pin one" },
]
drivers = [
  { joint = "main bearing", law = { type = "ramp", rate = 30 } },
  { joint = "elbow",        law = { type = "ramp", rate = 20 } },
]
motion = { duration = 1, steps = 11 }
"""


@pytest.fixture
def arms(tmp_path: Path) -> Path:
    return written(tmp_path, ARMS, "arms.toml")


@pytest.mark.parametrize("bearing", ["main bearing", "'main bearing'"])
def test_names_stand_with_or_without_quotes(arms: Path, tmp_path: Path, bearing: str) -> None:
    assert "main bearing turns fully" in succeeded("limits", arms, "--driver", bearing)
    assert "main bearing" in succeeded("forces", arms, "--keep", bearing)
    assert "solved" in succeeded("solve", arms, "--modes", f"{bearing.replace('main bearing', 'upper arm')}=1")
    over = ["--over", bearing, 0, 90, "--over", "elbow", 0, 90, "--steps", 5]
    assert run("field", arms, "joint elbow", *over, "--out", tmp_path / "f.svg").exit_code == 0
    free = written(tmp_path, ARMS.replace(', law = { type = "ramp", rate = 30 }', ""), "free.toml")
    assert "main bearing at last" in succeeded("simulate", free, "--start", f"{bearing}=30")


def test_what_has_no_law_may_be_simulated(tmp_path: Path) -> None:
    free = written(tmp_path, ARMS.replace(', law = { type = "ramp", rate = 30 }', ""), "free.toml")
    assert "has no motion law; give it one, or `simulate` its motion under forces" in refused("solve", free)
    undriven = written(tmp_path, ARMS.replace("drivers = [", "drivers = [] #").split("  { joint")[0], "undriven.toml")
    assert "or let it move under its forces (simulate)" in refused("solve", undriven)


def test_nothing_to_go_on_with_is_said(tmp_path: Path) -> None:
    free = written(tmp_path, ARMS.replace(', law = { type = "ramp", rate = 30 }', ""), "free.toml")
    result = run("simulate", free, "--out", tmp_path / "new.csv", "--resume")
    assert result.exit_code == 0
    assert "new.csv.checkpoint, so the simulation begins anew" in result.stderr


def test_a_point_without_quotes_is_no_number_of_a_law(arms: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean the point `'pin one'`"):
        gk.design(gk.load(arms), ["pin one"])
    with pytest.raises(ParameterError, match=r"did you mean `joint 'main bearing'`"):
        gk.design(gk.load(arms), ["joint main bearing"])


def test_named_points_are_no_local_coordinates(arms: Path) -> None:
    with pytest.raises(GeometryError, match=r"position\('pin one'\)"):
        gk.solve(gk.load(arms), 0.0).point_on("upper arm", "pin one")  # type: ignore[arg-type]


def test_wrong_parameters_of_fits_are_told_with_the_file(tmp_path: Path) -> None:
    source = (EXAMPLES / "coupler_curve.fit.toml").read_text()
    (tmp_path / "coupler_curve.toml").write_text((EXAMPLES / "coupler_curve.toml").read_text())
    first = next(line for line in source.splitlines() if line.startswith("parameters"))
    wrong = written(tmp_path, source.replace(first, first.replace("[", "['claw tip@nothing', ", 1)), "wrong.fit.toml")
    assert refused("fit", wrong).startswith("wrong.fit.toml: ")


def test_the_body_of_a_parameter_stands_in_its_text(arms: Path, tmp_path: Path) -> None:
    sweep = 'mechanism = "arms.toml"\nparameters = [{ parameter = "tip", body = "fore arm", grid = [1, 2] }]\n'
    text = refused("batch", written(tmp_path, sweep, "s.sweep.toml"), "--out", tmp_path / "s.zarr")
    assert "write it in the text, as in `C@coupler.x`" in text
