"""The steps of simulations, which are those of every mechanism: what a second process compiles of them.

Forces are in the evaluation of the equations, which steps call by its address; it is compiled meanwhile
(`groupkin.kinematics.program.first_use`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import typeof

from groupkin.dynamics.simulation.equation_tables import tables_of, unwritten_room
from groupkin.dynamics.simulation.integration import tableau
from groupkin.kinematics.program.first_use import ahead
from groupkin.kinematics.solving.shared_loops import idle
from sglibrary.dynamics import explicit, fixed_steps, many, rosenbrock
from sglibrary.dynamics.steps import NUMBERS, Integration

ADVANCE = {
    "explicit": explicit.advance,
    "implicit": rosenbrock.advance,
    "of one length": fixed_steps.advance,
    "of many": many.advance,
}
"""The functions that take steps."""


def compile_ahead(kind: str) -> None:
    """Let a second process compile steps of a kind, if they never were."""
    ahead(ADVANCE[kind], [__name__, "compile_steps", kind])


def compile_steps(kind: str) -> None:
    """Compile steps of a kind."""
    ADVANCE[kind].compile(signature(kind))


def signature(kind: str) -> tuple[Any, ...]:
    """Types of the arguments of the steps of a kind, which are those of every simulation."""
    tables = tables_of(idle(), np.zeros(1, np.int64), (None,))
    problem, room, row, column = tables.problem, unwritten_room(tables, 1), np.zeros(2), np.zeros((2, 1))
    state = column, column, 0.0, row, 0.0, row, np.zeros((2, 2))
    run = Integration(np.zeros(NUMBERS), np.zeros(6, np.int64), *state)
    arguments: tuple[Any, ...]
    if kind == "of many":
        every = many.Many(np.zeros((1, 2, 2)), np.zeros(1, np.int64), row, 0.0, row, 0.0, 0.0)
        arguments = (problem, room, room, every, many.lanes_of(1, 2, 0), tableau(), False, 1)
    elif kind == "implicit":
        arguments = (problem, room, room, run, np.zeros(1), 1)
    elif kind == "of one length":
        arguments = (problem, room, run, 1)
    else:
        arguments = (problem, room, run, tableau(), 1, False)
    return tuple(typeof(x) for x in arguments)
