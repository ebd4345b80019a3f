"""Singular positions that closed forms pass between two steps.

A closed form keeps the sign of a square root, which is its assembly mode. Where the root passes through zero, as in a
parallelogram that becomes flat, a motion goes on smoothly with the other sign, and with the same sign it turns back:
which of them it will be is not determined. A step that falls on such a position fails; this module finds those that
fall between steps. (Groups that are iterated are followed from knot to knot, and stop there.)

Near such a position conditioning falls to zero and rises again in straight lines. Where a least value of the steps is
so small that this may be, the time of the least conditioning is sought by solving again between the steps beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Program
from sglibrary import status as codes
from sglibrary.array_types import Array, Flags, Ints
from sglibrary.run.near_singular import FEW, touching
from sglibrary.tolerances import SINGULAR_BELOW

Probe = Callable[[Ints, Array], Array]
"""Conditioning (k, t) of groups at times (k, t), 0 where a group is not solved, for k of the suspect steps."""

Resolve = Callable[[Array], Motion]
"""Solves the program of a motion at some times, with NaN where it fails, without looking for crossings."""

PROBES = 33
"""Times at which the bracket of a least conditioning is solved in each round."""

ROUNDS = 10
"""Rounds, each of which makes the bracket 16 times smaller."""

MOST = 500
"""Suspect steps that are examined in the motion of one group; the smallest values first."""


def crossings(motion: Motion, resolve: Resolve, stop: int | None = None) -> list[tuple[int, int]]:
    """The first step after every singular position that is passed, and the group, counted from 0; in order.

    Parameters
    ----------
    motion : Motion
    resolve : callable
    stop : int, optional
        The first step that is not examined; by default all are.
    """
    count = motion.times.size if stop is None else stop
    groups = motion.memory.task.watched.groups if motion.memory is not None else watched(motion.program)
    if not groups.size or count < 2:
        return []
    conditioning = motion.conditioning[:, :count]
    if count > FEW and not touching(conditioning, groups):
        return []

    rows, steps = suspects(conditioning[groups], motion.status[groups, :count] == codes.SOLVED)
    after = steps_after(steps, motion.times[:count], _probe(groups[rows], resolve))
    passed = after >= 0
    return sorted(set(zip(after[passed].tolist(), groups[rows[passed]].tolist(), strict=True)))


def crossing_times(motion: Motion, resolve: Resolve) -> Iterator[tuple[int, float]]:
    """Yield suspect steps in order, and the time, s, of the singular position beside each; NaN where there is none.

    One after another, so that who wants the first one need not wait for all.
    """
    groups = watched(motion.program)
    if not groups.size or motion.times.size < 2:
        return
    rows, steps = suspects(motion.conditioning[groups], motion.status[groups] == codes.SOLVED)
    for k in np.argsort(steps, kind="stable"):
        first, last = _beside(steps[[k]], motion.times)
        yield (
            int(steps[k]),
            float(_singular(motion.times[first], motion.times[last], _probe(groups[rows[[k]]], resolve))[0]),
        )


def _probe(groups: Ints, resolve: Resolve) -> Probe:
    """Make a function that looks at the conditioning of one group for each suspect step."""

    def probe(which: Ints, times: Array) -> Array:
        values = []
        for group, around in zip(groups[which], times, strict=True):
            between = resolve(around)
            values.append(np.where(between.status[group] == codes.SOLVED, between.conditioning[group], 0.0))
        return np.array(values)

    return probe


@once_per_program
def watched(program: Program) -> Ints:
    """Groups, counted from 0, in closed forms that have modes."""
    return np.array(sorted({call.group - 1 for call in program.calls if call.signs}), np.int64)


def suspects(conditioning: Array, solved: Flags) -> tuple[Ints, Ints]:
    """Rows, and steps of least values in them that straight lines from their neighbors would lead to zero.

    Parameters
    ----------
    conditioning : (m, t) array
        Of groups in motions; at least two steps.
    solved : (m, t) array of bool
    """
    c = conditioning
    edge = np.ones((len(c), 1), bool)
    # beside steps that fail the group comes to the end of its reach anyway
    inside = solved & np.hstack([edge, solved[:, :-1]]) & np.hstack([solved[:, 1:], edge])
    rise = np.abs(np.diff(c))
    steepest = np.maximum(np.hstack([rise[:, :1], rise]), np.hstack([rise, rise[:, -1:]]))
    # at the ends the neighbor on one side gives the slope
    steepest[:, 0], steepest[:, -1] = rise[:, :2].max(axis=1), rise[:, -2:].max(axis=1)
    down, up = c[:, 1:] <= c[:, :-1], c[:, :-1] <= c[:, 1:]
    least = np.hstack([edge, down]) & np.hstack([up, edge])
    steep = c <= 2.0 * steepest if c.shape[1] > FEW else True  # too few for a slope
    rows, steps = np.nonzero(least & inside & steep)
    order = np.lexsort((c[rows, steps], rows))
    rows, steps = rows[order], steps[order]
    few = np.arange(rows.size) - np.searchsorted(rows, rows) < MOST
    return rows[few], steps[few]


def steps_after(steps: Ints, times: Array, probe: Probe) -> Ints:
    """The first step after the singular position beside each of some steps (m,); -1 where there is none.

    Times are (t,), or (m, t): those of each.
    """
    first, last = _beside(steps, times)
    each, rows = np.arange(steps.size), np.broadcast_to(times, (steps.size, times.shape[-1]))
    singular = _singular(rows[each, first], rows[each, last], probe)
    way = np.where(rows[:, -1] >= rows[:, 0], 1.0, -1.0)
    # of the steps before and after each, the first one that is not before the time
    after = first + (way * rows[each, first] < way * singular)
    after += way * rows[each, np.minimum(first + 1, last)] < way * singular
    return np.where(np.isnan(singular), -1, np.minimum(after, last))


def _beside(steps: Ints, times: Array) -> tuple[Ints, Ints]:
    """Return the steps before and after some steps."""
    return np.maximum(steps - 1, 0), np.minimum(steps + 1, times.shape[-1] - 1)


def _singular(first: Array, last: Array, probe: Probe) -> Array:
    """Times (m,) between two others at which a group is singular; NaN where there is none."""
    singular, left = np.full(first.size, np.nan), np.arange(first.size)
    for _ in range(ROUNDS):
        if not left.size:
            break
        times = np.linspace(first, last, PROBES, axis=1)
        values = probe(left, times)
        each, k = np.arange(left.size), values.argmin(axis=1)
        least = values[each, k]
        zero = least < SINGULAR_BELOW
        singular[left[zero]] = times[each, k][zero]
        on = ~zero & _may_be_zero(values, k)
        first, last = times[each, np.maximum(k - 1, 0)][on], times[each, np.minimum(k + 1, PROBES - 1)][on]
        left = left[on]
    return singular


def _may_be_zero(values: Array, k: Ints) -> Flags:
    """Whether rows (m, t) fall to zero in straight lines beside their least values, at k (m,).

    This does not depend on how small the value is: beside a zero the values are many times as large, beside another
    least value they are not (`sglibrary.run.near_singular`).
    """
    each, last = np.arange(len(values)), values.shape[1] - 1
    # at an end of the bracket, the second neighbor on the other side stands for the missing one
    before = values[each, np.where(k == 0, 2, k - 1)]
    after = values[each, np.where(k == last, last - 2, np.minimum(k + 1, last))]
    return np.asarray(3.0 * values[each, k] <= 2.0 * np.maximum(before, after))
