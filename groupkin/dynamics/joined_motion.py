"""The motion that free coordinates have, joined where these were changed."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.free_motion import FreeMotion
from groupkin.dynamics.integration import Found
from groupkin.dynamics.other_coordinates import in_rows_of
from groupkin.kinematics.motion.motion import Motion, Occurrence
from groupkin.kinematics.program.program import with_laws
from groupkin.kinematics.solving.run import filled
from groupkin.mechanism.laws import Law, Samples
from sglibrary.unwrap import unwrap

Array = NDArray[np.float64]

NEAR = 1e-5
"""Step of central differences along a motion, in times in which what is fastest moves by 1 rad or its size."""


def motion_of(found: Found) -> Motion:
    """Solve the motion at all times that are reached, by the first coordinates, which get it as their laws."""
    times, values, first = *found.known(), found.legs[0][1]
    firsts = [min(k, times.size) for k, _ in found.legs]
    spans = [slice(*ends) for ends in pairwise([*firsts, times.size])]
    if spans[0].stop == times.size:
        motion = filled(with_laws(first.program, _laws(first, times, first.three(times, values))), times)
        return replace(motion, events=_occurrences(found))
    parts = [
        free.motion_at(times[span], values[:, span])
        for (_, free), span in zip(found.legs, spans, strict=True)
        if span.start < span.stop
    ]
    here = [in_rows_of(first.program, part) for part in parts]
    q, v, a = (np.concatenate([getattr(part, name) for part in here], axis=1) for name in "qva")
    groups = len(first.program.structure.groups)
    least = np.concatenate([part.conditioning.min(axis=0, initial=1.0) for part in parts])
    status = np.repeat(np.concatenate([part.status.max(axis=0, initial=0) for part in parts])[None], groups, axis=0)
    motion = Motion(first.program, times, q, v, a, status, np.repeat(least[None], groups, axis=0))
    moved = with_laws(first.program, _laws(first, times, _read(first, motion)))
    return replace(motion, program=moved, events=_occurrences(found))


def _occurrences(found: Found) -> tuple[Occurrence, ...]:
    return tuple(
        Occurrence(x.name, x.time, found.legs[x.leg][1].motion_at(np.array([x.time]), x.state[:, None]))
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
    for row, k in zip(found, free.free, strict=True):
        joint, freedom = free.program.drivers[k].joint, free.program.drivers[k].freedom
        speed = float(np.abs(motion.joint_rate(joint)).max(initial=0.0))
        step = NEAR / (speed if speed > 0.0 else 1.0)
        ahead, behind = (_along(motion, x).joint_rate(joint)[freedom] for x in (step, -step))
        row[0], row[1] = motion.joint(joint)[freedom], motion.joint_rate(joint)[freedom]
        row[2] = (ahead - behind) / (2.0 * step)
        if free.program.drivers[k].rotation:
            unwrap(row[:1], row[1:2], motion.times)
    return np.nan_to_num(found)  # next to where angles are singular


def _along(motion: Motion, step: float) -> Motion:
    """Move a motion by a step of time along its velocities and accelerations."""
    return replace(motion, q=motion.q + step * (motion.v + 0.5 * step * motion.a), v=motion.v + step * motion.a)
