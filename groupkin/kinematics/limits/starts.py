"""Configurations from which curves are followed: all that assembly modes give at some values of the drivers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.limits.checks import Freedom
from groupkin.kinematics.limits.released import Poses
from groupkin.kinematics.modes.mode_search import (
    GroupCalls,
    StateAtRest,
    group_calls,
    last_pose,
    snapshot,
    solutions,
    solve_group,
    state_at,
)
from groupkin.kinematics.modes.modes import poses_of
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.run import run
from groupkin.mechanism.laws import Constant


def driver_values(program: Program, time: float) -> dict[Freedom, float]:
    """Evaluate all drivers at a time, s; rad or m.

    Raises
    ------
    LawError
        If a law does not cover the time.
    """
    at: NDArray[np.float64] = np.array([time])
    return {(each.joint, each.freedom): float(each.law.at(at)[0, 0]) for each in program.drivers}


def held(program: Program, values: dict[Freedom, float]) -> Program:
    """Change the drivers of a program to stand still at some values, rad or m."""
    drivers = (replace(each, law=Constant(values[each.joint, each.freedom])) for each in program.drivers)
    return replace(program, drivers=tuple(drivers))


def configurations(program: Program, values: dict[Freedom, float], driver: Freedom) -> Iterator[Poses]:
    """Yield the configurations with the drivers at some values, first the one in the program's own modes.

    It is the one that is followed from the reference configuration. All others are those of every assembly mode of the
    groups that one of the drivers moves; those that it does not move stay in their own.
    """
    still, movable, moved = held(program, values), program.mechanism.movable, _moved_groups(program, driver)
    own = run(still, np.zeros(1), on_failure="nan")
    if own.placed.all():
        yield poses_of(own, movable)
    state, groups = state_at(still, 0.0), group_calls(still)
    for part in groups:
        if part.group.number not in moved:
            _enter_own(state, part, own)
    yield from _descend(state, [part for part in groups if part.group.number in moved], movable)


def _moved_groups(program: Program, driver: Freedom) -> set[int]:
    """Find the groups, by number, that a driver moves."""
    moved: set[int] = set()
    for group in program.structure.groups:
        if driver[0] in (*group.external, *group.internal) or moved.intersection(group.depends_on):
            moved.add(group.number)
    return moved


def _enter_own(state: StateAtRest, part: GroupCalls, own: Motion) -> None:
    """Solve a group in its own mode, which of a group by Newton's method is where it was followed to."""
    if part.tree is None or not own.placed.all():
        solve_group(state, part.calls)
        return
    pose = last_pose(own, part.group)
    found = solutions(state, part)[0]
    nearest = min(found, key=lambda solution: float(np.abs(solution.pose - pose).max()))
    solve_group(state, nearest.calls)


def _descend(state: StateAtRest, groups: Sequence[GroupCalls], bodies: Sequence[str]) -> Iterator[Poses]:
    """Yield the poses of all bodies in all solutions of some groups, after those that are solved in the state."""
    if not groups:
        yield poses_of(snapshot(state), bodies)
        return
    for solution in solutions(state, groups[0])[0]:
        solve_group(state, solution.calls)
        yield from _descend(state, groups[1:], bodies)
