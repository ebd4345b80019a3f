"""The commands ``simulate`` and ``equilibrium``."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import groupkin as gk
from tests.groupkin.dynamics.simulation.test_simulation import parallelogram
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
    assert "Pendulum: free coordinates: hinge" in result.stdout
    assert "energy, total:" in result.stdout
    rows = np.genfromtxt(tmp_path / "m.csv", delimiter=",", names=True)
    motion = gk.simulate(gk.load(pendulum), np.linspace(0, 1, 21), {"hinge": np.radians([60, 10])})
    assert len(rows) == 21
    last = f"{np.degrees(motion.joint('hinge')[0, -1]):.6g}°"
    assert f"hinge at last: {last}" in result.stdout


@pytest.mark.parametrize(
    ("units", "unit", "factor"), [("file", "deg", 1.0), ("SI", "rad", np.pi / 180), ("", "rad", np.pi / 180)]
)
def test_simulate_writes_and_prints_in_units_of_choice(
    pendulum: Path, tmp_path: Path, units: str, unit: str, factor: float
) -> None:
    """What is given, --start and --until, is in the file's units whatever results are in."""
    given = (
        "simulate",
        pendulum,
        "--start",
        "hinge=60,10",
        "--until",
        "joint hinge=-10",
        *(["--units", units] if units else []),
    )
    result = run(*given, "--out", tmp_path / "m.csv")
    assert result.exit_code == 0, result.stderr
    said = {"file": ", in mm and degrees", "SI": ", in meters and radians"}
    assert said.get(units, ", in meters and radians (--units file: in mm and degrees)") + "\n" in result.stderr
    header, first, *_, last = (tmp_path / "m.csv").read_text().splitlines()
    column = header.split(",").index(f"hinge.angle [{unit}]")
    assert [float(row.split(",")[column]) for row in (first, last)] == pytest.approx([60 * factor, -10 * factor])
    assert ("hinge at last: -0.174533 rad" if units == "SI" else "hinge at last: -10°") in result.stdout


def test_simulate_as_data(pendulum: Path, tmp_path: Path) -> None:
    given = ("simulate", pendulum, "--start", "hinge=60", "--until", "joint hinge=-10", "--until", "joint hinge=-70")
    found = json.loads(succeeded(*given, "--json"))
    assert found["free"] == ["hinge"]
    assert found["first_time"] == 0.0
    assert [event["name"] for event in found["events"]] == ["joint hinge=-10"]
    assert found["events"][0]["time"] == found["last_time"]
    assert found["not_reached"] == ["joint hinge=-70"]
    assert found["passages"] == []
    assert found["last"] == {"hinge [rad]": pytest.approx(np.radians(-10))}
    height = 1.2 * 9.81 * 0.25
    assert found["energy"]["gravity"] == pytest.approx(
        [-height * np.cos(np.radians(60)), -height * np.cos(np.radians(10))]
    )
    assert found["energy"]["springs"] == [0.0, 0.0]
    assert json.loads(succeeded(*given, "--json", "--units", "file"))["last"] == {"hinge [deg]": pytest.approx(-10)}


@pytest.mark.parametrize("inertia", [False, True])
def test_simulate_notes_once_what_is_a_point_mass(tmp_path: Path, inertia: bool) -> None:
    text = PENDULUM.replace("mass = 1.2", "mass = 1.2, inertia = 9e3") if inertia else PENDULUM
    result = run("simulate", written(tmp_path, text, "pendulum.toml"), "--start", "hinge=60")
    assert result.exit_code == 0, result.stderr
    noted = "note: rod: mass without inertia is a point mass at the center"
    assert (result.stdout + result.stderr).count(noted) == (not inertia)


def test_simulate_ends_where_it_is_told(pendulum: Path) -> None:
    text = succeeded("simulate", pendulum, "--start", "hinge=60", "--until", "joint hinge=-10")
    assert "ended by joint hinge=-10 at t = 0.2" in text
    assert "hinge at last: -10°" in text


def test_simulate_goes_straight_on_where_it_is_told(tmp_path: Path) -> None:
    mechanism = replace(parallelogram(), drivers=[gk.Driver("A")], gravity=(-9.81, 0.0))
    gk.save(mechanism, tmp_path / "parallelogram.toml")
    given = "simulate", tmp_path / "parallelogram.toml", "--start", "A=0,-2", "--duration", "2", "--steps", "21"
    assert "cannot go on after t =" in run(*given).stderr
    assert "a singular position of group 2 (coupler, rocker) at t = " in succeeded(*given, "--on-singular", "continue")


