"""What failed in a motion: intervals of times, by group and reason."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from groupkin.kinematics.motion.motion import Motion
from groupkin.mechanism.pairs import counted
from sglibrary import status


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
    for number, codes in enumerate(motion.status, 1):
        bounds = [0, *(np.flatnonzero(np.diff(codes)) + 1).tolist(), codes.size]
        for first, end in pairwise(bounds):
            if first < end and codes[first] not in (status.SOLVED, status.NO_INPUT):
                start, stop = float(motion.times[first]), float(motion.times[end - 1])
                reason = status.MEANING[int(codes[first])]
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
