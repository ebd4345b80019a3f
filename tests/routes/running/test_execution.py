"""Routes executed: every route of a mechanism gives the sequential answer, on every backend within a process."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import groupkin as gk
import routes
from groupkin.errors import CannotAssembleError, GroupkinError, LawError, RouteError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.dataflow import flows
from groupkin.kinematics.program.program import TIME_ROW, Program
from groupkin.kinematics.solving.driver_values import given_drivers
from groupkin.kinematics.solving.state_memory import block_state
from groupkin.kinematics.solving.tracking import track
from groupkin.mechanism.laws.laws import Law
from routes.running.backends import Backend
from routes.running.execution import execute, motion_of, prepare, waited
from routes.running.schedules import Lanes, messages, staged, unstaged
from sglibrary.run.calls import load
from sglibrary.tolerances import POSITION_STEP
from tests.support.diagrams import random_before, structure
from tests.support.paths import EXAMPLES
from tests.support.shares import in_part

SOLVED = sorted(path.stem for path in EXAMPLES.glob("*.toml") if path.suffixes == [".toml"])


def program(name: str) -> Program:
    return gk.program(gk.load(EXAMPLES / f"{name}.toml"))


@pytest.fixture(scope="module")
def rotor() -> Program:
    return program("rotor_control")


@pytest.fixture(scope="module")
def platform() -> Program:
    return program("stewart_inverse")


@pytest.fixture(scope="module", params=["serial", "2 threads", "4 threads"])
def backend(request: pytest.FixtureRequest) -> Backend:
    return routes.serial() if request.param == "serial" else routes.threads(int(request.param[0]))


def spread(stages: routes.Route, width: int) -> dict[int, int]:
    """Groups on lanes in turn."""
    return {number: k % width for stage in stages.stages for k, number in enumerate(stage)}


def bits(found: Motion | None, expected: Motion) -> bool:
    names = ("q", "v", "a", "status", "conditioning")
    return found is not None and all(
        np.array_equal(getattr(found, name), getattr(expected, name), equal_nan=True) for name in names
    )


# --- what flows ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in SOLVED if name != "micro_manipulator"])
def test_groups_write_and_read_what_flow_says(name: str) -> None:
    own, times = program(name), np.linspace(0.0, 0.01, 4)
    memories, state = track(own, times, resume=False), block_state(own, 4)
    codes = np.zeros(state.conditioning.shape, np.uint8)
    load(times, given_drivers(own, np.array([driven.law.at(times) for driven in own.drivers])), state, 0, 4)
    given_rows = {TIME_ROW, *(driven.row + k for driven in own.drivers for k in range(3)), *own.fixed}
    open_rows = [row for row in range(own.rows) if row not in given_rows]
    state.q[open_rows] = -7.7e77  # what no kernel writes
    known: set[int] = set()
    for group, flow in zip(own.structure.groups, flows(own), strict=True):
        before = state.q.copy()
        assert set(flow.reads) <= known
        for k in range(*flow.calls):
            step, status = own.calls[k], codes[group.number - 1]
            conditioning = state.conditioning[group.number - 1]
            step.kernel(state.q, state.v, state.a, memories[k], step.rows, step.constants, status, conditioning, 4)
            assert (status[:4] == 0).all()  # nothing it needs was left out
        changed = {row for row in open_rows if (state.q[row] != before[row])[:4].any()}
        assert changed <= set(flow.writes)
        known |= changed
    kept = set(own.kept)
    assert kept <= known


# --- lanes -----------------------------------------------------------------------------------


def go_through(lanes: Lanes, order: list[int]) -> list[int]:
    """The groups in the order in which lanes finish them, lanes being asked in a given order; fails at a deadlock."""
    done = [0] * len(lanes)
    finished = []
    total = sum(len(lane.groups) for lane in lanes)
    while len(finished) < total:
        ready = [
            k
            for k in order
            if done[k] < len(lanes[k].groups) and all(done[lane] >= count for lane, count in lanes[k].waits[done[k]])
        ]
        assert ready, "all lanes wait"
        finished.append(lanes[ready[0]].groups[done[ready[0]]])
        done[ready[0]] += 1
    return finished


@given(st.randoms(use_true_random=False), st.integers(1, 9), st.integers(1, 4))
def test_lanes_wait_for_what_they_need(draw, size: int, width: int) -> None:  # type: ignore[no-untyped-def]
    diagram = structure(random_before(draw, size, 0.4))
    lane_of = {number + 1: draw.randrange(width) for number in range(size)}
    tree = routes.tree(diagram)
    route = draw.choice([tree.sequential, tree.parallel])
    asked = draw.sample(range(width), width)
    for lanes in (staged(route.stages, lane_of, width), unstaged(diagram, route.order, lane_of, width)):
        order = go_through(lanes, asked)
        assert sorted(order) == list(range(1, size + 1))
        for group in diagram.groups:
            assert all(order.index(before) < order.index(group.number) for before in group.depends_on)


@given(st.randoms(use_true_random=False), st.integers(2, 9), st.integers(2, 4))
def test_no_group_of_a_stage_begins_before_the_stages_before(draw, size: int, width: int) -> None:  # type: ignore[no-untyped-def]
    diagram = structure(random_before(draw, size, 0.3))
    route = routes.tree(diagram).parallel
    lanes = staged(route.stages, {k + 1: draw.randrange(width) for k in range(size)}, width)
    order = go_through(lanes, draw.sample(range(width), width))
    stage_of = {number: n for n, stage in enumerate(route.stages) for number in stage}
    assert [stage_of[number] for number in order] == sorted(stage_of.values())


def test_messages_bring_every_row_that_is_read_once(rotor: Program) -> None:
    route = routes.tree(rotor.structure).parallel
    lanes, found = staged(route.stages, spread(route, 3), 3), flows(rotor)
    sent, received = messages(lanes, found)
    for k, lane in enumerate(lanes):
        own = {int(row) for number in lane.groups for row in found[number - 1].writes}
        needed = {int(row) for number in lane.groups for row in found[number - 1].reads} - own
        rows = [int(row) for _, _, rows in received[k] for row in rows]
        assert sorted(rows) == sorted(needed)
        assert [count for _, count, _ in sent[k]] == sorted(count for _, count, _ in sent[k])
    assert sum(map(len, sent)) == sum(map(len, received))


# --- the answer ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["rotor_control", "rotor_control_transformed"])
def test_every_route_of_the_rotor_on_threads(name: str) -> None:
    own, times = program(name), np.linspace(0.0, 0.2, 40)
    expected, two = gk.solve(own, times), routes.threads(2)
    for route in routes.tree(own.structure).routes():
        run = prepare(own, times, staged(route.stages, spread(route, 2), 2), two, block=16)
        execute(run)
        assert bits(motion_of(run), expected), route


@pytest.mark.smoke
@pytest.mark.parametrize("block", [1, 7, 64, 1000])
@pytest.mark.parametrize("split", ["groups", "time", "hybrid"])
def test_splits_and_blocks_give_the_same_bits(backend: Backend, platform: Program, split: str, block: int) -> None:
    times = np.linspace(0.0, 1.0, 300)
    found = routes.solve(platform, times, route="parallel", workers=backend, split=split, block=block, cache=False)
    assert bits(found, gk.solve(platform, times))


@pytest.mark.parametrize(
    "route", in_part(["best", "sequential", "parallel", "unstaged", "1 > (2|3) > 4 > (5|6) > 7"], 3)
)
def test_routes_by_name(backend: Backend, rotor: Program, route: str) -> None:
    times = np.linspace(0.0, 0.3, 100)
    found = routes.solve(rotor, times, route=route, workers=backend, block=16, cache=False)
    assert bits(found, gk.solve(rotor, times))


def test_step_by_step_every_route_gives_the_same_bits(backend: Backend, rotor: Program) -> None:
    """And those of a motion whose later steps are known, up to the length of Newton's last step, in rates."""
    times = np.linspace(0.0, 0.3, 150)
    expected = routes.solve(rotor, times, route="sequential", block=1, cache=False)
    assert expected is not None
    for route in ("parallel", "unstaged"):
        found = routes.solve(rotor, times, route=route, workers=backend, split="groups", block=1, cache=False)
        assert bits(found, expected)
    known = gk.solve(rotor, times)
    for a, b in ((expected.q, known.q), (expected.v, known.v), (expected.a, known.a)):
        # the error of a step is at most POSITION_STEP, magnified in rates by the inverse of the conditioning
        assert np.abs(a - b).max() <= POSITION_STEP / known.conditioning.min() ** 2 * np.abs(b).max()


