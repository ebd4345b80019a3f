"""Compile the loops that all programs with iterated groups share, and then kernels, and keep them in the cache.

Run as a process of its own (`groupkin.kinematics.program.first_use`), which reads in JSON what kernels are made of: the
texts of groups that are written out, and names of modules and functions.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from dataclasses import replace
from importlib import import_module
from typing import Any, NoReturn

import numpy as np
from numba import typeof

from groupkin.kinematics.program.building import build
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.driver_values import drivers_of
from groupkin.kinematics.solving.run import check_times, filled
from groupkin.kinematics.solving.tracking import arguments, new_tracks
from groupkin.mechanism.laws.laws import Ramp
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from sglibrary.iterative.knot_loop import advance
from sglibrary.laws import evaluate_all
from sglibrary.run.calls import handle
from sglibrary.written_out import made_of, promise_loop


def signature() -> tuple[Any, ...]:
    """Types of the arguments of the loop over knots, which are those of every program."""
    program = _idle()
    given = arguments(new_tracks(program), drivers_of(program))
    return tuple(typeof(x) for x in (*given, np.zeros(1), False, 1.0))


def _idle() -> Program:
    """A program that solves nothing."""
    joint = Joint("A", "R", ("frame", "crank"), point=(0.0, 0.0))
    crank = Mechanism(2, ["frame", "crank"], [joint], [Driver("A", Ramp(1.0))], frame="frame")
    return replace(build(crank), calls=())


def _compile(kernels: list[list[Any]]) -> None:
    """Compile the loops, and then kernels, in the order in which they are needed; write a dot before each, and last."""
    program, times = _idle(), np.linspace(0.0, 1.0, 17)
    drivers = drivers_of(program)
    evaluate_all(times, drivers.kinds, drivers.numbers, drivers.table, np.empty((1, 3, times.size)))
    advance.compile(signature())
    filled(program, check_times(times))
    promise_loop()
    for made in kernels:
        print(end=".", flush=True)
        handle(made_of(*made) if len(made) > 2 else getattr(import_module(made[0]), made[1]))
    print(end=".", flush=True)


def main() -> NoReturn:
    """Compile what standard input asks for, and end the process."""
    gc.disable()  # this process ends before what it makes needs room
    _compile(json.load(sys.stdin))
    os._exit(0)  # at once: to take down what was compiled costs half a second
