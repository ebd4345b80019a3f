"""Configurations from which curves are followed: all that assembly modes give at some values of the drivers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from groupkin.kinematics.limits.checks import Freedom
from groupkin.kinematics.limits.independent_parts import Part
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
from groupkin.mechanism.laws.laws import Constant
from sglibrary import status as codes
from sglibrary.array_types import Array


def driver_values(program: Program, time: float) -> dict[Freedom, float]:
    """Evaluate all drivers at a time, s; rad or m.

    Raises
    ------
    LawError
        If a law does not cover the time.
    """
    at: Array = np.array([time])
    return {(each.joint, each.freedom): float(each.law.at(at)[0, 0]) for each in program.drivers}


def held(program: Program, values: dict[Freedom, float]) -> Program:
    """Change the drivers of a program to stand still at some values, rad or m."""
    drivers = (replace(each, law=Constant(values[each.joint, each.freedom])) for each in program.drivers)
    return replace(program, drivers=tuple(drivers))


def configurations(part: Part, values: dict[Freedom, float]) -> Iterator[Poses]:
    """Yield the configurations of a part with the drivers at some values, first the one in the program's own modes.

    It is the one that is followed from the reference configuration. All others are those of every assembly mode of the
    groups that the released driver moves; those that it does not move stay in their own.
    """
    still, movable = held(part.program, values), part.mechanism.movable
    own = run(still, np.zeros(1), on_failure="nan")
    placed = _is_placed(own, part)
    if placed and _are_known(poses_of(own, movable)):
        yield poses_of(own, movable)
    state, groups = state_at(still, 0.0), [each for each in group_calls(still) if each.group.number in part.groups]
    for each in groups:
        if each.group.number not in part.moved:
            _enter_own(state, each, own, placed)
    every = _descend(state, [each for each in groups if each.group.number in part.moved], movable)
    yield from (poses for poses in every if _are_known(poses))


def _are_known(poses: Poses) -> bool:
    """Tell whether no pose is NaN, as those of groups that are not solved are."""
    return all(bool(np.isfinite(numbers).all()) for pose in poses.values() for numbers in pose)


def _is_placed(own: Motion, part: Part) -> bool:
    """Tell whether all bodies of a part have positions."""
    of_part = own.status[[number - 1 for number in sorted(part.groups)]]
    return bool(np.isin(of_part, (codes.SOLVED, codes.SINGULAR)).all())


def _enter_own(state: StateAtRest, part: GroupCalls, own: Motion, placed: bool) -> None:
    """Solve a group in its own mode, which of a group by Newton's method is where it was followed to."""
    if part.tree is None or not placed:
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
