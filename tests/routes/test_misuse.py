"""What is asked wrongly, or of one backend by several threads, or interrupted: refused, in turns, ended soon."""

from __future__ import annotations

import os
import signal
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import groupkin as gk
import routes
from groupkin.cli.main import main
from groupkin.errors import ArgumentError, GroupkinWarning, RouteError
from routes.timing import cost_cache
from tests.support.paths import EXAMPLES

FOUR_BAR = EXAMPLES / "four_bar.toml"
TIMES = np.linspace(0.0, 1.0, 50)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"work": 0}, "work must be a whole number from 1 on, not 0"),
        ({"work": -1}, "work must be a whole number"),
        ({"block": 2.5}, "block must be a whole number from 1 on, not 2.5"),
        ({"block": 0}, "block must be a whole number"),
        ({"route": 3}, "route must be a text or a Route, not 3"),
        ({"workers": "threads"}, r"workers must be a whole number, .* or cluster.ranks\(\), not 'threads'"),
        ({"on_failure": "skip"}, 'on_failure must be "raise" or "nan"'),
    ],
)
def test_arguments_of_the_wrong_kind(given: dict[str, object], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        routes.solve(gk.load(FOUR_BAR), TIMES, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("workers", [0, -1, 100_000])
def test_numbers_of_threads_that_cannot_be(workers: int) -> None:
    with pytest.raises(RouteError, match="workers must be between 1 and 1,024"):
        routes.threads(workers)


def test_many_threads_are_warned_of() -> None:
    with pytest.warns(GroupkinWarning, match="threads share"):
        routes.threads(8 * len(os.sched_getaffinity(0)) + 1)


def test_blocks_longer_than_the_motion_take_no_more_memory() -> None:
    program = gk.program(gk.load(FOUR_BAR))
    for found in (
        routes.solve(program, TIMES, block=10**11, route="sequential", cache=False),
        gk.solve(program, TIMES, block=10**11),
    ):
        assert found is not None
        assert np.array_equal(found.q, gk.solve(program, TIMES).q)


def test_a_file_of_costs_may_be_named_by_text_and_hold_nonsense(tmp_path: Path) -> None:
    path = tmp_path / "costs.sqlite"
    program = gk.program(gk.load(FOUR_BAR))
    assert routes.solve(program, TIMES, workers=2, cache=str(path)) is not None
    with sqlite3.connect(path) as database:
        keys = database.execute("select what, block, backend from cost").fetchall()
        database.execute("update cost set seconds = 'abc'")
    assert keys
    assert cost_cache.read_costs(path, [tuple(keys[0])]) == {}
    assert routes.solve(program, TIMES, workers=2, cache=path) is not None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--measure", "--predict"), "exclude each other"),
        (("--all", "--best"), "exclude each other"),
        (("--predict", "--workers", "4", "--latency", "nan"), "must be numbers"),
    ],
)
def test_options_that_exclude_each_other(options: tuple[str, ...], words: str) -> None:
    result = CliRunner().invoke(main, ["routes", str(FOUR_BAR), *options])
    assert result.exit_code == 2
    assert words in result.stderr


@pytest.mark.parametrize("split", ["groups", "time"])
def test_threads_that_share_a_backend_take_turns(split: str) -> None:
    backend = routes.threads(2)
    programs = [gk.program(gk.load(EXAMPLES / f"{name}.toml")) for name in ("nine_bar", "stewart_inverse")]
    expected = [gk.solve(program, TIMES) for program in programs]
    wrong: list[object] = []

    def work(k: int) -> None:
        try:
            for _ in range(30):
                found = routes.solve(
                    programs[k], TIMES, route="parallel" if split == "groups" else "sequential", workers=backend,
                    split=split, block=8, cache=False,
                )  # fmt: skip
                assert found is not None
                if not np.array_equal(found.a, expected[k].a):
                    wrong.append(k)
        except BaseException as error:
            wrong.append(error)

    callers = [threading.Thread(target=work, args=(k,)) for k in (0, 1)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert wrong == []


@pytest.mark.parametrize("backend", [routes.serial, lambda: routes.threads(2)], ids=["serial", "threads"])
def test_a_long_run_can_be_interrupted(backend: Callable[[], routes.Backend]) -> None:
    program = gk.program(gk.load(EXAMPLES / "rear_axle.toml"))
    times = np.linspace(0.0, 1.0, 200_000)

    def interrupt() -> None:
        time.sleep(1.0)
        os.kill(os.getpid(), signal.SIGINT)

    own = backend()
    routes.solve(program, times[:100], workers=own, route="sequential", split="time", block=64, cache=False)
    began = time.monotonic()
    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        routes.solve(program, times, workers=own, route="sequential", split="time", block=64, work=20_000, cache=False)
    assert time.monotonic() - began < 60.0  # all of it would take minutes
    found = routes.solve(program, times[:100], workers=own, route="sequential", split="time", block=64, cache=False)
    assert found is not None
    assert found.solved.all()


def test_costs_that_no_time_is_are_measured_again(tmp_path: Path) -> None:
    keys = [(name, 0, "serial") for name in ("right", "negative", "infinite")]
    cost_cache.write_costs(tmp_path / "c.sqlite", dict(zip(keys, (1e-6, -1.0, float("inf")), strict=True)))
    assert cost_cache.read_costs(tmp_path / "c.sqlite", keys) == {keys[0]: 1e-6}