def test_a_synthetic_load_does_not_change_the_answer(backend: Backend, rotor: Program) -> None:
    times = np.linspace(0.0, 0.3, 50)
    for block in (1, 16):
        plain, heavy = (
            routes.solve(
                rotor, times, route="parallel", workers=backend, split="groups", block=block, work=n, cache=False
            )
            for n in (1, 3)
        )
        assert plain is not None
        assert bits(heavy, plain)


def test_waiting_is_measured(rotor: Program) -> None:
    """One lane of two has nothing to do but the first group, so that it waits most of the time; one alone hardly."""
    one_by_one = [[group.number] for group in rotor.structure.groups]
    times = np.linspace(0.0, 1.0, 2000)
    lanes = staged(one_by_one, dict.fromkeys(range(2, 8), 1) | {1: 0}, 2)
    run = prepare(rotor, times, lanes, routes.threads(2), block=64)
    execute(run)
    assert 0.2 < waited(run) < 1.0
    alone = prepare(rotor, times, staged(one_by_one, dict.fromkeys(range(1, 8), 0), 1), routes.serial(), block=64)
    execute(alone)
    assert waited(alone) < 0.1 * waited(run)


# --- failures --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def stuck() -> Program:
    """A four-bar whose crank cannot go round: it is driven out of reach."""
    mechanism = gk.Mechanism(
        2,
        ["frame", "crank", "coupler", "rocker"],
        [
            gk.Joint("A", "R", ("frame", "crank"), point=(0.0, 0.0)),
            gk.Joint("B", "R", ("crank", "coupler"), point=(1.0, 0.0)),
            gk.Joint("C", "R", ("coupler", "rocker"), point=(2.0, 1.0)),
            gk.Joint("D", "R", ("rocker", "frame"), point=(3.0, 0.0)),
        ],
        [gk.Driver("A", gk.Ramp(1.0))],
    )
    return gk.program(mechanism)


