"""The motion that free coordinates have, joined where these were changed."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from groupkin.dynamics.simulation.free_motion import FreeMotion
from groupkin.dynamics.simulation.integration import Found
from groupkin.dynamics.simulation.other_coordinates import in_rows_of
from groupkin.dynamics.simulation.straight_on import Gap, between
from groupkin.kinematics.motion.motion import Motion, Occurrence
from groupkin.kinematics.program.program import with_laws
from groupkin.mechanism.laws.laws import Law, Samples
from groupkin.tolerances import CENTRAL_STEP
from sglibrary import status as codes
from sglibrary.array_types import Array
from sglibrary.unwrap import unwrap


def motion_of(found: Found) -> Motion:
    """Solve the motion at all times that are reached, by the first coordinates, which get it as their laws."""
    times, values, first = *found.known(), found.first
    firsts = [min(k, times.size) for k, _ in found.legs]
    spans = [slice(*ends) for ends in pairwise([*firsts, times.size])]
    if spans[0].stop == times.size:
        motion = _followed(found, 0, times, values)
        assert motion.inputs is not None
        moved = with_laws(first.program, _laws(first, times, motion.inputs.values[first.free]))
        return replace(motion, program=moved, inputs=None, memory=None, events=_occurrences(found))
    n, groups = times.size, len(first.program.structure.groups)
    rows = np.empty((3, len(first.program.kept), n))
    status, least = np.zeros(n, np.uint8), np.zeros(n)
    for k, ((_, leg), span) in enumerate(zip(found.legs, spans, strict=True)):
        if span.start == span.stop:
            continue
        if isinstance(leg, Gap):
            sides = zip((k - 1, k + 1), (leg.start, leg.end), strict=True)
            there = (_followed(found, side, np.array([time]), y[:, None]) for side, (time, y) in sides)
            start, end = (in_rows_of(first.program, motion) for motion in there)
            rows[:, :, span] = between(start, end, times[span])
            continue
        part = _followed(found, k, times[span], values[:, span])
        here = in_rows_of(first.program, part)
        rows[:, :, span] = here.q, here.v, here.a
        status[span], least[span] = part.status.max(axis=0, initial=0), part.conditioning.min(axis=0, initial=1.0)
    every = np.repeat(status[None], groups, axis=0), np.repeat(least[None], groups, axis=0)
    motion = Motion(first.program, times, rows[0], rows[1], rows[2], *every)
    moved = with_laws(first.program, _laws(first, times, _read(first, motion)))
    passages = tuple(leg.passage(first.program) for _, leg in found.legs if isinstance(leg, Gap))
    return replace(motion, program=moved, events=_occurrences(found), passages=passages)


def with_nothing_after(motion: Motion, times: Array) -> Motion:
    """Extend a motion to further times, at which nothing is solved and free coordinates stand still."""
    later = times[motion.times.size :]
    nothing = np.full((len(motion.q), later.size), np.nan)
    q, v, a = (np.concatenate([rows, nothing], axis=1) for rows in (motion.q, motion.v, motion.a))
    groups = len(motion.status)
    status = np.concatenate([motion.status, np.full((groups, later.size), codes.NO_INPUT, np.uint8)], axis=1)
    conditioning = np.concatenate([motion.conditioning, np.full((groups, later.size), np.nan)], axis=1)
    laws = [_held(driven.law, times) for driven in motion.program.drivers]
    program = with_laws(motion.program, laws)
    return replace(
        motion, program=program, times=times, q=q, v=v, a=a, status=status, conditioning=conditioning, memory=None
    )


def _held(law: Law, times: Array) -> Law:
    """Extend a sampled law to further times, at which it stands still."""
    if not isinstance(law, Samples) or len(law.times) >= times.size or law.times[-1] != times[len(law.times) - 1]:
        return law
    rest = times.size - len(law.times)
    still = (0.0,) * rest
    values = (*law.values, *(law.values[-1],) * rest)
    return Samples(tuple(times.tolist()), values, (*law.rates, *still), (*law.accelerations, *still))


def _followed(found: Found, k: int, times: Array, states: Array) -> Motion:
    """Evaluate the motion at times (n,) and states (2 f, n) of a leg, its groups followed from step to step."""
    free = found.legs[k][1]
    assert isinstance(free, FreeMotion)
    steps = [(time, y) for leg, time, y in found.way if leg == k and time < times[-1]]
    if not steps:
        return free.motion_at(times, states)
    every, which = np.unique([*times, *(time for time, _ in steps)], return_index=True)
    known = np.column_stack([states, *(y for _, y in steps)])
    return free.motion_at(every, known[:, which]).at(np.searchsorted(every, times))


def _occurrences(found: Found) -> tuple[Occurrence, ...]:
    return tuple(
        Occurrence(x.name, x.time, _followed(found, x.leg, np.array([x.time]), x.state[:, None]))
        for x in found.watch.seen
    )


def _laws(free: FreeMotion, times: Array, rows: Array) -> list[Law]:
    """Laws of all drivers, those of the free ones by values, rates and accelerations (f, 3, n)."""
    stamps = tuple(times.tolist())
    found = {int(k): Samples(stamps, *map(tuple, row)) for k, row in zip(free.free, rows.tolist(), strict=True)}
    return [law or found[k] for k, law in enumerate(free.laws)]


def _read(free: FreeMotion, motion: Motion) -> Array:
    """Read values, rates and accelerations (f, 3, n) of coordinates from the motion of the bodies."""
    found = np.empty((len(free.free), 3, motion.times.size))
    for row, k, (joint, freedom) in zip(found, free.free, free.freedoms, strict=True):
        speed = float(np.abs(motion.joint_rate(joint)).max(initial=0.0))
        step = CENTRAL_STEP / (speed if speed > 0.0 else 1.0)
        ahead, behind = (_along(motion, x).joint_rate(joint)[freedom] for x in (step, -step))
        row[0], row[1] = motion.joint(joint)[freedom], motion.joint_rate(joint)[freedom]
        row[2] = (ahead - behind) / (2.0 * step)
        if free.program.drivers[k].rotation:
            unwrap(row[:1], row[1:2], motion.times[None])
    return np.nan_to_num(found)  # next to where angles are singular


def _along(motion: Motion, step: float) -> Motion:
    """Move a motion by a step of time along its velocities and accelerations."""
    return replace(motion, q=motion.q + step * (motion.v + 0.5 * step * motion.a), v=motion.v + step * motion.a)
