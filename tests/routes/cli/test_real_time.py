"""``groupkin routes --real-time``."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from groupkin.cli import terminal
from groupkin.cli.main import main
from routes.timing import real_time
from tests.support.paths import EXAMPLES

STEWART, PRESS, AXLE = (EXAMPLES / f"{name}.toml" for name in ("stewart_inverse", "eccentric_press", "rear_axle"))


@pytest.fixture(autouse=True)
def _few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "NOTICE_AFTER", 1e6)
    monkeypatch.setattr(real_time, "STEPS", 2000)
    monkeypatch.setattr(real_time, "LOADS", (1, 1000))


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["routes", *map(str, arguments), "--real-time"], prog_name="groupkin")


@pytest.mark.exhaustive  # threads that wait for each other take half a minute on a busy machine
def test_single_steps_as_a_table() -> None:
    result = run(AXLE, "--workers", 2)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].startswith("Rear axle: 2000 single steps of each")
    assert lines[2].split() == ["threads", "mean,", "µs", "99.9", "%,", "µs", "worst,", "µs", "failed", "route"]
    assert [line.split()[0] for line in lines[3:6]] == ["1", "2", "2"]
    assert [line.split()[4] for line in lines[3:6]] == ["0", "0", "0"]
    assert lines[-2].startswith("real time: steps of ")
    assert lines[-1].startswith("2 threads that share groups are ")  # faster than one from some cost on, or busy


def test_single_steps_as_data_with_a_route_and_a_load() -> None:
    found = json.loads(run(STEWART, "--workers", 2, "--route", "1 > 2 > (3|4|5|6) > 7", "--work", 3, "--json").stdout)
    assert [(row["workers"], row["failed"], row["difference"]) for row in found["table"]] == [(1, 0, 0.0), (2, 0, 0.0)]
    assert found["table"][1]["route"] == "1 → 2 → (3 ‖ 4 ‖ 5 ‖ 6) → 7"
    assert all(0.0 < row["mean_us"] <= row["worst_us"] for row in found["table"])
    assert found["best"]["step_us"] == min(row["quantile_us"] for row in found["table"])


def test_steps_with_forces_and_the_equations_of_motion() -> None:
    assert "with driving forces and reactions" in run(PRESS, "--forces").stdout
    text = run(PRESS, "--simulate").stdout
    assert "the equations of motion, 2000 times in one thread" in text
    assert "four of them, a step of order 4" in text
    data = json.loads(run(PRESS, "--simulate", "--json").stdout)
    assert 0.0 < data["mean_us"] <= data["worst_us"]
    assert data["best"]["step_us"] == 4.0 * data["quantile_us"]


def test_where_nothing_can_be_shared_that_is_said() -> None:
    assert "no groups can be solved side by side" in run(EXAMPLES / "four_bar.toml", "--workers", 2).stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((STEWART, "--measure"), "--real-time and --measure exclude each other"),
        ((STEWART, "--split", "time"), "--real-time and --split exclude each other"),
        ((STEWART, "--forces", "--simulate"), "--forces and --simulate exclude each other"),
        ((STEWART, "--rounds", 3), "--rounds belongs to --measure"),
        ((STEWART, "--forces"), "no body has a mass"),
        ((STEWART, "--backend", "mpi"), "--real-time is for threads"),
        ((STEWART, "--block", 8), "--block belongs to --measure, and not to --real-time"),
        ((STEWART, "--route", "7 > 1"), "groups missing"),
        ((EXAMPLES / "micro_manipulator.toml",), "can be analyzed but not solved"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: tuple[object, ...], words: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())
