"""Threads that stay alive: all work, exceptions arrive, sleepers wake."""

from __future__ import annotations

import time

import pytest

from routes.crew import Crew, crew


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_every_worker_works_once(workers: int) -> None:
    done: list[int] = []
    for run in range(20):
        done.clear()
        Crew.run(crew(workers), done.append)
        assert sorted(done) == list(range(workers)), run


def test_sleepers_are_woken() -> None:
    done: list[int] = []
    team = crew(2)
    for pause in (0.0, 0.05, 0.2):  # longer than a thread looks for work
        time.sleep(pause)
        team.run(done.append)
    assert sorted(done) == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("failing", [0, 1])
def test_an_exception_arrives_and_the_next_run_goes_on(failing: int) -> None:
    def work(worker: int) -> None:
        if worker == failing:
            raise ZeroDivisionError(worker)

    team, done = crew(2), []
    with pytest.raises(ZeroDivisionError):
        team.run(work)
    team.run(done.append)
    assert sorted(done) == [0, 1]