def test_a_killed_simulation_is_resumed(pendulum: Path, tmp_path: Path) -> None:
    """The process kills itself after some steps; what it has kept by then is gone on with."""
    whole, out = tmp_path / "whole.npz", tmp_path / "m.npz"
    text = PENDULUM.replace("duration = 1", "duration = 200")
    file = written(tmp_path, text, "long.toml")
    assert run("simulate", file, "--start", "hinge=60", "--out", whole).exit_code == 0
    dying = (
        "import os, signal, sys\n"
        "from groupkin.cli.commands import simulate_commands\n"
        "from groupkin.dynamics.simulation import checkpoints, integration\n"
        "checkpoints.EVERY, integration.TOGETHER = 0.0, 1e-6\n"
        "write, count = checkpoints.write, []\n"
        "def dying(*given):\n"
        "    write(*given)\n"
        "    count.append(1)\n"
        "    if len(count) == 20:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "integration.write = dying\n"
        "simulate_commands.simulate(sys.argv[1:])\n"
    )
    given = [str(file), "--start", "hinge=60", "--out", str(out)]
    killed = subprocess.run([sys.executable, "-c", dying, *given], check=False)
    assert killed.returncode == -signal.SIGKILL
    checkpoint = tmp_path / "m.npz.checkpoint"
    assert checkpoint.exists()
    assert not out.exists()
    again = run("simulate", *given)
    assert again.exit_code == 2
    assert "m.npz.checkpoint exists: go on from it with --resume" in again.stderr
    assert run("simulate", *given, "--resume").exit_code == 0
    assert not checkpoint.exists()
    with np.load(whole) as expected, np.load(out) as found:
        assert all(np.array_equal(expected[name], found[name]) for name in expected.files)


def test_equilibrium_and_its_modes(pendulum: Path) -> None:
    text = succeeded("equilibrium", pendulum, "--start", "hinge=30")
    assert "Pendulum at rest, stable: hinge" in text
    assert f"mode 1: {np.sqrt(9.81 / 0.25) / (2 * np.pi):.6g} Hz, damping ratio 0\n" in text
    assert "at rest, stable: hinge" in succeeded("equilibrium", pendulum, "--start", "hinge=170")  # it falls down
    assert "not stable" in succeeded("equilibrium", pendulum, "--start", "hinge=180")


def test_equilibrium_in_units_of_choice_and_as_data(pendulum: Path) -> None:
    given = ("equilibrium", pendulum, "--start", "hinge=180")
    assert "hinge 3.14159 rad" in succeeded(*given, "--units", "SI")
    assert "hinge 180°" in succeeded(*given)
    found = json.loads(succeeded(*given, "--json"))
    assert found["position"] == {"hinge [rad]": pytest.approx(np.pi)}
    assert (found["at_rest"], found["stable"]) == (True, False)
    assert json.loads(succeeded(*given, "--json", "--units", "file"))["position"] == {"hinge [deg]": pytest.approx(180)}
    hanging = json.loads(succeeded("equilibrium", pendulum, "--start", "hinge=30", "--json"))
    assert hanging["frequencies"] == pytest.approx([np.sqrt(9.81 / 0.25) / (2 * np.pi)])
    assert hanging["damping_ratios"] == pytest.approx([0.0])


def test_what_is_refused(pendulum: Path) -> None:
    assert "--start takes JOINT=VALUE" in refused("simulate", pendulum, "--start", "hinge")
    assert "--start takes JOINT=VALUE" in refused("simulate", pendulum, "--start", "hinge=1,2,3")
    assert "did you mean hinge?" in refused("simulate", pendulum, "--start", "hing=1")
    assert "--until takes QUANTITY=VALUE" in refused("simulate", pendulum, "--until", "hinge")
    assert "--resume needs the --out" in refused("simulate", pendulum, "--resume")
    assert "unknown format .txt" in refused("simulate", pendulum, "--out", "m.txt")
    assert "at least two times; take more --steps" in refused("simulate", pendulum, "--steps", "1")
