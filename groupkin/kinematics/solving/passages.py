"""Going on straight through singular positions of closed forms, by continuity of velocity.

A closed form keeps the signs of its square roots, and with them turns back where it passes a singular position. Where
the motion may go on smoothly, as of a parallelogram that becomes flat, that is with other signs from there on. They are
found by trying: of the motions with all signs of the groups that are singular there, the one is taken that the motion
before leads to. Then all later steps are solved with these, and so on from passage to passage.

Next to a singular position velocities lose digits, and there they are not determined; there the motion is interpolated
between both sides, on which it is smooth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import ArgumentError
from groupkin.kinematics.motion.motion import Motion, Passage
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.crossings import crossing_times, watched
from groupkin.tolerances import SAME_TIME
from sglibrary import status as codes
from sglibrary.array_types import Array

Solve = Callable[[Program, Array], Motion]
"""Solves a program at some times, with NaN where it fails, without looking for crossings."""

APART = 0.02
"""Rad, or lengths relative to the size, that the fastest driver or body moves between the places that are compared and
interpolated: velocities lose 12 bits there."""

NODES = 6
"""Places on each side from which a motion is interpolated."""

NEXT = 0.25
"""Share of `APART` up to which steps are interpolated."""

SUSPECT = 0.2
"""Conditioning, `APART` before a singular position, below which a group may be singular there as well."""

SMOOTH = 0.1
"""Largest share of the second best continuation's jump by which the best one may jump."""

MOST_SIGNS = 8
"""Signs of groups that are singular together, of which all combinations are tried."""


def require_closed_forms(program: Program) -> None:
    """Refuse groups that are followed by Newton's method, which cannot change over to another mode.

    Raises
    ------
    ArgumentError
    """
    numbers = {call.group for call in program.calls if call.knot is not None}
    names = [f"group {g.number} ({', '.join(g.bodies)})" for g in program.structure.groups if g.number in numbers]
    if names:
        raise ArgumentError(
            f'on_singular="continue" is for closed forms, but Newton\'s method solves {"; ".join(names)}; drive other '
            "freedoms, or solve up to the singular position and from there on by themselves"
        )


def described(motion: Motion, most: int = 10) -> list[str]:
    """Passages in words, one line each; of more than `most` the rest is counted."""
    groups, rest = motion.program.structure.groups, len(motion.passages) - most
    lines = []
    for passage in motion.passages[:most]:
        which = "; ".join(f"group {number} ({', '.join(groups[number - 1].bodies)})" for number in passage.groups)
        lines.append(f"a singular position of {which} at t = {passage.time:.6g} s, straight through")
    return lines + ([f"{rest} more; --json lists all"] if rest > 0 else [])


def passed_through(motion: Motion, solve: Solve) -> tuple[Motion, list[float]]:
    """Change the steps of a motion after every singular position that it can go through, in place.

    Parameters
    ----------
    motion : Motion
        In the modes of its program, NaN where it fails.
    solve : callable

    Returns
    -------
    Motion
        With the passages.
    list of float
        Times of singular positions, s, that it cannot go through.
    """
    program, rest = motion.program, motion
    passages: list[Passage] = []
    blocked: list[float] = []
    known: list[tuple[float, float]] = []
    while (time := _next_singular(rest, partial(solve, program), known)) is not None:
        near = _Near(motion, program, time, _apart(motion, program, time, passages, solve), solve)
        found = _continued(near)
        known.append((time, NEXT * near.apart if found else SAME_TIME * float(np.abs(motion.times[[0, -1]]).max())))
        if found is None:
            blocked.append(time)
            continue
        begin = int(np.count_nonzero(near.way * motion.times <= near.way * time))
        program, groups = found
        if begin < motion.times.size:
            rest = solve(program, motion.times[begin:])
            for ours, theirs in zip(_arrays(motion), _arrays(rest), strict=True):
                ours[:, begin:] = theirs
        passages.append(Passage(_interpolate(near, program, groups), groups))
        if begin >= motion.times.size:
            break
    return replace(motion, passages=tuple(passages)), blocked


