"""What a second process compiles: loops of all programs, and kernels (`groupkin.kinematics.program.first_use`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
from numba import typeof, types

from groupkin.kinematics.program.building import build
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.driver_values import drivers_of
from groupkin.kinematics.solving.tracking import arguments, new_tracks
from groupkin.mechanism.laws.laws import Ramp
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from sglibrary.iterative.knot_loop import advance
from sglibrary.laws import evaluate_all
from sglibrary.run.calls import handle
from sglibrary.run.motion_loop import solve_steps
from sglibrary.written_out import made_of, promise_loop

STEPS = (types.int64[::1], types.float64[::1], types.float64[:, :, ::1], types.int64)
"""Types of the arguments of the loop over steps of a motion."""


def signature() -> tuple[Any, ...]:
    """Types of the arguments of the loop over knots, which are those of every program."""
    program = idle()
    given = arguments(new_tracks(program), drivers_of(program))
    return tuple(typeof(x) for x in (*given, np.zeros(1), False, 1.0))


def idle() -> Program:
    """A program that solves nothing."""
    joint = Joint("A", "R", ("frame", "crank"), point=(0.0, 0.0))
    crank = Mechanism(2, ["frame", "crank"], [joint], [Driver("A", Ramp(1.0))], frame="frame")
    return replace(build(crank), calls=())


def compile_steps() -> None:
    """Compile the loop over steps of a motion."""
    solve_steps.compile(STEPS)


def compile_knots() -> None:
    """Compile the loop over knots, and let kernels be compiled that need the loop over steps of groups."""
    program, times = idle(), np.linspace(0.0, 1.0, 17)
    drivers = drivers_of(program)
    evaluate_all(times, drivers.kinds, drivers.numbers, drivers.table, np.empty((1, 3, times.size)))
    advance.compile(signature())
    promise_loop()


def compile_kernel(made: Sequence[Any]) -> None:
    """Compile the kernel that is made of texts, or one of a module."""
    handle(made_of(*made) if len(made) > 2 else getattr(import_module(made[0]), made[1]))
