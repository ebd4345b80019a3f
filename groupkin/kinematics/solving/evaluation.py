"""A program as a function of its inputs: all bodies at given values of the drivers, without laws of motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from groupkin.arguments import floats
from groupkin.errors import ArgumentError, shown
from groupkin.kinematics.motion.motion import Inputs, Motion
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.call_packing import NOTHING
from groupkin.kinematics.solving.driver_values import given_drivers
from groupkin.kinematics.solving.motion_memory import allocate, reused, with_memory
from groupkin.kinematics.solving.tracking import track
from groupkin.mechanism.points import LARGEST
from sglibrary.array_types import Array
from sglibrary.iterative.column_loop import Start, solve_columns
from sglibrary.iterative.knot_loop import FAR
from sglibrary.iterative.knots import TIME
from sglibrary.run.motion_loop import fill_given, solve_steps


def evaluate(
    program: Program,
    values: ArrayLike,
    rates: ArrayLike | None = None,
    accelerations: ArrayLike | None = None,
    *,
    start: Motion | None = None,
    path: bool = False,
    out: Motion | None = None,
) -> Motion:
    """Position, velocity and acceleration of every body at given values of the drivers.

    Parameters
    ----------
    program : Program
    values : (drivers, n) or (drivers,) array_like
        In the order of ``program.drivers``, rad or m. What depends on a value that its joint cannot have, such as NaN,
        is not solved; nor are groups by Newton's method at values to which they cannot be followed within 200,000
        steps, of 1 rad or the size of the mechanism.
    rates, accelerations : (drivers, n) or (drivers,) array_like, optional
        rad/s, m/s; rad/s², m/s². Zero by default. Where they are no finite numbers the value counts as NaN too.
    start : Motion, optional
        Of the same program: its last solved step is the state from which groups by Newton's method are followed to each
        column, whole turns of their angles included. By default the reference configuration.
    path : bool
        Follow the columns one after another, as positions of one motion, instead of each by itself from the start.
    out : Motion, optional
        A motion of the same program and number of columns, whose memory is used again.

    Returns
    -------
    Motion
        Its times are the numbers of the columns. `Motion.status` says what could not be solved. Angles that no driver
        gives are between -π and π, or along a path continuous.

    Raises
    ------
    ArgumentError
    """
    count = len(program.drivers)
    first = _rows("values", values, (count, -1))
    if not isinstance(path, (bool, np.bool_)):
        raise ArgumentError(f"path must be True or False, not {shown(path)}")
    n = first.shape[1]
    if not (isinstance(out, Motion) and out.program is program and out.evaluated and out.times.size == n):
        out = _prepared(program, n, out)
    inputs, memory = out.inputs, out.memory
    assert inputs is not None
    assert memory is not None
    if inputs.path != path:
        inputs = Inputs(inputs.values, path)
        out = replace(out, inputs=inputs)
    zero = np.zeros(first.shape)
    second = zero if rates is None else _rows("rates", rates, first.shape)
    third = zero if accelerations is None else _rows("accelerations", accelerations, first.shape)
    if program.turns_middle:
        first = _within(program, first)
    if start is not None:
        _require_same(program, start)
    reached = known_state(program, start) if program.iterates else None
    fill_given(inputs.values, first, second, third, LARGEST)
    if reached is None:
        solve_steps(memory.written, out.times, inputs.values, 0)
        return out
    calls, drivers, state, results = map(tuple, memory.task[:4])
    solve_columns(calls, drivers, state, results, tuple(reached), FAR * program.units, inputs.path)
    return replace(out, inputs=Inputs(inputs.values, inputs.path, reached))


def _rows(name: str, given: ArrayLike, shape: tuple[int, int]) -> Array:
    """An argument as rows (drivers, n), one for each driver."""
    rows = floats(given)
    if rows.ndim == 0:
        raise ArgumentError(f"{name} must be numbers, a row for each driver, not {shown(given)}")
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or rows.shape[0] != shape[0] or shape[1] not in (-1, rows.shape[1]) or not rows.shape[1]:
        wanted = f"({shape[0]}, {'n' if shape[1] < 0 else shape[1]})"
        raise ArgumentError(
            f"{name} must have the shape {wanted}, a row for each driver in the order of program.drivers, "
            f"not {rows.shape}"
        )
    return np.ascontiguousarray(rows)


def _within(program: Program, values: Array) -> Array:
    """Values of the drivers, NaN where the middle one of three rotations leaves its range."""
    middle = np.array([driven.middle for driven in program.drivers])
    return np.where(middle[:, None] & (np.abs(values) >= np.pi / 2), np.nan, values)


def _prepared(program: Program, n: int, out: Motion | None) -> Motion:
    """A motion of n columns with all that its evaluation needs.

    Raises
    ------
    ArgumentError
    """
    columns = np.arange(float(n))
    if out is not None and not isinstance(out, Motion):
        raise ArgumentError(f"out must be a motion of the same program, not {shown(out)}")
    motion = allocate(program, columns) if out is None else reused(out, program, columns)
    values = np.zeros((len(program.drivers), 3, n))
    motion = replace(motion, inputs=Inputs(values, False))
    block = 8 if program.iterates else None
    return with_memory(motion, memories(program), block, given_drivers(program, values))


def _require_same(program: Program, start: Motion) -> int:
    """Refuse a start of something else; the number of its last solved step.

    Raises
    ------
    ArgumentError
        If the motion is one of another program, or no step of it is solved.
    """
    if not isinstance(start, Motion) or start.program is not program:
        raise ArgumentError("start must be a motion of the same program")
    if not start.solved.any():
        raise ArgumentError("start must be a motion with a solved step")
    return int(np.flatnonzero(start.solved)[-1])


def known_state(program: Program, start: Motion | None = None) -> Start:
    """The state that iterated groups are followed from: the last solved step of a motion, or the reference.

    Raises
    ------
    ArgumentError
    """
    if start is None:
        knots = [call.knot for call in program.calls]
        return Start(np.array([driven.reference for driven in program.drivers]), _memory(knots))
    last = _require_same(program, start)
    if start.inputs is not None:
        if start.inputs.reached is None:
            raise ArgumentError("start must be a motion as it was evaluated, not some steps of one")
        return Start(*(x.copy() for x in start.inputs.reached))
    followed = track(program, start.times[: last + 1], True)
    knots = [
        None if call.knot is None else memory[len(memory) - call.knot.size :]
        for call, memory in zip(program.calls, followed, strict=True)
    ]
    return Start(start.driven[:, 0, last].copy(), _memory(knots))


def memories(program: Program) -> tuple[Array, ...]:
    """Memory of every call for `solve_columns`, at the reference configuration."""
    knots = [call.knot for call in program.calls]
    return tuple(NOTHING if knot is None else _memory([knot]) for knot in knots)


def _memory(knots: list[Array | None]) -> Array:
    """Memory of all calls for `solve_columns`, each iterated group at its knot, from which nothing is extrapolated."""
    parts = []
    for knot in knots:
        part = np.zeros(1 if knot is None else 1 + 2 * knot.size)
        if knot is not None:
            part[1 : 1 + knot.size] = knot
            part[1 + TIME] = np.nan
        parts.append(part)
    return np.concatenate([np.zeros(0), *parts])