def _arrays(motion: Motion) -> tuple[NDArray[Any], ...]:
    return motion.q, motion.v, motion.a, motion.status, motion.conditioning


def _next_singular(rest: Motion, resolve: Callable[[Array], Motion], known: list[tuple[float, float]]) -> float | None:
    """Find the first time at which a watched group is singular, at a step or between two.

    `known` are times that were looked at before, and how far around them, s.
    """
    times, groups = rest.times, watched(rest.program)
    way = np.sign(times[-1] - times[0])

    def new(time: float) -> bool:
        return all(abs(time - other) > radius for other, radius in known)

    # where the ends of a group are just as far apart as it reaches, roundings decide which of both it is
    failed = np.asarray(np.isin(rest.status[groups], (codes.SINGULAR, codes.CANNOT_ASSEMBLE)).any(axis=0))
    begins = times[failed & ~np.concatenate([[False], failed[:-1]])]
    at_step = next((float(time) for time in begins if new(time)), None)
    for step, time in crossing_times(rest, resolve):
        if at_step is not None and way * times[max(step - 1, 0)] > way * at_step:
            break
        if np.isfinite(time) and new(time) and (at_step is None or way * time < way * at_step):
            return time
    return at_step


@dataclass(frozen=True)
class _Near:
    """The surroundings of a singular position.

    Attributes
    ----------
    motion, program : Motion, Program
        The motion, and the program that solves it before the position.
    time, apart : float
        Of the position, and between the places that are looked at, s.
    solve : callable
    """

    motion: Motion
    program: Program
    time: float
    apart: float
    solve: Solve

    @property
    def way(self) -> float:
        """1, or -1 if the times go down."""
        return float(np.sign(self.motion.times[-1] - self.motion.times[0]))

    def after(self, *places: float) -> Array:
        """Return times, s, that are multiples of `apart` after the position, or before it if these are negative."""
        return self.time + self.way * self.apart * np.array(places)


def _apart(motion: Motion, program: Program, time: float, passages: list[Passage], solve: Solve) -> float:
    """Compute how many seconds the places beside a singular position are apart, by what moves fastest before it.

    All places are between the ends of the motion, and nearer to this position than to the last one before.
    """
    size, ends = program.geometry.size, motion.times[[0, -1]]
    drivers = [(abs(float(x.law.at(np.array([time]))[1, 0])), x.rotation) for x in program.drivers]
    rooms = [*np.abs(time - ends), *(abs(time - each.time) / 2 for each in passages[-1:])]
    widest = min(rooms) / NODES
    apart = float(min(APART / max(1e-300, *(rate if turns else rate / size for rate, turns in drivers)), widest))
    before = solve(program, np.array([time - np.sign(ends[1] - ends[0]) * apart]))
    vectors = np.array(
        [row + k for pose in program.poses.values() for row in pose.vectors for k in range(len(pose.origin))]
    )
    rates = np.abs(before.v[:, 0]) / np.where(np.isin(program.kept, vectors), 1.0, size)
    return float(min(apart, APART / max(1e-300, np.nan_to_num(rates).max(initial=0.0))))


