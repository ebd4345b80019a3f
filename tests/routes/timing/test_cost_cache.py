"""Measured costs: kept, found again, and composed; strategies and what is predicted for them."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import groupkin as gk
import routes
from groupkin.errors import GroupkinWarning, OutputError
from groupkin.kinematics.program.program import Program
from routes.choosing import choose_route
from routes.diagrams.route import Route
from routes.planning.costs import Costs
from routes.timing import cost_cache, group_costs, team_costs
from routes.timing.library_costs import measure_library
from routes.timing.program_costs import ProgramCosts, program_costs
from routes.timing.strategies import Strategy, lanes_of, strategies, strategy_cost
from tests.support.diagrams import structure
from tests.support.paths import EXAMPLES

TIMES = np.linspace(0.0, 1.0, 101)


@pytest.fixture(scope="module")
def platform() -> Program:
    return gk.program(gk.load(EXAMPLES / "stewart_inverse.toml"))


@pytest.mark.smoke
def test_what_is_remembered_is_recalled(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "tuning.sqlite"
    first, second = ("group a", 16, "serial"), ("group b", 16, "serial")
    assert cost_cache.read_costs(path, [first]) == {}
    cost_cache.write_costs(path, {first: 1e-6, second: 2e-6})
    cost_cache.write_costs(path, {first: 3e-6})
    assert cost_cache.read_costs(path, [first, second, ("group a", 1, "serial")]) == {first: 3e-6, second: 2e-6}


def test_a_damaged_file_is_measured_anew_not_trusted(tmp_path: Path) -> None:
    path = tmp_path / "tuning.sqlite"
    path.write_bytes(b"this is no database" * 100)
    assert cost_cache.read_costs(path, [("kept", 16, "serial")]) == {}
    with pytest.raises(OutputError, match=r"tuning.sqlite: measurements cannot be written: .*or use --no-cache"):
        cost_cache.write_costs(path, {("kept", 16, "serial"): 1e-9})


def test_a_directory_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="GROUPKIN_CACHE_DIR"):
        cost_cache.write_costs(tmp_path / "file" / "tuning.sqlite", {("kept", 16, "serial"): 1e-9})


def test_the_file_is_where_the_user_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cost_cache.DIRECTORY_VARIABLE, str(tmp_path))
    assert cost_cache.cache_file().parent == tmp_path
    assert gk.__version__ in cost_cache.cache_file().name


def test_known_groups_are_not_measured_again(
    tmp_path: Path, platform: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, two = tmp_path / "tuning.sqlite", routes.threads(2)
    first = program_costs(platform, TIMES, two, 64, path)
    monkeypatch.setattr(group_costs, "profile", lambda *_: pytest.fail("measured again"))
    monkeypatch.setattr(team_costs, "measure_team", lambda *_: pytest.fail("measured again"))
    assert program_costs(platform, TIMES, two, 64, path).per_step == first.per_step
    with sqlite3.connect(path) as database:
        names = [name for (name,) in database.execute("select what from cost")]
    assert sum(name.startswith("group ") for name in names) == 2  # the platform, and one for all six legs


@pytest.mark.parametrize("slow", ["profile", "measure_team"])
def test_what_is_measured_on_a_busy_machine_is_used_but_not_kept(
    tmp_path: Path, platform: Program, monkeypatch: pytest.MonkeyPatch, slow: str
) -> None:
    path, two = tmp_path / "tuning.sqlite", routes.threads(2)
    names = {*group_costs.call_names(platform), *group_costs.law_names(platform), "kept", "run"}
    spread = {"profile": 1.1, "measure_team": 1.1} | {slow: 1.6}
    made = group_costs.Measured(dict.fromkeys(names, 2e-9), spread["profile"])
    shared = group_costs.Measured(dict.fromkeys(("barrier", "byte", "run"), 3e-9), spread["measure_team"])
    monkeypatch.setattr(group_costs, "BUSY", 1.5)
    monkeypatch.setattr(group_costs, "profile", lambda *_: made)
    monkeypatch.setattr(team_costs, "measure_team", lambda *_: shared)
    with pytest.warns(GroupkinWarning, match="this machine is busy: .* not kept; measure again") as told:
        found = program_costs(platform, TIMES, two, 64, path)
    assert len(told) == 1
    assert (found.per_step.barrier, found.startup, found.startup_alone) == (3e-9, 5e-9, 2e-9)
    keys = [(name, 64, "serial") for name in names], [(name, 64, "threads 2") for name in shared.seconds]
    kept = [bool(cost_cache.read_costs(path, each)) for each in keys]
    assert kept == [slow != "profile", slow != "measure_team"]


def test_a_run_that_is_disturbed_shows_in_the_spread() -> None:
    assert group_costs.spread_of([1.0, 1.1, 1.0, 5.0, 1.0, 1.2, 1.1]) == pytest.approx(1.1)  # once is no matter
    assert group_costs.spread_of([1.0, 2.0, 1.9, 5.0, 2.2, 1.0, 2.1]) == pytest.approx(2.0)


def test_costs_are_those_of_the_parts(tmp_path: Path, platform: Program) -> None:
    """Every number of the composed costs, from a file with made-up measurements."""
    names = group_costs.call_names(platform)
    made = dict.fromkeys(names, 2e-9) | {names[0]: 5e-9}
    others = {"kept": 1e-10, "driver Harmonic": 1e-8, "driver Harmonic of an angle": 3e-8, "run": 1e-4}
    path = tmp_path / "tuning.sqlite"
    cost_cache.write_costs(path, {(name, 64, "serial"): value for name, value in (made | others).items()})
    shared = {"barrier": 1e-6, "byte": 1e-10, "run": 2e-4}
    cost_cache.write_costs(path, {(name, 64, "threads 2"): value for name, value in shared.items()})
    found = program_costs(platform, TIMES, routes.threads(2), 64, path)
    assert found.per_step.seconds == {1: pytest.approx(7e-9)} | {k: pytest.approx(2e-9) for k in range(2, 8)}
    # the platform's point and three directions; of a leg what it does not share with the platform or the frame
    kept = {1: 12} | dict.fromkeys(range(2, 8), (len(platform.kept) - 12) // 6)
    turns = sum(driven.rotation for driven in platform.drivers)
    driving = turns * 3e-8 + (6 - turns) * 1e-8
    expected = {k: pytest.approx(rows * 1e-10 + driving * (k == 1)) for k, rows in kept.items()}
    assert found.per_step.io == expected
    assert found.per_step.bytes_read[1] == 24 * 36  # six joints: a point and the directions of a U joint
    assert [found.per_step.bytes_read[k] for k in range(2, 8)] == [0.0] * 6
    assert (found.per_step.barrier, found.per_step.bandwidth) == (1e-6, pytest.approx(1e10))
    assert found.startup == pytest.approx(3e-4)


@pytest.mark.long
def test_every_kind_of_group_can_be_measured() -> None:
    found = list(measure_library([64]))
    names = {name for kind in found for name, _, _ in kind if name.startswith("group ")}
    assert len(names) >= 55  # the catalog has 57 kinds, and Newton's; random chains of some seldom move
    assert all(seconds >= 0.0 for kind in found for seconds in kind.values())


# --- predictions -----------------------------------------------------------------------------

FORK = structure([[], [0], [0], [1, 2]])
COSTS = ProgramCosts(
    Costs(
        {1: 1.0, 2: 2.0, 3: 3.0, 4: 4.0},
        {1: 10.0, 2: 20.0, 3: 30.0},
        barrier=5.0,
        bandwidth=10.0,
        block=10,
        workers=2,
        io={1: 0.1, 2: 0.2, 3: 0.4, 4: 0.8},
    ),
    startup=100.0,
    following=50.0,
)
ROUTE = Route(((1,), (2, 3), (4,)))


def strategy(route: Route, split: str, team_size: int, workers: int = 2, block: int = 10) -> Strategy:
    return Strategy(route, split, team_size, block, workers)


def test_a_route_on_lanes_by_hand() -> None:
    # stages of 10 steps: 10, 30, 40; three barriers; 60 bytes per step at 10 bytes a second; lane 0 keeps 1, 3 and 4
    expected = (10 + 30 + 40 + 3 * 5 + 10 * 60 / 10) / 10 + (0.1 + 0.4 + 0.8) + 150 / 1000
    assert strategy_cost(strategy(ROUTE, "groups", 2), FORK, COSTS, 1000) == pytest.approx(expected)


def test_one_lane_pays_no_barrier() -> None:
    alone = Route(((1,), (2,), (3,), (4,)))
    assert strategy_cost(strategy(alone, "groups", 2), FORK, COSTS, 1000) == pytest.approx(10 + 1.5 + 0.15)
    # 96 blocks are 16 spans of 6, eight for each of two workers
    assert strategy_cost(strategy(alone, "time", 1), FORK, COSTS, 960) == pytest.approx((10 + 1.5) / 2 + 150 / 960)


def test_blocks_that_cannot_be_divided() -> None:
    """Three blocks for two workers take as long as four."""
    assert strategy_cost(strategy(ROUTE, "time", 1), FORK, COSTS, 30) == pytest.approx(11.5 * 2 / 3 + 5)


def test_step_by_step_nothing_is_followed_ahead() -> None:
    one = ProgramCosts(replace(COSTS.per_step, block=1), startup=0.0, following=50.0)
    assert one.for_steps(10).following == 0.0
    assert COSTS.for_steps(10).following == 5.0


def test_a_schedule_without_stages_by_hand() -> None:
    schedule = routes.unstaged(FORK, COSTS.per_step, 2)
    found = strategy_cost(Strategy(schedule, "groups", 2, 10, 2), FORK, COSTS, 1000)
    # 1 and 3 and 4 on one lane, 2 on the other: it ends before 3 does, plus its wait 5 + 20 and that for group 1
    lanes = lanes_of(Strategy(schedule, "groups", 2, 10, 2), FORK, COSTS.per_step)
    assert sorted(number for lane in lanes for number in lane.groups) == [1, 2, 3, 4]
    assert found == pytest.approx(schedule.seconds + 0.15, rel=0.1)


def test_strategies_leave_out_what_is_the_same_twice() -> None:
    routes_tried = [ROUTE, Route(((1,), (2,), (3,), (4,)))]
    found = list(strategies(routes_tried, 2, ("groups", "time"), [10], iterates=False))
    assert [(item.split, item.team_size) for item in found] == [("groups", 2), ("groups", 2), ("time", 1)]
    found = list(strategies(routes_tried, 4, ("groups", "time", "hybrid"), [1], iterates=True))
    assert [(item.split, item.team_size) for item in found] == [("groups", 4), ("groups", 4)]


def test_the_choice_is_the_best_that_was_measured(tmp_path: Path, platform: Program) -> None:
    found = choose_route(platform, TIMES, routes.threads(2), cache=tmp_path / "tuning.sqlite")
    seconds = [value for _, value in found.strategies]
    # the plain call, its steps shared, and the best of those that share groups are measured; others are predicted
    assert found.measured == 3
    assert seconds[:3] == sorted(seconds[:3])
    assert seconds[3:] == sorted(seconds[3:])
    assert {(item.split, item.workers) for item, _ in found.strategies[:3]} == {("time", 1), ("time", 2), ("groups", 2)}
    assert found.best.block > 1
    assert {item.split for item, _ in found.strategies} == {"groups", "time"}
