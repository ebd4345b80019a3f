"""Which ranges assembly modes leave."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.ranges import Outside, Range, outside, ranges_of
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.pruned import bodies_and_groups
from groupkin.kinematics.solving.run import run

OfGroups = Sequence[tuple[Range, set[int]]]
"""Ranges, and the numbers of the groups of whose bodies their quantities are."""


def ranges_of_groups(program: Program) -> OfGroups:
    """List the ranges of a mechanism with the groups that each is of."""
    group_of, found = program.structure.group_of, []
    for each in ranges_of(program):
        bodies, groups = bodies_and_groups(program, (each.quantity,))
        found.append((each, groups | {group_of[body].number for body in bodies if body in group_of}))
    return found


def left_by(ranges: OfGroups, snapshot: Motion, group: int, solved: Collection[int]) -> tuple[Outside, ...]:
    """List the ranges that are left where a group, the last that has to do with them, is solved after others."""
    decided = [each for each, groups in ranges if group in groups <= {group, *solved}]
    return outside(replace(snapshot, status=np.zeros_like(snapshot.status)), decided) if decided else ()


def left_as_chosen(chosen: Program, time: float | None) -> tuple[Outside, ...]:
    """List the ranges that a mechanism leaves in its own modes; none where these cannot be assembled."""
    if time is None:
        return outside(chosen.evaluate([driven.reference for driven in chosen.drivers]))
    return outside(run(chosen, np.array([time]), on_failure="nan"))
