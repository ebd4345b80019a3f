"""Single steps: what is given to the drivers, what is kept of the state, and orders that are served."""

from __future__ import annotations

import math
import threading

import numpy as np
import pytest
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]

from sglibrary.laws import OTHER
from sglibrary.run import step_loop
from sglibrary.run.calls import Calls, Drivers, State
from sglibrary.run.step_loop import Given, Lane, written_lane
from sglibrary.run.team_loop import CALLS, LINE, LaneResults, Member, Plan

NONE, NO_RUNS = np.zeros(0, np.int64), np.zeros((0, 2), np.int64)
ROWS = 5
"""Of the time, of an angle with cosine and sine, and of a slide."""


def lane(number: int = 0, lanes: int = 1, state: State | None = None, results: LaneResults | None = None) -> Lane:
    """A lane of a program without groups but one that calls nothing: its drivers, an angle and a slide, are all."""
    values = np.zeros((2, 3, 1))
    drivers = Drivers(
        np.full(2, OTHER), np.zeros((2, 4)), np.zeros(0), np.array([True, False]), np.array([1, 4]), values
    )
    kept = np.arange(1, ROWS)
    results = results or LaneResults(
        kept, np.array([[0, kept.size]]), np.zeros(1, np.int64), np.array([[0, 1]]),
        (*(np.full((kept.size, 8), np.nan) for _ in range(3)), np.zeros((1, 8))), np.zeros((1, 1), np.uint8), False,
    )  # fmt: skip
    calls = Calls([] if DISABLE_JIT else NONE, NONE, np.zeros(0), np.zeros(0), np.zeros((1, 3), np.int64), NONE)
    totals = np.ones(lanes, np.int64)
    plan = Plan(np.zeros((1, 2), np.int64), NO_RUNS, np.zeros(2, np.int64), totals, NONE, 1)
    member = Member(number, np.zeros((lanes + 1, LINE), np.int64), np.zeros(CALLS, np.int64))
    q, v, a = (np.zeros((ROWS, 8)) for _ in range(3))
    state = state or State(q, v, a, np.zeros((1, 8)))
    limits = np.array([math.pi / 2, 1e15])
    return Lane(
        calls, plan, drivers, state, results, member,
        Given(values, np.arange(2), limits, np.zeros((2, 3, 1)), np.zeros(1)),
    )  # fmt: skip


def expected(angle: float, slide: float) -> list[float]:
    return [angle, math.cos(angle), math.sin(angle), slide]


@pytest.mark.parametrize("alone", [True, False])
def test_drivers_are_what_is_given(alone: bool) -> None:
    own, orders = lane(), np.zeros(LINE, np.int64)
    written = written_lane(own)
    for angle, slide in ((0.3, 2.0), (-1.2, -0.5)):
        given = np.array([angle, slide]), np.array([0.1, 0.2]), np.array([3.0, 4.0])
        status = step_loop.step(written, *given) if alone else step_loop.lead(written, orders, *given)
        assert status == 0
        q, v, a, _ = own.results.targets
        np.testing.assert_allclose(q[:, 0], expected(angle, slide), rtol=0.0, atol=1e-15)
        assert (v[0, 0], v[3, 0], a[0, 0], a[3, 0]) == (0.1, 0.2, 3.0, 4.0)
        np.testing.assert_array_equal(own.given.inputs[:, 0, 0], [angle, slide])


@pytest.mark.parametrize(
    ("values", "rates"),
    [((1.6, 0.0), (0.0, 0.0)), ((math.nan, 0.0), (0.0, 0.0)), ((0.1, 0.0), (math.inf, 0.0)), ((0.1, 0.0), (1e16, 0.0))],
)
def test_what_is_no_value_becomes_nan(values: tuple[float, float], rates: tuple[float, float]) -> None:
    own = lane()
    step_loop.step(written_lane(own), np.array(values), np.array(rates), np.zeros(2))
    assert math.isnan(own.results.targets[0][0, 0])
    assert own.results.targets[0][3, 0] == 0.0


def test_columns_are_timed_one_after_another() -> None:
    own, columns = lane(), np.random.default_rng(0).uniform(-1.0, 1.0, (2, 3, 50))
    stamps = np.zeros(51, np.int64)
    assert step_loop.timed_steps(written_lane(own), columns, stamps) == 0
    np.testing.assert_allclose(own.results.targets[0][:, 0], expected(*columns[:, 0, -1]), rtol=0.0, atol=1e-15)
    assert (np.diff(stamps) >= 0).all()
    assert step_loop.timed_lead(written_lane(own), np.zeros(LINE, np.int64), columns[:, :, :7], stamps[:8]) == 0
    np.testing.assert_allclose(own.results.targets[0][:, 0], expected(*columns[:, 0, 6]), rtol=0.0, atol=1e-15)


def test_lanes_serve_orders_until_they_end() -> None:
    first = lane(0, 2)
    counters = first.member.counters
    second = lane(1, 2, first.state, first.results)
    none = Drivers(NONE, np.zeros((0, 4)), np.zeros(0), np.zeros(0, bool), NONE, np.zeros((0, 3, 1)))
    second = second._replace(member=second.member._replace(counters=counters), drivers=none)
    parts, orders, ended = [written_lane(first), written_lane(second)], np.zeros(2 * LINE, np.int64), []

    def serve() -> None:
        done = 0
        while done >= 0:
            done = step_loop.serve(parts[1], orders, done, 10)
        ended.append(done)

    other = threading.Thread(target=serve, daemon=True)
    other.start()
    for k in range(5):
        angle = 0.1 * k
        assert step_loop.lead(parts[0], orders, np.array([angle, 0.0]), np.zeros(2), np.zeros(2)) == 0
        assert first.results.targets[0][0, 0] == angle
        assert orders[LINE] == k + 1
    step_loop.end_orders(orders)
    other.join(timeout=30.0)
    assert ended == [-1]
