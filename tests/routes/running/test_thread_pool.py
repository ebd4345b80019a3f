"""Threads that stay alive between runs, and how compiled code of theirs says that it is done."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

import groupkin as gk
import routes
from routes.running.execution import execute, motion_of, prepare
from routes.running.thread_pool import ThreadPool, thread_pool
from routes.timing.group_costs import single_lane
from sglibrary.run.team_loop import LINE, Leaving, leave
from tests.support.paths import EXAMPLES


@pytest.mark.parametrize("pause", [0.0, 0.01], ids=["awake", "asleep"])
def test_every_worker_works_once_in_every_run(pause: float) -> None:
    own, seen = ThreadPool(3), []
    for _ in range(20):
        own.run(lambda worker: seen.append((worker, threading.get_ident())))
        time.sleep(pause)
    workers = [worker for worker, _ in seen]
    assert [workers.count(worker) for worker in range(3)] == [20] * 3
    assert len(set(seen)) == 3  # always the same threads
    assert (0, threading.get_ident()) in seen


def test_the_pool_of_so_many_threads_is_kept() -> None:
    assert thread_pool(2) is thread_pool(2)
    assert thread_pool(2) is not thread_pool(3)


def test_an_exception_of_any_worker_is_raised_and_the_next_run_is_sound() -> None:
    own = ThreadPool(2)

    def fail(worker: int) -> None:
        if worker == 1:
            raise KeyError("here")

    with pytest.raises(KeyError, match="here"):
        own.run(fail)
    seen: list[int] = []
    own.run(seen.append)
    assert sorted(seen) == [0, 1]


def test_who_leaves_says_that_the_last_order_is_done() -> None:
    orders = np.zeros((3, LINE), np.int64)
    orders[0, 0] = 7
    leave(Leaving(orders, 2, 1))  # nobody orders anything: it goes when its patience ends
    assert orders[:, 0].tolist() == [7, 0, 7]
    leave(Leaving(orders, 0, 1))  # the first worker gives the orders
    assert orders[:, 0].tolist() == [7, 0, 7]


def test_runs_in_quick_succession_give_the_same_bits() -> None:
    """Threads go from one run to the next in compiled code; what is cleared in between is not what they still read."""
    program = gk.program(gk.load(EXAMPLES / "stewart_inverse.toml"))
    times = np.linspace(0.0, 1.0, 256)
    expected = gk.solve(program, times)
    run = prepare(program, times, single_lane(program), routes.threads(2), 32)
    for k in range(300):
        for x in run.results:
            x[:] = np.nan
        execute(run)
        found = motion_of(run)
        assert found is not None
        assert np.array_equal(found.a, expected.a)
        if k % 50 == 0:
            time.sleep(0.005)  # the other thread goes to sleep
