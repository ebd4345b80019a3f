"""Singular positions that closed forms pass between two steps.

A closed form keeps the sign of a square root, which is its assembly mode. Where the root passes through zero, as in a
parallelogram that becomes flat, a motion goes on smoothly with the other sign, and with the same sign it turns back:
which of them it will be is not determined. A step that falls on such a position fails; here those are found that fall
between steps. (Groups that are iterated are followed from knot to knot, and stop there: `kinematics.tracking`.)

Near such a position conditioning falls to zero and rises again in straight lines. Where a least value of the steps is
so small that this may be, the time of the least conditioning is sought by solving again between the steps beside it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.motion import Motion
from groupkin.kinematics.program import Program
from sglibrary import status as codes
from sglibrary.sweep import ends_touch, touching

Array = NDArray[np.float64]
Resolve = Callable[[Program, Array], Motion]
"""Solves a program at some times, with NaN where it fails, without looking for crossings."""

LOOKS = 33
"""Times at which the bracket of a least conditioning is looked at, again and again."""

ROUNDS = 10
"""Each makes the bracket 16 times smaller."""

STILL = 0.99
"""A least value that two rounds make smaller by less than this is no zero; one may fall on the same time again."""

MOST = 500
"""Places that are looked at in one motion; the smallest values first."""


def crossings(motion: Motion, resolve: Resolve, stop: int | None = None, near: bool = True) -> list[tuple[int, int]]:
    """The first step after every singular position that is passed, and the group, counted from 0; in order.

    Parameters
    ----------
    motion : Motion
    resolve : callable
    stop : int, optional
        The first step that is not looked at; by default all are.
    near : bool
        Whether the conditioning of any watched group may touch zero between its ends, if that is known.
    """
    program, count = motion.program, motion.times.size if stop is None else stop
    groups = motion.work.watched if motion.work is not None else watched(program)
    if not groups.size or count < 2:
        return []
    conditioning = motion.conditioning[:, :count]
    if not (near and touching(conditioning, groups)) and not ends_touch(conditioning, groups):
        return []
    places = sorted((float(motion.conditioning[g, k]), g, k) for g, k in _suspects(motion, groups, count))
    found = set[tuple[int, int]]()
    for _, group, k in places[:MOST]:
        first, last = max(k - 1, 0), min(k + 1, count - 1)
        time = _singular(program, group, motion.times[first], motion.times[last], resolve)
        if time is not None:
            way = 1.0 if motion.times[-1] >= motion.times[0] else -1.0
            after = first + int(np.searchsorted(way * motion.times[first : last + 1], way * time))
            found.add((min(after, last), group))
    return sorted(found)


def watched(program: Program) -> NDArray[np.int64]:
    """Groups, counted from 0, in closed forms that have modes, and depend on no group that is iterated."""
    steps = program.steps
    lost = {step.group for step in steps if step.knot is not None}
    for group in program.structure.groups:
        if lost & set(group.depends_on):
            lost.add(group.number)
    return np.array(sorted({step.group - 1 for step in steps if step.signs and step.group not in lost}), np.int64)


def _suspects(motion: Motion, groups: NDArray[np.int64], count: int) -> list[tuple[int, int]]:
    """Groups and steps of least values that straight lines from their neighbors would lead to zero."""
    found = []
    for group in groups:
        c = motion.conditioning[group, :count]
        # beside steps that fail it is known that the group comes to the end of its reach
        solved = motion.status[group, :count] == codes.SOLVED
        solved = solved & np.append(True, solved[:-1]) & np.append(solved[1:], True)
        rise = np.abs(np.diff(c))
        steepest = np.maximum(np.append(rise[:1], rise), np.append(rise, rise[-1:]))
        # at the ends the neighbor on one side says what the slope is
        steepest[0], steepest[-1] = rise[:2].max(), rise[-2:].max()
        least = np.append(True, c[1:] <= c[:-1]) & np.append(c[:-1] <= c[1:], True)
        found += [(int(group), int(k)) for k in np.flatnonzero(least & solved & (c <= 2.0 * steepest))]
    return found


def _singular(program: Program, group: int, first: float, last: float, resolve: Resolve) -> float | None:
    """A time between two others at which a group is singular, if there is one."""
    older = before = np.inf
    for _ in range(ROUNDS):
        times = np.linspace(first, last, LOOKS)
        found = resolve(program, times)
        own = np.where(found.status[group] == codes.SOLVED, found.conditioning[group], 0.0)
        k = int(own.argmin())
        if own[k] < codes.SINGULAR_BELOW:
            return float(times[k])
        if own[k] > STILL * older:
            return None
        older, before = before, own[k]
        first, last = times[max(k - 1, 0)], times[min(k + 1, LOOKS - 1)]
    return None