def _continued(near: _Near) -> tuple[Program, tuple[int, ...]] | None:
    """Find the signs with which a motion goes on smoothly; None if it does with none of them, or with several.

    The velocities before lead to positions after, up to the third order of the way; with wrong signs positions are away
    from these in first order.

    Returns
    -------
    Program
    tuple of int
        Numbers of the groups whose signs change; of those that are singular if none does.
    """
    if not near.apart > 0.0:
        return None
    before = near.solve(near.program, near.after(-1.0))
    if not before.solved.all():
        return None
    ahead = 2.0 * near.way * near.apart
    expected = before.q[:, 0] + ahead * (before.v[:, 0] + 0.5 * ahead * before.a[:, 0])
    suspects = {int(k) for k in watched(near.program) if before.conditioning[k, 0] < SUSPECT}
    places = [(n, p) for n, call in enumerate(near.program.calls) if call.group - 1 in suspects for p in call.signs]
    if not 0 < len(places) <= MOST_SIGNS:
        return None
    jumps: list[tuple[float, tuple[float, ...]]] = []
    for signs in product((1.0, -1.0), repeat=len(places)):
        reached = near.solve(_with_signs(near.program, places, signs), near.after(1.0))
        jump = np.abs(reached.q[:, 0] - expected).max() if reached.solved.all() else np.inf
        jumps.append((float(jump), signs))
    (best, signs), (second, _) = sorted(jumps)[:2]
    if not best < SMOOTH * second:
        return None
    changed = {near.program.calls[n].group for (n, _), sign in zip(places, signs, strict=True) if sign < 0.0}
    return _with_signs(near.program, places, signs), tuple(sorted(changed or {k + 1 for k in suspects}))


def _with_signs(program: Program, places: list[tuple[int, int]], signs: tuple[float, ...]) -> Program:
    """Multiply some constants of a program, by number of the call and of the constant, by signs."""
    calls = list(program.calls)
    for (n, position), sign in zip(places, signs, strict=True):
        constants = calls[n].constants.copy()
        constants[position] *= sign
        calls[n] = replace(calls[n], constants=constants)
    return replace(program, calls=tuple(calls))


def _interpolate(near: _Near, changed: Program, groups: tuple[int, ...]) -> float:
    """Interpolate the steps of a motion next to a singular position between both sides of it.

    Returns
    -------
    float
        The time of the position, s: where the conditioning of the groups, with opposite signs on both sides, is zero.
    """
    from scipy.optimize import brentq

    motion = near.motion
    first, last = near.after(*range(-NODES, 0)), near.after(*range(1, NODES + 1))
    sides = near.solve(near.program, first), near.solve(changed, last)
    if not all(side.solved.all() for side in sides):
        return near.time
    nodes = (np.concatenate([first, last]) - near.time) / near.apart
    rows = [group - 1 for group in groups]
    least = [sign * side.conditioning[rows].min(axis=0) for sign, side in zip((-1.0, 1.0), sides, strict=True)]
    values = np.concatenate(least)
    exact = near.time + near.apart * brentq(
        lambda place: float(_between(nodes, values, np.array([place]))[0]), nodes[NODES - 1], nodes[NODES]
    )
    steps = np.flatnonzero(np.abs(motion.times - exact) <= NEXT * near.apart)
    for ours, *theirs in zip((motion.q, motion.v, motion.a), *((s.q, s.v, s.a) for s in sides), strict=True):
        places = (motion.times[steps] - near.time) / near.apart
        ours[:, steps] = _between(nodes, np.concatenate(theirs, axis=1), places)
    motion.status[:, steps] = codes.SOLVED
    motion.conditioning[:, steps] = np.nan_to_num(motion.conditioning[:, steps])
    return float(exact)


def _between(nodes: Array, values: Array, places: Array) -> Array:
    """Values (..., p) at places (p,), of the polynomials through values (..., n) at nodes (n,).

    Barycentric, as by Berrut and Trefethen (2004, SIAM Review 46, eq. 4.2); a place at a node has the value there. That
    of SciPy takes nodes in random order, and other roundings each time.
    """
    weights = 1.0 / np.prod(nodes[:, None] - nodes + np.eye(nodes.size), axis=1)
    away = places[:, None] - nodes
    shares = np.where((away == 0.0).any(axis=1, keepdims=True), away == 0.0, weights / away)
    return np.asarray((values[..., None, :] * shares).sum(axis=-1) / shares.sum(axis=1))
