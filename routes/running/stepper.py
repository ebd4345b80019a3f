"""A program step by step, as a controller or a real-time simulator calls it, by a route on one thread or several."""

from __future__ import annotations

import threading
import time
import weakref
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from groupkin.dynamics.reactions.backward_pass import Pass
from groupkin.errors import ArgumentError, shown
from groupkin.kinematics.motion.motion import Inputs, Motion
from groupkin.kinematics.program.program import Call, Program
from groupkin.kinematics.solving.call_packing import packed
from groupkin.kinematics.solving.driver_values import given_drivers
from groupkin.kinematics.solving.evaluation import known_state
from groupkin.kinematics.solving.motion_memory import allocate
from groupkin.mechanism.points import LARGEST
from routes.diagrams.route import Route
from routes.running.backends import Threads
from routes.running.execution import prepare
from routes.running.runs import STEP_BY_STEP
from routes.running.schedules import Lanes
from sglibrary.array_types import Array, Ints
from sglibrary.iterative.knots import FORCE
from sglibrary.run import step_loop
from sglibrary.run.calls import Drivers, joined
from sglibrary.run.team_loop import LINE

PATIENCE = 200_000
"""How often a thread that waits for the next step offers its core before it looks whether the stepper is gone."""

FLOAT = np.dtype(float)


@dataclass(frozen=True, eq=False)
class Stepper:
    """Solves one step after another, each from the one before it, into the same memory.

    Attributes
    ----------
    program : Program
    route : Route
    workers : int
    motion : Motion
        The last step that was solved, as a motion of one step: what is read of it, such as ``motion.position("rod")``,
        is that of the last call.
    results : (k,) array
        Outputs of the pass that carries loads back, if there is one (`groupkin.dynamics.reactions.backward_pass.Pass`).
    """

    program: Program
    route: Route
    workers: int
    motion: Motion
    results: Array
    _lane: Any = field(repr=False)
    _orders: Ints = field(repr=False)
    _kept: Any = field(repr=False)
    _alone: bool = field(repr=False)
    _given: list[Any] = field(default_factory=lambda: [None] * 3, repr=False)

    def __call__(self, values: Array, rates: Array, accelerations: Array) -> int:
        """Solve a step.

        Parameters
        ----------
        values, rates, accelerations : (drivers,) array
            In the order of ``program.drivers``: rad, m; rad/s, m/s; rad/s², m/s². The same arrays may be filled again.

        Returns
        -------
        int
            0 if all groups are solved, else the status of the first that is not (`sglibrary.status`); its bodies, and
            those that depend on it, are NaN, and the next step starts from the last one that was solved.
        """
        given = self._given
        if values is not given[0] or rates is not given[1] or accelerations is not given[2]:
            self._check(values, rates, accelerations)
        if self._alone:
            return step_loop.step(self._lane, values, rates, accelerations)
        return step_loop.lead(self._lane, self._orders, values, rates, accelerations)

    def _check(self, *arrays: Array) -> None:
        """Refuse what compiled code cannot read.

        Raises
        ------
        ArgumentError
        """
        count = len(self.program.drivers)
        for name, x in zip(("values", "rates", "accelerations"), arrays, strict=True):
            if type(x) is not np.ndarray or x.dtype != FLOAT or x.shape != (count,) or not x.flags.carray:
                raise ArgumentError(f"{name} must be an array of {count} floats, one for each driver, not {shown(x)}")
        self._given[:] = arrays

    def timed(self, given: Array) -> tuple[Ints, int]:
        """Solve steps without Python between them.

        Parameters
        ----------
        given : (drivers, 3, n) array
            Values, rates and accelerations of the drivers.

        Returns
        -------
        (n + 1,) array of int
            The processor's clock, in ticks, at the beginning of every step and at the end.
        int
            How many steps were not solved.
        """
        stamps = np.zeros(given.shape[2] + 1, np.int64)
        if self._alone:
            failed = step_loop.timed_steps(self._lane, given, stamps)
        else:
            failed = step_loop.timed_lead(self._lane, self._orders, given, stamps)
        return stamps, int(failed)


def start_stepper(
    program: Program, route: Route, lanes: Lanes, start: Motion | None, backward: Pass | None, repeats: int
) -> Stepper:
    """A stepper whose lanes but the first are threads of their own; see `routes.stepper`."""
    count = len(lanes)
    motion, alone = allocate(program, np.zeros(1)), count == 1 and backward is None and repeats == 1
    run = prepare(program, np.zeros(1), lanes, Threads(count), STEP_BY_STEP, repeats, backward, motion)
    calls, assignments = packed(program, _memories(program, start)), [run.assignments[k] for k in range(count)]
    if run.back is not None:
        calls = joined(calls, run.back.backward.in_state.calls)
    given, drivers = _given(program, [own.program for own in assignments])
    parts = [
        step_loop.Lane(calls, own.plan, driven, own.state, own.results, own.member, given)
        for own, driven in zip(assignments, drivers, strict=True)
    ]
    whole, orders = [step_loop.written_lane(part) for part in parts], np.zeros(count * LINE, np.int64)
    results = np.zeros(0) if run.back is None else run.back.results[:, 0]
    motion = replace(motion, inputs=Inputs(given.inputs, False))
    kept = (run, parts, whole)
    stepper = Stepper(program, route, count, motion, results, whole[0], orders, kept, alone)
    for worker in range(1, count):
        arguments = (whole[worker], orders, kept)
        threading.Thread(target=_serve, args=arguments, name=f"groupkin-step-{worker}", daemon=True).start()
    weakref.finalize(stepper, step_loop.end_orders, orders)
    return stepper


def _given(program: Program, parts: list[Program]) -> tuple[step_loop.Given, list[Drivers]]:
    """What all drivers do, those of each lane one after another, and these as every lane takes them."""
    numbers = {(driven.joint, driven.freedom): k for k, driven in enumerate(program.drivers)}
    order = [numbers[driven.joint, driven.freedom] for part in parts for driven in part.drivers]
    order += sorted(set(range(len(program.drivers))).difference(order))  # behind those of lanes what no group needs
    values = np.zeros((len(order), 3, 1))
    ends = np.cumsum([0, *(len(part.drivers) for part in parts)])
    places = np.zeros(len(order), np.int64)
    places[order] = np.arange(len(order))
    limits = np.array([np.pi / 2 if driven.middle else LARGEST for driven in program.drivers])
    drivers = [given_drivers(part, values[ends[k] : ends[k + 1]]) for k, part in enumerate(parts)]
    return step_loop.Given(values, places, limits, np.zeros_like(values), np.zeros(1)), drivers


def _serve(lane: Any, orders: Ints, kept: Any) -> None:
    """Take part in steps until the stepper is gone; after a while without any, look for them less often."""
    done, idle = 0, False
    while done >= 0:
        before = done
        done = step_loop.serve(lane, orders, done, 1 if idle else PATIENCE)
        idle = done == before
        if idle:
            time.sleep(1e-3)
    del kept  # what the lane's addresses are those of


def _memories(program: Program, start: Motion | None) -> tuple[Array, ...]:
    """Memory of every call: the request of an iterated group, the knot that it starts from, room for the next."""
    reached = known_state(program, start).memory if program.iterates else np.zeros(len(program.calls))
    found, first = [], 0
    for size in map(_size, program.calls):
        memory = reached[first : first + size].copy()
        memory[0] = FORCE if size > 1 else 0.0
        found.append(memory)
        first += size
    return tuple(found)


def _size(call: Call) -> int:
    return 1 if call.knot is None else 1 + 2 * call.knot.size
