"""The same pose in other programs of a mechanism, whose drivers are others.

A program finds its groups in the assembly modes of the reference configuration. Another one, that takes over at some
pose, must find them as they are there: the signs of its closed forms are tried group after group.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.modes.mode_search import (
    SAME,
    GroupCalls,
    StateAtRest,
    flipped,
    group_calls,
    last_pose,
    pose,
    solve_group,
    state_with,
)
from groupkin.kinematics.motion.motion import Inputs, Motion
from groupkin.kinematics.program.program import Call, Program

Array = NDArray[np.float64]


def in_rows_of(program: Program, motion: Motion) -> Motion:
    """Describe a motion by the rows of another program of its mechanism.

    Its inputs are the reference values of the drivers, at rest, and its groups count as solved and well conditioned.

    Parameters
    ----------
    program : Program
    motion : Motion
    """
    d, count = program.mechanism.dimension, motion.times.size
    state = np.zeros((3, program.rows, count))
    for order in range(3):
        for body in program.mechanism.movable:
            placed, turns = program.poses[body], motion.rotation_rate(body, order)
            state[order, placed.point : placed.point + d] = motion.point_on(body, placed.origin, order).T
            for row, direction in zip(placed.vectors, placed.directions.T, strict=False):
                state[order, row : row + d] = (turns @ direction).T
    q, v, a = state[:, program.kept]
    values = np.zeros((len(program.drivers), 3, count))
    values[:, 0] = np.array([driven.reference for driven in program.drivers]).reshape(-1, 1)
    groups = len(program.structure.groups)
    status, conditioning = np.zeros((groups, count), np.uint8), np.ones((groups, count))
    return Motion(program, motion.times, q, v, a, status, conditioning, inputs=Inputs(values, True))


def in_modes_of(program: Program, values: Array, here: Motion, apart: float = SAME) -> Program | None:
    """Put a program into the assembly modes that lead to a pose.

    Parameters
    ----------
    program : Program
    values : (drivers,) array
        At the pose, rad or m.
    here : Motion
        Of the program, whose last step is the pose.
    apart : float
        Difference of poses, lengths relative to the size, up to which they are the same.

    Returns
    -------
    Program or None
        None if there are none.
    """
    if program.iterates:  # what is iterated is followed from the reference configuration
        reached = program.evaluate(values)
        groups = program.structure.groups if reached.solved.all() else ()
        away = [float(np.abs(last_pose(reached, x) - last_pose(here, x)).max(initial=0.0)) for x in groups]
        return program if away and max(away) < apart else None
    state, calls = state_with(program, values), list[Call]()
    for part in group_calls(program):
        found = _leading(state, part, last_pose(here, part.group), apart)
        if found is None:
            return None
        solve_group(state, found)
        calls += found
    return replace(program, calls=tuple(calls))


def _leading(state: StateAtRest, part: GroupCalls, wanted: Array, apart: float) -> tuple[Call, ...] | None:
    """Find the calls of a group, those before it being solved, that lead to a pose as `mode_search.pose` reads it."""
    away = []
    for number in range(1, 1 + 2 ** len(part.signs)):
        calls = flipped(part, number)
        if solve_group(state, calls):
            away.append((float(np.abs(pose(state, part.group) - wanted).max(initial=0.0)), number))
    if not away or min(away)[0] > apart:
        return None
    return flipped(part, min(away)[1])
