"""Forces by routes: every route, split and number of workers gives the bits of one thread that goes through all."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import groupkin as gk
import routes
from groupkin.dynamics.reactions.backward_pass import given_rows
from groupkin.errors import JammingError, LoadError, RouteError, SolveError, UnknownNameError
from groupkin.kinematics.program.program import Program
from routes.running.execution import carried_of, execute, motion_of, prepare
from routes.running.runs import flows_of
from routes.running.schedules import staged, there, there_and_back, unstaged
from routes.timing.group_costs import way_back
from tests.groupkin.dynamics.reactions.test_friction import wedge
from tests.groupkin.dynamics.reactions.test_inverse_dynamics import slider_crank
from tests.routes.running.test_execution import go_through, spread
from tests.support.examples import described
from tests.support.loaded import loaded
from tests.support.mechanisms import crank_rocker
from tests.support.shares import in_part

NAMES = ["nine_bar", "rear_axle", "stewart_inverse", "jansen_leg"]
TIMES = np.linspace(0.0, 0.2, 150)


@cache
def heavy(name: str, forces: bool = False) -> Program:
    """An example with masses, perhaps with forces, which are evaluated when the motion is solved."""
    mechanism = loaded(described(name).mechanism)
    return gk.program(mechanism if forces else replace(mechanism, forces=()))


def same(found: gk.Forces | None, expected: gk.Forces) -> bool:
    assert found is not None
    assert list(found.drivers) == list(expected.drivers)
    assert list(found.reactions) == list(expected.reactions)
    pairs = [(found.drivers[x], expected.drivers[x]) for x in expected.drivers]
    pairs += [(found.reactions[x], expected.reactions[x]) for x in expected.reactions]
    pairs += [(getattr(found.motion, x), getattr(expected.motion, x)) for x in "qva"]
    return all(np.array_equal(x, y, equal_nan=True) for x, y in pairs)


# --- lanes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_ways_back_begin_when_what_they_read_is_written(name: str) -> None:
    program = heavy(name)
    found, count = flows_of(program, way_back(program)), len(program.structure.groups)
    route = routes.tree(program.structure).parallel
    for width in (1, 2, 3):
        for lanes in (
            staged(route.stages, spread(route, width), width),
            unstaged(program.structure, route.order, spread(route, width), width),
        ):
            whole = there_and_back(lanes, found)
            assert there(whole, count) == lanes
            order = go_through(whole, list(reversed(range(width))))
            assert sorted(order) == [
                k for k, flow in enumerate(found, 1) if k <= count or flow.calls[0] < flow.calls[1]
            ]
            known = {int(row) for row in way_back(program).in_state.sources.given_rows}
            for number in order:
                flow = found[number - 1]
                assert {int(row) for row in flow.reads} <= known
                known |= {int(row) for row in flow.writes}
            lane_of = {number: k for k, lane in enumerate(whole) for number in lane.groups}
            assert all(lane_of[number] == lane_of[2 * count + 1 - number] for number in order if number <= count)


# --- the answer ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_route_gives_the_same_forces(name: str) -> None:
    program = heavy(name)
    backward, expected = way_back(program), gk.inverse_dynamics(program, TIMES)
    outputs, two = expected.memory, routes.threads(2)
    assert outputs is not None
    tried = 0
    for route in routes.tree(program.structure).routes(40, distinct=True):
        lanes = staged(route.stages, spread(route, 2), 2)
        run = prepare(program, TIMES, lanes, two, block=16, backward=backward)
        execute(run)
        motion, forces = motion_of(run), carried_of(run)
        assert motion is not None
        assert np.array_equal(motion.q, expected.motion.q)
        assert np.array_equal(forces, outputs[backward.results[0]]), route  # type: ignore[arg-type]
        tried += 1
    assert tried == min(40, routes.tree(program.structure).distinct())


@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize("forces", [False, True])
@pytest.mark.parametrize("name", in_part(NAMES, 2))
def test_splits_and_workers_give_the_same_bits(name: str, forces: bool, workers: int) -> None:
    program = heavy(name, forces)
    expected = gk.inverse_dynamics(program, TIMES)
    for split in ("time", "groups", "hybrid"):
        for route in ("parallel", "unstaged") if split == "groups" else ("sequential",):
            ways = {"workers": workers, "split": split, "route": route, "block": 32, "cache": False}
            assert same(routes.inverse_dynamics(program, TIMES, **ways), expected), ways  # type: ignore[arg-type]


def test_step_by_step() -> None:
    """Groups that are solved by Newton's method start from the step before; all routes do the same."""
    program = heavy("rear_axle")
    ways = {"block": 1, "split": "groups", "cache": False}
    one = routes.inverse_dynamics(program, TIMES, route="sequential", **ways)  # type: ignore[arg-type]
    assert one is not None
    assert same(routes.inverse_dynamics(program, TIMES, route="parallel", workers=2, **ways), one)  # type: ignore[arg-type]
    known = gk.inverse_dynamics(program, TIMES)
    for name, force in known.drivers.items():
        assert np.abs(one.drivers[name] - force).max() <= 1e-8 * np.abs(force).max()


