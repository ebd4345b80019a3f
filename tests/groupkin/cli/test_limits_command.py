"""The command ``limits``, and singular positions that ``solve`` goes through."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.support.command_line import FOUR_BAR, refused, run, succeeded
from tests.support.paths import EXAMPLES

SWING = """
name = "Double rocker"
dimension = 2
units = { length = "mm", angle = "deg" }
bodies = ["frame", "left", "coupler", "right"]
joints = [
  { name = "left",  type = "R", bodies = ["frame", "left"],    point = [0, 0] },
  { name = "B",     type = "R", bodies = ["left", "coupler"],  point = [30, 40] },
  { name = "C",     type = "R", bodies = ["coupler", "right"], point = [130, 40] },
  { name = "right", type = "R", bodies = ["frame", "right"],   point = [100, 0] },
]
drivers = [{ joint = "left", law = { type = "ramp", rate = 360 } }]
"""


@pytest.fixture
def parallelogram(tmp_path: Path) -> Path:
    file = tmp_path / "parallelogram.toml"
    file.write_text(SWING)
    return file


def test_limits_as_tables(parallelogram: Path) -> None:
    text = succeeded("limits", parallelogram)
    angle = f"{np.rad2deg(np.arccos(-0.6)):.12g}°"
    assert text.splitlines()[3].split()[:4] == ["1", angle, "change", "point"]
    assert "group 2 (coupler, right; 3R2D)" in text
    assert "circuit 1: left turns fully, through change points" in text
    assert "A turns fully, without a limit" in succeeded("limits", FOUR_BAR, "--driver", "A")


def test_limits_as_data(parallelogram: Path) -> None:
    data = json.loads(succeeded("limits", parallelogram, "--json", "--from", 100, "--to", 140))
    assert [limit["kind"] for limit in data["limits"]] == ["change point"]
    assert abs(data["limits"][0]["value"] - np.arccos(-0.6)) < 1e-12
    assert data["range"] == pytest.approx(np.deg2rad([100, 140]))
    in_file = json.loads(succeeded("limits", parallelogram, "--json", "--units", "file"))
    assert (in_file["unit"], in_file["turns_fully"]) == ("deg", True)


def test_a_picture_of_limits(parallelogram: Path, tmp_path: Path) -> None:
    picture = tmp_path / "limits.svg"
    result = run("limits", parallelogram, "--picture", picture, "--plot", "joint right")
    assert (result.exit_code, result.stderr) == (0, f"written: {picture}\n")
    assert 'id="limit 1"' in picture.read_text()
    assert "what is plotted, and where to" in run("limits", parallelogram, "--picture", picture).stderr
    assert "no velocities" in refused("limits", parallelogram, "--picture", picture, "--plot", "velocity right.x")
    assert "components x, y" in refused("limits", parallelogram, "--picture", picture, "--plot", "position right")


def test_limits_that_are_refused(parallelogram: Path) -> None:
    assert "there is no driver 'rigth'" in refused("limits", parallelogram, "--driver", "rigth")
    assert "from a smaller to a larger" in refused("limits", parallelogram, "--from", 3, "--to", 2)
    assert "finite number of seconds" in refused("limits", parallelogram, "--time", "nan")


def test_a_change_point_that_is_gone_through(parallelogram: Path) -> None:
    text = succeeded("solve", parallelogram, "--on-singular", "continue")
    assert "passed: a singular position of group 2 (coupler, right) at t = 0.352416 s, straight through" in text
    data = json.loads(succeeded("solve", parallelogram, "--on-singular", "continue", "--json"))
    assert [passage["groups"] for passage in data["passages"]] == [[2], [2]]
    for split in ([], ["--split", "time"]):  # workers that share time go through it as well
        assert (
            succeeded("solve", parallelogram, "--on-singular", "continue", "--workers", 2, *split).count("passed:") == 2
        )
    shared = ("--workers", 2, "--split", "groups", "--block", 64)
    assert "share time" in refused("solve", parallelogram, "--on-singular", "continue", *shared)
    assert "Newton's method" in refused("solve", EXAMPLES / "planar_3rrr.toml", "--on-singular", "continue")
