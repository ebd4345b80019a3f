"""Programs that compute only what some quantities need: the groups that these follow from, and no others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from groupkin.errors import UnknownNameError
from groupkin.kinematics.motion.kinds import KINDS
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.outputs import bases
from groupkin.kinematics.motion.quantities import Quantity, read
from groupkin.kinematics.program.dataflow import rows_of
from groupkin.kinematics.program.program import Call, Pose, Program
from groupkin.messages import listed
from sglibrary import attachments


class KeptPoses(dict[str, Pose]):
    """Poses of the bodies that a program computes; it says so of all others."""

    def __missing__(self, body: str) -> Pose:
        raise UnknownNameError(
            f"body {body!r} is not computed by a program that keeps less than everything; it has "
            f"{listed(list(self))}. Make one without `keep`, or keep a quantity that needs this body"
        )


def pruned(program: Program, keep: tuple[Quantity, ...]) -> Program:
    """Leave out of a program the groups, and the attachments of others, that no quantity of some needs.

    Parameters
    ----------
    program : Program
    keep : tuple of Quantity

    Returns
    -------
    Program
        Its motions keep these quantities and have the bodies of the groups that are left. Groups that are left out
        count as solved, with a conditioning that is not a number.
    """
    bodies, groups = bodies_and_groups(program, keep)
    groups |= _closing(program, bodies, groups)
    d = program.mechanism.dimension
    needed = {row for body in bodies for row in _pose_rows(program, body)}
    calls: list[Call] = []
    written: set[int] = set()
    for call in reversed(program.calls):
        left: Call | None = call
        if call.kernel is attachments.motion:
            left = _attaching(call, needed, d)
        elif call.group not in groups and not needed & rows_of(call, program.solvers[call.group - 1], d)[1]:
            left = None
        if left is None:
            continue
        calls.insert(0, left)
        reads, writes = rows_of(left, program.solvers[left.group - 1], d)
        needed |= reads
        written |= writes
    kept = program.kept[np.isin(program.kept, list(written))]
    there = written | program.fixed.keys()
    poses = {body: pose for body, pose in program.poses.items() if there >= set(_pose_rows(program, body))}
    return replace(program, calls=tuple(calls), kept=kept, poses=KeptPoses(poses), keep=keep)


def bodies_and_groups(program: Program, keep: tuple[Quantity, ...]) -> tuple[set[str], set[int]]:
    """Bodies that quantities are read from, and numbers of groups whose conditioning they are."""
    bodies: set[str] = set()

    class Noted(Motion):
        def _pose(self, body: str) -> Pose:
            pose = super()._pose(body)
            bodies.add(body)
            return pose

    motion = program.evaluate([driven.reference for driven in program.drivers])
    noted = object.__new__(Noted)
    noted.__dict__.update(motion.__dict__)
    groups: set[int] = set()
    for quantity in keep:
        read(noted, quantity)
        if any(KINDS[base.kind].of == "robot" for base in bases(quantity, program.mechanism)):
            bodies |= set(program.mechanism.movable)  # by all of which its tool is driven
        if quantity.kind == "conditioning":
            of = program.structure.group_of
            groups |= {of[quantity.name].number} if quantity.name else {group.number for group in of.values()}
    return bodies, groups


def _closing(program: Program, bodies: set[str], groups: set[int]) -> set[int]:
    """Numbers of the groups whose redundant joints must be checked: of each part that repeats rows, if it is needed."""
    structure, found = program.structure, set[int]()
    group_of = {body: group.number for body, group in structure.group_of.items()}
    parts = [{group_of[body] for body in each.bodies if body in group_of} for each in structure.redundancies]
    wanted = groups | {group_of[body] for body in bodies if body in group_of}
    for _ in parts:  # each may need another
        for group in reversed(structure.groups):
            wanted |= set(group.depends_on) if group.number in wanted else set()
        found |= {number for part in parts if part & wanted for number in part}
        wanted |= found
    return found


def _pose_rows(program: Program, body: str) -> list[int]:
    """Rows that a body's pose is read from; what is attached to other bodies is read from those."""
    pose, d = program.poses[body], program.mechanism.dimension
    firsts, rows = [pose.point, *pose.vectors], list[int]()
    while firsts:
        first = firsts.pop()
        if first in program.attached:
            attached = program.attached[first]
            firsts += [row for row in (attached.point, *attached.vectors) if row >= 0]
        else:
            rows += range(first, first + d)
    return rows


def _attaching(call: Call, needed: set[int], d: int) -> Call | None:
    """Leave the attachments that are needed; None if there are none."""
    entries = call.rows[1:].reshape(-1, 3 if d == 2 else 5)
    chosen = [k for k, row in enumerate(entries[:, 0].tolist()) if row in needed]
    if not chosen:
        return None
    rows = np.concatenate([call.rows[:1], entries[chosen].ravel()])
    return replace(call, rows=rows, constants=call.constants.reshape(-1, d)[chosen].ravel())
