"""Single steps: the bits of the plain call, nothing allocated, and other threads that do their part in time."""

from __future__ import annotations

import gc
import sys
import threading
import time
import tracemalloc

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
import routes
from groupkin.errors import ArgumentError, RouteError
from routes.diagrams.route_tree import tree
from routes.running.stepper import start_stepper
from routes.timing.group_costs import way_back
from routes.timing.real_time import pays_from, real_time, right_hand_side
from routes.timing.strategies import lanes_for
from sglibrary.status import NO_INPUT
from tests.support.paths import EXAMPLES

Array = NDArray[np.float64]

CLOSED = ("four_bar", "slider_crank", "stewart_inverse", "jansen_leg", "boxer_four")
ITERATED = ("rotor_control", "rear_axle", "five_rod_suspension", "planar_3rrr")


def described(name: str, steps: int = 201) -> tuple[gk.Program, Array, Array]:
    """A program, times, and what its drivers do (d, 3, n)."""
    file = gk.read(EXAMPLES / f"{name}.toml")
    program = gk.program(file.mechanism)
    times = np.linspace(file.motion.times[0], file.motion.times[-1], steps)
    return program, times, np.stack([driven.law.at(times) for driven in program.drivers])


def stepped(stepper: routes.Stepper, given: Array) -> tuple[Array, list[int]]:
    """Positions, velocities and accelerations (3, rows, n) of steps, and their status."""
    values, rates, gains = (np.empty(len(given)) for _ in range(3))
    found, status = [], []
    for j in range(given.shape[2]):
        values[:], rates[:], gains[:] = given[:, 0, j], given[:, 1, j], given[:, 2, j]
        status.append(stepper(values, rates, gains))
        motion = stepper.motion
        found.append(np.stack([motion.q[:, 0], motion.v[:, 0], motion.a[:, 0]]))
    return np.stack(found, axis=2), status


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("name", CLOSED)
def test_steps_of_closed_forms_have_the_bits_of_the_plain_call(name: str, workers: int) -> None:
    program, times, given = described(name)
    motion = gk.solve(program, times)
    found, status = stepped(routes.stepper(program, "parallel", workers), given)
    assert not any(status)
    np.testing.assert_array_equal(found, np.stack([motion.q, motion.v, motion.a]))


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", ITERATED)
def test_steps_by_iteration_agree_with_the_plain_call(name: str, workers: int) -> None:
    program, times, given = described(name, 1001)
    motion = gk.solve(program, times)
    found, status = stepped(routes.stepper(program, "parallel", workers), given)
    assert not any(status)
    expected = np.stack([motion.q, motion.v, motion.a])
    scale = np.abs(expected).max(axis=(1, 2), keepdims=True)
    assert (np.abs(found - expected) <= 1e-9 * scale).all()


@pytest.mark.parametrize("workers", [1, 2])
def test_steps_with_loads_carried_back_solve_the_same_motion(workers: int) -> None:
    program, times, given = described("eccentric_press")
    route, motion = tree(program.structure).parallel, gk.solve(program, times)
    stepper = start_stepper(program, route, lanes_for(program.structure, route, workers), None, way_back(program), 1)
    found, _ = stepped(stepper, given)
    np.testing.assert_array_equal(found[0], motion.q)
    assert np.isfinite(stepper.results).all()
    assert np.abs(stepper.results).max() > 0.0


def test_what_is_read_of_the_motion_is_that_of_the_last_step() -> None:
    program, _, given = described("stewart_inverse")
    for workers in (1, 2):
        stepper = routes.stepper(program, "parallel", workers)
        stepped(stepper, given)
        last = program.evaluate(given[:, 0, -1], given[:, 1, -1], given[:, 2, -1])
        joint = program.mechanism.joints[0].name
        np.testing.assert_array_equal(stepper.motion.joint(joint), last.joint(joint))
        np.testing.assert_array_equal(stepper.motion.joint_rate(joint), last.joint_rate(joint))


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", ["four_bar", "rotor_control"])
def test_a_step_that_is_not_solved_is_told_and_the_next_one_goes_on(name: str, workers: int) -> None:
    program, _, given = described(name)
    stepper = routes.stepper(program, "parallel", workers)
    first, _ = stepped(stepper, given[:, :, :5])
    nothing = np.full((len(program.drivers), 3, 1), np.nan)
    lost, status = stepped(stepper, nothing)
    assert status == [NO_INPUT]
    assert np.isnan(lost).any()
    again, status = stepped(stepper, given[:, :, 4:5])
    assert status == [0]
    np.testing.assert_allclose(again[0, :, 0], first[0, :, 4], rtol=0.0, atol=1e-10)


