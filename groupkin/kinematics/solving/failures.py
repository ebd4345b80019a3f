"""What failed in a motion: intervals of times, by group and reason, and the error for the first of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from groupkin.errors import (
    CannotAssembleError,
    NotConvergedError,
    OpenJointError,
    SingularPositionError,
    SolveError,
)
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.solving.open_joints import open_joint
from groupkin.messages import counted
from groupkin.structure.decomposition import Group
from sglibrary import status as codes


@dataclass(frozen=True)
class Failure:
    """A run of steps at which one group failed for one reason; groups that depend on it are not listed.

    Attributes
    ----------
    group : int
        Number of the group in solving order.
    reason : str
        As in `sglibrary.status.MEANING`.
    start, stop : float
        The first and the last time of the run, s.
    steps : int
        Number of steps of the run.
    """

    group: int
    reason: str
    start: float
    stop: float
    steps: int


def failures(motion: Motion) -> list[Failure]:
    """All failures of a motion, in the order of their first steps."""
    found = []
    for number, status in enumerate(motion.status, 1):
        bounds = [0, *(np.flatnonzero(np.diff(status)) + 1).tolist(), status.size]
        for first, end in pairwise(bounds):
            if first < end and status[first] not in (codes.SOLVED, codes.NO_INPUT):
                start, stop = float(motion.times[first]), float(motion.times[end - 1])
                reason = codes.MEANING[int(status[first])]
                found.append((first, Failure(number, reason, start, stop, end - first)))
    return [failure for _, failure in sorted(found, key=lambda pair: (pair[0], pair[1].group))]


def described(motion: Motion, most: int = 10) -> list[str]:
    """Failures in words, one line each; of more than `most` the rest is counted."""
    groups, every = motion.program.structure.groups, failures(motion)
    lines = [
        f"group {found.group} ({', '.join(groups[found.group - 1].bodies)}): {found.reason} "
        + (f"at t = {found.start:.6g} s" if found.steps == 1 else f"from t = {found.start:.6g} s to {found.stop:.6g} s")
        + f" ({counted(found.steps, 'step')})"
        for found in every[:most]
    ]
    rest = len(every) - most
    return lines + ([f"and {counted(rest, 'more interval')}; --json lists all"] if rest > 0 else [])


def failure(motion: Motion, index: int) -> SolveError:
    """The error for the first step that failed, from which on the motion becomes NaN."""
    codes_of_groups, time = motion.status[:, index].copy(), float(motion.times[index])
    failed = np.flatnonzero(codes_of_groups != codes.SOLVED)
    by_itself = failed[codes_of_groups[failed] != codes.NO_INPUT]
    number = 1 + int(by_itself[0] if by_itself.size else failed[0])
    group, code = motion.program.structure.groups[number - 1], int(codes_of_groups[number - 1])
    gap = _gap(motion, group, index) if code == codes.CANNOT_ASSEMBLE else 0.0
    opened = open_joint(motion, group, index) if code == codes.JOINT_OPEN else ""
    for x in (motion.q, motion.v, motion.a):
        x[:, index:] = np.nan
    motion.conditioning[:, index + 1 :] = 0.0
    motion.status[:, index:] = codes.NO_INPUT
    motion.status[:, index] = codes_of_groups
    where = f"group {number} ({', '.join(group.bodies)}; {group.label}) at t = {time:.6g} s"
    before = f"; solved up to t = {motion.times[index - 1]:.6g} s" if index else "; no step was solved"
    kind, what, remedy, from_the_start = FAILURES[code]
    names, driven = _driven(motion, group, time)
    tells = [
        f" (groupkin limits, in Python gk.limits(mechanism, {name!r}), tells how far {name} goes)" for name in names
    ]
    remedy = (remedy if index else from_the_start).format(limits="".join(tells[:1]))
    followed = any(call.group == number and call.knot is not None for call in motion.program.calls)
    on_the_way = ", there or on the way there from the step before" if followed and index else ""
    by = f", there by {motion.program.mechanism.units.text(gap, digits=3)}" if gap > 0.0 else opened
    return kind(f"{where} {what}{by}{on_the_way}{before}. {driven}{remedy}", number, time, motion)


def _gap(motion: Motion, group: Group, index: int) -> float:
    """Compute how far the parts of a plane dyad RRR or RRP stay from each other at a step, m.

    NaN for other groups, and where a body that it hangs on is not placed.
    """
    program = motion.program
    dyad, mechanism, joints = program.solvers[group.number - 1], program.mechanism, program.geometry.joints
    if mechanism.dimension != 2 or dyad not in ("RRR", "RRP"):
        return np.nan
    step, hinge = motion.at(np.array([index])), joints[group.internal[0]].points[0]
    pins, lengths, normal, on_line = [], [], np.zeros(2), np.zeros(2)
    for name in group.external:
        joint, geometry = mechanism.joint[name], joints[name]
        side = int(joint.bodies[0] in group.bodies)  # that of the body solved before
        (move,) = mechanism.form(joint).moves
        if move.rotation:
            pins.append(step.point_on(joint.bodies[side], geometry.points[side])[0])
            lengths.append(float(np.linalg.norm(hinge - geometry.points[1 - side])))
        else:  # the hinge moves on a line of the body solved before
            x, y = step.rotation(joint.bodies[side])[0] @ geometry.frames[side][:, move.axis]
            normal, on_line = np.array([-y, x]), step.point_on(joint.bodies[side], hinge)[0]
    if dyad == "RRP":
        return float(abs(normal @ (on_line - pins[0])) - lengths[0])
    span = float(np.linalg.norm(pins[1] - pins[0]))
    return max(span - sum(lengths), abs(lengths[0] - lengths[1]) - span)


def _driven(motion: Motion, group: Group, time: float) -> tuple[list[str], str]:
    """List the drivers that a group depends on, those farthest from their references first, and write their values."""
    program = motion.program
    mechanism, say = program.mechanism, program.mechanism.units.text
    groups, before = program.structure.groups, {group.number}
    for each in reversed(groups[: group.number]):
        before |= set(each.depends_on) if each.number in before else set()
    joints = {name for number in before for name in (*groups[number - 1].external, *groups[number - 1].internal)}
    found = []
    for driven in (each for each in program.drivers if each.joint in joints):
        freedom = mechanism.freedoms(mechanism.joint[driven.joint])[driven.freedom]
        value, unit = float(driven.law.at(time)[0, 0]), freedom.unit
        away = abs(value - driven.reference) / (np.pi if driven.rotation else program.geometry.size)
        name = mechanism.driver_name(driven.joint, driven.freedom)
        found.append((-away, name, f"{name} is driven to {say(value, unit)}; reference {say(driven.reference, unit)}"))
    found.sort(key=lambda item: item[0])
    listed = [text for *_, text in found]
    more = [f"{counted(len(listed) - LISTED, 'more driver')}"] if len(listed) > LISTED else []
    return [name for _, name, _ in found], f"There {', '.join(listed[:LISTED] + more)}. " if listed else ""


LISTED = 3
"""Drivers whose values a message states."""

ACROSS = (
    "Drive another freedom, avoid this position, or, where groups have closed forms, go straight through it with "
    'on_singular="continue" (--on-singular continue)'
)
"""What helps at a singular position."""

REPEATED = (
    "Either dimensions agree to few digits only: state more digits; or rows that repeat others elsewhere are needed at "
    "this position: drive another freedom, or avoid the position"
)
"""What helps where a redundant joint opens."""

FAILURES: dict[int, tuple[type[SolveError], str, str, str]] = {
    codes.CANNOT_ASSEMBLE: (
        CannotAssembleError,
        "cannot be assembled: in its assembly mode, its ends are out of reach of each other",
        "Shorten the motion of the drivers{limits}, change the dimensions, or choose another mode (groupkin modes)",
        "A driver gives the value of its freedom, not the change: begin near the reference{limits}, or change the "
        "dimensions",
    ),
    codes.SINGULAR: (
        SingularPositionError,
        "is at a singular position, or passed one since the step before: its velocities are not determined there",
        ACROSS,
        ACROSS,
    ),
    codes.NOT_CONVERGED: (
        NotConvergedError,
        "did not converge",
        "Take smaller steps, or start closer to the reference configuration",
        "Start closer to the reference configuration",
    ),
    codes.JOINT_OPEN: (
        OpenJointError,
        "leaves a redundant joint open, whose rows repeat those of others elsewhere",
        REPEATED,
        REPEATED,
    ),
    codes.NO_INPUT: (
        CannotAssembleError,
        "cannot be assembled: the value of a driver is no finite number",
        "Check the motion laws of the drivers at this time",
        "Check the motion laws of the drivers at this time",
    ),
}
