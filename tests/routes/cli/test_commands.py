"""``groupkin routes``: what it prints and refuses."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import groupkin as gk
import routes
from groupkin.cli import terminal
from groupkin.cli.main import main
from routes.cli import route_listing
from routes.cli.advice import GAIN
from tests.support.paths import EXAMPLES

NINE_BAR, STEWART = EXAMPLES / "nine_bar.toml", EXAMPLES / "stewart_inverse.toml"
ROTOR, MICRO = EXAMPLES / "rotor_control.toml", EXAMPLES / "micro_manipulator.toml"


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "NOTICE_AFTER", 1e6)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["routes", *map(str, arguments)], prog_name="groupkin")


def succeeded(*arguments: object) -> str:
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def data(*arguments: object) -> Any:
    return json.loads(succeeded(*arguments, "--json"))


def refused(*arguments: object) -> str:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


def test_a_small_tree() -> None:
    lines = succeeded(NINE_BAR, "--workers", 2).splitlines()
    assert lines[0] == "Nine-bar linkage: 6 structural groups, 9 routes, 9 up to exchange of interchangeable groups"
    assert lines[2:5] == ["1", "├── 2", "│   ├── 3"]
    assert lines[12:14] == ["4 → 1 → 2 → 3 → 5 → 6", "(1 ‖ 4) → 2 → 3 → 5 → 6  ← best stages"]
    table = [line.split(maxsplit=5) for line in lines[15:20]]
    assert table[0][:5] == ["split", "workers", "µs", "per", "step"]
    assert [row[0] for row in table[1:4]] == ["sequential", "best", "parallel"]
    assert table[2][1] == "stages"
    assert table[1][4].rstrip() == "1.00"
    guessed = "costs are guessed by counting operations, and may be wrong by a factor of 3"
    assert f"predicted for 2 workers and blocks of 1024 steps; {guessed}" in lines


def test_of_interchangeable_groups_one_is_shown() -> None:
    text = succeeded(STEWART, "--workers", 2)
    assert "4683 routes, 32 up to exchange of interchangeable groups" in text
    assert "One of each that differ by exchange of interchangeable groups only:" in text
    # leaves are lines whose branch does not go on: as many as there are routes
    lines = [line for line in text.splitlines() if set(line) & set("├└")]
    deep = [(max(line.find("──"), 0), line) for line in lines]
    leaves = sum(k + 1 == len(deep) or deep[k + 1][0] <= depth for k, (depth, _) in enumerate(deep))
    assert leaves == 32


def test_of_a_large_tree_how_it_spreads() -> None:
    text = succeeded(MICRO, "--workers", 2)
    title, _, header, *rows = [line.split() for line in text.splitlines()]
    assert title[:1] == ["Micro-manipulator:"]
    assert header == ["stages", "routes", "distinct"]
    end = rows.index([])
    assert [int(row[0]) for row in rows[:end]] == [4, 5, 6, 7, 8]
    assert sum(int(row[1]) for row in rows[:end]) == 1989
    assert sum(int(row[2]) for row in rows[:end]) == 1094
    assert "├" not in text


def test_as_data() -> None:
    found = data(ROTOR, "--workers", 4, "--block", 100)
    assert (found["routes"], found["distinct"], found["distinct_is_exact"]) == (51, 51, True)
    assert found["best"]["route"] == "1 → 2 → (3 ‖ 4) → (5 ‖ 6) → 7"
    assert found["best"]["gap"] == 0
    assert found["best"]["how"].startswith("exact")
    keys = ["route", "split", "block", "workers", "backend", "predicted_us_per_step", "measured_us_per_step"]
    assert all(list(row) == keys for row in found["table"])
    assert [(row["split"], row["workers"]) for row in found["table"]] == [
        ("groups", 1),
        ("groups", 4),
        ("groups", 4),
        ("hybrid", 4),
        ("time", 4),
    ]
    assert {(row["block"], row["backend"], row["measured_us_per_step"]) for row in found["table"]} == {
        (100, None, None)
    }
    structure = gk.analyze(gk.load(ROTOR))
    costs = routes.guess_costs(structure, workers=4, block=100)
    for row in found["table"][1:]:
        route = routes.parse_route(row["route"], structure)
        assert row["predicted_us_per_step"] == pytest.approx(1e6 * routes.predicted_cost(costs, route, row["split"]))


@pytest.mark.parametrize(("split", "splits"), [("groups", {"groups"}), ("time", {"groups", "time"})])
def test_one_split(split: str, splits: set[str]) -> None:
    found = data(ROTOR, "--workers", 4, "--split", split)
    assert {row["split"] for row in found["table"]} == splits  # what all are compared with is sequential


def test_every_route() -> None:
    found = data(NINE_BAR, "--workers", 2, "--split", "groups", "--all")
    assert len({row["route"] for row in found["table"]}) == len(found["table"]) == 9
    least = min(found["table"], key=lambda row: row["predicted_us_per_step"])
    assert least["predicted_us_per_step"] == pytest.approx(found["best"]["predicted_us_per_step"])
    text = succeeded(NINE_BAR, "--workers", 4, "--all")
    rows = [line.split() for line in text.splitlines()[3:]]
    assert [sum(row[0] == split for row in rows) for split in ("groups", "hybrid", "time")] == [9, 9, 9]
    assert len({line.split(maxsplit=4)[4] for line in text.splitlines()[3:30]}) == 9


def test_too_many_to_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route_listing, "LISTED", 50)
    assert "51 routes are too many to list; routes.tree(structure).routes(limit=...)" in refused(
        ROTOR, "--all", "--json"
    )


def test_the_best_route() -> None:
    text = succeeded(MICRO, "--workers", 4, "--best", "--costs", "guessed")
    lines = text.splitlines()
    assert lines[0] == "Micro-manipulator: (1 ‖ 3) → (2 ‖ 4 ‖ 5 ‖ 6) → 7 → 8"
    assert "\nbest stages: exact: " in text
    assert lines[-1].startswith("without stages, by list scheduling: ")
    assert "stages  routes" not in text
    found = data(MICRO, "--workers", 4, "--best", "--costs", "guessed")
    assert sorted(found["unstaged"]["order"]) == list(range(1, 9))
    assert found["unstaged"]["predicted_us_per_step"] >= found["unstaged"]["bound_us_per_step"]


@pytest.mark.parametrize("options", [("--workers", 2), ("--workers", 2, "--split", "groups"), ("--workers", 1)])
def test_the_recommendation_is_one_command_that_runs(options: tuple[object, ...]) -> None:
    """The fastest of what was measured, also where no way to share the work is faster than one worker."""
    text = succeeded(ROTOR, *options)
    (measured,) = [line for line in text.splitlines() if line.startswith("measured on this machine")]
    (line,) = [line for line in text.splitlines() if line.startswith("recommended: ")]
    command, _, cost = line.removeprefix("recommended: ").rpartition(" (")
    known = [float(words.split()[-1]) for words in measured.split(" µs per step")[:-1]]
    assert float(cost.split()[0]) <= min(known) / (1.0 - GAIN) * 1.01
    program, *arguments = shlex.split(command)
    assert (program, arguments[:2]) == ("groupkin", ["solve", str(ROTOR)])
    done = CliRunner().invoke(main, [*arguments, "--steps", "5"])
    assert done.exit_code == 0, done.output
    if "--split" in arguments and "groups" in arguments:
        assert ">" in arguments[-1]
    assert ("stay with one worker" in cost) == ("--workers" not in arguments)


def test_one_worker() -> None:
    text = succeeded(NINE_BAR, "--workers", 1)
    assert "one worker: every route costs the same" in text
    assert [row["split"] for row in data(NINE_BAR, "--workers", 1)["table"]] == ["groups"]


def test_prediction_for_a_cluster() -> None:
    arguments = (
        STEWART,
        "--predict",
        "--costs",
        "guessed",
        "--workers",
        64,
        "--nodes",
        8,
        "--latency",
        "2e-6",
        "--bandwidth",
        "1e10",
    )
    text = succeeded(*arguments)
    assert text.startswith("Stewart platform, inverse: predicted for 64 workers on 8 nodes")
    assert "bytes of every step sent to the node that writes the result" in text
    assert "sent to the node" not in succeeded(STEWART, "--predict", "--costs", "guessed", "--workers", 64)
    found = data(*arguments)
    assert (found[0]["split"], found[0]["teams"]) == ("time", 64)
    assert {row["teams"] * row["lanes"] for row in found if row["split"] == "time"} == {64}
    costs = [row["us_per_step"] for row in found]
    assert costs == sorted(costs)


def test_a_picture(tmp_path: Path) -> None:
    result = run(NINE_BAR, "--picture", tmp_path / "tree.png")
    assert (result.exit_code, result.stderr) == (0, f"written: {tmp_path / 'tree.png'}, 9 routes\n")
    assert (tmp_path / "tree.png").stat().st_size > 1000


def test_what_is_refused(tmp_path: Path) -> None:
    assert "a picture ends in .svg, .png, .pdf" in refused(NINE_BAR, "--picture", tmp_path / "tree.txt")
    assert "--nodes belongs to --predict" in refused(NINE_BAR, "--nodes", 2)
    assert "64 workers cannot be spread evenly over 7 nodes" in refused(
        NINE_BAR, "--predict", "--costs", "guessed", "--workers", 64, "--nodes", 7
    )
    assert "nowhere.toml" in refused(tmp_path / "nowhere.toml")
    assert "Invalid value for '--workers'" in refused(NINE_BAR, "--workers", 0)
    assert "Invalid value for '--bandwidth'" in refused(NINE_BAR, "--predict", "--costs", "guessed", "--bandwidth", 0)


def test_it_is_imported_when_asked_for() -> None:
    """The commands of the packages above are listed and found, but importing the command line does not import them."""
    code = "import sys; from groupkin.cli import main as cli; print('routes' in sys.modules); cli.main(['--help'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, *rest = done.stdout.splitlines()
    assert first == "False"
    assert any(line.split()[:1] == ["routes"] for line in rest)
    heavy = "import sys, routes; print(any(name in sys.modules for name in ('numba', 'networkx', 'numpy')))"
    done = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_what_to_run_is_measured_for_a_number_of_steps() -> None:
    """Workers do not pay on few steps, whatever is predicted; guesses recommend nothing, nor what has no geometry."""
    text = succeeded(NINE_BAR, "--workers", 2, "--steps", 20)
    assert "measured on this machine, 20 steps" in text
    assert "--steps 20 (" in text
    assert "stay with one worker" in text
    assert "nothing is recommended by guesses" in succeeded(NINE_BAR, "--costs", "guessed")
    assert "nothing can be measured" in succeeded(MICRO)