@pytest.mark.parametrize("forces", [False, True])
def test_actuators_and_kept_joints(forces: bool) -> None:
    program, legs = heavy("stewart_inverse", forces), [f"leg_{k}" for k in range(1, 7)]
    for asked in ({"actuators": legs, "keep": []}, {"actuators": legs}, {"keep": ["leg_2"], "velocities": False}):
        expected = gk.inverse_dynamics(program, TIMES, **asked)  # type: ignore[arg-type]
        for workers, split in ((1, "time"), (2, "groups"), (2, "time")):
            ways = {"workers": workers, "split": split, "route": "parallel", "block": 64, "cache": False}
            assert same(routes.inverse_dynamics(program, TIMES, **asked, **ways), expected)  # type: ignore[arg-type]


def test_friction_takes_the_pass_as_often_as_it_needs() -> None:
    press = described("eccentric_press").mechanism
    pins = [gk.Friction(f"oil in {x}", x, coefficient=0.08, radius=0.03) for x in ("A", "B")]
    program = gk.program(replace(press, forces=[*press.forces, *pins]))
    expected = gk.inverse_dynamics(program, TIMES)
    for split in ("time", "groups"):
        found = routes.inverse_dynamics(program, TIMES, workers=2, split=split, route="parallel", block=64, cache=False)
        assert same(found, expected)
        assert np.array_equal(found.force("oil in B"), expected.force("oil in B"))  # type: ignore[union-attr]


def test_what_is_given_is_taken_by_those_who_read_it() -> None:
    """Loads of the user, the same on any route; without loads nothing is given."""
    program = heavy("nine_bar")
    motion = gk.solve(program, TIMES)
    assert given_rows(way_back(program), motion, []).shape == (0, TIMES.size)
    loads = np.random.default_rng(0).normal(size=(len(program.mechanism.movable), 3, TIMES.size))
    expected = gk.inverse_dynamics(motion, loads=loads)
    assert not same(gk.inverse_dynamics(motion), expected)
    ways = {"workers": 2, "split": "groups", "route": "parallel", "block": 32, "cache": False}
    assert same(routes.inverse_dynamics(program, TIMES, loads=loads, **ways), expected)  # type: ignore[arg-type]


# --- costs -----------------------------------------------------------------------------------


def test_the_way_back_is_part_of_the_costs() -> None:
    program = heavy("stewart_inverse")
    plain, both = (routes.guess_costs(program.structure, 2, forces=forces) for forces in (False, True))
    assert all(both.seconds[k] > plain.seconds[k] for k in plain.seconds)
    assert both.barrier == 2 * plain.barrier
    one, two = (
        routes.choose_route(program, TIMES, 2, cache=False, block=64, backward=x) for x in (None, way_back(program))
    )
    costs = [choices.costs[64].per_step for choices in (one, two)]
    assert costs[1].bytes_kept > costs[0].bytes_kept
    assert set(costs[1].seconds) == set(costs[0].seconds) == {group.number for group in program.structure.groups}


# --- failures --------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2])
def test_failures_are_those_of_one_thread(workers: int) -> None:
    ways = {"workers": workers, "cache": False, "block": 32, "split": "groups", "route": "parallel"}
    crank = loaded(crank_rocker())
    with pytest.raises(UnknownNameError, match="keep names joint 'E'"):
        routes.inverse_dynamics(crank, TIMES, keep=["E"], **ways)  # type: ignore[arg-type]
    with pytest.raises(RouteError, match="no route 'fast'"):
        routes.inverse_dynamics(crank, TIMES, **ways | {"route": "fast"})  # type: ignore[arg-type]
    stuck, times = loaded(crank_rocker(gk.Ramp(rate=2 * np.pi), rocker=1.8)), np.linspace(0.0, 1.0, 50)
    with pytest.raises(SolveError) as expected:
        gk.inverse_dynamics(stuck, times)
    with pytest.raises(SolveError) as found:
        routes.inverse_dynamics(stuck, times, **ways)  # type: ignore[arg-type]
    assert str(found.value) == str(expected.value)
    with pytest.raises(LoadError, match="cannot carry the load at t = 0 s"):
        routes.inverse_dynamics(slider_crank(), [0.0, 0.01], actuators=["bore"], **ways)  # type: ignore[arg-type]
    with pytest.raises(JammingError, match="all coefficients"):  # found when the pass has been run several times
        routes.inverse_dynamics(wedge(np.tan(np.radians(40.0))), [0.0, 0.1], **ways)  # type: ignore[arg-type]
    assert same(routes.inverse_dynamics(crank, TIMES, **ways), gk.inverse_dynamics(crank, TIMES))  # type: ignore[arg-type]