def test_failures_are_those_of_the_sequential_solution(backend: Backend, stuck: Program) -> None:
    times = np.linspace(0.0, 3.0, 200)
    with pytest.raises(CannotAssembleError, match=r"group 2 \(coupler, rocker; .*cannot be assembled") as expected:
        gk.solve(stuck, times)
    with pytest.raises(CannotAssembleError) as found:
        routes.solve(stuck, times, route="parallel", workers=backend, block=16, cache=False)
    assert str(found.value) == str(expected.value)
    assert bits(
        routes.solve(stuck, times, route="parallel", workers=backend, block=16, on_failure="nan", cache=False),
        gk.solve(stuck, times, on_failure="nan"),
    )


class Broken(Law):
    """A law that fails in the middle of the motion."""

    def at(self, times):  # type: ignore[no-untyped-def]
        t = np.atleast_1d(times)
        if t.size > 2 and t.max() > 0.5:
            raise LawError("the driver broke")
        return np.stack([t * 0.0, t * 0.0, t * 0.0])


def test_an_exception_in_one_lane_ends_the_others(backend: Backend) -> None:
    mechanism = gk.Mechanism(
        2,
        ["frame", "left", "right"],
        [gk.Joint("A", "R", ("frame", "left"), point=(0.0, 0.0)), gk.Joint("B", "R", ("left", "right"), point=(1, 0))],
        [gk.Driver("A", gk.Ramp(1.0)), gk.Driver("B", Broken())],
    )
    own = gk.program(mechanism)
    with pytest.raises(LawError, match="the driver broke"):
        routes.solve(own, np.linspace(0.0, 1.0, 9000), route="sequential", workers=backend, block=64, cache=False)


@pytest.mark.parametrize(
    ("given_options", "message"),
    [
        ({"route": "fastest"}, r"there is no route 'fastest'; write best, sequential, parallel, unstaged, or stages"),
        ({"route": "1"}, r"1 group missing: 2; every group is solved once"),
        ({"split": "steps"}, r"split must be groups, time or hybrid, not 'steps'"),
        ({"block": 0}, r"block must be a whole number from 1 on, not 0"),
    ],
)
def test_what_cannot_be_executed_is_refused(stuck: Program, given_options: dict, message: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(GroupkinError, match=message):
        routes.solve(stuck, [0.0, 0.1], workers=routes.threads(2), cache=False, **given_options)


def test_step_by_step_cannot_be_split_in_time_where_groups_are_iterated(rotor: Program) -> None:
    with pytest.raises(RouteError, match="every step starts from the one before it"):
        routes.solve(rotor, [0.0, 0.1], workers=routes.threads(2), split="time", block=1, cache=False)