@pytest.mark.parametrize("workers", [1, 2])
def test_drivers_that_nothing_kept_needs_may_be_given_as_well(workers: int) -> None:
    joints = [gk.Joint(x, "R", ("frame", x.lower()), point=(3.0 * k, 0.0)) for k, x in enumerate("ABC")]
    drivers = [gk.Driver(x, gk.Ramp(1.0)) for x in "ABC"]
    program = gk.program(gk.Mechanism(2, ["frame", *"abc"], joints, drivers), keep=["angle c", "angle b"])
    stepper = routes.stepper(program, "parallel", workers)
    assert stepper(np.array([0.1, 0.2, 0.3]), np.zeros(3), np.zeros(3)) == 0
    assert (stepper.motion.angle("b")[0], stepper.motion.angle("c")[0]) == (0.2, 0.3)


def test_it_begins_at_the_end_of_another_motion() -> None:
    program, times, given = described("rotor_control", 801)
    motion = gk.solve(program, times)
    stepper = routes.stepper(program, start=motion)
    found, status = stepped(stepper, given[:, :, -1:])
    assert status == [0]
    np.testing.assert_allclose(found[0, :, 0], motion.q[:, -1], rtol=0.0, atol=1e-10)


def test_a_step_allocates_nothing_and_needs_no_interpreter() -> None:
    program, _, given = described("stewart_inverse", 2001)
    for workers in (1, 2):
        stepper = routes.stepper(program, "parallel", workers)
        values, rates, gains = (given[:, i, 0].copy() for i in range(3))
        stepper(values, rates, gains)
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(1000):
            stepper(values, rates, gains)
        after = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        assert after - before < 1000  # what the loop itself leaves, not a byte for each step
        # another thread of Python runs all the while that compiled code takes steps
        ticked, done = [0], threading.Event()

        def tick() -> None:
            while not done.is_set():  # noqa: B023
                ticked[0] += 1  # noqa: B023
                time.sleep(0.0)

        other = threading.Thread(target=tick)
        interval = sys.getswitchinterval()
        other.start()
        many = np.ascontiguousarray(np.tile(given, (1, 1, 20)))
        start = ticked[0]
        stepper.timed(many)
        seen = ticked[0] - start
        done.set()
        other.join()
        sys.setswitchinterval(interval)
        assert seen > 10


def test_threads_of_a_stepper_end_with_it() -> None:
    program, _, given = described("boxer_four")
    stepper = routes.stepper(program, "parallel", 3)
    stepped(stepper, given[:, :, :3])

    def serving() -> int:
        return sum(thread.name.startswith("groupkin-step-") for thread in threading.enumerate())

    assert serving() >= 2
    before = serving()
    del stepper
    gc.collect()
    deadline = time.monotonic() + 20.0
    while serving() > before - 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert serving() <= before - 2


def test_what_is_no_step_is_refused() -> None:
    program, _, _ = described("four_bar")
    stepper, numbers = routes.stepper(program), np.zeros(1)
    for wrong in (0.5, [0.5], np.zeros(2), np.zeros((1, 1)), np.zeros(1, np.float32)):
        with pytest.raises(ArgumentError, match="values must be an array of 1 floats"):
            stepper(wrong, numbers, numbers)  # type: ignore[arg-type]
    with pytest.raises(RouteError):
        routes.stepper(program, "2 > 1")
    with pytest.raises(ArgumentError, match="start must be a motion"):
        routes.stepper(described("rotor_control")[0], start=gk.solve(program, [0.0]))


def test_single_steps_are_timed_on_all_routes() -> None:
    program, times, _ = described("stewart_inverse")
    every = tree(program.structure)
    found = real_time(program, times, [every.sequential, every.parallel], (1, 2), steps=3000)
    assert [(each.workers, each.route) for each in found] == [
        (1, every.sequential), (2, every.sequential), (2, every.parallel),
    ]  # fmt: skip
    for each in found:
        assert (each.failed, each.steps, each.difference) == (0, 3000, 0.0)
        assert 0.0 < each.mean <= each.worst
        assert each.quantile <= each.worst
    chain, times, _ = described("four_bar")
    assert pays_from(chain, times, tree(chain.structure).parallel, 2) is None


def test_the_equations_of_motion_are_timed() -> None:
    seconds = right_hand_side(gk.load(EXAMPLES / "eccentric_press.toml"), 2000)
    assert seconds.shape == (2000,)
    assert (seconds > 0.0).all()
