"""The commands ``simulate`` and ``equilibrium``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import groupkin as gk
from tests.support.command_line import refused, run, succeeded, written

PENDULUM = """
name = "Pendulum"
dimension = 2
units = { length = "mm", angle = "deg" }
gravity = [0, -9.81]
bodies = ["frame", { name = "rod", mass = 1.2, center = [0, -250] }]
joints = [{ name = "hinge", type = "R", bodies = ["frame", "rod"], point = [0, 0] }]
motion = { duration = 1, steps = 21 }
"""


@pytest.fixture
def pendulum(tmp_path: Path) -> Path:
    return written(tmp_path, PENDULUM, "pendulum.toml")


def test_simulate_says_what_is_free_and_how_energy_goes(pendulum: Path, tmp_path: Path) -> None:
    result = run("simulate", pendulum, "--start", "hinge=60,10", "--out", tmp_path / "m.csv")
    assert result.exit_code == 0, result.stderr
    assert "Pendulum: free are hinge" in result.stdout
    assert "energy, total:" in result.stdout
    rows = np.genfromtxt(tmp_path / "m.csv", delimiter=",", names=True)
    motion = gk.simulate(gk.load(pendulum), np.linspace(0, 1, 21), {"hinge": np.radians([60, 10])})
    assert len(rows) == 21
    last = f"{np.degrees(motion.joint('hinge')[0, -1]):.6g}°"
    assert f"hinge at last: {last}" in result.stdout


def test_equilibrium_and_its_modes(pendulum: Path) -> None:
    text = succeeded("equilibrium", pendulum, "--start", "hinge=30")
    assert "Pendulum at rest, stable: hinge" in text
    assert f"mode 1: {np.sqrt(9.81 / 0.25) / (2 * np.pi):.6g} Hz" in text
    assert "not stable" in succeeded("equilibrium", pendulum, "--start", "hinge=170")


def test_what_is_refused(pendulum: Path) -> None:
    assert "--start takes JOINT=VALUE" in refused("simulate", pendulum, "--start", "hinge")
    assert "--start takes JOINT=VALUE" in refused("simulate", pendulum, "--start", "hinge=1,2,3")
    assert "did you mean hinge?" in refused("simulate", pendulum, "--start", "hing=1")
    assert "unknown format .txt" in refused("simulate", pendulum, "--out", "m.txt")
    assert "at least two times; take more --steps" in refused("simulate", pendulum, "--steps", "1")
